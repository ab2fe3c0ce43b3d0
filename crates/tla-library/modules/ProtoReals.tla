---------------------------- MODULE ProtoReals ----------------------------
(* One ground for Naturals, Integers and Reals, so that they share their   *)
(* numbers and operators. The reals are a complete ordered field whose     *)
(* elements 0, 1, 1+1, ... are the numbers of Peano.                       *)
EXTENDS Peano

LOCAL One == Succ[Zero]

(* M is a record: M.set holds the numbers, M.plus and M.times map pairs of *)
(* numbers to numbers, and M.leq is a set of pairs.                        *)
IsModelOfReals(M) ==
    LET R           == M.set
        Plus(a, b)  == M.plus[a, b]
        Times(a, b) == M.times[a, b]
        Leq(a, b)   == <<a, b>> \in M.leq
        Bounds(S)   == {u \in R : \A x \in S : Leq(x, u)}
    IN  /\ M.plus \in [R \X R -> R]
        /\ M.times \in [R \X R -> R]
        /\ M.leq \subseteq R \X R
        \* It continues the naturals.
        /\ Nat \subseteq R
        /\ \A n \in Nat : Succ[n] = Plus(n, One)
        \* It is a field.
        /\ \A a, b \in R :
              /\ Plus(a, b) = Plus(b, a)
              /\ Times(a, b) = Times(b, a)
        /\ \A a, b, c \in R :
              /\ Plus(Plus(a, b), c) = Plus(a, Plus(b, c))
              /\ Times(Times(a, b), c) = Times(a, Times(b, c))
              /\ Times(a, Plus(b, c)) = Plus(Times(a, b), Times(a, c))
        /\ \A a \in R :
              /\ Plus(a, Zero) = a
              /\ Times(a, One) = a
              /\ \E b \in R : Plus(a, b) = Zero
              /\ a # Zero => \E b \in R : Times(a, b) = One
        \* It is ordered, and the order agrees with the field.
        /\ \A a, b \in R :
              /\ Leq(a, b) \/ Leq(b, a)
              /\ Leq(a, b) /\ Leq(b, a) => a = b
              /\ Leq(Zero, a) /\ Leq(Zero, b) => Leq(Zero, Times(a, b))
        /\ \A a, b, c \in R :
              /\ Leq(a, b) /\ Leq(b, c) => Leq(a, c)
              /\ Leq(a, b) => Leq(Plus(a, c), Plus(b, c))
        \* It is complete: bounded sets have a least upper bound.
        /\ \A S \in SUBSET R : S # {} /\ Bounds(S) # {} =>
              \E u \in Bounds(S) : \A v \in Bounds(S) : Leq(u, v)

AXIOM \E M : IsModelOfReals(M)

LOCAL Model == CHOOSE M : IsModelOfReals(M)

Real == Model.set

(* Two values that are not numbers, one above and one below all of them.   *)
Infinity      == CHOOSE v : v \notin Real
MinusInfinity == CHOOSE v : v \notin Real \union {Infinity}

a + b == Model.plus[a, b]
a * b == Model.times[a, b]

a \leq b ==
    \/ a \in Real /\ b \in Real /\ <<a, b>> \in Model.leq
    \/ a = MinusInfinity /\ b \in Real \union {Infinity, MinusInfinity}
    \/ b = Infinity /\ a \in Real \union {Infinity, MinusInfinity}

a - b == CHOOSE d \in Real : d + b = a
a / b == CHOOSE q \in Real : a = b * q

Int == Nat \union {Zero - n : n \in Nat}

(* Powers: a^1 = a and a^(m+n) = (a^m)*(a^n) wherever both sides make      *)
(* sense, a^(-n) inverts a^n, 0^b = 0 for b > 0, and for a positive base   *)
(* the power follows the order of the exponents (or, below 1, reverses     *)
(* it), which settles it for exponents that are not whole.                 *)
LOCAL IsPositive(x) == Zero \leq x /\ x # Zero

LOCAL HasPower(a, b) ==
    \/ IsPositive(a) /\ b \in Real
    \/ a = Zero /\ IsPositive(b)
    \/ a \in Real /\ a # Zero /\ b \in Int

LOCAL PowerDomain == {p \in Real \X Real : HasPower(p[1], p[2])}

LOCAL Power ==
    CHOOSE f \in [PowerDomain -> Real] :
        /\ \A a \in Real : f[a, One] = a
        /\ \A b \in Real : IsPositive(b) => f[Zero, b] = Zero
        /\ \A a \in Real \ {Zero} : \A m, n \in Int : f[a, m + n] = f[a, m] * f[a, n]
        /\ \A a \in Real : IsPositive(a) =>
              \A x, y \in Real :
                  /\ f[a, x + y] = f[a, x] * f[a, y]
                  /\ x \leq y => IF One \leq a THEN f[a, x] \leq f[a, y]
                                               ELSE f[a, y] \leq f[a, x]

a ^ b == Power[a, b]
=============================================================================
