-------------------------------- MODULE TLC --------------------------------
(* Operators for a model checker: printing, assertions, registers, random  *)
(* choice, and functions written out by hand. What printing and registers  *)
(* do happens beside the logic, so here each of them is only its value.    *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
-----------------------------------------------------------------------------
(* Print(out, val) is val and PrintT(out) is TRUE; both print out.         *)
Print(out, val) == val
PrintT(out) == TRUE

(* TRUE if val is; otherwise an error that shows out.                      *)
Assert(val, out) == IF val = TRUE THEN TRUE ELSE CHOOSE v : TRUE

(* Milliseconds (their low 31 bits) of the clock when it is evaluated.     *)
JavaTime == CHOOSE n : n \in Nat

(* Registers. TLCSet(i, v) is TRUE and stores v under the number i, and    *)
(* TLCGet(i) is what was stored. With a string, TLCGet asks about the run: *)
(*   "level"     states of the behaviour so far                            *)
(*   "diameter"  longest behaviour so far    "distinct"  states found      *)
(*   "generated" states generated            "queue"     states waiting    *)
(*   "duration"  seconds since the start     "config"    how it was run    *)
(*   "stats"     these numbers as a record   "action"    the current step  *)
(*   "spec"      the parts of the specification                            *)
(* TLCSet("exit", TRUE) ends the run, and TLCSet("pause", TRUE) halts it.  *)
TLCGet(i) == CHOOSE v : TRUE
TLCSet(i, v) == TRUE
-----------------------------------------------------------------------------
(* The function that maps d, and nothing else, to e.                       *)
d :> e == [x \in {d} |-> e]

(* Both functions in one. Where both are defined, the left one counts.     *)
f @@ g == [x \in DOMAIN f \union DOMAIN g |->
              IF x \in DOMAIN f THEN f[x] ELSE g[x]]

(* All ways to permute the finite set S.                                   *)
Permutations(S) == {p \in [S -> S] : {p[x] : x \in S} = S}

(* The elements of s in an order where Op holds between an element and any *)
(* later one that differs from it.                                         *)
SortSeq(s, Op(_, _)) ==
    LET I == 1 .. Len(s)
        order == CHOOSE p \in Permutations(I) :
                    \A i, j \in I : i < j =>
                        s[p[i]] = s[p[j]] \/ Op(s[p[i]], s[p[j]])
    IN  [i \in I |-> s[order[i]]]
-----------------------------------------------------------------------------
(* Some element of S, each with the same probability.                      *)
RandomElement(s) == CHOOSE x \in s : TRUE

(* A value that counts as having every value as an element.                *)
Any == CHOOSE x : TRUE

(* The text of the value v as TLA+ writes it.                              *)
ToString(v) == (CHOOSE x \in [value : {v}, text : STRING] : TRUE).text

(* v itself, evaluated at once and completely.                             *)
TLCEval(v) == v
=============================================================================
