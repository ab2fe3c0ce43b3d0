---------------------------- MODULE VectorClocks ----------------------------
(* Logs of a distributed system in which each entry has a vector clock: a  *)
(* function from nodes to natural numbers. A node that a clock does not    *)
(* know counts as 0.                                                       *)
EXTENDS Naturals, Sequences, Functions

LOCAL Time(clock, node) == IF node \in DOMAIN clock THEN clock[node] ELSE 0

(* An entry never stands after one that it happened before, nor after one  *)
(* with the same clock: against every earlier entry it is ahead somewhere. *)
IsCausalOrder(log, clock(_)) ==
    \A i \in 1 .. Len(log) : \A j \in 1 .. (i - 1) :
        \E node \in DOMAIN clock(log[i]) :
            Time(clock(log[j]), node) < Time(clock(log[i]), node)

(* The entries of the log in a causal order. Of an entry, clock gives the  *)
(* vector clock and node the node; domain gives the nodes of a clock.      *)
CausalOrder(log, clock(_), node(_), domain(_)) ==
    LET I == 1 .. Len(log)
        Reordered(p) == [i \in I |-> log[p[i]]]
    IN  CHOOSE new \in {Reordered(p) : p \in Bijection(I, I)} : IsCausalOrder(new, clock)
=============================================================================
