//! What an expression can do besides having a value: print, remember, ask chance, the clock, the run, the world.
//!
//! The evaluator performs none of it. A front end, or a test, implements [`Effects`]; files, commands and the
//! environment are a second trait, [`World`], that an implementation need not offer.

use std::collections::BTreeMap;
use std::sync::Mutex;

use value::{Owned, Text};

/// What natives with effects work on.
pub trait Effects {
    /// `PrintT` and `Print`.
    fn print(&self, text: &str);

    /// Where `TLCSet` puts values.
    fn registers(&self) -> &Registers;

    /// A fresh random number.
    fn random(&self) -> u64;

    /// Seconds since 1970.
    fn now(&self) -> i64;

    /// `TLCGet` of something about the run, such as `"distinct"`; nothing when there is no such number now.
    fn statistic(&self, _name: &str) -> Option<Owned> {
        None
    }

    /// `TLCSet("exit", TRUE)` and `TLCSet("pause", TRUE)`.
    fn request(&self, _what: Request) {}

    /// Whether to give up, even inside one evaluation: out of time, or someone pressed Ctrl-C. Asked now and then.
    fn interrupted(&self) -> bool {
        false
    }

    /// Whether `TLCSet("exit", TRUE)` was asked for.
    fn exit_requested(&self) -> bool {
        false
    }

    /// The states from an initial one to this one, where the run can tell; the last one is `state`.
    fn trace(&self, _state: &[Owned]) -> Option<Vec<Owned>> {
        None
    }

    /// The counterexample of a run that is over, as `CounterExample` gives it.
    fn counterexample(&self) -> Option<Owned> {
        None
    }

    fn world(&self) -> Option<&dyn World> {
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    Exit,
    Pause,
}

/// Files, commands and the environment.
pub trait World {
    fn read(&self, path: &str) -> Result<Vec<u8>, Failure>;
    fn write(&self, path: &str, bytes: &[u8], how: Write) -> Result<(), Failure>;
    /// Names and values, in any order.
    fn environment(&self) -> Vec<(String, String)>;
    /// Runs a program (its name and arguments) to its end, with variables added to the environment.
    fn execute(&self, command: &[String], environment: &[(String, String)]) -> Result<Finished, Failure>;
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// There is no such file or program.
    Missing,
    /// In the words of whoever refused.
    Because(String),
}

/// What happens to a file that is there, or is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    pub append: bool,
    pub create: bool,
    /// It must not be there.
    pub create_new: bool,
    pub truncate: bool,
    /// Folders on the way are made too.
    pub folders: bool,
}

impl Write {
    /// The file holds this and nothing else.
    pub const REPLACE: Write = Write {
        append: false,
        create: true,
        create_new: false,
        truncate: true,
        folders: true,
    };
    /// At the end of the file.
    pub const APPEND: Write = Write {
        append: true,
        create: true,
        create_new: false,
        truncate: false,
        folders: false,
    };
}

/// How a command ended and what it said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Finished {
    pub exit_value: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The values of `TLCSet`: one store for all workers of a search, one for each worker that takes random walks.
#[derive(Default, Debug)]
pub struct Registers {
    values: Mutex<BTreeMap<Register, Owned>>,
    /// Those of the other workers, once these are done.
    others: Mutex<BTreeMap<usize, Vec<(Register, Owned)>>>,
}

/// The name of a register: a natural number, or a string that begins with `s:`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Register {
    Number(i64),
    Name(Text),
}

impl Registers {
    pub fn get(&self, register: Register) -> Option<Owned> {
        self.lock().get(&register).cloned()
    }

    pub fn set(&self, register: Register, value: Owned) {
        self.lock().insert(register, value);
    }

    /// A store of one worker's own, which begins with what is stored here.
    pub fn for_worker(&self) -> Registers {
        let own = Registers::default();
        for (register, value) in self.all() {
            own.set(register, value);
        }
        own
    }

    /// Takes what a worker has stored: what the first one has is what there is from now on.
    pub fn take_from_worker(&self, index: usize, own: &Registers) {
        match index {
            0 => own
                .all()
                .into_iter()
                .for_each(|(register, value)| self.set(register, value)),
            _ => {
                let mut others = self.others.lock().expect("no panic while registers are copied");
                others.insert(index, own.all());
            }
        }
    }

    /// All registers that hold something here, each with its values in the order of the workers that have one.
    pub fn of_all_workers(&self) -> Vec<(Register, Vec<Owned>)> {
        let others = self.others.lock().expect("no panic while registers are copied");
        let value_of = |all: &Vec<(Register, Owned)>, register| {
            all.iter().find(|it| it.0 == register).map(|it| it.1.clone())
        };
        self.all()
            .into_iter()
            .map(|(register, value)| {
                let its = others.values().filter_map(|it| value_of(it, register));
                (register, std::iter::once(value).chain(its).collect())
            })
            .collect()
    }

    /// All registers that hold something, in their order.
    pub fn all(&self) -> Vec<(Register, Owned)> {
        self.lock()
            .iter()
            .map(|(&register, value)| (register, value.clone()))
            .collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<Register, Owned>> {
        self.values
            .lock()
            .expect("no panic while a register is read or written")
    }
}

/// What an evaluation is given that happens once more than the user asked for: it sees what the first one saw, but
/// prints nothing, and what it stores is stored here.
pub struct Quiet<'a> {
    inner: &'a (dyn Effects + Sync),
    registers: Registers,
    drawn: std::sync::atomic::AtomicU64,
}

impl<'a> Quiet<'a> {
    pub fn new(inner: &'a (dyn Effects + Sync)) -> Quiet<'a> {
        let registers = Registers::default();
        for (register, value) in inner.registers().all() {
            registers.set(register, value);
        }
        Quiet {
            inner,
            registers,
            drawn: Default::default(),
        }
    }
}

impl Effects for Quiet<'_> {
    fn print(&self, _: &str) {}

    fn registers(&self) -> &Registers {
        &self.registers
    }

    fn random(&self) -> u64 {
        let n = self.drawn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        value::mix(n, 0x2545_F491_4F6C_DD1D)
    }

    fn now(&self) -> i64 {
        self.inner.now()
    }

    fn interrupted(&self) -> bool {
        self.inner.interrupted()
    }

    fn statistic(&self, name: &str) -> Option<Owned> {
        self.inner.statistic(name)
    }
}

/// Prints nothing and knows nothing of the world: for evaluating without a front end. Chance is a fixed sequence.
#[derive(Default, Debug)]
pub struct NoEffects {
    registers: Registers,
    drawn: std::sync::atomic::AtomicU64,
}

impl Effects for NoEffects {
    fn print(&self, _: &str) {}

    fn registers(&self) -> &Registers {
        &self.registers
    }

    fn random(&self) -> u64 {
        let n = self.drawn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        value::mix(n, 0x2545_F491_4F6C_DD1D)
    }

    fn now(&self) -> i64 {
        0
    }
}
