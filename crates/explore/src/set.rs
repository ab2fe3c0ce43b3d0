//! The visited set: 64-bit numbers in six or eight bytes each, at up to seven eighths load, one or two cache lines a lookup.
//!
//! A table of *lines*, each as long as a cache line. A number's home is its proportional place,
//! `number * n_lines / 2^64`; when its home is full it goes to one of the lines after it. That gives three things at once.
//! Lines are wide enough that entries are at home or next to it even when the table is full. The table is sorted by number
//! up to the width of a line, so growing is a pass from left to right without random access and can be done in small steps
//! (by a sixth), which keeps the table full and the peak low. And the place of an entry says its upper bits, so that
//! those need not be stored (quotienting; Cleary, "Compact hash tables using bidirectional linear probing", 1984).
//!
//! In a full line, who is nearer to home gives way to who is further ("Robin Hood hashing", Celis, 1986). So nobody is far
//! from home, and whoever would be further than someone in a line is not behind it. Without that, the longest way was too
//! long for an entry at three quarters load, and the table took a fifth more memory.
//!
//! Tried before: one sorted sequence of entries without lines ("ordered hash tables", Amble and Knuth, 1974). It can be as
//! full, but moving the neighbours at each insertion and reading across lines made it half as fast. To the emptier of two
//! neighbouring lines: gets no fuller than the first free one does.
//!
//! The numbers must be well mixed. What they mean (a fingerprint, or the injective code of a state) is the caller's.

/// One in `SHARDS` of the visited set. The number of shards is fixed: it bounds both what one growth step copies and how
/// many workers can insert at a time.
pub(crate) const SHARD_BITS: u32 = 6;
pub(crate) const SHARDS: usize = 1 << SHARD_BITS;

/// Significant bits of a number inside its shard.
const BITS: u32 = 64 - SHARD_BITS;
/// The size after growing, relative to the one before, in percent: small steps once memory matters.
const GROWTH_PERCENT: usize = 118;
const GROWTH_PERCENT_WIDE: usize = 150;
const GROWTH_PERCENT_SMALL: usize = 200;
const SMALL_LINES: usize = 512;
/// Lines behind the last home, for what does not fit before.
const TAIL: usize = 4;

/// The shard of a number.
#[inline]
pub(crate) fn shard_of(number: u64) -> usize {
    (number & (SHARDS as u64 - 1)) as usize
}

/// A cache line of entries. An entry is the lower `VALUE_BITS` of a value, and the distance from the value's home.
trait Line: Copy {
    const EMPTY: Self;
    const ENTRIES: usize;
    const VALUE_BITS: u32;
    /// The greatest distance that can be written.
    const DISTANCE_MAX: usize;
    /// Grown when more than this share of the entries is taken, in 64ths.
    const LOAD_MAX_64THS: usize;

    fn len(&self) -> usize;
    fn push(&mut self, value: u64, distance: usize);
    fn contains(&self, value: u64, distance: usize) -> bool;
    fn get(&self, it: usize) -> (u64, usize);
    fn set(&mut self, it: usize, value: u64, distance: usize);
    /// Whether any entry is less far from its home. The line must be full.
    fn has_nearer(&self, distance: usize) -> bool;

    /// From so many homes on, every value can be told from its lower bits and its home.
    const HOMES_MIN: usize = 1 << (BITS - Self::VALUE_BITS);

    /// Homes for so many values.
    fn homes_for(len: usize) -> usize {
        len * 64 / (Self::ENTRIES * Self::LOAD_MAX_64THS) + 1
    }
}

/// Ten entries of 48 bits: 44 of the value and 4 of the distance.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Narrow {
    low: [u32; 10],
    high: [u16; 10],
    len: u32,
}

impl Line for Narrow {
    const EMPTY: Narrow = Narrow {
        low: [0; 10],
        high: [0; 10],
        len: 0,
    };
    const ENTRIES: usize = 10;
    const VALUE_BITS: u32 = 44;
    const DISTANCE_MAX: usize = 15;
    const LOAD_MAX_64THS: usize = 56;

    #[inline]
    fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    fn push(&mut self, value: u64, distance: usize) {
        let it = self.len();
        self.set(it, value, distance);
        self.len += 1;
    }

    #[inline]
    fn contains(&self, value: u64, distance: usize) -> bool {
        let low = value as u32;
        let high = (value >> 32) as u16 & 0xFFF | (distance as u16) << 12;
        any_is(&self.low, low)
            && self
                .low
                .iter()
                .zip(&self.high)
                .take(self.len())
                .any(|it| *it.0 == low && *it.1 == high)
    }

    #[inline]
    fn get(&self, it: usize) -> (u64, usize) {
        let high = self.high[it];
        (
            u64::from(high & 0xFFF) << 32 | u64::from(self.low[it]),
            (high >> 12) as usize,
        )
    }

    #[inline]
    fn set(&mut self, it: usize, value: u64, distance: usize) {
        self.low[it] = value as u32;
        self.high[it] = (value >> 32) as u16 & 0xFFF | (distance as u16) << 12;
    }

    #[inline]
    fn has_nearer(&self, distance: usize) -> bool {
        let bound = (distance as u16) << 12;
        self.high.iter().fold(false, |any, &high| any | (high < bound))
    }
}

/// Seven entries of 64 bits, for tables too small to imply much: the whole value and six bits of distance.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Wide {
    low: [u32; 7],
    high: [u32; 7],
    len: u64,
}

impl Line for Wide {
    const EMPTY: Wide = Wide {
        low: [0; 7],
        high: [0; 7],
        len: 0,
    };
    const ENTRIES: usize = 7;
    const VALUE_BITS: u32 = BITS;
    const DISTANCE_MAX: usize = (1 << SHARD_BITS) - 1;
    const LOAD_MAX_64THS: usize = 48;

    #[inline]
    fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    fn push(&mut self, value: u64, distance: usize) {
        let it = self.len();
        self.set(it, value, distance);
        self.len += 1;
    }

    #[inline]
    fn contains(&self, value: u64, distance: usize) -> bool {
        let low = value as u32;
        let high = (value >> 32) as u32 | (distance as u32) << (BITS - 32);
        any_is(&self.low, low)
            && self
                .low
                .iter()
                .zip(&self.high)
                .take(self.len())
                .any(|it| *it.0 == low && *it.1 == high)
    }

    #[inline]
    fn get(&self, it: usize) -> (u64, usize) {
        let high = u64::from(self.high[it]);
        let distance = high >> (BITS - 32);
        (
            (high & ((1 << (BITS - 32)) - 1)) << 32 | u64::from(self.low[it]),
            distance as usize,
        )
    }

    #[inline]
    fn set(&mut self, it: usize, value: u64, distance: usize) {
        self.low[it] = value as u32;
        self.high[it] = (value >> 32) as u32 | (distance as u32) << (BITS - 32);
    }

    #[inline]
    fn has_nearer(&self, distance: usize) -> bool {
        let bound = (distance as u32) << (BITS - 32);
        self.high.iter().fold(false, |any, &high| any | (high < bound))
    }
}

/// Whether any entry has these lower bits, free ones included. Without branches, so that all are compared at once.
#[inline]
fn any_is<const N: usize>(entries: &[u32; N], wanted: u32) -> bool {
    entries.iter().fold(false, |any, &entry| any | (entry == wanted))
}

/// Invariants (see [`Table::check`]): an entry at line l with distance d has its home at l - d; every line from its home up
/// to, but without, l is full, of entries at least as far from their homes as it would be there; no value is there twice;
/// `len` counts the entries.
struct Table<L> {
    /// `n_homes` lines and the tail.
    lines: Vec<L>,
    n_homes: usize,
    len: usize,
}

impl<L: Line> Table<L> {
    fn with_homes(n_homes: usize) -> Table<L> {
        Table {
            lines: vec![L::EMPTY; n_homes + TAIL],
            n_homes,
            len: 0,
        }
    }

    #[inline]
    fn home(&self, value: u64) -> usize {
        ((u128::from(value << SHARD_BITS) * self.n_homes as u128) >> 64) as usize
    }

    /// Reads the two lines in which a value mostly is.
    #[inline]
    fn peek(&self, value: u64) -> usize {
        let home = self.home(value);
        self.lines[home].len() | self.lines[home + 1].len()
    }

    #[inline]
    fn contains(&self, value: u64) -> bool {
        matches!(self.find(value), Found::Here)
    }

    /// Where a value is, or would go.
    #[inline]
    fn find(&self, value: u64) -> Found {
        let home = self.home(value);
        // An insertion that would go further grows the table instead.
        for (distance, line) in self.lines[home..].iter().take(L::DISTANCE_MAX + 1).enumerate() {
            if line.contains(value, distance) {
                return Found::Here;
            }
            if line.len() < L::ENTRIES || line.has_nearer(distance) {
                return Found::Place { home, distance };
            }
        }
        Found::NoPlace
    }

    /// Adds a value; `Ok(false)` if it was there.
    #[inline]
    fn insert(&mut self, value: u64) -> Result<bool, NoRoom> {
        match self.find(value) {
            Found::Here => Ok(false),
            Found::Place { home, distance } => self.put(value, home, distance).map(|()| true),
            Found::NoPlace => Err(NoRoom { value }),
        }
    }

    /// Adds a value that is not there.
    #[inline]
    fn append(&mut self, value: u64) -> Result<(), NoRoom> {
        self.put(value, self.home(value), 0)
    }

    /// Writes a value that is not there into the first line from this one on that has room, or an entry that is nearer to
    /// its home; that entry then goes on in its place.
    #[inline]
    fn put(&mut self, value: u64, home: usize, distance: usize) -> Result<(), NoRoom> {
        let (mut value, mut at, mut distance) = (value, home + distance, distance);
        while distance <= L::DISTANCE_MAX
            && let Some(line) = self.lines.get_mut(at)
        {
            if line.len() < L::ENTRIES {
                line.push(value, distance);
                self.len += 1;
                return Ok(());
            }
            if line.has_nearer(distance) {
                (value, distance) = replace_nearest(line, value, distance);
            }
            at += 1;
            distance += 1;
        }
        Err(NoRoom {
            value: whole::<L>(value & low_bits::<L>(), self.least(at - distance)),
        })
    }

    /// Does something with all values, from left to right.
    fn try_for_each(&self, mut act: impl FnMut(u64) -> Result<(), NoRoom>) -> Result<(), NoRoom> {
        for (at, line) in self.lines.iter().enumerate() {
            // Nearly all entries are at home, so dividing once a line is enough.
            let least_here = self.least(at);
            for it in 0..line.len() {
                let (low, distance) = line.get(it);
                let least = if distance == 0 {
                    least_here
                } else {
                    self.least(at - distance)
                };
                act(whole::<L>(low, least))?;
            }
        }
        Ok(())
    }

    /// The least value with this home.
    fn least(&self, home: usize) -> u64 {
        // home * 2^BITS / n_homes, rounded up, without a division of long numbers.
        let (home, n_homes) = (home as u64, self.n_homes as u64);
        let (whole, rest) = ((1 << BITS) / n_homes, (1 << BITS) % n_homes);
        home * whole + (home * rest).div_ceil(n_homes)
    }

    fn clear(&mut self) {
        self.lines.fill(L::EMPTY);
        self.len = 0;
    }

    fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<L>()
    }

    #[cfg(test)]
    fn check(&self) {
        let mut seen = util::FxHashSet::default();
        let done = self.try_for_each(|value| {
            assert!(seen.insert(value), "once");
            assert!(self.contains(value), "reachable");
            Ok(())
        });
        assert!(done.is_ok());
        assert_eq!(seen.len(), self.len);
        for (at, line) in self.lines.iter().enumerate() {
            for it in 0..line.len() {
                let (_, distance) = line.get(it);
                for (passed, line) in self.lines[at - distance..at].iter().enumerate() {
                    assert!(line.len() == L::ENTRIES, "no gap");
                    assert!(!line.has_nearer(passed), "nobody who should have given way");
                }
            }
        }
    }
}

/// What [`Table::find`] finds.
enum Found {
    Here,
    /// Not there; this far from its home there is a line that could take it.
    Place {
        home: usize,
        distance: usize,
    },
    NoPlace,
}

/// There is no room near the home of `value`, which is not in the table: the value to be added, or one that had to give way.
struct NoRoom {
    value: u64,
}

/// Writes a value in the place of the entry that is nearest to its home, and gives that one.
fn replace_nearest<L: Line>(line: &mut L, value: u64, distance: usize) -> (u64, usize) {
    let nearest = (0..L::ENTRIES)
        .min_by_key(|&it| line.get(it).1)
        .expect("a line has entries");
    let displaced = line.get(nearest);
    line.set(nearest, value, distance);
    displaced
}

/// The bits of a value that an entry holds.
const fn low_bits<L: Line>() -> u64 {
    (1 << L::VALUE_BITS) - 1
}

/// The value with these lower bits, given the least one with its home. Values with one home span at most 2^VALUE_BITS, so
/// it is one of two.
#[inline]
fn whole<L: Line>(low: u64, least: u64) -> u64 {
    if L::VALUE_BITS >= BITS {
        return low;
    }
    let value = least >> L::VALUE_BITS << L::VALUE_BITS | low;
    if value >= least {
        value
    } else {
        value + (1 << L::VALUE_BITS)
    }
}

/// A set of the numbers that share their `SHARD_BITS` lower bits.
#[derive(Default)]
pub(crate) struct Shard {
    form: Form,
}

#[derive(Default)]
enum Form {
    #[default]
    Empty,
    Wide(Table<Wide>),
    Narrow(Table<Narrow>),
}

impl Shard {
    pub(crate) fn len(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Wide(table) => table.len,
            Form::Narrow(table) => table.len,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Wide(table) => table.bytes(),
            Form::Narrow(table) => table.bytes(),
        }
    }

    /// Starts to bring the place of `number` into the cache. Call it for several numbers, then ask for each: the loads
    /// overlap. Returns something that must be used, or the compiler drops the load.
    #[inline]
    pub(crate) fn peek(&self, number: u64) -> usize {
        let value = number >> SHARD_BITS;
        match &self.form {
            Form::Empty => 0,
            Form::Wide(table) => table.peek(value),
            Form::Narrow(table) => table.peek(value),
        }
    }

    #[inline]
    pub(crate) fn contains(&self, number: u64) -> bool {
        let value = number >> SHARD_BITS;
        match &self.form {
            Form::Empty => false,
            Form::Wide(table) => table.contains(value),
            Form::Narrow(table) => table.contains(value),
        }
    }

    /// Adds `number`; false when it was there. Grows when it must; callers that have a budget ask
    /// [`Shard::growth_for`] first.
    #[inline]
    pub(crate) fn insert(&mut self, number: u64) -> bool {
        let value = number >> SHARD_BITS;
        self.reserve(1);
        let done = match &mut self.form {
            Form::Empty => Err(NoRoom { value }),
            Form::Wide(table) => table.insert(value),
            Form::Narrow(table) => table.insert(value),
        };
        done.unwrap_or_else(|NoRoom { value }| {
            self.append_growing(value);
            true
        })
    }

    /// Adds a value that is not there, and that has no place.
    #[cold]
    fn append_growing(&mut self, mut value: u64) {
        loop {
            self.rebuild(self.grown());
            let done = match &mut self.form {
                Form::Empty => Err(NoRoom { value }),
                Form::Wide(table) => table.append(value),
                Form::Narrow(table) => table.append(value),
            };
            match done {
                Ok(()) => return,
                // Another one, perhaps.
                Err(NoRoom { value: left }) => value = left,
            }
        }
    }

    /// Makes room for `additional` more numbers.
    #[inline]
    pub(crate) fn reserve(&mut self, additional: usize) {
        if let Some(n_homes) = self.homes_for(additional) {
            self.rebuild(n_homes);
        }
    }

    /// Bytes that `reserve(additional)` would allocate. The old table is freed afterwards.
    #[inline]
    pub(crate) fn growth_for(&self, additional: usize) -> usize {
        self.homes_for(additional)
            .map_or(0, |n_homes| (n_homes + TAIL) * size_of::<Wide>())
    }

    fn n_homes(&self) -> usize {
        match &self.form {
            Form::Empty => 0,
            Form::Wide(table) => table.n_homes,
            Form::Narrow(table) => table.n_homes,
        }
    }

    /// All numbers, nearly sorted, with the lower bits that say the shard left out.
    pub(crate) fn for_each(&self, mut act: impl FnMut(u64)) {
        let each = |value: u64| {
            act(value << SHARD_BITS);
            Ok(())
        };
        // The closure never fails.
        let _ = match &self.form {
            Form::Empty => Ok(()),
            Form::Wide(table) => table.try_for_each(each),
            Form::Narrow(table) => table.try_for_each(each),
        };
    }

    /// Empty, with its memory kept.
    pub(crate) fn clear(&mut self) {
        match &mut self.form {
            Form::Empty => {}
            Form::Wide(table) => table.clear(),
            Form::Narrow(table) => table.clear(),
        }
    }

    /// The number of homes needed for `additional` more numbers, if that is more than there are.
    #[inline]
    fn homes_for(&self, additional: usize) -> Option<usize> {
        let len = self.len() + additional;
        let least = match self.form {
            Form::Narrow(_) => Narrow::homes_for(len),
            _ => Wide::homes_for(len),
        };
        if len == 0 || least <= self.n_homes() {
            return None;
        }
        let grown = least.max(self.grown());
        Some(match self.form {
            // Fewer lines, once they are narrow.
            Form::Empty | Form::Wide(_) if grown >= Narrow::HOMES_MIN => {
                Narrow::HOMES_MIN.max(Narrow::homes_for(len))
            }
            _ => grown,
        })
    }

    /// The number of homes after growing.
    fn grown(&self) -> usize {
        let n_homes = self.n_homes();
        let percent = match self.form {
            Form::Narrow(_) => GROWTH_PERCENT,
            _ if n_homes < SMALL_LINES => GROWTH_PERCENT_SMALL,
            _ => GROWTH_PERCENT_WIDE,
        };
        n_homes * percent / 100 + 1
    }

    #[cold]
    fn rebuild(&mut self, n_homes: usize) {
        let mut n_homes = n_homes;
        let was_narrow = matches!(self.form, Form::Narrow(_));
        loop {
            let form = if was_narrow || n_homes >= Narrow::HOMES_MIN {
                self.rebuilt::<Narrow>(n_homes).map(Form::Narrow)
            } else {
                self.rebuilt::<Wide>(n_homes).map(Form::Wide)
            };
            if let Ok(form) = form {
                self.form = form;
                return;
            }
            n_homes += n_homes / 8 + 1;
        }
    }

    fn rebuilt<L: Line>(&self, n_homes: usize) -> Result<Table<L>, NoRoom> {
        let mut grown = Table::with_homes(n_homes);
        match &self.form {
            Form::Empty => {}
            Form::Wide(table) => table.try_for_each(|value| grown.append(value))?,
            Form::Narrow(table) => table.try_for_each(|value| grown.append(value))?,
        }
        Ok(grown)
    }

    /// Checks the invariants. For tests.
    #[cfg(test)]
    pub(crate) fn check(&self) {
        match &self.form {
            Form::Empty => {}
            Form::Wide(table) => table.check(),
            Form::Narrow(table) => table.check(),
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

    /// The lower bits of one entry and the upper bits of another are no entry.
    #[test]
    fn entries_are_compared_as_wholes() {
        let mut line = Narrow::EMPTY;
        line.push(5 | 1 << 32, 0);
        line.push(6 | 2 << 32, 1);
        assert!(line.contains(5 | 1 << 32, 0) && line.contains(6 | 2 << 32, 1));
        for (value, distance) in [(5 | 2 << 32, 1), (6 | 1 << 32, 0), (5 | 1 << 32, 1), (0, 0)] {
            assert!(!line.contains(value, distance));
        }
    }

    #[test]
    fn mixed_numbers_wide_and_narrow() {
        let mut random = Random::new(1);
        let shard = fill(300_000, |_| random.next_u64() >> SHARD_BITS);
        assert!(matches!(shard.form, Form::Narrow(_)));
        assert!(shard.bytes() < 10 * shard.len());
        let mut random = Random::new(2);
        let shard = fill(20_000, |_| random.next_u64() >> SHARD_BITS);
        assert!(matches!(shard.form, Form::Wide(_)));
    }

    #[test]
    fn numbers_that_come_again() {
        let mut random = Random::new(3);
        fill(400_000, |_| {
            (random.next_u64() % 190_000).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> SHARD_BITS
        });
    }

    /// More of them than there is room near their home, with others around who have to give way.
    #[test]
    fn numbers_that_are_close() {
        let mut random = Random::new(5);
        fill(240_300, |i| match i {
            240_000.. => random.next_u64() >> 18 | 5 << 50,
            _ => random.next_u64() >> SHARD_BITS,
        });
    }

    #[test]
    fn extreme_numbers() {
        fill(10, |i| [0, 1, u64::MAX >> SHARD_BITS, 5][i % 4]);
        let mut random = Random::new(4);
        fill(250_000, |i| match i % 50_000 {
            0 => i as u64 / 50_000,
            1 => (u64::MAX >> SHARD_BITS) - i as u64 / 50_000,
            _ => random.next_u64() >> SHARD_BITS,
        });
    }
}
