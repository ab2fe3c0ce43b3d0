//! Any tree, printed and read again, is the same tree.

mod support;

use alloy_syntax::ast::{Binary, Const, Decl, Expr, ExprId, ExprKind, Exprs, Mult, Name, Quantifier, Unary};
use alloy_syntax::{parse_expr, print_expr};
use proptest::prelude::*;
use source::{FileId, Span};
use support::shape;
use util::Symbol;

/// Grows a tree from a string of random decisions; when they run out, only leaves are made.
struct Grow<'a> {
    decisions: std::slice::Iter<'a, u8>,
    exprs: Exprs,
}

const UNARIES: [Unary; 20] = [
    Unary::Not,
    Unary::Always,
    Unary::Eventually,
    Unary::After,
    Unary::Before,
    Unary::Historically,
    Unary::Once,
    Unary::No,
    Unary::Some,
    Unary::Lone,
    Unary::One,
    Unary::SetOf,
    Unary::SeqOf,
    Unary::Card,
    Unary::IntOf,
    Unary::Transpose,
    Unary::Closure,
    Unary::ReflexiveClosure,
    Unary::Prime,
    Unary::Prime,
];

const BINARIES: [Binary; 36] = [
    Binary::Then,
    Binary::Or,
    Binary::Iff,
    Binary::Implies,
    Binary::And,
    Binary::Until,
    Binary::Releases,
    Binary::Since,
    Binary::Triggered,
    Binary::In,
    Binary::NotIn,
    Binary::Equal,
    Binary::NotEqual,
    Binary::Lt,
    Binary::NotLt,
    Binary::Le,
    Binary::NotLe,
    Binary::Gt,
    Binary::NotGt,
    Binary::Ge,
    Binary::NotGe,
    Binary::Shl,
    Binary::Sha,
    Binary::Shr,
    Binary::Union,
    Binary::Difference,
    Binary::IntAdd,
    Binary::IntSub,
    Binary::IntMul,
    Binary::IntDiv,
    Binary::IntRem,
    Binary::Override,
    Binary::Intersect,
    Binary::Domain,
    Binary::Range,
    Binary::Join,
];

const MULTS: [Mult; 4] = [Mult::Set, Mult::One, Mult::Lone, Mult::Some];

impl Grow<'_> {
    fn next(&mut self, below: usize) -> usize {
        self.decisions.next().map_or(0, |&it| it as usize % below)
    }

    fn span(&self) -> Span {
        Span::new(FileId(0), 0, 0)
    }

    fn add(&mut self, kind: ExprKind) -> ExprId {
        let span = self.span();
        self.exprs.alloc(Expr {
            span,
            height: 1,
            kind,
        })
    }

    fn symbol(&mut self) -> Symbol {
        let names = ["a", "b", "m/c", "this/d", "_", "e1", "x\""];
        let i = self.next(names.len());
        Symbol::new(names[i])
    }

    fn leaf(&mut self) -> ExprId {
        let kind = match self.next(8) {
            0..=2 => ExprKind::Name(self.symbol()),
            3 => ExprKind::Number([0, 7, -3, i32::MIN][self.next(4)]),
            4 => ExprKind::Str(Symbol::new(["s", "a \"b\"", "back\\slash\n"][self.next(3)])),
            5 => {
                let primes = 1 + self.next(2) as u8;
                ExprKind::PrimedName {
                    base: self.symbol(),
                    primes,
                }
            }
            6 => ExprKind::At(self.symbol()),
            _ => {
                let words = [
                    Const::This,
                    Const::Univ,
                    Const::None,
                    Const::Iden,
                    Const::SigInt,
                    Const::String,
                    Const::SeqInt,
                    Const::IntMin,
                    Const::IntMax,
                    Const::IntNext,
                ];
                ExprKind::Const(words[self.next(words.len())])
            }
        };
        self.add(kind)
    }

    fn expr(&mut self) -> ExprId {
        let kind = match self.next(14) {
            0..=2 => return self.leaf(),
            3 | 4 => {
                let op = UNARIES[self.next(UNARIES.len())];
                ExprKind::Unary(op, self.expr())
            }
            5..=8 => {
                let op = BINARIES[self.next(BINARIES.len())];
                let (left, right) = (self.expr(), self.expr());
                let right = if matches!(op, Binary::In | Binary::NotIn) {
                    self.bound_root(right)
                } else {
                    right
                };
                ExprKind::Binary(op, left, right)
            }
            9 => ExprKind::Arrow {
                left: self.expr(),
                left_mult: MULTS[self.next(4)],
                right_mult: MULTS[self.next(4)],
                right: self.expr(),
            },
            10 => {
                let target = match self.next(5) {
                    0 => self.add(ExprKind::Const(Const::Disj)),
                    1 => self.add(ExprKind::Const(Const::Sum)),
                    2 => self.add(ExprKind::Const(Const::TotalOrder)),
                    _ => self.expr(),
                };
                let args = (0..1 + self.next(3)).map(|_| self.expr()).collect();
                ExprKind::Apply(target, args)
            }
            11 => ExprKind::If(self.expr(), self.expr(), self.expr()),
            12 => return self.binder(),
            _ => ExprKind::Block((0..self.next(4)).map(|_| self.expr()).collect()),
        };
        self.add(kind)
    }

    fn binder(&mut self) -> ExprId {
        let kind = match self.next(3) {
            0 => {
                let quantifiers = [
                    Quantifier::All,
                    Quantifier::No,
                    Quantifier::Some,
                    Quantifier::Lone,
                    Quantifier::One,
                    Quantifier::Sum,
                ];
                ExprKind::Quantified {
                    quantifier: quantifiers[self.next(6)],
                    decls: self.decls(),
                    body: self.expr(),
                }
            }
            1 => ExprKind::Comprehension {
                decls: self.decls(),
                body: (self.next(2) == 0).then(|| self.expr()),
            },
            _ => ExprKind::Let {
                name: self.name(),
                value: self.expr(),
                body: self.expr(),
            },
        };
        self.add(kind)
    }

    fn name(&mut self) -> Name {
        let text = Symbol::new(["x", "y'", "z''", "_"][self.next(4)]);
        Name {
            text,
            span: self.span(),
        }
    }

    fn decls(&mut self) -> Vec<Decl> {
        (0..1 + self.next(2))
            .map(|_| {
                let span = self.span();
                let bound = self.expr();
                Decl {
                    private: None,
                    var: None,
                    disj: (self.next(3) == 0).then_some(span),
                    names: (0..1 + self.next(2)).map(|_| self.name()).collect(),
                    disj_values: None,
                    is_defined: false,
                    bound: self.bound_root(bound),
                    span,
                }
            })
            .collect()
    }

    /// The parser reads `some e` as a multiplicity where only that can be meant.
    fn bound_root(&mut self, expr: ExprId) -> ExprId {
        if let ExprKind::Unary(op, _) = &mut self.exprs[expr].kind {
            *op = match *op {
                Unary::Some => Unary::SomeOf,
                Unary::Lone => Unary::LoneOf,
                Unary::One => Unary::OneOf,
                other => other,
            };
        }
        expr
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_reading_is_the_identity(decisions in proptest::collection::vec(any::<u8>(), 0..120)) {
        let mut grow = Grow { decisions: decisions.iter(), exprs: Exprs::new() };
        let expr = grow.expr();
        let text = print_expr(&grow.exprs, expr);
        let (exprs, read, diagnostics) = parse_expr(FileId(0), &text);
        prop_assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
        let read = read.expect("no errors, so there is a tree");
        prop_assert_eq!(shape(&grow.exprs, expr), shape(&exprs, read), "{}", text);
    }

    /// Whatever the bytes, the reader comes back, and its spans lie in the text.
    #[test]
    fn any_text_is_survived(words in proptest::collection::vec(0usize..40, 0..60)) {
        const WORDS: [&str; 40] = [
            "sig", "A", "{", "}", "[", "]", "(", ")", "fact", "pred", "fun", "run", "check", "for", "3", "but", ",", ":",
            "->", "some", "all", "x", "|", "=", "in", ".", "let", "'", "b'", "\"s", "/*", "--", "\n", "else", "=>", "open",
            "enum", "module", "one", "£",
        ];
        let text: String = words.iter().flat_map(|&it| [WORDS[it], " "]).collect();
        let (tree, diagnostics) = alloy_syntax::parse(FileId(0), &text);
        for (_, expr) in tree.exprs.iter() {
            prop_assert!(expr.span.end as usize <= text.len());
        }
        for span in diagnostics.iter().filter_map(|it| it.span()) {
            prop_assert!(span.end as usize <= text.len());
        }
    }
}
