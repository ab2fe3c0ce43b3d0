//! Processes of a run on one machine: the first one starts the others.
//!
//! An invitation (where to connect, and a secret) goes through a pipe, where no one else can read it. The pipe stays open:
//! when it closes, whoever holds the other end is gone, and the child ends too.

use std::io::{self, BufRead, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Where a child finds its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub address: String,
    pub token: Vec<u8>,
    pub index: usize,
    pub processes: usize,
}

impl Invitation {
    fn line(&self) -> String {
        let token: String = self.token.iter().map(|it| format!("{it:02x}")).collect();
        format!("{} {token} {} {}\n", self.address, self.index, self.processes)
    }

    fn parse(line: &str) -> Option<Invitation> {
        let mut words = line.split_whitespace();
        let address = words.next()?.to_owned();
        let token = words.next()?.as_bytes().chunks(2);
        let token = token.map(|it| u8::from_str_radix(std::str::from_utf8(it).ok()?, 16).ok());
        Some(Invitation {
            address,
            token: token.collect::<Option<_>>()?,
            index: words.next()?.parse().ok()?,
            processes: words.next()?.parse().ok()?,
        })
    }

    /// Reads the invitation that the parent wrote. From then on this process ends when the parent does.
    pub fn receive() -> Option<Invitation> {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).ok()?;
        let invitation = Invitation::parse(&line)?;
        std::thread::spawn(|| {
            let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
            // The parent says why, if it still can.
            std::process::exit(3);
        });
        Some(invitation)
    }
}

/// The processes that this one has started; they end with it.
#[derive(Default)]
pub struct Children(Vec<Child>);

impl Children {
    /// Starts a process that reads its invitation from its standard input.
    pub fn start(&mut self, mut command: Command, invitation: &Invitation) -> io::Result<()> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
        let invited = match &mut child.stdin {
            Some(stdin) => stdin.write_all(invitation.line().as_bytes()),
            None => Ok(()),
        };
        self.0.push(child);
        invited
    }

    /// A child that has ended, if there is one: while a run begins, none should.
    pub fn first_ending(&mut self) -> Option<String> {
        let ended = |(i, child): (usize, &mut Child)| {
            let status = child.try_wait().ok()??;
            Some(format!(
                "process {} has ended before the run began ({status})",
                i + 1
            ))
        };
        self.0.iter_mut().enumerate().find_map(ended)
    }

    /// How a child ended, if it is known to have ended; the first child is process 1.
    pub fn ending(&mut self, process: usize) -> Option<String> {
        let child = self.0.get_mut(process.checked_sub(1)?)?;
        let deadline = Instant::now() + Duration::from_millis(200);
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                _ if Instant::now() >= deadline => return None,
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        // In order they have nothing left to do; a stopped one must be ended.
        let deadline = Instant::now() + Duration::from_secs(2);
        for child in &mut self.0 {
            while Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(5));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invitations_are_read_as_they_are_written() {
        let invitation = Invitation {
            address: "127.0.0.1:4711".to_owned(),
            token: vec![0, 15, 255],
            index: 3,
            processes: 4,
        };
        assert_eq!(Invitation::parse(&invitation.line()), Some(invitation));
        assert_eq!(Invitation::parse("nonsense"), None);
    }
}
