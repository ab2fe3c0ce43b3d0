//! `CSV`: tables in text files, a record a line.

use tla_sema::ir::ExprId;
use value::{Text, Value};

use super::format::fill;
use super::io::{read, write};
use super::{Row, effect, once};
use crate::effects::Write;
use crate::error::Fault;
use crate::machine::Machine;

pub(super) const ROWS: &[Row] = &[
    effect("CSV", "CSVWrite", "vvv", |machine, given, at| {
        let [template, values, file] = machine.values(given);
        let template = machine.string(template, at)?;
        // Strings keep their quotes here, as every value is written in TLA+.
        let values: Vec<String> = machine
            .sequence(values, at)?
            .iter()
            .map(Value::to_string)
            .collect();
        let line = fill(template.as_str(), &values).map_err(|why| machine.undefined("CSVWrite", why, at))?;
        write(machine, file, format!("{line}\n").as_bytes(), Write::APPEND, at)?;
        Ok(Value::TRUE)
    }),
    effect("CSV", "CSVWriteRecord", "vvvv", |machine, given, at| {
        let [record, delim, headers, file] = machine.values(given);
        let (delim, headers) = (machine.string(delim, at)?, machine.boolean(headers, at)?);
        let fields = machine.graph(record, at)?;
        let mut lines = String::new();
        if headers {
            let mut names = vec![];
            for &(name, _) in &fields {
                names.push(machine.string(name, at)?.to_string());
            }
            lines = format!("{}\n", names.join(delim.as_str()));
        }
        let values: Vec<String> = fields.iter().map(|(_, it)| it.to_string()).collect();
        lines.push_str(&format!("{}\n", values.join(delim.as_str())));
        write(machine, file, lines.as_bytes(), Write::APPEND, at)?;
        Ok(Value::TRUE)
    }),
    once("CSV", "CSVRead", "vvv", |machine, given, at| {
        let [columns, delim, file] = machine.values(given);
        let delim = machine.string(delim, at)?;
        let mut names = vec![];
        for &column in machine.sequence(columns, at)? {
            names.push(machine.string(column, at)?);
        }
        let mut records = vec![];
        for line in lines(machine, file, at)? {
            let cells: Vec<&str> = line.split(delim.as_str()).collect();
            if cells.len() != names.len() {
                let why = format!(
                    "a line has {} columns instead of {}: {line}",
                    cells.len(),
                    names.len()
                );
                return Err(machine.undefined("CSVRead", why, at));
            }
            let fields: Vec<(Text, Value<'_>)> = names
                .iter()
                .copied()
                .zip(cells.into_iter().map(Value::str))
                .collect();
            records.push(Value::record(&fields, machine.arena));
        }
        Ok(machine.tuple(&records))
    }),
    once("CSV", "CSVRecords", "v", |machine, given, at| {
        let file = machine.value_arg(given, 0);
        Ok(Value::Int(lines(machine, file, at)?.len() as i64))
    }),
];

/// No file is a file without lines.
fn lines<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    file: Value<'t>,
    at: ExprId,
) -> Result<Vec<String>, Fault> {
    let bytes = read(machine, file, at)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes)
        .lines()
        .map(str::to_owned)
        .collect())
}
