module util/sequence[elem]

/* Sequences as atoms: a Seq holds an element for each index of an initial segment.
 *
 * No two Seq atoms hold the same. Operations are predicates that relate a sequence to its result, because the result
 * may not be among the atoms of the scope.
 */

open util/ordering[SeqIdx] as ord

sig SeqIdx {}

sig Seq {
  seqElems: SeqIdx -> lone elem
} {
  -- no gaps: an index in use has its predecessor in use
  all i: SeqIdx - ord/first | some i.seqElems implies some i.(ord/prev).seqElems
}

fact canonicalizeSeqs {
  no s, t: Seq | s != t and s.seqElems = t.seqElems
}

-- Which sequences exist, for models that need all of them within the scope.
pred noDuplicates { no s: Seq | s.hasDups }
pred allExist {
  some s: Seq | s.isEmpty
  all s: Seq | SeqIdx in s.inds or all e: elem | some t: Seq | s.add[e, t]
}
pred allExistNoDuplicates {
  noDuplicates
  some s: Seq | s.isEmpty
  all s: Seq | SeqIdx in s.inds or all e: elem - s.elems | some t: Seq | s.add[e, t]
}

-- What a sequence holds.
fun at[s: Seq, i: SeqIdx]: lone elem { i.(s.seqElems) }
fun elems[s: Seq]: set elem { SeqIdx.(s.seqElems) }
fun inds[s: Seq]: set SeqIdx { s.seqElems.elem }
fun first[s: Seq]: lone elem { s.at[ord/first] }
fun last[s: Seq]: lone elem { s.at[s.lastIdx] }
pred isEmpty[s: Seq] { no s.elems }
pred hasDups[s: Seq] { #elems[s] < #inds[s] }

-- Indices: the last in use, the first that is free, those of an element, the ends of all.
fun lastIdx[s: Seq]: lone SeqIdx { ord/max[s.inds] }
fun afterLastIdx[s: Seq]: lone SeqIdx { ord/min[SeqIdx - s.inds] }
fun indsOf[s: Seq, e: elem]: set SeqIdx { s.seqElems.e }
fun idxOf[s: Seq, e: elem]: lone SeqIdx { ord/min[s.indsOf[e]] }
fun lastIdxOf[s: Seq, e: elem]: lone SeqIdx { ord/max[s.indsOf[e]] }
fun firstIdx: SeqIdx { ord/first }
fun finalIdx: SeqIdx { ord/last }

-- r is s without its first element.
pred rest[s, r: Seq] {
  not s.isEmpty
  all i: SeqIdx | r.at[i] = s.at[i.(ord/next)]
}

pred startsWith[s, prefix: Seq] { all i: prefix.inds | s.at[i] = prefix.at[i] }

-- The last argument is the first with e at its end, at an index, or inserted at an index.
pred add[s: Seq, e: elem, added: Seq] {
  added.startsWith[s]
  added.at[s.afterLastIdx] = e
  #added.inds = plus[#s.inds, 1]
}
pred setAt[s: Seq, i: SeqIdx, e: elem, changed: Seq] { changed.seqElems = s.seqElems ++ i -> e }
pred insert[s: Seq, i: SeqIdx, e: elem, inserted: Seq] {
  inserted.at[i] = e
  all j: ord/prevs[i] | inserted.at[j] = s.at[j]
  all j: ord/nexts[i] | inserted.at[j] = s.at[j.(ord/prev)]
  #inserted.inds = plus[#s.inds, 1]
}

-- All of `from` stands in `dest`, from index `start` on.
pred copy[from, dest: Seq, start: SeqIdx] {
  all i: from.inds | some j: SeqIdx {
    ord/gte[j, start]
    dest.at[j] = from.at[i]
    #ord/prevs[i] = #(ord/prevs[j] - ord/prevs[start])
  }
}
pred append[s, t, appended: Seq] {
  appended.startsWith[s]
  copy[t, appended, s.afterLastIdx]
  #appended.inds = plus[#s.inds, #t.inds]
}
pred subseq[s, sub: Seq, from, to: SeqIdx] {
  ord/lte[from, to]
  copy[sub, s, from]
  #sub.inds = #(to + ord/prevs[to] - ord/prevs[from])
}
