------------------------------- MODULE Folds -------------------------------
(* The fold of which the other folds of the library are special cases.     *)

(* With x1 = choose(S), x2 = choose(S \ {x1}) and so on, this is           *)
(*     op(f(x1), op(f(x2), ... op(f(xn), base)))                           *)
(* for a finite set S. If choose leaves the order open, op should not      *)
(* depend on it.                                                           *)
MapThenFoldSet(op(_, _), base, f(_), choose(_), S) ==
    LET Rest[T \in SUBSET S] ==
            IF T = {} THEN base
            ELSE LET x == choose(T)
                 IN  op(f(x), Rest[T \ {x}])
    IN  Rest[S]
=============================================================================
