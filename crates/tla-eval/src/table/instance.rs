//! Action instances: the next-state relation taken apart before the search begins.
//!
//! `\E p \in Proc : A(p) \/ B(p)` over a constant set is `A(p1) \/ B(p1) \/ A(p2) …`: each of these reads little of a state,
//! all of them together read everything. The order is that in which the search would come to them, so nothing changes
//! but the time. What depends on the state is left as it is.

use util::FxHashMap;
use value::{Interner, Symbolic, Value};

use super::ways;
use crate::action::Item;
use crate::code::{Arg, Bound, Code, Kind, Pattern, ProcId};
use crate::layout::{Layout, NodeId};
use crate::machine::{Cell, Machine};

/// A conjunction to be searched, with the frames that its names are in.
#[derive(Debug)]
pub struct ActionInstance<'i> {
    pub(crate) cells: Vec<Cell<'i, 'i>>,
    /// Where each frame begins.
    frames: Vec<usize>,
    pub(crate) items: Vec<Item<'i>>,
    /// Calls that it is inside of: a recursion without an end is told at the same depth as in the whole.
    pub(crate) depth: u32,
    /// The definition that names the step, unless a better one is met.
    pub(crate) label: ProcId,
    pub(crate) labelling: bool,
    /// Instances of one number are parts of one action: one that is not split is a conjunction, whatever stands in it.
    pub(crate) action: u32,
    /// The definitions that it was found in, whose calls nobody evaluates any more.
    pub(crate) inside: Box<[ProcId]>,
}

impl<'i> ActionInstance<'i> {
    /// Whether two conjunctions are the same: the same text with the same values for its names. May say no where they are.
    pub(crate) fn is_same(&self, other: &ActionInstance<'i>) -> bool {
        self.items.len() == other.items.len()
            && self.items.iter().zip(&other.items).all(|(one, two)| {
                std::ptr::eq(one.code, two.code)
                    && (one.primed, one.role) == (two.primed, two.role)
                    && self.is_same_frame(one.base, other, two.base, FRAMES_MAX)
            })
    }

    fn frame(&self, base: usize) -> &[Cell<'i, 'i>] {
        let end = self.frames.iter().copied().filter(|&it| it > base).min();
        &self.cells[base..end.unwrap_or(self.cells.len())]
    }

    fn is_same_frame(
        &self,
        base: usize,
        other: &ActionInstance<'i>,
        other_base: usize,
        depth: usize,
    ) -> bool {
        let (one, two) = (self.frame(base), other.frame(other_base));
        let is_same = |a: usize, b: usize| depth > 0 && self.is_same_frame(a, other, b, depth - 1);
        one.len() == two.len()
            && one.iter().zip(two).all(|it| match it {
                (Cell::Empty, Cell::Empty) => true,
                (Cell::Value(a), Cell::Value(b)) => a.kind() == b.kind() && value::equal(*a, *b) == Ok(true),
                (Cell::Link(a), Cell::Link(b)) => is_same(*a, *b),
                (Cell::Thunk(a), Cell::Thunk(b)) | (Cell::ByName(a), Cell::ByName(b)) => {
                    std::ptr::eq(a.code, b.code) && a.primed == b.primed && is_same(a.base, b.base)
                }
                _ => false,
            })
    }
}

/// For each of several conjunctions, an earlier one that is the same and names its steps the same, if there is one.
pub(crate) fn repeated(all: &[ActionInstance<'_>]) -> Vec<Option<u32>> {
    let mut by_code: FxHashMap<Option<*const Code<'_>>, Vec<u32>> = FxHashMap::default();
    let mut repeated = vec![];
    for (n, one) in all.iter().enumerate() {
        let code = one.items.first().map(|it| std::ptr::from_ref(it.code));
        let others = by_code.entry(code).or_default();
        let earlier = others.iter().copied().take(REPEATED_MAX).find(|&it| {
            let other = &all[it as usize];
            (one.label, one.labelling) == (other.label, other.labelling) && one.is_same(other)
        });
        if earlier.is_none() {
            others.push(n as u32);
        }
        repeated.push(earlier);
    }
    repeated
}

/// Conjunctions of one text that another one is compared with.
const REPEATED_MAX: usize = 256;

/// How far names of outer frames are compared.
const FRAMES_MAX: usize = 4;

/// A next-state relation is not taken apart further than this.
const INSTANCES_MAX: usize = 10_000;

/// A statement about all elements of a set is not taken apart into more parts than this.
const CONJUNCTS_MAX: usize = 256;

/// A definition that calls itself is not followed further than this.
const CALLS_MAX: usize = 64;

/// How to take a formula apart.
#[derive(Clone, Copy, Debug)]
pub enum Connective {
    /// An action: its disjuncts.
    Disjuncts,
    /// A predicate: its conjuncts.
    Conjuncts,
    /// A tuple: its items.
    Items,
    /// `<<A>>_v` or `[A]_v`: the disjuncts of its action.
    InnerDisjuncts,
}

/// Takes a part of a proc's body apart; `part` finds it. The machine has no state: what needs one is left whole.
pub fn take_apart<'i>(
    machine: &mut Machine<'i, 'i>,
    proc: ProcId,
    interner: &Interner<'i>,
    connective: Connective,
    part: fn(&'i Code<'i>) -> &'i Code<'i>,
    layout: &Layout<'i>,
) -> Vec<ActionInstance<'i>> {
    let base = machine.begin(proc, 0);
    machine.fill_frame(proc, base);
    machine.base = base;
    let code = part(&machine.program.procs[proc].body);
    let mut walk = Walk {
        goes_inside: matches!(connective, Connective::InnerDisjuncts),
        machine,
        interner,
        layout,
        frames: vec![base],
        inside: vec![proc],
        found: vec![],
        n_actions: 0,
        is_inside_action: false,
    };
    let around = Around {
        before: vec![],
        after: vec![],
        label: proc,
        labelling: true,
    };
    match connective {
        Connective::Disjuncts | Connective::InnerDisjuncts => walk.code(code, &around),
        Connective::Conjuncts | Connective::Items => walk.plain(code, connective, &around),
    }
    walk.found
}

/// What an action is a conjunct of, and its name so far.
#[derive(Clone)]
struct Around<'i> {
    before: Vec<Item<'i>>,
    after: Vec<Item<'i>>,
    label: ProcId,
    labelling: bool,
}

struct Walk<'m, 'i> {
    /// The action of the first `<<A>>_v` or `[A]_v` stands for it.
    goes_inside: bool,
    machine: &'m mut Machine<'i, 'i>,
    interner: &'m Interner<'i>,
    layout: &'m Layout<'i>,
    frames: Vec<usize>,
    /// Definitions that were followed.
    inside: Vec<ProcId>,
    found: Vec<ActionInstance<'i>>,
    /// Actions that are complete.
    n_actions: u32,
    /// What is found belongs to one action.
    is_inside_action: bool,
}

impl<'i> Walk<'_, 'i> {
    fn leave(&mut self, code: &'i Code<'i>, around: &Around<'i>) {
        let mut items = around.before.clone();
        items.push(self.machine.item(code));
        items.extend_from_slice(&around.after);
        self.found.push(ActionInstance {
            cells: self.machine.stack.clone(),
            frames: self.frames.clone(),
            depth: self.frames.len() as u32 - 1,
            items,
            label: around.label,
            labelling: around.labelling,
            action: self.n_actions,
            inside: self.inside[..].into(),
        });
        self.n_actions += u32::from(!self.is_inside_action);
    }

    fn code(&mut self, code: &'i Code<'i>, around: &Around<'i>) {
        util::deep(|| self.code_here(code, around));
    }

    fn code_here(&mut self, code: &'i Code<'i>, around: &Around<'i>) {
        if self.found.len() > INSTANCES_MAX || self.frames.len() > CALLS_MAX {
            return self.leave(code, around);
        }
        match &code.kind {
            Kind::Or(_) | Kind::Exists { .. } if ways::shares_formula(self.machine, code) => {
                self.leave(code, around)
            }
            Kind::Or(items) => items.iter().for_each(|it| self.code(it, around)),
            Kind::And(items) => self.conjunction(items, code, around),
            Kind::Exists { bounds, body } => {
                let most = INSTANCES_MAX.saturating_sub(self.found.len());
                match self.constants(bounds, most) {
                    // Nothing is left of the conjunction then, and nobody would ask what stands before it.
                    Some(sets) if sets.iter().any(Vec::is_empty) && !around.before.is_empty() => {
                        self.leave(code, around);
                    }
                    Some(sets) => self.exists(bounds, &sets, body, around),
                    None => self.leave(code, around),
                }
            }
            Kind::AngleAction(two) | Kind::BoxAction(two) if self.goes_inside => {
                self.goes_inside = false;
                self.code(&two[0], around);
            }
            Kind::Let { slots, body } if slots.iter().all(|it| self.is_repeatable(&it.code)) => {
                self.machine.bind_let(slots);
                self.code(body, around);
            }
            Kind::Call { proc, link, args } => {
                let link = self.machine.link_base(*link);
                self.call(*proc, link, args, code, around);
            }
            _ => self.leave(code, around),
        }
    }

    fn plain(&mut self, code: &'i Code<'i>, connective: Connective, around: &Around<'i>) {
        if self.found.len() > INSTANCES_MAX {
            return self.leave(code, around);
        }
        match (&code.kind, connective) {
            (Kind::And(items), Connective::Conjuncts) | (Kind::Tuple(items), Connective::Items) => items
                .iter()
                .for_each(|it| util::deep(|| self.plain(it, connective, around))),
            (
                Kind::Call {
                    proc,
                    link: None,
                    args,
                },
                _,
            ) if args.is_empty()
                && !self.machine.program.procs[*proc].linked
                && !self.inside.contains(proc) =>
            {
                let machine = &mut *self.machine;
                let at = machine.stack.len();
                let base = machine.begin(*proc, 0);
                machine.fill_frame(*proc, base);
                let outer = std::mem::replace(&mut machine.base, base);
                let body = &machine.program.procs[*proc].body;
                self.frames.push(base);
                self.inside.push(*proc);
                util::deep(|| self.plain(body, connective, around));
                self.inside.pop();
                self.frames.pop();
                self.machine.base = outer;
                self.machine.stack.truncate(at);
            }
            (Kind::Forall { bounds, body, .. }, Connective::Conjuncts) => {
                match self.constants(bounds, CONJUNCTS_MAX) {
                    Some(sets) => self.for_all(bounds, &sets, body, around),
                    None => self.leave(code, around),
                }
            }
            (Kind::In(two), Connective::Conjuncts) if let Kind::Var(var) = two[0].kind => {
                let set = self.machine.eval(&two[1]).ok();
                self.machine.error = None;
                match set {
                    Some(set) => self.member(code, (NodeId::from(var), &mut vec![]), set, around),
                    None => self.leave(code, around),
                }
            }
            _ => self.leave(code, around),
        }
    }

    fn for_all(
        &mut self,
        bounds: &'i [Bound<'i>],
        sets: &[Vec<Value<'i>>],
        body: &'i Code<'i>,
        around: &Around<'i>,
    ) {
        let (Some((bound, bounds)), Some((set, sets))) = (bounds.split_first(), sets.split_first()) else {
            return util::deep(|| self.plain(body, Connective::Conjuncts, around));
        };
        for &item in set {
            self.bind(&bound.pattern, item);
            self.for_all(bounds, sets, body, around);
        }
    }

    /// `x \in [S -> T]` is `x[s] \in T` for all `s`, where `x` is split by `S`: tables are asked only about such states.
    fn member(
        &mut self,
        code: &'i Code<'i>,
        (node, keys): (NodeId, &mut Vec<Value<'i>>),
        set: Value<'i>,
        around: &Around<'i>,
    ) {
        let sets: Vec<(Value<'i>, Value<'i>)> = match set {
            Value::Symbolic(Symbolic::Functions(from, to)) => {
                let from = value::enumerate(*from, self.machine.constants).ok();
                from.map_or(vec![], |it| it.items.iter().map(|&key| (key, *to)).collect())
            }
            Value::Symbolic(Symbolic::Records(names, sets)) => {
                let names = names.iter().map(|&it| Value::Str(it));
                names.zip(sets.iter().copied()).collect()
            }
            _ => vec![],
        };
        let children: Option<Vec<NodeId>> = sets.iter().map(|it| self.layout.child(node, it.0)).collect();
        match children {
            Some(children) if self.layout.n_children(node) == children.len() && !children.is_empty() => {
                for (child, (key, to)) in children.into_iter().zip(sets) {
                    keys.push(key);
                    self.member(code, (child, keys), to, around);
                    keys.pop();
                }
            }
            _ => {
                let part = match &code.kind {
                    Kind::In(two) if !keys.is_empty() => part_of(&two[0], keys),
                    _ => None,
                };
                let at = code.at;
                let made = part.map(|part| {
                    let set = Code {
                        kind: Kind::Const(set),
                        at,
                    };
                    let kind = Kind::In(Box::new([part, set]));
                    &*self.machine.constants.alloc(Code { kind, at })
                });
                self.leave(made.unwrap_or(code), around);
            }
        }
    }

    /// One conjunct is taken apart, the first that can be; the others stay around it. Those before it are then asked once for
    /// each part, which must be the same as asking them once.
    fn conjunction(&mut self, items: &'i [Code<'i>], code: &'i Code<'i>, around: &Around<'i>) {
        let may_repeat = |it: &Code<'i>| self.is_repeatable(it) && ways::has_one_way(self.machine, it);
        let at = items.iter().position(|it| self.branches(it));
        let Some(at) = at.filter(|&at| items[..at].iter().all(may_repeat)) else {
            return self.leave(code, around);
        };
        let before = around.before.iter().map(|it| it.code).chain(&items[..at]);
        if ways::may_be_complete(self.machine.program, before) {
            return self.leave(code, around);
        }
        let mut inner = around.clone();
        let machine = &*self.machine;
        inner.before.extend(items[..at].iter().map(|it| machine.item(it)));
        let mut after: Vec<Item<'i>> = items[at + 1..].iter().map(|it| machine.item(it)).collect();
        after.append(&mut inner.after);
        inner.after = after;
        inner.labelling &= items.len() <= 1;
        let outer = std::mem::replace(&mut self.is_inside_action, true);
        self.code(&items[at], &inner);
        self.is_inside_action = outer;
        self.n_actions += u32::from(!outer);
    }

    /// Whether an action is, or stands for, a disjunction.
    fn branches(&self, code: &Code<'i>) -> bool {
        match &code.kind {
            Kind::Or(_) | Kind::Exists { .. } => true,
            Kind::And(items) => items.iter().any(|it| self.branches(it)),
            Kind::Let { body, .. } => self.branches(body),
            _ => false,
        }
    }

    fn exists(
        &mut self,
        bounds: &'i [Bound<'i>],
        sets: &[Vec<Value<'i>>],
        body: &'i Code<'i>,
        around: &Around<'i>,
    ) {
        let (Some((bound, bounds)), Some((set, sets))) = (bounds.split_first(), sets.split_first()) else {
            return self.code(body, around);
        };
        for &item in set {
            self.bind(&bound.pattern, item);
            self.exists(bounds, sets, body, around);
        }
    }

    fn call(
        &mut self,
        proc: ProcId,
        link: usize,
        args: &'i [Arg<'i>],
        code: &'i Code<'i>,
        around: &Around<'i>,
    ) {
        // A definition that calls itself may have no end; evaluating it will tell so.
        if self.inside.contains(&proc) || !ways::are_repeatable(self.machine.program, args) {
            return self.leave(code, around);
        }
        let machine = &mut *self.machine;
        let at = machine.stack.len();
        let base = machine.begin(proc, link);
        if machine.push_args(args).is_err() {
            // The search tells this error when it comes here.
            machine.error = None;
            machine.stack.truncate(at);
            return self.leave(code, around);
        }
        machine.fill_frame(proc, base);
        let outer = std::mem::replace(&mut machine.base, base);
        let body = &machine.program.procs[proc].body;
        let label = if around.labelling { proc } else { around.label };
        self.frames.push(base);
        self.inside.push(proc);
        self.code(
            body,
            &Around {
                label,
                ..around.clone()
            },
        );
        self.inside.pop();
        self.frames.pop();
        self.machine.base = outer;
        self.machine.stack.truncate(at);
    }

    fn is_repeatable(&self, code: &Code<'i>) -> bool {
        ways::is_repeatable(self.machine.program, code)
    }

    /// Gives names the parts of an element that fits, see [`Walk::constants`].
    fn bind(&mut self, pattern: &Pattern, item: Value<'i>) {
        let base = self.machine.base;
        let mut put = |slot: u16, value| self.machine.stack[base + slot as usize] = Cell::Value(value);
        match (pattern, item) {
            (Pattern::One(slot), _) => put(*slot, item),
            (Pattern::Tuple(slots), Value::Tuple(it)) => {
                slots
                    .iter()
                    .zip(it.items)
                    .for_each(|(&slot, &part)| put(slot, part));
            }
            (Pattern::Tuple(_), _) => unreachable!("only elements that fit are bound"),
        }
    }

    /// The elements that names range over, where the sets do not depend on the state, make at most `most` combinations, and all
    /// fit their patterns. Otherwise the quantifier is left whole, and whoever evaluates it tells what is wrong.
    fn constants(&mut self, bounds: &'i [Bound<'i>], most: usize) -> Option<Vec<Vec<Value<'i>>>> {
        let mut sets = vec![];
        let mut size = 1usize;
        for bound in bounds {
            let set = self.constant(&bound.set)?;
            if !set.iter().all(|&it| fits(&bound.pattern, it)) {
                return None;
            }
            size = size.saturating_mul(set.len());
            sets.push(set);
        }
        (size <= most).then_some(sets)
    }

    /// The elements of a set that does not depend on the state.
    fn constant(&mut self, set: &'i Code<'i>) -> Option<Vec<Value<'i>>> {
        let elements = self.elements(set);
        self.machine.error = None;
        elements
    }

    fn elements(&mut self, set: &'i Code<'i>) -> Option<Vec<Value<'i>>> {
        let machine = &mut *self.machine;
        let value = machine.eval(set).ok()?;
        let mut items = machine.elements(value, set.at).ok()?;
        let mut all = vec![];
        while let Some(item) = items.next(machine.arena) {
            all.push(self.interner.intern_value(item, machine.constants).ok()?);
            if all.len() > INSTANCES_MAX {
                return None;
            }
        }
        Some(all)
    }
}

fn fits(pattern: &Pattern, item: Value<'_>) -> bool {
    match (pattern, item) {
        (Pattern::One(_), _) => true,
        (Pattern::Tuple(slots), Value::Tuple(it)) => it.items.len() == slots.len(),
        (Pattern::Tuple(_), _) => false,
    }
}

/// A variable, applied to some arguments.
fn part_of<'i>(var: &Code<'i>, keys: &[Value<'i>]) -> Option<Code<'i>> {
    let Kind::Var(it) = var.kind else { return None };
    let at = var.at;
    let part = Code {
        kind: Kind::Var(it),
        at,
    };
    Some(keys.iter().fold(part, |part, &key| Code {
        kind: Kind::Apply(Box::new([
            part,
            Code {
                kind: Kind::Const(key),
                at,
            },
        ])),
        at,
    }))
}
