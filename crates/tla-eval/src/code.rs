//! Compiled expressions: names are slots, constants are values, library operators are native.
//!
//! Every definition becomes a [`Proc`] with a frame of numbered slots: parameters first, then whatever its binders and
//! `LET`s need. A `LET` operator with parameters and a `LAMBDA` are procs of their own whose slot 0 links to the frame
//! they were written in, so an outer name is a number of links and a slot.

use std::ops::{Index, IndexMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use tla_sema::ir::{DefId, ExprId, LocalId};
use util::{FxHashMap, Idx, Symbol};
use value::{Text, Value};

use crate::memo::SiteId;
use crate::native::Native;
use crate::prefilter::Prefilter;

/// A node and the expression it was made from.
#[derive(Debug)]
pub struct Code<'i> {
    pub kind: Kind<'i>,
    pub at: ExprId,
}

impl<'i> Code<'i> {
    /// `e` of `{e}`.
    #[inline]
    pub fn only_item(&self) -> Option<&Code<'i>> {
        match &self.kind {
            Kind::SetEnum(items) if let [item] = &items[..] => Some(item),
            _ => None,
        }
    }
}

/// Where a name's value is: so many links up, at this slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub up: u16,
    pub slot: u16,
}

/// A compiled definition, formula or operator argument, by its place in the program.
pub type ProcId = Idx<Proc<'static>>;
/// A variable of the specification, by its place in the state.
pub type VarId = u16;

#[derive(Debug)]
pub struct Proc<'i> {
    pub name: Symbol,
    pub def: Option<DefId>,
    /// Slot 0 is a link to the frame around it.
    pub linked: bool,
    /// Where the parameters are: slots 1.. when linked, else 0...
    pub n_params: u16,
    pub n_slots: u16,
    /// Where its value in the present state is kept, if it is worth keeping.
    pub memo: Option<u16>,
    /// Where its values are kept by its arguments, if they depend on nothing else.
    pub site: Option<SiteId>,
    /// Its value is an action.
    pub is_action: bool,
    /// The parameters that it primes, for those who call it by the name of a parameter; empty when there are none.
    pub primed: Box<[bool]>,
    /// For a function that is applied to one argument at a time: the set of each bound, and how an element of it is taken apart; with
    /// several bounds the argument is a tuple of elements. The body is that of one argument.
    pub domain: Option<Box<[(Code<'i>, Pattern)]>>,
    pub body: Code<'i>,
}

#[derive(Debug)]
pub enum Kind<'i> {
    Const(Value<'i>),
    /// A closed constant expression, evaluated when first needed.
    Cached(u32),
    Local(Place),
    Var(VarId),
    /// `x'` for a variable.
    NextVar(VarId),
    Prime(Box<Code<'i>>),
    Call {
        proc: ProcId,
        link: Option<u16>,
        args: Box<[Arg<'i>]>,
    },
    /// The body of an operator, in the frame of its caller. A LAMBDA has no proc.
    Inlined {
        proc: Option<ProcId>,
        args: Box<[BoundArg<'i>]>,
        body: Box<Code<'i>>,
    },
    /// Something whose value depends on nothing but some names, see [`crate::memo`].
    Kept {
        site: SiteId,
        names: Box<[MemoName]>,
        body: Box<Code<'i>>,
        /// What it takes to evaluate it, besides loops and calls in it.
        work: u32,
    },
    /// A call of an operator parameter.
    CallParam {
        place: Place,
        args: Box<[Arg<'i>]>,
    },
    /// One that calls an operator again and again, such as a fold, may keep its values by its arguments.
    Native {
        native: Native,
        args: Box<[Arg<'i>]>,
        site: Option<SiteId>,
    },
    And(Box<[Code<'i>]>),
    Or(Box<[Code<'i>]>),
    Not(Box<Code<'i>>),
    Implies(Box<[Code<'i>; 2]>),
    Equiv(Box<[Code<'i>; 2]>),
    Eq(Box<[Code<'i>; 2]>),
    Neq(Box<[Code<'i>; 2]>),
    In(Box<[Code<'i>; 2]>),
    NotIn(Box<[Code<'i>; 2]>),
    /// `item \in {x \in base : test}` without building the set.
    InFilter {
        item: Box<Code<'i>>,
        bound: Box<Bound<'i>>,
        test: Box<Code<'i>>,
    },
    SubsetEq(Box<[Code<'i>; 2]>),
    Cup(Box<[Code<'i>; 2]>),
    Cap(Box<[Code<'i>; 2]>),
    Minus(Box<[Code<'i>; 2]>),
    PowerSet(Box<Code<'i>>),
    /// An expression that must be a set, with its elements listed if there is an end to them.
    Set(Box<Code<'i>>),
    Union(Box<Code<'i>>),
    Domain(Box<Code<'i>>),
    Arith(Arith, Box<[Code<'i>; 2]>),
    If(Box<[Code<'i>; 3]>),
    Case {
        arms: Box<[(Code<'i>, Code<'i>)]>,
        other: Option<Box<Code<'i>>>,
    },
    /// Slots that are evaluated when first used.
    Let {
        slots: Box<[LetSlot<'i>]>,
        body: Box<Code<'i>>,
    },
    /// `frame` slots are all that the body can read or write.
    Forall {
        bounds: Box<[Bound<'i>]>,
        body: Box<Code<'i>>,
        frame: u16,
    },
    Exists {
        bounds: Box<[Bound<'i>]>,
        body: Box<Code<'i>>,
    },
    Choose {
        bound: Box<Bound<'i>>,
        body: Box<Code<'i>>,
        /// The body is `P(x) /\ \A y \in S : P(y) => y = x`, see [`crate::unique_choice`].
        is_unique_choice: bool,
    },
    SetEnum(Box<[Code<'i>]>),
    /// `test` is the body as a proc of its own, for a set that may be infinite.
    Filter {
        bound: Box<Bound<'i>>,
        body: Box<Code<'i>>,
        test: Option<Box<Test>>,
    },
    Map {
        bounds: Box<[Bound<'i>]>,
        body: Box<Code<'i>>,
    },
    FnLiteral {
        bounds: Box<[Bound<'i>]>,
        body: Box<Code<'i>>,
    },
    /// A recursive or endless function applied: its body with the argument bound, not the whole function.
    ApplyRecursive {
        proc: ProcId,
        link: Option<u16>,
        arg: Box<Code<'i>>,
    },
    /// A recursive function as a value: applied to its whole domain.
    WholeRecursive {
        proc: ProcId,
        link: Option<u16>,
    },
    Apply(Box<[Code<'i>; 2]>),
    /// `f[i][j]`, where other places of `f[i]` may need this one: only this place is computed.
    ApplyRow(Box<[Code<'i>; 2]>),
    FnSet(Box<[Code<'i>; 2]>),
    Record(Box<[(Text, Code<'i>)]>),
    RecordSet(Box<[(Text, Code<'i>)]>),
    Select {
        record: Box<Code<'i>>,
        field: Text,
    },
    Except {
        function: Box<Code<'i>>,
        updates: Box<[Update<'i>]>,
    },
    Tuple(Box<[Code<'i>]>),
    Times(Box<[Code<'i>]>),
    BoxAction(Box<[Code<'i>; 2]>),
    AngleAction(Box<[Code<'i>; 2]>),
    Unchanged(Box<Code<'i>>),
    /// `UNCHANGED` of a tuple of variables, however nested.
    UnchangedVars(Box<[VarId]>),
    /// `shape' = value`, where the shape is a nested tuple of variables.
    EqShape {
        shape: Shape,
        value: Box<Code<'i>>,
        whole: Box<[Code<'i>; 2]>,
    },
    /// `shape' \in set`.
    InShape {
        shape: Shape,
        set: Box<Code<'i>>,
        whole: Box<[Code<'i>; 2]>,
    },
    Enabled(Box<Code<'i>>),
    Compose(Box<[Code<'i>; 2]>),
    /// Something that has no value in a finite model; the reason is told when it is reached.
    Fail(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    Lt,
    Gt,
    Le,
    Ge,
    Range,
}

/// A tuple of variables, to be given values at once.
#[derive(Clone, Debug)]
pub enum Shape {
    Var(VarId),
    Tuple(Box<[Shape]>),
}

/// An argument of a call.
#[derive(Debug)]
pub enum Arg<'i> {
    /// Evaluated before the call.
    Value(Code<'i>),
    /// Evaluated when first used, in the caller's frame.
    Lazy(Code<'i>),
    /// Evaluated at every use: the callee primes it, and then it means its next value.
    ByName(Code<'i>),
    /// An operator.
    Operator(Operator),
}

/// A name that a kept value depends on.
#[derive(Clone, Copy, Debug)]
pub struct MemoName {
    pub place: Place,
    /// Evaluating the expression is sure to evaluate the name.
    pub is_strict: bool,
}

/// An argument and the slot of its parameter.
#[derive(Debug)]
pub struct BoundArg<'i> {
    pub param: LocalId,
    pub slot: u16,
    pub arg: Arg<'i>,
}

#[derive(Clone, Copy, Debug)]
pub enum Operator {
    /// A proc; when linked, the frame so many links up is the one it was written in.
    Proc { proc: ProcId, link: Option<u16> },
    /// An operator parameter passed on.
    Param(Place),
}

#[derive(Debug)]
pub struct LetSlot<'i> {
    pub slot: u16,
    pub code: Code<'i>,
    /// Primed somewhere, so evaluated at every use.
    pub by_name: bool,
    /// Evaluating the body is sure to evaluate it.
    pub is_strict: bool,
}

#[derive(Debug)]
pub struct Bound<'i> {
    pub pattern: Pattern,
    pub set: Code<'i>,
    /// What every element must satisfy that does not depend on the state: elements that do not are of no consequence.
    pub pushed_predicate: Option<Box<Test>>,
    /// What can be seen at once that an element must satisfy.
    pub prefilter: Option<Box<Prefilter<'i>>>,
}

/// The test of a filter as a proc of its own, for a set that is too large to be filtered: its arguments are the element
/// and then the values that these places have when the set is made.
#[derive(Debug)]
pub struct Test {
    pub proc: ProcId,
    pub captured: Box<[Place]>,
}

#[derive(Debug)]
pub enum Pattern {
    One(u16),
    Tuple(Box<[u16]>),
}

#[derive(Debug)]
pub struct Update<'i> {
    pub path: Box<[Code<'i>]>,
    /// The slot of `@`.
    pub at: u16,
    /// How often the value mentions `@`.
    pub n_at: u32,
    pub value: Code<'i>,
}

/// All procs of a program.
#[derive(Debug, Default)]
pub struct Procs<'i>(Vec<Proc<'i>>);

impl<'i> Procs<'i> {
    pub(crate) fn push(&mut self, proc: Proc<'i>) -> ProcId {
        self.0.push(proc);
        ProcId::new(self.0.len() as u32 - 1)
    }

    /// Nothing for what is no proc: the action of an initial state.
    pub fn get(&self, proc: ProcId) -> Option<&Proc<'i>> {
        self.0.get(proc.index())
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ProcId, &Proc<'i>)> {
        self.0
            .iter()
            .enumerate()
            .map(|(i, proc)| (ProcId::new(i as u32), proc))
    }
}

impl<'i> Index<ProcId> for Procs<'i> {
    type Output = Proc<'i>;
    fn index(&self, proc: ProcId) -> &Proc<'i> {
        &self.0[proc.index()]
    }
}

impl<'i> IndexMut<ProcId> for Procs<'i> {
    fn index_mut(&mut self, proc: ProcId) -> &mut Proc<'i> {
        &mut self.0[proc.index()]
    }
}

/// Everything that is compiled, with the values of constant expressions.
#[derive(Debug, Default)]
pub struct Program<'i> {
    pub procs: Procs<'i>,
    /// Names of the variables, by [`VarId`].
    pub variables: Vec<Symbol>,
    /// So many next values there can be under `ENABLED`, if that asks for hidden variables; 0 otherwise.
    pub n_next: usize,
    pub cached: Vec<Cached<'i>>,
    /// Definitions whose values are kept while a state is looked at.
    pub n_memos: u16,
    /// Expressions whose values are kept from state to state.
    pub n_sites: SiteId,
    /// How often each proc was entered, but for what closed constants did; empty when nobody counts.
    pub counts: Box<[AtomicU64]>,
}

impl Program<'_> {
    /// A proc is entered.
    #[inline]
    pub(crate) fn count(&self, proc: ProcId) {
        if let Some(count) = self.counts.get(proc.index()) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Several procs are entered.
    pub(crate) fn count_all(&self, procs: &[ProcId]) {
        if !self.counts.is_empty() {
            procs.iter().for_each(|&it| self.count(it));
        }
    }

    /// How often each proc was entered.
    pub fn evaluations(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self.counts.iter().map(|it| it.load(Ordering::Relaxed)).collect();
        for cached in &self.cached {
            for (&proc, n) in cached.calls().iter().flatten() {
                all[proc.index()] += n;
            }
        }
        all
    }
}

#[derive(Debug)]
pub struct Cached<'i> {
    pub code: Code<'i>,
    /// Slots that its binders need.
    pub n_slots: u16,
    /// Chance or the world decides it, once: before anything else is evaluated, so that nothing else decides what is drawn.
    pub is_drawn: bool,
    /// As a conjunct of an action it may hold in several ways, each a step of its own.
    pub has_ways: bool,
    pub value: OnceLock<Value<'i>>,
    /// Where calls are counted, those that its evaluation made, once: several workers may evaluate it, and several processes do.
    pub calls: Mutex<Option<Calls>>,
}

/// How often each proc was called.
pub type Calls = FxHashMap<ProcId, u64>;

impl Cached<'_> {
    /// What its evaluation called, if it was evaluated and calls are counted.
    pub(crate) fn calls(&self) -> MutexGuard<'_, Option<Calls>> {
        // A panic ends the search, and nobody reads this then.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
