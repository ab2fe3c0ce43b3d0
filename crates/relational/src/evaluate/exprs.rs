//! Expressions, as sets of lists of atoms.

use util::deep;

use super::{Evaluator, Meant, Set, TooManySets, Tuple};
use crate::logic::{BinaryOp, Expr, ExprId, UnaryOp};

impl Evaluator<'_> {
    pub(super) fn expr(&mut self, id: ExprId) -> Result<Meant<Set>, TooManySets> {
        let info = self.logic().expr_info(id);
        let is_closed = !info.arithmetic && info.past == 0 && self.logic().vars(info.free).is_empty();
        if !is_closed {
            return deep(|| self.expr_anew(id));
        }
        let key = (id, if info.in_time { self.step() } else { 0 });
        if let Some(value) = self.closed.get(&key) {
            return Ok(Meant::sure(value.clone()));
        }
        let value = deep(|| self.expr_anew(id))?;
        self.closed.insert(key, value.value.clone());
        Ok(value)
    }

    fn expr_anew(&mut self, id: ExprId) -> Result<Meant<Set>, TooManySets> {
        let problem = self.problem;
        let atoms = || problem.universe.atoms();
        Ok(match *self.logic().expr(id) {
            Expr::None(_) => Meant::sure(Set::new()),
            Expr::Univ => Meant::sure(atoms().map(|atom| vec![atom]).collect()),
            Expr::Iden => Meant::sure(atoms().map(|atom| vec![atom, atom]).collect()),
            Expr::Ints => Meant::sure(problem.universe.ints().map(|(_, atom)| vec![atom]).collect()),
            Expr::Relation(relation) => {
                let value = self.instance.value(relation, self.step());
                let tuples = value
                    .iter()
                    .map(|tuple| problem.universe.decode(tuple, value.arity()));
                Meant::sure(tuples.collect())
            }
            Expr::Variable(var) => {
                let frame = self.frames.iter().rev().find(|frame| frame.var == var);
                Meant::sure(frame.expect("variables are bound").value.clone())
            }
            Expr::Unary(op, inner) => {
                let inner = self.expr(inner)?;
                Meant {
                    value: self.unary(op, inner.value),
                    undef: inner.undef,
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                Meant {
                    value: binary(op, &a.value, &b.value),
                    undef: a.undef || b.undef,
                }
            }
            Expr::If(cond, a, b) => {
                let (holds, fails) = self.both_ways(cond)?;
                let mut result = Meant::sure(Set::new());
                for (applies, branch) in [(holds, a), (fails, b)] {
                    if applies {
                        let branch = self.expr(branch)?;
                        result.value.extend(branch.value);
                        result.undef |= branch.undef;
                    }
                }
                result
            }
            Expr::Comprehension(ref decls, body) => {
                let mut value = Set::new();
                self.each_binding(decls, &mut |this| {
                    if this.formula(body)? {
                        let parts = &this.frames[this.frames.len() - decls.len()..];
                        let tuple: Tuple = parts
                            .iter()
                            .flat_map(|frame| frame.value.iter().flatten().copied())
                            .collect();
                        value.insert(tuple);
                    }
                    Ok(())
                })?;
                Meant {
                    value,
                    undef: self.any_domain_undef(decls)?,
                }
            }
            Expr::OfInt(int) => {
                let int = self.int(int)?;
                let atom = problem.universe.int_atom(int.value);
                Meant {
                    value: atom.into_iter().map(|atom| vec![atom]).collect(),
                    undef: int.undef,
                }
            }
            Expr::Prime(inner) => {
                let next = self.now + 1;
                self.at(next, |this| this.expr(inner))?
            }
        })
    }

    fn unary(&self, op: UnaryOp, inner: Set) -> Set {
        match op {
            UnaryOp::Transpose => inner.into_iter().map(|tuple| vec![tuple[1], tuple[0]]).collect(),
            UnaryOp::Closure => closure(inner),
            UnaryOp::ReflexiveClosure => {
                let mut closed = closure(inner);
                closed.extend(self.problem.universe.atoms().map(|atom| vec![atom, atom]));
                closed
            }
        }
    }
}

fn closure(relation: Set) -> Set {
    let mut closed = relation.clone();
    loop {
        let longer = join(&closed, &relation);
        let n_before = closed.len();
        closed.extend(longer);
        if closed.len() == n_before {
            return closed;
        }
    }
}

fn join(a: &Set, b: &Set) -> Set {
    let mut out = Set::new();
    for left in a {
        let (last, front) = left.split_last().expect("tuples are not empty");
        // Tuples that begin with an atom are neighbours.
        for right in b.range(vec![*last]..).take_while(|right| right[0] == *last) {
            out.insert([front, &right[1..]].concat());
        }
    }
    out
}

fn binary(op: BinaryOp, a: &Set, b: &Set) -> Set {
    let begins = |set: &Set, tuple: &Tuple| {
        set.range(vec![tuple[0]]..)
            .next()
            .is_some_and(|it| it[0] == tuple[0])
    };
    let pick =
        |from: &Set, keep: &dyn Fn(&Tuple) -> bool| from.iter().filter(|it| keep(it)).cloned().collect();
    match op {
        BinaryOp::Union => a.union(b).cloned().collect(),
        BinaryOp::Intersection => a.intersection(b).cloned().collect(),
        BinaryOp::Difference => a.difference(b).cloned().collect(),
        BinaryOp::Override => {
            let mut value: Set = pick(a, &|tuple| !begins(b, tuple));
            value.extend(b.iter().cloned());
            value
        }
        BinaryOp::Product => a
            .iter()
            .flat_map(|x| b.iter().map(move |y| [&x[..], &y[..]].concat()))
            .collect(),
        BinaryOp::Join => join(a, b),
        BinaryOp::DomainRestriction => pick(b, &|tuple| a.contains(&tuple[..1])),
        BinaryOp::RangeRestriction => pick(a, &|tuple| b.contains(&tuple[tuple.len() - 1..])),
    }
}
