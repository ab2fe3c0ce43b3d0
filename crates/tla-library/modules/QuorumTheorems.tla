--------------------------- MODULE QuorumTheorems ---------------------------
(* Facts about quorum systems. All are stated without proof.               *)
EXTENDS Quorum, Integers, FiniteSets

THEOREM QuorumsIntersect ==
    ASSUME NEW A, NEW F \in QuorumSystem(A), NEW P \in F, NEW Q \in F
    PROVE  \E e \in A : e \in P \cap Q

THEOREM QuorumSuperset ==
    ASSUME NEW A, NEW F \in QuorumSystem(A), NEW P \in F, NEW Q \in SUBSET A,
           P \subseteq Q
    PROVE  Q \in F

(* The strict majorities of a finite set.                                  *)
THEOREM MajoritiesQuorumSystem ==
    ASSUME NEW A, IsFiniteSet(A), A # {}
    PROVE  {Q \in SUBSET A : 2 * Cardinality(Q) > Cardinality(A)} \in QuorumSystem(A)
=============================================================================
