---- MODULE Lattice ----
(* Counters that only grow: wide and deep enough to be interrupted, and small enough to begin anew. *)
EXTENDS Naturals, Sequences
CONSTANTS A, B, C
VARIABLES a, b, c, d

Init == a = 0 /\ b = <<>> /\ c = {} /\ d = "x"
Add == a < A /\ a' = a + 1 /\ UNCHANGED <<b, c, d>>
Push == Len(b) < B /\ b' = Append(b, Len(b)) /\ UNCHANGED <<a, c, d>>
Take(i) == i \notin c /\ c' = c \cup {i} /\ UNCHANGED <<a, b, d>>
Flip == d' = (IF d = "x" THEN "y" ELSE "x") /\ UNCHANGED <<a, b, c>>
Next == Add \/ Push \/ (\E i \in 1..C : Take(i)) \/ Flip
Spec == Init /\ [][Next]_<<a, b, c, d>>

Bound == a + Len(b) < A + B
Small == a + Len(b) <= A
Early == a + Len(b) < 4
Sizes == <<a, Len(b), c>>
====
