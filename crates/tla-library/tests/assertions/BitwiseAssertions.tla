------------------------- MODULE BitwiseAssertions -------------------------
(* Binary digits.                                                          *)
EXTENDS Bitwise, Integers

ASSUME (6 & 3) = 2 /\ (6 | 3) = 7 /\ (6 ^^ 3) = 5 /\ (0 & 9) = 0 /\ (0 | 0) = 0
ASSUME Not(0) = 0 /\ Not(5) = 2 /\ Not(8) = 7 /\ Not(15) = 0
ASSUME shiftR(9, 0) = 9 /\ shiftR(9, 2) = 2 /\ shiftR(9, 9) = 0
ASSUME \A m, n \in 0 .. 20 : (m & n) + (m | n) = m + n /\ (m ^^ n) = (m | n) - (m & n)
ASSUME \A n \in 0 .. 40 : shiftR(n, 1) = n \div 2 /\ (n ^^ n) = 0 /\ (n & Not(n)) = 0
=============================================================================
