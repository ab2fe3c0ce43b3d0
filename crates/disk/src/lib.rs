//! The files of a search in a folder of the file system: what `explore` asks of a disk, and nothing else.
//!
//! It knows neither runs nor checkpoints; it creates, appends, reads at a place, syncs and renames. Every failure is told with
//! the path, and "no room" apart from the rest.
//!
//! ```
//! use explore::Disk;
//!
//! let folder = disk::Folder::temporary(std::env::temp_dir()).ok().expect("a place for files");
//! let file = folder.create("level-1").ok().expect("a file");
//! assert!(file.append(b"states").is_ok());
//! ```

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use explore::{Disk, DiskFailure, DiskFailureKind, DiskFile};

/// A folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    is_temporary: bool,
    /// Held while this process uses the folder. The file stays: who removed it could take it from under someone else.
    lock: Option<File>,
}

const LOCK: &str = "lock";
/// Held together by the processes that take part in what the one with the lock does.
const MEMBERS: &str = "members";
/// They end with that process, but not in the same moment.
const MEMBERS_PATIENCE: Duration = Duration::from_secs(5);

impl Folder {
    /// A folder that is there.
    pub fn open(path: impl Into<PathBuf>) -> Result<Folder, DiskFailure> {
        let path = path.into();
        match fs::metadata(&path) {
            Ok(it) if it.is_dir() => Ok(Folder {
                path,
                is_temporary: false,
                lock: None,
            }),
            Ok(_) => Err(DiskFailure::new(
                DiskFailureKind::Other,
                format!("`{}` is no folder", path.display()),
            )),
            Err(error) => Err(failure(&path, &error)),
        }
    }

    /// A folder, made with all folders on the way if it is not there.
    pub fn create(path: impl Into<PathBuf>) -> Result<Folder, DiskFailure> {
        let path = path.into();
        fs::create_dir_all(&path).map_err(|error| failure(&path, &error))?;
        Folder::open(path)
    }

    /// A new folder inside another one, for this process; it goes with its contents when it is dropped.
    pub fn temporary(inside: impl Into<PathBuf>) -> Result<Folder, DiskFailure> {
        let inside = Folder::create(inside)?.path.clone();
        for attempt in 0.. {
            let path = inside.join(format!("babbage-{}-{attempt}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => {
                    return Ok(Folder {
                        path,
                        is_temporary: true,
                        lock: None,
                    });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failure(&path, &error)),
            }
        }
        unreachable!("some name is free")
    }

    /// Keeps other processes away until this one is done with the folder, or ends in whatever way. False if another one was
    /// faster, or if processes of an earlier one are still there.
    pub fn lock(&mut self) -> Result<bool, DiskFailure> {
        let file = self.lock_file(LOCK)?;
        if !is_locked(&self.path, file.try_lock())? {
            return Ok(false);
        }
        // Without the file there never were any.
        if let Ok(members) = OpenOptions::new().append(true).open(self.path.join(MEMBERS)) {
            let deadline = Instant::now() + MEMBERS_PATIENCE;
            while !is_locked(&self.path, members.try_lock())? {
                if Instant::now() >= deadline {
                    return Ok(false);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        self.lock = Some(file);
        Ok(true)
    }

    /// Takes part in what the process with the lock does: nobody else gets the folder before this one has ended, too.
    pub fn take_part(&mut self) -> Result<bool, DiskFailure> {
        let file = self.lock_file(MEMBERS)?;
        let is_in = is_locked(&self.path, file.try_lock_shared())?;
        self.lock = Some(file);
        Ok(is_in)
    }

    fn lock_file(&self, name: &str) -> Result<File, DiskFailure> {
        let path = self.path.join(name);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.map_err(|error| failure(&path, &error))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_temporary {
            // What cannot be removed only takes room.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

impl Disk for Folder {
    fn create(&self, name: &str) -> Result<Arc<dyn DiskFile>, DiskFailure> {
        let path = self.path.join(name);
        File::create(&path).map_err(|error| failure(&path, &error))?;
        // A file that is appended to, so that reading does not move where the next bytes go.
        let file = OpenOptions::new().read(true).append(true).open(&path);
        let file = file.map_err(|error| failure(&path, &error))?;
        Ok(Arc::new(Opened { file, path }))
    }

    fn open(&self, name: &str) -> Result<Arc<dyn DiskFile>, DiskFailure> {
        let path = self.path.join(name);
        let file = File::open(&path).map_err(|error| failure(&path, &error))?;
        Ok(Arc::new(Opened { file, path }))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), DiskFailure> {
        let path = self.path.join(from);
        fs::rename(&path, self.path.join(to)).map_err(|error| failure(&path, &error))
    }

    fn remove(&self, name: &str) -> Result<(), DiskFailure> {
        let path = self.path.join(name);
        fs::remove_file(&path).map_err(|error| failure(&path, &error))
    }

    fn names(&self) -> Result<Vec<String>, DiskFailure> {
        let entries = fs::read_dir(&self.path).map_err(|error| failure(&self.path, &error))?;
        let mut names = vec![];
        for entry in entries {
            let entry = entry.map_err(|error| failure(&self.path, &error))?;
            names.extend(entry.file_name().into_string());
        }
        names.sort();
        Ok(names)
    }

    #[cfg(unix)]
    fn sync(&self) -> Result<(), DiskFailure> {
        let folder = File::open(&self.path).and_then(|it| it.sync_all());
        folder.map_err(|error| failure(&self.path, &error))
    }

    #[cfg(not(unix))]
    fn sync(&self) -> Result<(), DiskFailure> {
        Ok(())
    }

    #[cfg(unix)]
    fn free(&self) -> Option<u64> {
        let stat = rustix::fs::statvfs(&self.path).ok()?;
        stat.f_bavail.checked_mul(stat.f_frsize)
    }

    #[cfg(not(unix))]
    fn free(&self) -> Option<u64> {
        None
    }
}

#[derive(Debug)]
struct Opened {
    file: File,
    path: PathBuf,
}

impl DiskFile for Opened {
    fn size(&self) -> Result<u64, DiskFailure> {
        let metadata = self.file.metadata();
        Ok(metadata.map_err(|error| failure(&self.path, &error))?.len())
    }

    fn append(&self, bytes: &[u8]) -> Result<(), DiskFailure> {
        let done = (&self.file).write_all(bytes);
        done.map_err(|error| failure(&self.path, &error))
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), DiskFailure> {
        read_exact_at(&self.file, at, into).map_err(|error| failure(&self.path, &error))
    }

    fn sync(&self) -> Result<(), DiskFailure> {
        self.file.sync_all().map_err(|error| failure(&self.path, &error))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, at: u64, into: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut at: u64, mut into: &mut [u8]) -> std::io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !into.is_empty() {
        match file.seek_read(into, at)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            n => {
                into = &mut into[n..];
                at += n as u64;
            }
        }
    }
    Ok(())
}

fn is_locked(path: &Path, tried: Result<(), TryLockError>) -> Result<bool, DiskFailure> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(failure(path, &error)),
    }
}

fn failure(path: &Path, error: &std::io::Error) -> DiskFailure {
    let kind = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => DiskFailureKind::Full,
        ErrorKind::NotFound => DiskFailureKind::Missing,
        ErrorKind::UnexpectedEof => DiskFailureKind::Damaged,
        _ => DiskFailureKind::Other,
    };
    DiskFailure::new(kind, format!("`{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_owner_and_its_members() {
        let folder = Folder::temporary(std::env::temp_dir()).expect("a folder");
        let open = || Folder::open(folder.path.clone()).expect("a folder");
        let (mut first, mut second, mut member) = (open(), open(), open());
        assert_eq!(first.lock(), Ok(true));
        assert_eq!(second.lock(), Ok(false));
        assert_eq!(member.take_part(), Ok(true));
        assert_eq!(open().take_part(), Ok(true), "one of several");
        drop(first);
        // Its members are still there, for a moment.
        let leaving = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            drop(member);
        });
        assert_eq!(second.lock(), Ok(true));
        assert!(leaving.is_finished() || leaving.join().is_ok());
    }
}
