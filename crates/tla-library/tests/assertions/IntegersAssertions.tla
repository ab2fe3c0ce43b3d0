------------------------ MODULE IntegersAssertions ------------------------
(* Arithmetic on integers: the unary minus, and division that rounds down. *)
EXTENDS Integers

ASSUME -1 \in Int /\ -1 \notin Nat /\ 0 \in Int
ASSUME -(-3) = 3 /\ 2 - 5 = -3 /\ -2 + 5 = 3 /\ -2 * 3 = -6 /\ (-2) ^ 3 = -8
ASSUME -2 .. 1 = {-2, -1, 0, 1} /\ 1 .. -1 = {}
ASSUME (-7) \div 2 = -4 /\ -7 % 2 = 1 /\ -6 \div 3 = -2 /\ -6 % 3 = 0 /\ -1 % 5 = 4
ASSUME -7 \div 2 = -3  \* the minus applies to the quotient
ASSUME \A a \in -20 .. 20, b \in 1 .. 7 : a = b * (a \div b) + (a % b) /\ a % b \in 0 .. (b - 1)
ASSUME -1 < 0 /\ -2 < -1 /\ -1 > -2 /\ -1 <= -1
ASSUME 4 - -3 = 7
ASSUME {-x : x \in 1 .. 3} = -3 .. -1
=============================================================================
