//! Library operators whose definitions cannot be computed as they stand: numbers, lengths, sizes, and a few more.
//! Everything else in the library is evaluated by its definition.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use tla_sema::ir::DefId;
use value::Text;

use crate::env::{Binding, View};
use crate::fuel::give_up;
use crate::sets::{elements, interval, is_finite};
use crate::value::undefined;
use crate::{Error, Interpreter, Large, Result, Value};

/// Modules that mean the same even when a specification brings its own copy.
const STANDARD: &[&str] = &["Naturals", "Integers", "Reals", "Sequences", "FiniteSets", "TLC"];

impl Interpreter<'_> {
    /// Whether a definition comes with the language.
    pub(crate) fn is_library(&self, def: DefId) -> bool {
        let module = &self.spec.modules[self.spec.defs[self.original(def)].module];
        module.is_library || STANDARD.contains(&module.name.as_str())
    }

    /// The definition that this one is an instance of.
    fn original(&self, mut def: DefId) -> DefId {
        while let Some((origin, _)) = self.spec.defs[def].origin {
            def = origin;
        }
        def
    }

    /// The value of a call of a library operator that is known here.
    pub(crate) fn library(&self, def: DefId, args: &[Binding], view: View<'_>) -> Option<Result<Value>> {
        let spec = self.spec;
        let definition = &spec.defs[self.original(def)];
        let module = &spec.modules[definition.module];
        if !self.is_library(def) || definition.params.len() != args.len() {
            return None;
        }
        let force = |i: usize| self.force(&args[i], view);
        let name = definition.name.as_str();
        match (module.name.as_str(), name) {
            (
                "Naturals" | "ProtoReals",
                "+" | "-" | "*" | "^" | "<" | ">" | "<=" | ">=" | "%" | "\\div" | "..",
            ) => Some(force(0).and_then(|a| arithmetic(name, &a, &force(1)?))),
            ("Naturals" | "Peano", "Nat") => Some(Ok(Value::large(Large::Nat))),
            ("Integers" | "ProtoReals", "Int") => Some(Ok(Value::large(Large::Int))),
            ("Reals" | "ProtoReals", "Real") => Some(Ok(Value::large(Large::Real))),
            ("Integers", "-.") => Some(force(0).and_then(|a| Ok(Value::Int(-a.integer()?.clone())))),
            ("Reals", "/") => Some(force(0).and_then(|a| divided(&a, &force(1)?))),
            ("Sequences", "Seq") => Some(force(0).and_then(|set| match set {
                Value::Set(_) | Value::Large(_) => Ok(Value::large(Large::Sequences(set))),
                other => undefined(format!("{other} is not a set")),
            })),
            ("Sequences", "Len" | "\\o" | "Append" | "Head" | "Tail" | "SubSeq") => {
                let values: Result<Vec<Value>> = (0..args.len()).map(force).collect();
                Some(values.and_then(|values| sequence(name, &values)))
            }
            // A string has a length too, but only sequences are selected from. What is asked about are values: a prime says nothing of them.
            ("Sequences", "SelectSeq") => Some(self.select_seq(args, view)),
            // Bags are computed as a whole: what has no value is told even where the definition would not look at it.
            (
                "Bags",
                "\\oplus" | "\\ominus" | "\\sqsubseteq" | "SetToBag" | "BagToSet" | "CopiesIn" | "BagIn",
            ) => (0..args.len()).find_map(|i| force(i).err()).map(Err),
            ("FiniteSets", "IsFiniteSet") => Some(force(0).and_then(|set| is_finite(&set)).map(Value::Bool)),
            ("FiniteSets", "Cardinality") => {
                Some(force(0).and_then(|set| Ok(Value::int(elements(&set)?.len() as i64))))
            }
            ("TLC", "Any") => Some(Ok(Value::large(Large::Any))),
            ("TLC", "Assert") => Some(force(0).and_then(|test| match test.boolean()? {
                true => Ok(Value::Bool(true)),
                false => Err(Error::Assertion(match force(1)? {
                    Value::Str(text) => text.to_string(),
                    other => other.to_string(),
                })),
            })),
            ("TLC", "ToString") => Some(force(0).and_then(|it| match has_set(&it) {
                // `1..3` or `{1, 2, 3}`: how a set is written is not a matter of its value.
                true => Err(Error::Effect("TLC!ToString".to_owned())),
                false => Ok(Value::str(&it.to_string())),
            })),
            ("TLC", "SortSeq") => Some(self.sort(args, view)),
            ("TLC", "Print" | "PrintT") => {
                // Nothing is printed, but what would be printed must have a value.
                let values: Result<Vec<Value>> = (0..args.len()).map(force).collect();
                Some(values.map(|mut it| match it.len() {
                    2 => it.remove(1),
                    _ => Value::Bool(true),
                }))
            }
            ("TLC", "TLCGet" | "TLCSet") | ("TLCExt", "TLCGetOrDefault") => {
                let values: Result<Vec<Value>> = (0..args.len()).map(force).collect();
                Some(values.and_then(|values| self.about_run(name, &values, view)))
            }
            ("TLCExt", "TLCDefer") => Some(Ok(Value::Bool(true))),
            // Every successor is picked.
            ("TLCExt", "PickSuccessor") => {
                Some(force(0).and_then(|it| it.boolean()).map(|_| Value::Bool(true)))
            }
            ("IOUtils", "IOEnv") => Some(self.environment()),
            ("IOUtils", "atoi") => Some(force(0).and_then(|text| match text {
                Value::Str(digits) => match digits.as_str().parse::<BigInt>() {
                    Ok(n) => Ok(Value::Int(n)),
                    Err(_) => undefined(format!("{digits} is no number")),
                },
                other => undefined(format!("{other} is not a string")),
            })),
            ("TLCExt", "TLCModelValue") => Some(force(0).and_then(|name| match name {
                Value::Str(name) => Ok(Value::Model(name)),
                other => undefined(format!("{other} is not a string")),
            })),
            (
                "TLC" | "TLCExt" | "Randomization" | "Json" | "IOUtils" | "CSV" | "Statistics",
                "JavaTime"
                | "RandomElement"
                | "AssertError"
                | "TLCGetAndSet"
                | "Trace"
                | "CounterExample"
                | "ToTrace"
                | "TLCFP"
                | "TLCEvalDefinition"
                | "RandomSubset"
                | "RandomSetOfSubsets"
                | "TestRandomSetOfSubsets"
                | "ToJson"
                | "ToJsonArray"
                | "ToJsonObject"
                | "JsonDeserialize"
                | "ndJsonDeserialize"
                | "IOExec"
                | "IOEnvExec"
                | "IOExecTemplate"
                | "IOEnvExecTemplate"
                | "Serialize"
                | "Deserialize"
                | "IODeserialize"
                | "CSVRead"
                | "CSVRecords"
                | "ChiSquare",
            ) => Some(Err(Error::Effect(format!("{}!{name}", module.name)))),
            _ => None,
        }
    }

    /// Each element goes before the elements that it is less than.
    fn select_seq(&self, args: &[Binding], view: View<'_>) -> Result<Value> {
        let items = self.force(&args[0], view)?.items()?;
        let Binding::Operator(test) = &args[1] else {
            return undefined("SelectSeq needs an operator");
        };
        let mut selected = vec![];
        for item in items {
            let holds = self.apply_closure(test, vec![Binding::Value(item.clone())], view)?;
            if holds.boolean()? {
                selected.push(item);
            }
        }
        Ok(Value::tuple(selected))
    }

    fn sort(&self, args: &[Binding], view: View<'_>) -> Result<Value> {
        let items = self.force(&args[0], view)?.items()?;
        let Binding::Operator(less) = &args[1] else {
            return undefined("SortSeq needs an operator");
        };
        let mut sorted: Vec<Value> = vec![];
        for item in items {
            let mut place = sorted.len();
            while place > 0 {
                let pair = vec![
                    Binding::Value(item.clone()),
                    Binding::Value(sorted[place - 1].clone()),
                ];
                if !self.apply_closure(less, pair, view)?.boolean()? {
                    break;
                }
                place -= 1;
            }
            sorted.insert(place, item);
        }
        Ok(Value::tuple(sorted))
    }
}

fn has_set(value: &Value) -> bool {
    match value {
        Value::Set(items) => !items.is_empty(),
        Value::Large(_) => true,
        Value::Fun(pairs) => pairs.iter().any(|(key, it)| has_set(key) || has_set(it)),
        Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::Model(_) => false,
    }
}

fn arithmetic(name: &str, a: &Value, b: &Value) -> Result<Value> {
    let (a, b) = (a.integer()?, b.integer()?);
    Ok(match name {
        "+" => Value::Int(a + b),
        "-" => Value::Int(a - b),
        "*" => Value::Int(a * b),
        "<" => Value::Bool(a < b),
        ">" => Value::Bool(a > b),
        "<=" => Value::Bool(a <= b),
        ">=" => Value::Bool(a >= b),
        ".." => interval(a, b)?,
        "\\div" if b.is_zero() => return undefined("division by zero"),
        "\\div" => Value::Int(a.div_floor(b)),
        "%" if !b.is_positive() => return undefined(format!("the second argument of % is {b}")),
        "%" => Value::Int(a.mod_floor(b)),
        _ => power(a, b)?,
    })
}

fn power(a: &BigInt, b: &BigInt) -> Result<Value> {
    if b.is_negative() || a.is_zero() && b.is_zero() {
        return undefined(format!("{a}^{b} has no integer value"));
    }
    let Some(exponent) = b.to_u32() else {
        return give_up();
    };
    if a.bits().saturating_mul(u64::from(exponent)) > 1 << 20 {
        return give_up();
    }
    Ok(Value::Int(a.pow(exponent)))
}

fn divided(a: &Value, b: &Value) -> Result<Value> {
    let (a, b) = (a.integer()?, b.integer()?);
    match !b.is_zero() && a.is_multiple_of(b) {
        true => Ok(Value::Int(a / b)),
        false => undefined(format!("{a} / {b} is not an integer")),
    }
}

/// Strings count as sequences of characters where TLC says so.
fn sequence(name: &str, values: &[Value]) -> Result<Value> {
    if let (Value::Str(text), true) = (&values[0], matches!(name, "Len" | "\\o" | "Tail" | "SubSeq")) {
        return string(name, *text, &values[1..]);
    }
    let mut items = values[0].items()?;
    match name {
        "Len" => return Ok(Value::int(items.len() as i64)),
        "\\o" => items.extend(values[1].items()?),
        "Append" => items.push(values[1].clone()),
        "Head" => {
            return items
                .first()
                .cloned()
                .map_or_else(|| undefined("Head of an empty sequence"), Ok);
        }
        "Tail" if items.is_empty() => return undefined("Tail of an empty sequence"),
        "Tail" => {
            items.remove(0);
        }
        _ => {
            let range = part(&values[1], &values[2], items.len())?;
            items = items[range].to_vec();
        }
    }
    Ok(Value::tuple(items))
}

fn string(name: &str, text: Text, rest: &[Value]) -> Result<Value> {
    let characters: Vec<char> = text.as_str().chars().collect();
    let of = |characters: &[char]| Value::str(&characters.iter().collect::<String>());
    match name {
        "Len" => Ok(Value::int(characters.len() as i64)),
        "Tail" if characters.is_empty() => undefined("Tail of an empty string"),
        "Tail" => Ok(of(&characters[1..])),
        "SubSeq" => {
            let range = part(&rest[0], &rest[1], characters.len())?;
            Ok(of(&characters[range]))
        }
        _ => match &rest[0] {
            Value::Str(other) => Ok(Value::str(&format!("{text}{other}"))),
            other => undefined(format!("{other} is not a string")),
        },
    }
}

/// `from..to` within `1..n`, counted from 0.
fn part(from: &Value, to: &Value, n: usize) -> Result<std::ops::Range<usize>> {
    let (from, to) = (from.integer()?, to.integer()?);
    if from > to {
        return Ok(0..0);
    }
    match (from.to_usize(), to.to_usize()) {
        (Some(from), Some(to)) if from >= 1 && to <= n => Ok(from - 1..to),
        _ => undefined(format!("{from}..{to} is not within 1..{n}")),
    }
}
