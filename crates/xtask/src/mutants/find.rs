//! Finds the mutants of a file.
//!
//! Only what a test could notice: no tests, constants, attributes, assertions (macros are not looked into), no texts. Where one
//! mutant is caught by every test that catches another, only the stronger one is there: parts of a conjunction are left out one by
//! one, which tests more than `||` for `&&`, and a condition that is always true or always false tests more than one turned around.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Stmt, UnOp};

use super::constants::constants;
use super::site::{Edit, Mutant, Site};

/// The sites of a text; mutants are numbered from `first`. `Err` if it is no Rust.
pub fn find(text: &str, first: u32) -> Result<Vec<Site>, String> {
    let file = syn::parse_file(text).map_err(|it| it.to_string())?;
    let mut finder = Finder {
        text,
        next: first,
        names: vec![],
        decided: vec![],
        chained: vec![],
        sites: vec![],
    };
    finder.visit_file(&file);
    Ok(finder.sites)
}

struct Finder<'t> {
    text: &'t str,
    next: u32,
    /// Types and functions around.
    names: Vec<String>,
    /// Expressions that have mutants with their value true or false.
    decided: Vec<Range<usize>>,
    /// `a && b` in `a && b && c`.
    chained: Vec<Range<usize>>,
    sites: Vec<Site>,
}

/// What a condition is made in its mutants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    True,
    False,
    Either,
}

impl Finder<'_> {
    fn range(&self, it: &impl Spanned) -> Range<usize> {
        it.span().byte_range()
    }

    fn text_of(&self, range: &Range<usize>) -> String {
        self.text[range.clone()]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// A site with one mutant for each of these texts; `edits` makes the edits of the numbers of the mutants.
    fn add(&mut self, span: Span, replacements: &[String], edits: impl FnOnce(&[u32]) -> Vec<Edit>) {
        let range = span.byte_range();
        let original = self.text_of(&range);
        self.add_with(span, &original, replacements, edits);
    }

    fn add_with(
        &mut self,
        span: Span,
        original: &str,
        replacements: &[String],
        edits: impl FnOnce(&[u32]) -> Vec<Edit>,
    ) {
        let ids: Vec<u32> = (self.next..).take(replacements.len()).collect();
        self.next += ids.len() as u32;
        let start = span.start();
        let mutants = ids.iter().zip(replacements).map(|(&id, replacement)| Mutant {
            id,
            original: original.to_string(),
            replacement: replacement.clone(),
        });
        self.sites.push(Site {
            line: start.line,
            column: start.column + 1,
            function: self.names.join("::"),
            source: self
                .text
                .lines()
                .nth(start.line - 1)
                .unwrap_or_default()
                .trim()
                .to_string(),
            mutants: mutants.collect(),
            edits: edits(&ids),
        });
    }

    /// A condition that is always true, or never.
    fn condition(&mut self, it: &Expr, made: Made) {
        let range = self.range(it);
        self.decided.push(range.clone());
        let replacements: &[&str] = match made {
            Made::True => &["true"],
            Made::False => &["false"],
            Made::Either => &["true", "false"],
        };
        let before = |ids: &[u32]| match made {
            Made::True => format!("(::mutant::on({}) || (", ids[0]),
            Made::False => format!("(!::mutant::on({}) && (", ids[0]),
            Made::Either => format!("(!::mutant::on({}) && (::mutant::on({}) || ", ids[1], ids[0]),
        };
        let replacements: Vec<String> = replacements.iter().map(|it| it.to_string()).collect();
        self.add(it.span(), &replacements, |ids| {
            around(&range, before(ids), "))".to_string())
        });
    }

    /// The condition of an `if`, a guard.
    fn decides(&mut self, it: &Expr) {
        let Some((is_and, parts)) = parts(it) else {
            if !matches!(it, Expr::Let(_)) {
                self.condition(it, Made::Either);
            }
            return;
        };
        // Each part left out is stronger than the whole left out.
        if !parts.iter().any(|it| matches!(it, Expr::Let(_))) {
            self.condition(it, if is_and { Made::False } else { Made::True });
        }
    }

    /// The truth value of a comparison or a negation that has no stronger mutants.
    fn is_decided(&self, range: &Range<usize>) -> bool {
        self.decided.contains(range)
    }

    fn comparison(&mut self, it: &syn::ExprBinary, others: &[&str]) {
        let (left, op, right) = (self.range(&it.left), self.range(&it.op), self.range(&it.right));
        // The first of the others moves the boundary, the last is the negation.
        let is_decided = self.is_decided(&self.range(it));
        let others = &others[..others.len() - usize::from(is_decided)];
        if others.is_empty() {
            return;
        }
        let (a, b, was) = (self.text_of(&left), self.text_of(&right), self.text_of(&op));
        let replacements: Vec<String> = others.iter().map(|op| format!("{a} {op} {b}")).collect();
        self.add(it.span(), &replacements, |ids| {
            let mut after = ")) { (l, r) => ".to_string();
            for (id, other) in ids.iter().zip(others) {
                after += &format!("if ::mutant::on({id}) {{ l {other} r }} else ");
            }
            after += &format!("{{ l {was} r }} }})");
            operands(&left, &op, &right, ["(match (&(", "), &("], after)
        });
    }

    fn arithmetic(&mut self, it: &syn::ExprBinary, other: &str) {
        let (left, op, right) = (self.range(&it.left), self.range(&it.op), self.range(&it.right));
        let (a, b, was) = (self.text_of(&left), self.text_of(&right), self.text_of(&op));
        self.add(it.span(), &[format!("{a} {other} {b}")], |ids| {
            let after = format!(
                ")) {{ (l, r) => if ::mutant::on({}) {{ l {other} r }} else {{ l {was} r }} }})",
                ids[0]
            );
            operands(&left, &op, &right, ["(match ((", "), ("], after)
        });
    }

    fn connective(&mut self, it: &Expr) {
        // The parts of a longer chain have their mutants from its top.
        let Some((is_and, parts)) = parts(it).filter(|_| !self.chained.contains(&self.range(it))) else {
            return;
        };
        let mut left = it;
        while let Expr::Binary(it) = left {
            left = &it.left;
            self.chained.push(self.range(left));
        }
        for part in parts {
            if !matches!(part, Expr::Let(_)) {
                self.condition(part, if is_and { Made::True } else { Made::False });
            }
        }
    }

    fn negation(&mut self, it: &syn::ExprUnary) {
        let range = self.range(it);
        if self.is_decided(&range) {
            return;
        }
        let inner = self.text_of(&self.range(&it.expr));
        self.add(it.span(), &[inner], |ids| {
            around(
                &range,
                format!("(::mutant::on({}) != (", ids[0]),
                "))".to_string(),
            )
        });
    }

    /// A statement that is left out.
    fn statement(&mut self, it: &Stmt) {
        let Stmt::Expr(expr, Some(_)) = it else {
            return;
        };
        if can_be_left_out(expr) {
            let range = self.range(it);
            self.add(it.span(), &[String::new()], |ids| {
                let before = format!("if !::mutant::on({}) {{ ", ids[0]);
                around(&range, before, " }".to_string())
            });
        }
    }

    /// The body of a function as a constant of its type.
    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let range = self.range(block);
        let body = self.text_of(&(range.start + 1..range.end - 1));
        let replacements: Vec<String> = constants(&signature.output)
            .into_iter()
            .filter(|it| *it != body)
            .collect();
        if replacements.is_empty() || body.is_empty() {
            return;
        }
        let original = format!("fn {}", signature.ident);
        self.add_with(signature.ident.span(), &original, &replacements, |ids| {
            let mut text = String::new();
            for (id, value) in ids.iter().zip(&replacements) {
                text += &format!(" if ::mutant::on({id}) {{ return {value}; }}");
            }
            let at = range.start + 1;
            vec![Edit {
                range: at..at,
                text,
                closes: false,
            }]
        });
    }

    fn function(
        &mut self,
        attributes: &[syn::Attribute],
        signature: &syn::Signature,
        block: Option<&syn::Block>,
    ) {
        let Some(block) = block else { return };
        if signature.constness.is_some() || is_test(attributes) {
            return;
        }
        self.names.push(signature.ident.to_string());
        self.body(signature, block);
        self.visit_block(block);
        self.names.pop();
    }
}

/// Text before and after what stays.
fn around(range: &Range<usize>, before: String, after: String) -> Vec<Edit> {
    let edit = |at: usize, text, closes| Edit {
        range: at..at,
        text,
        closes,
    };
    vec![edit(range.start, before, false), edit(range.end, after, true)]
}

/// Text before, in the place of and after an operator.
fn operands(
    left: &Range<usize>,
    op: &Range<usize>,
    right: &Range<usize>,
    [before, between]: [&str; 2],
    after: String,
) -> Vec<Edit> {
    let mut edits = around(&(left.start..right.end), before.to_string(), after);
    edits.push(Edit {
        range: op.clone(),
        text: between.to_string(),
        closes: false,
    });
    edits
}

/// The parts of a conjunction or disjunction, and which of both it is.
fn parts(it: &Expr) -> Option<(bool, Vec<&Expr>)> {
    let is_and = match it {
        Expr::Binary(it) => match it.op {
            BinOp::And(_) => true,
            BinOp::Or(_) => false,
            _ => return None,
        },
        _ => return None,
    };
    let mut parts = vec![];
    let mut rest = vec![it];
    while let Some(it) = rest.pop() {
        match it {
            Expr::Binary(it) if matches!((&it.op, is_and), (BinOp::And(_), true) | (BinOp::Or(_), false)) => {
                rest.extend([&*it.right, &*it.left]);
            }
            _ => parts.push(it),
        }
    }
    Some((is_and, parts))
}

fn can_be_left_out(it: &Expr) -> bool {
    match it {
        Expr::Assign(_) | Expr::MethodCall(_) => true,
        Expr::Try(it) => can_be_left_out(&it.expr),
        Expr::Binary(it) => matches!(
            it.op,
            BinOp::AddAssign(_)
                | BinOp::SubAssign(_)
                | BinOp::MulAssign(_)
                | BinOp::BitAndAssign(_)
                | BinOp::BitOrAssign(_)
                | BinOp::BitXorAssign(_)
                | BinOp::ShlAssign(_)
                | BinOp::ShrAssign(_)
        ),
        _ => false,
    }
}

/// `#[test]` and `#[cfg(test)]`.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|it| {
        it.path().is_ident("test")
            || it.path().is_ident("cfg")
                && it
                    .parse_args::<syn::Ident>()
                    .is_ok_and(|argument| argument == "test")
    })
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, it: &'ast syn::ItemMod) {
        if !is_test(&it.attrs) {
            visit::visit_item_mod(self, it);
        }
    }

    fn visit_item_impl(&mut self, it: &'ast syn::ItemImpl) {
        let text = ["Debug", "Display"];
        let of = it.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        if is_test(&it.attrs) || of.is_some_and(|it| text.iter().any(|text| it.ident == text)) {
            return;
        }
        if let syn::Type::Path(path) = &*it.self_ty
            && let Some(last) = path.path.segments.last()
        {
            self.names.push(last.ident.to_string());
            visit::visit_item_impl(self, it);
            self.names.pop();
        }
    }

    fn visit_item_fn(&mut self, it: &'ast syn::ItemFn) {
        self.function(&it.attrs, &it.sig, Some(&it.block));
    }

    fn visit_impl_item_fn(&mut self, it: &'ast syn::ImplItemFn) {
        self.function(&it.attrs, &it.sig, Some(&it.block));
    }

    fn visit_trait_item_fn(&mut self, it: &'ast syn::TraitItemFn) {
        self.function(&it.attrs, &it.sig, it.default.as_ref());
    }

    fn visit_stmt(&mut self, it: &'ast Stmt) {
        self.statement(it);
        visit::visit_stmt(self, it);
    }

    fn visit_expr_if(&mut self, it: &'ast syn::ExprIf) {
        self.decides(&it.cond);
        visit::visit_expr_if(self, it);
    }

    fn visit_expr_while(&mut self, it: &'ast syn::ExprWhile) {
        // One that is always true makes an endless loop, which every test notices.
        if parts(&it.cond).is_none() && !matches!(&*it.cond, Expr::Let(_)) {
            self.condition(&it.cond, Made::False);
        }
        visit::visit_expr_while(self, it);
    }

    fn visit_arm(&mut self, it: &'ast syn::Arm) {
        if let Some((_, guard)) = &it.guard {
            self.decides(guard);
        }
        visit::visit_arm(self, it);
    }

    fn visit_expr(&mut self, it: &'ast Expr) {
        match it {
            Expr::Binary(binary) => match binary.op {
                BinOp::And(_) | BinOp::Or(_) => self.connective(it),
                BinOp::Eq(_) => self.comparison(binary, &["!="]),
                BinOp::Ne(_) => self.comparison(binary, &["=="]),
                BinOp::Lt(_) => self.comparison(binary, &["<=", ">="]),
                BinOp::Le(_) => self.comparison(binary, &["<", ">"]),
                BinOp::Gt(_) => self.comparison(binary, &[">=", "<="]),
                BinOp::Ge(_) => self.comparison(binary, &[">", "<"]),
                BinOp::Add(_) => self.arithmetic(binary, "-"),
                BinOp::Sub(_) => self.arithmetic(binary, "+"),
                _ => {}
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => self.negation(unary),
            _ => {}
        }
        visit::visit_expr(self, it);
    }

    fn visit_expr_repeat(&mut self, it: &'ast syn::ExprRepeat) {
        self.visit_expr(&it.expr);
    }

    // Constants, types and patterns are no code that runs.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}
