module util/relation

/* Properties of binary relations, most of them over a given set. */

fun dom[r: univ -> univ]: set (r.univ) { r.univ }
fun ran[r: univ -> univ]: set (univ.r) { univ.r }

-- How many images each element of s has.
pred total[r: univ -> univ, s: set univ] { all e: s | some e.r }
pred functional[r: univ -> univ, s: set univ] { all e: s | lone e.r }
pred function[r: univ -> univ, s: set univ] { all e: s | one e.r }

-- How many elements are mapped to each element of s.
pred surjective[r: univ -> univ, s: set univ] { all e: s | some r.e }
pred injective[r: univ -> univ, s: set univ] { all e: s | lone r.e }
pred bijective[r: univ -> univ, s: set univ] { all e: s | one r.e }

-- r is a function on d and each element of c has one origin.
pred bijection[r: univ -> univ, d, c: set univ] {
  function[r, d]
  bijective[r, c]
}

-- Shapes.
pred reflexive[r: univ -> univ, s: set univ] { s <: iden in r }
pred irreflexive[r: univ -> univ] { no r & iden }
pred symmetric[r: univ -> univ] { ~r in r }
pred antisymmetric[r: univ -> univ] { r & ~r in iden }
pred transitive[r: univ -> univ] { r.r in r }
pred acyclic[r: univ -> univ, s: set univ] { all e: s | e not in e.^r }
pred complete[r: univ -> univ, s: univ] { all a, b: s | a = b or a -> b in r + ~r }

-- Orders and equivalences.
pred preorder[r: univ -> univ, s: set univ] {
  reflexive[r, s]
  transitive[r]
}
pred equivalence[r: univ -> univ, s: set univ] {
  preorder[r, s]
  symmetric[r]
}
pred partialOrder[r: univ -> univ, s: set univ] {
  preorder[r, s]
  antisymmetric[r]
}
pred totalOrder[r: univ -> univ, s: set univ] {
  partialOrder[r, s]
  complete[r, s]
}
