//! What a name means where it stands, and macros, which are names too.
//!
//! The order is the Analyzer's: locals hide macros, macros hide the rest, and the rest (sigs, functions, fields, with an
//! implied `this` or without) is a choice that types decide later.

use std::sync::Arc;

use alloy_syntax::ast::{self, Paragraph};
use diag::Diagnostic;
use source::Span;
use util::{FxHashMap, Symbol};

use crate::check::{Context, Place};
use crate::diagnostics as say;
use crate::ir::{FieldId, FunId, ModuleId, SigId};
use crate::load::LoadedFile;
use crate::node::{Bin, Kind, Meaning, N, Un};
use crate::resolver::{FunSource, Resolver, SigSource, builtin_sig};

/// Macros within macros; the deepest that the utility modules need is about half of this.
const MACRO_DEPTH_MAX: u32 = 40;
/// All expansions of a specification: two self-applications at each level would double it at each level.
const MACRO_EXPANSIONS_MAX: u32 = 100_000;

impl Context<'_> {
    fn local(&mut self, name: Symbol, span: Span) -> Option<N> {
        let node = *self.locals.get(&name)?.last()?;
        Some(match self.resolver.node(node).kind {
            Kind::Var(var) => {
                self.resolver.mark_used(var);
                self.resolver.moved(node, span)
            }
            Kind::Macro { .. } => node,
            // An argument of a macro that still waits for arguments of its own.
            _ if self.resolver.is_bad(node) => self.resolver.choice(span, vec![node], vec![Meaning::Local]),
            _ => node,
        })
    }

    pub fn name(&mut self, name: Symbol, span: Span) -> N {
        match self.opt_name(name, span) {
            Some(node) => node,
            None => self.unknown_name(name, span),
        }
    }

    fn opt_name(&mut self, name: Symbol, span: Span) -> Option<N> {
        if let Some(local) = self.local(name, span) {
            return Some(local);
        }
        match self.find_macro(name) {
            Ok(Some(id)) => return Some(self.expand(id, vec![], span)),
            Ok(None) => {}
            Err(diagnostic) => return Some(self.resolver.error(span, diagnostic(span))),
        }
        self.global(name, span, true)
    }

    pub fn at_name(&mut self, name: Symbol, span: Span) -> N {
        match self.global(name, span, false) {
            Some(node) => node,
            None => self.unknown_name(name, span),
        }
    }

    /// `b''` is the longest declared name of `b''`, `b'`, `b`; what primes are left are operators.
    pub fn primed_name(&mut self, base: Symbol, primes: u8, span: Span) -> N {
        for in_name in (0..=primes).rev() {
            let text = format!("{base}{}", "'".repeat(in_name as usize));
            if let Some(mut node) = self.opt_name(Symbol::new(&text), span) {
                for _ in in_name..primes {
                    node = self.resolver.unary(Un::Prime, span, node);
                }
                return node;
            }
        }
        let full = Symbol::new(&format!("{base}{}", "'".repeat(primes as usize)));
        self.unknown_name(full, span)
    }

    fn unknown_name(&mut self, name: Symbol, span: Span) -> N {
        if self.resolver.is_hopeless() {
            return self.resolver.silent_error(span); // looking for what was meant takes time
        }
        let diagnostic = self.name_not_found(name, span);
        self.resolver.error(span, diagnostic)
    }

    #[allow(clippy::type_complexity)]
    fn find_macro(&self, name: Symbol) -> Result<Option<usize>, Box<dyn Fn(Span) -> Diagnostic>> {
        let text = name.as_str();
        if text.contains('/') {
            let Some((module, last)) = self.resolver.follow_path(self.module, text) else {
                return Ok(None);
            };
            let found = self.resolver.graph.modules[module.index()]
                .macros
                .get(&Symbol::new(last))
                .copied();
            return Ok(found.filter(|&it| self.is_macro_visible(it)));
        }
        let modules = &self.resolver.graph.modules[self.module.index()].nameable;
        let found: Vec<usize> = modules
            .iter()
            .filter_map(|it| self.resolver.graph.modules[it.index()].macros.get(&name).copied())
            .filter(|&it| self.is_macro_visible(it))
            .collect();
        match found[..] {
            [] => Ok(None),
            [single] => Ok(Some(single)),
            _ => {
                let candidates: Vec<_> = found
                    .iter()
                    .map(|&it| (format!("macro {name}"), Some(self.resolver.macro_span(it))))
                    .collect();
                Err(Box::new(move |span| {
                    say::ambiguous_name(name.as_str(), span, &candidates)
                }))
            }
        }
    }

    fn is_macro_visible(&self, id: usize) -> bool {
        let data = &self.resolver.declared.macros[id];
        data.module == self.module || !self.resolver.macro_tree(id).is_private
    }

    /// What sigs, functions and fields a name may mean. With `implies_this`, fields of the sig at hand are those of
    /// `this`.
    fn global(&mut self, name: Symbol, span: Span, implies_this: bool) -> Option<N> {
        if let Some(sig) = builtin_sig(name.as_str()) {
            return Some(self.resolver.sig_node(span, sig));
        }
        if let Some(meta) = &self.resolver.declared.meta {
            let sig = match name.as_str() {
                "sig$" => meta.sig,
                "field$" => meta.field,
                _ => None,
            };
            if let Some(sig) = sig {
                return Some(self.resolver.sig_node(span, sig));
            }
        }
        let mut choices = vec![];
        let mut meanings = vec![];
        for sig in self.resolver.sig_candidates(self.module, name) {
            choices.push(self.resolver.sig_node(span, sig));
            meanings.push(Meaning::Sig(sig));
        }
        if self.may_call() {
            self.fun_choices(name, span, &mut choices, &mut meanings);
        }
        self.field_choices(name, span, implies_this, &mut choices, &mut meanings);
        (!choices.is_empty()).then(|| self.resolver.choice(span, choices, meanings))
    }

    fn may_call(&self) -> bool {
        !matches!(self.place, Place::Field { is_defined: false } | Place::Signature)
    }

    fn fun_choices(&mut self, name: Symbol, span: Span, choices: &mut Vec<N>, meanings: &mut Vec<Meaning>) {
        let this = self.this_node(span);
        for fun in self.resolver.fun_candidates(self.module, name) {
            let first_param = self.resolver.declared.funs[fun.index()]
                .params
                .first()
                .map(|it| it.1.clone());
            if let (Some(_), Some(this), Some(first)) = (self.sig, this, first_param) {
                let ty = self.resolver.ty(this);
                if ty.has_arity(1) && self.resolver.types.hierarchy.types_meet(&first, &ty) {
                    choices.push(self.resolver.call(span, fun, vec![this], 1));
                    meanings.push(Meaning::FunOfThis(fun));
                }
            }
            choices.push(self.resolver.call(span, fun, vec![], 0));
            meanings.push(Meaning::Fun(fun));
        }
    }

    fn this_node(&mut self, span: Span) -> Option<N> {
        let this = *self.locals.get(&Symbol::new("this"))?.last()?;
        if let Kind::Var(var) = self.resolver.node(this).kind {
            self.resolver.mark_used(var);
        }
        Some(self.resolver.moved(this, span))
    }

    fn field_choices(
        &mut self,
        name: Symbol,
        span: Span,
        implies_this: bool,
        choices: &mut Vec<N>,
        meanings: &mut Vec<Meaning>,
    ) {
        for field in self.resolver.field_candidates(self.module, name) {
            let owner = self.resolver.model.fields[field].sig;
            let is_meta = self.resolver.model.fields[field].is_meta;
            let ty = (*self.resolver.types.of_fields[field.index()]).clone();
            if ty.is_impossible() {
                choices.push(self.resolver.silent_error(span)); // its declaration is in error
                meanings.push(Meaning::Field(field));
                continue;
            }
            let is_declaration = matches!(self.place, Place::Field { .. });
            let node = match self.sig {
                _ if is_meta && is_declaration => continue,
                None => self.resolver.leaf(span, ty, Kind::Field(field)),
                _ if is_meta => self.resolver.leaf(span, ty, Kind::Field(field)),
                Some(sig) if self.resolver.is_same_or_below(sig, owner) => {
                    let node = self.resolver.leaf(span, ty, Kind::Field(field));
                    match implies_this.then(|| self.this_node(span)).flatten() {
                        Some(this) => self.resolver.binary(Bin::Join, span, this, node),
                        None => node,
                    }
                }
                _ if self.place == (Place::Field { is_defined: false }) => continue,
                _ => self.resolver.weighted_leaf(span, ty, Kind::Field(field), 1),
            };
            choices.push(node);
            meanings.push(Meaning::Field(field));
        }
    }

    fn name_not_found(&self, name: Symbol, span: Span) -> Diagnostic {
        let text = name.as_str();
        if text == "this" {
            return say::no_this(span);
        }
        if !self.may_call() && !self.resolver.fun_candidates(self.module, name).is_empty() {
            return say::call_in_declaration(text, span);
        }
        let mut known: Vec<&str> = vec![];
        let mut locals: Vec<_> = self
            .locals
            .iter()
            .filter(|it| !it.1.is_empty())
            .map(|it| it.0.as_str())
            .collect();
        locals.sort_unstable();
        known.extend(locals);
        for &module in &self.resolver.graph.modules[self.module.index()].nameable {
            let data = &self.resolver.graph.modules[module.index()];
            for &sig in &data.sig_list {
                let sig = &self.resolver.model.sigs[sig];
                known.push(sig.name.as_str());
                known.extend(
                    sig.fields
                        .iter()
                        .map(|&it| self.resolver.model.fields[it].name.as_str()),
                );
            }
            let mut names: Vec<_> = data
                .funs
                .keys()
                .chain(data.macros.keys())
                .map(|it| it.as_str())
                .collect();
            names.sort_unstable();
            known.extend(names);
        }
        let later = self.resolver.later_field(self.sig, name);
        let hidden = self.resolver.hidden(self.module, name);
        say::name_not_found(text, span, &known, later, hidden)
    }

    // ---- macros ----

    /// The macro with these arguments; expanded as soon as they are complete.
    pub fn expand(&mut self, id: usize, args: Vec<N>, span: Span) -> N {
        let tree = self.resolver.macro_tree(id);
        let n_params = tree.params.len();
        if args.len() < n_params {
            let diagnostic =
                say::macro_arguments(tree.name.text.as_str(), n_params, args.len(), span, tree.span);
            return self.resolver.partial_macro(span, id, args, diagnostic);
        }
        if self.resolver.n_expansions > MACRO_EXPANSIONS_MAX {
            return self.resolver.silent_error(span); // said once, and an end to it
        }
        self.resolver.n_expansions += 1;
        if self.macro_depth >= MACRO_DEPTH_MAX || self.resolver.n_expansions == MACRO_EXPANSIONS_MAX {
            self.resolver.n_expansions = MACRO_EXPANSIONS_MAX + 1;
            self.resolver
                .report(say::macro_too_deep(tree.name.text.as_str(), span, tree.span));
            return self.resolver.silent_error(span);
        }
        let mut locals: FxHashMap<Symbol, Vec<N>> = FxHashMap::default();
        for (param, arg) in tree.params.iter().zip(args) {
            let arg = match self.resolver.node(arg).kind {
                Kind::Macro { .. } => arg,
                _ => {
                    let ty = self.resolver.ty(arg);
                    let arg = self.resolver.resolve(arg, &ty, self.warns);
                    self.resolver.work.nodes[arg.index()].is_final = true;
                    arg
                }
            };
            locals.insert(param.text, vec![arg]);
        }
        let module = self.resolver.declared.macros[id].module;
        let file = self.resolver.graph.files[self.resolver.graph.modules[module.index()].file].clone();
        let mut inner = Context {
            resolver: self.resolver,
            module,
            file,
            place: Place::Body,
            sig: None,
            locals,
            macro_depth: self.macro_depth + 1,
            warns: self.warns,
        };
        inner.check(tree.body)
    }
}

impl Resolver {
    pub fn macro_tree(&self, id: usize) -> ast::Macro {
        let data = &self.declared.macros[id];
        let file = &self.graph.files[self.graph.modules[data.module.index()].file];
        match &file.tree.paragraphs[data.paragraph] {
            Paragraph::Macro(tree) => tree.clone(),
            _ => unreachable!("macros are made from such paragraphs"),
        }
    }

    fn macro_span(&self, id: usize) -> Span {
        self.macro_tree(id).span
    }

    /// The functions that a name may mean in a module.
    pub fn fun_candidates(&self, module: ModuleId, name: Symbol) -> Vec<FunId> {
        let text = name.as_str();
        let is_visible = |owner: ModuleId, fun: FunId| owner == module || !self.model.funs[fun].is_private;
        let visible_in = |owner: ModuleId, name: Symbol| -> Vec<FunId> {
            let funs = self.graph.modules[owner.index()].funs.get(&name);
            funs.into_iter()
                .flatten()
                .copied()
                .filter(|&it| is_visible(owner, it))
                .collect()
        };
        let (start, last) = match text.contains('/') {
            false => (module, name),
            true => match self.follow_path(module, text) {
                Some((start, last)) => {
                    let last = Symbol::new(last);
                    let own = visible_in(start, last);
                    if !own.is_empty() {
                        return own;
                    }
                    (start, last)
                }
                None => return vec![],
            },
        };
        self.graph.modules[start.index()]
            .nameable
            .iter()
            .flat_map(|&it| visible_in(it, last))
            .collect()
    }

    /// The fields of that name which a module can name, in order of modules and declarations.
    fn field_candidates(&self, module: ModuleId, name: Symbol) -> Vec<FieldId> {
        let Some(fields) = self.declared.fields_by_name.get(&name) else {
            return vec![];
        };
        let nameable = &self.graph.modules[module.index()].nameable;
        let mut found: Vec<_> = fields
            .iter()
            .filter_map(|&field| {
                let data = &self.model.fields[field];
                if data.is_meta {
                    return Some((usize::MAX, field));
                }
                let owner = self.model.sigs[data.sig].module;
                let rank = nameable.iter().position(|&it| it == owner)?;
                let is_hidden = owner != module && (data.is_private || self.model.sigs[data.sig].is_private);
                (!is_hidden).then_some((rank, field))
            })
            .collect();
        found.sort();
        found.into_iter().map(|it| it.1).collect()
    }

    /// A field of the sig that is declared, but only after the place at hand.
    fn later_field(&self, sig: Option<SigId>, name: Symbol) -> Option<Span> {
        let data = self.declared.sigs[sig?.index()];
        let SigSource::Sig { paragraph } = data.source else {
            return None;
        };
        let file = &self.graph.files[self.graph.modules[data.module.index()].file];
        let Paragraph::Sig(tree) = &file.tree.paragraphs[paragraph] else {
            return None;
        };
        tree.fields
            .iter()
            .flat_map(|it| &it.names)
            .find(|it| it.text == name)
            .map(|it| it.span)
    }

    /// Something private of that name in another module.
    fn hidden(&self, module: ModuleId, name: Symbol) -> Option<Span> {
        self.graph.modules[module.index()]
            .nameable
            .iter()
            .find_map(|owner| {
                let data = &self.graph.modules[owner.index()];
                let sig = data.sigs.get(&name).and_then(|&it| self.model.sigs[it].span);
                let fun = data.funs.get(&name).map(|it| self.model.funs[it[0]].span);
                let mut fields = data.sig_list.iter().flat_map(|&it| &self.model.sigs[it].fields);
                let field = fields.find(|&&it| self.model.fields[it].name == name);
                sig.or(fun).or(field.and_then(|&it| self.model.fields[it].span))
            })
    }

    /// The text of a function's declaration.
    pub fn fun_tree(&self, fun: FunId) -> (Arc<LoadedFile>, usize) {
        let data = &self.declared.funs[fun.index()];
        let file = self.graph.files[self.graph.modules[data.module.index()].file].clone();
        match data.source {
            FunSource::Fun { paragraph } | FunSource::Run { paragraph } => (file, paragraph),
        }
    }
}
