//! Values and templates as text.

use value::{Arena, Symbolic, Value};

/// Sets of more elements than this stay as they were written.
const SPELT_MAX: u32 = 10_000;

/// The value as it is shown: small symbolic sets by their elements, intervals and infinite sets as they are.
pub(super) fn spelt<'v>(value: Value<'v>, arena: &'v Arena) -> Value<'v> {
    util::deep(|| spelt_here(value, arena))
}

fn spelt_here<'v>(value: Value<'v>, arena: &'v Arena) -> Value<'v> {
    let all = |items: &'v [Value<'v>]| -> &'v [Value<'v>] {
        arena.alloc_slice_fill_iter(items.iter().map(|&it| spelt(it, arena)))
    };
    match value {
        Value::Symbolic(Symbolic::Interval(..)) => value,
        Value::Symbolic(_) => {
            let few = value::cardinality(value).is_ok_and(|n| n <= SPELT_MAX.into());
            match value::spell_out(value, arena) {
                Ok(set) if few => spelt(set, arena),
                _ => value,
            }
        }
        Value::Tuple(it) if has_symbolic(it.items) => Value::tuple_in(all(it.items), arena),
        Value::Record(it) if has_symbolic(it.values) => Value::record_in(it.names, all(it.values), arena),
        Value::Fun(it) if has_symbolic(it.values) => Value::function(it.domain, all(it.values), arena),
        // Elements keep their order: what they are is the same.
        Value::Set(it) if has_symbolic(it.items) => Value::sorted_set(all(it.items), arena),
        other => other,
    }
}

fn has_symbolic(items: &[Value<'_>]) -> bool {
    items.iter().any(|&it| match it {
        Value::Symbolic(_) => true,
        Value::Tuple(it) => has_symbolic(it.items),
        Value::Record(it) => has_symbolic(it.values),
        Value::Fun(it) => has_symbolic(it.values),
        Value::Set(it) => has_symbolic(it.items),
        _ => false,
    })
}

/// `%s` and `%1$s` replaced by the parameters, `%%` and `%n` as everywhere; `Err` says what does not fit.
pub(super) fn fill(template: &str, params: &[String]) -> Result<String, String> {
    let mut text = String::with_capacity(template.len());
    let mut rest = template.chars().peekable();
    let mut next = 0;
    while let Some(c) = rest.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let mut digits = String::new();
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        let explicit = !digits.is_empty() && rest.next_if_eq(&'$').is_some();
        let index = match (digits.as_str(), explicit) {
            ("", _) => None,
            (digits, true) => digits.parse::<usize>().ok(),
            (digits, false) => return Err(format!("`%{digits}…` asks for a width, which is not supported")),
        };
        match rest.next() {
            Some('%') => text.push('%'),
            Some('n') => text.push('\n'),
            Some('s') => {
                let index = index.unwrap_or_else(|| {
                    next += 1;
                    next
                });
                let param = index.checked_sub(1).and_then(|it| params.get(it));
                text.push_str(param.ok_or_else(|| format!("there is no parameter {index}"))?);
            }
            other => {
                let other = other.map_or(String::new(), String::from);
                return Err(format!(
                    "`%{other}` is not a place for a parameter: write `%s` or `%1$s`"
                ));
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn templates_are_filled() {
        let params = ["a".to_owned(), "b".to_owned()];
        assert_eq!(fill("%s-%s%%", &params).unwrap(), "a-b%");
        assert_eq!(fill("%2$s, %1$s", &params).unwrap(), "b, a");
        assert!(
            fill("%3$s", &params).is_err() && fill("%d", &params).is_err() && fill("%", &params).is_err()
        );
    }
}
