------------------------------ MODULE Relation ------------------------------
(* Relations on a set S, as functions R from pairs to Booleans: R[x, y]    *)
(* says that R relates x to y. The Under operators ask the same of an      *)
(* infix operator or any other operator with two arguments.                *)
EXTENDS Naturals, FiniteSets

LOCAL AsFunction(op(_, _), S) == [p \in S \X S |-> op(p[1], p[2])]
-----------------------------------------------------------------------------
(* Everything is related to itself; nothing is.                            *)
IsReflexive(R, S)               == \A x \in S : R[x, x]
IsReflexiveUnder(op(_, _), S)   == IsReflexive(AsFunction(op, S), S)
IsIrreflexive(R, S)             == \A x \in S : ~R[x, x]
IsIrreflexiveUnder(op(_, _), S) == IsIrreflexive(AsFunction(op, S), S)

(* Related both ways: always; only to itself; never.                       *)
IsSymmetric(R, S)                 == \A x, y \in S : R[x, y] => R[y, x]
IsSymmetricUnder(op(_, _), S)     == IsSymmetric(AsFunction(op, S), S)
IsAntiSymmetric(R, S)             == \A x, y \in S : R[x, y] /\ R[y, x] => x = y
IsAntiSymmetricUnder(op(_, _), S) == IsAntiSymmetric(AsFunction(op, S), S)
IsAsymmetric(R, S)                == \A x, y \in S : R[x, y] => ~R[y, x]
IsAsymmetricUnder(op(_, _), S)    == IsAsymmetric(AsFunction(op, S), S)

(* Two steps are as good as one.                                           *)
IsTransitive(R, S)             == \A x, y, z \in S : R[x, y] /\ R[y, z] => R[x, z]
IsTransitiveUnder(op(_, _), S) == IsTransitive(AsFunction(op, S), S)
-----------------------------------------------------------------------------
(* Orders. The strict ones relate nothing to itself; the total ones relate *)
(* any two different elements in one direction.                            *)
IsStrictlyPartiallyOrdered(R, S) ==
    IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) ==
    IsStrictlyPartiallyOrdered(AsFunction(op, S), S)

IsPartiallyOrdered(R, S) ==
    IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsPartiallyOrderedUnder(op(_, _), S) == IsPartiallyOrdered(AsFunction(op, S), S)

LOCAL AreComparable(R, S) == \A x, y \in S : x = y \/ R[x, y] \/ R[y, x]

IsStrictlyTotallyOrdered(R, S) == IsStrictlyPartiallyOrdered(R, S) /\ AreComparable(R, S)
IsStrictlyTotallyOrderedUnder(op(_, _), S) ==
    IsStrictlyTotallyOrdered(AsFunction(op, S), S)

IsTotallyOrdered(R, S) == IsPartiallyOrdered(R, S) /\ AreComparable(R, S)
IsTotallyOrderedUnder(op(_, _), S) == IsTotallyOrdered(AsFunction(op, S), S)
-----------------------------------------------------------------------------
(* Relates x to y if R does in one or more steps; for a finite set S. The  *)
(* way may go through one more element at a time (Warshall's algorithm).   *)
TransitiveClosure(R, S) ==
    LET RECURSIVE Through(_, _)
        Through(T, Q) ==
            IF T = {} THEN Q
            ELSE LET z == CHOOSE z \in T : TRUE
                 IN  Through(T \ {z},
                             [p \in S \X S |-> Q[p] \/ (Q[p[1], z] /\ Q[z, p[2]])])
    IN  Through(S, [p \in S \X S |-> R[p]])

(* In no, one or more steps.                                               *)
ReflexiveTransitiveClosure(R, S) ==
    LET closure == TransitiveClosure(R, S)
    IN  [p \in S \X S |-> p[1] = p[2] \/ closure[p]]

(* There is a way from every element to every other.                       *)
IsConnected(R, S) ==
    LET reach == ReflexiveTransitiveClosure(R, S)
    IN  \A x, y \in S : reach[x, y]
=============================================================================
