//! Reproducible pseudo-random numbers: the same seed gives the same numbers on every machine, for ever.
//!
//! SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). Not for secrets.

/// A bijection of 64-bit numbers whose every output bit depends on every input bit.
#[inline]
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The number that [`mix`] turns into this one.
pub(crate) fn unmix(mut x: u64) -> u64 {
    x = (x ^ (x >> 31) ^ (x >> 62)).wrapping_mul(0x3196_42B2_D24D_8EC3);
    x = (x ^ (x >> 27) ^ (x >> 54)).wrapping_mul(0x96DE_1B17_3F11_9089);
    x ^ (x >> 30) ^ (x >> 60)
}

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: mix(seed) }
    }

    /// The stream number `index` of a seed: independent of the others and of how many there are.
    pub fn stream(seed: u64, index: u64) -> Random {
        Random {
            state: mix(mix(seed) ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03)),
        }
    }

    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// A number in `0..n`; `n` must not be zero.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_can_be_undone() {
        let mut random = Random::new(1);
        for number in (0..1000).map(|_| random.next_u64()).chain([0, 1, u64::MAX]) {
            assert_eq!(unmix(mix(number)), number);
        }
    }
}
