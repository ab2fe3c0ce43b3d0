----------------------------- MODULE Functions -----------------------------
(* Operators on functions: restriction, range, inverse, injections and     *)
(* their kin, folds.                                                       *)
EXTENDS Integers, Folds
-----------------------------------------------------------------------------
(* f on S only; on the arguments, or for the values, that pass a test.     *)
Restrict(f, S) == [x \in S |-> f[x]]
RestrictDomain(f, Test(_)) == Restrict(f, {x \in DOMAIN f : Test(x)})
RestrictValues(f, Test(_)) == Restrict(f, {x \in DOMAIN f : Test(f[x])})

(* wide extends narrow: it agrees with it wherever narrow is defined.      *)
IsRestriction(narrow, wide) ==
    /\ DOMAIN narrow \subseteq DOMAIN wide
    /\ \A x \in DOMAIN narrow : narrow[x] = wide[x]

(* The values of f.                                                        *)
Range(f) == {f[x] : x \in DOMAIN f}

(* T applied to the values of f and g at each argument of f.               *)
Pointwise(f, g, T(_, _)) == [x \in DOMAIN f |-> T(f[x], g[x])]

(* Maps t to an element of S that f maps to t, if f has the value t at     *)
(* all; AntiFunction(f) is the inverse on all values of f.                 *)
Inverse(f, S, T) == [t \in T |-> CHOOSE s \in S : t \in Range(f) => f[s] = t]
AntiFunction(f)  == Inverse(f, DOMAIN f, Range(f))
-----------------------------------------------------------------------------
(* No two arguments have the same value.                                   *)
IsInjective(f) == \A x, y \in DOMAIN f : f[x] = f[y] => x = y

(* The functions from S to T that take a value at most once, at least      *)
(* once, exactly once.                                                     *)
Injection(S, T)  == {f \in [S -> T] : \A x, y \in S : f[x] = f[y] => x = y}
Surjection(S, T) == {f \in [S -> T] : \A t \in T : \E s \in S : f[s] = t}
Bijection(S, T)  == Injection(S, T) \cap Surjection(S, T)

ExistsInjection(S, T)  == Injection(S, T) # {}
ExistsSurjection(S, T) == Surjection(S, T) # {}
ExistsBijection(S, T)  == Bijection(S, T) # {}
-----------------------------------------------------------------------------
(* With the indices i1, i2, ... in in some order, this is                  *)
(*     op(fun[in], ... op(fun[i2], op(fun[i1], base)))                     *)
(* so op should not depend on the order.                                   *)
FoldFunctionOnSet(op(_, _), base, fun, indices) ==
    LET RECURSIVE From(_, _)
        From(I, value) ==
            IF I = {} THEN value
            ELSE LET i == CHOOSE i \in I : TRUE
                 IN  From(I \ {i}, op(fun[i], value))
    IN  From(indices, base)

FoldFunction(op(_, _), base, fun) == FoldFunctionOnSet(op, base, fun, DOMAIN fun)

SumFunctionOnSet(fun, indices) == FoldFunctionOnSet(+, 0, fun, indices)
SumFunction(fun) == SumFunctionOnSet(fun, DOMAIN fun)
=============================================================================
