-------------------------- MODULE FoldsAssertions --------------------------
(* The general fold; its order is the one that choose gives.               *)
EXTENDS Folds, Integers, Sequences

Least(S)    == CHOOSE x \in S : \A y \in S : x <= y
Greatest(S) == CHOOSE x \in S : \A y \in S : y <= x

ASSUME MapThenFoldSet(+, 0, LAMBDA x : x, Least, 1 .. 10) = 55
ASSUME MapThenFoldSet(+, 7, LAMBDA x : x * x, Least, {}) = 7
ASSUME MapThenFoldSet(LAMBDA x, y : x \union y, {}, LAMBDA x : {{x}}, Least, {1, 2}) = {{1}, {2}}
ASSUME MapThenFoldSet(LAMBDA x, y : <<x>> \o y, << >>, LAMBDA x : -x, Least, {3, 1, 2}) = <<-1, -2, -3>>
ASSUME MapThenFoldSet(LAMBDA x, y : <<x>> \o y, << >>, LAMBDA x : x, Greatest, {3, 1, 2}) = <<3, 2, 1>>
=============================================================================
