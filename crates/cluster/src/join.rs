//! How processes find each other, and how they make sure that they belong together.
//!
//! Process 0 is where all others go first. Each says who it is: version, specification, place. When all are there and agree,
//! process 0 tells them so, with everyone's address; then each connects to those before it. A process that does not belong
//! is told why, and so is everyone else: nobody waits for a run that cannot begin.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bytes::{Damaged, read_number, read_slice, read_text, write_number, write_slice, write_text};
use crate::link::{Failure, Link, Watch};

/// Raised whenever messages between processes change.
pub const PROTOCOL: u64 = 3;

const MAGIC: &[u8; 8] = b"babbage\n";
const MESSAGE_MAX: usize = 1 << 20;
/// A stranger who connects and says nothing is not waited for.
const HELLO_PATIENCE: Duration = Duration::from_secs(5);

/// What a process must have in common with the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub version: String,
    /// A hash of the specification, its configuration and the options that matter.
    pub fingerprint: u64,
    /// A secret that processes on one machine share; empty between machines.
    pub token: Vec<u8>,
}

/// Where a process stands.
pub struct Meeting<'a> {
    pub index: usize,
    pub processes: usize,
    /// Where this process listens; the last one needs not.
    pub listener: Option<TcpListener>,
    /// Addresses by process, as far as they are known: at least that of process 0.
    pub addresses: Vec<Option<String>>,
    pub identity: Identity,
    /// Threads of each process: what process 0 says counts.
    pub workers: usize,
    pub patience: Duration,
    /// How long to wait for the others at the start.
    pub join_time: Duration,
    /// Why there is no point in waiting, once there is a reason.
    pub is_in_vain: &'a (dyn Fn() -> Option<String> + Sync),
}

/// All processes are there.
pub struct Joined {
    pub links: Vec<Option<Link>>,
    pub watch: Arc<Watch>,
    pub workers: usize,
}

pub fn bind(address: &str) -> Result<TcpListener, Failure> {
    let listener = resolve(address).and_then(|it| TcpListener::bind(&it[..]));
    listener.map_err(|error| failure(format!("cannot listen on {address}: {error}")))
}

fn failure(what: String) -> Failure {
    Failure {
        what,
        is_refusal: false,
    }
}

fn refusal(what: String) -> Failure {
    Failure {
        what,
        is_refusal: true,
    }
}

fn resolve(address: &str) -> io::Result<Vec<SocketAddr>> {
    Ok(address.to_socket_addrs()?.collect())
}

struct Hello {
    protocol: u64,
    identity: Identity,
    index: usize,
    processes: usize,
    port: u16,
}

impl Hello {
    fn write(&self) -> Vec<u8> {
        let mut bytes = vec![];
        write_number(&mut bytes, self.protocol);
        write_text(&mut bytes, &self.identity.version);
        write_number(&mut bytes, self.identity.fingerprint);
        write_slice(&mut bytes, &self.identity.token);
        for number in [self.index as u64, self.processes as u64, u64::from(self.port)] {
            write_number(&mut bytes, number);
        }
        bytes
    }

    fn read(mut bytes: &[u8]) -> Result<Hello, Damaged> {
        let bytes = &mut bytes;
        let protocol = read_number(bytes)?;
        let version = read_text(bytes)?;
        if protocol != PROTOCOL {
            // Whatever follows may mean something else.
            return Ok(Hello {
                protocol,
                identity: Identity {
                    version,
                    fingerprint: 0,
                    token: vec![],
                },
                index: 0,
                processes: 0,
                port: 0,
            });
        }
        Ok(Hello {
            protocol,
            identity: Identity {
                version,
                fingerprint: read_number(bytes)?,
                token: read_slice(bytes)?.to_vec(),
            },
            index: read_number(bytes)? as usize,
            processes: read_number(bytes)? as usize,
            port: read_number(bytes)? as u16,
        })
    }

    /// Why whoever said this does not belong here.
    fn mismatch(&self, meeting: &Meeting<'_>) -> Option<String> {
        let mine = &meeting.identity;
        if self.identity.version != mine.version || self.protocol != PROTOCOL {
            return Some(format!(
                "it is babbage {} (protocol {}), and process {} is babbage {} (protocol {PROTOCOL})",
                self.identity.version, self.protocol, meeting.index, mine.version
            ));
        }
        if self.identity.token != mine.token {
            return Some("it belongs to another run".to_owned());
        }
        if self.processes != meeting.processes {
            return Some(format!(
                "its list has {} processes, and that of process {} has {}",
                self.processes, meeting.index, meeting.processes
            ));
        }
        if self.identity.fingerprint != mine.fingerprint {
            return Some(format!(
                "its specification, configuration or options are not those of process {}",
                meeting.index
            ));
        }
        None
    }
}

fn send(socket: &mut TcpStream, body: &[u8]) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend_from_slice(body);
    socket.write_all(&bytes)
}

fn receive(socket: &mut TcpStream) -> io::Result<Vec<u8>> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidData, "not babbage");
    let mut head = [0; MAGIC.len() + 4];
    socket.read_exact(&mut head)?;
    let (magic, len) = head.split_at(MAGIC.len());
    let len = u32::from_le_bytes(len.try_into().expect("four bytes")) as usize;
    if magic != MAGIC || len > MESSAGE_MAX {
        return Err(invalid());
    }
    let mut body = vec![0; len];
    socket.read_exact(&mut body)?;
    Ok(body)
}

/// Answers to a hello.
const WELCOME: u64 = 1;
const REFUSED: u64 = 0;

fn refuse(socket: &mut TcpStream, why: &str) {
    let mut bytes = vec![];
    write_number(&mut bytes, REFUSED);
    write_text(&mut bytes, why);
    let _ = send(socket, &bytes);
}

/// The answer to a hello: threads and addresses, or why not.
fn read_answer(socket: &mut TcpStream, from: usize) -> Result<(usize, Vec<String>), Failure> {
    let lost = |error: io::Error| {
        failure(match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                format!("process {from} did not begin in time: not all processes have joined")
            }
            _ => format!("process {from} has closed the connection before the run began"),
        })
    };
    let body = receive(socket).map_err(lost)?;
    let read = || -> Result<_, Damaged> {
        let bytes = &mut &body[..];
        if read_number(bytes)? == REFUSED {
            return Ok(Err(read_text(bytes)?));
        }
        let workers = read_number(bytes)? as usize;
        let n = read_number(bytes)?;
        let addresses = (0..n).map(|_| read_text(bytes)).collect::<Result<Vec<_>, _>>()?;
        Ok(Ok((workers, addresses)))
    };
    match read() {
        Ok(Ok(welcome)) => Ok(welcome),
        Ok(Err(why)) => Err(refusal(why)),
        Err(Damaged) => Err(refusal(format!("process {from} answers in another protocol"))),
    }
}

/// Meets all other processes.
pub fn join(meeting: &Meeting<'_>) -> Result<Joined, Failure> {
    let deadline = Instant::now() + meeting.join_time;
    let mut sockets: Vec<Option<TcpStream>> = (0..meeting.processes).map(|_| None).collect();
    let mut workers = meeting.workers;
    let mut addresses = meeting.addresses.clone();
    if meeting.index == 0 {
        gather(meeting, deadline, &mut sockets, &mut addresses)?;
    } else {
        let mut socket = connect(meeting, 0, &address(&addresses, 0)?, deadline)?;
        let (theirs, told) = read_answer(&mut socket, 0)?;
        workers = theirs;
        // A list of hosts is each process's own: the same process may have another name elsewhere.
        for (known, told) in addresses.iter_mut().zip(told) {
            known.get_or_insert(told);
        }
        sockets[0] = Some(socket);
        for (before, place) in sockets[..meeting.index].iter_mut().enumerate().skip(1) {
            let mut socket = connect(meeting, before, &address(&addresses, before)?, deadline)?;
            read_answer(&mut socket, before)?;
            *place = Some(socket);
        }
        accept_later_ones(meeting, deadline, &mut sockets)?;
    }
    let name = |(i, it): (usize, &Option<String>)| match it {
        Some(address) => format!("process {i} ({address})"),
        None => format!("process {i}"),
    };
    let names = addresses.iter().enumerate().map(name).collect();
    let watch = Arc::new(Watch::new(meeting.patience, names));
    let mut links = vec![];
    for (peer, socket) in sockets.into_iter().enumerate() {
        let link = socket.map(|it| Link::new(peer, it, &watch)).transpose();
        links.push(link.map_err(|error| failure(format!("process {peer} is lost: {error}")))?);
    }
    Ok(Joined {
        links,
        watch,
        workers,
    })
}

fn address(addresses: &[Option<String>], of: usize) -> Result<String, Failure> {
    let known = addresses.get(of).cloned().flatten();
    known.ok_or_else(|| failure(format!("nobody knows where process {of} is")))
}

fn left(deadline: Instant) -> Duration {
    // Zero would mean no limit at all.
    deadline
        .saturating_duration_since(Instant::now())
        .max(Duration::from_millis(1))
}

/// Connects to a process that may not be there yet, and says hello.
fn connect(meeting: &Meeting<'_>, to: usize, address: &str, deadline: Instant) -> Result<TcpStream, Failure> {
    let port = meeting
        .listener
        .as_ref()
        .and_then(|it| it.local_addr().ok())
        .map_or(0, |it| it.port());
    let hello = Hello {
        protocol: PROTOCOL,
        identity: meeting.identity.clone(),
        index: meeting.index,
        processes: meeting.processes,
        port,
    };
    loop {
        let tried = resolve(address).and_then(|all| {
            let at = all.first().ok_or(io::ErrorKind::AddrNotAvailable)?;
            let mut socket = TcpStream::connect_timeout(at, left(deadline).min(HELLO_PATIENCE))?;
            socket.set_read_timeout(Some(left(deadline)))?;
            send(&mut socket, &hello.write())?;
            Ok(socket)
        });
        match tried {
            Ok(socket) => return Ok(socket),
            Err(error) if Instant::now() >= deadline => {
                let what = format!(
                    "process {to} cannot be reached at {address} within {} s: {error}",
                    meeting.join_time.as_secs()
                );
                return Err(failure(what));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// The next process that connects and says hello; strangers are sent away.
fn accept(
    meeting: &Meeting<'_>,
    listener: &TcpListener,
    deadline: Instant,
    missing: impl Fn() -> String,
) -> Result<(TcpStream, Hello, SocketAddr), Failure> {
    listener
        .set_nonblocking(true)
        .map_err(|error| failure(error.to_string()))?;
    loop {
        match listener.accept() {
            Ok((mut socket, from)) => {
                let heard = socket
                    .set_nonblocking(false)
                    .and_then(|()| socket.set_read_timeout(Some(HELLO_PATIENCE)))
                    .and_then(|()| receive(&mut socket));
                if let Ok(Ok(hello)) = heard.map(|it| Hello::read(&it)) {
                    return Ok((socket, hello, from));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if Instant::now() >= deadline {
                    let seconds = meeting.join_time.as_secs();
                    return Err(failure(format!("{} did not join within {seconds} s", missing())));
                }
                if let Some(why) = (meeting.is_in_vain)() {
                    return Err(failure(why));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(failure(format!("cannot accept connections: {error}"))),
        }
    }
}

/// Process 0 hears everyone, and lets them begin.
fn gather(
    meeting: &Meeting<'_>,
    deadline: Instant,
    sockets: &mut [Option<TcpStream>],
    addresses: &mut [Option<String>],
) -> Result<(), Failure> {
    let Some(listener) = &meeting.listener else {
        return Ok(());
    };
    while sockets[1..].iter().any(Option::is_none) {
        let missing = || missing(sockets, 1);
        let (mut socket, hello, from) = match accept(meeting, listener, deadline, missing) {
            Ok(it) => it,
            Err(failure) => {
                sockets
                    .iter_mut()
                    .flatten()
                    .for_each(|it| refuse(it, &failure.what));
                return Err(failure);
            }
        };
        let wrong = hello
            .mismatch(meeting)
            .or_else(|| match sockets.get(hello.index) {
                Some(None) if hello.index > 0 => None,
                Some(_) => Some(format!("there is a process {} already", hello.index)),
                None => Some(format!("there is no process {}", hello.index)),
            });
        if let Some(why) = wrong {
            let what = format!("process {} ({from}) is refused: {why}", hello.index);
            refuse(&mut socket, &what);
            sockets.iter_mut().flatten().for_each(|it| refuse(it, &what));
            return Err(refusal(what));
        }
        if addresses[hello.index].is_none() {
            addresses[hello.index] = Some(SocketAddr::new(from.ip(), hello.port).to_string());
        }
        sockets[hello.index] = Some(socket);
    }
    let mut welcome = vec![];
    write_number(&mut welcome, WELCOME);
    write_number(&mut welcome, meeting.workers as u64);
    write_number(&mut welcome, addresses.len() as u64);
    for address in addresses.iter() {
        write_text(&mut welcome, address.as_deref().unwrap_or_default());
    }
    for (i, socket) in sockets.iter_mut().enumerate() {
        if let Some(socket) = socket {
            send(socket, &welcome).map_err(|error| failure(format!("process {i} is lost: {error}")))?;
        }
    }
    Ok(())
}

fn missing(sockets: &[Option<TcpStream>], first: usize) -> String {
    let missing = sockets
        .iter()
        .enumerate()
        .skip(first)
        .filter(|(_, it)| it.is_none());
    let missing: Vec<String> = missing.map(|(i, _)| i.to_string()).collect();
    match missing.len() {
        1 => format!("process {}", missing[0]),
        _ => format!("processes {}", missing.join(", ")),
    }
}

/// The processes after this one come by themselves.
fn accept_later_ones(
    meeting: &Meeting<'_>,
    deadline: Instant,
    sockets: &mut [Option<TcpStream>],
) -> Result<(), Failure> {
    let Some(listener) = &meeting.listener else {
        return Ok(());
    };
    let first = meeting.index + 1;
    while sockets[first..].iter().any(Option::is_none) {
        let missing = || missing(sockets, first);
        let (mut socket, hello, from) = accept(meeting, listener, deadline, missing)?;
        let place = sockets
            .get_mut(hello.index)
            .filter(|it| hello.index >= first && it.is_none());
        let (None, Some(place)) = (hello.mismatch(meeting), place) else {
            refuse(
                &mut socket,
                &format!("process {} ({from}) is refused", hello.index),
            );
            continue;
        };
        let mut welcome = vec![];
        for number in [WELCOME, 0, 0] {
            write_number(&mut welcome, number);
        }
        send(&mut socket, &welcome)
            .map_err(|error| failure(format!("process {} is lost: {error}", hello.index)))?;
        *place = Some(socket);
    }
    Ok(())
}

/// The addresses in a list of hosts: one a line, `host:port`; lines that begin with `#` say nothing.
pub fn read_hosts(text: &str) -> Result<Vec<String>, String> {
    let lines = text.lines().enumerate().map(|(i, it)| (i + 1, it.trim()));
    let lines = lines.filter(|(_, it)| !it.is_empty() && !it.starts_with('#'));
    let mut hosts: Vec<String> = vec![];
    for (line, host) in lines {
        let port = host.rsplit_once(':').map(|it| it.1.parse::<u16>());
        if !matches!(port, Some(Ok(1..))) {
            return Err(format!("line {line}, `{host}`, is no address: write `host:port`"));
        }
        if hosts.iter().any(|it| it == host) {
            return Err(format!(
                "line {line}, `{host}`, is there twice: each process has an address of its own"
            ));
        }
        hosts.push(host.to_owned());
    }
    match hosts.is_empty() {
        true => Err("it names no host".to_owned()),
        false => Ok(hosts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(version: &str, fingerprint: u64) -> Identity {
        Identity {
            version: version.to_owned(),
            fingerprint,
            token: vec![1, 2],
        }
    }

    /// Two processes meet; what each of them says.
    fn meet(one: Identity, other: Identity) -> [Result<usize, Failure>; 2] {
        let listener = bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let meeting = |index, identity, listener| Meeting {
            index,
            processes: 2,
            listener,
            addresses: vec![Some(address.clone()), None],
            identity,
            workers: 3 + index,
            patience: Duration::from_secs(5),
            join_time: Duration::from_secs(5),
            is_in_vain: &|| None,
        };
        let first = meeting(0, one, Some(listener));
        let second = meeting(1, other, None);
        std::thread::scope(|scope| {
            let first = scope.spawn(|| join(&first).map(|it| it.workers));
            let second = join(&second).map(|it| it.workers);
            [first.join().unwrap(), second]
        })
    }

    #[test]
    fn those_who_agree_join() {
        let [one, other] = meet(identity("1.0", 7), identity("1.0", 7));
        assert_eq!(
            (one, other),
            (Ok(3), Ok(3)),
            "the first one says how many threads"
        );
    }

    #[test]
    fn another_version_or_specification_is_refused() {
        let cases = [
            (
                identity("1.1", 7),
                "it is babbage 1.1 (protocol 3), and process 0 is babbage 1.0 (protocol 3)",
            ),
            (
                identity("1.0", 8),
                "its specification, configuration or options are not those of process 0",
            ),
        ];
        for (other, why) in cases {
            for said in meet(identity("1.0", 7), other) {
                let failure = said.unwrap_err();
                assert!(failure.is_refusal && failure.what.contains(why), "{failure:?}");
            }
        }
    }

    #[test]
    fn nobody_waits_for_ever() {
        let listener = bind("127.0.0.1:0").unwrap();
        let meeting = Meeting {
            index: 0,
            processes: 3,
            listener: Some(listener),
            addresses: vec![None, None, None],
            identity: identity("1.0", 7),
            workers: 1,
            patience: Duration::from_secs(1),
            join_time: Duration::from_millis(200),
            is_in_vain: &|| None,
        };
        let failure = join(&meeting).map(|_| ()).unwrap_err();
        assert_eq!(failure.what, "processes 1, 2 did not join within 0 s");
    }

    #[test]
    fn lists_of_hosts() {
        let hosts = read_hosts("# ours\nalpha:4000\n\n  10.0.0.2:4001 \n[::1]:4002\n").unwrap();
        assert_eq!(hosts, ["alpha:4000", "10.0.0.2:4001", "[::1]:4002"]);
        assert!(read_hosts("alpha").unwrap_err().contains("line 1"));
        assert!(read_hosts("a:1\na:1").unwrap_err().contains("twice"));
        assert!(read_hosts("\n#\n").is_err());
    }
}
