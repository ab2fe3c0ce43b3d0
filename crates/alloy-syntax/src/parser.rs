//! Words to a tree, by recursive descent.
//!
//! A rule that cannot go on reports why, once, and returns [`Stop`]; the nearest place that knows where to resume
//! (a block resumes at the next line, a file at the next paragraph) catches it. So one run shows several errors.
//! Naming: `sig` must find one, `opt_scope` may find nothing.

mod command;
pub(crate) mod expr;
mod paragraph;

pub(crate) use expr::level;

use diag::Diagnostic;
use source::{FileId, Span};
use util::Symbol;

use crate::NESTING_MAX;
use crate::ast::{Expr, ExprId, ExprKind, Exprs, File, Name};
use crate::diagnostics as say;
use crate::token::{T, Token};

/// More than this in one file is noise.
const ERRORS_MAX: usize = 100;

/// The rule cannot go on; the reason has been reported.
pub(crate) struct Stop;

type Parse<X> = Result<X, Stop>;

pub(crate) fn file(file: FileId, text: &str, tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> File {
    let mut parser = Parser::new(file, text, tokens, diagnostics);
    let mut tree = parser.paragraphs();
    tree.has_dollar = parser.has_dollar;
    tree.exprs = parser.exprs;
    tree
}

pub(crate) fn single_expr(
    file: FileId,
    text: &str,
    tokens: Vec<Token>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Exprs, Option<ExprId>) {
    let mut parser = Parser::new(file, text, tokens, diagnostics);
    let expr = parser.conjunction_to_end().ok();
    (parser.exprs, expr)
}

pub(crate) struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    exprs: Exprs,
    diagnostics: &'a mut Vec<Diagnostic>,
    n_errors: usize,
    depth: u32,
    has_dollar: bool,
}

impl<'a> Parser<'a> {
    fn new(
        file: FileId,
        text: &'a str,
        tokens: Vec<Token>,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Parser<'a> {
        Parser {
            file,
            text,
            tokens,
            at: 0,
            exprs: Exprs::new(),
            diagnostics,
            n_errors: 0,
            depth: 0,
            has_dollar: false,
        }
    }

    // ---- looking ----

    fn kind(&self) -> T {
        self.tokens[self.at].kind
    }

    fn kind_at(&self, offset: usize) -> T {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + offset).min(last)].kind
    }

    fn token_span(&self, index: usize) -> Span {
        let token = self.tokens[index];
        Span::new(self.file, token.start, token.end)
    }

    fn span(&self) -> Span {
        self.token_span(self.at)
    }

    fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The span from `start` to the last word taken.
    fn since(&self, start: Span) -> Span {
        if self.at == 0 {
            return start;
        }
        let last = self.token_span(self.at - 1);
        if last.end < start.end {
            start
        } else {
            start.to(last)
        }
    }

    // ---- taking ----

    fn take(&mut self) -> Token {
        let token = self.tokens[self.at];
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: T) -> bool {
        let found = self.kind() == kind;
        if found {
            self.take();
        }
        found
    }

    fn eat_span(&mut self, kind: T) -> Option<Span> {
        let span = self.span();
        self.eat(kind).then_some(span)
    }

    fn expect(&mut self, kind: T) -> Parse<Span> {
        match self.eat_span(kind) {
            Some(span) => Ok(span),
            None => Err(self.unexpected(&kind.to_string())),
        }
    }

    /// The counterpart of a bracket.
    fn close(&mut self, kind: T, open: T, open_span: Span) -> Parse<Span> {
        match self.eat_span(kind) {
            Some(span) => Ok(span),
            None => {
                if self.kind() == T::Bad {
                    return Err(Stop);
                }
                let (found, span) = (self.found(), self.span());
                Err(self.report(say::unclosed(&open.to_string(), open_span, &found, span)))
            }
        }
    }

    // ---- names ----

    /// A path of names: `a`, `m/n/a`, `this/a`, `seq/a`.
    fn path(&mut self, wanted: &str) -> Parse<Name> {
        let start = self.span();
        let mut text = String::new();
        if matches!(self.kind(), T::This | T::Seq) && self.kind_at(1) == T::Slash {
            let token = self.take();
            text.push_str(self.text_of(token));
            self.take();
            text.push('/');
        }
        loop {
            if self.kind() != T::Name {
                return Err(self.not_a_name(wanted));
            }
            let token = self.take();
            text.push_str(&straight_primes(self.text_of(token)));
            if !(self.kind() == T::Slash && self.kind_at(1) == T::Name) {
                break;
            }
            self.take();
            text.push('/');
        }
        self.has_dollar |= text.contains('$');
        Ok(Name {
            text: Symbol::new(&text),
            span: self.since(start),
        })
    }

    /// A name that is declared here: no path, no `$`.
    fn new_name(&mut self, what: &str) -> Parse<Name> {
        let name = self.path(what)?;
        let text = name.text.as_str();
        if text.contains('/') {
            self.note(say::slash_in_name(text, what, name.span));
        } else if text.contains('$') {
            self.note(say::dollar_in_name(text, name.span));
        }
        Ok(name)
    }

    fn new_names(&mut self, what: &str) -> Parse<Vec<Name>> {
        let mut names = vec![self.new_name(what)?];
        while self.eat(T::Comma) {
            names.push(self.new_name(what)?);
        }
        Ok(names)
    }

    /// A sig by name or by keyword.
    fn sig_ref(&mut self) -> Parse<Name> {
        let start = self.span();
        let keyword = match self.kind() {
            T::Univ => "univ",
            T::None => "none",
            T::String => "String",
            T::SigInt => "Int",
            T::Steps => "steps",
            T::Seq if self.kind_at(1) == T::Slash && self.kind_at(2) == T::SigInt => {
                self.take();
                self.take();
                "seq/Int"
            }
            _ => return self.path("the name of a signature"),
        };
        self.take();
        Ok(Name {
            text: Symbol::new(keyword),
            span: self.since(start),
        })
    }

    // ---- nodes ----

    fn node(&mut self, span: Span, kind: ExprKind) -> Parse<ExprId> {
        let mut height = 0;
        kind.for_each_child(|child| height = height.max(self.exprs[child].height));
        if height >= NESTING_MAX {
            return Err(self.report(say::nesting_too_deep(NESTING_MAX, span)));
        }
        Ok(self.exprs.alloc(Expr {
            span,
            height: height + 1,
            kind,
        }))
    }

    fn error_node(&mut self, span: Span) -> ExprId {
        self.exprs.alloc(Expr {
            span,
            height: 1,
            kind: ExprKind::Error,
        })
    }

    // ---- errors ----

    fn report(&mut self, diagnostic: Diagnostic) -> Stop {
        self.note(diagnostic);
        Stop
    }

    /// Reports without stopping.
    fn note(&mut self, diagnostic: Diagnostic) {
        self.n_errors += usize::from(diagnostic.is_error());
        if self.n_errors <= ERRORS_MAX {
            self.diagnostics.push(diagnostic);
        }
    }

    fn is_hopeless(&self) -> bool {
        self.n_errors > ERRORS_MAX
    }

    fn found(&self) -> String {
        let token = self.tokens[self.at];
        match token.kind {
            T::Name | T::Number => format!("`{}`", self.text_of(token)),
            kind => kind.to_string(),
        }
    }

    fn unexpected(&mut self, wanted: &str) -> Stop {
        if self.kind() == T::Bad {
            return Stop; // the lexer has said so
        }
        let (found, span) = (self.found(), self.span());
        self.report(say::unexpected(&found, wanted, span))
    }

    fn not_a_name(&mut self, wanted: &str) -> Stop {
        // A keyword at the start of a line rather is what it is, and the name is missing.
        if self.kind().is_keyword() && !self.tokens[self.at].first_on_line {
            let span = self.span();
            let token = self.take();
            let word = self.text_of(token);
            self.report(say::keyword_as_name(word, span))
        } else {
            self.unexpected(wanted)
        }
    }

    /// A paragraph surely starts here. (`let`, `one` and the like also stand in expressions, so they need `sig`.)
    fn starts_paragraph(&self, at: usize) -> bool {
        let kind = |i: usize| self.tokens[i.min(self.tokens.len() - 1)].kind;
        match kind(at) {
            T::Sig
            | T::Fact
            | T::Assert
            | T::Run
            | T::Check
            | T::Open
            | T::Enum
            | T::Module
            | T::Abstract => true,
            T::Private => matches!(
                kind(at + 1),
                T::Sig
                    | T::Pred
                    | T::Fun
                    | T::Open
                    | T::Enum
                    | T::Let
                    | T::Abstract
                    | T::One
                    | T::Lone
                    | T::Some
                    | T::Var
            ),
            T::Pred | T::Fun => kind(at + 1) != T::Slash,
            T::One | T::Lone | T::Some | T::Var => {
                matches!(kind(at + 1), T::Sig | T::Abstract | T::Private)
                    || (matches!(kind(at + 1), T::Var | T::One | T::Lone | T::Some) && kind(at + 2) == T::Sig)
            }
            T::Name => kind(at + 1) == T::Colon && matches!(kind(at + 2), T::Run | T::Check),
            _ => false,
        }
    }
}

/// Word processors curl primes; a name is the same name with straight ones.
fn straight_primes(name: &str) -> std::borrow::Cow<'_, str> {
    if name.contains(['‘', '’']) {
        name.replace(['‘', '’'], "'").into()
    } else {
        name.into()
    }
}
