//! A search by several processes: meets the others, runs this process's part, and says what came out.

use std::any::Any;
use std::mem::ManuallyDrop;
use std::process::Command;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use explore::{Engine, Limit, Options, Outcome, Portable, Stats, Verdict};
use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks, WorkerGuards};

use crate::children::{Children, Invitation};
use crate::dataflow::{Answer, Ask, Line, build};
use crate::join::{Identity, Joined, Meeting, bind, join};
use crate::link::{Failure, Link, Watch};
use crate::partition::Partition;
use crate::tell::{outcome, unfinished};
use crate::worker::{Process, Seat};

/// Which process of a run this is.
pub enum Role {
    /// The first of several on this machine. `start` makes the command for another one, given its index.
    Parent {
        processes: usize,
        start: Box<dyn Fn() -> Command + Sync>,
    },
    /// One that a parent has started.
    Child(Invitation),
    /// One of a list of hosts.
    Host { index: usize, hosts: Vec<String> },
}

pub struct Config {
    pub role: Role,
    /// Threads of this process; what the first process says counts.
    pub workers: usize,
    pub version: String,
    /// A hash of what all processes must agree on.
    pub fingerprint: u64,
    /// Whether all processes have one folder for their checkpoints, or each its own.
    pub is_folder_shared: bool,
    /// A process that is not heard of for so long is lost.
    pub patience: Duration,
    /// How long to wait for the others at the start.
    pub join_time: Duration,
    /// Ends this process at once, for when its search does not end by itself.
    pub give_up: Arc<dyn Fn(&Failure) + Send + Sync>,
}

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    pub processes: usize,
    /// Threads of each process.
    pub workers: usize,
    /// Bytes between processes, all of them together.
    pub bytes_sent: u64,
    /// Candidates that went to another worker.
    pub candidates_sent: u64,
}

pub struct Cluster {
    config: Config,
    failure: Mutex<Option<Failure>>,
    traffic: Mutex<Traffic>,
    /// The connections, once there are any.
    watch: Mutex<Option<Arc<Watch>>>,
    children: Arc<Mutex<Children>>,
}

/// A process that lost another one has so long to end its search in order.
const GRACE: Duration = Duration::from_secs(3);

impl Cluster {
    pub fn new(config: Config) -> Cluster {
        Cluster {
            config,
            failure: Mutex::default(),
            traffic: Mutex::default(),
            watch: Mutex::default(),
            children: Arc::default(),
        }
    }

    /// Why the run could not begin or go on, if it could not.
    pub fn failure(&self) -> Option<Failure> {
        self.failure.lock().expect("no panic with a failure").clone()
    }

    pub fn traffic(&self) -> Traffic {
        *self.traffic.lock().expect("no panic with counts")
    }

    /// Process 0 has told the answer, and ends with this status: the others need keep nothing for another run.
    pub fn has_told(&self, status: u8) {
        if let Some(watch) = self.watch() {
            watch.tell(status);
        }
    }

    /// Waits until process 0 has told the answer; nothing if it never will.
    pub fn wait_until_told(&self) -> Option<u8> {
        self.watch()?.wait_until_told()
    }

    fn watch(&self) -> Option<Arc<Watch>> {
        self.watch.lock().expect("no panic with connections").clone()
    }

    fn index(&self) -> usize {
        match &self.config.role {
            Role::Parent { .. } => 0,
            Role::Child(it) => it.index,
            Role::Host { index, .. } => *index,
        }
    }

    /// Finds the other processes, or starts them.
    fn join(&self) -> Result<Joined, Failure> {
        let config = &self.config;
        let mut token = vec![];
        let (processes, listener, addresses) = match &config.role {
            Role::Parent { processes, .. } => {
                token = fresh_token();
                let listener = bind("127.0.0.1:0")?;
                let mut addresses = vec![None; *processes];
                addresses[0] = listener.local_addr().ok().map(|it| it.to_string());
                (*processes, Some(listener), addresses)
            }
            Role::Child(invitation) => {
                token = invitation.token.clone();
                let mut addresses = vec![None; invitation.processes];
                addresses[0] = Some(invitation.address.clone());
                (invitation.processes, Some(bind("127.0.0.1:0")?), addresses)
            }
            Role::Host { index, hosts } => {
                let listener = bind(&hosts[*index])?;
                (
                    hosts.len(),
                    Some(listener),
                    hosts.iter().cloned().map(Some).collect(),
                )
            }
        };
        if let Role::Parent { start, .. } = &config.role {
            self.start_children(
                start,
                addresses[0].as_deref().unwrap_or_default(),
                &token,
                processes,
            )?;
        }
        join(&Meeting {
            index: self.index(),
            processes,
            listener,
            addresses,
            identity: Identity {
                version: config.version.clone(),
                fingerprint: config.fingerprint,
                token,
            },
            workers: config.workers.max(1),
            patience: config.patience,
            join_time: config.join_time,
            is_in_vain: &|| {
                self.children
                    .lock()
                    .expect("no panic with children")
                    .first_ending()
            },
        })
    }

    fn start_children(
        &self,
        start: &(dyn Fn() -> Command + Sync),
        address: &str,
        token: &[u8],
        processes: usize,
    ) -> Result<(), Failure> {
        let mut children = self.children.lock().expect("no panic with children");
        for index in 1..processes {
            let invitation = Invitation {
                address: address.to_owned(),
                token: token.to_vec(),
                index,
                processes,
            };
            children.start(start(), &invitation).map_err(|error| Failure {
                what: format!("process {index} cannot be started: {error}"),
                is_refusal: false,
            })?;
        }
        Ok(())
    }

    /// Runs this process's part of the search.
    fn run<M: Portable>(&self, model: &M, options: &Options<'_>, joined: Joined) -> Outcome {
        let Joined {
            links,
            watch,
            workers,
        } = joined;
        *self.watch.lock().expect("no panic with connections") = Some(Arc::clone(&watch));
        let processes = links.len();
        let (lines, ends): (Vec<Line>, Vec<End>) = (0..workers).map(|_| line()).unzip();
        let guards = match start_timely(links, self.index(), workers, lines) {
            // Dropping them waits for timely's threads, which on all ways but one wait for what will never come.
            Ok(guards) => ManuallyDrop::new(guards),
            Err(what) => {
                return self.refused(Failure {
                    what,
                    is_refusal: false,
                });
            }
        };
        let process = Process {
            held: (0..workers).map(|_| AtomicUsize::new(0)).collect(),
            is_cut_off: &|| watch.is_failed(),
            bytes_sent: &|| watch.bytes_sent(),
            index: self.index(),
            processes,
            is_folder_shared: self.config.is_folder_shared,
            tallies_before: model.tallies(),
        };
        let released = Arc::new(Mutex::new(false));
        self.stand_by(&watch, &released);
        let seat = |here| Seat {
            index: self.index() * workers + here,
            peers: processes * workers,
            here,
        };
        let mut parts: Vec<Option<(Outcome, Traffic)>> = std::thread::scope(|scope| {
            let threads: Vec<_> = ends
                .into_iter()
                .enumerate()
                .map(|(here, end)| {
                    let (process, seat) = (&process, seat(here));
                    let alarm = Alarm {
                        watch: &watch,
                        index: self.index(),
                    };
                    scope.spawn(move || {
                        let _alarm = alarm;
                        let mut partition = Partition::new(model, options, process, seat);
                        serve(&mut partition, end, &|| (process.is_cut_off)())
                            .map(|()| outcome(model, &mut partition, processes, workers))
                            .or_else(|| (here == 0).then(|| unfinished(&partition.reached())))
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|it| it.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        *released.lock().expect("no panic with a flag") = true;
        if let Some(failure) = watch.failure() {
            *self.failure.lock().expect("no panic with a failure") = Some(self.explained(failure));
        } else {
            watch.is_over();
            finish(ManuallyDrop::into_inner(guards), self.config.patience);
        }
        let (outcome, traffic) = parts
            .swap_remove(0)
            .unwrap_or_else(|| unfinished(&Default::default()));
        *self.traffic.lock().expect("no panic with counts") = traffic;
        outcome
    }

    /// A search that has lost a process and does not end is ended: one evaluation may take very long.
    fn stand_by(&self, watch: &Arc<Watch>, released: &Arc<Mutex<bool>>) {
        let (watch, released) = (Arc::clone(watch), Arc::clone(released));
        let give_up = Arc::clone(&self.config.give_up);
        let children = Arc::clone(&self.children);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(100));
                if *released.lock().expect("no panic with a flag") {
                    return;
                }
                if let Some(failure) = watch.failure() {
                    std::thread::sleep(GRACE);
                    if !*released.lock().expect("no panic with a flag") {
                        // Nothing is dropped on this way out, and a stopped child would stay for ever.
                        drop(std::mem::take(
                            &mut *children.lock().expect("no panic with children"),
                        ));
                        return give_up(&failure);
                    }
                }
            }
        });
    }

    /// What became of a child, where the system tells.
    fn explained(&self, failure: Failure) -> Failure {
        let number = failure
            .what
            .strip_prefix("process ")
            .and_then(|it| it.split(' ').next());
        let Some(process) = number.and_then(|it| it.parse().ok()) else {
            return failure;
        };
        let ending = self
            .children
            .lock()
            .expect("no panic with children")
            .ending(process);
        match ending {
            Some(status) => Failure {
                what: format!("{} ({status})", failure.what),
                ..failure
            },
            None => failure,
        }
    }

    fn refused(&self, failure: Failure) -> Outcome {
        *self.failure.lock().expect("no panic with a failure") = Some(failure);
        unfinished(&Default::default()).0
    }
}

impl Drop for Cluster {
    /// Waits for the children, and ends those that do not end: whoever stands by has a hold on them too.
    fn drop(&mut self) {
        let children = self.children.lock().map(|mut it| std::mem::take(&mut *it));
        drop(children);
    }
}

impl Engine for Cluster {
    fn check<M: Portable>(&self, model: &M, options: &Options<'_>) -> Outcome {
        match self.join() {
            Ok(joined) => self.run(model, options, joined),
            Err(failure) => self.refused(failure),
        }
    }

    fn tells(&self) -> bool {
        self.index() == 0
    }
}

/// A secret for the processes of one run, from the system's own randomness.
fn fresh_token() -> Vec<u8> {
    let mut token = vec![0; 16];
    // Without it, the pipe through which it goes is still private.
    let _ = getrandom::fill(&mut token);
    token
}

/// When a thread panics, nobody must wait for it.
struct Alarm<'a> {
    watch: &'a Watch,
    index: usize,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.watch.break_down(self.index);
        }
    }
}

/// A partition's end of the line to its operators.
struct End {
    asks: Receiver<Ask>,
    answers: Sender<Answer>,
}

fn line() -> (Line, End) {
    let (ask, asks) = channel();
    let (answer, answers) = channel();
    let line = Line { asks: ask, answers };
    (
        line,
        End {
            asks,
            answers: answer,
        },
    )
}

/// Answers the operators until the search is over; `None` when it cannot end.
fn serve<M: Portable>(
    partition: &mut Partition<'_, M>,
    end: End,
    is_cut_off: &dyn Fn() -> bool,
) -> Option<()> {
    loop {
        let ask = match end.asks.recv_timeout(Duration::from_millis(50)) {
            Ok(ask) => ask,
            Err(RecvTimeoutError::Timeout) if !is_cut_off() => continue,
            Err(_) => return None,
        };
        let parcels = |parcels| Answer {
            parcels,
            has_more: false,
        };
        let mut is_last = false;
        let answer = match ask {
            Ask::Expand => {
                let (parcels, has_more) = partition.expand();
                Ok(Answer { parcels, has_more })
            }
            Ask::Arrive(arrived) => partition.arrive(&arrived).map(|()| Answer::default()),
            Ask::Close => Ok(parcels(partition.close())),
            Ask::Rank(said) => partition.rank(&said).map(parcels),
            Ask::Number(said) => partition.number(&said).map(|has_more| {
                is_last = !has_more;
                Answer {
                    parcels: vec![],
                    has_more,
                }
            }),
        };
        // Processes have made sure that they are of one version, and TCP that bytes arrive as they were.
        let answer = answer.expect("messages between workers can be read");
        let is_answered = end.answers.send(answer).is_ok();
        if is_last {
            return Some(());
        }
        if is_cut_off() || !is_answered {
            return None;
        }
    }
}

fn start_timely(
    links: Vec<Option<Link>>,
    index: usize,
    workers: usize,
    lines: Vec<Line>,
) -> Result<WorkerGuards<()>, String> {
    let hooks = Hooks::default();
    let inside = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), hooks.spill.clone());
    let (builders, others): (Vec<AllocatorBuilder>, Box<dyn Any + Send>) = match links.len() {
        1 => (
            inside.into_iter().map(AllocatorBuilder::Process).collect(),
            Box::new(()),
        ),
        _ => {
            let (builders, guard) = initialize_networking_from_sockets(inside, links, index, workers, hooks)
                .map_err(|error| format!("the connections cannot be used: {error}"))?;
            (
                builders.into_iter().map(AllocatorBuilder::Tcp).collect(),
                Box::new(guard),
            )
        }
    };
    let lines: Mutex<Vec<Option<Line>>> = Mutex::new(lines.into_iter().map(Some).collect());
    timely::execute::execute_from(builders, others, WorkerConfig::default(), move |worker| {
        let here = worker.index() % workers;
        let line = lines.lock().expect("no panic with lines")[here].take();
        if let Some(line) = line {
            build(worker, line);
        }
    })
}

/// Lets timely say its last words to the others. If they do not listen, that does not matter any more.
fn finish(guards: WorkerGuards<()>, patience: Duration) {
    let (done, is_done) = channel();
    std::thread::spawn(move || {
        drop(guards.join());
        let _ = done.send(());
    });
    let _ = is_done.recv_timeout(patience);
}

/// What a process says that could not see the end.
pub(crate) fn without_end(stats: Stats) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(Limit::Processes),
        violations: vec![],
        limit: Some(Limit::Processes),
        failure: None,
        stats,
        space: Default::default(),
        graph: None,
    }
}
