------------------------------- MODULE Reads --------------------------------
(* One action for each way in which a step can depend on a part of the     *)
(* state that its guard does not mention.                                  *)
EXTENDS Naturals, Sequences, FiniteSets

VARIABLES count, pair, bag, line, turn

vars == <<count, pair, bag, line, turn>>

Who == 1 .. 3

Init ==
    /\ count = [w \in Who |-> 0]
    /\ pair = [w \in Who |-> [left |-> 0, right |-> w]]
    /\ bag = [w \in Who |-> {}]
    /\ line = [w \in Who |-> <<>>]
    /\ turn = 1

Pass == turn' = (turn % 3) + 1

(* The old value, only by `@`.                                             *)
Count(w) ==
    /\ turn = w
    /\ count' = [count EXCEPT ![w] = (@ + 1) % 3]
    /\ Pass
    /\ UNCHANGED <<pair, bag, line>>

(* Twice the same part: the second `@` is what the first one made.         *)
Twice(w) ==
    /\ turn = w
    /\ count' = [count EXCEPT ![w] = (@ + 1) % 3, ![w] = (@ * 2) % 3]
    /\ UNCHANGED <<pair, bag, line, turn>>

(* A primed name after it was changed in another part.                     *)
Copy(w) ==
    /\ turn = w
    /\ count' = [count EXCEPT ![w] = 2]
    /\ pair' = [pair EXCEPT ![w].left = count'[(w % 3) + 1]]
    /\ Pass
    /\ UNCHANGED <<bag, line>>

(* A primed name after it was kept.                                        *)
Look(w) ==
    /\ UNCHANGED <<count, line, bag>>
    /\ turn = w
    /\ pair' = [pair EXCEPT ![w].right = count'[(w % 3) + 1] + Cardinality(bag'[w])]
    /\ Pass

(* Kept and compared: enabled only where the two agree.                    *)
Agree(w) ==
    /\ turn = w
    /\ count' = [count EXCEPT ![w] = 1]
    /\ UNCHANGED count
    /\ line' = [line EXCEPT ![w] = <<>>]
    /\ Pass
    /\ UNCHANGED <<pair, bag>>

(* Sets that gain and lose, with `@` inside of what they gain.             *)
Gain(w) ==
    /\ turn = w
    /\ bag' = [bag EXCEPT ![w] = @ \cup {Cardinality(@) % 3}]
    /\ Pass
    /\ UNCHANGED <<count, pair, line>>

Lose(w) ==
    /\ turn = w
    /\ bag' = [bag EXCEPT ![w] = @ \ {count[w]}]
    /\ Pass
    /\ UNCHANGED <<count, pair, line>>

(* Elements that pass a test, least of them chosen.                        *)
Choose(w) ==
    /\ turn = w
    /\ \E b \in bag[w] : b > 0
    /\ count' = [count EXCEPT ![w] = CHOOSE b \in bag[w] : b > 0 /\ b # count[w] + 5]
    /\ Pass
    /\ UNCHANGED <<pair, bag, line>>

(* Membership alone, and a sequence that grows to a limit.                 *)
Push(w) ==
    /\ turn = w
    /\ 1 \in bag[w]
    /\ Len(line[w]) < 2
    /\ line' = [line EXCEPT ![w] = Append(@, pair[w].left)]
    /\ Pass
    /\ UNCHANGED <<count, pair, bag>>

(* What another action could do.                                           *)
Wait(w) ==
    /\ turn = w
    /\ ~ ENABLED Push(w)
    /\ Pass
    /\ UNCHANGED <<count, pair, bag, line>>

Next ==
    \E w \in Who :
        \/ Count(w) \/ Twice(w) \/ Copy(w) \/ Look(w) \/ Agree(w)
        \/ Gain(w) \/ Lose(w) \/ Choose(w) \/ Push(w) \/ Wait(w)

Spec == Init /\ [][Next]_vars

Small == \A w \in Who : count[w] + Len(line[w]) < 5
=============================================================================
