-------------------------- MODULE JsonAssertions --------------------------
(* Values as JSON text.                                                    *)
EXTENDS Json, TLC, Integers, Sequences

ASSUME ToJson(3) = "3" /\ ToJson(-1) = "-1" /\ ToJson(TRUE) = "true" /\ ToJson("x") = "\"x\""
ASSUME ToJson(<<1, "a", FALSE>>) = "[1,\"a\",false]" /\ ToJson(<< >>) = "[]"
ASSUME ToJson({2, 1}) = "[1,2]" /\ ToJson({}) = "[]" /\ ToJson(1 .. 3) = "[1,2,3]"
ASSUME ToJson([a |-> 1]) = "{\"a\":1}" /\ ToJson([a |-> [b |-> << >>]]) = "{\"a\":{\"b\":[]}}"
ASSUME ToJson(1 :> 2) = "[2]" /\ ToJson((0 :> 1) @@ (1 :> 2)) = "{\"0\":1,\"1\":2}"
ASSUME ToJsonArray(<<1, 2>>) = "[1,2]" /\ ToJsonArray({3}) = "[3]"
ASSUME ToJsonObject([a |-> 1]) = "{\"a\":1}" /\ ToJsonObject(<<4, 5>>) = "{\"0\":4,\"1\":5}"
=============================================================================
