-------------------------------- MODULE Many --------------------------------
(* 45 000 initial states, by every kind of choice.                          *)
EXTENDS Naturals

VARIABLES row, side, some, pair, rest, odd

Init ==
    /\ row \in [1 .. 4 -> 1 .. 5]
    /\ side = "left" \/ side = "right"
    /\ \E n \in 1 .. 3 : some = {n, n + 1}
    /\ <<pair, rest>> \in {1, 2} \X {{}, {3}}
    /\ odd \in {n \in 1 .. 6 : n % 2 = 1}

Spec == Init /\ [][FALSE]_<<row, side, some, pair, rest, odd>>

\* Of the last one in the order of the text.
NotLast ==
    \/ \E i \in 1 .. 4 : row[i] # 5
    \/ side # "right" \/ some # {3, 4} \/ pair # 2 \/ rest # {3} \/ odd # 5
=============================================================================
