------------------------------- MODULE Clocks -------------------------------
(* Four clocks, each of which goes from 0 to N by itself; the first two    *)
(* begin anew together when both have come to the end. All (N + 1)^4       *)
(* combinations are reached, and no value is larger than a number: what a  *)
(* state costs is what the search costs.                                   *)
EXTENDS Naturals

CONSTANT N

VARIABLES first, second, third, fourth

clocks == <<first, second, third, fourth>>

InRange ==
    /\ first \in 0 .. N
    /\ second \in 0 .. N
    /\ third \in 0 .. N
    /\ fourth \in 0 .. N

Init == first = 0 /\ second = 0 /\ third = 0 /\ fourth = 0

First == first < N /\ first' = first + 1 /\ UNCHANGED <<second, third, fourth>>

Second == second < N /\ second' = second + 1 /\ UNCHANGED <<first, third, fourth>>

Third == third < N /\ third' = third + 1 /\ UNCHANGED <<first, second, fourth>>

Fourth == fourth < N /\ fourth' = fourth + 1 /\ UNCHANGED <<first, second, third>>

Again ==
    /\ first = N /\ second = N
    /\ first' = 0 /\ second' = 0
    /\ UNCHANGED <<third, fourth>>

Next == First \/ Second \/ Third \/ Fourth \/ Again

Spec == Init /\ [][Next]_clocks
=============================================================================
