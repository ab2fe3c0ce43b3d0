//! Tokens to tree, by recursive descent over units and operator precedence inside expressions.
//!
//! A function that reads something returns `Err(Abort)` after it has reported what is wrong; the nearest unit
//! (definition, theorem, …) catches that, leaves a hole in its place and goes on at the next unit. So each
//! unit gives at most one fatal error and nothing cascades; mistakes with an obvious meaning are reported and read on.
//!
//! Junction lists are handled in one place: while the items of a list are read, every token at or left of its bullets
//! looks like [`Tok::Outdent`], which nothing accepts.

mod bracket;
mod expr;
mod lookahead;
mod mistake;
mod module;
mod operand;
mod proof;

use std::ops::Range;

use diag::Diagnostic;
use source::{FileId, Span};
use util::{Arena, Symbol};

use crate::ast::{Expr, ExprId, ExprKind, Ident, Tree};
use crate::diagnostics as errors;
use crate::lexer::Lexer;
use crate::op::Op;
use crate::token::{Tok, Token};

/// How much is read before a diagnostic refuses the rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of text. Offsets are 32 bits, and memory is a small multiple of the text.
    pub text: usize,
    /// How high the tree of an expression may grow. Every later pass recurses over it.
    pub height: u32,
    /// Modules in modules and proofs in proofs: nobody writes more, and these are not in an arena.
    pub nesting: u32,
}

pub(crate) const LIMITS: Limits = Limits {
    text: 256 << 20,
    height: 20_000,
    nesting: 500,
};

/// More messages than this help nobody.
const DIAGNOSTICS_MAX: usize = 100;

/// Something was wrong and has been reported; the unit cannot be read further.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abort;
pub(crate) type Parsed<T> = Result<T, Abort>;

/// The tree of a file. A diagnostic that is an error means that the tree has holes or that text was skipped.
pub fn parse(text: &str, file: FileId) -> (Tree, Vec<Diagnostic>) {
    parse_within(LIMITS, text, file)
}

pub(crate) fn parse_within(limits: Limits, text: &str, file: FileId) -> (Tree, Vec<Diagnostic>) {
    if text.len() > limits.text {
        return (
            Tree::default(),
            vec![errors::file_too_large(text.len(), limits.text)],
        );
    }
    let mut lexer = Lexer::new(text, file);
    if !lexer.seek_module() {
        return (Tree::default(), vec![errors::no_module(text, file)]);
    }
    let mut parser = Parser::new(lexer, file, limits);
    let module = parser.file();
    parser.finish(module)
}

/// A single expression, such as one from a command line. The tree has no module.
pub fn parse_expr(text: &str, file: FileId) -> (Tree, Option<ExprId>, Vec<Diagnostic>) {
    if text.len() > LIMITS.text {
        let error = errors::file_too_large(text.len(), LIMITS.text);
        return (Tree::default(), None, vec![error]);
    }
    let mut parser = Parser::new(Lexer::new(text, file), file, LIMITS);
    let expr = parser.lone_expr().ok();
    let (tree, diagnostics) = parser.finish(None);
    (tree, expr, diagnostics)
}

/// Definitions by themselves, such as one at a prompt. The module of the tree has no name.
pub fn parse_units(text: &str, file: FileId) -> (Tree, Vec<Diagnostic>) {
    if text.len() > LIMITS.text {
        return (
            Tree::default(),
            vec![errors::file_too_large(text.len(), LIMITS.text)],
        );
    }
    let mut parser = Parser::new(Lexer::new(text, file), file, LIMITS);
    let module = parser.lone_units();
    parser.finish(Some(module))
}

/// What the unit before the one being read ends with: decides how a stray token is explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum After {
    Nothing,
    Names,
    Expression,
}

pub(crate) struct Parser<'a> {
    lexer: Lexer<'a>,
    file: FileId,
    limits: Limits,
    /// The next token: `tokens[at]`.
    tok: Token,
    /// The tokens around the place being read, at least two of those before it. The lexer runs ahead in chunks, which is
    /// quicker than a token at a time.
    tokens: Vec<Token>,
    at: usize,
    /// Column of the bullets of the innermost junction list; 0 outside of lists.
    floor: u32,
    /// The first bullet of that list, and the newest of any list.
    bullet: Token,
    bullet_last: Token,
    /// The depth of the expression that is an item of that list.
    item_depth: u32,
    /// `CASE`s whose arms are being read, one in the other.
    n_cases: u32,
    exprs: Arena<Expr>,
    diagnostics: Vec<Diagnostic>,
    /// Operands and operators of the expressions being read, all in one stack each.
    operands: Vec<expr::Operand>,
    operators: Vec<expr::Operator>,
    /// Elements of the lists being read.
    items: Vec<ExprId>,
    /// Where the unit being read starts, and where the one before it does.
    unit_column: u32,
    unit_column_before: u32,
    /// Where the innermost definition being read starts.
    def_column: u32,
    after: After,
    /// The brackets that are open in the unit being read, and the lists that have ended: for explanations.
    openers: Vec<Token>,
    lists: Vec<expr::EndedList>,
    /// The parts of the text that were skipped after errors.
    skipped: Vec<Range<u32>>,
    /// How many expressions enclose the place being read, and how many modules and proofs.
    depth: u32,
    nesting: u32,
    /// The height of the tallest expression finished since whoever cares reset it.
    height: u32,
    /// The level of each proof being read; absent before its first step.
    proof_levels: Vec<Option<u32>>,
}

impl<'a> Parser<'a> {
    fn new(mut lexer: Lexer<'a>, file: FileId, limits: Limits) -> Parser<'a> {
        let tok = lexer.next_token();
        Parser {
            lexer,
            file,
            limits,
            tok,
            tokens: vec![tok; 3],
            at: 2,
            floor: 0,
            bullet: tok,
            bullet_last: tok,
            item_depth: 0,
            n_cases: 0,
            exprs: Arena::new(),
            diagnostics: vec![],
            operands: vec![],
            operators: vec![],
            items: vec![],
            unit_column: 1,
            unit_column_before: 1,
            def_column: 1,
            after: After::Nothing,
            openers: vec![],
            skipped: vec![],
            lists: vec![],
            depth: 0,
            nesting: 0,
            height: 0,
            proof_levels: vec![],
        }
    }

    fn finish(mut self, module: Option<crate::ast::Module>) -> (Tree, Vec<Diagnostic>) {
        let mut diagnostics = std::mem::take(&mut self.lexer.diagnostics);
        diagnostics.retain(|it| self.is_worth_saying(it));
        diagnostics.append(&mut self.diagnostics);
        diagnostics.sort_by_key(|it| it.span().map(|span| (span.start, span.end)));
        diagnostics.dedup();
        diagnostics.truncate(DIAGNOSTICS_MAX);
        let tree = Tree {
            module,
            exprs: self.exprs,
        };
        (tree, diagnostics)
    }

    /// The lexer also saw what follows the module, which is prose, and what the parser skipped, where a stray character says
    /// nothing new.
    fn is_worth_saying(&self, lexical: &Diagnostic) -> bool {
        let Some(span) = lexical.span() else { return true };
        let is_after = self.past(0).kind == Tok::EndModule && span.start >= self.past(0).end;
        let is_skipped =
            lexical.code == "unexpected-character" && self.skipped.iter().any(|it| it.contains(&span.start));
        !is_after && !is_skipped
    }

    // Looking at tokens

    /// The kind of the next token, as seen from inside the current junction list.
    fn kind(&self) -> Tok {
        if self.tok.column <= self.floor {
            Tok::Outdent
        } else {
            self.tok.kind
        }
    }

    fn at(&self, kind: Tok) -> bool {
        self.kind() == kind
    }

    fn at_op(&self, op: Op) -> bool {
        self.kind().is_operator() && self.tok.op == op
    }

    /// The token `n` places after the next one, whatever its column.
    fn nth(&mut self, n: usize) -> Token {
        while self.at + n >= self.tokens.len() {
            self.read_chunk();
        }
        self.tokens[self.at + n]
    }

    fn nth_kind(&mut self, n: usize) -> Tok {
        self.nth(n).kind
    }

    /// The `n`th last token consumed, counted from 0. Two are always there.
    fn past(&self, n: usize) -> Token {
        self.tokens[self.at - 1 - n]
    }

    fn bump(&mut self) -> Token {
        let token = self.tok;
        if token.kind.is_bracket() {
            self.note_bracket(token);
        }
        self.at += 1;
        if self.at == self.tokens.len() {
            self.read_chunk();
        }
        self.tok = self.tokens[self.at];
        token
    }

    #[cold]
    fn read_chunk(&mut self) {
        const CHUNK: usize = 256;
        self.tokens.drain(..self.at - 2);
        self.at = 2;
        for _ in 0..CHUNK {
            let token = self.lexer.next_token();
            self.tokens.push(token);
            if token.kind == Tok::Eof {
                break;
            }
        }
    }

    /// Keeps track of what is open. After a `!` angle brackets are selectors.
    fn note_bracket(&mut self, token: Token) {
        match token.kind {
            Tok::LAngle | Tok::RAngle if self.past(0).kind == Tok::Bang => {}
            Tok::LParen | Tok::LBracket | Tok::LBrace | Tok::LAngle => self.openers.push(token),
            _ => drop(self.openers.pop()),
        }
    }

    fn eat(&mut self, kind: Tok) -> Option<Token> {
        self.at(kind).then(|| self.bump())
    }

    fn expect(&mut self, kind: Tok, expected: &'static str) -> Parsed<Token> {
        match self.eat(kind) {
            Some(token) => Ok(token),
            None => self.unexpected(expected),
        }
    }

    /// The closing bracket of `opener`.
    fn close(&mut self, kind: Tok, opener: Token) -> Parsed<Token> {
        match self.eat(kind) {
            Some(token) => Ok(token),
            None => self.unclosed(opener),
        }
    }

    fn ident(&mut self, expected: &'static str) -> Parsed<Ident> {
        match self.eat(Tok::Ident) {
            Some(token) => Ok(self.ident_of(token)),
            None => self.not_a_name(expected),
        }
    }

    /// A field of a record, where keywords are names too.
    fn field_name(&mut self) -> Parsed<Ident> {
        if self.is_field_name() {
            let token = self.bump();
            return Ok(self.ident_of(token));
        }
        self.not_a_name("the name of a field")
    }

    /// `WF_` and `SF_` are names where no subscript can follow.
    fn is_field_name(&self) -> bool {
        let kind = self.kind();
        matches!(kind, Tok::Ident | Tok::WF | Tok::SF) || self.is_word(kind)
    }

    /// A keyword, or an operator spelled in letters such as `UNION`.
    fn is_word(&self, kind: Tok) -> bool {
        kind.is_keyword()
            || (kind == Tok::Prefix
                && self
                    .lexer
                    .text(self.tok)
                    .starts_with(|c: char| c.is_ascii_uppercase()))
    }

    /// A comma-separated list of at least one.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Box<[T]>> {
        let first = item(self)?;
        if !self.at(Tok::Comma) {
            return Ok(Box::new([first]));
        }
        let mut items = vec![first];
        while self.eat(Tok::Comma).is_some() {
            items.push(item(self)?);
        }
        Ok(items.into())
    }

    /// A list of expressions, of which there are many: gathered on the stack of items.
    fn exprs(&mut self) -> Parsed<Box<[ExprId]>> {
        let base = self.items.len();
        loop {
            let item = self.expr()?;
            self.items.push(item);
            if self.eat(Tok::Comma).is_none() {
                return Ok(self.items.drain(base..).collect());
            }
        }
    }

    // Making nodes

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    fn ident_of(&self, token: Token) -> Ident {
        Ident {
            name: token.name,
            span: self.span_of(token),
        }
    }

    /// From a token to the last one consumed.
    fn since(&self, start: Token) -> Span {
        Span::new(self.file, start.start, self.past(0).end.max(start.start))
    }

    fn alloc(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.exprs.alloc(Expr { kind, span })
    }

    fn hole(&mut self) -> ExprId {
        let span = self.span_of(self.tok).before();
        self.alloc(ExprKind::Error, span)
    }

    fn name(&self, text: &str) -> Symbol {
        Symbol::new(text)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < DIAGNOSTICS_MAX {
            self.diagnostics.push(diagnostic);
        }
    }

    fn abort<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.report(diagnostic);
        Err(Abort)
    }
}
