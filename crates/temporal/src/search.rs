//! Is there a behaviour? Components of the product, and what each must contain.

use crate::automaton::Automaton;
use crate::case::{Case, cases};
use crate::formula::Formula;
use crate::graph::{Graph, Letter};
use crate::lasso::{self, Lasso};
use crate::product::{NodeId, Product};
use crate::term::{Predicate, Term, TermId, Terms};

/// Someone who may end a search.
pub trait Watch {
    /// Asked often. `bytes` is what the search holds.
    fn goes_on(&self, bytes: usize) -> bool;
}

impl Watch for () {
    fn goes_on(&self, _: usize) -> bool {
        true
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The watch wanted it.
    Interrupted,
    /// The formula has too many cases, promises or states.
    TooLarge,
}

/// A behaviour of the graph that satisfies the formula, if there is one: the nearest that was found.
///
/// Does a light that may stay red for ever always turn green again? A behaviour where it does not is found:
///
/// ```
/// use temporal::{Formula, Graph, find};
///
/// // Red (0) and green (1), each with a step to the other; green has label 0.
/// let graph = Graph {
///     n_initial: 1,
///     offsets: &[0, 1, 2],
///     targets: &[1, 0],
///     state_words: 1,
///     state_labels: &[0, 1],
///     step_words: 1,
///     step_labels: &[0, 0],
///     stuttering_labels: &[0],
/// };
/// let again = Formula::Always(Box::new(Formula::Eventually(Box::new(Formula::State(0)))));
/// let lasso = find(&graph, &again.not(), &()).ok().flatten().expect("it may stutter");
/// assert_eq!(lasso.states, [0]);
/// ```
pub fn find(graph: &Graph<'_>, formula: &Formula, watch: &dyn Watch) -> Result<Option<Lasso>, Stopped> {
    let mut terms = Terms::new();
    let whole = terms.add(formula, true);
    let mut ticker = Ticker::new(watch);
    let mut best: Option<Lasso> = None;
    for case in cases(&terms, whole)? {
        let Some(lasso) = find_case(graph, &terms, &case, &mut ticker)? else {
            continue;
        };
        let lasso = checked(graph, lasso, formula);
        if best.as_ref().is_none_or(|it| lasso.len() < it.len()) {
            best = Some(lasso);
        }
    }
    Ok(best)
}

/// The lasso in its shortest form, evaluated by someone else before it is believed.
fn checked(graph: &Graph<'_>, lasso: Lasso, formula: &Formula) -> Lasso {
    let tidied = lasso.tidied();
    if lasso::truth(graph, &tidied, formula)[0] {
        return tidied;
    }
    assert!(
        lasso::truth(graph, &lasso, formula)[0],
        "a lasso satisfies the formula that it was found for"
    );
    lasso
}

fn find_case(
    graph: &Graph<'_>,
    terms: &Terms,
    case: &Case,
    ticker: &mut Ticker<'_>,
) -> Result<Option<Lasso>, Stopped> {
    // All other demands of the case are about the far future, so `<>f` may as well begin with `f` anywhere.
    let (rest, begins_anywhere): (&[TermId], bool) = match case.rest[..] {
        [one] => match terms.get(one) {
            Term::Eventually(inner) => (&[*inner], true),
            _ => (&case.rest, false),
        },
        _ => (&case.rest, false),
    };
    let automaton = match rest {
        [] => Automaton::trivial(),
        _ => Automaton::new(terms, rest)?,
    };
    let predicates = |ids: &[TermId]| ids.iter().map(|&it| terms.predicate(it)).collect();
    let demands = Demands {
        infinitely: predicates(&case.infinitely),
        finally: predicates(&case.finally),
        pairs: case
            .pairs
            .iter()
            .map(|&(p, q)| (terms.predicate(p), terms.predicate(q)))
            .collect(),
        promises: automaton.promises,
    };
    let product = Product::new(*graph, &automaton, begins_anywhere, ticker)?;
    let found = Search::new(&product, &demands, ticker)?.run()?;
    let lasso = found.map(|it| lasso::extract(&product, &demands, it, ticker));
    ticker.give_back(product.bytes);
    lasso.transpose()
}

/// What a run has to satisfy beyond the automaton.
pub(crate) struct Demands {
    pub(crate) infinitely: Vec<Predicate>,
    pub(crate) finally: Vec<Predicate>,
    pub(crate) pairs: Vec<(Predicate, Predicate)>,
    pub(crate) promises: u64,
}

impl Demands {
    /// Whether a step may occur infinitely often, when `p` is to hold finally for these pairs.
    #[inline]
    pub(crate) fn admits(&self, kept_out: &[usize], letter: &Letter<'_>) -> bool {
        self.finally.iter().all(|it| it.holds(letter))
            && kept_out.iter().all(|&it| self.pairs[it].0.holds(letter))
    }
}

/// Nodes that lie on a common cycle which satisfies everything.
pub(crate) struct Component {
    pub(crate) nodes: Vec<NodeId>,
    /// Pairs whose `p` holds on all its steps because others were taken out.
    pub(crate) kept_out: Vec<usize>,
}

/// Not visited.
const NEW: u32 = 0;
/// In the component that is being looked at.
const HERE: u32 = u32::MAX - 1;
/// In a component that was looked at, or in none.
const DONE: u32 = u32::MAX;

struct Search<'p, 'a, 'w, 't> {
    product: &'p Product<'a>,
    demands: &'p Demands,
    /// Pearce's array: order of visits, then the earliest node that can be reached back.
    ranks: Vec<u32>,
    ticker: &'t mut Ticker<'w>,
    work: Vec<Component>,
    best: Option<(NodeId, Component)>,
}

/// A node that is being visited.
struct Frame {
    node: NodeId,
    place: u32,
    n_places: u32,
    is_root: bool,
}

impl<'p, 'a, 'w, 't> Search<'p, 'a, 'w, 't> {
    fn new(
        product: &'p Product<'a>,
        demands: &'p Demands,
        ticker: &'t mut Ticker<'w>,
    ) -> Result<Search<'p, 'a, 'w, 't>, Stopped> {
        ticker.spend(product.n_nodes() * 4)?;
        Ok(Search {
            product,
            demands,
            ranks: vec![NEW; product.n_nodes()],
            ticker,
            work: vec![],
            best: None,
        })
    }

    /// The nearest component.
    fn run(mut self) -> Result<Option<Component>, Stopped> {
        for root in 0..self.product.n_nodes() as NodeId {
            self.visit(root, &[])?;
        }
        while let Some(work) = self.work.pop() {
            for &node in &work.nodes {
                self.ranks[node as usize] = NEW;
            }
            for &node in &work.nodes {
                self.visit(node, &work.kept_out)?;
            }
        }
        self.ticker.give_back(self.ranks.len() * 4);
        Ok(self.best.map(|(_, it)| it))
    }

    /// Finds the components that can be reached from a root and were not found yet.
    fn visit(&mut self, root: NodeId, kept_out: &[usize]) -> Result<(), Stopped> {
        if self.ranks[root as usize] != NEW {
            return Ok(());
        }
        let mut next_rank = 1;
        let mut stack: Vec<NodeId> = vec![];
        let mut frames: Vec<Frame> = vec![];
        self.open(root, &mut next_rank, &mut frames)?;
        while let Some(frame) = frames.last_mut() {
            if frame.place < frame.n_places {
                let place = frame.place;
                frame.place += 1;
                let Some(step) = self.product.move_at(frame.node, place) else {
                    continue;
                };
                let rank = self.ranks[step.target as usize];
                // Done before the letter is asked: most targets are.
                if rank == DONE || !self.demands.admits(kept_out, &step.letter) {
                    continue;
                }
                if rank == NEW {
                    self.open(step.target, &mut next_rank, &mut frames)?;
                } else if rank < self.ranks[frame.node as usize] {
                    self.ranks[frame.node as usize] = rank;
                    frame.is_root = false;
                }
                continue;
            }
            let Frame { node, is_root, .. } = *frame;
            frames.pop();
            let rank = self.ranks[node as usize];
            if is_root {
                let mut start = stack.len();
                while start > 0 && rank <= self.ranks[stack[start - 1] as usize] {
                    start -= 1;
                }
                stack.push(node);
                next_rank -= (stack.len() - start) as u32;
                self.look_at(&stack[start..], kept_out)?;
                stack.truncate(start);
            } else {
                stack.push(node);
            }
            if let Some(parent) = frames.last_mut()
                && self.ranks[node as usize] < self.ranks[parent.node as usize]
            {
                self.ranks[parent.node as usize] = self.ranks[node as usize];
                parent.is_root = false;
            }
        }
        Ok(())
    }

    #[inline]
    fn open(&mut self, node: NodeId, next_rank: &mut u32, frames: &mut Vec<Frame>) -> Result<(), Stopped> {
        let n_places = self.product.n_places(node);
        self.ticker.tick(n_places)?;
        self.ranks[node as usize] = *next_rank;
        *next_rank += 1;
        frames.push(Frame {
            node,
            place: 0,
            n_places,
            is_root: true,
        });
        Ok(())
    }

    /// Decides about one component.
    fn look_at(&mut self, nodes: &[NodeId], kept_out: &[usize]) -> Result<(), Stopped> {
        for &node in nodes {
            self.ranks[node as usize] = HERE;
        }
        let inside = self.inside(nodes, kept_out)?;
        for &node in nodes {
            self.ranks[node as usize] = DONE;
        }
        if !inside.has_steps || !inside.missing.is_empty() || inside.kept != self.demands.promises {
            return Ok(());
        }
        let to_keep_out = inside.pairs_to_keep_out();
        if to_keep_out.is_empty() {
            let nearest = nodes.iter().copied().min().unwrap_or(NodeId::MAX);
            if self.best.as_ref().is_none_or(|(it, _)| nearest < *it) {
                let component = Component {
                    nodes: nodes.to_vec(),
                    kept_out: kept_out.to_vec(),
                };
                self.best = Some((nearest, component));
            }
        } else {
            self.work.push(Component {
                nodes: nodes.to_vec(),
                kept_out: kept_out.iter().copied().chain(to_keep_out).collect(),
            });
        }
        Ok(())
    }

    /// What the steps inside of a component satisfy.
    fn inside(&mut self, nodes: &[NodeId], kept_out: &[usize]) -> Result<Inside, Stopped> {
        let demands = self.demands;
        let mut inside = Inside {
            has_steps: false,
            missing: (0..demands.infinitely.len()).collect(),
            kept: 0,
            pairs: vec![(false, false); demands.pairs.len()],
        };
        for &node in nodes {
            let n_places = self.product.n_places(node);
            self.ticker.tick(n_places)?;
            for place in 0..n_places {
                let Some(step) = self.product.move_at(node, place) else {
                    continue;
                };
                if self.ranks[step.target as usize] != HERE || !demands.admits(kept_out, &step.letter) {
                    continue;
                }
                inside.has_steps = true;
                inside.kept |= step.kept;
                inside
                    .missing
                    .retain(|&it| !demands.infinitely[it].holds(&step.letter));
                for ((lacks_p, has_q), (p, q)) in inside.pairs.iter_mut().zip(&demands.pairs) {
                    if !*has_q {
                        *has_q = q.holds(&step.letter);
                        *lacks_p = *lacks_p || !p.holds(&step.letter);
                    }
                }
            }
        }
        Ok(inside)
    }
}

struct Inside {
    has_steps: bool,
    /// Numbers of `infinitely` demands that no step satisfies.
    missing: Vec<usize>,
    kept: u64,
    /// For each pair: whether some step lacks `p`, and whether some has `q`.
    pairs: Vec<(bool, bool)>,
}

impl Inside {
    fn pairs_to_keep_out(&self) -> Vec<usize> {
        let pairs = self.pairs.iter().enumerate();
        pairs
            .filter(|&(_, &(lacks_p, has_q))| lacks_p && !has_q)
            .map(|(it, _)| it)
            .collect()
    }
}

/// Counts work, and asks the watch now and then.
pub(crate) struct Ticker<'w> {
    watch: &'w dyn Watch,
    left: u32,
    bytes: usize,
}

/// Moves between two questions to the watch.
const MOVES_PER_LOOK: u32 = 1 << 18;

impl<'w> Ticker<'w> {
    pub(crate) fn new(watch: &'w dyn Watch) -> Ticker<'w> {
        Ticker {
            watch,
            left: MOVES_PER_LOOK,
            bytes: 0,
        }
    }

    #[inline]
    pub(crate) fn tick(&mut self, n_moves: u32) -> Result<(), Stopped> {
        match self.left.checked_sub(n_moves) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = MOVES_PER_LOOK;
                self.spend(0)
            }
        }
    }

    /// Before memory is taken.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), Stopped> {
        self.bytes += bytes;
        if self.watch.goes_on(self.bytes) {
            Ok(())
        } else {
            Err(Stopped::Interrupted)
        }
    }

    pub(crate) fn give_back(&mut self, bytes: usize) {
        self.bytes -= bytes;
    }
}
