------------------------ MODULE FunctionsAssertions ------------------------
(* Restriction, inverse, kinds of functions, folds.                        *)
EXTENDS Functions, TLC, Sequences

f == [a |-> 0, b |-> 1, c |-> 2]

ASSUME Restrict(f, {"a", "c"}) = [a |-> 0, c |-> 2] /\ Restrict(f, {}) = << >>
ASSUME RestrictDomain(f, LAMBDA x : x \in {"b"}) = [b |-> 1]
ASSUME RestrictValues(f, LAMBDA y : y > 0) = [b |-> 1, c |-> 2]
ASSUME RestrictValues(<<5, 6, 5>>, LAMBDA y : y = 5) = (1 :> 5 @@ 3 :> 5)
ASSUME IsRestriction([a |-> 0], f) /\ IsRestriction(f, f) /\ IsRestriction(<< >>, f)
ASSUME ~IsRestriction([a |-> 1], f) /\ ~IsRestriction(f, [a |-> 0])
ASSUME Range(f) = 0 .. 2 /\ Range(<< >>) = {} /\ Range(<<3, 3>>) = {3}
ASSUME Pointwise(f, f, +) = [a |-> 0, b |-> 2, c |-> 4]
ASSUME Inverse(f, {"a", "b", "c"}, {1, 2}) = (1 :> "b" @@ 2 :> "c")
ASSUME Inverse(f, {"a", "b"}, {7})[7] \in {"a", "b"}
ASSUME AntiFunction(f) = (0 :> "a" @@ 1 :> "b" @@ 2 :> "c")
ASSUME IsInjective(<<5, 6>>) /\ IsInjective(<< >>) /\ ~IsInjective(<<1, 2, 1>>)
ASSUME Injection({1}, {2, 3}) = {<<2>>, <<3>>} /\ Injection({1, 2}, {3}) = {}
ASSUME Surjection({1, 2}, {3}) = {<<3, 3>>} /\ Surjection({1}, {2, 3}) = {}
ASSUME Bijection({1, 2}, {3, 4}) = {<<3, 4>>, <<4, 3>>} /\ Bijection({}, {}) = {<< >>}
ASSUME ExistsInjection({1}, {1, 2}) /\ ~ExistsSurjection({1}, {1, 2}) /\ ~ExistsBijection({1}, {1, 2})
ASSUME FoldFunction(LAMBDA x, y : {x} \union y, {}, <<1, 2, 1>>) = {1, 2}
ASSUME FoldFunctionOnSet(+, 0, f, {"b", "c"}) = 3 /\ FoldFunctionOnSet(+, 9, f, {}) = 9
ASSUME SumFunction(<<4, 5, 6>>) = 15 /\ SumFunctionOnSet(<<4, 5, 6>>, {1, 2}) = 9

(* Where the order shows, arguments come in ascending order.               *)
ASSUME FoldFunction(LAMBDA x, y : <<x, y>>, 0, <<7, 8, 9>>) = <<9, <<8, <<7, 0>>>>>>
ASSUME FoldFunctionOnSet(LAMBDA x, y : Append(y, x), << >>, <<7, 8, 9>>, {3, 1}) = <<7, 9>>
=============================================================================
