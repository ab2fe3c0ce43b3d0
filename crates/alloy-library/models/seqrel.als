module util/seqrel[elem]

/* Sequences as relations from the indices of an ordered signature, for models that do not want integers. */

open util/integer
open util/ordering[SeqIdx] as ord

sig SeqIdx {}

-- s maps an initial segment of the indices, each to one element.
pred isSeq[s: SeqIdx -> elem] {
  s in SeqIdx -> lone elem
  s.inds - ord/next[s.inds] in ord/first
}

-- What it holds.
fun elems[s: SeqIdx -> elem]: set elem { SeqIdx.s }
fun inds[s: SeqIdx -> elem]: set SeqIdx { s.elem }
fun first[s: SeqIdx -> elem]: lone elem { s[ord/first] }
fun last[s: SeqIdx -> elem]: lone elem { s[lastIdx[s]] }
pred isEmpty[s: SeqIdx -> elem] { no s }
pred hasDups[s: SeqIdx -> elem] { #elems[s] < #inds[s] }

-- All but the first, all but the last.
fun rest[s: SeqIdx -> elem]: SeqIdx -> elem { (ord/next).s }
fun butlast[s: SeqIdx -> elem]: SeqIdx -> elem { (SeqIdx - lastIdx[s]) <: s }

-- Indices: the last in use, the first that is free, those of an element, the ends of all.
fun lastIdx[s: SeqIdx -> elem]: lone SeqIdx { ord/max[inds[s]] }
fun afterLastIdx[s: SeqIdx -> elem]: lone SeqIdx { ord/min[SeqIdx - inds[s]] }
fun indsOf[s: SeqIdx -> elem, e: elem]: set SeqIdx { s.e }
fun idxOf[s: SeqIdx -> elem, e: elem]: lone SeqIdx { ord/min[indsOf[s, e]] }
fun lastIdxOf[s: SeqIdx -> elem, e: elem]: lone SeqIdx { ord/max[indsOf[s, e]] }
fun firstIdx: SeqIdx { ord/first }
fun finalIdx: SeqIdx { ord/last }

-- Changed copies. What would go past the last index is lost.
fun add[s: SeqIdx -> elem, e: elem]: SeqIdx -> elem { setAt[s, afterLastIdx[s], e] }
fun setAt[s: SeqIdx -> elem, i: SeqIdx, e: elem]: SeqIdx -> elem { s ++ i -> e }
fun insert[s: SeqIdx -> elem, i: SeqIdx, e: elem]: SeqIdx -> elem {
  (ord/prevs[i] <: s) + (i -> e) + (ord/prev).((i + ord/nexts[i]) <: s)
}
fun delete[s: SeqIdx -> elem, i: SeqIdx]: SeqIdx -> elem {
  (ord/prevs[i] <: s) + (ord/next).(ord/nexts[i] <: s)
}

-- The place of an index, from 0.
private fun place[i: SeqIdx]: Int { #(ord/prevs[i]) }

fun append[a, b: SeqIdx -> elem]: SeqIdx -> elem {
  let moved = { to, from: SeqIdx | place[to] = plus[place[from], plus[place[lastIdx[a]], 1]] } |
    a + moved.b
}

-- From one index to another, both included.
fun subseq[s: SeqIdx -> elem, from, to: SeqIdx]: SeqIdx -> elem {
  let moved = { new, old: SeqIdx | place[new] = minus[place[old], place[from]] } |
    moved.((SeqIdx - ord/nexts[to]) <: s)
}
