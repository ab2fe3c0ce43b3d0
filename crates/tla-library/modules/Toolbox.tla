------------------------------ MODULE Toolbox ------------------------------
(* What trace expressions may ask: the behaviour that is looked at, and    *)
(* the position of the current state in it.                                *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

_TETrace == CHOOSE trace \in [Nat \ {0} -> STRING] : TRUE

_TEPosition ==
    LET last  == Cardinality(DOMAIN _TETrace)
        level == TLCGet("level")
    IN  IF level >= last THEN last
        ELSE IF level = 0 THEN 1
        ELSE level
=============================================================================
