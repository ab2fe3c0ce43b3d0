//! Klotski solved by hand: the floor that `babbage solve klotski` is measured against.
//!
//!     rustc -O bench/klotski.rs && ./klotski steps && ./klotski moves && ./klotski states
//!
//! A plain breadth-first search, as one writes it for this puzzle and no other: a board is the top left squares of its ten
//! pieces, sorted among pieces of one shape, in a hash map of the standard library. `steps` counts single squares and also
//! how many shortest solutions there are; `moves` counts sliding one piece on and on as one; `states` visits every board, for
//! `babbage check klotski`.

mod search;

use std::collections::{HashMap, VecDeque};

const W: i8 = 4;
const H: i8 = 5;

/// Width and height of each piece; pieces of one shape stand together.
const SHAPES: [(i8, i8); 10] = [
    (2, 2),
    (2, 1),
    (1, 2),
    (1, 2),
    (1, 2),
    (1, 2),
    (1, 1),
    (1, 1),
    (1, 1),
    (1, 1),
];
/// Where the pieces of one shape begin and end.
const KINDS: [(usize, usize); 4] = [(0, 1), (1, 2), (2, 6), (6, 10)];

type Board = [(i8, i8); 10];

const START: Board = [
    (1, 0),
    (1, 2),
    (0, 0),
    (0, 2),
    (3, 0),
    (3, 2),
    (0, 4),
    (1, 3),
    (2, 3),
    (3, 4),
];

fn is_goal(board: &Board) -> bool {
    board[0] == (1, 3)
}

/// All boards after sliding a piece by one square: the piece before and after, and the board.
fn steps(board: &Board, found: &mut Vec<((i8, i8), (i8, i8), Board)>) {
    found.clear();
    let mut owner = [[usize::MAX; 4]; 5];
    for (piece, &(x, y)) in board.iter().enumerate() {
        let (w, h) = SHAPES[piece];
        for row in y..y + h {
            for column in x..x + w {
                owner[row as usize][column as usize] = piece;
            }
        }
    }
    for (piece, &(x, y)) in board.iter().enumerate() {
        let (w, h) = SHAPES[piece];
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            let (x2, y2) = (x + dx, y + dy);
            if x2 < 0 || y2 < 0 || x2 + w > W || y2 + h > H {
                continue;
            }
            let is_free = (y2..y2 + h).all(|row| {
                (x2..x2 + w).all(|column| {
                    let owner = owner[row as usize][column as usize];
                    owner == usize::MAX || owner == piece
                })
            });
            if is_free {
                let mut next = *board;
                next[piece] = (x2, y2);
                for (from, to) in KINDS {
                    next[from..to].sort_unstable();
                }
                found.push(((x, y), (x2, y2), next));
            }
        }
    }
}

/// The fewest steps, how many solutions have so few, and how many boards were met.
fn fewest_steps() -> (u32, u128, usize) {
    let mut known: HashMap<Board, (u32, u128)> = HashMap::from([(START, (0, 1))]);
    let mut queue = VecDeque::from([START]);
    let mut found = vec![];
    let (mut best, mut solutions) = (u32::MAX, 0);
    while let Some(board) = queue.pop_front() {
        let (depth, ways) = known[&board];
        if is_goal(&board) && depth <= best {
            best = depth;
            solutions += ways;
        }
        if depth >= best {
            continue;
        }
        steps(&board, &mut found);
        for (_, _, next) in &found {
            let entry = known.entry(*next).or_insert_with(|| {
                queue.push_back(*next);
                (depth + 1, 0)
            });
            if entry.0 == depth + 1 {
                entry.1 += ways;
            }
        }
    }
    (best, solutions, known.len())
}

/// The fewest moves, by a search in which sliding on costs nothing.
fn fewest_moves() -> (u32, usize) {
    type Node = (Board, (i8, i8));
    let start: Node = (START, (-1, -1));
    let mut known: HashMap<Node, u32> = HashMap::from([(start, 0)]);
    let mut queue = VecDeque::from([(0, start)]);
    let mut found = vec![];
    while let Some((cost, node)) = queue.pop_front() {
        if known[&node] < cost {
            continue;
        }
        if is_goal(&node.0) {
            return (cost, known.len());
        }
        steps(&node.0, &mut found);
        for &(from, to, next) in &found {
            let cost = cost + u32::from(from != node.1);
            let next = (next, to);
            let before = known.entry(next).or_insert(u32::MAX);
            if cost < *before {
                *before = cost;
                if from == node.1 {
                    queue.push_front((cost, next));
                } else {
                    queue.push_back((cost, next));
                }
            }
        }
    }
    (u32::MAX, known.len())
}

/// Five bits for each piece.
fn packed(board: &Board) -> u64 {
    board.iter().fold(0, |word, &(x, y)| word << 5 | (y * W + x) as u64)
}

fn unpacked(word: u64) -> Board {
    std::array::from_fn(|piece| {
        let square = (word >> (5 * (9 - piece)) & 31) as i8;
        (square % W, square / W)
    })
}

/// The specification looks for a step from each free square that a piece slides onto: one that is two squares wide is met
/// twice.
fn visit_all() {
    let mut found = vec![];
    let successors = |word, packs: &mut Vec<u64>| {
        steps(&unpacked(word), &mut found);
        for (from, to, next) in &found {
            let piece = next.iter().position(|it| it == to).unwrap();
            let (w, h) = SHAPES[piece];
            let front = if from.0 == to.0 { w } else { h };
            packs.extend(std::iter::repeat(packed(next)).take(front as usize));
        }
    };
    let fits = |word| {
        let places = unpacked(word).into_iter().zip(SHAPES);
        places.into_iter().all(|((x, y), (w, h))| x + w <= W && y + h <= H)
    };
    search::search(packed(&START), successors, fits);
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("states") => visit_all(),
        Some("moves") => {
            let (moves, nodes) = fewest_moves();
            println!("{moves} moves, {nodes} nodes");
        }
        _ => {
            let (steps, solutions, boards) = fewest_steps();
            println!("{steps} steps, {solutions} solutions, {boards} boards");
        }
    }
}
