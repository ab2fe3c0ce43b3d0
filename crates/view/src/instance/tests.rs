//! One small instance in all its views.

use expect_test::{Expect, expect};
use trace::{Atom, AtomId, Behaviour, Instance, Relation, RelationKind, Sig, SigOrigin, Tuple};

use super::*;
use crate::Style;

fn sig(label: &str, origin: SigOrigin) -> Sig {
    Sig {
        label: label.into(),
        origin,
        is_abstract: false,
        is_one: false,
        is_lone: false,
        is_some: false,
        is_private: false,
        is_meta: false,
        is_enum: false,
        is_var: false,
    }
}

fn relation(name: &str, kind: RelationKind, types: &[usize]) -> Relation {
    Relation {
        name: name.into(),
        kind,
        arity: types.len(),
        types: vec![types.to_vec()],
        is_var: false,
        is_private: false,
        is_meta: false,
    }
}

fn tuples(all: &[&[u32]]) -> Vec<Tuple> {
    all.iter()
        .map(|it| it.iter().map(|&it| AtomId(it)).collect())
        .collect()
}

/// Two boards of one row, a mark in each cell: `sig Board { cells: Int -> Mark, to: set Int } sig Used in Mark`.
fn instance() -> Instance {
    let builtin = |parent| SigOrigin::Builtin { parent };
    let atom = |name: &str, sig| Atom {
        name: name.into(),
        sig: Some(sig),
    };
    let used = SigOrigin::Subset {
        parents: vec![3],
        is_exact: false,
    };
    Instance {
        atoms: vec![
            atom("Board$0", 2),
            atom("Board$1", 2),
            atom("Mark$0", 3),
            atom("Mark$1", 3),
            atom("0", 1),
            atom("1", 1),
        ],
        sigs: vec![
            sig("univ", builtin(None)),
            sig("Int", builtin(None)),
            sig("this/Board", SigOrigin::Top),
            sig("this/Mark", SigOrigin::Top),
            sig("this/Used", used),
        ],
        relations: vec![
            relation("univ", RelationKind::Sig(0), &[0]),
            relation("Int", RelationKind::Sig(1), &[1]),
            relation("Board", RelationKind::Sig(2), &[2]),
            relation("Mark", RelationKind::Sig(3), &[3]),
            relation("Used", RelationKind::Sig(4), &[4]),
            relation("cells", RelationKind::Field(2), &[2, 1, 3]),
            relation("to", RelationKind::Field(2), &[2, 1]),
            relation("$b", RelationKind::Skolem, &[2]),
        ],
        states: Behaviour::finite(vec![vec![
            tuples(&[&[0], &[1], &[2], &[3], &[4], &[5]]),
            tuples(&[&[4], &[5]]),
            tuples(&[&[0], &[1]]),
            tuples(&[&[2], &[3]]),
            tuples(&[&[3]]),
            tuples(&[&[0, 4, 2], &[0, 4, 3], &[0, 5, 2], &[1, 4, 3], &[1, 5, 2]]),
            tuples(&[&[1, 4]]),
            tuples(&[&[1]]),
        ]]),
        bit_width: 3,
        max_seq: 2,
    }
}

fn check(actual: &str, expected: Expect) {
    expected.assert_eq(actual);
}

#[test]
fn as_tables() {
    check(
        &tables(&instance(), 0, Style::Plain),
        expect![[r#"
        ┌──────────┬───────┬──┐
        │this/Board│cells  │to│
        ├──────────┼─┬─────┼──┤
        │Board⁰    │0│Mark⁰│  │
        │          │ ├─────┤  │
        │          │ │Mark¹│  │
        │          ├─┼─────┤  │
        │          │1│Mark⁰│  │
        ├──────────┼─┼─────┼──┤
        │Board¹    │0│Mark¹│0 │
        │          ├─┼─────┼──┤
        │          │1│Mark⁰│  │
        └──────────┴─┴─────┴──┘
        ┌─────────┐
        │this/Mark│
        ├─────────┤
        │Mark⁰    │
        ├─────────┤
        │Mark¹    │
        └─────────┘
        ┌─────────┐
        │this/Used│
        ├─────────┤
        │Mark¹    │
        └─────────┘
        $b = {Board¹}
    "#]],
    );
}

#[test]
fn as_lines() {
    check(
        &lines(&instance(), 0),
        expect![[r#"
        integers of 3 bits
        univ={Board$0, Board$1, Mark$0, Mark$1, 0, 1}
        Int={0, 1}
        this/Board={Board$0, Board$1}
        this/Mark={Mark$0, Mark$1}
        this/Used={Mark$1}
        this/Board<:cells={Board$0->0->Mark$0, Board$0->0->Mark$1, Board$0->1->Mark$0, Board$1->0->Mark$1, Board$1->1->Mark$0}
        this/Board<:to={Board$1->0}
        skolem $b={Board$1}
    "#]],
    );
}

#[test]
fn as_a_tree() {
    check(
        &tree(&instance(), 0),
        expect![[r#"
        this/Board
        ├─ Board$0
        │  ├─ cells
        │  │  ├─ 0->Mark$0
        │  │  ├─ 0->Mark$1
        │  │  └─ 1->Mark$0
        │  └─ to
        └─ Board$1
           ├─ cells
           │  ├─ 0->Mark$1
           │  └─ 1->Mark$0
           └─ to
              └─ 0
        this/Mark
        ├─ Mark$0
        └─ Mark$1
        this/Used
        └─ Mark$1
        $b
        └─ Board$1
    "#]],
    );
}

#[test]
fn as_dot() {
    check(
        &dot(&instance(), 0),
        expect![[r#"
        digraph instance {
          node [shape=box, style=rounded];
          n0 [label="Board$0"];
          n1 [label="Board$1\n($b)"];
          n2 [label="Mark$0"];
          n3 [label="Mark$1\n(Used)"];
          n4 [label="0"];
          n0 -> n2 [label="cells[0], cells[1]"];
          n0 -> n3 [label="cells[0]"];
          n1 -> n2 [label="cells[1]"];
          n1 -> n3 [label="cells[0]"];
          n1 -> n4 [label="to"];
        }
    "#]],
    );
}

#[test]
fn as_a_picture() {
    let svg = svg(&instance(), 0).expect("small enough");
    for part in ["<svg", "Board$1", "($b)", "cells[0]", "</svg>"] {
        assert!(svg.contains(part), "{part} is missing in {svg}");
    }
    assert_eq!(Some(svg), super::svg(&instance(), 0), "the same each time");
}

#[test]
fn as_the_analyzer_writes_it() {
    let about = About {
        command: "Run show for 3".into(),
        file: "boards.als".into(),
        sources: vec![("boards.als".into(), "sig A {}\nrun { \"<\" }".into())],
    };
    check(
        &xml(&instance(), &about),
        expect![[r#"
        <alloy builddate="babbage">

        <instance bitwidth="3" maxseq="2" mintrace="-1" maxtrace="-1" command="Run show for 3" filename="boards.als" tracelength="1" backloop="0">

        <sig label="univ" ID="0" builtin="yes">
        </sig>

        <sig label="Int" ID="1" parentID="0" builtin="yes">
        </sig>

        <sig label="this/Board" ID="2" parentID="0">
           <atom label="Board$0"/>
           <atom label="Board$1"/>
        </sig>

        <sig label="this/Mark" ID="3" parentID="0">
           <atom label="Mark$0"/>
           <atom label="Mark$1"/>
        </sig>

        <sig label="this/Used" ID="4">
           <atom label="Mark$1"/>
           <type ID="3"/>
        </sig>

        <field label="cells" ID="10" parentID="2">
           <tuple> <atom label="Board$0"/> <atom label="0"/> <atom label="Mark$0"/> </tuple>
           <tuple> <atom label="Board$0"/> <atom label="0"/> <atom label="Mark$1"/> </tuple>
           <tuple> <atom label="Board$0"/> <atom label="1"/> <atom label="Mark$0"/> </tuple>
           <tuple> <atom label="Board$1"/> <atom label="0"/> <atom label="Mark$1"/> </tuple>
           <tuple> <atom label="Board$1"/> <atom label="1"/> <atom label="Mark$0"/> </tuple>
           <types> <type ID="2"/> <type ID="1"/> <type ID="3"/> </types>
        </field>

        <field label="to" ID="11" parentID="2">
           <tuple> <atom label="Board$1"/> <atom label="0"/> </tuple>
           <types> <type ID="2"/> <type ID="1"/> </types>
        </field>

        <skolem label="$b" ID="12">
           <tuple> <atom label="Board$1"/> </tuple>
           <types> <type ID="2"/> </types>
        </skolem>

        </instance>

        <source filename="boards.als" content="sig A {}&#10;run { &quot;&lt;&quot; }"/>

        </alloy>
    "#]],
    );
}
