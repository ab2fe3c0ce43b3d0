//! Why a predicate is false: the innermost part that decides it, and the values that it is about.
//!
//! A false conjunction is false because of its first false conjunct, `\A` because of an instance, an implication because
//! of its consequent; under a negation the same is asked of what is true. So one walks down, through definitions, until
//! a part has no deciding part of its own. The evaluator without tables does it; nothing is printed or stored.

use tla_sema::Spec;
use tla_sema::ir::{DeclId, DeclKind, DefId, ExprId, ExprKind, LocalId, Operator};
use util::{FxHashMap, Symbol};
use value::Arena;

use crate::code::{Bound, Code, Kind, ProcId};
use crate::effects::Quiet;
use crate::machine::Machine;
use crate::model::TlaModel;

/// The part that decides.
#[derive(Clone, Debug)]
pub struct Blame {
    pub at: ExprId,
    /// The value that it has; another one would have been right.
    pub is: bool,
    /// The innermost definition that it is part of.
    pub inside: Option<DefId>,
    /// Which of how many conjuncts, if it is one of its definition.
    pub conjunct: Option<(usize, usize)>,
    /// Bound names and variables in it with their values, as TLA+ text.
    pub names: Vec<(Symbol, String)>,
    /// The sides of a comparison that are more than a name, with their values.
    pub sides: Vec<(ExprId, String)>,
}

impl<'i> TlaModel<'i> {
    /// Why the predicate is false in a state, which is at `depth`, or in a step from it.
    pub fn blame(
        &self,
        spec: &Spec,
        proc: ProcId,
        state: &[u32],
        next: Option<&[u32]>,
        depth: u32,
    ) -> Option<Blame> {
        let arena = self.heap.arena();
        self.blame_in((arena, arena), spec, proc, state, next, depth)
    }

    /// As [`TlaModel::blame`], with values and constants in arenas of the caller.
    pub(crate) fn blame_in(
        &self,
        (arena, constants): (&Arena, &'i Arena),
        spec: &Spec,
        proc: ProcId,
        state: &[u32],
        next: Option<&[u32]>,
        depth: u32,
    ) -> Option<Blame> {
        let quiet = Quiet::new(self.compiled.effects);
        let mut machine = Machine::new(self.compiled.program, arena, constants, &quiet);
        self.set_current(&mut machine, state);
        if let Some(next) = next {
            self.set_next(&mut machine, next, false);
        }
        machine.state.level = depth;
        let base = machine.begin(proc, 0);
        machine.fill_frame(proc, base);
        machine.base = base;
        let code = &self.compiled.program.procs[proc].body;
        let mut walk = Walk {
            machine,
            spec,
            code,
            wanted: true,
            inside: self.compiled.program.procs[proc].def,
            conjunct: None,
            cells: FxHashMap::default(),
        };
        while walk.deeper() {}
        walk.blame()
    }
}

struct Walk<'w, 'i> {
    machine: Machine<'w, 'i>,
    spec: &'w Spec,
    code: &'i Code<'i>,
    /// The value that `code` should have and has not.
    wanted: bool,
    inside: Option<DefId>,
    conjunct: Option<(usize, usize)>,
    /// Where the names on the way have their values.
    cells: FxHashMap<LocalId, usize>,
}

impl<'w, 'i: 'w> Walk<'w, 'i> {
    /// Goes to the part that decides, if there is one.
    fn deeper(&mut self) -> bool {
        let code = self.code;
        match (&code.kind, self.wanted) {
            (Kind::And(items), true) | (Kind::Or(items), false) => {
                let Some(at) = items.iter().position(|it| self.is(it) == Some(!self.wanted)) else {
                    return false;
                };
                if self.wanted && self.conjunct.is_none() && items.len() > 1 {
                    self.conjunct = Some((at + 1, items.len()));
                }
                self.code = &items[at];
            }
            (Kind::Not(inner), _) => {
                self.code = inner;
                self.wanted = !self.wanted;
            }
            (Kind::Implies(two), true) => self.code = &two[1],
            (Kind::Forall { bounds, body, .. }, true) | (Kind::Exists { bounds, body }, false) => {
                if !self.instance(bounds, body) {
                    return false;
                }
                self.name_bounds(bounds);
                self.code = body;
            }
            (Kind::If(three), _) => match self.is(&three[0]) {
                Some(test) => self.code = &three[if test { 1 } else { 2 }],
                None => return false,
            },
            (Kind::Case { arms, other }, _) => {
                let arm = arms.iter().find(|(guard, _)| self.is(guard) == Some(true));
                match arm.map(|it| &it.1).or(other.as_deref()) {
                    Some(body) => self.code = body,
                    None => return false,
                }
            }
            (Kind::Let { slots, body }, _) => {
                self.machine.bind_let(slots);
                self.code = body;
            }
            (Kind::Kept { body, .. }, _) => self.code = body,
            (Kind::Inlined { proc, args, body }, _) => {
                if self.machine.bind_args(args).is_err() {
                    return false;
                }
                let base = self.machine.base;
                let params = args.iter().map(|it| (it.param, base + it.slot as usize));
                self.cells.extend(params);
                self.code = body;
                if let Some(proc) = proc {
                    self.inside = self.machine.program.procs[*proc].def;
                    self.conjunct = None;
                }
            }
            (Kind::Call { proc, link, args }, _) => {
                let link = self.machine.link_base(*link);
                let base = self.machine.begin(*proc, link);
                if self.machine.push_args(args).is_err() {
                    return false;
                }
                self.machine.fill_frame(*proc, base);
                self.machine.base = base;
                self.enter(*proc, base);
            }
            _ => return false,
        }
        true
    }

    fn enter(&mut self, proc: ProcId, base: usize) {
        let program = self.machine.program;
        let proc = &program.procs[proc];
        if let Some(def) = proc.def {
            let first = base + usize::from(proc.linked);
            let params = self.spec.defs[def].params.iter().copied();
            self.cells.extend(params.zip(first..));
        }
        self.code = &proc.body;
        self.inside = proc.def;
        self.conjunct = None;
    }

    /// The truth of a part; nothing when it cannot be evaluated.
    fn is(&mut self, code: &'i Code<'i>) -> Option<bool> {
        let value = self.machine.holds(code).ok();
        self.machine.error = None;
        value
    }

    /// Binds the names to values for which the body is not what is wanted.
    fn instance(&mut self, bounds: &'i [Bound<'i>], body: &'i Code<'i>) -> bool {
        let Some((bound, rest)) = bounds.split_first() else {
            return self.is(body) == Some(!self.wanted);
        };
        let machine = &mut self.machine;
        let items = machine
            .bound_set(bound)
            .and_then(|set| machine.elements(set, bound.set.at));
        let Ok(mut items) = items else {
            self.machine.error = None;
            return false;
        };
        while let Some(item) = items.next(self.machine.arena) {
            if self.machine.bind(&bound.pattern, item, bound.set.at).is_err() {
                self.machine.error = None;
                return false;
            }
            if self.instance(rest, body) {
                return true;
            }
        }
        false
    }

    fn name_bounds(&mut self, bounds: &[Bound<'i>]) {
        let ExprKind::Quant { bounds: named, .. } = &self.spec.exprs[self.code.at].kind else {
            return;
        };
        for (bound, named) in bounds.iter().zip(named) {
            let slots = match &bound.pattern {
                crate::code::Pattern::One(slot) => std::slice::from_ref(slot),
                crate::code::Pattern::Tuple(slots) => slots,
            };
            let cells = slots.iter().map(|&it| self.machine.base + it as usize);
            self.cells
                .extend(named.pattern.locals().iter().copied().zip(cells));
        }
    }

    fn blame(mut self) -> Option<Blame> {
        let (names, sides) = (self.names(), self.sides());
        Some(Blame {
            at: self.code.at,
            is: !self.wanted,
            inside: self.inside,
            conjunct: self.conjunct,
            names,
            sides,
        })
    }

    /// The bound names and the variables of the part; if it has none of its own, those of the definitions that it uses.
    fn names(&mut self) -> Vec<(Symbol, String)> {
        let mut used = Used::default();
        used.collect(self.spec, self.code.at);
        if used.locals.is_empty() && used.variables.is_empty() {
            for def in std::mem::take(&mut used.definitions) {
                used.collect(self.spec, self.spec.defs[def].body);
            }
        }
        let mut values = vec![];
        for local in used.locals {
            let cell = self.cells.get(&local).map(|&it| self.machine.stack[it]);
            if let Some(value) = cell.and_then(|it| self.machine.cell_value(it)) {
                values.push((self.spec.locals[local].name, value::text(value)));
            }
        }
        used.variables.sort_unstable();
        for decl in used.variables {
            let name = self.spec.decls[decl].name;
            let at = self.machine.program.variables.iter().position(|&it| it == name);
            if let Some(value) = at.and_then(|it| self.machine.state.current.get(it)) {
                values.push((name, value::text(*value)));
            }
        }
        values
    }

    /// The two sides of a comparison, where they are more than a name.
    fn sides(&mut self) -> Vec<(ExprId, String)> {
        let two = match &self.code.kind {
            Kind::Eq(two) | Kind::Neq(two) | Kind::SubsetEq(two) | Kind::Arith(_, two) => &two[..],
            Kind::In(two) | Kind::NotIn(two) => &two[..1],
            Kind::EqShape { whole, .. } => &whole[..],
            _ => return vec![],
        };
        let mut values = vec![];
        for side in two {
            let says_enough = matches!(
                self.spec.exprs[side.at].kind,
                ExprKind::Local(_)
                    | ExprKind::Decl(_)
                    | ExprKind::Int(_)
                    | ExprKind::Str(_)
                    | ExprKind::Bool(_)
                    | ExprKind::SetEnum(_)
                    | ExprKind::Tuple(_)
            );
            if says_enough || matches!(side.kind, Kind::Const(_)) {
                continue;
            }
            let value = self.machine.eval(side).ok();
            self.machine.error = None;
            if let Some(value) = value {
                values.push((side.at, value::text(value)));
            }
        }
        values
    }
}

/// The names in an expression.
#[derive(Default)]
struct Used {
    locals: Vec<LocalId>,
    variables: Vec<DeclId>,
    definitions: Vec<DefId>,
}

impl Used {
    fn collect(&mut self, spec: &Spec, expr: ExprId) {
        tla_sema::walk(spec, expr, &mut |kind| match kind {
            ExprKind::Local(it) if !self.locals.contains(it) => self.locals.push(*it),
            ExprKind::Decl(it)
                if spec.decls[*it].kind == DeclKind::Variable && !self.variables.contains(it) =>
            {
                self.variables.push(*it);
            }
            ExprKind::Call {
                op: Operator::Def(it),
                ..
            } if !self.definitions.contains(it) => self.definitions.push(*it),
            _ => {}
        });
    }
}
