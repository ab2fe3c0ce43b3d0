//! What an Alloy text means: modules and names, types and overloads, commands with their scopes.
//!
//! [`resolve`] takes the text of a specification and returns the [`ir::Model`] that an engine works on, with what is
//! wrong or doubtful. It reads other modules through a [`Loader`], so nothing here touches files; and it decides
//! nothing about solving. The stages, in order: `load` reads files, `resolver` makes modules of them, `sigs` and `fields`
//! settle declarations, `check` and `resolve` give expressions a meaning, `elaborate` writes them down as IR, and
//! `commands` and `scope` say what is asked.

mod check;
mod commands;
mod diagnostics;
mod elaborate;
mod fields;
mod funs;
pub mod ir;
mod load;
mod make;
mod meta;
mod names;
mod node;
mod print;
mod prompt;
mod resolve;
mod resolver;
mod scope;
mod sigs;
mod types;
mod visit;

use diag::Diagnostic;
use ir::{FactOrigin, FormulaKind, Model, ModuleId, Temporal};
use resolver::Resolver;
use source::{FileId, Sources};

pub use load::{Loader, NoFiles};
pub use print::{print_expr, print_formula, print_model};
pub use visit::AnyId;

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How often a function may call itself within itself. By default a command that needs recursion is refused.
    pub recursion_max: Option<u32>,
}

/// A specification that was read, with all that can be said of it without solving.
#[derive(Clone)]
pub struct Resolved {
    /// Complete only if no diagnostic is an error; check that before relying on it.
    pub model: Model,
    /// Errors and warnings, by place: the root file first.
    pub diagnostics: Vec<Diagnostic>,
    /// What it takes to read further expressions. Its own model is empty; it borrows `model` when it needs one.
    resolver: Resolver,
}

impl Resolved {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|it| it.is_error())
    }
}

/// Reads a specification. `path` is the name of the file, as messages show it and as opened modules are found from;
/// `text` is what stands in it, Alloy or Markdown.
///
/// ```
/// use alloy_sema::{NoFiles, Options, resolve};
///
/// let mut sources = source::Sources::new();
/// let text = "sig Node { next: lone Node }\nrun { some nxt }";
/// let resolved = resolve("list.als", text, &NoFiles, &mut sources, Options::default());
/// assert_eq!(resolved.diagnostics[0].title, "the name `nxt` is not declared");
/// ```
pub fn resolve(
    path: &str,
    text: &str,
    loader: &dyn Loader,
    sources: &mut Sources,
    options: Options,
) -> Resolved {
    let loaded = load::load(path, text, loader, sources);
    let mut resolver = Resolver::new(loaded);
    resolver.model.recursion_max = options.recursion_max;
    resolver.resolve_all();
    Resolved {
        model: std::mem::take(&mut resolver.model),
        diagnostics: std::mem::take(&mut resolver.reports.diagnostics),
        resolver,
    }
}

impl Resolver {
    fn resolve_all(&mut self) {
        let order = self.resolve_sigs();
        self.declare_paragraphs();
        self.resolve_fields(&order, false);
        self.resolve_fun_declarations();
        self.resolve_fields(&order, true);
        self.add_meta();
        self.reject_field_clashes();
        for module in 0..self.graph.modules.len() {
            let module = ModuleId::new(module as u32);
            self.resolve_fun_bodies(module);
            self.resolve_asserts(module);
            self.resolve_facts(module);
        }
        self.check_exact_parameters();
        self.always();
        self.mark_recursion();
        if !self.reports.diagnostics.iter().any(|it| it.is_error()) {
            self.resolve_commands();
        } else {
            self.check_command_names();
        }
        self.sort_diagnostics();
    }

    /// Declarations hold in every state: where that makes a difference, say so.
    fn always(&mut self) {
        if !self.model.has_variables() && !self.model.has_temporal_nodes() {
            return;
        }
        for i in 0..self.model.facts.len() {
            let fact = &self.model.facts[i];
            let (formula, span) = (fact.formula, fact.span);
            if !matches!(fact.origin, FactOrigin::Fact(_)) && self.model.is_dynamic(formula) {
                self.model.facts[i].formula =
                    self.add_formula(span, FormulaKind::Temporal(Temporal::Always, formula));
            }
        }
    }

    fn check_exact_parameters(&mut self) {
        for sig in self.declared.exact_sigs.clone() {
            let data = &self.model.sigs[sig];
            if let (true, Some(span)) = (data.is_var, data.span) {
                let name = self.sig_name(sig);
                self.report(diagnostics::exact_parameter(&name, span));
            }
        }
    }

    /// By file, the root first, then by place; errors and warnings together, as one reads.
    fn sort_diagnostics(&mut self) {
        let rank: Vec<FileId> = self.graph.files.iter().map(|it| it.id).collect();
        let rank_of = |file: FileId| rank.iter().position(|&it| it == file).unwrap_or(usize::MAX);
        self.reports
            .diagnostics
            .sort_by_key(|it| it.span().map(|span| (rank_of(span.file), span.start, span.end)));
    }
}
