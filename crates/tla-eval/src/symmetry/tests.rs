//! The representative of a state against brute force: all images are made, one permutation after the other, by the plain way.

use proptest::prelude::*;
use value::{Arena, Interner, Owned, Slot, Text, Value};

use super::{Images, Permutation, group};

/// Two sets of model values that are permuted, and values that stay.
const SERVERS: [&str; 4] = ["n1", "n2", "n3", "n4"];
const VALUES: [&str; 3] = ["v1", "v2", "v3"];
const FIXED: [&str; 2] = ["Nil", "Leader"];

fn model(name: &str) -> Owned {
    Owned::Model(Text::new(name))
}

fn server() -> impl Strategy<Value = Owned> {
    prop::sample::select(&SERVERS[..]).prop_map(model)
}

/// Values of one kind, so that they can be elements of a set and arguments of a function.
fn plain() -> impl Strategy<Value = Owned> {
    prop_oneof![
        server(),
        prop::sample::select(&VALUES[..]).prop_map(model),
        prop::sample::select(&FIXED[..]).prop_map(model),
    ]
}

fn message() -> impl Strategy<Value = Owned> {
    let entries = prop::collection::vec((0i64..3, plain()), 0..3).prop_map(|all| {
        let entry = |(term, value)| Owned::record([("term", Owned::Int(term)), ("value", value)]);
        Owned::Tuple(all.into_iter().map(entry).collect())
    });
    (plain(), server(), server(), entries).prop_map(|(kind, source, dest, entries)| {
        Owned::record([
            ("kind", kind),
            ("source", source),
            ("dest", dest),
            ("entries", entries),
        ])
    })
}

fn distinct<K: Ord + Clone>(items: &[(Owned, Owned)], key: impl Fn(&Owned) -> K) -> Vec<(Owned, Owned)> {
    let mut seen = std::collections::BTreeSet::new();
    let mut kept = items.to_vec();
    kept.retain(|it| seen.insert(key(&it.0)));
    kept
}

/// Variables as specifications of protocols have them: functions of servers, sets of servers and of sets, sequences, bags of messages
/// of any size, sets of messages, and what no permutation moves.
fn variable() -> impl Strategy<Value = Owned> {
    let of_server = |values: Vec<Owned>| {
        let pairs = SERVERS.iter().map(|it| model(it)).zip(values);
        Owned::Fun(pairs.collect())
    };
    let text = |it: &Owned| format!("{it:?}");
    prop_oneof![
        plain(),
        Just(Owned::Int(7)),
        prop::collection::vec(0i64..3, 4)
            .prop_map(move |all| of_server(all.into_iter().map(Owned::Int).collect())),
        prop::collection::vec(plain(), 4).prop_map(of_server),
        prop::collection::vec(plain(), 0..4).prop_map(Owned::Tuple),
        prop::collection::vec(plain(), 0..6).prop_map(Owned::Set),
        prop::collection::vec(prop::collection::vec(server(), 0..3).prop_map(Owned::Set), 0..5)
            .prop_map(Owned::Set),
        prop::collection::vec(message(), 0..14).prop_map(Owned::Set),
        prop::collection::vec((message(), (0i64..2).prop_map(Owned::Int)), 0..14)
            .prop_map(move |all| Owned::Fun(distinct(&all, text))),
        prop::collection::vec((plain(), message()), 0..4)
            .prop_map(move |all| Owned::Fun(distinct(&all, text))),
    ]
}

/// All permutations of some names, as functions.
fn permutations(names: &[&str]) -> Vec<Owned> {
    let mut orders: Vec<Vec<usize>> = vec![vec![]];
    for _ in names {
        orders = orders
            .iter()
            .flat_map(|order| {
                let rest = (0..names.len()).filter(|it| !order.contains(it));
                rest.map(|it| [order.clone(), vec![it]].concat())
            })
            .collect();
    }
    let function = |order: &Vec<usize>| {
        let pairs = names.iter().zip(order);
        Owned::Fun(pairs.map(|(from, &to)| (model(from), model(names[to]))).collect())
    };
    orders.iter().map(function).collect()
}

/// `Permutations(S)`, or the union of two of them, with all products.
fn group_of(sets: &[&[&str]]) -> Vec<Permutation> {
    let arena = Arena::new();
    let all: Vec<Owned> = sets.iter().flat_map(|names| permutations(names)).collect();
    let mut functions = bumpalo::collections::Vec::new_in(&arena);
    for it in &all {
        functions.push(it.copy_to(&arena).expect("a function"));
    }
    match Value::set(functions, &arena).expect("functions") {
        Value::Set(it) => group(it).expect("permutations"),
        other => panic!("no set: {other:?}"),
    }
}

fn representative<'i>(
    state: &[Slot],
    group: &[Permutation],
    images: &mut Images,
    interner: &Interner<'i>,
    interned: &'i Arena,
) -> Vec<Slot> {
    let mut found = vec![];
    images
        .representative(state, group, interner, interned, &mut found)
        .expect("an image is as good a value as any");
    found
}

fn check(states: &[Vec<Owned>], group: &[Permutation]) {
    let (interned, interner) = (Arena::new(), Interner::new());
    let mut images = Images::default();
    let mut orbits: Vec<(Vec<Vec<Slot>>, Vec<Slot>)> = vec![];
    for state in states {
        let slots: Vec<Slot> = state
            .iter()
            .map(|it| {
                let value = it.copy_to(&interned).expect("a value");
                interner.intern(value, &interned).expect("a value")
            })
            .collect();
        let mut orbit = vec![slots.clone()];
        for it in group {
            orbit.push(
                it.image_of(&slots, &interner, &interned)
                    .expect("an image is as good a value as any"),
            );
        }
        let found = representative(&slots, group, &mut images, &interner, &interned);
        assert!(orbit.contains(&found), "it is an image");
        for image in &orbit {
            let of_image = representative(image, group, &mut images, &interner, &interned);
            assert_eq!(of_image, found, "all images have one");
            // A worker that has met nothing before finds the same one.
            let anew = representative(image, group, &mut Images::default(), &interner, &interned);
            assert_eq!(anew, found, "whoever looks for it");
        }
        for (other, of_other) in &orbits {
            assert_eq!(
                other.contains(&slots),
                *of_other == found,
                "orbits are told apart"
            );
        }
        orbits.push((orbit, found));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_state_stands_for_all_its_images(
        states in (1usize..5).prop_flat_map(|n| {
            prop::collection::vec(prop::collection::vec(variable(), n), 1..4)
        }),
    ) {
        check(&states, &group_of(&[&SERVERS[..3]]));
        check(&states, &group_of(&[&SERVERS]));
        check(&states, &group_of(&[&SERVERS[..3], &VALUES]));
    }
}

/// Rotations alone: a group that is not all permutations.
#[test]
fn a_group_of_rotations() {
    let arena = Arena::new();
    let rotation = [("n1", "n2"), ("n2", "n3"), ("n3", "n1")];
    let rotation = Owned::Fun(
        rotation
            .iter()
            .map(|(from, to)| (model(from), model(to)))
            .collect(),
    );
    let rotation = rotation.copy_to(&arena).expect("a function");
    let items = arena.alloc_slice_copy(&[rotation]);
    let Value::Set(set) = Value::sorted_set(items, &arena) else {
        panic!("a set of one function");
    };
    let group = group(set).expect("a permutation");
    assert_eq!(group.len(), 2);
    let ranks = |ranks: [i64; 3]| {
        let pairs = SERVERS.iter().map(|it| model(it)).zip(ranks.map(Owned::Int));
        vec![Owned::Fun(pairs.collect())]
    };
    check(&[ranks([0, 1, 2]), ranks([1, 2, 0]), ranks([0, 2, 1])], &group);
}
