---------------------- MODULE SequencesExtAssertions ----------------------
(* More operators on sequences. What the module extends comes with it.     *)
EXTENDS SequencesExt

Even(n) == n % 2 = 0
Pair(x, y) == <<x, y>>

ASSUME ToSet(<<1, 2, 1>>) = {1, 2} /\ ToSet(<< >>) = {}
ASSUME ToBag(<<1, 2, 1>>) = (1 :> 2 @@ 2 :> 1) /\ ToBag(<< >>) = EmptyBag
ASSUME SetToSeq({3, 1, 2}) = <<1, 2, 3>> /\ SetToSeq({}) = << >>
ASSUME SetToSeqs({"t", "l"}) = {<<"t", "l">>, <<"l", "t">>} /\ SetToSeqs({}) = {<< >>}
ASSUME SetToSortSeq({3, 1, 2}, >) = <<3, 2, 1>>
ASSUME SetToAllKPermutations({1, 2}) = {<< >>, <<1>>, <<2>>, <<1, 2>>, <<2, 1>>}
ASSUME TupleOf({1, 2}, 2) = {<<1, 1>>, <<1, 2>>, <<2, 1>>, <<2, 2>>} /\ TupleOf({1}, 0) = {<< >>}
ASSUME SeqOf({1}, 2) = {<< >>, <<1>>, <<1, 1>>} /\ BoundedSeq({1}, 2) = SeqOf({1}, 2)
ASSUME Contains(<<1, 2>>, 2) /\ ~Contains(<<1, 2>>, 3) /\ ~Contains(<< >>, 1)
ASSUME IsSorted(<<1, 2, 2>>, <=) /\ ~IsSorted(<<1, 2, 2>>, <) /\ IsSorted(<< >>, <)

ASSUME SelectInSeq(<<1, 4, 6>>, Even) = 2 /\ SelectInSeq(<<1, 3>>, Even) = 0
ASSUME SelectLastInSeq(<<1, 4, 6>>, Even) = 3 /\ SelectLastInSeq(<< >>, Even) = 0
ASSUME SelectInSubSeq(<<2, 1, 4, 6>>, 2, 4, Even) = 3 /\ SelectInSubSeq(<<2, 1>>, 2, 2, Even) = 0
ASSUME SelectLastInSubSeq(<<2, 1, 4, 6>>, 1, 3, Even) = 3

ASSUME Reverse(<<1, 2, 3>>) = <<3, 2, 1>> /\ Reverse(<< >>) = << >>
ASSUME Remove(<<1, 2, 1>>, 1) = <<2>> /\ ReplaceAll(<<1, 2, 1>>, 1, 7) = <<7, 2, 7>>
ASSUME InsertAt(<<1, 2>>, 1, 9) = <<9, 1, 2>> /\ InsertAt(<<1, 2>>, 3, 9) = <<1, 2, 9>>
ASSUME ReplaceAt(<<1, 2>>, 2, 9) = <<1, 9>> /\ RemoveAt(<<1, 2, 3>>, 2) = <<1, 3>>
ASSUME RemoveFirst(<<1, 2, 1>>, 1) = <<2, 1>> /\ RemoveFirst(<<1>>, 2) = <<1>>
ASSUME RemoveFirstMatch(<<1, 2, 4>>, Even) = <<1, 4>> /\ RemoveFirstMatch(<<1>>, Even) = <<1>>
ASSUME Cons(1, <<2>>) = <<1, 2>> /\ Snoc(1, <<2>>) = <<2, 1>>
ASSUME Front(<<1, 2>>) = <<1>> /\ Front(<< >>) = << >> /\ Last(<<1, 2>>) = 2

ASSUME IsPrefix(<<1>>, <<1, 2>>) /\ IsPrefix(<< >>, << >>) /\ ~IsPrefix(<<2>>, <<1, 2>>)
ASSUME IsPrefix("ab", "abc")
ASSUME IsStrictPrefix(<<1>>, <<1, 2>>) /\ ~IsStrictPrefix(<<1>>, <<1>>)
ASSUME IsSuffix(<<2>>, <<1, 2>>) /\ ~IsSuffix(<<1>>, <<1, 2>>) /\ ~IsSuffix(<<1, 2>>, <<2>>)
ASSUME IsStrictSuffix(<< >>, <<1>>) /\ ~IsStrictSuffix(<<1>>, <<1>>)
ASSUME Prefixes(<<1, 2>>) = {<< >>, <<1>>, <<1, 2>>} /\ Suffixes(<<1, 2>>) = {<< >>, <<2>>, <<1, 2>>}
ASSUME CommonPrefixes({<<1, 2>>, <<1, 3>>}) = {<< >>, <<1>>}
ASSUME LongestCommonPrefix({<<1, 2, 3>>, <<1, 2, 4>>}) = <<1, 2>> /\ LongestCommonPrefix({<<1>>}) = <<1>>
ASSUME SeqMod(3, 3) = 3 /\ SeqMod(4, 3) = 1 /\ SeqMod(0, 3) = 3

ASSUME FoldLeft(Pair, 0, <<3, 1, 2>>) = <<<<<<0, 3>>, 1>>, 2>> /\ FoldLeft(Pair, 0, << >>) = 0
ASSUME FoldRight(Pair, <<3, 1, 2>>, 0) = <<3, <<1, <<2, 0>>>>>> /\ FoldRight(Pair, << >>, 0) = 0
ASSUME FoldSeq(+, 0, <<3, 1, 2>>) = 6 /\ FoldSeq(Pair, 0, <<7, 8>>) = <<8, <<7, 0>>>>
ASSUME FoldLeftDomain(Pair, 0, <<"a", "b">>) = <<<<0, 1>>, 2>>
ASSUME FoldRightDomain(Pair, <<"a", "b">>, 0) = <<1, <<2, 0>>>>

ASSUME FlattenSeq(<<<<1, 2>>, << >>, <<1>>>>) = <<1, 2, 1>> /\ FlattenSeq(<< >>) = << >>
ASSUME FlattenSeq(<<"a", "b">>) = "ab"
ASSUME Zip(<<1, 3>>, <<2, 4>>) = <<<<1, 2>>, <<3, 4>>>> /\ Zip(<<1>>, <<2, 3>>) = <<<<1, 2>>>>
ASSUME Zip(<< >>, <<1>>) = << >>
ASSUME Interleave(<<1, 3>>, <<2, 4>>) = <<<<1>>, <<2>>, <<3>>, <<4>>>>
ASSUME SubSeqs(<<1, 2, 3>>) = {<< >>, <<1>>, <<2>>, <<3>>, <<1, 2>>, <<2, 3>>, <<1, 2, 3>>}
ASSUME AllSubSeqs(<<1, 2, 3>>) = SubSeqs(<<1, 2, 3>>) \union {<<1, 3>>}
ASSUME AllSubSeqs(<<1, 1>>) = {<< >>, <<1>>, <<1, 1>>}
ASSUME IndexFirstSubSeq(<<1>>, <<2, 1, 1>>) = 2 /\ IndexFirstSubSeq(<< >>, <<1>>) = 1
ASSUME ReplaceSubSeqAt(2, <<8, 9>>, <<2>>, <<1, 2, 3>>) = <<1, 8, 9, 3>>
ASSUME ReplaceFirstSubSeq(<<9>>, <<1>>, <<2, 1, 1>>) = <<2, 9, 1>>
ASSUME ReplaceFirstSubSeq(<<9>>, <<3>>, <<1, 2>>) = <<1, 2>>
ASSUME ReplaceAllSubSeqs(<<2, 2>>, <<1, 1>>, <<1, 1, 1>>) = <<2, 2, 1>>
ASSUME ReplaceAllSubSeqs(<< >>, << >>, << >>) = << >> /\ ReplaceAllSubSeqs(<<4>>, << >>, << >>) = <<4>>
ASSUME ReplaceAllSubSeqs(<<4>>, << >>, <<1, 2>>) = <<4, 1, 4, 2>>
ASSUME ReplaceAllSubSeqs("xx", "b", "abcb") = "axxcxx" /\ ReplaceFirstSubSeq("x", "b", "abcb") = "axcb"
=============================================================================
