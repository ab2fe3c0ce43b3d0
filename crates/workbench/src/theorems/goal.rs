//! From a statement to what is to be searched: what is given, and what is claimed of it.

use tla_sema::Levels;
use tla_sema::ir::{Builtin, DefId, Expr, ExprId, ExprKind, Level, Operator, Quant, Spec};
use util::FxHashMap;

/// `given => claim`.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Conjoined.
    pub given: Vec<ExprId>,
    /// Those of them that are actions, for a claim about steps.
    pub actions: Vec<ExprId>,
    /// The others.
    pub states: Vec<ExprId>,
    pub claim: ExprId,
    pub shape: Shape,
    pub note: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A claim about initial states, or about constants.
    Initial,
    /// A claim about the steps from the states that are given.
    Step,
    Temporal,
}

type Made = Result<Goal, &'static str>;

const INITIAL_NOTE: &str = "about initial states only, which is what it says";

/// The goals of a statement, all of which must be met.
pub fn goals(spec: &mut Spec, body: ExprId, instead: &FxHashMap<DefId, DefId>) -> Vec<Made> {
    let mut all = vec![];
    let mut todo = vec![body];
    while let Some(id) = todo.pop() {
        let level = Levels::new(spec).of(id);
        match spec.exprs[id].kind.clone() {
            ExprKind::Label { body, .. } => todo.push(body),
            _ if level <= Level::State => all.push(Ok(predicate(spec, id))),
            _ if level == Level::Action => all.push(Ok(step(spec, id))),
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => todo.extend(args.iter().rev()),
            ExprKind::Builtin {
                op: Builtin::Equiv | Builtin::Eq,
                args,
            } => {
                let (one, other) = (args[0], args[1]);
                todo.push(implies(spec, other, one, id));
                todo.push(implies(spec, one, other, id));
            }
            ExprKind::Builtin {
                op: Builtin::Implies,
                args,
            } => all.push(Ok(implication(spec, args[0], args[1]))),
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if args.is_empty() && stands_for_statement(spec, def, instead) => {
                let def = instead.get(&def).copied().unwrap_or(def);
                todo.push(spec.defs[def].body);
            }
            ExprKind::Quant {
                kind: Quant::Forall,
                bounds,
                body,
            } => all.push(quantified(spec, id, &bounds, body)),
            _ => all.push(Ok(Goal {
                given: vec![],
                actions: vec![],
                states: vec![],
                claim: id,
                shape: Shape::Temporal,
                note: None,
            })),
        }
    }
    all
}

/// Whether a definition is a statement of its own, such as `Correct == Spec => []P`.
fn stands_for_statement(spec: &Spec, def: DefId, instead: &FxHashMap<DefId, DefId>) -> bool {
    let def = instead.get(&def).copied().unwrap_or(def);
    let mut at = spec.defs[def].body;
    for _ in 0..64 {
        match &spec.exprs[at].kind {
            ExprKind::Builtin {
                op: Builtin::Implies | Builtin::Equiv,
                ..
            }
            | ExprKind::Quant { .. } => return !spec.defs[def].recursive,
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => at = args[0],
            ExprKind::Label { body, .. } => at = *body,
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if args.is_empty() && !spec.defs[*def].recursive => at = spec.defs[*def].body,
            _ => return false,
        }
    }
    false
}

fn implies(spec: &mut Spec, one: ExprId, other: ExprId, like: ExprId) -> ExprId {
    let span = spec.exprs[like].span;
    let kind = ExprKind::Builtin {
        op: Builtin::Implies,
        args: Box::new([one, other]),
    };
    spec.exprs.alloc(Expr { kind, span })
}

/// A statement about a state, of which an implication says which ones are meant.
fn predicate(spec: &Spec, id: ExprId) -> Goal {
    let given = match &spec.exprs[id].kind {
        ExprKind::Builtin {
            op: Builtin::Implies,
            args,
        } if Levels::new(spec).of(id) == Level::State => vec![args[0]],
        _ => vec![],
    };
    Goal {
        given,
        actions: vec![],
        states: vec![],
        claim: id,
        shape: Shape::Initial,
        note: None,
    }
}

/// A statement about a step: `P /\ A => Q'`.
fn step(spec: &Spec, id: ExprId) -> Goal {
    let mut given = vec![];
    if let ExprKind::Builtin {
        op: Builtin::Implies,
        args,
    } = &spec.exprs[id].kind
    {
        conjuncts(spec, args[0], &mut given);
    }
    let mut levels = Levels::new(spec);
    let (states, actions): (Vec<ExprId>, Vec<ExprId>) =
        given.into_iter().partition(|&it| levels.of(it) <= Level::State);
    Goal {
        given: states.clone(),
        actions,
        states,
        claim: id,
        shape: Shape::Step,
        note: None,
    }
}

/// The conjuncts of a formula of states and steps, through definitions.
fn conjuncts(spec: &Spec, id: ExprId, into: &mut Vec<ExprId>) {
    let mut todo = vec![id];
    let mut levels = Levels::new(spec);
    // Definitions that call each other end somewhere, recursion is left alone.
    while let Some(id) = todo.pop() {
        match &spec.exprs[id].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } if levels.of(id) == Level::Action => todo.extend(args.iter().rev()),
            ExprKind::Label { body, .. } => todo.push(*body),
            _ => into.push(id),
        }
    }
}

fn implication(spec: &Spec, given: ExprId, claim: ExprId) -> Goal {
    let (shape, note) = match Levels::new(spec).of(claim) {
        Level::Constant | Level::State => (Shape::Initial, Some(INITIAL_NOTE)),
        _ => (Shape::Temporal, None),
    };
    Goal {
        given: vec![given],
        actions: vec![],
        states: vec![],
        claim,
        shape,
        note,
    }
}

/// `\A x \in S : Spec => P(x)`, where the specification is the same for all.
fn quantified(spec: &mut Spec, id: ExprId, bounds: &[tla_sema::ir::Bound], body: ExprId) -> Made {
    let ExprKind::Builtin {
        op: Builtin::Implies,
        args,
    } = &spec.exprs[body].kind
    else {
        return Err("a quantifier around something else than an implication");
    };
    let (given, claim) = (args[0], args[1]);
    let bound: Vec<tla_sema::ir::LocalId> = bounds
        .iter()
        .flat_map(|it| it.pattern.locals().to_vec())
        .collect();
    let mut is_bound = false;
    tla_sema::walk(spec, given, &mut |kind| {
        is_bound |= matches!(kind, ExprKind::Local(it) if bound.contains(it));
    });
    if is_bound {
        return Err("its specification is another one for each value of a bound name");
    }
    let span = spec.exprs[id].span;
    let kind = ExprKind::Quant {
        kind: Quant::Forall,
        bounds: bounds.into(),
        body: claim,
    };
    let claim = spec.exprs.alloc(Expr { kind, span });
    Ok(implication(spec, given, claim))
}
