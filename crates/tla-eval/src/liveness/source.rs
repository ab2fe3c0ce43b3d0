//! Where a label comes from: the formula as it stands in the specification, and what its free names mean there.
//!
//! The procs of a label are the engine's own. An audit needs the formula itself, so that it can be evaluated by other means. Values
//! are owned and scopes are written out, because labels are shared by threads.

use tla_sema::ir::InstanceId;
use tla_sema::part::{ClosedPart, Name, NameMeaning, Names, Part};
use value::Owned;

use super::*;

/// A label as the specification has it.
pub type Source = ClosedPart<Owned>;

/// Names that a source writes out at most; then there is none.
const NAMES_MAX: usize = 1000;

impl<'i> Translator<'_, '_, 'i> {
    /// The source of a label; nothing when it cannot be written out.
    pub(super) fn source(&self, open: Open, scope: &Scope<'i>, instances: Vec<InstanceId>) -> Option<Source> {
        let part = match open {
            Open::Expr(it) => Part::Predicate(it),
            Open::Box { action, subscript } => Part::Box { action, subscript },
            Open::Angle { action, subscript } => Part::Angle { action, subscript },
            Open::Enabled { action, subscript } => Part::Enabled { action, subscript },
            Open::Changed { .. } => return None,
        };
        let mut parts = open.parts();
        for &instance in &instances {
            parts.extend(self.substitution(instance).iter().map(|it| it.1));
        }
        let names = self.names(&parts, scope, None, &mut { NAMES_MAX })?;
        Some(Source {
            part,
            names,
            instances,
        })
    }

    /// What the free names of expressions mean. A definition sees itself without being told.
    fn names(
        &self,
        parts: &[ExprId],
        scope: &Scope<'i>,
        own: Option<Name>,
        left: &mut usize,
    ) -> Option<Names<Owned>> {
        let mut names: Names<Owned> = vec![];
        for &part in parts {
            for (name, given) in self.compiler.names_in_scope(part, scope) {
                if own == Some(name) || names.iter().any(|it| it.0 == name) {
                    continue;
                }
                *left = left.checked_sub(1)?;
                let meaning = match (name, given) {
                    (_, Given::Value(it)) => NameMeaning::Value(it.to_owned_value().ok()?),
                    (Name::Local(_), Given::Expr(expr, inner)) => {
                        NameMeaning::Argument(expr, deep(|| self.names(&[expr], &inner, None, left))?)
                    }
                    (Name::Let(def), Given::Expr(_, inner) | Given::LetOperator(inner)) => {
                        let body = self.spec.defs[def].body;
                        NameMeaning::Definition(deep(|| self.names(&[body], &inner, Some(name), left))?)
                    }
                    (Name::Local(_), Given::LetOperator(_)) => return None,
                };
                names.push((name, meaning));
            }
        }
        Some(names)
    }
}
