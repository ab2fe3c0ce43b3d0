//! All modules of a specification, instantiated: who declares what, and who can name it.
//!
//! A file that is opened with the same arguments by two modules is one module; with different arguments, several.
//! Arguments may name sigs of modules that are only reached through other opens, so opens are followed as soon as
//! their arguments are known, until nothing changes.

use std::sync::Arc;

use alloy_syntax::ast::{self, Paragraph};
use diag::Diagnostic;
use source::Span;
use util::{FxHashMap, FxHashSet, Symbol, deep};

use crate::commands::OfFacts;
use crate::diagnostics as say;
use crate::ir::{self, FieldId, FunId, Model, ModuleId, Mult, SigId, SigKind, VarId, builtin};
use crate::load::{FileIdx, Loaded, LoadedFile};
use crate::node::{N, Node};
use crate::types::{Hierarchy, Type};

/// More instances than this come from files that double at each level, by mistake or ill will.
const MODULES_MAX: usize = 2_000;

/// As many errors are reported, and as many warnings.
const REPORTS_MAX: usize = 200;

/// Reads a specification: the model it builds, and what it knows besides.
#[derive(Clone)]
pub(crate) struct Resolver {
    pub model: Model,
    pub graph: ModuleGraph,
    pub types: Types,
    pub declared: Declared,
    pub work: Work,
    pub reports: Reports,
    /// Indexed by variable.
    used: Vec<bool>,
    /// Macros expanded so far.
    pub n_expansions: u32,
    /// Found when the first command asks.
    pub of_facts: Option<OfFacts>,
}

/// The modules, each an instance of a file.
#[derive(Clone)]
pub(crate) struct ModuleGraph {
    pub files: Vec<Arc<LoadedFile>>,
    pub modules: Vec<ModuleData>,
}

/// The types of what is declared, and those that many expressions have.
#[derive(Clone)]
pub(crate) struct Types {
    pub hierarchy: Hierarchy,
    /// Indexed by sig.
    pub of_sigs: Vec<Arc<Type>>,
    /// Indexed by field.
    pub of_fields: Vec<Arc<Type>>,
    pub none: Arc<Type>,
    pub formula: Arc<Type>,
    pub int: Arc<Type>,
}

/// What is declared, and where.
#[derive(Clone, Default)]
pub(crate) struct Declared {
    /// Indexed by sig.
    pub sigs: Vec<SigData>,
    pub fields_by_name: FxHashMap<Symbol, Vec<FieldId>>,
    pub funs: Vec<FunData>,
    pub macros: Vec<MacroData>,
    pub asserts: Vec<AssertData>,
    /// Sigs whose scope is exact because a module declares its parameter so.
    pub exact_sigs: Vec<SigId>,
    /// The variable `this` of each sig that needs one.
    pub this_vars: FxHashMap<SigId, VarId>,
    pub meta: Option<MetaSigs>,
    /// Names that come from outside: atoms of an instance.
    pub globals: Vec<(Symbol, VarId, Type)>,
}

/// Expressions at work; those of declarations stay, those of bodies are dropped when they are done.
#[derive(Clone, Default)]
pub(crate) struct Work {
    pub nodes: Vec<Node>,
    /// Decided overloads, for as long as the nodes live.
    pub decided: FxHashMap<(N, Type, bool), N>,
    /// Relations already elaborated, likewise: a node may be used more than once.
    pub elaborated: FxHashMap<N, ir::ExprId>,
}

impl Work {
    /// Forgets all nodes made since there were `n_nodes`.
    pub fn forget(&mut self, n_nodes: usize) {
        self.nodes.truncate(n_nodes);
        // Both speak of nodes by number, and the numbers come again.
        self.decided.clear();
        self.elaborated.clear();
    }
}

/// What is told about the specification: each problem once, and not more than anyone would read.
#[derive(Clone, Default)]
pub(crate) struct Reports {
    pub diagnostics: Vec<Diagnostic>,
    n_errors: usize,
    n_warnings: usize,
    /// What was said already.
    reported: FxHashSet<(&'static str, Option<Span>, String)>,
}

impl Reports {
    /// A text may be read several times (in macros, for several instances): what is wrong with it is the same then.
    fn add(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.is_error() {
            true => &mut self.n_errors,
            false => &mut self.n_warnings,
        };
        if *count >= REPORTS_MAX {
            return;
        }
        let key = (diagnostic.code, diagnostic.span(), diagnostic.title.clone());
        if self.reported.insert(key) {
            *count += 1;
            self.diagnostics.push(diagnostic);
            if self.n_errors == REPORTS_MAX {
                self.n_errors += 1;
                self.diagnostics.push(say::too_many_errors(REPORTS_MAX));
            }
        }
    }

    /// Forgets limits that were reached: what comes now is read for itself.
    fn start_anew(&mut self) {
        *self = Reports {
            diagnostics: std::mem::take(&mut self.diagnostics),
            ..Reports::default()
        };
    }
}

#[derive(Clone)]
pub(crate) struct ModuleData {
    pub file: FileIdx,
    pub params: Vec<(Symbol, SigId)>,
    pub opens: Vec<OpenLink>,
    pub sigs: FxHashMap<Symbol, SigId>,
    /// In order of declaration.
    pub sig_list: Vec<SigId>,
    pub funs: FxHashMap<Symbol, Vec<FunId>>,
    pub macros: FxHashMap<Symbol, usize>,
    pub asserts: FxHashMap<Symbol, usize>,
    /// This module and those whose names it can use without a path. Filled when all opens are linked.
    pub nameable: Vec<ModuleId>,
    pub path: Symbol,
}

#[derive(Clone)]
pub(crate) struct OpenLink {
    pub alias: Symbol,
    pub is_private: bool,
    /// The index of the edge in the file's list of opens.
    pub edge: usize,
    pub target: Option<ModuleId>,
}

/// Where a sig was declared: its paragraph, and which of the names.
#[derive(Clone, Copy)]
pub(crate) struct SigData {
    pub module: ModuleId,
    pub source: SigSource,
}

#[derive(Clone, Copy)]
pub(crate) enum SigSource {
    None,
    Sig {
        paragraph: usize,
    },
    /// The enumeration itself.
    Enum,
    /// One of its atoms.
    EnumAtom {
        of: SigId,
    },
}

#[derive(Clone)]
pub(crate) struct FunData {
    pub module: ModuleId,
    pub source: FunSource,
    pub is_pred: bool,
    /// One for each parameter.
    pub params: Vec<(VarId, Arc<Type>)>,
    /// The checked declarations and result, for commands and for the types of calls.
    pub decls: Vec<ParamDecl>,
    pub result: Option<N>,
    pub result_type: Arc<Type>,
    /// Its parameters are known.
    pub is_declared: bool,
    /// Its declaration or body has errors: uses of it stay silent.
    pub is_bad: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum FunSource {
    /// A paragraph `pred` or `fun`.
    Fun { paragraph: usize },
    /// The block of a `run` command.
    Run { paragraph: usize },
}

#[derive(Clone)]
pub(crate) struct ParamDecl {
    pub vars: Vec<VarId>,
    pub is_disj: bool,
    pub bound: N,
}

#[derive(Clone)]
pub(crate) struct MacroData {
    pub module: ModuleId,
    pub paragraph: usize,
}

#[derive(Clone)]
pub(crate) struct AssertData {
    pub module: ModuleId,
    pub name: Symbol,
    pub body: ast::ExprId,
    pub span: Span,
    /// Its place in [`Model::asserts`], once it is there.
    pub index: usize,
}

/// The sigs that reflect the model, when it speaks of them.
#[derive(Clone, Default)]
pub(crate) struct MetaSigs {
    pub sig: Option<SigId>,
    pub field: Option<SigId>,
    pub sig_atoms: Vec<SigId>,
    pub field_atoms: Vec<SigId>,
}

impl Resolver {
    pub fn new(loaded: Loaded) -> Resolver {
        let mut resolver = Resolver {
            model: Model::default(),
            graph: ModuleGraph {
                files: loaded.files,
                modules: vec![],
            },
            types: Types {
                hierarchy: Hierarchy::default(),
                of_sigs: vec![],
                of_fields: vec![],
                none: Arc::default(),
                formula: Arc::new(Type::formula()),
                int: Arc::new(Type::small_int()),
            },
            declared: Declared::default(),
            work: Work::default(),
            reports: Reports {
                diagnostics: loaded.diagnostics,
                ..Reports::default()
            },
            used: vec![],
            n_expansions: 0,
            of_facts: None,
        };
        resolver.add_builtins();
        resolver.instantiate_all();
        resolver
    }

    fn add_builtins(&mut self) {
        let univ = builtin::univ();
        let parents = [
            ("univ", univ),
            ("none", builtin::none()),
            ("Int", univ),
            ("seq/Int", builtin::int()),
            ("String", univ),
        ];
        for (name, parent) in parents {
            let id = self.add_sig(ModuleId::new(0), Symbol::new(name), None, SigSource::None);
            let sig = &mut self.model.sigs[id];
            sig.kind = SigKind::Builtin;
            sig.label = sig.name;
            self.types.hierarchy.add(id, parent);
            self.set_sig_type(id, Type::sig(id));
        }
        debug_assert_eq!(self.model.sigs.len(), builtin::COUNT);
    }

    pub fn add_sig(
        &mut self,
        module: ModuleId,
        name: Symbol,
        span: Option<Span>,
        source: SigSource,
    ) -> SigId {
        self.declared.sigs.push(SigData { module, source });
        self.types.of_sigs.push(Arc::default());
        self.model.sigs.alloc(ir::Sig {
            name,
            label: name,
            module,
            span,
            kind: SigKind::Top,
            mult: Mult::Set,
            is_abstract: false,
            is_var: false,
            is_private: false,
            is_enum: false,
            is_meta: false,
            children: vec![],
            fields: vec![],
            ty: ir::Type::default(),
        })
    }

    pub fn set_sig_type(&mut self, sig: SigId, ty: Type) {
        self.model.sigs[sig].ty = ty.to_ir();
        self.types.of_sigs[sig.index()] = Arc::new(ty);
    }

    // ---- instances ----

    fn instantiate_all(&mut self) {
        let mut instances: FxHashMap<(FileIdx, Vec<SigId>), ModuleId> = FxHashMap::default();
        instances.insert((0, vec![]), ModuleId::new(0));
        self.add_module(0, vec![]);
        self.root_params();
        // First without arguments, then with: a name that an open brings should be there when arguments are read.
        while self.follow(&mut instances, false) || self.follow(&mut instances, true) {}
        self.report_unresolved_args();
        self.name_modules();
        for i in 0..self.graph.modules.len() {
            self.graph.modules[i].nameable = self.nameable_from(i);
        }
    }

    /// Links all opens whose arguments are known; with `with_args` at most one of those that have any.
    fn follow(
        &mut self,
        instances: &mut FxHashMap<(FileIdx, Vec<SigId>), ModuleId>,
        with_args: bool,
    ) -> bool {
        let mut is_changed = false;
        let mut at = 0;
        while at < self.graph.modules.len() {
            for i in 0..self.graph.modules[at].opens.len() {
                let link = &self.graph.modules[at].opens[i];
                let file = self.graph.files[self.graph.modules[at].file].clone();
                let edge = &file.opens[link.edge];
                let Some(target) = edge.target else { continue };
                if link.target.is_some() || edge.args.is_empty() == with_args {
                    continue;
                }
                let n_params = self.n_params(target);
                if edge.args.len() != n_params {
                    continue;
                }
                let args: Option<Vec<SigId>> = edge
                    .args
                    .iter()
                    .map(|it| self.find_sig(ModuleId::new(at as u32), it.text).ok()?)
                    .collect();
                let Some(args) = args else { continue };
                if self.graph.modules.len() >= MODULES_MAX {
                    let too_many = say::too_many_modules(MODULES_MAX, edge.span);
                    if !self.reports.diagnostics.iter().any(|it| it.code == too_many.code) {
                        self.reports.diagnostics.push(too_many);
                    }
                    return false;
                }
                let module = match instances.get(&(target, args.clone())) {
                    Some(&module) => module,
                    None => {
                        let module = self.add_module(target, args.clone());
                        instances.insert((target, args), module);
                        module
                    }
                };
                self.graph.modules[at].opens[i].target = Some(module);
                is_changed = true;
                if with_args {
                    return true;
                }
            }
            at += 1;
        }
        is_changed
    }

    fn n_params(&self, file: FileIdx) -> usize {
        self.graph.files[file]
            .tree
            .header
            .as_ref()
            .map_or(0, |it| it.params.len())
    }

    fn add_module(&mut self, file_idx: FileIdx, args: Vec<SigId>) -> ModuleId {
        let file = self.graph.files[file_idx].clone();
        let id = ModuleId::new(self.graph.modules.len() as u32);
        let header_params = file.tree.header.iter().flat_map(|it| &it.params);
        let params: Vec<_> = header_params
            .clone()
            .map(|it| it.name.text)
            .zip(args.iter().copied())
            .collect();
        for (param, &arg) in header_params.zip(&args) {
            if param.is_exact && !self.declared.exact_sigs.contains(&arg) {
                self.declared.exact_sigs.push(arg);
            }
        }
        self.graph.modules.push(ModuleData {
            file: file_idx,
            params,
            opens: file
                .opens
                .iter()
                .enumerate()
                .map(|(edge, it)| OpenLink {
                    alias: it.alias,
                    is_private: it.is_private,
                    edge,
                    target: None,
                })
                .collect(),
            sigs: FxHashMap::default(),
            sig_list: vec![],
            funs: FxHashMap::default(),
            macros: FxHashMap::default(),
            asserts: FxHashMap::default(),
            nameable: vec![],
            path: Symbol::new(""),
        });
        for (paragraph, item) in file.tree.paragraphs.iter().enumerate() {
            match item {
                Paragraph::Sig(sig) => {
                    for name in &sig.names {
                        self.declare_sig(id, *name, SigSource::Sig { paragraph });
                    }
                }
                Paragraph::Enum(it) => {
                    let of = self.declare_sig(id, it.name, SigSource::Enum);
                    for name in &it.atoms {
                        let atom = self.declare_sig(id, *name, SigSource::EnumAtom { of });
                        self.model.sigs[atom].is_private = it.is_private;
                    }
                    self.model.sigs[of].is_private = it.is_private;
                }
                _ => {}
            }
        }
        id
    }

    /// Parameters of the root have no argument: each becomes a sig of its own.
    fn root_params(&mut self) {
        let file = self.graph.files[0].clone();
        let root = ModuleId::new(0);
        for param in file.tree.header.iter().flat_map(|it| &it.params) {
            let sig = self.declare_sig(root, param.name, SigSource::None);
            if param.is_exact {
                self.declared.exact_sigs.push(sig);
            }
        }
    }

    fn declare_sig(&mut self, module: ModuleId, name: ast::Name, source: SigSource) -> SigId {
        let sig = self.add_sig(module, name.text, Some(name.span), source);
        let data = &mut self.graph.modules[module.index()];
        let is_param = data.params.iter().any(|it| it.0 == name.text);
        if let Some(&first) = data.sigs.get(&name.text) {
            let first = self.model.sigs[first].span;
            self.reports
                .diagnostics
                .push(say::duplicate_sig(name.text.as_str(), name.span, first));
        } else if is_param {
            self.reports
                .diagnostics
                .push(say::sig_is_parameter(name.text.as_str(), name.span));
        } else {
            data.sigs.insert(name.text, sig);
        }
        data.sig_list.push(sig);
        sig
    }

    fn report_unresolved_args(&mut self) {
        for at in 0..self.graph.modules.len() {
            let file = self.graph.files[self.graph.modules[at].file].clone();
            for i in 0..self.graph.modules[at].opens.len() {
                let link = &self.graph.modules[at].opens[i];
                let edge = &file.opens[link.edge];
                let (None, Some(target)) = (link.target, edge.target) else {
                    continue;
                };
                let n_params = self.n_params(target);
                if n_params != edge.args.len() {
                    let module = edge.module.as_str();
                    self.reports.diagnostics.push(say::open_arguments(
                        module,
                        n_params,
                        edge.args.len(),
                        edge.span,
                    ));
                    continue;
                }
                for arg in &edge.args {
                    match self.find_sig(ModuleId::new(at as u32), arg.text) {
                        Ok(Some(_)) => {}
                        Ok(None) => {
                            let diagnostic = self.sig_not_found(ModuleId::new(at as u32), *arg);
                            self.report(diagnostic);
                        }
                        Err(several) => {
                            let labels = self.sig_labels(&several);
                            self.reports.diagnostics.push(say::ambiguous_name(
                                arg.text.as_str(),
                                arg.span,
                                &labels,
                            ));
                        }
                    }
                }
            }
        }
    }

    /// Gives each module the shortest path of aliases from the root; aliases that nobody wrote count last.
    fn name_modules(&mut self) {
        let mut named = vec![false; self.graph.modules.len()];
        named[0] = true;
        let mut queue = vec![(0usize, String::new())];
        for pass in 0..2 {
            let mut at = 0;
            while at < queue.len() {
                let (module, path) = queue[at].clone();
                for link in &self.graph.modules[module].opens {
                    let Some(target) = link.target else { continue };
                    let is_invented = link.alias.as_str().contains('$');
                    if named[target.index()] || (is_invented && pass == 0) {
                        continue;
                    }
                    named[target.index()] = true;
                    let path = match path.is_empty() {
                        true => link.alias.to_string(),
                        false => format!("{path}/{}", link.alias),
                    };
                    queue.push((target.index(), path));
                }
                at += 1;
            }
        }
        for (module, path) in queue {
            self.graph.modules[module].path = Symbol::new(&path);
        }
        for at in 0..self.graph.modules.len() {
            let module = &self.graph.modules[at];
            let file = &self.graph.files[module.file];
            self.model.modules.alloc(ir::Module {
                path: module.path,
                name: file.name,
                file: file.id,
                params: module.params.clone(),
            });
            for &sig in &module.sig_list {
                let prefix = if module.path.as_str().is_empty() {
                    "this"
                } else {
                    module.path.as_str()
                };
                let name = self.model.sigs[sig].name;
                self.model.sigs[sig].label = Symbol::new(&format!("{prefix}/{name}"));
            }
        }
    }

    // ---- who can name what ----

    fn nameable_from(&self, start: usize) -> Vec<ModuleId> {
        let mut found = vec![];
        let mut stack = vec![(start, 0)];
        while let Some((module, level)) = stack.pop() {
            let id = ModuleId::new(module as u32);
            if found.contains(&id) {
                continue;
            }
            found.push(id);
            for link in self.graph.modules[module].opens.iter().rev() {
                if let Some(target) = link.target.filter(|_| !(level > 0 && link.is_private)) {
                    stack.push((target.index(), level + 1));
                }
            }
        }
        found
    }

    pub fn nameable(&self, module: ModuleId) -> Vec<ModuleId> {
        let list = &self.graph.modules[module.index()].nameable;
        if list.is_empty() {
            self.nameable_from(module.index())
        } else {
            list.clone()
        }
    }

    /// Follows the aliases of a path; the module and the last part of the name. `None` when an alias is unknown.
    pub fn follow_path<'a>(&self, from: ModuleId, path: &'a str) -> Option<(ModuleId, &'a str)> {
        let mut module = from;
        let mut rest = path.strip_prefix("this/").unwrap_or(path);
        let mut level = 0;
        while let Some((alias, tail)) = rest.split_once('/') {
            let alias = Symbol::new(alias);
            let link = self.graph.modules[module.index()]
                .opens
                .iter()
                .find(|it| it.alias == alias)?;
            if level > 0 && link.is_private {
                return None;
            }
            module = link.target?;
            rest = tail;
            level += 1;
        }
        Some((module, rest))
    }

    /// The sigs that a name may mean, parameters included.
    pub fn sig_candidates(&self, module: ModuleId, name: Symbol) -> Vec<SigId> {
        let text = name.as_str();
        let mut found = vec![];
        let plain = text.strip_prefix("this/").unwrap_or(text);
        let (start, last) = match text.contains('/') {
            true => match self.follow_path(module, text) {
                Some(found) => found,
                None => return found,
            },
            false => (module, text),
        };
        let last = Symbol::new(last);
        let is_visible = |owner: ModuleId, sig: SigId| owner == module || !self.model.sigs[sig].is_private;
        if text.contains('/') {
            let own = self.graph.modules[start.index()].sigs.get(&last).copied();
            found.extend(own.filter(|&it| is_visible(start, it)));
        }
        if found.is_empty() {
            for owner in self.nameable(start) {
                let own = self.graph.modules[owner.index()].sigs.get(&last).copied();
                found.extend(own.filter(|&it| is_visible(owner, it)));
            }
        }
        if !plain.contains('/') {
            let params = &self.graph.modules[module.index()].params;
            let param = params.iter().find(|it| it.0.as_str() == plain).map(|it| it.1);
            found.extend(param.filter(|it| !found.contains(it)));
        }
        found
    }

    /// The one sig of that name, `None` if there is none; an error if there are several.
    pub fn find_sig(&self, module: ModuleId, name: Symbol) -> Result<Option<SigId>, Vec<SigId>> {
        if let Some(sig) = builtin_sig(name.as_str()) {
            return Ok(Some(sig));
        }
        if let Some(meta) = &self.declared.meta {
            match name.as_str() {
                "sig$" => return Ok(meta.sig),
                "field$" => return Ok(meta.field),
                _ => {}
            }
        }
        let found = self.sig_candidates(module, name);
        if found.len() > 1 {
            Err(found)
        } else {
            Ok(found.first().copied())
        }
    }

    pub fn sig_not_found(&self, module: ModuleId, name: ast::Name) -> Diagnostic {
        let mut known: Vec<&str> = vec!["Int", "String", "univ"];
        for owner in self.nameable(module) {
            let sigs = &self.graph.modules[owner.index()].sig_list;
            known.extend(sigs.iter().map(|&it| self.model.sigs[it].name.as_str()));
        }
        say::sig_not_found(name.text.as_str(), name.span, &known)
    }

    pub fn sig_labels(&self, sigs: &[SigId]) -> Vec<(String, Option<Span>)> {
        sigs.iter()
            .map(|&it| {
                let sig = &self.model.sigs[it];
                (format!("sig {}", sig.label), sig.span)
            })
            .collect()
    }

    /// The sig's name as messages say it: without `this/`.
    pub fn sig_name(&self, sig: SigId) -> String {
        let label = self.model.sigs[sig].label.as_str();
        label.strip_prefix("this/").unwrap_or(label).to_owned()
    }

    pub fn show_type(&self, ty: &Type) -> String {
        ty.show(|it| self.sig_name(it))
    }

    /// Is `a` the sig `b`, or below it by `extends` or `in`?
    pub fn is_same_or_below(&self, a: SigId, b: SigId) -> bool {
        if a == b || b == builtin::univ() {
            return true;
        }
        match &self.model.sigs[a].kind {
            SigKind::Builtin => self.types.hierarchy.is_within(a, b),
            SigKind::Top => false,
            SigKind::Extends(parent) => deep(|| self.is_same_or_below(*parent, b)),
            SigKind::Subset { parents, .. } => {
                parents.iter().any(|&it| deep(|| self.is_same_or_below(it, b)))
            }
        }
    }

    pub fn add_var(&mut self, name: Symbol, span: Option<Span>, ty: &Type) -> VarId {
        let sort = match (ty.is_bool, ty.is_small_int()) {
            (true, _) => ir::VarSort::Formula,
            (_, true) => ir::VarSort::Int,
            _ => ir::VarSort::Relation {
                arity: ty.arity().unwrap_or(1) as u32,
                ty: ty.to_ir(),
            },
        };
        self.used.push(false);
        self.model.vars.alloc(ir::Var { name, span, sort })
    }

    pub fn mark_used(&mut self, var: VarId) {
        self.used[var.index()] = true;
    }

    pub fn is_used(&self, var: VarId) -> bool {
        self.used[var.index()]
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.reports.add(diagnostic);
    }

    /// Forgets limits that were reached: what comes now is read for itself.
    pub fn start_anew(&mut self) {
        self.n_expansions = 0;
        self.reports.start_anew();
    }

    /// So many errors that further ones are not worth finding.
    pub fn is_hopeless(&self) -> bool {
        self.reports.n_errors >= REPORTS_MAX
    }

    /// Reports what is wrong with a node; true if something is.
    pub fn report_errors(&mut self, n: N) -> bool {
        for error in self.node(n).errors.clone() {
            self.report((*error).clone());
        }
        self.is_bad(n)
    }
}

pub(crate) fn builtin_sig(name: &str) -> Option<SigId> {
    Some(match name {
        "univ" => builtin::univ(),
        "none" => builtin::none(),
        "Int" => builtin::int(),
        "seq/Int" => builtin::seq_int(),
        "String" => builtin::string(),
        _ => return None,
    })
}
