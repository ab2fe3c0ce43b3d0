//! `IOUtils`: files, commands and the environment, all of them through [`World`].

use tla_sema::ir::ExprId;
use value::{Text, Value};

use super::format::fill;
use super::json::to_lines;
use super::{Row, effect, once, row};
use crate::effects::{Failure, Finished, World, Write};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("IOUtils", "atoi", "v", |machine, given, at| {
        let value = machine.value_arg(given, 0);
        let text = machine.string(value, at)?;
        match text.as_str().parse::<num_bigint::BigInt>() {
            Ok(number) => Ok(Value::big(number, machine.arena)),
            Err(_) => Err(machine.undefined("atoi", format!("{value} spells no integer"), at)),
        }
    }),
    once("IOUtils", "IOEnv", "", |machine, _, at| {
        let variables = world(machine, at)?.environment();
        let fields: Vec<(Text, Value<'_>)> = variables
            .iter()
            .map(|(name, it)| (Text::new(name), Value::str(it)))
            .collect();
        Ok(Value::record(&fields, machine.arena))
    }),
    once("IOUtils", "IOExec", "v", |machine, given, at| {
        let command = machine.value_arg(given, 0);
        let command = strings(machine, command, at)?;
        execute(machine, &command, &[], at)
    }),
    once("IOUtils", "IOEnvExec", "vv", |machine, given, at| {
        let [variables, command] = machine.values(given);
        let (variables, command) = (
            environment(machine, variables, at)?,
            strings(machine, command, at)?,
        );
        execute(machine, &command, &variables, at)
    }),
    once("IOUtils", "IOExecTemplate", "vv", |machine, given, at| {
        let [template, params] = machine.values(given);
        let command = filled(machine, template, params, at)?;
        execute(machine, &command, &[], at)
    }),
    once("IOUtils", "IOEnvExecTemplate", "vvv", |machine, given, at| {
        let [variables, template, params] = machine.values(given);
        let (variables, command) = (
            environment(machine, variables, at)?,
            filled(machine, template, params, at)?,
        );
        execute(machine, &command, &variables, at)
    }),
    effect("IOUtils", "Serialize", "vvv", |machine, given, at| {
        serialize(machine, given, at)
    }),
    once("IOUtils", "Deserialize", "vv", |machine, given, at| {
        let [path, options] = machine.values(given);
        check_charset(machine, options, at)?;
        match format_of(machine, options, at)?.as_str() {
            "TXT" => {}
            other => {
                return Err(machine.undefined("Deserialize", format!("the format {other} is not known"), at));
            }
        }
        let path = machine.string(path, at)?;
        let finished = match world(machine, at)?.read(path.as_str()) {
            Ok(bytes) => Finished {
                stdout: String::from_utf8_lossy(&bytes).into_owned(),
                ..Finished::default()
            },
            Err(why) => Finished {
                exit_value: 1,
                stderr: told(&why, path),
                ..Finished::default()
            },
        };
        Ok(result(machine, &finished))
    }),
    effect("IOUtils", "IOSerialize", "vvv", |machine, _, at| {
        Err(binary(machine, "IOSerialize", at))
    }),
    once("IOUtils", "IODeserialize", "vv", |machine, _, at| {
        Err(binary(machine, "IODeserialize", at))
    }),
];

fn binary<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, operator: &'static str, at: ExprId) -> Fault {
    let why = "the binary form is private to TLC; JsonSerialize and JsonDeserialize of the module Json are for everyone";
    machine.undefined(operator, why, at)
}

fn world<'t, 'i: 't>(machine: &mut Machine<'t, 'i>, at: ExprId) -> Result<&'t dyn World, Fault> {
    let effects = machine.effects;
    match effects.world() {
        Some(world) => Ok(world),
        None => Err(machine.undefined("IOUtils", "files and commands cannot be reached from here", at)),
    }
}

fn told(why: &Failure, path: Text) -> String {
    match why {
        Failure::Missing => format!("{path}: there is no such file"),
        Failure::Because(why) => format!("{path}: {why}"),
    }
}

/// The bytes of a file; nothing when there is none.
pub(super) fn read<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    path: Value<'t>,
    at: ExprId,
) -> Result<Option<Vec<u8>>, Fault> {
    let path = machine.string(path, at)?;
    match world(machine, at)?.read(path.as_str()) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Failure::Missing) => Ok(None),
        Err(why) => Err(machine.undefined("IOUtils", told(&why, path), at)),
    }
}

pub(super) fn read_text<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    path: Value<'t>,
    at: ExprId,
) -> Result<String, Fault> {
    match read(machine, path, at)? {
        Some(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        None => Err(machine.undefined("IOUtils", format!("there is no file {path}"), at)),
    }
}

pub(super) fn write<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    path: Value<'t>,
    bytes: &[u8],
    how: Write,
    at: ExprId,
) -> Result<(), Fault> {
    let path = machine.string(path, at)?;
    match world(machine, at)?.write(path.as_str(), bytes, how) {
        Ok(()) => Ok(()),
        Err(why) => Err(machine.undefined("IOUtils", told(&why, path), at)),
    }
}

fn strings<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    value: Value<'t>,
    at: ExprId,
) -> Result<Vec<String>, Fault> {
    let mut strings = vec![];
    for &item in machine.sequence(value, at)? {
        strings.push(machine.string(item, at)?.to_string());
    }
    Ok(strings)
}

fn environment<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    value: Value<'t>,
    at: ExprId,
) -> Result<Vec<(String, String)>, Fault> {
    let mut variables = vec![];
    for (name, it) in machine.graph(value, at)? {
        let it = match it {
            Value::Str(text) => text.to_string(),
            other => other.to_string(),
        };
        variables.push((machine.string(name, at)?.to_string(), it));
    }
    Ok(variables)
}

fn filled<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    template: Value<'t>,
    params: Value<'t>,
    at: ExprId,
) -> Result<Vec<String>, Fault> {
    let (template, params) = (strings(machine, template, at)?, strings(machine, params, at)?);
    let filled: Result<Vec<String>, String> = template.iter().map(|it| fill(it, &params)).collect();
    filled.map_err(|why| machine.undefined("IOExecTemplate", why, at))
}

fn execute<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    command: &[String],
    variables: &[(String, String)],
    at: ExprId,
) -> Res<'t> {
    let Some(program) = command.first() else {
        return Err(machine.undefined("IOExec", "the command is empty", at));
    };
    match world(machine, at)?.execute(command, variables) {
        Ok(finished) => Ok(result(machine, &finished)),
        Err(Failure::Missing) => {
            Err(machine.undefined("IOExec", format!("there is no program {program}"), at))
        }
        Err(Failure::Because(why)) => Err(machine.undefined("IOExec", format!("{program}: {why}"), at)),
    }
}

/// As a record.
fn result<'t, 'i: 't>(machine: &Machine<'t, 'i>, finished: &Finished) -> Value<'t> {
    let fields = [
        (Text::new("exitValue"), Value::Int(i64::from(finished.exit_value))),
        (Text::new("stdout"), Value::str(&finished.stdout)),
        (Text::new("stderr"), Value::str(&finished.stderr)),
    ];
    Value::record(&fields, machine.arena)
}

fn format_of<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    options: Value<'t>,
    at: ExprId,
) -> Result<Text, Fault> {
    let format = machine.field(options, "format", at)?;
    machine.string(format, at)
}

/// Text is UTF-8, of which ASCII is a part.
fn check_charset<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    options: Value<'t>,
    at: ExprId,
) -> Result<(), Fault> {
    let charset = machine.field(options, "charset", at)?;
    let name = machine.string(charset, at)?;
    match name.as_str().to_ascii_uppercase().as_str() {
        "UTF-8" | "UTF8" | "US-ASCII" | "ASCII" => Ok(()),
        _ => Err(machine.undefined("Serialize", format!("only UTF-8 is known, not {name}"), at)),
    }
}

fn serialize<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    given: &[super::Given<'t, 'i>],
    at: ExprId,
) -> Res<'t> {
    let [value, path, options] = machine.values(given);
    check_charset(machine, options, at)?;
    let format = format_of(machine, options, at)?;
    let text = match format.as_str() {
        "TXT" => machine.string(value, at)?.to_string(),
        "NDJSON" => to_lines(machine, value, at)?,
        other => return Err(machine.undefined("Serialize", format!("the format {other} is not known"), at)),
    };
    let words = machine.field(options, "openOptions", at)?;
    let mut how = Write {
        append: false,
        create: false,
        create_new: false,
        truncate: false,
        folders: false,
    };
    for word in strings(machine, words, at)? {
        match word.as_str() {
            "WRITE" | "READ" | "SYNC" | "DSYNC" | "SPARSE" => {}
            "APPEND" => how.append = true,
            "CREATE" => how.create = true,
            "CREATE_NEW" => how.create_new = true,
            "TRUNCATE_EXISTING" => how.truncate = true,
            other => {
                return Err(machine.undefined("Serialize", format!("the option {other} is not known"), at));
            }
        }
    }
    if format.as_str() == "NDJSON" {
        write(machine, path, text.as_bytes(), how, at)?;
        return Ok(Value::TRUE);
    }
    let path = machine.string(path, at)?;
    let finished = match world(machine, at)?.write(path.as_str(), text.as_bytes(), how) {
        Ok(()) => Finished::default(),
        Err(why) => Finished {
            exit_value: 1,
            stderr: told(&why, path),
            ..Finished::default()
        },
    };
    Ok(result(machine, &finished))
}
