-------------------------------- MODULE HTML --------------------------------
(* Web pages as strings. What takes several parts takes a sequence of      *)
(* strings.                                                                *)
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

(* The string with changes: for each pair <<old, new>>, the first old that *)
(* occurs becomes new.                                                     *)
HTMLFill(string, args) ==
    FoldLeft(LAMBDA text, change : ReplaceFirstSubSeq(change[2], change[1], text),
             string, args)

(* The strings with the separator between them.                            *)
LOCAL Joined(strings, separator) ==
    FoldLeft(LAMBDA text, next : IF text = "" THEN next ELSE text \o separator \o next,
             "", strings)

LOCAL Lines(strings) == Joined(strings, "\n")

LOCAL Quoted(string) == "\"" \o string \o "\""
-----------------------------------------------------------------------------
(* Style sheets.                                                           *)

HTMLAttribute(name, value) == name \o ": " \o value \o ";"

HTMLClass(classname, attribute_list) ==
    Lines(<<classname \o " {", Lines(attribute_list), "}">>)

HTMLDefaultStyle ==
    Lines(<<HTMLClass(".default_grid", <<HTMLAttribute("display", "grid")>>),
            HTMLClass(".default_box", <<HTMLAttribute("border", "1px solid black")>>),
            HTMLClass(".default_circle", <<HTMLAttribute("border-radius", "50%")>>)>>)

HTMLStyleSheet(class_list) ==
    Lines(<<"<style type=\"text/css\">", HTMLDefaultStyle, Lines(class_list), "</style>">>)

HTMLSize(width, height) ==
    HTMLAttribute("width", width) \o " " \o HTMLAttribute("height", height)

HTMLFlexCenterAttributes ==
    Lines(<<HTMLAttribute("display", "flex"),
            HTMLAttribute("align-items", "center"),
            HTMLAttribute("justify-content", "center")>>)
-----------------------------------------------------------------------------
(* The document.                                                           *)

HTMLDocument(header, body, list_of_scripts) ==
    Lines(<<"<!DOCTYPE html>", "<html>", header, body, Lines(list_of_scripts), "</html>">>)

HTMLLink(name, type) == "<link href=" \o Quoted(name) \o " rel=" \o Quoted(type) \o "/>"

HTMLHeader(title, list_of_links, class_list) ==
    Lines(<<"<head>", "<meta charset=\"UTF-8\">", "<title>" \o title \o "</title>",
            Lines(list_of_links), HTMLStyleSheet(class_list), "</head>">>)

HTMLBody(body) == Lines(<<"<body>", body, "</body>">>)

HTMLScriptFile(name) == "<script src=" \o Quoted(name) \o "></script>"

HTMLScript(children) == Lines(<<"<script>", Lines(children), "</script>">>)
-----------------------------------------------------------------------------
(* What is in the body. Sizes are made by HTMLSize.                        *)

HTMLFrame(id, children) ==
    Lines(<<"<div id=" \o Quoted(id) \o ">", Lines(children), "</div>">>)

LOCAL Classes(default, class_list) ==
    " class=" \o Quoted(default \o " " \o Joined(class_list, " "))

HTMLGridContainer(id, class_list, children) ==
    Lines(<<"<div id=" \o Quoted(id) \o Classes("default_grid", class_list) \o ">",
            Lines(children), "</div>">>)

HTMLBox(id, class_list, size, children) ==
    Lines(<<"<div id=" \o Quoted(id) \o Classes("default_box", class_list)
            \o " style=" \o Quoted(size) \o ">",
            Lines(children), "</div>">>)

HTMLCircle(id, class_list, size, children) ==
    HTMLBox(id, <<"default_circle">> \o class_list, size, children)

HTMLText(id, text) == Lines(<<"<span id=" \o Quoted(id) \o ">", text, "</span>">>)

HTMLSVG(id, viewBox, size, svgString) ==
    Lines(<<"<svg id=" \o Quoted(id) \o " viewBox=" \o Quoted(viewBox)
            \o " style=" \o Quoted(size) \o ">",
            svgString, "</svg>">>)

HTMLNewLine == "<br>"
-----------------------------------------------------------------------------
(* Scripts: lines between two elements with the LeaderLine library, and    *)
(* keys that lead to another page.                                         *)

HTMLJSLineElems(fromID, destID) ==
    "document.getElementById(" \o Quoted(fromID) \o "), document.getElementById("
    \o Quoted(destID) \o ")"

LOCAL LeaderLine(fromID, destID, options) ==
    "new LeaderLine(" \o HTMLJSLineElems(fromID, destID) \o "," \o options \o ")"

HTMLJSLine(fromID, destID, color, size) ==
    LeaderLine(fromID, destID, " {color: '" \o color \o "', size: " \o size \o "}")

HTMLJSLineDash(fromID, destID, color, size) ==
    LeaderLine(fromID, destID, "  {color: '" \o color \o "', size: " \o size \o ", dash: true}")

HTMLJSKeyListener(events) ==
    Lines(<<"window.onkeyup = function(event) {", "let key = event.key.toUpperCase();",
            Lines(events), "}">>)

HTMLJSNavigationKey(key, file) ==
    Lines(<<"if(key == '" \o key \o "'){",
            "window.location.replace(" \o Quoted(file) \o ");", "}">>)
=============================================================================
