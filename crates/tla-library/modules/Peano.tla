------------------------------- MODULE Peano -------------------------------
(* The natural numbers as any set that satisfies Peano's axioms. Nothing   *)
(* else about them is assumed, so nothing else can be relied on.           *)

(* N with first element z and successor function s: z succeeds nothing, s  *)
(* never joins two numbers, and a part of N that has z and is closed under *)
(* s is all of N.                                                          *)
IsModelOfPeano(N, z, s) ==
    /\ z \in N
    /\ s \in [N -> N \ {z}]
    /\ \A m, n \in N : s[m] = s[n] => m = n
    /\ \A P \in SUBSET N : (z \in P /\ \A n \in P : s[n] \in P) => P = N

AXIOM \E N, z, s : IsModelOfPeano(N, z, s)

LOCAL Model == CHOOSE m : IsModelOfPeano(m.nat, m.zero, m.succ)

Nat  == Model.nat
Zero == Model.zero
Succ == Model.succ
=============================================================================
