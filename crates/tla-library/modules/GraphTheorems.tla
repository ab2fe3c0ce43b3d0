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
    ASSUME NEW G, NEW path \in Path(G)
    PROVE  Reverse(path) \in Path(Transpose(G))

THEOREM TransposePath ==
    ASSUME NEW G, IsDirectedGraph(G), NEW path \in Path(Transpose(G))
    PROVE  Reverse(path) \in Path(G)

THEOREM SimplePathTranspose ==
    ASSUME NEW G, NEW path \in SimplePath(G)
    PROVE  Reverse(path) \in SimplePath(Transpose(G))

THEOREM TransposeSimplePath ==
    ASSUME NEW G, IsDirectedGraph(G), NEW path \in SimplePath(Transpose(G))
    PROVE  Reverse(path) \in SimplePath(G)

THEOREM AreConnectedInTranspose ==
    ASSUME NEW G, NEW x, NEW y, AreConnectedIn(x, y, G)
    PROVE  AreConnectedIn(y, x, Transpose(G))

THEOREM TransposeAreConnectedIn ==
    ASSUME NEW G, NEW x, NEW y, IsDirectedGraph(G), AreConnectedIn(x, y, Transpose(G))
    PROVE  AreConnectedIn(y, x, G)

THEOREM IsStronglyConnectedTranspose ==
    ASSUME NEW G, IsStronglyConnected(G)
    PROVE  IsStronglyConnected(Transpose(G))

THEOREM TransposeIsStronglyConnected ==
    ASSUME NEW G, IsDirectedGraph(G), IsStronglyConnected(Transpose(G))
    PROVE  IsStronglyConnected(G)
-----------------------------------------------------------------------------
(* Paths and connections.                                                  *)

THEOREM PathConcatenation ==
    ASSUME NEW G, NEW path \in Path(G), NEW other \in Path(G),
           path[Len(path)] = other[1]
    PROVE  path \o Tail(other) \in Path(G)

THEOREM SubPath ==
    ASSUME NEW G, NEW path \in Path(G), NEW i \in 1 .. Len(path),
           NEW j \in i .. Len(path)
    PROVE  SubSeq(path, i, j) \in Path(G)

THEOREM ExistsPathIffExistsSimplePath ==
    ASSUME NEW G, NEW x \in G.node, NEW y \in G.node
    PROVE  (\E path \in Path(G) : path[1] = x /\ path[Len(path)] = y)
           <=> (\E path \in SimplePath(G) : path[1] = x /\ path[Len(path)] = y)

THEOREM ConnectedReflexive ==
    ASSUME NEW G, NEW x \in G.node
    PROVE  AreConnectedIn(x, x, G)

THEOREM ConnectedTransitive ==
    ASSUME NEW G, NEW x \in G.node, NEW y \in G.node, NEW z \in G.node,
           AreConnectedIn(x, y, G), AreConnectedIn(y, z, G)
    PROVE  AreConnectedIn(x, z, G)
-----------------------------------------------------------------------------
(* Trees with edges towards the root.                                      *)

THEOREM TreeAcyclic ==
    ASSUME NEW G, NEW root, IsTreeWithRoot(G, root), NEW N \in SUBSET G.node, N # {}
    PROVE  \E x \in N : \A e \in G.edge : e[1] = x => e[2] \notin N

THEOREM TreeIrreflexive ==
    ASSUME NEW G, NEW root, IsTreeWithRoot(G, root), NEW x \in G.node
    PROVE  <<x, x>> \notin G.edge

THEOREM TreeSimplePath ==
    ASSUME NEW G, NEW root, IsTreeWithRoot(G, root), NEW path \in Path(G)
    PROVE  path \in SimplePath(G)

THEOREM TreeConnectedAntisymmetric ==
    ASSUME NEW G, NEW root, IsTreeWithRoot(G, root), NEW x \in G.node,
           NEW y \in G.node, AreConnectedIn(x, y, G), AreConnectedIn(y, x, G)
    PROVE  x = y

THEOREM SingletonIsTreeWithRoot ==
    ASSUME NEW root
    PROVE  IsTreeWithRoot([node |-> {root}, edge |-> {}], root)

THEOREM AttachTree ==
    ASSUME NEW G, NEW root, IsTreeWithRoot(G, root), NEW x \in G.node, NEW H,
           NEW branch, IsTreeWithRoot(H, branch), G.node \cap H.node = {}
    PROVE  IsTreeWithRoot([node |-> G.node \cup H.node,
                           edge |-> G.edge \cup H.edge \cup {<<branch, x>>}], root)

THEOREM AddLeafToTree ==
    ASSUME NEW G, NEW root, NEW new, NEW parent, IsTreeWithRoot(G, root),
           new \notin G.node, parent \in G.node
    PROVE  IsTreeWithRoot([node |-> G.node \cup {new},
                           edge |-> G.edge \cup {<<new, parent>>}], root)

THEOREM RemoveSubtree ==
    ASSUME NEW G, NEW root, IsTreeWithRoot(G, root), NEW top \in G.node \ {root}
    PROVE  LET rest == {x \in G.node : ~AreConnectedIn(x, top, G)}
           IN  IsTreeWithRoot([node |-> rest, edge |-> G.edge \cap (rest \X rest)], root)

THEOREM RemoveLeafFromTree ==
    ASSUME NEW G, NEW root, IsTreeWithRoot(G, root), NEW leaf \in G.node,
           Predecessors(G, leaf) = {}, NEW parent \in G.node, <<leaf, parent>> \in G.edge
    PROVE  IsTreeWithRoot([node |-> G.node \ {leaf},
                           edge |-> G.edge \ {<<leaf, parent>>}], root)
-----------------------------------------------------------------------------
(* Trees with edges away from the root.                                    *)

THEOREM SingletonIsTransposedTreeWithRoot ==
    ASSUME NEW root
    PROVE  IsTreeWithRoot(Transpose([node |-> {root}, edge |-> {}]), root)

THEOREM AttachTransposedTree ==
    ASSUME NEW G, NEW root, IsDirectedGraph(G), IsTreeWithRoot(Transpose(G), root),
           NEW H, NEW branch, IsDirectedGraph(H), IsTreeWithRoot(Transpose(H), branch),
           G.node \cap H.node = {}, NEW x \in G.node
    PROVE  IsTreeWithRoot(Transpose([node |-> G.node \cup H.node,
                                     edge |-> G.edge \cup H.edge \cup {<<x, branch>>}]), root)

THEOREM AddLeafToTransposedTree ==
    ASSUME NEW G, NEW root, NEW new, NEW parent, IsDirectedGraph(G),
           IsTreeWithRoot(Transpose(G), root), new \notin G.node, parent \in G.node
    PROVE  IsTreeWithRoot(Transpose([node |-> G.node \cup {new},
                                     edge |-> G.edge \cup {<<parent, new>>}]), root)

THEOREM RemoveTransposedSubtree ==
    ASSUME NEW G, NEW root, IsDirectedGraph(G), IsTreeWithRoot(Transpose(G), root),
           NEW top \in G.node \ {root}
    PROVE  LET rest == {x \in G.node : ~AreConnectedIn(top, x, G)}
           IN  IsTreeWithRoot(Transpose([node |-> rest, edge |-> G.edge \cap (rest \X rest)]), root)

THEOREM RemoveLeafFromTransposedTree ==
    ASSUME NEW G, IsDirectedGraph(G), NEW root, IsTreeWithRoot(Transpose(G), root),
           NEW leaf \in G.node, Successors(G, leaf) = {}, NEW parent \in G.node,
           <<parent, leaf>> \in G.edge
    PROVE  IsTreeWithRoot(Transpose([node |-> G.node \ {leaf},
                                     edge |-> G.edge \ {<<parent, leaf>>}]), root)
=============================================================================
