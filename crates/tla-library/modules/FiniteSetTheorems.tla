------------------------- MODULE FiniteSetTheorems -------------------------
(* Facts about finite sets and how many elements they have. All are stated *)
(* without proof.                                                          *)
EXTENDS FiniteSets, Integers, Functions, WellFoundedInduction
-----------------------------------------------------------------------------
(* Counting: a finite set is the image of some 1..n, one to one if n is    *)
(* its cardinality.                                                        *)

LEMMA FS_NatSurjection ==
    ASSUME NEW S
    PROVE  IsFiniteSet(S) <=> \E n \in Nat : ExistsSurjection(1 .. n, S)

LEMMA FS_NatBijection ==
    ASSUME NEW S
    PROVE  IsFiniteSet(S) <=> \E n \in Nat : ExistsBijection(1 .. n, S)

LEMMA FS_CountingElements ==
    ASSUME NEW S, NEW n \in Nat, ExistsBijection(1 .. n, S)
    PROVE  Cardinality(S) = n

THEOREM FS_SurjCardinalityBound ==
    ASSUME NEW S, NEW n \in Nat, ExistsSurjection(1 .. n, S)
    PROVE  Cardinality(S) <= n

THEOREM FS_CardinalityType ==
    ASSUME NEW S, IsFiniteSet(S)
    PROVE  Cardinality(S) \in Nat /\ ExistsBijection(1 .. Cardinality(S), S)
-----------------------------------------------------------------------------
(* Maps between finite sets.                                               *)

THEOREM FS_Bijection ==
    ASSUME NEW S, NEW T, IsFiniteSet(S), ExistsBijection(S, T)
    PROVE  IsFiniteSet(T) /\ Cardinality(T) = Cardinality(S)

THEOREM FS_SameCardinalityBij ==
    ASSUME NEW S, NEW T, IsFiniteSet(S), IsFiniteSet(T), Cardinality(S) = Cardinality(T)
    PROVE  ExistsBijection(S, T)

THEOREM FS_SurjSameCardinalityImpliesInj ==
    ASSUME NEW S, NEW T, IsFiniteSet(S), Cardinality(S) = Cardinality(T),
           NEW f \in Surjection(S, T)
    PROVE  f \in Injection(S, T)

THEOREM FS_Surjection ==
    ASSUME NEW S, NEW T, NEW f \in Surjection(S, T), IsFiniteSet(S)
    PROVE  /\ IsFiniteSet(T)
           /\ Cardinality(T) <= Cardinality(S)
           /\ Cardinality(T) = Cardinality(S) <=> f \in Injection(S, T)

THEOREM FS_Image ==
    ASSUME NEW S, IsFiniteSet(S), NEW Op(_)
    PROVE  LET T == {Op(x) : x \in S}
           IN  IsFiniteSet(T) /\ Cardinality(T) <= Cardinality(S)

THEOREM FS_Injection ==
    ASSUME NEW S, NEW T, NEW f \in Injection(S, T), IsFiniteSet(T)
    PROVE  /\ IsFiniteSet(S)
           /\ Cardinality(S) <= Cardinality(T)
           /\ Cardinality(S) = Cardinality(T) <=> f \in Surjection(S, T)

THEOREM FS_PigeonHole ==
    ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T),
           Cardinality(T) < Cardinality(S), NEW f \in [S -> T]
    PROVE  \E x, y \in S : x # y /\ f[x] = f[y]
-----------------------------------------------------------------------------
(* Small sets, subsets and intervals.                                      *)

THEOREM FS_EmptySet ==
    /\ IsFiniteSet({})
    /\ Cardinality({}) = 0
    /\ \A S : IsFiniteSet(S) => (Cardinality(S) = 0 <=> S = {})

THEOREM FS_Singleton ==
    /\ \A x : IsFiniteSet({x}) /\ Cardinality({x}) = 1
    /\ \A S : IsFiniteSet(S) => (Cardinality(S) = 1 <=> \E x : S = {x})

THEOREM FS_AddElement ==
    ASSUME NEW S, NEW x, IsFiniteSet(S)
    PROVE  /\ IsFiniteSet(S \cup {x})
           /\ Cardinality(S \cup {x}) =
                 IF x \in S THEN Cardinality(S) ELSE Cardinality(S) + 1

THEOREM FS_RemoveElement ==
    ASSUME NEW S, NEW x, IsFiniteSet(S)
    PROVE  /\ IsFiniteSet(S \ {x})
           /\ Cardinality(S \ {x}) =
                 IF x \in S THEN Cardinality(S) - 1 ELSE Cardinality(S)

THEOREM FS_Subset ==
    ASSUME NEW S, IsFiniteSet(S), NEW T \in SUBSET S
    PROVE  /\ IsFiniteSet(T)
           /\ Cardinality(T) <= Cardinality(S)
           /\ Cardinality(S) = Cardinality(T) => S = T

THEOREM FS_Interval ==
    ASSUME NEW a \in Int, NEW b \in Int
    PROVE  /\ IsFiniteSet(a .. b)
           /\ Cardinality(a .. b) = IF a > b THEN 0 ELSE b - a + 1

THEOREM FS_BoundedSetOfNaturals ==
    ASSUME NEW S \in SUBSET Nat, NEW n \in Nat, \A s \in S : s <= n
    PROVE  IsFiniteSet(S) /\ Cardinality(S) <= n + 1
-----------------------------------------------------------------------------
(* Induction, by adding elements or along strict inclusion.                *)

THEOREM FS_Induction ==
    ASSUME NEW S, IsFiniteSet(S), NEW P(_), P({}),
           ASSUME NEW T \in SUBSET S, IsFiniteSet(T), P(T), NEW x \in S \ T
           PROVE  P(T \cup {x})
    PROVE  P(S)

FiniteSubsetsOf(S) == {T \in SUBSET S : IsFiniteSet(T)}

StrictSubsetOrdering(S) ==
    {p \in (SUBSET S) \X (SUBSET S) : p[1] \subseteq p[2] /\ p[1] # p[2]}

LEMMA FS_FiniteSubsetsOfFinite ==
    ASSUME NEW S, IsFiniteSet(S)
    PROVE  FiniteSubsetsOf(S) = SUBSET S

THEOREM FS_StrictSubsetOrderingWellFounded ==
    ASSUME NEW S
    PROVE  IsWellFoundedOn(StrictSubsetOrdering(S), FiniteSubsetsOf(S))

THEOREM FS_WFInduction ==
    ASSUME NEW P(_), NEW S, IsFiniteSet(S),
           ASSUME NEW T \in SUBSET S, \A U \in (SUBSET T) \ {T} : P(U)
           PROVE  P(T)
    PROVE  P(S)
-----------------------------------------------------------------------------
(* Operations on finite sets.                                              *)

THEOREM FS_Union ==
    ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T)
    PROVE  /\ IsFiniteSet(S \cup T)
           /\ Cardinality(S \cup T) =
                 Cardinality(S) + Cardinality(T) - Cardinality(S \cap T)

THEOREM FS_MajoritiesIntersect ==
    ASSUME NEW U, NEW S, NEW T, IsFiniteSet(U), S \subseteq U, T \subseteq U,
           Cardinality(S) + Cardinality(T) > Cardinality(U)
    PROVE  S \cap T # {}

THEOREM FS_Intersection ==
    ASSUME NEW S, IsFiniteSet(S), NEW T
    PROVE  /\ IsFiniteSet(S \cap T)
           /\ IsFiniteSet(T \cap S)
           /\ Cardinality(S \cap T) <= Cardinality(S)
           /\ Cardinality(T \cap S) <= Cardinality(S)

THEOREM FS_Difference ==
    ASSUME NEW S, NEW T, IsFiniteSet(S)
    PROVE  /\ IsFiniteSet(S \ T)
           /\ Cardinality(S \ T) = Cardinality(S) - Cardinality(S \cap T)

THEOREM FS_UNION ==
    ASSUME NEW S, IsFiniteSet(S), \A T \in S : IsFiniteSet(T)
    PROVE  IsFiniteSet(UNION S)

THEOREM FS_Product ==
    ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T)
    PROVE  /\ IsFiniteSet(S \X T)
           /\ Cardinality(S \X T) = Cardinality(S) * Cardinality(T)

THEOREM FS_SUBSET ==
    ASSUME NEW S, IsFiniteSet(S)
    PROVE  /\ IsFiniteSet(SUBSET S)
           /\ Cardinality(SUBSET S) = 2 ^ Cardinality(S)
=============================================================================
