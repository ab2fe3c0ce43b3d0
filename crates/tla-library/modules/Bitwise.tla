------------------------------ MODULE Bitwise ------------------------------
(* Natural numbers as rows of binary digits.                               *)
LOCAL INSTANCE Integers

(* The number whose digits are Bit of the digits of x and y.               *)
LOCAL Digitwise(Bit(_, _), x, y) ==
    LET RECURSIVE Of(_, _)
        Of(m, n) ==
            IF m = 0 /\ n = 0 THEN 0
            ELSE Bit(m % 2, n % 2) + 2 * Of(m \div 2, n \div 2)
    IN  Of(x, y)

x & y  == Digitwise(LAMBDA a, b : a * b, x, y)
x | y  == Digitwise(LAMBDA a, b : a + b - a * b, x, y)
x ^^ y == Digitwise(LAMBDA a, b : (a + b) % 2, x, y)

(* The other value for each digit of a, and no digits beyond them.         *)
Not(a) == Digitwise(LAMBDA d, e : 1 - d, a, 0)

(* n without its last pos digits.                                          *)
shiftR(n, pos) == n \div (2 ^ pos)
=============================================================================
