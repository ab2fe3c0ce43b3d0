-------------------------------- MODULE Json --------------------------------
(* Values as JSON text and back. Records and functions are objects,        *)
(* sequences and sets are arrays. Reading and writing files happens beside *)
(* the logic.                                                              *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

(* The texts of F[x] for all x in D, one after the other.                  *)
LOCAL Joined(Text(_), D) ==
    LET Rest[S \in SUBSET D] ==
            IF S = {} THEN ""
            ELSE LET x == CHOOSE x \in S : TRUE
                     more == Rest[S \ {x}]
                 IN  Text(x) \o (IF more = "" THEN "" ELSE "," \o more)
    IN  Rest[D]

ToJsonArray(value) ==
    LET Element(x) == ToString(value[x])
    IN  "[" \o Joined(Element, DOMAIN value) \o "]"

ToJsonObject(value) ==
    LET Member(x) == ToString(ToString(x)) \o ":" \o ToString(value[x])
    IN  "{" \o Joined(Member, DOMAIN value) \o "}"

ToJson(value) ==
    IF \E n \in Nat : DOMAIN value = 1 .. n THEN ToJsonArray(value)
                                            ELSE ToJsonObject(value)

(* Writes the value to the file as one JSON document; is TRUE.             *)
JsonSerialize(absoluteFilename, value) == TRUE

(* The value of the JSON document in the file.                             *)
JsonDeserialize(absoluteFilename) == CHOOSE val : TRUE

(* The same with one document for each element of a sequence, each on its  *)
(* own line.                                                               *)
ndJsonSerialize(absoluteFilename, value) == TRUE
ndJsonDeserialize(absoluteFilename) == CHOOSE val : TRUE
=============================================================================
