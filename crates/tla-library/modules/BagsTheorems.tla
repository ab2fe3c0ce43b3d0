---------------------------- MODULE BagsTheorems ----------------------------
(* Facts about bags. All are stated without proof.                         *)
EXTENDS Bags, TLAPS, FiniteSetTheorems, SequenceTheorems

(* k copies of each copy in X; the elements of a sequence as a bag.        *)
Scaling(k, X) == IF k > 0 THEN [x \in DOMAIN X |-> k * X[x]] ELSE EmptyBag
SeqToBag(s) == [x \in Range(s) |-> Cardinality({i \in DOMAIN s : s[i] = x})]
-----------------------------------------------------------------------------
(* Inclusion of bags is a partial order.                                   *)

THEOREM Bags_SqsubsetPO_Reflexivity ==
    ASSUME NEW X, IsABag(X)
    PROVE  X \sqsubseteq X

THEOREM Bags_SqsubseteqPO_AntiSymmetry ==
    ASSUME NEW X, NEW Y, IsABag(X), IsABag(Y), X \sqsubseteq Y, Y \sqsubseteq X
    PROVE  X = Y

THEOREM Bags_SqsubseteqPO_Transitivity ==
    ASSUME NEW X, NEW Y, NEW Z, IsABag(X), IsABag(Y), IsABag(Z), X \sqsubseteq Y,
           Y \sqsubseteq Z
    PROVE  X \sqsubseteq Z
-----------------------------------------------------------------------------
(* The empty bag, scaling, and sets as bags.                               *)

THEOREM Bags_EmptyBag ==
    ASSUME NEW X, IsABag(X)
    PROVE  /\ IsABag(EmptyBag)
           /\ X = EmptyBag <=> DOMAIN X = {}
           /\ DOMAIN EmptyBag = {}
           /\ EmptyBag \sqsubseteq X
           /\ \A x : ~BagIn(x, EmptyBag)

THEOREM Bags_Scaling ==
    ASSUME NEW X, IsABag(X), NEW k \in Nat, NEW j \in Nat
    PROVE  /\ IsABag(Scaling(k, X))
           /\ Scaling(k, EmptyBag) = EmptyBag
           /\ Scaling(0, X) = EmptyBag
           /\ Scaling(1, X) = X
           /\ Scaling(k * j, X) = Scaling(k, Scaling(j, X))
           /\ k > 0 => DOMAIN Scaling(k, X) = DOMAIN X

THEOREM Bags_ScalingMonotonic ==
    ASSUME NEW X, IsABag(X), NEW k \in Nat, NEW j \in Nat, j <= k
    PROVE  Scaling(j, X) \sqsubseteq Scaling(k, X)

THEOREM Bags_Inverse ==
    ASSUME NEW A
    PROVE  BagToSet(SetToBag(A)) = A

THEOREM Bags_Inverse1 ==
    ASSUME NEW X, IsABag(X)
    PROVE  SetToBag(BagToSet(X)) \sqsubseteq X

THEOREM Bags_SetToBagEquality ==
    ASSUME NEW X, NEW Y
    PROVE  X = Y <=> SetToBag(X) = SetToBag(Y)

THEOREM Bags_SetToBagIsABag ==
    ASSUME NEW A
    PROVE  IsABag(SetToBag(A))

THEOREM Bags_IsABagSeqToBag ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  IsABag(SeqToBag(s))
-----------------------------------------------------------------------------
(* Sum and difference.                                                     *)

THEOREM Bags_Union ==
    ASSUME NEW X, NEW Y, IsABag(X), IsABag(Y)
    PROVE  /\ IsABag(X (+) Y)
           /\ DOMAIN (X (+) Y) = DOMAIN X \cup DOMAIN Y
           /\ \A x : CopiesIn(x, X (+) Y) = CopiesIn(x, X) + CopiesIn(x, Y)

THEOREM Bags_UnionCommutative ==
    ASSUME NEW X, NEW Y, IsABag(X), IsABag(Y)
    PROVE  X (+) Y = Y (+) X

THEOREM Bags_UnionAssociative ==
    ASSUME NEW X, NEW Y, NEW Z, IsABag(X), IsABag(Y), IsABag(Z)
    PROVE  (X (+) Y) (+) Z = X (+) (Y (+) Z)

THEOREM Bags_UnionSqSubset ==
    ASSUME NEW X, NEW Y, IsABag(X), IsABag(Y)
    PROVE  X \sqsubseteq (X (+) Y)

THEOREM Bags_Difference ==
    ASSUME NEW X, NEW Y, IsABag(X), IsABag(Y)
    PROVE  /\ IsABag(X (-) Y)
           /\ DOMAIN (X (-) Y) = {x \in DOMAIN X : x \notin DOMAIN Y \/ X[x] > Y[x]}
           /\ \A x : CopiesIn(x, X (-) Y) =
                 IF BagIn(x, X (-) Y) THEN CopiesIn(x, X) - CopiesIn(x, Y) ELSE 0

THEOREM Bags_DifferenceSqsubset ==
    ASSUME NEW X, NEW Y, IsABag(X), IsABag(Y)
    PROVE  (X (-) Y) \sqsubseteq X

THEOREM Bags_EmptyBagOperations ==
    ASSUME NEW X, IsABag(X)
    PROVE  X (+) EmptyBag = X /\ X (-) EmptyBag = X
-----------------------------------------------------------------------------
(* Copies.                                                                 *)

THEOREM Bags_CopiesInBagsInMonotone ==
    ASSUME NEW X, NEW Y, NEW x, IsABag(X), IsABag(Y), X \sqsubseteq Y
    PROVE  /\ BagIn(x, X) => BagIn(x, Y)
           /\ CopiesIn(x, X) <= CopiesIn(x, Y)

THEOREM Bags_CopiesInScaling ==
    ASSUME NEW X, IsABag(X), NEW k \in Nat, NEW x
    PROVE  CopiesIn(x, Scaling(k, X)) = k * CopiesIn(x, X)

THEOREM Bags_CopiesInSetToBag ==
    ASSUME NEW X, NEW x
    PROVE  CopiesIn(x, SetToBag(X)) = IF x \in X THEN 1 ELSE 0
=============================================================================
