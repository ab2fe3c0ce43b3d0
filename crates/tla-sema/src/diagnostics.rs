//! Everything that can be wrong with the meaning of a module: one constructor per code.
//!
//! A constructor takes what its caller has at hand and decides the words. Each code is described, with an example,
//! in `diagnostics/<code>.md`.

mod levels;
mod model;
mod modules;
mod names;
mod operators;
mod proofs;

use diag::{Diagnostic, closest};

pub use levels::*;
pub use model::*;
pub use modules::*;
pub use names::*;
pub use operators::*;
pub use proofs::*;

fn did_you_mean(diagnostic: Diagnostic, name: &str, in_scope: &[&str]) -> Diagnostic {
    match closest(name, in_scope.iter().copied()) {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}

fn article(what: &str) -> String {
    let vowel = what.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {what}", if vowel { "an" } else { "a" })
}
