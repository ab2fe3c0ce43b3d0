module util/boolean

/* Truth values as atoms, for fields that hold one. */

abstract sig Bool {}
one sig True, False extends Bool {}

pred isTrue[b: Bool] { b in True }
pred isFalse[b: Bool] { b in False }

fun Not[b: Bool]: Bool { Bool - b }
fun And[a, b: Bool]: Bool { truth[a + b, True] }
fun Or[a, b: Bool]: Bool { truth[True, a + b] }
fun Xor[a, b: Bool]: Bool { truth[Bool, a + b] }
fun Nand[a, b: Bool]: Bool { truth[False, a + b] }
fun Nor[a, b: Bool]: Bool { truth[a + b, False] }

-- The truth value of an inclusion. Each connective is one: a and b are both true when nothing but True is among them.
private fun truth[part, whole: set Bool]: Bool { part in whole => True else False }
