//! The level rules, one arm per construct of the language.
//!
//! Most operators pass the level of their operands on and accept anything but temporal formulas. Those that look at two
//! states or at a behaviour (prime, `ENABLED`, `[]` and so on) decide the level themselves.

use util::deep;

use super::summary::{Demand, Param};
use super::{At, Levels, Place};
use crate::diagnostics as errors;
use crate::ir::*;

impl Levels<'_> {
    pub(super) fn expr(&mut self, id: ExprId, place: Place) -> Level {
        if self.walked.is_none() {
            return deep(|| self.expr_here(id, place));
        }
        let Place {
            limit,
            counts,
            opaque,
            applied_from,
        } = place;
        let key = (id, (limit, counts, opaque, applied_from, self.applied.len()));
        if let Some(&level) = self.walked.as_ref().and_then(|it| it.get(&key)) {
            return level;
        }
        let level = deep(|| self.expr_here(id, place));
        if let Some(walked) = &mut self.walked {
            walked.insert(key, level);
        }
        level
    }

    /// An operand whose level counts and may be at most `max`.
    fn operand(&mut self, id: ExprId, place: Place, max: Level, operator: &str) -> Level {
        let level = self.expr(
            id,
            Place {
                limit: place.limit.min(max),
                ..place
            },
        );
        if level > max {
            self.report(errors::level_too_high(operator, self.span(id), max, level));
        }
        level.min(max)
    }

    /// The join of operands that may be at most `max`.
    fn operands(&mut self, ids: &[ExprId], place: Place, max: Level, operator: &str) -> Level {
        let mut join = Level::Constant;
        for &id in ids {
            join = join.max(self.operand(id, place, max, operator));
        }
        join
    }

    /// An operand of an operator that has a level of its own: the operand's does not count.
    fn inner(&mut self, id: ExprId, max: Level, operator: &str) -> Level {
        let place = Place {
            limit: max,
            counts: false,
            opaque: true,
            applied_from: self.applied.len(),
        };
        self.operand(id, place, max, operator)
    }

    fn expr_here(&mut self, id: ExprId, place: Place) -> Level {
        use Level::*;
        let spec = self.spec;
        match &spec.exprs[id].kind {
            ExprKind::Error
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt { .. }
            | ExprKind::Decimal(_)
            | ExprKind::Str(_) => Constant,
            ExprKind::Local(local) => self.local(*local, place),
            ExprKind::Decl(decl) => self.decl(*decl, place),
            ExprKind::OpRef(_) | ExprKind::BuiltinRef(_) | ExprKind::Lambda { .. } => {
                self.operator(id, place).level
            }
            ExprKind::Call { op, args } => self.call(*op, args, place),
            ExprKind::Builtin { op, args } => self.builtin(*op, args, place),
            ExprKind::If { test, then, other } => {
                self.operands(&[*test, *then, *other], place, Temporal, "IF")
            }
            ExprKind::Case { arms, other } => {
                let mut parts: Vec<ExprId> = arms.iter().flat_map(|&(guard, body)| [guard, body]).collect();
                parts.extend(other);
                self.operands(&parts, place, Temporal, "CASE")
            }
            ExprKind::Let { defs, body } => {
                for &def in defs {
                    self.unused_let(def);
                }
                self.expr(*body, place)
            }
            ExprKind::Label { body, .. } => self.expr(*body, place),
            ExprKind::Quant { bounds, body, .. } => self.quantifier(bounds, *body, place),
            ExprKind::UnboundedQuant { kind, locals, body } => match kind {
                Quant::Exists | Quant::Forall => self.binder(&[], locals, *body, place, Temporal, ""),
                Quant::TemporalExists | Quant::TemporalForall => {
                    self.inner(*body, Temporal, "");
                    self.forget(locals);
                    Temporal
                }
            },
            ExprKind::Choose { bound, body } => self.binder(
                &[bound.set],
                bound.pattern.locals(),
                *body,
                place,
                Action,
                "CHOOSE",
            ),
            ExprKind::UnboundedChoose { pattern, body } => {
                self.binder(&[], pattern.locals(), *body, place, Action, "CHOOSE")
            }
            ExprKind::SetEnum(items) => self.operands(items, place, Action, "a set"),
            ExprKind::SetFilter { bound, body } => self.binder(
                &[bound.set],
                bound.pattern.locals(),
                *body,
                place,
                Action,
                "a set",
            ),
            ExprKind::SetMap { bounds, body } => self.constructor(bounds, *body, place, Action, "a set"),
            ExprKind::FnLiteral { bounds, body } => {
                self.constructor(bounds, *body, place, Temporal, "a function")
            }
            ExprKind::FnApply { function, arg } => {
                self.operands(&[*function, *arg], place, Action, "function application")
            }
            ExprKind::FnSet { domain, range } => {
                self.operands(&[*domain, *range], place, Action, "a set of functions")
            }
            ExprKind::Record(fields) => self.fields(fields, place, Temporal, "a record"),
            ExprKind::RecordSet(fields) => self.fields(fields, place, Action, "a set of records"),
            ExprKind::Select { record, .. } => self.operand(*record, place, Action, "field selection"),
            ExprKind::Except { function, updates } => self.except(*function, updates, place),
            ExprKind::Tuple(items) => self.operands(items, place, Action, "a tuple"),
            ExprKind::Times(items) => self.operands(items, place, Action, "`\\X`"),
            ExprKind::BoxAction { action, subscript } => {
                self.inner(*action, Action, "`[A]_v`");
                self.inner(*subscript, State, "the subscript of `[A]_v`");
                Action
            }
            ExprKind::AngleAction { action, subscript } => {
                self.inner(*action, Action, "`<<A>>_v`");
                self.inner(*subscript, State, "the subscript of `<<A>>_v`");
                Action
            }
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            } => {
                let (whole, under) = match kind {
                    Fairness::Weak => ("`WF_v(A)`", "the subscript of `WF_v(A)`"),
                    Fairness::Strong => ("`SF_v(A)`", "the subscript of `SF_v(A)`"),
                };
                self.inner(*subscript, State, under);
                self.inner(*action, Action, whole);
                Temporal
            }
        }
    }

    /// Notes that a name stands in a place.
    pub(super) fn mention(&mut self, param: Param, place: Place) {
        if let Param::Constant(decl) = param
            && !self.replaced.contains(&decl)
        {
            return;
        }
        self.met.push(param);
        self.demands.add(
            param,
            Demand {
                limit: place.limit,
                counts: place.counts,
                opaque: place.opaque,
            },
        );
        for &(op, at) in &self.applied[place.applied_from..] {
            self.demands.applied.insert((op, at, param));
        }
    }

    pub(super) fn local(&mut self, local: LocalId, place: Place) -> Level {
        if let Some(at) = self.ats.get(&local) {
            // `@` is what stands before `EXCEPT`.
            let At {
                level,
                walk,
                met: (from, to),
            } = *at;
            if walk == self.walk {
                for i in from..to {
                    self.mention(self.met[i], place);
                }
            }
            return level;
        }
        self.mention(Param::Local(local), place);
        self.spec.locals[local].level
    }

    pub(super) fn decl(&mut self, decl: DeclId, place: Place) -> Level {
        match self.spec.decls[decl].kind {
            DeclKind::Constant => {
                self.mention(Param::Constant(decl), place);
                Level::Constant
            }
            DeclKind::Variable => Level::State,
        }
    }

    /// Ends the scope of bound names: nothing can be put for them.
    pub(super) fn forget(&mut self, locals: &[LocalId]) {
        for &local in locals {
            self.demands.names.remove(&Param::Local(local));
        }
        if !self.demands.applied.is_empty() {
            let is_bound = |it: &Param| matches!(it, Param::Local(local) if locals.contains(local));
            self.demands.applied.retain(|(_, _, param)| !is_bound(param));
        }
    }

    fn binder(
        &mut self,
        sets: &[ExprId],
        locals: &[LocalId],
        body: ExprId,
        place: Place,
        max: Level,
        what: &str,
    ) -> Level {
        let level = self
            .sets(sets.iter().copied(), place)
            .max(self.operand(body, place, max, what));
        self.forget(locals);
        level
    }

    fn constructor(&mut self, bounds: &[Bound], body: ExprId, place: Place, max: Level, what: &str) -> Level {
        let sets = self.sets(bounds.iter().map(|it| it.set), place);
        let level = sets.max(self.operand(body, place, max, what));
        bounds.iter().for_each(|it| self.forget(it.pattern.locals()));
        level
    }

    /// The sets that names are bound in.
    fn sets(&mut self, sets: impl Iterator<Item = ExprId>, place: Place) -> Level {
        let mut join = Level::Constant;
        for set in sets {
            let level = self.expr(
                set,
                Place {
                    limit: place.limit.min(Level::Action),
                    ..place
                },
            );
            if level == Level::Temporal {
                self.report(errors::temporal_set(self.span(set)));
            }
            join = join.max(level.min(Level::Action));
        }
        join
    }

    fn quantifier(&mut self, bounds: &[Bound], body: ExprId, place: Place) -> Level {
        let mut join = Level::Constant;
        let mut actions = vec![];
        for (i, bound) in bounds.iter().enumerate() {
            // `x, y \in S` is two bounds with one set.
            if i > 0 && bounds[i - 1].set == bound.set {
                continue;
            }
            let level = self.sets([bound.set].into_iter(), place);
            if level == Level::Action {
                actions.push(bound.set);
            }
            join = join.max(level);
        }
        let body_level = self.expr(body, place);
        if body_level == Level::Temporal {
            for set in actions {
                self.report(errors::temporal_bound(self.span(set), self.span(body)));
            }
        }
        bounds.iter().for_each(|it| self.forget(it.pattern.locals()));
        join.max(body_level)
    }

    fn fields(&mut self, fields: &[(util::Symbol, ExprId)], place: Place, max: Level, what: &str) -> Level {
        let mut join = Level::Constant;
        for &(_, value) in fields {
            join = join.max(self.operand(value, place, max, what));
        }
        join
    }

    fn except(&mut self, function: ExprId, updates: &[Update], place: Place) -> Level {
        let from = self.met.len();
        let mut join = self.operand(function, place, Level::Action, "EXCEPT");
        for update in updates {
            for &step in &update.path {
                join = join.max(self.operand(step, place, Level::Action, "EXCEPT"));
            }
            let at = At {
                level: join,
                walk: self.walk,
                met: (from, self.met.len()),
            };
            self.ats.insert(update.at, at);
            join = join.max(self.operand(update.value, place, Level::Action, "EXCEPT"));
        }
        join
    }

    fn builtin(&mut self, op: Builtin, args: &[ExprId], place: Place) -> Level {
        use Level::*;
        match op {
            Builtin::And | Builtin::Or | Builtin::Implies | Builtin::Equiv => {
                self.connective(op, args, place)
            }
            Builtin::Not => self.operands(args, place, Temporal, ""),
            Builtin::Prime => {
                self.inner(args[0], State, "prime");
                Action
            }
            Builtin::Enabled => {
                self.inner(args[0], Action, "`ENABLED`");
                State
            }
            Builtin::Unchanged => {
                self.inner(args[0], State, "`UNCHANGED`");
                Action
            }
            Builtin::Compose => {
                self.inner(args[0], Action, "`\\cdot`");
                self.inner(args[1], Action, "`\\cdot`");
                Action
            }
            Builtin::Always | Builtin::Eventually => {
                self.stuttering(op, args[0]);
                Temporal
            }
            Builtin::LeadsTo | Builtin::Guarantees => {
                for &arg in args {
                    if self.inner(arg, Temporal, "") == Action {
                        self.report(errors::action_in_temporal(op.name(), self.span(arg)));
                    }
                }
                Temporal
            }
            _ => self.operands(args, place, Action, &format!("`{}`", op.name())),
        }
    }

    /// `[]` and `<>` apply to an action only in a form that does not notice stuttering steps.
    fn stuttering(&mut self, op: Builtin, arg: ExprId) {
        if self.inner(arg, Level::Temporal, "") != Level::Action {
            return;
        }
        let mut at = arg;
        while let ExprKind::Label { body, .. } = self.spec.exprs[at].kind {
            at = body;
        }
        match (op, &self.spec.exprs[at].kind) {
            (Builtin::Always, ExprKind::BoxAction { .. })
            | (Builtin::Eventually, ExprKind::AngleAction { .. }) => {}
            (Builtin::Always, _) => self.report(errors::stuttering_always(self.span(arg))),
            _ => self.report(errors::stuttering_eventually(self.span(arg))),
        }
    }

    fn connective(&mut self, op: Builtin, args: &[ExprId], place: Place) -> Level {
        let mut join = Level::Constant;
        let (mut action, mut temporal) = (None, None);
        for &arg in args {
            let level = self.expr(arg, place);
            match level {
                Level::Action => action = action.or(Some(arg)),
                Level::Temporal => temporal = temporal.or(Some(arg)),
                _ => {}
            }
            join = join.max(level);
        }
        if let (Some(action), Some(temporal)) = (action, temporal) {
            self.report(errors::mixed_levels(
                op.name(),
                self.span(action),
                self.span(temporal),
            ));
        }
        join
    }
}
