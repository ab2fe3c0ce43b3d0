---------------------- MODULE VectorClocksAssertions ----------------------
(* Logs in a causal order.                                                 *)
EXTENDS VectorClocks, TLC

Clock(entry) == entry

ASSUME IsCausalOrder(<< >>, Clock) /\ IsCausalOrder(<<<<0, 0>>>>, Clock)
ASSUME IsCausalOrder(<<<<0, 0>>, <<0, 1>>>>, Clock) /\ IsCausalOrder(<<<<1, 0>>, <<0, 1>>>>, Clock)
ASSUME ~IsCausalOrder(<<<<0, 1>>, <<0, 0>>>>, Clock) /\ ~IsCausalOrder(<<<<1, 1>>, <<1, 1>>>>, Clock)
ASSUME IsCausalOrder(<<<<1>>, <<0, 1>>>>, Clock) /\ ~IsCausalOrder(<<<<1>>, <<0, 0>>>>, Clock)

(* Entries with a clock and the node that wrote them, sorted.              *)
Log == <<[clock |-> [a |-> 1, b |-> 1], node |-> "b"],
         [clock |-> [a |-> 1, b |-> 0], node |-> "a"],
         [clock |-> [a |-> 2, b |-> 1], node |-> "a"]>>
ASSUME LET sorted == CausalOrder(Log, LAMBDA e : e.clock, LAMBDA e : e.node, LAMBDA c : DOMAIN c)
       IN  sorted = <<Log[2], Log[1], Log[3]>>
=============================================================================
