module NAME

-- Folders and files: `babbage check NAME.als` shows a file system, and asks whether everything can be reached.

abstract sig Object {}

sig File extends Object {}

sig Folder extends Object {
  contents : set Object
}

one sig Root extends Folder {}

fact Tree {
  -- Everything but the root is in exactly one folder, and no folder is inside of itself.
  all it : Object - Root | one contents.it
  no contents.Root
  no it : Folder | it in it.^contents
}

assert Reachable {
  Object in Root.*contents
}

run Example { some File and #Folder = 3 } for 5 expect 1
check Reachable for 6 expect 0
