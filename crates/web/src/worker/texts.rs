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
}

/// A module beside the specification is not larger.
const BYTES_MAX: u64 = 16 << 20;

impl Texts {
    pub fn new(folder: Option<PathBuf>) -> Texts {
        Texts {
            files: BTreeMap::new(),
            folder,
        }
    }

    pub fn add(&mut self, name: &str, text: &str) {
        self.files.insert(name.to_string(), text.to_string());
    }

    /// A text of the request.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }
}

impl Host for Texts {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
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
