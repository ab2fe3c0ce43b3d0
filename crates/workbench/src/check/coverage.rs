//! What was taken and evaluated, how often, and what never.

use tla_eval::actions::actions;
use tla_eval::code::ProcId;

use super::{CheckReport, Checker, Verdict, errors};

/// An action and its steps.
#[derive(Clone, Debug)]
pub struct ActionSummary {
    pub name: String,
    pub location: Option<String>,
    pub taken: u64,
    pub found: u64,
}

/// A definition of the specification and how often it was evaluated.
#[derive(Clone, Debug)]
pub struct DefinitionSummary {
    pub name: String,
    pub location: String,
    pub evaluated: u64,
}

impl Checker<'_, '_> {
    /// The actions of the next-state relation and what else a step was named by, with their counts.
    pub(super) fn actions(&self, counts: &[explore::ActionCount]) -> Vec<ActionSummary> {
        let mut procs = self
            .model
            .compiled
            .relation
            .next
            .map_or(vec![], |it| actions(self.model.compiled.program, it));
        let taken = |proc: ProcId| counts.get(proc.index()).copied().unwrap_or_default();
        procs.extend(
            (0..counts.len() as u32)
                .map(ProcId::new)
                .filter(|&it| taken(it).taken > 0),
        );
        procs.sort_unstable();
        procs.dedup();
        let mut all: Vec<ActionSummary> = vec![];
        for proc in procs {
            let count = taken(proc);
            // So is the step that keeps an end from being a deadlock: it is worth no word where nothing ends.
            let def = self.model.compiled.program.procs.get(proc).and_then(|it| it.def);
            if count.taken == 0 && def.is_some_and(|it| self.file.is_end_of_algorithm(it)) {
                continue;
            }
            let (name, location) = (self.action_name(proc), self.action_location(proc));
            // A definition that is called with operators as arguments has several procs.
            match all
                .iter_mut()
                .find(|it| it.name == name && it.location == location)
            {
                Some(known) => {
                    known.taken += count.taken;
                    known.found += count.found;
                }
                None => all.push(ActionSummary {
                    name,
                    location,
                    taken: count.taken,
                    found: count.found,
                }),
            }
        }
        all
    }

    /// How often each definition of the specification's own modules was evaluated, in the order of the text.
    pub(super) fn definitions(&self) -> Vec<DefinitionSummary> {
        let program = self.model.compiled.program;
        let mut all: Vec<(source::Span, DefinitionSummary)> = vec![];
        for ((_, proc), evaluated) in program.procs.iter().zip(program.evaluations()) {
            let Some(id) = proc.def else { continue };
            let def = &self.spec().defs[id];
            if self.spec().modules[def.module].is_library || self.spec().is_appended(id) {
                continue;
            }
            // What every translation defines is nothing that anybody wrote.
            if self.file.is_algorithm(def.span) {
                continue;
            }
            match all
                .iter_mut()
                .find(|(span, it)| *span == def.span && it.name == def.name.as_str())
            {
                Some((_, known)) => known.evaluated += evaluated,
                None => all.push((
                    def.span,
                    DefinitionSummary {
                        name: def.name.to_string(),
                        location: self.file.location(def.span),
                        evaluated,
                    },
                )),
            }
        }
        all.sort_by_key(|(span, _)| *span);
        all.into_iter().map(|(_, it)| it).collect()
    }

    /// After a full search, actions that no step was of are worth a word.
    pub(super) fn never_taken(&self, report: &mut CheckReport) {
        if report.verdict != Verdict::Holds || report.generated == 0 {
            return;
        }
        let never = report.actions.iter().filter(|it| it.taken == 0);
        let never: Vec<(String, Option<String>)> =
            never.map(|it| (it.name.clone(), it.location.clone())).collect();
        if !never.is_empty() {
            report.diagnostics.push(errors::never_taken(&never));
        }
    }
}
