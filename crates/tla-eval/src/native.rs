//! Library operators in Rust.
//!
//! The library defines every operator in TLA+; those listed here have a faster way to the same value, or one at all (a
//! definition over all reals can be read but not computed). They are found by module and name, so a definition
//! keeps its meaning whatever instance or alias it comes through.

mod bags;
mod numbers;
mod sequences;
mod sets;
mod tlc;

use std::sync::OnceLock;

use bumpalo::collections::Vec as ArenaVec;
use tla_sema::Spec;
use tla_sema::ir::{DefId, ExprId};
use util::{FxHashMap, Symbol};
use value::{Arena, Value};

use crate::code::Arith;
use crate::error::{ErrorKind, Fault};
use crate::machine::{Closure, Machine, Res};

/// An argument as a native sees it.
#[derive(Clone, Copy, Debug)]
pub enum Given<'t> {
    Value(Value<'t>),
    Operator(Closure),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    /// The same arguments give the same value.
    Pure,
    /// Prints, counts, asks the clock or chance.
    Effect,
}

type Run = for<'m, 't, 'i> fn(&'m mut Machine<'t, 'i>, &[Given<'t>], ExprId) -> Res<'t>;

/// A row of the table.
pub(crate) struct Row {
    pub module: &'static str,
    pub name: &'static str,
    pub what: What,
    pub purity: Purity,
}

#[derive(Clone, Copy)]
pub(crate) enum What {
    Arith(Arith),
    Run(Run),
}

/// A library operator that is known here.
#[derive(Clone, Copy)]
pub struct Native(&'static Row);

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}!{}", self.0.module, self.0.name)
    }
}

impl Native {
    pub fn arith(self) -> Option<Arith> {
        match self.0.what {
            What::Arith(op) => Some(op),
            What::Run(_) => None,
        }
    }

    pub fn purity(self) -> Purity {
        self.0.purity
    }

    /// Whether all arguments are needed whatever their values.
    pub fn is_strict(self) -> bool {
        true
    }

    pub(crate) fn run<'t, 'i: 't>(self, machine: &mut Machine<'t, 'i>, given: &[Given<'t>], at: ExprId) -> Res<'t> {
        match self.0.what {
            What::Run(run) => run(machine, given, at),
            What::Arith(_) => unreachable!("arithmetic is compiled to code of its own"),
        }
    }
}

/// Modules whose operators keep their meaning even when a specification brings its own copy.
const STANDARD: &[&str] = &["Naturals", "Integers", "Reals", "Sequences", "FiniteSets", "Bags", "TLC", "TLCExt"];

/// The native form of a definition, if it has one.
pub fn lookup(spec: &Spec, def: DefId) -> Option<Native> {
    static TABLE: OnceLock<FxHashMap<(Symbol, Symbol), &'static Row>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let rows = [numbers::ROWS, sequences::ROWS, sets::ROWS, tlc::ROWS, bags::ROWS];
        rows.into_iter().flatten().map(|row| ((Symbol::new(row.module), Symbol::new(row.name)), row)).collect()
    });
    let n_params = spec.defs[def].params.len();
    let mut def = def;
    while let Some((origin, _)) = spec.defs[def].origin {
        def = origin;
    }
    let definition = &spec.defs[def];
    // A member of a parametrised instance takes the instance's arguments first: it is not the operator itself.
    if definition.params.len() != n_params {
        return None;
    }
    let module = &spec.modules[definition.module];
    let row = *table.get(&(module.name, definition.name))?;
    (module.is_library || STANDARD.contains(&row.module)).then_some(Native(row))
}

pub(crate) const fn row(module: &'static str, name: &'static str, run: Run) -> Row {
    Row { module, name, what: What::Run(run), purity: Purity::Pure }
}

pub(crate) const fn effect(module: &'static str, name: &'static str, run: Run) -> Row {
    Row { module, name, what: What::Run(run), purity: Purity::Effect }
}

pub(crate) const fn arith(module: &'static str, name: &'static str, op: Arith) -> Row {
    Row { module, name, what: What::Arith(op), purity: Purity::Pure }
}

// What natives need of a machine.
impl<'t, 'i: 't> Machine<'t, 'i> {
    pub(crate) fn value_arg(&mut self, given: &[Given<'t>], index: usize) -> Value<'t> {
        match given.get(index) {
            Some(Given::Value(value)) => *value,
            _ => unreachable!("arity and kind of arguments were checked by name resolution"),
        }
    }

    pub(crate) fn operator_arg(&mut self, given: &[Given<'t>], index: usize) -> Closure {
        match given.get(index) {
            Some(Given::Operator(closure)) => *closure,
            _ => unreachable!("arity and kind of arguments were checked by name resolution"),
        }
    }

    pub(crate) fn undefined(&mut self, operator: &'static str, why: impl Into<String>, at: ExprId) -> Fault {
        self.fail(ErrorKind::Undefined { operator, why: why.into() }, at)
    }

    /// The items of a sequence.
    pub(crate) fn sequence(&mut self, value: Value<'t>, at: ExprId) -> Result<&'t [Value<'t>], Fault> {
        match value {
            Value::Tuple(it) => Ok(it.items),
            other => Err(self.wrong("a sequence", other, at)),
        }
    }

    /// The elements of a finite set, sorted.
    pub(crate) fn items(&mut self, set: Value<'t>, at: ExprId) -> Result<&'t [Value<'t>], Fault> {
        let arena: &'t Arena = self.arena;
        match value::enumerate(set, arena) {
            Ok(Value::Set(it)) => Ok(it.items),
            Ok(other) => Err(self.wrong("a set", other, at)),
            Err(trouble) => Err(self.trouble(trouble, &[set], at)),
        }
    }

    pub(crate) fn integer(&mut self, value: Value<'t>, at: ExprId) -> Result<i64, Fault> {
        match value {
            Value::Int(it) => Ok(it),
            other => Err(self.wrong("an integer", other, at)),
        }
    }

    pub(crate) fn test_closure(&mut self, closure: Closure, args: &[Value<'t>], at: ExprId) -> Result<bool, Fault> {
        let value = self.call_closure(closure, args)?;
        self.boolean(value, at)
    }

    /// The domain and values of a function, in the order of the domain.
    pub(crate) fn graph(&mut self, function: Value<'t>, at: ExprId) -> Result<ArenaVec<'t, (Value<'t>, Value<'t>)>, Fault> {
        let arena: &'t Arena = self.arena;
        let mut pairs = ArenaVec::new_in(arena);
        match function {
            Value::Tuple(it) => {
                pairs.extend(it.items.iter().enumerate().map(|(i, &value)| (Value::Int(i as i64 + 1), value)));
            }
            Value::Record(it) => {
                pairs.extend(it.names.iter().zip(it.values).map(|(&name, &value)| (Value::Str(name), value)));
            }
            Value::Fun(it) => pairs.extend(it.domain.items.iter().copied().zip(it.values.iter().copied())),
            other => return Err(self.wrong("a function", other, at)),
        }
        Ok(pairs)
    }
}
