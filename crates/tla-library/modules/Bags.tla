-------------------------------- MODULE Bags --------------------------------
(* Bags (multisets): sets in which an element may occur several times. A   *)
(* bag is a function from its elements to how often each occurs, which is  *)
(* at least once.                                                          *)
EXTENDS TLC
LOCAL INSTANCE Naturals

IsABag(B) == B \in [DOMAIN B -> Nat \ {0}]

(* The set of the elements, and the bag with one copy of each element.     *)
BagToSet(B) == DOMAIN B
SetToBag(S) == [e \in S |-> 1]

BagIn(e, B) == e \in BagToSet(B)
EmptyBag    == SetToBag({})

CopiesIn(e, B) == IF BagIn(e, B) THEN B[e] ELSE 0

(* Sum and difference: copies are added, or taken away as far as they go.  *)
B1 (+) B2 ==
    [e \in BagToSet(B1) \union BagToSet(B2) |-> CopiesIn(e, B1) + CopiesIn(e, B2)]

B1 (-) B2 ==
    [e \in {d \in BagToSet(B1) : B1[d] > CopiesIn(d, B2)} |-> B1[e] - CopiesIn(e, B2)]

(* The sum of the values of f, which are naturals and almost all zero.     *)
LOCAL Sum(f) ==
    LET Over[D \in SUBSET DOMAIN f] ==
            IF D = {} THEN 0
            ELSE LET x == CHOOSE x \in D : TRUE
                 IN  f[x] + Over[D \ {x}]
    IN  Over[DOMAIN f]

(* The sum of all bags in the set S.                                       *)
BagUnion(S) ==
    [e \in UNION {BagToSet(B) : B \in S} |-> Sum([B \in S |-> CopiesIn(e, B)])]

(* B2 has at least as many copies of everything as B1.                     *)
B1 \sqsubseteq B2 ==
    \A e \in BagToSet(B1) : BagIn(e, B2) /\ B1[e] \leq B2[e]

(* All bags below B. A choice of 0..B[e] copies for each e gives one.      *)
SubBag(B) ==
    LET Most    == IF B = EmptyBag THEN 0
                   ELSE LET counts == {B[e] : e \in BagToSet(B)}
                        IN  CHOOSE n \in counts : \A m \in counts : m \leq n
        Choices == {c \in [BagToSet(B) -> 0 .. Most] :
                       \A e \in BagToSet(B) : c[e] \leq B[e]}
        AsBag(c) == [e \in {d \in BagToSet(B) : c[d] > 0} |-> c[e]]
    IN  {AsBag(c) : c \in Choices}

(* The bag of the F(e), with a copy of F(e) for every copy of e in B.      *)
BagOfAll(F(_), B) ==
    [v \in {F(e) : e \in BagToSet(B)} |->
        Sum([e \in BagToSet(B) |-> IF F(e) = v THEN B[e] ELSE 0])]

(* The number of all copies in a finite bag.                               *)
BagCardinality(B) == Sum(B)
=============================================================================
