---------------------- MODULE RandomizationAssertions ----------------------
(* What every random choice has in common.                                 *)
EXTENDS Randomization, FiniteSets, Naturals

ASSUME LET S == RandomSubset(3, 1 .. 10) IN S \subseteq 1 .. 10 /\ Cardinality(S) = 3
ASSUME LET F == RandomSetOfSubsets(4, 2, 1 .. 10)
       IN  Cardinality(F) <= 4 /\ \A S \in F : S \subseteq 1 .. 10
ASSUME \A i \in 1 .. 5 : TestRandomSetOfSubsets(4, 2, 1 .. 10)[i] \in 0 .. 4
=============================================================================
