------------------------------ MODULE Klotski ------------------------------
(* The sliding puzzle Klotski on a board of four by five squares. A piece  *)
(* is the set of the squares that it covers, and the board is the set of   *)
(* the pieces, so two pieces of the same shape are interchangeable. A step *)
(* slides one piece by one square; the aim is to bring the big piece to    *)
(* the middle of the bottom.                                               *)
EXTENDS Integers

VARIABLE board

W == 4
H == 5

Pos == (0 .. W - 1) \X (0 .. H - 1)  \* <<column, row>>, from the top left

Piece == SUBSET Pos

Klotski == {
    {<<0, 0>>, <<0, 1>>},
    {<<1, 0>>, <<2, 0>>, <<1, 1>>, <<2, 1>>},
    {<<3, 0>>, <<3, 1>>},
    {<<0, 2>>, <<0, 3>>},
    {<<1, 2>>, <<2, 2>>},
    {<<3, 2>>, <<3, 3>>},
    {<<1, 3>>},
    {<<2, 3>>},
    {<<0, 4>>},
    {<<3, 4>>}
}

KlotskiGoal == {<<1, 3>>, <<1, 4>>, <<2, 3>>, <<2, 4>>} \in board

(* As an invariant it fails with a shortest solution.                      *)
KlotskiUnsolved == ~KlotskiGoal

(* The one element of S with the property P.                               *)
ChooseOne(S, P(_)) == CHOOSE x \in S : P(x) /\ \A y \in S : P(y) => y = x

TypeOK == board \in SUBSET Piece
-----------------------------------------------------------------------------
(* The directions in which the free square p has a neighbour on the board  *)
(* that is not free too (es holds the free squares).                       *)
dir(p, es) ==
    LET dir == {<<1, 0>>, <<0, 1>>, <<-1, 0>>, <<0, -1>>}
    IN  {d \in dir : /\ p[1] + d[1] < W /\ p[1] + d[1] >= 0
                     /\ p[2] + d[2] < H /\ p[2] + d[2] >= 0
                     /\ <<p[1] + d[1], p[2] + d[2]>> \notin es}

(* The piece next to p in direction d, before and after it slides the      *)
(* other way, onto p.                                                      *)
move(p, d) ==
    LET s  == <<p[1] + d[1], p[2] + d[2]>>
        pc == ChooseOne(board, LAMBDA pc : s \in pc)
    IN  <<pc, {<<q[1] - d[1], q[2] - d[2]>> : q \in pc}>>

(* The boards after sliding a piece onto the free square e, where the      *)
(* piece then overlaps no other.                                           *)
update(e, es) ==
    LET dirs  == dir(e, es)
        moved == {move(e, d) : d \in dirs}
        free  == {<<pc, m>> \in moved : m \cap (UNION (board \ {pc})) = {}}
    IN  {(board \ {pc}) \cup {m} : <<pc, m>> \in free}

Init == board = Klotski

Next ==
    LET empty == ((0 .. W - 1) \X (0 .. H - 1)) \ UNION board
    IN  \E e \in empty : board' \in update(e, empty)
-----------------------------------------------------------------------------
(* What people count: sliding one piece on and on is one move. A step      *)
(* leaves behind the set of the piece that slid, where it is now; the next *)
(* step costs nothing if this piece is the one that is gone from there.    *)
Moves(slid) == [
    cost  |-> IF slid = board \ board' THEN 0 ELSE 1,
    state |-> board' \ board
]
=============================================================================
