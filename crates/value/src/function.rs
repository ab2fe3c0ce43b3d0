//! Application, domains and updates of functions in all their forms.

use crate::build::is_range;
use crate::order::{compare, equal};
use crate::total::Sorting;
use crate::{Arena, Fun, Identity, Record, Set, Trouble, Value};

/// `f[arg]`.
#[inline]
pub fn apply<'v>(function: Value<'v>, arg: Value<'v>) -> Result<Value<'v>, Trouble> {
    let index = position(function, arg)?.ok_or(Trouble::NotInDomain)?;
    Ok(values(function)[index])
}

/// The values of a function, in the order of its domain.
fn values<'v>(function: Value<'v>) -> &'v [Value<'v>] {
    match function {
        Value::Tuple(it) => it.items,
        Value::Record(it) => it.values,
        Value::Fun(it) => it.values,
        _ => &[],
    }
}

/// Where `arg` stands in the domain.
#[inline]
fn position(function: Value<'_>, arg: Value<'_>) -> Result<Option<usize>, Trouble> {
    match (function, arg) {
        (Value::Tuple(it), Value::Int(n)) => {
            Ok((n >= 1 && n <= it.items.len() as i64).then(|| n as usize - 1))
        }
        (Value::Record(it), Value::Str(name)) => Ok(it.names.iter().position(|&it| it == name)),
        (Value::Fun(it), arg) => in_domain(it.domain, arg),
        (Value::Tuple(_) | Value::Record(_), _) => Ok(None),
        _ => Err(Trouble::NotAFunction),
    }
}

fn in_domain(domain: &Set<'_>, arg: Value<'_>) -> Result<Option<usize>, Trouble> {
    if let (Some(Value::Int(first)), Value::Int(n)) = (domain.items.first(), arg)
        && is_range(domain.items)
    {
        return Ok(usize::try_from(n - first)
            .ok()
            .filter(|&it| it < domain.items.len()));
    }
    find(domain.items, arg)
}

/// Where an element stands that is the very same node: one that a loop over this set has given, or an interned one. Nothing is
/// compared then, which takes long for records such as messages.
fn same_node(items: &[Value<'_>], wanted: Value<'_>) -> Option<usize> {
    /// More handles than this take longer to go through than a search by order.
    const NODES_MAX: usize = 64;
    let items = &items[..items.len().min(NODES_MAX)];
    match wanted {
        Value::Record(node) => items
            .iter()
            .position(|&it| matches!(it, Value::Record(other) if std::ptr::eq(node, other))),
        Value::Tuple(node) => items
            .iter()
            .position(|&it| matches!(it, Value::Tuple(other) if std::ptr::eq(node, other))),
        Value::Fun(node) => items
            .iter()
            .position(|&it| matches!(it, Value::Fun(other) if std::ptr::eq(node, other))),
        Value::Set(node) => items
            .iter()
            .position(|&it| matches!(it, Value::Set(other) if std::ptr::eq(node, other))),
        _ => None,
    }
}

/// Binary search in sorted elements; an element of another kind is not there.
pub(crate) fn find(items: &[Value<'_>], wanted: Value<'_>) -> Result<Option<usize>, Trouble> {
    if let Some(at) = same_node(items, wanted) {
        return Ok(Some(at));
    }
    // Few elements: equality is cheaper than order, above all on interned values.
    if items.len() <= 8 {
        for (i, &item) in items.iter().enumerate() {
            if equal(item, wanted)? {
                return Ok(Some(i));
            }
        }
        return Ok(None);
    }
    if let (Value::Bits(wanted), true) = (wanted, items.len() <= 16)
        && let Some(at) = items
            .iter()
            .position(|it| matches!(it, Value::Bits(it) if *it == wanted))
    {
        return Ok(Some(at));
    }
    Ok(search(items, wanted)?.ok())
}

/// Where an element is among others that are sorted, or else where it would be.
pub(crate) fn search<'v>(items: &[Value<'v>], item: Value<'v>) -> Result<Result<usize, usize>, Trouble> {
    let (mut low, mut high) = (0, items.len());
    while low < high {
        let middle = (low + high) / 2;
        let order = match (items[middle], item) {
            (Value::Bits(a), Value::Bits(b)) => a.compare(b)?,
            (a, b) => compare(a, b)?,
        };
        match order {
            std::cmp::Ordering::Equal => return Ok(Ok(middle)),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Ok(Err(low))
}

/// An argument that is applied to many interned functions: it remembers where it stood last, and functions of one variable
/// mostly have one domain.
#[derive(Clone, Copy, Debug)]
pub struct Key<'v> {
    pub value: Value<'v>,
    domain: u32,
    index: u32,
}

impl<'v> Key<'v> {
    pub fn new(value: Value<'v>) -> Key<'v> {
        Key {
            value,
            domain: 0,
            index: 0,
        }
    }

    /// `f[key]`; nothing where it has no value.
    #[inline]
    pub fn apply(&mut self, function: Value<'v>) -> Option<Value<'v>> {
        match function {
            Value::Fun(it) if it.domain.identity.id != 0 => {
                if it.domain.identity.id != self.domain {
                    self.index = in_domain(it.domain, self.value).ok()?? as u32;
                    self.domain = it.domain.identity.id;
                }
                Some(it.values[self.index as usize])
            }
            _ => apply(function, self.value).ok(),
        }
    }
}

/// `DOMAIN f`.
pub fn domain<'v>(function: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    Ok(match function {
        Value::Tuple(it) => Value::interval(1, it.items.len() as i64, arena),
        Value::Record(it) => {
            let names = arena.alloc_slice_fill_iter(it.names.iter().map(|&name| Value::Str(name)));
            Value::sorted_set(names, arena)
        }
        Value::Fun(it) => it.domain.normal(),
        _ => return Err(Trouble::NotAFunction),
    })
}

/// `[f EXCEPT ![arg] = value]`, where `value` is made from the old one. `None` when `arg` is outside the domain: the
/// function is unchanged then.
pub fn except_one<'v, E: From<Trouble>>(
    function: Value<'v>,
    arg: Value<'v>,
    arena: &'v Arena,
    value: impl FnOnce(Value<'v>) -> Result<Value<'v>, E>,
) -> Result<Option<Value<'v>>, E> {
    let Some(index) = position(function, arg)? else {
        return Ok(None);
    };
    let old = values(function);
    let new = value(old[index])?;
    let copy = arena.alloc_slice_copy(old);
    copy[index] = new;
    let identity = Identity::default();
    Ok(Some(match function {
        Value::Record(it) => Value::Record(arena.alloc(Record {
            names: it.names,
            values: copy,
            identity,
        })),
        Value::Fun(it) => Value::Fun(arena.alloc(Fun {
            domain: it.domain,
            values: copy,
            identity,
        })),
        _ => Value::tuple_in(copy, arena),
    }))
}

/// `f @@ g`: the pairs of `f`, and those of `g` whose arguments are not in the domain of `f`. Both domains are sorted, so a bag
/// with one message more is a copy with a place found, and nothing is sorted anew.
pub fn merged<'v>(first: &'v Fun<'v>, second: &'v Fun<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    let most = first.values.len() + second.values.len();
    let mut keys = bumpalo::collections::Vec::with_capacity_in(most, arena);
    let mut values = bumpalo::collections::Vec::with_capacity_in(most, arena);
    let mut copied = 0;
    for (&key, &value) in second.domain.items.iter().zip(second.values) {
        let rest = &first.domain.items[copied..];
        let (upto, is_known) = match search(rest, key)? {
            Ok(at) => (copied + at + 1, true),
            Err(at) => (copied + at, false),
        };
        keys.extend_from_slice(&first.domain.items[copied..upto]);
        values.extend_from_slice(&first.values[copied..upto]);
        copied = upto;
        if !is_known {
            keys.push(key);
            values.push(value);
        }
    }
    if keys.len() == copied {
        return Ok(Value::Fun(first));
    }
    keys.extend_from_slice(&first.domain.items[copied..]);
    values.extend_from_slice(&first.values[copied..]);
    let domain = Set::listed(keys.into_bump_slice(), arena);
    Ok(Value::function(domain, values.into_bump_slice(), arena))
}

/// A function from argument and value pairs in any order; arguments must be distinct and comparable.
pub fn from_pairs<'v>(
    mut pairs: bumpalo::collections::Vec<'v, (Value<'v>, Value<'v>)>,
    arena: &'v Arena,
) -> Result<Value<'v>, Trouble> {
    let mut sorting = Sorting::new();
    let mut order = |a: Value<'v>, b: Value<'v>| sorting.order(a, b);
    if !pairs.windows(2).all(|it| order(it[0].0, it[1].0).is_lt()) {
        pairs.sort_by(|a, b| order(a.0, b.0));
    }
    sorting.end().map_err(|it| it.trouble)?;
    let keys = arena.alloc_slice_fill_iter(pairs.iter().map(|&(key, _)| key));
    let values = arena.alloc_slice_fill_iter(pairs.iter().map(|&(_, value)| value));
    Ok(Value::function(Set::listed(keys, arena), values, arena))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function<'v>(pairs: &[(i64, i64)], arena: &'v Arena) -> Value<'v> {
        let argument = |n: i64| Value::record(&[(crate::Text::new("n"), Value::Int(n))], arena);
        let pairs = pairs
            .iter()
            .map(|&(key, value)| (argument(key), Value::Int(value)));
        from_pairs(bumpalo::collections::Vec::from_iter_in(pairs, arena), arena).expect("comparable")
    }

    /// All pairs of functions on some of four records: what is merged is what is put together by pairs.
    #[test]
    fn merged_functions_have_the_pairs_of_both() {
        let arena = Arena::new();
        let graph = |bits: i64, value: i64| -> Vec<(i64, i64)> {
            (0..4)
                .filter(|it| bits >> it & 1 == 1)
                .map(|it| (it, value))
                .collect()
        };
        for (a, b) in (1..16).flat_map(|a| (1..16).map(move |b| (a, b))) {
            let mut all = graph(a, 0);
            all.extend(graph(b & !a, 1));
            let (first, second) = (function(&graph(a, 0), &arena), function(&graph(b, 1), &arena));
            let (Value::Fun(first), Value::Fun(second)) = (first, second) else {
                panic!("functions on records");
            };
            let made = merged(first, second, &arena).expect("comparable");
            assert_eq!(equal(made, function(&all, &arena)), Ok(true), "{a} @@ {b}");
            assert_eq!(
                matches!(made, Value::Fun(it) if std::ptr::eq(it, first)),
                b & !a == 0
            );
        }
    }

    /// A function may become a sequence, and arguments that cannot be compared are an error.
    #[test]
    fn what_is_merged_is_in_normal_form() {
        let arena = Arena::new();
        let one = |key: Value<'static>| {
            let pairs = [(key, Value::TRUE)];
            let pairs = bumpalo::collections::Vec::from_iter_in(pairs, &arena);
            from_pairs(pairs, &arena).expect("one pair")
        };
        let (two, zero) = (one(Value::Int(2)), one(Value::Int(0)));
        let (Value::Fun(two), Value::Fun(zero)) = (two, zero) else {
            panic!("no sequences");
        };
        assert!(matches!(merged(two, zero, &arena), Ok(Value::Fun(_))));
        let Value::Fun(truth) = one(Value::TRUE) else {
            panic!("no sequence");
        };
        assert_eq!(merged(two, truth, &arena).err(), Some(Trouble::Mismatch));
    }

    /// An element that is found by its address is found by order too, and one that is only equal is found.
    #[test]
    fn elements_are_found_by_address_and_by_order() {
        let arena = Arena::new();
        for n in [3, 12, 80] {
            let pairs: Vec<(i64, i64)> = (0..n).map(|it| (it, it)).collect();
            let (own, other) = (function(&pairs, &arena), function(&pairs, &arena));
            let (Value::Fun(own), Value::Fun(other)) = (own, other) else {
                panic!("functions on records");
            };
            for (at, (&mine, &equal)) in own.domain.items.iter().zip(other.domain.items).enumerate() {
                assert_eq!(find(own.domain.items, mine), Ok(Some(at)));
                assert_eq!(find(own.domain.items, equal), Ok(Some(at)));
            }
        }
    }
}
