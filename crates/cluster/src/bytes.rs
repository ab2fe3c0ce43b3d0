//! Texts and lists of counts in messages.

pub use util::wire::{Damaged, read_number, read_slice, write_number, write_slice};

pub fn write_text(bytes: &mut Vec<u8>, text: &str) {
    write_slice(bytes, text.as_bytes());
}

pub fn read_text(bytes: &mut &[u8]) -> Result<String, Damaged> {
    String::from_utf8(read_slice(bytes)?.to_vec()).map_err(|_| Damaged)
}

/// A list of counts.
pub fn write_counts(bytes: &mut Vec<u8>, counts: &[u64]) {
    write_number(bytes, counts.len() as u64);
    counts.iter().for_each(|&it| write_number(bytes, it));
}

pub fn read_counts(bytes: &mut &[u8]) -> Result<Vec<u64>, Damaged> {
    let len = read_number(bytes)? as usize;
    if len > bytes.len() {
        return Err(Damaged);
    }
    (0..len).map(|_| read_number(bytes)).collect()
}
