//! The utility modules of Alloy, as source text in the binary.
//!
//! Each offers the names that models in the field expect of it, and means the same; the formulations are our own.
//! Pure data: nothing here knows how to read Alloy.
//!
//! ```
//! assert!(alloy_library::module("util/ordering").is_some());
//! assert!(alloy_library::names().any(|it| it == "util/relation"));
//! ```

/// The text of a utility module by the name that `open` uses, such as `util/ordering`.
pub fn module(name: &str) -> Option<&'static str> {
    MODULES.iter().find(|(it, _)| *it == name).map(|(_, text)| *text)
}

/// The names of all utility modules.
pub fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}

const MODULES: [(&str, &str); 11] = [
    ("util/boolean", include_str!("../models/boolean.als")),
    ("util/graph", include_str!("../models/graph.als")),
    ("util/integer", include_str!("../models/integer.als")),
    ("util/natural", include_str!("../models/natural.als")),
    ("util/ordering", include_str!("../models/ordering.als")),
    ("util/relation", include_str!("../models/relation.als")),
    ("util/seqrel", include_str!("../models/seqrel.als")),
    ("util/sequence", include_str!("../models/sequence.als")),
    ("util/sequniv", include_str!("../models/sequniv.als")),
    ("util/ternary", include_str!("../models/ternary.als")),
    ("util/time", include_str!("../models/time.als")),
];
