------------------------------ MODULE Apalache ------------------------------
(* Operators of the symbolic model checker Apalache. Most of them only     *)
(* tell it how to treat their argument, so here they are that argument.    *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences

(* x gets the value e.                                                     *)
x := e == x = e

(* Some value whose sets and sequences have at most size elements.         *)
Gen(size) == {}

(* Some element of S.                                                      *)
Guess(S) == CHOOSE x \in S : TRUE

(* Hints: the bound variable may become a constant; list the set; compare  *)
(* the cardinality by naming elements.                                     *)
Skolem(e) == e
Expand(S) == S
ConstCardinality(cardExpr) == cardExpr
-----------------------------------------------------------------------------
(* The function that a set of pairs describes.                             *)
SetAsFun(S) ==
    LET firsts  == {p[1] : p \in S}
        seconds == {p[2] : p \in S}
    IN  [x \in firsts |-> CHOOSE y \in seconds : <<x, y>> \in S]

(* The sequence F(1), ..., F(N).                                           *)
MkSeq(N, F(_)) == [i \in 1 .. N |-> F(i)]

(* The function fn on 1..len as a sequence; len is at most capacity.       *)
FunAsSeq(fn, len, capacity) == SubSeq(MkSeq(capacity, LAMBDA i : fn[i]), 1, len)
-----------------------------------------------------------------------------
(* Op(... Op(Op(v, x1), x2) ..., xn) for the elements of a set in some     *)
(* order, and of a sequence in its order.                                  *)
ApaFoldSet(Op(_, _), v, S) ==
    LET RECURSIVE From(_, _)
        From(value, T) ==
            IF T = {} THEN value
            ELSE LET x == CHOOSE x \in T : TRUE
                 IN  From(Op(value, x), T \ {x})
    IN  From(v, S)

ApaFoldSeqLeft(Op(_, _), v, seq) ==
    LET RECURSIVE From(_, _)
        From(value, i) == IF i > Len(seq) THEN value ELSE From(Op(value, seq[i]), i + 1)
    IN  From(v, 1)

(* F(... F(F(x, 1), 2) ..., N).                                            *)
Repeat(F(_, _), N, x) ==
    LET RECURSIVE Times(_)
        Times(n) == IF n <= 0 THEN x ELSE F(Times(n - 1), n)
    IN  Times(N)
=============================================================================
