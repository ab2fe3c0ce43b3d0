//! How fast modules are read and printed, and that both are linear in the size of the text.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use source::FileId;
use tla_syntax::Notation;

fn main() {
    divan::main();
}

/// Text in the proportions of a real specification: a third comments and blanks, lists by column, names that come back.
fn module(size: usize) -> String {
    let mut text = String::from("---- MODULE Bench ----\nEXTENDS Naturals, Sequences, FiniteSets\n");
    let mut i = 0;
    while text.len() < size {
        text.push_str(&unit(i));
        i += 1;
    }
    text.push_str("====\n");
    text
}

fn unit(i: usize) -> String {
    // Large modules are large because names come back, not because there are ever new ones.
    let (i, a, b) = (i % 1000, i % 97, i % 31);
    format!(
        r#"
(***************************************************************************)
(* Step {i}: a process takes the lock when nobody holds it, and tells the   *)
(* others. The message stays in the network until everyone has seen it.    *)
(***************************************************************************)
CONSTANTS Proc{i}, Limit{i}
VARIABLES pc{i}, lock{i}, network{i}
vars{i} == <<pc{i}, lock{i}, network{i}>>

TypeOK{i} ==
    /\ pc{i} \in [Proc{i} -> {{"idle", "waiting", "critical"}}]
    /\ lock{i} \in Proc{i} \cup {{"none"}}
    /\ network{i} \in SUBSET [type : {{"req", "ack"}}, from : Proc{i}, to : Proc{i}, round : 0 .. Limit{i}]

Enter{i}(p, q) ==
    LET msg == [type |-> "req", from |-> p, to |-> q, round |-> {a}]
        Pending(s) == {{m \in s : m.to = q /\ m.round <= {b}}}
    IN  /\ pc{i}[p] = "waiting"
        /\ \/ lock{i} = "none"
           \/ \E r \in Proc{i} \ {{p}} : lock{i} = r /\ pc{i}[r] # "critical"  \* taken over
        /\ Cardinality(Pending(network{i})) < Limit{i}
        /\ pc{i}' = [pc{i} EXCEPT ![p] = IF p = q THEN "critical" ELSE @]
        /\ network{i}' = network{i} \cup {{msg, [msg EXCEPT !.type = "ack", !.round = @ + {a}]}}
        /\ UNCHANGED lock{i}

Next{i} == \E p, q \in Proc{i} : Enter{i}(p, q)
Spec{i} == TypeOK{i} /\ [][Next{i}]_vars{i} /\ \A p \in Proc{i} : WF_vars{i}(\E q \in Proc{i} : Enter{i}(p, q))
Mutex{i} == \A p, q \in Proc{i} : p # q => ~(pc{i}[p] = "critical" /\ pc{i}[q] = "critical")
THEOREM Spec{i} => []Mutex{i}
"#
    )
}

const SIZES: [usize; 2] = [1_000_000, 10_000_000];

#[divan::bench(args = SIZES)]
fn parse(bencher: Bencher<'_, '_>, size: usize) {
    let text = module(size);
    let (_, diagnostics) = tla_syntax::parse(&text, FileId(0));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| tla_syntax::parse(black_box(&text), FileId(0)));
}

#[divan::bench(args = SIZES)]
fn print(bencher: Bencher<'_, '_>, size: usize) {
    let text = module(size);
    let (tree, _) = tla_syntax::parse(&text, FileId(0));
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| tla_syntax::print(black_box(&tree), Notation::Ascii));
}
