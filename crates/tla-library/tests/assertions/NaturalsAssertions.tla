------------------------ MODULE NaturalsAssertions ------------------------
(* Arithmetic on natural numbers.                                          *)
EXTENDS Naturals

ASSUME 0 \in Nat /\ 7 \in Nat
ASSUME 2 + 3 = 5 /\ 5 - 3 = 2 /\ 2 * 3 = 6 /\ 2 ^ 10 = 1024 /\ 3 ^ 0 = 1 /\ 0 ^ 3 = 0
ASSUME 7 \div 2 = 3 /\ 7 % 2 = 1 /\ 6 \div 3 = 2 /\ 6 % 3 = 0
ASSUME 1 < 2 /\ ~(2 < 2) /\ 2 <= 2 /\ 2 \leq 3 /\ 3 =< 3 /\ 3 > 2 /\ 3 >= 3 /\ 3 \geq 2
ASSUME 1 .. 3 = {1, 2, 3} /\ 2 .. 2 = {2} /\ 3 .. 2 = {}
ASSUME 2 + 3 * 4 = 14 /\ 2 * 3 ^ 2 = 18 /\ 10 - 3 - 2 = 5
ASSUME 1 .. 2 + 1 = {1, 2, 3}
ASSUME \A a \in 0 .. 20, b \in 1 .. 7 : a = b * (a \div b) + (a % b) /\ a % b \in 0 .. (b - 1)
ASSUME \A a, b, c \in 0 .. 4 : a * (b + c) = a * b + a * c
ASSUME \b101 = 5 /\ \o17 = 15 /\ \hFf = 255
=============================================================================
