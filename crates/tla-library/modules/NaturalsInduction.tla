------------------------- MODULE NaturalsInduction -------------------------
(* Facts for induction on the natural numbers and for functions that are   *)
(* defined by recursion on them. All are stated without proof.             *)
EXTENDS Integers
-----------------------------------------------------------------------------
(* Induction: step by step, down to zero, from all smaller numbers.        *)

THEOREM NatInduction ==
    ASSUME NEW Q(_), Q(0), \A n \in Nat : Q(n) => Q(n + 1)
    PROVE  \A n \in Nat : Q(n)

THEOREM DownwardNatInduction ==
    ASSUME NEW Q(_), NEW m \in Nat, Q(m), \A n \in 1 .. m : Q(n) => Q(n - 1)
    PROVE  Q(0)

THEOREM GeneralNatInduction ==
    ASSUME NEW Q(_), \A n \in Nat : (\A k \in 0 .. (n - 1) : Q(k)) => Q(n)
    PROVE  \A n \in Nat : Q(n)

(* What holds for some number holds for a least one.                       *)
THEOREM SmallestNatural ==
    ASSUME NEW Q(_), NEW n \in Nat, Q(n)
    PROVE  \E m \in Nat : Q(m) /\ \A k \in 0 .. (m - 1) : ~Q(k)
-----------------------------------------------------------------------------
(* A function on Nat whose value at n depends only on its values below n   *)
(* exists, is unique, and maps to V if each step does.                     *)

THEOREM RecursiveFcnOfNat ==
    ASSUME NEW Step(_, _),
           ASSUME NEW n \in Nat, NEW g, NEW h, \A k \in 0 .. (n - 1) : g[k] = h[k]
           PROVE  Step(g, n) = Step(h, n)
    PROVE  LET f[n \in Nat] == Step(f, n)
           IN  f = [n \in Nat |-> Step(f, n)]

THEOREM RecursiveFcnOfNatType ==
    ASSUME NEW f, NEW V, NEW Step(_, _), f = [n \in Nat |-> Step(f, n)],
           ASSUME NEW n \in Nat, NEW g, \A k \in 0 .. (n - 1) : g[k] \in V
           PROVE  Step(g, n) \in V
    PROVE  f \in [Nat -> V]

THEOREM RecursiveFcnOfNatUnique ==
    ASSUME NEW Step(_, _), NEW f, NEW g,
           f = [n \in Nat |-> Step(f, n)],
           g = [n \in Nat |-> Step(g, n)],
           ASSUME NEW n \in Nat, NEW p, NEW q, \A k \in 0 .. (n - 1) : p[k] = q[k]
           PROVE  Step(p, n) = Step(q, n)
    PROVE  f = g
-----------------------------------------------------------------------------
(* The same for a function with f[0] = start and f[n] = Step(f[n - 1], n). *)
(* The hypothesis is what a recursive definition says, the conclusion is   *)
(* the equation one would like to use.                                     *)

NatInductiveDefHypothesis(f, start, Step(_, _)) ==
    f = CHOOSE g : g = [n \in Nat |-> IF n = 0 THEN start ELSE Step(g[n - 1], n)]

NatInductiveDefConclusion(f, start, Step(_, _)) ==
    f = [n \in Nat |-> IF n = 0 THEN start ELSE Step(f[n - 1], n)]

THEOREM NatInductiveDef ==
    ASSUME NEW Step(_, _), NEW f, NEW start, NatInductiveDefHypothesis(f, start, Step)
    PROVE  NatInductiveDefConclusion(f, start, Step)

THEOREM NatInductiveDefType ==
    ASSUME NEW Step(_, _), NEW V, NEW f, NEW start \in V,
           NatInductiveDefConclusion(f, start, Step), start \in V,
           \A v \in V, n \in Nat \ {0} : Step(v, n) \in V
    PROVE  f \in [Nat -> V]

THEOREM NatInductiveUnique ==
    ASSUME NEW Step(_, _), NEW f, NEW g, NEW start,
           NatInductiveDefConclusion(f, start, Step),
           NatInductiveDefConclusion(g, start, Step)
    PROVE  f = g
-----------------------------------------------------------------------------
(* And on the numbers m..n, with f[m] = start.                             *)

FiniteNatInductiveDefHypothesis(f, start, Step(_, _), m, n) ==
    f = CHOOSE g : g = [k \in m .. n |-> IF k = m THEN start ELSE Step(g[k - 1], k)]

FiniteNatInductiveDefConclusion(f, start, Step(_, _), m, n) ==
    f = [k \in m .. n |-> IF k = m THEN start ELSE Step(f[k - 1], k)]

THEOREM FiniteNatInductiveDef ==
    ASSUME NEW Step(_, _), NEW f, NEW start, NEW m \in Nat, NEW n \in Nat,
           FiniteNatInductiveDefHypothesis(f, start, Step, m, n)
    PROVE  FiniteNatInductiveDefConclusion(f, start, Step, m, n)

THEOREM FiniteNatInductiveDefType ==
    ASSUME NEW V, NEW Step(_, _), NEW f, NEW start \in V, NEW m \in Nat, NEW n \in Nat,
           FiniteNatInductiveDefConclusion(f, start, Step, m, n),
           \A v \in V, k \in (m + 1) .. n : Step(v, k) \in V
    PROVE  f \in [m .. n -> V]

THEOREM FiniteNatInductiveUnique ==
    ASSUME NEW Step(_, _), NEW f, NEW g, NEW start, NEW m \in Nat, NEW n \in Nat,
           FiniteNatInductiveDefConclusion(f, start, Step, m, n),
           FiniteNatInductiveDefConclusion(g, start, Step, m, n)
    PROVE  f = g
=============================================================================
