------------------------------ MODULE TokenRing -----------------------------
(* Stabilisation in a ring of N nodes with N + 1 values: a node whose      *)
(* value differs from its neighbour's copies it, the first one counts on.  *)
(* Every state is an initial one.                                          *)
EXTENDS Naturals

CONSTANT N

VARIABLE value

Node == 0 .. N - 1

Init == value \in [Node -> 0 .. N]

CountOn ==
    /\ value[0] = value[N - 1]
    /\ value' = [value EXCEPT ![0] = (value[N - 1] + 1) % (N + 1)]

Copy(i) ==
    /\ value[i] # value[i - 1]
    /\ value' = [value EXCEPT ![i] = value[i - 1]]

Next == CountOn \/ \E i \in Node \ {0} : Copy(i)

Spec == Init /\ [][Next]_value

HasToken(i) == IF i = 0 THEN value[0] = value[N - 1] ELSE value[i] # value[i - 1]

SomeToken == \E i \in Node : HasToken(i)
=============================================================================
