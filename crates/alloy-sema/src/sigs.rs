//! Signatures: who extends whom, multiplicities, types.

use alloy_syntax::ast::{self, Paragraph, Parents, Quals};
use util::Symbol;

use crate::diagnostics as say;
use crate::ir::{Mult, SigId, SigKind, builtin};
use crate::resolver::{Resolver, SigSource};
use crate::types::Type;

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Open,
    Done,
}

impl Resolver {
    /// Settles all sigs, parents first; returns them in that order.
    pub fn resolve_sigs(&mut self) -> Vec<SigId> {
        let n_sigs = self.model.sigs.len();
        let mut visits = vec![Visit::New; n_sigs];
        let mut order = vec![];
        for i in builtin::COUNT..n_sigs {
            self.resolve_sig(SigId::new(i as u32), &mut visits, &mut order);
        }
        for i in builtin::COUNT..n_sigs {
            let sig = SigId::new(i as u32);
            if let SigKind::Extends(parent) = self.model.sigs[sig].kind {
                self.model.sigs[parent].children.push(sig);
            }
        }
        order
    }

    /// Goes up the chain of parents with a stack of its own: a chain may be as long as a file.
    fn resolve_sig(&mut self, sig: SigId, visits: &mut [Visit], order: &mut Vec<SigId>) {
        let mut stack = vec![sig];
        while let Some(&sig) = stack.last() {
            let visit = &mut visits[sig.index()];
            if *visit == Visit::Done {
                stack.pop();
                continue;
            }
            let is_first = *visit == Visit::New;
            *visit = Visit::Open;
            if is_first {
                self.find_parents(sig);
                let waiting: Vec<SigId> = self
                    .parents_of(sig)
                    .into_iter()
                    .filter(|it| it.index() >= builtin::COUNT && visits[it.index()] != Visit::Done)
                    .collect();
                if let Some(&open) = waiting.iter().find(|it| visits[it.index()] == Visit::Open) {
                    self.report_circle(sig, open);
                    self.model.sigs[sig].kind = SigKind::Top;
                } else if !waiting.is_empty() {
                    stack.extend(waiting);
                    continue;
                }
            }
            visits[sig.index()] = Visit::Done;
            stack.pop();
            self.finish_sig(sig);
            order.push(sig);
        }
    }

    fn parents_of(&self, sig: SigId) -> Vec<SigId> {
        match &self.model.sigs[sig].kind {
            SigKind::Extends(parent) => vec![*parent],
            SigKind::Subset { parents, .. } => parents.clone(),
            _ => vec![],
        }
    }

    fn report_circle(&mut self, sig: SigId, open: SigId) {
        let mut names = vec![self.sig_name(sig)];
        let mut at = open;
        while at != sig && names.len() < 20 {
            names.push(self.sig_name(at));
            match self.parents_of(at).first() {
                Some(&parent) => at = parent,
                None => break,
            }
        }
        if let Some(span) = self.model.sigs[sig].span {
            self.report(say::cyclic_inheritance(&names, span));
        }
    }

    /// Reads the declaration: qualifiers, and parents by name.
    fn find_parents(&mut self, sig: SigId) {
        let data = self.declared.sigs[sig.index()];
        let file = self.graph.files[self.graph.modules[data.module.index()].file].clone();
        match data.source {
            SigSource::None => {}
            SigSource::Enum => {
                let sig = &mut self.model.sigs[sig];
                sig.is_abstract = true;
                sig.is_enum = true;
            }
            SigSource::EnumAtom { of } => {
                let sig = &mut self.model.sigs[sig];
                sig.kind = SigKind::Extends(of);
                sig.mult = Mult::One;
            }
            SigSource::Sig { paragraph } => {
                let Paragraph::Sig(tree) = &file.tree.paragraphs[paragraph] else {
                    unreachable!("sigs are made from such paragraphs");
                };
                self.set_quals(sig, &tree.quals);
                match &tree.parents {
                    Parents::None => {}
                    Parents::Extends(name) => self.set_parent(sig, *name),
                    Parents::In(names) => self.set_subset(sig, names, false, &tree.quals),
                    Parents::Equal(names) => self.set_subset(sig, names, true, &tree.quals),
                }
            }
        }
    }

    fn set_quals(&mut self, sig: SigId, quals: &Quals) {
        let given: Vec<_> = [
            (quals.one, Mult::One, "one"),
            (quals.lone, Mult::Lone, "lone"),
            (quals.some, Mult::Some, "some"),
        ]
        .into_iter()
        .filter_map(|(span, mult, word)| span.map(|span| (span, mult, word)))
        .collect();
        if let [(first, _, a), (second, _, b), ..] = given[..] {
            let name = self.sig_name(sig);
            self.report(say::conflicting_multiplicities(&name, a, first, b, second));
        }
        let data = &mut self.model.sigs[sig];
        data.mult = given.first().map_or(Mult::Set, |it| it.1);
        data.is_abstract = quals.is_abstract.is_some();
        data.is_private = quals.private.is_some();
        data.is_var = quals.var.is_some();
    }

    fn lookup_parent(&mut self, sig: SigId, name: ast::Name) -> Option<SigId> {
        let module = self.declared.sigs[sig.index()].module;
        match self.find_sig(module, name.text) {
            Ok(Some(found)) => Some(found),
            Ok(None) => {
                let diagnostic = self.sig_not_found(module, name);
                self.report(diagnostic);
                None
            }
            Err(several) => {
                let labels = self.sig_labels(&several);
                self.report(say::ambiguous_name(name.text.as_str(), name.span, &labels));
                None
            }
        }
    }

    fn set_parent(&mut self, sig: SigId, name: ast::Name) {
        let Some(parent) = self.lookup_parent(sig, name) else {
            return;
        };
        if parent == builtin::univ() {
            return;
        }
        if parent.index() < builtin::COUNT {
            let own = self.sig_name(sig);
            self.report(say::extends_builtin(&own, name.text.as_str(), name.span));
            return;
        }
        self.model.sigs[sig].kind = SigKind::Extends(parent);
    }

    fn set_subset(&mut self, sig: SigId, names: &[ast::Name], exact: bool, quals: &Quals) {
        if let Some(span) = quals.is_abstract {
            let own = self.sig_name(sig);
            self.report(say::abstract_subset(&own, span));
            self.model.sigs[sig].is_abstract = false;
        }
        let mut parents = vec![];
        for name in names {
            match self.lookup_parent(sig, *name) {
                Some(parent) if parent == builtin::none() || parents.contains(&parent) => {}
                Some(parent) => parents.push(parent),
                None => {}
            }
        }
        if parents.contains(&builtin::univ()) || parents.is_empty() {
            parents = vec![builtin::univ()];
        }
        self.model.sigs[sig].kind = SigKind::Subset { parents, exact };
    }

    /// All that needs finished parents: the type, and what the parents forbid.
    fn finish_sig(&mut self, sig: SigId) {
        if let SigKind::Extends(parent) = self.model.sigs[sig].kind {
            if let SigKind::Subset { .. } = self.model.sigs[parent].kind {
                self.complain(sig, say::extends_subset, parent);
                self.model.sigs[sig].kind = SigKind::Top;
            }
            self.check_enum(sig, parent);
        }
        let univ = builtin::univ();
        let (parent, ty) = match &self.model.sigs[sig].kind {
            SigKind::Extends(parent) if self.model.sigs[*parent].is_enum => {
                (*parent, (*self.types.of_sigs[parent.index()]).clone())
            }
            SigKind::Extends(parent) => (*parent, Type::sig(sig)),
            SigKind::Subset { parents, .. } => {
                let mut types = parents.iter().map(|it| &*self.types.of_sigs[it.index()]);
                let first = types.next().expect("a subset sig has parents").clone();
                (
                    univ,
                    types.fold(first, |all, it| {
                        self.types.hierarchy.union_of_common_arity(&all, it)
                    }),
                )
            }
            _ => (univ, Type::sig(sig)),
        };
        self.types.hierarchy.add(sig, parent);
        self.set_sig_type(sig, ty);
        self.check_var(sig);
    }

    fn complain(
        &mut self,
        sig: SigId,
        say: impl Fn(&str, &str, source::Span) -> diag::Diagnostic,
        parent: SigId,
    ) {
        if let Some(span) = self.model.sigs[sig].span {
            let diagnostic = say(&self.sig_name(sig), &self.sig_name(parent), span);
            self.report(diagnostic);
        }
    }

    fn check_enum(&mut self, sig: SigId, parent: SigId) {
        let is_atom = |resolver: &Resolver, sig: SigId| match resolver.model.sigs[sig].kind {
            SigKind::Extends(parent) => resolver.model.sigs[parent].is_enum,
            _ => false,
        };
        if is_atom(self, parent) {
            self.complain(sig, say::extends_enum_atom, parent);
        } else if self.model.sigs[parent].is_enum && self.model.sigs[sig].mult != Mult::One {
            self.complain(sig, say::extends_enum, parent);
        }
    }

    /// Warnings about what varies and what does not.
    fn check_var(&mut self, sig: SigId) {
        let Some(span) = self.model.sigs[sig].span else {
            return;
        };
        let is_var = self.model.sigs[sig].is_var;
        let is_subset = matches!(self.model.sigs[sig].kind, SigKind::Subset { .. });
        for parent in self.parents_of(sig) {
            if parent.index() < builtin::COUNT {
                continue;
            }
            let parent_varies = self.model.sigs[parent].is_var;
            let (name, of) = (self.sig_name(sig), self.sig_name(parent));
            if parent_varies && !is_var {
                self.report(say::static_in_variable(&name, &of, span));
            } else if is_var && !parent_varies && !is_subset {
                self.report(say::redundant_var(&name, &of, span));
            }
        }
    }

    pub fn this_symbol() -> Symbol {
        Symbol::new("this")
    }
}
