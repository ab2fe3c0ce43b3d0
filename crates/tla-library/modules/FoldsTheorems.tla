--------------------------- MODULE FoldsTheorems ---------------------------
(* Facts about MapThenFoldSet. All are stated without proof.               *)
EXTENDS Folds, FiniteSets

(* pick gives an element of every nonempty subset of A; V is closed under  *)
(* op; op is associative and commutative there.                            *)
LOCAL Picks(pick(_), A) == \A B \in SUBSET A : B # {} => pick(B) \in B
LOCAL IsClosed(V, op(_, _)) == \A t, u \in V : op(t, u) \in V
LOCAL IsAC(V, op(_, _)) ==
    /\ \A t, u \in V : op(t, u) = op(u, t)
    /\ \A t, u, v \in V : op(t, op(u, v)) = op(op(t, u), v)
-----------------------------------------------------------------------------
THEOREM MapThenFoldSetDef ==
    ASSUME NEW op(_, _), NEW base, NEW f(_), NEW pick(_), NEW A, IsFiniteSet(A),
           Picks(pick, A)
    PROVE  MapThenFoldSet(op, base, f, pick, A) =
           IF A = {} THEN base
           ELSE LET e == pick(A)
                IN  op(f(e), MapThenFoldSet(op, base, f, pick, A \ {e}))

THEOREM MapThenFoldSetEmpty ==
    ASSUME NEW op(_, _), NEW base, NEW f(_), NEW pick(_)
    PROVE  MapThenFoldSet(op, base, f, pick, {}) = base

THEOREM MapThenFoldSetNonempty ==
    ASSUME NEW op(_, _), NEW base, NEW f(_), NEW pick(_), NEW A, A # {},
           IsFiniteSet(A), Picks(pick, A)
    PROVE  MapThenFoldSet(op, base, f, pick, A) =
           LET e == pick(A)
           IN  op(f(e), MapThenFoldSet(op, base, f, pick, A \ {e}))

(* A bijection of the sets that fits the maps and choices keeps the fold.  *)
THEOREM MapThenFoldSetBijection ==
    ASSUME NEW op(_, _), NEW base, NEW A, IsFiniteSet(A), NEW f(_), NEW pickA(_),
           Picks(pickA, A), NEW B, IsFiniteSet(B), NEW g(_), NEW pickB(_),
           Picks(pickB, B), NEW h(_), \A s \in A : h(s) \in B,
           \A t \in B : \E s \in A : h(s) = t, \A x, y \in A : h(x) = h(y) => x = y,
           \A s \in A : f(s) = g(h(s)),
           \A C \in SUBSET A : C # {} => h(pickA(C)) = pickB({h(s) : s \in C})
    PROVE  MapThenFoldSet(op, base, f, pickA, A) = MapThenFoldSet(op, base, g, pickB, B)

THEOREM MapThenFoldSetEqual ==
    ASSUME NEW op(_, _), NEW base, NEW pick(_), NEW A, IsFiniteSet(A), Picks(pick, A),
           NEW f(_), NEW g(_), \A s \in A : f(s) = g(s)
    PROVE  MapThenFoldSet(op, base, f, pick, A) = MapThenFoldSet(op, base, g, pick, A)

THEOREM MapThenFoldSetType ==
    ASSUME NEW A, IsFiniteSet(A), NEW V, NEW op(_, _), NEW base \in V, NEW f(_),
           NEW pick(_), IsClosed(V, op), \A s \in A : f(s) \in V, Picks(pick, A)
    PROVE  MapThenFoldSet(op, base, f, pick, A) \in V

THEOREM MapThenFoldSetAC ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, NEW f(_), IsClosed(V, op), IsAC(V, op),
           NEW A, IsFiniteSet(A), NEW e \in A, NEW pick(_), Picks(pick, A),
           \A s \in A : f(s) \in V
    PROVE  MapThenFoldSet(op, base, f, pick, A) =
           op(f(e), MapThenFoldSet(op, base, f, pick, A \ {e}))

THEOREM MapThenFoldSetACAddElement ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, NEW f(_), IsClosed(V, op), IsAC(V, op),
           NEW A, IsFiniteSet(A), NEW e, e \notin A, NEW pick(_),
           Picks(pick, A \cup {e}), \A s \in A \cup {e} : f(s) \in V
    PROVE  MapThenFoldSet(op, base, f, pick, A \cup {e}) =
           op(f(e), MapThenFoldSet(op, base, f, pick, A))

THEOREM MapThenFoldSetDisjointUnion ==
    ASSUME NEW V, NEW op(_, _), NEW base \in V, NEW f(_), IsClosed(V, op), IsAC(V, op),
           \A t \in V : op(base, t) = t, NEW A, IsFiniteSet(A), NEW B, IsFiniteSet(B),
           A \cap B = {}, NEW pick(_), Picks(pick, A \cup B),
           \A e \in A \cup B : f(e) \in V
    PROVE  MapThenFoldSet(op, base, f, pick, A \cup B) =
           op(MapThenFoldSet(op, base, f, pick, A), MapThenFoldSet(op, base, f, pick, B))
=============================================================================
