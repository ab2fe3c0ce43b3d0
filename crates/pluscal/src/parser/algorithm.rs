//! The parts of an algorithm outside of statements: declarations, macros, procedures, processes.

use source::Span;

use crate::ast::{
    Algorithm, Body, Fairness, Macro, Name, Procedure, Process, Relation, Stmt, Syntax, Variable,
};
use crate::diagnostics as errors;
use crate::expr::Expr;
use crate::lexer::Kind;

use super::{Parsed, Parser, is};

/// What can follow the declarations of an algorithm or a process.
const AFTER_VARIABLES: &[&str] = &["begin", "{", "procedure", "process", "fair", "define", "macro"];

impl Parser<'_> {
    pub(super) fn algorithm(&mut self, head: Span, fair: bool) -> Parsed<Algorithm> {
        if fair {
            self.expect("algorithm")?;
        }
        let name = self.name("the algorithm")?;
        if self.eat("{") {
            self.syntax = Syntax::C;
        }
        let variables = match self.is_any(&["variable", "variables"]) {
            true => self.variables(),
            false => vec![],
        };
        let definitions = match self.is("define") {
            true => self.definitions()?,
            false => Expr::default(),
        };
        let mut macros = vec![];
        while self.is("macro") {
            macros.push(self.macro_definition()?);
        }
        let mut procedures = vec![];
        while self.is("procedure") {
            procedures.push(self.procedure()?);
        }
        let mut fair_body = false;
        let body = self.body(&mut fair_body)?;
        Ok(Algorithm {
            name,
            syntax: self.syntax,
            fair,
            fair_body,
            variables,
            definitions,
            macros,
            procedures,
            body,
            span: head.to(self.last().span),
        })
    }

    fn body(&mut self, fair: &mut bool) -> Parsed<Body> {
        if self.is("process") || self.is_fair_process() {
            let mut processes = vec![];
            while self.is("process") || self.is("fair") {
                processes.push(self.process()?);
            }
            self.end_of_algorithm(1)?;
            return Ok(Body::Processes(processes));
        }
        if self.version == 1500 && self.eat("fair") {
            self.eat("+");
            *fair = true;
        }
        self.misplaced()?;
        self.block_start()?;
        let stmts = self.stmts();
        self.must_have_statements(&stmts, "the algorithm");
        self.end_of_algorithm(2)?;
        Ok(Body::Sequential(stmts))
    }

    /// Declarations come in one order: variables, definitions, macros, procedures, processes.
    fn misplaced(&mut self) -> Parsed<()> {
        let token = self.peek();
        let is_declaration = ["variable", "variables", "define", "macro", "procedure"]
            .iter()
            .any(|it| is(token, it));
        if is_declaration {
            let wrong = errors::declaration_order(token.text.as_str(), token.span);
            return self.fail(wrong);
        }
        Ok(())
    }

    fn is_fair_process(&self) -> bool {
        let plus = usize::from(is(self.peek_at(1), "+"));
        self.is("fair") && is(self.peek_at(1 + plus), "process")
    }

    fn end_of_algorithm(&mut self, braces: usize) -> Parsed<()> {
        // Nothing follows, so a mistake before is not made worse by saying that this is wrong too.
        let is_sure = self.diagnostics.is_empty();
        let done = match self.syntax {
            Syntax::P if !is_sure => Ok(()),
            Syntax::P => self
                .expect("end")
                .and_then(|_| self.expect("algorithm"))
                .map(|_| ()),
            Syntax::C if !is_sure => Ok(()),
            Syntax::C => (0..braces).try_for_each(|_| self.expect("}").map(|_| ())),
        };
        done.or_else(|failed| {
            if self.misplaced().is_err() {
                Ok(())
            } else {
                Err(failed)
            }
        })
    }

    fn block_start(&mut self) -> Parsed<()> {
        let word = if self.is_c() { "{" } else { "begin" };
        self.expect(word).map(|_| ())
    }

    /// `end process`, or `}`.
    fn block_end(&mut self, what: &str, n_wrong: usize) -> Parsed<()> {
        if self.is_c() {
            self.expect("}")?;
        } else if self.diagnostics.len() > n_wrong {
            // A mistake inside may have eaten an `end`; what comes then is not another mistake.
            while self.peek().kind != Kind::End && !(self.is("end") && is(self.peek_at(1), what)) {
                self.pos += 1;
            }
            self.pos = (self.pos + 2).min(self.tokens.len() - 1);
        } else {
            self.expect("end")?;
            self.expect(what)?;
        }
        Ok(())
    }

    fn must_have_statements(&mut self, stmts: &[Stmt], what: &str) {
        if stmts.is_empty() && self.failed_at.is_none() {
            let wrong = errors::empty_body(what, self.found());
            self.report(wrong);
        }
    }

    fn variables(&mut self) -> Vec<Variable> {
        self.pos += 1;
        let mut variables = vec![];
        while !self.is_any(AFTER_VARIABLES) && self.peek().kind != Kind::End {
            match self
                .variable(true)
                .and_then(|it| self.comma_or_semicolon().map(|()| it))
            {
                Ok(variable) => variables.push(variable),
                Err(_) => self.recover_declaration(),
            }
        }
        variables
    }

    fn recover_declaration(&mut self) {
        while !self.is_any(AFTER_VARIABLES) && self.peek().kind != Kind::End {
            let text = self.next().text;
            if matches!(text.as_str(), ";" | ",") {
                return;
            }
        }
    }

    /// `x`, `x = e`, or `x \in S` where that is allowed.
    fn variable(&mut self, may_be_set: bool) -> Parsed<Variable> {
        let name = self.name("a variable")?;
        let relation = match self.peek().text.as_str() {
            "=" => Some(Relation::Equals),
            "\\in" | "∈" if may_be_set => Some(Relation::In),
            "\\in" | "∈" => {
                let wrong = errors::parameter_in_set(name, self.peek().span);
                return self.fail(wrong);
            }
            _ => None,
        };
        let mut value = Expr::default();
        if relation.is_some() {
            self.pos += 1;
            value = self.expr("the first value of a variable")?;
        }
        let span = value.span.map_or(name.span, |it| name.span.to(it));
        Ok(Variable {
            name,
            relation: relation.unwrap_or(Relation::Equals),
            value,
            span,
        })
    }

    pub(super) fn comma_or_semicolon(&mut self) -> Parsed<()> {
        if self.eat(",") { Ok(()) } else { self.semicolon() }
    }

    fn definitions(&mut self) -> Parsed<Expr> {
        self.pos += 1;
        if self.is_c() {
            self.expect("{")?;
        }
        let definitions = self.opt_expr()?;
        if self.is_c() {
            self.expect("}")?;
        } else {
            self.expect("end")?;
            self.expect("define")?;
        }
        self.semicolon()?;
        Ok(definitions)
    }

    fn macro_definition(&mut self) -> Parsed<Macro> {
        let start = self.next().span;
        let name = self.name("a macro")?;
        let params = self.parameters(|it| it.name("a parameter"))?;
        self.in_macro = true;
        let n_wrong = self.diagnostics.len();
        self.block_start()?;
        let body = self.stmts();
        self.in_macro = false;
        self.block_end("macro", n_wrong)?;
        let span = start.to(self.last().span);
        self.eat(";");
        Ok(Macro {
            name,
            params,
            body,
            span,
        })
    }

    fn parameters<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect("(")?;
        let mut params = vec![];
        while !self.is(")") {
            if !params.is_empty() {
                self.expect(",")?;
            }
            params.push(one(self)?);
        }
        self.expect(")")?;
        Ok(params)
    }

    fn procedure(&mut self) -> Parsed<Procedure> {
        let start = self.next();
        let name = self.name("a procedure")?;
        let params = self.parameters(|it| it.variable(false))?;
        let variables = self.procedure_variables()?;
        let (body, span) = self.block("procedure", name, start.span)?;
        Ok(Procedure {
            name,
            params,
            variables,
            body,
            at: start.at(),
            span,
        })
    }

    fn procedure_variables(&mut self) -> Parsed<Vec<Variable>> {
        let mut variables = vec![];
        if self.is_any(&["begin", "{"]) {
            return Ok(variables);
        }
        if !self.eat("variables") {
            self.expect("variable")?;
        }
        while !self.is_any(&["begin", "{"]) {
            variables.push(self.variable(false)?);
            self.comma_or_semicolon()?;
        }
        Ok(variables)
    }

    fn process(&mut self) -> Parsed<Process> {
        let fairness = match self.eat("fair") {
            true if self.eat("+") => Some(Fairness::Strong),
            true => Some(Fairness::Weak),
            false => None,
        };
        let start = self.expect("process")?;
        if self.is_c() {
            self.expect("(")?;
        }
        let name = self.name("a process")?;
        let relation = self.relation()?;
        let id = self.expr("the identifier of a process")?;
        if self.is_c() {
            self.expect(")")?;
        }
        let mut variables = vec![];
        if !self.is_any(&["begin", "{"]) {
            if !self.is_any(&["variable", "variables"]) {
                self.block_start()?;
            }
            variables = self.variables();
        }
        let (body, span) = self.block("process", name, start.span)?;
        Ok(Process {
            name,
            fairness,
            relation,
            id,
            variables,
            body,
            at: start.at(),
            span,
        })
    }

    /// The statements of a procedure or a process, and the span of all of it.
    fn block(&mut self, what: &str, name: Name, start: Span) -> Parsed<(Vec<Stmt>, Span)> {
        let n_wrong = self.diagnostics.len();
        self.block_start()?;
        let body = self.stmts();
        self.must_have_statements(&body, &format!("{what} `{}`", name.text));
        self.block_end(what, n_wrong)?;
        let span = start.to(self.last().span);
        self.eat(";");
        Ok((body, span))
    }

    pub(super) fn relation(&mut self) -> Parsed<Relation> {
        let token = self.peek();
        match token.text.as_str() {
            "=" => {
                self.pos += 1;
                Ok(Relation::Equals)
            }
            "\\in" | "∈" => {
                self.pos += 1;
                Ok(Relation::In)
            }
            _ => {
                let wrong = errors::expected_relation(self.found());
                self.fail(wrong)
            }
        }
    }
}
