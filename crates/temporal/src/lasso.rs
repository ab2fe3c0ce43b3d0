//! A behaviour as a prefix and a loop: made from a component, and evaluated by unfolding.

use util::deep;

use crate::formula::Formula;
use crate::graph::{Graph, Letter, STUTTERING};
use crate::product::{Move, NodeId, Product};
use crate::search::{Component, Demands, Stopped, Ticker};

/// States `0..` in order; after the last one comes the state at `loop_start` again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    pub states: Vec<u32>,
    /// The step that leaves each state, as an index into the graph's steps; `None` stutters.
    pub steps: Vec<Option<u32>>,
    pub loop_start: usize,
}

impl Lasso {
    #[allow(clippy::len_without_is_empty, reason = "a behaviour has a state")]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    fn new(prefix: Vec<Taken>, cycle: Vec<Taken>) -> Lasso {
        let loop_start = prefix.len();
        let all = || prefix.iter().chain(&cycle);
        let step = |&(_, step): &Taken| (step != STUTTERING).then_some(step);
        Lasso {
            states: all().map(|it| it.0).collect(),
            steps: all().map(step).collect(),
            loop_start,
        }
    }

    /// Without stuttering steps, unless the loop is one, and with the loop begun as early as possible. A formula that
    /// cannot tell stuttering says the same of both.
    pub(crate) fn tidied(&self) -> Lasso {
        let all = self.states.iter().copied().zip(self.steps.iter().copied());
        let all: Vec<Taken> = all
            .map(|(state, step)| (state, step.unwrap_or(STUTTERING)))
            .collect();
        let (prefix, cycle) = all.split_at(self.loop_start);
        let moves = |way: &[Taken]| -> Vec<Taken> {
            way.iter()
                .copied()
                .filter(|&(_, step)| step != STUTTERING)
                .collect()
        };
        let mut prefix = moves(prefix);
        let mut cycle = match moves(cycle) {
            none if none.is_empty() => cycle[..1].to_vec(),
            some => some,
        };
        // `a b (c b)` is `a (b c)`.
        while let (Some(last), Some(before)) = (cycle.last(), prefix.last())
            && last == before
        {
            prefix.pop();
            cycle.rotate_right(1);
        }
        Lasso::new(prefix, cycle)
    }

    /// Whether it ends with one state that is repeated for ever.
    pub fn stutters(&self) -> bool {
        self.loop_start + 1 == self.len() && self.steps[self.loop_start].is_none()
    }
}

/// Whether the formula holds at each position of the lasso, by the definition of the operators.
pub fn truth(graph: &Graph<'_>, lasso: &Lasso, formula: &Formula) -> Vec<bool> {
    let n = lasso.len();
    let letters = || (0..n).map(|it| graph.letter(lasso.states[it], lasso.steps[it].unwrap_or(STUTTERING)));
    deep(|| match formula {
        Formula::Const(it) => vec![*it; n],
        Formula::State(label) => letters().map(|it| it.state_has(*label)).collect(),
        Formula::Step(label) => letters().map(|it| it.step_has(*label)).collect(),
        Formula::Not(inner) => truth(graph, lasso, inner).iter().map(|it| !it).collect(),
        Formula::And(items) | Formula::Or(items) => {
            let is_and = matches!(formula, Formula::And(_));
            let mut whole = vec![is_and; n];
            for item in items {
                for (whole, one) in whole.iter_mut().zip(truth(graph, lasso, item)) {
                    *whole = if is_and { *whole && one } else { *whole || one };
                }
            }
            whole
        }
        Formula::Always(inner) | Formula::Eventually(inner) => {
            let is_always = matches!(formula, Formula::Always(_));
            let now = truth(graph, lasso, inner);
            let in_loop = &now[lasso.loop_start..];
            let mut later = match is_always {
                true => in_loop.iter().all(|&it| it),
                false => in_loop.iter().any(|&it| it),
            };
            let mut whole = vec![later; n];
            for position in (0..lasso.loop_start).rev() {
                later = match is_always {
                    true => later && now[position],
                    false => later || now[position],
                };
                whole[position] = later;
            }
            whole
        }
    })
}

/// A step with the state that it leaves.
type Taken = (u32, u32);

/// A short lasso into a component and around in it.
pub(crate) fn extract(
    product: &Product<'_>,
    demands: &Demands,
    component: Component,
    ticker: &mut Ticker<'_>,
) -> Result<Lasso, Stopped> {
    let n_nodes = product.n_nodes();
    ticker.spend(n_nodes * 9)?;
    let mut walker = Walker {
        product,
        demands,
        kept_out: &component.kept_out,
        is_inside: vec![false; n_nodes],
        came_by: vec![NOT_YET; n_nodes],
        reached: vec![],
        ticker,
    };
    for &node in &component.nodes {
        walker.is_inside[node as usize] = true;
    }
    let obligations = walker.obligations(&component.nodes);
    let still = component
        .nodes
        .iter()
        .copied()
        .filter(|&it| walker.may_stay(it, &obligations))
        .collect::<Vec<_>>();
    let goals = if still.is_empty() {
        &component.nodes
    } else {
        &still
    };
    let (prefix, entry) = walker.prefix(goals)?;
    let cycle = if still.is_empty() {
        walker.cycle(entry, obligations)?
    } else {
        vec![(product.pair(entry).0, STUTTERING)]
    };
    ticker.give_back(n_nodes * 9);
    Ok(Lasso::new(prefix, cycle))
}

/// Something that a loop must contain.
#[derive(Clone, Copy)]
enum Obligation {
    Infinitely(usize),
    Promise(u32),
    Pair(usize),
    /// At least one step.
    Step,
}

impl Obligation {
    fn is_met(self, demands: &Demands, step: &Move<'_>) -> bool {
        self.is_met_by(demands, &step.letter, step.kept)
    }

    fn is_met_by(self, demands: &Demands, letter: &Letter<'_>, kept: u64) -> bool {
        match self {
            Obligation::Infinitely(it) => demands.infinitely[it].holds(letter),
            Obligation::Promise(bit) => kept >> bit & 1 == 1,
            Obligation::Pair(it) => demands.pairs[it].1.holds(letter),
            Obligation::Step => true,
        }
    }
}

const NOT_YET: (NodeId, u32) = (u32::MAX, u32::MAX);
const FROM_NOWHERE: (NodeId, u32) = (u32::MAX - 1, u32::MAX);

struct Walker<'p, 'a, 'w, 't> {
    product: &'p Product<'a>,
    demands: &'p Demands,
    kept_out: &'p [usize],
    is_inside: Vec<bool>,
    /// The node before, and the place of the move from it.
    came_by: Vec<(NodeId, u32)>,
    /// Nodes that `came_by` knows of.
    reached: Vec<NodeId>,
    ticker: &'t mut Ticker<'w>,
}

impl<'p, 'a> Walker<'p, 'a, '_, '_> {
    fn moves(&self, node: NodeId) -> impl Iterator<Item = (u32, Move<'a>)> + use<'p, 'a> {
        let product = self.product;
        (0..product.n_places(node)).filter_map(move |it| Some((it, product.move_at(node, it)?)))
    }

    /// The move stays in the component and may be taken infinitely often.
    fn is_kept_inside(&self, step: &Move<'_>) -> bool {
        self.is_inside[step.target as usize] && self.demands.admits(self.kept_out, &step.letter)
    }

    fn obligations(&self, nodes: &[NodeId]) -> Vec<Obligation> {
        let demands = self.demands;
        let mut all = vec![Obligation::Step];
        all.extend((0..demands.infinitely.len()).map(Obligation::Infinitely));
        all.extend(
            (0..64)
                .filter(|it| demands.promises >> it & 1 == 1)
                .map(Obligation::Promise),
        );
        let mut lacking = vec![false; demands.pairs.len()];
        for &node in nodes {
            for (_, step) in self.moves(node).filter(|(_, it)| self.is_kept_inside(it)) {
                for (lacks, (p, _)) in lacking.iter_mut().zip(&demands.pairs) {
                    *lacks = *lacks || !p.holds(&step.letter);
                }
            }
        }
        all.extend((0..lacking.len()).filter(|&it| lacking[it]).map(Obligation::Pair));
        all
    }

    /// Whether stuttering here for ever meets everything.
    fn may_stay(&self, node: NodeId, obligations: &[Obligation]) -> bool {
        let demands = self.demands;
        self.moves(node).any(|(_, step)| {
            step.step == STUTTERING
                && step.target == node
                && self.is_kept_inside(&step)
                && obligations.iter().all(|it| match it {
                    // A pair is also met where its `p` holds all the time.
                    Obligation::Pair(pair) => {
                        demands.pairs[*pair].0.holds(&step.letter) || it.is_met(demands, &step)
                    }
                    _ => it.is_met(demands, &step),
                })
        })
    }

    fn forget(&mut self) {
        for node in self.reached.drain(..) {
            self.came_by[node as usize] = NOT_YET;
        }
    }

    fn reach(&mut self, node: NodeId, by: (NodeId, u32)) -> bool {
        if self.came_by[node as usize] != NOT_YET {
            return false;
        }
        self.came_by[node as usize] = by;
        self.reached.push(node);
        true
    }

    /// The steps that led to a node, from where the search began.
    fn way_to(&self, node: NodeId) -> (NodeId, Vec<Taken>) {
        let mut way = vec![];
        let mut at = node;
        while self.came_by[at as usize] != FROM_NOWHERE {
            let (before, place) = self.came_by[at as usize];
            let Some(step) = self.product.move_at(before, place) else {
                unreachable!("a move that was taken can be taken")
            };
            way.push((self.product.pair(before).0, step.step));
            at = before;
        }
        way.reverse();
        (at, way)
    }

    /// A shortest way from an initial state to one of the goals.
    fn prefix(&mut self, goals: &[NodeId]) -> Result<(Vec<Taken>, NodeId), Stopped> {
        let mut is_goal = vec![false; self.product.n_nodes()];
        goals.iter().for_each(|&it| is_goal[it as usize] = true);
        let graph = self.product.graph;
        let roads = Roads::new(&graph);
        self.forget();
        // Nodes by how many steps they are away from an initial state. Roots far away come in when it is their turn.
        let n_roots = self.product.n_roots();
        let begins = if self.product.begins_anywhere || n_roots != graph.n_initial {
            &roads.order[..]
        } else {
            &roads.order[..graph.n_initial as usize]
        };
        let mut next_root = 0;
        let mut level: Vec<NodeId> = vec![];
        let mut depth = 0;
        loop {
            // Node r < n_roots is state r.
            while next_root < begins.len() && roads.depths[begins[next_root] as usize] == depth {
                let root = begins[next_root];
                if self.reach(root, FROM_NOWHERE) {
                    level.push(root);
                }
                next_root += 1;
            }
            if let Some(&goal) = level.iter().find(|&&it| is_goal[it as usize]) {
                let (root, way) = self.way_to(goal);
                let mut whole = roads.way_to(&graph, self.product.pair(root).0);
                whole.extend(way);
                return Ok((whole, goal));
            }
            assert!(
                !level.is_empty() || next_root < begins.len(),
                "every node of the product can be reached"
            );
            level = self.next_level(&level, |_, _| true)?;
            depth += 1;
        }
    }

    fn next_level(
        &mut self,
        level: &[NodeId],
        admits: impl Fn(&Self, &Move<'_>) -> bool,
    ) -> Result<Vec<NodeId>, Stopped> {
        let mut next = vec![];
        for &node in level {
            self.ticker.tick(self.product.n_places(node))?;
            for (place, step) in self.moves(node) {
                if admits(self, &step) && self.reach(step.target, (node, place)) {
                    next.push(step.target);
                }
            }
        }
        Ok(next)
    }

    /// A way around from `entry` that meets all obligations: always to the nearest that is left.
    fn cycle(&mut self, entry: NodeId, mut left: Vec<Obligation>) -> Result<Vec<Taken>, Stopped> {
        let mut cycle = vec![];
        let mut at = entry;
        loop {
            let goal = if left.is_empty() { Some(entry) } else { None };
            if goal == Some(at) {
                return Ok(cycle);
            }
            let (way, last) = self.way_inside(at, goal, &left)?;
            let mut node = at;
            for &(before, place) in &way {
                debug_assert_eq!(before, node);
                let Some(step) = self.product.move_at(before, place) else {
                    unreachable!("a move that was taken can be taken")
                };
                left.retain(|it| !it.is_met(self.demands, &step));
                cycle.push((self.product.pair(before).0, step.step));
                node = step.target;
            }
            at = last;
        }
    }

    /// A shortest way inside the component to a goal, or through a move that meets one of the obligations.
    fn way_inside(
        &mut self,
        from: NodeId,
        goal: Option<NodeId>,
        left: &[Obligation],
    ) -> Result<(Vec<(NodeId, u32)>, NodeId), Stopped> {
        self.forget();
        self.reach(from, FROM_NOWHERE);
        let mut level = vec![from];
        loop {
            assert!(!level.is_empty(), "a component is strongly connected");
            for &node in &level {
                for (place, step) in self.moves(node) {
                    let is_it = goal == Some(step.target)
                        || goal.is_none() && left.iter().any(|it| it.is_met(self.demands, &step));
                    if is_it && self.is_kept_inside(&step) {
                        let mut way = vec![(node, place)];
                        let mut at = node;
                        while self.came_by[at as usize] != FROM_NOWHERE {
                            way.push(self.came_by[at as usize]);
                            at = self.came_by[at as usize].0;
                        }
                        way.reverse();
                        return Ok((way, step.target));
                    }
                }
            }
            level = self.next_level(&level, |walker, step| walker.is_kept_inside(step))?;
        }
    }
}

/// Shortest ways through the graph itself.
struct Roads {
    /// States in the order of their distance from an initial state.
    order: Vec<u32>,
    depths: Vec<u32>,
    came_by: Vec<(u32, u32)>,
}

impl Roads {
    fn new(graph: &Graph<'_>) -> Roads {
        let n = graph.n_states() as usize;
        let mut roads = Roads {
            order: (0..graph.n_initial).collect(),
            depths: vec![u32::MAX; n],
            came_by: vec![NOT_YET; n],
        };
        for state in 0..graph.n_initial as usize {
            roads.depths[state] = 0;
        }
        let mut next = 0;
        while let Some(&state) = roads.order.get(next) {
            next += 1;
            for step in graph.steps(state) {
                let target = graph.targets[step as usize];
                if roads.depths[target as usize] == u32::MAX {
                    roads.depths[target as usize] = roads.depths[state as usize] + 1;
                    roads.came_by[target as usize] = (state, step);
                    roads.order.push(target);
                }
            }
        }
        roads
    }

    fn way_to(&self, graph: &Graph<'_>, state: u32) -> Vec<Taken> {
        let mut way = vec![];
        let mut at = state;
        while at >= graph.n_initial {
            let (before, step) = self.came_by[at as usize];
            way.push((before, step));
            at = before;
        }
        way.reverse();
        way
    }
}
