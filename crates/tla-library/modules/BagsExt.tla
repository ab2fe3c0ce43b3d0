------------------------------ MODULE BagsExt ------------------------------
(* More operators on bags.                                                 *)
LOCAL INSTANCE Bags
LOCAL INSTANCE Integers
LOCAL INSTANCE Folds

(* One more copy of x; one copy less, if there is one; no copy at all.     *)
BagAdd(B, x)       == B (+) SetToBag({x})
BagRemove(B, x)    == B (-) SetToBag({x})
BagRemoveAll(B, x) == [e \in BagToSet(B) \ {x} |-> B[e]]

(* op(... op(op(base, f(x1)), f(x1)) ..., f(xn)) where x1 = choose(S) for  *)
(* the set S of elements, and so on; all copies of an element follow each  *)
(* other.                                                                  *)
MapThenFoldBag(op(_, _), base, f(_), choose(_), B) ==
    LET RECURSIVE Add(_, _, _)
        Add(value, x, copies) ==
            IF copies = 0 THEN value ELSE Add(op(value, f(x)), x, copies - 1)
        RECURSIVE From(_, _)
        From(S, value) ==
            IF S = {} THEN value
            ELSE LET x == choose(S)
                 IN  From(S \ {x}, Add(value, x, B[x]))
    IN  From(BagToSet(B), base)

FoldBag(op(_, _), base, B) ==
    MapThenFoldBag(op, base, LAMBDA x : x, LAMBDA S : CHOOSE x \in S : TRUE, B)

SumBag(B)     == FoldBag(LAMBDA x, y : x + y, 0, B)
ProductBag(B) == FoldBag(LAMBDA x, y : x * y, 1, B)
=============================================================================
