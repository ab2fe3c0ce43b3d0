module util/integer

/* Integers of the scope's bit width.
 *
 * `+` and `-` on sets of integers are union and difference; arithmetic is done by the functions here. Every module
 * opens this one as `integer`, so its names need no `open`.
 */

-- Arithmetic. `div` rounds towards zero, `rem` has the sign of the dividend.
fun plus[a, b: Int]: Int { a fun/add b }
fun minus[a, b: Int]: Int { a fun/sub b }
fun mul[a, b: Int]: Int { a fun/mul b }
fun div[a, b: Int]: Int { a fun/div b }
fun rem[a, b: Int]: Int { a fun/rem b }
fun negate[a: Int]: Int { 0 fun/sub a }

-- Older names of `plus` and `minus`.
fun add[a, b: Int]: Int { a fun/add b }
fun sub[a, b: Int]: Int { a fun/sub b }

-- Comparisons.
pred eq[a, b: Int] { int[a] = int[b] }
pred lt[a, b: Int] { a < b }
pred gt[a, b: Int] { a > b }
pred lte[a, b: Int] { a =< b }
pred gte[a, b: Int] { a >= b }

-- Signs.
pred zero[a: Int] { a = 0 }
pred pos[a: Int] { a > 0 }
pred neg[a: Int] { a < 0 }
pred nonpos[a: Int] { a =< 0 }
pred nonneg[a: Int] { a >= 0 }
fun signum[a: Int]: Int { a > 0 => 1 else a < 0 => -1 else 0 }

-- All integers in order.
fun max: one Int { fun/max }
fun min: one Int { fun/min }
fun next: Int -> Int { fun/next }
fun prev: Int -> Int { ~(fun/next) }
fun nexts[a: Int]: set Int { a.^(fun/next) }
fun prevs[a: Int]: set Int { ^(fun/next).a }

-- The greatest and the least of a set or of two.
fun max[es: set Int]: lone Int { es - ^(fun/next).es }
fun min[es: set Int]: lone Int { es - es.^(fun/next) }
fun larger[a, b: Int]: Int { int[a] < int[b] => b else a }
fun smaller[a, b: Int]: Int { int[a] < int[b] => a else b }

-- The place of an element in an ordered set, from 0, and the element at a place. `order` maps each element to the
-- one after it.
fun elem2int[e: univ, order: univ -> univ]: lone Int { Int[#(^order.e)] }
fun int2elem[i: Int, order: univ -> univ, s: set univ]: lone s { { e: s | #(^order.e) = int[i] } }
