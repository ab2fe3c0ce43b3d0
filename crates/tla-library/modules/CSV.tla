-------------------------------- MODULE CSV --------------------------------
(* Tables in text files, a record a line. Reading and writing happens      *)
(* beside the logic; here each operator is only its value.                 *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences

(* Adds a line to the file: the template with %1$s replaced by val[1] and  *)
(* so on.                                                                  *)
CSVWrite(template, val, file) == TRUE

(* Adds the fields of the record with delim between them, and before them  *)
(* a line with their names if headers is TRUE.                             *)
CSVWriteRecord(record, delim, headers, file) == TRUE

(* The lines of the file, each split at the delimiter into a record with   *)
(* the columns as its fields. All values are strings.                      *)
CSVRead(columns, delimiter, file) ==
    CHOOSE lines \in Seq([{columns[i] : i \in DOMAIN columns} -> STRING]) : TRUE

(* The number of lines; 0 if there is no such file.                        *)
CSVRecords(file) == CHOOSE n \in Nat : TRUE
=============================================================================
