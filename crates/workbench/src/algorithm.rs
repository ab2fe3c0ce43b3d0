//! Algorithms in the files that are read: each is translated in memory, and places in its translation become places in it.
//!
//! PlusCal stands in a comment, and its translation between two marks in the same module. A translation that is missing or no longer
//! that of the algorithm is made anew for the run. One that is up to date is made too, because that is how its text is known piece
//! by piece: all spans of the tree are then places in the algorithm, and nobody further down knows that there was a translation.

mod behaviour;

use std::cell::RefCell;

use diag::Diagnostic;
use pluscal::{Freshness, Options, Outline, Translation};
use source::{FileId, SourceFile, Sources, Span};
use tla_syntax::ast::{Unit, UnitKind};
use tla_syntax::{Tree, relocate, relocate_diagnostics};
use util::{FxHashMap, FxHashSet, Symbol};

use crate::diagnostics as errors;

pub(crate) use behaviour::Teller;

/// An algorithm in a file, and what became of it.
#[derive(Clone, Debug)]
pub struct Algorithm {
    pub file: FileId,
    pub name: Symbol,
    /// `--algorithm` and the name.
    pub head: Span,
    /// All of it.
    pub span: Span,
    /// How the translation that stands in the file is related to it.
    pub freshness: Freshness,
    pub used: Used,
    pub outline: Outline,
    /// Labels that nobody wrote: `PlusCal options (-label)`.
    pub added_labels: Vec<(Symbol, Span)>,
    /// `PlusCal options (-termination)`
    pub wants_termination: bool,
}

/// What stands for an algorithm in its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Used {
    /// The translation in the file, which is that of the algorithm.
    Written,
    /// A translation that was made for this run.
    Made,
    /// What stands in the file, whatever it is: not known piece by piece.
    AsItStands,
    /// Nothing.
    Nothing,
}

impl Algorithm {
    /// The numbers of its first and its last line.
    fn lines(&self, file: &SourceFile) -> (u32, u32) {
        (file.place(self.span.start).line, file.place(self.span.end).line)
    }

    /// Places, labels and processes are those of the algorithm.
    pub fn is_known(&self) -> bool {
        matches!(self.used, Used::Written | Used::Made)
    }
}

/// The algorithms that were met while files were read.
#[derive(Default)]
pub(crate) struct Algorithms(RefCell<Vec<Algorithm>>);

impl Algorithms {
    /// All of them, and what to say of those that were translated.
    pub fn finish(self, sources: &Sources) -> (Vec<Algorithm>, Vec<Diagnostic>) {
        let all = self.0.into_inner();
        let made = all.iter().filter(|it| it.used == Used::Made);
        let said = made.map(|it| {
            let file = sources.file(it.file).name();
            errors::translated_for_this_run(it.name, file, it.freshness != Freshness::Absent)
        });
        let said = said.collect();
        (all, said)
    }

    /// Reads a module, with the translation of its algorithm if it has one.
    pub fn parse(&self, text: &str, file: FileId) -> (Tree, Vec<Diagnostic>) {
        let plain = || tla_syntax::parse(text, file);
        let Some(head) = find(text) else {
            return plain();
        };
        let (translation, wrong) = translate(text, file);
        let Some(translation) = translation else {
            let end = head + text[head..].find('\n').unwrap_or(text.len() - head);
            let head = Span::new(file, head as u32, end as u32);
            let (tree, mut diagnostics) = plain();
            match wrong.iter().find(|it| it.is_error()) {
                // What is checked is the translation, and that is there.
                Some(first) if is_translated(text) => {
                    diagnostics.push(errors::algorithm_with_mistakes(head, first));
                }
                Some(_) => {
                    // Names that only the translation defines are unknown for this reason.
                    diagnostics.clear();
                    diagnostics.extend(wrong);
                }
                None => {}
            }
            return (tree, diagnostics);
        };
        let mut used = match translation.freshness {
            Freshness::Fresh => Used::Written,
            Freshness::Absent | Freshness::Stale => Used::Made,
            Freshness::Matching | Freshness::Edited | Freshness::Unknown => Used::AsItStands,
        };
        let mut diagnostics = wrong;
        let mut tree = None;
        if matches!(used, Used::Written | Used::Made) {
            let (mut made, mut more) = tla_syntax::parse(&translation.text, file);
            match clash(&made, &translation) {
                Some((name, own)) if translation.freshness == Freshness::Absent => {
                    let own = translation.origin(own).span;
                    diagnostics.push(errors::algorithm_not_used(translation.head, name, own));
                    used = Used::Nothing;
                }
                _ => {
                    let place = |it| translation.origin(it).span;
                    relocate(&mut made, &place);
                    relocate_diagnostics(&mut more, &place);
                    diagnostics.extend(more);
                    tree = Some(made);
                }
            }
        } else if translation.freshness != Freshness::Matching
            && (translation.freshness == Freshness::Edited || !has_same_steps(text, &translation, file))
        {
            let is_edited = translation.freshness == Freshness::Edited;
            diagnostics.push(errors::translation_as_it_stands(translation.head, is_edited));
        }
        let tree = tree.unwrap_or_else(|| {
            let (tree, more) = plain();
            diagnostics.extend(more);
            tree
        });
        self.0.borrow_mut().push(algorithm(translation, used, file, text));
        (tree, diagnostics)
    }
}

fn algorithm(it: Translation, used: Used, file: FileId, text: &str) -> Algorithm {
    let head = &text[it.head.start as usize..it.head.end as usize];
    let name = head.split_whitespace().next_back().unwrap_or_default();
    Algorithm {
        file,
        name: Symbol::new(name),
        head: it.head,
        span: it.span,
        freshness: it.freshness,
        used,
        added_labels: it.added_labels.iter().map(|it| (it.name, it.span)).collect(),
        wants_termination: it.options.termination,
        outline: it.outline,
    }
}

/// The translation of a file. Options on a command line leave no trace in the file: where the translation in it is not the one that
/// its own options give, those that people use are tried.
fn translate(text: &str, file: FileId) -> (Option<Translation>, Vec<Diagnostic>) {
    let first = pluscal::translate(text, file, &Options::default());
    let is_settled = match &first.0 {
        Some(it) => matches!(it.freshness, Freshness::Fresh | Freshness::Absent),
        None => !is_translated(text),
    };
    if is_settled {
        return first;
    }
    use pluscal::options::FairnessOption;
    let kinds = [
        None,
        Some(FairnessOption::Weak),
        Some(FairnessOption::Strong),
        Some(FairnessOption::WeakNext),
        Some(FairnessOption::None),
    ];
    for fairness in kinds {
        let options = Options {
            fairness,
            label: true,
            ..Options::default()
        };
        let (translation, wrong) = pluscal::translate(text, file, &options);
        if let Some(translation) = translation.filter(|it| it.freshness == Freshness::Fresh) {
            return (Some(translation), wrong);
        }
    }
    first
}

/// Whether the first states and the steps of each label are the same in the file as in the translation. Older versions of the translator
/// left no checksums and laid `Next` out differently; what they say of the algorithm is no less true.
fn has_same_steps(text: &str, translation: &Translation, file: FileId) -> bool {
    let bodies = |text: &str| -> FxHashMap<Symbol, String> {
        let (tree, _) = tla_syntax::parse(text, file);
        let units = tree.module.iter().flat_map(|it| &it.units);
        let bodies = units.filter_map(|it| match &it.kind {
            UnitKind::Definition(it) => Some((it.name.name, tla_syntax::dump_expr(&tree, it.body))),
            _ => None,
        });
        bodies.collect()
    };
    let (own, made) = (bodies(text), bodies(&translation.text));
    let labels = translation.outline.labels.iter().map(|it| it.action);
    let mut names = labels.chain([Symbol::new("Init")]);
    names.all(|it| made.contains_key(&it) && own.get(&it) == made.get(&it))
}

/// A name that both the module and the translation define, and where the module does.
fn clash(tree: &Tree, translation: &Translation) -> Option<(Symbol, Span)> {
    let module = tree.module.as_ref()?;
    let is_made = |it: &&Unit| translation.lines.contains(&(it.span.start as usize));
    let made: FxHashSet<Symbol> = module
        .units
        .iter()
        .filter(is_made)
        .flat_map(names)
        .map(|it| it.0)
        .collect();
    let own = module.units.iter().filter(|it| !is_made(it)).flat_map(names);
    own.into_iter().find(|it| made.contains(&it.0))
}

fn names(unit: &Unit) -> Vec<(Symbol, Span)> {
    match &unit.kind {
        UnitKind::Definition(it) => vec![(it.name.name, it.name.span)],
        UnitKind::Variables(all) => all.iter().map(|it| (it.name, it.span)).collect(),
        _ => vec![],
    }
}

/// Where `--algorithm Name` or `--fair algorithm Name` stands.
fn find(text: &str) -> Option<usize> {
    text.match_indices("--").map(|it| it.0).find(|&at| {
        let rest = &text[at + 2..];
        let rest = match rest.strip_prefix("fair") {
            Some(after) if after.starts_with([' ', '\t', '\n', '\r']) => after.trim_start(),
            _ => rest,
        };
        let named = rest
            .strip_prefix("algorithm")
            .filter(|it| it.starts_with([' ', '\t', '\n', '\r']));
        named.is_some_and(|it| {
            it.trim_start()
                .starts_with(|it: char| it.is_alphabetic() || it == '_')
        }) && !text[..at].ends_with('-')
    })
}

/// Whether there is something between the marks.
fn is_translated(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("BEGIN TRANSLATION") else {
        return false;
    };
    let mut lines = rest
        .lines()
        .skip(1)
        .take_while(|it| !it.contains("END TRANSLATION"));
    lines.any(|it| !it.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_algorithm_is_found_where_one_is() {
        assert_eq!(find("(* --algorithm A { } *)"), Some(3));
        assert_eq!(find("(*\n--fair algorithm\n  A\n*)"), Some(3));
        assert_eq!(
            find("---- MODULE algorithm ----\n----algorithm x\n--algorithms are"),
            None
        );
        assert!(is_translated(
            "\\* BEGIN TRANSLATION\nVARIABLE x\n\\* END TRANSLATION"
        ));
        assert!(!is_translated(
            "\\* BEGIN TRANSLATION\n\n\\* END TRANSLATION\n\nVARIABLE x"
        ));
    }
}
