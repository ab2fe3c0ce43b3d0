//! Linear temporal logic over a finite graph of states: is there a behaviour that satisfies a formula?
//!
//! A behaviour is an infinite walk through the graph. At each moment it has a *letter*: what is true of the state (state
//! atoms) and what is true of the step that leaves it (step atoms). Staying where one is for ever is always a walk, so
//! every state has a stuttering step to itself, with the same labels everywhere. Whoever asks whether a property follows
//! from some assumptions looks for a behaviour of the assumptions and the negated property: [`find`]. What is found is a
//! [`Lasso`], a prefix and a loop.
//!
//! The way from a formula to an answer:
//!
//! 1. *Terms* (`term`). Negations go to the leaves, and what speaks only of the far future is separated out. In this logic,
//!    whose operators are `[]` and `<>` alone, every formula under `[]<>` or `<>[]` is a Boolean combination of `[]<>p` and
//!    `<>[]p` for predicates `p` of one letter: after enough time `[]q` and `<>q` do not change any more.
//! 2. *Cases* (`case`). The formula becomes a disjunction of cases, each a conjunction of `[]<>p`, of `<>[]p`, of pairs
//!    `<>[]p \/ []<>q` and of a rest. Weak fairness is of the first form, strong fairness a pair, their negations
//!    are of the first two forms: none of them needs an automaton.
//! 3. *Automaton* (`automaton`). The rest becomes a generalised Büchi automaton with its acceptance on transitions, after
//!    Couvreur (*On-the-fly verification of linear temporal logic*, FM 1999), a tableau whose states are sets of formulas to
//!    be satisfied from now on. `P ~> Q` negated has two states, of which one is not even built (`<>` at the front means
//!    that the rest may begin anywhere).
//! 4. *Search* (`search`). Strongly connected components of the product with the graph, in one pass over flat arrays
//!    (Pearce, *A space-efficient algorithm for finding strongly connected components*, 2016). `<>[]p` restricts the steps, `[]<>p`
//!    must be met inside a component. Pairs are the Streett condition: where `q` is not met, steps without `p` are
//!    taken out and what is left of the component is searched again (Emerson and Lei, *Modalities for model checking*, 1987).
//! 5. *Lasso* (`lasso`). A shortest way to the nearest component, then a loop that meets each obligation by the shortest way. It
//!    is evaluated by unfolding, in code that shares nothing with the above, before it is given out.
//!
//! The time is linear in the product, times one more than the number of pairs in the worst case. Nothing here knows TLA+.

mod automaton;
mod case;
mod formula;
mod graph;
mod lasso;
mod product;
mod search;
mod term;

pub use formula::Formula;
pub use graph::Graph;
pub use lasso::{Lasso, truth};
pub use search::{Stopped, Watch, find};
