module util/natural

/* Natural numbers as atoms: as many as the scope of Natural says, the first of them zero.
 *
 * A number is told by how many are below it, so results that the scope does not hold are empty.
 */

private open util/ordering[Natural] as ord
private open util/integer as integer

sig Natural {}

one sig Zero in Natural {}
lone sig One in Natural {}

fact {
  ord/first in Zero
  ord/first.(ord/next) in One
}

-- How many numbers are below: the number itself, as an integer.
private fun size[n: Natural]: Int { #(ord/prevs[n]) }

fun inc[n: Natural]: lone Natural { n.(ord/next) }
fun dec[n: Natural]: lone Natural { n.(ord/prev) }

fun add[a, b: Natural]: lone Natural { { n: Natural | size[n] = plus[size[a], size[b]] } }
fun sub[a, b: Natural]: lone Natural { { n: Natural | size[a] = plus[size[b], size[n]] } }
fun mul[a, b: Natural]: lone Natural { { n: Natural | size[n] = #(ord/prevs[a] -> ord/prevs[b]) } }
fun div[a, b: Natural]: lone Natural { { n: Natural | size[a] = #(ord/prevs[b] -> ord/prevs[n]) } }

pred lt[a, b: Natural] { ord/lt[a, b] }
pred gt[a, b: Natural] { ord/gt[a, b] }
pred lte[a, b: Natural] { ord/lte[a, b] }
pred gte[a, b: Natural] { ord/gte[a, b] }

fun max[ns: set Natural]: lone Natural { ord/max[ns] }
fun min[ns: set Natural]: lone Natural { ord/min[ns] }
