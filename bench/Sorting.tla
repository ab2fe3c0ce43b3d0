------------------------------- MODULE Sorting ------------------------------
(* Every way to sort N different numbers by exchanging neighbours that are *)
(* in the wrong order, from every arrangement.                             *)
EXTENDS Naturals, Sequences

CONSTANT N

VARIABLE list

Place == 1 .. N

Init == list \in {f \in [Place -> Place] : \A i, j \in Place : i # j => f[i] # f[j]}

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
