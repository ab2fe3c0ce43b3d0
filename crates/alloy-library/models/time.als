module util/time

/* Explicit time, for models that predate `var`: a field that changes has a last column of type Time.
 *
 * `dynamic[A]` is the type of a field with one value in A at each time, `dynamicSet[A]` with a set of them. The
 * actions are anything that takes a time before and a time after.
 */

open util/ordering[Time]

sig Time {}

let dynamic[x] = x one -> Time
let dynamicSet[x] = x -> Time

-- First a, then b.
let then[a, b, t, t"] { some mid: Time | a[t, mid] and b[mid, t"] }

-- The body as long as the condition holds, at most so many times; then the condition is false.
let while = while3
let while0[cond, body, t, t"] { not cond[t] and t = t" }
let while1[cond, body, t, t"] { loop[cond, body, while0, t, t"] }
let while2[cond, body, t, t"] { loop[cond, body, while1, t, t"] }
let while3[cond, body, t, t"] { loop[cond, body, while2, t, t"] }
let while4[cond, body, t, t"] { loop[cond, body, while3, t, t"] }
let while5[cond, body, t, t"] { loop[cond, body, while4, t, t"] }
let while6[cond, body, t, t"] { loop[cond, body, while5, t, t"] }
let while7[cond, body, t, t"] { loop[cond, body, while6, t, t"] }
let while8[cond, body, t, t"] { loop[cond, body, while7, t, t"] }
let while9[cond, body, t, t"] { loop[cond, body, while8, t, t"] }

-- One round, then what is left to do.
private let loop[cond, body, left, t, t"] {
  some mid: Time | (cond[t] => body[t, mid] else t = mid) and left[cond, body, mid, t"]
}
