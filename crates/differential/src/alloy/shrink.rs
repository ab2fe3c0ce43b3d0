//! Smaller models, as long as something stays true of them.

use super::model::{Formula, Model};

/// The smallest model found of which `holds` is true; it is true of the first one.
pub fn shrink(first: &Model, holds: impl Fn(&Model) -> bool) -> Model {
    let mut best = first.clone();
    loop {
        match candidates(&best).into_iter().find(|it| holds(it)) {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

fn candidates(model: &Model) -> Vec<Model> {
    let mut all = vec![];
    for i in 0..model.facts.len() {
        let mut smaller = model.clone();
        smaller.facts.remove(i);
        all.push(smaller);
    }
    if model.fields.len() > 1 {
        let mut smaller = model.clone();
        smaller.fields.pop();
        if !model
            .text()
            .contains(&format!(" {} ", model.fields[model.fields.len() - 1].name))
        {
            all.push(smaller);
        }
    }
    for i in 0..model.facts.len() {
        for fact in smaller_formulas(&model.facts[i]) {
            let mut smaller = model.clone();
            smaller.facts[i] = fact;
            all.push(smaller);
        }
    }
    for goal in model.goal.iter().flat_map(smaller_formulas) {
        let mut smaller = model.clone();
        smaller.goal = Some(goal);
        all.push(smaller);
    }
    all
}

/// Parts of a formula, and the formula with a smaller part.
fn smaller_formulas(formula: &Formula) -> Vec<Formula> {
    let mut all = match formula {
        Formula::True => return vec![],
        _ => vec![Formula::True],
    };
    match formula {
        Formula::Not(it) | Formula::Always(it) | Formula::Eventually(it) | Formula::After(it) => {
            all.push((**it).clone());
        }
        Formula::And(it) | Formula::Or(it) | Formula::Implies(it) | Formula::Iff(it) => {
            all.extend(it.iter().cloned());
        }
        Formula::Quantified(how, name, set, body) => {
            let smaller = smaller_formulas(body).into_iter();
            all.extend(smaller.map(|it| Formula::Quantified(*how, *name, set.clone(), Box::new(it))));
        }
        _ => {}
    }
    all
}
