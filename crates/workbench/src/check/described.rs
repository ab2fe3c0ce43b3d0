//! What a specification can ask about itself: `TLCGet("spec")`.
//!
//! A record of the formulas that a model consists of, each with its name and the place of its text, in the shape that
//! specifications written for TLC expect. The effects of the run are passed on.

use std::sync::OnceLock;

use source::Span;
use tla_eval::effects::{Effects, Registers, Request, World};
use tla_eval::plan::{Named, Plan, Rule};
use tla_sema::Spec;
use tla_sema::ir::{Builtin, DefId, ExprId, ExprKind, Operator, Quant};
use util::Symbol;
use value::Owned;

use crate::tla::TlaFile;

/// The effects of a run that knows what is run.
pub(super) struct Described<'a> {
    inner: &'a (dyn Effects + Sync),
    file: &'a TlaFile,
    plan: &'a Plan<'a>,
    /// Made when it is first asked for, which is seldom.
    spec: OnceLock<Owned>,
}

impl<'a> Described<'a> {
    pub(super) fn new(
        inner: &'a (dyn Effects + Sync),
        file: &'a TlaFile,
        plan: &'a Plan<'a>,
    ) -> Described<'a> {
        Described {
            inner,
            file,
            plan,
            spec: OnceLock::new(),
        }
    }
}

impl Effects for Described<'_> {
    fn print(&self, text: &str) {
        self.inner.print(text);
    }

    fn registers(&self) -> &Registers {
        self.inner.registers()
    }

    fn random(&self) -> u64 {
        self.inner.random()
    }

    fn now(&self) -> i64 {
        self.inner.now()
    }

    fn statistic(&self, name: &str) -> Option<Owned> {
        match name {
            "spec" => Some(self.spec.get_or_init(|| describe(self.file, self.plan)).clone()),
            _ => self.inner.statistic(name),
        }
    }

    fn request(&self, what: Request) {
        self.inner.request(what);
    }

    fn interrupted(&self) -> bool {
        self.inner.interrupted()
    }

    fn exit_requested(&self) -> bool {
        self.inner.exit_requested()
    }

    fn trace(&self, state: &[Owned]) -> Option<Vec<Owned>> {
        self.inner.trace(state)
    }

    fn counterexample(&self) -> Option<Owned> {
        self.inner.counterexample()
    }

    fn world(&self) -> Option<&dyn World> {
        self.inner.world()
    }
}

/// A formula: its name, and where its text is.
struct Part {
    name: Symbol,
    span: Span,
}

fn describe(file: &TlaFile, plan: &Plan<'_>) -> Owned {
    let spec = &file.spec;
    let set = |parts: Vec<Part>| Owned::Set(parts.iter().map(|it| told(file, it)).collect());
    let named = |all: &[Named]| set(all.iter().map(|it| named(spec, it)).collect());
    let steps = plan.action_properties.iter().map(|(it, rule)| Part {
        name: it.name,
        span: step_span(spec, rule),
    });
    let mut actions = vec![];
    for rule in &plan.next {
        disjuncts(spec, rule.action, rule.name, &mut actions);
    }
    let inits = plan.init.iter().map(|&it| formula(spec, it, Symbol::new("Init")));
    let variables = spec.variables().map(|it| Part {
        name: spec.decls[it].name,
        span: spec.decls[it].span,
    });
    let unnamed = |&it: &ExprId| Part {
        name: Symbol::new("UnnamedAction"),
        span: spec.exprs[it].span,
    };
    Owned::record([
        ("inits", set(inits.collect())),
        ("actions", set(actions)),
        ("temporals", set(plan.fairness.iter().map(unnamed).collect())),
        ("invariants", named(&plan.invariants)),
        ("impliedinits", named(&plan.initial_properties)),
        ("impliedactions", set(steps.collect())),
        ("impliedtemporals", named(&plan.temporal_properties)),
        ("constraints", named(&plan.constraints)),
        ("actionconstraints", named(&plan.action_constraints)),
        ("variables", set(variables.collect())),
    ])
}

/// Where `[A]_v` is written, from the bracket on, which no expression has for itself. Either part may come from another file,
/// by a substitution.
fn step_span(spec: &Spec, rule: &Rule) -> Span {
    let action = spec.exprs[rule.action].span;
    match rule.subscript.map(|it| spec.exprs[it].span) {
        Some(subscript) if subscript.file == action.file => {
            let whole = action.to(subscript);
            Span::new(whole.file, whole.start.saturating_sub(1), whole.end)
        }
        _ => action,
    }
}

fn named(spec: &Spec, it: &Named) -> Part {
    formula(spec, it.expr, it.name)
}

/// A formula that is the call of a definition is that definition.
fn formula(spec: &Spec, expr: ExprId, name: Symbol) -> Part {
    match called(spec, expr) {
        Some(def) => Part {
            name: spec.defs[def].name,
            span: spec.exprs[spec.defs[def].body].span,
        },
        None => Part {
            name,
            span: spec.exprs[expr].span,
        },
    }
}

fn called(spec: &Spec, expr: ExprId) -> Option<DefId> {
    match &spec.exprs[expr].kind {
        ExprKind::Call {
            op: Operator::Def(def),
            ..
        } => Some(*def),
        _ => None,
    }
}

/// The disjuncts of a next-state relation, each named by the innermost definition that it is.
fn disjuncts(spec: &Spec, expr: ExprId, name: Option<Symbol>, into: &mut Vec<Part>) {
    // Definitions that call each other twice could be very many.
    const PARTS_MAX: usize = 10_000;
    util::deep(|| match &spec.exprs[expr].kind {
        _ if into.len() >= PARTS_MAX => {}
        ExprKind::Builtin {
            op: Builtin::Or,
            args,
        } => args.iter().for_each(|&it| disjuncts(spec, it, name, into)),
        ExprKind::Quant {
            kind: Quant::Exists,
            body,
            ..
        } => disjuncts(spec, *body, name, into),
        ExprKind::Call {
            op: Operator::Def(def),
            ..
        } if !spec.defs[*def].recursive => {
            disjuncts(spec, spec.defs[*def].body, Some(spec.defs[*def].name), into);
        }
        _ => into.push(Part {
            name: name.unwrap_or(Symbol::new("Next")),
            span: spec.exprs[expr].span,
        }),
    });
}

fn told(file: &TlaFile, part: &Part) -> Owned {
    Owned::record([
        ("name", Owned::str(part.name.as_str())),
        ("location", location(file, part.span)),
    ])
}

/// Where a text is, as TLC tells it: the last column is that of the last character.
pub(super) fn location(file: &TlaFile, span: Span) -> Owned {
    let source = file.sources.file(span.file);
    let begin = source.place(span.start);
    let end = source.place(span.end.saturating_sub(1).max(span.start));
    let number = |it: u32| Owned::Int(i64::from(it));
    let mut modules = file.spec.modules.iter();
    let module = modules.find(|(_, it)| it.span.file == span.file);
    let module = module.map_or("", |(_, it)| it.name.as_str());
    Owned::record([
        ("beginLine", number(begin.line)),
        ("beginColumn", number(begin.column)),
        ("endLine", number(end.line)),
        ("endColumn", number(end.column)),
        ("module", Owned::str(module)),
    ])
}
