-------------------------------- MODULE SVG --------------------------------
(* Pictures made of SVG elements. An element is a record: its name, its    *)
(* attributes (a function from strings to strings, << >> for none), the    *)
(* sequence of its children, and the text inside it.                       *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE IOUtils

SVGElem(_name, _attrs, _children, _innerText) ==
    [name |-> _name, attrs |-> _attrs, children |-> _children, innerText |-> _innerText]

(* An element without children; its own attributes come before others.     *)
LOCAL Shape(name, own, attrs) == SVGElem(name, own @@ attrs, << >>, "")
-----------------------------------------------------------------------------
(* Shapes. All coordinates are integers.                                   *)

Line(x1, y1, x2, y2, attrs) ==
    Shape("line", [x1 |-> ToString(x1), y1 |-> ToString(y1),
                   x2 |-> ToString(x2), y2 |-> ToString(y2)], attrs)

Circle(cx, cy, r, attrs) ==
    Shape("circle", [cx |-> ToString(cx), cy |-> ToString(cy), r |-> ToString(r)], attrs)

Rect(x, y, w, h, attrs) ==
    Shape("rect", [x |-> ToString(x), y |-> ToString(y),
                   width |-> ToString(w), height |-> ToString(h)], attrs)

Text(x, y, text, attrs) ==
    SVGElem("text", [x |-> ToString(x), y |-> ToString(y)] @@ attrs, << >>, text)

Image(x, y, width, height, href, attrs) ==
    Shape("image", [x |-> ToString(x), y |-> ToString(y),
                    width |-> ToString(width), height |-> ToString(height)]
                   @@ ("xlink:href" :> href), attrs)
-----------------------------------------------------------------------------
(* Elements with a sequence of children, and a whole document around one   *)
(* element that shows the rectangle of width vbW and height vbH at         *)
(* (vbX, vbY).                                                             *)

Group(children, attrs) == SVGElem("g", attrs, children, "")

Svg(children, attrs) == SVGElem("svg", attrs, children, "")

SVGDoc(children, vbX, vbY, vbW, vbH, attrs) ==
    LET viewBox == ToString(vbX) \o " " \o ToString(vbY) \o " "
                   \o ToString(vbW) \o " " \o ToString(vbH)
    IN  Svg(<<children>>,
            [viewBox |-> viewBox, xmlns |-> "http://www.w3.org/2000/svg"]
            @@ ("xmlns:xlink" :> "http://www.w3.org/1999/xlink")
            @@ attrs)
-----------------------------------------------------------------------------
(* The text of an element. A field of a record cannot have a hyphen in its *)
(* name, so an underscore in the name of an attribute becomes a hyphen.    *)
RECURSIVE SVGElemToString(_)
SVGElemToString(elem) ==
    LET Attribute(key) ==
            " " \o ReplaceAllSubSeqs("-", "_", key) \o "='" \o elem.attrs[key] \o "'"
        attributes == FoldSet(LAMBDA key, text : text \o Attribute(key), "", DOMAIN elem.attrs)
        children == FoldLeft(LAMBDA text, child : text \o SVGElemToString(child),
                             "", elem.children)
    IN  "<" \o elem.name \o attributes \o ">" \o elem.innerText \o children
        \o "</" \o elem.name \o ">"

(* Writes the picture to the file PrefixNNN.svg.                           *)
SVGSerialize(svg, frameNamePrefix, frameNumber) ==
    Serialize(SVGElemToString(svg),
              frameNamePrefix \o zeroPadN(frameNumber, 3) \o ".svg",
              [format |-> "TXT", charset |-> "UTF-8",
               openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])
-----------------------------------------------------------------------------
(* Where to put things.                                                    *)

(* The point with fields x and y at n parts of m on the circle with centre *)
(* (cx, cy) and radius r, from its rightmost point on, clockwise as SVG    *)
(* shows it; fractions are cut off.                                        *)
NodeOfRingNetwork(cx, cy, r, n, m) == CHOOSE p \in [x : Int, y : Int] : TRUE

(* A layout of a graph: a point for each node. The options say how.        *)
NodesOfDirectedMultiGraph(nodes, edges, options) ==
    CHOOSE layout \in [nodes -> [x : Int, y : Int]] : TRUE

(* The point after one of segment equal parts of the line between two      *)
(* points.                                                                 *)
PointOnLine(from, to, segment) ==
    [x |-> from.x + ((to.x - from.x) \div segment),
     y |-> from.y + ((to.y - from.y) \div segment)]
=============================================================================
