//! Levels: what may be primed, what may stand under `[]` (*Specifying Systems*, section 17.2).
//!
//! The level of an expression is the level of its own operators, joined with the levels of the parameters it
//! mentions; so a definition is summarised by its own level and, for each parameter, whether it counts and how high
//! an argument may be. Recursive definitions start at the bottom and are computed again until nothing changes.

use std::collections::BTreeMap;

use diag::Diagnostic;
use source::Span;
use util::{FxHashMap, FxHashSet, Symbol, deep};

use crate::diagnostics as errors;
use crate::ir::*;

/// What the resolver found and wants checked, in the order of the text.
#[derive(Default)]
pub struct Checked {
    pub defs: Vec<DefId>,
    pub assumptions: Vec<ExprId>,
    pub formulas: Vec<ExprId>,
    /// A declared name, its value, and the module that is instantiated.
    pub substitutions: Vec<(DeclId, ExprId, ModuleId)>,
}

/// All errors that the level rules demand.
pub fn check(spec: &Spec, checked: &Checked) -> Vec<Diagnostic> {
    let mut levels = Levels::new(spec);
    levels.summarise(&checked.defs);
    levels.errors = Some(vec![]);
    for &def in &checked.defs {
        levels.expr(spec.defs[def].body);
    }
    for &assumption in &checked.assumptions {
        let info = levels.expr(assumption);
        if info.level > Level::Constant {
            levels.report(errors::assumption_level(spec.exprs[assumption].span, info.level));
        }
    }
    for &formula in &checked.formulas {
        levels.expr(formula);
    }
    for &(decl, value, module) in &checked.substitutions {
        levels.substitution(decl, value, module);
    }
    levels.errors.unwrap_or_default()
}

/// What an expression's level depends on.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Info {
    level: Level,
    /// Parameters whose level counts.
    params: Vec<LocalId>,
    /// The highest level that an argument for a parameter may have.
    limits: BTreeMap<LocalId, Level>,
    /// The level that an operator given for a parameter must accept in one of its places.
    needs: BTreeMap<(LocalId, u32), Level>,
}

impl Default for Level {
    fn default() -> Level {
        Level::Constant
    }
}

impl Info {
    fn join(&mut self, other: &Info) {
        self.level = self.level.max(other.level);
        for &param in &other.params {
            if !self.params.contains(&param) {
                self.params.push(param);
            }
        }
        self.demands(other);
    }

    /// Takes over what `other` asks of parameters, but not its level.
    fn demands(&mut self, other: &Info) {
        for (&param, &limit) in &other.limits {
            self.limit(param, limit);
        }
        for (&place, &level) in &other.needs {
            let need = self.needs.entry(place).or_default();
            *need = level.max(*need);
        }
    }

    fn limit(&mut self, param: LocalId, level: Level) {
        let limit = self.limits.entry(param).or_insert(Level::Temporal);
        *limit = level.min(*limit);
    }
}

/// Computes levels of expressions and definitions on demand.
pub struct Levels<'a> {
    spec: &'a Spec,
    summaries: FxHashMap<DefId, Info>,
    computing: FxHashSet<DefId>,
    /// `\EE x`: a bound variable is a state function.
    flexible: FxHashSet<LocalId>,
    errors: Option<Vec<Diagnostic>>,
}

impl<'a> Levels<'a> {
    pub fn new(spec: &'a Spec) -> Levels<'a> {
        Levels {
            spec,
            summaries: FxHashMap::default(),
            computing: FxHashSet::default(),
            flexible: FxHashSet::default(),
            errors: None,
        }
    }

    /// The level of a closed expression.
    pub fn of(&mut self, expr: ExprId) -> Level {
        self.expr(expr).level
    }

    /// The level of a definition's own text: parameters count as constants.
    pub fn of_def(&mut self, def: DefId) -> Level {
        self.summary(def).level
    }

    fn summarise(&mut self, defs: &[DefId]) {
        let recursive: Vec<DefId> = defs.iter().copied().filter(|&it| self.spec.defs[it].recursive).collect();
        for &def in &recursive {
            self.summaries.insert(def, Info::default());
        }
        // Levels only rise, and there are four of them: a few rounds are enough.
        loop {
            let mut changed = false;
            for &def in &recursive {
                let before = self.summaries.get(&def).cloned();
                self.compute(def);
                changed |= self.summaries.get(&def) != before.as_ref();
            }
            // What was computed from a summary that was too low is forgotten.
            self.summaries.retain(|def, _| recursive.contains(def));
            if !changed {
                return;
            }
        }
    }

    fn compute(&mut self, def: DefId) {
        if !self.computing.insert(def) {
            return;
        }
        let info = self.expr(self.spec.defs[def].body);
        self.computing.remove(&def);
        self.summaries.insert(def, info);
    }

    fn summary(&mut self, def: DefId) -> Info {
        if !self.summaries.contains_key(&def) {
            // Errors inside a definition are reported when the definition itself is checked.
            let errors = self.errors.take();
            self.compute(def);
            self.errors = errors;
        }
        self.summaries.get(&def).cloned().unwrap_or_default()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if let Some(errors) = &mut self.errors {
            errors.push(diagnostic);
        }
    }

    fn span(&self, id: ExprId) -> Span {
        self.spec.exprs[id].span
    }

    fn expr(&mut self, id: ExprId) -> Info {
        deep(|| self.expr_here(id))
    }

    /// An operand that may be at most `max`.
    fn operand(&mut self, id: ExprId, max: Level, operator: &str) -> Info {
        let mut info = self.expr(id);
        if info.level > max {
            self.report(errors::level_too_high(operator, self.span(id), max, info.level, None));
            info.level = max;
        }
        if max < Level::Temporal {
            for param in info.params.clone() {
                info.limit(param, max);
            }
        }
        info
    }

    /// Joins operands that may be at most `max`.
    fn operands(&mut self, ids: &[ExprId], max: Level, operator: &str) -> Info {
        let mut info = Info::default();
        for &id in ids {
            let operand = self.operand(id, max, operator);
            info.join(&operand);
        }
        info
    }

    /// The operator decides the level; operands only ask things of parameters.
    fn fixed(&mut self, level: Level, operands: &[(ExprId, Level)], operator: &str) -> Info {
        let mut info = Info { level, ..Info::default() };
        for &(id, max) in operands {
            let operand = self.operand(id, max, operator);
            info.demands(&operand);
        }
        info
    }

    fn expr_here(&mut self, id: ExprId) -> Info {
        use Level::*;
        let spec = self.spec;
        match &spec.exprs[id].kind {
            ExprKind::Error
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Decimal(_)
            | ExprKind::Str(_)
            | ExprKind::BuiltinRef(_) => Info::default(),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Decl(decl) => self.decl(*decl),
            ExprKind::OpRef(Operator::Def(def)) => {
                let mut info = self.summary(*def);
                let own = &spec.defs[*def].params;
                info.params.retain(|it| !own.contains(it));
                info
            }
            ExprKind::OpRef(Operator::Decl(_)) => Info::default(),
            ExprKind::OpRef(Operator::Local(local)) => self.local(*local),
            ExprKind::Lambda { params, body } => {
                let mut info = self.expr(*body);
                info.params.retain(|it| !params.contains(it));
                info
            }
            ExprKind::Call { op, args } => self.call(*op, args),
            ExprKind::Builtin { op, args } => self.builtin(*op, args),
            ExprKind::If { test, then, other } => self.operands(&[*test, *then, *other], Temporal, "IF"),
            ExprKind::Case { arms, other } => {
                let mut parts: Vec<ExprId> = arms.iter().flat_map(|&(guard, body)| [guard, body]).collect();
                parts.extend(other);
                self.operands(&parts, Temporal, "CASE")
            }
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.expr(*body),
            ExprKind::Quant { bounds, body, .. } => self.quantifier(bounds, *body),
            ExprKind::UnboundedQuant { kind, locals, body } => {
                if matches!(kind, Quant::TemporalExists | Quant::TemporalForall) {
                    self.flexible.extend(locals.iter().copied());
                    let mut info = self.expr(*body);
                    info.level = Temporal;
                    return info;
                }
                self.expr(*body)
            }
            ExprKind::Choose { bound, body } => self.operands(&[bound.set, *body], Action, "CHOOSE"),
            ExprKind::UnboundedChoose { body, .. } => self.operand(*body, Action, "CHOOSE"),
            ExprKind::SetEnum(items) => self.operands(items, Action, "a set"),
            ExprKind::SetFilter { bound, body } => self.operands(&[bound.set, *body], Action, "a set"),
            ExprKind::SetMap { bounds, body } => self.constructor(bounds, *body, "a set"),
            ExprKind::FnLiteral { bounds, body } => self.constructor(bounds, *body, "a function"),
            ExprKind::FnApply { function, arg } => self.operands(&[*function, *arg], Action, "function application"),
            ExprKind::FnSet { domain, range } => self.operands(&[*domain, *range], Action, "a set of functions"),
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
                let values: Vec<ExprId> = fields.iter().map(|&(_, it)| it).collect();
                self.operands(&values, Action, "a record")
            }
            ExprKind::Select { record, .. } => self.operand(*record, Action, "field selection"),
            ExprKind::Except { function, updates } => {
                let mut parts = vec![*function];
                for update in updates {
                    parts.extend(update.path.iter().copied());
                    parts.push(update.value);
                }
                self.operands(&parts, Action, "EXCEPT")
            }
            ExprKind::Tuple(items) => self.operands(items, Action, "a tuple"),
            ExprKind::Times(items) => self.operands(items, Action, "\\X"),
            ExprKind::BoxAction { action, subscript } => {
                self.fixed(Action, &[(*action, Action), (*subscript, State)], "[A]_v")
            }
            ExprKind::AngleAction { action, subscript } => {
                self.fixed(Action, &[(*action, Action), (*subscript, State)], "<<A>>_v")
            }
            ExprKind::Fairness { kind, subscript, action } => {
                let name = match kind {
                    Fairness::Weak => "WF",
                    Fairness::Strong => "SF",
                };
                self.fixed(Temporal, &[(*subscript, State), (*action, Action)], name)
            }
        }
    }

    fn local(&mut self, local: LocalId) -> Info {
        let level = if self.flexible.contains(&local) { Level::State } else { Level::Constant };
        Info { level, params: vec![local], ..Info::default() }
    }

    fn decl(&mut self, decl: DeclId) -> Info {
        let level = match self.spec.decls[decl].kind {
            DeclKind::Constant => Level::Constant,
            DeclKind::Variable => Level::State,
        };
        Info { level, ..Info::default() }
    }

    fn constructor(&mut self, bounds: &[Bound], body: ExprId, what: &str) -> Info {
        let mut parts: Vec<ExprId> = bounds.iter().map(|it| it.set).collect();
        parts.push(body);
        self.operands(&parts, Level::Action, what)
    }

    fn quantifier(&mut self, bounds: &[Bound], body: ExprId) -> Info {
        let mut info = self.expr(body);
        let temporal = info.level == Level::Temporal;
        for bound in bounds {
            let set = self.operand(bound.set, Level::Action, "the bound of a quantifier");
            if temporal && set.level == Level::Action {
                self.report(errors::temporal_bound(self.span(bound.set), set.level));
            }
            info.join(&set);
        }
        info
    }

    fn builtin(&mut self, op: Builtin, args: &[ExprId]) -> Info {
        use Level::*;
        match op {
            Builtin::And | Builtin::Or | Builtin::Not | Builtin::Implies | Builtin::Equiv => self.connective(op, args),
            Builtin::Prime => self.fixed(Action, &[(args[0], State)], "prime"),
            Builtin::Enabled => self.fixed(State, &[(args[0], Action)], "ENABLED"),
            Builtin::Unchanged => self.fixed(Action, &[(args[0], State)], "UNCHANGED"),
            Builtin::Compose => self.fixed(Action, &[(args[0], Action), (args[1], Action)], "\\cdot"),
            Builtin::Always | Builtin::Eventually => {
                let info = self.expr(args[0]);
                if info.level == Action {
                    let kind = &self.spec.exprs[args[0]].kind;
                    match op {
                        Builtin::Always if !matches!(kind, ExprKind::BoxAction { .. }) => {
                            self.report(errors::stuttering_always(self.span(args[0])));
                        }
                        Builtin::Eventually if !matches!(kind, ExprKind::AngleAction { .. }) => {
                            self.report(errors::stuttering_eventually(self.span(args[0])));
                        }
                        _ => {}
                    }
                }
                Info { level: Temporal, ..info }
            }
            Builtin::LeadsTo | Builtin::Guarantees => {
                let mut info = Info { level: Temporal, ..Info::default() };
                for &arg in args {
                    let operand = self.expr(arg);
                    if operand.level == Action {
                        self.report(errors::action_in_temporal(op.name(), self.span(arg)));
                    }
                    info.demands(&operand);
                }
                info
            }
            _ => self.operands(args, Action, op.name()),
        }
    }

    fn connective(&mut self, op: Builtin, args: &[ExprId]) -> Info {
        let mut info = Info::default();
        let mut action = None;
        let mut temporal = None;
        for &arg in args {
            let operand = self.expr(arg);
            match operand.level {
                Level::Action => action = action.or(Some(arg)),
                Level::Temporal => temporal = temporal.or(Some(arg)),
                _ => {}
            }
            info.join(&operand);
        }
        if let (Some(action), Some(temporal)) = (action, temporal) {
            self.report(errors::mixed_levels(op.name(), self.span(action), self.span(temporal)));
        }
        info
    }

    fn call(&mut self, op: Operator, args: &[ExprId]) -> Info {
        match op {
            Operator::Def(def) => self.call_def(def, args),
            Operator::Decl(_) => self.operands(args, Level::Action, "a constant operator"),
            Operator::Local(local) => {
                let mut info = self.local(local);
                for (i, &arg) in args.iter().enumerate() {
                    let operand = self.expr(arg);
                    let need = info.needs.entry((local, i as u32)).or_default();
                    *need = operand.level.max(*need);
                    info.join(&operand);
                }
                info
            }
        }
    }

    fn call_def(&mut self, def: DefId, args: &[ExprId]) -> Info {
        let spec = self.spec;
        let summary = self.summary(def);
        let params = &spec.defs[def].params;
        let mut info = Info { level: summary.level, ..Info::default() };
        for &outer in summary.params.iter().filter(|it| !params.contains(it)) {
            info.params.push(outer);
        }
        for (&param, &limit) in summary.limits.iter().filter(|(it, _)| !params.contains(it)) {
            info.limit(param, limit);
        }
        let Def { name, span: declared, .. } = spec.defs[def];
        for (&param, &arg) in params.iter().zip(args) {
            let mut operand = self.expr(arg);
            let limit = summary.limits.get(&param).copied().unwrap_or(Level::Temporal);
            if operand.level > limit {
                let param = spec.locals[param].name;
                self.report(errors::argument_level(name, self.span(arg), param, declared, limit, operand.level));
                operand.level = limit;
            }
            self.operator_needs(name, declared, param, arg, &summary);
            if limit < Level::Temporal {
                for it in operand.params.clone() {
                    operand.limit(it, limit);
                }
            }
            if summary.params.contains(&param) {
                info.join(&operand);
            } else {
                info.demands(&operand);
            }
        }
        info
    }

    /// An operator argument must accept what the definition applies it to.
    fn operator_needs(&mut self, name: Symbol, declared: Span, param: LocalId, arg: ExprId, summary: &Info) {
        let ExprKind::OpRef(Operator::Def(given)) = self.spec.exprs[arg].kind else { return };
        let limits = self.summary(given).limits;
        let params = &self.spec.defs[given].params;
        for (&(_, place), &need) in summary.needs.range((param, 0)..=(param, u32::MAX)) {
            let limit = params.get(place as usize).and_then(|it| limits.get(it)).copied().unwrap_or(Level::Temporal);
            if need > limit {
                let param = self.spec.locals[param].name;
                self.report(errors::argument_level(name, self.span(arg), param, declared, limit, need));
            }
        }
    }

    fn substitution(&mut self, decl: DeclId, value: ExprId, module: ModuleId) {
        let spec = self.spec;
        let info = self.expr(value);
        let Decl { name, kind, span: declared, .. } = spec.decls[decl];
        let is_constant_module = spec.modules[module].decls.iter().all(|&it| spec.decls[it].kind == DeclKind::Constant);
        let allowed = match kind {
            DeclKind::Variable => Level::State,
            DeclKind::Constant if is_constant_module => Level::Action,
            DeclKind::Constant => Level::Constant,
        };
        if info.level > allowed {
            self.report(errors::substitution_level(name, self.span(value), declared, allowed, info.level));
        }
    }
}
