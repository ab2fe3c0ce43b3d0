//! What the utility modules mean: laws that hold in every instance, said without the module's own words, and instances
//! that must exist. A wrong body has a counterexample here.

use alloy_lower::{Options, Outcome, Run, Stop};
use alloy_sema::NoFiles;
use source::Sources;

/// Runs all commands of a model; each says what it expects.
#[track_caller]
fn check(text: &str) {
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
    let model = resolved.model;
    assert!(!model.commands.is_empty());
    for (i, command) in model.commands.iter().enumerate() {
        let expected = command.expect.expect("every command says what it expects") > 0;
        let run = Run::new(&model, i, Options::default(), Stop::never());
        let found = match run.and_then(|mut run| run.find_next()) {
            Ok(Outcome::Instance(_)) => true,
            Ok(Outcome::None) => false,
            Err(refusal) => panic!("{}: {refusal:?}", command.label),
        };
        assert_eq!(found, expected, "command {} ({})", i + 1, command.label);
    }
}

#[test]
fn ordering() {
    check(
        "open util/ordering[A]
         sig A {}
         check { no first.prev and no last.next and A = first.*next } for 4 expect 0
         check { all a: A | lone a.next and lone a.prev and a not in a.nexts and a.nexts = a.^next } for 4 expect 0
         check { all a, b: A | lt[a, b] iff b in a.^next } for 4 expect 0
         check { all a, b: A | gt[a, b] iff lt[b, a] } for 4 expect 0
         check { all a, b: A | lte[a, b] iff (a = b or lt[a, b]) } for 4 expect 0
         check { all a, b: A | larger[a, b] = (lt[a, b] => b else a) and smaller[a, b] = (lt[a, b] => a else b) } for 4 expect 0
         check { max[A] = last and min[A] = first } for 4 expect 0
         check { max[A] = first } for 4 expect 1
         run { #A = 4 } for 4 expect 1",
    );
}

#[test]
fn integer() {
    check(
        "open util/integer
         check { add[3, 4] = 7 and sub[3, 4] = -1 and mul[2, 3] = 6 and negate[5] = -5 } expect 0
         check { div[7, 2] = 3 and rem[7, 2] = 1 and div[-7, 2] = -3 and rem[-7, 2] = -1 } expect 0
         check { add[3, 4] = 6 } expect 1
         check { all a, b: Int | eq[a, b] iff a = b } expect 0
         check { all a, b: Int | lt[a, b] iff a < b } expect 0
         check { all a, b: Int | gte[a, b] iff not a < b } expect 0
         check { all a: Int | (zero[a] iff a = 0) and (pos[a] iff a > 0) and (neg[a] iff a < 0) } expect 0
         check { all a: Int | (nonpos[a] iff a =< 0) and (nonneg[a] iff a >= 0) } expect 0
         check { signum[-7] = -1 and signum[0] = 0 and signum[3] = 1 } expect 0
         check { max = 7 and min = -8 and max[1 + 3 + 2] = 3 and min[1 + 3 + 2] = 1 } expect 0
         check { larger[2, 5] = 5 and smaller[2, 5] = 2 and 1.next = 2 and 1.prev = 0 } expect 0
         check { 5.nexts = 6 + 7 and (-7).prevs = -8 and no 7.next and no (-8).prev } expect 0",
    );
}

#[test]
fn boolean() {
    check(
        "open util/boolean
         check { Bool = True + False and True != False } expect 0
         check { all b: Bool | (isTrue[b] iff b = True) and (isFalse[b] iff b = False) } expect 0
         check { all b: Bool | isTrue[Not[b]] iff b = False } expect 0
         check { all a, b: Bool | isTrue[And[a, b]] iff (a = True and b = True) } expect 0
         check { all a, b: Bool | isTrue[Or[a, b]] iff (a = True or b = True) } expect 0
         check { all a, b: Bool | isTrue[Xor[a, b]] iff a != b } expect 0
         check { all a, b: Bool | Nand[a, b] = Not[And[a, b]] and Nor[a, b] = Not[Or[a, b]] } expect 0
         check { all a, b: Bool | And[a, b] = Or[a, b] } expect 1",
    );
}

#[test]
fn relation() {
    check(
        "open util/relation
         sig A { f: set A }
         check { dom[f] = f.A and ran[f] = A.f } expect 0
         check { total[f, A] iff all a: A | some a.f } expect 0
         check { functional[f, A] iff all a: A | lone a.f } expect 0
         check { function[f, A] iff all a: A | one a.f } expect 0
         check { surjective[f, A] iff all a: A | some f.a } expect 0
         check { injective[f, A] iff all a: A | lone f.a } expect 0
         check { bijection[f, A, A] iff all a: A | one a.f and one f.a } expect 0
         check { reflexive[f, A] iff all a: A | a in a.f } expect 0
         check { irreflexive[f] iff all a: A | a not in a.f } expect 0
         check { symmetric[f] iff all a, b: A | b in a.f implies a in b.f } expect 0
         check { antisymmetric[f] iff all disj a, b: A | b in a.f implies a not in b.f } expect 0
         check { transitive[f] iff all a, b, c: A | (b in a.f and c in b.f) implies c in a.f } expect 0
         check { acyclic[f, A] iff all a: A | a not in a.^f } expect 0
         check { complete[f, A] iff all disj a, b: A | b in a.f or a in b.f } expect 0
         check { equivalence[f, A] iff (reflexive[f, A] and symmetric[f] and transitive[f]) } expect 0
         check { preorder[f, A] iff (reflexive[f, A] and transitive[f]) } expect 0
         check { partialOrder[f, A] iff (preorder[f, A] and antisymmetric[f]) } expect 0
         check { totalOrder[f, A] iff (partialOrder[f, A] and complete[f, A]) } expect 0
         check { partialOrder[f, A] implies totalOrder[f, A] } expect 1",
    );
}

#[test]
fn ternary() {
    check(
        "open util/ternary
         sig A { g: A -> A }
         check { dom[g] = g.A.A and ran[g] = A.(A.g) } expect 0
         check { mid[g] = {b: A | some a, c: A | a -> b -> c in g} } expect 0
         check { select12[g] = {a, b: A | some c: A | a -> b -> c in g} } expect 0
         check { select13[g] = {a, c: A | some b: A | a -> b -> c in g} } expect 0
         check { select23[g] = {b, c: A | some a: A | a -> b -> c in g} } expect 0
         check { flip12[g] = {b, a, c: A | a -> b -> c in g} } expect 0
         check { flip13[g] = {c, b, a: A | a -> b -> c in g} } expect 0
         check { flip23[g] = {a, c, b: A | a -> b -> c in g} } expect 0
         check { flip12[g] = g } expect 1",
    );
}

#[test]
fn graph() {
    check(
        "open util/graph[A]
         sig A { f: set A }
         check { undirected[f] iff f = ~f } expect 0
         check { noSelfLoops[f] iff all a: A | a not in a.f } expect 0
         check { weaklyConnected[f] iff all a, b: A | b in a.*(f + ~f) } expect 0
         check { stronglyConnected[f] iff all a, b: A | b in a.*f } expect 0
         check { all a: A | rootedAt[f, a] iff A = a.*f } expect 0
         check { dag[f] iff all a: A | a not in a.^f } expect 0
         check { forest[f] iff (dag[f] and all a: A | lone f.a) } expect 0
         check { tree[f] iff (forest[f] and lone {a: A | no f.a}) } expect 0
         check { roots[f] = {a: A | no b: A | a in b.^f} } expect 0
         check { leaves[f] = {a: A | no a.f} and innerNodes[f] = {a: A | some a.f} } expect 0
         check { ring[f] iff all a: A | one a.f and A = a.^f } expect 0
         run { ring[f] and #A = 3 } expect 1
         run { tree[f] and #A = 3 } expect 1
         check { forest[f] implies tree[f] } expect 1",
    );
}

#[test]
fn natural() {
    check(
        "open util/natural
         run { #Natural = 4 } for exactly 4 Natural expect 1
         check { no dec[Zero] and inc[Zero] = One and dec[One] = Zero } for exactly 4 Natural expect 0
         check { all a: Natural | add[a, Zero] = a and mul[a, One] = a and mul[a, Zero] = Zero } for exactly 4 Natural expect 0
         check { all a: Natural | sub[a, a] = Zero and sub[a, Zero] = a and div[a, One] = a } for exactly 4 Natural expect 0
         check { all a: Natural | some inc[a] implies add[a, One] = inc[a] } for exactly 4 Natural expect 0
         check { let two = inc[One] | add[One, One] = two and mul[two, One] = two and div[two, two] = One } for exactly 4 Natural expect 0
         check { all a, b: Natural | lt[a, b] iff (lte[a, b] and a != b) } for exactly 4 Natural expect 0
         check { all a, b: Natural | gt[a, b] iff lt[b, a] } for exactly 4 Natural expect 0
         check { gt[One, Zero] and min[Natural] = Zero and no inc[max[Natural]] } for exactly 4 Natural expect 0
         check { add[One, One] = One } for exactly 4 Natural expect 1",
    );
}

#[test]
fn sequniv() {
    check(
        "sig A {} one sig P { s: seq A } one sig Q { t: seq A }
         check { P.s.first = P.s[0] and P.s.elems = Int.(P.s) and P.s.inds = P.s.A } for 3 but 3 seq expect 0
         check { some P.s implies P.s.last = P.s[sub[#P.s, 1]] } for 3 but 3 seq expect 0
         check { P.s.isEmpty iff no P.s } for 3 but 3 seq expect 0
         check { P.s.hasDups iff some disj i, j: P.s.inds | P.s[i] = P.s[j] } for 3 but 3 seq expect 0
         check { some P.s implies #(P.s.rest) = sub[#P.s, 1] and P.s.rest[0] = P.s[1] } for 3 but 3 seq expect 0
         check { some P.s implies P.s.butlast = P.s - (sub[#P.s, 1] -> A) } for 3 but 3 seq expect 0
         check { all a: A | #P.s < 3 implies (P.s.add[a])[#P.s] = a } for 3 but 3 seq expect 0
         check { all a: A | P.s.indsOf[a] = P.s.a } for 3 but 3 seq expect 0
         check { all a: A | a in P.s.elems implies (P.s[P.s.idxOf[a]] = a and P.s[P.s.lastIdxOf[a]] = a) } for 3 but 3 seq expect 0
         check { #P.s = 1 and #Q.t = 2 implies (#(P.s.append[Q.t]) = 3 and (P.s.append[Q.t])[1] = Q.t[0]) } for 3 but 3 seq expect 0
         check { all a: A | #P.s = 2 implies ((P.s.insert[1, a])[1] = a and (P.s.insert[1, a])[2] = P.s[1]) } for 3 but 3 seq expect 0
         check { #P.s = 3 implies ((P.s.delete[0])[0] = P.s[1] and #(P.s.delete[0]) = 2) } for 3 but 3 seq expect 0
         check { #P.s = 3 implies P.s.subseq[1, 2] = P.s.rest } for 3 but 3 seq expect 0
         check { all a: A | #P.s = 2 implies P.s.setAt[0, a] = P.s ++ 0 -> a } for 3 but 3 seq expect 0
         check { P.s.rest = P.s } for 3 but 3 seq expect 1",
    );
}

#[test]
fn seqrel() {
    check(
        "open util/seqrel[A] as q open util/ordering[SeqIdx] as o
         sig A {} one sig P { s: SeqIdx -> lone A, t: SeqIdx -> lone A } { q/isSeq[s] and q/isSeq[t] }
         check { all i: (P.s).A, j: SeqIdx | o/lt[j, i] implies some P.s[j] } for 3 expect 0
         check { q/elems[P.s] = SeqIdx.(P.s) and q/inds[P.s] = (P.s).A and q/first[P.s] = P.s[o/first] } for 3 expect 0
         check { some P.s implies (some q/last[P.s] and no P.s[o/next[q/lastIdx[P.s]]]) } for 3 expect 0
         check { q/isEmpty[P.s] iff no P.s } for 3 expect 0
         check { q/hasDups[P.s] iff some disj i, j: (P.s).A | P.s[i] = P.s[j] } for 3 expect 0
         check { all i: SeqIdx | q/rest[P.s][i] = P.s[o/next[i]] } for 3 expect 0
         check { some P.s implies q/butlast[P.s] = P.s - (q/lastIdx[P.s] -> A) } for 3 expect 0
         check { all a: A | some q/afterLastIdx[P.s] implies q/last[q/add[P.s, a]] = a } for 3 expect 0
         check { all a: A | a in q/elems[P.s] implies P.s[q/idxOf[P.s, a]] + P.s[q/lastIdxOf[P.s, a]] = a } for 3 expect 0
         check { one P.s and one P.t implies (#q/append[P.s, P.t] = 2 and q/last[q/append[P.s, P.t]] = q/first[P.t]) } for 3 but exactly 3 SeqIdx expect 0
         check { all a: A | #P.s = 2 implies q/rest[q/insert[P.s, o/first, a]] = P.s } for 3 but exactly 3 SeqIdx expect 0
         check { q/delete[P.s, o/first] = q/rest[P.s] } for 3 expect 0
         check { q/subseq[P.s, o/first, o/last] = P.s } for 3 expect 0
         check { q/rest[P.s] = P.s } for 3 expect 1
         run { #P.s = 3 } for 3 expect 1",
    );
}

#[test]
fn sequence() {
    check(
        "open util/sequence[A] as q open util/ordering[SeqIdx] as o
         sig A {}
         check { all x: Seq, i: x.q/inds, j: SeqIdx | o/lt[j, i] implies some x.at[j] } for 3 expect 0
         check { all x: Seq | x.q/elems = {a: A | some i: SeqIdx | x.at[i] = a} and x.q/first = x.at[o/first] } for 3 expect 0
         check { all x: Seq | x.q/isEmpty iff no i: SeqIdx | some x.at[i] } for 3 expect 0
         check { q/noDuplicates iff no x: Seq, disj i, j: x.q/inds | x.at[i] = x.at[j] } for 3 expect 0
         check { all x, y: Seq | q/rest[x, y] implies all i: SeqIdx | y.at[i] = x.at[o/next[i]] } for 3 expect 0
         check { all x, y: Seq, a: A | q/add[x, a, y] implies (y.q/last = a and q/startsWith[y, x]) } for 3 expect 0
         check { all x, y: Seq, a: A | q/setAt[x, o/first, a, y] implies y.q/first = a } for 3 expect 0
         check { all x, y: Seq, a: A | q/insert[x, o/first, a, y] implies (y.q/first = a and q/rest[y, x]) } for 3 expect 0
         check { all x, y, z: Seq | q/append[x, y, z] implies (q/startsWith[z, x] and z.q/elems = x.q/elems + y.q/elems) } for 3 expect 0
         check { all x, y: Seq | q/subseq[x, y, o/first, o/last] implies all i: SeqIdx | y.at[i] = x.at[i] } for 3 expect 0
         check { all x, y: Seq | q/startsWith[x, y] } for 3 expect 1
         run { some x, y: Seq, a: A | q/add[x, a, y] } for 3 expect 1
         run { some x, y, z: Seq | some x.q/elems and some y.q/elems and q/append[x, y, z] } for 3 expect 1",
    );
}

#[test]
fn time() {
    check(
        "open util/time
         abstract sig Bit {} one sig Yes, No extends Bit {}
         one sig Light { on: dynamic[Bit], near: dynamicSet[Light] }
         pred toggle[t, u: Time] { u = t.next and Light.on.t != Light.on.u }
         pred dark[t: Time] { Light.on.t = No }
         check { all t: Time | one Light.on.t } for 3 expect 0
         check { then[toggle, toggle, first, last] implies (last = first.next.next and Light.on.first = Light.on.last) } for 3 Time expect 0
         check { while[dark, toggle, first, last] implies Light.on.last = Yes } for 3 Time expect 0
         check { while[dark, toggle, first, first] iff Light.on.first = Yes } for 3 Time expect 0
         run { then[toggle, toggle, first, last] } for 3 Time expect 1
         run { dark[first] and while[dark, toggle, first, last] } for 2 Time expect 1
         run { dark[first] and while[dark, toggle, first, last] } for 3 Time expect 0
         run { then[toggle, toggle, first, last] } for 2 Time expect 0
         run { some t: Time | no Light.near.t } for 3 expect 1",
    );
}
