//! Rules from outside: which ones a specification is a conjunction of, which are in force, and what each set of them gives.

pub(crate) mod choice;
pub(crate) mod errors;
mod family;
mod lattice;
mod table;

use tla_sema::compose::{Composition, ConjunctKind, Rule};

use crate::tla::TlaFile;

pub use choice::RuleChoice;
pub use table::{Cell, Column, Made, RuleTable, Sets, TableOptions, rule_table};
pub(crate) use table::{Quiet, reason};

/// A rule, to be shown.
#[derive(Clone, Debug)]
pub struct RuleSummary {
    pub name: String,
    pub location: String,
    pub variables: Vec<String>,
    /// The definitions around it, outermost first.
    pub path: Vec<String>,
    /// Where it is taken in: the definition that does, and the place.
    pub included: Vec<(Option<String>, String)>,
    /// Whether it is in force.
    pub on: bool,
}

/// The rules of a specification.
#[derive(Clone, Debug, Default)]
pub struct RulesSummary {
    /// What the specification is called, and where it is.
    pub specification: String,
    pub location: String,
    pub rules: Vec<RuleSummary>,
    /// What is always in force, as its author wrote it, with the place.
    pub others: Vec<(String, String)>,
    /// Rules of the module that the specification has not, with their places.
    pub left_out: Vec<(String, String)>,
}

impl TlaFile {
    /// The rules that the model's specification is a conjunction of.
    pub fn rules(&self) -> RulesSummary {
        let Some(composition) = self.model.as_ref().and_then(|it| it.composition.clone()) else {
            return RulesSummary::default();
        };
        let (specification, location) = self.behaviour_name();
        let left_out = self.left_out(&composition);
        let summary = |it: &Rule| self.rule_summary(it);
        RulesSummary {
            specification,
            location,
            rules: composition.rules.iter().map(summary).collect(),
            others: self.others(&composition),
            left_out,
        }
    }

    fn rule_summary(&self, rule: &Rule) -> RuleSummary {
        let variable = |it: &tla_sema::ir::DeclId| self.spec.decls[*it].name.to_string();
        RuleSummary {
            name: rule.name.clone(),
            location: self.location(rule.span),
            variables: rule.variables.iter().map(variable).collect(),
            path: rule.path.iter().map(ToString::to_string).collect(),
            included: rule
                .included
                .iter()
                .map(|it| (it.by.map(|by| by.to_string()), self.location(it.span)))
                .collect(),
            on: rule.on,
        }
    }

    /// What belongs to no rule.
    fn others(&self, composition: &Composition) -> Vec<(String, String)> {
        let own = composition.in_force().filter(|it| it.rule.is_none() && !it.fixes);
        own.map(|it| {
            let text = self
                .text(it.span)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            let text = match it.kind {
                ConjunctKind::Always { .. } => format!("[]({text})"),
                _ => text,
            };
            (text, self.location(it.span))
        })
        .collect()
    }

    fn behaviour_name(&self) -> (String, String) {
        use tla_sema::model::Behaviour;
        match self.model.as_ref().map(|it| &it.behaviour) {
            Some(Behaviour::Specification(it)) => {
                let defined = self
                    .spec
                    .lookup_def(it.name.as_str())
                    .map(|def| self.spec.defs[def].span);
                (it.name.to_string(), self.location(defined.unwrap_or(it.span)))
            }
            Some(Behaviour::InitNext { init, next }) => {
                let next = next.as_ref().map_or(String::new(), |it| format!(", {}", it.name));
                (format!("{}{next}", init.name), self.location(init.span))
            }
            Some(Behaviour::None) | None => (String::new(), String::new()),
        }
    }
}

/// Names of rules in force, and of those that are not, of a specification with more than one.
pub(crate) fn in_force(composition: Option<&Composition>) -> (Vec<String>, Vec<String>) {
    let rules = composition.map_or(&[][..], |it| &it.rules);
    if rules.len() < 2 {
        return (vec![], vec![]);
    }
    let names = |on: bool| {
        rules
            .iter()
            .filter(|it| it.on == on)
            .map(|it| it.name.clone())
            .collect()
    };
    (names(true), names(false))
}
