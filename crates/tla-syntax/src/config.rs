//! TLC configuration files: what to check, and what the constants are.
//!
//! The tokens are those of TLA+ (with both kinds of comments); the grammar is a list of statements, each a keyword and
//! names or assignments. Whether the names exist is for others to say.

use diag::Diagnostic;
use source::{FileId, Span};
use util::Symbol;

use crate::ast::Ident;
use crate::diagnostics as errors;
use crate::lexer::Lexer;
use crate::token::{Tok, Token};

/// What a configuration file says. Statements that may come once are options; the others collect all they name.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub specification: Option<Ident>,
    pub init: Option<Ident>,
    pub next: Option<Ident>,
    pub view: Option<Ident>,
    pub symmetry: Option<Ident>,
    pub alias: Option<Ident>,
    /// `_PERIODIC`: evaluated at every progress report.
    pub periodic: Option<Ident>,
    /// `_RL_REWARD`: guides TLC's simulation.
    pub reward: Option<Ident>,
    pub invariants: Vec<Ident>,
    pub properties: Vec<Ident>,
    pub constraints: Vec<Ident>,
    pub action_constraints: Vec<Ident>,
    pub postconditions: Vec<Ident>,
    /// `_POSSIBLE`: states that must be reachable.
    pub possible: Vec<Ident>,
    pub constants: Vec<Assignment>,
    pub check_deadlock: Option<CheckDeadlock>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckDeadlock {
    pub check: bool,
    pub span: Span,
}

/// `N = 3`, `F(1, a) = b`, `N = [M] 3`, `Op <- Def`, `Op <- [M] Def`.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// A constant or a definition, perhaps of an instance (`I!x`); an operator symbol has its canonical name.
    pub name: Ident,
    pub args: Box<[Value]>,
    /// The module in which alone the assignment counts.
    pub module: Option<Ident>,
    pub to: Assigned,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Assigned {
    Value(Value),
    /// A definition of the root module takes the place of the name.
    Definition(Ident),
}

#[derive(Clone, Debug)]
pub struct Value {
    pub kind: ValueKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ValueKind {
    /// Decimal digits, after a `-` if negative.
    Int(Symbol),
    Str(Symbol),
    Bool(bool),
    /// Any other word: equal to itself and to nothing else.
    Model(Symbol),
    Set(Box<[Value]>),
}

impl Assigned {
    /// Whether both say the same, wherever they say it.
    fn is_same(&self, other: &Assigned) -> bool {
        match (self, other) {
            (Assigned::Value(a), Assigned::Value(b)) => a.is_same(b),
            (Assigned::Definition(a), Assigned::Definition(b)) => a.name == b.name,
            _ => false,
        }
    }
}

impl Value {
    fn is_same(&self, other: &Value) -> bool {
        match (&self.kind, &other.kind) {
            (ValueKind::Int(a), ValueKind::Int(b))
            | (ValueKind::Str(a), ValueKind::Str(b))
            | (ValueKind::Model(a), ValueKind::Model(b)) => a == b,
            (ValueKind::Bool(a), ValueKind::Bool(b)) => a == b,
            (ValueKind::Set(a), ValueKind::Set(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
            }
            _ => false,
        }
    }
}

/// Sets in sets, nobody goes deeper.
const DEPTH_MAX: u32 = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Statement {
    Specification,
    Init,
    Next,
    View,
    Symmetry,
    Alias,
    Periodic,
    Reward,
    Invariants,
    Properties,
    Constraints,
    ActionConstraints,
    Postconditions,
    Possible,
    Constants,
    CheckDeadlock,
    /// Of versions of TLC before 2000; without effect.
    Type,
}

const STATEMENTS: &[(&str, Statement)] = &[
    ("SPECIFICATION", Statement::Specification),
    ("INIT", Statement::Init),
    ("NEXT", Statement::Next),
    ("VIEW", Statement::View),
    ("SYMMETRY", Statement::Symmetry),
    ("ALIAS", Statement::Alias),
    ("_PERIODIC", Statement::Periodic),
    ("_RL_REWARD", Statement::Reward),
    ("INVARIANT", Statement::Invariants),
    ("INVARIANTS", Statement::Invariants),
    ("PROPERTY", Statement::Properties),
    ("PROPERTIES", Statement::Properties),
    ("CONSTRAINT", Statement::Constraints),
    ("CONSTRAINTS", Statement::Constraints),
    ("ACTION_CONSTRAINT", Statement::ActionConstraints),
    ("ACTION_CONSTRAINTS", Statement::ActionConstraints),
    ("POSTCONDITION", Statement::Postconditions),
    ("POSTCONDITIONS", Statement::Postconditions),
    ("_POSSIBLE", Statement::Possible),
    ("CONSTANT", Statement::Constants),
    ("CONSTANTS", Statement::Constants),
    ("CHECK_DEADLOCK", Statement::CheckDeadlock),
    ("TYPE", Statement::Type),
    ("TYPE_CONSTRAINT", Statement::Type),
];

/// A configuration inside the file of a module, after `---- CONFIG Name ----` and up to `====`. Everything else is blank, so that
/// its places are those of the file.
pub fn embedded(text: &str) -> Option<String> {
    let mut is_inside = false;
    let mut was_found = false;
    let mut own = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let ends = is_inside && line.trim_start().starts_with("====");
        is_inside &= !ends;
        if is_inside {
            own += line;
        } else {
            own.extend(line.bytes().map(|it| if it == b'\n' { '\n' } else { ' ' }));
        }
        let begins = !was_found && is_heading(line);
        was_found |= begins;
        is_inside |= begins;
    }
    was_found.then_some(own)
}

fn is_heading(line: &str) -> bool {
    let is_rule = |it: &str| it.len() >= 4 && it.bytes().all(|it| it == b'-');
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words[..], [before, "CONFIG", _, after] if is_rule(before) && is_rule(after))
}

/// Reads a configuration file. With errors among the diagnostics the configuration is incomplete.
pub fn parse(text: &str, file: FileId) -> (Config, Vec<Diagnostic>) {
    if text.len() > crate::parser::LIMITS.text {
        let error = errors::file_too_large(text.len(), crate::parser::LIMITS.text);
        return (Config::default(), vec![error]);
    }
    let mut lexer = Lexer::new(text, file);
    let tok = lexer.next_token();
    let ahead = lexer.next_token();
    let mut parser = Parser {
        lexer,
        tok,
        ahead,
        end: 0,
        statement: tok,
        config: Config::default(),
        diagnostics: vec![],
    };
    parser.statements();
    parser.check_behaviour();
    let mut diagnostics = parser.lexer.diagnostics;
    diagnostics.append(&mut parser.diagnostics);
    diagnostics.sort_by_key(|it| it.span().map(|span| (span.start, span.end)));
    (parser.config, diagnostics)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    tok: Token,
    ahead: Token,
    /// Where the last token consumed ends.
    end: u32,
    /// The keyword of the statement being read.
    statement: Token,
    config: Config,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn statements(&mut self) {
        while self.tok.kind != Tok::Eof {
            let token = self.bump();
            match self.statement_of(token) {
                Some(statement) => {
                    self.statement = token;
                    self.read(statement);
                }
                None => {
                    if token.kind != Tok::Invalid {
                        let after =
                            (token.start != self.statement.start).then(|| self.span_of(self.statement));
                        self.unknown_statement(token, after);
                    }
                    self.skip_to_statement();
                }
            }
        }
    }

    fn read(&mut self, statement: Statement) {
        match statement {
            Statement::Specification => self.once(|it| &mut it.specification),
            Statement::Init => self.once(|it| &mut it.init),
            Statement::Next => self.once(|it| &mut it.next),
            Statement::View => self.once(|it| &mut it.view),
            Statement::Symmetry => self.once(|it| &mut it.symmetry),
            Statement::Alias => self.once(|it| &mut it.alias),
            Statement::Periodic => self.once(|it| &mut it.periodic),
            Statement::Reward => self.once(|it| &mut it.reward),
            Statement::Invariants => self.many(|it| &mut it.invariants),
            Statement::Properties => self.many(|it| &mut it.properties),
            Statement::Constraints => self.many(|it| &mut it.constraints),
            Statement::ActionConstraints => self.many(|it| &mut it.action_constraints),
            Statement::Postconditions => self.many(|it| &mut it.postconditions),
            Statement::Possible => self.many(|it| &mut it.possible),
            Statement::Constants => self.constants(),
            Statement::CheckDeadlock => self.check_deadlock(),
            Statement::Type => {
                let span = self.span_of(self.statement);
                let text = self.lexer.text(self.statement);
                self.diagnostics.push(errors::config_obsolete(text, span));
                while self.name_follows() {
                    self.name();
                }
            }
        }
    }

    /// A statement with one name that may come once.
    fn once(&mut self, slot: impl Fn(&mut Config) -> &mut Option<Ident>) {
        if !self.name_follows() {
            return self.missing_name();
        }
        let name = self.name();
        match slot(&mut self.config) {
            Some(first) => {
                let first = first.span;
                let keyword = self.lexer.text(self.statement);
                self.diagnostics
                    .push(errors::config_duplicate(keyword, name.span, first));
            }
            empty => *empty = Some(name),
        }
    }

    fn many(&mut self, slot: impl Fn(&mut Config) -> &mut Vec<Ident>) {
        if !self.name_follows() {
            // TLC takes an empty list; so do generated files.
            return;
        }
        while self.name_follows() {
            if self.suspicious_name() {
                return;
            }
            let name = self.name();
            slot(&mut self.config).push(name);
            if self.tok.kind == Tok::Comma {
                let comma = self.bump();
                let span = self.span_of(comma);
                self.diagnostics.push(errors::config_comma(span));
            }
        }
    }

    /// A name at the start of a line that looks like a misspelt keyword: `PROPERTYS` after a list of invariants.
    fn suspicious_name(&mut self) -> bool {
        let text = self.lexer.text(self.tok);
        let is_shouted = text.len() >= 6 && text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
        self.tok.first
            && self.tok.column <= self.statement.column
            && is_shouted
            && diag::closest(text, STATEMENTS.iter().map(|it| it.0)).is_some()
    }

    fn check_deadlock(&mut self) {
        let check = match self.lexer.text(self.tok) {
            "TRUE" => true,
            "FALSE" => false,
            _ => {
                let found = self.span_of(self.tok);
                let statement = self.span_of(self.statement);
                self.diagnostics.push(errors::config_deadlock(found, statement));
                return self.skip_to_statement();
            }
        };
        let token = self.bump();
        let span = self.span_of(token);
        if let Some(first) = self.config.check_deadlock {
            self.diagnostics
                .push(errors::config_duplicate("CHECK_DEADLOCK", span, first.span));
            return;
        }
        self.config.check_deadlock = Some(CheckDeadlock { check, span });
    }

    // Constants

    fn constants(&mut self) {
        while !self.at_statement() && self.tok.kind != Tok::Eof {
            match self.assignment() {
                Some(assignment) => self.assign(assignment),
                None => self.skip_assignment(),
            }
            if self.tok.kind == Tok::Comma {
                let comma = self.bump();
                let span = self.span_of(comma);
                self.diagnostics.push(errors::config_comma(span));
            }
        }
    }

    fn assign(&mut self, new: Assignment) {
        let module = |it: &Assignment| it.module.map(|it| it.name);
        let is_same = |it: &&Assignment| {
            it.name.name == new.name.name
                && module(it) == module(&new)
                && it.args.is_empty()
                && new.args.is_empty()
        };
        if let Some(first) = self.config.constants.iter().find(is_same) {
            // The same thing said again does no harm.
            if first.to.is_same(&new.to) {
                return;
            }
            let error = errors::config_constant_twice(new.name, first.name.span);
            self.diagnostics.push(error);
            return;
        }
        self.config.constants.push(new);
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let start = self.tok;
        if !self.name_follows() {
            return self.expected("the name of a constant or operator");
        }
        let name = self.name();
        let args = self.opt_args()?;
        let (module, to) = match self.tok.kind {
            Tok::LeftArrow if args.is_empty() => {
                self.bump();
                let module = self.opt_module()?;
                if !self.name_follows() {
                    return self.expected("the definition that takes its place");
                }
                (module, Assigned::Definition(self.name()))
            }
            Tok::Infix if self.lexer.text(self.tok) == "=" => {
                self.bump();
                let module = self.opt_module()?;
                (module, Assigned::Value(self.value(0)?))
            }
            _ if args.is_empty() => return self.expected("`=` and a value, or `<-` and a definition"),
            _ => return self.expected("`=` and a value"),
        };
        Some(Assignment {
            name,
            args,
            module,
            to,
            span: Span::new(self.file(), start.start, self.end),
        })
    }

    fn opt_args(&mut self) -> Option<Box<[Value]>> {
        if self.tok.kind != Tok::LParen {
            return Some(Box::new([]));
        }
        self.bump();
        self.values(Tok::RParen, "`)`", 0)
    }

    /// `[M]`
    fn opt_module(&mut self) -> Option<Option<Ident>> {
        if self.tok.kind != Tok::LBracket {
            return Some(None);
        }
        self.bump();
        if self.tok.kind != Tok::Ident {
            return self.expected("the name of a module");
        }
        let token = self.bump();
        let module = Ident {
            name: token.name,
            span: self.span_of(token),
        };
        if self.tok.kind != Tok::RBracket {
            return self.expected("`]` after the name of the module");
        }
        self.bump();
        Some(Some(module))
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        let start = self.tok;
        let kind = match start.kind {
            Tok::Number => {
                let value = self.integer(start, "")?;
                self.bump();
                value
            }
            Tok::Minus if self.ahead.kind == Tok::Number => {
                self.bump();
                let value = self.integer(self.tok, "-")?;
                self.bump();
                value
            }
            Tok::Str => {
                self.bump();
                ValueKind::Str(start.name)
            }
            Tok::LBrace => {
                if depth >= DEPTH_MAX {
                    let span = self.span_of(start);
                    self.diagnostics.push(errors::nested_too_deeply(span, DEPTH_MAX));
                    return None;
                }
                self.bump();
                ValueKind::Set(self.values(Tok::RBrace, "`}`", depth + 1)?)
            }
            Tok::Ident => {
                self.bump();
                match start.name.as_str() {
                    "TRUE" => ValueKind::Bool(true),
                    "FALSE" => ValueKind::Bool(false),
                    _ => ValueKind::Model(start.name),
                }
            }
            Tok::Invalid => return None,
            _ => {
                let found = self.found();
                self.diagnostics.push(errors::config_not_a_value(found));
                return None;
            }
        };
        let span = Span::new(self.file(), start.start, self.end);
        Some(Value { kind, span })
    }

    fn integer(&mut self, token: Token, sign: &str) -> Option<ValueKind> {
        let literal = self.lexer.text(token);
        let numeral = crate::number(literal);
        let digits = match numeral.radix {
            10 => literal.to_owned(),
            _ => match numeral.to_u64() {
                Some(value) => value.to_string(),
                None => {
                    let found = self.found();
                    self.diagnostics.push(errors::config_not_a_value(found));
                    return None;
                }
            },
        };
        Some(ValueKind::Int(Symbol::new(&format!("{sign}{digits}"))))
    }

    /// Values up to a closing bracket, perhaps none.
    fn values(&mut self, closer: Tok, expected: &str, depth: u32) -> Option<Box<[Value]>> {
        let mut values = vec![];
        if self.tok.kind != closer {
            loop {
                values.push(self.value(depth)?);
                if self.tok.kind != Tok::Comma {
                    break;
                }
                self.bump();
            }
        }
        if self.tok.kind != closer {
            return self.expected(&format!("`,` or {expected}"));
        }
        self.bump();
        Some(values.into())
    }

    // Names and statements

    fn statement_of(&self, token: Token) -> Option<Statement> {
        let text = self.lexer.text(token);
        STATEMENTS.iter().find(|it| it.0 == text).map(|it| it.1)
    }

    fn at_statement(&self) -> bool {
        // `TYPE` is a statement of the past and a name of today: only at the start of a line is it the former.
        match self.statement_of(self.tok) {
            Some(Statement::Type) => self.tok.first && self.tok.column <= self.statement.column,
            found => found.is_some(),
        }
    }

    /// A word or an operator symbol that is not the keyword of the next statement.
    fn name_follows(&self) -> bool {
        let kind = self.tok.kind;
        let is_word = kind == Tok::Ident || kind.is_keyword() || kind.is_operator();
        is_word && self.lexer.text(self.tok) != "=" && !self.at_statement()
    }

    /// `x` or `I!x`.
    fn name(&mut self) -> Ident {
        let token = self.bump();
        let span = self.span_of(token);
        let mut name = Ident {
            name: self.symbol_of(token),
            span,
        };
        while self.tok.kind == Tok::Bang && matches!(self.ahead.kind, Tok::Ident) {
            self.bump();
            let part = self.bump();
            name.name = Symbol::new(&format!("{}!{}", name.name, self.symbol_of(part)));
            name.span = span.to(self.span_of(part));
        }
        name
    }

    fn symbol_of(&self, token: Token) -> Symbol {
        if token.kind.is_operator() {
            token.op.symbol()
        } else {
            token.name
        }
    }

    fn skip_to_statement(&mut self) {
        while self.tok.kind != Tok::Eof && !self.at_statement() {
            self.bump();
        }
    }

    /// After a bad assignment: to the next line that could start one.
    fn skip_assignment(&mut self) {
        while self.tok.kind != Tok::Eof && !self.at_statement() {
            let starts = self.tok.first
                && self.name_follows()
                && matches!(self.lexer.text(self.ahead), "=" | "<-" | "(" | "!");
            if starts {
                return;
            }
            self.bump();
        }
    }

    // What is wrong

    fn expected<T>(&mut self, what: &str) -> Option<T> {
        if self.tok.kind != Tok::Invalid {
            let found = self.found();
            self.diagnostics.push(errors::config_expected(what, found));
        }
        None
    }

    fn missing_name(&mut self) {
        if self.tok.kind != Tok::Invalid {
            let keyword = self.lexer.text(self.statement);
            let span = self.span_of(self.statement);
            let found = self.found();
            self.diagnostics
                .push(errors::config_missing_name(keyword, span, found));
        }
        self.skip_to_statement();
    }

    fn unknown_statement(&mut self, token: Token, after: Option<Span>) {
        let text = self.lexer.text(token);
        let suggestion = diag::closest(text, STATEMENTS.iter().map(|it| it.0));
        let span = self.span_of(token);
        self.diagnostics
            .push(errors::config_unknown_statement(text, span, after, suggestion));
    }

    /// `SPECIFICATION` names the whole behaviour; `INIT` and `NEXT` name its parts.
    fn check_behaviour(&mut self) {
        let Config {
            specification,
            init,
            next,
            ..
        } = self.config;
        if let (Some(specification), Some(other)) = (specification, init.or(next)) {
            let keyword = if init.is_some() { "INIT" } else { "NEXT" };
            self.diagnostics
                .push(errors::config_two_behaviours(specification, keyword, other));
        }
    }

    fn found(&self) -> errors::Found {
        let span = self.span_of(self.tok);
        match self.tok.kind {
            Tok::Eof => errors::Found::End(span),
            _ => errors::Found::Text(self.lexer.text(self.tok).to_owned(), span),
        }
    }

    fn bump(&mut self) -> Token {
        let token = self.tok;
        self.end = token.end;
        self.tok = self.ahead;
        self.ahead = self.lexer.next_token();
        token
    }

    fn file(&self) -> FileId {
        self.lexer.file()
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file(), token.start, token.end)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_module_may_have_one_in_its_file() {
        let module = "---- MODULE M ----\n\u{e9} == 1\n====\n";
        let config = "INIT Init\n  NEXT Next\n";
        let text = format!("{module}---- CONFIG M ----\n{config}====\nNEXT Other\n");
        let own = embedded(&text).expect("there is one");
        assert_eq!(own.len(), text.len());
        assert_eq!(own.trim(), config.trim());
        assert_eq!(own.find("INIT"), text.find("INIT"));
        assert_eq!(embedded(module), None);
        assert_eq!(embedded("--- CONFIG M ----\n====\n"), None);
    }

    use super::*;

    fn read(text: &str) -> (Config, Vec<&'static str>) {
        let (config, diagnostics) = parse(text, FileId(0));
        (config, diagnostics.iter().map(|it| it.code).collect())
    }

    fn names(list: &[Ident]) -> Vec<&'static str> {
        list.iter().map(|it| it.name.as_str()).collect()
    }

    #[test]
    fn every_statement_is_read() {
        let (config, codes) = read(
            "\\* a comment\nSPECIFICATION Spec (* another *)\nINVARIANTS TypeOK Inst!Inv\nINVARIANT Safe\n\
             PROPERTY Live\nPROPERTIES A B\nCONSTRAINT C ACTION_CONSTRAINT D CONSTRAINTS E\nSYMMETRY Perms VIEW view\n\
             ALIAS alias POSTCONDITION Post CHECK_DEADLOCK FALSE\n_PERIODIC Tick _POSSIBLE P1 P2",
        );
        assert_eq!(codes, [""; 0]);
        assert_eq!(names(&config.invariants), ["TypeOK", "Inst!Inv", "Safe"]);
        assert_eq!(names(&config.properties), ["Live", "A", "B"]);
        assert_eq!(names(&config.constraints), ["C", "E"]);
        assert_eq!(names(&config.possible), ["P1", "P2"]);
        assert!(!config.check_deadlock.unwrap().check);
    }

    #[test]
    fn every_assignment_is_read() {
        let (config, codes) = read(
            "CONSTANTS\n N = 3 M = -7\n S = {a, \"b\", {TRUE}, {}}\n I!x = m\n F(1, a) = b\n Nat <- MyNat\n\
             Op <- [Other] Def\n K = [Other] 4\n \\prec <- Less\n + <- Plus\nCONSTANT TYPE = 1",
        );
        assert_eq!(codes, [""; 0]);
        let text: Vec<String> = config.constants.iter().map(describe).collect();
        assert_eq!(
            text,
            [
                "N = 3",
                "M = -7",
                "S = {a, \"b\", {TRUE}, {}}",
                "I!x = m",
                "F(1, a) = b",
                "Nat <- MyNat",
                "Op <- [Other] Def",
                "K = [Other] 4",
                "\\prec <- Less",
                "+ <- Plus",
                "TYPE = 1"
            ]
        );
    }

    fn describe(it: &Assignment) -> String {
        let args: Vec<String> = it.args.iter().map(describe_value).collect();
        let args = if args.is_empty() {
            String::new()
        } else {
            format!("({})", args.join(", "))
        };
        let module = it.module.map_or(String::new(), |it| format!("[{}] ", it.name));
        match &it.to {
            Assigned::Value(value) => format!("{}{args} = {module}{}", it.name.name, describe_value(value)),
            Assigned::Definition(name) => format!("{} <- {module}{}", it.name.name, name.name),
        }
    }

    fn describe_value(it: &Value) -> String {
        match &it.kind {
            ValueKind::Int(digits) => digits.to_string(),
            ValueKind::Str(text) => format!("{:?}", text.as_str()),
            ValueKind::Bool(value) => value.to_string().to_uppercase(),
            ValueKind::Model(name) => name.to_string(),
            ValueKind::Set(items) => format!(
                "{{{}}}",
                items.iter().map(describe_value).collect::<Vec<_>>().join(", ")
            ),
        }
    }

    #[test]
    fn reading_goes_on_after_an_error() {
        let (config, codes) =
            read("CONSTANT N 3\n K = 4\nINVARIANT Inv\nINVARIENT Other\nINIT I\nINIT J\nNEXT");
        assert_eq!(
            codes,
            [
                "config-expected",
                "config-unknown-statement",
                "config-duplicate",
                "config-missing-name"
            ]
        );
        assert_eq!(names(&config.invariants), ["Inv"]);
        assert_eq!(config.constants.len(), 1);
        assert_eq!(config.init.unwrap().name.as_str(), "I");
    }

    #[test]
    fn deep_sets_are_refused() {
        let (_, codes) = read(&format!("CONSTANT S = {}", "{".repeat(100_000)));
        assert_eq!(codes, ["nested-too-deeply"]);
    }
}
