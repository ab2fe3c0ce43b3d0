----------------------------- MODULE Integers -----------------------------
(* Naturals, the negative whole numbers and the unary minus.               *)
EXTENDS Naturals
LOCAL R == INSTANCE ProtoReals

Int == R!Int

-. a == 0 - a
=============================================================================
