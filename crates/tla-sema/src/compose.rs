//! A specification as a conjunction of rules.
//!
//! `Spec == TicTacToe5 /\ MarkCenter`, where `MarkCenter == Init6 /\ [][Next6]_v6`, is a tree of definitions whose leaves are
//! conjuncts: initial predicates, `[][A]_v`, `[]P`, fairness. [`compose`] finds the leaves, whatever way they are nested:
//! through definitions with and without parameters, `LET`, labels, `[](F /\ G)`, quantifiers over sets. A definition
//! that has exactly one `[][A]_v` in it is a *rule*, named like the definition; where a definition has several, each is a rule
//! named like its action. Everything else belongs to no rule and is always in force.
//!
//! A leaf below parameters, quantifiers or a `LET` is closed by putting these around it (`close`), so that whoever
//! checks sees closed expressions only. Nothing here evaluates anything.

mod close;
mod walk;

use std::collections::BTreeSet;

use source::Span;
use util::{FxHashMap, Symbol};

use crate::free_variables::FreeVariables;
use crate::ir::*;
use crate::model::{Behaviour, Given, Model};

pub use walk::Names;

/// What a specification is a conjunction of.
#[derive(Clone, Debug, Default)]
pub struct Composition {
    pub conjuncts: Vec<Conjunct>,
    pub rules: Vec<Rule>,
    /// Whether a conjunct about states or steps stands below a quantifier, a parameter or a `LET`, or is an argument.
    pub is_closed: bool,
    /// There are too many conjuncts, and not all are here.
    pub is_cut: bool,
    /// Variables that nothing in force says anything about: any value will do, so they keep one.
    pub free: Vec<DeclId>,
}

/// One conjunct, closed.
#[derive(Clone, Debug)]
pub struct Conjunct {
    pub kind: ConjunctKind,
    pub span: Span,
    /// The definitions that it stands in, outermost first, and the one that it consists of.
    pub names: Vec<Symbol>,
    /// The innermost of the definitions that it stands in.
    pub home: Option<Symbol>,
    /// The rule that it belongs to: its place in [`Composition::rules`].
    pub rule: Option<usize>,
    /// Whether it is switched on.
    pub on: bool,
    /// Says of a free variable that it keeps its value; nobody wrote it.
    pub fixes: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum ConjunctKind {
    Initial(ExprId),
    /// `[][action]_subscript`. Without a subscript the action itself says what stuttering is.
    Step {
        action: ExprId,
        subscript: Option<ExprId>,
        /// A state function that is unchanged when the rule stutters; the whole state when absent.
        moves: Option<ExprId>,
    },
    /// `[]P`, with `P'`.
    Always {
        predicate: ExprId,
        next: ExprId,
    },
    Fairness(ExprId),
    /// Any other temporal formula.
    Other(ExprId),
}

/// A rule: a part of a specification that can be switched off.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    /// Of the definition, or of the `[][A]_v`.
    pub span: Span,
    pub variables: Vec<DeclId>,
    /// The definitions around it, outermost first.
    pub path: Vec<Symbol>,
    /// Where it is taken in.
    pub included: Vec<Inclusion>,
    /// Otherwise it is just a formula, to be called by its text.
    pub is_named: bool,
    pub on: bool,
}

/// A place where a rule is a conjunct of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inclusion {
    /// The definition in which it is.
    pub by: Option<Symbol>,
    pub span: Span,
}

/// Takes a conjunction of formulas apart. `instead` has the definitions that mean others in the model.
pub fn compose(spec: &mut Spec, formulas: &[ExprId], instead: &FxHashMap<DefId, DefId>) -> Composition {
    let found = walk::leaves(spec, formulas, instead);
    let mut composition = Composition {
        rules: found.rules,
        is_cut: found.is_cut,
        is_closed: found.has_arguments,
        ..Composition::default()
    };
    for leaf in found.leaves {
        let kind = close::close(spec, &leaf);
        let is_simple = matches!(kind, ConjunctKind::Fairness(_) | ConjunctKind::Other(_));
        composition.is_closed |= !leaf.around.is_empty() && !is_simple;
        composition.conjuncts.push(Conjunct {
            kind,
            span: spec.exprs[leaf.expr].span,
            home: leaf.path.last().copied(),
            names: leaf.names,
            rule: leaf.rule,
            on: true,
            fixes: false,
        });
    }
    let mut mentions = FreeVariables::new(spec, instead);
    for (i, rule) in composition.rules.iter_mut().enumerate() {
        let mut variables = BTreeSet::new();
        for conjunct in composition.conjuncts.iter().filter(|it| it.rule == Some(i)) {
            for expr in conjunct.kind.exprs(true) {
                variables.extend(mentions.of(expr));
            }
        }
        rule.variables = variables.into_iter().collect();
    }
    composition
}

/// The rules of a formula, without what they say, and the definitions that it takes in.
pub fn rules_in(spec: &Spec, formula: ExprId, instead: &FxHashMap<DefId, DefId>) -> (Vec<Rule>, Vec<DefId>) {
    let found = walk::leaves(spec, &[formula], instead);
    (found.rules, found.taken_in)
}

/// The conjuncts of a property as formulas of their own, where a search can check some of them on the way that stand too deep for
/// it to see; nothing otherwise.
pub fn property_parts(
    spec: &mut Spec,
    property: ExprId,
    instead: &FxHashMap<DefId, DefId>,
) -> Option<Vec<ExprId>> {
    let composition = compose(spec, &[property], instead);
    if !composition.is_closed {
        return None;
    }
    let kinds: Vec<ConjunctKind> = composition.conjuncts.iter().map(|it| it.kind).collect();
    Some(kinds.into_iter().map(|it| close::formula(spec, it)).collect())
}

/// What a model's behaviour is composed of; nothing, when it has none.
pub fn compose_behaviour(spec: &mut Spec, model: &Model) -> Option<Composition> {
    let instead = replaced_definitions(model);
    match &model.behaviour {
        Behaviour::None => None,
        Behaviour::Specification(it) => Some(compose(spec, &[it.expr], &instead)),
        Behaviour::InitNext { init, next } => {
            let mut composition = compose(spec, &[init.expr], &instead);
            if let Some(next) = next {
                composition.add_action(spec, next, &instead);
            }
            Some(composition)
        }
    }
}

/// Definitions that a model replaces by others.
pub fn replaced_definitions(model: &Model) -> FxHashMap<DefId, DefId> {
    let by = |(def, given): &(DefId, Given)| match given {
        Given::Operator(Operator::Def(by)) => Some((*def, *by)),
        _ => None,
    };
    model.overrides.iter().filter_map(by).collect()
}

impl ConjunctKind {
    /// The expressions of a conjunct, with the subscript or without.
    fn exprs(self, with_subscript: bool) -> Vec<ExprId> {
        match self {
            ConjunctKind::Initial(it) | ConjunctKind::Fairness(it) | ConjunctKind::Other(it) => vec![it],
            ConjunctKind::Always { predicate, .. } => vec![predicate],
            ConjunctKind::Step {
                action,
                subscript,
                moves,
            } => match with_subscript || subscript.is_none() {
                true => std::iter::once(action).chain(moves).collect(),
                false => vec![action],
            },
        }
    }
}

impl Composition {
    /// Adds the conjuncts of another composition, with its rules.
    pub fn extend(&mut self, other: Composition) {
        let first = self.rules.len();
        let is_known = |rule: &Rule| {
            self.rules
                .iter()
                .position(|it| it.span == rule.span && it.name == rule.name)
        };
        let places: Vec<Option<usize>> = other.rules.iter().map(is_known).collect();
        let mut moved = vec![0; other.rules.len()];
        let mut next = first;
        for (i, known) in places.iter().enumerate() {
            moved[i] = known.unwrap_or_else(|| {
                next += 1;
                next - 1
            });
        }
        for (rule, known) in other.rules.into_iter().zip(&places) {
            match known {
                // What is added is meant, even if it was switched off.
                Some(known) => self.rules[*known].on = true,
                None => self.rules.push(rule),
            }
        }
        for mut conjunct in other.conjuncts {
            let old = conjunct.rule;
            conjunct.rule = old.map(|it| moved[it]);
            match old.and_then(|it| places[it]) {
                Some(known) => {
                    let same = self.conjuncts.iter_mut().filter(|it| it.rule == Some(known));
                    same.for_each(|it| it.on = true);
                }
                None => self.conjuncts.push(conjunct),
            }
        }
    }

    fn add_action(&mut self, spec: &Spec, next: &crate::model::Formula, instead: &FxHashMap<DefId, DefId>) {
        self.conjuncts.push(Conjunct {
            kind: ConjunctKind::Step {
                action: next.expr,
                subscript: None,
                moves: None,
            },
            span: next.span,
            names: vec![next.name],
            home: Some(next.name),
            rule: Some(self.rules.len()),
            on: true,
            fixes: false,
        });
        self.rules.push(Rule {
            name: next.name.to_string(),
            span: next.span,
            variables: FreeVariables::new(spec, instead)
                .of(next.expr)
                .into_iter()
                .collect(),
            path: vec![],
            included: vec![],
            is_named: true,
            on: true,
        });
    }

    /// Adds the initial predicate that says nothing: for what is true of constants alone.
    pub fn add_true(&mut self, spec: &mut Spec, span: Span) {
        let kind = ExprKind::Bool(true);
        let expr = spec.exprs.alloc(Expr { kind, span });
        self.conjuncts.push(Conjunct {
            kind: ConjunctKind::Initial(expr),
            span,
            names: vec![],
            home: None,
            rule: None,
            on: true,
            fixes: true,
        });
    }

    /// Adds an action that every step must be one of.
    pub fn add_step(&mut self, spec: &Spec, action: ExprId) {
        self.conjuncts.push(Conjunct {
            kind: ConjunctKind::Step {
                action,
                subscript: None,
                moves: None,
            },
            span: spec.exprs[action].span,
            names: vec![],
            home: None,
            rule: None,
            on: true,
            fixes: false,
        });
    }

    pub fn in_force(&self) -> impl Iterator<Item = &Conjunct> {
        self.conjuncts.iter().filter(|it| it.on)
    }

    /// Every name by which something can be switched on or off.
    pub fn names(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.rules.iter().map(|it| it.name.as_str()).collect();
        all.extend(
            self.conjuncts
                .iter()
                .flat_map(|it| it.names.iter().map(|it| it.as_str())),
        );
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The conjuncts that a name stands for: of a rule, else of a definition that has rules or conjuncts in it.
    pub fn named(&self, name: &str) -> Vec<usize> {
        let rule = self.rules.iter().position(|it| it.name == name);
        let is_meant = |it: &Conjunct| match rule {
            Some(rule) => it.rule == Some(rule),
            None => it.names.iter().any(|it| it.as_str() == name),
        };
        (0..self.conjuncts.len())
            .filter(|&it| is_meant(&self.conjuncts[it]))
            .collect()
    }

    /// Switches conjuncts on or off.
    pub fn switch(&mut self, conjuncts: &[usize], on: bool) {
        for &it in conjuncts {
            self.conjuncts[it].on = on;
        }
        self.note_rules();
    }

    /// Leaves only those rules in force that one of these conjuncts belongs to, and what belongs to no rule.
    pub fn only(&mut self, conjuncts: &[usize]) {
        for (i, it) in self.conjuncts.iter_mut().enumerate() {
            it.on = it.rule.is_none() || conjuncts.contains(&i);
        }
        self.note_rules();
    }

    /// Leaves the rules in force whose bit is set, by their places among the rules.
    pub fn choose(&mut self, chosen: impl Fn(usize) -> bool) {
        for it in &mut self.conjuncts {
            it.on = it.rule.is_none_or(&chosen);
        }
        self.note_rules();
    }

    /// A rule is in force when its step is, or all that it has.
    fn note_rules(&mut self) {
        for (i, rule) in self.rules.iter_mut().enumerate() {
            let mut own = self.conjuncts.iter().filter(|it| it.rule == Some(i));
            rule.on = own.any(|it| it.on && matches!(it.kind, ConjunctKind::Step { .. }));
        }
    }

    /// The variables that what is in force speaks of. Those in the subscript of `[][A]_v` alone do not count: with one value for
    /// ever they make no difference to `A`, and every behaviour can be changed so.
    pub fn variables(&self, spec: &Spec, instead: &FxHashMap<DefId, DefId>) -> BTreeSet<DeclId> {
        let mut mentions = FreeVariables::new(spec, instead);
        let mut all = BTreeSet::new();
        for conjunct in self.in_force() {
            for expr in conjunct.kind.exprs(false) {
                all.extend(mentions.of(expr));
            }
        }
        all
    }

    /// Variables that neither the composition nor these formulas speak of keep one value from now on.
    pub fn fix_free(&mut self, spec: &mut Spec, others: &[ExprId], instead: &FxHashMap<DefId, DefId>) {
        self.conjuncts.retain(|it| !it.fixes);
        let mut spoken = self.variables(spec, instead);
        let mut mentions = FreeVariables::new(spec, instead);
        for &expr in others {
            spoken.extend(mentions.of(expr));
        }
        self.free = spec.variables().filter(|it| !spoken.contains(it)).collect();
        let free = self.free.clone();
        self.conjuncts.extend(close::fixed(spec, &free));
    }
}
