//! Searches and games against plain reference implementations, on random graphs.

use explore::Random;
use proptest::prelude::*;
use solve::{
    Arena, Best, Edge, Explicit, Key, Lazy, Optimal, UNREACHED, Value, Values, attract, best_first,
    distances, follow, recur,
};

fn weighted(seed: u64, n: usize, cost_max: usize) -> Explicit {
    let mut random = Random::new(seed);
    let edges = (0..n)
        .map(|_| {
            let mut edges: Vec<Edge> = vec![];
            for _ in 0..random.below(4) {
                let to = random.below(n) as u32;
                if edges.iter().all(|it| it.to != to) {
                    let cost = random.below(cost_max + 1) as u32;
                    edges.push(Edge { to, cost });
                }
            }
            edges
        })
        .collect();
    Explicit {
        initial: (0..1 + random.below(2) as u32)
            .filter(|&it| (it as usize) < n)
            .collect(),
        edges,
        is_goal: (0..n).map(|_| random.below(6) == 0).collect(),
        estimates: vec![],
    }
}

/// Bellman and Ford: keys from the initial nodes. Goals are not left.
fn keys_from_start(graph: &Explicit) -> Vec<Key> {
    let n = graph.edges.len();
    let mut keys = vec![Key::UNKNOWN; n];
    graph
        .initial
        .iter()
        .for_each(|&it| keys[it as usize] = Key::START);
    for _ in 0..=n {
        for from in (0..n).filter(|&it| !graph.is_goal[it]) {
            for edge in &graph.edges[from] {
                if keys[from] == Key::UNKNOWN {
                    continue;
                }
                let key = keys[from].after(*edge);
                keys[edge.to as usize] = keys[edge.to as usize].min(key);
            }
        }
    }
    keys
}

/// The same towards the goals, in costs.
fn costs_to_goal(graph: &Explicit) -> Vec<u64> {
    let n = graph.edges.len();
    let mut costs: Vec<u64> = graph
        .is_goal
        .iter()
        .map(|&it| if it { 0 } else { UNREACHED })
        .collect();
    for _ in 0..=n {
        for from in 0..n {
            for edge in &graph.edges[from] {
                let cost = costs[edge.to as usize].saturating_add(u64::from(edge.cost));
                costs[from] = costs[from].min(cost);
            }
        }
    }
    costs
}

/// All ways from a node to a goal with exactly this much to spend, by trying.
fn ways(graph: &Explicit, node: u32, left: Key, way: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
    way.push(node);
    if graph.is_goal[node as usize] {
        if left == Key::START {
            all.push(way.clone());
        }
    } else if left.steps > 0 && all.len() < 5000 {
        for edge in &graph.edges[node as usize] {
            if u64::from(edge.cost) <= left.cost {
                let left = Key {
                    cost: left.cost - u64::from(edge.cost),
                    steps: left.steps - 1,
                };
                ways(graph, edge.to, left, way, all);
            }
        }
    }
    way.pop();
}

fn least(graph: &Explicit) -> Option<Key> {
    let keys = keys_from_start(graph);
    let goals = (0..keys.len()).filter(|&it| graph.is_goal[it]).map(|it| keys[it]);
    goals.min().filter(|&it| it != Key::UNKNOWN)
}

fn searched(graph: &Explicit) -> (Explicit, Best) {
    let mut graph = graph.clone();
    let Ok(best) = best_first(&mut graph);
    (graph, best)
}

fn is_way(graph: &Explicit, way: &[u32], key: Key) -> bool {
    let mut at = Key::START;
    for two in way.windows(2) {
        match graph.edges[two[0] as usize].iter().find(|it| it.to == two[1]) {
            Some(edge) => at = at.after(*edge),
            None => return false,
        }
    }
    at == key && graph.initial.contains(&way[0])
}

/// Positions with moves of two or three players. In an arena that takes turns, each position has one mover.
fn arena(seed: u64, n: usize, takes_turns: bool) -> Arena {
    let mut random = Random::new(seed);
    let n_players = 2 + random.below(2);
    let mut arena = Arena {
        n_initial: 1,
        offsets: vec![0],
        ..Arena::default()
    };
    for position in 0..n {
        let owner = random.below(n_players) as u8;
        let mut moves: Vec<(u8, u32)> = vec![];
        for _ in 0..random.below(4) {
            let mover = if takes_turns {
                owner
            } else {
                random.below(n_players) as u8
            };
            let to = random.below(n) as u32;
            if to as usize != position && !moves.contains(&(mover, to)) {
                moves.push((mover, to));
            }
        }
        for (mover, to) in moves {
            arena.movers.push(mover);
            arena.targets.push(to);
        }
        arena.offsets.push(arena.targets.len() as u32);
        arena.marks.push(random.below(5) as u64);
    }
    arena
}

/// One step of foresight, straight from the words of the rule.
fn can_force(arena: &Arena, player: u8, position: u32, set: &[bool]) -> bool {
    let moves: Vec<(u8, u32)> = arena.moves(position).collect();
    let own: Vec<u32> = moves.iter().filter(|it| it.0 == player).map(|it| it.1).collect();
    let others: Vec<u32> = moves.iter().filter(|it| it.0 != player).map(|it| it.1).collect();
    if moves.is_empty() {
        return false;
    }
    others.iter().all(|&it| set[it as usize]) && (own.is_empty() || own.iter().any(|&it| set[it as usize]))
}

/// What can be forced within 0, 1, 2 … moves.
fn within(arena: &Arena, player: u8, set: &[bool]) -> Vec<Option<u32>> {
    let n = arena.n_positions() as usize;
    let mut ranks: Vec<Option<u32>> = set.iter().map(|&it| it.then_some(0)).collect();
    for k in 1..=n as u32 {
        let before: Vec<bool> = ranks.iter().map(Option::is_some).collect();
        for position in 0..n {
            if !before[position] && can_force(arena, player, position as u32, &before) {
                ranks[position] = Some(k);
            }
        }
    }
    ranks
}

/// Every choice of one move for each position of these players.
fn strategies(arena: &Arena, is_theirs: impl Fn(u8) -> bool) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for position in 0..arena.n_positions() {
        let moves: Vec<u32> = arena
            .moves(position)
            .filter(|it| is_theirs(it.0))
            .map(|it| it.1)
            .collect();
        let moves = if moves.is_empty() { vec![u32::MAX] } else { moves };
        all = all
            .into_iter()
            .flat_map(|one: Vec<u32>| moves.iter().map(move |&it| [&one[..], &[it]].concat()))
            .collect();
    }
    all
}

/// Whether the play of two strategies visits the set again and again.
fn recurs(arena: &Arena, ours: &[u32], theirs: &[u32], start: u32, set: &[bool]) -> bool {
    let step = |at: u32| match (ours[at as usize], theirs[at as usize]) {
        (u32::MAX, u32::MAX) => at,
        (u32::MAX, to) | (to, _) => to,
    };
    let mut at = start;
    (0..arena.n_positions()).for_each(|_| at = step(at));
    (0..=arena.n_positions()).any(|_| {
        let is_in = set[at as usize];
        at = step(at);
        is_in
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_cheapest_way(seed: u64, n in 1usize..30, cost_max in 0usize..4) {
        let graph = weighted(seed, n, cost_max);
        let (_, best) = searched(&graph);
        let key = best.goal.map(|it| best.key(it));
        prop_assert_eq!(key, least(&graph));
        if let (Some(goal), Some(key)) = (best.goal, key) {
            prop_assert!(is_way(&graph, &best.path(goal), key));
        }
    }

    #[test]
    fn all_cheapest_ways(seed: u64, n in 1usize..14, cost_max in 0usize..3) {
        let graph = weighted(seed, n, cost_max);
        let (graph, best) = searched(&graph);
        let optimal = Optimal::new(&graph, &best);
        let mut all = vec![];
        if let Some(key) = least(&graph) {
            graph.initial.iter().for_each(|&it| ways(&graph, it, key, &mut vec![], &mut all));
        }
        prop_assume!(all.len() < 5000);
        prop_assert_eq!(optimal.count(), all.len().into());
        let mut paths = optimal.paths(usize::MAX);
        prop_assert_eq!(&optimal.paths(2)[..], &paths[..paths.len().min(2)]);
        paths.sort();
        all.sort();
        prop_assert_eq!(paths, all);
    }

    #[test]
    fn estimates_change_nothing(seed: u64, n in 1usize..30, cost_max in 0usize..4, kind in 0usize..3) {
        let mut graph = weighted(seed, n, cost_max);
        let mut random = Random::new(seed ^ 1);
        let costs = costs_to_goal(&graph);
        graph.estimates = costs
            .iter()
            .map(|&cost| match kind {
                // Exact, and so consistent; never too much; anything.
                0 => cost,
                1 => if cost == UNREACHED { 7 } else { random.below(cost as usize + 1) as u64 },
                _ => random.below(9) as u64,
            })
            .collect();
        let (graph, best) = searched(&graph);
        let key = best.goal.map(|it| best.key(it));
        if kind == 0 {
            prop_assert_eq!(best.inconsistent, None);
        }
        if kind < 2 || best.inconsistent.is_some() {
            prop_assert_eq!(key.map(|it| it.cost), least(&graph).map(|it| it.cost));
        }
        if kind == 0 || best.inconsistent.is_some() {
            prop_assert_eq!(key, least(&graph));
        }
        prop_assert_eq!(key.is_some(), least(&graph).is_some());
    }

    #[test]
    fn distances_of_all_nodes(seed: u64, n in 1usize..30, cost_max in 0usize..4) {
        let graph = weighted(seed, n, cost_max);
        prop_assert_eq!(distances(&graph, n as u32), costs_to_goal(&graph));
        prop_assert!(graph.known_edges(0).len() < 5);
    }

    #[test]
    fn attractors(seed: u64, n in 1usize..25, takes_turns: bool, player in 0u8..2) {
        let arena = arena(seed, n, takes_turns);
        let set: Vec<bool> = arena.marks.iter().map(|&it| it == 1).collect();
        let attractor = attract(&arena, player, |it| set[it as usize]);
        let ranks: Vec<Option<u32>> = (0..n as u32).map(|it| attractor.rank(it)).collect();
        prop_assert_eq!(ranks, within(&arena, player, &set));
    }

    #[test]
    fn values_are_kept_by_best_moves(seed: u64, n in 1usize..25) {
        let arena = arena(seed, n, true);
        // Outcomes end the play.
        let values = Values::new(&ended(&arena), &[1, 2, 4]);
        let arena = ended(&arena);
        for position in 0..n as u32 {
            let value = values.of(position);
            if let Value::Win { player, moves } = value && moves > 0 {
                for (mover, to) in arena.moves(position) {
                    let after = values.of(to);
                    let is_best = values.best_moves(&arena, mover, position).contains(&to);
                    if mover != player || is_best {
                        prop_assert_eq!(after.winner(), Some(player));
                    }
                    if is_best {
                        prop_assert_eq!(after, Value::Win { player, moves: moves - 1 });
                    }
                }
            }
        }
        // Whoever follows the best moves gives nothing away.
        for player in 0..3 {
            let best = |it: u32| Ok::<_, ()>(values.best_moves(&arena, player, it));
            let followed = follow(&arena, &values, player, best).unwrap_or_default();
            prop_assert_eq!(&followed.lapses[..], &[]);
            prop_assert_eq!(&followed.slower[..], &[]);
            prop_assert_eq!(&followed.silent[..], &[]);
        }
    }

    #[test]
    fn recurring_by_all_strategies(seed: u64, n in 1usize..7) {
        let arena = arena(seed, n, true);
        let set: Vec<bool> = arena.marks.iter().map(|&it| it == 1).collect();
        let Ok(found) = recur(&arena, 0, |it| set[it as usize], || Ok::<_, std::convert::Infallible>(()));
        let (ours, theirs) = (strategies(&arena, |it| it == 0), strategies(&arena, |it| it != 0));
        for start in 0..n as u32 {
            let wins = ours.iter().any(|our| theirs.iter().all(|their| recurs(&arena, our, their, start, &set)));
            prop_assert_eq!(found.winning.contains(start), wins, "from {}", start);
        }
    }
}

/// The same without moves after the end.
fn ended(arena: &Arena) -> Arena {
    let mut ended = Arena {
        offsets: vec![0],
        targets: vec![],
        movers: vec![],
        ..arena.clone()
    };
    for position in 0..arena.n_positions() {
        for (mover, to) in arena
            .moves(position)
            .filter(|_| arena.marks[position as usize] == 0)
        {
            ended.movers.push(mover);
            ended.targets.push(to);
        }
        ended.offsets.push(ended.targets.len() as u32);
    }
    ended
}
