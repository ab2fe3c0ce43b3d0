------------------------------- MODULE Reals -------------------------------
(* Integers, all real numbers, exact division, and a value above them all. *)
EXTENDS Integers
LOCAL R == INSTANCE ProtoReals

Real == R!Real

a / b == R!/(a, b)

Infinity == R!Infinity
=============================================================================
