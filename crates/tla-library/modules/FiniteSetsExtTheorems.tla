----------------------- MODULE FiniteSetsExtTheorems -----------------------
(* Facts about the operators of FiniteSetsExt. All are stated without      *)
(* proof.                                                                  *)
EXTENDS FiniteSetsExt, FiniteSets, Integers

LOCAL IsClosed(V, op(_, _)) == \A t, u \in V : op(t, u) \in V
LOCAL IsAC(V, op(_, _)) ==
    /\ \A t, u \in V : op(t, u) = op(u, t)
    /\ \A t, u, v \in V : op(t, op(u, v)) = op(op(t, u), v)
-----------------------------------------------------------------------------
THEOREM FoldSetEmpty ==
    ASSUME NEW op(_, _), NEW base
    PROVE  FoldSet(op, base, {}) = base

THEOREM FoldSetNonempty ==
    ASSUME NEW op(_, _), NEW base, NEW A, A # {}, IsFiniteSet(A)
    PROVE  \E e \in A : FoldSet(op, base, A) = op(e, FoldSet(op, base, A \ {e}))

THEOREM FoldSetType ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, NEW A \in SUBSET V, IsFiniteSet(A),
           IsClosed(V, op)
    PROVE  FoldSet(op, base, A) \in V

THEOREM FoldSetAC ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op),
           NEW A \in SUBSET V, IsFiniteSet(A), NEW e \in A
    PROVE  FoldSet(op, base, A) = op(e, FoldSet(op, base, A \ {e}))

THEOREM FoldSetACAddElement ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op),
           NEW A \in SUBSET V, IsFiniteSet(A), NEW e \in V \ A
    PROVE  FoldSet(op, base, A \cup {e}) = op(e, FoldSet(op, base, A))

THEOREM FoldSetDisjointUnion ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op),
           \A t \in V : op(base, t) = t, NEW A \in SUBSET V, IsFiniteSet(A),
           NEW B \in SUBSET V, IsFiniteSet(B), A \cap B = {}
    PROVE  FoldSet(op, base, A \cup B) = op(FoldSet(op, base, A), FoldSet(op, base, B))
-----------------------------------------------------------------------------
THEOREM SumSetNat ==
    ASSUME NEW A \in SUBSET Nat, IsFiniteSet(A)
    PROVE  SumSet(A) \in Nat

THEOREM SumSetInt ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A)
    PROVE  SumSet(A) \in Int

THEOREM SumSetEmpty == SumSet({}) = 0

THEOREM SumSetNonempty ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A), NEW e \in A
    PROVE  SumSet(A) = e + SumSet(A \ {e})

THEOREM SumSetAddElement ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A), NEW e \in Int \ A
    PROVE  SumSet(A \cup {e}) = e + SumSet(A)

THEOREM SumSetDisjointUnion ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A), NEW B \in SUBSET Int, IsFiniteSet(B),
           A \cap B = {}
    PROVE  SumSet(A \cup B) = SumSet(A) + SumSet(B)

THEOREM SumSetNatSubset ==
    ASSUME NEW A \in SUBSET Nat, IsFiniteSet(A), NEW B \in SUBSET A
    PROVE  SumSet(B) <= SumSet(A)

THEOREM SumSetNatZero ==
    ASSUME NEW A \in SUBSET Nat, IsFiniteSet(A)
    PROVE  SumSet(A) = 0 <=> A \subseteq {0}
-----------------------------------------------------------------------------
THEOREM ProductSetNat ==
    ASSUME NEW A \in SUBSET Nat, IsFiniteSet(A)
    PROVE  ProductSet(A) \in Nat

THEOREM ProductSetInt ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A)
    PROVE  ProductSet(A) \in Int

THEOREM ProductSetEmpty == ProductSet({}) = 1

THEOREM ProductSetNonempty ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A), NEW e \in A
    PROVE  ProductSet(A) = e * ProductSet(A \ {e})

THEOREM ProductSetAddElement ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A), NEW e \in Int \ A
    PROVE  ProductSet(A \cup {e}) = e * ProductSet(A)

THEOREM ProductSetDisjointUnion ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A), NEW B \in SUBSET Int, IsFiniteSet(B),
           A \cap B = {}
    PROVE  ProductSet(A \cup B) = ProductSet(A) * ProductSet(B)

THEOREM ProductSetNatOne ==
    ASSUME NEW A \in SUBSET Nat, IsFiniteSet(A)
    PROVE  ProductSet(A) = 1 <=> A \subseteq {1}

THEOREM ProductSetZero ==
    ASSUME NEW A \in SUBSET Int, IsFiniteSet(A)
    PROVE  ProductSet(A) = 0 <=> 0 \in A

THEOREM ProductSetNatSubset ==
    ASSUME NEW A \in SUBSET Nat \ {0}, IsFiniteSet(A), NEW B \in SUBSET A
    PROVE  ProductSet(B) <= ProductSet(A)
-----------------------------------------------------------------------------
THEOREM MapThenSumSetNat ==
    ASSUME NEW A, IsFiniteSet(A), NEW op(_), \A e \in A : op(e) \in Nat
    PROVE  MapThenSumSet(op, A) \in Nat

THEOREM MapThenSumSetInt ==
    ASSUME NEW A, IsFiniteSet(A), NEW op(_), \A e \in A : op(e) \in Int
    PROVE  MapThenSumSet(op, A) \in Int

THEOREM MapThenSumSetEmpty ==
    ASSUME NEW op(_)
    PROVE  MapThenSumSet(op, {}) = 0

THEOREM MapThenSumSetNonempty ==
    ASSUME NEW A, IsFiniteSet(A), NEW e \in A, NEW op(_), \A s \in A : op(s) \in Int
    PROVE  MapThenSumSet(op, A) = op(e) + MapThenSumSet(op, A \ {e})

THEOREM MapThenSumSetAddElement ==
    ASSUME NEW A, IsFiniteSet(A), NEW e, e \notin A, NEW op(_),
           \A s \in A \cup {e} : op(s) \in Int
    PROVE  MapThenSumSet(op, A \cup {e}) = op(e) + MapThenSumSet(op, A)

THEOREM MapThenSumSetDisjointUnion ==
    ASSUME NEW A, IsFiniteSet(A), NEW B, IsFiniteSet(B), A \cap B = {}, NEW op(_),
           \A e \in A \cup B : op(e) \in Int
    PROVE  MapThenSumSet(op, A \cup B) = MapThenSumSet(op, A) + MapThenSumSet(op, B)

THEOREM MapThenSumSetNatSubset ==
    ASSUME NEW A, IsFiniteSet(A), NEW B \in SUBSET A, NEW op(_),
           \A e \in A : op(e) \in Nat
    PROVE  MapThenSumSet(op, B) <= MapThenSumSet(op, A)

THEOREM MapThenSumSetZero ==
    ASSUME NEW A, IsFiniteSet(A), NEW op(_), \A e \in A : op(e) \in Nat
    PROVE  MapThenSumSet(op, A) = 0 <=> \A e \in A : op(e) = 0

THEOREM MapThenSumSetMonotonic ==
    ASSUME NEW A, IsFiniteSet(A), NEW f(_), \A e \in A : f(e) \in Int, NEW g(_),
           \A e \in A : g(e) \in Int, \A e \in A : f(e) <= g(e)
    PROVE  MapThenSumSet(f, A) <= MapThenSumSet(g, A)

THEOREM MapThenSumSetStrictlyMonotonic ==
    ASSUME NEW A, IsFiniteSet(A), NEW f(_), \A e \in A : f(e) \in Int, NEW g(_),
           \A e \in A : g(e) \in Int, \A e \in A : f(e) <= g(e), NEW s \in A,
           f(s) < g(s)
    PROVE  MapThenSumSet(f, A) < MapThenSumSet(g, A)
-----------------------------------------------------------------------------
THEOREM MaxInt ==
    ASSUME NEW A \in SUBSET Int, NEW e \in A, \A d \in A : e >= d
    PROVE  Max(A) = e

THEOREM MaxIntFinite ==
    ASSUME NEW A \in SUBSET Int, A # {}, IsFiniteSet(A)
    PROVE  Max(A) \in A /\ \A d \in A : Max(A) >= d

THEOREM MaxIntBounded ==
    ASSUME NEW A \in SUBSET Int, A # {}, NEW e \in Int, \A d \in A : e >= d
    PROVE  Max(A) \in A /\ \A d \in A : Max(A) >= d

THEOREM MaxInterval ==
    ASSUME NEW m \in Int, NEW n \in Int, m <= n
    PROVE  Max(m .. n) = n

THEOREM MinInt ==
    ASSUME NEW A \in SUBSET Int, NEW e \in A, \A d \in A : e <= d
    PROVE  Min(A) = e

THEOREM MinIntFinite ==
    ASSUME NEW A \in SUBSET Int, A # {}, IsFiniteSet(A)
    PROVE  Min(A) \in A /\ \A d \in A : Min(A) <= d

THEOREM MinIntBounded ==
    ASSUME NEW A \in SUBSET Int, A # {}, NEW e \in Int, \A d \in A : e <= d
    PROVE  Min(A) \in A /\ \A d \in A : Min(A) <= d

THEOREM MinInterval ==
    ASSUME NEW m \in Int, NEW n \in Int, m <= n
    PROVE  Min(m .. n) = m

THEOREM MinNat ==
    ASSUME NEW A \in SUBSET Nat, A # {}
    PROVE  Min(A) \in A /\ \A d \in A : Min(A) <= d
-----------------------------------------------------------------------------
THEOREM SupersetOfMajorityIsMajority ==
    ASSUME NEW C, IsFiniteSet(C), NEW P \in SUBSET C, NEW Q \in SUBSET C,
           P \subseteq Q, 2 * Cardinality(P) > Cardinality(C)
    PROVE  2 * Cardinality(Q) > Cardinality(C)
=============================================================================
