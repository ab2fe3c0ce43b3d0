//! What is to be checked, as expressions of the resolved specification.

use tla_sema::Spec;
use tla_sema::compose::{Composition, ConjunctKind};
use tla_sema::ir::{Builtin, DeclId, DefId, ExprId, ExprKind, Level, Operator};
use tla_sema::model::{self, Behaviour, Given, Model};
use util::Symbol;
use value::{Arena, Text, Trouble, Value};

use crate::compile::Override;

/// A named formula.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    pub name: Symbol,
    pub expr: ExprId,
}

/// One `[][action]_subscript` of a specification.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub name: Option<Symbol>,
    pub action: ExprId,
    pub subscript: Option<ExprId>,
}

/// A player of a game, and the steps that are this player's moves.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    pub name: Symbol,
    /// Where the player is to move; nothing for an action that knows it.
    pub turn: Option<ExprId>,
    /// The steps of this action; nothing for those of the specification.
    pub action: Option<ExprId>,
}

/// Everything that a check needs to know.
#[derive(Clone, Debug, Default)]
pub struct Plan<'i> {
    pub init: Vec<ExprId>,
    /// Empty when there are no steps to take.
    pub next: Vec<Rule>,
    pub fairness: Vec<ExprId>,
    /// `[]P` as a conjunct of the specification: the predicates.
    pub always: Vec<ExprId>,
    pub invariants: Vec<Named>,
    /// `[][A]_v` as properties: the action, with its subscript.
    pub action_properties: Vec<(Named, Rule)>,
    /// Predicates that hold in the initial states.
    pub initial_properties: Vec<Named>,
    /// Properties that speak of infinite behaviours.
    pub temporal_properties: Vec<Named>,
    pub constraints: Vec<Named>,
    pub action_constraints: Vec<Named>,
    /// `P'` for each `[]P` of the specification: a step that breaks one is in no behaviour.
    pub exclusions: Vec<Named>,
    pub view: Option<ExprId>,
    pub symmetry: Option<ExprId>,
    pub assumptions: Vec<ExprId>,
    pub postconditions: Vec<Named>,
    /// Evaluated now and then.
    pub periodic: Option<Named>,
    /// Some state or step must satisfy each of these.
    pub possible: Vec<Named>,
    /// A record that is shown instead of the variables.
    pub alias: Option<Named>,
    pub constants: Vec<(DeclId, Override<'i>)>,
    pub definitions: Vec<(DefId, Override<'i>)>,
    pub check_deadlock: bool,
    /// Then the steps are those of the players.
    pub players: Vec<Player>,
    /// Definitions whose values are asked for, in one state or step at a time; parameters are given with the question.
    pub extra: Vec<DefId>,
    /// Names of the rules that a step is told by, each with the state function that it leaves alone when it stutters; empty
    /// when there are less than two.
    pub movers: Vec<(String, Option<ExprId>)>,
    /// Count how often each definition is evaluated.
    pub coverage: bool,
}

/// The parts of a temporal formula that is a conjunction.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub init: Vec<ExprId>,
    pub rules: Vec<Rule>,
    /// `[]P` for a state predicate.
    pub always: Vec<ExprId>,
    pub fairness: Vec<ExprId>,
    /// What fits none of these.
    pub other: Vec<ExprId>,
}

/// Takes a conjunction apart, through definitions and parentheses: `Init /\ [][Next]_v /\ WF_v(Next)`.
pub fn split(spec: &Spec, expr: ExprId) -> Parts {
    let mut parts = Parts::default();
    let mut levels = tla_sema::Levels::new(spec);
    let mut todo = vec![(expr, None)];
    while let Some((id, name)) = todo.pop() {
        let level = levels.of(id);
        if level <= Level::State {
            parts.init.push(id);
            continue;
        }
        match &spec.exprs[id].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => todo.extend(args.iter().rev().map(|&it| (it, name))),
            ExprKind::Label { body, .. } => todo.push((*body, name)),
            ExprKind::Let { body, .. } => todo.push((*body, name)),
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if args.is_empty() && !spec.defs[*def].recursive => {
                todo.push((spec.defs[*def].body, Some(spec.defs[*def].name)));
            }
            ExprKind::Builtin {
                op: Builtin::Always,
                args,
            } => match &spec.exprs[args[0]].kind {
                ExprKind::BoxAction { action, subscript } => {
                    parts.rules.push(Rule {
                        name,
                        action: *action,
                        subscript: Some(*subscript),
                    });
                }
                _ if levels.of(args[0]) <= Level::State => parts.always.push(args[0]),
                // `[](A /\ B)` of always-formulas is a conjunction of them.
                ExprKind::Builtin { op: Builtin::And, .. } => parts.other.push(id),
                _ => parts.other.push(id),
            },
            ExprKind::Fairness { .. } => parts.fairness.push(id),
            ExprKind::Quant {
                kind: tla_sema::ir::Quant::Forall,
                body,
                ..
            } if matches!(spec.exprs[*body].kind, ExprKind::Fairness { .. }) => {
                parts.fairness.push(id);
            }
            _ => parts.other.push(id),
        }
    }
    parts
}

impl<'i> Plan<'i> {
    /// What a model asks for.
    pub fn new(spec: &Spec, model: &Model, arena: &'i Arena) -> Result<Plan<'i>, Trouble> {
        let named = |it: &model::Formula| Named {
            name: it.name,
            expr: it.expr,
        };
        let all = |formulas: &[model::Formula]| formulas.iter().map(named).collect::<Vec<_>>();
        let mut plan = Plan {
            invariants: all(&model.invariants),
            constraints: all(&model.constraints),
            action_constraints: all(&model.action_constraints),
            postconditions: all(&model.postconditions),
            periodic: model.periodic.as_ref().map(named),
            possible: all(&model.possible),
            alias: model.alias.as_ref().map(named),
            view: model.view.as_ref().map(|it| it.expr),
            symmetry: model.symmetry.as_ref().map(|it| it.expr),
            check_deadlock: model.check_deadlock.unwrap_or(true),
            assumptions: spec
                .root()
                .map_or(vec![], |it| it.checked_assumptions().map(|it| it.1).collect()),
            ..Plan::default()
        };
        match &model.behaviour {
            _ if model.composition.is_some() => model.composition.iter().for_each(|it| plan.compose(it)),
            Behaviour::None => {}
            Behaviour::InitNext { init, next } => {
                plan.init = vec![init.expr];
                let rule = |it: &model::Formula| Rule {
                    name: Some(it.name),
                    action: it.expr,
                    subscript: None,
                };
                plan.next = next.iter().map(rule).collect();
            }
            Behaviour::Specification(formula) => {
                let parts = split(spec, formula.expr);
                plan.init = parts.init;
                plan.next = parts.rules;
                plan.fairness = parts.fairness;
                plan.fairness.extend(parts.other);
                plan.always = parts.always;
            }
        }
        for formula in &model.properties {
            plan.property(spec, named(formula));
        }
        for (decl, given) in &model.constants {
            plan.constants.push((*decl, given_value(given, arena)?));
        }
        for (def, given) in &model.overrides {
            plan.definitions.push((*def, given_value(given, arena)?));
        }
        Ok(plan)
    }

    /// What is in force of a conjunction.
    fn compose(&mut self, composition: &Composition) {
        for conjunct in composition.in_force() {
            match conjunct.kind {
                ConjunctKind::Initial(it) => self.init.push(it),
                ConjunctKind::Fairness(it) | ConjunctKind::Other(it) => self.fairness.push(it),
                // `[]P` is `P /\ [][P']_v`: states where P is false are in no behaviour.
                ConjunctKind::Always { predicate, next } => {
                    self.init.push(predicate);
                    self.exclusions.push(Named {
                        name: conjunct.home.unwrap_or(Symbol::new("[]")),
                        expr: next,
                    });
                }
                ConjunctKind::Step {
                    action,
                    subscript,
                    moves,
                } => {
                    self.next.push(Rule {
                        name: conjunct.home,
                        action,
                        subscript,
                    });
                    if let Some(rule) = conjunct.rule {
                        self.movers.push((composition.rules[rule].name.clone(), moves));
                    }
                }
            }
        }
        if self.movers.len() < 2 {
            self.movers.clear();
        }
    }

    /// Safety parts of a property are checked on the way; what is left needs infinite behaviours. An action is a property of
    /// every step, stuttering ones too.
    fn property(&mut self, spec: &Spec, property: Named) {
        if tla_sema::Levels::new(spec).of(property.expr) == Level::Action {
            let rule = Rule {
                name: Some(property.name),
                action: property.expr,
                subscript: None,
            };
            return self.action_properties.push((property, rule));
        }
        let parts = split(spec, property.expr);
        let part = |expr: ExprId| Named {
            name: property.name,
            expr,
        };
        self.initial_properties
            .extend(parts.init.iter().map(|&it| part(it)));
        self.invariants.extend(parts.always.iter().map(|&it| part(it)));
        self.action_properties
            .extend(parts.rules.iter().map(|it| (part(it.action), *it)));
        self.temporal_properties
            .extend(parts.fairness.iter().chain(&parts.other).map(|&it| part(it)));
    }
}

fn given_value<'i>(given: &Given, arena: &'i Arena) -> Result<Override<'i>, Trouble> {
    Ok(match given {
        Given::Value(it) => Override::Value(constant(it, arena)?),
        Given::Operator(Operator::Def(def)) => Override::Def(*def),
        Given::Operator(Operator::Decl(decl)) => Override::Decl(*decl),
        Given::Operator(Operator::Local(_)) => return Err(Trouble::Unsupported),
        Given::Table(rows) => Override::Table(table(rows, arena)?),
    })
}

/// An operator by its values: a function of its argument, or of the tuple of them. Of two rows for the same arguments, the first one
/// counts.
fn table<'i>(rows: &[(Vec<model::Value>, model::Value)], arena: &'i Arena) -> Result<Value<'i>, Trouble> {
    let mut keys = bumpalo::collections::Vec::new_in(arena);
    let mut values = vec![];
    for (args, value) in rows {
        let mut given = bumpalo::collections::Vec::new_in(arena);
        for arg in args {
            given.push(constant(arg, arena)?);
        }
        keys.push(match &given[..] {
            [one] => *one,
            _ => Value::tuple_in(given.into_bump_slice(), arena),
        });
        values.push((*keys.last().unwrap_or(&Value::FALSE), constant(value, arena)?));
    }
    let domain = value::enumerate(Value::set(keys, arena)?, arena)?;
    let mut ordered = bumpalo::collections::Vec::new_in(arena);
    for &key in domain.items {
        for &(known, value) in &values {
            if value::equal(known, key)? {
                ordered.push(value);
                break;
            }
        }
    }
    Ok(Value::function(domain, ordered.into_bump_slice(), arena))
}

/// A value of a configuration.
fn constant<'i>(given: &model::Value, arena: &'i Arena) -> Result<Value<'i>, Trouble> {
    Ok(match given {
        model::Value::Bool(it) => Value::bool(*it),
        model::Value::Int(digits) => match digits.as_str().parse() {
            Ok(big) => Value::big(big, arena),
            Err(_) => return Err(Trouble::NotAnInteger),
        },
        model::Value::Str(it) => Value::Str(Text::from(*it)),
        model::Value::Model(it) => Value::Model(Text::from(*it)),
        model::Value::Set(items) => {
            let mut all = bumpalo::collections::Vec::new_in(arena);
            for item in items {
                all.push(constant(item, arena)?);
            }
            Value::set(all, arena)?
        }
    })
}
