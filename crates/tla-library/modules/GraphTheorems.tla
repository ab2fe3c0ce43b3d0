--------------------------- MODULE GraphTheorems ---------------------------
(* Facts about the operators of Graphs. All are stated without proof.      *)
EXTENDS Graphs, Sequences
-----------------------------------------------------------------------------
(* Turning all edges round.                                                *)

THEOREM TransposeIsDirectedGraph ==
    ASSUME NEW G, IsDirectedGraph(G)
    PROVE  IsDirectedGraph(Transpose(G))

THEOREM TransposeTranspose ==
    ASSUME NEW G, IsDirectedGraph(G)
    PROVE  Transpose(Transpose(G)) = G

THEOREM PathTranspose ==
    ASSUME NEW G, NEW p \in Path(G)
    PROVE  Reverse(p) \in Path(Transpose(G))

THEOREM TransposePath ==
    ASSUME NEW G, IsDirectedGraph(G), NEW p \in Path(Transpose(G))
    PROVE  Reverse(p) \in Path(G)

THEOREM SimplePathTranspose ==
    ASSUME NEW G, NEW p \in SimplePath(G)
    PROVE  Reverse(p) \in SimplePath(Transpose(G))

THEOREM TransposeSimplePath ==
    ASSUME NEW G, IsDirectedGraph(G), NEW p \in SimplePath(Transpose(G))
    PROVE  Reverse(p) \in SimplePath(G)

THEOREM AreConnectedInTranspose ==
    ASSUME NEW G, NEW m, NEW n, AreConnectedIn(m, n, G)
    PROVE  AreConnectedIn(n, m, Transpose(G))

THEOREM TransposeAreConnectedIn ==
    ASSUME NEW G, NEW m, NEW n, IsDirectedGraph(G), AreConnectedIn(m, n, Transpose(G))
    PROVE  AreConnectedIn(n, m, G)

THEOREM IsStronglyConnectedTranspose ==
    ASSUME NEW G, IsStronglyConnected(G)
    PROVE  IsStronglyConnected(Transpose(G))

THEOREM TransposeIsStronglyConnected ==
    ASSUME NEW G, IsDirectedGraph(G), IsStronglyConnected(Transpose(G))
    PROVE  IsStronglyConnected(G)
-----------------------------------------------------------------------------
(* Paths and connections.                                                  *)

THEOREM PathConcatenation ==
    ASSUME NEW G, NEW p \in Path(G), NEW q \in Path(G), p[Len(p)] = q[1]
    PROVE  p \o Tail(q) \in Path(G)

THEOREM SubPath ==
    ASSUME NEW G, NEW p \in Path(G), NEW i \in 1 .. Len(p), NEW j \in i .. Len(p)
    PROVE  SubSeq(p, i, j) \in Path(G)

THEOREM ExistsPathIffExistsSimplePath ==
    ASSUME NEW G, NEW m \in G.node, NEW n \in G.node
    PROVE  (\E p \in Path(G) : p[1] = m /\ p[Len(p)] = n)
           <=> (\E p \in SimplePath(G) : p[1] = m /\ p[Len(p)] = n)

THEOREM ConnectedReflexive ==
    ASSUME NEW G, NEW a \in G.node
    PROVE  AreConnectedIn(a, a, G)

THEOREM ConnectedTransitive ==
    ASSUME NEW G, NEW a \in G.node, NEW b \in G.node, NEW c \in G.node,
           AreConnectedIn(a, b, G), AreConnectedIn(b, c, G)
    PROVE  AreConnectedIn(a, c, G)
-----------------------------------------------------------------------------
(* Trees with edges towards the root.                                      *)

THEOREM TreeAcyclic ==
    ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW S \in SUBSET G.node, S # {}
    PROVE  \E q \in S : \A e \in G.edge : e[1] = q => e[2] \notin S

THEOREM TreeIrreflexive ==
    ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW n \in G.node
    PROVE  <<n, n>> \notin G.edge

THEOREM TreeSimplePath ==
    ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW p \in Path(G)
    PROVE  p \in SimplePath(G)

THEOREM TreeConnectedAntisymmetric ==
    ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW a \in G.node, NEW b \in G.node,
           AreConnectedIn(a, b, G), AreConnectedIn(b, a, G)
    PROVE  a = b

THEOREM SingletonIsTreeWithRoot ==
    ASSUME NEW r
    PROVE  IsTreeWithRoot([node |-> {r}, edge |-> {}], r)

THEOREM AttachTree ==
    ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW n \in G.node,
           NEW H, NEW s, IsTreeWithRoot(H, s), G.node \cap H.node = {}
    PROVE  IsTreeWithRoot([node |-> G.node \cup H.node,
                           edge |-> G.edge \cup H.edge \cup {<<s, n>>}], r)

THEOREM AddLeafToTree ==
    ASSUME NEW G, NEW r, NEW leaf, NEW parent,
           IsTreeWithRoot(G, r), leaf \notin G.node, parent \in G.node
    PROVE  IsTreeWithRoot([node |-> G.node \cup {leaf},
                           edge |-> G.edge \cup {<<leaf, parent>>}], r)

THEOREM RemoveSubtree ==
    ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW nd \in G.node \ {r}
    PROVE  LET rest == {n \in G.node : ~AreConnectedIn(n, nd, G)}
           IN  IsTreeWithRoot([node |-> rest, edge |-> G.edge \cap (rest \X rest)], r)

THEOREM RemoveLeafFromTree ==
    ASSUME NEW G, NEW r, IsTreeWithRoot(G, r),
           NEW leaf \in G.node, Predecessors(G, leaf) = {},
           NEW parent \in G.node, <<leaf, parent>> \in G.edge
    PROVE  IsTreeWithRoot([node |-> G.node \ {leaf},
                           edge |-> G.edge \ {<<leaf, parent>>}], r)
-----------------------------------------------------------------------------
(* Trees with edges away from the root.                                    *)

THEOREM SingletonIsTransposedTreeWithRoot ==
    ASSUME NEW r
    PROVE  IsTreeWithRoot(Transpose([node |-> {r}, edge |-> {}]), r)

THEOREM AttachTransposedTree ==
    ASSUME NEW G, NEW r, IsDirectedGraph(G), IsTreeWithRoot(Transpose(G), r),
           NEW H, NEW s, IsDirectedGraph(H), IsTreeWithRoot(Transpose(H), s),
           G.node \cap H.node = {}, NEW n \in G.node
    PROVE  IsTreeWithRoot(Transpose([node |-> G.node \cup H.node,
                                     edge |-> G.edge \cup H.edge \cup {<<n, s>>}]), r)

THEOREM AddLeafToTransposedTree ==
    ASSUME NEW G, NEW r, NEW leaf, NEW parent,
           IsDirectedGraph(G), IsTreeWithRoot(Transpose(G), r),
           leaf \notin G.node, parent \in G.node
    PROVE  IsTreeWithRoot(Transpose([node |-> G.node \cup {leaf},
                                     edge |-> G.edge \cup {<<parent, leaf>>}]), r)

THEOREM RemoveTransposedSubtree ==
    ASSUME NEW G, NEW r, IsDirectedGraph(G), IsTreeWithRoot(Transpose(G), r),
           NEW nd \in G.node \ {r}
    PROVE  LET rest == {n \in G.node : ~AreConnectedIn(nd, n, G)}
           IN  IsTreeWithRoot(Transpose([node |-> rest, edge |-> G.edge \cap (rest \X rest)]), r)

THEOREM RemoveLeafFromTransposedTree ==
    ASSUME NEW G, IsDirectedGraph(G), NEW r, IsTreeWithRoot(Transpose(G), r),
           NEW leaf \in G.node, Successors(G, leaf) = {},
           NEW parent \in G.node, <<parent, leaf>> \in G.edge
    PROVE  IsTreeWithRoot(Transpose([node |-> G.node \ {leaf},
                                     edge |-> G.edge \ {<<parent, leaf>>}]), r)
=============================================================================
