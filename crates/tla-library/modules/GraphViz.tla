------------------------------ MODULE GraphViz ------------------------------
(* Graphs as text for the dot tool of Graphviz.                            *)
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSetsExt
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

(* The nodes and edges of G, labelled VL(node) and EL(edge). The first two *)
(* elements of an edge are its ends; a fingerprint is the name of a node.  *)
DotDiGraph(G, VL(_), EL(_)) ==
    LET Name(v) == ToString(TLCFP(v))
        Node(v) == Name(v) \o "[label=" \o ToString(VL(v)) \o "];"
        Edge(e) == Name(e[1]) \o "->" \o Name(e[2]) \o "[label=" \o ToString(EL(e)) \o "];"
    IN  "digraph MyGraph {"
        \o FoldSet(LAMBDA v, text : text \o Node(v), "", G.node)
        \o FoldSet(LAMBDA e, text : text \o Edge(e), "", G.edge)
        \o "}"
=============================================================================
