module util/ternary

/* Relations of three columns: their columns, pairs of columns, and columns exchanged. */

fun dom[r: univ -> univ -> univ]: set (r.univ.univ) { r.univ.univ }
fun mid[r: univ -> univ -> univ]: set (univ.(r.univ)) { univ.(r.univ) }
fun ran[r: univ -> univ -> univ]: set (univ.(univ.r)) { univ.(univ.r) }

fun select12[r: univ -> univ -> univ]: r.univ { r.univ }
fun select13[r: univ -> univ -> univ]: r.univ.univ -> univ.(univ.r) {
  { a: dom[r], c: ran[r] | some a.r.c }
}
fun select23[r: univ -> univ -> univ]: univ.r { univ.r }

fun flip12[r: univ -> univ -> univ]: univ.(r.univ) -> r.univ.univ -> univ.(univ.r) {
  { b: mid[r], a: dom[r], c: ran[r] | a -> b -> c in r }
}
fun flip13[r: univ -> univ -> univ]: univ.(univ.r) -> univ.(r.univ) -> r.univ.univ {
  { c: ran[r], b: mid[r], a: dom[r] | a -> b -> c in r }
}
fun flip23[r: univ -> univ -> univ]: r.univ.univ -> univ.(univ.r) -> univ.(r.univ) {
  { a: dom[r], c: ran[r], b: mid[r] | a -> b -> c in r }
}
