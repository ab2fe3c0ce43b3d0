//! The texts that a worker may read: those of its request, then those in the folder of the named specification.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;

use workbench::{Host, Unreadable};

use crate::folder::inside;

#[derive(Clone, Debug)]
pub struct Texts {
    files: BTreeMap<String, String>,
    folder: Option<PathBuf>,
    /// What is not to be found, though it may be there.
    hidden: Option<String>,
}

/// A module beside the specification is not larger.
const BYTES_MAX: u64 = 16 << 20;

impl Texts {
    pub fn new(folder: Option<PathBuf>) -> Texts {
        Texts {
            files: BTreeMap::new(),
            folder,
            hidden: None,
        }
    }

    pub fn add(&mut self, name: &str, text: &str) {
        self.files.insert(name.to_string(), text.to_string());
    }

    /// Hides a file: nobody asked for the configuration that lies beside the specification.
    pub fn hide(&mut self, name: String) {
        self.hidden = Some(name);
    }

    /// A text of the request.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }
}

impl Host for Texts {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        if self.hidden.as_deref() == Some(path) {
            return Err(Unreadable::Missing);
        }
        if let Some(text) = self.get(path) {
            return Ok(text.as_bytes().to_vec());
        }
        let folder = self.folder.as_ref().ok_or(Unreadable::Missing)?;
        let path = inside(folder, path).ok_or(Unreadable::Missing)?;
        let failed = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Unreadable::Missing,
            _ => Unreadable::Other(error.to_string()),
        };
        let metadata = std::fs::metadata(&path).map_err(failed)?;
        match metadata.len() {
            _ if metadata.is_dir() => Err(Unreadable::Directory),
            bytes if bytes > BYTES_MAX => Err(Unreadable::TooLarge {
                bytes,
                bytes_max: BYTES_MAX,
            }),
            _ => std::fs::read(&path).map_err(failed),
        }
    }
}
