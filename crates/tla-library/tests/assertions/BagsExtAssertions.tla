------------------------- MODULE BagsExtAssertions -------------------------
(* Changing and folding bags.                                              *)
EXTENDS BagsExt, Bags, Integers, Sequences

B == (1 :> 2) @@ (2 :> 1) @@ (3 :> 3)

ASSUME BagAdd(B, 1) = (1 :> 3 @@ 2 :> 1 @@ 3 :> 3) /\ BagAdd(EmptyBag, 5) = (5 :> 1)
ASSUME BagRemove(B, 1) = (1 :> 1 @@ 2 :> 1 @@ 3 :> 3) /\ BagRemove(B, 2) = (1 :> 2 @@ 3 :> 3)
ASSUME BagRemove(B, 9) = B /\ BagRemoveAll(B, 3) = (1 :> 2 @@ 2 :> 1) /\ BagRemoveAll(B, 9) = B
ASSUME FoldBag(+, 0, B) = 13 /\ SumBag(B) = 13 /\ ProductBag(B) = 54
ASSUME SumBag(EmptyBag) = 0 /\ ProductBag(EmptyBag) = 1
ASSUME MapThenFoldBag(+, 0, LAMBDA x : 1, LAMBDA S : CHOOSE x \in S : TRUE, B) = 6
ASSUME MapThenFoldBag(\o, << >>, LAMBDA x : <<x>>, LAMBDA S : CHOOSE x \in S : \A y \in S : x <= y, B)
       = <<1, 1, 2, 3, 3, 3>>

(* Where the order shows, elements come in ascending order.                *)
ASSUME FoldBag(LAMBDA x, y : <<x, y>>, 0, (1 :> 2) @@ (2 :> 1)) = <<<<<<0, 1>>, 1>>, 2>>
=============================================================================
