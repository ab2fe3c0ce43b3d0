//! Statements.

use source::Span;
use util::deep;

use crate::ast::{AfterCall, Assignment, Label, Modifier, Stmt, StmtKind};
use crate::diagnostics::{self as errors, Found};
use crate::expr::Expr;
use crate::lexer::{At, Kind};

use super::{Parsed, Parser, is, starts_statement};

/// Before these words a `;` may be left out.
const ENDS_STATEMENT: &[&str] = &[
    "end",
    "begin",
    "else",
    "elsif",
    "or",
    "do",
    "macro",
    "procedure",
    "process",
    "fair",
    "define",
    "}",
    "{",
];

impl Parser<'_> {
    /// Statements up to the end of their block.
    pub(super) fn stmts(&mut self) -> Vec<Stmt> {
        let mut stmts = vec![];
        while !self.is_block_end() {
            let start = self.pos;
            match deep(|| self.labelled(false)) {
                Ok(some) => stmts.extend(some),
                Err(_) => {
                    self.recover();
                    // Whatever stands here belongs to no statement.
                    if self.pos == start && !self.is_block_end() {
                        self.pos += 1;
                    }
                }
            }
        }
        stmts
    }

    fn is_block_end(&self) -> bool {
        let ends = match self.is_c() {
            true => self.is("}"),
            false => self.is_any(&["end", "else", "elsif", "or"]),
        };
        // Without an `end` the next procedure or process is where the block must have ended.
        ends || self.peek().kind == Kind::End || self.is_any(&["process", "procedure", "macro"])
    }

    /// A statement, or in braces several, with the label before it. `alone` is the branch of an `if` without braces, and the like.
    fn labelled(&mut self, alone: bool) -> Parsed<Vec<Stmt>> {
        let label = self.opt_label()?;
        if !(self.is_c() && self.is("{")) {
            let stmt = self.stmt(alone)?;
            return Ok(vec![Stmt { label, ..stmt }]);
        }
        let brace = self.next();
        let n_wrong = self.diagnostics.len();
        let mut stmts = self.stmts();
        if self.diagnostics.len() == n_wrong {
            if stmts.is_empty() {
                let wrong = errors::empty_block(brace.span, self.peek().span);
                return self.fail(wrong);
            }
            self.expect("}")?;
            self.semicolon()?;
        } else if self.eat("}") {
            self.eat(";");
        }
        if let (Some(label), Some(first)) = (label, stmts.first_mut()) {
            match first.label {
                Some(inner) => self.diagnostics.push(errors::two_labels(label.name, inner.name)),
                None => first.label = Some(label),
            }
        }
        Ok(stmts)
    }

    fn opt_label(&mut self) -> Parsed<Option<Label>> {
        let token = self.peek();
        let colon = self.peek_at(1);
        let is_name = matches!(token.kind, Kind::Ident | Kind::Str) && !starts_statement(token);
        if !is_name || !is(colon, ":") {
            return Ok(None);
        }
        let name = self.name("a label")?;
        self.pos += 1;
        if self.in_macro {
            self.diagnostics.push(errors::label_in_macro(name));
        }
        if matches!(name.text.as_str(), "Done" | "Error") {
            self.diagnostics.push(errors::reserved_label(name));
        }
        let modifier = match () {
            () if self.eat("+") => Some(Modifier::Plus),
            () if self.eat("-") => Some(Modifier::Minus),
            () => None,
        };
        Ok(Some(Label { name, modifier }))
    }

    /// `;`, or something before which it may be left out.
    pub(super) fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(";") || self.is_any(ENDS_STATEMENT) {
            return Ok(());
        }
        let last = self.last();
        let wrong = match self.is(":=") && last.kind == Kind::Ident {
            // The expression before has taken the variable for a part of itself.
            true => errors::missing_semicolon_before(last.text.as_str(), last.span),
            false => errors::missing_semicolon(self.found(), last.span),
        };
        if starts_statement(self.peek()) {
            // What follows can be read as if the `;` were there.
            self.report(wrong);
            return Ok(());
        }
        self.fail(wrong)
    }

    fn stmt(&mut self, alone: bool) -> Parsed<Stmt> {
        let token = self.peek();
        let word = if token.kind == Kind::Ident {
            token.text.as_str()
        } else {
            ""
        };
        let kind = match word {
            "if" => return self.if_stmt(),
            "either" => return self.either(),
            "while" => return self.while_stmt(),
            "with" => return self.with(),
            "when" | "await" => StmtKind::Await(self.keyword_expr()?),
            "print" => StmtKind::Print(self.keyword_expr()?),
            "assert" => StmtKind::Assert(self.keyword_expr()?),
            "skip" => {
                self.pos += 1;
                StmtKind::Skip
            }
            "return" => {
                self.pos += 1;
                StmtKind::Return
            }
            "goto" => {
                self.pos += 1;
                StmtKind::Goto(self.name("the label to go to")?)
            }
            "call" => self.call(alone)?,
            _ if self.peek_at(1).kind == Kind::Builtin && self.peek_at(1).text.as_str().starts_with('(') => {
                let name = self.name("a macro")?;
                let args = self.arguments()?;
                StmtKind::Macro { name, args }
            }
            _ => StmtKind::Assign(self.assignments()?),
        };
        let span = token.span.to(self.last().span);
        self.semicolon()?;
        Ok(stmt(kind, span, token.at()))
    }

    fn keyword_expr(&mut self) -> Parsed<Expr> {
        let word = self.next().text;
        self.expr(&format!("the expression of `{word}`"))
    }

    /// `(`, unless the syntax has none there.
    fn paren(&mut self, paren: &str) -> Parsed<()> {
        match self.is_c() {
            true => self.expect(paren).map(|_| ()),
            false => Ok(()),
        }
    }

    /// The closing words of a statement. A mistake inside may have eaten them.
    fn end(&mut self, what: &str, n_wrong: usize) -> Parsed<()> {
        if self.diagnostics.len() == n_wrong {
            self.expect("end")?;
            self.expect(what)?;
            return self.semicolon();
        }
        if self.is("end") && is(self.peek_at(1), what) {
            self.pos += 2;
            self.eat(";");
        }
        Ok(())
    }

    /// `if` or `elsif`.
    fn if_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.next();
        self.paren("(")?;
        let test = self.expr("the condition of `if`")?;
        self.paren(")")?;
        let n_wrong = self.diagnostics.len();
        if self.is_c() {
            let then = deep(|| self.labelled(true))?;
            let els = match self.eat("else") {
                true => deep(|| self.labelled(true))?,
                false => vec![],
            };
            let span = start.span.to(self.last_of(&els, &then, start.span));
            return Ok(stmt(StmtKind::If { test, then, els }, span, start.at()));
        }
        self.expect("then")?;
        let then = self.stmts();
        let els = match () {
            () if self.eat("else") => self.stmts(),
            () if self.is("elsif") => vec![deep(|| self.if_stmt())?],
            () => vec![],
        };
        if then.is_empty() && els.is_empty() && self.diagnostics.len() == n_wrong {
            let wrong = errors::empty_then(start.span, self.peek().span);
            self.report(wrong);
        }
        let mut span = start.span.to(self.last().span);
        if is(start, "if") {
            self.end("if", n_wrong)?;
            span = self.closed(span);
        }
        Ok(stmt(StmtKind::If { test, then, els }, span, start.at()))
    }

    /// A span up to the last token, without a `;`.
    fn closed(&self, span: Span) -> Span {
        let last = self.last();
        match is(last, ";") && self.pos >= 2 {
            true => span.to(self.tokens[self.pos - 2].span),
            false => span.to(last.span),
        }
    }

    fn last_of(&self, first: &[Stmt], second: &[Stmt], otherwise: Span) -> Span {
        let last = first.last().or(second.last());
        last.map_or(otherwise, |it| it.span)
    }

    fn either(&mut self) -> Parsed<Stmt> {
        let start = self.next();
        let n_wrong = self.diagnostics.len();
        let mut ors = vec![];
        loop {
            let clause = match self.is_c() {
                true => deep(|| self.labelled(true))?,
                false => self.stmts(),
            };
            if clause.is_empty() && self.diagnostics.len() == n_wrong {
                let wrong = errors::empty_clause(start.span, self.peek().span);
                self.report(wrong);
            }
            ors.push(clause);
            if !self.eat("or") {
                break;
            }
        }
        if ors.len() == 1 && self.diagnostics.len() == n_wrong {
            self.diagnostics.push(errors::either_without_or(start.span));
        }
        let mut span = start.span.to(self.last().span);
        if !self.is_c() {
            self.end("either", n_wrong)?;
        }
        span = self.closed(span);
        Ok(stmt(StmtKind::Either(ors), span, start.at()))
    }

    fn while_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.next();
        self.paren("(")?;
        let test = self.expr("the condition of `while`")?;
        self.paren(")")?;
        let n_wrong = self.diagnostics.len();
        let body = match self.is_c() {
            true => deep(|| self.labelled(true))?,
            false => {
                self.expect("do")?;
                let body = self.stmts();
                if body.is_empty() && self.diagnostics.len() == n_wrong {
                    let wrong = errors::while_without_body(start.span, self.peek().span);
                    self.report(wrong);
                }
                self.end("while", n_wrong)?;
                body
            }
        };
        let span = self.closed(start.span);
        Ok(stmt(StmtKind::While { test, body }, span, start.at()))
    }

    fn with(&mut self) -> Parsed<Stmt> {
        let start = self.next();
        self.paren("(")?;
        self.with_bindings(start.span)
    }

    /// The rest of a `with`: several bindings are one `with` inside of the other.
    fn with_bindings(&mut self, start: Span) -> Parsed<Stmt> {
        let at = self.last().at();
        let name = self.name("a name for the value")?;
        let relation = self.relation()?;
        let expr = self.expr("the value of `with`")?;
        if !(self.is_c() && self.is(")")) {
            self.comma_or_semicolon()?;
        }
        let body = if !self.is_c() && self.eat("do") {
            let n_wrong = self.diagnostics.len();
            let body = self.stmts();
            if body.is_empty() && self.diagnostics.len() == n_wrong {
                let wrong = errors::with_without_body(start, self.peek().span);
                self.report(wrong);
            }
            self.end("with", n_wrong)?;
            body
        } else if self.is_c() && self.eat(")") {
            deep(|| self.labelled(true))?
        } else {
            vec![deep(|| self.with_bindings(start))?]
        };
        let kind = StmtKind::With {
            name,
            relation,
            expr,
            body,
        };
        Ok(stmt(kind, self.closed(start), at))
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let mut args = vec![];
        while !self.is(")") {
            args.push(self.expr("an argument")?);
            if !self.is(")") {
                self.expect(",")?;
                if self.is(")") {
                    args.push(self.expr("an argument")?);
                }
            }
        }
        self.pos += 1;
        Ok(args)
    }

    /// A `call`, with the `return` or `goto` that belongs to the same step.
    fn call(&mut self, alone: bool) -> Parsed<StmtKind> {
        self.pos += 1;
        let procedure = self.name("a procedure")?;
        let args = self.arguments()?;
        let next = self.peek_at(usize::from(self.is(";")));
        // In `if (c) call p(); return` the `return` is no part of the branch.
        let then = if alone {
            AfterCall::Continue
        } else if is(next, "return") {
            self.semicolon_before_jump()?;
            self.pos += 1;
            AfterCall::Return
        } else if is(next, "goto") {
            self.semicolon_before_jump()?;
            self.pos += 1;
            AfterCall::Goto(self.name("the label to go to")?)
        } else {
            AfterCall::Continue
        };
        Ok(StmtKind::Call {
            procedure,
            args,
            then,
        })
    }

    fn semicolon_before_jump(&mut self) -> Parsed<()> {
        self.expect(";").map(|_| ())
    }

    fn assignments(&mut self) -> Parsed<Vec<Assignment>> {
        let mut all = vec![self.assignment()?];
        while self.eat("||") || self.eat("‖") {
            all.push(self.assignment()?);
        }
        Ok(all)
    }

    fn assignment(&mut self) -> Parsed<Assignment> {
        let token = self.peek();
        if is(token, ":") {
            self.pos += 1;
            let wrong = errors::second_colon(token.span, self.found());
            return self.fail(wrong);
        }
        if token.kind != Kind::Ident {
            let wrong = errors::expected_statement(self.found());
            return self.fail(wrong);
        }
        let variable = self.name("a variable")?;
        let subscript = self.opt_expr()?;
        if !self.is(":=") && !self.is("≔") {
            let wrong = errors::expected_assignment(variable, &subscript, self.found());
            return self.fail(wrong);
        }
        // Only a part of the variable is something that gets a value.
        if let Some(first) = subscript
            .tokens()
            .next()
            .filter(|it| !matches!(it.text.as_str(), "[" | "."))
        {
            let span = first.span.unwrap_or(variable.span);
            let wrong =
                errors::expected_assignment(variable, &subscript, Found::Text(first.text.to_string(), span));
            return self.fail(wrong);
        }
        self.pos += 1;
        let value = self.expr("the right-hand side of an assignment")?;
        let span = variable.span.to(value.span.unwrap_or(variable.span));
        Ok(Assignment {
            variable,
            subscript,
            value,
            span,
        })
    }
}

fn stmt(kind: StmtKind, span: Span, at: At) -> Stmt {
    Stmt {
        label: None,
        kind,
        span,
        at,
        call: None,
    }
}
