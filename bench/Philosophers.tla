---------------------------- MODULE Philosophers ----------------------------
(* N philosophers around a table. Each takes the fork of the lower number  *)
(* first, so nobody waits for ever in a ring.                              *)
EXTENDS Naturals

CONSTANT N

VARIABLES fork, state

Seat == 0 .. N - 1
Nobody == N

Left(p) == p
Right(p) == (p + 1) % N
First(p) == IF Left(p) < Right(p) THEN Left(p) ELSE Right(p)
Second(p) == IF Left(p) < Right(p) THEN Right(p) ELSE Left(p)

TypeOK ==
    /\ fork \in [Seat -> Seat \cup {Nobody}]
    /\ state \in [Seat -> {"thinks", "hungry", "has one", "eats"}]

Init ==
    /\ fork = [f \in Seat |-> Nobody]
    /\ state = [p \in Seat |-> "thinks"]

Wish(p) ==
    /\ state[p] = "thinks"
    /\ state' = [state EXCEPT ![p] = "hungry"]
    /\ UNCHANGED fork

Take(p, f, from, to) ==
    /\ state[p] = from
    /\ fork[f] = Nobody
    /\ fork' = [fork EXCEPT ![f] = p]
    /\ state' = [state EXCEPT ![p] = to]

Rest(p) ==
    /\ state[p] = "eats"
    /\ fork' = [fork EXCEPT ![Left(p)] = Nobody, ![Right(p)] = Nobody]
    /\ state' = [state EXCEPT ![p] = "thinks"]

Next ==
    \E p \in Seat :
        \/ Wish(p)
        \/ Take(p, First(p), "hungry", "has one")
        \/ Take(p, Second(p), "has one", "eats")
        \/ Rest(p)

Spec == Init /\ [][Next]_<<fork, state>>

Exclusion == \A p \in Seat : state[p] = "eats" => state[Right(p)] # "eats"
=============================================================================
