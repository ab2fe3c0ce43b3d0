//! The utility modules: each is read without a complaint, alone and opened, and offers the names that models expect.

use alloy_sema::{NoFiles, Options, Resolved, resolve};
use source::Sources;

fn read(text: &str) -> (Resolved, Vec<String>) {
    let mut sources = Sources::new();
    let resolved = resolve("model.als", text, &NoFiles, &mut sources, Options::default());
    let of_commands = resolved.model.commands.iter().flat_map(|it| &it.errors);
    let said = resolved.diagnostics.iter().chain(of_commands);
    let said = said
        .map(|it| diag::render(it, &sources, diag::Style::Plain))
        .collect();
    (resolved, said)
}

#[test]
fn each_module_is_read_alone_without_a_warning() {
    for name in alloy_library::names() {
        let text = alloy_library::module(name).unwrap();
        let (_, said) = read(text);
        assert!(said.is_empty(), "{name}:\n{}", said.join("\n"));
    }
}

#[track_caller]
fn offers(open: &str, uses: &[&str]) {
    let lines: String = uses.iter().map(|it| format!("  {it}\n")).collect();
    let text =
        format!("open {open}\nsig A {{ f: set A, g: A -> A, s: seq A }}\nfact {{\n{lines}}}\nrun {{}}");
    let (_, said) = read(&text);
    assert!(said.is_empty(), "{}", said.join("\n"));
}

#[test]
fn ordering() {
    offers(
        "util/ordering[A]",
        &[
            "first != last",
            "all a: A | a.next in a.nexts and a.prev in prevs[a]",
            "all a, b: A | lt[a, b] or gt[a, b] or (lte[a, b] and gte[a, b])",
            "all a, b: A | larger[a, b] in a + b and smaller[a, b] in a + b",
            "max[A] = last and min[A] = first",
        ],
    );
}

#[test]
fn integer() {
    offers(
        "util/integer",
        &[
            "add[1, 2] = plus[2, 1] and sub[3, 1] = minus[2, 0] and negate[1] = -1",
            "mul[2, 3] = 6 and div[7, 2] = 3 and rem[7, 2] = 1",
            "eq[1, 1] and lt[1, 2] and gt[2, 1] and lte[1, 1] and gte[1, 1]",
            "zero[0] and pos[1] and neg[-1] and nonpos[0] and nonneg[0] and signum[-7] = -1",
            "max = 7 and min = -8 and max[1 + 2] = 2 and min[1 + 2] = 1",
            "1.next = 2 and 1.prev = 0 and 6.nexts = 7 and -7.prevs = -8",
            "larger[1, 2] = 2 and smaller[1, 2] = 1",
            "all a: A | int2elem[elem2int[a, f], f, A] = a",
        ],
    );
}

#[test]
fn boolean() {
    offers(
        "util/boolean",
        &[
            "True.isTrue and isFalse[False]",
            "Not[True] = False and And[True, False] = False and Or[True, False] = True",
            "Xor[True, True] = False and Nand[True, True] = False and Nor[False, False] = True",
        ],
    );
}

#[test]
fn relation() {
    offers(
        "util/relation",
        &[
            "dom[f] in A and ran[f] in A",
            "total[f, A] and functional[f, A] and function[f, A]",
            "surjective[f, A] and injective[f, A] and bijective[f, A] and bijection[f, A, A]",
            "reflexive[f, A] and irreflexive[f] and symmetric[f] and antisymmetric[f] and transitive[f]",
            "acyclic[f, A] and complete[f, A] and preorder[f, A] and equivalence[f, A]",
            "partialOrder[f, A] and totalOrder[f, A]",
        ],
    );
}

#[test]
fn ternary() {
    offers(
        "util/ternary",
        &[
            "dom[g] + mid[g] + ran[g] in A",
            "select12[g] + select13[g] + select23[g] in f",
            "flip12[g] = flip13[flip23[g]]",
        ],
    );
}

#[test]
fn graph() {
    offers(
        "util/graph[A]",
        &[
            "undirected[f] and noSelfLoops[f] and weaklyConnected[f] and stronglyConnected[f]",
            "all a: A | rootedAt[f, a] and treeRootedAt[f, a]",
            "ring[f] and dag[f] and forest[f] and tree[f]",
            "roots[f] + leaves[f] + innerNodes[f] = A",
        ],
    );
}

#[test]
fn natural() {
    offers(
        "util/natural",
        &[
            "One = inc[Zero] and dec[One] = Zero",
            "add[One, Zero] = One and sub[One, One] = Zero and mul[One, One] = One and div[One, One] = One",
            "gt[One, Zero] and lt[Zero, One] and gte[One, One] and lte[One, One]",
            "max[Natural] = One and min[Natural] = Zero",
        ],
    );
}

#[test]
fn sequences_as_relations_from_integers() {
    offers(
        "util/sequniv as q",
        &[
            "all a: A | isSeq[a.s] and a.s.elems in A and a.s.inds in Int",
            "all a: A | a.s.first + a.s.last + last[rest[a.s]] + first[butlast[a.s]] in A",
            "all a: A | isEmpty[a.s] or hasDups[a.s]",
            "all a: A | a.s.lastIdx + a.s.afterLastIdx + idxOf[a.s, a] + lastIdxOf[a.s, a] + indsOf[a.s, a] in Int",
            "all a: A | a.s.add[a] = setAt[a.s, 0, a]",
            "all a: A | insert[a.s, 0, a] = append[a.s, delete[a.s, 0]] or subseq[a.s, 0, 1] = a.s",
        ],
    );
}

#[test]
fn sequences_as_relations_from_indices() {
    offers(
        "util/seqrel[A] as q",
        &[
            "all r: SeqIdx -> A | q/isSeq[r] and q/elems[r] in A and q/inds[r] in SeqIdx",
            "all r: SeqIdx -> A | q/first[r] + q/last[r] + q/last[q/rest[r]] + q/first[q/butlast[r]] in A",
            "all r: SeqIdx -> A | q/isEmpty[r] or q/hasDups[r]",
            "all r: SeqIdx -> A, a: A | q/lastIdx[r] + q/afterLastIdx[r] + q/idxOf[r, a] + q/lastIdxOf[r, a] in SeqIdx",
            "all r: SeqIdx -> A, a: A | q/indsOf[r, a] + q/firstIdx + q/finalIdx in SeqIdx",
            "all r: SeqIdx -> A, a: A | q/add[r, a] = q/setAt[r, q/firstIdx, a]",
            "all r: SeqIdx -> A, a: A, i: SeqIdx | q/insert[r, i, a] = q/append[r, q/delete[r, i]]",
            "all r: SeqIdx -> A | q/subseq[r, q/firstIdx, q/finalIdx] = r",
        ],
    );
}

#[test]
fn sequences_as_atoms() {
    offers(
        "util/sequence[A] as q",
        &[
            "q/noDuplicates and q/allExist and q/allExistNoDuplicates",
            "all x: Seq, i: SeqIdx | x.at[i] in x.q/elems and x.q/inds in SeqIdx",
            "all x: Seq | x.q/first + x.q/last in A and (x.q/isEmpty or x.q/hasDups)",
            "all x: Seq | x.q/lastIdx + x.q/afterLastIdx + q/firstIdx + q/finalIdx in SeqIdx",
            "all x: Seq, a: A | q/idxOf[x, a] + q/lastIdxOf[x, a] in q/indsOf[x, a]",
            "all x, y: Seq | q/rest[x, y] and q/startsWith[x, y]",
            "all x, y: Seq, a: A | q/add[x, a, y] and q/setAt[x, q/firstIdx, a, y] and q/insert[x, q/firstIdx, a, y]",
            "all x, y, z: Seq | q/append[x, y, z] and q/copy[x, y, q/firstIdx]",
            "all x, y: Seq | q/subseq[x, y, q/firstIdx, q/finalIdx]",
        ],
    );
}

#[test]
fn time() {
    let text = "
        open util/time
        sig Light { on: dynamic[Bit], near: dynamicSet[Light] }
        abstract sig Bit {}
        one sig Yes, No extends Bit {}
        pred toggle[l: Light, t, t2: Time] { l.on.t != l.on.t2 }
        pred dark[t: Time] { Light.on.t = No }
        pred flash[t, t2: Time] { some l: Light | toggle[l, t, t2] }
        run {
          some l: Light | then[toggle[l], toggle[l], first, last]
          while[dark, flash, first, last]
          while9[dark, flash, first, last]
        }";
    let (resolved, said) = read(text);
    assert!(said.is_empty(), "{}", said.join("\n"));
    assert!(resolved.model.sigs.iter().any(|it| it.1.name.as_str() == "Time"));
}
