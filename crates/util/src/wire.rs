//! Numbers and runs of bytes, written one after the other: seven bits of a number to a byte, the lowest first.
//!
//! What is read may come from a damaged file or from another program: it is refused, and never believed for a length.

/// The bytes are none that were written here.
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
    let len = read_number(bytes)?.try_into().map_err(|_| Damaged)?;
    let (head, rest) = bytes.split_at_checked(len).ok_or(Damaged)?;
    *bytes = rest;
    Ok(head)
}

/// Signed numbers so that those near zero are short.
pub fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

pub fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = vec![];
        let numbers = [0, 1, 127, 128, 1 << 40, u64::MAX];
        numbers.iter().for_each(|&it| write_number(&mut bytes, it));
        write_slice(&mut bytes, b"text");
        let rest = &mut &bytes[..];
        numbers
            .iter()
            .for_each(|&it| assert_eq!(read_number(rest), Ok(it)));
        assert_eq!(read_slice(rest), Ok(&b"text"[..]));
        assert_eq!(read_number(rest), Err(Damaged));
        assert_eq!(
            read_slice(&mut &[200, 1, 0][..]),
            Err(Damaged),
            "longer than what is there"
        );
        for number in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
    }
}
