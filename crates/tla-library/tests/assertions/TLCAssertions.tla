--------------------------- MODULE TLCAssertions ---------------------------
(* The values that the operators of TLC have besides their effects.        *)
EXTENDS TLC, Naturals, Sequences, FiniteSets

ASSUME Print("a value to print", 3) = 3 /\ PrintT(<<"another", 1>>)
ASSUME Assert(TRUE, "never shown")
ASSUME JavaTime \in Nat
ASSUME TLCSet(1, {"x"}) /\ TLCGet(1) = {"x"}
ASSUME (1 :> "a") = [x \in {1} |-> "a"] /\ ((1 :> "a") @@ (2 :> "b"))[2] = "b"
ASSUME ((1 :> "a") @@ (1 :> "b")) = (1 :> "a")
ASSUME (1 :> "a" @@ 2 :> "b" @@ 3 :> "c") = <<"a", "b", "c">>
ASSUME Permutations({}) = {<< >>} /\ Cardinality(Permutations({"a", "b", "c"})) = 6
ASSUME SortSeq(<<3, 1, 2, 1>>, <) = <<1, 1, 2, 3>> /\ SortSeq(<<1, 2>>, >) = <<2, 1>>
ASSUME RandomElement({7}) = 7 /\ RandomElement(1 .. 5) \in 1 .. 5
ASSUME 1 \in Any /\ "x" \in Any /\ {} \in Any
ASSUME ToString(12) = "12" /\ ToString(TRUE) = "TRUE" /\ ToString("a") = "\"a\""
ASSUME ToString(<<1, "a">>) = "<<1, \"a\">>" /\ ToString({2, 1}) = "{1, 2}"
ASSUME ToString([a |-> 1]) = "[a |-> 1]" /\ ToString(3 :> 4) = "(3 :> 4)"
ASSUME ToString({}) = "{}" /\ ToString(<< >>) = "<<>>" /\ ToString({{}}) = "{{}}"
ASSUME TLCEval({x \in 1 .. 3 : x > 1}) = {2, 3}
=============================================================================
