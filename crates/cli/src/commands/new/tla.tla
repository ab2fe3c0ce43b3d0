---- MODULE NAME ----
\* Two jugs without marks, a tap and a drain. Ask `babbage solve NAME.tla --goal 'big = 4'` how to measure four litres.
EXTENDS Integers

CONSTANTS Small, Big    \* how much each jug holds

VARIABLES small, big    \* how much is in each

vars == <<small, big>>

Min(a, b) == IF a < b THEN a ELSE b

Init == small = 0 /\ big = 0

FillSmall  == small' = Small /\ UNCHANGED big
FillBig    == big' = Big /\ UNCHANGED small
EmptySmall == small' = 0 /\ UNCHANGED big
EmptyBig   == big' = 0 /\ UNCHANGED small

SmallToBig ==
  LET poured == Min(small, Big - big)
  IN  small' = small - poured /\ big' = big + poured

BigToSmall ==
  LET poured == Min(big, Small - small)
  IN  big' = big - poured /\ small' = small + poured

Next ==
  \/ FillSmall \/ EmptySmall \/ SmallToBig
  \/ FillBig   \/ EmptyBig   \/ BigToSmall

Spec == Init /\ [][Next]_vars

\* What must be true in every state.
TypeOK == small \in 0..Small /\ big \in 0..Big
====
