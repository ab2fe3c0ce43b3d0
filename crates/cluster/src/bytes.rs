//! Numbers and lists of bytes in messages: seven bits to a byte, the small ones first.

/// The bytes are none that a process of the same version wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged;

pub fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub fn read_number(bytes: &mut &[u8]) -> Result<u64, Damaged> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Damaged)?;
        *bytes = rest;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(number);
        }
    }
    Err(Damaged)
}

pub fn write_slice(bytes: &mut Vec<u8>, slice: &[u8]) {
    write_number(bytes, slice.len() as u64);
    bytes.extend_from_slice(slice);
}

pub fn read_slice<'b>(bytes: &mut &'b [u8]) -> Result<&'b [u8], Damaged> {
    let len = read_number(bytes)? as usize;
    let (head, rest) = bytes.split_at_checked(len).ok_or(Damaged)?;
    *bytes = rest;
    Ok(head)
}

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

/// Adds counts to counts; the longer list decides the length.
pub fn add_counts(total: &mut Vec<u64>, part: &[u64]) {
    if total.len() < part.len() {
        total.resize(part.len(), 0);
    }
    for (total, part) in total.iter_mut().zip(part) {
        *total += part;
    }
}

pub fn bump(counts: &mut Vec<u64>, at: u32) {
    let at = at as usize;
    if at >= counts.len() {
        counts.resize(at + 1, 0);
    }
    counts[at] += 1;
}
