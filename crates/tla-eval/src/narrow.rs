//! Tests about one place of an element, asked before the elements are built.
//!
//! In `x' \in [S -> T] /\ P(x'[i]) /\ \A j \in S \ {i} : x'[j] = x[j]`, and in `\E f \in [S -> T] : \A s \in S : f[s] \in g[s]`, each test looks
//! at one place of the function. There are as many functions as `T` has elements to the power of places, but what a place may hold is
//! found by asking about each element of `T` alone: with a function that has only that place. What is left is built and asked as always.
//!
//! Answers stay what they are. A test is asked here only when all tests before it were, and only by values that those let through; an element
//! is left out only when such a test is false of it, and then nothing after the test would have been evaluated. The test that meets an error
//! here, and all after it, are left to the loop itself, which comes to the error or does not. The elements that are left come in the order
//! they had.

use util::deep;
use value::{Elements, Places, Value};

use crate::action::{Item, Role};
use crate::code::*;
use crate::machine::{Cell, Machine};

/// Fewer elements are not worth a look at their tests; but that what is looked at gives the same answers is tested with few.
const ELEMENTS_MIN: u64 = if cfg!(debug_assertions) { 2 } else { 64 };

/// A conjunction over more elements is one test, not many.
const CONJUNCTS_MAX: usize = 64;

/// Definitions inside each other that are looked into.
const DEPTH_MAX: u32 = 8;

/// What takes each element in turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// The next value of a variable that has none yet.
    Next(VarId),
    /// A name of the loop, in this slot of its frame.
    Name(u16),
}

/// A test, and the argument under which it looks at the subject, if it does at all.
struct PlaceTest<'t, 'i> {
    item: Item<'i>,
    key: Option<Value<'t>>,
}

/// Whether to look at the tests that come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gathered {
    All,
    /// One of them must be asked of whole elements.
    Some,
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Leaves out elements that a test about one place shuts out. `tests` come in the order in which they are asked of an element.
    pub(crate) fn narrow(
        &mut self,
        items: &mut Elements<'t>,
        subject: Subject,
        tests: impl IntoIterator<Item = Item<'i>>,
    ) {
        let Some(mut places) = items.places() else { return };
        // Where calls are counted, all of them are made.
        if places.len() < 2 || places.n_elements() < ELEMENTS_MIN || !self.program.counts.is_empty() {
            return;
        }
        let (base, primed) = (self.base, self.step.primed);
        // Nothing that is met here is told: the loop comes to it by itself.
        let error = self.error.take();
        let pure_only = std::mem::replace(&mut self.pure_only, true);
        let mark = self.mark();
        // Looking at tests binds names of frames that are in use.
        let stack = self.stack.clone();
        let mut gathered = vec![];
        for item in tests {
            if self.gather(item, subject, &mut gathered) == Gathered::Some {
                break;
            }
        }
        for test in &gathered {
            if !self.restrict(&mut places, subject, test) {
                break;
            }
        }
        if let Subject::Next(var) = subject {
            self.step.next[var as usize] = None;
        }
        self.undo_all(mark);
        self.stack = stack;
        (self.base, self.step.primed) = (base, primed);
        self.error = error;
        self.pure_only = pure_only;
    }

    /// As [`Machine::narrow`], for the loop over a name whose elements matter when the body is `wanted`.
    #[inline]
    pub(crate) fn narrow_loop(
        &mut self,
        items: &mut Elements<'t>,
        bound: &'i Bound<'i>,
        body: &'i Code<'i>,
        wanted: bool,
    ) {
        if items.is_built()
            && let Pattern::One(slot) = bound.pattern
        {
            let test = match (&body.kind, wanted) {
                (_, true) => body,
                (Kind::Implies(two), false) => &two[0],
                (_, false) => return,
            };
            let item = self.item(test);
            self.narrow(items, Subject::Name(slot), [item]);
        }
    }

    /// Asks a test of what its place may hold; false when there is no answer.
    fn restrict(&mut self, places: &mut Places<'_, 't>, subject: Subject, test: &PlaceTest<'t, 'i>) -> bool {
        let Some(key) = test.key else {
            return match self.ask(subject, test.item, None) {
                Some(true) => true,
                Some(false) => {
                    places.clear();
                    true
                }
                None => false,
            };
        };
        let Some(place) = places.place(key) else {
            return false;
        };
        let mut kept = bumpalo::collections::Vec::new_in(self.arena);
        for &value in places.choices(place) {
            let partial = places.partial(place, value, self.arena);
            match self.ask(subject, test.item, Some(partial)) {
                Some(true) => kept.push(value),
                Some(false) => {}
                None => return false,
            }
        }
        places.restrict(place, kept.into_bump_slice());
        true
    }

    fn ask(&mut self, subject: Subject, item: Item<'i>, partial: Option<Value<'t>>) -> Option<bool> {
        let (at, mark) = (self.stack.len(), self.mark());
        (self.base, self.step.primed) = (item.base, item.primed);
        match (subject, partial) {
            (Subject::Next(var), partial) => self.step.next[var as usize] = partial,
            (Subject::Name(slot), Some(partial)) => {
                let index = item.base + slot as usize;
                self.stack[index] = Cell::Value(partial);
            }
            (Subject::Name(_), None) => {}
        }
        let holds = self
            .go_on_working(item.code.at)
            .and_then(|()| self.holds(item.code));
        self.stack.truncate(at);
        self.undo_all(mark);
        holds.ok()
    }

    /// Takes a conjunction apart into tests about one place each.
    fn gather(&mut self, item: Item<'i>, subject: Subject, tests: &mut Vec<PlaceTest<'t, 'i>>) -> Gathered {
        if item.role != Role::Holds {
            return Gathered::Some;
        }
        (self.base, self.step.primed) = (item.base, item.primed);
        match &item.code.kind {
            Kind::And(items) => {
                self.gather_all(items.iter().map(|code| Item { code, ..item }), subject, tests)
            }
            // It gives variables their values, and says nothing of this one.
            Kind::UnchangedVars(vars) if vars.iter().all(|&it| self.is_open(it, subject)) => Gathered::All,
            Kind::Forall { bounds, body, frame } if !self.is_one_place(item, subject) => {
                match self.conjuncts(item, subject, bounds, body, *frame) {
                    Some(items) => self.gather_all(items, subject, tests),
                    None => Gathered::Some,
                }
            }
            Kind::Inlined { args, body, .. } if !self.is_one_place(item, subject) => {
                let args = args.iter().all(|it| match it.arg.code() {
                    Some(code) => self.is_apart(code, item, subject),
                    None => false,
                }) && self.bind_args(args).is_ok();
                match args {
                    true => self.gather(Item { code: body, ..item }, subject, tests),
                    false => Gathered::Some,
                }
            }
            _ => match self.place_test(item, subject) {
                Some(test) => {
                    tests.push(test);
                    Gathered::All
                }
                None => Gathered::Some,
            },
        }
    }

    fn gather_all(
        &mut self,
        items: impl IntoIterator<Item = Item<'i>>,
        subject: Subject,
        tests: &mut Vec<PlaceTest<'t, 'i>>,
    ) -> Gathered {
        for item in items {
            if deep(|| self.gather(item, subject, tests)) == Gathered::Some {
                return Gathered::Some;
            }
        }
        Gathered::All
    }

    /// Whether a variable is another one, without a next value.
    fn is_open(&self, var: VarId, subject: Subject) -> bool {
        subject != Subject::Next(var)
            && (var as usize) < self.state.current.len()
            && matches!(self.step.next.get(var as usize), Some(None))
    }

    /// `\A x \in S : P` as one test for each element, each in a frame of its own.
    fn conjuncts(
        &mut self,
        item: Item<'i>,
        subject: Subject,
        bounds: &'i [Bound<'i>],
        body: &'i Code<'i>,
        frame: u16,
    ) -> Option<Vec<Item<'i>>> {
        for bound in bounds {
            if !self.is_apart(&bound.set, item, subject) {
                return None;
            }
        }
        let [bound] = bounds else { return None };
        let set = self.eval(&bound.set).ok()?;
        if value::cardinality(set).ok()? > CONJUNCTS_MAX.into() {
            return None;
        }
        self.instances(bounds, body, frame).ok()
    }

    fn is_one_place(&mut self, item: Item<'i>, subject: Subject) -> bool {
        self.place_test(item, subject).is_some()
    }

    /// An expression as a test about one place at most; nothing when it may look at more.
    fn place_test(&mut self, item: Item<'i>, subject: Subject) -> Option<PlaceTest<'t, 'i>> {
        let mut look = Look::new(self, item, subject);
        look.code(item.code);
        if !look.is_fit {
            return None;
        }
        let Look {
            keys, fields, own, ..
        } = look;
        let mut key = fields.first().map(|&it| Value::Str(it));
        if fields.iter().any(|it| *it != fields[0]) {
            return None;
        }
        for code in keys {
            let mut inside = Look::new(self, item, subject);
            inside.apart = true;
            inside.not_bound = &own;
            inside.code(code);
            if !inside.is_fit {
                return None;
            }
            (self.base, self.step.primed) = (item.base, item.primed);
            let it = self.eval(code).ok()?;
            match key {
                Some(other) if value::equal(it, other) != Ok(true) => return None,
                _ => key = Some(it),
            }
        }
        Some(PlaceTest { item, key })
    }

    /// Whether an expression says nothing of the subject, nor of a step.
    fn is_apart(&self, code: &'i Code<'i>, item: Item<'i>, subject: Subject) -> bool {
        let mut look = Look::new(self, item, subject);
        look.apart = true;
        look.code(code);
        look.is_fit
    }
}

/// A look for the places at which an expression looks at the subject. What is not understood does not fit.
struct Look<'m, 't, 'i> {
    machine: &'m Machine<'t, 'i>,
    subject: Subject,
    base: usize,
    primed: bool,
    /// The subject is not looked at, not even at one place.
    apart: bool,
    /// Slots that are bound in what is looked at.
    own: Vec<u16>,
    /// Slots that are not to be read, because they are bound further out in the test.
    not_bound: &'m [u16],
    keys: Vec<&'i Code<'i>>,
    fields: Vec<value::Text>,
    depth: u32,
    is_fit: bool,
}

impl<'m, 't, 'i: 't> Look<'m, 't, 'i> {
    fn new(machine: &'m Machine<'t, 'i>, item: Item<'i>, subject: Subject) -> Look<'m, 't, 'i> {
        Look {
            machine,
            subject,
            base: item.base,
            primed: item.primed,
            apart: false,
            own: vec![],
            not_bound: &[],
            keys: vec![],
            fields: vec![],
            depth: 0,
            is_fit: true,
        }
    }

    fn is_subject(&self, code: &Code<'i>) -> bool {
        match (self.subject, &code.kind) {
            (Subject::Next(var), Kind::NextVar(it)) => *it == var,
            (Subject::Next(var), Kind::Var(it)) => self.primed && *it == var,
            (Subject::Name(slot), Kind::Local(place)) => *place == (Place { up: 0, slot }),
            _ => false,
        }
    }

    fn code(&mut self, code: &'i Code<'i>) {
        if self.is_fit {
            deep(|| self.code_here(code));
        }
    }

    fn children(&mut self, code: &'i Code<'i>) {
        code.children(&mut |it| self.code(it));
    }

    fn code_here(&mut self, code: &'i Code<'i>) {
        match &code.kind {
            _ if self.is_subject(code) => self.is_fit = false,
            Kind::Apply(two) if self.is_subject(&two[0]) && !self.apart => {
                self.keys.push(&two[1]);
                self.code(&two[1]);
            }
            Kind::Select { record, field } if self.is_subject(record) && !self.apart => {
                self.fields.push(*field);
            }
            Kind::NextVar(var) => self.next_variable(*var),
            Kind::Var(var) if self.primed => self.next_variable(*var),
            Kind::Prime(_)
            | Kind::Unchanged(_)
            | Kind::UnchangedVars(_)
            | Kind::BoxAction(_)
            | Kind::AngleAction(_)
            | Kind::EqShape { .. }
            | Kind::InShape { .. }
            | Kind::Enabled(_)
            | Kind::Compose(_)
            | Kind::CallParam { .. } => self.is_fit = false,
            Kind::Local(place) => self.name(*place),
            Kind::Native { args, .. } => {
                for arg in args {
                    match arg {
                        Arg::Operator(Operator::Proc { proc, link: None }) => self.proc(*proc),
                        Arg::Operator(_) => self.is_fit = false,
                        _ => {}
                    }
                }
                self.children(code);
            }
            Kind::Call { proc, link, args } => {
                self.is_fit &= link.is_none() && args.iter().all(|it| it.code().is_some());
                self.proc(*proc);
                self.children(code);
            }
            Kind::ApplyRecursive { proc, link, .. } | Kind::WholeRecursive { proc, link } => {
                self.is_fit &= link.is_none();
                self.proc(*proc);
                self.children(code);
            }
            Kind::Inlined { args, .. } => {
                self.is_fit &= args.iter().all(|it| it.arg.code().is_some());
                self.own.extend(args.iter().map(|it| it.slot));
                self.children(code);
            }
            Kind::Let { slots, .. } => {
                self.own.extend(slots.iter().map(|it| it.slot));
                self.children(code);
            }
            Kind::Forall { bounds, .. }
            | Kind::Exists { bounds, .. }
            | Kind::Map { bounds, .. }
            | Kind::FnLiteral { bounds, .. } => {
                bounds.iter().for_each(|it| self.bind(&it.pattern));
                self.children(code);
            }
            Kind::InFilter { bound, .. } | Kind::Choose { bound, .. } | Kind::Filter { bound, .. } => {
                self.bind(&bound.pattern);
                self.children(code);
            }
            Kind::Except { updates, .. } => {
                self.own.extend(updates.iter().map(|it| it.at));
                self.children(code);
            }
            _ => self.children(code),
        }
    }

    fn bind(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::One(slot) => self.own.push(*slot),
            Pattern::Tuple(slots) => self.own.extend(slots),
        }
    }

    /// Another variable is known, or it is one that the expression may give its value.
    fn next_variable(&mut self, var: VarId) {
        self.is_fit &= self.subject != Subject::Next(var)
            && matches!(self.machine.step.next.get(var as usize), Some(Some(_)));
    }

    /// A name from outside is a value, or is about to be one that does not depend on the subject.
    fn name(&mut self, place: Place) {
        if place.up == 0 {
            if self.not_bound.contains(&place.slot) {
                self.is_fit = false;
                return;
            }
            if self.own.contains(&place.slot) {
                return;
            }
        }
        if self.subject == Subject::Name(place.slot) {
            self.is_fit = false;
            return;
        }
        match self.machine.cell_from(place, self.base) {
            Cell::Value(_) => {}
            Cell::Thunk(thunk) if self.depth < DEPTH_MAX => {
                let mut inside = Look {
                    base: thunk.base,
                    primed: thunk.primed,
                    depth: self.depth + 1,
                    apart: true,
                    own: vec![],
                    not_bound: &[],
                    keys: vec![],
                    fields: vec![],
                    ..*self
                };
                inside.code(thunk.code);
                self.is_fit = inside.is_fit;
            }
            _ => self.is_fit = false,
        }
    }

    /// A definition elsewhere: it has no names of this frame, and must not speak of a step.
    fn proc(&mut self, proc: ProcId) {
        if self.depth == DEPTH_MAX || !self.is_fit {
            self.is_fit = false;
            return;
        }
        let mut inside = Elsewhere {
            program: self.machine.program,
            primed: self.primed,
            depth: self.depth + 1,
            is_fit: true,
        };
        inside.proc(proc);
        self.is_fit = inside.is_fit;
    }
}

/// Whether a definition speaks of the present state alone.
struct Elsewhere<'i> {
    program: &'i Program<'i>,
    primed: bool,
    depth: u32,
    is_fit: bool,
}

impl<'i> Elsewhere<'i> {
    fn proc(&mut self, proc: ProcId) {
        if self.depth == DEPTH_MAX {
            self.is_fit = false;
        }
        if !self.is_fit {
            return;
        }
        self.depth += 1;
        let proc = &self.program.procs[proc];
        for (set, _) in proc.domain.iter().flatten() {
            self.code(set);
        }
        self.code(&proc.body);
        self.depth -= 1;
    }

    fn code(&mut self, code: &'i Code<'i>) {
        if self.is_fit {
            deep(|| self.code_here(code));
        }
    }

    fn code_here(&mut self, code: &'i Code<'i>) {
        match &code.kind {
            Kind::NextVar(_)
            | Kind::Prime(_)
            | Kind::Unchanged(_)
            | Kind::UnchangedVars(_)
            | Kind::BoxAction(_)
            | Kind::AngleAction(_)
            | Kind::EqShape { .. }
            | Kind::InShape { .. }
            | Kind::Enabled(_)
            | Kind::Compose(_) => self.is_fit = false,
            Kind::Var(_) => self.is_fit &= !self.primed,
            Kind::Call { proc, args, .. } => {
                self.operators(args);
                self.proc(*proc);
            }
            Kind::Native { args, .. } | Kind::CallParam { args, .. } => self.operators(args),
            Kind::Inlined { args, .. } => args.iter().for_each(|it| self.operator(&it.arg)),
            Kind::ApplyRecursive { proc, .. } | Kind::WholeRecursive { proc, .. } => self.proc(*proc),
            _ => {}
        }
        code.children(&mut |it| self.code(it));
    }

    fn operators(&mut self, args: &'i [Arg<'i>]) {
        args.iter().for_each(|it| self.operator(it));
    }

    fn operator(&mut self, arg: &'i Arg<'i>) {
        if let Arg::Operator(Operator::Proc { proc, .. }) = arg {
            self.proc(*proc);
        }
    }
}
