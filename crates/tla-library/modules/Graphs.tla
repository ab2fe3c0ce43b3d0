------------------------------- MODULE Graphs -------------------------------
(* Directed graphs: records with a set of nodes, and a set of edges that   *)
(* are pairs of nodes.                                                     *)
EXTENDS Naturals, Sequences, FiniteSets, SequencesExt, Relation
-----------------------------------------------------------------------------
IsDirectedGraph(G) ==
    /\ G = [node |-> G.node, edge |-> G.edge]
    /\ G.edge \subseteq G.node \X G.node

DirectedSubgraph(G) ==
    {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsDirectedGraph(H)}

(* Every edge turned round.                                                *)
Transpose(G) == [node |-> G.node, edge |-> {<<e[2], e[1]>> : e \in G.edge}]

(* An undirected graph has the edge <<b, a>> whenever it has <<a, b>>.     *)
IsUndirectedGraph(G) ==
    IsDirectedGraph(G) /\ \A e \in G.edge : <<e[2], e[1]>> \in G.edge

UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}
-----------------------------------------------------------------------------
(* A path goes along edges and has at least one node; a simple path visits *)
(* no node twice. The simple paths of a finite graph can be listed.        *)
LOCAL FollowsEdges(p, G) == \A i \in 1 .. (Len(p) - 1) : <<p[i], p[i + 1]>> \in G.edge

Path(G) == {p \in Seq(G.node) : p # << >> /\ FollowsEdges(p, G)}

SimplePath(G) ==
    {p \in SetToAllKPermutations(G.node) : p # << >> /\ FollowsEdges(p, G)}

(* There is a path from m to n.                                            *)
AreConnectedIn(m, n, G) == \E p \in SimplePath(G) : p[1] = m /\ p[Len(p)] = n

(* The same for all pairs of nodes at once, as a function.                 *)
ConnectionsIn(G) ==
    ReflexiveTransitiveClosure([p \in G.node \X G.node |-> p \in G.edge], G.node)

IsStronglyConnected(G) == \A m, n \in G.node : AreConnectedIn(m, n, G)

(* A tree whose edges lead to the root r: every other node has one edge    *)
(* out of it, and every node has a path to r.                              *)
IsTreeWithRoot(G, r) ==
    /\ IsDirectedGraph(G)
    /\ r \in G.node
    /\ \A e \in G.edge : e[1] # r /\ \A f \in G.edge : e[1] = f[1] => e = f
    /\ \A n \in G.node : AreConnectedIn(n, r, G)
-----------------------------------------------------------------------------
(* All nodes and edges of both graphs.                                     *)
GraphUnion(G, H) == [node |-> G.node \union H.node, edge |-> G.edge \union H.edge]

(* U and V split the nodes so that every edge leads from one to the other. *)
IsBipartiteWithPartitions(G, U, V) ==
    /\ U \cap V = {}
    /\ U \union V = G.node
    /\ \A e \in G.edge : (e[1] \in U /\ e[2] \in V) \/ (e[1] \in V /\ e[2] \in U)

(* Some node can be reached from itself by going along edges.              *)
HasCycle(G) ==
    LET connected == ConnectionsIn(G)
    IN  \E e \in G.edge : connected[e[2], e[1]]

IsDag(G) == IsDirectedGraph(G) /\ ~HasCycle(G)
-----------------------------------------------------------------------------
(* Neighbours of a node, and of any node in a set.                         *)
Successors(G, n)      == {m \in G.node : <<n, m>> \in G.edge}
Predecessors(G, n)    == {m \in G.node : <<m, n>> \in G.edge}
AllSuccessors(G, S)   == UNION {Successors(G, n) : n \in S}
AllPredecessors(G, S) == UNION {Predecessors(G, n) : n \in S}

(* The nodes from which, or to which, a path with an edge leads.           *)
LOCAL Reach(G) ==
    TransitiveClosure([p \in G.node \X G.node |-> p \in G.edge], G.node)

Ancestors(G, n)   == LET reach == Reach(G) IN {m \in G.node : reach[m, n]}
Descendants(G, n) == LET reach == Reach(G) IN {m \in G.node : reach[n, m]}

InDegree(G, n)  == Cardinality(Predecessors(G, n))
OutDegree(G, n) == Cardinality(Successors(G, n))

(* The nodes with no edge to them, and with no edge from them.             *)
Roots(G)  == {n \in G.node : Predecessors(G, n) = {}}
Leaves(G) == {n \in G.node : Successors(G, n) = {}}
-----------------------------------------------------------------------------
EmptyGraph == [node |-> {}, edge |-> {}]

(* All directed graphs with the nodes S.                                   *)
Graphs(S) == [node : {S}, edge : SUBSET (S \X S)]
=============================================================================
