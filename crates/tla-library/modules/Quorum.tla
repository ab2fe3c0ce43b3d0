------------------------------- MODULE Quorum -------------------------------
(* Families of sets any two of which meet.                                 *)

(* The quorum systems of S: sets of subsets of S, not empty, in which any  *)
(* two quorums have a common element and which a set joins as soon as it   *)
(* contains a quorum.                                                      *)
QuorumSystem(S) ==
    {quorums \in SUBSET SUBSET S :
        /\ quorums # {}
        /\ \A P, Q \in quorums : P \cap Q # {}
        /\ \A P \in quorums : \A Q \in SUBSET S : P \subseteq Q => Q \in quorums}
=============================================================================
