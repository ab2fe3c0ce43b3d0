------------------------- MODULE OptionAssertions -------------------------
(* Values that may be missing.                                             *)
EXTENDS Option, Integers

ASSUME IsSome(Some(1)) /\ ~IsSome(None) /\ IsNone(None) /\ ~IsNone(Some(1))
ASSUME OptionCase(Some(2), LAMBDA x : x + 1, LAMBDA u : 0) = 3
ASSUME OptionMap(LAMBDA x : x + 1, Some(2)) = Some(3) /\ OptionMap(LAMBDA x : x + 1, None) = None
ASSUME OptionFlatMap(LAMBDA x : IF x > 0 THEN Some(x - 1) ELSE None, Some(1)) = Some(0)
ASSUME OptionFlatMap(LAMBDA x : IF x > 0 THEN Some(x - 1) ELSE None, Some(0)) = None
ASSUME OptionGetOrElse(Some(1), 0) = 1 /\ OptionGetOrElse(None, 0) = 0
ASSUME OptionToSeq(Some(1)) = <<1>> /\ OptionToSeq(None) = << >>
ASSUME OptionToSet(Some(1)) = {1} /\ OptionToSet(None) = {}
ASSUME OptionGuess({}) = None /\ OptionGuess({4}) = Some(4)
ASSUME OptionFunApp(<<7, 8>>, Some(2)) = Some(8) /\ OptionFunApp(<<7>>, None) = None
ASSUME OptionPartialFun(<<7, 8>>, {2, 3}) = <<Some(7), None, None>>
=============================================================================
