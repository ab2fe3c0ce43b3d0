//! Values as TLA+ text that reads back to the same value.

use std::fmt::{self, Display, Formatter, Write};

use crate::{Symbolic, Text, Truth, Value};

/// What nobody reads to its end.
const TEXT_MAX: usize = 1 << 20;

/// The text of a value, for people.
pub fn text(value: Value<'_>) -> String {
    text_up_to(value, TEXT_MAX)
}

/// The text of a value, cut after so many bytes. A value that has parts in common with itself can be far longer than it is large.
pub fn text_up_to(value: Value<'_>, max: usize) -> String {
    let mut short = Short {
        text: String::new(),
        max,
    };
    if write!(short, "{value}").is_err() {
        short.text.push('…');
    }
    short.text
}

/// The beginning of a text, and an error after that.
struct Short {
    text: String,
    max: usize,
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let fitting = text.floor_char_boundary(self.max - self.text.len());
        self.text.push_str(&text[..fitting]);
        match fitting == text.len() {
            true => Ok(()),
            false => Err(fmt::Error),
        }
    }
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        util::deep(|| self.fmt_here(f))
    }
}

impl Value<'_> {
    fn fmt_here(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Bool(Truth::True) => f.write_str("TRUE"),
            Value::Bool(Truth::False) => f.write_str("FALSE"),
            Value::Int(it) => write!(f, "{it}"),
            Value::Big(it) => write!(f, "{it}"),
            Value::Str(it) => quoted(it, f),
            Value::Model(it) => write!(f, "{it}"),
            Value::Tuple(it) => {
                f.write_str("<<")?;
                list(it.items, f)?;
                f.write_str(">>")
            }
            Value::Record(it) if it.names.iter().all(|&name| is_field(name)) => {
                f.write_str("[")?;
                for (i, (name, value)) in it.names.iter().zip(it.values).enumerate() {
                    write!(f, "{}{name} |-> {value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Value::Record(it) => {
                let pairs = it
                    .names
                    .iter()
                    .map(|&name| Value::Str(name))
                    .zip(it.values.iter().copied());
                function(pairs, f)
            }
            Value::Fun(it) => function(it.domain.items.iter().copied().zip(it.values.iter().copied()), f),
            Value::Set(it) => {
                f.write_str("{")?;
                list(it.items, f)?;
                f.write_str("}")
            }
            Value::Bits(it) => {
                f.write_str("{")?;
                list(&it.iter().collect::<Vec<_>>(), f)?;
                f.write_str("}")
            }
            Value::Symbolic(it) => symbolic(it, f),
        }
    }
}

fn list(items: &[Value<'_>], f: &mut Formatter<'_>) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// `(a :> 1 @@ b :> 2)`, as TLC writes functions.
fn function<'v>(pairs: impl Iterator<Item = (Value<'v>, Value<'v>)>, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("(")?;
    for (i, (key, value)) in pairs.enumerate() {
        write!(f, "{}{key} :> {value}", if i == 0 { "" } else { " @@ " })?;
    }
    f.write_str(")")
}

fn quoted(text: Text, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.as_str().chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            '\u{c}' => f.write_str("\\f")?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

fn is_field(name: Text) -> bool {
    let text = name.as_str();
    let word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word && text.chars().any(|c| c.is_ascii_alphabetic())
}

fn symbolic(set: &Symbolic<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    match set {
        Symbolic::Nat => f.write_str("Nat"),
        Symbolic::Int => f.write_str("Int"),
        Symbolic::Real => f.write_str("Real"),
        Symbolic::Strings => f.write_str("STRING"),
        Symbolic::Any => f.write_str("Any"),
        Symbolic::Interval(low, high) => write!(f, "{low}..{high}"),
        Symbolic::Power(base) => write!(f, "SUBSET {}", Operand(*base)),
        Symbolic::Functions(domain, range) => write!(f, "[{domain} -> {range}]"),
        Symbolic::Product(sets) => {
            f.write_str("(")?;
            for (i, set) in sets.iter().enumerate() {
                write!(f, "{}{}", if i == 0 { "" } else { " \\X " }, Operand(*set))?;
            }
            f.write_str(")")
        }
        Symbolic::Records(names, sets) => {
            f.write_str("[")?;
            for (i, (name, set)) in names.iter().zip(*sets).enumerate() {
                write!(f, "{}{name} : {set}", if i == 0 { "" } else { ", " })?;
            }
            f.write_str("]")
        }
        Symbolic::Sequences(base) => write!(f, "Seq({base})"),
        Symbolic::BoundedSequences(base, n) => write!(f, "BoundedSeq({base}, {n})"),
        Symbolic::Union(a, b) => write!(f, "({} \\cup {})", Operand(*a), Operand(*b)),
        Symbolic::Intersection(a, b) => write!(f, "({} \\cap {})", Operand(*a), Operand(*b)),
        Symbolic::Filter(base, ..) => write!(f, "{{x \\in {base} : …}}"),
        Symbolic::Difference(a, b) => write!(f, "({} \\ {})", Operand(*a), Operand(*b)),
    }
}

/// Parenthesised where an operator around it would take it apart.
struct Operand<'v>(Value<'v>);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Symbolic(Symbolic::Interval(..) | Symbolic::Power(_)) => write!(f, "({})", self.0),
            _ => write!(f, "{}", self.0),
        }
    }
}
