//! Each property of a model by itself: one that is false does not hide the others.

use explore::Observer;
use tla_eval::effects::Effects;

use super::{CheckOptions, CheckReport, check};
use crate::tla::TlaFile;

/// Checks the invariants and properties of a model one by one, deadlocks aside. `told` hears which one is next, and says
/// whether to go on.
pub fn check_each(
    file: &mut TlaFile,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
    told: &mut dyn FnMut(&str) -> bool,
) -> Vec<(String, CheckReport)> {
    let Some(whole) = file.model.clone() else {
        return vec![];
    };
    let options = CheckOptions {
        deadlock: Some(false),
        ..*options
    };
    let all = whole.invariants.iter().map(|it| (it, true));
    let all = all.chain(whole.properties.iter().map(|it| (it, false)));
    let mut reports = vec![];
    for (formula, is_invariant) in all {
        let name = formula.name.to_string();
        if !told(&name) {
            break;
        }
        let mut model = whole.clone();
        model.invariants.clear();
        model.properties.clear();
        match is_invariant {
            true => model.invariants.push(formula.clone()),
            false => model.properties.push(formula.clone()),
        }
        file.model = Some(model);
        reports.push((name, check(file, &options, effects, observer)));
    }
    file.model = Some(whole);
    reports
}

impl TlaFile {
    /// Leaves the newest invariant as the only thing that is asked: a goal, which the command line or a page named last.
    pub fn ask_only_newest(&mut self) {
        if let Some(model) = &mut self.model {
            let newest = model.invariants.pop();
            model.invariants = newest.into_iter().collect();
            model.properties.clear();
        }
    }
}
