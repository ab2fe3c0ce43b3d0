-------------------------- MODULE HTMLAssertions --------------------------
(* Web pages as strings.                                                   *)
EXTENDS HTML

ASSUME HTMLFill("test %num%, %num%", <<<<"%num%", "12">>>>) = "test 12, %num%"
ASSUME HTMLAttribute("color", "red") = "color: red;" /\ HTMLNewLine = "<br>"
ASSUME HTMLClass(".a", <<"x", "y">>) = ".a {\nx\ny\n}"
ASSUME HTMLSize("1px", "2px") = "width: 1px; height: 2px;"
ASSUME HTMLBody("b") = "<body>\nb\n</body>"
ASSUME HTMLText("i", "t") = "<span id=\"i\">\nt\n</span>"
ASSUME HTMLFrame("i", <<"a", "b">>) = "<div id=\"i\">\na\nb\n</div>"
ASSUME HTMLBox("i", <<"c", "d">>, "s", <<"x">>) =
       "<div id=\"i\" class=\"default_box c d\" style=\"s\">\nx\n</div>"
ASSUME HTMLCircle("i", <<"c">>, "s", <<"x">>) =
       "<div id=\"i\" class=\"default_box default_circle c\" style=\"s\">\nx\n</div>"
ASSUME HTMLDocument("h", "b", <<"s">>) = "<!DOCTYPE html>\n<html>\nh\nb\ns\n</html>"
ASSUME HTMLScriptFile("f.js") = "<script src=\"f.js\"></script>"
ASSUME HTMLLink("f.css", "stylesheet") = "<link href=\"f.css\" rel=\"stylesheet\"/>"
ASSUME HTMLJSLine("a", "b", "red", "2") =
       "new LeaderLine(document.getElementById(\"a\"), document.getElementById(\"b\"), {color: 'red', size: 2})"
ASSUME HTMLJSNavigationKey("N", "n.html") = "if(key == 'N'){\nwindow.location.replace(\"n.html\");\n}"
=============================================================================
