--------------------- MODULE DyadicRationalsAssertions ---------------------
(* Fractions with a power of two below the line.                           *)
EXTENDS DyadicRationals, Integers

Quarter == Half(Half(One))

ASSUME Zero = [num |-> 0, den |-> 1] /\ One = [num |-> 1, den |-> 1]
ASSUME Half(One) = [num |-> 1, den |-> 2] /\ Quarter.den = 4 /\ Half(Zero) = Zero
ASSUME Half([num |-> 2, den |-> 8]) = [num |-> 1, den |-> 8]
ASSUME Add(Half(One), Quarter) = [num |-> 3, den |-> 4] /\ Add(Half(One), Half(One)) = One
ASSUME Add(Zero, Quarter) = Quarter /\ Add(Quarter, Zero) = Quarter
ASSUME IsDyadicRational(Quarter) /\ IsDyadicRational(One) /\ ~IsDyadicRational([num |-> 1, den |-> 3])
ASSUME PrettyPrint(Zero) = "0" /\ PrettyPrint(One) = "1" /\ PrettyPrint(Quarter) = "1/4"
=============================================================================
