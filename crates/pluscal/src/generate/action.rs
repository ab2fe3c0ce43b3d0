//! The definition of an action.

use crate::action::{Action, Do, DoKind, Set, sorted};
use crate::ast::Relation;
use crate::expr::Expr;

use super::changed::{Changed, joined, wrapped};
use super::parens::needs_parens;
use super::writer::{blanks, width};
use super::{Generator, Own, self_expr};

/// A single variable that keeps its value is named in full up to this length: `x' = x`.
const SHORT_NAME_MAX: usize = 5;

impl Generator<'_> {
    pub(super) fn action(&mut self, action: &Action, name: &str) {
        let variables = self.variables.clone();
        let mut changed = Changed::none(&variables);
        let head = format!("{name}{} == ", self.argument());
        let column = width(&head);
        let first_line = self.out.n_lines();
        let from = self.out.spot();
        let mut prefix = format!("{head}/\\ ");
        for it in &action.dos {
            self.stmt(it, &mut changed, &prefix);
            prefix = format!("{}/\\ ", blanks(column));
        }
        let unchanged = changed.unchanged();
        if !unchanged.is_empty() {
            self.unchanged(&unchanged, &prefix);
        } else if action.dos.len() == 1 {
            // A list of one needs no bullet. The lines were broken as if it had one.
            self.out.outdent(first_line, head.len() + 3, 3);
        }
        self.out.region(from, Some(action.span.into()));
        self.out.put_line("");
    }

    /// The variables that keep their values, after `prefix`, on lines of their own.
    fn unchanged(&mut self, names: &[util::Symbol], prefix: &str) {
        if let [name] = names {
            self.out.put(&format!("{prefix}{}", keeps(name.as_str())));
            return;
        }
        let head = format!("{prefix}UNCHANGED << ");
        let max = self.options.line_width as isize - width(&head) as isize;
        let lines = wrapped(names, max);
        self.out.put(&head);
        for (i, line) in lines.iter().enumerate() {
            if i > 0 {
                self.out.end_line();
                self.out.put(&blanks(width(&head)));
            }
            self.out.put(line);
        }
        self.out.put(" >>");
    }

    fn stmt(&mut self, it: &Do, changed: &mut Changed<'_>, prefix: &str) {
        util::deep(|| match &it.kind {
            DoKind::Assign(sets) => self.assign(it, sets, changed, prefix),
            DoKind::If { test, then, els } => self.if_stmt(it, (test, then, els), changed, prefix),
            DoKind::Either(ors) => self.either(it, ors, changed, prefix),
            DoKind::With {
                name,
                relation,
                expr,
                body,
            } => {
                let from = self.after(prefix);
                let expr = self.in_action(expr, changed);
                let (start, end) = match relation {
                    Relation::Equals => (format!("LET {name} == "), " IN"),
                    Relation::In => (format!("\\E {name} \\in "), ":"),
                };
                self.out.put(&start);
                self.out.put_expr(&expr);
                self.out.put(end);
                self.out.end_line();
                let indent = blanks(width(prefix) + 2);
                let bullet = if body.len() > 1 { "/\\ " } else { "" };
                for (i, it) in body.iter().enumerate() {
                    let bullet = if i == 0 { bullet } else { "/\\ " };
                    self.stmt(it, changed, &format!("{indent}{bullet}"));
                }
                self.out.region(from, it.origin);
            }
            DoKind::Await(expr) => {
                let from = self.after(prefix);
                let expr = self.in_action(expr, changed);
                self.out.put_expr(&expr);
                self.done(it, from);
            }
            DoKind::Print(expr) => {
                let from = self.after(prefix);
                let expr = self.in_action(expr, changed);
                self.out.put("PrintT(");
                self.out.put_expr(&expr);
                self.out.put(")");
                self.done(it, from);
            }
            DoKind::Assert { expr, .. } => self.assert(it, expr, changed, prefix),
            DoKind::Skip => {
                let from = self.after(prefix);
                self.out.put("TRUE");
                self.done(it, from);
            }
        });
    }

    /// Writes a prefix, and returns where the statement starts.
    fn after(&mut self, prefix: &str) -> (usize, usize) {
        self.out.put(prefix);
        self.out.spot()
    }

    fn done(&mut self, it: &Do, from: (usize, usize)) {
        self.out.region(from, it.origin);
        self.out.end_line();
    }

    fn assert(&mut self, it: &Do, expr: &Expr, changed: &Changed<'_>, prefix: &str) {
        let DoKind::Assert { at, call, .. } = &it.kind else {
            unreachable!("called for `assert` only");
        };
        let from = self.after(prefix);
        let expr = self.in_action(expr, changed);
        self.out.put("Assert(");
        let column = self.out.column();
        self.out.put_expr(&expr);
        let mut place = format!("line {}, column {}", at.line, at.column);
        if let Some(call) = call {
            place += &format!(
                " of macro called at line {}, column {}",
                call.at.line, call.at.column
            );
        }
        let message = format!("\"Failure of assertion at {place}.\")");
        self.out.put(", ");
        if self.out.column() + width(&message) >= self.options.line_width {
            self.out.end_line();
            self.out.put(&blanks(column));
        }
        self.out.put(&message);
        self.done(it, from);
    }

    fn if_stmt(
        &mut self,
        it: &Do,
        (test, then, els): (&Expr, &[Do], &[Do]),
        changed: &mut Changed<'_>,
        prefix: &str,
    ) {
        let from = self.after(prefix);
        let test = self.in_action(test, changed);
        self.out.put("IF ");
        let indent = self.out.column();
        self.out.put_expr(&test);
        self.out.end_line();
        let branches = [("THEN", then), ("ELSE", els)];
        let after = branches.map(|it| {
            let mut after = changed.clone();
            changes(it.1, &mut after);
            after
        });
        for (i, (word, stmts)) in branches.into_iter().enumerate() {
            let mut bullet = format!("{}{word} /\\ ", blanks(indent));
            let next = format!("{}/\\ ", blanks(indent + 5));
            let mut changed = changed.clone();
            for it in stmts {
                self.stmt(it, &mut changed, &bullet);
                bullet.clone_from(&next);
            }
            let unchanged = after[i].unchanged_but_in(&after[1 - i]);
            // An empty branch does nothing; before `ELSE` that needs no words when something else is said there.
            if stmts.is_empty() && (i == 1 || unchanged.is_empty()) {
                self.out.put_line(&format!("{bullet}TRUE"));
                bullet.clone_from(&next);
            }
            if !unchanged.is_empty() {
                self.unchanged(&unchanged, &bullet);
                if i == 1 {
                    self.out.region(from, it.origin);
                }
                self.out.end_line();
            } else if i == 1 {
                self.out.region(from, it.origin);
            }
        }
        after.iter().for_each(|it| changed.merge(it));
    }

    fn either(&mut self, it: &Do, ors: &[Vec<Do>], changed: &mut Changed<'_>, prefix: &str) {
        let indent = width(prefix);
        let from = (self.out.n_lines(), prefix.len());
        let after: Vec<Changed<'_>> = ors
            .iter()
            .map(|it| {
                let mut after = changed.clone();
                changes(it, &mut after);
                after
            })
            .collect();
        let mut all = changed.clone();
        after.iter().for_each(|it| all.merge(it));
        let next = format!("{}/\\ ", blanks(indent + 3));
        for (i, (clause, after)) in ors.iter().zip(&after).enumerate() {
            let mut bullet = match i {
                0 => format!("{prefix}\\/ /\\ "),
                _ => format!("{}\\/ /\\ ", blanks(indent)),
            };
            let mut changed = changed.clone();
            for it in clause {
                self.stmt(it, &mut changed, &bullet);
                bullet.clone_from(&next);
            }
            let unchanged = after.unchanged_but_in(&all);
            match &unchanged[..] {
                [] => {}
                [name] => self.out.put_line(&format!("{next}{}", keeps(name.as_str()))),
                // Not wrapped, and without blanks inside the brackets: the one place that is laid out so.
                names => self
                    .out
                    .put_line(&format!("{next}UNCHANGED <<{}>>", joined(names))),
            }
        }
        self.out.region(from, it.origin);
        *changed = all;
    }

    fn assign(&mut self, it: &Do, sets: &[Set], changed: &mut Changed<'_>, prefix: &str) {
        let start = self.after(prefix);
        let sets = sorted(sets);
        let groups: Vec<&[&Set]> = sets.chunk_by(|a, b| a.variable == b.variable).collect();
        let bullet = if groups.len() > 1 { "/\\ " } else { "" };
        for (i, group) in groups.iter().enumerate() {
            if i > 0 {
                self.out.end_line();
                self.out.put(&blanks(width(prefix)));
            }
            self.out.put(bullet);
            match group {
                [set] => self.assign_one(set, changed),
                _ => self.assign_parts(group, changed),
            }
        }
        self.done(it, start);
        sets.iter().for_each(|it| changed.add(it.variable));
    }

    fn assign_one(&mut self, set: &Set, changed: &Changed<'_>) {
        let from = self.out.spot();
        let variable = set.variable;
        let subscript = self.in_action(&set.subscript, changed);
        let value = self.in_action(&set.value, changed);
        let own = match &self.own {
            Own::Nobody => None,
            _ if !self.is_own(set) => None,
            Own::Parameter => Some(self_expr()),
            Own::Process(id) => Some(id.clone()),
        };
        if let Some(own) = own {
            self.out.put(&format!("{variable}' = [{variable} EXCEPT !["));
            self.out.put_expr(&own);
            self.out.put("]");
            self.out.put_expr(&subscript);
            self.out.put(" = ");
            self.out.put_expr(&value);
            self.out.put("]");
        } else if !subscript.is_empty() {
            self.out.put(&format!("{variable}' = [{variable} EXCEPT !"));
            self.out.put_expr(&subscript);
            self.out.put(" = ");
            self.out.put_expr(&value);
            self.out.put("]");
        } else {
            let parens = needs_parens(&value.text());
            self.out.put(&format!("{variable}' = "));
            self.out.put(if parens { "(" } else { "" });
            self.out.put_expr(&value);
            self.out.put(if parens { ")" } else { "" });
        }
        self.out.region(from, set.origin);
    }

    /// Whether each process has its own value of what is assigned.
    fn is_own(&self, set: &Set) -> bool {
        matches!(set.variable.as_str(), "pc" | "stack") || self.by_self.contains(&set.variable)
    }

    /// Several parts of one variable.
    fn assign_parts(&mut self, sets: &[&Set], changed: &Changed<'_>) {
        let variable = sets[0].variable;
        self.out.put(&format!("{variable}' = [{variable} EXCEPT "));
        let column = self.out.column();
        let own = match &self.own {
            Own::Parameter if self.by_self.contains(&variable) => Some(self_expr()),
            Own::Process(id) if self.by_self.contains(&variable) => Some(id.clone()),
            _ => None,
        };
        for (i, set) in sets.iter().enumerate() {
            if i > 0 {
                self.out.put(",");
                self.out.end_line();
                self.out.put(&blanks(column));
            }
            let from = self.out.spot();
            self.out.put("!");
            if let Some(own) = &own {
                self.out.put("[");
                self.out.put_expr(own);
                self.out.put("]");
            }
            self.out.put_expr(&self.in_action(&set.subscript, changed));
            self.out.put(" = ");
            self.out.put_expr(&self.in_action(&set.value, changed));
            self.out.region(from, set.origin);
        }
        self.out.put("]");
    }
}

/// That a variable keeps its value.
fn keeps(name: &str) -> String {
    match name.len() > SHORT_NAME_MAX {
        true => format!("UNCHANGED {name}"),
        false => format!("{name}' = {name}"),
    }
}

/// Adds the variables that statements give new values to.
fn changes(stmts: &[Do], into: &mut Changed<'_>) {
    for it in stmts {
        util::deep(|| match &it.kind {
            DoKind::Assign(sets) => sets.iter().for_each(|it| into.add(it.variable)),
            DoKind::If { then, els, .. } => {
                changes(then, into);
                changes(els, into);
            }
            DoKind::Either(ors) => ors.iter().for_each(|it| changes(it, into)),
            DoKind::With { body, .. } => changes(body, into),
            DoKind::Await(_) | DoKind::Print(_) | DoKind::Assert { .. } | DoKind::Skip => {}
        });
    }
}
