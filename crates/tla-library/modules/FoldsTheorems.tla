--------------------------- MODULE FoldsTheorems ---------------------------
(* Facts about MapThenFoldSet. All are stated without proof.               *)
EXTENDS Folds, FiniteSets

(* choose picks an element of every nonempty subset of S; Typ is closed    *)
(* under op; op is associative and commutative there.                      *)
LOCAL Picks(choose(_), S) == \A T \in SUBSET S : T # {} => choose(T) \in T
LOCAL IsClosed(Typ, op(_, _)) == \A t, u \in Typ : op(t, u) \in Typ
LOCAL IsAC(Typ, op(_, _)) ==
    /\ \A t, u \in Typ : op(t, u) = op(u, t)
    /\ \A t, u, v \in Typ : op(t, op(u, v)) = op(op(t, u), v)
-----------------------------------------------------------------------------
THEOREM MapThenFoldSetDef ==
    ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_), NEW S,
           IsFiniteSet(S), Picks(choose, S)
    PROVE  MapThenFoldSet(op, base, f, choose, S) =
           IF S = {} THEN base
           ELSE LET x == choose(S)
                IN  op(f(x), MapThenFoldSet(op, base, f, choose, S \ {x}))

THEOREM MapThenFoldSetEmpty ==
    ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_)
    PROVE  MapThenFoldSet(op, base, f, choose, {}) = base

THEOREM MapThenFoldSetNonempty ==
    ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_), NEW S, S # {},
           IsFiniteSet(S), Picks(choose, S)
    PROVE  MapThenFoldSet(op, base, f, choose, S) =
           LET x == choose(S)
           IN  op(f(x), MapThenFoldSet(op, base, f, choose, S \ {x}))

(* A bijection of the sets that fits the maps and choices keeps the fold.  *)
THEOREM MapThenFoldSetBijection ==
    ASSUME NEW op(_, _), NEW base,
           NEW S, IsFiniteSet(S), NEW fS(_), NEW chS(_), Picks(chS, S),
           NEW T, IsFiniteSet(T), NEW fT(_), NEW chT(_), Picks(chT, T),
           NEW bij(_),
           \A s \in S : bij(s) \in T,
           \A t \in T : \E s \in S : bij(s) = t,
           \A s1, s2 \in S : bij(s1) = bij(s2) => s1 = s2,
           \A s \in S : fS(s) = fT(bij(s)),
           \A U \in SUBSET S : U # {} => bij(chS(U)) = chT({bij(s) : s \in U})
    PROVE  MapThenFoldSet(op, base, fS, chS, S) = MapThenFoldSet(op, base, fT, chT, T)

THEOREM MapThenFoldSetEqual ==
    ASSUME NEW op(_, _), NEW base, NEW choose(_), NEW S, IsFiniteSet(S), Picks(choose, S),
           NEW f(_), NEW g(_), \A s \in S : f(s) = g(s)
    PROVE  MapThenFoldSet(op, base, f, choose, S) = MapThenFoldSet(op, base, g, choose, S)

THEOREM MapThenFoldSetType ==
    ASSUME NEW S, IsFiniteSet(S),
           NEW Typ, NEW op(_, _), NEW base \in Typ, NEW f(_), NEW choose(_),
           IsClosed(Typ, op), \A s \in S : f(s) \in Typ, Picks(choose, S)
    PROVE  MapThenFoldSet(op, base, f, choose, S) \in Typ

THEOREM MapThenFoldSetAC ==
    ASSUME NEW Typ, NEW op(_, _), NEW base \in Typ, NEW f(_),
           IsClosed(Typ, op), IsAC(Typ, op),
           NEW S, IsFiniteSet(S), NEW x \in S,
           NEW choose(_), Picks(choose, S), \A s \in S : f(s) \in Typ
    PROVE  MapThenFoldSet(op, base, f, choose, S) =
           op(f(x), MapThenFoldSet(op, base, f, choose, S \ {x}))

THEOREM MapThenFoldSetACAddElement ==
    ASSUME NEW Typ, NEW op(_, _), NEW base \in Typ, NEW f(_),
           IsClosed(Typ, op), IsAC(Typ, op),
           NEW S, IsFiniteSet(S), NEW x, x \notin S,
           NEW choose(_), Picks(choose, S \cup {x}), \A s \in S \cup {x} : f(s) \in Typ
    PROVE  MapThenFoldSet(op, base, f, choose, S \cup {x}) =
           op(f(x), MapThenFoldSet(op, base, f, choose, S))

THEOREM MapThenFoldSetDisjointUnion ==
    ASSUME NEW Typ, NEW op(_, _), NEW base \in Typ, NEW f(_),
           IsClosed(Typ, op), IsAC(Typ, op), \A t \in Typ : op(base, t) = t,
           NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T), S \cap T = {},
           NEW choose(_), Picks(choose, S \cup T), \A x \in S \cup T : f(x) \in Typ
    PROVE  MapThenFoldSet(op, base, f, choose, S \cup T) =
           op(MapThenFoldSet(op, base, f, choose, S), MapThenFoldSet(op, base, f, choose, T))
=============================================================================
