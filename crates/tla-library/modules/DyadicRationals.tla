-------------------------- MODULE DyadicRationals --------------------------
(* Fractions whose denominator is a power of two, as records of numerator  *)
(* and denominator. Fractions in lowest terms stay in lowest terms.        *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC

LOCAL Fraction(n, d) == [num |-> n, den |-> d]

(* Halves numerator and denominator while both are even.                   *)
LOCAL Reduce(p) ==
    LET RECURSIVE Halved(_, _)
        Halved(n, d) ==
            IF n = 0 THEN Fraction(0, 1)
            ELSE IF n % 2 = 0 /\ d % 2 = 0 THEN Halved(n \div 2, d \div 2)
            ELSE Fraction(n, d)
    IN  Halved(p.num, p.den)

IsDyadicRational(r) == \E n \in 0 .. r.den : r.den = 2 ^ n

Zero == Fraction(0, 1)
One  == Fraction(1, 1)

Add(p, q) ==
    IF p = Zero THEN q
    ELSE Reduce(Fraction(p.num * q.den + q.num * p.den, p.den * q.den))
Half(p)   == Reduce(Fraction(p.num, 2 * p.den))

(* As text: 0, 1, or a fraction with a stroke.                             *)
PrettyPrint(p) ==
    IF p = Zero THEN "0"
    ELSE IF p = One THEN "1"
    ELSE ToString(p.num) \o "/" \o ToString(p.den)
=============================================================================
