------------------------- MODULE FiniteSetTheorems -------------------------
(* Facts about finite sets and how many elements they have. All are stated *)
(* without proof.                                                          *)
EXTENDS FiniteSets, Integers, Functions, WellFoundedInduction
-----------------------------------------------------------------------------
(* Counting: a finite set is the image of some 1..n, one to one if n is    *)
(* its cardinality.                                                        *)

LEMMA FS_NatSurjection ==
    ASSUME NEW A
    PROVE  IsFiniteSet(A) <=> \E n \in Nat : ExistsSurjection(1 .. n, A)

LEMMA FS_NatBijection ==
    ASSUME NEW A
    PROVE  IsFiniteSet(A) <=> \E n \in Nat : ExistsBijection(1 .. n, A)

LEMMA FS_CountingElements ==
    ASSUME NEW A, NEW n \in Nat, ExistsBijection(1 .. n, A)
    PROVE  Cardinality(A) = n

THEOREM FS_SurjCardinalityBound ==
    ASSUME NEW A, NEW n \in Nat, ExistsSurjection(1 .. n, A)
    PROVE  Cardinality(A) <= n

THEOREM FS_CardinalityType ==
    ASSUME NEW A, IsFiniteSet(A)
    PROVE  Cardinality(A) \in Nat /\ ExistsBijection(1 .. Cardinality(A), A)
-----------------------------------------------------------------------------
(* Maps between finite sets.                                               *)

THEOREM FS_Bijection ==
    ASSUME NEW A, NEW B, IsFiniteSet(A), ExistsBijection(A, B)
    PROVE  IsFiniteSet(B) /\ Cardinality(B) = Cardinality(A)

THEOREM FS_SameCardinalityBij ==
    ASSUME NEW A, NEW B, IsFiniteSet(A), IsFiniteSet(B),
           Cardinality(A) = Cardinality(B)
    PROVE  ExistsBijection(A, B)

THEOREM FS_SurjSameCardinalityImpliesInj ==
    ASSUME NEW A, NEW B, IsFiniteSet(A), Cardinality(A) = Cardinality(B),
           NEW f \in Surjection(A, B)
    PROVE  f \in Injection(A, B)

THEOREM FS_Surjection ==
    ASSUME NEW A, NEW B, NEW f \in Surjection(A, B), IsFiniteSet(A)
    PROVE  /\ IsFiniteSet(B)
           /\ Cardinality(B) <= Cardinality(A)
           /\ Cardinality(B) = Cardinality(A) <=> f \in Injection(A, B)

THEOREM FS_Image ==
    ASSUME NEW A, IsFiniteSet(A), NEW F(_)
    PROVE  LET B == {F(e) : e \in A}
           IN  IsFiniteSet(B) /\ Cardinality(B) <= Cardinality(A)

THEOREM FS_Injection ==
    ASSUME NEW A, NEW B, NEW f \in Injection(A, B), IsFiniteSet(B)
    PROVE  /\ IsFiniteSet(A)
           /\ Cardinality(A) <= Cardinality(B)
           /\ Cardinality(A) = Cardinality(B) <=> f \in Surjection(A, B)

THEOREM FS_PigeonHole ==
    ASSUME NEW A, IsFiniteSet(A), NEW B, IsFiniteSet(B),
           Cardinality(B) < Cardinality(A), NEW f \in [A -> B]
    PROVE  \E e, d \in A : e # d /\ f[e] = f[d]
-----------------------------------------------------------------------------
(* Small sets, subsets and intervals.                                      *)

THEOREM FS_EmptySet ==
    /\ IsFiniteSet({})
    /\ Cardinality({}) = 0
    /\ \A A : IsFiniteSet(A) => (Cardinality(A) = 0 <=> A = {})

THEOREM FS_Singleton ==
    /\ \A e : IsFiniteSet({e}) /\ Cardinality({e}) = 1
    /\ \A A : IsFiniteSet(A) => (Cardinality(A) = 1 <=> \E e : A = {e})

THEOREM FS_AddElement ==
    ASSUME NEW A, NEW e, IsFiniteSet(A)
    PROVE  /\ IsFiniteSet(A \cup {e})
           /\ Cardinality(A \cup {e}) =
                 IF e \in A THEN Cardinality(A) ELSE Cardinality(A) + 1

THEOREM FS_RemoveElement ==
    ASSUME NEW A, NEW e, IsFiniteSet(A)
    PROVE  /\ IsFiniteSet(A \ {e})
           /\ Cardinality(A \ {e}) =
                 IF e \in A THEN Cardinality(A) - 1 ELSE Cardinality(A)

THEOREM FS_Subset ==
    ASSUME NEW A, IsFiniteSet(A), NEW B \in SUBSET A
    PROVE  /\ IsFiniteSet(B)
           /\ Cardinality(B) <= Cardinality(A)
           /\ Cardinality(A) = Cardinality(B) => A = B

THEOREM FS_Interval ==
    ASSUME NEW m \in Int, NEW n \in Int
    PROVE  /\ IsFiniteSet(m .. n)
           /\ Cardinality(m .. n) = IF m > n THEN 0 ELSE n - m + 1

THEOREM FS_BoundedSetOfNaturals ==
    ASSUME NEW A \in SUBSET Nat, NEW n \in Nat, \A e \in A : e <= n
    PROVE  IsFiniteSet(A) /\ Cardinality(A) <= n + 1
-----------------------------------------------------------------------------
(* Induction, by adding elements or along strict inclusion.                *)

THEOREM FS_Induction ==
    ASSUME NEW A, IsFiniteSet(A), NEW P(_), P({}),
           ASSUME NEW B \in SUBSET A, IsFiniteSet(B), P(B), NEW e \in A \ B
           PROVE  P(B \cup {e})
    PROVE  P(A)

FiniteSubsetsOf(A) == {B \in SUBSET A : IsFiniteSet(B)}

StrictSubsetOrdering(A) ==
    {p \in (SUBSET A) \X (SUBSET A) : p[1] \subseteq p[2] /\ p[1] # p[2]}

LEMMA FS_FiniteSubsetsOfFinite ==
    ASSUME NEW A, IsFiniteSet(A)
    PROVE  FiniteSubsetsOf(A) = SUBSET A

THEOREM FS_StrictSubsetOrderingWellFounded ==
    ASSUME NEW A
    PROVE  IsWellFoundedOn(StrictSubsetOrdering(A), FiniteSubsetsOf(A))

THEOREM FS_WFInduction ==
    ASSUME NEW P(_), NEW A, IsFiniteSet(A),
           ASSUME NEW B \in SUBSET A, \A C \in (SUBSET B) \ {B} : P(C)
           PROVE  P(B)
    PROVE  P(A)
-----------------------------------------------------------------------------
(* Operations on finite sets.                                              *)

THEOREM FS_Union ==
    ASSUME NEW A, IsFiniteSet(A), NEW B, IsFiniteSet(B)
    PROVE  /\ IsFiniteSet(A \cup B)
           /\ Cardinality(A \cup B) =
                 Cardinality(A) + Cardinality(B) - Cardinality(A \cap B)

THEOREM FS_MajoritiesIntersect ==
    ASSUME NEW C, NEW A, NEW B, IsFiniteSet(C), A \subseteq C, B \subseteq C,
           Cardinality(A) + Cardinality(B) > Cardinality(C)
    PROVE  A \cap B # {}

THEOREM FS_Intersection ==
    ASSUME NEW A, IsFiniteSet(A), NEW B
    PROVE  /\ IsFiniteSet(A \cap B)
           /\ IsFiniteSet(B \cap A)
           /\ Cardinality(A \cap B) <= Cardinality(A)
           /\ Cardinality(B \cap A) <= Cardinality(A)

THEOREM FS_Difference ==
    ASSUME NEW A, NEW B, IsFiniteSet(A)
    PROVE  /\ IsFiniteSet(A \ B)
           /\ Cardinality(A \ B) = Cardinality(A) - Cardinality(A \cap B)

THEOREM FS_UNION ==
    ASSUME NEW A, IsFiniteSet(A), \A B \in A : IsFiniteSet(B)
    PROVE  IsFiniteSet(UNION A)

THEOREM FS_Product ==
    ASSUME NEW A, IsFiniteSet(A), NEW B, IsFiniteSet(B)
    PROVE  /\ IsFiniteSet(A \X B)
           /\ Cardinality(A \X B) = Cardinality(A) * Cardinality(B)

THEOREM FS_SUBSET ==
    ASSUME NEW A, IsFiniteSet(A)
    PROVE  /\ IsFiniteSet(SUBSET A)
           /\ Cardinality(SUBSET A) = 2 ^ Cardinality(A)
=============================================================================
