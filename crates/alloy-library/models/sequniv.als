module util/sequniv

/* Sequences as relations from integers: a field `f: seq A` is one, and this module is opened as `seq` for it.
 *
 * The indices in use are 0 up to the length less one; `seq/Int` holds the indices that the scope allows.
 */

open util/integer as ui

-- s maps an initial segment of the indices, each to one element.
pred isSeq[s: Int -> univ] {
  s in seq/Int -> lone univ
  s.inds - ui/next[s.inds] in 0
}

-- What it holds.
fun elems[s: Int -> univ]: set (Int.s) { seq/Int.s }
fun inds[s: Int -> univ]: set Int { s.univ }
fun first[s: Int -> univ]: lone (Int.s) { s[0] }
fun last[s: Int -> univ]: lone (Int.s) { s[lastIdx[s]] }
pred isEmpty[s: Int -> univ] { no s }
pred hasDups[s: Int -> univ] { #elems[s] < #inds[s] }

-- All but the first, all but the last.
fun rest[s: Int -> univ]: s { seq/Int <: ((ui/next).s) }
fun butlast[s: Int -> univ]: s { (seq/Int - lastIdx[s]) <: s }

-- Indices: the last in use, the first that is free, those of an element.
fun lastIdx[s: Int -> univ]: lone Int { ui/max[inds[s]] }
fun afterLastIdx[s: Int -> univ]: lone Int { ui/min[seq/Int - inds[s]] }
fun indsOf[s: Int -> univ, e: univ]: set Int { s.e }
fun idxOf[s: Int -> univ, e: univ]: lone Int { ui/min[indsOf[s, e]] }
fun lastIdxOf[s: Int -> univ, e: univ]: lone Int { ui/max[indsOf[s, e]] }

-- Changed copies. What would go past the last index of the scope is lost.
fun add[s: Int -> univ, e: univ]: s + (seq/Int -> e) { setAt[s, afterLastIdx[s], e] }
fun setAt[s: Int -> univ, i: Int, e: univ]: s + (seq/Int -> e) { s ++ i -> e }
fun insert[s: Int -> univ, i: Int, e: univ]: s + (seq/Int -> e) {
  seq/Int <: ((ui/prevs[i] <: s) + (i -> e) + (ui/prev).((i + ui/nexts[i]) <: s))
}
fun delete[s: Int -> univ, i: Int]: s { (ui/prevs[i] <: s) + (ui/next).(ui/nexts[i] <: s) }

fun append[a, b: Int -> univ]: a + b {
  let moved = { to, from: seq/Int | int[to] = ui/plus[int[from], ui/plus[int[lastIdx[a]], 1]] } |
    no a => b else a + moved.b
}

-- From one index to another, both included.
fun subseq[s: Int -> univ, from, to: Int]: s {
  let moved = { new, old: seq/Int | int[new] = ui/minus[int[old], int[from]] } |
    moved.((seq/Int - ui/nexts[to]) <: s)
}
