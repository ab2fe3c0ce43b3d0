//! Expressions as text. Line breaks come only where a junction list or a `LET` needs them.

use util::{Symbol, deep};

use super::{Notation, Printer};
use crate::ast::*;
use crate::op::Op;

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: ExprId) {
        deep(|| self.expr_at(expr));
    }

    fn grouped(&mut self, expr: ExprId, group: bool) {
        if !group {
            return self.expr(expr);
        }
        self.put("(");
        self.expr(expr);
        self.put(")");
    }

    fn expr_at(&mut self, expr: ExprId) {
        let tree = self.tree;
        match &tree.exprs[expr].kind {
            ExprKind::Error => self.put("???"),
            ExprKind::Ident(name) => self.put(name.as_str()),
            ExprKind::Apply { name, args } => {
                self.symbol(name.name);
                self.args(args);
            }
            ExprKind::Path(parts) => self.path(parts),
            ExprKind::OpRef(name) => {
                self.blank();
                self.symbol(*name);
                self.blank();
            }
            ExprKind::Number(text) | ExprKind::Decimal(text) => self.put(text.as_str()),
            ExprKind::Str(text) => self.string(text.as_str()),
            ExprKind::At => self.put("@"),
            ExprKind::Paren(inner) => self.grouped(*inner, true),
            ExprKind::Prefix { op, arg, .. } => self.prefix(*op, *arg),
            ExprKind::Infix { op, lhs, rhs, .. } => self.infix(*op, *lhs, *rhs),
            ExprKind::Postfix { op, arg, .. } => {
                self.before_postfix(*arg);
                self.put(self.op(*op));
            }
            ExprKind::Junction { kind, items } => self.junction(*kind, items),
            ExprKind::Times(factors) => self.times(factors),
            ExprKind::FnApply { function, args } => {
                self.before_postfix(*function);
                self.put("[");
                self.exprs(args);
                self.put("]");
            }
            ExprKind::Select { record, field } => {
                self.before_postfix(*record);
                self.put(".");
                self.put(field.name.as_str());
            }
            kind => self.construct(kind),
        }
    }

    /// The forms with keywords or brackets.
    fn construct(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::If { test, then, other } => {
                self.put("IF ");
                self.expr(*test);
                self.spaced("THEN");
                self.expr(*then);
                self.spaced("ELSE");
                self.expr(*other);
            }
            ExprKind::Case { arms, other } => self.case(arms, *other),
            ExprKind::Let { units, body } => self.let_in(units, *body),
            ExprKind::Quant { kind, bounds, body } => {
                self.put(self.quantifier(*kind));
                self.blank();
                self.bounds(bounds);
                self.colon(*body);
            }
            ExprKind::UnboundedQuant { kind, names, body } => {
                self.put(self.quantifier(*kind));
                self.blank();
                self.names(names);
                self.colon(*body);
            }
            ExprKind::Choose { pattern, set, body } => {
                self.put("CHOOSE ");
                self.pattern(pattern);
                if let Some(set) = set {
                    self.spaced(self.op(Op::IN));
                    self.expr(*set);
                }
                self.colon(*body);
            }
            ExprKind::SetEnum(items) => self.bracketed("{", items, "}"),
            ExprKind::Tuple(items) => self.bracketed(self.pick("<<", "⟨"), items, self.pick(">>", "⟩")),
            ExprKind::SetFilter { bound, body } => {
                self.put("{");
                self.tight_bound(bound);
                self.colon(*body);
                self.put("}");
            }
            ExprKind::SetMap { body, bounds } => {
                self.put("{");
                self.grouped(*body, self.is_like_bound(*body));
                self.spaced(":");
                self.bounds(bounds);
                self.put("}");
            }
            ExprKind::FnLiteral { bounds, body } => {
                self.put("[");
                self.list(bounds, |it, bound| it.tight_bound(bound));
                self.spaced(self.pick("|->", "↦"));
                self.expr(*body);
                self.put("]");
            }
            ExprKind::FnSet { domain, range } => {
                self.put("[");
                self.expr(*domain);
                self.spaced(self.pick("->", "→"));
                self.expr(*range);
                self.put("]");
            }
            ExprKind::Record(fields) => self.fields(fields, self.pick("|->", "↦")),
            ExprKind::RecordSet(fields) => self.fields(fields, ":"),
            ExprKind::Except { function, updates } => self.except(*function, updates),
            ExprKind::BoxAction { action, subscript } => {
                self.put("[");
                self.expr(*action);
                self.put("]_");
                self.subscript(*subscript, false);
            }
            ExprKind::AngleAction { action, subscript } => {
                self.put(self.pick("<<", "⟨"));
                self.expr(*action);
                self.put(self.pick(">>_", "⟩_"));
                self.subscript(*subscript, false);
            }
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            } => {
                self.put(if *kind == Fairness::Weak { "WF_" } else { "SF_" });
                self.subscript(*subscript, true);
                self.put("(");
                self.expr(*action);
                self.put(")");
            }
            ExprKind::Lambda { params, body } => {
                self.put("LAMBDA ");
                self.names(params);
                self.colon(*body);
            }
            ExprKind::Label { name, params, body } => {
                self.put(name.name.as_str());
                if !params.is_empty() {
                    self.put("(");
                    self.names(params);
                    self.put(")");
                }
                self.spaced("::");
                self.expr(*body);
            }
            ExprKind::AssumeProve(it) => self.assume_prove(it),
            _ => unreachable!("handled by the caller"),
        }
    }

    /// The name of an operator symbol, a definition or a step.
    pub(super) fn symbol(&mut self, name: Symbol) {
        let text = name.as_str();
        if self.notation == Notation::Unicode
            && let Some(op) = Op::all().find(|op| op.name() == text)
        {
            return self.put(self.op(op));
        }
        self.put(text);
    }

    fn args(&mut self, args: &[ExprId]) {
        if !args.is_empty() {
            self.bracketed("(", args, ")");
        }
    }

    pub(super) fn exprs(&mut self, exprs: &[ExprId]) {
        self.list(exprs, |it, &expr| it.expr(expr));
    }

    fn bracketed(&mut self, open: &str, items: &[ExprId], close: &str) {
        self.put(open);
        self.exprs(items);
        self.put(close);
    }

    fn path(&mut self, parts: &[PathPart]) {
        if let Selector::Name(name) = parts[0].selector {
            self.symbol(name);
        }
        self.args(&parts[0].args);
        self.selectors(&parts[1..]);
    }

    fn selectors(&mut self, parts: &[PathPart]) {
        for part in parts {
            self.put("!");
            match part.selector {
                Selector::Name(name) => self.symbol(name),
                Selector::Index(index) => self.put(&index.to_string()),
                Selector::First => self.glue("<<"),
                Selector::Second => self.glue(">>"),
                Selector::Body => self.glue(":"),
                Selector::At => self.glue("@"),
                Selector::Args => {}
            }
            self.args(&part.args);
        }
    }

    fn string(&mut self, text: &str) {
        let mut quoted = String::with_capacity(text.len() + 2);
        quoted.push('"');
        for c in text.chars() {
            match c {
                '"' => quoted.push_str("\\\""),
                '\\' => quoted.push_str("\\\\"),
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                '\r' => quoted.push_str("\\r"),
                '\u{c}' => quoted.push_str("\\f"),
                c => quoted.push(c),
            }
        }
        quoted.push('"');
        self.put(&quoted);
    }

    // Operators

    fn prefix(&mut self, op: Op, arg: ExprId) {
        let text = if op == Op::NEGATE { "-" } else { self.op(op) };
        self.put(text);
        if text.ends_with(|c: char| c.is_alphabetic()) {
            self.blank();
        }
        self.grouped(arg, self.groups_right(arg, op));
    }

    fn infix(&mut self, op: Op, lhs: ExprId, rhs: ExprId) {
        let start = self.column;
        let group = self.groups_left(lhs, op);
        self.grouped(lhs, group);
        self.operator(op, (!group && self.ends_in_list(lhs)).then_some(start));
        self.grouped(rhs, self.groups_right(rhs, op));
    }

    fn times(&mut self, factors: &[ExprId]) {
        let start = self.column;
        let last = factors.len() - 1;
        for (i, &factor) in factors.iter().enumerate() {
            let left = i < last && self.groups_left(factor, Op::TIMES);
            let right = i > 0 && self.groups_right(factor, Op::TIMES);
            self.grouped(factor, left || right);
            if i < last {
                let is_list = !(left || right) && self.ends_in_list(factor);
                self.operator(Op::TIMES, is_list.then_some(start));
            }
        }
    }

    /// An infix operator. After a junction list it goes to a new line, at a `column` under the bullets or left of them;
    /// there `/\` could be one of them, but `\land` cannot.
    fn operator(&mut self, op: Op, column: Option<usize>) {
        let Some(column) = column else {
            return self.spaced(self.op(op));
        };
        self.line(column);
        self.put(match op {
            Op::AND => "\\land",
            Op::OR => "\\lor",
            _ => self.op(op),
        });
        self.blank();
    }

    fn before_postfix(&mut self, arg: ExprId) {
        let start = self.column;
        let group = self.groups_before_postfix(arg);
        self.grouped(arg, group);
        if !group && self.ends_in_list(arg) {
            self.line(start);
        }
    }

    fn junction(&mut self, kind: Junction, items: &[ExprId]) {
        let bullet = self.op(if kind == Junction::And { Op::AND } else { Op::OR });
        self.separate(bullet);
        let column = self.column;
        for (i, &item) in items.iter().enumerate() {
            if i > 0 {
                self.line(column);
            }
            self.put(bullet);
            self.blank();
            self.expr(item);
        }
    }

    // Forms with keywords and brackets

    fn case(&mut self, arms: &[CaseArm], other: Option<ExprId>) {
        let start = self.column;
        self.put("CASE ");
        for (i, arm) in arms.iter().enumerate() {
            self.expr(arm.guard);
            self.spaced(self.pick("->", "→"));
            if i + 1 == arms.len() && other.is_none() {
                return self.expr(arm.body);
            }
            let group = self.ends_in_case(arm.body);
            self.grouped(arm.body, group);
            self.operator(
                Op::ALWAYS,
                (!group && self.ends_in_list(arm.body)).then_some(start),
            );
        }
        if let Some(other) = other {
            self.put("OTHER");
            self.spaced(self.pick("->", "→"));
            self.expr(other);
        }
    }

    fn let_in(&mut self, units: &[Unit], body: ExprId) {
        // Far to the right line breaks would cost more than they help: the text must stay linear in the tree.
        const COLUMN_MAX: usize = 120;
        let start = self.column;
        let break_to = |printer: &mut Self, column: usize| match start > COLUMN_MAX {
            true => printer.blank(),
            false => printer.line(column),
        };
        self.put("LET ");
        for (i, unit) in units.iter().enumerate() {
            if i > 0 {
                break_to(self, start + 4);
            }
            self.unit(&unit.kind);
        }
        break_to(self, start);
        self.put("IN  ");
        self.expr(body);
    }

    fn quantifier(&self, kind: Quant) -> &'static str {
        match kind {
            Quant::Forall => self.pick("\\A", "∀"),
            Quant::Exists => self.pick("\\E", "∃"),
            Quant::TemporalForall => "\\AA",
            Quant::TemporalExists => "\\EE",
        }
    }

    pub(super) fn colon(&mut self, body: ExprId) {
        self.spaced(":");
        self.expr(body);
    }

    pub(super) fn names(&mut self, names: &[Ident]) {
        self.list(names, |it, name| it.put(name.name.as_str()));
    }

    pub(super) fn bounds(&mut self, bounds: &[Bound]) {
        self.list(bounds, |it, bound| {
            it.pattern(&bound.pattern);
            it.spaced(it.op(Op::IN));
            it.expr(bound.set);
        });
    }

    /// A bound in brackets, where `x \in S` is first read as an expression.
    fn tight_bound(&mut self, bound: &Bound) {
        self.pattern(&bound.pattern);
        self.spaced(self.op(Op::IN));
        self.grouped(bound.set, self.groups_right(bound.set, Op::IN));
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Names(names) => self.names(names),
            Pattern::Tuple(names) => {
                self.put(self.pick("<<", "⟨"));
                self.names(names);
                self.put(self.pick(">>", "⟩"));
            }
        }
    }

    fn fields(&mut self, fields: &[Field], separator: &'static str) {
        self.put("[");
        self.list(fields, |it, field| {
            it.put(field.name.name.as_str());
            it.spaced(separator);
            it.expr(field.value);
        });
        self.put("]");
    }

    fn except(&mut self, function: ExprId, updates: &[Update]) {
        self.put("[");
        self.expr(function);
        self.spaced("EXCEPT");
        self.list(updates, |it, update| {
            it.put("!");
            for step in &update.path {
                match step {
                    PathStep::Index(index) => it.bracketed("[", index, "]"),
                    PathStep::Field(field) => {
                        it.glue(".");
                        it.put(field.name.as_str());
                    }
                }
            }
            it.spaced("=");
            it.expr(update.value);
        });
        self.put("]");
    }

    /// Written directly after an underscore.
    fn subscript(&mut self, expr: ExprId, fairness: bool) {
        if !self.is_subscript(expr, fairness) {
            return self.grouped(expr, true);
        }
        // The underscore is not part of the name after it, though both are word characters.
        let tree = self.tree;
        match &tree.exprs[expr].kind {
            ExprKind::Ident(name) => self.glue(name.as_str()),
            ExprKind::Apply { name, args } => {
                self.glue(name.name.as_str());
                self.args(args);
            }
            ExprKind::Path(parts) => {
                let Selector::Name(name) = parts[0].selector else {
                    unreachable!("a path starts with a name");
                };
                self.glue(name.as_str());
                self.args(&parts[0].args);
                self.selectors(&parts[1..]);
            }
            _ => self.expr(expr),
        }
    }
}
