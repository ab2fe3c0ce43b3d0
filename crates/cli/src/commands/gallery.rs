//! `babbage gallery`: what is built in.

use std::process::ExitCode;

use serde_json::json;
use workbench::{Language, gallery};

use crate::args::{Format, GalleryArgs};

pub fn run(args: &GalleryArgs) -> ExitCode {
    match &args.name {
        Some(name) => show(name),
        None => list(args.format),
    }
}

fn list(format: Format) -> ExitCode {
    let language = |it| match it {
        Language::Tla => "TLA+",
        Language::Alloy => "Alloy",
    };
    match format {
        Format::Text => {
            let width = gallery().iter().map(|it| it.name.len()).max().unwrap_or(0);
            for entry in gallery() {
                println!(
                    "{:width$}  {:5}  {}",
                    entry.name,
                    language(entry.language),
                    entry.title
                );
            }
        }
        Format::Json => {
            let entries: Vec<_> = gallery()
                .iter()
                .map(|it| json!({ "name": it.name, "language": language(it.language), "title": it.title }))
                .collect();
            println!("{}", json!(entries));
        }
    }
    ExitCode::SUCCESS
}

fn show(name: &str) -> ExitCode {
    match gallery().iter().find(|it| it.name == name) {
        Some(entry) => {
            print!("{}", entry.files[0].1);
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("error: the gallery has no `{name}`; `babbage gallery` lists it");
            ExitCode::from(2)
        }
    }
}
