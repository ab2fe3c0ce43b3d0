//! The browser front end: a server on the loopback interface, the page that it serves, and the processes that do the
//! work.
//!
//! A specification is a program that anybody may have typed: it can run for ever, eat all memory, nest too deeply. So
//! the server evaluates nothing. Each session of play and each job (a check, a search, a diagnosis) is a process of its
//! own, [`worker`], with a limit of memory that the kernel keeps and a limit of time that the server keeps by ending it.
//! Closing the page drops the connection, and with it the process.
//!
//! The page is made of files that are part of the binary. Nothing is written to disk, and files are read only beside a
//! specification that the command line named.

mod assets;
mod errors;
mod folder;
mod gallery;
mod guard;
mod jobs;
mod process;
mod server;
mod sessions;
mod worker;

pub use folder::Folder;
pub use process::Limits;
pub use server::{Options, serve};
pub use worker::worker;
