//! Which values are kept from state to state, and by what; see [`crate::memo`].

use super::*;
use crate::memo::{NAMES_MAX, SiteId};

/// Expressions that take about as long as one element of a loop, and how much of that is worth a question.
const PARTS_OF_WORK: u32 = 4;
const WORK_MIN: u32 = 3;

impl<'i> Compiler<'_, 'i> {
    /// A loop whose value depends on nothing but some names of the frames around it becomes one that is kept, and so does a tuple or
    /// a record that takes some work.
    ///
    /// Quantifiers stay as they are: in an action each way to satisfy one is a step.
    pub(super) fn keep(&mut self, id: ExprId, made: Made<'i>) -> Made<'i> {
        let is_loop = matches!(
            made.code.kind,
            Kind::Choose { .. } | Kind::Filter { .. } | Kind::Map { .. } | Kind::FnLiteral { .. }
        );
        let work = match made.code.kind {
            _ if is_loop => 0,
            Kind::Tuple(_) | Kind::Record(_) if made.constant => self.n_parts(id) / PARTS_OF_WORK,
            _ => 0,
        };
        match made.constant && (is_loop || work >= WORK_MIN) {
            true => Made {
                code: self.kept(id, made.code, work),
                ..made
            },
            false => made,
        }
    }

    /// The body of an operator that is put in; kept by its free names if it is worth it.
    pub(super) fn keep_body(&mut self, body: ExprId, inner: &Joined, code: Code<'i>) -> Code<'i> {
        let is_kept = matches!(code.kind, Kind::Kept { .. } | Kind::Call { .. } | Kind::Cached(_));
        match inner.constant && !is_kept && self.has_loop(body) {
            true => self.kept(body, code, 0),
            false => code,
        }
    }

    /// An expression that reads no variable, kept by the names of the frames around it if these are few.
    fn kept(&mut self, id: ExprId, code: Code<'i>, work: u32) -> Code<'i> {
        let Some(free) = self.free_names(None, id).filter(|it| it.len() <= NAMES_MAX) else {
            return code;
        };
        let names = free
            .into_iter()
            .map(|(name, place)| MemoName {
                place,
                is_strict: self.is_strict(id, name, 4),
            })
            .collect();
        let (site, at) = (self.new_site(), code.at);
        let body = Box::new(code);
        Code {
            kind: Kind::Kept {
                site,
                names,
                body,
                work,
            },
            at,
        }
    }

    /// Expressions in an expression.
    fn n_parts(&self, id: ExprId) -> u32 {
        let mut n = 0;
        tla_sema::walk(self.spec, id, &mut |_| n += 1);
        n
    }

    /// For an operator or a recursive function whose value depends on its arguments alone.
    pub(super) fn site(&mut self, def: DefId, linked: bool) -> Option<SiteId> {
        let definition = &self.spec.defs[def];
        let is_function = self.is_applied(definition);
        let n_params = definition.params.len();
        let fits = !linked
            && (is_function && n_params == 0 || !is_function && (1..=NAMES_MAX).contains(&n_params))
            && self.is_constant(def);
        fits.then(|| self.new_site())
    }

    /// For a library operator that is given operators, each of them depending on its arguments alone.
    pub(super) fn native_site(&mut self, args: &[Arg<'i>]) -> Option<SiteId> {
        let n_operators = args.iter().filter(|it| matches!(it, Arg::Operator(_))).count();
        let fits = n_operators > 0 && (1..=NAMES_MAX).contains(&(args.len() - n_operators));
        fits.then(|| self.new_site())
    }

    /// Whether evaluating an expression may take long: there is a loop in it, or a recursion.
    pub(super) fn has_loop(&self, expr: ExprId) -> bool {
        let spec = self.spec;
        let mut found = false;
        let mut seen: Vec<DefId> = vec![];
        let mut todo = vec![expr];
        while let (Some(expr), false) = (todo.pop(), found) {
            tla_sema::walk(spec, expr, &mut |kind| match kind {
                ExprKind::Quant { .. }
                | ExprKind::Choose { .. }
                | ExprKind::SetFilter { .. }
                | ExprKind::SetMap { .. }
                | ExprKind::FnLiteral { .. } => found = true,
                ExprKind::Let { defs, .. } => todo.extend(defs.iter().map(|&it| spec.defs[it].body)),
                ExprKind::Call {
                    op: IrOperator::Def(def),
                    ..
                } if native::lookup(spec, *def).is_none() && !seen.contains(def) => {
                    seen.push(*def);
                    found |= spec.defs[*def].recursive;
                    todo.push(spec.defs[*def].body);
                }
                _ => {}
            });
        }
        found
    }

    fn new_site(&mut self) -> SiteId {
        self.program.n_sites += 1;
        self.program.n_sites - 1
    }
}
