------------------------------ MODULE TLCExt ------------------------------
(* More operators for a model checker. As in TLC, only the values are      *)
(* defined here, not the effects.                                          *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
-----------------------------------------------------------------------------
(* a = b; if they differ, both are printed.                                *)
AssertEq(a, b) ==
    \/ a = b
    \/ PrintT("Assertion failed") /\ PrintT(a) /\ PrintT(b) /\ a = b

(* TRUE unless evaluating exp fails with another message than err.         *)
AssertError(err, exp) ==
    LET Fails(e) == CHOOSE b \in BOOLEAN : TRUE
        Message  == CHOOSE s \in STRING : TRUE
    IN  Fails(exp) => Assert(err = Message, Message)
-----------------------------------------------------------------------------
(* The register key, or defaultVal if nothing was stored there.            *)
TLCGetOrDefault(key, defaultVal) == CHOOSE v : TRUE

(* Stores Op(old, val) in the register, and is the old value.              *)
TLCGetAndSet(key, Op(_, _), val, defaultVal) ==
    LET old == TLCGetOrDefault(key, defaultVal)
    IN  CHOOSE v \in {old} : TLCSet(key, Op(old, val))
-----------------------------------------------------------------------------
(* The states from an initial one to the current one: a sequence of        *)
(* records with a field for each variable.                                 *)
Trace == TRUE

(* After a run: a record with the set of states and the set of actions of  *)
(* the counterexample, both empty if there is none.                        *)
CounterExample == TRUE

(* A counterexample as a sequence of states.                               *)
ToTrace(CE) == TRUE
-----------------------------------------------------------------------------
(* The model value named str. Names like A_1 make typed model values.      *)
TLCModelValue(str) == CHOOSE v : ToString(v) = str

(* TRUE; the expression is evaluated when a successor has been chosen.     *)
TLCDefer(expression) == TRUE

(* val.                                                                    *)
TLCNoOp(val) == val

(* As an action constraint: ask for the successor to take unless exp holds.*)
PickSuccessor(exp) == IF exp THEN TRUE ELSE CHOOSE b \in BOOLEAN : TRUE

(* The expression, remembered for equal values of closure.                 *)
TLCCache(expression, closure) == expression

(* The fingerprint of a value, its low 32 bits.                            *)
TLCFP(var) == CHOOSE i \in Int : TRUE

(* The value of the definition with this name.                             *)
TLCEvalDefinition(definitionName) == TRUE
=============================================================================
