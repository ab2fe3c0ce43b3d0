-------------------------------- MODULE Late --------------------------------
(* Variables that keep their shape for a long while and then lose it: a     *)
(* function that gets another domain, a record that gets another field, a   *)
(* sequence that grows, functions in functions.                             *)
EXTENDS Naturals, Sequences

CONSTANT Late

VARIABLES clock, owner, grid, note, pair, mode

vars == <<clock, owner, grid, note, pair, mode>>

Who == {"a", "b"}
Broken == [i \in 5 .. 6 |-> 0]

Init ==
    /\ clock = 0
    /\ owner = [w \in Who |-> 0]
    /\ grid = [w \in Who |-> [i \in 2 .. 3 |-> [on |-> FALSE, n |-> i]]]
    /\ note = [from |-> "a", last |-> <<>>]
    /\ pair = <<0, 0>>
    /\ mode = [is |-> "new"]

Tick ==
    /\ clock < Late + 6
    /\ clock' = clock + 1
    /\ UNCHANGED <<owner, grid, note, pair, mode>>

Take(w) ==
    /\ clock < 3
    /\ DOMAIN owner = Who
    /\ owner[w] < 2
    /\ owner' = [owner EXCEPT ![w] = @ + 1]
    /\ UNCHANGED <<clock, grid, note, pair, mode>>

\* Another domain, and back again.
Grow ==
    /\ clock = Late
    /\ owner' = [w \in DOMAIN owner \cup {"c"} |-> IF w \in DOMAIN owner THEN owner[w] ELSE 9]
    /\ UNCHANGED <<clock, grid, note, pair, mode>>

Shrink ==
    /\ clock > Late
    /\ "c" \in DOMAIN owner
    /\ owner' = [w \in Who |-> owner[w]]
    /\ UNCHANGED <<clock, grid, note, pair, mode>>

\* A part that is split stops fitting, inside of one that fits.
Break(w) ==
    /\ clock = Late + 1
    /\ grid' = [grid EXCEPT ![w] = Broken]
    /\ UNCHANGED <<clock, owner, note, pair, mode>>

Flip(w, i) ==
    /\ clock = Late + 2
    /\ grid[w] # Broken
    /\ ~grid[w][i].on
    /\ grid' = [grid EXCEPT ![w][i].on = TRUE, ![w][i].n = @ + 1]
    /\ UNCHANGED <<clock, owner, note, pair, mode>>

Mend ==
    /\ clock = Late + 3
    /\ \E w \in Who : grid[w] = Broken
    /\ grid' = [w \in Who |-> [i \in 2 .. 3 |-> [on |-> TRUE, n |-> i]]]
    /\ UNCHANGED <<clock, owner, note, pair, mode>>

Say ==
    /\ clock >= Late + 3
    /\ Len(note.last) < 2
    /\ note' = [note EXCEPT !.last = Append(@, clock)]
    /\ UNCHANGED <<clock, owner, grid, pair, mode>>

\* A pair becomes a triple, then a single one.
Widen ==
    /\ clock = Late + 4
    /\ pair = <<0, 0>>
    /\ pair' = Append(pair, clock)
    /\ UNCHANGED <<clock, owner, grid, note, mode>>

Flatten ==
    /\ clock = Late + 5
    /\ Len(pair) > 1
    /\ pair' = <<7>>
    /\ mode' = [was |-> mode]
    /\ UNCHANGED <<clock, owner, grid, note>>

Next ==
    \/ Tick \/ Grow \/ Shrink \/ Mend \/ Say \/ Widen \/ Flatten
    \/ \E w \in Who : Take(w) \/ Break(w) \/ \E i \in 2 .. 3 : Flip(w, i)

Spec == Init /\ [][Next]_vars

Fair == Spec /\ WF_vars(Tick) /\ WF_vars(Shrink)

TypeOK ==
    /\ clock \in 0 .. Late + 6
    /\ owner \in [Who -> 0 .. 2] \/ owner \in [Who \cup {"c"} -> 0 .. 9]
    /\ DOMAIN note = {"from", "last"}

\* False in the states in which the function has grown.
Small == owner \in [Who -> 0 .. 2]

\* False when both sides of the grid are broken.
Whole == \E w \in Who : grid[w] # Broken

Kept == [][Len(pair') # 1 \/ Len(pair) = 2]_pair

Ends == <>(clock = Late + 6)

Comes == <>(DOMAIN owner = {"a", "b", "c"})
=============================================================================
