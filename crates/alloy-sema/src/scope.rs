//! Scopes: from what a command says to a size for every sig.
//!
//! The Analyzer's rules, in this order and again until nothing changes: `one` and `lone` sigs have 1; an abstract sig
//! has the sum of its children, and the last child without a size has what is left; a top-level sig has the overall
//! size (3 if the command says nothing at all); any other has the size of its parent. Then sizes are raised to what the
//! children must have.

use alloy_syntax::ast::{self, Last, ScopeOf};
use diag::Diagnostic;
use source::Span;
use util::{Symbol, deep};

use crate::diagnostics as say;
use crate::ir::{Command, Growth, ModuleId, Mult, Scope, SigId, SigKind, SigScope, Steps, builtin};
use crate::resolver::Resolver;

const BITWIDTH_DEFAULT: u32 = 4;
const BITWIDTH_MAX: u32 = 30;
const SEQ_DEFAULT: u32 = 4;
const OVERALL_DEFAULT: u32 = 3;
const STEPS_DEFAULT: u32 = 10;

/// What a command asks for, names resolved.
#[derive(Default)]
pub(crate) struct Request {
    overall: Option<u32>,
    sigs: Vec<SigRequest>,
    bitwidth: Option<u32>,
    max_seq: Option<(u32, Span)>,
    strings: Option<u32>,
    steps: Option<(Steps, Span)>,
    /// Something is asked for particular sigs: then the overall size has no default.
    has_items: bool,
}

struct SigRequest {
    sig: SigId,
    atoms: u32,
    is_exact: bool,
    growth: Option<Growth>,
    span: Span,
}

/// Reads the scope of a command. What is wrong is returned; only names that do not exist are errors of the file.
pub(crate) fn request(resolver: &mut Resolver, tree: &ast::Command) -> (Request, Vec<Diagnostic>) {
    let mut request = Request {
        overall: tree.scope.overall.map(|it| it.0.max(0) as u32),
        ..Request::default()
    };
    let mut errors = vec![];
    for item in &tree.scope.items {
        if let Err(diagnostic) = add_item(resolver, &mut request, item) {
            errors.push(diagnostic);
        }
    }
    (request, errors)
}

fn add_item(resolver: &mut Resolver, request: &mut Request, item: &ast::ScopeItem) -> Result<(), Diagnostic> {
    if item.first < 0 {
        return Err(say::negative_scope(item.span));
    }
    let first = item.first as u32;
    let is_growing = item.last != Last::Same;
    match item.of {
        ScopeOf::Univ(_) => Err(say::scope_of_builtin("univ", item.span)),
        ScopeOf::None(_) => Err(say::scope_of_builtin("none", item.span)),
        ScopeOf::Int(_) if is_growing || item.is_exact => Err(say::scope_always_exact("int", item.span)),
        ScopeOf::Seq(_) if is_growing || item.is_exact => Err(say::scope_always_exact("seq", item.span)),
        ScopeOf::Int(_) if request.bitwidth.is_some() => Err(say::scope_twice("int", item.span)),
        ScopeOf::Int(_) if first > BITWIDTH_MAX => Err(say::bitwidth_too_large(BITWIDTH_MAX, item.span)),
        ScopeOf::Int(_) => {
            request.bitwidth = Some(first);
            Ok(())
        }
        ScopeOf::Seq(_) if request.max_seq.is_some() => Err(say::scope_twice("seq", item.span)),
        ScopeOf::Seq(_) => {
            request.max_seq = Some((first, item.span));
            Ok(())
        }
        ScopeOf::Steps(_) => add_steps(request, item, first),
        ScopeOf::String(_) => {
            request.has_items = true;
            if request.strings.is_some() {
                Err(say::scope_twice("String", item.span))
            } else if !item.is_exact {
                Err(say::string_scope_not_exact(item.span))
            } else {
                request.strings = Some(first);
                Ok(())
            }
        }
        ScopeOf::Sig(name) => {
            request.has_items = true;
            add_sig(resolver, request, item, name, first)
        }
    }
}

fn add_steps(request: &mut Request, item: &ast::ScopeItem, first: u32) -> Result<(), Diagnostic> {
    if request.steps.is_some() {
        return Err(say::scope_twice("steps", item.span));
    }
    if item.step != 1 || first < 1 || (item.last == Last::Open && first != 1) {
        return Err(say::bad_steps(item.span));
    }
    let steps = match item.last {
        Last::Same if item.is_exact => Steps {
            min: first,
            max: Some(first),
        },
        Last::Same => Steps {
            min: 1,
            max: Some(first),
        },
        Last::To(last) if last < item.first => return Err(say::bad_steps(item.span)),
        Last::To(last) => Steps {
            min: first,
            max: Some(last as u32),
        },
        Last::Open => Steps {
            min: first,
            max: None,
        },
    };
    request.steps = Some((steps, item.span));
    Ok(())
}

fn add_sig(
    resolver: &mut Resolver,
    request: &mut Request,
    item: &ast::ScopeItem,
    name: ast::Name,
    first: u32,
) -> Result<(), Diagnostic> {
    let root = ModuleId::new(0);
    let sig = match resolver.find_sig(root, name.text) {
        Ok(Some(sig)) => sig,
        Ok(None) => return Err(resolver.sig_not_found(root, name)),
        Err(several) => {
            return Err(say::ambiguous_name(
                name.text.as_str(),
                name.span,
                &resolver.sig_labels(&several),
            ));
        }
    };
    let data = &resolver.model.sigs[sig];
    let own = resolver.sig_name(sig);
    let is_subset = matches!(data.kind, SigKind::Subset { .. });
    if sig.index() < builtin::COUNT {
        return Err(say::scope_of_builtin(&own, item.span));
    }
    if is_subset {
        return Err(say::scope_of_subset(&own, item.span));
    }
    if data.is_enum {
        return Err(say::scope_of_enum(&own, item.span));
    }
    if data.is_var && data.kind != SigKind::Top {
        return Err(say::scope_of_variable_child(&own, item.span));
    }
    if data.is_var && item.is_exact {
        return Err(say::exact_variable(&own, item.span));
    }
    let is_possible = match data.mult {
        Mult::One if data.is_var => first >= 1,
        Mult::One => first == 1,
        Mult::Lone => data.is_var || first <= 1,
        Mult::Some => first >= 1,
        Mult::Set => true,
    };
    if !is_possible {
        return Err(say::scope_against_multiplicity(&own, data.mult, first, item.span));
    }
    if let Some(known) = request.sigs.iter().find(|it| it.sig == sig)
        && known.atoms != first
    {
        return Err(say::scope_twice(&own, item.span).also(known.span, "first here"));
    }
    if item.step < 1 {
        return Err(say::bad_growth(item.span));
    }
    let growth = match item.last {
        Last::To(last) if last > item.first => Some(last as u32),
        Last::To(last) if last < item.first => return Err(say::bad_growth(item.span)),
        Last::Open => Some(u32::MAX),
        _ => None,
    };
    request.sigs.push(SigRequest {
        sig,
        atoms: first,
        is_exact: item.is_exact || item.last == Last::To(item.first),
        growth: growth.map(|last| Growth {
            last,
            step: item.step as u32,
        }),
        span: item.span,
    });
    Ok(())
}

/// The sizes of everything.
pub(crate) fn work_out(
    resolver: &Resolver,
    request: &Request,
    command: &Command,
    literals: Vec<Symbol>,
    errors: &mut Vec<Diagnostic>,
) -> Scope {
    let mut sizes = Sizes::new(resolver, request);
    if errors.is_empty()
        && let Err(sig) = sizes.derive(request)
    {
        errors.push(say::scope_missing(&resolver.sig_name(sig), command.span));
    }
    if errors.is_empty() {
        sizes.raise();
    }
    let bitwidth = request.bitwidth.unwrap_or(BITWIDTH_DEFAULT);
    let greatest = if bitwidth == 0 {
        0
    } else {
        (1u32 << (bitwidth - 1)) - 1
    };
    let max_seq = match request.max_seq {
        Some((wanted, span)) if wanted > greatest => {
            errors.push(say::seq_too_long(wanted, greatest, bitwidth, span));
            greatest
        }
        Some((wanted, _)) => wanted,
        None => request.overall.unwrap_or(SEQ_DEFAULT).min(greatest),
    };
    let steps = match (command.is_temporal, request.steps) {
        (true, Some((steps, _))) => Some(steps),
        (true, None) => Some(Steps {
            min: 1,
            max: Some(STEPS_DEFAULT),
        }),
        (false, Some((_, span))) => {
            errors.push(say::steps_of_static(span));
            None
        }
        (false, None) => None,
    };
    let mut strings = literals;
    let wanted = request.strings.unwrap_or(0) as usize;
    let mut invented = (0..).map(|it| Symbol::new(&format!("String{it}")));
    while strings.len() < wanted {
        let next = invented.next().expect("an endless iterator");
        if !strings.contains(&next) {
            strings.push(next);
        }
    }
    Scope {
        sigs: sizes.finish(request),
        bitwidth,
        max_seq,
        strings,
        steps,
    }
}

struct Sizes<'a> {
    resolver: &'a Resolver,
    atoms: Vec<Option<u32>>,
    is_exact: Vec<bool>,
    /// All sigs that have atoms of their own, in order.
    sigs: Vec<SigId>,
}

impl<'a> Sizes<'a> {
    fn new(resolver: &'a Resolver, request: &Request) -> Sizes<'a> {
        let n_sigs = resolver.model.sigs.len();
        let mut sizes = Sizes {
            resolver,
            atoms: vec![None; n_sigs],
            is_exact: vec![false; n_sigs],
            sigs: (builtin::COUNT..n_sigs)
                .map(|it| SigId::new(it as u32))
                .filter(|&it| !matches!(resolver.model.sigs[it].kind, SigKind::Subset { .. }))
                .collect(),
        };
        for it in &request.sigs {
            sizes.atoms[it.sig.index()] = Some(it.atoms);
            sizes.is_exact[it.sig.index()] |= it.is_exact;
        }
        for &sig in &sizes.sigs {
            let data = &resolver.model.sigs[sig];
            let size = &mut sizes.atoms[sig.index()];
            match data.mult {
                Mult::One if !data.is_var => {
                    *size = Some(1);
                    sizes.is_exact[sig.index()] = true;
                }
                Mult::Lone if !data.is_var && *size != Some(0) => *size = Some(1),
                _ => {}
            }
        }
        sizes
    }

    /// Fills in what the command left out; the sig for which nothing can be found.
    fn derive(&mut self, request: &Request) -> Result<(), SigId> {
        loop {
            if self.derive_from_children() || self.derive_from_overall(request)? || self.derive_from_parents()
            {
                continue;
            }
            return match self.sigs.iter().find(|it| self.atoms[it.index()].is_none()) {
                Some(&missing) => Err(missing),
                None => Ok(()),
            };
        }
    }

    fn derive_from_children(&mut self) -> bool {
        let mut is_changed = false;
        for i in 0..self.sigs.len() {
            let sig = self.sigs[i];
            let data = &self.resolver.model.sigs[sig];
            if !data.is_abstract || data.children.is_empty() {
                continue;
            }
            let mut missing = data.children.iter().filter(|it| self.atoms[it.index()].is_none());
            let (first_missing, second_missing) = (missing.next().copied(), missing.next());
            let sum = data
                .children
                .iter()
                .filter_map(|it| self.atoms[it.index()])
                .fold(0u32, |all, it| all.saturating_add(it));
            match (self.atoms[sig.index()], first_missing, second_missing) {
                (None, None, _) => {
                    self.atoms[sig.index()] = Some(sum);
                    is_changed = true;
                }
                (Some(size), Some(missing), None) => {
                    self.atoms[missing.index()] = Some(size.saturating_sub(sum));
                    is_changed = true;
                }
                _ => {}
            }
        }
        is_changed
    }

    fn derive_from_overall(&mut self, request: &Request) -> Result<bool, SigId> {
        let overall = match (request.overall, request.has_items) {
            (None, false) => Some(OVERALL_DEFAULT),
            (overall, _) => overall,
        };
        let mut is_changed = false;
        for &sig in &self.sigs {
            let data = &self.resolver.model.sigs[sig];
            if data.kind != SigKind::Top || self.atoms[sig.index()].is_some() {
                continue;
            }
            self.atoms[sig.index()] = match (data.is_enum, overall) {
                (true, _) => Some(0),
                (false, Some(overall)) => Some(overall),
                (false, None) => return Err(sig),
            };
            is_changed = true;
        }
        Ok(is_changed)
    }

    fn derive_from_parents(&mut self) -> bool {
        let mut is_changed = false;
        for &sig in &self.sigs {
            if let SigKind::Extends(parent) = self.resolver.model.sigs[sig].kind
                && self.atoms[sig.index()].is_none()
                && let Some(size) = self.atoms[parent.index()]
            {
                self.atoms[sig.index()] = Some(size);
                is_changed = true;
            }
        }
        is_changed
    }

    /// Raises each size to what the children must have together.
    fn raise(&mut self) {
        for i in 0..self.sigs.len() {
            if self.resolver.model.sigs[self.sigs[i]].kind == SigKind::Top {
                self.least(self.sigs[i]);
            }
        }
    }

    /// How many atoms are surely reserved for a sig.
    fn least(&mut self, sig: SigId) -> u32 {
        let resolver = self.resolver;
        let mut least = 0u32;
        for &child in &resolver.model.sigs[sig].children {
            least = least.saturating_add(deep(|| self.least(child)));
        }
        let size = self.atoms[sig.index()].unwrap_or(0).max(least);
        self.atoms[sig.index()] = Some(size);
        self.is_exact[sig.index()] |= resolver.declared.exact_sigs.contains(&sig);
        let is_top = resolver.model.sigs[sig].kind == SigKind::Top;
        if self.is_exact[sig.index()] || is_top {
            size
        } else {
            least
        }
    }

    fn finish(self, request: &Request) -> Vec<SigScope> {
        self.sigs
            .iter()
            .map(|&sig| SigScope {
                sig,
                atoms: self.atoms[sig.index()].unwrap_or(0),
                is_exact: self.is_exact[sig.index()],
                growth: request
                    .sigs
                    .iter()
                    .find(|it| it.sig == sig)
                    .and_then(|it| it.growth),
            })
            .collect()
    }
}
