//! The theorems of a module, checked as they stand on the finite model.
//!
//! `Spec => P` is checked by searching the behaviours of `Spec`, which may be any conjunction of rules, for one that violates `P`.
//! Where `P` is a predicate of states, only the initial states matter; `P /\ [A]_v => Q'` is checked for the steps from all
//! states with `P`. Variables that a theorem does not speak of are left out. What is not finite is listed as not checkable.

mod goal;

use explore::Observer;
use source::Span;
use tla_eval::effects::Effects;
use tla_sema::compose::{Composition, ConjunctKind, replaced_definitions};
use tla_sema::ir::{ExprId, Statement};
use tla_sema::model::{Behaviour, Formula, Model};
use util::Symbol;

use crate::check::{CheckOptions, CheckReport, Ledger, Run, Verdict, check_one_of_many};
use crate::tla::TlaFile;
use crate::verdict::Limit;

use goal::{Goal, goals};

/// A statement of a module.
#[derive(Clone, Debug)]
pub struct Theorem {
    pub name: Option<String>,
    /// `THEOREM`, `LEMMA` …
    pub keyword: String,
    /// The text, on one line.
    pub statement: String,
    pub location: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TheoremVerdict {
    Holds,
    Violated,
    /// It says something that has no finite model, or nothing that could be evaluated.
    NotCheckable,
    /// A limit was reached.
    Unknown,
    /// We are wrong.
    Internal,
}

/// What became of a theorem.
#[derive(Clone, Debug)]
pub struct TheoremReport {
    pub theorem: Theorem,
    pub verdict: TheoremVerdict,
    /// Why it cannot be checked, or what the verdict is about.
    pub reason: Option<String>,
    /// The rules of its specification, where there are several.
    pub rules: Vec<String>,
    /// Rules of the module that its specification has not, with their places; those that were switched off have none.
    pub left_out: Vec<(String, Option<String>)>,
    /// The search that decided.
    pub report: CheckReport,
    pub seconds: f64,
}

/// Checks the theorems of the file's module. `progress` gets the number of each before it is checked, how many there are, and the
/// statement.
pub fn check_theorems(
    file: &mut TlaFile,
    options: &CheckOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
    progress: &mut dyn FnMut(usize, usize, &str),
) -> Vec<TheoremReport> {
    let Some(model) = file.model.clone().filter(|_| !file.has_errors()) else {
        return vec![];
    };
    let statements = file.statements();
    let ledger = Ledger::new(observer);
    let mut all = vec![];
    for (i, statement) in statements.iter().enumerate() {
        let theorem = file.theorem(statement);
        progress(i, statements.len(), &theorem.statement);
        let start = observer.elapsed();
        let mut prover = Prover {
            file,
            model: &model,
            options,
            effects,
            observer,
            ledger: &ledger,
        };
        let mut report = prover.statement(theorem, statement);
        report.seconds = (observer.elapsed() - start).as_secs_f64();
        all.push(report);
    }
    file.model = Some(model);
    all
}

impl TlaFile {
    /// Theorems, and lemmas and the like that have no proof, of the module; where it has none, of those that it extends.
    fn statements(&self) -> Vec<Statement> {
        let wanted = |it: &&Statement| it.keyword.as_str() == "THEOREM" || !it.has_proof;
        let mut modules = self.own_modules();
        modules.reverse();
        for module in modules {
            let theorems = &self.spec.modules[module].theorems;
            if !theorems.is_empty() {
                return theorems.iter().filter(wanted).cloned().collect();
            }
        }
        vec![]
    }

    fn theorem(&self, statement: &Statement) -> Theorem {
        let span = statement
            .body
            .map_or(statement.span, |it| self.spec.exprs[it].span);
        let text = self.one_line(span);
        // What is no formula is told from its first word on.
        let text = text
            .strip_prefix(statement.keyword.as_str())
            .map_or(&*text, str::trim_start);
        Theorem {
            name: statement.name.map(|it| it.to_string()),
            keyword: statement.keyword.to_string(),
            statement: text.to_string(),
            location: self.location(span),
        }
    }

    fn one_line(&self, span: Span) -> String {
        self.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

struct Prover<'a> {
    file: &'a mut TlaFile,
    model: &'a Model,
    options: &'a CheckOptions,
    effects: &'a (dyn Effects + Sync),
    observer: &'a dyn Observer,
    ledger: &'a Ledger,
}

impl Prover<'_> {
    fn statement(&mut self, theorem: Theorem, statement: &Statement) -> TheoremReport {
        let mut whole = TheoremReport {
            theorem,
            verdict: TheoremVerdict::Holds,
            reason: None,
            rules: vec![],
            left_out: vec![],
            report: CheckReport::default(),
            seconds: 0.0,
        };
        let Some(body) = statement.body else {
            return refuse(whole, "an `ASSUME … PROVE` is a rule of proof, not a formula");
        };
        // Several goals are one theorem: the first that is not met decides, and counts are those of all.
        let (mut generated, mut distinct) = (0, 0);
        for goal in goals(&mut self.file.spec, body, &replaced_definitions(self.model)) {
            let goal = match goal {
                Ok(goal) => goal,
                Err(why) => {
                    whole = refuse(whole, why);
                    break;
                }
            };
            self.goal(&goal, &mut whole);
            (generated, distinct) = (
                generated + whole.report.generated,
                distinct + whole.report.distinct,
            );
            if whole.verdict != TheoremVerdict::Holds {
                break;
            }
        }
        (whole.report.generated, whole.report.distinct) = (generated, distinct);
        whole
    }

    fn goal(&mut self, goal: &Goal, whole: &mut TheoremReport) {
        let mut composition = self.file.taken_apart(&goal.given, self.model);
        self.file.switch_known(&mut composition, self.model);
        let named = |on: bool| {
            composition
                .rules
                .iter()
                .filter(move |it| it.on == on)
                .map(|it| it.name.clone())
        };
        whole.rules = named(true).collect();
        whole.left_out = named(false).map(|it| (it, None)).collect();
        if !composition.rules.is_empty() {
            let others = self.file.left_out(&composition).into_iter();
            whole.left_out.extend(others.map(|(name, at)| (name, Some(at))));
        }
        if let Some(why) = self.not_finite(goal, &composition) {
            *whole = refuse(whole.clone(), why);
            return;
        }
        self.file.model = Some(self.goal_model(goal, composition, &whole.theorem));
        let options = CheckOptions {
            deadlock: Some(false),
            // A theorem about nothing is true.
            allow_empty: true,
            ..*self.options
        };
        let quiet = crate::rules::Quiet(self.observer);
        let mut report = check_one_of_many(self.file, &options, Run::new(self.effects, &quiet, self.ledger));
        report.audit = report.audit.and(whole.report.audit);
        if let Some(earlier) = whole.report.mismatch.take() {
            report.mismatch = Some(earlier);
            let told = whole.report.diagnostics.iter();
            let told = told.filter(|it| it.code == "audit-mismatch").cloned();
            report.diagnostics.splice(0..0, told);
        }
        judge(report, goal, whole);
    }

    /// Why a search would make no sense.
    fn not_finite(&self, goal: &Goal, composition: &Composition) -> Option<&'static str> {
        if composition.is_cut {
            return Some("its left side has too many conjuncts");
        }
        let mut kinds = composition.in_force().map(|it| it.kind);
        if goal.shape == goal::Shape::Temporal {
            if composition.conjuncts.is_empty() && self.has_variables(goal) {
                return Some("it is said of all behaviours, not of those of a specification");
            }
            let has_steps = kinds.any(|it| matches!(it, ConjunctKind::Step { .. }));
            if !has_steps && self.has_variables(goal) {
                return Some("its left side has no `[][A]_v`, so any step is allowed");
            }
        } else if composition.conjuncts.is_empty() && self.has_variables(goal) {
            return Some("it is said of all states, not of those that a formula describes");
        }
        None
    }

    fn has_variables(&self, goal: &Goal) -> bool {
        let mut mentions = tla_sema::FreeVariables::new(&self.file.spec, &replaced_definitions(self.model));
        !mentions.of(goal.claim).is_empty()
    }

    fn goal_model(&mut self, goal: &Goal, mut composition: Composition, theorem: &Theorem) -> Model {
        if goal.shape == goal::Shape::Initial {
            // What happens later is of no interest, nor are variables that only later steps mention.
            for it in &mut composition.conjuncts {
                it.on &= matches!(it.kind, ConjunctKind::Initial(_) | ConjunctKind::Always { .. });
            }
        }
        let mut others: Vec<ExprId> = vec![goal.claim];
        let (constraints, action_constraints) = match goal.shape {
            goal::Shape::Step => (goal.states.iter().map(|&it| self.formula(it)).collect(), vec![]),
            _ => (
                self.model.constraints.clone(),
                self.model.action_constraints.clone(),
            ),
        };
        others.extend(
            constraints
                .iter()
                .chain(&action_constraints)
                .map(|it: &Formula| it.expr),
        );
        let instead = replaced_definitions(self.model);
        composition.fix_free(&mut self.file.spec, &others, &instead);
        if goal.shape == goal::Shape::Initial {
            // Constraints may speak of variables that are not determined.
            composition
                .conjuncts
                .retain(|it| !it.fixes || matches!(it.kind, ConjunctKind::Initial(_)));
        }
        if composition.conjuncts.is_empty() {
            let span = self.file.spec.exprs[goal.claim].span;
            composition.add_true(&mut self.file.spec, span);
        }
        if goal.shape == goal::Shape::Step {
            goal.actions
                .iter()
                .for_each(|&it| composition.add_step(&self.file.spec, it));
        }
        let has_others = composition
            .in_force()
            .any(|it| matches!(it.kind, ConjunctKind::Other(_)));
        let expr = match goal.shape {
            // An assumption that is not about steps counts for infinite behaviours only: then so must the claim.
            goal::Shape::Temporal if has_others => goal::twice_negated(&mut self.file.spec, goal.claim),
            _ => goal.claim,
        };
        let claim = Formula {
            name: Symbol::new(
                theorem
                    .name
                    .as_deref()
                    .unwrap_or(&self.file.one_line(self.file.spec.exprs[goal.claim].span)),
            ),
            expr,
            span: self.file.spec.exprs[goal.claim].span,
        };
        let (invariants, properties) = match goal.shape {
            goal::Shape::Initial => (vec![claim.clone()], vec![]),
            goal::Shape::Step | goal::Shape::Temporal => (vec![], vec![claim.clone()]),
        };
        let is_initial = goal.shape == goal::Shape::Initial;
        let mut model = Model {
            behaviour: Behaviour::Specification(claim),
            composition: Some(composition),
            invariants,
            properties,
            constraints: if is_initial { vec![] } else { constraints },
            action_constraints: if is_initial { vec![] } else { action_constraints },
            postconditions: vec![],
            possible: vec![],
            alias: None,
            ..self.model.clone()
        };
        model.properties = self.file.property_parts(&model);
        model
    }

    fn formula(&self, expr: ExprId) -> Formula {
        let span = self.file.spec.exprs[expr].span;
        Formula {
            name: Symbol::new(&self.file.one_line(span)),
            expr,
            span,
        }
    }
}

fn refuse(mut whole: TheoremReport, why: impl Into<String>) -> TheoremReport {
    whole.verdict = TheoremVerdict::NotCheckable;
    whole.reason = Some(why.into());
    whole
}

/// What a search says of a theorem.
fn judge(report: CheckReport, goal: &Goal, whole: &mut TheoremReport) {
    let reason = || crate::rules::reason(&report);
    (whole.verdict, whole.reason) = match report.verdict {
        Verdict::Holds
            if report.generated == 0 && report.diagnostics.iter().any(|it| it.code == "no-initial-state") =>
        {
            (
                TheoremVerdict::Holds,
                Some("no state satisfies the initial predicate, so it says nothing".to_string()),
            )
        }
        Verdict::Holds => (TheoremVerdict::Holds, goal.note.map(str::to_string)),
        Verdict::Violated => (TheoremVerdict::Violated, goal.note.map(str::to_string)),
        Verdict::Unknown => match report.limit {
            Some(Limit::TemporalProperties) | None => (TheoremVerdict::NotCheckable, Some(reason())),
            Some(limit) => (TheoremVerdict::Unknown, Some(format!("ended by {limit}"))),
        },
        Verdict::Error => (TheoremVerdict::NotCheckable, Some(reason())),
        Verdict::Internal => (TheoremVerdict::Internal, Some(reason())),
    };
    whole.report = report;
}
