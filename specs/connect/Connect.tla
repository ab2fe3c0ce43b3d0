------------------------------ MODULE Connect ------------------------------
(* K in a row on a board of M columns and N rows, two players in turn. With *)
(* M = N = K = 3 it is tic-tac-toe; with Drop, marks fall to the lowest     *)
(* free square of a column, and M = 7, N = 6, K = 4 is the game that is     *)
(* sold with a standing board. Play stops at a win.                         *)
EXTENDS Integers

CONSTANTS
    M, N,  \* columns and rows
    K,     \* marks in a row that win
    Drop   \* whether marks fall

ASSUME {M, N, K} \subseteq Nat \ {0} /\ Drop \in BOOLEAN

VARIABLES
    board,  \* board[<<column, row>>], "_" is a free square; row 1 is the lowest
    turn    \* the player to move

vars == <<board, turn>>

Squares == (1 .. M) \X (1 .. N)

Init ==
    /\ board = [s \in Squares |-> "_"]
    /\ turn = "X"
-----------------------------------------------------------------------------
(* K squares from s on, in the direction d.                                *)
Line(s, d) == {<<s[1] + i * d[1], s[2] + i * d[2]>> : i \in 0 .. K - 1}

Directions == {<<1, 0>>, <<0, 1>>, <<1, 1>>, <<1, -1>>}

Lines == {l \in {Line(s, d) : s \in Squares, d \in Directions} : l \subseteq Squares}

Won(player) == \E l \in Lines : \A s \in l : board[s] = player

Full == \A s \in Squares : board[s] # "_"

Draw == Full /\ ~Won("X") /\ ~Won("O")
-----------------------------------------------------------------------------
Rests(s) == s[2] > 1 => board[<<s[1], s[2] - 1>>] # "_"

Move(player, other) ==
    /\ turn = player
    /\ ~Won(other)
    /\ \E s \in Squares :
        /\ board[s] = "_"
        /\ Drop => Rests(s)
        /\ board' = [board EXCEPT ![s] = player]
    /\ turn' = other

MoveX == Move("X", "O")
MoveO == Move("O", "X")

Next == MoveX \/ MoveO

Spec == Init /\ [][Next]_vars
-----------------------------------------------------------------------------
TypeOK ==
    /\ board \in [Squares -> {"X", "O", "_"}]
    /\ turn \in {"X", "O"}
=============================================================================
