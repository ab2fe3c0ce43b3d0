//! Commands: what each asks for, and why one cannot be run.

use alloy_syntax::ast::{self, Paragraph, Target};
use source::Span;
use util::{FxHashSet, Symbol};

use crate::diagnostics as say;
use crate::ir::{
    Command, CommandKind, FormulaId, FormulaKind, FunBody, FunId, Model, ModuleId, Quantifier, Scope, Subject,
};
use crate::resolver::Resolver;
use crate::scope;
use crate::visit::AnyId;

impl Resolver {
    pub fn resolve_commands(&mut self) {
        let file = self.graph.files[0].clone();
        let mut n_commands = 0;
        for paragraph in &file.tree.paragraphs {
            if let Paragraph::Command(tree) = paragraph {
                n_commands += 1;
                self.resolve_command(tree, n_commands);
            }
        }
        if n_commands == 0 {
            self.add_default_command();
        }
    }

    /// Of a specification with errors: at least whether commands name something.
    pub fn check_command_names(&mut self) {
        let file = self.graph.files[0].clone();
        for paragraph in &file.tree.paragraphs {
            if let Paragraph::Command(tree) = paragraph
                && let Target::Named(name) = tree.target
            {
                self.find_subject(tree.is_check, name);
            }
        }
    }

    fn resolve_command(&mut self, tree: &ast::Command, number: usize) {
        let found = match &tree.target {
            Target::Named(name) => self.find_subject(tree.is_check, *name),
            Target::Block(_) => {
                let word = if tree.is_check { "check" } else { "run" };
                let name = Symbol::new(&format!("{word}${number}"));
                self.own_subject(tree.is_check, name)
            }
        };
        let Some(subject) = found else { return };
        let is_named = matches!(tree.target, Target::Named(_));
        let target_name = match &tree.target {
            Target::Named(name) => name.text,
            Target::Block(_) => self.subject_name(subject),
        };
        let label = tree.label.map_or(target_name, |it| it.text);
        let goal = self.goal(subject, tree.span);
        let (requested, mut errors) = scope::request(self, tree);
        let index = self.model.commands.len();
        let after = (tree.is_follow_up && index > 0).then(|| index - 1);
        let expect = tree.expect.map(|it| it.max(0) as u32);
        let mut command = Command {
            label,
            kind: if tree.is_check {
                CommandKind::Check
            } else {
                CommandKind::Run
            },
            span: tree.span,
            goal,
            subject: is_named.then_some(subject),
            expect,
            scope: Scope::default(),
            is_temporal: false,
            after,
            errors: vec![],
        };
        self.finish_command(&mut command, &requested, &mut errors);
        self.model.commands.push(command);
    }

    fn add_default_command(&mut self) {
        let span = Span::new(self.graph.files[0].id, 0, 0);
        let goal = self.add_formula(span, FormulaKind::True);
        let mut command = Command {
            label: Symbol::new("Default"),
            kind: CommandKind::Run,
            span,
            goal,
            subject: None,
            expect: None,
            scope: Scope::default(),
            is_temporal: false,
            after: None,
            errors: vec![],
        };
        self.finish_command(&mut command, &scope::Request::default(), &mut vec![]);
        self.model.commands.push(command);
    }

    /// The scope, and reasons why the command cannot be run.
    fn finish_command(
        &mut self,
        command: &mut Command,
        requested: &scope::Request,
        errors: &mut Vec<diag::Diagnostic>,
    ) {
        let goal = [AnyId::Formula(command.goal)];
        let facts = match self.of_facts.take() {
            Some(known) => known,
            None => OfFacts::new(&self.model),
        };
        command.is_temporal = facts.is_temporal || self.model.has_temporal(command.goal);
        let mut strings = facts.strings.clone();
        strings.extend(self.model.strings(goal));
        let mut seen = FxHashSet::default();
        strings.retain(|&it| seen.insert(it));
        command.scope = scope::work_out(self, requested, command, strings, errors);
        let recursive = facts.recursive.or_else(|| first_recursive(&self.model, goal));
        if let (None, Some(fun)) = (self.model.recursion_max, recursive) {
            let steps: Vec<_> = find_cycle(&self.model, fun)
                .iter()
                .map(|&it| (self.model.funs[it].name.to_string(), self.model.funs[it].span))
                .collect();
            errors.push(say::recursion(&steps, command.span));
        }
        self.of_facts = Some(facts);
        command.errors = std::mem::take(errors);
    }

    // ---- what it names ----

    fn find_subject(&mut self, is_check: bool, name: ast::Name) -> Option<Subject> {
        let root = ModuleId::new(0);
        if is_check {
            let found = self.assert_candidates(root, name.text);
            match found[..] {
                [single] => return Some(Subject::Assert(self.declared.asserts[single].index)),
                [] => self.not_found("assertion", name, true),
                _ => {
                    let labels: Vec<_> = found
                        .iter()
                        .map(|&it| {
                            (
                                format!("assert {}", self.declared.asserts[it].name),
                                Some(self.declared.asserts[it].span),
                            )
                        })
                        .collect();
                    self.report(say::ambiguous_name(name.text.as_str(), name.span, &labels));
                }
            }
            return None;
        }
        let mut found = self.graph.modules[0]
            .funs
            .get(&name.text)
            .cloned()
            .unwrap_or_default();
        if found.is_empty() {
            found = self.fun_candidates(root, name.text);
        }
        match found[..] {
            [single] => Some(Subject::Fun(single)),
            [] => {
                self.not_found("predicate or function", name, false);
                None
            }
            _ => {
                let labels: Vec<_> = found
                    .iter()
                    .map(|&it| {
                        (
                            format!("{}", self.model.funs[it].label),
                            Some(self.model.funs[it].span),
                        )
                    })
                    .collect();
                self.report(say::ambiguous_name(name.text.as_str(), name.span, &labels));
                None
            }
        }
    }

    fn own_subject(&self, is_check: bool, name: Symbol) -> Option<Subject> {
        match is_check {
            true => self.graph.modules[0]
                .asserts
                .get(&name)
                .map(|&it| Subject::Assert(self.declared.asserts[it].index)),
            false => self.graph.modules[0]
                .funs
                .get(&name)?
                .first()
                .map(|&it| Subject::Fun(it)),
        }
    }

    fn subject_name(&self, subject: Subject) -> Symbol {
        match subject {
            Subject::Fun(fun) => self.model.funs[fun].name,
            Subject::Assert(index) => self.model.asserts[index].name,
        }
    }

    fn assert_candidates(&self, module: ModuleId, name: Symbol) -> Vec<usize> {
        let (start, last) = match self.follow_path(module, name.as_str()) {
            Some((start, last)) => (start, Symbol::new(last)),
            None => return vec![],
        };
        if let Some(&own) = self.graph.modules[start.index()].asserts.get(&last) {
            return vec![own];
        }
        let nameable = &self.graph.modules[start.index()].nameable;
        nameable
            .iter()
            .filter_map(|it| self.graph.modules[it.index()].asserts.get(&last).copied())
            .collect()
    }

    fn not_found(&mut self, what: &str, name: ast::Name, is_check: bool) {
        let mut known: Vec<&str> = vec![];
        for module in &self.graph.modules {
            match is_check {
                true => known.extend(module.asserts.keys().map(|it| it.as_str())),
                false => known.extend(module.funs.keys().map(|it| it.as_str())),
            }
        }
        known.retain(|it| !it.contains('$'));
        known.sort_unstable();
        let other = match is_check {
            true => self.graph.modules[0]
                .funs
                .contains_key(&name.text)
                .then_some("run"),
            false => self.graph.modules[0]
                .asserts
                .contains_key(&name.text)
                .then_some("check"),
        };
        self.report(say::command_target(
            what,
            name.text.as_str(),
            name.span,
            &known,
            other,
        ));
    }

    // ---- goals ----

    fn goal(&mut self, subject: Subject, span: Span) -> FormulaId {
        match subject {
            Subject::Assert(index) => {
                let formula = self.model.asserts[index].formula;
                self.add_formula(span, FormulaKind::Not(formula))
            }
            Subject::Fun(fun) => {
                let body = match self.model.funs[fun].body.clone() {
                    FunBody::Pred(formula) => formula,
                    FunBody::Fun { result, body } => {
                        self.add_formula(span, FormulaKind::InBound(body, result))
                    }
                };
                let decls = self.model.funs[fun].params.clone();
                if decls.is_empty() {
                    return body;
                }
                self.add_formula(
                    span,
                    FormulaKind::Quantified {
                        quantifier: Quantifier::Some,
                        decls,
                        body,
                    },
                )
            }
        }
    }

    /// Marks the functions that call themselves, directly or through others.
    pub fn mark_recursion(&mut self) {
        let n_funs = self.model.funs.len();
        let calls: Vec<Vec<FunId>> = (0..n_funs)
            .map(|it| self.model.funs_called_by(FunId::new(it as u32)))
            .collect();
        let left = unpeeled(&calls);
        for &fun in left.iter() {
            let mut stack = calls[fun.index()].clone();
            let mut seen = vec![false; n_funs];
            while let Some(at) = stack.pop() {
                if !std::mem::replace(&mut seen[at.index()], true) {
                    stack.extend(&calls[at.index()]);
                }
            }
            self.model.funs[fun].is_recursive = seen[fun.index()];
        }
    }
}

/// What all commands have in common: what the facts mention.
#[derive(Clone)]
pub(crate) struct OfFacts {
    is_temporal: bool,
    strings: Vec<Symbol>,
    recursive: Option<FunId>,
}

impl OfFacts {
    fn new(model: &Model) -> OfFacts {
        let facts = || model.facts.iter().map(|it| AnyId::Formula(it.formula));
        OfFacts {
            is_temporal: model.has_variables()
                || (model.has_temporal_nodes()
                    && model.facts.iter().any(|it| model.has_temporal(it.formula))),
            strings: model.strings(facts()),
            recursive: first_recursive(model, facts()),
        }
    }
}

fn first_recursive(model: &Model, roots: impl IntoIterator<Item = AnyId>) -> Option<FunId> {
    model
        .funs_called(roots)
        .into_iter()
        .find(|&it| model.funs[it].is_recursive)
}

/// The functions that remain when those which call none of the others are taken away, again and again: only they can
/// lead to recursion.
fn unpeeled(calls: &[Vec<FunId>]) -> Vec<FunId> {
    let mut callers: Vec<Vec<usize>> = vec![vec![]; calls.len()];
    let mut n_calls: Vec<usize> = calls.iter().map(|it| it.len()).collect();
    for (caller, called) in calls.iter().enumerate() {
        for it in called {
            callers[it.index()].push(caller);
        }
    }
    let mut done: Vec<usize> = (0..calls.len()).filter(|&it| n_calls[it] == 0).collect();
    let mut at = 0;
    while at < done.len() {
        for &caller in &callers[done[at]] {
            n_calls[caller] -= 1;
            if n_calls[caller] == 0 {
                done.push(caller);
            }
        }
        at += 1;
    }
    (0..calls.len())
        .filter(|&it| n_calls[it] > 0)
        .map(|it| FunId::new(it as u32))
        .collect()
}

/// The shortest way from a function back to itself.
fn find_cycle(model: &Model, fun: FunId) -> Vec<FunId> {
    let mut from: Vec<Option<FunId>> = vec![None; model.funs.len()];
    let mut queue = vec![fun];
    let mut at = 0;
    while at < queue.len() {
        let caller = queue[at];
        for called in model.funs_called_by(caller) {
            if called == fun {
                let mut cycle = vec![caller];
                while let Some(before) = from[cycle[cycle.len() - 1].index()] {
                    cycle.push(before);
                }
                cycle.reverse();
                return cycle;
            }
            if from[called.index()].is_none() {
                from[called.index()] = Some(caller);
                queue.push(called);
            }
        }
        at += 1;
    }
    vec![fun]
}
