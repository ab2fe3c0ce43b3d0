---- MODULE NAME ----
\* Two workers count in a shared variable. Remove the lock, and `babbage check NAME.tla` shows what goes wrong.
EXTENDS Integers

CONSTANT Workers

(*
--fair algorithm NAME
variables
  count = 0,
  locked = FALSE;
define
  \* What must be true in every state.
  InRange == count \in 0..2
end define;

macro acquire() begin
  await ~locked;
  locked := TRUE;
end macro;

fair process worker \in Workers
variables seen = 0;
begin
  enter:
    acquire();
  read:
    seen := count;
  write:
    count := seen + 1;
    locked := FALSE;
end process;

end algorithm
*)

\* When all are done, each has been counted.
Counted == (\A w \in Workers : pc[w] = "Done") => count = 2
====
