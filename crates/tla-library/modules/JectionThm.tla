----------------------------- MODULE JectionThm -----------------------------
(* The former home of the facts about injections, surjections and          *)
(* bijections, which are now in FunctionTheorems, with those that only it  *)
(* had. All are stated without proof.                                      *)
EXTENDS Naturals, Jections, FunctionTheorems, NaturalsInduction,
        WellFoundedInduction, TLAPS, Sequences

Fun_InjProp_Qed(S, T, F) ==
    F \in [S -> T] /\ \A x, y \in S : F[x] = F[y] => x = y

THEOREM Fun_InjProp ==
    ASSUME NEW S, NEW T, NEW F \in Injection(S, T)
    PROVE  Fun_InjProp_Qed(S, T, F)

Fun_SurjProp_Qed(S, T, F) ==
    F \in [S -> T] /\ \A t \in T : \E s \in S : F[s] = t

THEOREM Fun_SurjProp ==
    ASSUME NEW S, NEW T, NEW F \in Surjection(S, T)
    PROVE  Fun_SurjProp_Qed(S, T, F)

Fun_BijProp_Qed(S, T, F) ==
    /\ F \in [S -> T]
    /\ F \in Injection(S, T)
    /\ F \in Surjection(S, T)
    /\ \A x, y \in S : F[x] = F[y] => x = y
    /\ \A t \in T : \E s \in S : F[s] = t

THEOREM Fun_BijProp ==
    ASSUME NEW S, NEW T, NEW F \in Bijection(S, T)
    PROVE  Fun_BijProp_Qed(S, T, F)

Fun_BijInverse_Qed(S, T, F, G) ==
    /\ G \in Bijection(T, S)
    /\ \A s \in S : G[F[s]] = s
    /\ \A t \in T : F[G[t]] = t
    /\ F = JectionInverse(T, S, G)

Fun_BijSubset_Qed(S, T, F, S1, T1, F1) == T1 \in SUBSET T /\ F1 \in Bijection(S1, T1)

THEOREM Fun_BijSubset ==
    ASSUME NEW S, NEW T, NEW F \in Bijection(S, T), NEW S1 \in SUBSET S
    PROVE  LET T1 == {F[s] : s \in S1}
               F1 == [s \in S1 |-> F[s]]
           IN  Fun_BijSubset_Qed(S, T, F, S1, T1, F1)
=============================================================================
