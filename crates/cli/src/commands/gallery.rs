//! `babbage gallery`: what is built in.

use std::process::ExitCode;

use serde_json::json;
use workbench::{Entry, gallery};

use crate::args::{Format, GalleryArgs};
use crate::output::{err, out};

pub fn run(args: &GalleryArgs) -> ExitCode {
    match &args.name {
        Some(name) => show(name),
        None => list(args.format),
    }
}

fn list(format: Format) -> ExitCode {
    match format {
        Format::Text => {
            let width = gallery().iter().map(|it| it.name.len()).max().unwrap_or(0);
            let line = |it: &Entry| format!("{:width$}  {:5}  {}\n", it.name, it.language.name(), it.title);
            out(&gallery().iter().map(line).collect::<String>());
        }
        Format::Json => {
            let entry =
                |it: &Entry| json!({ "name": it.name, "language": it.language.name(), "title": it.title });
            out(&json!(gallery().iter().map(entry).collect::<Vec<_>>()).to_string());
        }
    }
    ExitCode::SUCCESS
}

fn show(name: &str) -> ExitCode {
    match gallery().iter().find(|it| it.name == name) {
        Some(entry) => {
            out(entry.files[0].1);
            ExitCode::SUCCESS
        }
        None => {
            err(&format!(
                "error: the gallery has no `{name}`; `babbage gallery` lists it"
            ));
            ExitCode::from(2)
        }
    }
}
