//! The ways to check a specification.

use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cluster::{Cluster, Config, Role};
use testkit::{MemoryDisk, Specification};
use workbench::effects::{Effects, NoEffects, Registers};
use workbench::{
    Audit, CheckOptions, CheckReport, Checkpoint, Checkpoints, Engine, Here, Host, Storage, TlaFile,
    Unreadable, check_reference, check_stored, check_with, open, parse_tla,
};

use crate::answer::Answer;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Neither tables nor slots: every formula is evaluated in every state.
    Plain,
    Default,
    NoTables,
    NoSlots,
    /// Slots that fit the first state only.
    Hostile,
    /// The same without tables.
    HostileNoTables,
    TwoWorkers,
    Fingerprint,
    Disk,
    /// Two processes, which are threads here.
    Processes,
    /// Interrupted by a limit, and gone on with from the checkpoint.
    Resumed,
    /// Every state evaluated a second time; a mismatch is an error.
    Audited,
    /// By the checker that shares nothing with the others. It knows neither symmetry nor views.
    Reference,
}

impl Mode {
    /// All modes that take no longer than a check.
    pub const QUICK: [Mode; 12] = [
        Mode::Plain,
        Mode::Default,
        Mode::NoTables,
        Mode::NoSlots,
        Mode::Hostile,
        Mode::HostileNoTables,
        Mode::TwoWorkers,
        Mode::Fingerprint,
        Mode::Disk,
        Mode::Resumed,
        Mode::Audited,
        Mode::Reference,
    ];

    pub const ALL: [Mode; 13] = [
        Mode::Plain,
        Mode::Default,
        Mode::NoTables,
        Mode::NoSlots,
        Mode::Hostile,
        Mode::HostileNoTables,
        Mode::TwoWorkers,
        Mode::Fingerprint,
        Mode::Disk,
        Mode::Resumed,
        Mode::Audited,
        Mode::Reference,
        Mode::Processes,
    ];

    /// Whether this mode can be compared with the others. Where states are taken for the same, the reference counts more, and where that is not
    /// justified, it may find what the others miss.
    pub fn is_possible(self, config: &str) -> bool {
        self != Mode::Reference || !["SYMMETRY", "VIEW"].iter().any(|it| config.contains(it))
    }
}

/// Distinct states, after which a search has shown enough.
pub const STATES_MAX: u64 = 2500;
/// How often the evaluator looks up from its work before it is stopped.
const LOOKS_MAX: u64 = 500;

/// What a mode says of a specification. A panic is an answer too.
pub fn run(specification: &Specification, mode: Mode) -> Answer {
    let answer = catch_unwind(AssertUnwindSafe(|| answer(specification, mode)));
    answer.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|it| it.to_string()));
        Answer::broken(text.unwrap_or_default())
    })
}

fn answer(specification: &Specification, mode: Mode) -> Answer {
    let options = CheckOptions {
        states_max: Some(STATES_MAX),
        // What is audited is put right, and this is about what is wrong.
        audit: if mode == Mode::Audited {
            Audit::Full
        } else {
            Audit::Off
        },
        ..CheckOptions::default()
    };
    let report = report(specification, mode, &options);
    let marks = ["WF_", "SF_", "~>", "<>", "[]"];
    let is_about_behaviours = |text: &str| marks.iter().any(|it| text.contains(it));
    Answer {
        is_temporal: specification.modules.iter().any(|it| is_about_behaviours(&it.1)),
        ..Answer::of(&report)
    }
}

/// What a check in this mode reports, where `options` say the rest.
pub fn report(specification: &Specification, mode: Mode, options: &CheckOptions) -> CheckReport {
    let file = load(specification);
    let options = CheckOptions {
        tables: !matches!(mode, Mode::Plain | Mode::NoTables | Mode::HostileNoTables),
        slots: !matches!(mode, Mode::Plain | Mode::NoSlots),
        hostile_layout: matches!(mode, Mode::Hostile | Mode::HostileNoTables),
        workers: if mode == Mode::TwoWorkers { 2 } else { 1 },
        fingerprints: mode == Mode::Fingerprint,
        ..*options
    };
    match mode {
        Mode::Processes => in_processes(&file, &options),
        Mode::Disk => on_disk(&file, &options),
        Mode::Resumed => resumed(&file, &options),
        Mode::Reference => check_reference(&file, &options, &Patient::default(), &()),
        _ => checked(&file, &options, &Here),
    }
}

fn checked(file: &TlaFile, options: &CheckOptions, engine: &impl Engine) -> CheckReport {
    check_with(file, options, engine, &Patient::default(), &())
}

fn on_disk(file: &TlaFile, options: &CheckOptions) -> CheckReport {
    let disk = MemoryDisk::default();
    let storage = Storage {
        disk: &disk,
        named: "memory",
        is_store: true,
        checkpoints: None,
    };
    check_stored(file, options, storage, &Here, &Patient::default(), &())
}

/// A search that a limit ends, and another one that goes on. A limit on depth ends it between two levels, where there is always a
/// checkpoint.
fn resumed(file: &TlaFile, options: &CheckOptions) -> CheckReport {
    let disk = MemoryDisk::default();
    let search = |resume: Option<&Checkpoint>, depth_max: Option<u32>| {
        let storage = Storage {
            disk: &disk,
            named: "memory",
            is_store: false,
            checkpoints: Some(Checkpoints {
                every: Duration::from_secs(3600),
                note: b"",
                resume,
            }),
        };
        let options = CheckOptions {
            depth_max,
            ..*options
        };
        check_stored(file, &options, storage, &Here, &Patient::default(), &())
    };
    let first = search(None, Some(3));
    match Checkpoint::open(&disk) {
        Ok(checkpoint) if first.limit == Some(workbench::Limit::Depth) => {
            search(Some(&checkpoint), options.depth_max)
        }
        _ => first,
    }
}

/// Two cases must not get the same ports.
static PORTS: Mutex<()> = Mutex::new(());

fn in_processes(file: &TlaFile, options: &CheckOptions) -> CheckReport {
    let _alone = PORTS.lock().unwrap_or_else(|it| it.into_inner());
    let listeners: Vec<TcpListener> = (0..2)
        .map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"))
        .collect();
    let hosts: Vec<String> = listeners
        .iter()
        .map(|it| it.local_addr().expect("an address").to_string())
        .collect();
    drop(listeners);
    let engine = |index: usize| {
        Cluster::new(Config {
            role: Role::Host {
                index,
                hosts: hosts.clone(),
            },
            workers: 1,
            version: "test".to_owned(),
            fingerprint: 1,
            is_folder_shared: true,
            patience: Duration::from_secs(30),
            join_time: Duration::from_secs(30),
            give_up: Arc::new(|failure| panic!("{failure:?}")),
        })
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| checked(file, options, &engine(1)));
        let report = checked(file, options, &engine(0));
        other.join().expect("the other process ends too");
        report
    })
}

/// The root module with its configuration.
pub fn load(specification: &Specification) -> TlaFile {
    let files = Files(specification);
    let root = format!("{}.tla", specification.modules[0].0);
    let Ok(opened) = open(&root, &files) else {
        panic!("the root is among the modules")
    };
    let mut file = parse_tla(opened, &files, false);
    file.configure("M.cfg", &files);
    file
}

struct Files<'s>(&'s Specification);

impl Host for Files<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        if path.ends_with(".cfg") {
            return Ok(self.0.config.clone().into_bytes());
        }
        let mut modules = self.0.modules.iter();
        let found = modules.find(|it| {
            path.strip_suffix(".tla")
                .is_some_and(|path| path.ends_with(&it.0))
        });
        found
            .map(|it| it.1.clone().into_bytes())
            .ok_or(Unreadable::Missing)
    }
}

/// No effects, and an end to evaluations that take very long: counted, so that it does not depend on the machine.
#[derive(Default)]
struct Patient {
    inner: NoEffects,
    looks: AtomicU64,
}

impl Effects for Patient {
    fn print(&self, _: &str) {}

    fn registers(&self) -> &Registers {
        self.inner.registers()
    }

    fn random(&self) -> u64 {
        self.inner.random()
    }

    fn now(&self) -> i64 {
        0
    }

    fn interrupted(&self) -> bool {
        self.looks.fetch_add(1, Relaxed) > LOOKS_MAX
    }
}
