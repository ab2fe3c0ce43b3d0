//! The tree as text, one node a line, indented by depth: for people who wonder how their module was read, and for
//! tests that compare two trees without their spans.

use std::fmt::{Display, Write as _};

use util::deep;

use crate::ast::*;

/// Deeper nodes say their depth instead of being indented further, so that the text stays linear in the tree.
const INDENT_MAX: usize = 60;

/// The tree of a module. Two trees are the same up to spans exactly when their dumps are equal.
pub fn dump(tree: &Tree) -> String {
    dump_with(tree, Parens::Shown)
}

/// The tree of an expression.
pub fn dump_expr(tree: &Tree, expr: ExprId) -> String {
    let mut dumper = Dumper::new(tree, Parens::Shown);
    dumper.expr(0, "", expr);
    dumper.text
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parens {
    Shown,
    /// As if the author had written none; what they group is visible from the tree.
    #[cfg_attr(not(test), allow(dead_code))]
    Hidden,
}

pub(crate) fn dump_with(tree: &Tree, parens: Parens) -> String {
    let mut dumper = Dumper::new(tree, parens);
    match &tree.module {
        Some(module) => dumper.module(0, module),
        None => dumper.line(0, "no module"),
    }
    dumper.text
}

struct Dumper<'a> {
    tree: &'a Tree,
    parens: Parens,
    text: String,
}

impl<'a> Dumper<'a> {
    fn new(tree: &'a Tree, parens: Parens) -> Dumper<'a> {
        Dumper {
            tree,
            parens,
            text: String::new(),
        }
    }

    fn line(&mut self, depth: usize, text: impl Display) {
        let indent = depth.min(INDENT_MAX) * 2;
        let result = match depth > INDENT_MAX {
            true => writeln!(self.text, "{:indent$}({depth}) {text}", ""),
            false => writeln!(self.text, "{:indent$}{text}", ""),
        };
        result.expect("a String takes everything");
    }

    fn module(&mut self, depth: usize, module: &Module) {
        self.line(depth, format_args!("module {}", module.name.name));
        if !module.extends.is_empty() {
            self.line(depth + 1, format_args!("extends {}", names(&module.extends)));
        }
        deep(|| self.units(depth + 1, &module.units));
    }

    fn units(&mut self, depth: usize, units: &[Unit]) {
        for unit in units {
            self.unit(depth, &unit.kind);
        }
    }

    fn unit(&mut self, depth: usize, unit: &UnitKind) {
        match unit {
            UnitKind::Separator => self.line(depth, "separator"),
            UnitKind::Constants(decls) => self.line(depth, format_args!("constants {}", op_decls(decls))),
            UnitKind::Variables(list) => self.line(depth, format_args!("variables {}", names(list))),
            UnitKind::Recursive(decls) => self.line(depth, format_args!("recursive {}", op_decls(decls))),
            UnitKind::Definition(it) => {
                let params = params(it.fixity, &it.params);
                self.line(
                    depth,
                    format_args!("{}define {}{params}", local(it.local), it.name.name),
                );
                self.expr(depth + 1, "", it.body);
            }
            UnitKind::Function(it) => {
                self.line(
                    depth,
                    format_args!("{}define function {}", local(it.local), it.name.name),
                );
                self.bounds(depth + 1, &it.bounds);
                self.expr(depth + 1, "", it.body);
            }
            UnitKind::Instance(it) => self.instance(depth, it),
            UnitKind::Assumption(it) => {
                self.line(depth, format_args!("{}{}", it.keyword, opt_name(it.name)));
                self.expr(depth + 1, "", it.body);
            }
            UnitKind::Theorem(it) => {
                self.line(depth, format_args!("{}{}", it.keyword, opt_name(it.name)));
                self.expr(depth + 1, "", it.body);
                self.opt_proof(depth + 1, &it.proof);
            }
            UnitKind::Use(it) => self.use_or_hide(depth, it),
            UnitKind::Module(it) => self.module(depth, it),
        }
    }

    fn instance(&mut self, depth: usize, it: &Instance) {
        let name = match &it.name {
            Some(it) => format!("{}{} == ", it.name.name, params(it.fixity, &it.params)),
            None => String::new(),
        };
        self.line(
            depth,
            format_args!("{}instance {name}{}", local(it.local), it.module.name),
        );
        for substitution in &it.substitutions {
            self.expr(
                depth + 1,
                format_args!("{} <- ", substitution.name.name),
                substitution.value,
            );
        }
    }

    fn bounds(&mut self, depth: usize, bounds: &[Bound]) {
        for bound in bounds {
            self.expr(depth, format_args!("{} in ", pattern(&bound.pattern)), bound.set);
        }
    }

    fn exprs(&mut self, depth: usize, exprs: &[ExprId]) {
        for &expr in exprs {
            self.expr(depth, "", expr);
        }
    }

    fn expr(&mut self, depth: usize, role: impl Display, expr: ExprId) {
        deep(|| self.expr_at(depth, &role, expr));
    }

    fn expr_at(&mut self, depth: usize, role: &dyn Display, expr: ExprId) {
        let below = depth + 1;
        match &self.tree.exprs[expr].kind {
            ExprKind::Error => self.line(depth, format_args!("{role}error")),
            ExprKind::Ident(name) => self.line(depth, format_args!("{role}{name}")),
            ExprKind::Apply { name, args } => {
                self.line(depth, format_args!("{role}apply {}", name.name));
                self.exprs(below, args);
            }
            ExprKind::Path(parts) => {
                self.line(depth, format_args!("{role}path"));
                for part in parts {
                    self.line(below, selector(part.selector));
                    self.exprs(below + 1, &part.args);
                }
            }
            ExprKind::OpRef(name) => self.line(depth, format_args!("{role}operator {name}")),
            ExprKind::Number(text) => self.line(depth, format_args!("{role}number {text}")),
            ExprKind::Decimal(text) => self.line(depth, format_args!("{role}decimal {text}")),
            ExprKind::Str(text) => self.line(depth, format_args!("{role}string {text:?}")),
            ExprKind::At => self.line(depth, format_args!("{role}@")),
            ExprKind::Paren(inner) if self.parens == Parens::Hidden => self.expr(depth, role, *inner),
            ExprKind::Paren(inner) => {
                self.line(depth, format_args!("{role}( )"));
                self.expr(below, "", *inner);
            }
            ExprKind::Prefix { op, arg, .. } => {
                self.line(depth, format_args!("{role}prefix {}", op.name()));
                self.expr(below, "", *arg);
            }
            ExprKind::Infix { op, lhs, rhs, .. } => {
                self.line(depth, format_args!("{role}infix {}", op.name()));
                self.exprs(below, &[*lhs, *rhs]);
            }
            ExprKind::Postfix { op, arg, .. } => {
                self.line(depth, format_args!("{role}postfix {}", op.name()));
                self.expr(below, "", *arg);
            }
            ExprKind::Junction { kind, items } => {
                let kind = if *kind == Junction::And { "/\\" } else { "\\/" };
                self.line(depth, format_args!("{role}list of {kind}"));
                self.exprs(below, items);
            }
            ExprKind::Times(factors) => {
                self.line(depth, format_args!("{role}\\X"));
                self.exprs(below, factors);
            }
            kind => self.construct(depth, role, kind),
        }
    }

    /// The kinds with keywords or brackets.
    fn construct(&mut self, depth: usize, role: &dyn Display, kind: &ExprKind) {
        let below = depth + 1;
        match kind {
            ExprKind::If { test, then, other } => {
                self.line(depth, format_args!("{role}if"));
                self.exprs(below, &[*test, *then, *other]);
            }
            ExprKind::Case { arms, other } => {
                self.line(depth, format_args!("{role}case"));
                for arm in arms {
                    self.expr(below, "when ", arm.guard);
                    self.expr(below, "then ", arm.body);
                }
                if let Some(other) = other {
                    self.expr(below, "other ", *other);
                }
            }
            ExprKind::Let { units, body } => {
                self.line(depth, format_args!("{role}let"));
                self.units(below, units);
                self.expr(below, "in ", *body);
            }
            ExprKind::Quant { kind, bounds, body } => {
                self.line(depth, format_args!("{role}{}", quantifier(*kind)));
                self.bounds(below, bounds);
                self.expr(below, "", *body);
            }
            ExprKind::UnboundedQuant {
                kind,
                names: list,
                body,
            } => {
                self.line(depth, format_args!("{role}{} {}", quantifier(*kind), names(list)));
                self.expr(below, "", *body);
            }
            ExprKind::Choose {
                pattern: it,
                set,
                body,
            } => {
                self.line(depth, format_args!("{role}choose {}", pattern(it)));
                if let Some(set) = set {
                    self.expr(below, "in ", *set);
                }
                self.expr(below, "", *body);
            }
            ExprKind::SetEnum(items) => {
                self.line(depth, format_args!("{role}set"));
                self.exprs(below, items);
            }
            ExprKind::SetFilter { bound, body } => {
                self.line(depth, format_args!("{role}set filter"));
                self.bounds(below, std::slice::from_ref(bound));
                self.expr(below, "", *body);
            }
            ExprKind::SetMap { body, bounds } => {
                self.line(depth, format_args!("{role}set map"));
                self.expr(below, "", *body);
                self.bounds(below, bounds);
            }
            ExprKind::FnApply { function, args } => {
                self.line(depth, format_args!("{role}function application"));
                self.expr(below, "of ", *function);
                self.exprs(below, args);
            }
            ExprKind::FnLiteral { bounds, body } => {
                self.line(depth, format_args!("{role}function"));
                self.bounds(below, bounds);
                self.expr(below, "", *body);
            }
            ExprKind::FnSet { domain, range } => {
                self.line(depth, format_args!("{role}set of functions"));
                self.exprs(below, &[*domain, *range]);
            }
            ExprKind::Record(fields) => {
                self.line(depth, format_args!("{role}record"));
                self.fields(below, fields);
            }
            ExprKind::RecordSet(fields) => {
                self.line(depth, format_args!("{role}set of records"));
                self.fields(below, fields);
            }
            ExprKind::Select { record, field } => {
                self.line(depth, format_args!("{role}field {}", field.name));
                self.expr(below, "", *record);
            }
            ExprKind::Except { function, updates } => {
                self.line(depth, format_args!("{role}except"));
                self.expr(below, "of ", *function);
                for update in updates {
                    self.update(below, update);
                }
            }
            ExprKind::Tuple(items) => {
                self.line(depth, format_args!("{role}tuple"));
                self.exprs(below, items);
            }
            ExprKind::BoxAction { action, subscript } => {
                self.line(depth, format_args!("{role}[A]_v"));
                self.exprs(below, &[*action, *subscript]);
            }
            ExprKind::AngleAction { action, subscript } => {
                self.line(depth, format_args!("{role}<<A>>_v"));
                self.exprs(below, &[*action, *subscript]);
            }
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            } => {
                self.line(depth, format_args!("{role}{kind:?} fairness"));
                self.exprs(below, &[*subscript, *action]);
            }
            ExprKind::Lambda { params, body } => {
                self.line(depth, format_args!("{role}lambda {}", names(params)));
                self.expr(below, "", *body);
            }
            ExprKind::Label { name, params, body } => {
                self.line(
                    depth,
                    format_args!("{role}label {}({})", name.name, names(params)),
                );
                self.expr(below, "", *body);
            }
            ExprKind::AssumeProve(it) => self.assume_prove(depth, role, it),
            _ => unreachable!("handled by the caller"),
        }
    }

    fn fields(&mut self, depth: usize, fields: &[Field]) {
        for field in fields {
            self.expr(depth, format_args!("{}: ", field.name.name), field.value);
        }
    }

    fn update(&mut self, depth: usize, update: &Update) {
        self.line(depth, "update");
        for step in &update.path {
            match step {
                PathStep::Index(index) => {
                    self.line(depth + 1, "at");
                    self.exprs(depth + 2, index);
                }
                PathStep::Field(field) => self.line(depth + 1, format_args!("at .{}", field.name)),
            }
        }
        self.expr(depth + 1, "to ", update.value);
    }

    fn assume_prove(&mut self, depth: usize, role: &dyn Display, it: &AssumeProve) {
        self.line(
            depth,
            format_args!("{role}{}assume", if it.boxed { "[]" } else { "" }),
        );
        for item in &it.assumptions {
            match item {
                AssumeItem::Fact(expr) => self.expr(depth + 1, "", *expr),
                AssumeItem::New { level, decl, set } => {
                    self.line(depth + 1, format_args!("new {level:?} {}", op_decl(decl)));
                    if let Some(set) = set {
                        self.expr(depth + 2, "in ", *set);
                    }
                }
            }
        }
        self.expr(depth + 1, "prove ", it.prove);
    }

    // Proofs

    fn opt_proof(&mut self, depth: usize, proof: &Option<Proof>) {
        let Some(proof) = proof else { return };
        match &proof.kind {
            ProofKind::Obvious => self.line(depth, "obvious"),
            ProofKind::Omitted => self.line(depth, "omitted"),
            ProofKind::By(by) => self.by(depth, "by", by),
            ProofKind::Steps(steps) => {
                self.line(depth, "proof");
                for step in steps {
                    deep(|| self.step(depth + 1, step));
                }
            }
        }
    }

    fn by(&mut self, depth: usize, word: &str, by: &By) {
        self.line(
            depth,
            format_args!("{word}{}", if by.only { " only" } else { "" }),
        );
        for (role, facts) in [("", &by.facts), ("def ", &by.defs)] {
            for fact in facts {
                match fact {
                    Fact::Expr(expr) => self.expr(depth + 1, role, *expr),
                    Fact::Module(name) => self.line(depth + 1, format_args!("{role}module {}", name.name)),
                }
            }
        }
    }

    fn use_or_hide(&mut self, depth: usize, it: &Use) {
        self.by(depth, if it.hide { "hide" } else { "use" }, &it.by);
    }

    fn step(&mut self, depth: usize, step: &Step) {
        let name = opt_name(step.name);
        self.line(
            depth,
            format_args!("step {} of level {}{name}", step.token.name, step.level),
        );
        let below = depth + 1;
        match &step.kind {
            StepKind::Qed => self.line(below, "qed"),
            StepKind::Assert(expr) => self.expr(below, "", *expr),
            StepKind::Suffices(expr) => self.expr(below, "suffices ", *expr),
            StepKind::Case(expr) => self.expr(below, "case ", *expr),
            StepKind::Have(expr) => self.expr(below, "have ", *expr),
            StepKind::Take(binding) => self.binding(below, "take", binding),
            StepKind::Witness(exprs) => {
                self.line(below, "witness");
                self.exprs(below + 1, exprs);
            }
            StepKind::Pick { binding, body } => {
                self.binding(below, "pick", binding);
                self.expr(below, "such that ", *body);
            }
            StepKind::Use(it) => self.use_or_hide(below, it),
            StepKind::Define(units) => self.units(below, units),
            StepKind::Instance(it) => self.instance(below, it),
        }
        self.opt_proof(below, &step.proof);
    }

    fn binding(&mut self, depth: usize, word: &str, binding: &Binding) {
        match binding {
            Binding::Bounded(bounds) => {
                self.line(depth, word);
                self.bounds(depth + 1, bounds);
            }
            Binding::Unbounded(list) => self.line(depth, format_args!("{word} {}", names(list))),
        }
    }
}

fn selector(selector: Selector) -> String {
    match selector {
        Selector::Name(name) => name.to_string(),
        Selector::Index(index) => format!("part {index}"),
        Selector::First => "part <<".into(),
        Selector::Second => "part >>".into(),
        Selector::Body => "part :".into(),
        Selector::At => "part @".into(),
        Selector::Args => "part ( )".into(),
    }
}

fn quantifier(kind: Quant) -> &'static str {
    match kind {
        Quant::Forall => "\\A",
        Quant::Exists => "\\E",
        Quant::TemporalForall => "\\AA",
        Quant::TemporalExists => "\\EE",
    }
}

fn local(is_local: bool) -> &'static str {
    if is_local { "local " } else { "" }
}

fn opt_name(name: Option<Ident>) -> String {
    name.map_or(String::new(), |it| format!(" {}", it.name))
}

fn names(list: &[Ident]) -> String {
    list.iter()
        .map(|it| it.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

fn op_decl(decl: &OpDecl) -> String {
    match decl.arity {
        0 => decl.name.name.to_string(),
        arity => format!("{:?} {}/{arity}", decl.fixity, decl.name.name),
    }
}

fn op_decls(decls: &[OpDecl]) -> String {
    decls.iter().map(op_decl).collect::<Vec<_>>().join(", ")
}

fn params(fixity: Fixity, params: &[OpDecl]) -> String {
    match params {
        [] => String::new(),
        _ => format!(" {fixity:?} ({})", op_decls(params)),
    }
}

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Names(list) => names(list),
        Pattern::Tuple(list) => format!("<<{}>>", names(list)),
    }
}
