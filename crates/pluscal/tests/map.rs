//! Where each line of a translation comes from, as pages: an algorithm, and beside each line of its translation what the map says.

use std::path::Path;

use pluscal::{Options, translate};
use source::Sources;
use testkit::{Example, check_literate, files};

#[test]
fn lines_come_from_where_the_pages_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/map");
    for path in files(&folder, "md") {
        check_literate(&path, run);
    }
}

/// Each line, and the first line of what it comes from.
fn run(example: &Example) -> String {
    let text = format!("---- MODULE M ----\n(*\n{}*)\n====\n", example.text);
    let mut sources = Sources::new();
    let file = sources.add("M.tla", text.as_str());
    let (translation, diagnostics) = translate(&text, file, &Options::default());
    let translation = translation.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let mut out = String::new();
    let mut start = 0u32;
    for line in translation.text[translation.lines.clone()].split_inclusive('\n') {
        let code = line.trim();
        let mut rest = line;
        while let Some(after) = ["/\\", "\\/", "THEN ", "ELSE ", " "]
            .iter()
            .find_map(|it| rest.strip_prefix(it))
        {
            rest = after;
        }
        let bullets = line.len() - rest.len();
        let from = start + bullets as u32;
        let end = start + line.trim_end().len() as u32;
        start += line.len() as u32;
        if code.is_empty() {
            out.push('\n');
            continue;
        }
        let line = line.trim_end();
        let source = translation.map.source(from..end.max(from)).map(|it| {
            let call = it
                .call
                .map(|it| format!(" @ {}", sources.file(file).place(it.start).line));
            let it = it.span;
            let source = &text[it.start as usize..it.end as usize];
            let first = source.lines().next().unwrap_or_default();
            let more = if source.contains('\n') { " …" } else { "" };
            let line = sources.file(file).place(it.start).line;
            format!("{line}: {first}{more}{}", call.unwrap_or_default())
        });
        match source {
            Some(source) => out += &format!("{line:<58} <- {source}\n"),
            None => out += &format!("{line}\n"),
        }
    }
    out
}
