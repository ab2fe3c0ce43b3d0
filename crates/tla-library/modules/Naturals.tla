----------------------------- MODULE Naturals -----------------------------
(* The natural numbers and arithmetic. The operators are those of all real *)
(* numbers (ProtoReals), so they go on meaning the same in Integers and    *)
(* Reals, which extend this module.                                        *)
LOCAL R == INSTANCE ProtoReals

Nat == R!Nat

a + b == R!+(a, b)
a - b == R!-(a, b)
a * b == R!*(a, b)
a ^ b == R!^(a, b)

a \leq b == R!\leq(a, b)
a \geq b == b \leq a
a < b    == a \leq b /\ a # b
a > b    == b < a

(* All integers from a up to b; none if b < a.                             *)
a .. b == {i \in R!Int : a \leq i /\ i \leq b}

(* Division with remainder. For b > 0, a = b * (a \div b) + (a % b) and    *)
(* 0 <= a % b < b, whatever the sign of a.                                 *)
a \div b == CHOOSE q \in R!Int : \E r \in 0 .. (b - 1) : a = b * q + r
a % b    == a - b * (a \div b)
=============================================================================
