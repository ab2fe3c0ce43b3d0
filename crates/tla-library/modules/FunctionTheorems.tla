-------------------------- MODULE FunctionTheorems --------------------------
(* Facts about the operators of Functions. All are stated without proof.   *)
EXTENDS Functions, Integers, FiniteSets
-----------------------------------------------------------------------------
(* Restriction, range, inverse.                                            *)

THEOREM Fun_RestrictProperties ==
    ASSUME NEW A, NEW B, NEW f \in [A -> B], NEW D \in SUBSET A
    PROVE  /\ Restrict(f, D) \in [D -> B]
           /\ \A u \in D : Restrict(f, D)[u] = f[u]

THEOREM Fun_RangeProperties ==
    ASSUME NEW A, NEW B, NEW f \in [A -> B]
    PROVE  /\ Range(f) \subseteq B
           /\ \A v \in Range(f) : \E u \in A : f[u] = v
           /\ f \in Surjection(A, Range(f))

THEOREM Fun_InverseProperties ==
    ASSUME NEW A, NEW B, NEW f \in [A -> B]
    PROVE  /\ (A = {} => B = {}) => Inverse(f, A, B) \in [B -> A]
           /\ \A v \in Range(f) : f[Inverse(f, A, B)[v]] = v
-----------------------------------------------------------------------------
(* How to see that a function is an injection, surjection or bijection,    *)
(* and what follows from it.                                               *)

THEOREM Fun_IsInj ==
    ASSUME NEW A, NEW B, NEW f \in [A -> B], \A u, v \in A : f[u] = f[v] => u = v
    PROVE  f \in Injection(A, B)

THEOREM Fun_IsSurj ==
    ASSUME NEW A, NEW B, NEW f \in [A -> B], \A b \in B : \E a \in A : f[a] = b
    PROVE  f \in Surjection(A, B)

THEOREM Fun_IsBij ==
    ASSUME NEW A, NEW B, NEW f,
           \/ f \in Injection(A, B)
           \/ f \in [A -> B] /\ \A u, v \in A : f[u] = f[v] => u = v,
           \/ f \in Surjection(A, B)
           \/ f \in [A -> B] /\ \A b \in B : \E a \in A : f[a] = b
    PROVE  f \in Bijection(A, B)

THEOREM Fun_InjectionProperties ==
    ASSUME NEW A, NEW B, NEW f \in Injection(A, B)
    PROVE  /\ f \in [A -> B]
           /\ \A u, v \in A : f[u] = f[v] => u = v

THEOREM Fun_SurjectionProperties ==
    ASSUME NEW A, NEW B, NEW f \in Surjection(A, B)
    PROVE  /\ f \in [A -> B]
           /\ \A b \in B : \E a \in A : f[a] = b
           /\ Range(f) = B

THEOREM Fun_BijectionProperties ==
    ASSUME NEW A, NEW B, NEW f \in Bijection(A, B)
    PROVE  /\ f \in [A -> B]
           /\ f \in Injection(A, B)
           /\ f \in Surjection(A, B)
           /\ \A u, v \in A : f[u] = f[v] => u = v
           /\ \A b \in B : \E a \in A : f[a] = b

THEOREM Fun_SmallestSurjectionIsBijection ==
    ASSUME NEW A, NEW B, NEW f \in Surjection(A, B),
           \A C \in SUBSET A : C # A => Surjection(C, B) = {}
    PROVE  f \in Bijection(A, B)
-----------------------------------------------------------------------------
(* Composition, inverse, restriction.                                      *)

THEOREM Fun_InjTransitive ==
    ASSUME NEW A, NEW B, NEW C, NEW f \in Injection(A, B), NEW g \in Injection(B, C)
    PROVE  [a \in A |-> g[f[a]]] \in Injection(A, C)

THEOREM Fun_SurjTransitive ==
    ASSUME NEW A, NEW B, NEW C, NEW f \in Surjection(A, B), NEW g \in Surjection(B, C)
    PROVE  [a \in A |-> g[f[a]]] \in Surjection(A, C)

THEOREM Fun_BijTransitive ==
    ASSUME NEW A, NEW B, NEW C, NEW f \in Bijection(A, B), NEW g \in Bijection(B, C)
    PROVE  [a \in A |-> g[f[a]]] \in Bijection(A, C)

THEOREM Fun_SurjInverse ==
    ASSUME NEW A, NEW B, NEW f \in Surjection(A, B)
    PROVE  Inverse(f, A, B) \in Injection(B, A)

THEOREM Fun_InjInverse ==
    ASSUME NEW A, NEW B, NEW f \in Injection(A, B), A = {} => B = {}
    PROVE  Inverse(f, A, B) \in Surjection(B, A)

THEOREM Fun_BijInverse ==
    ASSUME NEW A, NEW B, NEW f \in Bijection(A, B)
    PROVE  /\ Inverse(f, A, B) \in Bijection(B, A)
           /\ \A a \in A : Inverse(f, A, B)[f[a]] = a
           /\ Inverse(Inverse(f, A, B), B, A) = f

THEOREM Fun_BijRestrict ==
    ASSUME NEW A, NEW B, NEW f \in Bijection(A, B), NEW D \in SUBSET A
    PROVE  Restrict(f, D) \in Bijection(D, Range(Restrict(f, D)))

THEOREM Fun_InjMeansBijImage ==
    ASSUME NEW A, NEW B, NEW f \in Injection(A, B)
    PROVE  f \in Bijection(A, Range(f))
-----------------------------------------------------------------------------
(* Existence of injections, surjections and bijections.                    *)

THEOREM Fun_ExistsInj  == \A A, B : ExistsInjection(A, B) <=> Injection(A, B) # {}
THEOREM Fun_ExistsSurj == \A A, B : ExistsSurjection(A, B) <=> Surjection(A, B) # {}
THEOREM Fun_ExistsBij  == \A A, B : ExistsBijection(A, B) <=> Bijection(A, B) # {}

THEOREM Fun_ExistsSurjSubset ==
    ASSUME NEW A, NEW B \in SUBSET A, B # {}
    PROVE  ExistsSurjection(A, B)

THEOREM Fun_ExistsSurjMeansExistsRevInj ==
    ASSUME NEW A, NEW B, ExistsSurjection(A, B)
    PROVE  ExistsInjection(B, A)

THEOREM Fun_ExistsBijReflexive ==
    ASSUME NEW A
    PROVE  ExistsBijection(A, A)

THEOREM Fun_ExistsBijSymmetric ==
    ASSUME NEW A, NEW B, ExistsBijection(A, B)
    PROVE  ExistsBijection(B, A)

THEOREM Fun_ExistsBijTransitive ==
    ASSUME NEW A, NEW B, NEW C, ExistsBijection(A, B), ExistsBijection(B, C)
    PROVE  ExistsBijection(A, C)

THEOREM Fun_ExistsInjReflexive ==
    ASSUME NEW A
    PROVE  ExistsInjection(A, A)

THEOREM Fun_ExistsSurjReflexive ==
    ASSUME NEW A
    PROVE  ExistsSurjection(A, A)

THEOREM Fun_ExistsInjTransitive ==
    ASSUME NEW A, NEW B, NEW C, ExistsInjection(A, B), ExistsInjection(B, C)
    PROVE  ExistsInjection(A, C)

THEOREM Fun_ExistsSurjTransitive ==
    ASSUME NEW A, NEW B, NEW C, ExistsSurjection(A, B), ExistsSurjection(B, C)
    PROVE  ExistsSurjection(A, C)

(* The theorem of Cantor, Bernstein and Schroeder, and what it gives.      *)
THEOREM Fun_CantorBernsteinSchroeder_Lemma ==
    ASSUME NEW A, NEW B, B \subseteq A, ExistsInjection(A, B)
    PROVE  ExistsBijection(A, B)

THEOREM Fun_CantorBernsteinSchroeder ==
    ASSUME NEW A, NEW B, ExistsInjection(A, B), ExistsInjection(B, A)
    PROVE  ExistsBijection(A, B)

THEOREM Fun_ExistInjAndSurjThenBij ==
    ASSUME NEW A, NEW B, ExistsInjection(A, B), ExistsSurjection(A, B)
    PROVE  ExistsBijection(A, B)

THEOREM Fun_ExistSurjAndSurjThenBij ==
    ASSUME NEW A, NEW B, ExistsSurjection(A, B), ExistsSurjection(B, A)
    PROVE  ExistsBijection(A, B)

THEOREM Fun_ExistsBijEquiv ==
    ASSUME NEW A, NEW B
    PROVE  /\ ExistsBijection(A, B) <=> ExistsBijection(B, A)
           /\ ExistsBijection(A, B) <=> ExistsInjection(A, B) /\ ExistsInjection(B, A)
           /\ ExistsBijection(A, B) <=> ExistsInjection(A, B) /\ ExistsSurjection(A, B)
           /\ ExistsBijection(A, B) <=> ExistsInjection(B, A) /\ ExistsSurjection(B, A)
           /\ ExistsBijection(A, B) <=> ExistsSurjection(A, B) /\ ExistsSurjection(B, A)
-----------------------------------------------------------------------------
(* Counting with 1..n.                                                     *)

THEOREM Fun_ExistsBijInterval ==
    ASSUME NEW m \in Int, NEW n \in Int, m <= n
    PROVE  ExistsBijection(1 .. (n - m + 1), m .. n)

THEOREM Fun_NatInjLeq ==
    ASSUME NEW n \in Nat, NEW m \in Nat
    PROVE  ExistsInjection(1 .. n, 1 .. m) <=> n <= m

THEOREM Fun_NatSurjImpliesNatBij ==
    ASSUME NEW A, NEW n \in Nat, ExistsSurjection(1 .. n, A)
    PROVE  \E m \in Nat : ExistsBijection(1 .. m, A) /\ m <= n

THEOREM Fun_NatSurjEquivNatBij ==
    ASSUME NEW A
    PROVE  (\E n \in Nat : ExistsSurjection(1 .. n, A))
           <=> (\E m \in Nat : ExistsBijection(1 .. m, A))

THEOREM Fun_NatBijSame ==
    ASSUME NEW A, NEW n \in Nat, ExistsBijection(1 .. n, A), NEW m \in Nat,
           ExistsBijection(1 .. m, A)
    PROVE  n = m

THEOREM Fun_NatBijEmpty ==
    ASSUME NEW A
    PROVE  ExistsBijection(1 .. 0, A) <=> A = {}

THEOREM Fun_NatBijSingleton ==
    ASSUME NEW A
    PROVE  ExistsBijection(1 .. 1, A) <=> \E a : A = {a}

THEOREM Fun_NatBijSubset ==
    ASSUME NEW A, NEW m \in Nat, ExistsBijection(1 .. m, A), NEW B \in SUBSET A
    PROVE  \E n \in Nat : ExistsBijection(1 .. n, B) /\ n <= m

THEOREM Fun_NatBijAddElem ==
    ASSUME NEW A, NEW m \in Nat, ExistsBijection(1 .. m, A), NEW u, u \notin A
    PROVE  ExistsBijection(1 .. (m + 1), A \cup {u})

THEOREM Fun_NatBijSubElem ==
    ASSUME NEW A, NEW m \in Nat, ExistsBijection(1 .. m, A), NEW u, u \in A
    PROVE  ExistsBijection(1 .. (m - 1), A \ {u})
-----------------------------------------------------------------------------
(* Folds. V is closed under op; often op is associative and commutative    *)
(* there too.                                                              *)

LOCAL IsClosed(V, op(_, _)) == \A a, b \in V : op(a, b) \in V
LOCAL IsAC(V, op(_, _)) ==
    /\ \A a, b \in V : op(a, b) = op(b, a)
    /\ \A a, b, c \in V : op(a, op(b, c)) = op(op(a, b), c)

THEOREM FoldFunctionOnSetEmpty ==
    ASSUME NEW op(_, _), NEW base, NEW f
    PROVE  FoldFunctionOnSet(op, base, f, {}) = base

THEOREM FoldFunctionOnSetNonempty ==
    ASSUME NEW op(_, _), NEW base, NEW f, NEW I, I # {}, IsFiniteSet(I)
    PROVE  \E i \in I :
               FoldFunctionOnSet(op, base, f, I) =
               op(f[i], FoldFunctionOnSet(op, base, f, I \ {i}))

THEOREM FoldFunctionOnSetType ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), NEW I, IsFiniteSet(I),
           NEW f, \A i \in I : f[i] \in V
    PROVE  FoldFunctionOnSet(op, base, f, I) \in V

THEOREM FoldFunctionOnSetEqual ==
    ASSUME NEW op(_, _), NEW base, NEW f, NEW g, NEW I, IsFiniteSet(I),
           \A i \in I : f[i] = g[i]
    PROVE  FoldFunctionOnSet(op, base, f, I) = FoldFunctionOnSet(op, base, g, I)

THEOREM FoldFunctionOnSetAC ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op), NEW I,
           IsFiniteSet(I), NEW i \in I, NEW f, \A j \in I : f[j] \in V
    PROVE  FoldFunctionOnSet(op, base, f, I) =
           op(f[i], FoldFunctionOnSet(op, base, f, I \ {i}))

THEOREM FoldFunctionOnSetACAddIndex ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op), NEW I,
           IsFiniteSet(I), NEW i, i \notin I, NEW f, \A j \in I \cup {i} : f[j] \in V
    PROVE  FoldFunctionOnSet(op, base, f, I \cup {i}) =
           op(f[i], FoldFunctionOnSet(op, base, f, I))

THEOREM FoldFunctionOnSetACExcept ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op), NEW f,
           NEW i, NEW v \in V, NEW I \in SUBSET (DOMAIN f), IsFiniteSet(I),
           \A j \in I : f[j] \in V
    PROVE  FoldFunctionOnSet(op, base, [f EXCEPT ![i] = v], I) =
           IF i \in I THEN op(v, FoldFunctionOnSet(op, base, f, I \ {i}))
                      ELSE FoldFunctionOnSet(op, base, f, I)

THEOREM FoldFunctionOnSetDisjointUnion ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op),
           \A b \in V : op(base, b) = b, NEW A, IsFiniteSet(A), NEW B, IsFiniteSet(B),
           A \cap B = {}, NEW f, \A i \in A \cup B : f[i] \in V
    PROVE  FoldFunctionOnSet(op, base, f, A \cup B) =
           op(FoldFunctionOnSet(op, base, f, A), FoldFunctionOnSet(op, base, f, B))

THEOREM FoldFunctionEmpty ==
    ASSUME NEW op(_, _), NEW base, NEW f, DOMAIN f = {}
    PROVE  FoldFunction(op, base, f) = base

THEOREM FoldFunctionNonempty ==
    ASSUME NEW op(_, _), NEW base, NEW f, DOMAIN f # {}, IsFiniteSet(DOMAIN f)
    PROVE  \E i \in DOMAIN f :
               FoldFunction(op, base, f) =
               op(f[i], FoldFunctionOnSet(op, base, f, (DOMAIN f) \ {i}))

THEOREM FoldFunctionType ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), NEW f,
           IsFiniteSet(DOMAIN f), \A i \in DOMAIN f : f[i] \in V
    PROVE  FoldFunction(op, base, f) \in V

THEOREM FoldFunctionAC ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op), NEW f,
           IsFiniteSet(DOMAIN f), NEW i \in DOMAIN f, \A j \in DOMAIN f : f[j] \in V
    PROVE  FoldFunction(op, base, f) =
           op(f[i], FoldFunctionOnSet(op, base, f, (DOMAIN f) \ {i}))

THEOREM FoldFunctionACExcept ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, IsClosed(V, op), IsAC(V, op), NEW f,
           NEW i, NEW v \in V, IsFiniteSet(DOMAIN f), \A j \in DOMAIN f : f[j] \in V
    PROVE  FoldFunction(op, base, [f EXCEPT ![i] = v]) =
           IF i \in DOMAIN f
           THEN op(v, FoldFunctionOnSet(op, base, f, (DOMAIN f) \ {i}))
           ELSE FoldFunction(op, base, f)
-----------------------------------------------------------------------------
(* Sums over a set of indices.                                             *)

THEOREM SumFunctionOnSetNat ==
    ASSUME NEW f, NEW I, IsFiniteSet(I), \A i \in I : f[i] \in Nat
    PROVE  SumFunctionOnSet(f, I) \in Nat

THEOREM SumFunctionOnSetInt ==
    ASSUME NEW f, NEW I, IsFiniteSet(I), \A i \in I : f[i] \in Int
    PROVE  SumFunctionOnSet(f, I) \in Int

THEOREM SumFunctionOnSetEqual ==
    ASSUME NEW f, NEW g, NEW I, IsFiniteSet(I), \A i \in I : f[i] = g[i]
    PROVE  SumFunctionOnSet(f, I) = SumFunctionOnSet(g, I)

THEOREM SumFunctionOnSetEmpty ==
    ASSUME NEW f
    PROVE  SumFunctionOnSet(f, {}) = 0

THEOREM SumFunctionOnSetNonempty ==
    ASSUME NEW f, NEW I, IsFiniteSet(I), NEW i \in I, \A j \in I : f[j] \in Int
    PROVE  SumFunctionOnSet(f, I) = f[i] + SumFunctionOnSet(f, I \ {i})

THEOREM SumFunctionOnSetAddIndex ==
    ASSUME NEW f, NEW I, IsFiniteSet(I), NEW i, i \notin I,
           \A j \in I \cup {i} : f[j] \in Int
    PROVE  SumFunctionOnSet(f, I \cup {i}) = f[i] + SumFunctionOnSet(f, I)

THEOREM SumFunctionOnSetRemoveIndex ==
    ASSUME NEW f, NEW I, IsFiniteSet(I), NEW i \in I, \A j \in I : f[j] \in Int
    PROVE  SumFunctionOnSet(f, I \ {i}) = SumFunctionOnSet(f, I) - f[i]

THEOREM SumFunctionOnSetExcept ==
    ASSUME NEW f, NEW i, NEW v \in Int, NEW I \in SUBSET (DOMAIN f), IsFiniteSet(I),
           \A j \in I : f[j] \in Int
    PROVE  SumFunctionOnSet([f EXCEPT ![i] = v], I) =
           IF i \in I THEN SumFunctionOnSet(f, I) + v - f[i]
                      ELSE SumFunctionOnSet(f, I)

THEOREM SumFunctionOnSetDisjointUnion ==
    ASSUME NEW A, IsFiniteSet(A), NEW B, IsFiniteSet(B), A \cap B = {}, NEW f,
           \A u \in A \cup B : f[u] \in Int
    PROVE  SumFunctionOnSet(f, A \cup B) =
           SumFunctionOnSet(f, A) + SumFunctionOnSet(f, B)

THEOREM SumFunctionNatOnSubset ==
    ASSUME NEW A, IsFiniteSet(A), NEW B \in SUBSET A, NEW f, \A a \in A : f[a] \in Nat
    PROVE  SumFunctionOnSet(f, B) <= SumFunctionOnSet(f, A)

THEOREM SumFunctionOnSetZero ==
    ASSUME NEW A, IsFiniteSet(A), NEW f, \A u \in A : f[u] \in Nat
    PROVE  SumFunctionOnSet(f, A) = 0 <=> \A u \in A : f[u] = 0

THEOREM SumFunctionOnSetConst ==
    ASSUME NEW D, NEW A \in SUBSET D, IsFiniteSet(A), NEW f \in [D -> Int],
           NEW c \in Int, \A u \in A : f[u] = c
    PROVE  SumFunctionOnSet(f, A) = c * Cardinality(A)

THEOREM SumFunctionOnSetMonotonic ==
    ASSUME NEW A, IsFiniteSet(A), NEW f, \A a \in A : f[a] \in Int, NEW g,
           \A a \in A : g[a] \in Int, \A a \in A : f[a] <= g[a]
    PROVE  SumFunctionOnSet(f, A) <= SumFunctionOnSet(g, A)

THEOREM SumFunctionOnSetStrictlyMonotonic ==
    ASSUME NEW A, IsFiniteSet(A), NEW f, \A a \in A : f[a] \in Int, NEW g,
           \A a \in A : g[a] \in Int, \A u \in A : f[u] <= g[u], NEW a \in A,
           f[a] < g[a]
    PROVE  SumFunctionOnSet(f, A) < SumFunctionOnSet(g, A)
-----------------------------------------------------------------------------
(* Sums over all of a function.                                            *)

THEOREM SumFunctionNat ==
    ASSUME NEW f, IsFiniteSet(DOMAIN f), \A u \in DOMAIN f : f[u] \in Nat
    PROVE  SumFunction(f) \in Nat

THEOREM SumFunctionInt ==
    ASSUME NEW f, IsFiniteSet(DOMAIN f), \A u \in DOMAIN f : f[u] \in Int
    PROVE  SumFunction(f) \in Int

THEOREM SumFunctionEmpty ==
    ASSUME NEW f, DOMAIN f = {}
    PROVE  SumFunction(f) = 0

THEOREM SumFunctionNonempty ==
    ASSUME NEW f, IsFiniteSet(DOMAIN f), NEW u \in DOMAIN f,
           \A i \in DOMAIN f : f[i] \in Int
    PROVE  SumFunction(f) = f[u] + SumFunctionOnSet(f, (DOMAIN f) \ {u})

THEOREM SumFunctionExcept ==
    ASSUME NEW f, NEW i, NEW v \in Int, IsFiniteSet(DOMAIN f),
           \A u \in DOMAIN f : f[u] \in Int
    PROVE  SumFunction([f EXCEPT ![i] = v]) =
           IF i \in DOMAIN f THEN SumFunction(f) + v - f[i] ELSE SumFunction(f)

THEOREM SumFunctionZero ==
    ASSUME NEW f, IsFiniteSet(DOMAIN f), \A u \in DOMAIN f : f[u] \in Nat
    PROVE  SumFunction(f) = 0 <=> \A u \in DOMAIN f : f[u] = 0

THEOREM SumFunctionConst ==
    ASSUME NEW A, IsFiniteSet(A), NEW c \in Int
    PROVE  SumFunction([a \in A |-> c]) = c * Cardinality(A)

THEOREM SumFunctionMonotonic ==
    ASSUME NEW f, IsFiniteSet(DOMAIN f), NEW g, DOMAIN g = DOMAIN f,
           \A u \in DOMAIN f : f[u] \in Int, \A u \in DOMAIN f : g[u] \in Int,
           \A u \in DOMAIN f : f[u] <= g[u]
    PROVE  SumFunction(f) <= SumFunction(g)

THEOREM SumFunctionStrictlyMonotonic ==
    ASSUME NEW f, IsFiniteSet(DOMAIN f), NEW g, DOMAIN g = DOMAIN f,
           \A u \in DOMAIN f : f[u] \in Int, \A u \in DOMAIN f : g[u] \in Int,
           \A u \in DOMAIN f : f[u] <= g[u], NEW a \in DOMAIN f, f[a] < g[a]
    PROVE  SumFunction(f) < SumFunction(g)
=============================================================================
