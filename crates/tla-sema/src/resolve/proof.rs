//! Statements and proofs: kept, not checked. Their names are resolved, so that a misspelt lemma is found, and their
//! formulas obey the level rules.
//!
//! A step's name is known from its statement on, within its proof; names that `TAKE`, `PICK`, `DEFINE` and `SUFFICES`
//! introduce are known from the next step on until that proof ends, names of `ASSUME NEW` in the step's own proof.

use source::Span;
use tla_syntax::ast::{self, AssumeItem, Binding, ExprKind as Ast, NewLevel, ProofKind, StepKind};
use util::{FxHashMap, Symbol};

use super::Resolver;
use super::clause::{Clause, Rule};
use crate::builtin::is_builtin;
use crate::diagnostics as errors;
use crate::instance::children;
use crate::ir::*;
use crate::level::{Check, GoalStep};

/// What a theorem or step says.
pub(super) struct Stated {
    /// Absent for `ASSUME … PROVE`, and for steps that are no formula.
    pub formula: Option<ExprId>,
    /// All formulas of it, and the level that the names it declares give to it.
    pub parts: Vec<ExprId>,
    /// How it is built from these.
    pub clause: Clause,
    pub level: Level,
}

impl Stated {
    fn nothing() -> Stated {
        Stated {
            formula: None,
            parts: vec![],
            clause: Clause::List(vec![]),
            level: Level::Constant,
        }
    }

    fn add(&mut self, formula: ExprId) -> Clause {
        self.parts.push(formula);
        Clause::Formula(self.parts.len() - 1)
    }

    fn add_all(&mut self, formulas: Vec<ExprId>) {
        let clauses = formulas.into_iter().map(|it| self.add(it)).collect();
        self.clause = Clause::List(clauses);
    }

    /// Makes another statement a part of this one.
    fn include(&mut self, inner: Stated) -> Clause {
        let clause = inner.clause.moved_by(self.parts.len());
        self.parts.extend(inner.parts);
        self.level = self.level.max(inner.level);
        clause
    }
}

impl Resolver<'_> {
    /// The statement of a theorem or step. The names that `NEW` introduces stay bound until the caller releases its
    /// mark.
    pub(super) fn statement(&mut self, id: ast::ExprId) -> Stated {
        let mut stated = Stated::nothing();
        let tree = self.ctx.tree.clone();
        match &tree.exprs[id].kind {
            Ast::AssumeProve(rule) => util::deep(|| self.assume_prove(rule, &mut stated)),
            Ast::Label { name, params, body } if matches!(tree.exprs[*body].kind, Ast::AssumeProve(_)) => {
                self.label_of_rule(*name, params);
                let labelled = self.labelled(|it| it.statement(*body));
                return Stated {
                    clause: Clause::Label(name.name, Box::new(labelled.clause)),
                    ..labelled
                };
            }
            _ => {
                let formula = self.expr(id);
                self.check(Check::Formula(formula));
                stated.formula = Some(formula);
                stated.clause = stated.add(formula);
            }
        }
        stated
    }

    fn assume_prove(&mut self, rule: &ast::AssumeProve, stated: &mut Stated) {
        self.ctx.news.push(false);
        let mut clauses = vec![];
        for item in &rule.assumptions {
            match item {
                AssumeItem::Fact(fact) => {
                    // What a nested rule introduces is its own.
                    let mark = self.ctx.scope.mark();
                    let inner = self.statement(*fact);
                    self.ctx.scope.release(mark);
                    clauses.push(stated.include(inner));
                }
                AssumeItem::New { level, decl, set } => {
                    let set = set.map(|it| {
                        let set = self.expr(it);
                        self.check(Check::NewSet(set));
                        stated.parts.push(set);
                        stated.parts.len() - 1
                    });
                    let level = match level {
                        NewLevel::Constant => Level::Constant,
                        NewLevel::Variable | NewLevel::State => Level::State,
                        NewLevel::Action => Level::Action,
                        NewLevel::Temporal => Level::Temporal,
                    };
                    stated.level = stated.level.max(level);
                    let local = self.bind_local(decl.name, decl.arity, level);
                    clauses.push(Clause::New(local, set));
                    if let Some(news) = self.ctx.news.last_mut() {
                        *news = true;
                    }
                }
            }
        }
        let conclusion = self.statement(rule.prove);
        clauses.push(stated.include(conclusion));
        stated.clause = Clause::List(clauses);
        self.ctx.news.pop();
    }

    /// The proof of a statement. When the goal is temporal, its steps may say less.
    pub(super) fn proof_of(&mut self, stated: &Stated, proof: &ast::Proof) {
        let steps = self.proof(proof);
        if !steps.is_empty() {
            self.check(Check::Goal {
                parts: stated.parts.clone(),
                level: stated.level,
                steps,
            });
        }
    }

    /// Gives the steps that only state something about the goal.
    fn proof(&mut self, proof: &ast::Proof) -> Vec<GoalStep> {
        util::deep(|| self.proof_here(proof))
    }

    fn proof_here(&mut self, proof: &ast::Proof) -> Vec<GoalStep> {
        let mut goal_steps = vec![];
        match &proof.kind {
            ProofKind::Obvious | ProofKind::Omitted => {}
            ProofKind::By(by) => self.by(by, "BY", proof.span),
            ProofKind::Steps(steps) => {
                let mark = self.ctx.scope.mark();
                let mut names: FxHashMap<Symbol, Span> = FxHashMap::default();
                let mut before = None;
                for step in steps {
                    if let Some(name) = step.name
                        && let Some(first) = names.insert(name.name, name.span)
                    {
                        self.report(errors::duplicate_step(name.name, name.span, first));
                    }
                    self.check_implicit_name(step);
                    self.ctx.chained = before.filter(|_| self.starts_with_at(step));
                    let stated = self.step(step, &mut goal_steps);
                    self.ctx.chained = None;
                    before = stated.and_then(|it| self.right_side(step, it));
                }
                self.ctx.scope.release(mark);
            }
        }
        goal_steps
    }

    /// `<*>3` and `<+>3`: a step without a level of its own has no name.
    fn check_implicit_name(&mut self, step: &ast::Step) {
        let token = step.token;
        if step.name.is_some() && matches!(token.name.as_str().as_bytes().get(1), Some(b'*' | b'+')) {
            self.report(errors::implicit_step_name(token.name, token.span));
        }
    }

    /// `@ = e` continues the chain that the step before has begun.
    fn starts_with_at(&self, step: &ast::Step) -> bool {
        let StepKind::Assert(body) = step.kind else {
            return false;
        };
        match self.ctx.tree.exprs[body].kind {
            Ast::Infix { lhs, .. } => matches!(self.ctx.tree.exprs[lhs].kind, Ast::At),
            _ => false,
        }
    }

    /// What `@` means in the step after this one.
    fn right_side(&self, step: &ast::Step, formula: ExprId) -> Option<ExprId> {
        let StepKind::Assert(body) = step.kind else {
            return None;
        };
        if !matches!(self.ctx.tree.exprs[body].kind, Ast::Infix { .. }) {
            return None;
        }
        let mut operands = vec![];
        children(&self.spec.exprs[formula].kind, &mut |it| operands.push(it));
        operands.get(1).copied()
    }

    /// Gives the formula that the step asserts, if it asserts one.
    fn step(&mut self, step: &ast::Step, goal_steps: &mut Vec<GoalStep>) -> Option<ExprId> {
        let outside = self.ctx.scope.mark();
        let (stated, scope) = self.labelled_if(step.name.is_some(), |it| it.step_statement(step, goal_steps));
        let news = match scope {
            NewNames::Proof | NewNames::After => self.ctx.scope.take(outside),
            NewNames::Stay => vec![],
        };
        self.name_step(step, &stated);
        let inside = self.ctx.scope.mark();
        let news = match scope {
            NewNames::Proof => {
                self.ctx.scope.put(news);
                vec![]
            }
            _ => news,
        };
        if let Some(proof) = &step.proof {
            match step.kind {
                // What is proved is the goal around, under a further assumption or none.
                StepKind::Qed | StepKind::Case(_) => goal_steps.extend(self.proof(proof)),
                _ => self.proof_of(&stated, proof),
            }
        }
        self.ctx.scope.release(inside);
        self.ctx.scope.put(news);
        stated
            .formula
            .filter(|_| matches!(step.kind, StepKind::Assert(_)))
    }

    fn step_statement(&mut self, step: &ast::Step, goal_steps: &mut Vec<GoalStep>) -> (Stated, NewNames) {
        let mut stated = Stated::nothing();
        let mut goal_step = None;
        let mut scope = NewNames::Proof;
        match &step.kind {
            StepKind::Qed => {}
            StepKind::Assert(body) => stated = self.statement(*body),
            StepKind::Suffices(body) => {
                // What SUFFICES assumes holds for the rest of the proof, not in the proof that it suffices.
                stated = self.statement(*body);
                scope = NewNames::After;
            }
            StepKind::Case(body) => {
                stated = self.statement(*body);
                goal_step = Some("CASE");
            }
            StepKind::Have(body) => {
                stated = self.statement(*body);
                goal_step = Some("HAVE");
            }
            StepKind::Witness(values) => {
                stated.add_all(values.iter().map(|&it| self.expr(it)).collect());
                stated.parts.iter().for_each(|&it| self.check(Check::Formula(it)));
                goal_step = Some("WITNESS");
            }
            StepKind::Take(binding) => {
                stated.add_all(self.bind_all(binding).sets);
                stated.parts.iter().for_each(|&it| self.check(Check::Formula(it)));
                goal_step = Some("TAKE");
                scope = NewNames::Stay;
            }
            StepKind::Pick { binding, body } => {
                // The picked names are known afterwards, but not in the proof that they exist.
                let bound = self.bind_all(binding);
                let body = self.with_bound(bound.names(), |it| it.expr(*body));
                self.check(Check::Pick {
                    sets: bound.sets.clone(),
                    body,
                });
                stated.parts.clone_from(&bound.sets);
                stated.parts.push(body);
                stated.clause = Clause::Binder(self.alloc(bound.exists(body), step.span));
                scope = NewNames::After;
            }
            StepKind::Use(it) => self.use_or_hide(it, step.span),
            StepKind::Define(units) => {
                for unit in units {
                    self.definition_unit(unit);
                }
                scope = NewNames::Stay;
            }
            StepKind::Instance(it) => {
                self.instance(it, step.span);
                scope = NewNames::Stay;
            }
        }
        if let Some(word) = goal_step {
            goal_steps.push(GoalStep {
                word,
                span: step.span,
                parts: stated.parts.clone(),
            });
        }
        (stated, scope)
    }

    /// A step that is a formula can stand for it; any other can only be cited.
    fn name_step(&mut self, step: &ast::Step, stated: &Stated) {
        let Some(name) = step.name else { return };
        let what = match &step.kind {
            StepKind::Assert(_) if stated.formula.is_some() => None,
            StepKind::Assert(_) => Some("an `ASSUME … PROVE`"),
            StepKind::Qed => Some("a QED step"),
            StepKind::Suffices(_) => Some("a SUFFICES step"),
            StepKind::Case(_) => Some("a CASE step"),
            StepKind::Have(_) => Some("a HAVE step"),
            StepKind::Take(_) => Some("a TAKE step"),
            StepKind::Witness(_) => Some("a WITNESS step"),
            StepKind::Pick { .. } => Some("a PICK step"),
            StepKind::Use(_) => Some("a USE or HIDE step"),
            StepKind::Define(_) => Some("a DEFINE step"),
            StepKind::Instance(_) => Some("an INSTANCE step"),
        };
        let def = match what {
            None => self.new_statement(name, stated),
            Some(what) => {
                let clause = match step.kind {
                    // What follows the keyword is the first part of these; an `ASSUME … PROVE` is a step as a whole.
                    StepKind::Suffices(_) | StepKind::Case(_) | StepKind::Have(_) => {
                        Clause::List(vec![stated.clause.clone()])
                    }
                    _ => stated.clause.clone(),
                };
                self.new_rule(name, &stated.parts, Rule { what, clause })
            }
        };
        self.ctx.scope.bind(name.name, Entity::Def(def), false);
    }

    /// Binds the names of `TAKE` and `PICK`.
    fn bind_all(&mut self, binding: &Binding) -> Bindings {
        match binding {
            Binding::Bounded(bounds) => {
                let sets: Vec<ExprId> = bounds.iter().map(|it| self.expr(it.set)).collect();
                let bounds = self.bind_patterns(bounds, &sets);
                Bindings {
                    sets,
                    names: Names::Bounded(bounds),
                }
            }
            Binding::Unbounded(names) => Bindings {
                sets: vec![],
                names: Names::Unbounded(names.iter().map(|&it| self.bind_name(it)).collect()),
            },
        }
    }

    pub(super) fn use_or_hide(&mut self, it: &ast::Use, span: Span) {
        self.by(&it.by, if it.hide { "HIDE" } else { "USE" }, span);
    }

    fn by(&mut self, by: &ast::By, word: &str, span: Span) {
        if by.facts.is_empty() && by.defs.is_empty() {
            self.report(errors::empty_by(word, span));
        }
        let hide = word == "HIDE";
        for fact in &by.facts {
            if let ast::Fact::Expr(id) = fact {
                self.fact(*id, hide);
            }
        }
        for def in &by.defs {
            if let ast::Fact::Expr(id) = def {
                self.fact(*id, false);
            }
        }
    }

    /// A cited fact: a name, a part of one, or a formula. Only what has a name can be hidden.
    fn fact(&mut self, id: ast::ExprId, hide: bool) {
        let tree = self.ctx.tree.clone();
        let ast::Expr { kind, span } = &tree.exprs[id];
        let cited = match kind {
            Ast::Ident(name) | Ast::OpRef(name) => self.cited(ast::Ident {
                name: *name,
                span: *span,
            }),
            Ast::Apply { name, args } if self.is_statement(name.name) => {
                args.iter().for_each(|&it| self.expr_or_operator(it));
                self.cited(*name)
            }
            Ast::Path(parts) => self.cited_path(parts, *span),
            _ => {
                let mark = self.ctx.scope.mark();
                self.statement(id);
                self.ctx.scope.release(mark);
                Cited::Formula
            }
        };
        if hide && matches!(cited, Cited::Formula) {
            self.report(errors::hidden_formula(*span));
        }
    }

    fn is_statement(&self, name: Symbol) -> bool {
        self.ctx.scope.get(name).is_some_and(|it| self.is_citable(it))
    }

    fn is_citable(&self, entity: Entity) -> bool {
        match entity {
            Entity::Def(def) => matches!(self.spec.defs[def].kind, DefKind::Statement | DefKind::Rule),
            Entity::Instance(_) | Entity::Module(_) => true,
            Entity::Decl(_) | Entity::Local(_) => false,
        }
    }

    fn cited(&mut self, name: ast::Ident) -> Cited {
        if let Some(entity) = self.ctx.scope.get(name.name) {
            return if self.is_citable(entity) {
                Cited::Statement
            } else {
                Cited::Formula
            };
        }
        if self.ctx.scope.module(name.name).is_some() {
            return Cited::Statement;
        }
        if !is_builtin(name.name) {
            self.unbound(name);
            return Cited::Unknown;
        }
        Cited::Formula
    }

    fn cited_path(&mut self, parts: &[ast::PathPart], span: Span) -> Cited {
        match self.path_fact(parts, span) {
            None => Cited::Unknown,
            Some(entity) if self.is_citable(entity) => Cited::Statement,
            Some(_) => Cited::Formula,
        }
    }
}

/// What `TAKE` or `PICK` binds.
struct Bindings {
    sets: Vec<ExprId>,
    names: Names,
}

enum Names {
    Bounded(Box<[Bound]>),
    Unbounded(Box<[LocalId]>),
}

impl Bindings {
    fn names(&self) -> Vec<LocalId> {
        match &self.names {
            Names::Bounded(bounds) => super::expr::bound_names(bounds),
            Names::Unbounded(names) => names.to_vec(),
        }
    }

    /// What `PICK` needs: that there are such values.
    fn exists(self, body: ExprId) -> ExprKind {
        let kind = Quant::Exists;
        match self.names {
            Names::Bounded(bounds) => ExprKind::Quant { kind, bounds, body },
            Names::Unbounded(locals) => ExprKind::UnboundedQuant { kind, locals, body },
        }
    }
}

/// What a fact of `BY`, `USE` or `HIDE` turned out to be.
enum Cited {
    Statement,
    Formula,
    /// An error was reported.
    Unknown,
}

/// Where the names that a step introduces are known.
#[derive(Clone, Copy)]
enum NewNames {
    /// In the step's own proof.
    Proof,
    /// After the step.
    After,
    /// From the step on.
    Stay,
}
