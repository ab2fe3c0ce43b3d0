-------------------------------- MODULE Bakery ------------------------------
(* Mutual exclusion by drawing numbers, for N processes; numbers are       *)
(* bounded, so that there are finitely many states.                        *)
EXTENDS Naturals

CONSTANT N

VARIABLES pc, number, seen

Proc == 1 .. N
Limit == 4

TypeOK ==
    /\ pc \in [Proc -> {"idle", "choosing", "waiting", "critical"}]
    /\ number \in [Proc -> 0 .. Limit]
    /\ seen \in [Proc -> SUBSET Proc]

Init ==
    /\ pc = [p \in Proc |-> "idle"]
    /\ number = [p \in Proc |-> 0]
    /\ seen = [p \in Proc |-> {}]

Max == CHOOSE n \in {number[p] : p \in Proc} : \A p \in Proc : number[p] <= n

Begin(p) ==
    /\ pc[p] = "idle"
    /\ pc' = [pc EXCEPT ![p] = "choosing"]
    /\ UNCHANGED <<number, seen>>

Draw(p) ==
    /\ pc[p] = "choosing"
    /\ Max < Limit
    /\ number' = [number EXCEPT ![p] = Max + 1]
    /\ pc' = [pc EXCEPT ![p] = "waiting"]
    /\ seen' = [seen EXCEPT ![p] = {p}]

Before(p, q) ==
    \/ number[p] = 0
    \/ number[q] < number[p]
    \/ number[q] = number[p] /\ q < p

Pass(p, q) ==
    /\ pc[p] = "waiting"
    /\ q \notin seen[p]
    /\ pc[q] # "choosing"
    /\ number[q] = 0 \/ ~Before(p, q)
    /\ seen' = [seen EXCEPT ![p] = @ \cup {q}]
    /\ UNCHANGED <<pc, number>>

Enter(p) ==
    /\ pc[p] = "waiting"
    /\ seen[p] = Proc
    /\ pc' = [pc EXCEPT ![p] = "critical"]
    /\ UNCHANGED <<number, seen>>

Leave(p) ==
    /\ pc[p] = "critical"
    /\ pc' = [pc EXCEPT ![p] = "idle"]
    /\ number' = [number EXCEPT ![p] = 0]
    /\ seen' = [seen EXCEPT ![p] = {}]

Next ==
    \E p \in Proc :
        \/ Begin(p)
        \/ Draw(p)
        \/ \E q \in Proc : Pass(p, q)
        \/ Enter(p)
        \/ Leave(p)

Spec == Init /\ [][Next]_<<pc, number, seen>>

Exclusion == \A p, q \in Proc : p # q => ~(pc[p] = "critical" /\ pc[q] = "critical")
=============================================================================
