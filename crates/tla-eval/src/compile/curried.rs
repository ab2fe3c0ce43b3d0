//! Recursive functions whose values are functions: `f[i \in S] == [j \in T |-> … f[k][l] …]`.
//!
//! Such a function may need one place of a row to compute another one of the same row, so the row cannot be made as a whole first. Where
//! its definition applies it twice wherever it mentions itself, it is a function of pairs, and each place is computed, and
//! remembered, by itself; a row, or the whole, is put together from its places. Any other such function (rows of different length, of
//! several names, behind `IF` or `LET`) is applied to all arguments at once, which follows its body as far as they go
//! ([`Kind::ApplyRow`]).

use super::*;

/// A function of pairs that is written as one of rows.
#[derive(Clone, Copy)]
pub(super) struct Curried<'s> {
    /// Rows, and places in a row.
    bounds: [&'s ir::Bound; 2],
    pub body: ExprId,
}

impl Curried<'_> {
    pub fn bounds(&self) -> Vec<ir::Bound> {
        self.bounds.map(ir::Bound::clone).to_vec()
    }
}

impl<'s, 'i> Compiler<'s, 'i> {
    pub(super) fn curried(&self, def: DefId) -> Option<Curried<'s>> {
        let spec = self.spec;
        let definition = &spec.defs[def];
        let is_function = definition.kind == DefKind::Function && definition.recursive;
        if !is_function || !definition.params.is_empty() || self.definitions.contains_key(&def) {
            return None;
        }
        let ExprKind::FnLiteral { bounds: rows, body } = &spec.exprs[definition.body].kind else {
            return None;
        };
        let ExprKind::FnLiteral { bounds: places, body } = &spec.exprs[*body].kind else {
            return None;
        };
        let ([row], [place]) = (&rows[..], &places[..]) else {
            return None;
        };
        let (ir::Pattern::One(name), ir::Pattern::One(_)) = (&row.pattern, &place.pattern) else {
            return None;
        };
        let is_apart = !mentions(spec, Name::Local(*name), place.set)
            && !mentions(spec, Name::Let(def), place.set)
            && !mentions(spec, Name::Let(def), row.set);
        let body = *body;
        let n_mentions = self.mentions(Name::Let(def), body);
        (is_apart && n_mentions == self.applied_twice(def, body)).then_some(Curried {
            bounds: [row, place],
            body,
        })
    }

    /// Whether an expression is an application `f[i]` of a function whose definition has somewhere `f[j][k]`: its value may be
    /// needed to compute itself, so that only places of it can be computed.
    pub(super) fn is_row(&self, expr: ExprId) -> bool {
        let spec = self.spec;
        let mut head = expr;
        while let ExprKind::FnApply { function, .. } = &spec.exprs[head].kind {
            head = *function;
        }
        match self.called_function(head) {
            Some(def) if head != expr => {
                let definition = &spec.defs[def];
                definition.kind == DefKind::Function
                    && definition.recursive
                    && !self.definitions.contains_key(&def)
                    && self.has_rows(definition.body)
                    && self.applied_twice(def, definition.body) > 0
            }
            _ => false,
        }
    }

    /// Whether the values of a function are written as functions: any other value is made as a whole, once.
    fn has_rows(&self, function: ExprId) -> bool {
        let spec = self.spec;
        let ExprKind::FnLiteral { body, .. } = &spec.exprs[function].kind else {
            return false;
        };
        let mut todo = vec![*body];
        while let Some(expr) = todo.pop() {
            match &spec.exprs[expr].kind {
                ExprKind::FnLiteral { .. } => return true,
                ExprKind::If { then, other, .. } => todo.extend([*then, *other]),
                ExprKind::Case { arms, other } => todo.extend(arms.iter().map(|it| it.1).chain(*other)),
                ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => todo.push(*body),
                _ => {}
            }
        }
        false
    }

    /// How often an expression, with the definitions inside it, applies a function twice.
    fn applied_twice(&self, def: DefId, expr: ExprId) -> u32 {
        let spec = self.spec;
        let mut n = 0;
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            tla_sema::walk(spec, expr, &mut |kind| match kind {
                ExprKind::FnApply { function, .. } => n += u32::from(self.row_of(def, *function).is_some()),
                ExprKind::Let { defs, .. } => todo.extend(defs.iter().map(|&it| spec.defs[it].body)),
                _ => {}
            });
        }
        n
    }

    /// `e` of `f[e]`.
    fn row_of(&self, def: DefId, expr: ExprId) -> Option<ExprId> {
        match &self.spec.exprs[expr].kind {
            ExprKind::FnApply { function, arg } if self.called_function(*function) == Some(def) => Some(*arg),
            _ => None,
        }
    }

    fn called_function(&self, expr: ExprId) -> Option<DefId> {
        match &self.spec.exprs[expr].kind {
            ExprKind::Call {
                op: IrOperator::Def(def),
                args,
            } if args.is_empty() => Some(*def),
            _ => None,
        }
    }

    /// `f[row][place]`, or `f[row]`; nothing where `f` is not such a function.
    pub(super) fn apply_curried(&mut self, function: ExprId, arg: ExprId, at: ExprId) -> Option<Made<'i>> {
        let spec = self.spec;
        if let ExprKind::FnApply {
            function: inner,
            arg: row,
        } = &spec.exprs[function].kind
            && let Some(def) = self.called_function(*inner)
            && self.curried(def).is_some()
        {
            let mut join = Joined::new();
            let pair = Kind::Tuple(self.all(&[*row, arg], &mut join));
            return Some(self.place(def, Code { kind: pair, at }, join, at));
        }
        let def = self.called_function(function)?;
        let curried = self.curried(def)?;
        let mut join = Joined::new();
        let row = join.add(self.expr(arg));
        Some(self.row(def, curried, row, join, at))
    }

    /// The whole function, put together.
    pub(super) fn whole_curried(&mut self, def: DefId, at: ExprId) -> Option<Made<'i>> {
        let curried = self.curried(def)?;
        let mut join = Joined::new();
        let rows = join.add(self.expr(curried.bounds[0].set));
        let mark = self.frame().next;
        let slot = self.frame().fresh();
        let mut inner = Joined::new();
        let name = inner.add(read(Place { up: 0, slot }, at));
        let row = self.row(def, curried, name, Joined::new(), at);
        let body = inner.add(row);
        self.leave(mark, inner, &mut join);
        Some(join.made(literal(slot, rows, body), at))
    }

    /// `[j \in T |-> f[row][j]]`.
    fn row(
        &mut self,
        def: DefId,
        curried: Curried<'s>,
        row: Code<'i>,
        mut join: Joined,
        at: ExprId,
    ) -> Made<'i> {
        let places = join.add(self.expr(curried.bounds[1].set));
        let mark = self.frame().next;
        let [kept, slot] = [self.frame().fresh(), self.frame().fresh()];
        let name = |slot| Code {
            kind: Kind::Local(Place { up: 0, slot }),
            at,
        };
        let mut inner = Joined::new();
        inner.read(Place { up: 0, slot: kept });
        let pair = Kind::Tuple(Box::new([name(kept), name(slot)]));
        let place = self.place(def, Code { kind: pair, at }, inner, at);
        let mut inner = Joined::new();
        let body = inner.add(place);
        self.leave(mark, inner, &mut join);
        let body = Code {
            kind: literal(slot, places, body),
            at,
        };
        let slots = Box::new([LetSlot {
            slot: kept,
            code: row,
            by_name: false,
            is_strict: false,
        }]);
        join.made(
            Kind::Let {
                slots,
                body: Box::new(body),
            },
            at,
        )
    }

    fn place(&mut self, def: DefId, pair: Code<'i>, mut join: Joined, at: ExprId) -> Made<'i> {
        let (proc, link) = self.target(def);
        if link.is_some() {
            join.lowest = 0;
        }
        join.constant &= link.is_none() && self.is_constant(def);
        let arg = Box::new(pair);
        join.made(Kind::ApplyRecursive { proc, link, arg }, at)
    }
}

/// `[x \in S |-> e]` for the name in a slot.
fn literal<'i>(slot: u16, set: Code<'i>, body: Code<'i>) -> Kind<'i> {
    let bound = Bound {
        pattern: Pattern::One(slot),
        set,
        pushed_predicate: None,
        prefilter: None,
        n_guards: None,
    };
    Kind::FnLiteral {
        bounds: Box::new([bound]),
        body: Box::new(body),
    }
}
