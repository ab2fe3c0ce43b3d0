------------------------------- MODULE Handed -------------------------------
(* Actions that are given the variables they are about: by name, in tuples, *)
(* through other operators, and as operators that are passed on.            *)
EXTENDS Naturals, Sequences

VARIABLES left, right, line, back

vars == <<left, right, line, back>>

Init == left = 0 /\ right = 0 /\ line = <<>> /\ back = [w \in {"a", "b"} |-> 0]

Bump(v, others) == v < 2 /\ v' = v + 1 /\ UNCHANGED others
Through(v, others) == Bump(v, others)
Move(from, to, others) ==
    /\ Len(from) > 0
    /\ to' = [to EXCEPT ![Head(from)] = (@ + 1) % 3]
    /\ from' = Tail(from)
    /\ UNCHANGED others
Post(queue, message) == Len(queue) < 2 /\ queue' = Append(queue, message)
Reset(v) == v = 2 /\ v' = 0
Do(Op(_), v, others) == Op(v) /\ UNCHANGED others
Again(Op(_), v, others) == v >= 0 /\ Do(Op, v, others)

Next ==
    \/ Bump(left, <<right, line, back>>)
    \/ Through(right, <<left, <<line, back>>>>)
    \/ Again(Reset, left, <<right, line, back>>)
    \/ Again(LAMBDA v : Reset(v), right, <<left, line, back>>)
    \/ \E w \in {"a", "b"} : Post(line, w) /\ UNCHANGED <<left, right, back>>
    \/ Move(line, back, <<left, right>>)

Spec == Init /\ [][Next]_vars
Fair == Spec /\ WF_vars(Bump(left, <<right, line, back>>)) /\ WF_vars(Move(line, back, <<left, right>>))

CanBump == ENABLED Bump(left, right) <=> left < 2
Small == left + right < 4
Kept(v) == [][UNCHANGED v \/ v' = v + 1 \/ v' = 0]_v
Counts == Kept(left) /\ Kept(right)
NeverBack == [][~Again(Reset, left, <<right, line, back>>)]_vars
Grows == []<>(left = 2)
Empties == []<>(line = <<>>)
=============================================================================
