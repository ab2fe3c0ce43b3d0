---------------------- MODULE CombinatoricsAssertions ----------------------
(* Factorials and binomial coefficients.                                   *)
EXTENDS Combinatorics

ASSUME factorial[0] = 1 /\ factorial[1] = 1 /\ factorial[5] = 120
ASSUME choose(5, 2) = 10 /\ choose(3, 0) = 1 /\ choose(3, 3) = 1 /\ choose(3, 4) = 0
ASSUME \A n \in 1 .. 9, k \in 1 .. 8 : k <= n => choose(n, k) = choose(n - 1, k) + choose(n - 1, k - 1)
=============================================================================
