//! Which variables an expression stands for.
//!
//! `v' = e` gives `x` its next value where `v` is a parameter and the argument is `x`; so does `UNCHANGED w` where `w` is `<<x, y>>`.
//! An expression is followed to what it stands for: through parameters and `LET` names to what was passed, through definitions to
//! their bodies, through primes. Nothing is evaluated on the way, and no frame is made: the names of a body that is looked into
//! are its arguments as they are written, in the frame of the caller.

use crate::code::*;
use crate::machine::{Cell, Closure, Machine};

/// Definitions inside each other that are looked into. Legal ones have an end, but a replaced definition may stand for itself.
const DEPTH_MAX: u32 = 64;

/// Where the names of an expression are found.
#[derive(Clone, Copy)]
enum Names<'n, 'i> {
    /// In a frame of the stack.
    Frame(usize),
    /// First among those of a body that is looked into.
    Inside(&'n Inside<'n, 'i>),
}

struct Inside<'n, 'i> {
    bound: Bindings<'i>,
    outer: Names<'n, 'i>,
    depth: u32,
}

#[derive(Clone, Copy)]
enum Bindings<'i> {
    /// The arguments of a proc, with the frame that it is linked to.
    Call {
        proc: ProcId,
        args: &'i [Arg<'i>],
        link: usize,
    },
    Inlined(&'i [BoundArg<'i>]),
    Let(&'i [LetSlot<'i>]),
}

/// An expression, where its names are, and whether they mean their next values.
#[derive(Clone, Copy)]
struct Seen<'n, 'i> {
    code: &'i Code<'i>,
    names: Names<'n, 'i>,
    primed: bool,
}

impl Names<'_, '_> {
    fn depth(&self) -> u32 {
        match self {
            Names::Frame(_) => 0,
            Names::Inside(it) => it.depth,
        }
    }
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// The variable whose next value an expression is.
    pub(crate) fn next_variable(&self, code: &'i Code<'i>) -> Option<VarId> {
        match code.kind {
            Kind::NextVar(var) => Some(var),
            // What is most often compared stands for nothing.
            Kind::Const(_) | Kind::Cached(_) | Kind::Apply(_) | Kind::Select { .. } | Kind::Arith(..) => None,
            _ => self.follow(self.seen(code), &mut |it| match it.code.kind {
                Kind::NextVar(var) => Some(var),
                Kind::Var(var) if it.primed => Some(var),
                _ => None,
            }),
        }
    }

    /// The tuple of variables whose next values an expression is.
    pub(crate) fn next_tuple(&self, code: &'i Code<'i>) -> Option<Shape> {
        match code.kind {
            Kind::Const(_) | Kind::Cached(_) | Kind::Var(_) | Kind::NextVar(_) | Kind::Apply(_) => None,
            _ => {
                let shape = self.shape(self.seen(code), true);
                shape.filter(|it| matches!(it, Shape::Tuple(_)))
            }
        }
    }

    /// The variable that a state function is, or the tuple of variables; nothing for one with other parts.
    pub(crate) fn current_shape(&self, code: &'i Code<'i>) -> Option<Shape> {
        self.shape(self.seen(code), false)
    }

    fn shape(&self, seen: Seen<'_, 'i>, primed: bool) -> Option<Shape> {
        self.follow(seen, &mut |it| match &it.code.kind {
            Kind::NextVar(var) if primed => Some(Shape::Var(*var)),
            Kind::Var(var) if it.primed == primed => Some(Shape::Var(*var)),
            Kind::Tuple(items) => {
                let parts = items.iter().map(|code| self.shape(Seen { code, ..it }, primed));
                parts.collect::<Option<_>>().map(Shape::Tuple)
            }
            _ => None,
        })
    }

    /// Collects the variables that a state function stands for, itself or as parts of a tuple; whether it has no other parts.
    pub(crate) fn variables_of(&self, code: &'i Code<'i>, vars: &mut Vec<VarId>) -> bool {
        self.collect(self.seen(code), vars)
    }

    fn collect(&self, seen: Seen<'_, 'i>, vars: &mut Vec<VarId>) -> bool {
        self.follow(seen, &mut |it| match &it.code.kind {
            Kind::Var(var) if !it.primed => {
                vars.push(*var);
                true
            }
            // All of them are wanted, also after one that is no variable.
            Kind::Tuple(items) => items
                .iter()
                .fold(true, |all, code| self.collect(Seen { code, ..it }, vars) & all),
            _ => false,
        })
    }

    fn seen<'n>(&self, code: &'i Code<'i>) -> Seen<'n, 'i> {
        Seen {
            code,
            names: Names::Frame(self.base),
            primed: self.step.primed,
        }
    }

    /// Goes to what an expression stands for, and gives that to `then`. Names of a body live as long as the look into it.
    fn follow<R>(&self, seen: Seen<'_, 'i>, then: &mut dyn FnMut(Seen<'_, 'i>) -> R) -> R {
        let Seen { code, names, primed } = seen;
        let into = match &code.kind {
            Kind::Prime(inner) => {
                let primed = true;
                let seen = Seen {
                    code: inner,
                    names,
                    primed,
                };
                return self.follow(seen, then);
            }
            Kind::Local(place) => {
                return match self.bound_to(*place, names, primed) {
                    Some(bound) => util::deep(|| self.follow(bound, then)),
                    None => then(seen),
                };
            }
            Kind::Call { proc, link, args } => self
                .link_from(*link, names)
                .map(|link| self.body_of(*proc, link, args)),
            Kind::CallParam { place, args } => match names {
                Names::Frame(base) => match self.cell_from(*place, base) {
                    Cell::Operator(Closure { proc, link }) => Some(self.body_of(proc, link, args)),
                    _ => None,
                },
                Names::Inside(_) => None,
            },
            Kind::Inlined { args, body, .. } => Some((Bindings::Inlined(args), &**body)),
            Kind::Let { slots, body } => Some((Bindings::Let(slots), &**body)),
            _ => None,
        };
        match into {
            Some((bound, code)) if names.depth() < DEPTH_MAX => {
                let depth = names.depth() + 1;
                let inside = Inside {
                    bound,
                    outer: names,
                    depth,
                };
                let names = Names::Inside(&inside);
                let seen = Seen { code, names, primed };
                util::deep(|| self.follow(seen, then))
            }
            _ => then(seen),
        }
    }

    fn body_of(&self, proc: ProcId, link: usize, args: &'i [Arg<'i>]) -> (Bindings<'i>, &'i Code<'i>) {
        let body = &self.program.procs[proc].body;
        (Bindings::Call { proc, args, link }, body)
    }

    /// The frame that a proc is linked to; 0 for one that is not. Nothing where that frame is not on the stack.
    fn link_from(&self, link: Option<u16>, names: Names<'_, 'i>) -> Option<usize> {
        match (link, names) {
            (None, _) => Some(0),
            (Some(up), Names::Frame(base)) => Some(self.frame_from(base, up)),
            (Some(up), Names::Inside(it)) => match it.bound {
                // These share the frame around them.
                Bindings::Inlined(_) | Bindings::Let(_) => self.link_from(link, it.outer),
                Bindings::Call { link, .. } if up > 0 => Some(self.frame_from(link, up - 1)),
                Bindings::Call { .. } => None,
            },
        }
    }

    /// What a name was given.
    fn bound_to<'n>(&self, place: Place, names: Names<'n, 'i>, primed: bool) -> Option<Seen<'n, 'i>> {
        let inside = match names {
            Names::Frame(base) => return self.in_cell(place, base, primed),
            Names::Inside(inside) => inside,
        };
        let outer = inside.outer;
        match inside.bound {
            Bindings::Call { link, .. } if place.up > 0 => {
                let up = place.up - 1;
                self.in_cell(Place { up, ..place }, link, primed)
            }
            Bindings::Call { proc, args, .. } => {
                let first = u16::from(self.program.procs[proc].linked);
                let arg = args.get(place.slot.checked_sub(first)? as usize)?;
                given(arg, outer, primed)
            }
            Bindings::Inlined(args) => match args.iter().find(|it| place.up == 0 && it.slot == place.slot) {
                Some(it) => given(&it.arg, outer, primed),
                None => self.bound_to(place, outer, primed),
            },
            Bindings::Let(slots) => match slots.iter().find(|it| place.up == 0 && it.slot == place.slot) {
                Some(it) => Some(Seen {
                    code: &it.code,
                    names,
                    primed,
                }),
                None => self.bound_to(place, outer, primed),
            },
        }
    }

    fn in_cell<'n>(&self, place: Place, base: usize, primed: bool) -> Option<Seen<'n, 'i>> {
        match self.cell_from(place, base) {
            Cell::Thunk(thunk) | Cell::ByName(thunk) => Some(Seen {
                code: thunk.code,
                names: Names::Frame(thunk.base),
                primed: thunk.primed || primed,
            }),
            _ => None,
        }
    }
}

fn given<'n, 'i>(arg: &'i Arg<'i>, names: Names<'n, 'i>, primed: bool) -> Option<Seen<'n, 'i>> {
    match arg {
        Arg::Value(code) | Arg::Lazy(code) | Arg::ByName(code) => Some(Seen { code, names, primed }),
        Arg::Operator(_) => None,
    }
}
