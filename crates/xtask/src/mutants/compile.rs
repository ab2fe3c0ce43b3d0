//! Builds the copy. Sites that the compiler does not take (types that are not what their names suggest, values that cannot be
//! inferred any more) are dropped, and it is asked again.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use super::options::Options;
use super::site::{Rewritten, Site, rewrite};
use super::tree::{TESTED_BY, Tree};

/// A file under test.
pub struct File {
    pub name: String,
    pub text: String,
    pub sites: Vec<Site>,
}

/// A test program and the folder that it expects to run in.
pub struct Program {
    pub path: PathBuf,
    pub folder: PathBuf,
    /// `crate/target`, as one would say it.
    pub name: String,
}

/// Drops what does not compile from `files`, and returns the test programs.
pub fn build(tree: &Tree, files: &mut [File], options: &Options) -> Result<Vec<Program>, String> {
    let known = tree.folder.join("dropped.txt");
    let mut dropped = dropped(tree);
    loop {
        leave_out(files, &dropped);
        let rewritten: Vec<Rewritten> = files
            .iter()
            .map(|it| rewrite(&it.text, &it.sites.iter().collect::<Vec<_>>()))
            .collect();
        let texts: Vec<(String, String)> = files
            .iter()
            .zip(&rewritten)
            .map(|(it, new)| (it.name.clone(), new.text.clone()))
            .collect();
        tree.copy(&texts)
            .map_err(|it| format!("the workspace cannot be copied: {it}"))?;
        let messages = cargo(tree, &options.by)?;
        let errors: Vec<&Value> = messages
            .iter()
            .filter(|it| it["reason"] == "compiler-message" && it["message"]["level"] == "error")
            .map(|it| &it["message"])
            .collect();
        if errors.is_empty() {
            return programs(&messages);
        }
        let n_dropped = dropped.len();
        for error in &errors {
            dropped.extend(blamed(error, files, &rewritten));
        }
        eprintln!(
            "{} errors, {} sites do not compile",
            errors.len(),
            dropped.len() - n_dropped
        );
        if dropped.len() == n_dropped {
            let texts: Vec<&str> = errors.iter().filter_map(|it| it["rendered"].as_str()).collect();
            return Err(format!("the copy does not compile:\n{}", texts.join("\n")));
        }
        let lines: Vec<&str> = dropped.iter().map(String::as_str).collect();
        std::fs::write(&known, lines.join("\n")).map_err(|it| it.to_string())?;
    }
}

/// Leaves out what an earlier run found not to compile.
pub fn leave_out_known(tree: &Tree, files: &mut [File]) {
    leave_out(files, &dropped(tree));
}

fn dropped(tree: &Tree) -> BTreeSet<String> {
    let text = std::fs::read_to_string(tree.folder.join("dropped.txt"));
    text.unwrap_or_default().lines().map(String::from).collect()
}

fn leave_out(files: &mut [File], dropped: &BTreeSet<String>) {
    for file in files {
        let name = &file.name;
        file.sites.retain(|site| !dropped.contains(&key(name, site)));
    }
}

fn key(file: &str, site: &Site) -> String {
    format!(
        "{file}:{}:{}:{}",
        site.line, site.column, site.mutants[0].original
    )
}

/// What cargo says of building the tests, one value for each line.
fn cargo(tree: &Tree, by: &[String]) -> Result<Vec<Value>, String> {
    let packages: Vec<&str> = match by {
        [] => TESTED_BY.to_vec(),
        _ => by
            .iter()
            .map(String::as_str)
            .filter(|it| !it.contains('/'))
            .collect(),
    };
    let mut commands = vec![];
    if !packages.is_empty() {
        let packages = packages.iter().flat_map(|it| ["--package", it]);
        commands.push(packages.chain(["--tests"]).collect::<Vec<_>>());
    }
    for (package, target) in by.iter().filter_map(|it| it.split_once('/')) {
        commands.push(vec!["--package", package, "--test", target]);
    }
    let mut messages = vec![];
    for arguments in commands {
        messages.extend(said(tree, &arguments)?);
    }
    Ok(messages)
}

fn said(tree: &Tree, arguments: &[&str]) -> Result<Vec<Value>, String> {
    let mut cargo = tree.cargo();
    cargo.args(["build", "--offline", "--keep-going", "--message-format", "json"]);
    let output = cargo.args(arguments).stderr(Stdio::inherit()).output();
    let output = output.map_err(|it| format!("cargo does not run: {it}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages: Vec<Value> = text
        .lines()
        .filter_map(|it| serde_json::from_str(it).ok())
        .collect();
    let has_errors = messages
        .iter()
        .any(|it| it["message"]["level"] == "error" || it["reason"] == "compiler-artifact");
    if !output.status.success() && !has_errors {
        return Err("cargo failed before it compiled anything".to_string());
    }
    Ok(messages)
}

/// The sites that an error comes from: the innermost ones around where it is told, or those of the line.
fn blamed(error: &Value, files: &[File], rewritten: &[Rewritten]) -> Vec<String> {
    let mut blamed = vec![];
    let spans = error["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
    for span in spans.iter().filter(|it| it["is_primary"] == true) {
        let number = |name: &str| span[name].as_u64().unwrap_or_default() as usize;
        let Some(at) = files.iter().position(|it| span["file_name"] == it.name.as_str()) else {
            continue;
        };
        let (file, new) = (&files[at], &rewritten[at]);
        let told = number("byte_start")..number("byte_end");
        let around = |it: &Range<usize>| it.start <= told.start && told.end <= it.end;
        let innermost = (0..file.sites.len())
            .filter(|&it| around(&new.ranges[it]))
            .min_by_key(|&it| new.ranges[it].len());
        let of_line = || {
            let lines = number("line_start")..=number("line_end");
            (0..file.sites.len())
                .filter(|&it| lines.contains(&file.sites[it].line))
                .collect()
        };
        let sites: Vec<usize> = innermost.map_or_else(of_line, |it| vec![it]);
        blamed.extend(sites.iter().map(|&it| key(&file.name, &file.sites[it])));
    }
    blamed
}

fn programs(messages: &[Value]) -> Result<Vec<Program>, String> {
    let mut programs = vec![];
    for it in messages
        .iter()
        .filter(|it| it["reason"] == "compiler-artifact" && it["profile"]["test"] == true)
    {
        let (Some(path), Some(manifest)) = (it["executable"].as_str(), it["manifest_path"].as_str()) else {
            continue;
        };
        let folder = PathBuf::from(manifest)
            .parent()
            .map(PathBuf::from)
            .unwrap_or_default();
        let package = folder
            .file_name()
            .map(|it| it.to_string_lossy().into_owned())
            .unwrap_or_default();
        let target = it["target"]["name"].as_str().unwrap_or_default();
        programs.push(Program {
            path: PathBuf::from(path),
            name: format!("{package}/{target}"),
            folder,
        });
    }
    if programs.is_empty() {
        return Err("there are no test programs".to_string());
    }
    Ok(programs)
}
