------------------------------- MODULE TLAPS -------------------------------
(* What a proof for the TLA+ proof system may cite besides facts: the      *)
(* provers to use, how long they may take, and what they should expand. To *)
(* the logic each of these is just TRUE. T is a time in seconds.           *)

(* Solvers of satisfiability modulo theories.                              *)
SMT     == TRUE
SMTT(T) == TRUE
CVC3     == TRUE
CVC3T(T) == TRUE
CVC4     == TRUE
CVC4T(T) == TRUE
Yices     == TRUE
YicesT(T) == TRUE
veriT     == TRUE
veriTT(T) == TRUE
Z3     == TRUE
Z3T(T) == TRUE
SimpleArithmetic == TRUE

(* Provers for first-order logic and superposition.                        *)
Zenon     == TRUE
ZenonT(T) == TRUE
SlowZenon     == TRUE
SlowerZenon   == TRUE
VerySlowZenon == TRUE
SlowestZenon  == TRUE
Spass     == TRUE
SpassT(T) == TRUE
Zipper     == TRUE
ZipperT(T) == TRUE

(* Propositional temporal logic.                                           *)
LS4     == TRUE
LS4T(T) == TRUE
PTL     == TRUE

(* Isabelle, with a tactic (a string), and with its best-known tactics.    *)
Isa              == TRUE
IsaT(T)          == TRUE
IsaM(tactic)     == TRUE
IsaMT(tactic, T) == TRUE
IsaWithSetExtensionality == TRUE

Auto        == TRUE
SlowAuto    == TRUE
SlowerAuto  == TRUE
SlowestAuto == TRUE

Force        == TRUE
SlowForce    == TRUE
SlowerForce  == TRUE
SlowestForce == TRUE

SimplifyAndSolve        == TRUE
SlowSimplifyAndSolve    == TRUE
SlowerSimplifyAndSolve  == TRUE
SlowestSimplifyAndSolve == TRUE

Simplification        == TRUE
SlowSimplification    == TRUE
SlowerSimplification  == TRUE
SlowestSimplification == TRUE

Blast        == TRUE
SlowBlast    == TRUE
SlowerBlast  == TRUE
SlowestBlast == TRUE
AutoBlast    == TRUE

(* One prover after the other.                                             *)
AllProvers     == TRUE
AllProversT(T) == TRUE
AllSMT     == TRUE
AllSMTT(T) == TRUE
AllIsa     == TRUE
AllIsaT(T) == TRUE
-----------------------------------------------------------------------------
(* Ways to treat ENABLED and \cdot, and a check for trivial obligations.   *)
ExpandENABLED   == TRUE
ExpandCdot      == TRUE
AutoUSE         == TRUE
Lambdify        == TRUE
ENABLEDaxioms   == TRUE
LevelComparison == TRUE
Trivial         == TRUE

EnabledWrapper(Op(_)) == FALSE
CdotWrapper(Op(_))    == FALSE
-----------------------------------------------------------------------------
(* Sets with the same elements are equal, and no set contains everything.  *)
THEOREM SetExtensionality == \A S, T : (\A x : x \in S <=> x \in T) => S = T
OMITTED

THEOREM NoSetContainsEverything == \A S : \E x : x \notin S
OMITTED
=============================================================================
