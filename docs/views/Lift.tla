---- MODULE Lift ----
EXTENDS Integers
VARIABLES floor, door

Init == floor = 0 /\ door = "open"
Close == door = "open" /\ door' = "closed" /\ UNCHANGED floor
Open == door = "closed" /\ door' = "open" /\ UNCHANGED floor
Up == floor < 2 /\ floor' = floor + 1 /\ UNCHANGED door
Down == floor > 0 /\ door = "closed" /\ floor' = floor - 1 /\ UNCHANGED door
Next == Close \/ Open \/ Up \/ Down
Spec == Init /\ [][Next]_<<floor, door>>

Shown == [floors |-> [f \in 0..2 |-> IF f = floor THEN door ELSE "-"]]
THEOREM Spec => [][floor' # floor => door = "closed"]_floor
====
