------------------------------ MODULE Variants ------------------------------
(* Values with a tag, so that values of different shapes fit in one set. A *)
(* variant is a record with one field, named by its tag.                   *)

(* The value of a variant that has only a tag.                             *)
UNIT == "U_OF_UNIT"

Variant(tag, value) == [t \in {tag} |-> value]

VariantTag(variant) == CHOOSE tag \in DOMAIN variant : TRUE

(* The values of the variants in S that have this tag.                     *)
VariantFilter(tag, S) == {v[tag] : v \in {w \in S : tag \in DOMAIN w}}

(* The value of a variant with this tag; without it, another value, or an  *)
(* unspecified one.                                                        *)
VariantGetOrElse(tag, variant, default) ==
    IF tag \in DOMAIN variant THEN variant[tag] ELSE default

VariantGetUnsafe(tag, variant) == variant[tag]
=============================================================================
