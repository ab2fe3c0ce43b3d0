------------------------------ MODULE IOUtils ------------------------------
(* Files, commands and the environment. What these operators do happens    *)
(* beside the logic; here each is only a value it may have.                *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences

(* How a command ended and what it said.                                   *)
LOCAL SomeResult ==
    CHOOSE r \in [exitValue : Int, stdout : STRING, stderr : STRING] : TRUE
-----------------------------------------------------------------------------
(* A value to a file and back, in a binary form, compressed if asked for.  *)
IOSerialize(val, absoluteFilename, compress) == TRUE
IODeserialize(absoluteFilename, compressed) == CHOOSE val : TRUE

(* A value to a place and back, in the form that options.format names. The *)
(* form "TXT" has the options charset and openOptions.                     *)
Serialize(value, dest, options) == SomeResult
Deserialize(src, options) == SomeResult
-----------------------------------------------------------------------------
(* Runs a program; the sequence holds its name and arguments. The Template *)
(* operators first put the parameters into the places %s or %1$s, and the  *)
(* Env operators first add env to the environment.                         *)
IOExec(command) == SomeResult
IOEnvExec(env, command) == SomeResult
IOExecTemplate(commandTemplate, parameters) == SomeResult
IOEnvExecTemplate(env, commandTemplate, parameters) == SomeResult

(* The environment: IOEnv.HOME is the variable HOME.                       *)
IOEnv == CHOOSE env \in [STRING -> STRING] : TRUE
-----------------------------------------------------------------------------
(* The integer that a string spells.                                       *)
atoi(str) == CHOOSE i \in Int : ToString(i) = str

(* The natural number n with zeros in front, so that there are at least    *)
(* width digits.                                                           *)
zeroPadN(n, width) ==
    LET RECURSIVE Padded(_)
        Padded(digits) == IF Len(digits) >= width THEN digits ELSE Padded("0" \o digits)
    IN  Padded(ToString(n))
=============================================================================
