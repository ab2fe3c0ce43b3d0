module util/ordering[exactly elem]

/* A total order on all elements of a signature.
 *
 * The order is fixed by one hidden element that holds the least element and the successor relation. Because the
 * scope of the parameter is exact, a solver may choose the order once and for all without losing an instance up to
 * renaming of atoms.
 */

private one sig Ord {
  First: set elem,
  Next: elem -> elem
} {
  pred/totalOrder[elem, First, Next]
}

-- The ends of the order.
fun first: one elem { Ord.First }
fun last: one elem { elem - Ord.Next.elem }

-- The neighbours, as relations: `e.next` is the successor of `e`, if it has one.
fun next: elem -> elem { Ord.Next }
fun prev: elem -> elem { ~(Ord.Next) }

-- Everything above an element, everything below it.
fun nexts[e: elem]: set elem { e.^(Ord.Next) }
fun prevs[e: elem]: set elem { ^(Ord.Next).e }

-- Comparisons.
pred lt[low, high: elem] { low in prevs[high] }
pred gt[high, low: elem] { high in nexts[low] }
pred lte[low, high: elem] { low = high or lt[low, high] }
pred gte[high, low: elem] { high = low or gt[high, low] }

-- The greater and the lesser of two elements.
fun larger[a, b: elem]: elem { lt[a, b] => b else a }
fun smaller[a, b: elem]: elem { lt[a, b] => a else b }

-- The greatest and the least of a set: what no other member lies above, or below.
fun max[es: set elem]: lone elem { es - ^(Ord.Next).es }
fun min[es: set elem]: lone elem { es - es.^(Ord.Next) }
