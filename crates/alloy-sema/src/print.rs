//! The IR as text, close to Alloy with everything written out. For tests and for people who want to see what a
//! specification was taken to mean; no other part reads it.

use std::fmt::Write;

use util::deep;

use crate::ir::{
    BinaryOp, Bound, BoundKind, CommandKind, Count, Decl, ExprId, ExprKind, FactOrigin, FormulaId,
    FormulaKind, FunBody, IntCompare, IntId, IntKind, IntOp, Model, Mult, Quantifier, Scope, SigId, SigKind,
    Temporal, Temporal2, UnaryOp, Value, VarId, builtin,
};

pub fn print_formula(model: &Model, formula: FormulaId) -> String {
    let mut printer = Printer {
        model,
        out: String::new(),
    };
    printer.formula(formula);
    printer.out
}

pub fn print_expr(model: &Model, expr: ExprId) -> String {
    let mut printer = Printer {
        model,
        out: String::new(),
    };
    printer.expr(expr);
    printer.out
}

/// Everything but the functions of utility modules that nothing calls.
pub fn print_model(model: &Model) -> String {
    let mut out = String::new();
    for (id, sig) in model.sigs.iter().skip(builtin::COUNT) {
        let quals = [
            (sig.is_private, "private "),
            (sig.is_var, "var "),
            (sig.is_abstract, "abstract "),
            (sig.is_enum, "enum "),
        ];
        for (_, word) in quals.iter().filter(|it| it.0) {
            out.push_str(word);
        }
        let names = |sigs: &[SigId]| {
            sigs.iter()
                .map(|&it| model.sigs[it].label.as_str())
                .collect::<Vec<_>>()
                .join(" + ")
        };
        let parents = match &sig.kind {
            SigKind::Builtin | SigKind::Top => String::new(),
            SigKind::Extends(parent) => format!(" extends {}", names(&[*parent])),
            SigKind::Subset {
                parents,
                exact: false,
            } => format!(" in {}", names(parents)),
            SigKind::Subset { parents, exact: true } => format!(" = {}", names(parents)),
        };
        let _ = writeln!(out, "{}sig {}{parents}", mult(sig.mult), sig.label);
        for &field in &model.sigs[id].fields {
            let field = &model.fields[field];
            let var = if field.is_var { "var " } else { "" };
            let _ = writeln!(out, "  {var}{}: {}", field.name, show_type(model, &field.ty));
        }
    }
    for fact in &model.facts {
        let origin = match &fact.origin {
            FactOrigin::Fact(name) => format!("fact {name}"),
            FactOrigin::Appended(sig) => format!("facts of {}", model.sigs[*sig].label),
            FactOrigin::Field(field) => format!("field {}", model.fields[*field].name),
            FactOrigin::DisjointFields(fields) => format!("disjoint fields {}", model.fields[fields[0]].name),
            FactOrigin::DisjointValues(field) => format!("disjoint values of {}", model.fields[*field].name),
        };
        let _ = writeln!(out, "{origin}: {}", print_formula(model, fact.formula));
    }
    let roots = model
        .facts
        .iter()
        .map(|it| it.formula)
        .chain(model.asserts.iter().map(|it| it.formula));
    let roots = roots.chain(model.commands.iter().map(|it| it.goal));
    let mut called = model.funs_called(roots.map(crate::AnyId::Formula));
    called.sort();
    for fun in called {
        let mut printer = Printer {
            model,
            out: String::new(),
        };
        let fun = &model.funs[fun];
        printer.decls(&fun.params);
        let params = std::mem::take(&mut printer.out);
        match &fun.body {
            FunBody::Pred(body) => {
                printer.formula(*body);
                let _ = writeln!(out, "pred {}[{params}]: {}", fun.label, printer.out);
            }
            FunBody::Fun { result, body } => {
                printer.bound(result);
                printer.out.push_str(" = ");
                printer.expr(*body);
                let _ = writeln!(out, "fun {}[{params}]: {}", fun.label, printer.out);
            }
        }
    }
    for command in &model.commands {
        let word = match command.kind {
            CommandKind::Run => "run",
            CommandKind::Check => "check",
        };
        let _ = writeln!(
            out,
            "{word} {}: {}",
            command.label,
            print_formula(model, command.goal)
        );
        let _ = writeln!(out, "  for {}", show_scope(model, &command.scope));
        if let Some(expect) = command.expect {
            let _ = writeln!(out, "  expect {expect}");
        }
        for error in &command.errors {
            let _ = writeln!(out, "  refused: {}", error.title);
        }
    }
    out
}

fn show_scope(model: &Model, scope: &Scope) -> String {
    let mut parts = vec![];
    for it in &scope.sigs {
        let exactly = if it.is_exact { "exactly " } else { "" };
        let growth = it
            .growth
            .map_or(String::new(), |it| format!("..{}:{}", it.last, it.step));
        parts.push(format!(
            "{exactly}{}{growth} {}",
            it.atoms, model.sigs[it.sig].label
        ));
    }
    parts.push(format!("{} int", scope.bitwidth));
    parts.push(format!("{} seq", scope.max_seq));
    if !scope.strings.is_empty() {
        parts.push(format!("{} String", scope.strings.len()));
    }
    if let Some(steps) = scope.steps {
        let max = steps.max.map_or(String::new(), |it| it.to_string());
        parts.push(format!("{}..{max} steps", steps.min));
    }
    parts.join(", ")
}

fn show_type(model: &Model, ty: &crate::ir::Type) -> String {
    let product = |it: &[SigId]| {
        it.iter()
            .map(|&it| model.sigs[it].label.as_str())
            .collect::<Vec<_>>()
            .join("->")
    };
    ty.products
        .iter()
        .map(|it| product(it))
        .collect::<Vec<_>>()
        .join(", ")
}

fn mult(mult: Mult) -> &'static str {
    match mult {
        Mult::Set => "",
        Mult::One => "one ",
        Mult::Lone => "lone ",
        Mult::Some => "some ",
    }
}

struct Printer<'a> {
    model: &'a Model,
    out: String,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn var(&mut self, var: VarId) {
        let name = self.model.vars[var].name.as_str();
        self.put(name);
    }

    fn formula(&mut self, id: FormulaId) {
        deep(|| self.formula_kind(id));
    }

    fn formula_list(&mut self, items: &[FormulaId], word: &str, empty: &str) {
        match items {
            [] => self.put(empty),
            [single] => self.formula(*single),
            _ => {
                self.put("(");
                for (i, &item) in items.iter().enumerate() {
                    self.put(if i > 0 { word } else { "" });
                    self.formula(item);
                }
                self.put(")");
            }
        }
    }

    fn formula_kind(&mut self, id: FormulaId) {
        let model = self.model;
        match &model.formulas[id].kind {
            FormulaKind::True => self.put("true"),
            FormulaKind::False => self.put("false"),
            FormulaKind::Not(a) => {
                self.put("not ");
                self.formula(*a);
            }
            FormulaKind::And(items) => self.formula_list(items, " and ", "true"),
            FormulaKind::Or(items) => self.formula_list(items, " or ", "false"),
            FormulaKind::Implies(a, b) => self.formula_list(&[*a, *b], " => ", ""),
            FormulaKind::Iff(a, b) => self.formula_list(&[*a, *b], " iff ", ""),
            FormulaKind::If(a, b, c) => {
                self.put("(");
                self.formula(*a);
                self.put(" => ");
                self.formula(*b);
                self.put(" else ");
                self.formula(*c);
                self.put(")");
            }
            FormulaKind::In(a, b) => self.expr_pair(*a, " in ", *b),
            FormulaKind::Equal(a, b) => self.expr_pair(*a, " = ", *b),
            FormulaKind::InBound(a, bound) => {
                self.put("(");
                self.expr(*a);
                self.put(" in ");
                self.bound(bound);
                self.put(")");
            }
            FormulaKind::Compare(op, a, b) => {
                let word = match op {
                    IntCompare::Lt => " < ",
                    IntCompare::Le => " =< ",
                    IntCompare::Gt => " > ",
                    IntCompare::Ge => " >= ",
                };
                self.put("(");
                self.int(*a);
                self.put(word);
                self.int(*b);
                self.put(")");
            }
            FormulaKind::Count(count, a) => {
                self.put(match count {
                    Count::No => "no ",
                    Count::Some => "some ",
                    Count::Lone => "lone ",
                    Count::One => "one ",
                });
                self.expr(*a);
            }
            FormulaKind::Disjoint(items) => self.call("disj", items),
            FormulaKind::TotalOrder { elem, first, next } => self.call("totalOrder", &[*elem, *first, *next]),
            FormulaKind::Quantified {
                quantifier,
                decls,
                body,
            } => {
                self.put(match quantifier {
                    Quantifier::All => "(all ",
                    Quantifier::Some => "(some ",
                    Quantifier::No => "(no ",
                    Quantifier::Lone => "(lone ",
                    Quantifier::One => "(one ",
                });
                self.decls(decls);
                self.put(" | ");
                self.formula(*body);
                self.put(")");
            }
            FormulaKind::Let { var, value, body } => {
                self.binding(*var, *value);
                self.formula(*body);
                self.put(")");
            }
            FormulaKind::Call { fun, args } => self.call(model.funs[*fun].label.as_str(), args),
            FormulaKind::Var(var) => self.var(*var),
            FormulaKind::Temporal(op, a) => {
                self.put(match op {
                    Temporal::Always => "always ",
                    Temporal::Eventually => "eventually ",
                    Temporal::After => "after ",
                    Temporal::Historically => "historically ",
                    Temporal::Once => "once ",
                    Temporal::Before => "before ",
                });
                self.formula(*a);
            }
            FormulaKind::Temporal2(op, a, b) => {
                let word = match op {
                    Temporal2::Until => " until ",
                    Temporal2::Releases => " releases ",
                    Temporal2::Since => " since ",
                    Temporal2::Triggered => " triggered ",
                };
                self.formula_list(&[*a, *b], word, "");
            }
        }
    }

    fn expr_pair(&mut self, a: ExprId, word: &str, b: ExprId) {
        self.put("(");
        self.expr(a);
        self.put(word);
        self.expr(b);
        self.put(")");
    }

    fn call(&mut self, name: &str, args: &[ExprId]) {
        self.put(name);
        self.put("[");
        for (i, &arg) in args.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            self.expr(arg);
        }
        self.put("]");
    }

    fn binding(&mut self, var: VarId, value: Value) {
        self.put("(let ");
        self.var(var);
        self.put(" = ");
        match value {
            Value::Formula(it) => self.formula(it),
            Value::Expr(it) => self.expr(it),
            Value::Int(it) => self.int(it),
        }
        self.put(" | ");
    }

    fn expr(&mut self, id: ExprId) {
        deep(|| self.expr_kind(id));
    }

    fn expr_kind(&mut self, id: ExprId) {
        let model = self.model;
        match &model.exprs[id].kind {
            ExprKind::Univ => self.put("univ"),
            ExprKind::Iden => self.put("iden"),
            ExprKind::None => self.put("none"),
            ExprKind::Sig(sig) => self.put(model.sigs[*sig].label.as_str()),
            ExprKind::Field(field) => {
                let field = &model.fields[*field];
                self.put(&format!("{}<:{}", model.sigs[field.sig].label, field.name));
            }
            ExprKind::Var(var) => self.var(*var),
            ExprKind::String(text) => self.put(&format!("{:?}", text.as_str())),
            ExprKind::IntNext => self.put("fun/next"),
            ExprKind::FromInt(int) => {
                self.put("Int[");
                self.int(*int);
                self.put("]");
            }
            ExprKind::Unary(UnaryOp::Prime, a) => {
                self.expr(*a);
                self.put("'");
            }
            ExprKind::Unary(op, a) => {
                self.put(match op {
                    UnaryOp::Transpose => "~",
                    UnaryOp::Closure => "^",
                    _ => "*",
                });
                self.expr(*a);
            }
            ExprKind::Binary(op, a, b) => {
                let word = match op {
                    BinaryOp::Union => " + ",
                    BinaryOp::Difference => " - ",
                    BinaryOp::Intersect => " & ",
                    BinaryOp::Override => " ++ ",
                    BinaryOp::Product => " -> ",
                    BinaryOp::Join => ".",
                    BinaryOp::Domain => " <: ",
                    BinaryOp::Range => " :> ",
                };
                self.expr_pair(*a, word, *b);
            }
            ExprKind::If(a, b, c) => {
                self.put("(");
                self.formula(*a);
                self.put(" => ");
                self.expr(*b);
                self.put(" else ");
                self.expr(*c);
                self.put(")");
            }
            ExprKind::Let { var, value, body } => {
                self.binding(*var, *value);
                self.expr(*body);
                self.put(")");
            }
            ExprKind::Call { fun, args } => self.call(model.funs[*fun].label.as_str(), args),
            ExprKind::Comprehension { decls, body } => {
                self.put("{");
                self.decls(decls);
                self.put(" | ");
                self.formula(*body);
                self.put("}");
            }
        }
    }

    fn int(&mut self, id: IntId) {
        deep(|| self.int_kind(id));
    }

    fn int_kind(&mut self, id: IntId) {
        let model = self.model;
        match &model.ints[id].kind {
            IntKind::Const(n) => self.put(&n.to_string()),
            IntKind::Min => self.put("fun/min"),
            IntKind::Max => self.put("fun/max"),
            IntKind::Card(a) => {
                self.put("#");
                self.expr(*a);
            }
            IntKind::Sum(a) => {
                self.put("int[");
                self.expr(*a);
                self.put("]");
            }
            IntKind::SumOver { decls, body } => {
                self.put("(sum ");
                self.decls(decls);
                self.put(" | ");
                self.int(*body);
                self.put(")");
            }
            IntKind::Binary(op, a, b) => {
                let word = match op {
                    IntOp::Add => " + ",
                    IntOp::Sub => " - ",
                    IntOp::Mul => " * ",
                    IntOp::Div => " / ",
                    IntOp::Rem => " % ",
                    IntOp::Shl => " << ",
                    IntOp::Sha => " >> ",
                    IntOp::Shr => " >>> ",
                };
                self.put("(");
                self.int(*a);
                self.put(word);
                self.int(*b);
                self.put(")");
            }
            IntKind::If(a, b, c) => {
                self.put("(");
                self.formula(*a);
                self.put(" => ");
                self.int(*b);
                self.put(" else ");
                self.int(*c);
                self.put(")");
            }
            IntKind::Let { var, value, body } => {
                self.binding(*var, *value);
                self.int(*body);
                self.put(")");
            }
            IntKind::Var(var) => self.var(*var),
        }
    }

    fn decls(&mut self, decls: &[Decl]) {
        for (i, decl) in decls.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            self.put(if decl.is_disj { "disj " } else { "" });
            for (j, &var) in decl.vars.iter().enumerate() {
                self.put(if j > 0 { ", " } else { "" });
                self.var(var);
            }
            self.put(": ");
            self.bound(&decl.bound);
        }
    }

    fn bound(&mut self, bound: &Bound) {
        deep(|| self.bound_kind(bound));
    }

    fn bound_kind(&mut self, bound: &Bound) {
        match &bound.kind {
            BoundKind::Of(Mult::Set) => {
                self.put("set ");
                self.expr(bound.expr);
            }
            BoundKind::Of(of) => {
                self.put(mult(*of));
                self.expr(bound.expr);
            }
            BoundKind::Exactly => {
                self.put("exactly ");
                self.expr(bound.expr);
            }
            BoundKind::Arrow {
                left,
                left_mult,
                right_mult,
                right,
            } => {
                self.put("(");
                self.bound(left);
                self.put(&format!(
                    " {}->{} ",
                    mult(*left_mult),
                    mult(*right_mult).trim_end()
                ));
                self.bound(right);
                self.put(")");
            }
            BoundKind::Seq { elem } => {
                self.put("seq ");
                self.bound(elem);
            }
        }
    }
}
