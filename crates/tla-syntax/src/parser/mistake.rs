//! When the text is not what the grammar wants: which mistake it probably is.
//!
//! The functions here are called where reading cannot go on. They look at the tokens around the place, choose the most
//! telling diagnostic, and abort the unit; the few mistakes with an obvious meaning are reported and read on.

use diag::Diagnostic;
use source::Span;

use super::expr::Operator;
use super::{Abort, After, Parsed, Parser};
use crate::ast::{ExprKind, Fixity, Ident};
use crate::diagnostics::{self as errors, Found};
use crate::op::Op;
use crate::token::{Tok, Token, tables};

/// Words of other languages, and what they are in TLA+. The second list counts only where the word itself is the surprise.
const FOREIGN: &[(&str, &str)] = &[
    ("not", "`~`"),
    ("if", "`IF p THEN a ELSE b`, in capitals"),
    ("let", "`LET x == e IN f`, in capitals"),
    ("case", "`CASE p -> a [] OTHER -> b`, in capitals"),
    ("choose", "`CHOOSE x \\in S : P`, in capitals"),
    ("forall", "`\\A x \\in S : P`"),
    ("exists", "`\\E x \\in S : P`"),
    ("lambda", "`LAMBDA x : e`, in capitals"),
    ("NOT", "`~`"),
];
const FOREIGN_INFIX: &[(&str, &str)] = &[
    ("and", "`/\\`"),
    ("or", "`\\/`"),
    ("in", "`\\in`"),
    ("notin", "`\\notin`"),
    ("mod", "`%`"),
    ("div", "`\\div`"),
    ("implies", "`=>`"),
    ("iff", "`<=>`"),
    ("union", "`\\cup`"),
    ("intersect", "`\\cap`"),
    ("then", "`THEN`, in capitals"),
    ("else", "`ELSE`, in capitals"),
    ("except", "`EXCEPT`, in capitals"),
    ("AND", "`/\\`"),
    ("OR", "`\\/`"),
];

const PLUSCAL: &[&str] = &[
    "algorithm",
    "begin",
    "process",
    "procedure",
    "macro",
    "variables",
    "variable",
    "define",
    "while",
    "await",
    "either",
    "fair",
    "goto",
    "skip",
];

impl<'a> Parser<'a> {
    pub(super) fn found(&self) -> Found {
        let span = self.span_of(self.tok);
        match self.tok.kind {
            Tok::Eof => Found::End(span),
            _ => Found::Text(self.lexer.text(self.tok).to_owned(), span),
        }
    }

    fn text_and_span(&self, token: Token) -> (&'a str, Span) {
        (self.lexer.text(token), self.span_of(token))
    }

    /// The fallback: what was expected, and what stands there instead.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        self.known_mistake(expected)?;
        let found = self.found();
        self.abort(errors::unexpected_token(expected, found))
    }

    /// Mistakes that show in the tokens around the place, whatever was expected.
    fn known_mistake(&mut self, expected: &str) -> Parsed<()> {
        if self.tok.kind == Tok::Invalid {
            return Err(Abort);
        }
        if let Some(diagnostic) = self.unknown_operator().or_else(|| self.foreign_word()) {
            return self.abort(diagnostic);
        }
        if self.is_outdented() {
            let (found, bullet) = (self.found(), self.span_of(self.bullet));
            let opener = self.openers.last().map(|&it| self.text_and_span(it));
            return self.abort(errors::outdented_token(found, expected, bullet, opener));
        }
        Ok(())
    }

    /// A `*)` here, or at the end of what looks like prose.
    fn stray_comment_end(&mut self) -> Option<Span> {
        const PROSE_MAX: usize = 60;
        for n in 0..PROSE_MAX {
            let (star, paren) = (self.nth(n), self.nth(n + 1));
            match star.kind {
                Tok::Infix if star.op == Op::STAR && paren.kind == Tok::RParen && paren.start == star.end => {
                    return Some(self.span_of(star).to(self.span_of(paren)));
                }
                Tok::EqEq | Tok::Eof | Tok::EndModule | Tok::LParen => return None,
                _ => {}
            }
        }
        None
    }

    /// A token of the current item, by its looks, that stands at or left of the bullets.
    fn is_outdented(&mut self) -> bool {
        let kind = self.tok.kind;
        self.kind() == Tok::Outdent && !self.ends_unit() && !matches!(kind, Tok::Bullet)
    }

    /// Nothing of the unit being read can stand here or later.
    fn ends_unit(&mut self) -> bool {
        let kind = self.tok.kind;
        kind == Tok::Eof
            || self.is_unit_start(kind)
            || self.tok.first && self.tok.column <= self.def_column && self.is_definition(0)
    }

    /// `\foo`, which was read as set difference (or as a shorter operator) and a name.
    fn unknown_operator(&mut self) -> Option<Diagnostic> {
        let glued = |op: Token, word: Token| {
            op.end == word.start
                && op.kind.is_infix()
                && self.lexer.text(op).starts_with('\\')
                && word.kind == Tok::Ident
        };
        let next = self.tokens.get(self.at + 1).copied();
        let (op, word) = match ([self.past(0), self.past(1)], self.tok) {
            ([word, op], _) if glued(op, word) => (op, word),
            ([op, _], word) if glued(op, word) => (op, word),
            (_, op) if next.is_some_and(|word| glued(op, word)) => (op, next?),
            _ => return None,
        };
        let span = self.span_of(op).to(self.span_of(word));
        let text = format!("{}{}", self.lexer.text(op), self.lexer.text(word));
        // Sorted, because the order of a hash map must not choose between equally near names.
        let mut words: Vec<&str> = tables().words.keys().copied().collect();
        words.sort_unstable();
        let suggestion = diag::closest(&text[1..], words);
        Some(errors::unknown_operator(&text, span, suggestion))
    }

    fn foreign_word(&mut self) -> Option<Diagnostic> {
        let word_at = |token: Token, list: &[(&str, &'static str)]| {
            let text = self.lexer.text(token);
            let found = list.iter().find(|it| token.kind == Tok::Ident && it.0 == text)?;
            Some(errors::foreign_word(text, self.span_of(token), found.1))
        };
        word_at(self.past(0), FOREIGN)
            .or_else(|| word_at(self.tok, FOREIGN))
            .or_else(|| word_at(self.tok, FOREIGN_INFIX))
    }

    // Brackets and keywords

    pub(super) fn unclosed<T>(&mut self, opener: Token) -> Parsed<T> {
        let closer = closer_of(opener.kind);
        self.known_mistake(&format!("`{closer}`"))?;
        let found = self.found();
        if self.is_foreign_arrow() {
            return self.foreign_arrow();
        }
        let starts_operand = !self.ends_unit() && self.starts_expr(0);
        let (text, span) = self.text_and_span(opener);
        let diagnostic = match self.tok.kind {
            kind if is_closer(kind) => errors::mismatched_bracket(text, span, closer, found),
            _ if starts_operand => errors::missing_separator(text, span, closer, found),
            Tok::Colon | Tok::MapsTo | Tok::Arrow | Tok::LeftArrow | Tok::Except => {
                errors::missing_separator(text, span, closer, found)
            }
            _ => errors::unclosed_bracket(text, span, closer, found),
        };
        self.abort(diagnostic)
    }

    /// `[1, 2, 3]`, as other languages write lists.
    pub(super) fn list_in_brackets<T>(&mut self, opener: Token) -> Parsed<T> {
        if !self.at(Tok::RBracket) {
            return self.unclosed(opener);
        }
        let span = self.span_of(opener).to(self.span_of(self.tok));
        self.abort(errors::list_in_brackets(span))
    }

    /// The keyword that continues a form which `opener` started.
    pub(super) fn keyword_of(&mut self, kind: Tok, word: &'static str, opener: Token) -> Parsed<Token> {
        if let Some(token) = self.eat(kind) {
            return Ok(token);
        }
        self.known_mistake(&format!("`{word}`"))?;
        if kind != Tok::In && kind != Tok::Arrow && !self.ends_unit() && self.starts_expr(0) {
            return self.missing_operator();
        }
        if is_closer(self.tok.kind) && self.openers.is_empty() {
            let found = self.found();
            return self.abort(errors::unopened_bracket(found));
        }
        let found = self.found();
        let (text, span) = self.text_and_span(opener);
        self.abort(errors::missing_keyword(word, text, span, found))
    }

    pub(super) fn not_a_name<T>(&mut self, expected: &str) -> Parsed<T> {
        let kind = self.kind();
        if self.is_word(kind) {
            let (text, span) = self.text_and_span(self.tok);
            return self.abort(errors::keyword_as_name(text, expected, span));
        }
        self.unexpected(expected)
    }

    pub(super) fn incomplete_binder<T>(&mut self, binder: Option<Token>, expected: &str) -> Parsed<T> {
        self.known_mistake(expected)?;
        let Some(binder) = binder else {
            return self.unexpected(expected);
        };
        let found = self.found();
        let (text, span) = self.text_and_span(binder);
        self.abort(errors::incomplete_binder(text, span, expected, found))
    }

    // Operands and operators

    /// No operand starts here.
    pub(super) fn missing_operand<T>(&mut self) -> Parsed<T> {
        let before = self.past(0);
        let span = self.span_of(before);
        let found = self.found();
        let here = self.span_of(self.tok);
        let ends_unit = self.ends_unit();
        let diagnostic = match self.tok.kind {
            Tok::Invalid => return Err(Abort),
            Tok::Lambda => errors::lambda_not_argument(here),
            Tok::Assume | Tok::BoxAssume if !self.tok.first => errors::assume_in_expression(here),
            Tok::MinusDot => errors::minus_dot(here),
            Tok::RParen if before.kind == Tok::LParen => errors::empty_parentheses(span.to(here)),
            Tok::Infix if before.kind == Tok::LBrace && self.lexer.text(self.tok).starts_with('|') => {
                errors::old_set_syntax(span.to(here))
            }
            _ if before.kind == Tok::EqEq && (ends_unit || self.at(Tok::EqEq)) => {
                errors::missing_body(span, found)
            }
            _ if ends_unit && !self.openers.is_empty() && !before.kind.is_operator() => {
                let opener = *self.openers.last().expect("not empty");
                let closer = closer_of(opener.kind);
                let (text, span) = self.text_and_span(opener);
                errors::unclosed_bracket(text, span, closer, found)
            }
            _ => return self.missing_operand_of(before, found),
        };
        self.abort(diagnostic)
    }

    fn missing_operand_of<T>(&mut self, before: Token, found: Found) -> Parsed<T> {
        let is_empty_item = before.kind == Tok::Bullet && before.start == self.bullet_last.start;
        if !is_empty_item {
            self.known_mistake("an expression")?;
        }
        let (text, span) = self.text_and_span(before);
        let is_infix_here = matches!(self.kind(), Tok::Infix | Tok::Postfix);
        let diagnostic = match before.kind {
            kind if kind.is_operator() && kind != Tok::Postfix && !is_empty_item => {
                errors::missing_operand(text, span, "right", Some(found))
            }
            _ if is_infix_here => {
                let (text, span) = self.text_and_span(self.tok);
                errors::missing_operand(text, span, "left", None)
            }
            Tok::Eof => errors::unexpected_token("an expression", found),
            _ if before.start == self.tok.start => errors::unexpected_token("an expression", found),
            _ => errors::missing_expression(text, span, found),
        };
        self.abort(diagnostic)
    }

    fn missing_operator<T>(&mut self) -> Parsed<T> {
        if let Some(span) = self.stray_comment_end() {
            return self.abort(errors::comment_not_open(span));
        }
        let found = self.found();
        let before = self.span_of(self.past(0));
        self.abort(errors::missing_operator(found, before))
    }

    /// Operators of other languages where an infix operator may stand. Read on as what they mean.
    pub(super) fn foreign_infix(&mut self, base: usize) -> Parsed<bool> {
        let first = self.tok;
        let next = match self.kind() {
            Tok::Bang => match self.foreign_inequality() {
                Some(next) => next,
                None => return Ok(false),
            },
            Tok::EqEq => self.nth(1),
            _ => return Ok(false),
        };
        let is_arrow = next.start == first.end && next.kind == Tok::Infix && next.op == Op::GT;
        let (op, diagnostic) = match first.kind {
            Tok::Bang => (Op::NEQ, self.foreign_pair(first, next, "`/=` or `#`")),
            _ if is_arrow => (Op::IMPLIES, self.foreign_pair(first, next, "`=>`")),
            _ => (Op::EQ, errors::definition_in_expression(self.span_of(first))),
        };
        self.report(diagnostic);
        self.bump();
        if op != Op::EQ {
            self.bump();
        }
        self.push_infix(first, op, base)?;
        Ok(true)
    }

    fn foreign_pair(&self, first: Token, next: Token, meant: &str) -> Diagnostic {
        let text = format!("{}{}", self.lexer.text(first), self.lexer.text(next));
        errors::foreign_operator(&text, self.span_of(first).to(self.span_of(next)), meant)
    }

    /// The `=` (or `==`) of a `!=` that starts here. `M!=(a, b)` is another thing.
    pub(super) fn foreign_inequality(&mut self) -> Option<Token> {
        let (bang, next) = (self.tok, self.nth(1));
        let is_equals = next.kind == Tok::EqEq || next.kind == Tok::Infix && next.op == Op::EQ;
        let is_foreign = is_equals && next.start == bang.end && self.nth_kind(2) != Tok::LParen;
        is_foreign.then_some(next)
    }

    /// `!x` for `~x`. Read on as such.
    pub(super) fn foreign_not(&mut self) -> bool {
        if !self.at(Tok::Bang) || self.nth_kind(1).is_operator() || !self.starts_expr(1) {
            return false;
        }
        let span = self.span_of(self.tok);
        self.report(errors::foreign_operator("!", span, "`~` for \"not\""));
        true
    }

    fn is_foreign_arrow(&self) -> bool {
        matches!(self.tok.kind, Tok::Arrow) && self.openers.last().is_none_or(|it| it.kind != Tok::LBracket)
    }

    fn foreign_arrow<T>(&mut self) -> Parsed<T> {
        let (text, span) = self.text_and_span(self.tok);
        let text = text.to_owned();
        self.abort(errors::foreign_operator(&text, span, "`=>` for \"implies\""))
    }

    /// Two operators that need parentheses, one of which may be a bullet that went astray.
    pub(super) fn conflict(&mut self, left: Operator, token: Token, op: Op) {
        let lhs = self.operands[self.operands.len().saturating_sub(2)].expr;
        let from = self.exprs[lhs].span.start;
        let near = self
            .lists
            .iter()
            .rev()
            .take_while(|it| it.bullet.start >= from)
            .map(|it| it.bullet);
        let lists: Vec<Token> = near.chain(self.enclosing_list()).collect();
        let diagnostic = [token, left.token]
            .iter()
            .find_map(|&it| self.misaligned(it, &lists, 3));
        let diagnostic = diagnostic.unwrap_or_else(|| {
            let [l, r] = [left.token, token].map(|it| self.span_of(it));
            errors::precedence_conflict(left.op, l, op, r, self.ways_to_group(left, op))
        });
        self.report(diagnostic);
    }

    /// The two readings of a conflict, written out when the operands are short: `(a /\ b) \/ ...`, `a /\ (b \/ ...)`.
    fn ways_to_group(&self, left: Operator, op: Op) -> Option<[String; 2]> {
        const SHORT: usize = 24;
        let text = |n: usize| {
            let operand = self.operands[self.operands.len().checked_sub(n)?];
            let text = self.lexer.slice(self.exprs[operand.expr].span);
            (text.len() <= SHORT && !text.contains('\n')).then_some(text)
        };
        let (l, r) = (self.lexer.text(left.token), op.name());
        let last = text(1)?;
        let first = match left.op.info().fixity {
            Fixity::Prefix => format!("{l} "),
            _ => format!("{} {l} ", text(2)?),
        };
        Some(match op.info().fixity {
            Fixity::Postfix => [format!("({first}{last}){r}"), format!("{first}({last}{r})")],
            _ => [
                format!("({first}{last}) {r} ..."),
                format!("{first}({last} {r} ...)"),
            ],
        })
    }

    /// A `/\` at the start of a line one column beside a list: read as infix, probably meant as a bullet. Said only where
    /// the two readings differ, which is not so when it just joins the list or the item with more of the same.
    pub(super) fn note_misalignment(&mut self, token: Token, base: usize) {
        let joins_item = self.depth == self.item_depth && self.operators.len() == base;
        let joins_list = matches!(
            self.exprs[self.top()].kind,
            ExprKind::Junction { .. }
                | ExprKind::Infix {
                    op: Op::AND | Op::OR,
                    ..
                }
        );
        if joins_item || joins_list {
            return;
        }
        let ended = self
            .lists
            .last()
            .filter(|it| it.end == self.past(1).end)
            .map(|it| it.bullet);
        let lists: Vec<Token> = ended.into_iter().chain(self.enclosing_list()).collect();
        if let Some(mut diagnostic) = self.misaligned(token, &lists, 1) {
            diagnostic.severity = diag::Severity::Warning;
            self.report(diagnostic);
        }
    }

    fn enclosing_list(&self) -> Option<Token> {
        (self.floor > 0).then_some(self.bullet)
    }

    fn misaligned(&self, token: Token, lists: &[Token], distance_max: u32) -> Option<Diagnostic> {
        if !token.first || token.kind != Tok::Bullet {
            return None;
        }
        let list = *lists.iter().find(|it| {
            let distance = it.column.abs_diff(token.column);
            it.op == token.op && (1..=distance_max).contains(&distance)
        })?;
        let offset = i64::from(token.column) - i64::from(list.column);
        let tabs = self.lexer.has_tab_before(token) != self.lexer.has_tab_before(list);
        let (span, list) = (self.span_of(token), self.span_of(list));
        Some(errors::misaligned_bullet(token.op, span, list, offset, tabs))
    }

    // Units

    /// The token here starts no unit.
    pub(super) fn not_a_unit<T>(&mut self) -> Parsed<T> {
        let found = self.found();
        let (text, span) = self.text_and_span(self.tok);
        let kind = self.tok.kind;
        let next = self.nth_kind(1);
        let diagnostic = match kind {
            Tok::Invalid => return Err(Abort),
            Tok::Extends => errors::misplaced_extends(span),
            Tok::Step if self.tok.first => errors::step_without_proof(found),
            Tok::Step => errors::step_outside_proof(span),
            Tok::Infix if text == "--" && next == Tok::Ident => {
                let word = self.nth(1);
                let span = span.to(self.span_of(word));
                errors::pluscal_outside_comment(&format!("--{}", self.lexer.text(word)), span)
            }
            _ if self.is_word(kind) && matches!(next, Tok::EqEq | Tok::LParen | Tok::LBracket) => {
                errors::keyword_as_name(text, "the name of a definition", span)
            }
            _ => return self.after_unit(),
        };
        self.abort(diagnostic)
    }

    /// A name here starts no definition.
    pub(super) fn not_a_definition<T>(&mut self) -> Parsed<T> {
        let (text, span) = self.text_and_span(self.tok);
        if self.tok.first && PLUSCAL.contains(&text) {
            let text = text.to_owned();
            return self.abort(errors::pluscal_outside_comment(&text, span));
        }
        self.after_unit()
    }

    /// Something stands after a unit that neither continues it nor starts the next.
    fn after_unit<T>(&mut self) -> Parsed<T> {
        self.known_mistake("a definition")?;
        if let Some(span) = self.stray_comment_end() {
            return self.abort(errors::comment_not_open(span));
        }
        let found = self.found();
        let starts_line = self.tok.first && self.tok.column <= self.unit_column_before;
        let starts_operand = self.starts_expr(0);
        match self.after {
            After::Expression if is_closer(self.tok.kind) => self.abort(errors::unopened_bracket(found)),
            After::Expression if self.tok.kind == Tok::Arrow => self.foreign_arrow(),
            After::Expression if !starts_line && starts_operand => self.missing_operator(),
            After::Expression => self.after_expression(),
            After::Names if self.tok.kind == Tok::Ident && !starts_line => {
                self.abort(errors::unexpected_token("`,` between the names", found))
            }
            _ if is_closer(self.tok.kind) => self.abort(errors::unopened_bracket(found)),
            _ => self.abort(errors::not_a_definition(found)),
        }
    }

    /// An expression that stands alone is followed by something.
    pub(super) fn after_expression<T>(&mut self) -> Parsed<T> {
        self.known_mistake("the end of the expression")?;
        let found = self.found();
        let starts_operand = self.starts_expr(0);
        match self.tok.kind {
            kind if is_closer(kind) => self.abort(errors::unopened_bracket(found)),
            Tok::Arrow => self.foreign_arrow(),
            _ if self.after == After::Expression && self.tok.first => {
                self.abort(errors::not_a_definition(found))
            }
            _ if starts_operand => self.missing_operator(),
            _ => self.abort(errors::unexpected_token("the end of the expression", found)),
        }
    }

    pub(super) fn defined_as(&mut self, name: Ident) -> Parsed<Token> {
        if self.at_op(Op::EQ) || self.at_op(Op::ASSIGN) {
            let token = self.bump();
            let text = self.lexer.text(token);
            self.report(errors::equals_for_definition(text, self.span_of(token), name));
            return Ok(token);
        }
        self.expect(Tok::EqEq, "`==`")
    }

    /// A declaration with something after it that looks like a value: the names are declared all the same.
    pub(super) fn declaration_end(&mut self, what: &str) {
        if self.at_op(Op::EQ) || self.at_op(Op::IN) {
            let found = self.found();
            let name = self.ident_of(self.past(0));
            self.report(errors::declaration_with_value(what, name, found));
            self.resync();
        }
    }

    pub(super) fn not_a_substitution<T>(&mut self, name: Ident) -> Parsed<T> {
        let found = self.found();
        self.abort(errors::not_a_substitution(name, found))
    }

    pub(super) fn not_an_update<T>(&mut self) -> Parsed<T> {
        self.known_mistake("`=`")?;
        let found = self.found();
        self.abort(errors::not_an_update(found))
    }

    pub(super) fn update_without_bang<T>(&mut self, except: Token) -> Parsed<T> {
        self.known_mistake("`!`")?;
        let found = self.found();
        self.abort(errors::update_without_bang(found, self.span_of(except)))
    }

    pub(super) fn named_parameter<T>(&mut self) -> Parsed<T> {
        let (text, span) = self.text_and_span(self.tok);
        let diagnostic = errors::named_parameter(text, span);
        self.abort(diagnostic)
    }

    pub(super) fn fairness_without_action<T>(&mut self, fairness: Token) -> Parsed<T> {
        self.known_mistake("the action in parentheses")?;
        let found = self.found();
        let (text, span) = self.text_and_span(fairness);
        let diagnostic = errors::fairness_without_action(text, span, found);
        self.abort(diagnostic)
    }

    // Modules and proofs

    pub(super) fn report_header(&mut self, expected: &str, module: Token) {
        let found = self.found();
        self.report(errors::module_header(expected, found, self.span_of(module)));
    }

    pub(super) fn report_unfinished(&mut self, name: Ident) {
        if self.lexer.is_in_open_comment() {
            return; // the comment took the end of the module with it
        }
        let end = self.span_of(self.past(0)).after();
        self.report(errors::missing_module_end(name, end));
    }

    pub(super) fn missing_qed<T>(&mut self, first: Option<Ident>) -> Parsed<T> {
        self.known_mistake("the next step")?;
        if !self.ends_unit() && self.starts_expr(0) {
            return self.missing_operator();
        }
        let found = self.found();
        self.abort(errors::missing_qed(first, found))
    }

    pub(super) fn missing_prove<T>(&mut self, assume: Token) -> Parsed<T> {
        self.known_mistake("PROVE")?;
        let found = self.found();
        self.abort(errors::missing_prove(self.span_of(assume), found))
    }

    pub(super) fn wrong_level<T>(&mut self, token: Token, expected: u32, outer: Option<u32>) -> Parsed<T> {
        let step = self.ident_of(token);
        self.abort(errors::wrong_step_level(step, expected, outer))
    }
}

fn closer_of(opener: Tok) -> &'static str {
    match opener {
        Tok::LParen => ")",
        Tok::LBracket => "]",
        Tok::LBrace => "}",
        _ => ">>",
    }
}

fn is_closer(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::RParen | Tok::RBracket | Tok::RBracketUnder | Tok::RBrace | Tok::RAngle | Tok::RAngleUnder
    )
}
