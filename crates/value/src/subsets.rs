//! The subsets of `n` elements by size, and those of one size by their elements: sorted, as sets are compared.

/// An enumeration under way. A subset is a number in which the first element is the highest of `n` bits, so that of two subsets
/// of one size the greater number comes first.
pub(crate) struct Subsets {
    n: u32,
    /// How many were passed.
    rank: u64,
    next: u64,
}

impl Subsets {
    /// Nothing when there are too many to be counted.
    pub fn of(n: usize) -> Option<Subsets> {
        let n = u32::try_from(n).ok().filter(|&it| it < u64::BITS)?;
        Some(Subsets { n, rank: 0, next: 0 })
    }

    fn count(&self) -> u64 {
        1 << self.n
    }

    pub fn skip(&mut self, n: u64) {
        self.rank = self.rank.saturating_add(n).min(self.count());
        if self.rank < self.count() {
            self.next = self.at(self.rank);
        }
    }

    /// The subset with so many before it.
    fn at(&self, rank: u64) -> u64 {
        let (mut rank, mut size) = (rank, 0);
        while rank >= choose(self.n, size) {
            rank -= choose(self.n, size);
            size += 1;
        }
        let mut subset = 0;
        for left in (0..self.n).rev() {
            if size == 0 {
                break;
            }
            let with_this = choose(left, size - 1);
            if rank < with_this {
                subset |= 1 << left;
                size -= 1;
            } else {
                rank -= with_this;
            }
        }
        subset
    }

    /// Which of the elements, of `n` bits the highest for the first one.
    pub fn next(&mut self) -> Option<u64> {
        if self.rank == self.count() {
            return None;
        }
        let this = self.next;
        self.rank += 1;
        self.next = self.after(this);
        Some(this)
    }

    fn after(&self, this: u64) -> u64 {
        let all = self.count() - 1;
        // The next smaller number with as many ones: seen from the zeros, the next greater one.
        let zeros = !this & all;
        let lowest = zeros & zeros.wrapping_neg();
        let carried = zeros + lowest;
        if zeros == 0 || carried > all {
            let size = this.count_ones() + 1;
            return if size > self.n { 0 } else { all & !(all >> size) };
        }
        let moved = ((carried ^ zeros) / lowest) >> 2;
        !(carried | moved) & all
    }
}

/// How many subsets of `k` there are of `n` elements, `n` being below 64.
fn choose(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    let k = k.min(n - k);
    let product = (0..k).fold(1u128, |it, i| it * u128::from(n - i) / u128::from(i + 1));
    product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(mut subsets: Subsets) -> Vec<u64> {
        std::iter::from_fn(|| subsets.next()).collect()
    }

    /// The indices of the elements.
    fn indices(n: u32, subset: u64) -> Vec<u32> {
        (0..n).filter(|i| subset >> (n - 1 - i) & 1 == 1).collect()
    }

    #[test]
    fn they_are_sorted() {
        for n in 0..10 {
            let all = listed(Subsets::of(n).unwrap());
            assert_eq!(all.len(), 1 << n);
            let all: Vec<Vec<u32>> = all.into_iter().map(|it| indices(n as u32, it)).collect();
            assert!(all.is_sorted_by_key(|it| (it.len(), it.clone())), "{all:?}");
        }
    }

    #[test]
    fn skipping_is_going_on() {
        let n = 6;
        let all = listed(Subsets::of(n).unwrap());
        for first in [0, 1, 7, 63, 64] {
            for skipped in 0..70 {
                let mut subsets = Subsets::of(n).unwrap();
                subsets.skip(first);
                subsets.skip(skipped);
                assert_eq!(listed(subsets), all[all.len().min((first + skipped) as usize)..]);
            }
        }
    }

    #[test]
    fn there_may_be_many() {
        assert!(Subsets::of(64).is_none());
        let mut subsets = Subsets::of(63).unwrap();
        assert_eq!(subsets.next(), Some(0));
        assert_eq!(subsets.next(), Some(1 << 62));
        subsets.skip((1 << 63) - 3);
        assert_eq!(listed(subsets), [(1 << 63) - 1]);
    }
}
