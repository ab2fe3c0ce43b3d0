------------------------ MODULE ApalacheAssertions ------------------------
(* The operators of Apalache, as far as they have values.                  *)
EXTENDS Apalache, Integers, Sequences, TLC

ASSUME (3 := 3) /\ ~(3 := 4)
ASSUME Guess({5}) = 5 /\ Skolem(\E x \in {1} : x = 1) /\ Expand({1}) = {1} /\ ConstCardinality(2 > 1)
ASSUME SetAsFun({<<1, "a">>, <<2, "b">>}) = <<"a", "b">> /\ SetAsFun({}) = << >>
ASSUME MkSeq(3, LAMBDA i : i * i) = <<1, 4, 9>> /\ MkSeq(0, LAMBDA i : i) = << >>
ASSUME FunAsSeq([i \in 1 .. 5 |-> i], 3, 5) = <<1, 2, 3>>
ASSUME ApaFoldSet(+, 1, {2, 3}) = 6 /\ ApaFoldSet(+, 1, {}) = 1
ASSUME ApaFoldSeqLeft(LAMBDA x, y : <<x, y>>, 0, <<1, 2>>) = <<<<0, 1>>, 2>>
ASSUME Repeat(LAMBDA x, i : x + i, 4, 0) = 10 /\ Repeat(LAMBDA x, i : x + i, 0, 7) = 7
ASSUME Repeat(LAMBDA x, i : Append(x, i), 3, << >>) = <<1, 2, 3>>
=============================================================================
