//! Makes a specification smaller while something stays true of it.
//!
//! Works on the text by way of its tree: units, configuration lines, conjuncts and other items of lists are left out,
//! expressions are replaced by their parts or by constants. A text that makes no sense any more is no problem: whatever was
//! true of the specification is not true of it. Larger changes are tried first, and what succeeds is changed further
//! (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002, on a tree).

use std::ops::Range;

use source::{FileId, Sources};
use testkit::Specification;
use tla_syntax::ast::{Expr, ExprId, ExprKind, PathStep, Tree, Unit, UnitKind};

/// How often `holds` is asked at most.
const TRIES_MAX: usize = 4000;
/// The same where each answer takes seconds.
pub const TRIES_SLOW: usize = 120;

/// The smallest specification found of which `holds` is true; it is true of the first one.
pub fn shrink(first: &Specification, holds: impl Fn(&Specification) -> bool) -> Specification {
    shrink_within(first, TRIES_MAX, holds)
}

/// As [`shrink`], with a limit on how often `holds` is asked.
pub fn shrink_within(
    first: &Specification,
    tries_max: usize,
    holds: impl Fn(&Specification) -> bool,
) -> Specification {
    let mut best = first.clone();
    let mut n_tries = 0;
    let mut try_one = |candidate: &Specification| {
        n_tries += 1;
        (n_tries <= tries_max).then(|| holds(candidate))
    };
    loop {
        let mut has_changed = false;
        for text in 0..=best.modules.len() {
            match pass(&mut best, text, &mut try_one) {
                None => return best,
                Some(it) => has_changed |= it,
            }
        }
        if !has_changed {
            return best;
        }
    }
}

/// Goes through the changes of one text, the configuration being the last; whether one succeeded. Nothing when there were too
/// many tries.
fn pass(
    best: &mut Specification,
    which: usize,
    try_one: &mut dyn FnMut(&Specification) -> Option<bool>,
) -> Option<bool> {
    let mut has_changed = false;
    // After a success the list is another one; what failed before it is not tried again in this pass.
    let mut n_failed = 0;
    loop {
        let text = text_of(best, which);
        let changes = match which == best.modules.len() {
            true => lines(text),
            false => changes(text),
        };
        let mut found = None;
        for change in changes.iter().skip(n_failed) {
            let mut candidate = best.clone();
            *text_mut(&mut candidate, which) = change.applied(text);
            match try_one(&candidate)? {
                true => {
                    found = Some(candidate);
                    break;
                }
                false => n_failed += 1,
            }
        }
        match found {
            Some(it) => {
                *best = it;
                has_changed = true;
            }
            None => return Some(has_changed),
        }
    }
}

fn text_of(specification: &Specification, which: usize) -> &str {
    match specification.modules.get(which) {
        Some(it) => &it.1,
        None => &specification.config,
    }
}

fn text_mut(specification: &mut Specification, which: usize) -> &mut String {
    match which < specification.modules.len() {
        true => &mut specification.modules[which].1,
        false => &mut specification.config,
    }
}

/// Some ranges of a text, in order, with what is put there instead.
#[derive(Clone, Debug)]
struct Change {
    edits: Vec<(Range<usize>, String)>,
}

impl Change {
    fn one(range: Range<usize>, with: impl Into<String>) -> Change {
        Change {
            edits: vec![(range, with.into())],
        }
    }

    fn applied(&self, text: &str) -> String {
        let mut made = String::with_capacity(text.len());
        let mut at = 0;
        for (range, with) in &self.edits {
            made += &text[at..range.start];
            made += with;
            at = range.end;
        }
        made + &text[at..]
    }

    fn gain(&self) -> usize {
        self.edits
            .iter()
            .map(|(range, with)| range.len().saturating_sub(with.len()))
            .sum()
    }
}

/// Each line of a configuration left out.
fn lines(text: &str) -> Vec<Change> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|line| {
            at += line.len();
            Change::one(at - line.len()..at, "")
        })
        .collect()
}

/// All changes of a module, those that leave out most first.
fn changes(text: &str) -> Vec<Change> {
    let mut sources = Sources::new();
    let file = sources.add("M.tla", text.to_owned());
    let (tree, _) = parsed(text, file);
    let mut changes = Changes {
        text,
        tree: &tree,
        found: vec![],
    };
    if let Some(module) = &tree.module {
        changes.units(&module.units);
    }
    let mut found = changes.found;
    found.extend(without_parentheses(&tree));
    found.retain(|it| it.gain() > 0);
    found.sort_by_key(|it| std::cmp::Reverse(it.gain()));
    found
}

/// All parentheses around parentheses left out at once.
fn without_parentheses(tree: &Tree) -> Option<Change> {
    let mut edits = vec![];
    for (_, it) in tree.exprs.iter() {
        if let ExprKind::Paren(inner) = it.kind
            && matches!(tree.exprs[inner].kind, ExprKind::Paren(_))
        {
            let (outer, inner) = (range(it.span), range(tree.exprs[inner].span));
            edits.push((outer.start..inner.start, String::new()));
            edits.push((inner.end..outer.end, String::new()));
        }
    }
    edits.sort_by_key(|it| it.0.start);
    (!edits.is_empty()).then_some(Change { edits })
}

fn parsed(text: &str, file: FileId) -> (Tree, Vec<diag::Diagnostic>) {
    tla_syntax::parse(text, file)
}

struct Changes<'t> {
    text: &'t str,
    tree: &'t Tree,
    found: Vec<Change>,
}

impl Changes<'_> {
    fn span(&self, id: ExprId) -> Range<usize> {
        range(self.tree.exprs[id].span)
    }

    fn units(&mut self, units: &[Unit]) {
        for unit in units {
            self.found.push(Change::one(range(unit.span), ""));
            match &unit.kind {
                UnitKind::Definition(it) => self.expr(it.body),
                UnitKind::Function(it) => {
                    it.bounds.iter().for_each(|it| self.expr(it.set));
                    self.expr(it.body);
                }
                UnitKind::Instance(it) => it.substitutions.iter().for_each(|it| self.expr(it.value)),
                UnitKind::Variables(names) => {
                    let spans: Vec<Range<usize>> = names.iter().map(|it| range(it.span)).collect();
                    self.items(&spans);
                }
                UnitKind::Assumption(it) => self.expr(it.body),
                _ => {}
            }
        }
    }

    fn expr(&mut self, id: ExprId) {
        let Expr { kind, span } = &self.tree.exprs[id];
        let whole = range(*span);
        let children = children(kind);
        for &child in &children {
            let text = format!("({})", &self.text[self.span(child)]);
            let is_plain = self.text[self.span(child)]
                .chars()
                .all(|it| it.is_alphanumeric() || it == '_');
            let text = if is_plain {
                self.text[self.span(child)].to_owned()
            } else {
                text
            };
            self.found.push(Change::one(whole.clone(), text));
        }
        for constant in constants(kind) {
            self.found.push(Change::one(whole.clone(), *constant));
        }
        self.lists(id);
        for child in children {
            self.expr(child);
        }
        if let ExprKind::Let { units, .. } = &self.tree.exprs[id].kind {
            self.units(units);
        }
    }

    /// Items of a list left out, one by one.
    fn lists(&mut self, id: ExprId) {
        let spans = |all: &[ExprId]| -> Vec<Range<usize>> { all.iter().map(|&it| self.span(it)).collect() };
        let items = match &self.tree.exprs[id].kind {
            ExprKind::Junction { items, .. } => spans(items),
            ExprKind::SetEnum(items) | ExprKind::Tuple(items) => spans(items),
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => fields
                .iter()
                .map(|it| range(it.name.span).start..self.span(it.value).end)
                .collect(),
            ExprKind::Except { updates, .. } => updates.iter().map(|it| range(it.span)).collect(),
            ExprKind::Case { arms, other } => {
                let other = other.map(|it| (it, it));
                let arms = arms.iter().map(|it| (it.guard, it.body)).chain(other);
                arms.map(|(guard, body)| self.span(guard).start..self.span(body).end)
                    .collect()
            }
            ExprKind::Quant { bounds, .. } | ExprKind::SetMap { bounds, .. } => {
                // The pattern begins where the last bound ends, as far as commas go.
                let starts = bounds.iter().map(|it| match &it.pattern {
                    tla_syntax::ast::Pattern::Names(names) => range(names[0].span).start,
                    tla_syntax::ast::Pattern::Tuple(names) => {
                        self.text[..range(names[0].span).start].rfind("<<").unwrap_or(0)
                    }
                });
                starts
                    .zip(bounds)
                    .map(|(start, it)| start..self.span(it.set).end)
                    .collect()
            }
            _ => return,
        };
        self.items(&items);
    }

    /// Leaves out each of some items with what separates it from the next, or from the one before.
    fn items(&mut self, items: &[Range<usize>]) {
        if items.len() < 2 {
            if let [one] = items {
                self.found.push(Change::one(one.clone(), ""));
            }
            return;
        }
        for i in 0..items.len() {
            let range = match items.get(i + 1) {
                Some(next) => items[i].start..next.start,
                None => items[i - 1].end..items[i].end,
            };
            self.found.push(Change::one(range, ""));
        }
    }
}

fn range(span: source::Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// What an expression may be replaced by when it is not needed, as far as its form says what it is.
fn constants(kind: &ExprKind) -> &'static [&'static str] {
    const TRUTH: &[&str] = &["TRUE", "FALSE"];
    const ANY: &[&str] = &["TRUE", "FALSE", "0", "1", "{}", "<<>>", "\"a\"", "NULL"];
    match kind {
        ExprKind::Number(_) => &["0", "1"],
        ExprKind::Str(_) => &["\"a\"", "0"],
        ExprKind::Junction { .. } | ExprKind::Quant { .. } | ExprKind::UnboundedQuant { .. } => TRUTH,
        ExprKind::BoxAction { .. } | ExprKind::AngleAction { .. } | ExprKind::Fairness { .. } => TRUTH,
        ExprKind::Infix { op, .. } => match op.name() {
            "+" | "-" | "*" | "%" | "\\div" => &["0", "1"],
            "\\cup" | "\\cap" | "\\" | ".." => &["{}", "{0}"],
            "@@" | ":>" | "\\o" | "(+)" | "(-)" => &["<<>>", "0"],
            _ => TRUTH,
        },
        ExprKind::SetEnum(_) | ExprKind::SetFilter { .. } | ExprKind::SetMap { .. } => &["{}", "{0}", "0"],
        ExprKind::Times(_) | ExprKind::FnSet { .. } | ExprKind::RecordSet(_) => &["{}", "{0}"],
        ExprKind::Tuple(_) => &["<<>>", "0"],
        ExprKind::Record(_) | ExprKind::FnLiteral { .. } | ExprKind::Except { .. } => &["0", "<<>>"],
        ExprKind::Paren(_) => &[],
        _ => ANY,
    }
}

/// The expressions that one is made of.
fn children(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Error
        | ExprKind::Ident(_)
        | ExprKind::OpRef(_)
        | ExprKind::Number(_)
        | ExprKind::Decimal(_)
        | ExprKind::Str(_)
        | ExprKind::At
        | ExprKind::AssumeProve(_) => vec![],
        ExprKind::Apply { args, .. } => args.to_vec(),
        ExprKind::Path(parts) => parts.iter().flat_map(|it| it.args.to_vec()).collect(),
        ExprKind::Paren(it) => vec![*it],
        ExprKind::Prefix { arg, .. } | ExprKind::Postfix { arg, .. } => vec![*arg],
        ExprKind::Infix { lhs, rhs, .. } => vec![*lhs, *rhs],
        ExprKind::Junction { items, .. }
        | ExprKind::Times(items)
        | ExprKind::SetEnum(items)
        | ExprKind::Tuple(items) => items.to_vec(),
        ExprKind::If { test, then, other } => vec![*then, *other, *test],
        ExprKind::Case { arms, other } => {
            let arms = arms.iter().flat_map(|it| [it.body, it.guard]);
            arms.chain(*other).collect()
        }
        ExprKind::Let { body, .. } => vec![*body],
        ExprKind::Quant { bounds, body, .. }
        | ExprKind::SetMap { bounds, body }
        | ExprKind::FnLiteral { bounds, body } => {
            let sets = bounds.iter().map(|it| it.set);
            [*body].into_iter().chain(sets).collect()
        }
        ExprKind::UnboundedQuant { body, .. } => vec![*body],
        ExprKind::Choose { set, body, .. } => [*body].into_iter().chain(*set).collect(),
        ExprKind::SetFilter { bound, body } => vec![bound.set, *body],
        ExprKind::FnApply { function, args } => [*function].into_iter().chain(args.iter().copied()).collect(),
        ExprKind::FnSet { domain, range } => vec![*domain, *range],
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => fields.iter().map(|it| it.value).collect(),
        ExprKind::Select { record, .. } => vec![*record],
        ExprKind::Except { function, updates } => {
            let mut all = vec![*function];
            for update in updates {
                all.push(update.value);
                for step in &update.path {
                    if let PathStep::Index(items) = step {
                        all.extend(items.iter().copied());
                    }
                }
            }
            all
        }
        ExprKind::BoxAction { action, subscript }
        | ExprKind::AngleAction { action, subscript }
        | ExprKind::Fairness {
            action, subscript, ..
        } => vec![*action, *subscript],
        ExprKind::Lambda { body, .. } | ExprKind::Label { body, .. } => vec![*body],
    }
}
