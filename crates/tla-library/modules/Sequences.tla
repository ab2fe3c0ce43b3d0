----------------------------- MODULE Sequences -----------------------------
(* Finite sequences. A sequence of length n is a function on 1..n; tuples  *)
(* are sequences.                                                          *)
LOCAL INSTANCE Naturals

(* All sequences whose elements are in S.                                  *)
Seq(S) == UNION {[1 .. n -> S] : n \in Nat}

Len(s) == CHOOSE n \in Nat : DOMAIN s = 1 .. n

(* First s, then t.                                                        *)
s \o t ==
    LET n == Len(s)
    IN  [i \in 1 .. (n + Len(t)) |-> IF i \in 1 .. n THEN s[i] ELSE t[i - n]]

Append(s, e) == s \o <<e>>

(* The first element, and everything after it; << >> has neither.          *)
Head(s) == s[1]
Tail(s) == CASE s # << >> -> [i \in 1 .. (Len(s) - 1) |-> s[i + 1]]

(* Elements m to n of s; empty if n < m.                                   *)
SubSeq(s, m, n) == [i \in 1 .. (n - m + 1) |-> s[m + i - 1]]

(* The elements of s that pass the test, in their order.                   *)
SelectSeq(s, Test(_)) ==
    LET Kept[n \in 0 .. Len(s)] ==  \* of the first n elements
            IF n = 0 THEN << >>
            ELSE IF Test(s[n]) THEN Append(Kept[n - 1], s[n])
            ELSE Kept[n - 1]
    IN  Kept[Len(s)]
=============================================================================
