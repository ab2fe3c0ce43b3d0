//! Walking the IR: what a formula mentions, directly or through the functions it calls.

use util::{FxHashSet, Symbol, deep};

use crate::ir::{
    Bound, BoundKind, Decl, ExprId, ExprKind, FormulaId, FormulaKind, FunBody, FunId, IntId, IntKind, Model,
    UnaryOp, Value,
};

/// A node of any sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AnyId {
    Formula(FormulaId),
    Expr(ExprId),
    Int(IntId),
}

impl From<Value> for AnyId {
    fn from(value: Value) -> AnyId {
        match value {
            Value::Formula(it) => AnyId::Formula(it),
            Value::Expr(it) => AnyId::Expr(it),
            Value::Int(it) => AnyId::Int(it),
        }
    }
}

impl Bound {
    /// Calls `f` on each expression in the bound, its own included.
    pub fn for_each_expr(&self, f: &mut dyn FnMut(ExprId)) {
        f(self.expr);
        match &self.kind {
            BoundKind::Of(_) | BoundKind::Exactly => {}
            BoundKind::Arrow { left, right, .. } => {
                deep(|| left.for_each_expr(f));
                deep(|| right.for_each_expr(f));
            }
            BoundKind::Seq { elem } => deep(|| elem.for_each_expr(f)),
        }
    }
}

impl Model {
    /// Calls `f` on each direct child, the bounds of declarations included; not on the bodies of called functions.
    pub fn for_each_child(&self, node: AnyId, f: &mut dyn FnMut(AnyId)) {
        match node {
            AnyId::Formula(it) => self.children_of_formula(it, f),
            AnyId::Expr(it) => self.children_of_expr(it, f),
            AnyId::Int(it) => self.children_of_int(it, f),
        }
    }

    fn children_of_formula(&self, id: FormulaId, f: &mut dyn FnMut(AnyId)) {
        match &self.formulas[id].kind {
            FormulaKind::True | FormulaKind::False | FormulaKind::Var(_) => {}
            FormulaKind::Not(a) | FormulaKind::Temporal(_, a) => f(AnyId::Formula(*a)),
            FormulaKind::And(items) | FormulaKind::Or(items) => {
                items.iter().for_each(|&it| f(AnyId::Formula(it)));
            }
            FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) | FormulaKind::Temporal2(_, a, b) => {
                f(AnyId::Formula(*a));
                f(AnyId::Formula(*b));
            }
            FormulaKind::If(a, b, c) => [a, b, c].into_iter().for_each(|&it| f(AnyId::Formula(it))),
            FormulaKind::In(a, b) | FormulaKind::Equal(a, b) => {
                f(AnyId::Expr(*a));
                f(AnyId::Expr(*b));
            }
            FormulaKind::InBound(a, bound) => {
                f(AnyId::Expr(*a));
                bound.for_each_expr(&mut |it| f(AnyId::Expr(it)));
            }
            FormulaKind::Compare(_, a, b) => {
                f(AnyId::Int(*a));
                f(AnyId::Int(*b));
            }
            FormulaKind::Count(_, a) => f(AnyId::Expr(*a)),
            FormulaKind::Disjoint(items) | FormulaKind::Call { args: items, .. } => {
                items.iter().for_each(|&it| f(AnyId::Expr(it)));
            }
            FormulaKind::TotalOrder { elem, first, next } => {
                [elem, first, next].into_iter().for_each(|&it| f(AnyId::Expr(it)));
            }
            FormulaKind::Quantified { decls, body, .. } => {
                children_of_decls(decls, f);
                f(AnyId::Formula(*body));
            }
            FormulaKind::Let { value, body, .. } => {
                f((*value).into());
                f(AnyId::Formula(*body));
            }
        }
    }

    fn children_of_expr(&self, id: ExprId, f: &mut dyn FnMut(AnyId)) {
        match &self.exprs[id].kind {
            ExprKind::Univ
            | ExprKind::Iden
            | ExprKind::None
            | ExprKind::Sig(_)
            | ExprKind::Field(_)
            | ExprKind::Var(_)
            | ExprKind::String(_)
            | ExprKind::IntNext => {}
            ExprKind::FromInt(a) => f(AnyId::Int(*a)),
            ExprKind::Unary(_, a) => f(AnyId::Expr(*a)),
            ExprKind::Binary(_, a, b) => {
                f(AnyId::Expr(*a));
                f(AnyId::Expr(*b));
            }
            ExprKind::If(a, b, c) => {
                f(AnyId::Formula(*a));
                f(AnyId::Expr(*b));
                f(AnyId::Expr(*c));
            }
            ExprKind::Let { value, body, .. } => {
                f((*value).into());
                f(AnyId::Expr(*body));
            }
            ExprKind::Call { args, .. } => args.iter().for_each(|&it| f(AnyId::Expr(it))),
            ExprKind::Comprehension { decls, body } => {
                children_of_decls(decls, f);
                f(AnyId::Formula(*body));
            }
        }
    }

    fn children_of_int(&self, id: IntId, f: &mut dyn FnMut(AnyId)) {
        match &self.ints[id].kind {
            IntKind::Const(_) | IntKind::Min | IntKind::Max | IntKind::Var(_) => {}
            IntKind::Card(a) | IntKind::Sum(a) => f(AnyId::Expr(*a)),
            IntKind::SumOver { decls, body } => {
                children_of_decls(decls, f);
                f(AnyId::Int(*body));
            }
            IntKind::Binary(_, a, b) => {
                f(AnyId::Int(*a));
                f(AnyId::Int(*b));
            }
            IntKind::If(a, b, c) => {
                f(AnyId::Formula(*a));
                f(AnyId::Int(*b));
                f(AnyId::Int(*c));
            }
            IntKind::Let { value, body, .. } => {
                f((*value).into());
                f(AnyId::Int(*body));
            }
        }
    }

    /// The function that a node calls, if it is a call.
    pub fn called(&self, node: AnyId) -> Option<FunId> {
        match node {
            AnyId::Formula(it) => match self.formulas[it].kind {
                FormulaKind::Call { fun, .. } => Some(fun),
                _ => None,
            },
            AnyId::Expr(it) => match self.exprs[it].kind {
                ExprKind::Call { fun, .. } => Some(fun),
                _ => None,
            },
            AnyId::Int(_) => None,
        }
    }

    /// The body of a function.
    pub fn body(&self, fun: FunId) -> AnyId {
        match self.funs[fun].body {
            FunBody::Pred(body) => AnyId::Formula(body),
            FunBody::Fun { body, .. } => AnyId::Expr(body),
        }
    }

    /// Calls `f` once on each node below `roots`, these included, and in the bodies of functions called from there.
    /// Stops early when `f` returns false.
    pub fn walk(&self, roots: impl IntoIterator<Item = AnyId>, f: &mut dyn FnMut(AnyId) -> bool) {
        let mut stack: Vec<AnyId> = roots.into_iter().collect();
        stack.reverse();
        let mut seen: FxHashSet<AnyId> = FxHashSet::default();
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            if !f(node) {
                return;
            }
            let from = stack.len();
            self.for_each_child(node, &mut |child| stack.push(child));
            stack.extend(self.called(node).map(|fun| self.body(fun)));
            stack[from..].reverse();
        }
    }

    /// Does something vary with time at all?
    pub fn has_variables(&self) -> bool {
        self.sigs.iter().any(|(_, it)| it.is_var) || self.fields.iter().any(|(_, it)| it.is_var)
    }

    /// Does something in it depend on the state: a variable sig or field, a temporal operator?
    pub fn is_dynamic(&self, formula: FormulaId) -> bool {
        let has_variable_sig = self.sigs.iter().any(|(_, it)| it.is_var);
        self.mentions(formula, |model, node| {
            model.is_temporal_node(node) || model.is_variable(node, has_variable_sig)
        })
    }

    /// Is there a temporal operator in it?
    pub fn has_temporal(&self, formula: FormulaId) -> bool {
        self.mentions(formula, |model, node| model.is_temporal_node(node))
    }

    /// Does a temporal operator occur anywhere?
    pub fn has_temporal_nodes(&self) -> bool {
        let formulas = self.formulas.iter().map(|it| AnyId::Formula(it.0));
        let exprs = self.exprs.iter().map(|it| AnyId::Expr(it.0));
        formulas.chain(exprs).any(|it| self.is_temporal_node(it))
    }

    fn mentions(&self, formula: FormulaId, is_it: impl Fn(&Model, AnyId) -> bool) -> bool {
        let mut found = false;
        self.walk([AnyId::Formula(formula)], &mut |node| {
            found |= is_it(self, node);
            !found
        });
        found
    }

    fn is_temporal_node(&self, node: AnyId) -> bool {
        match node {
            AnyId::Formula(it) => matches!(
                self.formulas[it].kind,
                FormulaKind::Temporal(..) | FormulaKind::Temporal2(..)
            ),
            AnyId::Expr(it) => matches!(self.exprs[it].kind, ExprKind::Unary(UnaryOp::Prime, _)),
            AnyId::Int(_) => false,
        }
    }

    fn is_variable(&self, node: AnyId, has_variable_sig: bool) -> bool {
        match node {
            AnyId::Expr(it) => match self.exprs[it].kind {
                ExprKind::Sig(sig) => self.sigs[sig].is_var,
                ExprKind::Field(field) => self.fields[field].is_var,
                // The atoms of a state are those that some sig holds in it.
                ExprKind::Univ | ExprKind::Iden => has_variable_sig,
                _ => false,
            },
            _ => false,
        }
    }

    /// The string literals below `roots`, in order of appearance.
    pub fn strings(&self, roots: impl IntoIterator<Item = AnyId>) -> Vec<Symbol> {
        let mut found = vec![];
        self.walk(roots, &mut |node| {
            if let AnyId::Expr(it) = node
                && let ExprKind::String(text) = self.exprs[it].kind
                && !found.contains(&text)
            {
                found.push(text);
            }
            true
        });
        found
    }

    /// The functions called below `roots`, directly or not.
    pub fn funs_called(&self, roots: impl IntoIterator<Item = AnyId>) -> Vec<FunId> {
        let mut found = vec![];
        let mut seen = FxHashSet::default();
        self.walk(roots, &mut |node| {
            if let Some(fun) = self.called(node)
                && seen.insert(fun)
            {
                found.push(fun);
            }
            true
        });
        found
    }

    /// The functions that one calls itself.
    pub fn funs_called_by(&self, fun: FunId) -> Vec<FunId> {
        let mut found = vec![];
        let mut stack = vec![self.body(fun)];
        let mut seen: FxHashSet<AnyId> = FxHashSet::default();
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                found.extend(self.called(node).filter(|it| !found.contains(it)));
                self.for_each_child(node, &mut |child| stack.push(child));
            }
        }
        found.sort();
        found
    }
}

fn children_of_decls(decls: &[Decl], f: &mut dyn FnMut(AnyId)) {
    for decl in decls {
        decl.bound.for_each_expr(&mut |it| f(AnyId::Expr(it)));
    }
}
