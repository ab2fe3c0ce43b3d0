----------------------- MODULE DifferentialEquations -----------------------
(* Solutions of ordinary differential equations (Specifying Systems,       *)
(* section 11.1.4).                                                        *)
LOCAL INSTANCE Reals
LOCAL INSTANCE Sequences

LOCAL Positive       == {r \in Real : r > 0}
LOCAL Between(a, b)  == {r \in Real : a < r /\ r < b}
LOCAL Around(r, eps) == Between(r - eps, r + eps)

(* df is the derivative of the real function f, by epsilon and delta.      *)
LOCAL IsDerivative(df, f) ==
    /\ df \in [DOMAIN f -> Real]
    /\ \A r \in DOMAIN f : \A eps \in Positive : \E delta \in Positive :
          \A s \in Around(r, delta) \ {r} :
              (f[s] - f[r]) / (s - r) \in Around(df[r], eps)

(* For a solution f of D[t, f[t], f'[t], ...] = 0 whose value and first    *)
(* derivatives at a are InitVals: the same values at b.                    *)
Integrate(D, a, b, InitVals) ==
    LET n == Len(InitVals)
        IsSolution(g, eps) ==  \* g[i] is the i-th derivative on a bit more than a to b
            /\ g \in [0 .. n -> [Between(a - eps, b + eps) -> Real]]
            /\ \A i \in 1 .. n : IsDerivative(g[i], g[i - 1]) /\ g[i - 1][a] = InitVals[i]
            /\ \A t \in Between(a - eps, b + eps) :
                  D[<<t>> \o [i \in 1 .. (n + 1) |-> g[i - 1][t]]] = 0
        solution == CHOOSE g : \E eps \in Positive : IsSolution(g, eps)
    IN  [i \in 1 .. n |-> solution[i - 1][b]]
=============================================================================
