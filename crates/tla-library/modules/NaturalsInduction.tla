------------------------- MODULE NaturalsInduction -------------------------
(* Facts for induction on the natural numbers and for functions that are   *)
(* defined by recursion on them. All are stated without proof.             *)
EXTENDS Integers
-----------------------------------------------------------------------------
(* Induction: step by step, down to zero, from all smaller numbers.        *)

THEOREM NatInduction ==
    ASSUME NEW P(_), P(0), \A n \in Nat : P(n) => P(n + 1)
    PROVE  \A n \in Nat : P(n)

THEOREM DownwardNatInduction ==
    ASSUME NEW P(_), NEW m \in Nat, P(m), \A n \in 1 .. m : P(n) => P(n - 1)
    PROVE  P(0)

THEOREM GeneralNatInduction ==
    ASSUME NEW P(_), \A n \in Nat : (\A k \in 0 .. (n - 1) : P(k)) => P(n)
    PROVE  \A n \in Nat : P(n)

(* What holds for some number holds for a least one.                       *)
THEOREM SmallestNatural ==
    ASSUME NEW P(_), NEW n \in Nat, P(n)
    PROVE  \E m \in Nat : P(m) /\ \A k \in 0 .. (m - 1) : ~P(k)
-----------------------------------------------------------------------------
(* A function on Nat whose value at n depends only on its values below n   *)
(* exists, is unique, and maps to S if each step does.                     *)

THEOREM RecursiveFcnOfNat ==
    ASSUME NEW Def(_, _),
           ASSUME NEW n \in Nat, NEW g, NEW h, \A k \in 0 .. (n - 1) : g[k] = h[k]
           PROVE  Def(g, n) = Def(h, n)
    PROVE  LET f[n \in Nat] == Def(f, n)
           IN  f = [n \in Nat |-> Def(f, n)]

THEOREM RecursiveFcnOfNatType ==
    ASSUME NEW f, NEW S, NEW Def(_, _), f = [n \in Nat |-> Def(f, n)],
           ASSUME NEW n \in Nat, NEW g, \A k \in 0 .. (n - 1) : g[k] \in S
           PROVE  Def(g, n) \in S
    PROVE  f \in [Nat -> S]

THEOREM RecursiveFcnOfNatUnique ==
    ASSUME NEW Def(_, _), NEW f, NEW g,
           f = [n \in Nat |-> Def(f, n)],
           g = [n \in Nat |-> Def(g, n)],
           ASSUME NEW n \in Nat, NEW ff, NEW gg, \A k \in 0 .. (n - 1) : ff[k] = gg[k]
           PROVE  Def(ff, n) = Def(gg, n)
    PROVE  f = g
-----------------------------------------------------------------------------
(* The same for a function with f[0] = f0 and f[n] = Def(f[n - 1], n). The *)
(* hypothesis is what a recursive definition says, the conclusion is the   *)
(* equation one would like to use.                                         *)

NatInductiveDefHypothesis(f, f0, Def(_, _)) ==
    f = CHOOSE g : g = [n \in Nat |-> IF n = 0 THEN f0 ELSE Def(g[n - 1], n)]

NatInductiveDefConclusion(f, f0, Def(_, _)) ==
    f = [n \in Nat |-> IF n = 0 THEN f0 ELSE Def(f[n - 1], n)]

THEOREM NatInductiveDef ==
    ASSUME NEW Def(_, _), NEW f, NEW f0, NatInductiveDefHypothesis(f, f0, Def)
    PROVE  NatInductiveDefConclusion(f, f0, Def)

THEOREM NatInductiveDefType ==
    ASSUME NEW Def(_, _), NEW S, NEW f, NEW f0 \in S,
           NatInductiveDefConclusion(f, f0, Def),
           f0 \in S,
           \A v \in S, n \in Nat \ {0} : Def(v, n) \in S
    PROVE  f \in [Nat -> S]

THEOREM NatInductiveUnique ==
    ASSUME NEW Def(_, _), NEW f, NEW g, NEW f0,
           NatInductiveDefConclusion(f, f0, Def),
           NatInductiveDefConclusion(g, f0, Def)
    PROVE  f = g
-----------------------------------------------------------------------------
(* And on the numbers m..n, with f[m] = c.                                 *)

FiniteNatInductiveDefHypothesis(f, c, Def(_, _), m, n) ==
    f = CHOOSE g : g = [i \in m .. n |-> IF i = m THEN c ELSE Def(g[i - 1], i)]

FiniteNatInductiveDefConclusion(f, c, Def(_, _), m, n) ==
    f = [i \in m .. n |-> IF i = m THEN c ELSE Def(f[i - 1], i)]

THEOREM FiniteNatInductiveDef ==
    ASSUME NEW Def(_, _), NEW f, NEW c, NEW m \in Nat, NEW n \in Nat,
           FiniteNatInductiveDefHypothesis(f, c, Def, m, n)
    PROVE  FiniteNatInductiveDefConclusion(f, c, Def, m, n)

THEOREM FiniteNatInductiveDefType ==
    ASSUME NEW S, NEW Def(_, _), NEW f, NEW c \in S, NEW m \in Nat, NEW n \in Nat,
           FiniteNatInductiveDefConclusion(f, c, Def, m, n),
           \A v \in S, i \in (m + 1) .. n : Def(v, i) \in S
    PROVE  f \in [m .. n -> S]

THEOREM FiniteNatInductiveUnique ==
    ASSUME NEW Def(_, _), NEW f, NEW g, NEW c, NEW m \in Nat, NEW n \in Nat,
           FiniteNatInductiveDefConclusion(f, c, Def, m, n),
           FiniteNatInductiveDefConclusion(g, c, Def, m, n)
    PROVE  f = g
=============================================================================
