------------------------------ MODULE Jections ------------------------------
(* The former home of injections, surjections and bijections, which are    *)
(* now in Functions, with the inverse that it had.                         *)
EXTENDS Functions

JectionInverse(S, T, M) == [t \in T |-> CHOOSE s \in S : M[s] = t]
=============================================================================
