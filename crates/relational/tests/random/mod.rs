//! Problems made from a list of bytes: each byte decides one thing, and no bytes left means the simplest thing.

use relational::*;

pub struct Source<'b> {
    bytes: std::slice::Iter<'b, u8>,
    is_temporal: bool,
    /// Unary and binary relations, and the bound variables in scope with their arities.
    relations: Vec<RelId>,
    scope: Vec<VarId>,
    n_vars: usize,
}

impl<'b> Source<'b> {
    pub fn new(bytes: &'b [u8]) -> Source<'b> {
        Source {
            bytes: bytes.iter(),
            is_temporal: false,
            relations: vec![],
            scope: vec![],
            n_vars: 0,
        }
    }

    fn pick(&mut self, n: u8) -> u8 {
        self.bytes.next().map_or(0, |byte| byte % n)
    }

    /// Two plain atoms and the integers -2, -1, 0, 1: small enough to try all instances.
    pub fn problem(mut self, overflow: Overflow, is_temporal: bool) -> Problem {
        self.is_temporal = is_temporal;
        let mut universe = Universe::new();
        let plain = [universe.add("A$0"), universe.add("A$1")];
        let ints: Vec<Atom> = (-2..2).map(|value| universe.add_int(value)).collect();
        let pairs = |left: &[Atom], right: &[Atom]| {
            let tuples = left.iter().flat_map(|&a| right.iter().map(move |&b| [a, b]));
            TupleSet::from_indices(2, tuples.map(|tuple| universe.encode(&tuple)).collect())
        };
        let atoms = |atoms: &[Atom]| TupleSet::of_atoms(atoms.iter().copied());
        let bounds = if is_temporal {
            vec![("s", atoms(&plain), false), ("v", atoms(&plain), true)]
        } else {
            vec![
                ("s", atoms(&plain), false),
                ("r", pairs(&plain, &plain), false),
                ("f", pairs(&plain, &ints[3..4]), false),
            ]
        };
        let mut problem = Problem::new(universe);
        problem.bit_width = 2;
        problem.overflow = overflow;
        for (name, upper, is_var) in bounds {
            let relation = Relation {
                name: name.into(),
                lower: TupleSet::empty(upper.arity()),
                upper,
                is_var,
            };
            self.relations.push(problem.logic.add_relation(relation));
        }
        for _ in 0..1 + self.pick(2) {
            let constraint = self.formula(&mut problem.logic, 4);
            problem.constraints.push(constraint);
        }
        problem
    }

    fn formula(&mut self, logic: &mut Logic, depth: u32) -> FormulaId {
        if depth == 0 {
            return self.atomic(logic, 1);
        }
        let depth = depth - 1;
        match self.pick(if self.is_temporal { 18 } else { 10 }) {
            0..3 => self.atomic(logic, depth),
            3 => {
                let inner = self.formula(logic, depth);
                logic.not(inner)
            }
            4 | 5 => {
                let parts = [self.formula(logic, depth), self.formula(logic, depth)];
                if self.pick(2) == 0 {
                    logic.and(parts)
                } else {
                    logic.or(parts)
                }
            }
            6 => {
                let (a, b) = (self.formula(logic, depth), self.formula(logic, depth));
                logic.iff(a, b)
            }
            7..10 => {
                let quantifier = if self.pick(2) == 0 {
                    Quantifier::All
                } else {
                    Quantifier::Some
                };
                let before = self.scope.len();
                let mut decls = vec![];
                for _ in 0..1 + self.pick(2) {
                    let mut decl = self.decl(logic, depth);
                    if self.pick(6) == 5 {
                        decl.mult = [Multiplicity::Set, Multiplicity::Some, Multiplicity::Lone]
                            [self.pick(3) as usize];
                    }
                    decls.push(decl);
                }
                let body = self.formula(logic, depth);
                self.scope.truncate(before);
                logic.quantified(quantifier, decls, body)
            }
            op @ 10..14 => {
                let (a, b) = (self.formula(logic, depth), self.formula(logic, depth));
                let ops = [
                    BinaryTemporal::Until,
                    BinaryTemporal::Releases,
                    BinaryTemporal::Since,
                    BinaryTemporal::Triggered,
                ];
                logic.binary_temporal(ops[op as usize - 10], a, b)
            }
            _ => {
                let ops = [
                    UnaryTemporal::Always,
                    UnaryTemporal::Eventually,
                    UnaryTemporal::After,
                    UnaryTemporal::Historically,
                    UnaryTemporal::Once,
                    UnaryTemporal::Before,
                ];
                let op = ops[self.pick(6) as usize];
                let inner = self.formula(logic, depth);
                logic.temporal(op, inner)
            }
        }
    }

    fn atomic(&mut self, logic: &mut Logic, depth: u32) -> FormulaId {
        let arity = 1 + self.pick(2) as usize;
        match self.pick(8) {
            7 => {
                let set = self.expr(logic, arity, depth);
                let n = u32::from(self.pick(5));
                if self.pick(2) == 0 {
                    logic.at_most(set, n)
                } else {
                    logic.exactly(set, n)
                }
            }
            0 | 1 => {
                let set = self.expr(logic, arity, depth);
                let cardinalities = [
                    Cardinality::Some,
                    Cardinality::No,
                    Cardinality::One,
                    Cardinality::Lone,
                ];
                logic.counted(cardinalities[self.pick(4) as usize], set)
            }
            2 | 3 => {
                let (a, b) = (self.expr(logic, arity, depth), self.expr(logic, arity, depth));
                logic.subset(a, b)
            }
            4 => {
                let (a, b) = (self.expr(logic, arity, depth), self.expr(logic, arity, depth));
                logic.equal(a, b)
            }
            _ => {
                let (a, b) = (self.int(logic, depth), self.int(logic, depth));
                let comparisons = [Comparison::Equal, Comparison::Less, Comparison::LessOrEqual];
                logic.compare(comparisons[self.pick(3) as usize], a, b)
            }
        }
    }

    fn decl(&mut self, logic: &mut Logic, depth: u32) -> Decl {
        let domain = match self.pick(4) {
            0 => logic.relation(self.relations[0]),
            1 => logic.all_ints(),
            _ => self.expr(logic, 1, depth.min(1)),
        };
        self.n_vars += 1;
        let var = logic.add_variable(format!("x{}", self.n_vars), 1);
        self.scope.push(var);
        Decl {
            var,
            mult: Multiplicity::One,
            domain,
        }
    }

    fn leaf(&mut self, logic: &mut Logic, arity: usize) -> ExprId {
        let mut leaves: Vec<ExprId> = vec![];
        for i in 0..self.relations.len() {
            leaves.push(logic.relation(self.relations[i]));
        }
        for i in 0..self.scope.len() {
            leaves.push(logic.var(self.scope[i]));
        }
        leaves.extend([logic.univ(), logic.iden(), logic.none(arity), logic.all_ints()]);
        leaves.retain(|&leaf| logic.arity(leaf) == arity);
        leaves[self.pick(leaves.len() as u8) as usize]
    }

    fn expr(&mut self, logic: &mut Logic, arity: usize, depth: u32) -> ExprId {
        if depth == 0 {
            return self.leaf(logic, arity);
        }
        let depth = depth - 1;
        match self.pick(10) {
            0..3 => self.leaf(logic, arity),
            op @ 3..7 => {
                let (a, b) = (self.expr(logic, arity, depth), self.expr(logic, arity, depth));
                let ops = [
                    BinaryOp::Union,
                    BinaryOp::Intersection,
                    BinaryOp::Difference,
                    BinaryOp::Override,
                ];
                logic.binary(ops[op as usize - 3], a, b)
            }
            7 if self.is_temporal => {
                let inner = self.expr(logic, arity, depth);
                logic.prime(inner)
            }
            7 => {
                let cond = self.formula(logic, depth.min(1));
                let (a, b) = (self.expr(logic, arity, depth), self.expr(logic, arity, depth));
                logic.if_expr(cond, a, b)
            }
            8 => {
                let before = self.scope.len();
                let decls = (0..arity).map(|_| self.decl(logic, depth)).collect();
                let body = self.formula(logic, depth.min(1));
                self.scope.truncate(before);
                logic.comprehension(decls, body)
            }
            _ => self.shaped(logic, arity, depth),
        }
    }

    /// An operator that belongs to the arity.
    fn shaped(&mut self, logic: &mut Logic, arity: usize, depth: u32) -> ExprId {
        match (arity, self.pick(6)) {
            (1, 0) => {
                let value = self.int(logic, depth);
                logic.of_int(value)
            }
            (1, op) => {
                let (set, relation) = (self.expr(logic, 1, depth), self.expr(logic, 2, depth));
                if op < 3 {
                    logic.join(set, relation)
                } else {
                    logic.join(relation, set)
                }
            }
            (_, op @ 0..3) => {
                let inner = self.expr(logic, 2, depth);
                match op {
                    0 => logic.transpose(inner),
                    1 => logic.closure(inner),
                    _ => logic.reflexive_closure(inner),
                }
            }
            (_, 3) => {
                let (a, b) = (self.expr(logic, 1, depth), self.expr(logic, 1, depth));
                logic.product(a, b)
            }
            (_, 4) => {
                let (a, b) = (self.expr(logic, 2, depth), self.expr(logic, 2, depth));
                logic.join(a, b)
            }
            _ => {
                let (set, relation) = (self.expr(logic, 1, depth), self.expr(logic, 2, depth));
                match self.pick(2) {
                    0 => logic.binary(BinaryOp::DomainRestriction, set, relation),
                    _ => logic.binary(BinaryOp::RangeRestriction, relation, set),
                }
            }
        }
    }

    fn int(&mut self, logic: &mut Logic, depth: u32) -> IntId {
        let choice = self.pick(if depth == 0 { 3 } else { 9 });
        let depth = depth.saturating_sub(1);
        match choice {
            0 => {
                let value = i64::from(self.pick(4)) - 2;
                logic.constant(value)
            }
            1 => {
                let arity = 1 + self.pick(2) as usize;
                let set = self.expr(logic, arity, depth);
                logic.cardinality(set)
            }
            2 => {
                let set = self.expr(logic, 1, depth);
                logic.sum_of(set)
            }
            3 => {
                let before = self.scope.len();
                let decl = self.decl(logic, depth);
                let body = self.int(logic, depth);
                self.scope.truncate(before);
                logic.sum(vec![decl], body)
            }
            4 => {
                let cond = self.formula(logic, depth.min(1));
                let (a, b) = (self.int(logic, depth), self.int(logic, depth));
                logic.if_int(cond, a, b)
            }
            _ => {
                let ops = [
                    IntOp::Add,
                    IntOp::Sub,
                    IntOp::Mul,
                    IntOp::Div,
                    IntOp::Rem,
                    IntOp::Shl,
                    IntOp::Shr,
                    IntOp::Sha,
                ];
                let op = ops[self.pick(8) as usize];
                let (a, b) = (self.int(logic, depth), self.int(logic, depth));
                logic.int_binary(op, a, b)
            }
        }
    }
}
