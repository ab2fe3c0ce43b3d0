-------------------------- MODULE BagsAssertions --------------------------
(* Bags, which are functions from elements to positive numbers.            *)
EXTENDS Bags, Naturals

B == ("a" :> 2) @@ ("b" :> 1)
C == ("b" :> 3) @@ ("c" :> 1)

ASSUME IsABag(B) /\ IsABag(EmptyBag) /\ ~IsABag("a" :> 0)
ASSUME BagToSet(B) = {"a", "b"} /\ SetToBag({"a"}) = ("a" :> 1) /\ BagToSet(EmptyBag) = {}
ASSUME BagIn("a", B) /\ ~BagIn("c", B)
ASSUME CopiesIn("a", B) = 2 /\ CopiesIn("c", B) = 0
ASSUME (B (+) C) = (("a" :> 2) @@ ("b" :> 4) @@ ("c" :> 1))
ASSUME (B (-) C) = ("a" :> 2) /\ (C (-) B) = (("b" :> 2) @@ ("c" :> 1))
ASSUME (B (-) B) = EmptyBag /\ (B (+) EmptyBag) = B
ASSUME BagUnion({B, C}) = (B (+) C) /\ BagUnion({}) = EmptyBag
ASSUME ("a" :> 1) \sqsubseteq B /\ ~(C \sqsubseteq B) /\ EmptyBag \sqsubseteq B
ASSUME SubBag(B) = {EmptyBag, "a" :> 1, "a" :> 2, "b" :> 1,
                    ("a" :> 1) @@ ("b" :> 1), ("a" :> 2) @@ ("b" :> 1)}
ASSUME SubBag(EmptyBag) = {EmptyBag}
ASSUME BagOfAll(LAMBDA x : <<x>>, B) = ((<<"a">> :> 2) @@ (<<"b">> :> 1))
ASSUME BagOfAll(LAMBDA x : x = x, B) = (TRUE :> 3)
ASSUME BagCardinality(B) = 3 /\ BagCardinality(EmptyBag) = 0
ASSUME \A A \in SubBag(B) : A \sqsubseteq B /\ ((B (-) A) (+) A) = B
=============================================================================
