//! From the resolved tree to code.
//!
//! Three things are decided here once, so that evaluation need not: where each name lives, which expressions are closed
//! constants (they are evaluated once and cached), and which arguments are evaluated before a call (those that the
//! callee is sure to use, and those that cost nothing).

use num_bigint::BigInt;
use tla_sema::ir::{
    self, Builtin, DeclId, DeclKind, DefId, DefKind, ExprId, ExprKind, LocalId, Operator as IrOperator,
};
use tla_sema::{Levels, Spec};
use util::{FxHashMap, FxHashSet, Symbol, deep};
use value::{Arena, Symbolic, Text, Value};

use crate::code::*;
use crate::native::{self, Purity};
use crate::plan::{Player, Rule};
use crate::prefilter::{Looks, Prefilter};

mod call;
mod curried;
mod element;
mod facts;
mod inline;
mod memoize;
pub(crate) mod open;

/// What the configuration says a name means.
#[derive(Clone, Copy, Debug)]
pub enum Override<'i> {
    Value(Value<'i>),
    Def(DefId),
    /// Another constant.
    Decl(DeclId),
    /// An operator by its values: the function from its argument, or the tuple of them.
    Table(Value<'i>),
}

pub struct Compiler<'s, 'i> {
    spec: &'s Spec,
    arena: &'i Arena,
    levels: Levels<'s>,
    pub program: Program<'i>,
    pub variables: FxHashMap<DeclId, VarId>,
    constants: FxHashMap<DeclId, Override<'i>>,
    definitions: FxHashMap<DefId, Override<'i>>,
    procs: FxHashMap<DefId, ProcId>,
    /// Whether evaluating a definition always gives the same value in the same state.
    purities: FxHashMap<DefId, Purity>,
    /// Constant definitions that ask chance, by their number in the cache.
    drawn: FxHashMap<DefId, u32>,
    /// How many tests of filters are being compiled, one in the other.
    n_tests: u32,
    /// Whether a parameter or `LET` definition is primed where it is used.
    /// By the body too: the parts of a specification share its parameters.
    primed_params: FxHashMap<(LocalId, ExprId), bool>,
    /// Whether an action is passed to an operator anywhere, once somebody has asked.
    actions_passed: Option<bool>,
    scopes: Vec<ScopeFrame>,
    inlining: inline::Inlining,
}

/// The frame of a proc that is being compiled.
#[derive(Default)]
struct ScopeFrame {
    places: FxHashMap<LocalId, u16>,
    /// `LET` definitions without parameters: slots.
    lets: FxHashMap<DefId, u16>,
    /// `LET` operators: procs linked to this frame.
    nested: FxHashMap<DefId, ProcId>,
    next: u16,
    n_slots: u16,
    linked: bool,
}

/// A compiled expression and what is known of it.
struct Made<'i> {
    code: Code<'i>,
    /// The lowest slot of the current frame that it reads; names of outer frames count as 0.
    lowest: u32,
    /// Reads no variable and no primed one, and gives the same value whenever it is evaluated.
    constant: bool,
    /// Speaks of the next state: enumerated where it is used, never evaluated before a call.
    action: bool,
}

const CLOSED: u32 = u32::MAX;

impl<'s, 'i> Compiler<'s, 'i> {
    pub fn new(spec: &'s Spec, arena: &'i Arena) -> Compiler<'s, 'i> {
        let mut variables: FxHashMap<DeclId, VarId> = spec
            .variables()
            .enumerate()
            .map(|(i, it)| (it, i as VarId))
            .collect();
        // Beyond those that a fairness condition of an instantiated module adds to a state: never more than are declared.
        let declared = spec.decls.iter().filter(|(_, it)| it.kind == DeclKind::Variable);
        let first_hidden = variables.len() + declared.count();
        for (i, &decl) in spec.hidden.iter().enumerate() {
            variables.entry(decl).or_insert((first_hidden + i) as VarId);
        }
        let n_next = match spec.hidden.len() {
            0 => 0,
            n => first_hidden + n,
        };
        Compiler {
            spec,
            arena,
            levels: Levels::new(spec),
            program: Program {
                variables: spec.variables().map(|it| spec.decls[it].name).collect(),
                n_next,
                ..Program::default()
            },
            variables,
            constants: FxHashMap::default(),
            definitions: FxHashMap::default(),
            procs: FxHashMap::default(),
            purities: FxHashMap::default(),
            drawn: FxHashMap::default(),
            n_tests: 0,
            primed_params: FxHashMap::default(),
            actions_passed: None,
            scopes: vec![],
            inlining: Default::default(),
        }
    }

    /// Must be called before anything is compiled that mentions the name.
    pub fn set_constant(&mut self, decl: DeclId, to: Override<'i>) {
        self.constants.insert(decl, to);
    }

    pub fn override_definition(&mut self, def: DefId, to: Override<'i>) {
        self.definitions.insert(def, to);
    }

    /// Compiles a closed expression as a proc without parameters.
    pub fn expression(&mut self, expr: ExprId, name: Symbol) -> ProcId {
        self.synthetic(name, |compiler| compiler.expr(expr).code)
    }

    /// Several closed formulas as one proc.
    pub fn conjunction(&mut self, exprs: &[ExprId], name: Symbol) -> ProcId {
        if let [one] = exprs {
            return self.expression(*one, name);
        }
        self.synthetic(name, |compiler| {
            let items = exprs.iter().map(|&it| compiler.expr(it).code).collect();
            Code {
                kind: Kind::And(items),
                at: exprs.first().copied().unwrap_or(ExprId::new(0)),
            }
        })
    }

    /// The next-state relation of `[][A]_v /\ [][B]_w …`: one rule is its action, several are `[A]_v /\ [B]_w`.
    pub fn rules(&mut self, rules: &[Rule]) -> ProcId {
        match rules {
            [one] => self.expression(one.action, one.name.unwrap_or(Symbol::new("Next"))),
            _ => self.synthetic(Symbol::new("Next"), |compiler| {
                let items = rules.iter().map(|it| compiler.rule(it)).collect();
                Code {
                    kind: Kind::And(items),
                    at: rules.first().map_or(ExprId::new(0), |it| it.action),
                }
            }),
        }
    }

    /// The steps of all players together.
    pub fn moves(&mut self, players: &[Player], rules: &[Rule]) -> ProcId {
        let own = self.rules(rules);
        self.synthetic(Symbol::new("Next"), |compiler| {
            let mut items = vec![];
            let at = compiler.program.procs[own].body.at;
            if players.iter().any(|it| it.action.is_none()) {
                let (link, args) = (None, [].into());
                let kind = Kind::Call {
                    proc: own,
                    link,
                    args,
                };
                items.push(Code { kind, at });
            }
            items.extend(
                players
                    .iter()
                    .filter_map(|it| Some(compiler.expr(it.action?).code)),
            );
            let kind = Kind::Or(items.into());
            Code { kind, at }
        })
    }

    /// `[A]_v` as a test of a step.
    pub fn box_action(&mut self, rule: &Rule, name: Symbol) -> ProcId {
        self.synthetic(name, |compiler| compiler.rule(rule))
    }

    fn rule(&mut self, rule: &Rule) -> Code<'i> {
        let action = self.expr(rule.action).code;
        match rule.subscript {
            Some(subscript) => {
                let subscript = self.expr(subscript).code;
                Code {
                    kind: Kind::BoxAction(Box::new([action, subscript])),
                    at: rule.action,
                }
            }
            None => action,
        }
    }

    fn synthetic(&mut self, name: Symbol, make: impl FnOnce(&mut Self) -> Code<'i>) -> ProcId {
        let (body, frame) = self.apart(|compiler| {
            compiler.scopes.push(ScopeFrame::default());
            let body = make(compiler);
            (body, compiler.scopes.pop().unwrap_or_default())
        });
        self.push_proc(name, false, 0, frame.n_slots, body)
    }

    /// The proc of a definition of a module.
    pub fn proc(&mut self, def: DefId) -> ProcId {
        if let Some(&proc) = self.procs.get(&def) {
            return proc;
        }
        self.apart(|compiler| compiler.compile_def(def, false))
    }

    /// Compiles something that sees nothing of what is around it.
    fn apart<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let scopes = std::mem::take(&mut self.scopes);
        let active = std::mem::take(&mut self.inlining.active);
        let growth = std::mem::take(&mut self.inlining.growth);
        let made = make(self);
        self.scopes = scopes;
        self.inlining.active = active;
        self.inlining.growth = growth;
        made
    }

    fn reserve(&mut self, def: DefId, linked: bool) -> ProcId {
        let definition = &self.spec.defs[def];
        self.program.procs.push(Proc {
            name: definition.name,
            def: Some(def),
            linked,
            n_params: definition.params.len() as u16,
            n_slots: 0,
            memo: None,
            site: None,
            is_action: false,
            primed: Box::default(),
            domain: None,
            body: Code {
                kind: Kind::Fail("a definition that is still being compiled"),
                at: definition.body,
            },
        })
    }

    fn compile_def(&mut self, def: DefId, linked: bool) -> ProcId {
        let proc = self.reserve(def, linked);
        match linked {
            true => {
                if let Some(frame) = self.scopes.last_mut() {
                    frame.nested.insert(def, proc);
                }
            }
            false => {
                self.procs.insert(def, proc);
            }
        }
        self.fill(proc, def, linked);
        proc
    }

    /// The body of a proc. A recursive function is a proc of its one argument.
    fn fill(&mut self, proc: ProcId, def: DefId, linked: bool) {
        let spec = self.spec;
        let definition = &spec.defs[def];
        let first = u16::from(linked);
        self.scopes.push(ScopeFrame {
            linked,
            next: first,
            n_slots: first,
            ..ScopeFrame::default()
        });
        for &param in &definition.params {
            self.frame().place(param);
        }
        let (domain, n_params, body) = match &spec.exprs[definition.body].kind {
            ExprKind::FnLiteral { bounds, body } if self.is_applied(definition) => {
                let argument = self.frame().fresh();
                debug_assert_eq!(argument, first);
                let (domain, body) = match self.curried(def) {
                    Some(it) => self.element(&it.bounds(), it.body),
                    None => self.element(bounds, *body),
                };
                (Some(domain), 1, body)
            }
            _ => (
                None,
                definition.params.len() as u16,
                self.expr(definition.body).code,
            ),
        };
        let frame = self.scopes.pop().unwrap_or_default();
        let is_action = self.levels.of_def(def) >= ir::Level::Action;
        let primed = self.primed_among(&definition.params, definition.body);
        let memo = self.memo(def, linked);
        let site = self.site(def, linked);
        let filled = &mut self.program.procs[proc];
        filled.memo = memo;
        filled.site = site;
        filled.n_params = n_params;
        filled.n_slots = frame.n_slots;
        filled.is_action = is_action;
        filled.primed = primed;
        filled.domain = domain;
        filled.body = body;
    }

    /// The domain of a function, how its argument is taken apart, and its value for that.
    fn element(&mut self, bounds: &[ir::Bound], body: ExprId) -> (Box<[(Code<'i>, Pattern)]>, Code<'i>) {
        let sets: Vec<Code<'i>> = bounds.iter().map(|it| self.expr(it.set).code).collect();
        let patterns: Vec<Pattern> = bounds.iter().map(|it| self.pattern(&it.pattern)).collect();
        (sets.into_iter().zip(patterns).collect(), self.expr(body).code)
    }

    fn domain(&mut self, bounds: &[ir::Bound], at: ExprId, join: &mut Joined) -> Code<'i> {
        let mut sets: Vec<Code<'i>> = bounds.iter().map(|it| join.add(self.expr(it.set))).collect();
        match sets.len() {
            1 => sets.swap_remove(0),
            _ => Code {
                kind: Kind::Times(sets.into()),
                at,
            },
        }
    }

    fn frame(&mut self) -> &mut ScopeFrame {
        self.scopes
            .last_mut()
            .expect("expressions are compiled inside a frame")
    }

    fn pattern(&mut self, pattern: &ir::Pattern) -> Pattern {
        match pattern {
            ir::Pattern::One(local) => Pattern::One(self.frame().place(*local)),
            ir::Pattern::Tuple(locals) => {
                Pattern::Tuple(locals.iter().map(|&it| self.frame().place(it)).collect())
            }
        }
    }

    fn expr(&mut self, id: ExprId) -> Made<'i> {
        let made = deep(|| self.expr_here(id));
        match made.constant && made.lowest == CLOSED {
            true => self.cache(made),
            false => self.keep(id, made),
        }
    }

    /// Closed constant expressions are evaluated once, wherever they stand.
    fn cache(&mut self, made: Made<'i>) -> Made<'i> {
        let trivial = matches!(
            made.code.kind,
            Kind::Const(_) | Kind::Cached(_) | Kind::Fail(_) | Kind::Local(_) | Kind::Call { .. }
        );
        // Calls of constant definitions are cached by the definition itself.
        if !made.constant || made.lowest != CLOSED || trivial {
            return made;
        }
        self.cached(made.code)
    }

    fn cached(&mut self, code: Code<'i>) -> Made<'i> {
        let at = code.at;
        let has_ways = self.has_ways(&code);
        let n_slots = self.frame().n_slots;
        self.program.cached.push(Cached {
            code,
            n_slots,
            is_drawn: false,
            has_ways,
            value: Default::default(),
            calls: Default::default(),
        });
        plain(Kind::Cached(self.program.cached.len() as u32 - 1), at)
    }

    /// Whether a constant formula, as a conjunct of an action, may hold in several ways. May say yes where it can not.
    fn has_ways(&self, code: &Code<'i>) -> bool {
        let go = |it: &Code<'i>| deep(|| self.has_ways(it));
        match &code.kind {
            Kind::Or(_) | Kind::Exists { .. } | Kind::Call { .. } | Kind::CallParam { .. } => true,
            Kind::And(items) => items.iter().any(go),
            Kind::Forall { body, .. } | Kind::Kept { body, .. } => go(body),
            Kind::Let { body, .. } | Kind::Inlined { body, .. } => go(body),
            Kind::If(three) => go(&three[1]) || go(&three[2]),
            Kind::Case { arms, other } => arms.iter().any(|it| go(&it.1)) || other.as_deref().is_some_and(go),
            Kind::Implies(two) => go(&two[1]),
            // A name of its own for something that is written elsewhere.
            Kind::Local(_) => true,
            Kind::Cached(index) => self.program.cached[*index as usize].has_ways,
            _ => false,
        }
    }

    /// A constant with a name is a value, as a definition without parameters or as an argument, and so is what is primed.
    fn hold_in_one_way(&mut self, made: &Made<'i>) {
        if let Kind::Cached(index) = made.code.kind {
            self.program.cached[index as usize].has_ways = false;
        }
    }

    fn expr_here(&mut self, id: ExprId) -> Made<'i> {
        let spec = self.spec;
        let at = id;
        let mut join = Joined::new();
        let kind = match &spec.exprs[id].kind {
            ExprKind::Error => Kind::Fail("an expression with errors"),
            ExprKind::Bool(it) => Kind::Const(Value::bool(*it)),
            ExprKind::Int(it) => Kind::Const(Value::Int(*it)),
            ExprKind::BigInt { digits, radix } => {
                match BigInt::parse_bytes(digits.as_str().as_bytes(), *radix) {
                    Some(big) => Kind::Const(Value::big(big, self.arena)),
                    None => Kind::Fail("a number that is not one"),
                }
            }
            ExprKind::Decimal(_) => Kind::Fail("a decimal number: reals are not computed with"),
            ExprKind::Str(it) => Kind::Const(Value::Str(Text::from(*it))),
            ExprKind::Local(local) => return self.local(*local, at),
            ExprKind::Decl(decl) => return self.decl(*decl, at),
            ExprKind::Call { op, args } => return self.call(*op, args, at),
            ExprKind::OpRef(_) | ExprKind::BuiltinRef(_) | ExprKind::Lambda { .. } => {
                Kind::Fail("an operator where a value is needed")
            }
            ExprKind::Builtin { op, args } => return self.builtin(*op, args, at),
            ExprKind::If { test, then, other } => {
                Kind::If(Box::new([*test, *then, *other].map(|it| join.add(self.expr(it)))))
            }
            ExprKind::Case { arms, other } => Kind::Case {
                arms: arms
                    .iter()
                    .map(|&(guard, body)| (join.add(self.expr(guard)), join.add(self.expr(body))))
                    .collect(),
                other: other.map(|it| Box::new(join.add(self.expr(it)))),
            },
            ExprKind::Let { defs, body } => return self.let_in(defs, *body, at),
            ExprKind::Label { body, .. } => return self.expr(*body),
            ExprKind::Quant { kind, bounds, body } => {
                let pushed_predicate = match &bounds[..] {
                    [bound] => self.pushed_predicate(bound, *body, *kind),
                    _ => None,
                };
                let sets = bounds.iter().map(|it| it.set);
                let is_pure = bounds.len() > 1 && sets.chain([*body]).all(|it| self.is_pure(it));
                let (mut bounds, body) = self.binder(bounds, *body, &mut join);
                if is_pure {
                    crate::guards::place(&mut bounds, &body, *kind == ir::Quant::Exists);
                }
                if let [bound] = &mut bounds[..] {
                    bound.pushed_predicate = pushed_predicate;
                    let looks = match kind {
                        ir::Quant::Forall => Looks::ForFalse,
                        _ => Looks::ForTrue,
                    };
                    bound.prefilter = Prefilter::of(&bound.pattern, &body, looks);
                }
                match kind {
                    ir::Quant::Forall => Kind::Forall {
                        bounds,
                        body,
                        frame: self.frame().n_slots,
                    },
                    ir::Quant::Exists => Kind::Exists { bounds, body },
                    _ => Kind::Fail("a temporal quantifier"),
                }
            }
            ExprKind::UnboundedQuant { .. } => Kind::Fail("a quantifier without a bound"),
            ExprKind::UnboundedChoose { .. } => Kind::Fail("CHOOSE without a bound"),
            ExprKind::Choose { bound, body } => {
                let pushed_predicate = self.pushed_predicate(bound, *body, ir::Quant::Exists);
                let (mut bound, body) = self.one_binder(bound, *body, &mut join);
                bound.pushed_predicate = pushed_predicate;
                let is_unique_choice = crate::unique_choice::is_unique_choice(&bound, &body);
                Kind::Choose {
                    bound,
                    body,
                    is_unique_choice,
                }
            }
            ExprKind::SetEnum(items) => Kind::SetEnum(self.all(items, &mut join)),
            ExprKind::SetFilter {
                bound: ir_bound,
                body: ir_body,
            } => {
                let test = self.test(ir_bound, *ir_body);
                let pushed_predicate = self.pushed_predicate(ir_bound, *ir_body, ir::Quant::Exists);
                let (mut bound, body) = self.one_binder(ir_bound, *ir_body, &mut join);
                bound.pushed_predicate = pushed_predicate;
                Kind::Filter { bound, body, test }
            }
            ExprKind::SetMap { bounds, body } => {
                let (bounds, body) = self.binder(bounds, *body, &mut join);
                Kind::Map { bounds, body }
            }
            ExprKind::FnLiteral { bounds, body } => {
                let (bounds, body) = self.binder(bounds, *body, &mut join);
                Kind::FnLiteral { bounds, body }
            }
            ExprKind::FnApply { function, arg } => return self.apply(*function, *arg, at),
            ExprKind::FnSet { domain, range } => Kind::FnSet(self.two(*domain, *range, &mut join)),
            ExprKind::Record(fields) => Kind::Record(self.fields(fields, &mut join)),
            ExprKind::RecordSet(fields) => Kind::RecordSet(self.fields(fields, &mut join)),
            ExprKind::Select { record, field } => {
                let record = Box::new(join.add(self.expr(*record)));
                Kind::Select {
                    record,
                    field: Text::from(*field),
                }
            }
            ExprKind::Except { function, updates } => {
                let function = Box::new(join.add(self.expr(*function)));
                let updates = updates.iter().map(|it| self.update(it, &mut join)).collect();
                Kind::Except { function, updates }
            }
            ExprKind::Tuple(items) => Kind::Tuple(self.all(items, &mut join)),
            ExprKind::Times(items) => Kind::Times(self.all(items, &mut join)),
            ExprKind::BoxAction { action, subscript } => {
                join.constant = false;
                Kind::BoxAction(self.two(*action, *subscript, &mut join))
            }
            ExprKind::AngleAction { action, subscript } => {
                join.constant = false;
                Kind::AngleAction(self.two(*action, *subscript, &mut join))
            }
            ExprKind::Fairness { .. } => Kind::Fail("a fairness condition"),
        };
        join.made(kind, at)
    }

    fn all(&mut self, ids: &[ExprId], join: &mut Joined) -> Box<[Code<'i>]> {
        ids.iter().map(|&it| join.add(self.expr(it))).collect()
    }

    fn two(&mut self, a: ExprId, b: ExprId, join: &mut Joined) -> Box<[Code<'i>; 2]> {
        Box::new([a, b].map(|it| join.add(self.expr(it))))
    }

    fn fields(&mut self, fields: &[(Symbol, ExprId)], join: &mut Joined) -> Box<[(Text, Code<'i>)]> {
        let mut fields: Vec<(Text, Code<'i>)> = fields
            .iter()
            .map(|&(name, it)| (Text::from(name), join.add(self.expr(it))))
            .collect();
        fields.sort_by_key(|&(name, _)| name);
        fields.into()
    }

    fn update(&mut self, update: &ir::Update, join: &mut Joined) -> Update<'i> {
        let path = self.all(&update.path, join);
        let mark = self.frame().next;
        let at = self.frame().place(update.at);
        let mut inner = Joined::new();
        let value = inner.add(self.expr(update.value));
        self.leave(mark, inner, join);
        let n_at = self.mentions(Name::Local(update.at), update.value);
        Update {
            path,
            at,
            n_at,
            value,
        }
    }

    /// Leaves a binder whose names began at `mark`: they are not names of what is around it. Their slots are not used
    /// again: a thunk or a waiting conjunct may still read them when the binder is left.
    fn leave(&mut self, mark: u16, inner: Joined, outer: &mut Joined) {
        outer.constant &= inner.constant;
        outer.action |= inner.action;
        if inner.lowest < u32::from(mark) {
            outer.lowest = outer.lowest.min(inner.lowest);
        }
    }

    fn binder(
        &mut self,
        bounds: &[ir::Bound],
        body: ExprId,
        join: &mut Joined,
    ) -> (Box<[Bound<'i>]>, Box<Code<'i>>) {
        let sets: Vec<Code<'i>> = bounds.iter().map(|it| join.add(self.expr(it.set))).collect();
        let mark = self.frame().next;
        let patterns: Vec<Pattern> = bounds.iter().map(|it| self.pattern(&it.pattern)).collect();
        let mut inner = Joined::new();
        let body = Box::new(inner.add(self.expr(body)));
        self.leave(mark, inner, join);
        (
            patterns
                .into_iter()
                .zip(sets)
                .map(|(pattern, set)| Bound {
                    pattern,
                    set,
                    pushed_predicate: None,
                    prefilter: None,
                    n_guards: None,
                })
                .collect(),
            body,
        )
    }

    fn one_binder(
        &mut self,
        bound: &ir::Bound,
        body: ExprId,
        join: &mut Joined,
    ) -> (Box<Bound<'i>>, Box<Code<'i>>) {
        let set = join.add(self.expr(bound.set));
        let mark = self.frame().next;
        let pattern = self.pattern(&bound.pattern);
        let mut inner = Joined::new();
        let body = Box::new(inner.add(self.expr(body)));
        self.leave(mark, inner, join);
        let bound = Bound {
            set,
            pushed_predicate: None,
            prefilter: Prefilter::of(&pattern, &body, Looks::ForTrue),
            n_guards: None,
            pattern,
        };
        (Box::new(bound), body)
    }

    fn let_in(&mut self, defs: &[DefId], body: ExprId, at: ExprId) -> Made<'i> {
        let mark = self.frame().next;
        let mut join = Joined::new();
        let mut inner = Joined::new();
        // Slots first: a definition may be used by the ones after it, and by itself when it is recursive.
        let mut values = vec![];
        for &def in defs {
            let definition = &self.spec.defs[def];
            if self.is_used_once(def, defs, body) {
                self.inlining.once.insert(def);
            } else if definition.params.is_empty() && !self.is_applied(definition) {
                let code = inner.add(self.expr(definition.body));
                let slot = self.frame().fresh();
                self.frame().lets.insert(def, slot);
                let by_name = self.is_primed(Name::Let(def), body)
                    || defs
                        .iter()
                        .any(|&it| self.is_primed(Name::Let(def), self.spec.defs[it].body));
                let is_strict = self.is_strict(body, Name::Let(def), 4)
                    && !self.is_endless_function(definition.body, FORMULA_DEPTH);
                values.push(LetSlot {
                    slot,
                    code,
                    by_name,
                    is_strict,
                });
            } else {
                self.compile_def(def, true);
                // Whatever it reads of this frame, it reads through its link.
                inner.lowest = 0;
                inner.constant = false;
            }
        }
        let body = Box::new(inner.add(self.expr(body)));
        self.leave(mark, inner, &mut join);
        if values.is_empty() {
            return Made {
                code: *body,
                lowest: join.lowest,
                constant: join.constant,
                action: join.action,
            };
        }
        join.made(
            Kind::Let {
                slots: values.into(),
                body,
            },
            at,
        )
    }

    fn local(&mut self, local: LocalId, at: ExprId) -> Made<'i> {
        if let Some(&var) = self.inlining.variables.get(&local) {
            return variable(var, at);
        }
        match self.place_of(local) {
            Some(place) => read(place, at),
            None => plain(Kind::Fail("a name that is bound nowhere"), at),
        }
    }

    fn place_of(&self, local: LocalId) -> Option<Place> {
        self.find(|frame| frame.places.get(&local).copied())
    }

    /// Looks through the frames from the innermost one out.
    fn find(&self, look: impl Fn(&ScopeFrame) -> Option<u16>) -> Option<Place> {
        for (up, frame) in self.scopes.iter().rev().enumerate() {
            if let Some(slot) = look(frame) {
                return Some(Place { up: up as u16, slot });
            }
            if !frame.linked {
                return None;
            }
        }
        None
    }

    fn decl(&mut self, decl: DeclId, at: ExprId) -> Made<'i> {
        if self.spec.decls[decl].kind == DeclKind::Variable {
            return match self.variables.get(&decl) {
                Some(&var) => variable(var, at),
                None => plain(Kind::Fail("a variable of another module"), at),
            };
        }
        match self.constants.get(&decl).copied() {
            Some(Override::Value(value)) => plain(Kind::Const(value), at),
            Some(Override::Def(def)) => self.call(IrOperator::Def(def), &[], at),
            Some(Override::Decl(other)) if other != decl => self.decl(other, at),
            Some(Override::Decl(_) | Override::Table(_)) | None => {
                plain(Kind::Fail("a constant without a value"), at)
            }
        }
    }

    fn push_proc(
        &mut self,
        name: Symbol,
        linked: bool,
        n_params: u16,
        n_slots: u16,
        body: Code<'i>,
    ) -> ProcId {
        self.program.procs.push(Proc {
            name,
            def: None,
            linked,
            n_params,
            n_slots,
            memo: None,
            site: None,
            is_action: false,
            primed: Box::default(),
            domain: None,
            body,
        })
    }

    fn apply(&mut self, function: ExprId, arg: ExprId, at: ExprId) -> Made<'i> {
        let spec = self.spec;
        if let Some(made) = self.apply_curried(function, arg, at) {
            return made;
        }
        let mut join = Joined::new();
        if let ExprKind::Call {
            op: IrOperator::Def(def),
            ..
        } = &spec.exprs[function].kind
        {
            let definition = &spec.defs[*def];
            if self.is_applied(definition) && !self.definitions.contains_key(def) {
                let (proc, link) = self.target(*def);
                if link.is_some() {
                    join.lowest = 0;
                }
                join.constant = link.is_none() && self.is_constant(*def);
                let arg = Box::new(join.add(self.expr(arg)));
                return join.made(Kind::ApplyRecursive { proc, link, arg }, at);
            }
        }
        if let ExprKind::FnLiteral { bounds, body } = &spec.exprs[function].kind
            && self.is_endless(bounds)
        {
            self.scopes.push(ScopeFrame {
                linked: true,
                next: 2,
                n_slots: 2,
                ..ScopeFrame::default()
            });
            let (domain, body) = self.element(bounds, *body);
            let frame = self.scopes.pop().unwrap_or_default();
            let proc = self.push_proc(Symbol::new("a function"), true, 1, frame.n_slots, body);
            self.program.procs[proc].domain = Some(domain);
            join.lowest = 0;
            join.constant = false;
            let arg = Box::new(join.add(self.expr(arg)));
            let link = Some(0);
            return join.made(Kind::ApplyRecursive { proc, link, arg }, at);
        }
        let is_row = self.is_row(function);
        let two = self.two(function, arg, &mut join);
        join.made(
            if is_row {
                Kind::ApplyRow(two)
            } else {
                Kind::Apply(two)
            },
            at,
        )
    }

    fn builtin(&mut self, op: Builtin, args: &[ExprId], at: ExprId) -> Made<'i> {
        let spec = self.spec;
        let mut join = Joined::new();
        match op {
            Builtin::In | Builtin::NotIn if let Some(made) = self.in_defined_filter(args[0], args[1], at) => {
                return match op {
                    Builtin::In => made,
                    _ => Made {
                        code: Code {
                            kind: Kind::Not(Box::new(made.code)),
                            at,
                        },
                        ..made
                    },
                };
            }
            Builtin::In | Builtin::NotIn if self.is_filter(args[1]) => {
                if let Some(kind) = self.in_filter(args[0], args[1], &mut join) {
                    let code = Code { kind, at };
                    let kind = if op == Builtin::In {
                        code.kind
                    } else {
                        Kind::Not(Box::new(code))
                    };
                    return join.made(kind, at);
                }
            }
            // A function without an end has a domain all the same, and so has one whose values are wrong.
            Builtin::Domain if let Some(bounds) = self.written_bounds(args[0]) => {
                if !matches!(spec.exprs[args[0]].kind, ExprKind::FnLiteral { .. }) {
                    // It may be of another frame.
                    join.lowest = 0;
                    join.constant = false;
                }
                let domain = Box::new(self.domain(bounds, at, &mut join));
                return join.made(Kind::Set(domain), at);
            }
            Builtin::Prime => {
                join.constant = false;
                let made = self.expr(args[0]);
                let kind = match made.code.kind {
                    Kind::Var(var) => Kind::NextVar(var),
                    // A constant is its own next value.
                    Kind::Const(_) | Kind::Cached(_) => {
                        self.hold_in_one_way(&made);
                        return made;
                    }
                    _ => Kind::Prime(Box::new(join.add(made))),
                };
                return join.made(kind, at);
            }
            Builtin::Unchanged => {
                join.constant = false;
                if let Some(shape) = self.shape(args[0]) {
                    let mut vars = vec![];
                    shape.vars(&mut vars);
                    return join.made(Kind::UnchangedVars(vars.into()), at);
                }
                // Some of them are no variables: each stays by itself.
                if let Some(items) = self.tuple_items(args[0]).map(<[ExprId]>::to_vec) {
                    let codes = items
                        .iter()
                        .map(|&it| join.add(self.builtin(Builtin::Unchanged, &[it], at)));
                    let kind = Kind::And(codes.collect());
                    return join.made(kind, at);
                }
            }
            Builtin::Eq | Builtin::In => {
                // `<<x, y>>' = e` and `vars' = vars` give several variables their next values at once.
                if let ExprKind::Builtin {
                    op: Builtin::Prime,
                    args: primed,
                } = &spec.exprs[args[0]].kind
                    && let Some(shape @ Shape::Tuple(_)) = self.shape(primed[0])
                {
                    join.constant = false;
                    let whole = self.two(args[0], args[1], &mut join);
                    let value = Box::new(self.expr(args[1]).code);
                    let kind = match op {
                        Builtin::Eq => Kind::EqShape { shape, value, whole },
                        _ => Kind::InShape {
                            shape,
                            set: value,
                            whole,
                        },
                    };
                    return join.made(kind, at);
                }
            }
            Builtin::Enabled | Builtin::Compose => join.constant = false,
            Builtin::Always | Builtin::Eventually | Builtin::LeadsTo | Builtin::Guarantees => {
                return plain(Kind::Fail("a temporal formula"), at);
            }
            Builtin::And | Builtin::Or => {
                // `a /\ b /\ c` is one list, however deep it is nested to the left.
                let mut items = vec![];
                flatten(spec, op, args, &mut items);
                let codes = self.all(&items, &mut join);
                return join.made(
                    if op == Builtin::And {
                        Kind::And(codes)
                    } else {
                        Kind::Or(codes)
                    },
                    at,
                );
            }
            _ => {}
        }
        let codes = args.iter().map(|&it| join.add(self.expr(it))).collect();
        join.made(builtin_kind(op, codes), at)
    }

    /// `x \in {y \in S : P}`.
    fn in_filter(&mut self, item: ExprId, set: ExprId, join: &mut Joined) -> Option<Kind<'i>> {
        let spec = self.spec;
        let ExprKind::SetFilter { bound, body } = &spec.exprs[set].kind else {
            return None;
        };
        let item = Box::new(join.add(self.expr(item)));
        let (bound, test) = self.one_binder(bound, *body, join);
        Some(Kind::InFilter { item, bound, test })
    }

    fn is_filter(&self, set: ExprId) -> bool {
        matches!(self.spec.exprs[set].kind, ExprKind::SetFilter { .. })
    }

    /// The items of a tuple, also through definitions.
    fn tuple_items(&self, expr: ExprId) -> Option<&[ExprId]> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Tuple(items) => Some(items),
            ExprKind::Label { body, .. } => self.tuple_items(*body),
            ExprKind::Call {
                op: IrOperator::Def(def),
                args,
            } if args.is_empty()
                && !self.spec.defs[*def].recursive
                && !self.definitions.contains_key(def) =>
            {
                self.tuple_items(self.spec.defs[*def].body)
            }
            _ => None,
        }
    }

    /// A nested tuple of variables, also through definitions.
    fn shape(&self, expr: ExprId) -> Option<Shape> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Decl(decl) => self.variables.get(decl).map(|&it| Shape::Var(it)),
            ExprKind::Tuple(items) => items
                .iter()
                .map(|&it| self.shape(it))
                .collect::<Option<_>>()
                .map(Shape::Tuple),
            ExprKind::Label { body, .. } => self.shape(*body),
            ExprKind::Call {
                op: IrOperator::Def(def),
                args,
            } if args.is_empty() => {
                let definition = &self.spec.defs[*def];
                if definition.recursive || self.definitions.contains_key(def) {
                    return None;
                }
                self.shape(definition.body)
            }
            _ => None,
        }
    }
}

/// A name whose uses are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Name {
    Local(LocalId),
    Let(DefId),
}

fn mentions(spec: &Spec, name: Name, expr: ExprId) -> bool {
    let mut found = false;
    tla_sema::walk(spec, expr, &mut |kind| {
        found |= match kind {
            ExprKind::Local(local) => name == Name::Local(*local),
            ExprKind::Call {
                op: IrOperator::Def(def),
                ..
            } => name == Name::Let(*def),
            _ => false,
        }
    });
    found
}

impl Shape {
    fn vars(&self, into: &mut Vec<VarId>) {
        match self {
            Shape::Var(var) => into.push(*var),
            Shape::Tuple(parts) => parts.iter().for_each(|it| it.vars(into)),
        }
    }
}

impl ScopeFrame {
    fn fresh(&mut self) -> u16 {
        let slot = self.next;
        self.next += 1;
        self.n_slots = self.n_slots.max(self.next);
        slot
    }

    fn place(&mut self, local: LocalId) -> u16 {
        let slot = self.fresh();
        self.places.insert(local, slot);
        slot
    }
}

/// Collects what the parts of an expression read.
struct Joined {
    lowest: u32,
    constant: bool,
    action: bool,
}

impl Joined {
    fn new() -> Joined {
        Joined {
            lowest: CLOSED,
            constant: true,
            action: false,
        }
    }

    fn add<'i>(&mut self, made: Made<'i>) -> Code<'i> {
        self.lowest = self.lowest.min(made.lowest);
        self.constant &= made.constant;
        self.action |= made.action;
        made.code
    }

    fn read(&mut self, place: Place) {
        self.lowest = self
            .lowest
            .min(if place.up == 0 { u32::from(place.slot) } else { 0 });
    }

    fn made<'i>(self, kind: Kind<'i>, at: ExprId) -> Made<'i> {
        let action = self.action || speaks_of_next(&kind);
        Made {
            code: Code { kind, at },
            lowest: self.lowest,
            constant: self.constant,
            action,
        }
    }
}

fn speaks_of_next(kind: &Kind<'_>) -> bool {
    matches!(
        kind,
        Kind::NextVar(_)
            | Kind::Prime(_)
            | Kind::Unchanged(_)
            | Kind::UnchangedVars(_)
            | Kind::EqShape { .. }
            | Kind::InShape { .. }
            | Kind::BoxAction(_)
            | Kind::AngleAction(_)
            | Kind::Compose(_)
    )
}

/// Formulas may assign values in an initial predicate, also behind a few definitions.
fn is_formula(code: &Code<'_>, program: &Program<'_>, depth: u32) -> bool {
    let go = |it: &Code<'_>| depth > 0 && is_formula(it, program, depth - 1);
    match &code.kind {
        Kind::And(_) | Kind::Or(_) | Kind::Implies(_) | Kind::Exists { .. } | Kind::Forall { .. } => true,
        Kind::Eq(_) | Kind::In(_) | Kind::SubsetEq(_) | Kind::InFilter { .. } => true,
        Kind::If(three) => go(&three[1]) || go(&three[2]),
        Kind::Case { arms, .. } => arms.iter().any(|(_, body)| go(body)),
        Kind::Let { body, .. } | Kind::Inlined { body, .. } | Kind::Kept { body, .. } => go(body),
        Kind::Call { proc, .. } => go(&program.procs[*proc].body),
        _ => false,
    }
}

/// How many definitions a formula, or a function without an end, may be behind.
const FORMULA_DEPTH: u32 = 8;

fn plain(kind: Kind<'_>, at: ExprId) -> Made<'_> {
    Made {
        code: Code { kind, at },
        lowest: CLOSED,
        constant: true,
        action: false,
    }
}

fn variable<'i>(var: VarId, at: ExprId) -> Made<'i> {
    Made {
        constant: false,
        ..plain(Kind::Var(var), at)
    }
}

fn read<'i>(place: Place, at: ExprId) -> Made<'i> {
    let mut join = Joined::new();
    join.read(place);
    join.made(Kind::Local(place), at)
}

/// The operands of nested `/\` or `\/` as one list.
fn flatten(spec: &Spec, op: Builtin, args: &[ExprId], items: &mut Vec<ExprId>) {
    let mut todo: Vec<ExprId> = args.iter().rev().copied().collect();
    while let Some(id) = todo.pop() {
        match &spec.exprs[id].kind {
            ExprKind::Builtin { op: inner, args } if *inner == op => todo.extend(args.iter().rev().copied()),
            _ => items.push(id),
        }
    }
}

fn builtin_kind<'i>(op: Builtin, args: Vec<Code<'i>>) -> Kind<'i> {
    let args = match <[Code<'i>; 2]>::try_from(args) {
        Ok(two) => return binary_kind(op, Box::new(two)),
        Err(args) => args,
    };
    match (op, <[Code<'i>; 1]>::try_from(args)) {
        (Builtin::Boolean, _) => Kind::Const(Value::booleans()),
        (Builtin::StringSet, _) => Kind::Const(Value::Symbolic(&Symbolic::Strings)),
        (_, Err(_)) => Kind::Fail("an operator with the wrong number of arguments"),
        (op, Ok([one])) => {
            let one = Box::new(one);
            match op {
                Builtin::Not => Kind::Not(one),
                Builtin::PowerSet => Kind::PowerSet(one),
                Builtin::Union => Kind::Union(one),
                Builtin::Domain => Kind::Domain(one),
                Builtin::Prime => Kind::Prime(one),
                Builtin::Enabled => Kind::Enabled(one),
                Builtin::Unchanged => Kind::Unchanged(one),
                _ => Kind::Fail("a temporal formula"),
            }
        }
    }
}

fn binary_kind<'i>(op: Builtin, two: Box<[Code<'i>; 2]>) -> Kind<'i> {
    match op {
        Builtin::And => Kind::And(two),
        Builtin::Or => Kind::Or(two),
        Builtin::Implies => Kind::Implies(two),
        Builtin::Equiv => Kind::Equiv(two),
        Builtin::Eq => Kind::Eq(two),
        Builtin::Neq => Kind::Neq(two),
        Builtin::In => Kind::In(two),
        Builtin::NotIn => Kind::NotIn(two),
        Builtin::SubsetEq => Kind::SubsetEq(two),
        Builtin::Cup => Kind::Cup(two),
        Builtin::Cap => Kind::Cap(two),
        Builtin::SetMinus => Kind::Minus(two),
        Builtin::Product => Kind::Times(two),
        Builtin::Compose => Kind::Compose(two),
        _ => Kind::Fail("a temporal formula"),
    }
}
