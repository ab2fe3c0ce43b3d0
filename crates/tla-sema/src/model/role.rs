//! What a configuration names formulas for, and what each must be.

use tla_syntax::ast::Ident;

use super::{Builder, Formula};
use crate::diagnostics as errors;
use crate::ir::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Specification,
    Init,
    Next,
    Invariant,
    Property,
    Constraint,
    ActionConstraint,
    Postcondition,
    Possible,
    Symmetry,
    View,
    Alias,
    Periodic,
    Reward,
}

impl Role {
    /// As the subject of a sentence.
    fn what(self) -> &'static str {
        match self {
            Role::Specification => "the specification",
            Role::Init => "the initial predicate",
            Role::Next => "the next-state action",
            Role::Invariant => "the invariant",
            Role::Property => "the property",
            Role::Constraint => "the constraint",
            Role::ActionConstraint => "the action constraint",
            Role::Postcondition => "the postcondition",
            Role::Possible => "the possibility",
            Role::Symmetry => "the symmetry set",
            Role::View => "the view",
            Role::Alias => "the alias",
            Role::Periodic => "the periodic expression",
            Role::Reward => "the reward",
        }
    }

    fn level_max(self) -> Level {
        match self {
            Role::Specification | Role::Property => Level::Temporal,
            Role::Next | Role::ActionConstraint | Role::Alias | Role::Possible | Role::Reward => {
                Level::Action
            }
            Role::Init
            | Role::Invariant
            | Role::Constraint
            | Role::View
            | Role::Postcondition
            | Role::Periodic => Level::State,
            Role::Symmetry => Level::Constant,
        }
    }
}

impl Builder<'_> {
    pub(super) fn all(&mut self, names: &[Ident], role: Role) -> Vec<Formula> {
        names.iter().filter_map(|&it| self.formula(it, role)).collect()
    }

    /// The formula that a configuration names. `None` after a report.
    pub(super) fn formula(&mut self, name: Ident, role: Role) -> Option<Formula> {
        let def = self.named_definition(name, role)?;
        let Def {
            span: defined,
            ref params,
            ..
        } = self.spec.defs[def];
        if !params.is_empty() {
            let arity = params.len();
            self.report(errors::config_takes_arguments(
                role.what(),
                name.name,
                name.span,
                defined,
                arity,
            ));
            return None;
        }
        let level = self.level(def);
        if level > role.level_max() {
            let max = role.level_max();
            self.report(errors::config_level(
                role.what(),
                name.name,
                name.span,
                defined,
                max,
                level,
            ));
            return None;
        }
        match (role, level) {
            (Role::Property, Level::Action) => {
                self.report(errors::config_property_action(name.name, name.span, defined));
                return None;
            }
            (Role::Property, Level::State) => {
                self.report(errors::config_property_state(name.name, name.span, defined));
            }
            (Role::Invariant, Level::Constant) => {
                self.report(errors::config_constant_invariant(name.name, name.span, defined));
            }
            _ => {}
        }
        let kind = ExprKind::Call {
            op: Operator::Def(def),
            args: Box::default(),
        };
        let expr = self.spec.exprs.alloc(Expr {
            kind,
            span: name.span,
        });
        Some(Formula {
            name: name.name,
            expr,
            span: name.span,
        })
    }

    fn named_definition(&mut self, name: Ident, role: Role) -> Option<DefId> {
        let got = match self.instances.lookup(self.spec, name.name.as_str()) {
            Some(Entity::Def(def)) if self.spec.defs[def].kind != DefKind::Rule => return Some(def),
            None => {
                let in_scope = self.spellings(|it| matches!(it, Entity::Def(_)));
                self.report(errors::config_unknown_name(
                    role.what(),
                    name.name,
                    name.span,
                    &in_scope,
                ));
                return None;
            }
            Some(other) => other,
        };
        let declared = self.entity_span(got);
        let what = self.kind_of(got);
        self.report(errors::config_not_a_definition(
            role.what(),
            name.name,
            name.span,
            what,
            declared,
        ));
        None
    }

    /// What an entity is called in a message.
    pub(super) fn kind_of(&self, entity: Entity) -> &'static str {
        match entity {
            Entity::Decl(decl) => match self.spec.decls[decl].kind {
                DeclKind::Constant => "a constant",
                DeclKind::Variable => "a variable",
            },
            Entity::Def(def) if self.spec.defs[def].kind == DefKind::Rule => "an `ASSUME … PROVE`",
            Entity::Def(_) => "a definition",
            Entity::Local(_) => "a bound name",
            Entity::Instance(_) => "an instance",
            Entity::Module(_) => "a module",
        }
    }
}
