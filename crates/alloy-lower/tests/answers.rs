//! What the language means, told by commands that expect an instance or none.
//!
//! Each command says `expect 0` or `expect 1`; [`check`] runs them all. Instances are confirmed by the evaluator on
//! the way.

use alloy_lower::{Meaning, Options, Outcome, Overflow, Run, Stop};
use alloy_sema::NoFiles;
use alloy_sema::ir::{self, FunBody, Model};
use source::Sources;

#[track_caller]
fn model(text: &str) -> Model {
    let mut sources = Sources::new();
    let resolved = alloy_sema::resolve(
        "test.als",
        text,
        &NoFiles,
        &mut sources,
        alloy_sema::Options::default(),
    );
    let errors: Vec<_> = resolved.diagnostics.iter().filter(|it| it.is_error()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    resolved.model
}

#[track_caller]
fn check_with(text: &str, options: &Options) {
    let model = model(text);
    assert!(!model.commands.is_empty());
    for (i, command) in model.commands.iter().enumerate() {
        let expected = command.expect.expect("every command says what it expects") > 0;
        let outcome = Run::new(&model, i, options.clone(), Stop::never()).and_then(|mut run| run.find_next());
        let found = match outcome {
            Ok(Outcome::Instance(_)) => true,
            Ok(Outcome::None) => false,
            Err(refusal) => panic!("{}: {refusal:?}", command.label),
        };
        assert_eq!(found, expected, "command {} ({})", i + 1, command.label);
    }
}

#[track_caller]
fn check(text: &str) {
    check_with(text, &Options::default());
}

#[track_caller]
fn check_wrapping(text: &str) {
    let options = Options {
        overflow: Overflow::Wrap,
        ..Options::default()
    };
    check_with(text, &options);
}

/// How many instances a command has without symmetry breaking.
#[track_caller]
fn count(text: &str) -> usize {
    let model = model(text);
    let mut options = Options::default();
    options.engine.symmetry = 0;
    let mut run = Run::new(&model, 0, options, Stop::never()).expect("a problem");
    let mut n_found = 0;
    while let Outcome::Instance(_) = run.find_next().expect("an answer") {
        n_found += 1;
    }
    n_found
}

#[test]
fn scopes() {
    check(
        "sig A {} sig B extends A {} sig C extends A {} abstract sig D {} sig E, F extends D {}
         run { #A = 3 } expect 1
         run { #A = 4 } expect 0
         run { #A = 4 } for 4 expect 1
         run { #B = 2 and #C = 2 } for 3 expect 0
         run { #B = 2 and #C = 2 } for 4 but 2 B, 2 C expect 1
         run { #B = 3 } for 4 but 2 B expect 0
         run { no A } for exactly 2 A, 1 D expect 0
         run { some D - E - F } expect 0
         run { #D = 3 and #E = 2 } for 3 expect 1
         run { #D = 4 } for 2 E, 2 F expect 1
         run { #D = 5 } for 2 E, 2 F expect 0
         run { #E != 2 } for 3 but exactly 2 E expect 0",
    );
}

#[test]
fn multiplicities_of_sigs() {
    check(
        "one sig O {} lone sig L {} some sig S {} sig P {} one sig Q, R extends P {} sig T in P + O {} lone sig U in P {}
         run { no O } expect 0
         run { #O = 2 } expect 0
         run { no L } expect 1
         run { some L } expect 1
         run { #L > 1 } expect 0
         run { no S } expect 0
         run { #S = 3 } expect 1
         run { Q = R } expect 0
         run { #P = 1 } expect 0
         run { O in T and Q in T } expect 1
         run { some T - P - O } expect 0
         run { #U = 2 } expect 0
         check { one Q and one R and some P } expect 0",
    );
}

#[test]
fn multiplicities_of_fields() {
    check(
        "sig B {} sig A { one_: B, lone_: lone B, some_: some B, set_: set B, f: B -> lone B, g: B one -> one B,
            h: B some -> B, disj d, e: set B }
         check { all a: A | one a.one_ and lone a.lone_ and some a.some_ } expect 0
         run { some a: A | no a.lone_ and #a.set_ = 3 } expect 1
         check { all a: A, b: B | lone b.(a.f) and one b.(a.g) and one (a.g).b and some (a.h).b } expect 0
         run { some a: A | #a.f = 3 and #B = 3 and #a.f[B] = 1 } expect 1
         check { all a: A | no a.d & a.e } expect 0
         run { some disj x, y: A | some x.d & y.e } expect 1
         check { (A <: one_) in A -> B and one_.B = A } expect 0
         check { all a, b: A | a.set_ = a.set_ & B and a.f in B -> B } expect 0",
    );
}

#[test]
fn nested_arrows() {
    check(
        "sig B {} sig C {} one sig A { r: B -> one (C lone -> some B) , s: (B lone -> lone C) -> one B }
         check { all b: B | one b.(A.r) } expect 0
         run { some A.r and #B = 2 and #C = 1 } expect 1
         run { some A.r and #B = 2 and #C = 2 } expect 0
         check { all b: B, c: C | lone c.(b.(A.s)) } expect 0",
    );
}

#[test]
fn instances_are_counted() {
    assert_eq!(count("sig N { nx: lone N } run {} for exactly 3 N"), 64);
    assert_eq!(count("sig N { nx: one N } run {} for exactly 3 N"), 27);
    assert_eq!(count("sig N {} run {} for 3"), 8);
    assert_eq!(
        count("sig A { f: set B } sig B {} run {} for exactly 2 A, exactly 2 B"),
        16
    );
    assert_eq!(
        count("abstract sig A {} sig B, C extends A {} run {} for exactly 3 A"),
        8
    );
    assert_eq!(count("sig A {} sig B extends A {} run {} for exactly 2 A"), 4);
    assert_eq!(count("sig A {} sig B extends A {} run {} for 2"), 9);
    assert_eq!(count("sig A {} sig B, C extends A {} run {} for 2"), 16);
    assert_eq!(
        count("sig A {} sig B in A {} sig C = B {} run {} for exactly 2 A"),
        4
    );
    assert_eq!(count("open util/ordering[A] sig A {} run {} for 3"), 6);
    assert_eq!(count("sig A { s: seq A } run {} for exactly 1 A, 2 seq"), 3);
    assert_eq!(
        count("enum Day { Mon, Tue, Wed } one sig D { day: Day } run {}"),
        3
    );
    assert_eq!(count("var lone sig A {} run {} for 1 but 2 steps"), 6);
}

#[test]
fn relational_operators() {
    check(
        "sig A { f, g: set A }
         check { all a: A | a.(f + g) = a.f + a.g } for 4 expect 0
         check { f ++ g = g + ((A - g.A) <: f) } for 4 expect 0
         check { ^f = f + f.^f } for 4 expect 0
         check { *f = ^f + (iden & (univ -> univ)) } expect 0
         check { ~(f.g) = (~g).(~f) } expect 0
         check { (A <: f) & (g :> A) = f & g } expect 0
         check { f.g in g.f } expect 1
         check { all a: A | a.f = f[a] } expect 0
         check { { x, y: A | x in y.f } = ~f } expect 0
         check { (some f => f else g) in f + g } expect 0
         check { all x: A | one y: A | y = x } expect 0
         run { lone x: A | some x.f and #A = 3 } expect 1
         run { A + Int + String = univ } expect 1
         run { A + Int + String + none != univ } expect 0
         check { no none and none in A and no (none -> A) } expect 0",
    );
}

#[test]
fn quantifiers() {
    check(
        "sig A { f: set A }
         check { all disj x, y: A | x != y } expect 0
         check { all x, y: A | x != y } expect 1
         run { some disj x, y, z: A | x.f = y + z } expect 1
         run { some disj x, y, z, w: A | x.f = y } expect 0
         run { some x: A | all y: A | x in y.f } expect 1
         check { (all x: A | some y: A | y in x.f) => some f or no A } expect 0
         run { some s: set A | #s = 2 and s.f = s } expect 1
         run { some r: A -> A | r = f and #r = 4 } expect 1
         run { all x: A | some s: set A | s = x.f and #s = 2 } expect 1
         check { no s: set A | s = A.f } expect 1
         run { some r: A one -> one A | #r = 3 } expect 1
         run { some r: A lone -> A | r = f and #f = 3 and #A.f = 1 } expect 0
         check { all x: A, y: x.f | y in A.f } expect 0",
    );
}

/// The only atom of a sig needs no variable, but a column all the same.
#[test]
fn sets_over_the_only_atom() {
    check(
        "one sig A {}
         sig B { r: set A }
         sig C { f: one C }
         run { some {x: A | some B} & A } expect 1
         run { {x: A | some B} != A and some B } expect 0
         run { {x: A, y: B | x in y.r} != ~r } expect 0
         run { {y: B, x: A | x in y.r} != r } expect 0
         run { some x: {y: A | no B} | x not in A } expect 0
         run { all x: {y: C | some f} | x in C } for exactly 1 C expect 1
         run { no x: {y: C | some f} | C != x } for exactly 1 C expect 1
         run { one x: A | some B } expect 1
         run { lone x: A, y: B | x in y.r and #B = 2 } expect 1
         run { one x: A | no A } expect 0
         run { (sum x: A | 2) = 2 } expect 1",
    );
}

#[test]
fn orders() {
    check(
        "open util/ordering[T] sig T { at: set T }
         check { all t: T | t not in t.^next } for 5 expect 0
         check { T = first.*next and last.prevs = T - last } for 5 expect 0
         run { #T = 5 } for 5 expect 1
         run { #T = 4 } for 5 expect 0
         run { all t: T | t.at = t.nexts } for 4 expect 1
         check { all t: T - last | lt[t, t.next] and gt[t.next, t] } for 4 expect 0",
    );
    check(
        "open util/ordering[T] as a open util/ordering[T] as b open util/ordering[U] as u sig T {} sig U { t: T }
         check { a/next = b/next } for 3 expect 0
         run { all disj x, y: U | x.t != y.t and (u/lt[x, y] iff a/lt[y.t, x.t]) } for 3 expect 1",
    );
    check(
        "open util/ordering[Day] enum Day { Mon, Tue, Wed }
         check { first = Mon and last = Wed and Mon.next = Tue } expect 0",
    );
    check(
        "open util/ordering[Sub] sig Top {} sig Sub extends Top {} sig Other extends Top {}
         run { #Sub = 2 and #Other = 1 } for 3 but 2 Sub expect 1
         check { lone last } for 3 expect 0",
    );
}

#[test]
fn integers() {
    check(
        "open util/integer sig A { v: Int, w: set Int }
         run { some a: A | a.v = 7 } expect 1
         run { some a: A | a.v = plus[3, 4] } expect 1
         check { all a: A | a.v in Int and a.v >= -8 and a.v =< 7 } expect 0
         run { #A = 3 and (sum a: A | a.v) = 6 and no a: A | a.v = 2 } expect 1
         check { all x, y: Int | plus[x, y] = plus[y, x] } expect 0
         run { some a: A | sum a.w = 0 and #a.w = 3 } expect 1
         check { all a: A | int[a.v] = a.v } expect 0
         check { 7.div[2] = 3 and -7.div[2] = -3 and 7.rem[-2] = 1 and -7.rem[2] = -1 and mul[2, 3] = 6 } expect 0
         check { max = 7 and min = -8 and next[3] = 4 and 3.prev = 2 } expect 0
         run { some a: A | a.v = 15 } for 3 but 5 Int expect 1
         check { (1 << 2) = 4 and (-4 >> 1) = -2 and (-1 >>> 1) = 7 } expect 0",
    );
}

#[test]
fn overflow_is_no_reason() {
    // A counterexample would need 7 + 1.
    let text = "open util/integer sig A { v: Int }";
    check(&format!(
        "{text} check {{ all a: A | plus[a.v, 1] > a.v }} expect 0
         check {{ all x: Int | plus[x, 1] > x }} expect 0
         run {{ some a: A | plus[a.v, 1] < a.v }} expect 0
         run {{ some x: Int | plus[x, 1] < x }} expect 0
         run {{ some a: A | not plus[a.v, 1] > a.v }} expect 0
         check {{ all x, y: Int | (x > 0 and y > 0) => plus[x, y] > 0 }} expect 0
         run {{ #A > 7 }} for 9 expect 0
         run {{ not #A > 7 and no A.v & 0 }} for 9 expect 1"
    ));
    check_wrapping(&format!(
        "{text} check {{ all a: A | plus[a.v, 1] > a.v }} expect 1
         check {{ all x: Int | plus[x, 1] > x }} expect 1
         run {{ some a: A | plus[a.v, 1] < a.v }} expect 1
         check {{ all x, y: Int | (x > 0 and y > 0) => plus[x, y] > 0 }} expect 1
         check {{ plus[7, 1] = -8 and 5.div[0] = -1 and 5.rem[0] = 5 }} expect 0"
    ));
}

#[test]
fn sequences_and_strings() {
    check(
        "sig A {} one sig S { s: seq A, t: seq Int } lone sig N { name: String }
         check { all i: S.s.inds | i = 0 or prev[i] in S.s.inds } for 4 expect 0
         check { all i: Int | lone S.s[i] } for 4 expect 0
         run { #S.s = 3 and not S.s.hasDups } for 4 but 3 seq expect 1
         run { #S.s = 4 } for 4 but 3 seq expect 0
         check { S.s.first in A and (some S.s implies S.s.last = S.s[S.s.lastIdx]) } for 3 expect 0
         run { N.name = \"x\" } expect 1
         run { some N and N.name != \"x\" and N.name in \"x\" + \"y\" } expect 1
         run { some N } expect 0
         check { \"x\" != \"y\" } expect 0",
    );
}

#[test]
fn functions_and_lets() {
    check(
        "sig A { f: set A }
         pred p[x: A, y: set A] { some x.f and x.f = y }
         fun image[x: set A]: set A { x.f }
         pred A.loops { this in this.f }
         let twice[x] = x.f.f
         run { some x: A | p[x, image[x]] } expect 1
         run { some x: A | x.loops and twice[x] = A and #A = 3 } expect 1
         check { let s = A.f | all x: A | image[x] in s } expect 0
         run p expect 1
         run image expect 1
         check { all x: A | p[x, x.f] iff some x.f } expect 0",
    );
}

#[test]
fn facts_and_private_parts() {
    check(
        "sig A { f: A } { f != this } fact single { lone f.A - A } sig B extends A { g: f } { no g.@f & this }
         check { all a: A | a.f != a } expect 0
         check { all b: B | b.g = b.f } expect 0
         run { some B } for 3 expect 1
         run { #A = 1 } expect 0",
    );
}

#[test]
fn time() {
    check(
        "var sig On {} sig L { var n: lone L }
         run { some On and after no On } expect 1
         run { always some On and eventually no On } expect 0
         check { always some On => some On' } expect 0
         run { some On and always (some On iff after no On) } expect 1
         run { some On until no On and #On = 2 } expect 1
         check { (some On until no On) iff eventually no On or (some On and no On) } expect 0
         check { (no On releases some On) iff not (some On until no On) } expect 0
         run { some x: L | eventually x.n' = x and always lone L.n } expect 1
         run { eventually (some On and before no On) } expect 1
         run { before some On } expect 0
         check { always (once some On iff not historically no On) } expect 0
         run { always (some On since no On) and some On } expect 0
         check { always (some On triggered no On) => no On } expect 0
         run { no On; some On; no On; some On } expect 1
         run { eventually always (some On iff before no On) } expect 1
         run { all l: L | always eventually some l.n and always eventually no l.n and some L } expect 1",
    );
}

#[test]
fn traces_are_as_short_as_can_be() {
    let text = "var sig On {} run { no On; no On; some On; always some On } for 3 but 1..8 steps";
    let model = model(text);
    let mut run = Run::new(&model, 0, Options::default(), Stop::never()).expect("a problem");
    let Outcome::Instance(instance) = run.find_next().expect("an answer") else {
        panic!("an instance");
    };
    assert_eq!(instance.states.states.len(), 3);
    assert_eq!(instance.states.loop_to, Some(2));
}

#[test]
fn sigs_that_vary() {
    check(
        "sig A {} var sig B in A {} var one sig C in A {} sig D {} var sig E extends D {}
         run { eventually some B and eventually no B } expect 1
         check { always one C and always B in A } expect 0
         run { C' != C } expect 1
         check { always A = A' } expect 0
         check { always D = D' and always E in D } expect 0
         run { some E and after no E } expect 0",
    );
}

#[test]
fn leader_election() {
    // The bug in the naive token ring: nobody is elected when no message moves.
    check(
        "open util/ordering[Id] sig Id {}
         sig Node { id: Id, succ: Node, var inbox: set Id, var outbox: set Id }
         fact { id in Node lone -> Id and all n: Node | Node in n.^succ }
         fact { no inbox and outbox = id }
         pred send[n: Node] { some i: n.outbox { n.outbox' = n.outbox - i and n.succ.inbox' = n.succ.inbox + i }
           all m: Node - n.succ | m.inbox' = m.inbox  all m: Node - n | m.outbox' = m.outbox }
         pred compute[n: Node] { some i: n.inbox { n.inbox' = n.inbox - i and n.outbox' = n.outbox + (i - n.id.*(~next)) }
           all m: Node - n | m.inbox' = m.inbox and m.outbox' = m.outbox }
         pred skip { inbox' = inbox and outbox' = outbox }
         fact { always (skip or some n: Node | send[n] or compute[n]) }
         fun elected: set Node { { n: Node | once (n.id in n.inbox) } }
         run { eventually some elected } for 3 but exactly 3 Node, 6 steps expect 1
         check { always lone elected } for 3 but 6 steps expect 0
         check { eventually some elected } for 3 but 6 steps expect 1",
    );
}

#[test]
fn parts_of_a_whole_that_does_not_vary_do_not_vary() {
    check(
        "sig A {} var sig B extends A {} var sig C in A {} var sig D {} var sig E, F extends D {}
         run { eventually B != B' } for 2 but 3 steps expect 0
         run { eventually C != C' } for 2 but 3 steps expect 1
         run { eventually E != E' } for 2 but 3 steps expect 1
         run { eventually some E & F' } for 2 but 3 steps expect 0
         run { eventually some E & (D - E - F)' } for 2 but 3 steps expect 0",
    );
}

#[test]
fn what_cannot_be_analysed_is_refused_by_name() {
    let refusal = |text: &str| {
        let model = model(text);
        let outcome =
            Run::new(&model, 0, Options::default(), Stop::never()).and_then(|mut run| run.find_next());
        let refusal = outcome.expect_err("cannot be analysed");
        let diagnostic = refusal.diagnostic().expect("not stopped");
        format!("{}: {}", diagnostic.code, diagnostic.title)
    };
    assert_eq!(
        refusal("sig A { f: set A } run { all s: set A | some s.f }"),
        "higher-order: `s` ranges over sets or relations, and cannot be eliminated"
    );
    assert_eq!(
        refusal("sig A { f: set A } run { one s: set A | some s.f }"),
        "higher-order: `s` ranges over sets or relations, and cannot be eliminated"
    );
    assert_eq!(
        refusal("run { some x: Int | x = 8 }"),
        "int-out-of-range: 8 does not fit in 4 bits"
    );
    assert_eq!(
        refusal("sig A { f: A -> A -> A -> A -> A } run { some f } for 100"),
        "too-many-tuples: field `f` has too many possible tuples"
    );
}

#[test]
fn expressions_are_evaluated_in_an_instance() {
    let text = "sig A { f: set A } run { some disj x, y: A | f = x -> y and A = x + y } for 3";
    let extended =
        format!("{text} pred holds {{ some f.f }} fun pairs: set A -> A {{ f + ~f }} fun n: Int {{ #f }}");
    let (base, extended) = (model(text), model(&extended));
    let mut run = Run::new(&base, 0, Options::default(), Stop::never()).expect("a problem");
    assert!(matches!(run.find_next(), Ok(Outcome::Instance(_))));
    let meaning = |name: &str| {
        let fun = extended
            .funs
            .iter()
            .find(|(_, fun)| fun.name.as_str() == name)
            .expect("declared")
            .1;
        let value = match fun.body {
            FunBody::Pred(body) => ir::Value::Formula(body),
            FunBody::Fun { body, .. } => ir::Value::Expr(body),
        };
        run.evaluate(&extended, value, &[], 0)
            .expect("closed")
            .expect("an instance")
    };
    assert_eq!(meaning("holds"), Meaning::Truth(false));
    let Meaning::Tuples(pairs) = meaning("pairs") else {
        panic!("a set of tuples");
    };
    assert_eq!(pairs.len(), 2);
    assert!(matches!(meaning("n"), Meaning::Tuples(it) if it.len() == 1));
}

#[test]
fn blame_points_at_the_text() {
    let text = "sig A { f: lone A } fact fine { some A } fact one_way { no f & ~f } fact full { all a: A | some a.f }
        run { all a: A | a.f.f = a } for 4";
    let mut sources = Sources::new();
    let resolved = alloy_sema::resolve(
        "test.als",
        text,
        &NoFiles,
        &mut sources,
        alloy_sema::Options::default(),
    );
    let mut run = Run::new(&resolved.model, 0, Options::default(), Stop::never()).expect("a problem");
    assert_eq!(run.find_next().expect("an answer"), Outcome::None);
    let core = run.unsat_core().expect("a reason");
    let mut texts: Vec<&str> = core
        .iter()
        .filter_map(|it| it.span)
        .map(|span| sources.text(span))
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, ["a.f.f = a", "no f & ~f", "some A"]);
}
