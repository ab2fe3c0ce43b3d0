//! Labels: `lab(x) :: e` names a part of a definition or of a named step (*TLA+2: A Preliminary Guide*, section 5.3).
//!
//! A label lists exactly the names that are bound between the definition (or the label around it) and its place, so that
//! `Op!lab(1)` can say what they stand for. Two labels of one definition have different names unless one lies
//! inside of the other.

use source::Span;
use tla_syntax::ast;
use util::{FxHashMap, Symbol};

use super::Resolver;
use crate::diagnostics as errors;
use crate::ir::*;

/// A definition, a named statement or a label, seen from inside.
#[derive(Default)]
pub struct LabelScope {
    labels: FxHashMap<Symbol, Span>,
    /// Names bound since.
    bound: Vec<LocalId>,
}

impl Resolver<'_> {
    /// Resolves something that labels can belong to.
    pub(super) fn labelled<R>(&mut self, within: impl FnOnce(&mut Self) -> R) -> R {
        self.ctx.labels.push(LabelScope::default());
        let result = within(self);
        self.ctx.labels.pop();
        result
    }

    /// As [`Resolver::labelled`] if `named`; otherwise labels belong to whatever is around.
    pub(super) fn labelled_if<R>(&mut self, named: bool, within: impl FnOnce(&mut Self) -> R) -> R {
        if named {
            self.labelled(within)
        } else {
            within(self)
        }
    }

    /// Labels inside of `within` must list these names.
    pub(super) fn with_bound<R>(
        &mut self,
        locals: impl IntoIterator<Item = LocalId>,
        within: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let Some(scope) = self.ctx.labels.last_mut() else {
            return within(self);
        };
        let before = scope.bound.len();
        scope.bound.extend(locals);
        let result = within(self);
        if let Some(scope) = self.ctx.labels.last_mut() {
            scope.bound.truncate(before);
        }
        result
    }

    pub(super) fn label(&mut self, name: ast::Ident, params: &[ast::Ident], body: ast::ExprId) -> ExprKind {
        if let Some(error) = self.misplaced_label(name) {
            self.report(error);
            return ExprKind::Label {
                name: name.name,
                params: Box::default(),
                body: self.expr(body),
            };
        }
        let params = self.label_params(name, params);
        let body = self.labelled(|it| it.expr(body));
        self.add_label(name);
        ExprKind::Label {
            name: name.name,
            params,
            body,
        }
    }

    /// A labelled `ASSUME … PROVE`: only the label itself is of interest.
    pub(super) fn label_of_rule(&mut self, name: ast::Ident, params: &[ast::Ident]) {
        match self.misplaced_label(name) {
            Some(error) => self.report(error),
            None => {
                self.label_params(name, params);
                self.add_label(name);
            }
        }
    }

    fn misplaced_label(&self, name: ast::Ident) -> Option<diag::Diagnostic> {
        if self.ctx.labels.is_empty() {
            Some(errors::misplaced_label(name.name, name.span))
        } else if self.ctx.news.iter().skip(1).any(|&it| it) {
            Some(errors::label_under_new(name.name, name.span))
        } else if self.ctx.at.is_some() {
            Some(errors::label_in_except(name.name, name.span))
        } else {
            None
        }
    }

    fn add_label(&mut self, name: ast::Ident) {
        let Some(scope) = self.ctx.labels.last_mut() else {
            return;
        };
        if let Some(first) = scope.labels.insert(name.name, name.span) {
            self.report(errors::duplicate_label(name.name, name.span, first));
        }
    }

    /// What the parameters stand for; they must be the bound names, each once.
    fn label_params(&mut self, label: ast::Ident, params: &[ast::Ident]) -> Box<[LocalId]> {
        let bound = self
            .ctx
            .labels
            .last()
            .map(|it| it.bound.clone())
            .unwrap_or_default();
        let mut locals: Vec<LocalId> = vec![];
        for &param in params {
            let local = match self.ctx.scope.get(param.name) {
                Some(Entity::Local(local)) if bound.contains(&local) => local,
                _ => {
                    self.report(errors::label_extra_parameter(label.name, param.name, param.span));
                    continue;
                }
            };
            if locals.contains(&local) {
                self.report(errors::label_repeats_parameter(
                    label.name, param.name, param.span,
                ));
            } else {
                locals.push(local);
            }
        }
        for &local in &bound {
            if !locals.contains(&local) {
                let Local { name, span, .. } = self.spec.locals[local];
                self.report(errors::label_misses_parameter(label.name, label.span, name, span));
            }
        }
        locals.into()
    }
}
