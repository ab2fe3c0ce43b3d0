//! A connection between two processes that notices when the other end is gone.
//!
//! Timely's bytes travel in frames. Between them each side sends a sign of life several times within its *patience*, whatever
//! its search is doing; silence for that long means that the other process is stopped or cut off. Whoever notices says so
//! to all others before it leaves, so that everyone names the same culprit.

use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

const DATA: u8 = 0;
const BEAT: u8 = 1;
const END: u8 = 2;
const FAREWELL: u8 = 3;
const TOLD: u8 = 4;
const HEAD: usize = 5;
/// A message to a person is not longer.
const FAREWELL_MAX: usize = 4096;

/// Why a run cannot go on, or not even begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub what: String,
    /// The processes do not belong together: another specification, another version.
    pub is_refusal: bool,
}

/// What all connections of a process have in common.
pub struct Watch {
    pub patience: Duration,
    /// How each process is called in messages.
    names: Vec<String>,
    failure: Mutex<Option<Failure>>,
    is_failed: AtomicBool,
    /// The search is over: nobody is missed any more.
    is_over: AtomicBool,
    /// The status with which process 0 ends, having told the answer, or nothing if it is gone; while neither is known, not even that.
    told: Mutex<Option<Option<u8>>>,
    writers: Mutex<Vec<Arc<Writer>>>,
}

impl Watch {
    pub fn new(patience: Duration, names: Vec<String>) -> Watch {
        Watch {
            patience,
            names,
            failure: Mutex::default(),
            is_failed: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            told: Mutex::default(),
            writers: Mutex::default(),
        }
    }

    pub fn is_failed(&self) -> bool {
        self.is_failed.load(Relaxed)
    }

    pub fn failure(&self) -> Option<Failure> {
        self.failure.lock().expect("no panic with a failure").clone()
    }

    /// From now on a connection may end.
    pub fn is_over(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Says to everyone that the answer is told, and how this process ends.
    pub fn tell(&self, status: u8) {
        for writer in self.writers.lock().expect("no panic with writers").iter() {
            if let Ok(mut socket) = writer.socket.lock() {
                // Whoever does not hear it keeps what it has.
                let _ = write_frame(&mut socket, TOLD, &[status]);
            }
        }
    }

    /// Waits until process 0 has told the answer; nothing if it never will.
    pub fn wait_until_told(&self) -> Option<u8> {
        loop {
            if let Some(told) = *self.told.lock().expect("no panic with a status") {
                return told;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn note_told(&self, status: Option<u8>) {
        self.told
            .lock()
            .expect("no panic with a status")
            .get_or_insert(status);
    }

    pub fn bytes_sent(&self) -> u64 {
        let writers = self.writers.lock().expect("no panic with writers");
        writers.iter().map(|it| it.sent.load(Relaxed)).sum()
    }

    /// This process itself cannot go on: everyone is told.
    pub fn break_down(&self, index: usize) {
        self.fail(format!(
            "{} has ended: a bug of babbage, which it reports itself",
            self.names[index]
        ));
    }

    fn lost(&self, peer: usize, why: &str) {
        self.fail(format!("{} {why}", self.names[peer]));
    }

    /// Takes note of the first failure, and tells everyone who still listens.
    fn fail(&self, what: String) {
        if self.is_over.load(Relaxed) || self.is_failed.swap(true, Relaxed) {
            return;
        }
        *self.failure.lock().expect("no panic with a failure") = Some(Failure {
            what: what.clone(),
            is_refusal: false,
        });
        let writers = self.writers.lock().expect("no panic with writers").clone();
        for writer in writers {
            // Whoever cannot be told at once finds out alone.
            if let Ok(mut socket) = writer.socket.try_lock() {
                let _ = socket.set_write_timeout(Some(Duration::from_millis(300)));
                let text = &what.as_bytes()[..what.len().min(FAREWELL_MAX)];
                let _ = write_frame(&mut socket, FAREWELL, text);
            }
        }
    }
}

struct Writer {
    socket: Mutex<TcpStream>,
    sent: AtomicU64,
}

fn write_frame(socket: &mut TcpStream, kind: u8, body: &[u8]) -> io::Result<()> {
    let mut head = [kind; HEAD];
    head[1..].copy_from_slice(&(body.len() as u32).to_le_bytes());
    match body.len() {
        0 => socket.write_all(&head),
        // One packet for small frames.
        1..=1024 => socket.write_all(&[&head, body].concat()),
        _ => socket.write_all(&head).and_then(|()| socket.write_all(body)),
    }
}

/// One end of a connection, as timely uses it: one copy writes, another reads.
pub struct Link {
    peer: usize,
    watch: Arc<Watch>,
    writer: Arc<Writer>,
    reader: BufReader<TcpStream>,
    /// Bytes of the present frame that are still to be read.
    left: usize,
    is_ended: bool,
}

impl Link {
    /// Takes over a connection to another process, and starts to send signs of life.
    pub fn new(peer: usize, socket: TcpStream, watch: &Arc<Watch>) -> io::Result<Link> {
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(watch.patience))?;
        socket.set_write_timeout(Some(watch.patience))?;
        let writer = Arc::new(Writer {
            socket: Mutex::new(socket.try_clone()?),
            sent: AtomicU64::new(0),
        });
        watch
            .writers
            .lock()
            .expect("no panic with writers")
            .push(Arc::clone(&writer));
        let link = Link {
            peer,
            watch: Arc::clone(watch),
            writer,
            reader: BufReader::with_capacity(1 << 16, socket),
            left: 0,
            is_ended: false,
        };
        link.send_signs_of_life();
        Ok(link)
    }

    fn send_signs_of_life(&self) {
        let (watch, writer, peer) = (Arc::clone(&self.watch), Arc::clone(&self.writer), self.peer);
        let every = (watch.patience / 6).min(Duration::from_secs(1));
        std::thread::spawn(move || {
            while !watch.is_failed() {
                let beat = match writer.socket.try_lock() {
                    Ok(mut socket) => write_frame(&mut socket, BEAT, &[]),
                    // Someone is writing, which is a sign of life too.
                    Err(_) => Ok(()),
                };
                if let Err(error) = beat {
                    return watch.lost(peer, &reason(&error, watch.patience));
                }
                std::thread::sleep(every);
            }
        });
    }

    /// The other process is lost. Timely would end its thread with a panic; here the thread rests.
    fn give_up(&self, why: &str) -> ! {
        if self.peer == 0 {
            self.watch.note_told(None);
        }
        self.watch.lost(self.peer, why);
        loop {
            std::thread::park();
        }
    }

    /// After the last word for timely, there may be one more for us: process 0 tells the answer.
    fn listen_on(&self) {
        let Ok(socket) = self.reader.get_ref().try_clone() else {
            return self.watch.note_told(None);
        };
        let mut rest = io::Cursor::new(self.reader.buffer().to_vec()).chain(socket);
        let watch = Arc::clone(&self.watch);
        std::thread::spawn(move || {
            let mut head = [0; HEAD];
            let told = loop {
                match rest.read_exact(&mut head) {
                    Ok(()) if head[0] == BEAT => {}
                    Ok(()) if head[0] == TOLD => {
                        let mut status = [0];
                        break rest.read_exact(&mut status).ok().map(|()| status[0]);
                    }
                    _ => break None,
                }
            };
            watch.note_told(told);
        });
    }

    /// Reads the head of the next frame that has something for timely; false at the end.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            let mut head = [0; HEAD];
            self.reader.read_exact(&mut head)?;
            let len = u32::from_le_bytes(head[1..].try_into().expect("four bytes")) as usize;
            match head[0] {
                DATA if len > 0 => {
                    self.left = len;
                    return Ok(true);
                }
                DATA | BEAT => {}
                END => return Ok(false),
                FAREWELL if len <= FAREWELL_MAX => {
                    let mut text = vec![0; len];
                    self.reader.read_exact(&mut text)?;
                    self.watch.fail(String::from_utf8_lossy(&text).into_owned());
                    loop {
                        std::thread::park();
                    }
                }
                _ => {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        "it sends what nobody understands",
                    ));
                }
            }
        }
    }
}

/// An error as the rest of a sentence about the other process.
fn reason(error: &io::Error, patience: Duration) -> String {
    use io::ErrorKind::*;
    match error.kind() {
        WouldBlock | TimedOut => format!("has not been heard of for {} s", patience.as_secs_f64()),
        UnexpectedEof | ConnectionReset | ConnectionAborted | BrokenPipe => {
            "has ended: its connection was closed before the search was over".to_owned()
        }
        _ => format!("is lost: {error}"),
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_ended {
            return Ok(0);
        }
        if self.left == 0 {
            match self.next_frame() {
                Ok(true) => {}
                Ok(false) => {
                    self.is_ended = true;
                    if self.peer == 0 {
                        self.listen_on();
                    }
                    return Ok(0);
                }
                Err(error) => self.give_up(&reason(&error, self.watch.patience)),
            }
        }
        let len = buffer.len().min(self.left);
        match self.reader.read(&mut buffer[..len]) {
            Ok(n) if n > 0 => {
                self.left -= n;
                Ok(n)
            }
            Ok(_) => self.give_up(&reason(&io::ErrorKind::UnexpectedEof.into(), self.watch.patience)),
            Err(error) => self.give_up(&reason(&error, self.watch.patience)),
        }
    }
}

impl Write for Link {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let body = &buffer[..buffer.len().min(1 << 24)];
        let written = match self.writer.socket.lock() {
            Ok(mut socket) => write_frame(&mut socket, DATA, body),
            Err(_) => Ok(()),
        };
        if let Err(error) = written {
            self.give_up(&reason(&error, self.watch.patience));
        }
        self.writer.sent.fetch_add((body.len() + HEAD) as u64, Relaxed);
        Ok(body.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Link> {
        Ok(Link {
            peer: self.peer,
            watch: Arc::clone(&self.watch),
            writer: Arc::clone(&self.writer),
            reader: BufReader::with_capacity(1 << 16, self.reader.get_ref().try_clone()?),
            left: 0,
            is_ended: false,
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.reader.get_ref().set_nonblocking(nonblocking)
    }

    /// The end of what timely has to say; signs of life go on.
    fn shutdown(&self, _how: Shutdown) -> io::Result<()> {
        if let Ok(mut socket) = self.writer.socket.lock() {
            let _ = write_frame(&mut socket, END, &[]);
        }
        Ok(())
    }
}
