------------------------ MODULE SequencesAssertions ------------------------
(* Finite sequences; strings share some of the operators.                  *)
EXTENDS Sequences, Naturals

ASSUME <<1, 2>> \in Seq({1, 2}) /\ << >> \in Seq({}) /\ <<1, 3>> \notin Seq({1, 2})
ASSUME Len(<< >>) = 0 /\ Len(<<5, 6, 7>>) = 3 /\ Len("abc") = 3
ASSUME <<1, 2>> \o <<3>> = <<1, 2, 3>> /\ << >> \o << >> = << >> /\ "ab" \o "c" = "abc"
ASSUME Append(<<1>>, 2) = <<1, 2>> /\ Append(<< >>, << >>) = << << >> >>
ASSUME Head(<<4, 5>>) = 4 /\ Tail(<<4, 5>>) = <<5>> /\ Tail(<<4>>) = << >>
ASSUME SubSeq(<<1, 2, 3, 4>>, 2, 3) = <<2, 3>> /\ SubSeq(<<1, 2>>, 2, 1) = << >>
ASSUME SubSeq(<<1, 2>>, 1, 2) = <<1, 2>> /\ SubSeq(<<1, 2>>, 1, 0) = << >>
ASSUME SelectSeq(<<1, 2, 3, 4, 5>>, LAMBDA n : n % 2 = 1) = <<1, 3, 5>>
ASSUME SelectSeq(<< >>, LAMBDA n : TRUE) = << >>
ASSUME DOMAIN <<7, 8, 9>> = 1 .. 3 /\ <<7, 8>> = [i \in 1 .. 2 |-> i + 6]
ASSUME [<<1, 2, 3>> EXCEPT ![2] = 9] = <<1, 9, 3>>
ASSUME \A s, t \in [1 .. 2 -> {0, 1}] : Len(s \o t) = 4 /\ Tail(<<0>> \o s) = s
=============================================================================
