-------------------- MODULE UndirectedGraphsAssertions --------------------
(* Undirected graphs.                                                      *)
EXTENDS UndirectedGraphs, FiniteSets, Integers

G == [node |-> 1 .. 4, edge |-> {{1, 2}, {2, 3}, {4}}]

ASSUME IsUndirectedGraph(G) /\ ~IsUndirectedGraph([node |-> {1}, edge |-> {{1, 2}}])
ASSUME ~IsLoopFreeUndirectedGraph(G) /\ IsLoopFreeUndirectedGraph([node |-> {1, 2}, edge |-> {{1, 2}}])
ASSUME Cardinality(UndirectedSubgraph([node |-> {1, 2}, edge |-> {{1, 2}}])) = 5
ASSUME <<1, 2, 1>> \in Path(G) /\ <<1, 3>> \notin Path(G)
ASSUME SimplePath(G) = {<<1>>, <<2>>, <<3>>, <<4>>, <<1, 2>>, <<2, 1>>, <<2, 3>>, <<3, 2>>,
                        <<1, 2, 3>>, <<3, 2, 1>>}
ASSUME AreConnectedIn(1, 3, G) /\ ~AreConnectedIn(1, 4, G) /\ AreConnectedIn(4, 4, G)
ASSUME ConnectedComponents(G) = {{1, 2, 3}, {4}} /\ ConnectedComponents([node |-> {}, edge |-> {}]) = {}
ASSUME ~IsStronglyConnected(G) /\ IsStronglyConnected([node |-> {1, 2}, edge |-> {{1, 2}}])
ASSUME Cardinality(UndirectedGraphs({1, 2})) = 8
=============================================================================
