//! What is known of a run while there is one: registers, how far it is, and what the surroundings tell.
//!
//! The order of evaluation is that of the text, one state after the other, so registers have one value at each moment.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use num_traits::Signed;
use value::Owned;

use crate::env::{Reads, View};
use crate::value::undefined;
use crate::{Error, Interpreter, Result, Value};

/// What a specification may ask that no search knows.
pub trait Surroundings {
    /// `TLCGet` of something about the run as a whole, such as `"config"`.
    fn statistic(&self, _name: &str) -> Option<Owned> {
        None
    }

    /// Names and values of the environment, where it is known.
    fn environment(&self) -> Option<Vec<(String, String)>> {
        None
    }
}

/// How far a search is.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    pub generated: u64,
    pub distinct: u64,
    /// States that were found and not expanded yet.
    pub queue: u64,
    pub depth: u32,
}

pub(crate) struct Run<'a> {
    pub surroundings: &'a dyn Surroundings,
    pub counts: Cell<Counts>,
    /// The values of `TLCSet`, by what names them.
    registers: RefCell<BTreeMap<String, Value>>,
    pub is_exit_asked: Cell<bool>,
}

impl<'a> Run<'a> {
    pub fn new(surroundings: &'a dyn Surroundings) -> Run<'a> {
        Run {
            surroundings,
            counts: Cell::default(),
            registers: RefCell::default(),
            is_exit_asked: Cell::new(false),
        }
    }
}

/// What names a register: a natural number, or a string that begins so.
fn register(key: &Value) -> Option<String> {
    match key {
        Value::Int(n) if !n.is_negative() => Some(n.to_string()),
        Value::Str(name) if name.as_str().starts_with("s:") => Some(name.to_string()),
        _ => None,
    }
}

impl Interpreter<'_> {
    /// A library operator that is about the run.
    pub(crate) fn about_run(&self, name: &str, args: &[Value], view: View<'_>) -> Result<Value> {
        self.note(Reads::RUN);
        let Some(run) = &self.run else {
            return match name {
                // Nobody will ask for it.
                "TLCSet" => Ok(Value::Bool(true)),
                _ => Err(Error::Effect(format!("TLC!{name}"))),
            };
        };
        let known = |key: &Value| register(key).and_then(|it| run.registers.borrow().get(&it).cloned());
        match (name, args) {
            ("TLCSet", [Value::Str(what), value]) if matches!(what.as_str(), "exit" | "pause") => {
                let is_exit = what.as_str() == "exit" && value.boolean()?;
                run.is_exit_asked.set(run.is_exit_asked.get() || is_exit);
                Ok(Value::Bool(true))
            }
            ("TLCSet", [key, value]) => match register(key) {
                Some(register) => {
                    run.registers.borrow_mut().insert(register, value.normal()?);
                    Ok(Value::Bool(true))
                }
                None => undefined(format!("{key} names no register")),
            },
            ("TLCGet", [key]) if register(key).is_some() => match known(key) {
                Some(value) => Ok(value),
                None => undefined(format!("nothing was stored under {key} before")),
            },
            ("TLCGet", [Value::Str(what)]) => self.statistic(run, what.as_str(), view),
            ("TLCGetOrDefault", [key, default]) => Ok(known(key).unwrap_or_else(|| default.clone())),
            _ => undefined(format!("{name} of this")),
        }
    }

    fn statistic(&self, run: &Run<'_>, what: &str, view: View<'_>) -> Result<Value> {
        let counts = run.counts.get();
        let number = |it: u64| Ok(Value::int(it as i64));
        match what {
            "level" => number(u64::from(view.level) + u64::from(view.primed && view.state.is_some())),
            "diameter" => number(counts.depth.into()),
            "distinct" => number(counts.distinct),
            "generated" => number(counts.generated),
            "queue" => number(counts.queue),
            _ => match run.surroundings.statistic(what) {
                Some(value) => Value::from_owned(&value),
                None => Err(Error::Effect(format!("TLCGet({what:?})"))),
            },
        }
    }

    /// `IOEnv`: a record of the environment.
    pub(crate) fn environment(&self) -> Result<Value> {
        let environment = self.run.as_ref().and_then(|it| it.surroundings.environment());
        match environment {
            Some(pairs) => {
                let pair = |(name, it): (String, String)| (Value::str(&name), Value::str(&it));
                Value::function(pairs.into_iter().map(pair).collect())
            }
            None => Err(Error::Effect("IOUtils!IOEnv".to_owned())),
        }
    }
}
