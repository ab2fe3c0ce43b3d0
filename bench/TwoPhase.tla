------------------------------- MODULE TwoPhase -----------------------------
(* Atomic commitment of N participants: votes and decisions are messages   *)
(* that stay on the wire.                                                  *)
EXTENDS Naturals

CONSTANT N

VARIABLES part, leader, votes, wire

Part == 1 .. N

Message == [kind : {"yes"}, from : Part] \cup [kind : {"commit", "abort"}]

TypeOK ==
    /\ part \in [Part -> {"working", "prepared", "committed", "aborted"}]
    /\ leader \in {"waits", "committed", "aborted"}
    /\ votes \subseteq Part
    /\ wire \subseteq Message

Init ==
    /\ part = [p \in Part |-> "working"]
    /\ leader = "waits"
    /\ votes = {}
    /\ wire = {}

Prepare(p) ==
    /\ part[p] = "working"
    /\ part' = [part EXCEPT ![p] = "prepared"]
    /\ wire' = wire \cup {[kind |-> "yes", from |-> p]}
    /\ UNCHANGED <<leader, votes>>

GiveUp(p) ==
    /\ part[p] = "working"
    /\ part' = [part EXCEPT ![p] = "aborted"]
    /\ UNCHANGED <<leader, votes, wire>>

Count(p) ==
    /\ leader = "waits"
    /\ [kind |-> "yes", from |-> p] \in wire
    /\ votes' = votes \cup {p}
    /\ UNCHANGED <<part, leader, wire>>

Decide(kind, state) ==
    /\ leader = "waits"
    /\ kind = "commit" => votes = Part
    /\ leader' = state
    /\ wire' = wire \cup {[kind |-> kind]}
    /\ UNCHANGED <<part, votes>>

Obey(p, kind, state) ==
    /\ [kind |-> kind] \in wire
    /\ part' = [part EXCEPT ![p] = state]
    /\ UNCHANGED <<leader, votes, wire>>

Next ==
    \/ Decide("commit", "committed")
    \/ Decide("abort", "aborted")
    \/ \E p \in Part :
        \/ Prepare(p)
        \/ GiveUp(p)
        \/ Count(p)
        \/ Obey(p, "commit", "committed")
        \/ Obey(p, "abort", "aborted")

Spec == Init /\ [][Next]_<<part, leader, votes, wire>>

Agreement == ~\E p, q \in Part : part[p] = "committed" /\ part[q] = "aborted"
=============================================================================
