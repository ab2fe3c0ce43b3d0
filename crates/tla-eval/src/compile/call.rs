//! Calls: which proc, which frame it was written in, and how each argument is passed.

use super::*;

impl<'i> Compiler<'_, 'i> {
    pub(super) fn call(&mut self, op: IrOperator, args: &[ExprId], at: ExprId) -> Made<'i> {
        match op {
            IrOperator::Local(local) => {
                if let Some(&operator) = self.inlining.operators.get(&local) {
                    return self.known_operator(operator, args, at);
                }
                let mut join = Joined::new();
                let Some(place) = self.place_of(local) else {
                    return plain(Kind::Fail("an operator that is bound nowhere"), at);
                };
                join.read(place);
                // What the operator does is not known here.
                join.constant = false;
                let args = args
                    .iter()
                    .map(|&it| self.argument(it, false, &mut join))
                    .collect();
                join.made(Kind::CallParam { place, args }, at)
            }
            IrOperator::Decl(decl) => match self.constants.get(&decl).copied() {
                Some(Override::Def(def)) => self.call(IrOperator::Def(def), args, at),
                Some(Override::Decl(other)) if other != decl => self.call(IrOperator::Decl(other), args, at),
                Some(Override::Table(table)) => self.look_up(table, args, at),
                _ => plain(Kind::Fail("a constant operator without a definition"), at),
            },
            IrOperator::Def(def) => self.call_def(def, args, at),
        }
    }

    pub(super) fn call_def(&mut self, def: DefId, args: &[ExprId], at: ExprId) -> Made<'i> {
        match self.definitions.get(&def).copied() {
            Some(Override::Value(value)) => return plain(Kind::Const(value), at),
            Some(Override::Def(other)) if other != def => return self.call_def(other, args, at),
            Some(Override::Decl(decl)) => return self.call(IrOperator::Decl(decl), args, at),
            Some(Override::Table(table)) => return self.look_up(table, args, at),
            _ => {}
        }
        if let Some(place) = self.find(|frame| frame.lets.get(&def).copied()) {
            return read(place, at);
        }
        if self.inlining.once.contains(&def) {
            return self.expr(self.spec.defs[def].body);
        }
        let made = self.call_named(def, args, at);
        if args.is_empty() {
            self.hold_in_one_way(&made);
        }
        made
    }

    fn call_named(&mut self, def: DefId, args: &[ExprId], at: ExprId) -> Made<'i> {
        if let Some(native) = native::lookup(self.spec, def) {
            return self.native(native, args, at);
        }
        let definition = &self.spec.defs[def];
        if tla_sema::is_fresh_value(self.spec, definition) {
            return plain(Kind::Const(Value::Model(Text::from(definition.name))), at);
        }
        // A number with a name costs no more than the number.
        if args.is_empty()
            && let ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Bool(_) =
                self.spec.exprs[definition.body].kind
        {
            return self.expr(definition.body);
        }
        if let Some(whole) = self.whole_curried(def, at) {
            return whole;
        }
        let (proc, link) = self.target(def);
        if self.is_applied(definition) {
            return Made {
                code: Code {
                    kind: Kind::WholeRecursive { proc, link },
                    at,
                },
                lowest: if link.is_some() { 0 } else { CLOSED },
                constant: link.is_none() && self.is_constant(def),
                action: false,
            };
        }
        if let Some(inlined) = self.inlined(def, args, at) {
            return inlined;
        }
        let mut join = Joined::new();
        if link.is_some() {
            join.lowest = 0;
        }
        join.constant = link.is_none() && self.is_constant(def);
        join.action = self.levels.of_def(def) >= ir::Level::Action;
        let compiled = definition
            .params
            .iter()
            .zip(args)
            .map(|(&param, &arg)| self.passed(param, definition.body, arg, &mut join))
            .collect();
        let made = join.made(
            Kind::Call {
                proc,
                link,
                args: compiled,
            },
            at,
        );
        if args.is_empty() && link.is_none() && self.is_drawn(def) {
            if let Some(&index) = self.drawn.get(&def) {
                return plain(Kind::Cached(index), at);
            }
            let index = self.program.cached.len() as u32;
            self.drawn.insert(def, index);
            self.program.cached.push(Cached {
                code: made.code,
                n_slots: 0,
                is_drawn: true,
                has_ways: false,
                value: Default::default(),
                calls: Default::default(),
            });
            return plain(Kind::Cached(index), at);
        }
        // A call of a constant definition with constant arguments is a constant expression of its own.
        if made.constant && made.lowest == CLOSED {
            return self.cached(made.code);
        }
        made
    }

    /// An argument for a parameter of an operator with this body.
    pub(super) fn passed(&mut self, param: LocalId, body: ExprId, arg: ExprId, join: &mut Joined) -> Arg<'i> {
        let strict = self.is_strict(body, Name::Local(param), 8);
        let passed = self.argument(arg, strict, join);
        match self.is_primed_param(param, body) {
            true => Self::by_name(passed),
            false => passed,
        }
    }

    /// An argument that is evaluated at every use, unless it is the same everywhere. A constant stays as lazy as it was: one
    /// that is never used need not have a value.
    fn by_name(arg: Arg<'i>) -> Arg<'i> {
        match arg {
            Arg::Value(code) | Arg::Lazy(code) if !matches!(code.kind, Kind::Const(_) | Kind::Cached(_)) => {
                Arg::ByName(code)
            }
            other => other,
        }
    }

    /// The proc of a definition, and how many links up the frame is that it was written in.
    pub(super) fn target(&mut self, def: DefId) -> (ProcId, Option<u16>) {
        if let Some(Place { up, slot: _ }) = self.find(|frame| frame.nested.get(&def).map(|_| 0)) {
            let frame = &self.scopes[self.scopes.len() - 1 - up as usize];
            return (frame.nested[&def], Some(up));
        }
        (self.proc(def), None)
    }

    pub(super) fn native(&mut self, native: native::Native, args: &[ExprId], at: ExprId) -> Made<'i> {
        let mut join = Joined::new();
        if let (Some(op), &[a, b]) = (native.arith(), args) {
            let args = self.two(a, b, &mut join);
            return join.made(Kind::Arith(op, args), at);
        }
        if native.purity() != Purity::Pure {
            join.constant = false;
        }
        let args: Box<[Arg<'i>]> = args
            .iter()
            .map(|&it| self.argument(it, native.is_strict(), &mut join))
            .collect();
        let site = match join.constant && native.is_strict() {
            true => self.native_site(&args),
            false => None,
        };
        join.made(Kind::Native { native, args, site }, at)
    }

    pub(super) fn argument(&mut self, arg: ExprId, strict: bool, join: &mut Joined) -> Arg<'i> {
        let spec = self.spec;
        match &spec.exprs[arg].kind {
            ExprKind::OpRef(op) => self.operator_argument(*op, arg, join),
            ExprKind::BuiltinRef(op) => {
                let proc = self.builtin_proc(*op, arg);
                Arg::Operator(Operator::Proc { proc, link: None })
            }
            ExprKind::Lambda { params, body } => {
                join.lowest = 0;
                join.constant = false;
                let proc = self.lambda(params, *body);
                Arg::Operator(Operator::Proc { proc, link: Some(0) })
            }
            _ => {
                let made = self.expr(arg);
                self.hold_in_one_way(&made);
                // Reading a slot may force it, which is the caller's business; a constant costs nothing.
                let free = matches!(made.code.kind, Kind::Const(_));
                // A variable costs nothing to read, and an initial predicate may give it its value inside the callee.
                let by_name = made.action
                    || matches!(made.code.kind, Kind::Var(_))
                    || is_formula(&made.code, &self.program, FORMULA_DEPTH)
                    || self.is_endless_function(arg, FORMULA_DEPTH);
                let code = join.add(made);
                if free || strict && !by_name {
                    Arg::Value(code)
                } else {
                    Arg::Lazy(code)
                }
            }
        }
    }

    pub(super) fn operator_argument(&mut self, op: IrOperator, at: ExprId, join: &mut Joined) -> Arg<'i> {
        match op {
            IrOperator::Local(local) if let Some(&known) = self.inlining.operators.get(&local) => {
                self.argument(known, false, join)
            }
            IrOperator::Local(local) => match self.place_of(local) {
                Some(place) => {
                    join.read(place);
                    join.constant = false;
                    Arg::Operator(Operator::Param(place))
                }
                None => Arg::Value(Code {
                    kind: Kind::Fail("an operator that is bound nowhere"),
                    at,
                }),
            },
            IrOperator::Decl(decl) => match self.constants.get(&decl).copied() {
                Some(Override::Def(def)) => self.operator_argument(IrOperator::Def(def), at, join),
                Some(Override::Table(table)) => {
                    let n = self.spec.decls[decl].arity as u16;
                    let proc = self.table_proc(table, n, self.spec.decls[decl].name, at);
                    Arg::Operator(Operator::Proc { proc, link: None })
                }
                _ => Arg::Value(Code {
                    kind: Kind::Fail("a constant operator without a definition"),
                    at,
                }),
            },
            IrOperator::Def(def) => {
                if let Some(Override::Def(other)) = self.definitions.get(&def).copied()
                    && other != def
                {
                    return self.operator_argument(IrOperator::Def(other), at, join);
                }
                if let Some(Override::Table(table)) = self.definitions.get(&def).copied() {
                    let definition = &self.spec.defs[def];
                    let proc = self.table_proc(table, definition.params.len() as u16, definition.name, at);
                    return Arg::Operator(Operator::Proc { proc, link: None });
                }
                if let Some(native) = native::lookup(self.spec, def) {
                    let n = self.spec.defs[def].params.len();
                    let proc = self.native_proc(native, n, self.spec.defs[def].name, at);
                    return Arg::Operator(Operator::Proc { proc, link: None });
                }
                let (proc, link) = self.target(def);
                if link.is_some() {
                    join.lowest = 0;
                    join.constant = false;
                } else if !self.is_constant(def) {
                    join.constant = false;
                }
                Arg::Operator(Operator::Proc { proc, link })
            }
        }
    }

    pub(super) fn lambda(&mut self, params: &[LocalId], body: ExprId) -> ProcId {
        let mut frame = ScopeFrame {
            linked: true,
            next: 1,
            n_slots: 1,
            ..ScopeFrame::default()
        };
        params.iter().for_each(|&it| {
            frame.place(it);
        });
        self.scopes.push(frame);
        let code = self.expr(body).code;
        let frame = self.scopes.pop().unwrap_or_default();
        let n_params = params.len() as u16;
        let proc = self.push_proc(Symbol::new("LAMBDA"), true, n_params, frame.n_slots, code);
        self.program.procs[proc].primed = self.primed_among(params, body);
        proc
    }

    /// A call of an operator that is given by its values.
    fn look_up(&mut self, table: Value<'i>, args: &[ExprId], at: ExprId) -> Made<'i> {
        let mut join = Joined::new();
        let args = args.iter().map(|&it| join.add(self.expr(it))).collect();
        join.made(looked_up(table, args, at), at)
    }

    /// The same as a proc, for passing it on.
    fn table_proc(&mut self, table: Value<'i>, n: u16, name: Symbol, at: ExprId) -> ProcId {
        let slot = |slot| Code {
            kind: Kind::Local(Place { up: 0, slot }),
            at,
        };
        let kind = looked_up(table, (0..n).map(slot).collect(), at);
        self.push_proc(name, false, n, n, Code { kind, at })
    }

    /// A built-in operator as a proc, for passing it on.
    pub(super) fn builtin_proc(&mut self, op: Builtin, at: ExprId) -> ProcId {
        let slot = |slot| Code {
            kind: Kind::Local(Place { up: 0, slot }),
            at,
        };
        let n = op.arity() as u16;
        let kind = builtin_kind(op, (0..n).map(slot).collect());
        self.push_proc(Symbol::new(op.name()), false, n, n, Code { kind, at })
    }

    pub(super) fn native_proc(
        &mut self,
        native: native::Native,
        n: usize,
        name: Symbol,
        at: ExprId,
    ) -> ProcId {
        let slot = |slot: usize| Code {
            kind: Kind::Local(Place {
                up: 0,
                slot: slot as u16,
            }),
            at,
        };
        let kind = match native.arith() {
            Some(op) if n == 2 => Kind::Arith(op, Box::new([slot(0), slot(1)])),
            _ => Kind::Native {
                native,
                args: (0..n).map(|it| Arg::Lazy(slot(it))).collect(),
                site: None,
            },
        };
        self.push_proc(name, false, n as u16, n as u16, Code { kind, at })
    }
}

/// The value of a table for one argument, or for a tuple of them.
fn looked_up<'i>(table: Value<'i>, mut args: Vec<Code<'i>>, at: ExprId) -> Kind<'i> {
    let arg = match args.len() {
        1 => args.swap_remove(0),
        _ => Code {
            kind: Kind::Tuple(args.into()),
            at,
        },
    };
    let table = Code {
        kind: Kind::Const(table),
        at,
    };
    Kind::Apply(Box::new([table, arg]))
}
