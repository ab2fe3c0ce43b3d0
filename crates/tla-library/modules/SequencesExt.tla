---------------------------- MODULE SequencesExt ----------------------------
(* More operators on sequences.                                            *)
EXTENDS Sequences, Naturals, FiniteSets, FiniteSetsExt, Folds, Functions, Bags, TLC
-----------------------------------------------------------------------------
(* From sequences to sets and back.                                        *)

ToSet(s) == {s[i] : i \in DOMAIN s}
ToBag(s) == [x \in ToSet(s) |-> Cardinality({i \in DOMAIN s : s[i] = x})]

(* All sequences that list the elements of the finite set S once each, and *)
(* some such sequence.                                                     *)
SetToSeqs(S) ==
    {s \in [1 .. Cardinality(S) -> S] : \A i, j \in DOMAIN s : s[i] = s[j] => i = j}

SetToSeq(S) ==
    LET RECURSIVE From(_)
        From(T) == IF T = {} THEN << >>
                   ELSE LET x == CHOOSE x \in T : TRUE
                        IN  <<x>> \o From(T \ {x})
    IN  From(S)

(* The elements of S in the order op.                                      *)
SetToSortSeq(S, op(_, _)) == SortSeq(SetToSeq(S), op)

(* The sequences that list some of the elements of S, once each.           *)
SetToAllKPermutations(S) == UNION {SetToSeqs(T) : T \in SUBSET S}

(* The sequences over a set of length n, and of length 0 to n.             *)
TupleOf(set, n)  == [1 .. n -> set]
SeqOf(set, n)    == UNION {TupleOf(set, m) : m \in 0 .. n}
BoundedSeq(S, n) == SeqOf(S, n)
-----------------------------------------------------------------------------
(* Looking for elements.                                                   *)

Contains(s, e) == \E i \in DOMAIN s : s[i] = e

(* op holds between each element and all later ones.                       *)
IsSorted(s, op(_, _)) == \A i, j \in DOMAIN s : i < j => op(s[i], s[j])

(* The first, or last, index from..to whose element passes the test; 0 if  *)
(* there is none.                                                          *)
SelectInSubSeq(seq, from, to, Test(_)) ==
    LET I == {i \in from .. to : Test(seq[i])}
    IN  IF I = {} THEN 0 ELSE CHOOSE i \in I : \A j \in I : i <= j

SelectLastInSubSeq(seq, from, to, Test(_)) ==
    LET I == {i \in from .. to : Test(seq[i])}
    IN  IF I = {} THEN 0 ELSE CHOOSE i \in I : \A j \in I : j <= i

SelectInSeq(seq, Test(_))     == SelectInSubSeq(seq, 1, Len(seq), Test)
SelectLastInSeq(seq, Test(_)) == SelectLastInSubSeq(seq, 1, Len(seq), Test)
-----------------------------------------------------------------------------
(* Changing elements.                                                      *)

Reverse(s) == [i \in 1 .. Len(s) |-> s[Len(s) + 1 - i]]

(* Without e; with new in the place of old.                                *)
Remove(s, e) == SelectSeq(s, LAMBDA x : x # e)
ReplaceAll(s, old, new) == [i \in DOMAIN s |-> IF s[i] = old THEN new ELSE s[i]]

(* At index i: one more element, another element, no element.              *)
InsertAt(s, i, e)  == SubSeq(s, 1, i - 1) \o <<e>> \o SubSeq(s, i, Len(s))
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
RemoveAt(s, i)     == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))

(* Without the first element that passes the test, or that is e.           *)
RemoveFirstMatch(s, Test(_)) ==
    LET i == SelectInSeq(s, Test)
    IN  IF i = 0 THEN s ELSE RemoveAt(s, i)

RemoveFirst(s, e) == RemoveFirstMatch(s, LAMBDA x : x = e)
-----------------------------------------------------------------------------
(* The two ends. Snoc is Append with its arguments the other way round.    *)

Cons(elt, seq) == <<elt>> \o seq
Snoc(elt, seq) == Append(seq, elt)

Front(s) == SubSeq(s, 1, Len(s) - 1)
Last(s)  == s[Len(s)]

(* t begins, or ends, with s; strictly: and there is more of t.            *)
IsPrefix(s, t) == Len(s) <= Len(t) /\ SubSeq(t, 1, Len(s)) = s
IsSuffix(s, t) == Len(s) <= Len(t) /\ SubSeq(t, Len(t) - Len(s) + 1, Len(t)) = s

IsStrictPrefix(s, t) == IsPrefix(s, t) /\ s # t
IsStrictSuffix(s, t) == IsSuffix(s, t) /\ s # t

(* All of them, from << >> to s.                                           *)
Prefixes(s) == {SubSeq(s, 1, n) : n \in 0 .. Len(s)}
Suffixes(s) == {SubSeq(s, n + 1, Len(s)) : n \in 0 .. Len(s)}

(* The prefixes that all sequences in the set S have, and the longest one. *)
CommonPrefixes(S) ==
    LET t == CHOOSE t \in S : TRUE
    IN  {p \in Prefixes(t) : \A s \in S : IsPrefix(p, s)}

LongestCommonPrefix(S) ==
    CHOOSE p \in CommonPrefixes(S) : \A q \in CommonPrefixes(S) : Len(q) <= Len(p)

(* a modulo b with results 1..b, for going round and round a sequence.     *)
SeqMod(a, b) == IF a % b = 0 THEN b ELSE a % b
-----------------------------------------------------------------------------
(* Folds, from the left and from the right:                                *)
(*     FoldLeft(op, base, <<a, b, c>>)  = op(op(op(base, a), b), c)        *)
(*     FoldRight(op, <<a, b, c>>, base) = op(a, op(b, op(c, base)))        *)
(* FoldSeq leaves the order open, so its op should not depend on it.       *)

FoldLeft(op(_, _), base, seq) ==
    LET Value[n \in 0 .. Len(seq)] ==
            IF n = 0 THEN base ELSE op(Value[n - 1], seq[n])
    IN  Value[Len(seq)]

FoldRight(op(_, _), seq, base) ==
    LET Value[n \in 1 .. (Len(seq) + 1)] ==
            IF n > Len(seq) THEN base ELSE op(seq[n], Value[n + 1])
    IN  Value[1]

FoldSeq(op(_, _), base, seq) == FoldLeft(LAMBDA value, e : op(e, value), base, seq)

(* The same over the indices instead of the elements.                      *)
FoldLeftDomain(op(_, _), base, seq)  == FoldLeft(op, base, [i \in DOMAIN seq |-> i])
FoldRightDomain(op(_, _), seq, base) == FoldRight(op, [i \in DOMAIN seq |-> i], base)
-----------------------------------------------------------------------------
(* Sequences of sequences, and sequences within sequences.                 *)

(* All elements of all sequences; a sequence of strings becomes a string.  *)
FlattenSeq(seqs) ==
    IF Len(seqs) = 0 THEN seqs
    ELSE LET Joined[n \in 1 .. Len(seqs)] ==
                 IF n = 1 THEN seqs[1] ELSE Joined[n - 1] \o seqs[n]
         IN  Joined[Len(seqs)]

(* The pairs of elements with the same index, as far as both go.           *)
Zip(s, t) ==
    LET n == IF Len(s) <= Len(t) THEN Len(s) ELSE Len(t)
    IN  [i \in 1 .. n |-> <<s[i], t[i]>>]

(* <<s[1]>>, <<t[1]>>, <<s[2]>>, ... for sequences of the same length.     *)
Interleave(s, t) ==
    [i \in 1 .. (2 * Len(s)) |-> IF i % 2 = 1 THEN <<s[(i + 1) \div 2]>> ELSE <<t[i \div 2]>>]

(* The sequences that are a contiguous part of s; that keep any of its     *)
(* elements.                                                               *)
SubSeqs(s) == {SubSeq(s, m, n) : m \in 1 .. (Len(s) + 1), n \in 0 .. Len(s)}

AllSubSeqs(s) ==
    LET Kept(I) == LET order == SetToSortSeq(I, <)
                   IN  [k \in DOMAIN order |-> s[order[k]]]
    IN  {Kept(I) : I \in SUBSET DOMAIN s}

(* The first index at which s lies in t.                                   *)
IndexFirstSubSeq(s, t) ==
    LET At(i) == SubSeq(t, i, i + Len(s) - 1) = s
    IN  CHOOSE i \in 1 .. (Len(t) - Len(s) + 1) :
            At(i) /\ \A j \in 1 .. (i - 1) : ~At(j)

(* t with r in the place of its part s: at index i, once, everywhere. An   *)
(* s that is not there is not replaced; the empty s is found before each   *)
(* element.                                                                *)
ReplaceSubSeqAt(i, r, s, t) ==
    SubSeq(t, 1, i - 1) \o r \o SubSeq(t, i + Len(s), Len(t))

LOCAL Occurs(s, t) ==
    \E i \in 1 .. (Len(t) - Len(s) + 1) : SubSeq(t, i, i + Len(s) - 1) = s

ReplaceFirstSubSeq(r, s, t) ==
    IF Occurs(s, t) THEN ReplaceSubSeqAt(IndexFirstSubSeq(s, t), r, s, t) ELSE t

ReplaceAllSubSeqs(r, s, t) ==
    LET RECURSIVE Replaced(_)
        Replaced(u) ==
            IF ~Occurs(s, u) THEN u
            ELSE LET i    == IndexFirstSubSeq(s, u)
                     kept == IF Len(s) = 0 THEN 1 ELSE 0  \* go on behind the next element
                     rest == SubSeq(u, i + Len(s) + kept, Len(u))
                 IN  SubSeq(u, 1, i - 1) \o r \o SubSeq(u, i, i + kept - 1)
                     \o (IF Len(rest) = 0 THEN rest ELSE Replaced(rest))
    IN  IF Len(t) = 0 /\ Len(s) = 0 THEN r ELSE Replaced(t)
=============================================================================
