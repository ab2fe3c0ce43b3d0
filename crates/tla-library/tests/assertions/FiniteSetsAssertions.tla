----------------------- MODULE FiniteSetsAssertions -----------------------
(* How many elements a set has.                                            *)
EXTENDS FiniteSets, Integers

ASSUME IsFiniteSet({}) /\ IsFiniteSet({1, 2}) /\ IsFiniteSet(SUBSET {1, 2, 3})
ASSUME Cardinality({}) = 0 /\ Cardinality({1, 1, 2}) = 2 /\ Cardinality(-3 .. 3) = 7
ASSUME Cardinality(SUBSET (1 .. 5)) = 32
ASSUME Cardinality([1 .. 3 -> {"a", "b"}]) = 8
ASSUME Cardinality((1 .. 3) \X (1 .. 4)) = 12
ASSUME Cardinality([x : 1 .. 2, y : {TRUE, FALSE}]) = 4
ASSUME Cardinality({{}, {{}}, {{}, {{}}}}) = 3
ASSUME Cardinality({x \in 1 .. 10 : x % 3 = 0}) = 3 /\ Cardinality({x % 3 : x \in 1 .. 10}) = 3
=============================================================================
