//! Whether some infinite path of a graph satisfies a temporal formula and is fair: the tableau of the textbooks.
//!
//! Give every `[]F` and `<>F` inside the formula a truth value at each moment of a path. The values are consistent when `[]F` now is
//! `F` now and `[]F` next, and `<>F` now is `F` now or `<>F` next; and they are right when, besides, `<>F` is not put off for ever
//! and `[]F` is not denied for ever without a reason. (Lichtenstein and Pnueli, *Checking that finite state concurrent programs satisfy
//! their linear specification*, 1985.) So the nodes are steps of the graph with truth values, the edges are consistent, and
//! a path satisfies the formula exactly when a strongly connected set of nodes is reached in which every promise is kept.
//! Weak fairness is one more promise; strong fairness removes the nodes where an action is enabled that is never taken, and looks
//! again (Streett).

use util::{FxHashMap, FxHashSet};

use crate::Result;
use crate::fuel::give_up;

/// More temporal operators in one formula than this are too many truth values.
const PROMISES_MAX: usize = 12;
/// More nodes than this are too many.
const NODES_MAX: usize = 4_000_000;

/// The graph of all states. Each state has at least one next state: itself.
pub(crate) trait Graph {
    fn initial(&self) -> Vec<usize>;
    fn next(&self, state: usize) -> Vec<usize>;
    /// Whether a step, or a state with any step, has a property.
    fn holds(&self, atom: usize, state: usize, next: usize) -> Result<bool>;
}

#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Atom(usize),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    /// `[]F` or `<>F`, by its number: only inside the tableau.
    Promised(usize),
}

impl Formula {
    pub fn constant(holds: bool) -> Formula {
        match holds {
            true => Formula::And(vec![]),
            false => Formula::Or(vec![]),
        }
    }

    pub fn not(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    pub fn always(self) -> Formula {
        Formula::Always(Box::new(self))
    }

    pub fn eventually(self) -> Formula {
        Formula::Eventually(Box::new(self))
    }
}

/// Fairness of an action, by what says that it is enabled and that a step is one of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fair {
    pub is_strong: bool,
    pub enabled: usize,
    pub taken: usize,
}

impl Fair {
    pub fn formula(self) -> Formula {
        let never = Formula::Atom(self.enabled).not();
        let idle = match self.is_strong {
            false => never.eventually().always(),
            true => never.always().eventually(),
        };
        Formula::Or(vec![idle, Formula::Atom(self.taken).eventually().always()])
    }
}

/// `[]inner` or `<>inner`.
struct Promise {
    is_always: bool,
    inner: Formula,
}

/// A step of the graph at some moment of a path, with the truth of the promises then.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    state: usize,
    next: usize,
    /// One bit for each promise.
    truth: u32,
}

struct Tableau<'a, G> {
    graph: &'a G,
    fair: &'a [Fair],
    promises: Vec<Promise>,
    nodes: Vec<Node>,
    places: FxHashMap<Node, usize>,
    edges: Vec<Vec<usize>>,
    /// How each node is reached first.
    parents: Vec<Option<usize>>,
}

/// A fair path that satisfies the formula: its states, and where it goes back to after the last one.
pub(crate) fn find<G: Graph>(
    graph: &G,
    formula: &Formula,
    fair: &[Fair],
) -> Result<Option<(Vec<usize>, usize)>> {
    let mut tableau = Tableau {
        graph,
        fair,
        promises: vec![],
        nodes: vec![],
        places: FxHashMap::default(),
        edges: vec![],
        parents: vec![],
    };
    let formula = tableau.number(formula);
    if tableau.promises.len() > PROMISES_MAX {
        return give_up();
    }
    tableau.unfold(&formula)?;
    let all = (0..tableau.nodes.len()).collect();
    match tableau.fair_component(all)? {
        Some(component) => tableau.lasso(&component).map(Some),
        None => Ok(None),
    }
}

impl<G: Graph> Tableau<'_, G> {
    /// The formula with its temporal parts as numbered promises, inner ones first.
    fn number(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::Atom(_) | Formula::Promised(_) => formula.clone(),
            Formula::Not(it) => self.number(it).not(),
            Formula::And(items) => Formula::And(items.iter().map(|it| self.number(it)).collect()),
            Formula::Or(items) => Formula::Or(items.iter().map(|it| self.number(it)).collect()),
            Formula::Always(it) | Formula::Eventually(it) => {
                let inner = self.number(it);
                let is_always = matches!(formula, Formula::Always(_));
                self.promises.push(Promise { is_always, inner });
                Formula::Promised(self.promises.len() - 1)
            }
        }
    }

    fn holds(&self, formula: &Formula, node: Node) -> Result<bool> {
        match formula {
            Formula::Atom(atom) => self.graph.holds(*atom, node.state, node.next),
            Formula::Not(it) => Ok(!self.holds(it, node)?),
            Formula::And(items) => {
                for it in items {
                    if !self.holds(it, node)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Formula::Or(items) => {
                for it in items {
                    if self.holds(it, node)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Formula::Promised(number) => Ok(node.truth >> number & 1 == 1),
            Formula::Always(_) | Formula::Eventually(_) => unreachable!("they have become promises"),
        }
    }

    /// The truth values that may follow those of a node; none when its own contradict each other.
    fn truths_after(&self, node: Node) -> Result<Vec<u32>> {
        let mut all = vec![0];
        for (i, promise) in self.promises.iter().enumerate() {
            let now = node.truth >> i & 1;
            let inner = u32::from(self.holds(&promise.inner, node)?);
            // `[]F` now is `F` now and `[]F` next; `<>F` now is `F` now or `<>F` next.
            let fits = |next: &u32| match promise.is_always {
                true => now == inner & next,
                false => now == inner | next,
            };
            let nexts: Vec<u32> = [0, 1].into_iter().filter(fits).collect();
            all = all
                .iter()
                .flat_map(|before| nexts.iter().map(move |next| before | next << i))
                .collect();
        }
        Ok(all)
    }

    /// All nodes that are reached from those where the formula is true of an initial state.
    fn unfold(&mut self, formula: &Formula) -> Result<()> {
        for state in self.graph.initial() {
            for next in self.graph.next(state) {
                for truth in 0..1 << self.promises.len() {
                    let node = Node { state, next, truth };
                    if self.holds(formula, node)? {
                        self.place(node, None)?;
                    }
                }
            }
        }
        let mut at = 0;
        while at < self.nodes.len() {
            let node = self.nodes[at];
            for truth in self.truths_after(node)? {
                for next in self.graph.next(node.next) {
                    let after = Node {
                        state: node.next,
                        next,
                        truth,
                    };
                    let place = self.place(after, Some(at))?;
                    self.edges[at].push(place);
                }
            }
            at += 1;
        }
        Ok(())
    }

    fn place(&mut self, node: Node, parent: Option<usize>) -> Result<usize> {
        if let Some(&known) = self.places.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() == NODES_MAX {
            return give_up();
        }
        self.places.insert(node, self.nodes.len());
        self.nodes.push(node);
        self.edges.push(vec![]);
        self.parents.push(parent);
        Ok(self.nodes.len() - 1)
    }

    /// A strongly connected set of nodes, out of these, in which every promise is kept and every action is treated fairly.
    fn fair_component(&self, nodes: Vec<usize>) -> Result<Option<FxHashSet<usize>>> {
        let mut todo = vec![nodes];
        while let Some(nodes) = todo.pop() {
            let mut components = components(&nodes, &self.edges);
            // The nearest one makes the shortest story.
            components.sort_by_key(|it| it.iter().min().copied());
            'components: for component in components {
                if component.len() == 1 && !self.edges[component[0]].contains(&component[0]) {
                    continue;
                }
                if !self.keeps_promises(&component)? {
                    continue;
                }
                for fair in self.fair.iter().filter(|it| it.is_strong) {
                    if self.some(&component, |it| self.atom(fair.enabled, it))?.is_some()
                        && self.some(&component, |it| self.atom(fair.taken, it))?.is_none()
                    {
                        // A fair path in here stays away from where the action is enabled.
                        let mut rest = vec![];
                        for &node in &component {
                            if !self.atom(fair.enabled, self.nodes[node])? {
                                rest.push(node);
                            }
                        }
                        todo.push(rest);
                        continue 'components;
                    }
                }
                return Ok(Some(component.into_iter().collect()));
            }
        }
        Ok(None)
    }

    fn atom(&self, atom: usize, node: Node) -> Result<bool> {
        self.graph.holds(atom, node.state, node.next)
    }

    /// A node of a set that has a property.
    fn some(&self, nodes: &[usize], has: impl Fn(Node) -> Result<bool>) -> Result<Option<usize>> {
        for &node in nodes {
            if has(self.nodes[node])? {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    fn keeps_promises(&self, component: &[usize]) -> Result<bool> {
        for i in 0..self.promises.len() {
            if self.some(component, |it| self.is_kept(i, it))?.is_none() {
                return Ok(false);
            }
        }
        for fair in self.fair.iter().filter(|it| !it.is_strong) {
            if self
                .some(component, |it| self.is_weakly_fair(fair, it))?
                .is_none()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a promise asks nothing more of the moments after this one: `<>F` is not promised, or `F` is here; `[]F` is not denied,
    /// or `F` is false here.
    fn is_kept(&self, promise: usize, node: Node) -> Result<bool> {
        let is_promised = node.truth >> promise & 1 == 1;
        let Promise { is_always, inner } = &self.promises[promise];
        match is_always {
            true => Ok(is_promised || !self.holds(inner, node)?),
            false => Ok(!is_promised || self.holds(inner, node)?),
        }
    }

    fn is_weakly_fair(&self, fair: &Fair, node: Node) -> Result<bool> {
        Ok(self.atom(fair.taken, node)? || !self.atom(fair.enabled, node)?)
    }

    /// A way into the component, and round in it past everything that makes it right.
    fn lasso(&self, component: &FxHashSet<usize>) -> Result<(Vec<usize>, usize)> {
        let mut members: Vec<usize> = component.iter().copied().collect();
        members.sort_unstable();
        // Nodes are numbered in the order in which they are found, so the first one is nearest.
        let entry = members[0];
        let mut path = vec![];
        let mut at = Some(entry);
        while let Some(node) = at {
            path.push(node);
            at = self.parents[node];
        }
        path.reverse();
        let loop_start = path.len() - 1;
        let mut visits = vec![];
        for i in 0..self.promises.len() {
            visits.extend(self.some(&members, |it| self.is_kept(i, it))?);
        }
        for fair in self.fair {
            visits.extend(match fair.is_strong {
                true => self.some(&members, |it| self.atom(fair.taken, it))?,
                false => self.some(&members, |it| self.is_weakly_fair(fair, it))?,
            });
        }
        for visit in visits {
            let from = path[path.len() - 1];
            if !path[loop_start..].contains(&visit) {
                path.extend(self.way(from, visit, component));
            }
        }
        let mut back = self.way(path[path.len() - 1], entry, component);
        back.pop();
        path.extend(back);
        let states = path.iter().map(|&it| self.nodes[it].state).collect();
        Ok((states, loop_start))
    }

    /// A shortest way of at least one edge inside a component, without its first node.
    fn way(&self, from: usize, to: usize, component: &FxHashSet<usize>) -> Vec<usize> {
        let mut parents: FxHashMap<usize, usize> = FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &next in self.edges[node].iter().filter(|it| component.contains(it)) {
                if parents.contains_key(&next) {
                    continue;
                }
                parents.insert(next, node);
                queue.push_back(next);
            }
            if parents.contains_key(&to) {
                break;
            }
        }
        let mut way = vec![to];
        while let Some(&before) = parents.get(&way[way.len() - 1]) {
            if before == from {
                break;
            }
            way.push(before);
        }
        way.reverse();
        way
    }
}

/// The strongly connected components of a part of a graph (Tarjan), with a stack of its own instead of recursion.
fn components(nodes: &[usize], edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let mut is_allowed = vec![false; edges.len()];
    nodes.iter().for_each(|&it| is_allowed[it] = true);
    // When each node was entered, and the earliest entry that is reached from it.
    let (mut entered, mut lowest) = (vec![NONE; edges.len()], vec![NONE; edges.len()]);
    let mut n_entered = 0;
    let mut open: Vec<usize> = vec![];
    let mut is_open = vec![false; edges.len()];
    let mut all = vec![];
    for &root in nodes {
        // Nodes on the way, each with the edge that is next.
        let mut way = match entered[root] {
            NONE => vec![(root, 0)],
            _ => continue,
        };
        while let Some((node, edge)) = way.pop() {
            if edge == 0 {
                (entered[node], lowest[node]) = (n_entered, n_entered);
                n_entered += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some(&next) = edges[node].get(edge) {
                way.push((node, edge + 1));
                if is_allowed[next] && entered[next] == NONE {
                    way.push((next, 0));
                } else if is_allowed[next] && is_open[next] {
                    lowest[node] = lowest[node].min(entered[next]);
                }
                continue;
            }
            if let Some(&(parent, _)) = way.last() {
                lowest[parent] = lowest[parent].min(lowest[node]);
            }
            if lowest[node] == entered[node] {
                let first = open.iter().rposition(|&it| it == node).unwrap_or(0);
                let component = open.split_off(first);
                component.iter().for_each(|&it| is_open[it] = false);
                all.push(component);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests;
