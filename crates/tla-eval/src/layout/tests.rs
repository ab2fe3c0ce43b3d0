//! Random values in layouts that were found from other values.

use std::collections::BTreeSet;

use proptest::prelude::*;
use value::{Arena, Exported, FILLER, Interner, Owned, Slot, Text, Value, is_box};

use super::find::{self, Shape};
use super::{Kind, Layout};

fn values() -> impl Strategy<Value = Owned> {
    let plain = prop_oneof![
        any::<bool>().prop_map(Owned::Bool),
        (-3i64..40).prop_map(Owned::Int),
        "[a-d]{0,3}".prop_map(|it| Owned::Str(Text::new(&it))),
        "[a-d]{1,2}".prop_map(|it| Owned::Model(Text::new(&it))),
    ];
    plain.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Owned::Tuple),
            prop::collection::vec(0i64..99, 0..20)
                .prop_map(|all| Owned::Set(all.into_iter().map(Owned::Int).collect())),
            prop::collection::vec((0i64..30, 0i64..30), 0..20).prop_map(|all| {
                let pair = |(a, b)| Owned::Tuple(vec![Owned::Int(a), Owned::Int(b)]);
                Owned::Set(all.into_iter().map(pair).collect())
            }),
            prop::collection::btree_map("[a-f]{1,2}", inner.clone(), 0..4)
                .prop_map(|all| { Owned::record(all.iter().map(|(name, it)| (name.as_str(), it.clone()))) }),
            prop::collection::btree_map(-1i64..4, inner, 0..4).prop_map(|all| {
                Owned::Fun(all.into_iter().map(|(key, it)| (Owned::Int(key), it)).collect())
            }),
        ]
    })
}

/// A value of the same shape, mostly with other numbers in it.
fn varied(value: &Owned, seed: u64) -> Owned {
    let next = |i: usize| value::mix(seed, i as u64);
    let all = |items: &[Owned]| {
        items
            .iter()
            .enumerate()
            .map(|(i, it)| varied(it, next(i)))
            .collect()
    };
    match value {
        Owned::Int(_) => Owned::Int((seed % 4) as i64),
        Owned::Tuple(items) => Owned::Tuple(all(items)),
        Owned::Record(fields) => {
            let fields = fields.iter().enumerate();
            Owned::Record(
                fields
                    .map(|(i, (name, it))| (*name, varied(it, next(i))))
                    .collect(),
            )
        }
        Owned::Fun(pairs) => {
            let pairs = pairs.iter().enumerate();
            Owned::Fun(
                pairs
                    .map(|(i, (key, it))| (key.clone(), varied(it, next(i))))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

fn layout<'i>(from: &[Value<'i>], interner: &Interner<'i>, limited: bool) -> Layout<'i> {
    let mut shape = Shape::of(from[0], interner);
    from.iter().for_each(|&it| shape.meet(it, interner));
    let mut shapes = vec![shape];
    if limited {
        find::limit(&mut shapes);
    }
    Layout::new(shapes)
}

proptest! {
    #[test]
    fn vectors_are_equal_exactly_when_values_are(
        from in prop::collection::vec(values(), 1..3),
        seeds in prop::collection::vec(any::<u64>(), 0..6),
        others in prop::collection::vec(values(), 0..4),
        limited in any::<bool>(),
    ) {
        let (kept, scratch) = (Arena::new(), Arena::new());
        let (interner, elsewhere) = (Interner::new(), Interner::new());
        // Numbers elsewhere have nothing to do with those here.
        let _ = elsewhere.intern(Value::tuple(&[Value::str("before")], &scratch), &kept);
        let intern = |it: &Owned| {
            let value = it.copy_to(&scratch).expect("a value");
            interner.intern_value(value, &kept).expect("a value")
        };
        let from: Vec<Value<'_>> = from.iter().map(intern).collect();
        let layout = layout(&from, &interner, limited);
        let mut all = from.clone();
        let owned = from[0].to_owned_value().expect("finite");
        all.extend(seeds.iter().map(|&it| intern(&varied(&owned, it))));
        all.extend(others.iter().map(intern));
        let (mut sent, mut known, mut bytes) = (Exported::default(), vec![], vec![]);
        let mut vectors: Vec<Vec<Slot>> = vec![];
        for &value in &all {
            let mut state = vec![0; layout.n_slots()];
            layout.encode(0, value, &interner, (&kept, &scratch), &mut state).expect("a value");
            // A value that is not interned has the same place.
            let copy = value.to_owned_value().expect("finite");
            let copy = copy.copy_to(&scratch).expect("a value");
            let mut again = vec![0; layout.n_slots()];
            layout.encode(0, copy, &interner, (&kept, &scratch), &mut again).expect("a value");
            prop_assert_eq!(&state, &again);
            let back = layout.decode(0, &state, &interner, &scratch);
            prop_assert_eq!(value.hash64(), back.hash64());
            prop_assert_eq!(value.to_owned_value(), back.to_owned_value());
            prop_assert_eq!(layout.fits(&state), !state.iter().any(|&it| is_box(it)));
            prop_assert!(state.contains(&FILLER) <= state.iter().any(|&it| is_box(it)));
            // And so it is in another process.
            let mut there = vec![];
            for &slot in &state {
                bytes.clear();
                interner.export(slot, &mut sent, &mut bytes);
                let read = elsewhere.import(&mut &bytes[..], &mut known, &kept, &scratch);
                there.push(read.expect("what was written"));
            }
            prop_assert_eq!(layout.hash(&state, &interner), layout.hash(&there, &elsewhere));
            let value_there = layout.decode(0, &there, &elsewhere, &scratch);
            prop_assert_eq!(value.hash64(), value_there.hash64());
            vectors.push(state);
        }
        for value in &from {
            let mut state = vec![0; layout.n_slots()];
            layout.encode(0, *value, &interner, (&kept, &scratch), &mut state).expect("a value");
            prop_assert!(layout.fits(&state), "what it was found from fits");
        }
        // Not all of them have been given a number so far.
        let numbers: Vec<Slot> = all.iter().map(|&it| interner.intern(it, &kept).expect("a value")).collect();
        for (a, one) in numbers.iter().zip(&vectors) {
            for (b, two) in numbers.iter().zip(&vectors) {
                prop_assert_eq!(a == b, one == two);
            }
        }
    }
}

#[test]
fn processes_lie_together() {
    let (kept, scratch) = (Arena::new(), Arena::new());
    let interner = Interner::new();
    let tuple = |items: &[i64]| {
        let items: Vec<Value<'_>> = items.iter().map(|&it| Value::Int(it)).collect();
        interner
            .intern_value(Value::tuple(&items, &scratch), &kept)
            .expect("a value")
    };
    let variables = [
        tuple(&[1, 2, 3]),
        Value::Int(9),
        tuple(&[4, 5, 6]),
        tuple(&[7, 8]),
    ];
    let shapes = variables.iter().map(|&it| Shape::of(it, &interner)).collect();
    let layout = Layout::new(shapes);
    let mut state = vec![0; layout.n_slots()];
    for (var, &value) in variables.iter().enumerate() {
        let arenas = (&kept, &scratch);
        layout
            .encode(var as u32, value, &interner, arenas, &mut state)
            .expect("a value");
    }
    let values: Vec<String> = state.iter().map(|&it| interner.value(it).to_string()).collect();
    assert_eq!(values, ["1", "4", "2", "5", "3", "6", "9", "7", "8"]);
    assert_eq!(layout.slots_of(&[0, 3]), [0, 2, 4, 7, 8]);
    let second = layout.child(2, Value::Int(2)).and_then(|it| layout.slot(it));
    assert_eq!(second, Some(3));
    assert_eq!(layout.child(2, Value::Int(4)), None);
}

#[test]
fn what_is_large_is_split_less() {
    let kept = Arena::new();
    let interner = Interner::new();
    let matrix = |n: usize| {
        let row: Vec<Value<'_>> = (0..n).map(|it| Value::Int(it as i64)).collect();
        let row = Value::tuple(&row, &kept);
        let rows = vec![row; n];
        interner
            .intern_value(Value::tuple(&rows, &kept), &kept)
            .expect("a value")
    };
    let mut shapes: Vec<Shape<'_>> = [8, 9, 65].map(|it| Shape::of(matrix(it), &interner)).into();
    find::limit(&mut shapes);
    let layout = Layout::new(shapes);
    let slots: Vec<usize> = (0..3).map(|it| layout.slots(it).len()).collect();
    assert_eq!(slots, [64, 9, 1]);
    let mut many: Vec<Shape<'_>> = (0..6).map(|_| Shape::of(matrix(8), &interner)).collect();
    find::limit(&mut many);
    assert!(Layout::new(many).n_slots() <= 256);
    assert!(matches!(
        Shape::of(Value::empty_tuple(), &interner).kind,
        Kind::Leaf
    ));
}

/// A search that goes on elsewhere must have the layout of the one before.
#[test]
fn other_layouts_have_other_fingerprints() {
    let (kept, scratch) = (Arena::new(), Arena::new());
    let interner = Interner::new();
    let pair = |from: i64| Owned::Tuple(vec![Owned::Int(from), Owned::Int(2)]);
    let record = |name: &str| Owned::record([(name, Owned::Int(1))]);
    let function =
        |key: i64| Owned::Fun([(Owned::Int(key), Owned::Int(1)), (Owned::Int(9), Owned::Int(1))].into());
    let fingerprint = |of: Owned| {
        let value = of.copy_to(&scratch).expect("a value");
        let value = interner.intern_value(value, &kept).expect("a value");
        layout(&[value], &interner, true).fingerprint()
    };
    assert_eq!(fingerprint(pair(1)), fingerprint(pair(2)));
    let nested = Owned::Tuple(vec![pair(1), Owned::Int(2)]);
    let all = [
        Owned::Int(1),
        pair(1),
        nested,
        Owned::Tuple(vec![Owned::Int(1); 3]),
        record("a"),
        record("b"),
        function(5),
        function(6),
    ];
    let fingerprints: BTreeSet<u64> = all.iter().cloned().map(fingerprint).collect();
    assert_eq!(fingerprints.len(), all.len());
}
