//! The file system as the workbench sees it.

use std::fs;
use std::io::ErrorKind;
use std::sync::{PoisonError, RwLock};

use workbench::{Host, Unreadable};

/// Larger files are refused before they are read: positions are 32 bits wide, and no one writes such a spec by hand.
const BYTES_MAX: u64 = 256 * 1024 * 1024;

pub struct Files;

/// Folders of `--library`, which are the same for the whole run.
static LIBRARIES: RwLock<Vec<String>> = RwLock::new(vec![]);

/// Folders to look for modules in, before those of `TLA_PATH`.
pub fn set_libraries(folders: &[String]) {
    let mut libraries = LIBRARIES.write().unwrap_or_else(PoisonError::into_inner);
    folders.clone_into(&mut libraries);
}

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

    fn libraries(&self) -> Vec<String> {
        let mut all = LIBRARIES.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(paths) = std::env::var_os("TLA_PATH") {
            let named = std::env::split_paths(&paths).filter(|it| !it.as_os_str().is_empty());
            all.extend(named.map(|it| it.to_string_lossy().into_owned()));
        }
        all
    }
}

fn unreadable(error: std::io::Error) -> Unreadable {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Unreadable::Missing,
        ErrorKind::IsADirectory => Unreadable::Directory,
        _ => Unreadable::Other(error.to_string()),
    }
}
