//! Which actions a next-state relation is made of: the names that its steps can have.
//!
//! A step is named by the last definition on the way through disjunctions and quantifiers to a conjunction; here the same
//! way is walked without a state. So an action that no step was ever of can be told.

use util::FxHashSet;

use crate::code::{Code, Kind, ProcId, Program};

/// The procs that can name a step of `next`, in the order of the text.
pub fn actions(program: &Program<'_>, next: ProcId) -> Vec<ProcId> {
    let mut walk = Walk {
        program,
        entered: FxHashSet::default(),
        named: vec![],
    };
    walk.enter(next);
    walk.named
}

struct Walk<'p, 'i> {
    program: &'p Program<'i>,
    entered: FxHashSet<ProcId>,
    named: Vec<ProcId>,
}

impl<'p, 'i> Walk<'p, 'i> {
    fn enter(&mut self, proc: ProcId) {
        if self.entered.insert(proc) {
            let program = self.program;
            util::deep(|| self.code(&program.procs[proc].body, proc));
        }
    }

    fn code(&mut self, code: &'p Code<'i>, label: ProcId) {
        let mut deeper = |it: &'p Code<'i>| util::deep(|| self.code(it, label));
        match &code.kind {
            Kind::Or(items) => items.iter().for_each(deeper),
            Kind::And(items) if items.len() <= 1 => items.iter().for_each(deeper),
            Kind::Exists { body, .. } | Kind::Let { body, .. } | Kind::Inlined { body, .. } => deeper(body),
            Kind::If(three) => three[1..].iter().for_each(deeper),
            Kind::Case { arms, other } => {
                arms.iter().for_each(|(_, it)| deeper(it));
                other.iter().for_each(|it| deeper(it));
            }
            Kind::BoxAction(two) | Kind::AngleAction(two) => deeper(&two[0]),
            Kind::Call { proc, .. } => self.enter(*proc),
            // What these stand for may give the step another name.
            Kind::Forall { .. }
            | Kind::Implies(_)
            | Kind::Prime(_)
            | Kind::Local(_)
            | Kind::CallParam { .. } => {}
            _ if self.named.contains(&label) => {}
            _ => self.named.push(label),
        }
    }
}
