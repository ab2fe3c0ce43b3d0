-------------------------- MODULE UndirectedGraphs --------------------------
(* Undirected graphs: records with a set of nodes, and a set of edges that *)
(* are sets {a, b} of nodes. A loop is an edge with one element.           *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE FiniteSets

IsUndirectedGraph(G) ==
    /\ G = [node |-> G.node, edge |-> G.edge]
    /\ \A e \in G.edge : \E a, b \in G.node : e = {a, b}

IsLoopFreeUndirectedGraph(G) ==
    IsUndirectedGraph(G) /\ \A e \in G.edge : Cardinality(e) = 2

UndirectedSubgraph(G) ==
    {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H)}

(* A path goes along edges and has at least one node; a simple path visits *)
(* no node twice.                                                          *)
LOCAL FollowsEdges(p, G) == \A i \in 1 .. (Len(p) - 1) : {p[i], p[i + 1]} \in G.edge

Path(G) == {p \in Seq(G.node) : p # << >> /\ FollowsEdges(p, G)}

SimplePath(G) ==
    {p \in SetToAllKPermutations(G.node) : p # << >> /\ FollowsEdges(p, G)}

AreConnectedIn(m, n, G) == \E p \in SimplePath(G) : p[1] = m /\ p[Len(p)] = n

(* The largest sets of nodes that are connected with each other.           *)
ConnectedComponents(G) == {{n \in G.node : AreConnectedIn(m, n, G)} : m \in G.node}

IsStronglyConnected(G) == ConnectedComponents(G) = {G.node}

(* All undirected graphs with the nodes S.                                 *)
UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{p[1], p[2]} : p \in S \X S}]
=============================================================================
