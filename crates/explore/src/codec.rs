//! Numbers, texts and lists as bytes, for the description of a checkpoint. Reading never panics: what makes no sense is `None`.

use crate::disk::Piece;

#[derive(Default)]
pub(crate) struct Encoder {
    pub(crate) bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn text(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Encoder, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|it| item(self, it));
    }

    pub(crate) fn numbers(&mut self, numbers: &[u64]) {
        self.list(numbers, |to, &it| to.number(it));
    }

    pub(crate) fn piece(&mut self, piece: &Piece) {
        self.text(piece.name.as_bytes());
        self.number(piece.len);
        self.number(piece.checksum);
    }
}

pub(crate) struct Decoder<'b> {
    bytes: &'b [u8],
}

impl<'b> Decoder<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Decoder<'b> {
        Decoder { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn take(&mut self, n: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(n)?;
        self.bytes = rest;
        Some(taken)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// A number of 32 bits.
    pub(crate) fn word(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    pub(crate) fn text(&mut self) -> Option<&'b [u8]> {
        let n = self.number()?;
        self.take(n.try_into().ok()?)
    }

    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Decoder<'b>) -> Option<T>) -> Option<Vec<T>> {
        let n = self.number()?;
        // Every item has eight bytes at least, so a wrong number takes no memory.
        if n > self.bytes.len() as u64 / 8 {
            return None;
        }
        (0..n).map(|_| item(self)).collect()
    }

    pub(crate) fn numbers(&mut self) -> Option<Vec<u64>> {
        self.list(Decoder::number)
    }

    pub(crate) fn piece(&mut self) -> Option<Piece> {
        Some(Piece {
            name: String::from_utf8(self.text()?.to_vec()).ok()?,
            len: self.number()?,
            checksum: self.number()?,
        })
    }
}
