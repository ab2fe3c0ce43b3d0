//! Tables as files: CSV, Parquet, or JSON lines, by the ending of the file's name.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use serde_json::{Map, Value};
use workbench::{Cell, Column, Rows};

/// A file that is being written. The first thing that goes wrong ends it.
pub struct TableFile {
    path: String,
    format: Format,
    columns: Vec<Column>,
    error: Option<String>,
}

enum Format {
    Csv(Box<csv::Writer<File>>),
    JsonLines(BufWriter<File>),
    Parquet {
        writer: Option<SerializedFileWriter<File>>,
        file: Option<File>,
        /// Rows that wait to be written as a group, by column.
        waiting: Vec<Vec<Cell>>,
    },
}

/// Rows of a group of a Parquet file.
const GROUP: usize = 1 << 16;

impl TableFile {
    /// Begins a file; what is wrong with its name or place is told in words.
    pub fn create(path: &str) -> Result<TableFile, String> {
        let ending = Path::new(path).extension().and_then(|it| it.to_str());
        let make: fn(File) -> Format = match ending {
            Some("csv") => |it| Format::Csv(Box::new(csv::Writer::from_writer(it))),
            Some("jsonl" | "ndjson") => |it| Format::JsonLines(BufWriter::new(it)),
            Some("parquet") => |it| Format::Parquet {
                writer: None,
                file: Some(it),
                waiting: vec![],
            },
            _ => {
                return Err(format!(
                    "`{path}` is not the name of a table: it must end in .csv, .parquet or .jsonl"
                ));
            }
        };
        let file = File::create(path).map_err(|it| format!("`{path}` cannot be written: {it}"))?;
        Ok(TableFile {
            path: path.to_owned(),
            format: make(file),
            columns: vec![],
            error: None,
        })
    }

    /// Writes what is left; what went wrong is told in words.
    pub fn finish(mut self) -> Result<(), String> {
        let done = match &mut self.format {
            Format::Csv(writer) => writer.flush().map_err(|it| it.to_string()),
            Format::JsonLines(writer) => writer.flush().map_err(|it| it.to_string()),
            Format::Parquet { writer, waiting, .. } => {
                let mut done = write_group(writer, &self.columns, waiting);
                if let Some(mut writer) = writer.take() {
                    done = done.and_then(|()| writer.finish().map(drop).map_err(|it| it.to_string()));
                }
                done
            }
        };
        match self.error.or(done.err()) {
            Some(why) => Err(format!("`{}` cannot be written: {why}", self.path)),
            None => Ok(()),
        }
    }

    fn write(&mut self, cells: &[Cell]) -> Result<(), String> {
        match &mut self.format {
            Format::Csv(writer) => writer
                .write_record(cells.iter().map(text))
                .map_err(|it| it.to_string()),
            Format::JsonLines(writer) => {
                let names = self.columns.iter().map(|it| it.name.clone());
                let row: Map<String, Value> = names.zip(cells.iter().map(json)).collect();
                writeln!(writer, "{}", Value::Object(row)).map_err(|it| it.to_string())
            }
            Format::Parquet { writer, waiting, .. } => {
                waiting
                    .iter_mut()
                    .zip(cells)
                    .for_each(|(column, cell)| column.push(cell.clone()));
                match waiting.first().is_some_and(|it| it.len() >= GROUP) {
                    true => write_group(writer, &self.columns, waiting),
                    false => Ok(()),
                }
            }
        }
    }

    fn begin_file(&mut self) -> Result<(), String> {
        match &mut self.format {
            Format::Csv(writer) => {
                let names = self.columns.iter().map(|it| &it.name);
                writer.write_record(names).map_err(|it| it.to_string())
            }
            Format::JsonLines(_) => Ok(()),
            Format::Parquet {
                writer,
                file,
                waiting,
            } => {
                *waiting = vec![vec![]; self.columns.len()];
                let Some(file) = file.take() else { return Ok(()) };
                let fields = self
                    .columns
                    .iter()
                    .map(field)
                    .collect::<Result<Vec<_>, String>>()?;
                let schema = Type::group_type_builder("states").with_fields(fields).build();
                let schema = schema.map_err(|it| it.to_string())?;
                let properties = Arc::new(WriterProperties::builder().build());
                let made = SerializedFileWriter::new(file, Arc::new(schema), properties);
                *writer = Some(made.map_err(|it| it.to_string())?);
                Ok(())
            }
        }
    }

    fn flow(&mut self, done: Result<(), String>) -> ControlFlow<()> {
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => {
                self.error.get_or_insert(why);
                ControlFlow::Break(())
            }
        }
    }
}

impl Rows for TableFile {
    fn begin(&mut self, columns: &[Column]) -> ControlFlow<()> {
        self.columns = columns.to_vec();
        let done = self.begin_file();
        self.flow(done)
    }

    fn row(&mut self, cells: &[Cell]) -> ControlFlow<()> {
        let done = self.write(cells);
        self.flow(done)
    }
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Integer(it) => it.to_string(),
        Cell::Text(it) => it.clone(),
        Cell::Empty => String::new(),
    }
}

fn json(cell: &Cell) -> Value {
    match cell {
        Cell::Integer(it) => Value::from(*it),
        Cell::Text(it) => Value::from(it.as_str()),
        Cell::Empty => Value::Null,
    }
}

fn field(column: &Column) -> Result<Arc<Type>, String> {
    let physical = if column.is_integer {
        Physical::INT64
    } else {
        Physical::BYTE_ARRAY
    };
    let logical = (!column.is_integer).then_some(LogicalType::String);
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build();
    field.map(Arc::new).map_err(|it| it.to_string())
}

/// Writes the rows that wait, a column after the other.
fn write_group(
    writer: &mut Option<SerializedFileWriter<File>>,
    columns: &[Column],
    waiting: &mut [Vec<Cell>],
) -> Result<(), String> {
    let Some(writer) = writer else { return Ok(()) };
    if waiting.first().is_none_or(Vec::is_empty) {
        return Ok(());
    }
    let mut write = || -> parquet::errors::Result<()> {
        let mut group = writer.next_row_group()?;
        for (column, cells) in columns.iter().zip(waiting.iter_mut()) {
            let Some(mut writer) = group.next_column()? else {
                break;
            };
            let present: Vec<i16> = cells.iter().map(|it| i16::from(*it != Cell::Empty)).collect();
            if column.is_integer {
                let integers = cells.iter().filter_map(|it| match it {
                    Cell::Integer(it) => Some(*it),
                    _ => None,
                });
                let integers: Vec<i64> = integers.collect();
                writer
                    .typed::<Int64Type>()
                    .write_batch(&integers, Some(&present), None)?;
            } else {
                let texts = cells.iter().filter_map(|it| match it {
                    Cell::Text(it) => Some(ByteArray::from(it.as_str())),
                    _ => None,
                });
                let texts: Vec<ByteArray> = texts.collect();
                writer
                    .typed::<ByteArrayType>()
                    .write_batch(&texts, Some(&present), None)?;
            }
            writer.close()?;
            cells.clear();
        }
        group.close().map(drop)
    };
    write().map_err(|it| it.to_string())
}
