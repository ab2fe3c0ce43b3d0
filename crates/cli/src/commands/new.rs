//! `babbage new`: a small, complete example to begin with.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::args::NewArgs;
use crate::output::{out, refuse};

/// A file of an example: the ending of its name, and its text, with `NAME` for the name.
type Template = (&'static str, &'static str);

const PLUSCAL: &[Template] = &[
    ("tla", include_str!("new/pluscal.tla")),
    ("cfg", include_str!("new/pluscal.cfg")),
];
const TLA: &[Template] = &[
    ("tla", include_str!("new/tla.tla")),
    ("cfg", include_str!("new/tla.cfg")),
];
const ALLOY: &[Template] = &[("als", include_str!("new/alloy.als"))];

pub fn run(args: &NewArgs) -> ExitCode {
    let templates = match args {
        NewArgs { tla: true, .. } => TLA,
        NewArgs { alloy: true, .. } => ALLOY,
        NewArgs { .. } => PLUSCAL,
    };
    let files: Vec<(String, String)> = templates
        .iter()
        .map(|(ending, text)| {
            (
                format!("{}.{ending}", args.name),
                text.replace("NAME", &args.name),
            )
        })
        .collect();
    // Nothing is written where one of them is in the way.
    if let Some((path, _)) = files.iter().find(|it| Path::new(&it.0).exists()) {
        return refuse(&format!("`{path}` exists already; nothing was written"));
    }
    for (path, text) in &files {
        if let Err(error) = write_new(path, text) {
            let why = match error.kind() {
                ErrorKind::AlreadyExists => "it exists already".to_owned(),
                _ => error.to_string(),
            };
            return refuse(&format!("`{path}` cannot be written: {why}"));
        }
        out(&format!("wrote {path}"));
    }
    out(&format!("try: babbage check {}", files[0].0));
    ExitCode::SUCCESS
}

fn write_new(path: &str, text: &str) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)?;
    file.write_all(text.as_bytes())
}
