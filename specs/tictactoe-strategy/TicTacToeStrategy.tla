------------------------- MODULE TicTacToeStrategy -------------------------
(* Tic-tac-toe between a careful X and an O that tries everything.         *)
(*                                                                         *)
(* X opens in a corner and then takes the first of these that is possible: *)
(* win, block, the centre, prepare a win, any free square. O moves to any  *)
(* free square. The question is whether O can ever win.                    *)
EXTENDS Naturals

VARIABLES
    board,    \* board[row][column], rows and columns numbered 1 to 3
    nextTurn  \* the player to move

vars == <<board, nextTurn>>

Pieces == {"X", "O", "_"}  \* "_" is a blank square

Init ==
    /\ nextTurn = "X"
    /\ board = [i \in 1..3 |-> [j \in 1..3 |-> "_"]]
-----------------------------------------------------------------------------
(* Moves. A coordinate is a pair of a row and a column.                    *)

Move(player, coordinate) ==
    /\ board[coordinate[1]][coordinate[2]] = "_"
    /\ board' = [board EXCEPT ![coordinate[1]][coordinate[2]] = player]

MoveToEmpty(player) ==
    \E i \in 1..3 : \E j \in 1..3 :
        /\ board[i][j] = "_"
        /\ Move(player, <<i, j>>)
-----------------------------------------------------------------------------
(* Lines, and who has one.                                                 *)

WinningPositions == {
    \* rows
    <<<<1, 1>>, <<1, 2>>, <<1, 3>>>>,
    <<<<2, 1>>, <<2, 2>>, <<2, 3>>>>,
    <<<<3, 1>>, <<3, 2>>, <<3, 3>>>>,
    \* columns
    <<<<1, 1>>, <<2, 1>>, <<3, 1>>>>,
    <<<<1, 2>>, <<2, 2>>, <<3, 2>>>>,
    <<<<1, 3>>, <<2, 3>>, <<3, 3>>>>,
    \* diagonals
    <<<<1, 1>>, <<2, 2>>, <<3, 3>>>>,
    <<<<3, 1>>, <<2, 2>>, <<1, 3>>>>
}

Won(player) ==
    \E winningPosition \in WinningPositions :
        \A i \in 1..3 :
            board[winningPosition[i][1]][winningPosition[i][2]] = player

(* O goes on as long as X has not won.                                     *)
MoveO ==
    /\ nextTurn = "O"
    /\ ~Won("X")
    /\ MoveToEmpty("O")
    /\ nextTurn' = "X"
-----------------------------------------------------------------------------
(* The strategy of X.                                                      *)

CenterEmpty == board[2][2] = "_"

Corners == {
    <<1, 1>>,
    <<3, 1>>,
    <<1, 3>>,
    <<3, 3>>
}

(* The ways to single out one square of a line, as its third.              *)
PartialWins == {
    <<1, 2, 3>>,
    <<2, 3, 1>>,
    <<3, 1, 2>>
}

BoardEmpty ==
    \A i \in 1..3, j \in 1..3 :
        LET space == board[i][j] IN space = "_"

StartInCorner == \E corner \in Corners : Move("X", corner)

BoardIs(coordinate, player) == board[coordinate[1]][coordinate[2]] = player

(* Two of X in a line whose third square is free: take that square.        *)
CanWin ==
    \E winningPosition \in WinningPositions, partialWin \in PartialWins :
        /\ BoardIs(winningPosition[partialWin[1]], "X")
        /\ BoardIs(winningPosition[partialWin[2]], "X")
        /\ BoardIs(winningPosition[partialWin[3]], "_")

Win ==
    \E winningPosition \in WinningPositions, partialWin \in PartialWins :
        /\ BoardIs(winningPosition[partialWin[1]], "X")
        /\ BoardIs(winningPosition[partialWin[2]], "X")
        /\ BoardIs(winningPosition[partialWin[3]], "_")
        /\ Move("X", winningPosition[partialWin[3]])

(* The same with two of O.                                                 *)
CanBlockWin ==
    \E winningPosition \in WinningPositions, partialWin \in PartialWins :
        /\ BoardIs(winningPosition[partialWin[1]], "O")
        /\ BoardIs(winningPosition[partialWin[2]], "O")
        /\ BoardIs(winningPosition[partialWin[3]], "_")

BlockWin ==
    \E winningPosition \in WinningPositions, partialWin \in PartialWins :
        /\ BoardIs(winningPosition[partialWin[1]], "O")
        /\ BoardIs(winningPosition[partialWin[2]], "O")
        /\ BoardIs(winningPosition[partialWin[3]], "_")
        /\ Move("X", winningPosition[partialWin[3]])

CanTakeCenter == board[2][2] = "_"

TakeCenter == Move("X", <<2, 2>>)

(* One of X in a line that is free otherwise: take either free square.     *)
CanSetupWin ==
    \E winningPosition \in WinningPositions, partialWin \in PartialWins :
        /\ BoardIs(winningPosition[partialWin[1]], "X")
        /\ BoardIs(winningPosition[partialWin[2]], "_")
        /\ BoardIs(winningPosition[partialWin[3]], "_")

SetupWin ==
    \E winningPosition \in WinningPositions, partialWin \in PartialWins :
        /\ BoardIs(winningPosition[partialWin[1]], "X")
        /\ BoardIs(winningPosition[partialWin[2]], "_")
        /\ BoardIs(winningPosition[partialWin[3]], "_")
        /\ \E i \in 2..3 : Move("X", winningPosition[partialWin[i]])

(* The order of the rules is what makes it a strategy.                     *)
MoveX ==
    /\ nextTurn = "X"
    /\ ~Won("O")
    /\ \/ /\ BoardEmpty
          /\ StartInCorner
       \/ /\ ~BoardEmpty
          /\ \/ /\ CanWin
                /\ Win
             \/ /\ ~CanWin
                /\ \/ /\ CanBlockWin
                      /\ BlockWin
                   \/ /\ ~CanBlockWin
                      /\ \/ /\ CanTakeCenter
                            /\ TakeCenter
                         \/ /\ ~CanTakeCenter
                            /\ \/ /\ CanSetupWin
                                  /\ SetupWin
                               \/ /\ ~CanSetupWin
                                  /\ MoveToEmpty("X")
    /\ nextTurn' = "O"
(* What X could do without a strategy, to compare.                         *)
AnyX ==
    /\ nextTurn = "X"
    /\ ~Won("O")
    /\ MoveToEmpty("X")
    /\ nextTurn' = "O"
-----------------------------------------------------------------------------
Next == MoveX \/ MoveO

Spec == Init /\ [][Next]_vars
-----------------------------------------------------------------------------
(* What to ask. Only OHasNotWon holds; the other two fail with a game in   *)
(* which X wins and a game that nobody wins.                               *)

XHasNotWon == ~Won("X")
OHasNotWon == ~Won("O")

BoardFilled ==
    ~\E i \in 1..3, j \in 1..3 :
        LET space == board[i][j] IN space = "_"

NotStalemate ==
    \/ Won("X")
    \/ Won("O")
    \/ ~BoardFilled
=============================================================================
