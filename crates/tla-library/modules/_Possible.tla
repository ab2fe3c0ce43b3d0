----------------------------- MODULE _Possible -----------------------------
(* How often the predicates that a configuration lists after _POSSIBLE were *)
(* seen: what a postcondition asks.                                         *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

LOCAL Key == "s:_possible"

LOCAL Add(a, b) ==
  [name \in DOMAIN a \cup DOMAIN b |->
     (IF name \in DOMAIN a THEN a[name] ELSE 0) + (IF name \in DOMAIN b THEN b[name] ELSE 0)]

(* Counts one evaluation of a predicate under a name. Always TRUE. *)
_Track(predicate, name) ==
  TLCSet(Key, Add(TLCGetOrDefault(Key, <<>>), name :> IF predicate THEN 1 ELSE 0))

(* The counts, as a function of the names. *)
_Counts ==
  LET all == TLCGet("all:named")
      Sum[n \in Nat] == IF n = 0 THEN <<>> ELSE Add(Sum[n - 1], all[Key][n])
  IN IF Key \in DOMAIN all THEN Sum[Len(all[Key])] ELSE <<>>

(* Whether a predicate was seen to hold; if not, the counts are printed. *)
_CheckName(name) ==
  \/ name \in DOMAIN _Counts /\ _Counts[name] > 0
  \/ PrintT(_Counts) /\ FALSE

_PrintCounts == PrintT(_Counts)
=============================================================================
