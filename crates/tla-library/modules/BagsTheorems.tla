---------------------------- MODULE BagsTheorems ----------------------------
(* Facts about bags. All are stated without proof.                         *)
EXTENDS Bags, TLAPS, FiniteSetTheorems, SequenceTheorems

(* n copies of each copy in B; the elements of a sequence as a bag.        *)
Scaling(n, B) == IF n > 0 THEN [e \in DOMAIN B |-> n * B[e]] ELSE EmptyBag
SeqToBag(seq) == [x \in Range(seq) |-> Cardinality({i \in DOMAIN seq : seq[i] = x})]
-----------------------------------------------------------------------------
(* Inclusion of bags is a partial order.                                   *)

THEOREM Bags_SqsubsetPO_Reflexivity ==
    ASSUME NEW B, IsABag(B)
    PROVE  B \sqsubseteq B

THEOREM Bags_SqsubseteqPO_AntiSymmetry ==
    ASSUME NEW A, NEW B, IsABag(A), IsABag(B), A \sqsubseteq B, B \sqsubseteq A
    PROVE  A = B

THEOREM Bags_SqsubseteqPO_Transitivity ==
    ASSUME NEW A, NEW B, NEW C, IsABag(A), IsABag(B), IsABag(C),
           A \sqsubseteq B, B \sqsubseteq C
    PROVE  A \sqsubseteq C
-----------------------------------------------------------------------------
(* The empty bag, scaling, and sets as bags.                               *)

THEOREM Bags_EmptyBag ==
    ASSUME NEW B, IsABag(B)
    PROVE  /\ IsABag(EmptyBag)
           /\ B = EmptyBag <=> DOMAIN B = {}
           /\ DOMAIN EmptyBag = {}
           /\ EmptyBag \sqsubseteq B
           /\ \A e : ~BagIn(e, EmptyBag)

THEOREM Bags_Scaling ==
    ASSUME NEW B, IsABag(B), NEW n \in Nat, NEW m \in Nat
    PROVE  /\ IsABag(Scaling(n, B))
           /\ Scaling(n, EmptyBag) = EmptyBag
           /\ Scaling(0, B) = EmptyBag
           /\ Scaling(1, B) = B
           /\ Scaling(n * m, B) = Scaling(n, Scaling(m, B))
           /\ n > 0 => DOMAIN Scaling(n, B) = DOMAIN B

THEOREM Bags_ScalingMonotonic ==
    ASSUME NEW B, IsABag(B), NEW n \in Nat, NEW m \in Nat, m <= n
    PROVE  Scaling(m, B) \sqsubseteq Scaling(n, B)

THEOREM Bags_Inverse ==
    ASSUME NEW S
    PROVE  BagToSet(SetToBag(S)) = S

THEOREM Bags_Inverse1 ==
    ASSUME NEW B, IsABag(B)
    PROVE  SetToBag(BagToSet(B)) \sqsubseteq B

THEOREM Bags_SetToBagEquality ==
    ASSUME NEW A, NEW B
    PROVE  A = B <=> SetToBag(A) = SetToBag(B)

THEOREM Bags_SetToBagIsABag ==
    ASSUME NEW S
    PROVE  IsABag(SetToBag(S))

THEOREM Bags_IsABagSeqToBag ==
    ASSUME NEW S, NEW seq \in Seq(S)
    PROVE  IsABag(SeqToBag(seq))
-----------------------------------------------------------------------------
(* Sum and difference.                                                     *)

THEOREM Bags_Union ==
    ASSUME NEW B1, NEW B2, IsABag(B1), IsABag(B2)
    PROVE  /\ IsABag(B1 (+) B2)
           /\ DOMAIN (B1 (+) B2) = DOMAIN B1 \cup DOMAIN B2
           /\ \A e : CopiesIn(e, B1 (+) B2) = CopiesIn(e, B1) + CopiesIn(e, B2)

THEOREM Bags_UnionCommutative ==
    ASSUME NEW B1, NEW B2, IsABag(B1), IsABag(B2)
    PROVE  B1 (+) B2 = B2 (+) B1

THEOREM Bags_UnionAssociative ==
    ASSUME NEW B1, NEW B2, NEW B3, IsABag(B1), IsABag(B2), IsABag(B3)
    PROVE  (B1 (+) B2) (+) B3 = B1 (+) (B2 (+) B3)

THEOREM Bags_UnionSqSubset ==
    ASSUME NEW B1, NEW B2, IsABag(B1), IsABag(B2)
    PROVE  B1 \sqsubseteq (B1 (+) B2)

THEOREM Bags_Difference ==
    ASSUME NEW B1, NEW B2, IsABag(B1), IsABag(B2)
    PROVE  /\ IsABag(B1 (-) B2)
           /\ DOMAIN (B1 (-) B2) = {e \in DOMAIN B1 : e \notin DOMAIN B2 \/ B1[e] > B2[e]}
           /\ \A e : CopiesIn(e, B1 (-) B2) =
                 IF BagIn(e, B1 (-) B2) THEN CopiesIn(e, B1) - CopiesIn(e, B2) ELSE 0

THEOREM Bags_DifferenceSqsubset ==
    ASSUME NEW A, NEW B, IsABag(A), IsABag(B)
    PROVE  (A (-) B) \sqsubseteq A

THEOREM Bags_EmptyBagOperations ==
    ASSUME NEW B, IsABag(B)
    PROVE  B (+) EmptyBag = B /\ B (-) EmptyBag = B
-----------------------------------------------------------------------------
(* Copies.                                                                 *)

THEOREM Bags_CopiesInBagsInMonotone ==
    ASSUME NEW B1, NEW B2, NEW e, IsABag(B1), IsABag(B2), B1 \sqsubseteq B2
    PROVE  /\ BagIn(e, B1) => BagIn(e, B2)
           /\ CopiesIn(e, B1) <= CopiesIn(e, B2)

THEOREM Bags_CopiesInScaling ==
    ASSUME NEW B, IsABag(B), NEW n \in Nat, NEW e
    PROVE  CopiesIn(e, Scaling(n, B)) = n * CopiesIn(e, B)

THEOREM Bags_CopiesInSetToBag ==
    ASSUME NEW B, NEW e
    PROVE  CopiesIn(e, SetToBag(B)) = IF e \in B THEN 1 ELSE 0
=============================================================================
