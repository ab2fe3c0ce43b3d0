//! Random models, the same for the same seed.

use explore::Random;

use super::enumerate::scope_of;
use super::model::{Expr, Field, Formula, Int, Model, Multiplicity, Origin, Quantifier, Sig};

pub fn model(seed: u64) -> Model {
    let mut generator = Generator {
        random: Random::stream(seed, 1),
        model: Model {
            steps_max: 3,
            ..Model::default()
        },
        is_temporal: false,
        names: vec![],
        n_names: 0,
    };
    generator.is_temporal = generator.chance(20);
    generator.sigs();
    generator.fields();
    for _ in 0..generator.below(3) {
        let fact = generator.formula(3);
        generator.model.facts.push(fact);
    }
    generator.model.goal = Some(generator.formula(3));
    generator.model.is_check = generator.chance(30);
    generator.model
}

struct Generator {
    random: Random,
    model: Model,
    is_temporal: bool,
    /// Bound names that are in scope.
    names: Vec<usize>,
    n_names: usize,
}

fn two<T>(a: T, b: T) -> Box<[T; 2]> {
    Box::new([a, b])
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn multiplicity(&mut self) -> Multiplicity {
        match self.below(6) {
            0 => Multiplicity::Some,
            1 => Multiplicity::Lone,
            2 | 3 => Multiplicity::One,
            _ => Multiplicity::Set,
        }
    }

    fn sigs(&mut self) {
        let n_top = 1 + self.below(2);
        for name in &["A", "B"][..n_top] {
            let multiplicity = if self.chance(70) {
                Multiplicity::Set
            } else {
                self.multiplicity()
            };
            let scope = scope_of(multiplicity, 1 + self.below(3));
            let sig = Sig {
                name,
                multiplicity,
                origin: Origin::Top,
                is_abstract: false,
                is_var: false,
                scope,
                is_exact: self.chance(50),
            };
            self.model.sigs.push(sig);
        }
        if self.chance(15) {
            self.model.ordered = Some(0);
            self.model.sigs[0].multiplicity = Multiplicity::Set;
            self.model.sigs[0].is_exact = true;
        }
        for name in &["C", "D"][..self.below(3)] {
            let parent = self.below(n_top);
            let is_in = self.chance(40);
            let sig = Sig {
                name,
                multiplicity: if self.chance(60) {
                    Multiplicity::Set
                } else {
                    self.multiplicity()
                },
                origin: if is_in {
                    Origin::In(parent)
                } else {
                    Origin::Extends(parent)
                },
                is_abstract: false,
                is_var: self.is_temporal && self.chance(40),
                scope: 0,
                is_exact: false,
            };
            self.model.sigs.push(sig);
        }
        for it in 0..n_top {
            let is_extended = self
                .model
                .sigs
                .iter()
                .any(|sig| sig.origin == Origin::Extends(it) && !sig.is_var);
            let is_one = self.model.sigs[it].multiplicity == Multiplicity::One;
            self.model.sigs[it].is_abstract = is_extended && !is_one && self.chance(40);
        }
    }

    fn fields(&mut self) {
        for name in &["f", "g"][..1 + self.below(2)] {
            let n_sigs = self.model.sigs.len();
            let n_columns = if self.chance(25) { 2 } else { 1 };
            let is_var = self.is_temporal && self.chance(60);
            let columns: Vec<usize> = (0..n_columns).map(|_| self.below(n_sigs)).collect();
            let owner = self.below(n_sigs);
            // What lies in something that varies varies.
            let varies = |it: &usize| self.model.sigs[*it].is_var;
            let is_var = is_var || varies(&owner) || columns.iter().any(varies);
            let field = Field {
                name,
                owner,
                columns,
                multiplicities: [self.multiplicity(), self.multiplicity()],
                is_var,
            };
            self.model.fields.push(field);
        }
    }

    /// A formula under a new name.
    fn within<T>(&mut self, make: impl FnOnce(&mut Generator) -> T) -> (usize, T) {
        self.n_names += 1;
        let name = self.n_names;
        self.names.push(name);
        let made = make(self);
        self.names.pop();
        (name, made)
    }

    fn formula(&mut self, depth: usize) -> Formula {
        let Some(depth) = depth.checked_sub(1) else {
            return self.atom(0);
        };
        let pair = |it: &mut Generator| {
            let (a, b) = (it.formula(depth), it.formula(depth));
            two(a, b)
        };
        match self.below(if self.is_temporal { 20 } else { 14 }) {
            0..4 => self.atom(depth),
            4 => Formula::Not(Box::new(self.formula(depth))),
            5 => Formula::And(pair(self)),
            6 => Formula::Or(pair(self)),
            7 => Formula::Implies(pair(self)),
            8 => Formula::Iff(pair(self)),
            9..14 => {
                let how = match self.below(7) {
                    0..2 => Quantifier::All,
                    2..4 => Quantifier::Some,
                    4 => Quantifier::No,
                    5 => Quantifier::Lone,
                    _ => Quantifier::One,
                };
                let set = self.set(1);
                let (name, body) = self.within(|it| it.formula(depth));
                Formula::Quantified(how, name, Box::new(set), Box::new(body))
            }
            14 | 15 => Formula::Always(Box::new(self.formula(depth))),
            16 => Formula::Eventually(Box::new(self.formula(depth))),
            17 => Formula::After(Box::new(self.formula(depth))),
            18 => Formula::Until(pair(self)),
            _ => Formula::Releases(pair(self)),
        }
    }

    fn atom(&mut self, depth: usize) -> Formula {
        let arity = 1 + self.below(2);
        match self.below(7) {
            0 | 1 => Formula::In(two(self.expr(arity, depth), self.expr(arity, depth))),
            2 => Formula::Equal(two(self.expr(arity, depth), self.expr(arity, depth))),
            3 | 4 => {
                let how = match self.below(4) {
                    0 => Multiplicity::Set,
                    1 => Multiplicity::Some,
                    2 => Multiplicity::Lone,
                    _ => Multiplicity::One,
                };
                Formula::Count(how, Box::new(self.expr(arity, depth)))
            }
            5 => Formula::Less(two(self.int(1), self.int(1))),
            _ => Formula::Same(two(self.int(1), self.int(1))),
        }
    }

    /// Small enough that nothing overflows with four bits.
    fn int(&mut self, depth: usize) -> Int {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 | 1 => Int::Count(Box::new(self.set(1))),
            2 => Int::Literal(self.below(4) as i32 - 1),
            3 => Int::Plus(two(self.int(0), Int::Literal(1))),
            4 => Int::Minus(two(self.int(0), self.int(0))),
            _ => Int::If(Box::new(self.atom(0)), two(self.int(0), self.int(0))),
        }
    }

    fn set(&mut self, depth: usize) -> Expr {
        self.expr(1, depth)
    }

    fn leaf(&mut self, arity: usize) -> Expr {
        let of_arity: Vec<usize> = (0..self.model.fields.len())
            .filter(|&it| self.model.fields[it].columns.len() + 1 == arity)
            .collect();
        match arity {
            1 if !self.names.is_empty() && self.chance(50) => {
                let at = self.below(self.names.len());
                Expr::Name(self.names[at])
            }
            1 if self.model.ordered.is_some() && self.chance(25) => match self.below(2) {
                0 => Expr::First,
                _ => Expr::Last,
            },
            1 if self.chance(5) => Expr::None,
            1 => Expr::Sig(self.below(self.model.sigs.len())),
            2 if self.model.ordered.is_some() && self.chance(30) => Expr::Next,
            _ if !of_arity.is_empty() => Expr::Field(of_arity[self.below(of_arity.len())]),
            _ => Expr::Product(two(self.leaf(1), self.leaf(arity - 1))),
        }
    }

    fn expr(&mut self, arity: usize, depth: usize) -> Expr {
        let Some(depth) = depth.checked_sub(1) else {
            return self.leaf(arity);
        };
        let same = |it: &mut Generator| two(it.expr(arity, depth), it.expr(arity, depth));
        match self.below(12) {
            0 => Expr::Union(same(self)),
            1 => Expr::Inter(same(self)),
            2 => Expr::Diff(same(self)),
            3 | 4 => Expr::Join(two(self.expr(1, depth), self.expr(arity + 1, depth.min(1)))),
            5 => Expr::If(Box::new(self.atom(0)), same(self)),
            6 if self.is_temporal => Expr::Prime(Box::new(self.expr(arity, depth))),
            7 if arity == 1 => {
                let set = self.set(depth);
                let (name, body) = self.within(|it| it.formula(depth.min(1)));
                Expr::Comprehension(name, Box::new(set), Box::new(body))
            }
            8 if arity == 1 => Expr::Reached(two(self.set(depth), self.expr(2, depth))),
            _ if arity == 2 => self.relation(depth),
            _ => self.leaf(arity),
        }
    }

    /// What only relations of two columns have.
    fn relation(&mut self, depth: usize) -> Expr {
        match self.below(7) {
            0 => Expr::Transpose(Box::new(self.expr(2, depth))),
            1 => Expr::Closure(Box::new(self.expr(2, depth))),
            2 => Expr::Product(two(self.set(depth), self.set(depth))),
            3 => Expr::Domain(two(self.set(depth), self.expr(2, depth))),
            4 => Expr::Range(two(self.expr(2, depth), self.set(depth))),
            5 => Expr::Override(two(self.expr(2, depth), self.expr(2, depth))),
            _ => Expr::Identity(Box::new(self.set(depth))),
        }
    }
}
