//! A tree back to text that reads as the same tree, with no more parentheses than needed.

use std::fmt::{Display, Write};

use util::deep;

use crate::ast::{
    Binary, Command, Const, Decl, ExprId, ExprKind, Exprs, File, Last, Mult, Name, Paragraph, Parents,
    Quantifier, Scope, ScopeOf, Sig, Target, Unary,
};
use crate::parser::level;

/// A whole file, one paragraph after another.
pub fn print_file(file: &File) -> String {
    let mut printer = Printer {
        exprs: &file.exprs,
        out: String::new(),
    };
    if let Some(header) = &file.header {
        let params = header.params.iter().map(|it| {
            let exactly = if it.is_exact { "exactly " } else { "" };
            format!("{exactly}{}", it.name.text)
        });
        let params = list(params);
        let params = if params.is_empty() {
            params
        } else {
            format!("[{params}]")
        };
        printer.line(format_args!("module {}{params}", header.name.text));
    }
    for paragraph in &file.paragraphs {
        printer.paragraph(paragraph);
    }
    printer.out
}

pub fn print_expr(exprs: &Exprs, expr: ExprId) -> String {
    let mut printer = Printer {
        exprs,
        out: String::new(),
    };
    printer.expr(expr, level::THEN);
    printer.out
}

struct Printer<'a> {
    exprs: &'a Exprs,
    out: String,
}

fn list(items: impl Iterator<Item = impl Display>) -> String {
    items.map(|it| it.to_string()).collect::<Vec<_>>().join(", ")
}

fn names(names: &[Name]) -> String {
    list(names.iter().map(|it| it.text))
}

fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}

impl Printer<'_> {
    fn put(&mut self, text: impl Display) {
        write!(self.out, "{text}").expect("writing to a string");
    }

    fn line(&mut self, text: impl Display) {
        self.put(text);
        self.out.push('\n');
    }

    // ---- paragraphs ----

    fn paragraph(&mut self, paragraph: &Paragraph) {
        match paragraph {
            Paragraph::Open(it) => {
                self.put(if it.is_private { "private open " } else { "open " });
                self.put(it.module.text);
                if !it.args.is_empty() {
                    self.put(format_args!("[{}]", names(&it.args)));
                }
                if let Some(alias) = it.alias {
                    self.put(format_args!(" as {}", alias.text));
                }
            }
            Paragraph::Sig(it) => self.sig(it),
            Paragraph::Enum(it) => {
                let private = if it.is_private { "private " } else { "" };
                self.put(format_args!(
                    "{private}enum {} {{ {} }}",
                    it.name.text,
                    names(&it.atoms)
                ));
            }
            Paragraph::Fact(it) => self.titled("fact", it.name, it.body),
            Paragraph::Assert(it) => self.titled("assert", it.name, it.body),
            Paragraph::Fun(it) => {
                self.put(if it.is_private { "private " } else { "" });
                self.put(if it.result.is_some() { "fun " } else { "pred " });
                if let Some(receiver) = it.receiver {
                    self.put(format_args!("{}.", receiver.text));
                }
                self.put(format_args!("{}[", it.name.text));
                self.decls(&it.params);
                self.put("]");
                if let Some(result) = it.result {
                    self.put(": ");
                    self.expr(result, level::OR);
                }
                self.put(" ");
                self.expr(it.body, level::THEN);
            }
            Paragraph::Macro(it) => {
                self.put(if it.is_private { "private let " } else { "let " });
                self.put(it.name.text);
                if !it.params.is_empty() {
                    self.put(format_args!("[{}]", names(&it.params)));
                }
                self.put(" = ");
                self.expr(it.body, level::THEN);
            }
            Paragraph::Command(it) => self.command(it),
        }
        self.out.push('\n');
    }

    fn titled(&mut self, keyword: &str, name: Option<Name>, body: ExprId) {
        self.put(format_args!("{keyword} "));
        if let Some(name) = name {
            self.put(format_args!("{} ", quoted(name.text.as_str())));
        }
        self.expr(body, level::THEN);
    }

    fn sig(&mut self, sig: &Sig) {
        let quals = [
            (sig.quals.private, "private "),
            (sig.quals.var, "var "),
            (sig.quals.is_abstract, "abstract "),
            (sig.quals.one, "one "),
            (sig.quals.lone, "lone "),
            (sig.quals.some, "some "),
        ];
        for (_, word) in quals.iter().filter(|(span, _)| span.is_some()) {
            self.put(word);
        }
        self.put(format_args!("sig {}", names(&sig.names)));
        let union = |sigs: &[Name]| {
            sigs.iter()
                .map(|it| it.text.as_str())
                .collect::<Vec<_>>()
                .join(" + ")
        };
        match &sig.parents {
            Parents::None => {}
            Parents::Extends(parent) => self.put(format_args!(" extends {}", parent.text)),
            Parents::In(parents) => self.put(format_args!(" in {}", union(parents))),
            Parents::Equal(parents) => self.put(format_args!(" = {}", union(parents))),
        }
        self.put(" { ");
        self.decls(&sig.fields);
        self.put(" }");
        if let Some(facts) = sig.facts {
            self.put(" ");
            self.expr(facts, level::THEN);
        }
    }

    fn command(&mut self, command: &Command) {
        if command.is_follow_up {
            self.put("=> ");
        }
        self.put(if command.is_check { "check " } else { "run " });
        if let Some(label) = command.label {
            self.put(format_args!("{} ", label.text));
        }
        match &command.target {
            Target::Named(name) => self.put(name.text),
            Target::Block(block) => self.expr(*block, level::THEN),
        }
        self.scope(&command.scope);
        if let Some(expect) = command.expect {
            self.put(format_args!(" expect {expect}"));
        }
    }

    fn scope(&mut self, scope: &Scope) {
        if scope.overall.is_none() && scope.items.is_empty() {
            return;
        }
        self.put(" for ");
        if let Some((overall, _)) = scope.overall {
            self.put(overall);
            self.put(if scope.items.is_empty() { "" } else { " but " });
        }
        for (i, item) in scope.items.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            self.put(if item.is_exact { "exactly " } else { "" });
            self.put(item.first);
            match item.last {
                Last::Same => {}
                Last::To(last) => self.put(format_args!("..{last}")),
                Last::Open => self.put(".."),
            }
            if item.step != 1 {
                self.put(format_args!(":{}", item.step));
            }
            match item.of {
                ScopeOf::Sig(name) => self.put(format_args!(" {}", name.text)),
                ScopeOf::Int(_) => self.put(" int"),
                ScopeOf::Seq(_) => self.put(" seq"),
                ScopeOf::Steps(_) => self.put(" steps"),
                ScopeOf::String(_) => self.put(" String"),
                ScopeOf::Univ(_) => self.put(" univ"),
                ScopeOf::None(_) => self.put(" none"),
            }
        }
    }

    fn decls(&mut self, decls: &[Decl]) {
        for (i, decl) in decls.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            self.put(if decl.var.is_some() { "var " } else { "" });
            self.put(if decl.private.is_some() { "private " } else { "" });
            self.put(if decl.disj.is_some() { "disj " } else { "" });
            self.put(names(&decl.names));
            self.put(if decl.is_defined { " = " } else { ": " });
            self.put(if decl.disj_values.is_some() { "disj " } else { "" });
            self.bound(decl.bound);
        }
    }

    /// A bound may be followed by a comma and more declarations: `a: (b and some c), d: e` needs its parentheses.
    fn bound(&mut self, bound: ExprId) {
        let min = match &self.exprs[bound].kind {
            ExprKind::Unary(
                Unary::SomeOf | Unary::LoneOf | Unary::OneOf | Unary::SetOf | Unary::SeqOf,
                _,
            ) => level::COMPARE,
            _ => level::SHIFT,
        };
        self.expr(bound, min);
    }

    // ---- expressions ----

    /// Prints an expression where only operators of at least level `min` may stand without parentheses.
    fn expr(&mut self, expr: ExprId, min: u8) {
        let kind = &self.exprs[expr].kind;
        let needs_parens = level_of(kind) < min || (is_binder(kind) && min > level::THEN);
        if needs_parens {
            self.put("(");
        }
        deep(|| self.bare(kind));
        if needs_parens {
            self.put(")");
        }
    }

    fn bare(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Error => self.put("_error_"),
            ExprKind::Number(n) if *n < 0 => self.put(format_args!("({n})")),
            ExprKind::Number(n) => self.put(n),
            ExprKind::Str(text) => self.put(quoted(text.as_str())),
            ExprKind::Const(word) => self.put(const_word(*word)),
            ExprKind::Name(name) => self.put(name),
            ExprKind::PrimedName { base, primes } => {
                self.put(format_args!("{base}{}", "'".repeat(*primes as usize)));
            }
            ExprKind::At(name) => self.put(format_args!("@{name}")),
            ExprKind::Unary(op, sub) => self.unary(*op, *sub),
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right),
            ExprKind::Arrow {
                left,
                left_mult,
                right_mult,
                right,
            } => {
                self.expr(*left, level::ARROW + 1);
                self.put(format_args!(
                    " {}->{} ",
                    mult(*left_mult, ""),
                    mult(*right_mult, "")
                ));
                self.expr(*right, level::ARROW);
            }
            ExprKind::Apply(target, args) => {
                self.expr(*target, level::DOT);
                self.put("[");
                for (i, arg) in args.iter().enumerate() {
                    self.put(if i > 0 { ", " } else { "" });
                    self.expr(*arg, level::OR);
                }
                self.put("]");
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(*condition, level::IMPLIES + 1);
                self.put(" => ");
                // Tighter than needed, so that the `else` finds its `=>`.
                self.expr(*then, level::IMPLIES + 1);
                self.put(" else ");
                self.expr(*otherwise, level::IMPLIES);
            }
            ExprKind::Quantified {
                quantifier,
                decls,
                body,
            } => {
                self.put(format_args!("{} ", quantifier_word(*quantifier)));
                self.decls(decls);
                self.body(*body);
            }
            ExprKind::Comprehension { decls, body } => {
                self.put("{ ");
                self.decls(decls);
                if let Some(body) = body {
                    self.put(" | ");
                    self.expr(*body, level::OR);
                }
                self.put(" }");
            }
            ExprKind::Let { name, value, body } => {
                self.put(format_args!("let {} = ", name.text));
                self.expr(*value, level::OR);
                self.body(*body);
            }
            ExprKind::Block(items) => {
                self.put("{");
                for item in items {
                    self.put("\n");
                    self.expr(*item, level::THEN);
                }
                self.put(" }");
            }
        }
    }

    fn body(&mut self, body: ExprId) {
        match &self.exprs[body].kind {
            ExprKind::Block(_) => self.put(" "),
            _ => self.put(" | "),
        }
        self.expr(body, level::OR);
    }

    fn unary(&mut self, op: Unary, sub: ExprId) {
        match op {
            Unary::Prime => {
                // `a'` without parentheses would be read as a primed name.
                let is_primed = matches!(self.exprs[sub].kind, ExprKind::Unary(Unary::Prime, _));
                self.expr(sub, if is_primed { level::CLOSURE } else { u8::MAX });
                self.put("'");
            }
            _ => {
                let (word, operand) = unary_word(op);
                self.put(word);
                self.expr(sub, operand);
            }
        }
    }

    fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) {
        let (word, level) = binary_word(op);
        let (left_min, right_min) = match op {
            Binary::Then | Binary::Implies => (level + 1, level),
            Binary::Join => (level, level::CLOSURE),
            _ => (level, level + 1),
        };
        self.expr(left, left_min);
        self.put(word);
        self.expr(right, right_min);
    }
}

fn is_binder(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Quantified { .. } | ExprKind::Let { .. })
}

fn level_of(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Unary(Unary::Prime, _) => level::CLOSURE,
        ExprKind::Unary(op, _) => match op {
            Unary::Transpose | Unary::Closure | Unary::ReflexiveClosure => level::CLOSURE,
            Unary::Card | Unary::IntOf => level::CARD,
            Unary::Not
            | Unary::Always
            | Unary::Eventually
            | Unary::After
            | Unary::Before
            | Unary::Historically
            | Unary::Once => level::NOT,
            _ => level::COMPARE,
        },
        ExprKind::Binary(op, ..) => binary_word(*op).1,
        ExprKind::Arrow { .. } => level::ARROW,
        ExprKind::Apply(..) => level::DOT,
        ExprKind::If(..) => level::IMPLIES,
        ExprKind::Quantified { .. } | ExprKind::Let { .. } => level::OR,
        _ => level::CLOSURE + 1,
    }
}

/// The operator, blank included, and the level of its operand.
fn unary_word(op: Unary) -> (&'static str, u8) {
    use level::*;
    match op {
        Unary::Not => ("not ", NOT),
        Unary::Always => ("always ", NOT),
        Unary::Eventually => ("eventually ", NOT),
        Unary::After => ("after ", NOT),
        Unary::Before => ("before ", NOT),
        Unary::Historically => ("historically ", NOT),
        Unary::Once => ("once ", NOT),
        Unary::No => ("no ", SHIFT),
        Unary::Some | Unary::SomeOf => ("some ", SHIFT),
        Unary::Lone | Unary::LoneOf => ("lone ", SHIFT),
        Unary::One | Unary::OneOf => ("one ", SHIFT),
        Unary::SetOf => ("set ", SHIFT),
        Unary::SeqOf => ("seq ", SHIFT),
        Unary::Card => ("#", CARD),
        Unary::IntOf => ("int ", CARD),
        Unary::Transpose => ("~", CLOSURE + 1),
        Unary::Closure => ("^", CLOSURE + 1),
        Unary::ReflexiveClosure => ("*", CLOSURE + 1),
        Unary::Prime => ("'", CLOSURE),
    }
}

/// The operator with blanks, and its level.
fn binary_word(op: Binary) -> (&'static str, u8) {
    use level::*;
    match op {
        Binary::Then => (" ; ", THEN),
        Binary::Or => (" or ", OR),
        Binary::Iff => (" iff ", IFF),
        Binary::Implies => (" implies ", IMPLIES),
        Binary::And => (" and ", AND),
        Binary::Until => (" until ", TEMPORAL),
        Binary::Releases => (" releases ", TEMPORAL),
        Binary::Since => (" since ", TEMPORAL),
        Binary::Triggered => (" triggered ", TEMPORAL),
        Binary::In => (" in ", COMPARE),
        Binary::NotIn => (" not in ", COMPARE),
        Binary::Equal => (" = ", COMPARE),
        Binary::NotEqual => (" != ", COMPARE),
        Binary::Lt => (" < ", COMPARE),
        Binary::NotLt => (" not < ", COMPARE),
        Binary::Le => (" =< ", COMPARE),
        Binary::NotLe => (" not =< ", COMPARE),
        Binary::Gt => (" > ", COMPARE),
        Binary::NotGt => (" not > ", COMPARE),
        Binary::Ge => (" >= ", COMPARE),
        Binary::NotGe => (" not >= ", COMPARE),
        Binary::Shl => (" << ", SHIFT),
        Binary::Sha => (" >> ", SHIFT),
        Binary::Shr => (" >>> ", SHIFT),
        Binary::Union => (" + ", ADD),
        Binary::Difference => (" - ", ADD),
        Binary::IntAdd => (" fun/add ", ADD),
        Binary::IntSub => (" fun/sub ", ADD),
        Binary::IntMul => (" fun/mul ", MUL),
        Binary::IntDiv => (" fun/div ", MUL),
        Binary::IntRem => (" fun/rem ", MUL),
        Binary::Override => (" ++ ", OVERRIDE),
        Binary::Intersect => (" & ", INTERSECT),
        Binary::Domain => (" <: ", DOMAIN),
        Binary::Range => (" :> ", RANGE),
        Binary::Join => (".", DOT),
    }
}

fn const_word(word: Const) -> &'static str {
    match word {
        Const::This => "this",
        Const::Univ => "univ",
        Const::None => "none",
        Const::Iden => "iden",
        Const::SigInt => "Int",
        Const::String => "String",
        Const::SeqInt => "seq/Int",
        Const::IntMin => "fun/min",
        Const::IntMax => "fun/max",
        Const::IntNext => "fun/next",
        Const::Disj => "disj",
        Const::TotalOrder => "pred/totalOrder",
        Const::Int => "int",
        Const::Sum => "sum",
    }
}

fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::All => "all",
        Quantifier::No => "no",
        Quantifier::Some => "some",
        Quantifier::Lone => "lone",
        Quantifier::One => "one",
        Quantifier::Sum => "sum",
    }
}

fn mult(mult: Mult, set: &'static str) -> &'static str {
    match mult {
        Mult::Set => set,
        Mult::One => "one ",
        Mult::Lone => "lone ",
        Mult::Some => "some ",
    }
}
