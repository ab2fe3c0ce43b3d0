//! The visited set: 64-bit numbers in six to eight bytes each, at four fifths load.
//!
//! An ordered linear-probing table (Amble and Knuth, "Ordered hash tables", 1974). A number's home is its proportional
//! place, `number * capacity / 2^64`, so the whole table is sorted by number. That gives three things at once: a search for
//! something absent ends as early as one for something present, which lets the table be full; growing is a merge from left
//! to right, without random access, so it can be done in small steps (by a quarter) and the peak stays low; and the place
//! of an entry says its upper bits, so that those need not be stored (Cleary's "Compact hash tables using bidirectional
//! linear probing", 1984, simplified by never letting an entry stand further than half a *region* from home).
//!
//! The numbers must be well mixed. What they mean (a fingerprint, or the injective code of a state) is the caller's.

/// One in `SHARDS` of the visited set. The number of shards is fixed: it bounds both what one growth step copies and how
/// many workers can insert at a time.
pub(crate) const SHARD_BITS: u32 = 6;
pub(crate) const SHARDS: usize = 1 << SHARD_BITS;

/// Significant bits of a number inside its shard.
const BITS: u32 = 64 - SHARD_BITS;
/// Grown when more than this share of the slots is taken, in 64ths.
const LOAD_MAX_64THS: usize = 54;
/// The capacity after growing, relative to the one before: small steps keep the average load near three quarters.
const GROWTH_PERCENT: usize = 130;
/// Slots behind the last home, for what is displaced beyond it.
const TAIL_MAX: usize = 512;
const CAPACITY_MIN: usize = 16;

/// The shard of a number.
#[inline]
pub(crate) fn shard_of(number: u64) -> usize {
    (number & (SHARDS as u64 - 1)) as usize
}

/// A set of the numbers that share their `SHARD_BITS` lower bits.
///
/// Invariants (see [`Shard::check`]). Let an entry be the pair of its slot and its number v:
/// - slots ascend as numbers ascend, and home(v) ≤ slot(v) ≤ home(v) + reach;
/// - every slot in home(v) .. slot(v) is taken;
/// - a stored entry is the `8 * width` lower bits of v, never zero; a v whose lower bits are zero is in `zeros`.
#[derive(Default)]
pub(crate) struct Shard {
    /// `capacity + tail` slots of `width` bytes, little-endian, then padding so that eight bytes can be read anywhere.
    bytes: Vec<u8>,
    /// Bytes for each slot: 8, 7 or 6.
    width: usize,
    /// The number of homes; a multiple of the number of regions. Zero for the empty set that has never grown.
    capacity: usize,
    /// Slots, tail included.
    n_slots: usize,
    /// How far from home an entry may stand.
    reach: usize,
    len: usize,
    zeros: Vec<u64>,
}

impl Shard {
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.len + self.zeros.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.capacity() + self.zeros.capacity() * 8
    }

    /// Starts to bring the place of `number` into the cache. Call it for several numbers, then ask for each: the loads
    /// overlap. Returns something that must be used, or the compiler drops the load.
    #[inline]
    pub(crate) fn peek(&self, number: u64) -> u64 {
        if self.capacity == 0 {
            0
        } else {
            self.load(self.home(number >> SHARD_BITS))
        }
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        let value = number >> SHARD_BITS;
        let wanted = value & self.mask();
        if wanted == 0 {
            return self.zeros.contains(&value);
        }
        self.capacity != 0 && self.find(value, wanted).is_ok()
    }

    /// Adds `number`; false when it was there. Grows when it must; callers that have a budget ask
    /// [`Shard::growth_for`] first.
    pub(crate) fn insert(&mut self, number: u64) -> bool {
        let value = number >> SHARD_BITS;
        self.reserve(1);
        self.insert_value(value)
    }

    /// Makes room for `additional` more numbers.
    pub(crate) fn reserve(&mut self, additional: usize) {
        if let Some(layout) = self.layout_for(additional) {
            self.rebuild(layout);
        }
    }

    /// Bytes that `reserve(additional)` would allocate. The old table is freed afterwards.
    pub(crate) fn growth_for(&self, additional: usize) -> usize {
        self.layout_for(additional).map_or(0, |layout| layout.bytes())
    }

    fn insert_value(&mut self, value: u64) -> bool {
        loop {
            let wanted = value & self.mask();
            if wanted == 0 {
                let is_new = !self.zeros.contains(&value);
                if is_new {
                    self.zeros.push(value);
                }
                return is_new;
            }
            let Err(slot) = self.find(value, wanted) else {
                return false;
            };
            if let Some(free) = self.room_for(value, slot) {
                let width = self.width;
                self.bytes
                    .copy_within(slot * width..free * width, (slot + 1) * width);
                self.store(slot, wanted);
                self.len += 1;
                return true;
            }
            self.rebuild(Layout::of(self.capacity * GROWTH_PERCENT / 100));
        }
    }

    /// The slot of `value`, or the slot where it belongs.
    #[inline]
    fn find(&self, value: u64, wanted: u64) -> Result<usize, usize> {
        let mut slot = self.home(value);
        let shift = 64 - 8 * self.width as u32;
        loop {
            let entry = self.load(slot);
            // Entries here stand less than half a region from home, as `value` would, so the difference of the stored
            // bits has the sign of the difference of the numbers.
            let ahead = (entry.wrapping_sub(wanted) << shift) as i64;
            if entry == 0 || ahead > 0 {
                return Err(slot);
            }
            if ahead == 0 {
                return Ok(slot);
            }
            slot += 1;
        }
    }

    /// The first free slot from `slot` on, if everything between may move up by one.
    #[inline]
    fn room_for(&self, value: u64, slot: usize) -> Option<usize> {
        let mut free = slot;
        while self.load(free) != 0 {
            free += 1;
        }
        if free + 1 >= self.n_slots {
            return None;
        }
        // What moves is greater than `value`, so its home is not before `value`'s.
        if free - self.home(value) <= self.reach || self.all_may_move(value, slot, free) {
            Some(free)
        } else {
            None
        }
    }

    #[cold]
    fn all_may_move(&self, value: u64, slot: usize, free: usize) -> bool {
        slot - self.home(value) <= self.reach
            && (slot..free).all(|it| it + 1 - self.home(self.value_at(it)) <= self.reach)
    }

    fn rebuild(&mut self, layout: Layout) {
        let mut grown = layout.empty();
        let mut next = 0;
        for slot in 0..self.n_slots {
            if self.load(slot) == 0 {
                continue;
            }
            let value = self.value_at(slot);
            let wanted = value & grown.mask();
            let place = next.max(grown.home(value));
            // A layout too tight for this very set is unheard of, but must not be wrong.
            if place - grown.home(value) > grown.reach || place + 1 >= grown.n_slots {
                return self.rebuild(Layout::of(layout.capacity * GROWTH_PERCENT / 100));
            }
            if wanted == 0 {
                grown.zeros.push(value);
                continue;
            }
            grown.store(place, wanted);
            grown.len += 1;
            next = place + 1;
        }
        let zeros = std::mem::take(&mut self.zeros);
        *self = grown;
        for value in zeros {
            self.insert_value(value);
        }
    }

    /// The whole number stored in a taken slot: its lower bits are there, its upper bits are its region.
    fn value_at(&self, slot: usize) -> u64 {
        let stored = self.load(slot);
        if self.width == 8 {
            return stored;
        }
        let omitted = BITS - 8 * self.width as u32;
        let region_slots = self.capacity >> omitted;
        let region = (slot / region_slots).min((1 << omitted) - 1) as u64;
        let value = region << (8 * self.width) | stored;
        if self.home(value) <= slot {
            value
        } else {
            value - (1 << (8 * self.width))
        }
    }

    #[inline]
    fn home(&self, value: u64) -> usize {
        ((u128::from(value << SHARD_BITS) * self.capacity as u128) >> 64) as usize
    }

    #[inline]
    fn mask(&self) -> u64 {
        if self.width == 8 {
            u64::MAX
        } else {
            (1 << (8 * self.width)) - 1
        }
    }

    #[inline]
    fn load(&self, slot: usize) -> u64 {
        let at = slot * self.width;
        let word: [u8; 8] = self.bytes[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(word) & self.mask()
    }

    #[inline]
    fn store(&mut self, slot: usize, entry: u64) {
        let at = slot * self.width;
        self.bytes[at..at + self.width].copy_from_slice(&entry.to_le_bytes()[..self.width]);
    }

    fn layout_for(&self, additional: usize) -> Option<Layout> {
        let len = self.len + additional;
        if len * 64 <= self.capacity * LOAD_MAX_64THS {
            return None;
        }
        let least = len * 64 / LOAD_MAX_64THS + 1;
        Some(Layout::of(
            least.max(self.capacity * GROWTH_PERCENT / 100).max(CAPACITY_MIN),
        ))
    }

    /// Checks the invariants. For tests.
    #[cfg(test)]
    pub(crate) fn check(&self) {
        let mut before = None;
        let mut len = 0;
        for slot in (0..self.n_slots).filter(|&slot| self.load(slot) != 0) {
            let value = self.value_at(slot);
            let home = self.home(value);
            assert!(before < Some(value), "sorted");
            assert!(home <= slot && slot <= home + self.reach, "near home");
            assert!((home..slot).all(|it| self.load(it) != 0), "reachable from home");
            before = Some(value);
            len += 1;
        }
        assert_eq!(len, self.len);
        assert!(self.zeros.iter().all(|value| value & self.mask() == 0));
    }
}

/// The shape of a table: capacity decides the width, and width decides how far entries may stand from home.
#[derive(Clone, Copy)]
struct Layout {
    capacity: usize,
    width: usize,
    reach: usize,
}

impl Layout {
    /// The narrowest layout with at least this capacity whose reach is ample for the loads allowed.
    fn of(capacity: usize) -> Layout {
        const REACH_AMPLE: usize = 120;
        for width in [6, 7] {
            let omitted = BITS - 8 * width as u32;
            let region_slots = capacity.div_ceil(1 << omitted);
            if region_slots / 2 >= REACH_AMPLE {
                return Layout {
                    capacity: region_slots << omitted,
                    width,
                    reach: region_slots / 2 - 2,
                };
            }
        }
        Layout {
            capacity,
            width: 8,
            reach: usize::MAX / 2,
        }
    }

    fn n_slots(self) -> usize {
        self.capacity + self.capacity.min(TAIL_MAX)
    }

    fn bytes(self) -> usize {
        self.n_slots() * self.width + 8
    }

    fn empty(self) -> Shard {
        Shard {
            bytes: vec![0; self.bytes()],
            width: self.width,
            capacity: self.capacity,
            n_slots: self.n_slots(),
            reach: self.reach,
            len: 0,
            zeros: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use util::FxHashSet;

    /// Numbers of shard 0 in a plain set and in the table, with the invariants checked as it grows.
    fn fill(n: usize, mut number: impl FnMut(usize) -> u64) -> Shard {
        let mut shard = Shard::default();
        let mut plain = FxHashSet::default();
        for i in 0..n {
            let number = number(i) << SHARD_BITS;
            assert_eq!(shard.contains(number), plain.contains(&number));
            assert_eq!(shard.insert(number), plain.insert(number));
            assert!(shard.contains(number));
            if i.is_power_of_two() {
                shard.check();
            }
        }
        assert_eq!(shard.len(), plain.len());
        shard.check();
        shard
    }

    #[test]
    fn mixed_numbers_at_every_width() {
        let mut random = Random::new(1);
        let shard = fill(400_000, |_| random.next_u64() >> SHARD_BITS);
        assert_eq!(shard.width, 6);
        assert!(shard.bytes() < 10 * shard.len());
        let mut random = Random::new(2);
        assert_eq!(fill(20_000, |_| random.next_u64() >> SHARD_BITS).width, 7);
    }

    #[test]
    fn numbers_that_come_again() {
        let mut random = Random::new(3);
        fill(300_000, |_| {
            (random.next_u64() % 90_000).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> SHARD_BITS
        });
    }

    #[test]
    fn numbers_whose_stored_bits_are_zero() {
        let mut random = Random::new(4);
        fill(3_000, |i| {
            if i % 3 == 0 {
                (i as u64) << 48
            } else {
                random.next_u64() >> SHARD_BITS
            }
        });
        fill(10, |i| i as u64 & 1);
    }
}
