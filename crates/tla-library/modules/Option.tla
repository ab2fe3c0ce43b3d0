------------------------------- MODULE Option -------------------------------
(* Values that may be missing, as variants with the tags Some and None.    *)
EXTENDS Apalache, Variants

Some(x) == Variant("Some", x)
None    == Variant("None", UNIT)

IsSome(o) == VariantTag(o) = "Some"
IsNone(o) == VariantTag(o) = "None"

OptionCase(o, caseSome(_), caseNone(_)) ==
    IF IsSome(o) THEN caseSome(VariantGetUnsafe("Some", o)) ELSE caseNone(UNIT)

(* f applied to the value, if there is one; FlatMap: f may give None too.  *)
OptionMap(f(_), o)     == OptionCase(o, LAMBDA x : Some(f(x)), LAMBDA u : None)
OptionFlatMap(f(_), o) == OptionCase(o, LAMBDA x : f(x), LAMBDA u : None)

OptionGetOrElse(o, default) == OptionCase(o, LAMBDA x : x, LAMBDA u : default)

OptionToSeq(o) == OptionCase(o, LAMBDA x : <<x>>, LAMBDA u : << >>)
OptionToSet(o) == OptionCase(o, LAMBDA x : {x}, LAMBDA u : {})

(* Some element of the set; None if it is empty.                           *)
OptionGuess(s) == IF s = {} THEN None ELSE Some(Guess(s))

(* The function applied to a value that may be missing, and a function     *)
(* with some arguments for which it has no value.                          *)
OptionFunApp(f, o) == OptionMap(LAMBDA x : f[x], o)
OptionPartialFun(f, undef) ==
    [x \in DOMAIN f \union undef |-> IF x \in undef THEN None ELSE Some(f[x])]
=============================================================================
