//! Cheapest paths, and games, on graphs of states.
//!
//! Two questions about a [`explore::Model`] that a check does not answer: what is the best way to a goal
//! ([`best_first`], [`Optimal`], [`distances`]), and who can force what ([`attract`], [`recur`], [`Values`]). A model is
//! unfolded on the way ([`Unfolding`]) or as a whole ([`Arena`]); the algorithms see numbered nodes and edges only, so that
//! tests hold them against plain reference implementations on random graphs. Nothing here has heard of TLA+.

mod along;
mod arena;
mod attract;
mod best_first;
mod buckets;
mod distance;
mod graph;
mod optimal;
mod recur;
mod states;
mod unfold;
mod values;

pub use along::along;
pub use arena::{Arena, Moves, Recorded};
pub use attract::{Attractor, attract};
pub use best_first::{Best, Inconsistent, best_first};
pub use distance::{UNREACHED, distances};
pub use graph::{Edge, Explicit, Key, Lazy};
pub use optimal::Optimal;
pub use recur::{Recurring, recur};
pub use states::States;
pub use unfold::{Stop, Unfolding, UnitCosts, Watch, Weigh};
pub use values::{Followed, Lapse, Value, Values, follow};
