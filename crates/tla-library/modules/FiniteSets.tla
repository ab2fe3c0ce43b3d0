---------------------------- MODULE FiniteSets ----------------------------
(* Finiteness, and the number of elements of a finite set.                 *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

(* S is finite if some sequence lists all its elements.                    *)
IsFiniteSet(S) ==
    \E list \in Seq(S) : \A x \in S : \E i \in 1 .. Len(list) : list[i] = x

(* Of a finite set; one element is taken away until none is left.          *)
Cardinality(S) ==
    LET Count[T \in SUBSET S] ==
            IF T = {} THEN 0 ELSE Count[T \ {CHOOSE x \in T : TRUE}] + 1
    IN  Count[S]
=============================================================================
