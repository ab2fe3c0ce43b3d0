------------------------ MODULE WellFoundedInduction ------------------------
(* Facts for induction and recursion along a well-founded relation. A      *)
(* relation is a set of pairs; <<x, y>> \in L is read "x is below y". All  *)
(* are stated without proof.                                               *)
EXTENDS NaturalsInduction
-----------------------------------------------------------------------------
IsTransitivelyClosedOn(L, D) ==
    \A x, y, z \in D : <<x, y>> \in L /\ <<y, z>> \in L => <<x, z>> \in L

(* No endless way down.                                                    *)
IsWellFoundedOn(L, D) ==
    ~\E f \in [Nat -> D] : \A n \in Nat : <<f[n + 1], f[n]>> \in L

(* The elements of D below x.                                              *)
SetLessThan(x, L, D) == {y \in D : <<y, x>> \in L}

LEMMA EmptyIsWellFounded == \A D : IsWellFoundedOn({}, D)

LEMMA IsWellFoundedOnSubset ==
    ASSUME NEW L, NEW D, NEW E \in SUBSET D, IsWellFoundedOn(L, D)
    PROVE  IsWellFoundedOn(L, E)

LEMMA IsWellFoundedOnSubrelation ==
    ASSUME NEW D, NEW L, NEW K, K \cap (D \X D) \subseteq L, IsWellFoundedOn(L, D)
    PROVE  IsWellFoundedOn(K, D)

(* Well-founded means that every nonempty set has a minimal element.       *)
THEOREM WFMin ==
    ASSUME NEW L, NEW D, IsWellFoundedOn(L, D), NEW E, E \subseteq D, E # {}
    PROVE  \E x \in E : \A y \in E : ~(<<y, x>> \in L)

THEOREM MinWF ==
    ASSUME NEW L, NEW D,
           \A E \in SUBSET D : E # {} => \E x \in E : \A y \in E : ~(<<y, x>> \in L)
    PROVE  IsWellFoundedOn(L, D)

LEMMA WellFoundedIsIrreflexive ==
    ASSUME NEW L, NEW D, NEW x \in D, IsWellFoundedOn(L, D)
    PROVE  <<x, x>> \notin L

LEMMA WellFoundedIsAsymmetric ==
    ASSUME NEW L, NEW D, NEW x \in D, NEW y \in D, IsWellFoundedOn(L, D),
           <<x, y>> \in L, <<y, x>> \in L
    PROVE  FALSE

LEMMA WFSetLessThanIrreflexive ==
    ASSUME NEW L, NEW D, NEW x \in D, IsWellFoundedOn(L, D)
    PROVE  x \notin SetLessThan(x, L, D)

LEMMA SetLessTransitive ==
    ASSUME NEW L, NEW D, NEW x \in D, NEW y \in SetLessThan(x, L, D),
           IsTransitivelyClosedOn(L, D)
    PROVE  SetLessThan(y, L, D) \subseteq SetLessThan(x, L, D)
-----------------------------------------------------------------------------
(* Induction: what holds for x if it holds for all below x holds for all.  *)
THEOREM WFInduction ==
    ASSUME NEW P(_), NEW L, NEW D, IsWellFoundedOn(L, D),
           \A x \in D : (\A y \in SetLessThan(x, L, D) : P(y)) => P(x)
    PROVE  \A x \in D : P(x)

(* Recursion. Step(g, x) depends only on g below x; f is what a recursive  *)
(* definition says; f satisfies its equation; only one function does.      *)
WFDefOn(L, D, Step(_, _)) ==
    \A g, h : \A x \in D :
        (\A y \in SetLessThan(x, L, D) : g[y] = h[y]) => Step(g, x) = Step(h, x)

OpDefinesFcn(f, D, Step(_, _)) == f = CHOOSE g : g = [x \in D |-> Step(g, x)]

WFInductiveDefines(f, D, Step(_, _)) == f = [x \in D |-> Step(f, x)]

WFInductiveUnique(D, Step(_, _)) ==
    \A g, h : WFInductiveDefines(g, D, Step) /\ WFInductiveDefines(h, D, Step) => g = h

THEOREM WFDefOnUnique ==
    ASSUME NEW Step(_, _), NEW L, NEW D, IsWellFoundedOn(L, D), WFDefOn(L, D, Step)
    PROVE  WFInductiveUnique(D, Step)

LEMMA WFInductiveDefLemma ==
    ASSUME NEW Step(_, _), NEW L, NEW D, NEW f, IsWellFoundedOn(L, D),
           IsTransitivelyClosedOn(L, D), WFDefOn(L, D, Step), OpDefinesFcn(f, D, Step)
    PROVE  WFInductiveDefines(f, D, Step)
-----------------------------------------------------------------------------
(* The least relation on D that contains L there and is transitive.        *)
TransitiveClosureOn(L, D) ==
    {p \in D \X D :
        \A Q \in SUBSET (D \X D) :
            L \cap (D \X D) \subseteq Q /\ IsTransitivelyClosedOn(Q, D) => p \in Q}

LEMMA TransitiveClosureThm ==
    \A L, D :
        /\ L \cap (D \X D) \subseteq TransitiveClosureOn(L, D)
        /\ IsTransitivelyClosedOn(TransitiveClosureOn(L, D), D)

LEMMA TransitiveClosureMinimal ==
    ASSUME NEW L, NEW D, NEW Q \in SUBSET (D \X D), L \cap (D \X D) \subseteq Q,
           IsTransitivelyClosedOn(Q, D)
    PROVE  TransitiveClosureOn(L, D) \subseteq Q

LEMMA TCTCTC ==
    ASSUME NEW L, NEW D, NEW x \in D, NEW y \in D, NEW z \in D,
           <<x, y>> \in TransitiveClosureOn(L, D),
           <<y, z>> \in TransitiveClosureOn(L, D)
    PROVE  <<x, z>> \in TransitiveClosureOn(L, D)

LEMMA TCRTC ==
    ASSUME NEW L, NEW D, NEW x \in D, NEW y \in D, NEW z \in D,
           <<x, y>> \in TransitiveClosureOn(L, D), <<y, z>> \in L
    PROVE  <<x, z>> \in TransitiveClosureOn(L, D)

LEMMA RTCTC ==
    ASSUME NEW L, NEW D, NEW x \in D, NEW y \in D, NEW z \in D, <<x, y>> \in L,
           <<y, z>> \in TransitiveClosureOn(L, D)
    PROVE  <<x, z>> \in TransitiveClosureOn(L, D)

(* The last step of a way can be split off.                                *)
LEMMA TransitiveClosureChopLast ==
    ASSUME NEW L, NEW D, NEW x \in D, NEW z \in D,
           <<x, z>> \in TransitiveClosureOn(L, D)
    PROVE  \E y \in D : /\ <<y, z>> \in L
                        /\ x = y \/ <<x, y>> \in TransitiveClosureOn(L, D)

THEOREM TransitiveClosureWF ==
    ASSUME NEW L, NEW D, IsWellFoundedOn(L, D)
    PROVE  IsWellFoundedOn(TransitiveClosureOn(L, D), D)

THEOREM WFInductiveDef ==
    ASSUME NEW Step(_, _), NEW L, NEW D, NEW f, IsWellFoundedOn(L, D),
           WFDefOn(L, D, Step), OpDefinesFcn(f, D, Step)
    PROVE  WFInductiveDefines(f, D, Step)

THEOREM WFInductiveDefType ==
    ASSUME NEW Step(_, _), NEW f, NEW L, NEW D, NEW E, E # {}, IsWellFoundedOn(L, D),
           WFDefOn(L, D, Step), WFInductiveDefines(f, D, Step),
           \A g \in [D -> E], s \in D : Step(g, s) \in E
    PROVE  f \in [D -> E]
-----------------------------------------------------------------------------
(* Well-founded relations: less-than on Nat, what a map to a well-founded  *)
(* set induces, and lexicographic orders of pairs and of n-tuples.         *)

OpToRel(_\prec_, D) == {p \in D \X D : p[1] \prec p[2]}

THEOREM NatLessThanWellFounded == IsWellFoundedOn(OpToRel(<, Nat), Nat)

PreImage(f(_), D, L) == {p \in D \X D : <<f(p[1]), f(p[2])>> \in L}

THEOREM PreImageWellFounded ==
    ASSUME NEW D, NEW E, NEW L, NEW f(_), \A s \in D : f(s) \in E,
           IsWellFoundedOn(L, E)
    PROVE  IsWellFoundedOn(PreImage(f, D, L), D)

LexPairOrdering(L1, L2, D1, D2) ==
    {p \in (D1 \X D2) \X (D1 \X D2) :
        \/ <<p[1][1], p[2][1]>> \in L1
        \/ p[1][1] = p[2][1] /\ <<p[1][2], p[2][2]>> \in L2}

THEOREM WFLexPairOrdering ==
    ASSUME NEW L1, NEW L2, NEW D1, NEW D2, IsWellFoundedOn(L1, D1),
           IsWellFoundedOn(L2, D2)
    PROVE  IsWellFoundedOn(LexPairOrdering(L1, L2, D1, D2), D1 \X D2)

LexProductOrdering(L, D, n) ==
    {p \in [1 .. n -> D] \X [1 .. n -> D] :
        \E j \in 1 .. n :
            /\ \A i \in 1 .. (j - 1) : p[1][i] = p[2][i]
            /\ <<p[1][j], p[2][j]>> \in L}

THEOREM WFLexProductOrdering ==
    ASSUME NEW L, NEW D, NEW n \in Nat, IsWellFoundedOn(L, D)
    PROVE  IsWellFoundedOn(LexProductOrdering(L, D, n), [1 .. n -> D])
=============================================================================
