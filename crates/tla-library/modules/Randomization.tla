--------------------------- MODULE Randomization ---------------------------
(* Random subsets, for initial states that are too many to try all.        *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

(* A random subset of S with k elements.                                   *)
RandomSubset(k, S) == CHOOSE T \in SUBSET S : Cardinality(T) = k

(* At most k random subsets of S, of n elements on average.                *)
RandomSetOfSubsets(k, n, S) ==
    CHOOSE family \in SUBSET SUBSET S : Cardinality(family) \leq k

(* How many subsets five tries of RandomSetOfSubsets give.                 *)
TestRandomSetOfSubsets(k, n, S) ==
    [i \in 1 .. 5 |-> Cardinality(RandomSetOfSubsets(k, n, S))]
=============================================================================
