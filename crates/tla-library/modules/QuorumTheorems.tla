--------------------------- MODULE QuorumTheorems ---------------------------
(* Facts about quorum systems. All are stated without proof.               *)
EXTENDS Quorum, Integers, FiniteSets

THEOREM QuorumsIntersect ==
    ASSUME NEW S, NEW QS \in QuorumSystem(S), NEW Q1 \in QS, NEW Q2 \in QS
    PROVE  \E s \in S : s \in Q1 \cap Q2

THEOREM QuorumSuperset ==
    ASSUME NEW S, NEW QS \in QuorumSystem(S),
           NEW Q1 \in QS, NEW Q2 \in SUBSET S, Q1 \subseteq Q2
    PROVE  Q2 \in QS

(* The strict majorities of a finite set.                                  *)
THEOREM MajoritiesQuorumSystem ==
    ASSUME NEW S, IsFiniteSet(S), S # {}
    PROVE  {Q \in SUBSET S : 2 * Cardinality(Q) > Cardinality(S)} \in QuorumSystem(S)
=============================================================================
