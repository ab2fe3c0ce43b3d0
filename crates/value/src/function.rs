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

/// Binary search in sorted elements; an element of another kind is not there.
pub(crate) fn find(items: &[Value<'_>], wanted: Value<'_>) -> Result<Option<usize>, Trouble> {
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
