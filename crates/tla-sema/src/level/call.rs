//! Calls: what the arguments must be, and what the whole is then.
//!
//! Operators can be arguments. Then the definition that is called says what it applies them to, and the operator that is
//! given says what it accepts; both meet here.

use util::Symbol;

use super::summary::{Demand, Demands, Param};
use super::{Levels, Place};
use crate::diagnostics as errors;
use crate::ir::*;

/// An operator as an argument.
pub(super) struct Given {
    pub level: Level,
    pub op: GivenOp,
}

pub(super) enum GivenOp {
    /// A parameter or a constant: what it accepts is asked of whoever gives it.
    Name(Param),
    /// Something defined: what is asked of each of its arguments.
    Defined { name: Symbol, places: Vec<Demand> },
}

impl Levels<'_> {
    pub(super) fn call(&mut self, op: Operator, args: &[ExprId], place: Place) -> Level {
        match op {
            Operator::Def(def) => self.call_def(def, args, place),
            Operator::Decl(decl) => {
                let level = self.decl(decl, place);
                self.call_name(Param::Constant(decl), level, args, place)
            }
            Operator::Local(local) => {
                let level = self.local(local, place);
                self.call_name(Param::Local(local), level, args, place)
            }
        }
    }

    /// Whatever will stand for the name must accept these arguments.
    fn call_name(&mut self, op: Param, level: Level, args: &[ExprId], place: Place) -> Level {
        let mut join = level;
        for (i, &arg) in args.iter().enumerate() {
            self.applied.push((op, i as u32));
            let level = self.expr(arg, place);
            self.applied.pop();
            self.demands.need(op, i as u32, level);
            join = join.max(level);
        }
        join
    }

    /// An operator argument. Names in it are noted.
    pub(super) fn operator(&mut self, id: ExprId, place: Place) -> Given {
        let spec = self.spec;
        let (level, op) = match &spec.exprs[id].kind {
            ExprKind::OpRef(Operator::Def(def)) => {
                let summary = self.summary(*def);
                let params = &spec.defs[*def].params;
                self.outer_names(&summary.demands, params, place);
                let places = params
                    .iter()
                    .map(|&it| summary.demands.of(Param::Local(it)))
                    .collect();
                (
                    summary.level,
                    GivenOp::Defined {
                        name: spec.defs[*def].name,
                        places,
                    },
                )
            }
            ExprKind::OpRef(Operator::Decl(decl)) => {
                (self.decl(*decl, place), GivenOp::Name(Param::Constant(*decl)))
            }
            ExprKind::OpRef(Operator::Local(local)) => {
                (self.local(*local, place), GivenOp::Name(Param::Local(*local)))
            }
            ExprKind::BuiltinRef(op) => (own_level(*op), builtin_demands(*op)),
            ExprKind::Lambda { params, body } => {
                let level = self.expr(*body, place);
                let places = params
                    .iter()
                    .map(|&it| self.demands.of(Param::Local(it)))
                    .collect();
                self.forget(params);
                (
                    level,
                    GivenOp::Defined {
                        name: Symbol::new("LAMBDA"),
                        places,
                    },
                )
            }
            _ => (
                self.expr(id, place),
                GivenOp::Defined {
                    name: Symbol::new("_"),
                    places: vec![],
                },
            ),
        };
        Given { level, op }
    }

    /// Names that a definition mentions and that are not its own parameters: those of a definition around it, and
    /// constants.
    fn outer_names(&mut self, demands: &Demands, own: &[LocalId], place: Place) {
        let is_own = |it: Param| matches!(it, Param::Local(local) if own.contains(&local));
        for (param, demand) in demands.sorted() {
            if !is_own(param) {
                self.mention(param, narrowed(place, demand, self.applied.len()));
            }
        }
        for (&(op, at), &level) in &demands.needs {
            if !is_own(op) {
                self.demands.need(op, at, level);
            }
        }
        for &(op, at, param) in &demands.applied {
            if !is_own(op) && !is_own(param) {
                self.demands.applied.insert((op, at, param));
            }
        }
    }

    /// What a `LET` definition asks of names around it, even if nothing calls it.
    pub(super) fn unused_let(&mut self, def: DefId) {
        let summary = self.summary(def);
        let place = Place {
            limit: Level::Temporal,
            counts: false,
            opaque: false,
            applied_from: self.applied.len(),
        };
        self.outer_names(&summary.demands, &self.spec.defs[def].params, place);
    }

    fn call_def(&mut self, def: DefId, args: &[ExprId], place: Place) -> Level {
        let spec = self.spec;
        let summary = self.summary(def);
        let params = &spec.defs[def].params;
        self.outer_names(&summary.demands, params, place);
        if args.is_empty() {
            return summary.level;
        }
        // Operators first: what they accept is asked of the other arguments.
        let mut given: Vec<Option<Given>> = Vec::with_capacity(args.len());
        for (&param, &arg) in params.iter().zip(args) {
            given.push((spec.locals[param].arity > 0).then(|| {
                let demand = summary.demands.of(Param::Local(param));
                let from = self.applied.len();
                self.operator(arg, narrowed(place, demand, from))
            }));
        }
        let mut levels: Vec<Level> = Vec::with_capacity(args.len());
        for (i, (&param, &arg)) in params.iter().zip(args).enumerate() {
            levels.push(match &given[i] {
                Some(given) => given.level,
                None => self.value(param, arg, &summary.demands, params, &given, place),
            });
        }
        let call = Call {
            def,
            args,
            levels: &levels,
        };
        let mut join = summary.level;
        for (i, &param) in params.iter().enumerate().take(args.len()) {
            let demand = summary.demands.of(Param::Local(param));
            if levels[i] > demand.limit {
                self.argument_too_high(&call, i, demand.limit);
            }
            if demand.counts {
                join = join.max(levels[i].min(demand.limit));
            }
            if let Some(given) = &given[i] {
                self.operator_given(&call, i, given, &summary.demands);
            }
        }
        join
    }

    /// An argument that is a value: asked of it is what the definition asks, and what operators ask that it is
    /// handed to.
    fn value(
        &mut self,
        param: LocalId,
        arg: ExprId,
        demands: &Demands,
        params: &[LocalId],
        given: &[Option<Given>],
        place: Place,
    ) -> Level {
        let mut demand = demands.of(Param::Local(param));
        let depth = self.applied.len();
        for &(op, at, _) in demands.applied.iter().filter(|it| it.2 == Param::Local(param)) {
            let i = params.iter().position(|&it| Param::Local(it) == op);
            match i
                .and_then(|i| given.get(i))
                .and_then(Option::as_ref)
                .map(|it| &it.op)
            {
                Some(GivenOp::Name(name)) => self.applied.push((*name, at)),
                Some(GivenOp::Defined { places, .. }) => {
                    if let Some(asked) = places.get(at as usize) {
                        demand.limit = demand.limit.min(asked.limit);
                        demand.opaque |= asked.opaque;
                    }
                }
                None => self.applied.push((op, at)),
            }
        }
        let level = self.expr(arg, narrowed(place, demand, depth));
        self.applied.truncate(depth);
        level
    }

    fn argument_too_high(&mut self, call: &Call<'_>, i: usize, limit: Level) {
        let Def {
            name,
            span: declared,
            ref params,
            ..
        } = self.spec.defs[call.def];
        let param = self.spec.locals[params[i]].name;
        let span = self.span(call.args[i]);
        self.report(errors::argument_level(
            name,
            span,
            param,
            declared,
            limit,
            call.levels[i],
        ));
    }

    /// An operator argument must accept what the definition applies it to.
    fn operator_given(&mut self, call: &Call<'_>, i: usize, given: &Given, demands: &Demands) {
        let params = &self.spec.defs[call.def].params;
        let param = Param::Local(params[i]);
        let needs = demands
            .needs
            .range((param, 0)..=(param, u32::MAX))
            .map(|(&(_, at), &need)| (at, need));
        let others = demands.applied.range((param, 0, Param::Local(LocalId::new(0)))..);
        let others: Vec<(u32, usize)> = others
            .take_while(|it| it.0 == param)
            .filter_map(|&(_, at, it)| Some((at, params.iter().position(|&own| Param::Local(own) == it)?)))
            .filter(|&(_, j)| j < call.levels.len())
            .collect();
        match &given.op {
            GivenOp::Name(name) => {
                for (at, need) in needs {
                    self.demands.need(*name, at, need);
                }
                for (at, j) in others {
                    self.demands.need(*name, at, call.levels[j]);
                }
            }
            GivenOp::Defined { name, places } => {
                let limit = |at: u32| places.get(at as usize).map_or(Level::Temporal, |it| it.limit);
                let Def {
                    name: of,
                    span: declared,
                    ..
                } = self.spec.defs[call.def];
                let param_name = self.spec.locals[params[i]].name;
                if let Some((at, need)) = needs.into_iter().find(|&(at, need)| need > limit(at)) {
                    let span = self.span(call.args[i]);
                    self.report(errors::operator_level(
                        *name,
                        span,
                        of,
                        param_name,
                        declared,
                        limit(at),
                        need,
                    ));
                    return;
                }
                if let Some((at, j)) = others.into_iter().find(|&(at, j)| call.levels[j] > limit(at)) {
                    let (span, operator) = (self.span(call.args[j]), self.span(call.args[i]));
                    let got = call.levels[j];
                    self.report(errors::handed_level(of, span, got, *name, operator, limit(at)));
                }
            }
        }
    }
}

struct Call<'a> {
    def: DefId,
    args: &'a [ExprId],
    levels: &'a [Level],
}

/// The place of an argument of which something is asked, inside of `place`.
fn narrowed(place: Place, demand: Demand, depth: usize) -> Place {
    if demand.counts {
        Place {
            limit: place.limit.min(demand.limit),
            opaque: place.opaque || demand.opaque,
            ..place
        }
    } else {
        Place {
            limit: demand.limit,
            counts: false,
            opaque: place.opaque || demand.opaque,
            applied_from: depth,
        }
    }
}

/// The level that an operator has whatever it is applied to.
fn own_level(op: Builtin) -> Level {
    match op {
        Builtin::Enabled => Level::State,
        Builtin::Prime | Builtin::Unchanged | Builtin::Compose => Level::Action,
        Builtin::Always | Builtin::Eventually | Builtin::LeadsTo | Builtin::Guarantees => Level::Temporal,
        _ => Level::Constant,
    }
}

fn builtin_demands(op: Builtin) -> GivenOp {
    let limit = match op {
        Builtin::Prime | Builtin::Unchanged => Level::State,
        Builtin::And | Builtin::Or | Builtin::Not | Builtin::Implies | Builtin::Equiv => Level::Temporal,
        Builtin::Always | Builtin::Eventually | Builtin::LeadsTo | Builtin::Guarantees => Level::Temporal,
        _ => Level::Action,
    };
    let decides = own_level(op) > Level::Constant;
    let demand = Demand {
        limit,
        counts: !decides,
        opaque: decides,
    };
    GivenOp::Defined {
        name: Symbol::new(op.name()),
        places: vec![demand; op.arity()],
    }
}
