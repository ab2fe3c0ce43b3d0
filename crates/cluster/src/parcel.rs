//! What travels through the dataflow: bytes with a sender and a receiver.

use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The first eight bytes are the indices of the workers it comes from and goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel(Vec<u8>);

const HEAD: usize = 8;

impl Parcel {
    pub fn new(from: usize, to: usize, body: &[u8]) -> Parcel {
        let mut bytes = Vec::with_capacity(HEAD + body.len());
        bytes.extend((from as u32).to_le_bytes());
        bytes.extend((to as u32).to_le_bytes());
        bytes.extend_from_slice(body);
        Parcel(bytes)
    }

    fn word(&self, at: usize) -> usize {
        let word = self.0[at..at + 4].try_into().expect("four bytes");
        u32::from_le_bytes(word) as usize
    }

    pub fn from(&self) -> usize {
        self.word(0)
    }

    pub fn to(&self) -> u64 {
        self.word(4) as u64
    }

    pub fn body(&self) -> &[u8] {
        &self.0[HEAD..]
    }
}

impl Serialize for Parcel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Parcel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parcel, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Parcel;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of a parcel")
            }

            fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Parcel, E> {
                match bytes.len() {
                    HEAD.. => Ok(Parcel(bytes)),
                    short => Err(E::invalid_length(short, &self)),
                }
            }
        }

        deserializer.deserialize_byte_buf(Bytes)
    }
}
