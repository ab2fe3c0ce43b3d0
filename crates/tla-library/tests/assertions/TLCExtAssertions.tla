------------------------- MODULE TLCExtAssertions -------------------------
(* The values that the operators of TLCExt have besides their effects.     *)
EXTENDS TLCExt, TLC, Integers

ASSUME AssertEq(1 + 1, 2)
ASSUME TLCGetOrDefault(17, "nothing") = "nothing"
ASSUME TLCSet(18, 5) /\ TLCGetOrDefault(18, 0) = 5
ASSUME TLCGetAndSet(19, +, 2, 40) = 40 /\ TLCGet(19) = 42
ASSUME TLCNoOp({1}) = {1}
ASSUME TLCCache(1 + 2, {}) = 3
ASSUME TLCModelValue("A_one") # TLCModelValue("A_two")
ASSUME TLCModelValue("plain") # 1 /\ TLCModelValue("plain") = TLCModelValue("plain")
ASSUME TLCFP(1) \in Int
=============================================================================
