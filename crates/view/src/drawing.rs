//! Elements of the community module `SVG`, drawn as they say.
//!
//! An element is a record of its name, its attributes, its children and its text; a specification makes one for each
//! state (`AnimView`). Only elements that draw are taken over, and no attribute that could run something: a picture of
//! somebody else's specification may be looked at without fear. An element that is no whole document gets one around it,
//! as large as what it draws.

use value::{Owned, Text};

use crate::markup::escaped;

/// A value as an SVG document, if it is an element of the module, or the text of one.
pub fn drawing(value: &Owned) -> Option<String> {
    if let Owned::Str(text) = value {
        let text = text.as_str().trim_start();
        return text.starts_with("<svg").then(|| text.to_owned());
    }
    let element = Element::of(value)?;
    let mut inner = String::new();
    element.write(&mut inner, 0);
    if element.name == "svg" {
        return Some(inner);
    }
    let extent = element.extent().unwrap_or(Extent {
        left: 0.0,
        top: 0.0,
        right: 100.0,
        bottom: 100.0,
    });
    let (left, top) = ((extent.left - MARGIN).floor(), (extent.top - MARGIN).floor());
    let (width, height) = (
        (extent.right - left + MARGIN).ceil(),
        (extent.bottom - top + MARGIN).ceil(),
    );
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         viewBox=\"{left} {top} {width} {height}\">{inner}</svg>"
    ))
}

const MARGIN: f64 = 10.0;
/// Deeper nesting is cut: no picture needs it.
const DEPTH_MAX: usize = 100;

/// What draws, and nothing else.
const ELEMENTS: [&str; 21] = [
    "svg",
    "g",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "path",
    "text",
    "tspan",
    "image",
    "title",
    "desc",
    "defs",
    "marker",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "pattern",
];

struct Element<'v> {
    name: &'v str,
    attributes: Vec<(String, String)>,
    children: Vec<Element<'v>>,
    text: &'v str,
}

impl<'v> Element<'v> {
    fn of(value: &'v Owned) -> Option<Element<'v>> {
        util::deep(|| Element::of_here(value))
    }

    fn of_here(value: &'v Owned) -> Option<Element<'v>> {
        let Owned::Record(fields) = value else { return None };
        let [
            (attrs, attributes),
            (kids, children),
            (inner, text),
            (named, name),
        ] = &fields[..]
        else {
            return None;
        };
        let names = [attrs, kids, inner, named].map(|it| it.as_str());
        let (Owned::Str(name), Owned::Str(text), Owned::Tuple(children)) = (name, text, children) else {
            return None;
        };
        (names == ["attrs", "children", "innerText", "name"]).then_some(())?;
        Some(Element {
            name: name.as_str(),
            attributes: attributes_of(attributes)?,
            children: children.iter().map(Element::of).collect::<Option<_>>()?,
            text: text.as_str(),
        })
    }

    fn write(&self, out: &mut String, depth: usize) {
        if !ELEMENTS.contains(&self.name) || depth > DEPTH_MAX {
            return;
        }
        *out += &format!("<{}", self.name);
        for (name, value) in &self.attributes {
            *out += &format!(" {name}=\"{}\"", escaped(value));
        }
        *out += ">";
        *out += &escaped(self.text);
        for child in &self.children {
            util::deep(|| child.write(out, depth + 1));
        }
        *out += &format!("</{}>", self.name);
    }

    fn number(&self, name: &str) -> Option<f64> {
        let (_, value) = self.attributes.iter().find(|it| it.0 == name)?;
        value.trim().trim_end_matches("px").parse().ok()
    }

    /// What it covers, as far as numbers tell; moved groups are followed, turned ones are not.
    fn extent(&self) -> Option<Extent> {
        let at = |name: &str| self.number(name).unwrap_or(0.0);
        let own = match self.name {
            "rect" | "image" | "svg" => {
                let size = (self.number("width"), self.number("height"));
                size.0.zip(size.1).map(|(width, height)| Extent {
                    left: at("x"),
                    top: at("y"),
                    right: at("x") + width,
                    bottom: at("y") + height,
                })
            }
            "circle" => Some(Extent::around(at("cx"), at("cy"), at("r"), at("r"))),
            "ellipse" => Some(Extent::around(at("cx"), at("cy"), at("rx"), at("ry"))),
            "line" => Some(Extent {
                left: at("x1").min(at("x2")),
                top: at("y1").min(at("y2")),
                right: at("x1").max(at("x2")),
                bottom: at("y1").max(at("y2")),
            }),
            // Half as wide as high is what a letter is, more or less.
            "text" => {
                let size = self.number("font-size").unwrap_or(16.0);
                let width = self.text.chars().count() as f64 * size * 0.6;
                Some(Extent {
                    left: at("x") - width / 2.0,
                    top: at("y") - size,
                    right: at("x") + width,
                    bottom: at("y") + size * 0.3,
                })
            }
            _ => None,
        };
        let all = self.children.iter().filter_map(Element::extent).chain(own);
        let whole = all.reduce(Extent::with)?;
        Some(whole.moved(self.shift()))
    }

    /// Of `transform="translate(10, 20)"`.
    fn shift(&self) -> (f64, f64) {
        let transform = self.attributes.iter().find(|it| it.0 == "transform");
        let inside = transform
            .and_then(|it| it.1.split_once("translate("))
            .and_then(|it| it.1.split_once(')'));
        let mut numbers = inside.map_or("", |it| it.0).split([',', ' ']).filter_map(|it| {
            let it = it.trim().trim_end_matches("px");
            it.parse::<f64>().ok()
        });
        (numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0))
    }
}

/// Attributes are a function from strings to strings, in any of its forms. An underscore stands for a hyphen.
fn attributes_of(value: &Owned) -> Option<Vec<(String, String)>> {
    let pair = |name: Text, value: &Owned| {
        let value = match value {
            Owned::Str(text) => text.to_string(),
            Owned::Int(_) | Owned::Big(_) | Owned::Bool(_) => value.to_string(),
            _ => return None,
        };
        Some((name.as_str().replace('_', "-"), value))
    };
    let all: Option<Vec<(String, String)>> = match value {
        Owned::Tuple(items) if items.is_empty() => Some(vec![]),
        Owned::Fun(pairs) if pairs.is_empty() => Some(vec![]),
        Owned::Record(fields) => fields.iter().map(|(name, it)| pair(*name, it)).collect(),
        Owned::Fun(pairs) => pairs
            .iter()
            .map(|(key, it)| match key {
                Owned::Str(name) => pair(*name, it),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    Some(
        all?.into_iter()
            .filter(|(name, value)| is_harmless(name, value))
            .collect(),
    )
}

fn is_harmless(name: &str, value: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.');
    let value = value.trim_start().to_ascii_lowercase();
    let is_link = name.ends_with("href");
    let leads_to_a_picture = ["http://", "https://", "data:image/"]
        .iter()
        .any(|it| value.starts_with(it));
    let is_local = value.starts_with('#') || !value.contains(':');
    !name.is_empty()
        && name.chars().all(is_name)
        && !name.to_ascii_lowercase().starts_with("on")
        && (!is_link || leads_to_a_picture || is_local)
}

#[derive(Clone, Copy, Debug)]
struct Extent {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Extent {
    fn around(x: f64, y: f64, rx: f64, ry: f64) -> Extent {
        Extent {
            left: x - rx,
            top: y - ry,
            right: x + rx,
            bottom: y + ry,
        }
    }

    fn with(self, other: Extent) -> Extent {
        Extent {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn moved(self, by: (f64, f64)) -> Extent {
        Extent {
            left: self.left + by.0,
            top: self.top + by.1,
            right: self.right + by.0,
            bottom: self.bottom + by.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(name: &str, attrs: &[(&str, &str)], children: Vec<Owned>, text: &str) -> Owned {
        let attrs = attrs.iter().map(|(name, it)| (*name, Owned::str(it)));
        Owned::record([
            ("name", Owned::str(name)),
            ("attrs", Owned::record(attrs)),
            ("children", Owned::Tuple(children)),
            ("innerText", Owned::str(text)),
        ])
    }

    #[test]
    fn a_group_becomes_a_document_of_its_size() {
        let rect = element(
            "rect",
            &[
                ("x", "0"),
                ("y", "10"),
                ("width", "40"),
                ("height", "30"),
                ("stroke_width", "2"),
            ],
            vec![],
            "",
        );
        let text = element("text", &[("x", "5"), ("y", "20")], vec![], "a < b");
        let group = element("g", &[("transform", "translate(100, 0)")], vec![rect, text], "");
        assert_eq!(
            drawing(&group).unwrap(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             viewBox=\"71 -6 92 56\"><g transform=\"translate(100, 0)\">\
             <rect height=\"30\" stroke-width=\"2\" width=\"40\" x=\"0\" y=\"10\"></rect>\
             <text x=\"5\" y=\"20\">a &lt; b</text></g></svg>"
        );
    }

    #[test]
    fn nothing_runs() {
        let script = element("script", &[], vec![], "alert(1)");
        let link = element(
            "image",
            &[("href", " JavaScript:alert(1)"), ("onload", "alert(1)")],
            vec![],
            "",
        );
        let group = element("g", &[("x\" onload", "1")], vec![script, link], "");
        assert!(!drawing(&group).unwrap().contains("alert"));
        assert_eq!(drawing(&Owned::record([("name", Owned::str("g"))])), None);
    }
}
