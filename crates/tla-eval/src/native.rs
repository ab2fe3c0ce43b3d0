//! Library operators in Rust.
//!
//! The library defines every operator in TLA+; those listed here have a faster way to the same value, or one at all (a
//! definition over all reals can be read but not computed). They are found by module and name, so a definition
//! keeps its meaning whatever instance or alias it comes through. What its definition computes well enough is not here.

mod bags;
mod bits;
mod clocks;
mod csv;
mod folds;
mod format;
mod functions;
mod graphs;
mod io;
mod json;
mod numbers;
mod patterns;
mod random;
mod registers;
mod relation;
mod sequences;
mod sequences_ext;
mod sets;
mod sets_ext;
mod statistics;
mod svg;
mod tlc;
mod tlc_ext;

use std::sync::OnceLock;

use bumpalo::collections::Vec as ArenaVec;
use num_bigint::BigUint;
use tla_sema::Spec;
use tla_sema::ir::{Def, DefId, ExprId};
use util::{FxHashMap, Symbol};
use value::{Arena, Text, Trouble, Value};

use crate::code::{Arith, Code};
use crate::error::{ErrorKind, Fault};
use crate::machine::{Closure, Machine, Res};

/// An argument as a native sees it.
#[derive(Clone, Copy, Debug)]
pub enum Given<'t, 'i> {
    Value(Value<'t>),
    Operator(Closure),
    /// To be evaluated by the native, or not.
    Lazy(&'i Code<'i>),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Purity {
    /// The same arguments give the same value.
    Pure,
    /// Asks chance, or reads what is outside. A constant definition that does so has one value, as in TLC.
    Once,
    /// Prints, writes, counts, or asks the clock.
    Effect,
}

type Run = for<'m, 't, 'i> fn(&'m mut Machine<'t, 'i>, &[Given<'t, 'i>], ExprId) -> Res<'t>;

/// A row of the table.
pub(crate) struct Row {
    pub module: &'static str,
    pub name: &'static str,
    /// A letter for each parameter: `v` for a value, a digit for an operator with so many arguments.
    pub params: &'static str,
    pub what: What,
    pub purity: Purity,
    /// Arguments come unevaluated.
    pub lazy: bool,
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

    pub fn is(self, module: &str, name: &str) -> bool {
        self.0.module == module && self.0.name == name
    }

    pub fn purity(self) -> Purity {
        self.0.purity
    }

    /// Whether its value is an infinite set, or may be one.
    pub fn is_infinite_set(self) -> bool {
        matches!(self.0.name, "Nat" | "Int" | "Real" | "Seq" | "Any")
    }

    /// Whether all arguments are needed whatever their values.
    pub fn is_strict(self) -> bool {
        !self.0.lazy
    }

    pub(crate) fn run<'t, 'i: 't>(
        self,
        machine: &mut Machine<'t, 'i>,
        given: &[Given<'t, 'i>],
        at: ExprId,
    ) -> Res<'t> {
        match self.0.what {
            What::Run(run) => run(machine, given, at),
            What::Arith(_) => unreachable!("arithmetic is compiled to code of its own"),
        }
    }
}

/// Modules whose operators keep their meaning even when a specification brings its own copy.
const STANDARD: &[&str] = &[
    "Naturals",
    "Integers",
    "Reals",
    "Sequences",
    "FiniteSets",
    "Bags",
    "TLC",
    "TLCExt",
    "Json",
    "Randomization",
];

const TABLES: &[&[Row]] = &[
    bags::ROWS,
    bits::ROWS,
    clocks::ROWS,
    csv::ROWS,
    folds::ROWS,
    functions::ROWS,
    graphs::ROWS,
    io::ROWS,
    json::ROWS,
    numbers::ROWS,
    patterns::ROWS,
    random::ROWS,
    registers::ROWS,
    relation::ROWS,
    sequences::ROWS,
    sequences_ext::ROWS,
    sets::ROWS,
    sets_ext::ROWS,
    statistics::ROWS,
    svg::ROWS,
    tlc::ROWS,
    tlc_ext::ROWS,
];

/// The native form of a definition, if it has one.
pub fn lookup(spec: &Spec, def: DefId) -> Option<Native> {
    static TABLE: OnceLock<FxHashMap<(Symbol, Symbol), &'static Row>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let rows = TABLES.iter().copied().flatten();
        rows.map(|row| ((Symbol::new(row.module), Symbol::new(row.name)), row))
            .collect()
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
    let known = module.is_library || STANDARD.contains(&row.module);
    (known && has_params(spec, definition, row.params)).then_some(Native(row))
}

fn has_params(spec: &Spec, definition: &Def, params: &str) -> bool {
    let arity = |c: char| c.to_digit(10).unwrap_or(0);
    definition
        .params
        .iter()
        .map(|&it| spec.locals[it].arity)
        .eq(params.chars().map(arity))
}

pub(crate) const fn row(module: &'static str, name: &'static str, params: &'static str, run: Run) -> Row {
    Row {
        module,
        name,
        params,
        what: What::Run(run),
        purity: Purity::Pure,
        lazy: false,
    }
}

pub(crate) const fn effect(module: &'static str, name: &'static str, params: &'static str, run: Run) -> Row {
    Row {
        module,
        name,
        params,
        what: What::Run(run),
        purity: Purity::Effect,
        lazy: false,
    }
}

pub(crate) const fn once(module: &'static str, name: &'static str, params: &'static str, run: Run) -> Row {
    Row {
        module,
        name,
        params,
        what: What::Run(run),
        purity: Purity::Once,
        lazy: false,
    }
}

pub(crate) const fn lazy(module: &'static str, name: &'static str, params: &'static str, run: Run) -> Row {
    Row {
        module,
        name,
        params,
        what: What::Run(run),
        purity: Purity::Effect,
        lazy: true,
    }
}

pub(crate) const fn arith(module: &'static str, name: &'static str, op: Arith) -> Row {
    Row {
        module,
        name,
        params: "vv",
        what: What::Arith(op),
        purity: Purity::Pure,
        lazy: false,
    }
}

/// More elements than this are not built.
const ELEMENTS_MAX: u64 = 1 << 26;

// What natives need of a machine.
impl<'t, 'i: 't> Machine<'t, 'i> {
    pub(crate) fn value_arg(&mut self, given: &[Given<'t, 'i>], index: usize) -> Value<'t> {
        match given.get(index) {
            Some(Given::Value(value)) => *value,
            _ => unreachable!("arity and kind of arguments were checked by name resolution"),
        }
    }

    /// All arguments, for a native that takes values only.
    pub(crate) fn values<const N: usize>(&mut self, given: &[Given<'t, 'i>]) -> [Value<'t>; N] {
        std::array::from_fn(|i| self.value_arg(given, i))
    }

    pub(crate) fn operator_arg(&mut self, given: &[Given<'t, 'i>], index: usize) -> Closure {
        match given.get(index) {
            Some(Given::Operator(closure)) => *closure,
            _ => unreachable!("arity and kind of arguments were checked by name resolution"),
        }
    }

    /// The argument of a lazy native, now.
    pub(crate) fn lazy_arg(&mut self, given: &[Given<'t, 'i>], index: usize) -> Res<'t> {
        match given.get(index) {
            Some(Given::Value(value)) => Ok(*value),
            Some(Given::Lazy(code)) => self.eval(code),
            _ => unreachable!("arity and kind of arguments were checked by name resolution"),
        }
    }

    pub(crate) fn undefined(&mut self, operator: &'static str, why: impl Into<String>, at: ExprId) -> Fault {
        self.fail(
            ErrorKind::Undefined {
                operator,
                why: why.into(),
            },
            at,
        )
    }

    /// The items of a sequence.
    pub(crate) fn sequence(&mut self, value: Value<'t>, at: ExprId) -> Result<&'t [Value<'t>], Fault> {
        match value {
            Value::Tuple(it) => Ok(it.items),
            other => Err(self.wrong("a sequence", other, at)),
        }
    }

    pub(crate) fn string(&mut self, value: Value<'t>, at: ExprId) -> Result<Text, Fault> {
        match value {
            Value::Str(it) => Ok(it),
            other => Err(self.wrong("a string", other, at)),
        }
    }

    /// The elements of a finite set, sorted.
    pub(crate) fn items(&mut self, set: Value<'t>, at: ExprId) -> Result<&'t [Value<'t>], Fault> {
        let arena: &'t Arena = self.arena;
        match value::enumerate(set, arena) {
            Ok(it) => Ok(it.items),
            Err(trouble) => Err(self.trouble(trouble, &[set], at)),
        }
    }

    pub(crate) fn integer(&mut self, value: Value<'t>, at: ExprId) -> Result<i64, Fault> {
        match value {
            Value::Int(it) => Ok(it),
            other => Err(self.wrong("an integer", other, at)),
        }
    }

    pub(crate) fn natural(&mut self, value: Value<'t>, at: ExprId) -> Result<usize, Fault> {
        match value {
            Value::Int(it) if it >= 0 => Ok(it as usize),
            other => Err(self.wrong("a natural number", other, at)),
        }
    }

    /// `a = b`, with the error that comparing them in the text would give.
    pub(crate) fn same(&mut self, a: Value<'t>, b: Value<'t>, at: ExprId) -> Result<bool, Fault> {
        value::equal(a, b).map_err(|it| self.trouble(it, &[a, b], at))
    }

    pub(crate) fn test_closure(
        &mut self,
        closure: Closure,
        args: &[Value<'t>],
        at: ExprId,
    ) -> Result<bool, Fault> {
        let value = self.call_closure(closure, args)?;
        self.boolean(value, at)
    }

    pub(crate) fn tuple(&self, items: &[Value<'t>]) -> Value<'t> {
        Value::tuple(items, self.arena)
    }

    pub(crate) fn set_of(&mut self, items: &[Value<'t>], at: ExprId) -> Res<'t> {
        let arena: &'t Arena = self.arena;
        self.make_set(ArenaVec::from_iter_in(items.iter().copied(), arena), at)
    }

    /// A function from pairs in any order with distinct keys.
    pub(crate) fn function_of(&mut self, pairs: ArenaVec<'t, (Value<'t>, Value<'t>)>, at: ExprId) -> Res<'t> {
        let sample: Vec<Value<'t>> = pairs
            .first()
            .into_iter()
            .chain(pairs.last())
            .map(|&(key, _)| key)
            .collect();
        value::from_pairs(pairs, self.arena).map_err(|it| self.trouble(it, &sample, at))
    }

    /// Refuses to build a set of `n` elements when that is hopeless.
    pub(crate) fn check_size(&mut self, n: &BigUint, of: Value<'t>, at: ExprId) -> Result<(), Fault> {
        match *n > BigUint::from(ELEMENTS_MAX) {
            true => Err(self.trouble(Trouble::TooMany, &[of], at)),
            false => Ok(()),
        }
    }

    /// The domain and values of a function, in the order of the domain.
    pub(crate) fn graph(
        &mut self,
        function: Value<'t>,
        at: ExprId,
    ) -> Result<ArenaVec<'t, (Value<'t>, Value<'t>)>, Fault> {
        let arena: &'t Arena = self.arena;
        let mut pairs = ArenaVec::new_in(arena);
        match function {
            Value::Tuple(it) => {
                pairs.extend(
                    it.items
                        .iter()
                        .enumerate()
                        .map(|(i, &value)| (Value::Int(i as i64 + 1), value)),
                );
            }
            Value::Record(it) => {
                pairs.extend(
                    it.names
                        .iter()
                        .zip(it.values)
                        .map(|(&name, &value)| (Value::Str(name), value)),
                );
            }
            Value::Fun(it) => pairs.extend(it.domain.items.iter().copied().zip(it.values.iter().copied())),
            other => return Err(self.wrong("a function", other, at)),
        }
        Ok(pairs)
    }

    /// The value of a field, for natives that take records.
    pub(crate) fn field(&mut self, record: Value<'t>, name: &str, at: ExprId) -> Res<'t> {
        let arg = Value::str(name);
        value::apply(record, arg).map_err(|_| {
            let kind = ErrorKind::NoField {
                record: crate::machine::shown(record),
                field: name.to_owned(),
            };
            self.fail(kind, at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names and signatures that a module of the library defines.
    fn definitions(module: &str) -> FxHashMap<Symbol, String> {
        struct Library;
        impl tla_sema::Modules for Library {
            fn find(&self, name: &str) -> tla_sema::Found {
                match tla_library::module(name) {
                    Some(text) => tla_sema::Found::Text(tla_sema::ModuleText {
                        name: name.to_owned(),
                        text: text.into(),
                        is_library: true,
                    }),
                    None => tla_sema::Found::Missing,
                }
            }
            fn names(&self) -> Vec<String> {
                vec![]
            }
        }
        let mut sources = source::Sources::new();
        let file = sources.add(module, tla_library::module(module).unwrap_or_default());
        let (spec, _) = tla_sema::resolve(file, &mut sources, &Library);
        let Some(root) = spec.root() else {
            return FxHashMap::default();
        };
        let signature = |def: &Def| -> String {
            let letter = |arity: u32| {
                if arity == 0 {
                    'v'
                } else {
                    char::from_digit(arity, 10).unwrap_or('?')
                }
            };
            def.params
                .iter()
                .map(|&it| letter(spec.locals[it].arity))
                .collect()
        };
        root.defs
            .iter()
            .map(|&it| (spec.defs[it].name, signature(&spec.defs[it])))
            .collect()
    }

    #[test]
    fn every_row_is_an_operator_of_the_library() {
        let mut wrong = vec![];
        let mut seen = std::collections::BTreeSet::new();
        let mut modules: FxHashMap<&str, FxHashMap<Symbol, String>> = FxHashMap::default();
        for row in TABLES.iter().copied().flatten() {
            let module = modules
                .entry(row.module)
                .or_insert_with(|| definitions(row.module));
            if module.get(&Symbol::new(row.name)).map(String::as_str) != Some(row.params) {
                wrong.push(format!("{}!{}({})", row.module, row.name, row.params));
            }
            if !seen.insert((row.module, row.name)) {
                wrong.push(format!("{}!{} twice", row.module, row.name));
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
