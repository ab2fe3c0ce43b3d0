------------------------ MODULE SequencesExtTheorems ------------------------
(* Facts about the operators of SequencesExt. All are stated without       *)
(* proof.                                                                  *)
EXTENDS Sequences, SequencesExt, Functions, Integers, WellFoundedInduction

THEOREM SeqOfSeq ==
    ASSUME NEW A, NEW n \in Int
    PROVE  SeqOf(A, n) = {s \in Seq(A) : Len(s) <= n}
-----------------------------------------------------------------------------
(* Cons.                                                                   *)

THEOREM ConsProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  LET new == Cons(x, s)
           IN  /\ new \in Seq(A)
               /\ new # << >>
               /\ Len(new) = Len(s) + 1
               /\ Head(new) = x
               /\ Tail(new) = s
               /\ new[1] = x
               /\ \A k \in 1 .. Len(s) : new[k + 1] = s[k]
               /\ \A k \in 2 .. (Len(s) + 1) : new[k] = s[k - 1]

THEOREM ConsEmpty == \A x : Cons(x, << >>) = <<x>>

THEOREM ConsHeadTail ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>
    PROVE  Cons(Head(s), Tail(s)) = s

THEOREM ConsAppend ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A, NEW y \in A
    PROVE  Cons(x, Append(s, y)) = Append(Cons(x, s), y)

THEOREM ConsConcat ==
    ASSUME NEW A, NEW x \in A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  Cons(x, s) \o t = Cons(x, s \o t)

THEOREM ConsInjective ==
    ASSUME NEW A, NEW x \in A, NEW s \in Seq(A), NEW y \in A, NEW t \in Seq(A)
    PROVE  Cons(x, s) = Cons(y, t) <=> x = y /\ s = t

THEOREM SequencesInductionCons ==
    ASSUME NEW P(_), NEW A, P(<< >>), \A t \in Seq(A), x \in A : P(t) => P(Cons(x, t))
    PROVE  \A s \in Seq(A) : P(s)
-----------------------------------------------------------------------------
(* Contains.                                                               *)

THEOREM ContainsRange ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x
    PROVE  Contains(s, x) <=> x \in Range(s)

THEOREM ContainsEmpty ==
    ASSUME NEW x
    PROVE  ~Contains(<< >>, x)

THEOREM ContainsAppend ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x, NEW y
    PROVE  Contains(Append(s, x), y) <=> Contains(s, y) \/ y = x

THEOREM ContainsSingleton ==
    ASSUME NEW A, NEW x
    PROVE  \A y : Contains(<<x>>, y) <=> y = x

THEOREM ContainsConcat ==
    ASSUME NEW A, NEW s \in Seq(A), NEW B, NEW t \in Seq(B), NEW x
    PROVE  Contains(s \o t, x) <=> Contains(s, x) \/ Contains(t, x)

THEOREM ContainsCons ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x, NEW y
    PROVE  Contains(Cons(x, s), y) <=> y = x \/ Contains(s, y)

THEOREM ContainsTail ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>, NEW x
    PROVE  Contains(Tail(s), x) => Contains(s, x)

THEOREM ContainsTailExceptHead ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>, NEW x, Contains(s, x), x # Head(s)
    PROVE  Contains(Tail(s), x)
-----------------------------------------------------------------------------
(* IsSorted.                                                               *)

THEOREM SortedEmpty ==
    ASSUME NEW op(_, _)
    PROVE  IsSorted(<< >>, op)

THEOREM SortedSingleton ==
    ASSUME NEW A, NEW x \in A, NEW op(_, _)
    PROVE  IsSorted(<<x>>, op)

THEOREM SortedAppend ==
    ASSUME NEW A, NEW op(_, _), \A x, y, z \in A : op(x, y) /\ op(y, z) => op(x, z),
           NEW s \in Seq(A), IsSorted(s, op), NEW e \in A,
           s # << >> => op(s[Len(s)], e)
    PROVE  IsSorted(Append(s, e), op)

THEOREM SortedConcat ==
    ASSUME NEW A, NEW op(_, _), \A x, y, z \in A : op(x, y) /\ op(y, z) => op(x, z),
           NEW s \in Seq(A), NEW t \in Seq(A), IsSorted(s, op), IsSorted(t, op),
           Len(s) > 0 /\ Len(t) > 0 => op(s[Len(s)], t[1])
    PROVE  IsSorted(s \o t, op)

THEOREM SortedInjective ==
    ASSUME NEW A, NEW op(_, _), \A x \in A : ~op(x, x), NEW s \in Seq(A),
           IsSorted(s, op)
    PROVE  IsInjective(s)

THEOREM SortedSubSeq ==
    ASSUME NEW A, NEW op(_, _), NEW s \in Seq(A), IsSorted(s, op),
           NEW m \in 1 .. (Len(s) + 1), NEW n \in 0 .. Len(s)
    PROVE  IsSorted(SubSeq(s, m, n), op)
-----------------------------------------------------------------------------
(* InsertAt, RemoveAt, Front and Last.                                     *)

THEOREM InsertAtProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW k \in 1 .. (Len(s) + 1), NEW x \in A
    PROVE  /\ InsertAt(s, k, x) \in Seq(A)
           /\ Len(InsertAt(s, k, x)) = Len(s) + 1
           /\ \A l \in 1 .. (Len(s) + 1) :
                 InsertAt(s, k, x)[l] =
                 IF l < k THEN s[l] ELSE IF l = k THEN x ELSE s[l - 1]

THEOREM RemoveAtProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW k \in 1 .. Len(s)
    PROVE  /\ RemoveAt(s, k) \in Seq(A)
           /\ Len(RemoveAt(s, k)) = Len(s) - 1
           /\ \A l \in 1 .. (Len(s) - 1) :
                 RemoveAt(s, k)[l] = IF l < k THEN s[l] ELSE s[l + 1]

THEOREM FrontProperties ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  /\ Front(s) \in Seq(A)
           /\ Len(Front(s)) = IF s = << >> THEN 0 ELSE Len(s) - 1
           /\ \A k \in 1 .. (Len(s) - 1) : Front(s)[k] = s[k]

THEOREM FrontOfEmpty == Front(<< >>) = << >>

THEOREM LastProperties ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>
    PROVE  Last(s) \in A /\ Append(Front(s), Last(s)) = s

THEOREM FrontLastOfSubSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW m \in 1 .. Len(s), NEW n \in m .. Len(s)
    PROVE  /\ Front(SubSeq(s, m, n)) = SubSeq(s, m, n - 1)
           /\ Last(SubSeq(s, m, n)) = s[n]

THEOREM FrontLastAppend ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  Front(Append(s, x)) = s /\ Last(Append(s, x)) = x

LEMMA FrontInjectiveSeq ==
    ASSUME NEW A, NEW s \in Seq(A), IsInjective(s), s # << >>
    PROVE  IsInjective(Front(s)) /\ Range(Front(s)) = Range(s) \ {Last(s)}

THEOREM SequencesInductionFront ==
    ASSUME NEW A, NEW P(_), P(<< >>),
           \A s \in Seq(A) : s # << >> /\ P(Front(s)) => P(s)
    PROVE  \A s \in Seq(A) : P(s)
-----------------------------------------------------------------------------
(* Reverse.                                                                *)

THEOREM ReverseProperties ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  /\ Reverse(s) \in Seq(A)
           /\ Len(Reverse(s)) = Len(s)
           /\ Reverse(Reverse(s)) = s

THEOREM ReverseEmpty == Reverse(<< >>) = << >>

THEOREM ReverseEqual ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), Reverse(s) = Reverse(t)
    PROVE  s = t

THEOREM ReverseEmptyIffEmpty ==
    ASSUME NEW A, NEW s \in Seq(A), Reverse(s) = << >>
    PROVE  s = << >>

THEOREM ReverseConcat ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  Reverse(s \o t) = Reverse(t) \o Reverse(s)

THEOREM ReverseAppend ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  Reverse(Append(s, x)) = Cons(x, Reverse(s))

THEOREM ReverseCons ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  Reverse(Cons(x, s)) = Append(Reverse(s), x)

THEOREM ReverseSingleton == \A x : Reverse(<<x>>) = <<x>>

THEOREM ReverseSubSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW m \in 1 .. Len(s), NEW n \in 0 .. Len(s)
    PROVE  Reverse(SubSeq(s, m, n)) =
           SubSeq(Reverse(s), Len(s) - n + 1, Len(s) - m + 1)

THEOREM ReversePalindrome ==
    ASSUME NEW A, NEW s \in Seq(A), Reverse(s) = s
    PROVE  Reverse(s \o s) = s \o s

THEOREM LastEqualsHeadReverse ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>
    PROVE  Last(s) = Head(Reverse(s))

THEOREM ReverseFrontEqualsTailReverse ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>
    PROVE  Reverse(Front(s)) = Tail(Reverse(s))

THEOREM RangeReverse ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  DOMAIN Reverse(s) = DOMAIN s /\ Range(Reverse(s)) = Range(s)
-----------------------------------------------------------------------------
(* Prefixes.                                                               *)

THEOREM IsPrefixProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  /\ IsPrefix(s, t) <=> \E u \in Seq(A) : t = s \o u
           /\ IsPrefix(s, t) <=> Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
           /\ IsPrefix(s, t) <=> Len(s) <= Len(t) /\ s = Restrict(t, DOMAIN s)

THEOREM IsStrictPrefixProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  /\ IsStrictPrefix(s, t) <=> \E u \in Seq(A) : u # << >> /\ t = s \o u
           /\ IsStrictPrefix(s, t) <=> Len(s) < Len(t) /\ s = SubSeq(t, 1, Len(s))
           /\ IsStrictPrefix(s, t) <=> Len(s) < Len(t) /\ s = Restrict(t, DOMAIN s)
           /\ IsStrictPrefix(s, t) <=> IsPrefix(s, t) /\ Len(s) < Len(t)

THEOREM IsPrefixElts ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW k \in 1 .. Len(s),
           IsPrefix(s, t)
    PROVE  s[k] = t[k]

THEOREM EmptyIsPrefix ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  /\ IsPrefix(<< >>, s)
           /\ IsPrefix(s, << >>) <=> s = << >>
           /\ IsStrictPrefix(<< >>, s) <=> s # << >>
           /\ ~IsStrictPrefix(s, << >>)

THEOREM IsPrefixConcat ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  IsPrefix(s, s \o t)

THEOREM IsStrictPrefixAppend ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  IsStrictPrefix(s, Append(s, x))

THEOREM FrontIsPrefix ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  IsPrefix(Front(s), s) /\ (s # << >> => IsStrictPrefix(Front(s), s))

THEOREM IsPrefixPartialOrder ==
    ASSUME NEW A
    PROVE  /\ \A s \in Seq(A) : IsPrefix(s, s)
           /\ \A s, t \in Seq(A) : IsPrefix(s, t) /\ IsPrefix(t, s) => s = t
           /\ \A s, t, u \in Seq(A) : IsPrefix(s, t) /\ IsPrefix(t, u) => IsPrefix(s, u)

THEOREM ConcatIsPrefix ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW u \in Seq(A),
           IsPrefix(s \o t, u)
    PROVE  IsPrefix(s, u)

THEOREM ConcatIsPrefixCancel ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW u \in Seq(A)
    PROVE  IsPrefix(s \o t, s \o u) <=> IsPrefix(t, u)

THEOREM ConsIsPrefixCancel ==
    ASSUME NEW A, NEW x \in A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  IsPrefix(Cons(x, s), Cons(x, t)) <=> IsPrefix(s, t)

THEOREM ConsIsPrefix ==
    ASSUME NEW A, NEW x \in A, NEW s \in Seq(A), NEW u \in Seq(A),
           IsPrefix(Cons(x, s), u)
    PROVE  x = Head(u) /\ IsPrefix(s, Tail(u))

THEOREM IsStrictPrefixStrictPartialOrder ==
    ASSUME NEW A
    PROVE  /\ \A s \in Seq(A) : ~IsStrictPrefix(s, s)
           /\ \A s, t \in Seq(A) : IsStrictPrefix(s, t) => ~IsStrictPrefix(t, s)
           /\ \A s, t, u \in Seq(A) :
                 IsStrictPrefix(s, t) /\ IsStrictPrefix(t, u) => IsStrictPrefix(s, u)

THEOREM IsStrictPrefixWellFounded ==
    ASSUME NEW A
    PROVE  IsWellFoundedOn(OpToRel(IsStrictPrefix, Seq(A)), Seq(A))

THEOREM SeqStrictPrefixInduction ==
    ASSUME NEW P(_), NEW A,
           \A t \in Seq(A) : (\A s \in Seq(A) : IsStrictPrefix(s, t) => P(s)) => P(t)
    PROVE  \A s \in Seq(A) : P(s)
-----------------------------------------------------------------------------
(* Suffixes.                                                               *)

THEOREM IsSuffixProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  /\ IsSuffix(s, t) <=> \E u \in Seq(A) : t = u \o s
           /\ IsSuffix(s, t) <=>
                 Len(s) <= Len(t) /\ s = SubSeq(t, Len(t) - Len(s) + 1, Len(t))

THEOREM IsStrictSuffixProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  /\ IsStrictSuffix(s, t) <=> \E u \in Seq(A) : u # << >> /\ t = u \o s
           /\ IsStrictSuffix(s, t) <=> Len(s) < Len(t) /\ IsSuffix(s, t)
           /\ IsStrictSuffix(s, t) <=>
                 Len(s) < Len(t) /\ s = SubSeq(t, Len(t) - Len(s) + 1, Len(t))
           /\ IsStrictSuffix(s, t) <=> IsStrictPrefix(Reverse(s), Reverse(t))

THEOREM IsSuffixElts ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW k \in 1 .. Len(s),
           IsSuffix(s, t)
    PROVE  s[k] = t[Len(t) - Len(s) + k]

THEOREM EmptyIsSuffix ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  /\ IsSuffix(<< >>, s)
           /\ IsSuffix(s, << >>) <=> s = << >>
           /\ IsStrictSuffix(<< >>, s) <=> s # << >>
           /\ ~IsStrictSuffix(s, << >>)

THEOREM IsSuffixConcat ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  IsSuffix(s, t \o s)

THEOREM IsStrictSuffixCons ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  IsStrictSuffix(s, Cons(x, s))

THEOREM TailIsSuffix ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>
    PROVE  IsStrictSuffix(Tail(s), s)

THEOREM IsSuffixPartialOrder ==
    ASSUME NEW A
    PROVE  /\ \A s \in Seq(A) : IsSuffix(s, s)
           /\ \A s, t \in Seq(A) : IsSuffix(s, t) /\ IsSuffix(t, s) => s = t
           /\ \A s, t, u \in Seq(A) : IsSuffix(s, t) /\ IsSuffix(t, u) => IsSuffix(s, u)

THEOREM ConcatIsSuffix ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW u \in Seq(A),
           IsSuffix(s \o t, u)
    PROVE  IsSuffix(t, u)

THEOREM ConcatIsSuffixCancel ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW u \in Seq(A)
    PROVE  IsSuffix(s \o t, u \o t) <=> IsSuffix(s, u)

THEOREM AppendIsSuffixCancel ==
    ASSUME NEW A, NEW x \in A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  IsSuffix(Append(s, x), Append(t, x)) <=> IsSuffix(s, t)

THEOREM AppendIsSuffix ==
    ASSUME NEW A, NEW x \in A, NEW s \in Seq(A), NEW u \in Seq(A),
           IsSuffix(Append(s, x), u)
    PROVE  x = Last(u) /\ IsSuffix(s, Front(u))

THEOREM IsStrictSuffixStrictPartialOrder ==
    ASSUME NEW A
    PROVE  /\ \A s \in Seq(A) : ~IsStrictSuffix(s, s)
           /\ \A s, t \in Seq(A) : IsStrictSuffix(s, t) => ~IsStrictSuffix(t, s)
           /\ \A s, t, u \in Seq(A) :
                 IsStrictSuffix(s, t) /\ IsStrictSuffix(t, u) => IsStrictSuffix(s, u)

THEOREM IsStrictSuffixWellFounded ==
    ASSUME NEW A
    PROVE  IsWellFoundedOn(OpToRel(IsStrictSuffix, Seq(A)), Seq(A))

THEOREM SeqStrictSuffixInduction ==
    ASSUME NEW P(_), NEW A,
           \A t \in Seq(A) : (\A s \in Seq(A) : IsStrictSuffix(s, t) => P(s)) => P(t)
    PROVE  \A s \in Seq(A) : P(s)
-----------------------------------------------------------------------------
(* Recursion on sequences: from all strict prefixes or suffixes.           *)

StrictPrefixesDetermineDef(A, Step(_, _)) ==
    \A g, h : \A s \in Seq(A) :
        (\A p \in Seq(A) : IsStrictPrefix(p, s) => g[p] = h[p])
        => Step(g, s) = Step(h, s)

LEMMA StrictPrefixesDetermineDef_WFDefOn ==
    ASSUME NEW A, NEW Step(_, _), StrictPrefixesDetermineDef(A, Step)
    PROVE  WFDefOn(OpToRel(IsStrictPrefix, Seq(A)), Seq(A), Step)

THEOREM PrefixRecursiveSequenceFunctionUnique ==
    ASSUME NEW A, NEW Step(_, _), StrictPrefixesDetermineDef(A, Step)
    PROVE  WFInductiveUnique(Seq(A), Step)

THEOREM PrefixRecursiveSequenceFunctionDef ==
    ASSUME NEW A, NEW Step(_, _), NEW f, StrictPrefixesDetermineDef(A, Step),
           OpDefinesFcn(f, Seq(A), Step)
    PROVE  WFInductiveDefines(f, Seq(A), Step)

THEOREM PrefixRecursiveSequenceFunctionType ==
    ASSUME NEW A, NEW B, NEW Step(_, _), NEW f, B # {},
           StrictPrefixesDetermineDef(A, Step), WFInductiveDefines(f, Seq(A), Step),
           \A g \in [Seq(A) -> B], s \in Seq(A) : Step(g, s) \in B
    PROVE  f \in [Seq(A) -> B]

StrictSuffixesDetermineDef(A, Step(_, _)) ==
    \A g, h : \A s \in Seq(A) :
        (\A q \in Seq(A) : IsStrictSuffix(q, s) => g[q] = h[q])
        => Step(g, s) = Step(h, s)

LEMMA StrictSuffixesDetermineDef_WFDefOn ==
    ASSUME NEW A, NEW Step(_, _), StrictSuffixesDetermineDef(A, Step)
    PROVE  WFDefOn(OpToRel(IsStrictSuffix, Seq(A)), Seq(A), Step)

THEOREM SuffixRecursiveSequenceFunctionUnique ==
    ASSUME NEW A, NEW Step(_, _), StrictSuffixesDetermineDef(A, Step)
    PROVE  WFInductiveUnique(Seq(A), Step)

THEOREM SuffixRecursiveSequenceFunctionDef ==
    ASSUME NEW A, NEW Step(_, _), NEW f, StrictSuffixesDetermineDef(A, Step),
           OpDefinesFcn(f, Seq(A), Step)
    PROVE  WFInductiveDefines(f, Seq(A), Step)

THEOREM SuffixRecursiveSequenceFunctionType ==
    ASSUME NEW A, NEW B, NEW Step(_, _), NEW f, B # {},
           StrictSuffixesDetermineDef(A, Step), WFInductiveDefines(f, Seq(A), Step),
           \A g \in [Seq(A) -> B], s \in Seq(A) : Step(g, s) \in B
    PROVE  f \in [Seq(A) -> B]
-----------------------------------------------------------------------------
(* Recursion on sequences: from the tail or the front.                     *)

TailInductiveDefHypothesis(f, A, start, Step(_, _)) ==
    f = CHOOSE g : g = [s \in Seq(A) |-> IF s = << >> THEN start ELSE Step(g[Tail(s)], s)]

TailInductiveDefConclusion(f, A, start, Step(_, _)) ==
    f = [s \in Seq(A) |-> IF s = << >> THEN start ELSE Step(f[Tail(s)], s)]

THEOREM TailInductiveDef ==
    ASSUME NEW A, NEW Step(_, _), NEW f, NEW start,
           TailInductiveDefHypothesis(f, A, start, Step)
    PROVE  TailInductiveDefConclusion(f, A, start, Step)

THEOREM TailInductiveDefType ==
    ASSUME NEW A, NEW Step(_, _), NEW f, NEW start, NEW B,
           TailInductiveDefConclusion(f, A, start, Step), start \in B,
           \A v \in B, s \in Seq(A) : s # << >> => Step(v, s) \in B
    PROVE  f \in [Seq(A) -> B]

FrontInductiveDefHypothesis(f, A, start, Step(_, _)) ==
    f = CHOOSE g : g = [s \in Seq(A) |-> IF s = << >> THEN start ELSE Step(g[Front(s)], s)]

FrontInductiveDefConclusion(f, A, start, Step(_, _)) ==
    f = [s \in Seq(A) |-> IF s = << >> THEN start ELSE Step(f[Front(s)], s)]

THEOREM FrontInductiveDef ==
    ASSUME NEW A, NEW Step(_, _), NEW f, NEW start,
           FrontInductiveDefHypothesis(f, A, start, Step)
    PROVE  FrontInductiveDefConclusion(f, A, start, Step)

THEOREM FrontInductiveDefType ==
    ASSUME NEW A, NEW Step(_, _), NEW f, NEW start, NEW B,
           FrontInductiveDefConclusion(f, A, start, Step), start \in B,
           \A v \in B, s \in Seq(A) : s # << >> => Step(v, s) \in B
    PROVE  f \in [Seq(A) -> B]
-----------------------------------------------------------------------------
(* Folds from the left and from the right.                                 *)

THEOREM FoldLeftRecursion ==
    ASSUME NEW op(_, _), NEW base, NEW A, NEW s \in Seq(A)
    PROVE  FoldLeft(op, base, s) =
           IF s = << >> THEN base ELSE op(FoldLeft(op, base, Front(s)), Last(s))

THEOREM FoldLeftEmpty ==
    ASSUME NEW op(_, _), NEW base
    PROVE  FoldLeft(op, base, << >>) = base

THEOREM FoldLeftNonempty ==
    ASSUME NEW op(_, _), NEW base, NEW A, NEW s \in Seq(A), s # << >>
    PROVE  FoldLeft(op, base, s) = op(FoldLeft(op, base, Front(s)), Last(s))

THEOREM FoldLeftAppend ==
    ASSUME NEW op(_, _), NEW base, NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  FoldLeft(op, base, Append(s, x)) = op(FoldLeft(op, base, s), x)

THEOREM FoldLeftType ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, NEW s \in Seq(V),
           \A a, b \in V : op(a, b) \in V
    PROVE  FoldLeft(op, base, s) \in V

THEOREM FoldLeftConcat ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, \A a, b \in V : op(a, b) \in V,
           \A a, b, c \in V : op(a, op(b, c)) = op(op(a, b), c),
           \A a \in V : op(a, base) = a, NEW s \in Seq(V), NEW t \in Seq(V)
    PROVE  FoldLeft(op, base, s \o t) = op(FoldLeft(op, base, s), FoldLeft(op, base, t))

THEOREM FoldRightRecursion ==
    ASSUME NEW op(_, _), NEW base, NEW A, NEW s \in Seq(A)
    PROVE  FoldRight(op, s, base) =
           IF s = << >> THEN base ELSE op(Head(s), FoldRight(op, Tail(s), base))

THEOREM FoldRightEmpty ==
    ASSUME NEW op(_, _), NEW base
    PROVE  FoldRight(op, << >>, base) = base

THEOREM FoldRightNonempty ==
    ASSUME NEW op(_, _), NEW base, NEW A, NEW s \in Seq(A), s # << >>
    PROVE  FoldRight(op, s, base) = op(Head(s), FoldRight(op, Tail(s), base))

THEOREM FoldRightCons ==
    ASSUME NEW op(_, _), NEW base, NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  FoldRight(op, Cons(x, s), base) = op(x, FoldRight(op, s, base))

THEOREM FoldRightType ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, NEW s \in Seq(V),
           \A a, b \in V : op(a, b) \in V
    PROVE  FoldRight(op, s, base) \in V

THEOREM FoldRightConcat ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, \A a, b \in V : op(a, b) \in V,
           \A a, b, c \in V : op(a, op(b, c)) = op(op(a, b), c),
           \A a \in V : op(base, a) = a, NEW s \in Seq(V), NEW t \in Seq(V)
    PROVE  FoldRight(op, s \o t, base) =
           op(FoldRight(op, s, base), FoldRight(op, t, base))

THEOREM FoldLeftDomainIsMFS ==
    ASSUME NEW op(_, _), NEW base, NEW A, NEW s \in Seq(A)
    PROVE  FoldLeftDomain(op, base, s) =
           MapThenFoldSet(LAMBDA x, y : op(y, x), base,
                          LAMBDA k : k, LAMBDA B : Max(B), 1 .. Len(s))

THEOREM FoldRightDomainIsMFS ==
    ASSUME NEW op(_, _), NEW base, NEW A, NEW s \in Seq(A)
    PROVE  FoldRightDomain(op, s, base) =
           MapThenFoldSet(op, base, LAMBDA k : k, LAMBDA B : Min(B), 1 .. Len(s))
=============================================================================
