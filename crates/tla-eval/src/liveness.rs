//! From temporal formulas of a specification to formulas over labels of the state graph.
//!
//! A temporal formula is taken apart down to its state predicates and its actions. Quantifiers over constant sets are
//! written out, definitions and `LET`s are expanded with what their parameters stand for. Each predicate becomes a
//! label on states and each action, with its subscript, a label on steps; `WF` and `SF` need both. What is left is a
//! formula that the crate `temporal` decides. What has no meaning for a finite graph is refused by name.

use std::rc::Rc;

use temporal::Formula;
use tla_sema::Spec;
use tla_sema::ir::{
    Bound, Builtin, DeclId, DefId, ExprId, ExprKind, Fairness, Level, Operator as IrOperator, Pattern, Quant,
};
use util::{FxHashMap, Symbol, deep};
use value::{Arena, Trouble, Value};

use crate::code::ProcId;
use crate::compile::Compiler;
use crate::compile::open::{Given, Meaning, Open, Scope};
use crate::effects::Effects;
use crate::error::{ErrorKind, EvalError};
use crate::machine::{Machine, shown};
use crate::plan::{Named, Plan, Rule};

mod abstraction;
mod source;

use abstraction::Twins;
pub(crate) use abstraction::abstract_variables;
pub use source::Source;

/// What there is to decide about infinite behaviours.
#[derive(Debug, Default)]
pub struct Liveness {
    pub state_labels: Vec<StateLabel>,
    pub step_labels: Vec<StepLabel>,
    /// Conjuncts of the specification besides its initial predicate and its steps.
    pub assumptions: Vec<Conjunct>,
    /// Conjuncts of properties.
    pub properties: Vec<(Symbol, Conjunct)>,
    pub refused: Vec<(Symbol, Refusal)>,
}

/// One formula that must hold, with where it stands.
#[derive(Clone, Debug)]
pub struct Conjunct {
    pub formula: Formula,
    pub at: ExprId,
    /// What bound names in it stand for.
    pub bindings: Vec<(Symbol, String)>,
    /// For `WF` and `SF`.
    pub fairness: Option<FairnessOf>,
}

#[derive(Clone, Copy, Debug)]
pub struct FairnessOf {
    pub strong: bool,
    /// The label on states where the action is enabled.
    pub enabled: u32,
    /// The label on its steps.
    pub taken: u32,
}

/// A predicate of states.
#[derive(Clone, Debug)]
pub struct StateLabel {
    pub proc: ProcId,
    pub at: ExprId,
    pub bindings: Vec<(Symbol, String)>,
    /// `ENABLED` of the action of this step label: known to hold once such a step was met.
    pub enables: Option<u32>,
    /// Values that follow those of the variables while it is evaluated: see `abstraction`.
    pub abstraction: Vec<ProcId>,
    /// For whoever evaluates it by other means; nothing where that cannot be written out.
    pub source: Option<Source>,
}

/// A predicate of steps.
#[derive(Clone, Debug)]
pub struct StepLabel {
    pub test: StepTest,
    pub at: ExprId,
    pub bindings: Vec<(Symbol, String)>,
    /// What it says of a step that changes nothing.
    pub on_stuttering: bool,
    /// Whether that may have no value: its subscript is more than variables.
    pub may_fail_on_stuttering: bool,
    pub source: Option<Source>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepTest {
    Proc(ProcId),
    /// Holds of every step that changes something: `<<Next>>_vars`. Whether it does is asked only to tell that it has no value.
    Always(ProcId),
}

/// Why a formula cannot be checked.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub at: ExprId,
    pub why: Why,
}

#[derive(Clone, Debug)]
pub enum Why {
    /// `\EE` or `\AA`.
    HiddenVariable,
    /// `-+->`.
    Guarantees,
    /// A quantifier whose set depends on the state.
    VariableSet,
    /// A quantifier without a set.
    Unbounded,
    Recursive,
    /// Quantifiers written out are too many formulas.
    TooLarge,
    Error(Box<EvalError>),
}

/// More conjuncts and labels than this are refused.
const PARTS_MAX: usize = 100_000;

type Made = Result<Formula, Refusal>;

/// Translates what a plan asks about infinite behaviours; nothing, when it asks nothing.
pub(crate) fn translate<'i>(
    compiler: &mut Compiler<'_, 'i>,
    spec: &Spec,
    plan: &Plan<'i>,
    constants: &'i Arena,
    effects: &'i (dyn Effects + Sync),
) -> Liveness {
    if plan.temporal_properties.is_empty() {
        return Liveness::default();
    }
    let mut translator = Translator {
        spec,
        plan,
        compiler,
        constants,
        effects,
        made: Liveness::default(),
        known: FxHashMap::default(),
        twins: Twins::new(spec),
    };
    for &expr in &plan.fairness {
        let mut parts = vec![];
        match translator.conjuncts(expr, &Rc::default(), &mut parts) {
            Ok(()) => translator.made.assumptions.extend(parts),
            Err(refusal) => translator.made.refused.push((Symbol::new(""), refusal)),
        }
    }
    for &at in &plan.always {
        match translator.formula(at, &Rc::default()) {
            Ok(formula) => translator.made.assumptions.push(Conjunct {
                formula: formula.always(),
                at,
                bindings: vec![],
                fairness: None,
            }),
            Err(refusal) => translator.made.refused.push((Symbol::new(""), refusal)),
        }
    }
    for &Named { name, expr } in &plan.temporal_properties {
        let mut parts = vec![];
        match translator.conjuncts(expr, &Rc::default(), &mut parts) {
            Ok(()) => {
                let parts = parts.into_iter().map(|it| (name, it));
                translator.made.properties.extend(parts);
            }
            Err(refusal) => translator.made.refused.push((name, refusal)),
        }
    }
    translator.made
}

struct Translator<'a, 's, 'i> {
    spec: &'a Spec,
    plan: &'a Plan<'i>,
    compiler: &'a mut Compiler<'s, 'i>,
    constants: &'i Arena,
    effects: &'i (dyn Effects + Sync),
    made: Liveness,
    /// Labels by what they are of, where no free name is in it.
    known: FxHashMap<(u8, ExprId, Option<ExprId>), u32>,
    twins: Twins,
}

type ScopeRef<'i> = Rc<Scope<'i>>;

impl<'i> Translator<'_, '_, 'i> {
    fn refuse<T>(&self, at: ExprId, why: Why) -> Result<T, Refusal> {
        Err(Refusal { at, why })
    }

    /// The rules of levels leave little that comes here.
    fn no_formula<T>(&self, at: ExprId, what: &'static str) -> Result<T, Refusal> {
        self.wrong(at, ErrorKind::Unsupported { what })
    }

    fn wrong<T>(&self, at: ExprId, kind: ErrorKind) -> Result<T, Refusal> {
        let chain = vec![];
        self.refuse(at, Why::Error(Box::new(EvalError { kind, at, chain })))
    }

    /// The conjuncts of a formula, each with its place.
    fn conjuncts(
        &mut self,
        id: ExprId,
        scope: &ScopeRef<'i>,
        into: &mut Vec<Conjunct>,
    ) -> Result<(), Refusal> {
        deep(|| self.conjuncts_here(id, scope, into))
    }

    fn conjuncts_here(
        &mut self,
        id: ExprId,
        scope: &ScopeRef<'i>,
        into: &mut Vec<Conjunct>,
    ) -> Result<(), Refusal> {
        let spec = self.spec;
        let is_temporal = self.compiler.level_in(id, scope) == Level::Temporal;
        match &spec.exprs[id].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } if is_temporal => {
                for &arg in args {
                    self.conjuncts(arg, scope, into)?;
                }
                Ok(())
            }
            ExprKind::Label { body, .. } => self.conjuncts(*body, scope, into),
            ExprKind::Quant {
                kind: Quant::Forall,
                bounds,
                body,
            } if is_temporal => {
                for inner in self.instances(bounds, scope)? {
                    self.conjuncts(*body, &inner, into)?;
                }
                Ok(())
            }
            ExprKind::Let { defs, body } if is_temporal => {
                let inner = self.let_scope(defs, scope);
                self.conjuncts(*body, &inner, into)
            }
            ExprKind::Call { op, args } if is_temporal => {
                let (body, inner) = self.called(*op, args, id, scope)?;
                self.conjuncts(body, &inner, into)
            }
            kind => {
                if into.len() > PARTS_MAX {
                    return self.refuse(id, Why::TooLarge);
                }
                let mut fairness = None;
                let formula = match kind {
                    &ExprKind::Fairness {
                        kind,
                        subscript,
                        action,
                    } => {
                        let of = self.fairness_labels(id, kind, action, subscript, scope)?;
                        fairness = Some(of);
                        of.formula()
                    }
                    _ => self.formula(id, scope)?,
                };
                into.push(Conjunct {
                    formula,
                    at: id,
                    bindings: self.bindings(id, scope),
                    fairness,
                });
                Ok(())
            }
        }
    }

    fn formula(&mut self, id: ExprId, scope: &ScopeRef<'i>) -> Made {
        deep(|| match self.compiler.level_in(id, scope) {
            Level::Constant => Ok(Formula::Const(self.truth(id, scope)?)),
            Level::State => self.state_label(Open::Expr(id), scope, None).map(Formula::State),
            Level::Action | Level::Temporal => self.temporal(id, scope),
        })
    }

    fn temporal(&mut self, id: ExprId, scope: &ScopeRef<'i>) -> Made {
        let spec = self.spec;
        match &spec.exprs[id].kind {
            ExprKind::Builtin { op, args } => self.builtin(*op, args, id, scope),
            ExprKind::BoxAction { action, subscript } => {
                let open = Open::Box {
                    action: *action,
                    subscript: *subscript,
                };
                self.step_label(open, scope).map(Formula::Step)
            }
            ExprKind::AngleAction { action, subscript } => {
                let open = Open::Angle {
                    action: *action,
                    subscript: *subscript,
                };
                self.step_label(open, scope).map(Formula::Step)
            }
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            } => Ok(self
                .fairness_labels(id, *kind, *action, *subscript, scope)?
                .formula()),
            ExprKind::Quant { kind, bounds, body } => {
                let mut parts = vec![];
                for inner in self.instances(bounds, scope)? {
                    parts.push(self.formula(*body, &inner)?);
                }
                Ok(match kind {
                    Quant::Forall => Formula::And(parts),
                    _ => Formula::Or(parts),
                })
            }
            ExprKind::UnboundedQuant {
                kind: Quant::TemporalExists | Quant::TemporalForall,
                ..
            } => self.refuse(id, Why::HiddenVariable),
            ExprKind::UnboundedQuant { .. } => self.refuse(id, Why::Unbounded),
            ExprKind::If { test, then, other } => {
                let test = self.formula(*test, scope)?;
                let (then, other) = (self.formula(*then, scope)?, self.formula(*other, scope)?);
                Ok(either(test, then, other))
            }
            ExprKind::Case { arms, other } => {
                let mut whole = match other {
                    Some(other) => self.formula(*other, scope)?,
                    None => Formula::Const(true),
                };
                for &(guard, body) in arms.iter().rev() {
                    let (guard, body) = (self.formula(guard, scope)?, self.formula(body, scope)?);
                    whole = either(guard, body, whole);
                }
                Ok(whole)
            }
            ExprKind::Let { defs, body } => {
                let inner = self.let_scope(defs, scope);
                self.formula(*body, &inner)
            }
            ExprKind::Label { body, .. } => self.formula(*body, scope),
            ExprKind::Local(local) => match scope.local(*local).cloned() {
                Some(Given::Expr(expr, inner)) => self.formula(expr, &inner),
                _ => self.no_formula(id, "this as a formula about behaviours"),
            },
            ExprKind::Call { op, args } => {
                let (body, inner) = self.called(*op, args, id, scope)?;
                self.formula(body, &inner)
            }
            _ if self.compiler.level_in(id, scope) == Level::Action => {
                self.no_formula(id, "an action outside `[A]_v` and `<<A>>_v`")
            }
            _ => self.no_formula(id, "this as a formula about behaviours"),
        }
    }

    fn builtin(&mut self, op: Builtin, args: &[ExprId], id: ExprId, scope: &ScopeRef<'i>) -> Made {
        let is_temporal = self.compiler.level_in(id, scope) == Level::Temporal;
        match op {
            Builtin::Guarantees => return self.refuse(id, Why::Guarantees),
            _ if !is_temporal => return self.no_formula(id, "an action outside `[A]_v` and `<<A>>_v`"),
            _ => {}
        }
        let mut parts = vec![];
        for &arg in args {
            parts.push(self.formula(arg, scope)?);
        }
        let mut parts = parts.into_iter();
        let mut next = || parts.next().unwrap_or(Formula::Const(true));
        Ok(match op {
            Builtin::And => Formula::And(parts.collect()),
            Builtin::Or => Formula::Or(parts.collect()),
            Builtin::Not => next().not(),
            Builtin::Implies => next().implies(next()),
            Builtin::Equiv | Builtin::Eq => next().equiv(next()),
            Builtin::Neq => next().equiv(next()).not(),
            Builtin::Always => next().always(),
            Builtin::Eventually => next().eventually(),
            Builtin::LeadsTo => next().leads_to(next()),
            _ => return self.no_formula(id, "this as a formula about behaviours"),
        })
    }

    /// The body of what is called, and the names in it.
    fn called(
        &mut self,
        op: IrOperator,
        args: &[ExprId],
        at: ExprId,
        scope: &ScopeRef<'i>,
    ) -> Result<(ExprId, ScopeRef<'i>), Refusal> {
        let spec = self.spec;
        if let IrOperator::Local(local) = op {
            return match scope.local(local).cloned() {
                Some(Given::Expr(expr, outer)) => match &spec.exprs[expr].kind {
                    ExprKind::Lambda { params, body } => {
                        let params = params.clone();
                        Ok((*body, arguments(&params, args, &outer, scope)))
                    }
                    ExprKind::OpRef(op) => self.called_from(*op, args, at, scope, &outer),
                    _ => self.no_formula(at, "this as a formula about behaviours"),
                },
                _ => self.no_formula(at, "this as a formula about behaviours"),
            };
        }
        self.called_from(op, args, at, scope, scope)
    }

    /// `op` is looked up in `home`, arguments in `scope`.
    fn called_from(
        &mut self,
        op: IrOperator,
        args: &[ExprId],
        at: ExprId,
        scope: &ScopeRef<'i>,
        home: &ScopeRef<'i>,
    ) -> Result<(ExprId, ScopeRef<'i>), Refusal> {
        let spec = self.spec;
        let Some(def) = self.compiler.target_of(op) else {
            return self.no_formula(at, "this as a formula about behaviours");
        };
        let outer = match home.let_def(def).cloned() {
            Some(Given::Expr(body, inner)) => return Ok((body, inner)),
            Some(Given::LetOperator(outer)) => outer,
            _ => Rc::default(),
        };
        let definition = &spec.defs[def];
        if definition.recursive {
            return self.refuse(at, Why::Recursive);
        }
        Ok((
            definition.body,
            arguments(&definition.params, args, &outer, scope),
        ))
    }

    fn let_scope(&mut self, defs: &[DefId], scope: &ScopeRef<'i>) -> ScopeRef<'i> {
        let mut inner = scope.clone();
        for &def in defs {
            let definition = &self.spec.defs[def];
            let mut next = inner.inside();
            next.bind_let(
                def,
                match definition.params.is_empty() {
                    true => Given::Expr(definition.body, inner.clone()),
                    false => Given::LetOperator(inner.clone()),
                },
            );
            inner = Rc::new(next);
        }
        inner
    }

    /// The scope for each combination of values of a quantifier.
    fn instances(&mut self, bounds: &[Bound], scope: &ScopeRef<'i>) -> Result<Vec<ScopeRef<'i>>, Refusal> {
        let mut all = vec![scope.clone()];
        for bound in bounds {
            if self.compiler.level_in(bound.set, scope) != Level::Constant {
                return self.refuse(bound.set, Why::VariableSet);
            }
            let set = self.value(bound.set, scope)?;
            let mut values = vec![];
            let mut elements = match value::elements(set, self.constants) {
                Ok(elements) => elements,
                Err(Trouble::NotASet) => return self.no_set(bound, set),
                Err(_) => return self.refuse(bound.set, Why::Unbounded),
            };
            while let Some(it) = elements.next(self.constants) {
                values.push(it);
                if values.len() * all.len() > PARTS_MAX {
                    return self.refuse(bound.set, Why::TooLarge);
                }
            }
            let mut wider = vec![];
            for outer in &all {
                for &value in &values {
                    match bound_to(&bound.pattern, value, outer) {
                        Some(inner) => wider.push(inner),
                        None => return self.misfit(bound, value),
                    }
                }
            }
            all = wider;
        }
        Ok(all)
    }

    fn no_set<T>(&self, bound: &Bound, value: Value<'i>) -> Result<T, Refusal> {
        self.wrong(
            bound.set,
            ErrorKind::WrongKind {
                need: "a set",
                got: shown(value),
            },
        )
    }

    /// An element that a pattern does not fit has no meaning, whatever the others say.
    fn misfit<T>(&self, bound: &Bound, value: Value<'i>) -> Result<T, Refusal> {
        let n = match &bound.pattern {
            Pattern::One(_) => 1,
            Pattern::Tuple(names) => names.len(),
        };
        let value = shown(value);
        self.wrong(bound.set, ErrorKind::Pattern { value, n })
    }

    /// The value of a constant expression.
    fn value(&mut self, expr: ExprId, scope: &ScopeRef<'i>) -> Result<Value<'i>, Refusal> {
        self.value_inside(expr, scope, &[])
    }

    /// As [`Translator::value`], of an expression in an instantiated module.
    fn value_inside(
        &mut self,
        expr: ExprId,
        scope: &ScopeRef<'i>,
        meanings: &[(DeclId, Meaning<'i>)],
    ) -> Result<Value<'i>, Refusal> {
        let mut compiler = crate::compiled::compiler(self.spec, self.plan, self.constants);
        let proc = compiler.inside(meanings, |compiler| {
            compiler.closed(Open::Expr(expr), scope, Symbol::new("value"))
        });
        let program = self.constants.alloc(compiler.program);
        let mut machine = Machine::new(program, self.constants, self.constants, self.effects);
        let result = machine.run(proc);
        result.map_err(|fault| Refusal {
            at: expr,
            why: Why::Error(Box::new(crate::model::take_error(&mut machine, fault, proc))),
        })
    }

    fn truth(&mut self, expr: ExprId, scope: &ScopeRef<'i>) -> Result<bool, Refusal> {
        match self.value(expr, scope)? {
            Value::Bool(it) => Ok(it.get()),
            _ => self.no_formula(expr, "this as a formula about behaviours"),
        }
    }

    fn fairness_labels(
        &mut self,
        id: ExprId,
        kind: Fairness,
        action: ExprId,
        subscript: ExprId,
        scope: &ScopeRef<'i>,
    ) -> Result<FairnessOf, Refusal> {
        let taken = self.step_label(Open::Angle { action, subscript }, scope)?;
        let enabled = match self.abstract_enabled(id, scope, taken)? {
            Some(label) => label,
            None => self.state_label(Open::Enabled { action, subscript }, scope, Some(taken))?,
        };
        Ok(FairnessOf {
            strong: kind == Fairness::Strong,
            enabled,
            taken,
        })
    }

    fn state_label(
        &mut self,
        open: Open,
        scope: &ScopeRef<'i>,
        enables: Option<u32>,
    ) -> Result<u32, Refusal> {
        let bindings = self.bindings(open.at(), scope);
        let key = self.key(open, scope);
        if let Some(&known) = key.and_then(|it| self.known.get(&it)) {
            return Ok(known);
        }
        if self.made.state_labels.len() >= PARTS_MAX {
            return self.refuse(open.at(), Why::TooLarge);
        }
        let proc = self.compiler.closed(open, scope, Symbol::new("predicate"));
        let label = self.made.state_labels.len() as u32;
        self.made.state_labels.push(StateLabel {
            proc,
            at: open.at(),
            bindings,
            enables,
            abstraction: vec![],
            source: self.source(open, scope, vec![]),
        });
        self.known.extend(key.map(|it| (it, label)));
        Ok(label)
    }

    fn step_label(&mut self, open: Open, scope: &ScopeRef<'i>) -> Result<u32, Refusal> {
        let bindings = self.bindings(open.at(), scope);
        let key = self.key(open, scope);
        if let Some(&known) = key.and_then(|it| self.known.get(&it)) {
            return Ok(known);
        }
        if self.made.step_labels.len() >= PARTS_MAX {
            return self.refuse(open.at(), Why::TooLarge);
        }
        let test = match open {
            // Every step of the specification is a step of its next-state action.
            Open::Angle { action, subscript } if self.is_next(action) => {
                let changed = Open::Changed { subscript };
                let changed = self.compiler.closed(changed, scope, Symbol::new("action"));
                match self.compiler.holds_all_variables(subscript) {
                    true => StepTest::Always(changed),
                    false => StepTest::Proc(changed),
                }
            }
            _ => StepTest::Proc(self.compiler.closed(open, scope, Symbol::new("action"))),
        };
        let may_fail_on_stuttering = match open {
            Open::Box { subscript, .. } | Open::Angle { subscript, .. } => {
                !self.compiler.is_of_variables(subscript)
            }
            _ => false,
        };
        let label = self.made.step_labels.len() as u32;
        self.made.step_labels.push(StepLabel {
            test,
            at: open.at(),
            bindings,
            on_stuttering: matches!(open, Open::Box { .. }),
            may_fail_on_stuttering,
            source: self.source(open, scope, vec![]),
        });
        self.known.extend(key.map(|it| (it, label)));
        Ok(label)
    }

    /// What stands for a part that means the same wherever it is written. There is none where names that are bound around it matter: each
    /// of their values makes another label of it.
    fn key(&self, open: Open, scope: &ScopeRef<'i>) -> Option<(u8, ExprId, Option<ExprId>)> {
        let is_bound = |it: &ExprId| !self.compiler.names_in_scope(*it, scope).is_empty();
        if open.parts().iter().any(is_bound) {
            return None;
        }
        Some(match open {
            Open::Expr(it) => (0, self.behind(it), None),
            Open::Box { action, subscript } => (1, self.behind(action), Some(self.behind(subscript))),
            Open::Angle { action, subscript } => (2, self.behind(action), Some(self.behind(subscript))),
            Open::Enabled { action, subscript } => (3, self.behind(action), Some(self.behind(subscript))),
            Open::Changed { subscript } => (4, self.behind(subscript), None),
        })
    }

    /// What a name without parameters stands for, as far as that goes.
    fn behind(&self, expr: ExprId) -> ExprId {
        let mut at = expr;
        for _ in 0..64 {
            match &self.spec.exprs[at].kind {
                ExprKind::Call { op, args } if args.is_empty() => match self.compiler.target_of(*op) {
                    Some(def) if !self.spec.defs[def].recursive => at = self.spec.defs[def].body,
                    _ => break,
                },
                ExprKind::Label { body, .. } => at = *body,
                _ => break,
            }
        }
        at
    }

    fn is_next(&self, action: ExprId) -> bool {
        match &self.plan.next[..] {
            [Rule { action: next, .. }] => self.behind(*next) == self.behind(action),
            _ => false,
        }
    }

    /// What the bound names that a formula mentions stand for, for messages.
    fn bindings(&self, expr: ExprId, scope: &ScopeRef<'i>) -> Vec<(Symbol, String)> {
        let mut all: Vec<(Symbol, String)> = vec![];
        tla_sema::walk(self.spec, expr, &mut |kind| {
            let local = match kind {
                ExprKind::Local(local)
                | ExprKind::Call {
                    op: IrOperator::Local(local),
                    ..
                } => *local,
                ExprKind::Call {
                    op: IrOperator::Def(def),
                    ..
                } if scope.let_def(*def).is_some() => {
                    all.push((self.spec.defs[*def].name, "…".to_owned()));
                    return;
                }
                _ => return,
            };
            let shown = match scope.local(local) {
                Some(Given::Value(value)) => value.to_string(),
                Some(_) => "…".to_owned(),
                None => return,
            };
            let entry = (self.spec.locals[local].name, shown);
            if !all.contains(&entry) {
                all.push(entry);
            }
        });
        all.sort_by_key(|(name, _)| name.as_str());
        all
    }
}

impl FairnessOf {
    fn formula(self) -> Formula {
        let (enabled, taken) = (Formula::State(self.enabled), Formula::Step(self.taken));
        match self.strong {
            true => Formula::strong_fairness(enabled, taken),
            false => Formula::weak_fairness(enabled, taken),
        }
    }
}

fn either(test: Formula, then: Formula, other: Formula) -> Formula {
    test.clone().and(then).or(test.not().and(other))
}

fn arguments<'i>(
    params: &[tla_sema::ir::LocalId],
    args: &[ExprId],
    outer: &ScopeRef<'i>,
    scope: &ScopeRef<'i>,
) -> ScopeRef<'i> {
    if params.is_empty() {
        return outer.clone();
    }
    let mut inner = outer.inside();
    for (&param, &arg) in params.iter().zip(args) {
        inner.bind_local(param, Given::Expr(arg, scope.clone()));
    }
    Rc::new(inner)
}

/// A scope with the names of a pattern bound; nothing when the value has another shape.
fn bound_to<'i>(pattern: &Pattern, value: Value<'i>, outer: &ScopeRef<'i>) -> Option<ScopeRef<'i>> {
    let mut inner = outer.inside();
    match (pattern, value) {
        (Pattern::One(local), value) => inner.bind_local(*local, Given::Value(value)),
        (Pattern::Tuple(locals), Value::Tuple(it)) if it.items.len() == locals.len() => {
            for (&local, &item) in locals.iter().zip(it.items) {
                inner.bind_local(local, Given::Value(item));
            }
        }
        _ => return None,
    }
    Some(Rc::new(inner))
}
