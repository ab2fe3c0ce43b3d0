---- MODULE Ring ----
(* Processes that are alike pass a ball; for every feature that several processes must agree on. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Who, Max
VARIABLES holder, passes, seen

Init == holder \in Who /\ passes = 0 /\ seen = {holder}
Pass(p, q) == holder = p /\ holder' = q /\ passes' = passes + 1 /\ seen' = seen \cup {q}
Forget(p) == p \in seen /\ seen' = seen \ {p} /\ UNCHANGED <<holder, passes>>
Next == (\E p, q \in Who : p # q /\ Pass(p, q)) \/ (\E p \in Who : Forget(p))
Spec == Init /\ [][Next]_<<holder, passes, seen>>

Vars == <<holder, passes, seen>>
FairPasses == Spec /\ \A p \in Who : WF_Vars(\E q \in Who : p # q /\ Pass(p, q))
FairForgets == Spec /\ \A p \in Who : SF_Vars(Forget(p))
Passes == <>(passes >= 2)
Forgets == \A p \in Who : []<>(p \notin seen)

Few == passes <= Max
Steady == passes' <= Max
Alike == Permutations(Who)
Half == <<holder, seen, passes \div 2>>
NotAll == seen # Who
NoneForgets == [][seen \subseteq seen']_seen
Fails == passes < 3 \/ passes = "many"
AlwaysFails == []<>Fails
====
