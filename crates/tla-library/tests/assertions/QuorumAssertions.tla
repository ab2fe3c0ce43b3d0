------------------------- MODULE QuorumAssertions -------------------------
(* Quorum systems.                                                         *)
EXTENDS Quorum, FiniteSets, Integers

ASSUME QuorumSystem({}) = {} /\ QuorumSystem({1}) = {{{1}}}
ASSUME {{1, 2}, {1, 3}, {2, 3}, {1, 2, 3}} \in QuorumSystem({1, 2, 3})
ASSUME {{1}, {2}, {1, 2}} \notin QuorumSystem({1, 2}) /\ {{1}} \notin QuorumSystem({1, 2})
ASSUME {Q \in SUBSET (1 .. 3) : 2 * Cardinality(Q) > 3} \in QuorumSystem(1 .. 3)
=============================================================================
