//! The file system as the workbench sees it.

use std::fs;
use std::io::ErrorKind;

use workbench::{Host, Unreadable};

/// Larger files are refused before they are read: positions are 32 bits wide, and no one writes such a spec by hand.
const BYTES_MAX: u64 = 256 * 1024 * 1024;

pub struct Files;

impl Host for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        let metadata = fs::metadata(path).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(Unreadable::Directory);
        }
        if metadata.len() > BYTES_MAX {
            return Err(Unreadable::TooLarge {
                bytes: metadata.len(),
                bytes_max: BYTES_MAX,
            });
        }
        fs::read(path).map_err(unreadable)
    }
}

fn unreadable(error: std::io::Error) -> Unreadable {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Unreadable::Missing,
        ErrorKind::IsADirectory => Unreadable::Directory,
        _ => Unreadable::Other(error.to_string()),
    }
}
