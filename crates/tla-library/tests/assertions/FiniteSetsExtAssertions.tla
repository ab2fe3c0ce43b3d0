---------------------- MODULE FiniteSetsExtAssertions ----------------------
(* Folds, sums, subsets and choices.                                       *)
EXTENDS FiniteSetsExt, Sequences

ASSUME FoldSet(+, 0, 0 .. 10) = 55 /\ FoldSet(LAMBDA x, y : x * y, 1, {}) = 1
ASSUME ReduceSet(+, {1, 2, 3}, 10) = 16
ASSUME SumSet({}) = 0 /\ SumSet(-3 .. 4) = 4 /\ ProductSet({}) = 1 /\ ProductSet(1 .. 5) = 120
ASSUME MapThenSumSet(LAMBDA r : r.n, {[n |-> 0], [n |-> 1], [n |-> 2]}) = 3
ASSUME MapThenSumSet(LAMBDA x : 1, {"a", "b", "c"}) = 3
ASSUME FlattenSet({{1, 2}, {2, 3}}) = {1, 2, 3} /\ FlattenSet({}) = {}
ASSUME SymDiff({1, 2, 3}, {2, 3, 4}) = {1, 4} /\ SymDiff({1}, {1}) = {}
ASSUME Quantify(1 .. 9, LAMBDA n : n % 2 = 0) = 4 /\ Quantify({}, LAMBDA n : TRUE) = 0
ASSUME kSubset(2, 1 .. 3) = {{1, 2}, {1, 3}, {2, 3}} /\ kSubset(0, {1}) = {{}} /\ kSubset(2, {1}) = {}
ASSUME Cardinality(kSubset(3, 1 .. 7)) = 35
ASSUME Max({3, -1, 2}) = 3 /\ Min({3, -1, 2}) = -1
ASSUME Choices({{1, 2}, {3}}) = {{1, 3}, {2, 3}} /\ Choices({}) = {{}} /\ Choices({{}}) = {}
ASSUME Choices({{1, 2}, {2, 3}, {5}}) = {{1, 2, 5}, {1, 3, 5}, {2, 5}, {2, 3, 5}}
ASSUME ChooseUnique({2, 3, 4, 5}, LAMBDA x : x % 3 = 1) = 4

(* Where the order shows, elements come in ascending order.                *)
ASSUME FoldSet(LAMBDA x, y : Append(y, x), << >>, {3, 1, 2}) = <<1, 2, 3>>
ASSUME FoldSet(LAMBDA x, y : <<x, y>>, 0, {1, 2}) = <<2, <<1, 0>>>>
=============================================================================
