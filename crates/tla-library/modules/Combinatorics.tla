--------------------------- MODULE Combinatorics ---------------------------
(* Factorials and binomial coefficients.                                   *)
EXTENDS Naturals

factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]

(* The number of ways to choose k of n things.                             *)
choose(n, k) ==
    IF k > n THEN 0 ELSE factorial[n] \div (factorial[k] * factorial[n - k])
=============================================================================
