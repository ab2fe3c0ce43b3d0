----------------------------- MODULE RealTime -----------------------------
(* Time as a variable, and lower and upper bounds on how long an action    *)
(* waits (Specifying Systems, chapter 9).                                  *)
EXTENDS Reals
VARIABLE now

(* A step of A that changes v happens only after A has been possible for   *)
(* at least D without interruption, and no later than after E. The hidden  *)
(* timer t holds how long A has been possible since its last step.         *)
RTBound(A, v, D, E) ==
    LET Restart  == <<A>>_v \/ ~(ENABLED <<A>>_v)'
        Tick(t)  == t' = IF Restart THEN 0 ELSE t + (now' - now)
        Timer(t) == t = 0 /\ [][Tick(t)]_<<t, v, now>>
        Early(t) == [](t \leq E)
        Late(t)  == [][A => t \geq D]_v
    IN  \EE t : Timer(t) /\ Early(t) /\ Late(t)

(* Time only goes forward, in steps that leave v alone, and it passes      *)
(* every bound.                                                            *)
RTnow(v) ==
    LET Advance == now' \in {r \in Real : r > now} /\ UNCHANGED v
    IN  /\ now \in Real
        /\ [][Advance]_now
        /\ \A r \in Real : WF_now(Advance /\ now' > r)
=============================================================================
