------------------------ MODULE VariantsAssertions ------------------------
(* Tagged values.                                                          *)
EXTENDS Variants, Integers

S == {Variant("A", 1), Variant("A", 2), Variant("B", "x")}

ASSUME VariantTag(Variant("A", 1)) = "A" /\ VariantTag(Variant("N", UNIT)) = "N"
ASSUME Variant("A", 1) = [A |-> 1] /\ Variant("A", 1) # Variant("A", 2)
ASSUME VariantFilter("A", S) = {1, 2} /\ VariantFilter("B", S) = {"x"} /\ VariantFilter("C", S) = {}
ASSUME VariantGetUnsafe("A", Variant("A", 1)) = 1
ASSUME VariantGetOrElse("A", Variant("A", 1), 0) = 1 /\ VariantGetOrElse("A", Variant("B", "x"), 0) = 0
=============================================================================
