------------------------------ MODULE Consensus -----------------------------
(* A single decision by ballots in the manner of Paxos: three acceptors,   *)
(* up to four ballots, messages that are never lost from the set. N is the *)
(* number of ballots with two values; above four, one value more for each. *)
EXTENDS Integers, FiniteSets

CONSTANT N

VARIABLES promised, accepted, sent

Acceptor == {"a", "b", "c"}
Ballot == 1 .. (IF N < 4 THEN N ELSE 4)
Choice == 1 .. (IF N < 4 THEN 2 ELSE N - 2)
Quorum == {q \in SUBSET Acceptor : Cardinality(q) = 2}
Nothing == [ballot |-> 0, choice |-> 1]

TypeOK ==
    /\ promised \in [Acceptor -> Ballot \cup {0}]
    /\ accepted \in [Acceptor -> [ballot : Ballot \cup {0}, choice : Choice]]

Init ==
    /\ promised = [a \in Acceptor |-> 0]
    /\ accepted = [a \in Acceptor |-> Nothing]
    /\ sent = {}

Ask(b) ==
    /\ sent' = sent \cup {[kind |-> "ask", ballot |-> b]}
    /\ UNCHANGED <<promised, accepted>>

Promise(a) ==
    \E m \in sent :
        /\ m.kind = "ask"
        /\ m.ballot > promised[a]
        /\ promised' = [promised EXCEPT ![a] = m.ballot]
        /\ sent' = sent \cup
            {[kind |-> "promise", ballot |-> m.ballot, from |-> a, last |-> accepted[a]]}
        /\ UNCHANGED accepted

Propose(b, c) ==
    /\ ~\E m \in sent : m.kind = "propose" /\ m.ballot = b
    /\ \E q \in Quorum :
        LET heard == {m \in sent : m.kind = "promise" /\ m.ballot = b /\ m.from \in q}
        IN  /\ \A a \in q : \E m \in heard : m.from = a
            /\ \A m \in heard :
                \/ m.last.ballot = 0
                \/ \E n \in heard : n.last.ballot > m.last.ballot
                \/ m.last.choice = c
    /\ sent' = sent \cup {[kind |-> "propose", ballot |-> b, choice |-> c]}
    /\ UNCHANGED <<promised, accepted>>

Accept(a) ==
    \E m \in sent :
        /\ m.kind = "propose"
        /\ m.ballot >= promised[a]
        /\ accepted[a].ballot # m.ballot
        /\ promised' = [promised EXCEPT ![a] = m.ballot]
        /\ accepted' = [accepted EXCEPT ![a] = [ballot |-> m.ballot, choice |-> m.choice]]
        /\ sent' = sent \cup {[kind |-> "accept", ballot |-> m.ballot, from |-> a, choice |-> m.choice]}

Next ==
    \/ \E b \in Ballot : Ask(b) \/ \E c \in Choice : Propose(b, c)
    \/ \E a \in Acceptor : Promise(a) \/ Accept(a)

Spec == Init /\ [][Next]_<<promised, accepted, sent>>

Chosen(c) ==
    \E b \in Ballot, q \in Quorum :
        \A a \in q : [kind |-> "accept", ballot |-> b, from |-> a, choice |-> c] \in sent

Agreement == \A c, d \in Choice : Chosen(c) /\ Chosen(d) => c = d
=============================================================================
