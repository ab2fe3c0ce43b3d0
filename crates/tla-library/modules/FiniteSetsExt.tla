--------------------------- MODULE FiniteSetsExt ---------------------------
(* More operators on finite sets.                                          *)
EXTENDS Integers, FiniteSets, Folds, Functions
-----------------------------------------------------------------------------
(* op(xn, ... op(x2, op(x1, base))) for the elements in some order.        *)
FoldSet(op(_, _), base, set) ==
    LET RECURSIVE From(_, _)
        From(S, value) ==
            IF S = {} THEN value
            ELSE LET x == CHOOSE x \in S : TRUE
                 IN  From(S \ {x}, op(x, value))
    IN  From(set, base)

(* The older name, with the arguments in another order.                    *)
ReduceSet(op(_, _), set, acc) == FoldSet(op, acc, set)

SumSet(set)     == FoldSet(LAMBDA x, y : x + y, 0, set)
ProductSet(set) == FoldSet(LAMBDA x, y : x * y, 1, set)

(* The sum of the op(x), counted once for each x.                          *)
MapThenSumSet(op(_), set) == FoldSet(LAMBDA x, y : op(x) + y, 0, set)
-----------------------------------------------------------------------------
(* The same as UNION S.                                                    *)
FlattenSet(S) == UNION S

(* What is in exactly one of the two sets.                                 *)
SymDiff(A, B) == {x \in A \union B : x \notin A \/ x \notin B}

(* How many elements have the property P.                                  *)
Quantify(S, P(_)) == Cardinality({x \in S : P(x)})

(* The subsets with exactly k elements.                                    *)
kSubset(k, S) == {T \in SUBSET S : Cardinality(T) = k}

(* The greatest and the least element of a set of integers.                *)
Max(S) == CHOOSE x \in S : \A y \in S : y <= x
Min(S) == CHOOSE x \in S : \A y \in S : y >= x

(* The sets made by taking one element from each set in Sets; an element   *)
(* of several sets may be taken from each of them.                         *)
Choices(Sets) ==
    LET picks == {f \in [Sets -> UNION Sets] : \A T \in Sets : f[T] \in T}
    IN  {{f[T] : T \in Sets} : f \in picks}

(* The only element with the property P.                                   *)
ChooseUnique(S, P(_)) == CHOOSE x \in S : \A y \in S : P(y) <=> y = x
=============================================================================
