module util/graph[node]

/* Directed graphs: a relation on the nodes. */

open util/relation as rel

pred undirected[r: node -> node] { symmetric[r] }
pred noSelfLoops[r: node -> node] { irreflexive[r] }

-- Every node can be reached from every other, along edges or along edges in either direction.
pred weaklyConnected[r: node -> node] { all a, b: node | a in b.*(r + ~r) }
pred stronglyConnected[r: node -> node] { all a, b: node | a in b.*r }

pred rootedAt[r: node -> node, root: node] { node in root.*r }

-- One circle through all nodes.
pred ring[r: node -> node] { all n: node | one n.r and rootedAt[r, n] }

pred dag[r: node -> node] { acyclic[r, node] }

-- No node has two parents; a tree has at most one node without a parent.
pred forest[r: node -> node] {
  dag[r]
  all n: node | lone r.n
}
pred tree[r: node -> node] {
  forest[r]
  lone root: node | no r.root
}
pred treeRootedAt[r: node -> node, root: node] {
  forest[r]
  rootedAt[r, root]
}

fun roots[r: node -> node]: set node { node - node.^r }
fun leaves[r: node -> node]: set node { node - ^r.node }
fun innerNodes[r: node -> node]: set node { node - leaves[r] }
