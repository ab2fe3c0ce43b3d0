-------------------------------- MODULE Queues ------------------------------
(* Two producers and two consumers with a queue of N places each; items    *)
(* are numbered and must leave in order.                                   *)
EXTENDS Naturals, Sequences

CONSTANT N

VARIABLES queue, made, taken

Line == {1, 2}
Limit == 2 * N + 2

Init ==
    /\ queue = [l \in Line |-> <<>>]
    /\ made = [l \in Line |-> 0]
    /\ taken = [l \in Line |-> 0]

Put(l) ==
    /\ Len(queue[l]) < N
    /\ made[l] < Limit
    /\ made' = [made EXCEPT ![l] = @ + 1]
    /\ queue' = [queue EXCEPT ![l] = Append(@, made[l] + 1)]
    /\ UNCHANGED taken

Get(l) ==
    /\ queue[l] # <<>>
    /\ taken' = [taken EXCEPT ![l] = Head(queue[l])]
    /\ queue' = [queue EXCEPT ![l] = Tail(@)]
    /\ UNCHANGED made

Move(l, m) ==
    /\ l # m
    /\ queue[l] # <<>>
    /\ made[m] = taken[m]
    /\ queue' = [queue EXCEPT ![l] = Tail(@)]
    /\ taken' = [taken EXCEPT ![l] = Head(queue[l])]
    /\ UNCHANGED made

Next == \E l \in Line : Put(l) \/ Get(l) \/ \E m \in Line : Move(l, m)

Spec == Init /\ [][Next]_<<queue, made, taken>>

InOrder == \A l \in Line : \A i \in 1 .. Len(queue[l]) : queue[l][i] = taken[l] + i
=============================================================================
