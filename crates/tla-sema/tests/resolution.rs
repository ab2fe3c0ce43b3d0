//! What names mean, and at which level: claims in Markdown, each with a small specification that carries its own
//! expectations.
//!
//! A comment whose first sign is `^` speaks about the column above that sign:
//!
//! - `^ error[code]: title` or `^ warning[code]: title` is a diagnostic at that place; there are no others;
//! - `^ is 3:5` says where the thing that is named there is declared, `^ is Naturals 12:1` in another module;
//! - `^ means e` is the resolved expression, or the body of the definition that is called there;
//! - `^ level action` is its level;
//! - `\* model: text` says something of the model; see the page about configurations.

mod support;

use std::path::Path;

use source::Place;
use support::show::show;
use support::{Files, Resolved};
use tla_sema::Levels;
use tla_sema::ir::*;

#[test]
fn every_claim_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/resolution");
    let mut wrong = vec![];
    let mut n_claims = 0;
    for path in testkit::files(&folder, "md") {
        let page = std::fs::read_to_string(&path).expect("a readable page");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for (line, text) in fences(&page) {
            let (claims, failed) = check(&text);
            assert!(claims > 0, "{name}:{line} claims nothing");
            n_claims += claims;
            wrong.extend(failed.into_iter().map(|it| format!("{name}:{line}: {it}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_claims > 100, "only {n_claims} claims: are the pages there?");
}

/// The TLA+ fences of a page, with the line where each starts.
fn fences(page: &str) -> Vec<(usize, String)> {
    let mut found = vec![];
    let mut open: Option<(usize, String)> = None;
    for (number, line) in page.lines().enumerate() {
        match &mut open {
            Some(_) if line == "```" => found.extend(open.take()),
            Some((_, text)) => *text += &format!("{line}\n"),
            None if line == "```tla" => open = Some((number + 2, String::new())),
            None => {}
        }
    }
    found
}

struct Claim {
    file: String,
    place: Place,
    text: String,
}

/// How many claims a specification makes, and those that do not hold.
fn check(text: &str) -> (usize, Vec<String>) {
    let files = Files::of(text);
    let mut resolved = files.resolve();
    let mut claims: Vec<Claim> = files
        .texts()
        .flat_map(|(file, text)| claims_in(file, text))
        .collect();
    let n_claims = claims.len();
    let mut wrong = vec![];
    for diagnostic in std::mem::take(&mut resolved.diagnostics) {
        let span = diagnostic.span().expect("everything has a place here");
        let file = resolved.sources.file(span.file);
        let severity = if diagnostic.is_error() { "error" } else { "warning" };
        let message = format!("{severity}[{}]: {}", diagnostic.code, diagnostic.title);
        let expected = claims.iter().position(|it| {
            it.file == file.name() && it.place == file.place(span.start) && it.text == message
        });
        match expected {
            Some(at) => drop(claims.remove(at)),
            None => wrong.push(format!(
                "unexpected at {}: {message}",
                resolved.sources.location(span)
            )),
        }
    }
    for claim in claims {
        let place = claim.place;
        let found = match claim.text.split_once(' ') {
            Some(("is", _)) => declared_at(&resolved, &claim),
            Some(("means", _)) => meaning(&resolved, &claim),
            Some(("level", _)) => level(&resolved, &claim),
            Some(("model:", wanted)) => model(&resolved, wanted),
            _ => None,
        };
        if found.as_deref() != Some(&claim.text) {
            wrong.push(format!(
                "{}:{}: not `{}`, but {found:?}",
                place.line, place.column, claim.text
            ));
        }
    }
    (n_claims, wrong)
}

fn claims_in(file: String, text: &str) -> Vec<Claim> {
    let mut claims = vec![];
    let mut line_above = 0;
    for (number, line) in text.lines().enumerate() {
        let claim = |column: usize, text: &str| Claim {
            file: file.clone(),
            place: Place {
                line: line_above,
                column: column as u32 + 1,
            },
            text: text.trim().to_string(),
        };
        match (line.trim_start().strip_prefix("\\*"), line.find('^')) {
            (Some(comment), Some(column)) if comment.trim_start().starts_with('^') => {
                claims.push(claim(line[..column].chars().count(), &line[column + 1..]));
            }
            (Some(comment), _) if comment.trim_start().starts_with("model:") => {
                claims.push(claim(0, comment))
            }
            _ => line_above = number as u32 + 1,
        }
    }
    claims
}

/// The expression that starts at a place: the largest one, or a name.
fn expr_at(resolved: &Resolved, claim: &Claim, wanted: impl Fn(&ExprKind) -> bool) -> Option<ExprId> {
    let exprs = resolved.spec.exprs.iter().filter(|(_, it)| {
        let file = resolved.sources.file(it.span.file);
        file.name() == claim.file && file.place(it.span.start) == claim.place && wanted(&it.kind)
    });
    exprs.max_by_key(|(id, it)| (it.span.end, *id)).map(|(id, _)| id)
}

fn declared_at(resolved: &Resolved, claim: &Claim) -> Option<String> {
    let spec = &resolved.spec;
    let is_name = |kind: &ExprKind| {
        matches!(
            kind,
            ExprKind::Local(_) | ExprKind::Decl(_) | ExprKind::Call { .. } | ExprKind::OpRef(_)
        )
    };
    let id = expr_at(resolved, claim, is_name)?;
    let span = match &spec.exprs[id].kind {
        ExprKind::Local(it)
        | ExprKind::Call {
            op: Operator::Local(it),
            ..
        }
        | ExprKind::OpRef(Operator::Local(it)) => spec.locals[*it].span,
        ExprKind::Decl(it)
        | ExprKind::Call {
            op: Operator::Decl(it),
            ..
        }
        | ExprKind::OpRef(Operator::Decl(it)) => spec.decls[*it].span,
        ExprKind::Call {
            op: Operator::Def(it),
            ..
        }
        | ExprKind::OpRef(Operator::Def(it)) => spec.defs[*it].span,
        _ => return None,
    };
    let file = resolved.sources.file(span.file);
    let Place { line, column } = file.place(span.start);
    if file.name() == claim.file {
        return Some(format!("is {line}:{column}"));
    }
    let module = file.name().trim_end_matches(".tla");
    // Lines of the built-in modules are no one's business.
    let own = claim.text.split(' ').count() > 2;
    Some(if own {
        format!("is {module} {line}:{column}")
    } else {
        format!("is {module}")
    })
}

fn meaning(resolved: &Resolved, claim: &Claim) -> Option<String> {
    let spec = &resolved.spec;
    let at = expr_at(resolved, claim, |kind| !matches!(kind, ExprKind::Label { .. }));
    // A part of another definition stands where that definition is: then the body on this line is meant.
    let id = at.or_else(|| {
        let on_line = spec.defs.iter().find(|(_, it)| {
            let file = resolved.sources.file(it.span.file);
            file.name() == claim.file && file.place(it.span.start).line == claim.place.line
        });
        on_line.map(|(_, it)| it.body)
    })?;
    let text = match &spec.exprs[id].kind {
        ExprKind::Call {
            op: Operator::Def(def),
            ..
        } if at.is_some() => show(spec, spec.defs[*def].body),
        _ => show(spec, id),
    };
    Some(format!("means {text}"))
}

fn level(resolved: &Resolved, claim: &Claim) -> Option<String> {
    let spec = &resolved.spec;
    let mut levels = Levels::new(spec);
    let defs = spec.defs.iter().find(|(_, it)| {
        let file = resolved.sources.file(it.span.file);
        file.name() == claim.file && file.place(it.span.start) == claim.place
    });
    let level = match defs {
        Some((def, _)) => levels.of_def(def),
        None => levels.of(expr_at(resolved, claim, |_| true)?),
    };
    let word = match level {
        Level::Constant => "constant",
        Level::State => "state",
        Level::Action => "action",
        Level::Temporal => "temporal",
    };
    Some(format!("level {word}"))
}

/// A line about the model, found again among all lines that could be said of it.
fn model(resolved: &Resolved, wanted: &str) -> Option<String> {
    let found = support::describe(&resolved.spec, resolved.model.as_ref()?);
    match found.iter().any(|it| it == wanted) {
        true => Some(format!("model: {wanted}")),
        false => Some(found.join("; ")),
    }
}
