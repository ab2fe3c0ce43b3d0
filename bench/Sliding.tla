------------------------------- MODULE Sliding ------------------------------
(* The sliding puzzle on a board of two rows and N columns. Five tiles are *)
(* numbered, the others are all alike.                                     *)
EXTENDS Naturals

CONSTANT N

VARIABLES tile, hole

Cell == 1 .. 2 * N

Row(c) == (c - 1) \div N
Column(c) == (c - 1) % N

Beside(c) ==
    {d \in Cell : \/ Row(c) = Row(d) /\ (Column(c) = Column(d) + 1 \/ Column(d) = Column(c) + 1)
                  \/ Column(c) = Column(d) /\ Row(c) # Row(d)}

Init ==
    /\ tile = [c \in Cell |-> IF c = 2 * N THEN 0 ELSE IF c > 5 THEN 6 ELSE c]
    /\ hole = 2 * N

Next ==
    \E c \in Beside(hole) :
        /\ tile' = [tile EXCEPT ![hole] = tile[c], ![c] = 0]
        /\ hole' = c

Spec == Init /\ [][Next]_<<tile, hole>>

HoleIsEmpty == tile[hole] = 0
=============================================================================
