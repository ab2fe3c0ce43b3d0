//! Random graphs and formulas: what is found satisfies the formula and is fair, and where nothing is found, no short behaviour does.

use super::*;

/// Three states; every one may be repeated.
struct Small {
    edges: [Vec<usize>; 3],
    /// By atom and state.
    of_states: [[bool; 3]; 2],
    /// By atom (the third and the fourth), state and next state.
    of_steps: [[[bool; 3]; 3]; 2],
}

impl Graph for Small {
    fn initial(&self) -> Vec<usize> {
        vec![0]
    }

    fn next(&self, state: usize) -> Vec<usize> {
        self.edges[state].clone()
    }

    fn holds(&self, atom: usize, state: usize, next: usize) -> Result<bool> {
        Ok(match atom {
            0 | 1 => self.of_states[atom][state],
            _ => self.of_steps[atom - 2][state][next],
        })
    }
}

/// A sequence that is the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % sides) as usize
    }

    fn flip(&mut self) -> bool {
        self.roll(2) == 1
    }

    fn graph(&mut self) -> Small {
        let mut edges = [vec![], vec![], vec![]];
        for (state, next) in edges.iter_mut().enumerate() {
            next.extend((0..3).filter(|&it| it == state || self.flip()));
        }
        let mut three = || [self.flip(), self.flip(), self.flip()];
        Small {
            edges,
            of_states: [three(), three()],
            of_steps: [[three(), three(), three()], [three(), three(), three()]],
        }
    }

    fn formula(&mut self, depth: usize) -> Formula {
        let side = if depth == 0 { 0 } else { self.roll(6) };
        match side {
            0 => Formula::Atom(self.roll(4)),
            1 => self.formula(depth - 1).not(),
            2 => Formula::And(vec![self.formula(depth - 1), self.formula(depth - 1)]),
            3 => Formula::Or(vec![self.formula(depth - 1), self.formula(depth - 1)]),
            4 => self.formula(depth - 1).always(),
            _ => self.formula(depth - 1).eventually(),
        }
    }
}

/// The truth of a formula at each moment of a lasso, by the definitions.
fn moments(formula: &Formula, graph: &Small, states: &[usize], loop_start: usize) -> Vec<bool> {
    let n = states.len();
    let go = |it: &Formula| moments(it, graph, states, loop_start);
    let later = |moment: usize| (moment..n).chain(loop_start..n);
    match formula {
        Formula::Atom(atom) => (0..n)
            .map(|i| {
                let next = states[if i + 1 < n { i + 1 } else { loop_start }];
                graph.holds(*atom, states[i], next) == Ok(true)
            })
            .collect(),
        Formula::Not(it) => go(it).iter().map(|it| !it).collect(),
        Formula::And(items) => {
            let all: Vec<Vec<bool>> = items.iter().map(go).collect();
            (0..n).map(|i| all.iter().all(|it| it[i])).collect()
        }
        Formula::Or(items) => {
            let all: Vec<Vec<bool>> = items.iter().map(go).collect();
            (0..n).map(|i| all.iter().any(|it| it[i])).collect()
        }
        Formula::Always(it) => {
            let it = go(it);
            (0..n).map(|i| later(i).all(|at| it[at])).collect()
        }
        Formula::Eventually(it) => {
            let it = go(it);
            (0..n).map(|i| later(i).any(|at| it[at])).collect()
        }
        Formula::Promised(_) => unreachable!("a tableau has these, a formula has not"),
    }
}

fn is_right(formula: &Formula, fair: &[Fair], graph: &Small, states: &[usize], loop_start: usize) -> bool {
    let fair = fair.iter().map(|it| it.formula());
    fair.chain([formula.clone()])
        .all(|it| moments(&it, graph, states, loop_start)[0])
}

/// Whether some lasso of at most so many states is right.
fn exists(formula: &Formula, fair: &[Fair], graph: &Small, path: &mut Vec<usize>, left: usize) -> bool {
    let last = path[path.len() - 1];
    let closes = |&at: &usize| graph.edges[last].contains(&path[at]);
    if (0..path.len())
        .filter(closes)
        .any(|at| is_right(formula, fair, graph, path, at))
    {
        return true;
    }
    if left == 0 {
        return false;
    }
    for &next in &graph.edges[last] {
        path.push(next);
        let found = exists(formula, fair, graph, path, left - 1);
        path.pop();
        if found {
            return true;
        }
    }
    false
}

#[test]
fn the_tableau_decides_as_the_definitions_do() {
    let mut dice = Dice(7);
    let (mut n_found, mut n_none) = (0, 0);
    for _ in 0..1500 {
        let graph = dice.graph();
        let formula = dice.formula(4);
        let fair: Vec<Fair> = (0..dice.roll(3))
            .map(|_| Fair {
                is_strong: dice.flip(),
                enabled: dice.roll(2),
                taken: 2 + dice.roll(2),
            })
            .collect();
        match find(&graph, &formula, &fair) {
            Ok(Some((states, loop_start))) => {
                n_found += 1;
                assert!(
                    is_right(&formula, &fair, &graph, &states, loop_start),
                    "{formula:?} {fair:?} {states:?} {loop_start}"
                );
                let steps = states.windows(2).all(|it| graph.edges[it[0]].contains(&it[1]));
                assert!(steps && graph.edges[states[states.len() - 1]].contains(&states[loop_start]));
            }
            Ok(None) => {
                n_none += 1;
                assert!(
                    !exists(&formula, &fair, &graph, &mut vec![0], 4),
                    "{formula:?} {fair:?} has a behaviour"
                );
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(n_found > 300 && n_none > 100, "{n_found} and {n_none}");
}
