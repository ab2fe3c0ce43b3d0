------------------------------- MODULE ShiViz -------------------------------
(* For the trace of an algorithm with processes and the variable pc: which *)
(* process made a step, and a vector clock, as the ShiViz viewer expects.  *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Json
LOCAL INSTANCE TLC
INSTANCE Toolbox

(* For each position: the process whose pc changed on the way to it.       *)
LOCAL Hosts ==
    LET host[i \in DOMAIN _TETrace] ==
            IF i = 1 THEN "--"
            ELSE LET old == _TETrace[i - 1].pc
                     new == _TETrace[i].pc
                 IN  IF old = new THEN host[i - 1]
                     ELSE CHOOSE p \in DOMAIN old : old[p] # new[p]
    IN  TLCEval(host)

Host == Hosts[_TEPosition]

(* For each position: how many steps each process has made.                *)
LOCAL Clocks ==
    LET steps[i \in DOMAIN _TETrace] ==
            [p \in DOMAIN _TETrace[i].pc |->
                IF i = 1 THEN 0
                ELSE steps[i - 1][p] + (IF p = Hosts[i] THEN 1 ELSE 0)]
    IN  TLCEval(steps)

Clock == ToJsonObject(Clocks[_TEPosition])
=============================================================================
