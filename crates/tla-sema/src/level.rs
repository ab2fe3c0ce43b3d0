//! Levels: what may be primed, what may stand under `[]` (*Specifying Systems*, section 17.2).
//!
//! The level of an expression is the level of its own operators, joined with the levels of the names it mentions. A
//! definition is summarised once: its own level and, for each name that is not its own business (its
//! parameters, the constants of its module), whether that name's level counts, how high it may be, and whether equals may
//! be put for equals in it. Levels flow up from the leaves as results, these demands flow down to the leaves as a
//! [`Place`]; so one walk over an expression finds both. Recursive definitions are computed until nothing changes.

mod call;
mod expr;
mod instance;
mod summary;

use std::collections::BTreeMap;
use std::rc::Rc;

use diag::Diagnostic;
use source::Span;
use util::{FxHashMap, FxHashSet};

use crate::diagnostics as errors;
use crate::ir::*;
use instance::ModuleSummary;
use summary::{Demands, Param, Summary};

/// Something whose levels are to be checked, in the order of the text.
pub enum Check {
    Def(DefId),
    Assumption(ExprId),
    /// A theorem, a step of a proof, a cited formula.
    Formula(ExprId),
    Instance(InstanceId),
    /// The set of `NEW x \in S`.
    NewSet(ExprId),
    /// `PICK x \in S : P`.
    Pick {
        sets: Vec<ExprId>,
        body: ExprId,
    },
    /// A statement (its formulas, and the level of the names it declares) with those steps of its proof that transform
    /// the goal.
    Goal {
        parts: Vec<ExprId>,
        level: Level,
        steps: Vec<GoalStep>,
    },
}

/// A step such as `HAVE P`: when the goal is temporal, only a constant may stand there.
pub struct GoalStep {
    pub word: &'static str,
    pub span: Span,
    pub parts: Vec<ExprId>,
}

/// All errors that the level rules demand.
pub fn check(spec: &Spec, checks: &[Check]) -> Vec<Diagnostic> {
    let mut levels = Levels::new(spec);
    levels.errors = Some(vec![]);
    for check in checks {
        levels.check(check);
    }
    levels.errors.unwrap_or_default()
}

/// What the expressions around a place ask of what stands there.
#[derive(Clone, Copy)]
struct Place {
    /// The highest level that a name may have.
    limit: Level,
    /// Whether the level of a name there is also a level of the whole.
    counts: bool,
    /// Whether equals may not be put for equals there: under a prime, `ENABLED`, `[]` and the like.
    opaque: bool,
    /// From here on, `Levels::applied` says which operator parameters are applied to what stands there.
    applied_from: usize,
}

/// What there is to tell two places apart.
type PlaceKey = (Level, bool, bool, usize, usize);

/// What an `@` stands for: its level, and the names that the walk met there.
#[derive(Clone, Copy)]
struct At {
    level: Level,
    walk: u32,
    met: (usize, usize),
}

/// Computes levels of expressions and definitions on demand.
pub struct Levels<'a> {
    spec: &'a Spec,
    summaries: FxHashMap<DefId, Rc<Summary>>,
    computing: FxHashSet<DefId>,
    modules: FxHashMap<ModuleId, ModuleSummary>,
    /// How high the arguments of a parametrised instance may be.
    instance_limits: FxHashMap<InstanceId, Vec<Level>>,
    /// Constants that some instance replaces: only of these anything is remembered.
    replaced: FxHashSet<DeclId>,
    /// What the expression being walked asks of names.
    demands: Demands,
    /// Operator parameters and places that the walk is inside of.
    applied: Vec<(Param, u32)>,
    /// Every name met on the walk, and for each `@` the part of it that `@` stands for.
    met: Vec<Param>,
    ats: FxHashMap<LocalId, At>,
    /// Which walk this is, counted from 1: names met in another one are not at hand.
    walk: u32,
    n_walks: u32,
    /// Levels of expressions in places of one kind, while the body of an instantiated definition is walked: what was put
    /// for a name is shared there, and is walked once.
    walked: Option<FxHashMap<(ExprId, PlaceKey), Level>>,
    /// Absent while something is only looked up.
    errors: Option<Vec<Diagnostic>>,
}

impl<'a> Levels<'a> {
    pub fn new(spec: &'a Spec) -> Levels<'a> {
        let mut replaced = FxHashSet::default();
        for (_, instance) in spec.instances.iter() {
            replaced.extend(instance.substitution.keys().copied());
        }
        let mut levels = Levels {
            spec,
            summaries: FxHashMap::default(),
            computing: FxHashSet::default(),
            modules: FxHashMap::default(),
            instance_limits: FxHashMap::default(),
            replaced,
            demands: Demands::default(),
            applied: vec![],
            met: vec![],
            ats: FxHashMap::default(),
            walk: 0,
            n_walks: 0,
            walked: None,
            errors: None,
        };
        levels.recursive_definitions();
        levels
    }

    /// The level of a definition applied to constants.
    pub fn of_def(&mut self, def: DefId) -> Level {
        self.summary(def).level
    }

    /// The level of an expression outside of any binder.
    pub fn of(&mut self, expr: ExprId) -> Level {
        self.whole(expr, Level::Temporal).0
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if let Some(errors) = &mut self.errors {
            errors.push(diagnostic);
        }
    }

    fn span(&self, id: ExprId) -> Span {
        self.spec.exprs[id].span
    }

    /// Walks an expression on its own, in a place where a name may be at most `limit`.
    fn whole(&mut self, expr: ExprId, limit: Level) -> (Level, Demands) {
        let demands = std::mem::take(&mut self.demands);
        let applied = std::mem::take(&mut self.applied);
        let met = std::mem::take(&mut self.met);
        self.n_walks += 1;
        let walk = std::mem::replace(&mut self.walk, self.n_walks);
        let level = self.expr(
            expr,
            Place {
                limit,
                counts: true,
                opaque: false,
                applied_from: 0,
            },
        );
        self.met = met;
        self.walk = walk;
        self.applied = applied;
        (level, std::mem::replace(&mut self.demands, demands))
    }

    fn check(&mut self, check: &Check) {
        let spec = self.spec;
        match check {
            Check::Def(def) => {
                self.whole(spec.defs[*def].body, Level::Temporal);
                self.check_recursive(*def);
            }
            Check::Assumption(body) => {
                let (level, _) = self.whole(*body, Level::Temporal);
                if level > Level::Constant {
                    self.report(errors::assumption_level(self.span(*body), level));
                }
            }
            Check::Formula(body) => {
                self.whole(*body, Level::Temporal);
            }
            Check::Instance(instance) => self.check_instance(*instance),
            Check::NewSet(set) => {
                if self.whole(*set, Level::Temporal).0 == Level::Temporal {
                    self.report(errors::temporal_new_set(self.span(*set)));
                }
            }
            Check::Pick { sets, body } => {
                let (level, _) = self.whole(*body, Level::Temporal);
                for &set in sets {
                    let (got, _) = self.whole(set, Level::Temporal);
                    if level == Level::Temporal && got > Level::Constant {
                        self.report(errors::pick_bound(self.span(set), got, self.span(*body)));
                    }
                }
            }
            Check::Goal { parts, level, steps } => self.check_goal(parts, *level, steps),
        }
    }

    /// `TAKE`, `HAVE`, `WITNESS` and `CASE` transform a goal at one state; a temporal goal has none.
    fn check_goal(&mut self, parts: &[ExprId], level: Level, steps: &[GoalStep]) {
        // The formulas themselves have been checked on their own.
        let errors = self.errors.take();
        let mut of_all = |parts: &[ExprId]| parts.iter().map(|&it| self.of(it)).max().unwrap_or_default();
        let temporal = of_all(parts).max(level) == Level::Temporal;
        let levels: Vec<Level> = steps.iter().map(|it| of_all(&it.parts)).collect();
        self.errors = errors;
        let goal = parts.last().map(|&it| self.span(it));
        for (step, level) in steps.iter().zip(levels) {
            if temporal && level > Level::Constant {
                self.report(errors::temporal_goal(step.word, step.span, level, goal));
            }
        }
    }

    fn recursive_definitions(&mut self) {
        let spec = self.spec;
        let recursive: Vec<DefId> = spec
            .defs
            .iter()
            .filter(|(_, it)| it.recursive)
            .map(|(id, _)| id)
            .collect();
        let is_recursive: FxHashSet<DefId> = recursive.iter().copied().collect();
        for &def in &recursive {
            self.summaries.insert(def, Rc::new(self.first_guess(def)));
        }
        // Levels only rise, limits only fall, and there are four of them: a few rounds are enough.
        loop {
            let mut changed = false;
            for &def in &recursive {
                let summary = self.compute(def);
                changed |= self.summaries.get(&def).is_none_or(|it| **it != summary);
                self.summaries.insert(def, Rc::new(summary));
            }
            // What was computed from a summary that was too low is forgotten.
            self.summaries.retain(|def, _| is_recursive.contains(def));
            if !changed {
                return;
            }
        }
    }

    /// Of a recursive operator before anything is known of its body: its arguments count, and may be actions.
    fn first_guess(&self, def: DefId) -> Summary {
        let mut guess = Summary::default();
        for &param in &self.spec.defs[def].params {
            guess.demands.counted(Param::Local(param));
            guess.demands.limit(Param::Local(param), Level::Action);
        }
        guess
    }

    fn compute(&mut self, def: DefId) -> Summary {
        let spec = self.spec;
        let walked = spec.defs[def].origin.map(|_| FxHashMap::default());
        let outer = std::mem::replace(&mut self.walked, walked);
        let (level, mut demands) = self.whole(spec.defs[def].body, Level::Temporal);
        self.walked = outer;
        if spec.defs[def].recursive {
            demands.join(self.first_guess(def).demands);
        }
        self.limit_by_instance(def, &mut demands);
        Summary { level, demands }
    }

    /// An argument of a parametrised instance stands for something declared in the instantiated module.
    fn limit_by_instance(&mut self, def: DefId, demands: &mut Demands) {
        let Some((_, instance)) = self.spec.defs[def].origin else {
            return;
        };
        if self.spec.instances[instance].params.is_empty() {
            return;
        }
        let limits = self.limits_of_instance(instance);
        for (&param, limit) in self.spec.defs[def].params.iter().zip(limits) {
            demands.limit(Param::Local(param), limit);
        }
    }

    fn summary(&mut self, def: DefId) -> Rc<Summary> {
        if let Some(known) = self.summaries.get(&def) {
            return known.clone();
        }
        if !self.computing.insert(def) {
            return Rc::default();
        }
        // Errors inside a definition are reported when the definition itself is checked.
        let errors = self.errors.take();
        let summary = Rc::new(self.compute(def));
        self.errors = errors;
        self.computing.remove(&def);
        self.summaries.insert(def, summary.clone());
        summary
    }

    /// A recursive operator may not prime its parameters: it would prime them again and again.
    fn check_recursive(&mut self, def: DefId) {
        let Def {
            name,
            recursive,
            ref params,
            ..
        } = self.spec.defs[def];
        if !recursive {
            return;
        }
        let summary = self.summary(def);
        for &param in params {
            if summary.demands.limit_of(Param::Local(param)) < Level::Action {
                let Local {
                    name: param, span, ..
                } = self.spec.locals[param];
                self.report(errors::recursive_primes(name, param, span));
            }
        }
    }
}

/// The parameters of definitions as an ordered map, for lookups by place.
type Needs = BTreeMap<(Param, u32), Level>;
