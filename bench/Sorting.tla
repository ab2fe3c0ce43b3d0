------------------------------- MODULE Sorting ------------------------------
(* Every way to sort N different numbers by exchanging neighbours that are *)
(* in the wrong order. They begin the wrong way round, and so every        *)
(* arrangement is met.                                                     *)
EXTENDS Naturals, Sequences

CONSTANT N

VARIABLE list

Place == 1 .. N

Init == list = [i \in Place |-> N + 1 - i]

Swap(i) ==
    /\ list[i] > list[i + 1]
    /\ list' = [list EXCEPT ![i] = list[i + 1], ![i + 1] = list[i]]

Done ==
    /\ \A i \in 1 .. N - 1 : list[i] <= list[i + 1]
    /\ UNCHANGED list

Next == Done \/ \E i \in 1 .. N - 1 : Swap(i)

Spec == Init /\ [][Next]_list

Complete == {list[i] : i \in Place} = Place
=============================================================================
