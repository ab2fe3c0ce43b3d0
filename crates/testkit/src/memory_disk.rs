//! A disk in memory that loses what was not synced, runs full, and can be tampered with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use explore::{Disk, DiskFailure, DiskFailureKind, DiskFile, Random};

#[derive(Clone, Debug, Default)]
pub struct MemoryDisk(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    names: BTreeMap<String, usize>,
    /// Names as of the last sync.
    durable: BTreeMap<String, usize>,
    files: Vec<(Vec<u8>, usize)>,
    /// Operations until the power is cut.
    operations_left: Option<u64>,
    capacity: Option<u64>,
    n_operations: u64,
}

#[derive(Debug)]
struct File {
    disk: MemoryDisk,
    it: usize,
}

fn failure(kind: DiskFailureKind) -> DiskFailure {
    DiskFailure::new(kind, format!("{kind:?}"))
}

impl Inner {
    fn operate(&mut self) -> Result<(), DiskFailure> {
        self.n_operations += 1;
        match &mut self.operations_left {
            Some(0) => Err(failure(DiskFailureKind::Other)),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn used(&self) -> u64 {
        self.names.values().map(|&it| self.files[it].0.len() as u64).sum()
    }
}

impl MemoryDisk {
    /// The power is cut after so many operations.
    pub fn fail_after(&self, operations: u64) {
        self.0.lock().unwrap().operations_left = Some(operations);
    }

    pub fn limit(&self, capacity: Option<u64>) {
        self.0.lock().unwrap().capacity = capacity;
    }

    pub fn n_operations(&self) -> u64 {
        self.0.lock().unwrap().n_operations
    }

    /// What is there when the power is back: synced bytes, maybe some more, names before or after the last changes.
    pub fn after_power_cut(&self, random: &mut Random) -> MemoryDisk {
        let inner = self.0.lock().unwrap();
        let names = if random.below(2) == 0 {
            &inner.names
        } else {
            &inner.durable
        };
        let files = inner.files.iter().map(|(bytes, synced)| {
            let len = synced + random.below(bytes.len() - synced + 1);
            (bytes[..len].to_vec(), len)
        });
        MemoryDisk(Arc::new(Mutex::new(Inner {
            files: files.collect(),
            names: names.clone(),
            durable: names.clone(),
            ..Inner::default()
        })))
    }

    pub fn copy(&self) -> MemoryDisk {
        let inner = self.0.lock().unwrap();
        MemoryDisk(Arc::new(Mutex::new(Inner {
            names: inner.names.clone(),
            durable: inner.names.clone(),
            files: inner.files.clone(),
            ..Inner::default()
        })))
    }

    pub fn tamper(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut inner = self.0.lock().unwrap();
        let it = inner.names[name];
        change(&mut inner.files[it].0);
    }
}

impl Disk for MemoryDisk {
    fn create(&self, name: &str) -> Result<Arc<dyn DiskFile>, DiskFailure> {
        let mut inner = self.0.lock().unwrap();
        inner.operate()?;
        inner.files.push((Vec::new(), 0));
        let it = inner.files.len() - 1;
        inner.names.insert(name.to_owned(), it);
        Ok(Arc::new(File {
            disk: self.clone(),
            it,
        }))
    }

    fn open(&self, name: &str) -> Result<Arc<dyn DiskFile>, DiskFailure> {
        let mut inner = self.0.lock().unwrap();
        inner.operate()?;
        let it = *inner
            .names
            .get(name)
            .ok_or_else(|| failure(DiskFailureKind::Missing))?;
        Ok(Arc::new(File {
            disk: self.clone(),
            it,
        }))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), DiskFailure> {
        let mut inner = self.0.lock().unwrap();
        inner.operate()?;
        let it = inner
            .names
            .remove(from)
            .ok_or_else(|| failure(DiskFailureKind::Missing))?;
        inner.names.insert(to.to_owned(), it);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), DiskFailure> {
        let mut inner = self.0.lock().unwrap();
        inner.operate()?;
        inner
            .names
            .remove(name)
            .map(drop)
            .ok_or_else(|| failure(DiskFailureKind::Missing))
    }

    fn names(&self) -> Result<Vec<String>, DiskFailure> {
        Ok(self.0.lock().unwrap().names.keys().cloned().collect())
    }

    fn sync(&self) -> Result<(), DiskFailure> {
        let mut inner = self.0.lock().unwrap();
        inner.operate()?;
        inner.durable = inner.names.clone();
        Ok(())
    }

    fn free(&self) -> Option<u64> {
        let inner = self.0.lock().unwrap();
        inner.capacity.map(|it| it.saturating_sub(inner.used()))
    }
}

impl DiskFile for File {
    fn size(&self) -> Result<u64, DiskFailure> {
        Ok(self.disk.0.lock().unwrap().files[self.it].0.len() as u64)
    }

    fn append(&self, bytes: &[u8]) -> Result<(), DiskFailure> {
        let mut inner = self.disk.0.lock().unwrap();
        inner.operate()?;
        let used = inner.used() + bytes.len() as u64;
        if inner.capacity.is_some_and(|it| used > it) {
            return Err(failure(DiskFailureKind::Full));
        }
        inner.files[self.it].0.extend_from_slice(bytes);
        Ok(())
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), DiskFailure> {
        let inner = self.disk.0.lock().unwrap();
        let bytes = &inner.files[self.it].0;
        let found = bytes.get(at as usize..at as usize + into.len());
        into.copy_from_slice(found.ok_or_else(|| failure(DiskFailureKind::Damaged))?);
        Ok(())
    }

    fn sync(&self) -> Result<(), DiskFailure> {
        let mut inner = self.disk.0.lock().unwrap();
        inner.operate()?;
        let len = inner.files[self.it].0.len();
        inner.files[self.it].1 = len;
        Ok(())
    }
}
