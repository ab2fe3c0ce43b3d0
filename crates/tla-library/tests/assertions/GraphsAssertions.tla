------------------------- MODULE GraphsAssertions -------------------------
(* Directed graphs.                                                        *)
EXTENDS Graphs

Chain == [node |-> 1 .. 3, edge |-> {<<1, 2>>, <<2, 3>>}]
Ring  == [node |-> 1 .. 3, edge |-> {<<1, 2>>, <<2, 3>>, <<3, 1>>}]
Loop  == [node |-> {1}, edge |-> {<<1, 1>>}]

ASSUME IsDirectedGraph(Chain) /\ IsDirectedGraph(EmptyGraph)
ASSUME ~IsDirectedGraph([node |-> {1}, edge |-> {<<1, 2>>}])
ASSUME Cardinality(DirectedSubgraph(Loop)) = 3 /\ Chain \in DirectedSubgraph(Ring)
ASSUME Transpose(Chain) = [node |-> 1 .. 3, edge |-> {<<2, 1>>, <<3, 2>>}]
ASSUME IsUndirectedGraph(GraphUnion(Chain, Transpose(Chain))) /\ ~IsUndirectedGraph(Chain)
ASSUME UndirectedSubgraph(Chain) = [node : SUBSET (1 .. 3), edge : {{}}]
ASSUME <<1, 2, 3, 1>> \in Path(Ring) /\ << >> \notin Path(Ring) /\ <<1, 3>> \notin Path(Ring)
ASSUME SimplePath(Chain) = {<<1>>, <<2>>, <<3>>, <<1, 2>>, <<2, 3>>, <<1, 2, 3>>}
ASSUME SimplePath(Loop) = {<<1>>} /\ SimplePath(EmptyGraph) = {}
ASSUME AreConnectedIn(1, 3, Chain) /\ ~AreConnectedIn(3, 1, Chain) /\ AreConnectedIn(2, 2, Chain)
ASSUME IsStronglyConnected(Ring) /\ ~IsStronglyConnected(Chain)
ASSUME ConnectionsIn(Chain) = [p \in (1 .. 3) \X (1 .. 3) |-> p[1] <= p[2]]
ASSUME IsTreeWithRoot(Chain, 3) /\ ~IsTreeWithRoot(Chain, 1) /\ ~IsTreeWithRoot(Ring, 1)
ASSUME ~IsTreeWithRoot(Loop, 1)
ASSUME GraphUnion(Chain, Loop).edge = {<<1, 1>>, <<1, 2>>, <<2, 3>>}
ASSUME IsBipartiteWithPartitions(Chain, {1, 3}, {2}) /\ ~IsBipartiteWithPartitions(Chain, {1, 2}, {3})
ASSUME HasCycle(Ring) /\ HasCycle(Loop) /\ ~HasCycle(Chain) /\ IsDag(Chain) /\ ~IsDag(Ring)
ASSUME Successors(Chain, 1) = {2} /\ Predecessors(Chain, 1) = {}
ASSUME AllSuccessors(Chain, {1, 2}) = {2, 3} /\ AllPredecessors(Chain, {1, 2}) = {1}
ASSUME Ancestors(Chain, 3) = {1, 2} /\ Descendants(Chain, 1) = {2, 3} /\ Ancestors(Loop, 1) = {1}
ASSUME InDegree(Ring, 1) = 1 /\ OutDegree(Chain, 3) = 0
ASSUME Roots(Chain) = {1} /\ Leaves(Chain) = {3} /\ Roots(Ring) = {}
ASSUME Cardinality(Graphs({1, 2})) = 16 /\ Graphs({}) = {EmptyGraph}
=============================================================================
