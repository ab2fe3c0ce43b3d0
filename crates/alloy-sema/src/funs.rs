//! Functions, predicates, macros, facts and assertions.

use std::sync::Arc;

use alloy_syntax::ast::{self, Paragraph, Target};
use source::Span;
use util::Symbol;

use crate::check::{Context, Place};
use crate::diagnostics as say;
use crate::ir::{Assert, Decl, Fact, FactOrigin, FormulaKind, Fun, FunBody, FunId, ModuleId, Mult, SigId};
use crate::node::{HasMult, N, Un};
use crate::resolver::{AssertData, FunData, FunSource, MacroData, ParamDecl, Resolver, SigSource};
use crate::types::Type;

impl Resolver {
    // ---- names ----

    /// Enters the functions, macros and assertions of all modules into their tables.
    pub fn declare_paragraphs(&mut self) {
        for module in 0..self.graph.modules.len() {
            let id = ModuleId::new(module as u32);
            let file = self.graph.files[self.graph.modules[module].file].clone();
            let mut n_commands = 0;
            let mut n_asserts = 0;
            for (i, paragraph) in file.tree.paragraphs.iter().enumerate() {
                match paragraph {
                    Paragraph::Fun(tree) => {
                        let source = FunSource::Fun { paragraph: i };
                        self.declare_fun(id, tree.name.text, tree.name.span, tree.result.is_none(), source);
                        let fun = FunId::new(self.declared.funs.len() as u32 - 1);
                        self.model.funs[fun].is_private = tree.is_private;
                    }
                    Paragraph::Macro(tree) => self.declare_macro(id, tree, i),
                    Paragraph::Assert(tree) => {
                        n_asserts += 1;
                        let name = tree
                            .name
                            .map_or_else(|| Symbol::new(&format!("assert${n_asserts}")), |it| it.text);
                        self.declare_assert(id, name, tree.body, tree.span);
                    }
                    Paragraph::Command(tree) => {
                        n_commands += 1;
                        if let Target::Block(body) = tree.target {
                            if tree.is_check {
                                let name = Symbol::new(&format!("check${n_commands}"));
                                self.declare_assert(id, name, body, tree.span);
                            } else {
                                let name = Symbol::new(&format!("run${n_commands}"));
                                let source = FunSource::Run { paragraph: i };
                                self.declare_fun(id, name, tree.span, true, source);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn declare_fun(&mut self, module: ModuleId, name: Symbol, span: Span, is_pred: bool, source: FunSource) {
        let placeholder = self.add_formula(span, FormulaKind::True);
        let fun = self.model.funs.alloc(Fun {
            name,
            label: self.label(module, name),
            module,
            span,
            params: vec![],
            body: FunBody::Pred(placeholder),
            is_private: false,
            is_recursive: false,
        });
        self.declared.funs.push(FunData {
            module,
            source,
            is_pred,
            params: vec![],
            decls: vec![],
            result: None,
            result_type: Arc::new(Type::formula()),
            is_declared: false,
            is_bad: false,
        });
        self.graph.modules[module.index()]
            .funs
            .entry(name)
            .or_default()
            .push(fun);
    }

    fn label(&self, module: ModuleId, name: Symbol) -> Symbol {
        let path = self.graph.modules[module.index()].path.as_str();
        let prefix = if path.is_empty() { "this" } else { path };
        Symbol::new(&format!("{prefix}/{name}"))
    }

    fn declare_macro(&mut self, module: ModuleId, tree: &ast::Macro, paragraph: usize) {
        let mut seen: Vec<ast::Name> = vec![];
        for param in &tree.params {
            if let Some(first) = seen.iter().find(|it| it.text == param.text) {
                self.report(say::duplicate_parameter(
                    param.text.as_str(),
                    param.span,
                    first.span,
                ));
            }
            seen.push(*param);
        }
        self.declared.macros.push(MacroData { module, paragraph });
        let id = self.declared.macros.len() - 1;
        if let Some(&first) = self.graph.modules[module.index()].macros.get(&tree.name.text) {
            let first = self.macro_tree(first).name.span;
            self.report(say::duplicate_macro(
                tree.name.text.as_str(),
                tree.name.span,
                first,
            ));
        } else {
            self.graph.modules[module.index()]
                .macros
                .insert(tree.name.text, id);
        }
    }

    fn declare_assert(&mut self, module: ModuleId, name: Symbol, body: ast::ExprId, span: Span) {
        if let Some(&first) = self.graph.modules[module.index()].asserts.get(&name) {
            let first = self.declared.asserts[first].span;
            self.report(say::duplicate_assert(name.as_str(), span, first));
            return;
        }
        self.declared.asserts.push(AssertData {
            module,
            name,
            body,
            span,
            index: 0,
        });
        self.graph.modules[module.index()]
            .asserts
            .insert(name, self.declared.asserts.len() - 1);
    }

    // ---- parameters and results ----

    pub fn resolve_fun_declarations(&mut self) {
        for fun in 0..self.declared.funs.len() {
            let fun = FunId::new(fun as u32);
            let (file, paragraph) = self.fun_tree(fun);
            match &file.tree.paragraphs[paragraph] {
                Paragraph::Fun(tree) => self.resolve_fun_declaration(fun, tree),
                _ => self.declared.funs[fun.index()].is_declared = true,
            }
        }
    }

    fn resolve_fun_declaration(&mut self, fun: FunId, tree: &ast::Fun) {
        let module = self.declared.funs[fun.index()].module;
        let mut ctx = Context::new(self, module, Place::Signature, None);
        let mut decls: Vec<ParamDecl> = vec![];
        let mut params = vec![];
        let mut is_bad = false;
        if let Some(receiver) = tree.receiver {
            let bound = ctx.receiver(receiver);
            let this = ast::Name {
                text: Resolver::this_symbol(),
                span: receiver.span,
            };
            is_bad |= ctx.parameters(&[this], false, bound, &mut decls, &mut params);
        }
        for decl in &tree.params {
            let bound = ctx.set(decl.bound);
            let is_disj = decl.disj.is_some() && decl.names.len() > 1;
            is_bad |= ctx.parameters(&decl.names, is_disj, bound, &mut decls, &mut params);
        }
        let result = tree.result.map(|it| {
            let result = ctx.set(it);
            ctx.resolver.one_by_default(result)
        });
        if let Some(result) = result {
            is_bad |= self.report_errors(result);
            self.declared.funs[fun.index()].result_type = self.ty(result);
            if !self.is_bad(result) && self.ty(result).arity().is_none() {
                self.report(say::unclear_arity(
                    &self.show_type(&self.ty(result)),
                    self.span(result),
                ));
                is_bad = true;
            }
        }
        let mut seen: Vec<ast::Name> = vec![];
        for name in tree.params.iter().flat_map(|it| &it.names) {
            if let Some(first) = seen.iter().find(|it| it.text == name.text) {
                self.report(say::duplicate_parameter(
                    name.text.as_str(),
                    name.span,
                    first.span,
                ));
            }
            seen.push(*name);
        }
        let data = &mut self.declared.funs[fun.index()];
        data.decls = decls.clone();
        data.params = params;
        data.result = result;
        data.is_declared = true;
        data.is_bad = is_bad;
        if !is_bad {
            self.model.funs[fun].params = decls
                .iter()
                .map(|it| Decl {
                    vars: it.vars.clone(),
                    is_disj: it.is_disj,
                    bound: self.bound(it.bound),
                })
                .collect();
        }
        self.work.decided.clear();
        self.work.elaborated.clear();
    }

    /// A unary bound without multiplicity means one element.
    pub fn one_by_default(&mut self, bound: N) -> N {
        let is_plain = self.node(bound).mult == HasMult::No && self.ty(bound).arity() == Some(1);
        if is_plain {
            self.unary(Un::OneOf, self.span(bound), bound)
        } else {
            bound
        }
    }

    // ---- bodies ----

    pub fn resolve_fun_bodies(&mut self, module: ModuleId) {
        for fun in 0..self.declared.funs.len() {
            let fun = FunId::new(fun as u32);
            if self.declared.funs[fun.index()].module == module {
                self.resolve_fun_body(fun);
            }
        }
    }

    fn resolve_fun_body(&mut self, fun: FunId) {
        let n_nodes = self.work.nodes.len();
        let (file, paragraph) = self.fun_tree(fun);
        let body = match &file.tree.paragraphs[paragraph] {
            Paragraph::Fun(tree) => tree.body,
            Paragraph::Command(ast::Command {
                target: Target::Block(body),
                ..
            }) => *body,
            _ => unreachable!("functions are made from such paragraphs"),
        };
        let params = self.declared.funs[fun.index()].params.clone();
        let module = self.declared.funs[fun.index()].module;
        let is_pred = self.declared.funs[fun.index()].is_pred;
        let mut nodes = vec![];
        for (var, ty) in &params {
            let (name, span) = (self.model.vars[*var].name, self.model.vars[*var].span);
            let span = span.unwrap_or(self.model.funs[fun].span);
            let node = match ty.is_impossible() {
                true => self.silent_error(span),
                false => self.var_node(span, *var, ty),
            };
            nodes.push((name, node));
        }
        let mut ctx = Context::new(self, module, Place::Body, None);
        for (name, node) in nodes {
            ctx.bind(name, node);
        }
        if is_pred {
            let formula = ctx.finished_formula(body);
            if let (Some(formula), false) = (formula, self.declared.funs[fun.index()].is_bad) {
                self.model.funs[fun].body = FunBody::Pred(formula);
            }
        } else {
            let checked = ctx.set(body);
            let warns = ctx.warns;
            if !self.report_errors(checked) && !self.declared.funs[fun.index()].is_bad {
                self.finish_fun_body(fun, checked, warns);
            }
        }
        self.work.forget(n_nodes);
    }

    fn finish_fun_body(&mut self, fun: FunId, body: N, warns: bool) {
        let (ty, declared) = (self.ty(body), self.declared.funs[fun.index()].result_type.clone());
        let result = self.declared.funs[fun.index()]
            .result
            .expect("functions have results");
        let span = self.span(body);
        if ty.arity().is_none() || ty.arity() != declared.arity() {
            let (ty, declared) = (self.show_type(&ty), self.show_type(&declared));
            self.report(say::result_arity(&ty, span, &declared, self.span(result)));
            return;
        }
        if warns && ty.has_tuple() && declared.has_tuple() && !self.types.hierarchy.types_meet(&ty, &declared)
        {
            let (ty, declared) = (self.show_type(&ty), self.show_type(&declared));
            self.report(say::result_disjoint(&ty, span, &declared, self.span(result)));
        }
        let expr = self.elaborate(body);
        let result = self.bound(result);
        self.model.funs[fun].body = FunBody::Fun { result, body: expr };
    }

    pub fn resolve_asserts(&mut self, module: ModuleId) {
        for i in 0..self.declared.asserts.len() {
            let AssertData {
                module: owner,
                name,
                body,
                span,
                ..
            } = self.declared.asserts[i];
            if owner != module {
                continue;
            }
            let formula = Context::new(self, module, Place::Body, None).finished_formula(body);
            let formula = formula.unwrap_or_else(|| self.add_formula(span, FormulaKind::True));
            self.declared.asserts[i].index = self.model.asserts.len();
            self.model.asserts.push(Assert {
                name,
                module,
                span,
                formula,
            });
        }
    }

    pub fn resolve_facts(&mut self, module: ModuleId) {
        let file = self.graph.files[self.graph.modules[module.index()].file].clone();
        let mut n_facts = 0;
        for paragraph in &file.tree.paragraphs {
            let Paragraph::Fact(tree) = paragraph else {
                continue;
            };
            n_facts += 1;
            let name = tree
                .name
                .map_or_else(|| Symbol::new(&format!("fact${n_facts}")), |it| it.text);
            let formula = Context::new(self, module, Place::Body, None).finished_formula(tree.body);
            if let Some(formula) = formula {
                self.model.facts.push(Fact {
                    origin: FactOrigin::Fact(name),
                    span: tree.span,
                    formula,
                });
            }
        }
        for sig in self.graph.modules[module.index()].sig_list.clone() {
            self.resolve_appended_facts(module, sig);
        }
    }

    fn resolve_appended_facts(&mut self, module: ModuleId, sig: SigId) {
        let SigSource::Sig { paragraph } = self.declared.sigs[sig.index()].source else {
            return;
        };
        let file = self.graph.files[self.graph.modules[module.index()].file].clone();
        let Paragraph::Sig(tree) = &file.tree.paragraphs[paragraph] else {
            return;
        };
        let Some(facts) = tree.facts else { return };
        let n_nodes = self.work.nodes.len();
        let span = file.tree.exprs[facts].span;
        let is_one = self.model.sigs[sig].mult == Mult::One;
        let this = self.this_of(sig);
        let this_node = match is_one {
            true => self.sig_node(span, sig),
            false => {
                let ty = self.types.of_sigs[sig.index()].clone();
                self.var_node(span, this, &ty)
            }
        };
        let mut ctx = Context::new(self, module, Place::Body, Some(sig));
        ctx.bind(Resolver::this_symbol(), this_node);
        if let Some(body) = ctx.finished_formula(facts) {
            let formula = if is_one {
                body
            } else {
                self.for_all(sig, vec![this], body, span)
            };
            self.model.facts.push(Fact {
                origin: FactOrigin::Appended(sig),
                span,
                formula,
            });
        }
        self.work.forget(n_nodes);
    }
}

impl Context<'_> {
    /// The bound of a receiver: the sig of that name.
    fn receiver(&mut self, name: ast::Name) -> N {
        let node = self.name(name.text, name.span);
        self.resolver.resolve_as_set(node, self.warns)
    }

    /// Declares parameters of one bound; true if the bound is wrong.
    fn parameters(
        &mut self,
        names: &[ast::Name],
        is_disj: bool,
        bound: N,
        decls: &mut Vec<ParamDecl>,
        params: &mut Vec<(crate::ir::VarId, Arc<Type>)>,
    ) -> bool {
        let bound = self.resolver.one_by_default(bound);
        let mut is_bad = self.resolver.report_errors(bound);
        let ty = self.resolver.ty(bound);
        if !is_bad && ty.arity().is_none() {
            let diagnostic = say::unclear_arity(&self.resolver.show_type(&ty), self.resolver.span(bound));
            self.resolver.report(diagnostic);
            is_bad = true;
        }
        let mut vars = vec![];
        for name in names {
            let var = self.resolver.add_var(name.text, Some(name.span), &ty);
            self.resolver.mark_used(var);
            let node = match is_bad {
                true => self.resolver.silent_error(name.span),
                false => self.resolver.var_node(name.span, var, &ty),
            };
            self.bind(name.text, node);
            vars.push(var);
            params.push((var, ty.clone()));
        }
        decls.push(ParamDecl { vars, is_disj, bound });
        is_bad
    }
}
