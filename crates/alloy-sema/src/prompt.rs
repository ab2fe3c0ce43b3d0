//! Expressions that a person types at a prompt, read in the light of a specification: all its names, and the names of
//! an instance's atoms and witnesses.

use std::sync::Arc;

use alloy_syntax::ast;
use diag::Diagnostic;
use source::Sources;
use util::Symbol;

use crate::Resolved;
use crate::check::{Context, Place};
use crate::ir::{self, ModuleId, Value, VarId};
use crate::load::LoadedFile;
use crate::resolver::Resolver;
use crate::types::Type;

impl Resolved {
    /// Makes a name known to later expressions, such as an atom `A$0`: it stands for the variable returned, which
    /// whoever evaluates the expression has to bind.
    pub fn bind(&mut self, name: &str, ty: &ir::Type) -> VarId {
        let ty = Type::of(
            ty.products
                .iter()
                .map(|it| it.iter().copied().collect())
                .collect(),
        );
        let name = Symbol::new(name);
        self.with_resolver(|resolver| {
            let var = resolver.add_var(name, None, &ty);
            resolver.mark_used(var);
            resolver.declared.globals.retain(|it| it.0 != name);
            resolver.declared.globals.push((name, var, ty));
            var
        })
    }

    /// Reads an expression of any sort. Its nodes are added to the model; `None` when it has errors.
    pub fn expression(&mut self, text: &str, sources: &mut Sources) -> (Option<Value>, Vec<Diagnostic>) {
        let id = sources.add("expression", text);
        let (exprs, expr, diagnostics) = alloy_syntax::parse_expr(id, text);
        let (Some(expr), false) = (expr, diagnostics.iter().any(|it| it.is_error())) else {
            return (None, diagnostics);
        };
        let file = LoadedFile {
            id,
            tree: ast::File {
                exprs,
                ..ast::File::default()
            },
            name: Symbol::new("expression"),
            path: String::new(),
            is_library: false,
            opens: vec![],
        };
        self.with_resolver(|resolver| resolver.expression(Arc::new(file), expr))
    }

    fn with_resolver<R>(&mut self, f: impl FnOnce(&mut Resolver) -> R) -> R {
        std::mem::swap(&mut self.resolver.model, &mut self.model);
        let result = f(&mut self.resolver);
        std::mem::swap(&mut self.resolver.model, &mut self.model);
        result
    }
}

impl Resolver {
    fn expression(&mut self, file: Arc<LoadedFile>, expr: ast::ExprId) -> (Option<Value>, Vec<Diagnostic>) {
        let n_nodes = self.work.nodes.len();
        self.start_anew();
        let said = std::mem::take(&mut self.reports.diagnostics);
        let globals: Vec<_> = self.declared.globals.clone();
        let span = file.tree.exprs[expr].span;
        let nodes: Vec<_> = globals
            .iter()
            .map(|(name, var, ty)| (*name, self.var_node(span, *var, ty)))
            .collect();
        let mut ctx = Context::new(self, ModuleId::new(0), Place::Body, None);
        ctx.read_from(file);
        for (name, node) in nodes {
            ctx.bind(name, node);
        }
        let n = ctx.any(expr);
        let value = match self.report_errors(n) {
            true => None,
            false => Some(self.value(n)),
        };
        self.work.forget(n_nodes);
        (value, std::mem::replace(&mut self.reports.diagnostics, said))
    }
}
