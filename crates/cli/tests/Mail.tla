-------------------------------- MODULE Mail --------------------------------
(* Sets with many possible elements, alone and in a function, that gain,    *)
(* lose, are sieved, counted, compared and replaced.                        *)
EXTENDS Naturals, FiniteSets

VARIABLES mail, box, log

vars == <<mail, box, log>>

Who == {"a", "b"}
Letter == [at : 1 .. 12, to : Who]

Init ==
    /\ mail = {}
    /\ box = [w \in Who |-> {}]
    /\ log = 0

Post(i, w) ==
    /\ Cardinality(mail) < 2
    /\ [at |-> i, to |-> w] \notin mail
    /\ mail' = mail \cup {[at |-> i, to |-> w]}
    /\ UNCHANGED <<box, log>>

\* Two at once, one of which may be there.
Twice(i) ==
    /\ Cardinality(mail) < 2
    /\ i % 5 = 0
    /\ mail' = {[at |-> i, to |-> w] : w \in Who} \cup mail
    /\ UNCHANGED <<box, log>>

Deliver(w) ==
    \E m \in mail :
        /\ m.to = w
        /\ Cardinality(box[w]) < 1
        /\ mail' = mail \ {m}
        /\ box' = [box EXCEPT ![w] = @ \cup {m}]
        /\ UNCHANGED log

Read(w) ==
    /\ box[w] # {}
    /\ LET m == CHOOSE m \in box[w] : TRUE
       IN box' = [box EXCEPT ![w] = @ \ {m}]
    /\ log' = (log + 1) % 2
    /\ UNCHANGED mail

Swap ==
    /\ mail # {} /\ log = 1
    /\ box' = [box EXCEPT !["a"] = box["b"], !["b"] = box["a"]]
    /\ UNCHANGED <<mail, log>>

Burn ==
    /\ Cardinality({m \in mail : m.to = "a"}) = 2
    /\ mail' = {}
    /\ log' = Cardinality(mail)
    /\ UNCHANGED box

Next ==
    \/ \E i \in 1 .. 12 : Twice(i) \/ \E w \in Who : Post(i, w)
    \/ \E w \in Who : Deliver(w) \/ Read(w)
    \/ Swap \/ Burn

Spec == Init /\ [][Next]_vars

TypeOK ==
    /\ mail \subseteq Letter
    /\ box \in [Who -> SUBSET Letter]
    /\ log \in 0 .. 3

Once == \A w \in Who : Cardinality(box[w]) <= 1

\* False once letters were swapped.
Own == \A w \in Who : \A m \in box[w] : m.to = w

\* False when a letter was posted again that had been delivered.
Apart == \A w \in Who : box[w] \cap mail = {}

Posted == [][Cardinality(mail') <= Cardinality(mail) + 1]_mail

Empties == []<>(mail = {})
=============================================================================
