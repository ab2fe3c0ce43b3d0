--------------------------- MODULE SVGAssertions ---------------------------
(* SVG elements and their text.                                            *)
EXTENDS SVG, Integers, Sequences, TLC

Red == [fill |-> "red"]

ASSUME SVGElem("a", Red, << >>, "t") = [name |-> "a", attrs |-> Red, children |-> << >>, innerText |-> "t"]
ASSUME Line(0, 1, 2, 3, Red) =
       SVGElem("line", [x1 |-> "0", y1 |-> "1", x2 |-> "2", y2 |-> "3", fill |-> "red"], << >>, "")
ASSUME Circle(5, 6, 7, << >>) = SVGElem("circle", [cx |-> "5", cy |-> "6", r |-> "7"], << >>, "")
ASSUME Rect(0, 1, 2, 3, << >>) =
       SVGElem("rect", [x |-> "0", y |-> "1", width |-> "2", height |-> "3"], << >>, "")
ASSUME Text(0, -1, "hello", [x |-> "9"]) = SVGElem("text", [x |-> "0", y |-> "-1"], << >>, "hello")
ASSUME Image(1, 2, 3, 4, "u", << >>).attrs["xlink:href"] = "u"
ASSUME Group(<<Circle(1, 2, 3, << >>)>>, Red) = SVGElem("g", Red, <<Circle(1, 2, 3, << >>)>>, "")
ASSUME Svg(<< >>, << >>) = SVGElem("svg", << >>, << >>, "")
ASSUME SVGDoc(Group(<< >>, << >>), 0, 0, 8, 6, Red).attrs =
       ("xmlns:xlink" :> "http://www.w3.org/1999/xlink")
       @@ [fill |-> "red", viewBox |-> "0 0 8 6", xmlns |-> "http://www.w3.org/2000/svg"]
ASSUME SVGDoc(Group(<< >>, << >>), 0, 0, 8, 6, Red).children = <<Group(<< >>, << >>)>>
ASSUME SVGElemToString(SVGElem("t", << >>, << >>, "")) = "<t></t>"
ASSUME SVGElemToString(SVGElem("t", [a_b |-> "1"], <<SVGElem("u", << >>, << >>, "v")>>, "w"))
       = "<t a-b='1'>w<u>v</u></t>"
ASSUME PointOnLine([x |-> 1, y |-> 2], [x |-> 11, y |-> 4], 2) = [x |-> 6, y |-> 3]

(* These have no definition to evaluate: a circle in integers.             *)
ASSUME NodeOfRingNetwork(10, 10, 5, 0, 4) = [x |-> 15, y |-> 10]
ASSUME NodeOfRingNetwork(10, 10, 5, 1, 4) = [x |-> 10, y |-> 15]
ASSUME NodeOfRingNetwork(100, 100, 50, 3, 7) = [x |-> 54, y |-> 121]
=============================================================================
