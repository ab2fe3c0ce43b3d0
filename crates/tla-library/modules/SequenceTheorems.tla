-------------------------- MODULE SequenceTheorems --------------------------
(* Facts about the operators of Sequences. All are stated without proof.   *)
EXTENDS Sequences, Functions
LOCAL INSTANCE NaturalsInduction
LOCAL INSTANCE TLAPS
-----------------------------------------------------------------------------
(* What a sequence is.                                                     *)

LEMMA SeqDef == \A A : Seq(A) = UNION {[1 .. n -> A] : n \in Nat}

THEOREM SeqMonotonic ==
    ASSUME NEW A, NEW B, NEW s \in Seq(A), A \subseteq B
    PROVE  s \in Seq(B)

THEOREM ElementOfSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW n \in 1 .. Len(s)
    PROVE  s[n] \in A

THEOREM EmptySeq ==
    ASSUME NEW A
    PROVE  /\ << >> \in Seq(A)
           /\ Len(<< >>) = 0
           /\ \A s \in Seq(A) : s # << >> => Len(s) \in Nat \ {0}

THEOREM LenProperties ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  /\ Len(s) \in Nat
           /\ s \in [1 .. Len(s) -> A]
           /\ DOMAIN s = 1 .. Len(s)

THEOREM IsASeq ==
    ASSUME NEW n \in Nat, NEW x(_), NEW A, \A k \in 1 .. n : x(k) \in A
    PROVE  [k \in 1 .. n |-> x(k)] \in Seq(A)

THEOREM ExceptSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW k \in 1 .. Len(s), NEW x \in A
    PROVE  LET new == [s EXCEPT ![k] = x]
           IN  /\ new \in Seq(A)
               /\ Len(new) = Len(s)
               /\ \A l \in 1 .. Len(s) : new[l] = IF l = k THEN x ELSE s[l]

THEOREM SeqEqual ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), Len(s) = Len(t),
           \A k \in 1 .. Len(s) : s[k] = t[k]
    PROVE  s = t
-----------------------------------------------------------------------------
(* Concatenation.                                                          *)

THEOREM ConcatProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  /\ s \o t \in Seq(A)
           /\ Len(s \o t) = Len(s) + Len(t)
           /\ \A k \in 1 .. (Len(s) + Len(t)) :
                 (s \o t)[k] = IF k <= Len(s) THEN s[k] ELSE t[k - Len(s)]

THEOREM ConcatEmptySeq ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  s \o << >> = s /\ << >> \o s = s

THEOREM ConcatEqualIffEmpty ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  /\ s \o t = s <=> t = << >>
           /\ s \o t = t <=> s = << >>
           /\ s \o t = << >> <=> s = << >> /\ t = << >>

THEOREM ConcatAssociative ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW u \in Seq(A)
    PROVE  (s \o t) \o u = s \o (t \o u)

THEOREM ConcatSimplifications ==  \* each part has a name to cite it by
    /\ idRight::     \A A : \A s, t \in Seq(A) : s \o t = s => t = << >>
    /\ idLeft::      \A A : \A s, t \in Seq(A) : s \o t = t => s = << >>
    /\ concIsEmpty:: \A A : \A s, t \in Seq(A) : s \o t = << >> => s = << >> /\ t = << >>
    /\ cancelLeft::  \A A : \A s, t, v \in Seq(A) : s \o t = s \o v => t = v
    /\ cancelRight:: \A A : \A s, t, v \in Seq(A) : s \o v = t \o v => s = t
-----------------------------------------------------------------------------
(* SubSeq, Head and Tail.                                                  *)

THEOREM SubSeqProperties ==
    ASSUME NEW A, NEW s, NEW m \in Int, NEW n \in Int, \A k \in m .. n : s[k] \in A
    PROVE  /\ SubSeq(s, m, n) \in Seq(A)
           /\ Len(SubSeq(s, m, n)) = IF m <= n THEN n - m + 1 ELSE 0
           /\ \A k \in 1 .. (n - m + 1) : SubSeq(s, m, n)[k] = s[m + k - 1]

THEOREM SubSeqEmpty ==
    ASSUME NEW s, NEW m \in Int, NEW n \in Int, n < m
    PROVE  SubSeq(s, m, n) = << >>

THEOREM SubSeqRange ==
    ASSUME NEW A, NEW s \in Seq(A), NEW m \in 1 .. Len(s), NEW n \in 1 .. Len(s)
    PROVE  Range(SubSeq(s, m, n)) \subseteq Range(s)

THEOREM HeadTailProperties ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>
    PROVE  /\ Head(s) \in A
           /\ Head(s) \in Range(s)
           /\ Tail(s) \in Seq(A)
           /\ Len(Tail(s)) = Len(s) - 1
           /\ \A k \in 1 .. Len(Tail(s)) : Tail(s)[k] = s[k + 1]
           /\ Range(Tail(s)) \subseteq Range(s)

THEOREM TailIsSubSeq ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>
    PROVE  Tail(s) = SubSeq(s, 2, Len(s))

THEOREM SubSeqRestrict ==
    ASSUME NEW A, NEW s \in Seq(A), NEW n \in 0 .. Len(s)
    PROVE  SubSeq(s, 1, n) = Restrict(s, 1 .. n)

THEOREM HeadTailOfSubSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW m \in 1 .. Len(s), NEW n \in m .. Len(s)
    PROVE  /\ Head(SubSeq(s, m, n)) = s[m]
           /\ Tail(SubSeq(s, m, n)) = SubSeq(s, m + 1, n)

THEOREM SubSeqRecursive ==
    ASSUME NEW A, NEW s \in Seq(A), NEW m \in 1 .. Len(s), NEW n \in m .. Len(s)
    PROVE  /\ SubSeq(s, m, n) = <<s[m]>> \o SubSeq(s, m + 1, n)
           /\ SubSeq(s, m, n) = SubSeq(s, m, n - 1) \o <<s[n]>>

THEOREM SubSeqOfSubSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW k \in 1 .. Len(s),
           NEW l \in 1 .. Len(s), NEW m \in 1 .. (l - k + 1),
           NEW n \in 1 .. (l - k + 1)
    PROVE  SubSeq(SubSeq(s, k, l), m, n) = SubSeq(s, k + m - 1, k + n - 1)

THEOREM ConcatAdjacentSubSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW m \in 1 .. (Len(s) + 1),
           NEW k \in (m - 1) .. Len(s), NEW n \in k .. Len(s)
    PROVE  SubSeq(s, m, k) \o SubSeq(s, k + 1, n) = SubSeq(s, m, n)

THEOREM SubSeqOfConcat1 ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A), NEW m \in 1 .. Len(s),
           NEW n \in 1 .. Len(s)
    PROVE  SubSeq(s \o t, m, n) = SubSeq(s, m, n)

THEOREM SubSeqOfConcat2 ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A),
           NEW m \in (Len(s) + 1) .. (Len(s) + Len(t)),
           NEW n \in (Len(s) + 1) .. (Len(s) + Len(t))
    PROVE  SubSeq(s \o t, m, n) = SubSeq(t, m - Len(s), n - Len(s))
-----------------------------------------------------------------------------
(* Append.                                                                 *)

THEOREM AppendProperties ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  /\ Append(s, x) \in Seq(A)
           /\ Append(s, x) # << >>
           /\ Len(Append(s, x)) = Len(s) + 1
           /\ \A k \in 1 .. Len(s) : Append(s, x)[k] = s[k]
           /\ Append(s, x)[Len(s) + 1] = x
           /\ Range(Append(s, x)) = Range(s) \cup {x}

THEOREM AppendIsConcat ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  Append(s, x) = s \o <<x>>

THEOREM HeadTailAppend ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x
    PROVE  /\ Head(Append(s, x)) = IF s = << >> THEN x ELSE Head(s)
           /\ Tail(Append(s, x)) = IF s = << >> THEN << >> ELSE Append(Tail(s), x)

THEOREM AppendInjective ==
    ASSUME NEW A, NEW x \in A, NEW s \in Seq(A), NEW y \in A, NEW t \in Seq(A)
    PROVE  Append(s, x) = Append(t, y) <=> s = t /\ x = y

THEOREM SequenceEmptyOrAppend ==
    ASSUME NEW A, NEW s \in Seq(A), s # << >>
    PROVE  \E t \in Seq(A), x \in A : s = Append(t, x)
-----------------------------------------------------------------------------
(* Induction.                                                              *)

THEOREM SequencesInductionAppend ==
    ASSUME NEW P(_), NEW A, P(<< >>),
           \A t \in Seq(A), x \in A : P(t) => P(Append(t, x))
    PROVE  \A s \in Seq(A) : P(s)

THEOREM SequencesInductionTail ==
    ASSUME NEW A, NEW P(_), P(<< >>), \A s \in Seq(A) : s # << >> /\ P(Tail(s)) => P(s)
    PROVE  \A s \in Seq(A) : P(s)
-----------------------------------------------------------------------------
(* The range, and sequences without duplicates.                            *)

THEOREM RangeOfSeq ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  Range(s) \in SUBSET A

THEOREM RangeEquality ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  Range(s) = {s[k] : k \in 1 .. Len(s)}

THEOREM SeqOfRange ==
    ASSUME NEW A, NEW s \in Seq(A)
    PROVE  s \in Seq(Range(s))

THEOREM RangeConcatenation ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  Range(s \o t) = Range(s) \cup Range(t)

LEMMA EmptySingletonIsInjective ==
    IsInjective(<< >>) /\ \A x : IsInjective(<<x>>)

LEMMA ConcatInjectiveSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW t \in Seq(A)
    PROVE  IsInjective(s \o t) <=>
               IsInjective(s) /\ IsInjective(t) /\ Range(s) \cap Range(t) = {}

LEMMA AppendInjectiveSeq ==
    ASSUME NEW A, NEW s \in Seq(A), NEW x \in A
    PROVE  IsInjective(Append(s, x)) <=> IsInjective(s) /\ x \notin Range(s)

LEMMA TailInjectiveSeq ==
    ASSUME NEW A, NEW s \in Seq(A), IsInjective(s), s # << >>
    PROVE  IsInjective(Tail(s)) /\ Range(Tail(s)) = Range(s) \ {Head(s)}
=============================================================================
