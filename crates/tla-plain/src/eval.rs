//! Expressions: one function over the whole language.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use tla_sema::Spec;
use tla_sema::ir::*;
use util::{FxHashMap, FxHashSet};
use value::Text;

use crate::env::{Binding, Closure, Entry, Env, Memo, Node, Reads, Thunk, View};
use crate::fuel::{level, spend};
use crate::sets::{Combination, combine, contains, elements, is_finite, least, subset, union_all};
use crate::value::{equal, place, undefined};
use crate::{Error, Interpreter, Large, Meaning, Result, Table, Value};

/// A search for an operand that decides, which an operand without a value ends, or not.
struct Seek {
    lenient: bool,
    trouble: Option<Error>,
}

impl Seek {
    fn new(view: View<'_>) -> Seek {
        Seek {
            lenient: view.lenient,
            trouble: None,
        }
    }

    fn found(&mut self, decides: Result<bool>) -> Result<bool> {
        match decides {
            Err(error @ (Error::Undefined(_) | Error::Unassigned(_))) if self.lenient => {
                self.trouble.get_or_insert(error);
                Ok(false)
            }
            other => other,
        }
    }

    /// Nothing has decided.
    fn ended(self) -> Result<()> {
        self.trouble.map_or(Ok(()), Err)
    }
}

/// The elements of an infinite set that pass a test.
#[derive(Clone)]
pub struct Filter {
    pub(crate) base: Value,
    pattern: Pattern,
    body: ExprId,
    env: Env,
    state: Option<Vec<Value>>,
    next: Option<Vec<Option<Value>>>,
    primed: bool,
    turn: u32,
    level: u32,
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({:?})", self.base)
    }
}

impl<'s> Interpreter<'s> {
    pub(crate) fn view<'v>(&self, state: Option<&'v [Value]>, next: Option<&'v [Option<Value>]>) -> View<'v> {
        View {
            state,
            next,
            moment: self.fresh(),
            step: self.fresh(),
            ..View::default()
        }
    }

    /// A number that tells states, or next values, apart from all others: see [`Memo`].
    pub(crate) fn fresh(&self) -> u64 {
        self.numbers.set(self.numbers.get() + 1);
        self.numbers.get()
    }

    pub(crate) fn note(&self, reads: Reads) {
        self.reads.set(self.reads.get().and(reads));
    }

    /// A value that may be known, or is to be kept.
    fn memoised(
        &self,
        view: View<'_>,
        known: Option<(Value, Reads)>,
        compute: impl FnOnce() -> Result<Value>,
        keep: impl FnOnce(Memo),
    ) -> Result<Value> {
        if let Some((value, reads)) = known {
            self.note(reads);
            return Ok(value);
        }
        let outer = self.reads.replace(Reads::default());
        let result = compute();
        let reads = self.reads.get();
        self.reads.set(outer.and(reads));
        let value = result?;
        keep(Memo::new(value.clone(), reads, view));
        Ok(value)
    }

    pub(crate) fn eval(&self, id: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        level(|| self.eval_here(id, env, view))
    }

    pub(crate) fn test(&self, id: ExprId, env: &Env, view: View<'_>) -> Result<bool> {
        self.eval(id, env, view)?.boolean()
    }

    pub(crate) fn set(&self, id: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        match self.eval(id, env, view)? {
            it @ (Value::Set(_) | Value::Large(_)) => Ok(it),
            other => undefined(format!("{other} is not a set")),
        }
    }

    fn eval_here(&self, id: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        let spec = self.spec;
        match &spec.exprs[id].kind {
            ExprKind::Bool(it) => Ok(Value::Bool(*it)),
            ExprKind::Int(it) => Ok(Value::int(*it)),
            ExprKind::BigInt { digits, radix } => {
                match num_bigint::BigInt::parse_bytes(digits.as_str().as_bytes(), *radix) {
                    Some(it) => Ok(Value::Int(it)),
                    None => undefined("a number that is not one"),
                }
            }
            ExprKind::Str(it) => Ok(Value::Str(Text::from(*it))),
            ExprKind::Local(local) => match env.find(*local) {
                Some(binding) => self.force(binding, view),
                None => undefined("a name that is bound nowhere"),
            },
            ExprKind::Decl(decl) => self.decl(*decl, view),
            ExprKind::Call { op, args } => self.call(*op, args, env, view),
            ExprKind::Builtin { op, args } => self.builtin(*op, args, env, view),
            ExprKind::If { test, then, other } => {
                let branch = if self.test(*test, env, view)? { then } else { other };
                self.eval(*branch, env, view)
            }
            ExprKind::Case { arms, other } => {
                for &(guard, body) in arms {
                    if self.test(guard, env, view)? {
                        return self.eval(body, env, view);
                    }
                }
                match other {
                    Some(other) => self.eval(*other, env, view),
                    None => undefined("no guard of the CASE is true"),
                }
            }
            ExprKind::Let { defs, body } => self.eval(*body, &env.lets(defs), view),
            ExprKind::Label { body, .. } => self.eval(*body, env, view),
            ExprKind::Quant {
                kind: kind @ (Quant::Forall | Quant::Exists),
                bounds,
                body,
            } => {
                // Looks for an element that decides.
                let decisive = *kind == Quant::Exists;
                let mut seek = Seek::new(view);
                let found = self.each(bounds, env, view, &mut |env| {
                    seek.found(self.test(*body, env, view).map(|it| it == decisive))
                })?;
                if !found {
                    seek.ended()?;
                }
                Ok(Value::Bool(found == decisive))
            }
            ExprKind::Choose { bound, body } => self.choose(bound, *body, env, view),
            ExprKind::SetEnum(items) => {
                let items = items
                    .iter()
                    .map(|&it| self.eval(it, env, view))
                    .collect::<Result<_>>()?;
                Value::set(items)
            }
            ExprKind::SetFilter { bound, body } => self.filter(bound, *body, env, view),
            ExprKind::SetMap { bounds, body } => {
                let mut all = vec![];
                self.each(bounds, env, view, &mut |env| {
                    all.push(self.eval(*body, env, view)?);
                    Ok(false)
                })?;
                Value::set(all)
            }
            ExprKind::FnLiteral { bounds, body } => self.function(bounds, *body, env, view),
            ExprKind::FnApply { function, arg } => self.apply(*function, *arg, env, view),
            ExprKind::FnSet { domain, range } => Ok(Value::large(Large::Functions(
                self.set(*domain, env, view)?,
                self.set(*range, env, view)?,
            ))),
            ExprKind::Record(fields) => {
                let mut sorted = fields.to_vec();
                sorted.sort_by_key(|(name, _)| name.as_str());
                let field = |&(name, it): &(util::Symbol, ExprId)| {
                    Ok((Value::Str(Text::from(name)), self.eval(it, env, view)?))
                };
                Value::function(sorted.iter().map(field).collect::<Result<_>>()?)
            }
            ExprKind::RecordSet(fields) => {
                let mut sorted = fields.to_vec();
                sorted.sort_by_key(|(name, _)| name.as_str());
                let field =
                    |&(name, it): &(util::Symbol, ExprId)| Ok((Text::from(name), self.set(it, env, view)?));
                Ok(Value::large(Large::Records(
                    sorted.iter().map(field).collect::<Result<_>>()?,
                )))
            }
            ExprKind::Select { record, field } => self.select(*record, *field, env, view),
            ExprKind::Except { function, updates } => {
                let mut function = self.eval(*function, env, view)?;
                for update in updates {
                    function = self.update(&function, &update.path, update, env, view)?;
                }
                Ok(function)
            }
            ExprKind::Tuple(items) => Ok(Value::tuple(
                items
                    .iter()
                    .map(|&it| self.eval(it, env, view))
                    .collect::<Result<_>>()?,
            )),
            ExprKind::Times(items) => {
                let sets = items
                    .iter()
                    .map(|&it| self.set(it, env, view))
                    .collect::<Result<_>>()?;
                Ok(Value::large(Large::Product(sets)))
            }
            ExprKind::BoxAction { action, subscript } => {
                Ok(Value::Bool(self.is_box_step(*action, *subscript, env, view)?))
            }
            ExprKind::AngleAction { action, subscript } => {
                Ok(Value::Bool(self.is_angle_step(*action, *subscript, env, view)?))
            }
            ExprKind::Error => undefined("an expression with errors"),
            ExprKind::Decimal(_) => undefined("a decimal number"),
            ExprKind::OpRef(_) | ExprKind::BuiltinRef(_) | ExprKind::Lambda { .. } => {
                undefined("an operator where a value is needed")
            }
            ExprKind::Quant { .. } | ExprKind::Fairness { .. } => undefined("a temporal formula"),
            ExprKind::UnboundedQuant { .. } | ExprKind::UnboundedChoose { .. } => undefined("no bound"),
        }
    }

    pub(crate) fn force(&self, binding: &Binding, view: View<'_>) -> Result<Value> {
        match binding {
            Binding::Value(value) => Ok(value.clone()),
            Binding::Operator(_) => undefined("an operator where a value is needed"),
            Binding::Thunk(thunk) => {
                let view = View {
                    primed: thunk.is_primed(view),
                    ..view
                };
                let known = good(thunk.memo.borrow().as_ref(), view);
                let compute = || self.eval(thunk.expr, &thunk.env, view);
                self.memoised(view, known, compute, |memo| *thunk.memo.borrow_mut() = Some(memo))
            }
        }
    }

    /// Whether an argument was evaluated already, and would have the same value again.
    pub(crate) fn is_evaluated(&self, thunk: &Thunk, view: View<'_>) -> bool {
        let view = View {
            primed: thunk.is_primed(view),
            ..view
        };
        good(thunk.memo.borrow().as_ref(), view).is_some()
    }

    fn decl(&self, decl: DeclId, view: View<'_>) -> Result<Value> {
        if let Some(&index) = self.variables.get(&decl) {
            self.note(if view.primed { Reads::NEXT } else { Reads::STATE });
            return match (view.primed, view.state, view.next) {
                (true, _, Some(next)) => next.get(index).cloned().flatten().ok_or(Error::Unassigned(index)),
                (true, _, None) => Err(Error::Unassigned(index)),
                // A hidden variable has no value in any state.
                (false, Some(state), _) if index < state.len() => Ok(state[index].clone()),
                (false, _, _) => undefined("a variable outside any state"),
            };
        }
        match self.constants.get(&decl) {
            Some(Meaning::Value(value)) => Ok(value.clone()),
            Some(Meaning::Def(def)) => self.call(Operator::Def(*def), &[], &Env::default(), view),
            Some(Meaning::Decl(other)) if *other != decl => self.decl(*other, view),
            Some(Meaning::Decl(_) | Meaning::Table(_)) | None => undefined("a constant without a value"),
        }
    }

    /// The operator that a call names.
    pub(crate) fn closure(&self, op: Operator, env: &Env) -> Result<Rc<Closure>> {
        match op {
            Operator::Def(def) => match self.overrides.get(&def) {
                Some(Meaning::Def(other)) if *other != def => self.closure(Operator::Def(*other), env),
                Some(Meaning::Decl(decl)) if self.spec.decls[*decl].arity > 0 => {
                    self.closure(Operator::Decl(*decl), env)
                }
                _ => Ok(Rc::new(Closure::Def(
                    def,
                    env.find_let(def).cloned().unwrap_or_default(),
                ))),
            },
            Operator::Decl(decl) => match self.constants.get(&decl) {
                Some(Meaning::Def(def)) => self.closure(Operator::Def(*def), &Env::default()),
                Some(Meaning::Decl(other)) if *other != decl => self.closure(Operator::Decl(*other), env),
                Some(Meaning::Table(table)) => Ok(Rc::new(Closure::Table(table.clone()))),
                _ => undefined("a constant operator without a definition"),
            },
            Operator::Local(local) => match env.find(local) {
                Some(Binding::Operator(closure)) => Ok(closure.clone()),
                _ => undefined("an operator that is bound nowhere"),
            },
        }
    }

    /// Whether a definition is a value of its own, whatever its body says.
    pub(crate) fn has_value(&self, def: DefId) -> bool {
        let definition = &self.spec.defs[def];
        match self.overrides.get(&def) {
            Some(Meaning::Value(_) | Meaning::Decl(_) | Meaning::Table(_)) => true,
            _ => definition.params.is_empty() && tla_sema::is_fresh_value(self.spec, definition),
        }
    }

    /// Whether a conjunct is a value of its own, which holds or not, however many ways there are to see it: a constant with a name,
    /// or one in the next state.
    pub(crate) fn is_known_value(&self, expr: ExprId) -> bool {
        if let Some(&known) = self.known_values.borrow().get(&expr) {
            return known;
        }
        let is_constant = |expr| self.levels.borrow_mut().of(expr) == Level::Constant;
        let answer = match &self.spec.exprs[expr].kind {
            ExprKind::Call { op, args } => {
                let is_named = match op {
                    Operator::Def(def) => !is_local(self.spec, *def),
                    Operator::Decl(_) => true,
                    Operator::Local(_) => false,
                };
                args.is_empty() && is_named && is_constant(expr)
            }
            ExprKind::Builtin {
                op: Builtin::Prime,
                args,
            } => self.is_closed_constant(args[0]),
            _ => false,
        };
        self.known_values.borrow_mut().insert(expr, answer);
        answer
    }

    /// Whether an expression speaks of no state and of no name that is bound around it.
    pub(crate) fn is_closed_constant(&self, expr: ExprId) -> bool {
        self.levels.borrow_mut().of(expr) == Level::Constant && is_closed(self.spec, expr)
    }

    /// An argument of a call, unevaluated.
    pub(crate) fn argument(&self, arg: ExprId, env: &Env, view: View<'_>) -> Result<Binding> {
        Ok(match &self.spec.exprs[arg].kind {
            ExprKind::OpRef(op) => Binding::Operator(self.closure(*op, env)?),
            ExprKind::BuiltinRef(op) => Binding::Operator(Rc::new(Closure::Builtin(*op))),
            ExprKind::Lambda { params, body } => {
                Binding::Operator(Rc::new(Closure::Lambda(params.clone(), *body, env.clone())))
            }
            _ => Binding::Thunk(Rc::new(Thunk {
                expr: arg,
                env: env.clone(),
                primed: view.primed,
                turn: view.turn,
                memo: RefCell::default(),
            })),
        })
    }

    fn call(&self, op: Operator, args: &[ExprId], env: &Env, view: View<'_>) -> Result<Value> {
        if let Operator::Decl(decl) = op
            && args.is_empty()
        {
            return self.decl(decl, view);
        }
        let closure = self.closure(op, env)?;
        let bindings = args
            .iter()
            .map(|&it| self.argument(it, env, view))
            .collect::<Result<Vec<_>>>()?;
        self.apply_closure(&closure, bindings, view)
    }

    /// The body of an operator and what its parameters mean there; nothing for a built-in one.
    pub(crate) fn unfold(&self, closure: &Closure, args: Vec<Binding>) -> Option<(ExprId, Env)> {
        let (params, body, env) = match closure {
            Closure::Builtin(_) | Closure::Table(_) => return None,
            Closure::Lambda(params, body, env) => (&**params, *body, env),
            Closure::Def(def, env) => (&*self.spec.defs[*def].params, self.spec.defs[*def].body, env),
        };
        let env = params
            .iter()
            .zip(args)
            .fold(env.clone(), |env, (&param, arg)| env.bind(param, arg));
        Some((body, env))
    }

    pub(crate) fn apply_closure(
        &self,
        closure: &Closure,
        args: Vec<Binding>,
        view: View<'_>,
    ) -> Result<Value> {
        // These are about what is written, not about its value.
        let of_formulas = [Builtin::Prime, Builtin::Unchanged, Builtin::Enabled];
        if let (Closure::Builtin(op), [Binding::Thunk(thunk)]) = (closure, &args[..])
            && of_formulas.contains(op)
        {
            let primed = thunk.is_primed(view);
            return self.builtin(*op, &[thunk.expr], &thunk.env, View { primed, ..view });
        }
        match closure {
            Closure::Builtin(op) => {
                let values = args
                    .iter()
                    .map(|it| self.force(it, view))
                    .collect::<Result<Vec<_>>>()?;
                self.operate(*op, &values)
            }
            Closure::Def(def, env) => self.definition(*def, env, args, view),
            Closure::Table(table) => self.look_up(table, &args, view),
            Closure::Lambda(..) => match self.unfold(closure, args) {
                Some((body, env)) => self.eval(body, &env, view),
                None => undefined("an operator without a body"),
            },
        }
    }

    /// An operator that the configuration gives by its values.
    fn look_up(&self, table: &Table, args: &[Binding], view: View<'_>) -> Result<Value> {
        let args = args
            .iter()
            .map(|it| self.force(it, view))
            .collect::<Result<Vec<_>>>()?;
        'rows: for (keys, value) in table.iter() {
            for (key, arg) in keys.iter().zip(&args) {
                if !equal(key, arg)? {
                    continue 'rows;
                }
            }
            return Ok(value.clone());
        }
        undefined("an operator has no value for these arguments")
    }

    fn definition(&self, def: DefId, env: &Env, args: Vec<Binding>, view: View<'_>) -> Result<Value> {
        match self.overrides.get(&def) {
            Some(Meaning::Table(table)) => return self.look_up(table, &args, view),
            Some(Meaning::Value(value)) => return Ok(value.clone()),
            Some(Meaning::Decl(decl)) => return self.decl(*decl, view),
            Some(Meaning::Def(other)) if *other != def => {
                return self.definition(*other, &Env::default(), args, view);
            }
            _ => {}
        }
        if let Some(result) = self.library(def, &args, view) {
            return result;
        }
        let definition = &self.spec.defs[def];
        if definition.params.is_empty() && tla_sema::is_fresh_value(self.spec, definition) {
            return Ok(Value::Model(Text::from(definition.name)));
        }
        if !definition.params.is_empty() {
            return match self.unfold(&Closure::Def(def, env.clone()), args) {
                Some((body, env)) => self.eval(body, &env, view),
                None => undefined("an operator without a body"),
            };
        }
        if let Some(Node {
            entry: Entry::Lets(defs, memos),
            ..
        }) = env.0.as_deref()
            && defs.contains(&def)
        {
            return self.let_value(def, env, memos, view);
        }
        let known = good(self.known.borrow().get(&(def, view.primed)), view);
        let compute = || self.eval(definition.body, &Env::default(), view);
        self.memoised(view, known, compute, |memo| {
            self.known.borrow_mut().insert((def, view.primed), memo);
        })
    }

    fn let_value(
        &self,
        def: DefId,
        env: &Env,
        memos: &RefCell<FxHashMap<DefId, Memo>>,
        view: View<'_>,
    ) -> Result<Value> {
        let known = good(memos.borrow().get(&def), view);
        let compute = || self.eval(self.spec.defs[def].body, env, view);
        self.memoised(view, known, compute, |memo| {
            memos.borrow_mut().insert(def, memo);
        })
    }

    /// Runs `visit` for every combination of the bounds until it says stop.
    pub(crate) fn each(
        &self,
        bounds: &[Bound],
        env: &Env,
        view: View<'_>,
        visit: &mut dyn FnMut(&Env) -> Result<bool>,
    ) -> Result<bool> {
        let Some((bound, rest)) = bounds.split_first() else {
            return visit(env);
        };
        let set = self.set(bound.set, env, view)?;
        for item in elements(&set)?.iter() {
            spend(1)?;
            let env = bind_pattern(&bound.pattern, item, env)?;
            if self.each(rest, &env, view, visit)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn choose(&self, bound: &Bound, body: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        let set = self.set(bound.set, env, view)?;
        let items = elements(&set)?;
        let found = least(&items, |item| {
            self.test(body, &bind_pattern(&bound.pattern, item, env)?, view)
        })?;
        match found {
            Some(item) => Ok(item.clone()),
            None => undefined("no element for CHOOSE"),
        }
    }

    fn filter(&self, bound: &Bound, body: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        let base = self.set(bound.set, env, view)?;
        if is_finite(&base) != Ok(true) {
            // Its test will read these states, whenever it is asked.
            self.note(Reads::STATE.and(Reads::NEXT));
            return Ok(Value::large(Large::Filter(Filter {
                base,
                pattern: bound.pattern.clone(),
                body,
                env: env.clone(),
                state: view.state.map(<[Value]>::to_vec),
                next: view.next.map(<[Option<Value>]>::to_vec),
                primed: view.primed,
                turn: view.turn,
                level: view.level,
            })));
        }
        let mut kept = vec![];
        for item in elements(&base)?.iter() {
            if self.test(body, &bind_pattern(&bound.pattern, item, env)?, view)? {
                kept.push(item.clone());
            }
        }
        Value::set(kept)
    }

    pub(crate) fn passes(&self, filter: &Filter, item: &Value) -> Result<bool> {
        let env = bind_pattern(&filter.pattern, item, &filter.env)?;
        let view = self.view(filter.state.as_deref(), filter.next.as_deref());
        self.test(
            filter.body,
            &env,
            View {
                primed: filter.primed,
                turn: filter.turn,
                level: filter.level,
                ..view
            },
        )
    }

    fn function(&self, bounds: &[Bound], body: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        let domain = self.domain_of(bounds, env, view)?;
        let mut pairs = vec![];
        let args = elements(&domain)?;
        if args.is_empty() {
            // Beside an empty set, too, an element that does not fit its pattern is an error.
            self.each(bounds, env, view, &mut |_| Ok(false))?;
        }
        for arg in args.iter() {
            let env = bind_argument(bounds, arg, env)?;
            pairs.push((arg.clone(), self.eval(body, &env, view)?));
        }
        Value::function(pairs)
    }

    pub(crate) fn domain_of(&self, bounds: &[Bound], env: &Env, view: View<'_>) -> Result<Value> {
        let mut sets = vec![];
        for bound in bounds {
            sets.push(self.set(bound.set, env, view)?);
        }
        Ok(match &sets[..] {
            [one] => one.clone(),
            _ => Value::large(Large::Product(sets)),
        })
    }

    /// For a function whose values are actions, the one for this argument.
    pub(crate) fn action_of_function(
        &self,
        function: ExprId,
        arg: ExprId,
        env: &Env,
        view: View<'_>,
    ) -> Result<Option<(ExprId, Env)>> {
        match self.written_out(function, env, view)? {
            Some((bounds, body, home, _)) if self.levels.borrow_mut().of(body) >= Level::Action => {
                let domain = self.domain_of(bounds, &home, view)?;
                let arg = self.argument_in(&domain, arg, env, view)?;
                Ok(Some((body, bind_argument(bounds, &arg, &home)?)))
            }
            _ => Ok(None),
        }
    }

    /// The value of an argument, which must be in the domain.
    fn argument_in(&self, domain: &Value, arg: ExprId, env: &Env, view: View<'_>) -> Result<Value> {
        self.checked_argument(domain, self.eval(arg, env, view)?)
    }

    pub(crate) fn update(
        &self,
        function: &Value,
        path: &[ExprId],
        update: &Update,
        env: &Env,
        view: View<'_>,
    ) -> Result<Value> {
        let Some((&first, rest)) = path.split_first() else {
            return self.eval(
                update.value,
                &env.bind(update.at, Binding::Value(function.clone())),
                view,
            );
        };
        let arg = self.eval(first, env, view)?;
        let mut pairs = function.pairs()?.to_vec();
        if let Some(at) = place(&pairs, &arg)? {
            pairs[at].1 = self.update(&pairs[at].1, rest, update, env, view)?;
        }
        // Outside the domain nothing changes.
        Ok(Value::Fun(Rc::new(pairs)))
    }

    pub(crate) fn unchanged(&self, expr: ExprId, env: &Env, view: View<'_>) -> Result<bool> {
        let before = self.eval(expr, env, view)?;
        let after = self.eval(expr, env, View { primed: true, ..view })?;
        equal(&before, &after)
    }

    /// `[A]_v`: a step that leaves `v` alone is one, whatever becomes of `A`; then `A` decides. That `v' = v` may have no value
    /// matters only where neither does.
    pub(crate) fn is_box_step(
        &self,
        action: ExprId,
        subscript: ExprId,
        env: &Env,
        view: View<'_>,
    ) -> Result<bool> {
        Ok(self.surely_stays(subscript, env, view)?
            || self.test(action, env, view)?
            || self.unchanged(subscript, env, view)?)
    }

    /// `<<A>>_v`, by the same rule.
    pub(crate) fn is_angle_step(
        &self,
        action: ExprId,
        subscript: ExprId,
        env: &Env,
        view: View<'_>,
    ) -> Result<bool> {
        Ok(!self.surely_stays(subscript, env, view)?
            && self.test(action, env, view)?
            && !self.unchanged(subscript, env, view)?)
    }

    /// Whether a subscript is sure to be left alone.
    fn surely_stays(&self, subscript: ExprId, env: &Env, view: View<'_>) -> Result<bool> {
        match self.unchanged(subscript, env, view) {
            Err(Error::Undefined(_) | Error::Unassigned(_)) => Ok(false),
            other => other,
        }
    }

    fn builtin(&self, op: Builtin, args: &[ExprId], env: &Env, view: View<'_>) -> Result<Value> {
        match op {
            Builtin::And | Builtin::Or => {
                let decisive = op == Builtin::Or;
                let mut seek = Seek::new(view);
                for &arg in args {
                    if seek.found(self.test(arg, env, view).map(|it| it == decisive))? {
                        return Ok(Value::Bool(decisive));
                    }
                }
                seek.ended()?;
                Ok(Value::Bool(!decisive))
            }
            Builtin::Implies => Ok(Value::Bool(
                !self.test(args[0], env, view)? || self.test(args[1], env, view)?,
            )),
            Builtin::Domain => self.domain(args[0], env, view),
            Builtin::Prime => self.eval(args[0], env, View { primed: true, ..view }),
            Builtin::Unchanged => Ok(Value::Bool(self.unchanged(args[0], env, view)?)),
            Builtin::Enabled => self.enabled(args[0], env, view).map(Value::Bool),
            Builtin::Compose => self.composed(args[0], args[1], env, view).map(Value::Bool),
            Builtin::In | Builtin::NotIn => {
                let inside = self.member(args[0], args[1], env, view)?;
                Ok(Value::Bool(inside == (op == Builtin::In)))
            }
            _ => {
                let values = args
                    .iter()
                    .map(|&it| self.eval(it, env, view))
                    .collect::<Result<Vec<_>>>()?;
                self.operate(op, &values)
            }
        }
    }

    /// `item \in set`, where a filter is not listed first.
    fn member(&self, item: ExprId, set: ExprId, env: &Env, view: View<'_>) -> Result<bool> {
        let item = self.eval(item, env, view)?;
        if let ExprKind::SetFilter { bound, body } = &self.spec.exprs[set].kind {
            let base = self.set(bound.set, env, view)?;
            return Ok(contains(Some(self), &base, &item)?
                && self.test(*body, &bind_pattern(&bound.pattern, &item, env)?, view)?);
        }
        contains(Some(self), &self.eval(set, env, view)?, &item)
    }

    /// A built-in operator on values.
    pub(crate) fn operate(&self, op: Builtin, values: &[Value]) -> Result<Value> {
        let boolean = |result: Result<bool>| result.map(Value::Bool);
        match (op, values) {
            (Builtin::Boolean, _) => Value::set(vec![Value::Bool(false), Value::Bool(true)]),
            (Builtin::StringSet, _) => Ok(Value::large(Large::Strings)),
            (Builtin::Not, [a]) => boolean(a.boolean().map(|it| !it)),
            (Builtin::PowerSet, [a @ (Value::Set(_) | Value::Large(_))]) => {
                Ok(Value::large(Large::Power(a.clone())))
            }
            (Builtin::Union, [a]) => union_all(self, a),
            (Builtin::Domain, [a]) => Value::set(a.pairs()?.iter().map(|(key, _)| key.clone()).collect()),
            (Builtin::And, [a, b]) => boolean(Ok(a.boolean()? && b.boolean()?)),
            (Builtin::Or, [a, b]) => boolean(Ok(a.boolean()? || b.boolean()?)),
            (Builtin::Implies, [a, b]) => boolean(Ok(!a.boolean()? || b.boolean()?)),
            (Builtin::Equiv, [a, b]) => boolean(Ok(a.boolean()? == b.boolean()?)),
            (Builtin::Eq, [a, b]) => boolean(equal(a, b)),
            (Builtin::Neq, [a, b]) => boolean(equal(a, b).map(|it| !it)),
            (Builtin::In, [a, b]) => boolean(contains(Some(self), b, a)),
            (Builtin::NotIn, [a, b]) => boolean(contains(Some(self), b, a).map(|it| !it)),
            (Builtin::SubsetEq, [a, b]) => boolean(subset(Some(self), a, b)),
            (Builtin::Cup, [a, b]) => combine(self, a, b, Combination::Union),
            (Builtin::Cap, [a, b]) => combine(self, a, b, Combination::Intersection),
            (Builtin::SetMinus, [a, b]) => combine(self, a, b, Combination::Difference),
            (Builtin::Product, [a, b]) => Ok(Value::large(Large::Product(vec![a.clone(), b.clone()]))),
            _ => undefined("a temporal formula, or something that is not a set"),
        }
    }
}

/// Whether every name in an expression that is bound somewhere is bound in it.
fn is_closed(spec: &Spec, expr: ExprId) -> bool {
    let mut names = Names::default();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        tla_sema::walk(spec, expr, &mut |kind| {
            names.note(spec, kind);
            if let ExprKind::Let { defs, .. } = kind {
                todo.extend(defs.iter().map(|&it| spec.defs[it].body));
            }
        });
    }
    names.used.iter().all(|it| names.bound.contains(it))
        && names.called.iter().all(|it| names.defined.contains(it))
}

/// Whether a definition is one of a `LET`.
fn is_local(spec: &Spec, def: DefId) -> bool {
    !spec.modules[spec.defs[def].module].defs.contains(&def) && spec.defs[def].origin.is_none()
}

/// What is used in an expression, and what is bound there.
#[derive(Default)]
struct Names {
    used: Vec<LocalId>,
    bound: FxHashSet<LocalId>,
    /// Definitions of a `LET`.
    called: Vec<DefId>,
    defined: FxHashSet<DefId>,
}

impl Names {
    fn note(&mut self, spec: &Spec, kind: &ExprKind) {
        let is_local = |def: &DefId| is_local(spec, *def);
        match kind {
            ExprKind::Local(local)
            | ExprKind::Call {
                op: Operator::Local(local),
                ..
            }
            | ExprKind::OpRef(Operator::Local(local)) => self.used.push(*local),
            ExprKind::Call {
                op: Operator::Def(def),
                ..
            }
            | ExprKind::OpRef(Operator::Def(def))
                if is_local(def) =>
            {
                self.called.push(*def);
            }
            ExprKind::Lambda { params, .. } => self.bound.extend(params),
            ExprKind::Quant { bounds, .. }
            | ExprKind::SetMap { bounds, .. }
            | ExprKind::FnLiteral { bounds, .. } => {
                self.bound
                    .extend(bounds.iter().flat_map(|it| it.pattern.locals()));
            }
            ExprKind::Choose { bound, .. } | ExprKind::SetFilter { bound, .. } => {
                self.bound.extend(bound.pattern.locals());
            }
            ExprKind::Except { updates, .. } => self.bound.extend(updates.iter().map(|it| it.at)),
            ExprKind::Let { defs, .. } => {
                self.defined.extend(defs);
                self.bound
                    .extend(defs.iter().flat_map(|&it| &spec.defs[it].params));
            }
            _ => {}
        }
    }
}

/// What is known for this view.
fn good(memo: Option<&Memo>, view: View<'_>) -> Option<(Value, Reads)> {
    memo.filter(|it| it.is_good(view))
        .map(|it| (it.value.clone(), it.reads))
}

/// Binds the names of a pattern to a value.
pub(crate) fn bind_pattern(pattern: &Pattern, value: &Value, env: &Env) -> Result<Env> {
    match pattern {
        Pattern::One(local) => Ok(env.bind(*local, Binding::Value(value.clone()))),
        Pattern::Tuple(locals) => match value.items() {
            Ok(items) if items.len() == locals.len() => {
                let pairs = locals.iter().zip(items);
                Ok(pairs.fold(env.clone(), |env, (&local, item)| {
                    env.bind(local, Binding::Value(item))
                }))
            }
            _ => undefined(format!("{value} is not a tuple of {}", locals.len())),
        },
    }
}

/// Binds the names of a function to its argument: with several bounds, a tuple with a place for each.
pub(crate) fn bind_argument(bounds: &[Bound], arg: &Value, env: &Env) -> Result<Env> {
    if let [one] = bounds {
        return bind_pattern(&one.pattern, arg, env);
    }
    let items = arg.items()?;
    if items.len() != bounds.len() {
        return undefined(format!("{arg} is not a tuple of {}", bounds.len()));
    }
    bounds
        .iter()
        .zip(items)
        .try_fold(env.clone(), |env, (bound, item)| {
            bind_pattern(&bound.pattern, &item, &env)
        })
}
