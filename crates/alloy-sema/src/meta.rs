//! Meta signatures: the model as atoms of itself, for specifications that use a `$`.
//!
//! For each sig A there is `one sig A$ extends sig$` with the fields `value` (A itself), `parent`, `fields` and
//! `subfields` (the atoms of its fields, and of those of its descendants too); for each field f of A
//! `one sig A$f extends field$` with `value` (the relation). `static$` and `var$` hold those that stay and those that
//! vary. All of them are ordinary sigs and defined fields from here on.

use source::Span;
use util::{FxHashMap, Symbol};

use crate::ir::{
    self, BinaryOp, Bound, BoundKind, Count, ExprId, ExprKind, Fact, FactOrigin, FieldId, FormulaKind,
    ModuleId, Mult, SigId, SigKind, builtin,
};
use crate::resolver::{MetaSigs, Resolver, SigSource};
use crate::types::Type;

impl Resolver {
    /// Adds the meta signatures, if some file may speak of them.
    pub fn add_meta(&mut self) {
        if !self.graph.files.iter().any(|it| it.tree.has_dollar) {
            return;
        }
        let span = Span::new(self.graph.files[0].id, 0, 0);
        let root = ModuleId::new(0);
        let sigs: Vec<SigId> = self
            .graph
            .modules
            .iter()
            .flat_map(|it| it.sig_list.iter().copied())
            .collect();
        let meta_sig = self.add_meta_sig(root, "sig$", None);
        let meta_field = self.add_meta_sig(root, "field$", None);
        let mut meta = MetaSigs {
            sig: Some(meta_sig),
            field: Some(meta_field),
            ..MetaSigs::default()
        };
        let mut sig_atoms: FxHashMap<SigId, SigId> = FxHashMap::default();
        let mut field_atoms: FxHashMap<FieldId, SigId> = FxHashMap::default();
        let (mut fixed, mut varying) = (vec![], vec![]);
        for &sig in &sigs {
            let (name, module) = (self.model.sigs[sig].name, self.declared.sigs[sig.index()].module);
            let atom = self.add_meta_sig(module, &format!("{name}$"), Some(meta_sig));
            self.model.sigs[atom].is_private = self.model.sigs[sig].is_private;
            sig_atoms.insert(sig, atom);
            meta.sig_atoms.push(atom);
            if self.model.sigs[sig].is_var {
                &mut varying
            } else {
                &mut fixed
            }
            .push(atom);
            for field in self.model.sigs[sig].fields.clone() {
                let field_name = self.model.fields[field].name;
                let atom = self.add_meta_sig(module, &format!("{name}${field_name}"), Some(meta_field));
                self.model.sigs[atom].is_private = self.model.fields[field].is_private;
                field_atoms.insert(field, atom);
                meta.field_atoms.push(atom);
                if self.model.fields[field].is_var {
                    &mut varying
                } else {
                    &mut fixed
                }
                .push(atom);
            }
        }
        for &sig in &sigs {
            self.add_meta_fields(sig, &sig_atoms, &field_atoms, span);
        }
        self.add_meta_subset("static$", fixed, span);
        self.add_meta_subset("var$", varying, span);
        for (sig, atoms) in [(meta_sig, &meta.sig_atoms), (meta_field, &meta.field_atoms)] {
            if atoms.is_empty() {
                self.add_emptiness(sig, span);
            }
        }
        self.declared.meta = Some(meta);
    }

    fn add_meta_sig(&mut self, module: ModuleId, name: &str, parent: Option<SigId>) -> SigId {
        let name = Symbol::new(name);
        let sig = self.add_sig(module, name, None, SigSource::None);
        let path = self.graph.modules[module.index()].path.as_str();
        let prefix = if path.is_empty() { "this" } else { path };
        let data = &mut self.model.sigs[sig];
        data.label = Symbol::new(&format!("{prefix}/{name}"));
        data.is_meta = true;
        match parent {
            Some(parent) => {
                data.kind = SigKind::Extends(parent);
                data.mult = Mult::One;
                self.model.sigs[parent].children.push(sig);
            }
            None => data.is_abstract = true,
        }
        self.types.hierarchy.add(sig, parent.unwrap_or(builtin::univ()));
        self.set_sig_type(sig, Type::sig(sig));
        self.graph.modules[module.index()].sigs.insert(name, sig);
        self.graph.modules[module.index()].sig_list.push(sig);
        sig
    }

    fn add_meta_fields(
        &mut self,
        sig: SigId,
        sig_atoms: &FxHashMap<SigId, SigId>,
        field_atoms: &FxHashMap<FieldId, SigId>,
        span: Span,
    ) {
        let atom = sig_atoms[&sig];
        let own = self.add_expr(span, 1, ExprKind::Sig(sig));
        let own_type = (*self.types.of_sigs[sig.index()]).clone();
        self.add_meta_field(atom, "value", own, own_type, self.model.sigs[sig].is_var, span);
        for field in self.model.sigs[sig].fields.clone() {
            let arity = self.model.fields[field].arity;
            let relation = self.add_expr(span, arity, ExprKind::Field(field));
            let ty = (*self.types.of_fields[field.index()]).clone();
            let is_var = self.model.fields[field].is_var;
            self.add_meta_field(field_atoms[&field], "value", relation, ty, is_var, span);
        }
        let parent = match self.model.sigs[sig].kind {
            SigKind::Extends(parent) => sig_atoms.get(&parent).copied(),
            _ => None,
        };
        self.add_meta_set(atom, "parent", parent.into_iter().collect(), span);
        let fields = self.model.sigs[sig].fields.clone();
        self.add_meta_set(
            atom,
            "fields",
            fields.iter().map(|it| field_atoms[it]).collect(),
            span,
        );
        let mut below = vec![sig];
        let mut at = 0;
        while at < below.len() {
            below.extend(self.model.sigs[below[at]].children.clone());
            at += 1;
        }
        let all = below.iter().flat_map(|&it| self.model.sigs[it].fields.clone());
        let all = all.filter_map(|it| field_atoms.get(&it).copied()).collect();
        self.add_meta_set(atom, "subfields", all, span);
    }

    /// A field whose value is a set of meta atoms.
    fn add_meta_set(&mut self, owner: SigId, name: &str, atoms: Vec<SigId>, span: Span) {
        let mut ty = Type::default();
        for &atom in &atoms {
            ty = self.types.hierarchy.merge(&ty, &self.types.of_sigs[atom.index()]);
        }
        let mut union: Option<ExprId> = None;
        for atom in atoms {
            let atom = self.add_expr(span, 1, ExprKind::Sig(atom));
            union = Some(match union {
                None => atom,
                Some(union) => self.add_binary(span, BinaryOp::Union, union, atom),
            });
        }
        let value = match union {
            Some(union) => union,
            None => {
                ty = Type::sig(builtin::univ());
                self.add_expr(span, 1, ExprKind::None)
            }
        };
        self.add_meta_field(owner, name, value, ty, false, span);
    }

    fn add_meta_field(
        &mut self,
        owner: SigId,
        name: &str,
        value: ExprId,
        ty: Type,
        is_var: bool,
        span: Span,
    ) {
        let this = self.this_of(owner);
        let ty = self
            .types
            .hierarchy
            .product(&self.types.of_sigs[owner.index()], &ty);
        let field = ir::Field {
            name: Symbol::new(name),
            sig: owner,
            span: None,
            ty: ty.to_ir(),
            arity: ty.arity().unwrap_or(2) as u32,
            this,
            bound: Bound {
                span,
                expr: value,
                kind: BoundKind::Exactly,
            },
            is_defined: true,
            is_var,
            is_private: false,
            is_meta: true,
        };
        let field = self.add_field(field, ty);
        self.add_field_fact(field, span);
    }

    fn add_meta_subset(&mut self, name: &str, atoms: Vec<SigId>, span: Span) {
        let sig = self.add_meta_sig(ModuleId::new(0), name, None);
        self.model.sigs[sig].is_abstract = false;
        if atoms.is_empty() {
            self.model.sigs[sig].kind = SigKind::Subset {
                parents: vec![builtin::univ()],
                exact: false,
            };
            self.set_sig_type(sig, Type::sig(builtin::univ()));
            self.add_emptiness(sig, span);
            return;
        }
        let mut ty = Type::default();
        for &atom in &atoms {
            ty = self.types.hierarchy.merge(&ty, &self.types.of_sigs[atom.index()]);
        }
        self.set_sig_type(sig, ty);
        self.model.sigs[sig].kind = SigKind::Subset {
            parents: atoms,
            exact: true,
        };
    }

    fn add_emptiness(&mut self, sig: SigId, span: Span) {
        let expr = self.add_expr(span, 1, ExprKind::Sig(sig));
        let formula = self.add_formula(span, FormulaKind::Count(Count::No, expr));
        self.model.facts.push(Fact {
            origin: FactOrigin::Fact(Symbol::new("sig$fact")),
            span,
            formula,
        });
    }
}
