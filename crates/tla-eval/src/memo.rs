//! Values of expressions that depend on nothing but a few names, kept from state to state.
//!
//! `{d \in Dirs : Fits(p + d)}` asks the same few questions in a million states. An expression without variables of the
//! specification is a function of the names in it, so its value is kept by theirs: for a loop by the names that it uses, for an operator that
//! is called by its arguments. What is kept is a cache of fixed size, each worker's own; a [site](SiteId) whose questions are new most
//! of the time, or whose answers are quicker computed than found, is given up for a while, and for a longer one each time. The commonest
//! questions, about one or two names whose values are numbers, small sets or interned, are answered by one comparison.
//!
//! Errors are never kept, and neither is anything about sets that are not spelt out.

use std::cell::RefCell;

use value::{Arena, Exact, Interner, Mixer, Value};

use crate::code::{Arg, Code, Kind, MemoName, Place};
use crate::error::Fault;
use crate::machine::{Cell, Machine, Res, Thunk};
use crate::native::Given;

/// An expression whose values are kept.
pub type SiteId = u32;

/// Names that an expression may depend on.
pub const NAMES_MAX: usize = 4;

/// As many as the site has, then FALSE.
type Names<'v> = [Value<'v>; NAMES_MAX];

/// What a machine keeps values with.
#[derive(Clone, Copy)]
pub(crate) struct MemoContext<'t, 'i> {
    pub cache: &'t RefCell<Cache<'i>>,
    pub interner: &'t Interner<'i>,
    pub interned: &'i Arena,
}

/// A worker's kept values.
#[derive(Default)]
pub(crate) struct Cache<'i> {
    sites: Vec<Site>,
    /// A power of two of them, or none.
    entries: Vec<Option<Entry<'i>>>,
    /// As many as [`QUICK`], or none.
    quick: Vec<Quick<'i>>,
    /// Since it last grew.
    added: usize,
    /// Composite values that were interned for this cache alone, about.
    interned: usize,
    /// Whether what is added is made wrong, see [`crate::audit::Spoilt`].
    pub is_spoilt: bool,
}

/// A question without an answer.
struct Missing {
    hash: u64,
}

struct Entry<'i> {
    site: SiteId,
    n: usize,
    names: Names<'i>,
    value: Value<'i>,
}

/// A question about at most two names.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Short {
    site: SiteId,
    kinds: u32,
    words: [u64; 2],
}

/// The latest answer to the questions that share this place.
#[derive(Clone, Copy)]
struct Quick<'i> {
    question: Short,
    value: Value<'i>,
}

/// In the place of a second name.
const NOTHING: Exact = Exact {
    kind: u8::MAX as u32,
    word: 0,
};

/// Places for the latest answers.
const QUICK: usize = 1 << 12;

impl Short {
    /// Of no site.
    const NONE: Short = Short {
        site: SiteId::MAX,
        kinds: 0,
        words: [0; 2],
    };

    /// Nothing when a value is not known exactly.
    #[inline]
    fn new(site: SiteId, [first, second]: [Exact; 2]) -> Option<Short> {
        (first.kind != 0 && second.kind != 0).then_some(Short {
            site,
            kinds: first.kind << 8 | second.kind,
            words: [first.word, second.word],
        })
    }

    #[inline]
    fn place(self) -> usize {
        let [first, second] = self.words;
        let mixed = first.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ second.wrapping_mul(0xD1B5_4A32_D192_ED03)
            ^ u64::from(self.site).wrapping_mul(0xA076_1D64_78BD_642F);
        (mixed >> 32) as usize % QUICK
    }
}

/// Whether it pays to ask.
#[derive(Clone, Default)]
struct Site {
    asked: u32,
    found: u32,
    /// Elements and calls that the answers took which were not there.
    work: u64,
    /// Questions that are not asked yet.
    skip: u32,
    pause: u32,
}

const TRIED: u32 = 256;
const PAUSE: u32 = 1024;
const PAUSE_MAX: u32 = 1 << 24;
/// What it takes to ask, to add, and to work on an element or a call, at least; in no unit.
const ASKING: u64 = 4;
const ADDING: u64 = 8;
const WORKING: u64 = 4;

const ENTRIES_MIN: usize = 1 << 10;
const ENTRIES_MAX: usize = 1 << 17;
/// Interned values stay for ever, so there is an end to it.
const INTERNED_MAX: usize = 1 << 20;

impl<'i> Cache<'i> {
    pub fn new(n_sites: SiteId) -> Cache<'i> {
        Cache {
            sites: vec![Site::default(); n_sites as usize],
            ..Cache::default()
        }
    }

    /// Whether to ask this time.
    #[inline]
    fn is_on(&mut self, site: SiteId) -> bool {
        let site = &mut self.sites[site as usize];
        let is_on = site.skip == 0;
        site.skip = site.skip.saturating_sub(1);
        is_on
    }

    /// The latest answer to a question; nothing when its place is another one's.
    #[inline]
    fn find_quickly(&mut self, question: Short) -> Option<Value<'i>> {
        let quick = self.quick.get(question.place())?;
        if quick.question != question {
            return None;
        }
        let site = &mut self.sites[question.site as usize];
        site.asked = site.asked.saturating_add(1);
        site.found = site.found.saturating_add(1);
        Some(quick.value)
    }

    fn put_quickly(&mut self, question: Short, value: Value<'i>) {
        if self.quick.is_empty() {
            let question = Short::NONE;
            let value = Value::FALSE;
            self.quick.resize(QUICK, Quick { question, value });
        }
        self.quick[question.place()] = Quick { question, value };
    }

    #[inline]
    fn find(&mut self, site: SiteId, names: &[Value<'_>]) -> Result<Value<'i>, Missing> {
        let stats = &mut self.sites[site as usize];
        stats.asked = stats.asked.saturating_add(1);
        let hash = hash_of(site, names);
        let is_it = |it: &&Entry<'i>| {
            let mut names = it.names.iter().zip(names);
            it.site == site && names.all(|(&kept, &it)| is_same(kept, it))
        };
        let at = hash as usize & self.entries.len().wrapping_sub(1);
        let find = |at: usize| self.entries.get(at)?.as_ref().filter(is_it);
        let Some(entry) = find(at).or_else(|| find(at ^ 1)) else {
            return Err(Missing { hash });
        };
        stats.found = stats.found.saturating_add(1);
        Ok(entry.value)
    }

    fn add(
        &mut self,
        site: SiteId,
        hash: u64,
        names: &[Value<'_>],
        value: Value<'_>,
        work: u64,
        (interner, arena): (&Interner<'i>, &'i Arena),
    ) -> Option<Value<'i>> {
        let stats = &mut self.sites[site as usize];
        stats.work += work;
        if stats.asked >= TRIED {
            let missed = u64::from(stats.asked - stats.found).max(1);
            let saved = (WORKING * u64::from(stats.found)).saturating_mul(stats.work) / missed;
            if saved < u64::from(stats.asked) * ASKING + missed * ADDING {
                stats.pause = (stats.pause * 2).clamp(PAUSE, PAUSE_MAX);
                stats.skip = stats.pause;
            } else {
                stats.pause = 0;
            }
            (stats.asked, stats.found, stats.work) = (0, 0, 0);
        }
        if !is_keepable(value) {
            return None;
        }
        let is_known = |it: Value<'_>| interner.slot_of(it).is_some();
        if !(names.iter().all(|&it| is_known(it)) && is_known(value)) {
            self.interned += 1;
            if self.interned > INTERNED_MAX {
                return None;
            }
        }
        let mut kept = [Value::FALSE; NAMES_MAX];
        for (kept, &name) in kept.iter_mut().zip(names) {
            *kept = interner.intern_value(name, arena).ok()?;
        }
        let mut value = interner.intern_value(value, arena).ok()?;
        if self.is_spoilt {
            value = spoilt(value);
        }
        self.grow();
        self.put(
            hash,
            Entry {
                site,
                n: names.len(),
                names: kept,
                value,
            },
        );
        Some(value)
    }

    /// Each question has two places; the older of two answers goes.
    fn put(&mut self, hash: u64, entry: Entry<'i>) {
        let at = hash as usize & (self.entries.len() - 1);
        let older = self.entries[at].replace(entry);
        if older.is_some() {
            self.entries[at ^ 1] = older;
        }
    }

    fn grow(&mut self) {
        self.added += 1;
        if self.entries.is_empty() {
            self.entries.resize_with(ENTRIES_MIN, || None);
        }
        if self.added > self.entries.len() && self.entries.len() < ENTRIES_MAX {
            self.added = 0;
            let entries = std::mem::take(&mut self.entries);
            self.entries.resize_with(entries.len() * 4, || None);
            for entry in entries.into_iter().flatten() {
                self.put(hash_of(entry.site, &entry.names[..entry.n]), entry);
            }
        }
    }

    pub fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Option<Entry<'i>>>()
            + self.quick.capacity() * size_of::<Quick<'i>>()
    }
}

fn hash_of(site: SiteId, names: &[Value<'_>]) -> u64 {
    let mut mixer = Mixer::new(u64::from(site));
    names.iter().for_each(|it| mixer.add(it.hash64()));
    mixer.finish()
}

#[inline]
fn is_same(kept: Value<'_>, it: Value<'_>) -> bool {
    match (kept, it) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Bits(a), Value::Bits(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Str(a), Value::Str(b)) | (Value::Model(a), Value::Model(b)) => a == b,
        (Value::Model(_), _) | (_, Value::Model(_)) => false,
        _ => kept.kind() == it.kind() && value::equal(kept, it) == Ok(true),
    }
}

fn spoilt(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Int(it) => Value::Int(it + 1),
        Value::Bool(it) => Value::bool(!it.get()),
        other => other,
    }
}

fn is_keepable(value: Value<'_>) -> bool {
    !matches!(value, Value::Symbolic(_) | Value::Big(_))
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Evaluates an expression, unless its value is kept.
    pub(crate) fn recall_loop(
        &mut self,
        site: SiteId,
        names: &'i [MemoName],
        body: &'i Code<'i>,
        work: u32,
    ) -> Res<'t> {
        let short = self.short(site, names)?;
        if let Some(value) = short.and_then(|it| self.find_quickly(it)) {
            return Ok(value);
        }
        self.recall(
            site,
            (short, work),
            |machine, values| {
                for (value, name) in values.iter_mut().zip(names) {
                    let Place { up, slot } = name.place;
                    let index = machine.frame(up) + slot as usize;
                    match machine.name_value(index, name.is_strict)? {
                        Some(it) => *value = it,
                        None => return Ok(None),
                    }
                }
                Ok(Some(names.len()))
            },
            |machine| machine.eval(body),
        )
    }

    /// The kept value of an operator for arguments that are at hand.
    #[inline]
    pub(crate) fn memo_call_at_hand(&self, site: SiteId, args: &'i [Arg<'i>]) -> Option<Value<'t>> {
        let exact = |arg: &'i Arg<'i>| match arg {
            Arg::Value(code) | Arg::Lazy(code) => self.known(code).map_or(Exact::default(), value::exact),
            _ => Exact::default(),
        };
        let short = match args {
            [one] => Short::new(site, [exact(one), NOTHING]),
            [one, two] => Short::new(site, [exact(one), exact(two)]),
            _ => None,
        };
        self.find_quickly(short?)
    }

    /// Calls an operator whose arguments are on the stack from `base` on, unless its value for them is kept.
    pub(crate) fn recall_call(
        &mut self,
        site: SiteId,
        base: usize,
        call: impl FnOnce(&mut Self) -> Res<'t>,
    ) -> Res<'t> {
        let n = self.stack.len() - base;
        let short = self.short_call(site, base)?;
        if let Some(value) = short.and_then(|it| self.find_quickly(it)) {
            self.stack.truncate(base);
            return Ok(value);
        }
        let result = self.recall(
            site,
            (short, 0),
            |machine, values| {
                for (index, value) in (base..base + n).zip(values) {
                    match machine.name_value(index, false)? {
                        Some(it) => *value = it,
                        None => return Ok(None),
                    }
                }
                Ok(Some(n))
            },
            call,
        );
        self.stack.truncate(base);
        result
    }

    /// As [`Machine::recall_call`], for one argument.
    pub(crate) fn recall_application(
        &mut self,
        site: SiteId,
        arg: Value<'t>,
        apply: impl FnOnce(&mut Self) -> Res<'t>,
    ) -> Res<'t> {
        self.recall(
            site,
            (None, 0),
            |_, values| {
                values[0] = arg;
                Ok(is_keepable(arg).then_some(1))
            },
            apply,
        )
    }

    /// Runs a library operator, unless its value for these arguments is kept.
    pub(crate) fn recall_native(
        &mut self,
        site: SiteId,
        given: &[Given<'t, 'i>],
        run: impl FnOnce(&mut Self) -> Res<'t>,
    ) -> Res<'t> {
        let values = given.iter().filter_map(|it| match it {
            Given::Value(value) => Some(*value),
            _ => None,
        });
        self.recall(
            site,
            (None, 0),
            |_, names| {
                let mut n = 0;
                for (name, it) in names.iter_mut().zip(values) {
                    *name = it;
                    n += 1;
                }
                Ok(names.iter().all(|&it| is_keepable(it)).then_some(n))
            },
            run,
        )
    }

    #[inline]
    fn recall(
        &mut self,
        site: SiteId,
        (short, work): (Option<Short>, u32),
        names: impl FnOnce(&mut Self, &mut Names<'t>) -> Result<Option<usize>, Fault>,
        evaluate: impl FnOnce(&mut Self) -> Res<'t>,
    ) -> Res<'t> {
        let Some(memo) = self.memo else {
            return evaluate(self);
        };
        if !memo.cache.borrow_mut().is_on(site) {
            return evaluate(self);
        }
        let mut values = [Value::FALSE; NAMES_MAX];
        let Some(n) = names(self, &mut values)? else {
            return evaluate(self);
        };
        let values = &values[..n];
        let found = memo.cache.borrow_mut().find(site, values);
        let hash = match found {
            Ok(value) => {
                if let Some(short) = short {
                    memo.cache.borrow_mut().put_quickly(short, value);
                }
                return Ok(value);
            }
            Err(Missing { hash }) => hash,
        };
        let before = self.work;
        let value = evaluate(self)?;
        let work = u64::from(self.work.wrapping_sub(before)) + u64::from(work);
        let place = (memo.interner, memo.interned);
        let mut cache = memo.cache.borrow_mut();
        let kept = cache.add(site, hash, values, value, work, place);
        if let (Some(short), Some(kept)) = (short, kept) {
            cache.put_quickly(short, kept);
        }
        Ok(kept.unwrap_or(value))
    }

    /// The question about names whose values are known exactly, if they are so few.
    #[inline]
    fn short(&mut self, site: SiteId, names: &'i [MemoName]) -> Result<Option<Short>, Fault> {
        Ok(match names {
            [one] => Short::new(site, [self.exact_name(one)?, NOTHING]),
            [one, two] => Short::new(site, [self.exact_name(one)?, self.exact_name(two)?]),
            _ => None,
        })
    }

    #[inline]
    fn exact_name(&mut self, name: &MemoName) -> Result<Exact, Fault> {
        let index = self.frame(name.place.up) + name.place.slot as usize;
        match self.stack[index] {
            Cell::Value(value) => Ok(value::exact(value)),
            Cell::Thunk(thunk) if name.is_strict || self.is_cheap(thunk) => {
                Ok(value::exact(self.force(index, thunk)?))
            }
            _ => Ok(Exact::default()),
        }
    }

    /// As [`Machine::short`], for arguments on the stack from `base` on.
    #[inline]
    fn short_call(&mut self, site: SiteId, base: usize) -> Result<Option<Short>, Fault> {
        for index in base..self.stack.len() {
            if let Cell::Thunk(thunk) = self.stack[index]
                && self.is_cheap(thunk)
            {
                self.force(index, thunk)?;
            }
        }
        Ok(match self.stack.len() - base {
            1 => Short::new(site, [self.exact(base), NOTHING]),
            2 => Short::new(site, [self.exact(base), self.exact(base + 1)]),
            _ => None,
        })
    }

    /// As [`Machine::short`], where nothing has to be evaluated for it.
    #[inline]
    fn short_at_hand(&self, site: SiteId, names: &[MemoName]) -> Option<Short> {
        let index = |name: &MemoName| self.frame(name.place.up) + name.place.slot as usize;
        match names {
            [one] => Short::new(site, [self.exact(index(one)), NOTHING]),
            [one, two] => Short::new(site, [self.exact(index(one)), self.exact(index(two))]),
            _ => None,
        }
    }

    #[inline(always)]
    fn exact(&self, index: usize) -> Exact {
        match &self.stack[index] {
            Cell::Value(value) => value::exact(*value),
            _ => Exact::default(),
        }
    }

    #[inline]
    fn find_quickly(&self, short: Short) -> Option<Value<'t>> {
        let found = self.memo?.cache.borrow_mut().find_quickly(short)?;
        Some(found)
    }

    /// The value of an expression that is kept, if nothing has to be evaluated to find it.
    #[inline]
    pub(crate) fn memo_at_hand(&self, site: SiteId, names: &[MemoName]) -> Option<Value<'t>> {
        self.find_quickly(self.short_at_hand(site, names)?)
    }

    /// The value of a name; nothing when it is not known, and may never be needed.
    fn name_value(&mut self, index: usize, is_strict: bool) -> Result<Option<Value<'t>>, Fault> {
        let value = match self.stack[index] {
            Cell::Value(value) => value,
            Cell::Thunk(thunk) if is_strict || self.is_cheap(thunk) => self.force(index, thunk)?,
            _ => return Ok(None),
        };
        Ok(Some(value).filter(|&it| is_keepable(it)))
    }

    /// Whether a thunk only stands for something that is there.
    fn is_cheap(&self, mut thunk: Thunk<'i>) -> bool {
        loop {
            match thunk.code.kind {
                Kind::Var(var) => return !thunk.primed && (var as usize) < self.state.current.len(),
                Kind::Const(_) => return true,
                Kind::Local(place) => match self.cell_from(place, thunk.base) {
                    Cell::Value(_) => return true,
                    Cell::Thunk(inner) => thunk = inner,
                    _ => return false,
                },
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a value and asks for it with other names, or at another site.
    fn found<'i>(
        cache: &mut Cache<'i>,
        (site, names, value): (SiteId, &[Value<'i>], Value<'i>),
        (other_site, others): (SiteId, &[Value<'i>]),
        place: (&Interner<'i>, &'i Arena),
    ) -> Option<Value<'i>> {
        // The place of the question that is asked, so that only the comparison tells the two apart.
        let hash = hash_of(other_site, others);
        cache.add(site, hash, names, value, 1, place);
        cache.find(other_site, others).ok()
    }

    #[test]
    fn only_the_same_question_has_the_answer() {
        let arena = Arena::new();
        let pair = |it: i64| Value::tuple(&[Value::Int(it), Value::Int(0)], &arena);
        let set = |it: i64| Value::sorted_set(arena.alloc_slice_copy(&[Value::Int(it)]), &arena);
        let values = [
            Value::Int(1),
            Value::Int(2),
            Value::FALSE,
            Value::TRUE,
            Value::str("a"),
            Value::str("b"),
            pair(1),
            pair(2),
            set(1),
            set(2),
        ];
        for (i, &kept) in values.iter().enumerate() {
            for (j, &asked) in values.iter().enumerate() {
                for sites in [(0, 0), (0, 1)] {
                    let interner = Interner::new();
                    let mut cache = Cache::new(2);
                    let added = (sites.0, &[kept][..], Value::Int(7));
                    let found = found(&mut cache, added, (sites.1, &[asked]), (&interner, &arena));
                    let is_same = i == j && sites.0 == sites.1;
                    assert_eq!(
                        found.is_some(),
                        is_same,
                        "{kept:?} at {}, {asked:?} at {}",
                        sites.0,
                        sites.1
                    );
                }
            }
        }
    }

    /// Temporary values have no number: two of them would be one question.
    #[test]
    fn values_that_are_not_known_exactly_make_no_short_question() {
        let arena = Arena::new();
        let one = value::exact(Value::Int(1));
        let temporary = value::exact(Value::tuple(&[Value::Int(1)], &arena));
        assert!(Short::new(0, [one, one]).is_some());
        assert!(Short::new(0, [one, NOTHING]).is_some());
        assert!(Short::new(0, [temporary, one]).is_none());
        assert!(Short::new(0, [one, temporary]).is_none());
        assert!(Short::new(0, [temporary, NOTHING]).is_none());
    }

    /// The interner is never asked for numbers outside the machine word.
    #[test]
    fn large_numbers_are_not_kept() {
        let arena = Arena::new();
        let interner = Interner::new();
        let max = Value::Int(i64::MAX);
        let large = value::add(max, max, &arena).expect("a sum");
        let mut cache = Cache::new(1);
        let added = cache.add(0, 0, &[Value::Int(1)], large, 1, (&interner, &arena));
        assert!(added.is_none());
    }
}
