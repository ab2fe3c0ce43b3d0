//! The TLA+ modules that come with the language, as text.
//!
//! A specification that extends `Naturals` or `SequencesExt` finds the module here when no file of its own has that
//! name. Each module defines every operator in TLA+ itself, so that names resolve and readers can look things up;
//! an evaluator may know a faster way to the same value. This crate only holds the text: it parses nothing, and it
//! does not say which operators an evaluator should know.
//!
//! ```
//! assert!(tla_library::module("Naturals").is_some_and(|it| it.contains("MODULE Naturals")));
//! assert!(tla_library::module("Naturls").is_none());
//! ```

/// Lists the modules and embeds `modules/NAME.tla` for each of them.
macro_rules! library {
    ($($(#[$family:meta])* [$($name:ident)+])+) => {
        const NAMES: &[&str] = &[$($(stringify!($name)),+),+];

        /// The text of the built-in module `name`.
        pub fn module(name: &str) -> Option<&'static str> {
            match name {
                $($(stringify!($name) => {
                    Some(include_str!(concat!("../modules/", stringify!($name), ".tla")))
                })+)+
                _ => None,
            }
        }
    };
}

library! {
    /// The standard modules, with the two that the numbers are built on.
    [Bags FiniteSets Integers Json Naturals Peano _Possible ProtoReals Randomization Reals RealTime Sequences TLC TLCExt Toolbox]

    /// The community modules.
    [BagsExt Bitwise Combinatorics CSV DifferentialEquations DyadicRationals FiniteSetsExt Folds Functions Graphs
     GraphViz HTML IOUtils Quorum Relation SequencesExt ShiViz Statistics SVG UndirectedGraphs VectorClocks]

    /// What proofs cite: the pragmas of the proof system, and facts without their proofs.
    [BagsTheorems FiniteSetsExtTheorems FiniteSetTheorems FoldsTheorems FunctionTheorems GraphTheorems Jections
     JectionThm NaturalsInduction QuorumTheorems SequencesExtTheorems SequenceTheorems TLAPS WellFoundedInduction]

    /// The modules of the model checker Apalache.
    [Apalache Option Variants]
}

/// The names of all built-in modules, family by family.
pub fn names() -> &'static [&'static str] {
    NAMES
}

#[cfg(test)]
mod tests;
