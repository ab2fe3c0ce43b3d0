------------------------ MODULE RelationAssertions ------------------------
(* Properties and closures of relations.                                   *)
EXTENDS Relation, TLC

S == 1 .. 4
Next(x, y) == y = x + 1
R == [p \in S \X S |-> Next(p[1], p[2])]

ASSUME IsReflexiveUnder(<=, S) /\ ~IsReflexiveUnder(<, S) /\ IsReflexive([p \in S \X S |-> TRUE], S)
ASSUME IsIrreflexiveUnder(<, S) /\ ~IsIrreflexiveUnder(=, S) /\ IsIrreflexive(R, S)
ASSUME IsSymmetricUnder(#, S) /\ ~IsSymmetricUnder(<, S) /\ ~IsSymmetric(R, S)
ASSUME IsAntiSymmetricUnder(<=, S) /\ ~IsAntiSymmetricUnder(#, S) /\ IsAntiSymmetric(R, S)
ASSUME IsAsymmetricUnder(<, S) /\ ~IsAsymmetricUnder(<=, S) /\ IsAsymmetric(R, S)
ASSUME IsTransitiveUnder(<, S) /\ ~IsTransitiveUnder(#, S) /\ ~IsTransitive(R, S)
ASSUME IsStrictlyPartiallyOrderedUnder(<, S) /\ ~IsStrictlyPartiallyOrderedUnder(<=, S)
ASSUME IsPartiallyOrderedUnder(\subseteq, SUBSET {1, 2}) /\ ~IsTotallyOrderedUnder(\subseteq, SUBSET {1, 2})
ASSUME IsStrictlyTotallyOrderedUnder(<, S) /\ IsTotallyOrderedUnder(>=, S) /\ ~IsTotallyOrderedUnder(>, S)
ASSUME TransitiveClosure(R, S) = [p \in S \X S |-> p[1] < p[2]]
ASSUME ReflexiveTransitiveClosure(R, S) = [p \in S \X S |-> p[1] <= p[2]]
ASSUME TransitiveClosure([p \in S \X S |-> FALSE], S) = [p \in S \X S |-> FALSE]
ASSUME ~IsConnected(R, S) /\ IsConnected([p \in S \X S |-> p[2] = (p[1] % 4) + 1], S)
ASSUME IsConnected([p \in {1} \X {1} |-> FALSE], {1})
=============================================================================
