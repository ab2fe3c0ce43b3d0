----------------------------- MODULE Statistics -----------------------------
(* Tests of hypotheses.                                                    *)
EXTENDS Naturals

(* Pearson's goodness-of-fit test: TRUE if the numbers that were counted   *)
(* can come from the distribution that expects the other ones. The string  *)
(* alpha is the level of significance, such as "0.01". No formula of whole *)
(* numbers says when that is.                                              *)
ChiSquare(expected, actual, alpha) == CHOOSE fits \in BOOLEAN : TRUE
=============================================================================
