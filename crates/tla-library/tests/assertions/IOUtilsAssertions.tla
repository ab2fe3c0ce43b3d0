------------------------- MODULE IOUtilsAssertions -------------------------
(* Numbers and strings. The rest of the module is about effects.           *)
EXTENDS IOUtils, Integers

ASSUME zeroPadN(42, 5) = "00042" /\ zeroPadN(123, 3) = "123" /\ zeroPadN(0, 4) = "0000"
ASSUME zeroPadN(1234, 3) = "1234" /\ zeroPadN(7, 0) = "7"

(* This has no definition to evaluate: it searches all integers.           *)
ASSUME atoi("42") = 42 /\ atoi("-17") = -17 /\ atoi("0") = 0
=============================================================================
