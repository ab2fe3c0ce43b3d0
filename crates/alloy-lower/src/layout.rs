//! From scopes to a universe and bounds: which atoms there are, which of them each sig must and may hold, and which
//! relation stands for what.
//!
//! The rules are the Analyzer's. From the leaves up, a sig with an exact scope takes atoms of its own; from the top
//! down, a sig that may need more atoms may have any that its parent does not owe to another child. A sig with
//! children is their union, and a remainder if it is not abstract. A field of a `one` sig loses its first column.

use alloy_sema::ir::{self, BoundKind, Model, SigId, SigKind, builtin};
use relational::{Atom, ExprId, Logic, Problem, RelId, Relation, TupleSet, Universe};
use util::{FxHashMap, Symbol};

use crate::errors::Refusal;

/// Relations with more tuples than this are refused at once: a million variables each is beyond hope.
const TUPLES_MAX: usize = 4_000_000;

/// Which expression of the problem stands for each sig and field.
#[derive(Clone)]
pub(crate) struct Layout {
    /// By sig. Empty for sigs that do not exist (`univ` and `none` have no entry of their own).
    sigs: Vec<ExprId>,
    fields: Vec<ExprId>,
    /// What is left of a sig beyond its children, for sigs that have both.
    remainders: FxHashMap<SigId, ExprId>,
    /// What each sig must hold and may hold at most, as the relations that it is made of say, by sig.
    pub bounds: Vec<SigBounds>,
    pub univ: ExprId,
    pub iden: ExprId,
    pub int_next: ExprId,
    strings: FxHashMap<Symbol, ExprId>,
}

#[derive(Clone, Debug)]
pub(crate) struct SigBounds {
    pub lower: TupleSet,
    pub upper: TupleSet,
}

impl Layout {
    pub(crate) fn sig(&self, sig: SigId) -> ExprId {
        self.sigs[sig.index()]
    }

    pub(crate) fn remainder(&self, sig: SigId) -> Option<ExprId> {
        self.remainders.get(&sig).copied()
    }

    pub(crate) fn field(&self, field: ir::FieldId) -> ExprId {
        self.fields[field.index()]
    }

    pub(crate) fn string(&self, text: Symbol) -> Option<ExprId> {
        self.strings.get(&text).copied()
    }
}

/// Makes the universe and all relations. The problem has no constraints yet.
pub(crate) fn lay_out(model: &Model, scope: &ir::Scope) -> Result<(Problem, Layout), Refusal> {
    let mut builder = Builder {
        model,
        scopes: scope.sigs.iter().map(|it| (it.sig, it)).collect(),
        universe: Universe::new(),
        bounds: vec![
            SigBounds {
                lower: TupleSet::empty(1),
                upper: TupleSet::empty(1),
            };
            model.sigs.len()
        ],
    };
    let tops: Vec<SigId> = builder.top_sigs().collect();
    for &sig in &tops {
        builder.claim_atoms(sig);
    }
    for &sig in &tops {
        builder.share_atoms(sig);
    }
    let ints = builder.add_ints(scope);
    let strings: Vec<(Symbol, Atom)> = scope
        .strings
        .iter()
        .map(|&text| (text, builder.universe.add(format!("\"{text}\""))))
        .collect();
    builder.bounds[builtin::string().index()] = exactly(strings.iter().map(|&(_, atom)| atom));

    let Builder { universe, bounds, .. } = builder;
    let mut problem = Problem::new(universe);
    // With no integers at all, the width is of no consequence.
    problem.bit_width = scope.bitwidth.max(1);
    let mut allocator = Allocator {
        model,
        logic: &mut problem.logic,
        bounds,
        sigs: vec![None; model.sigs.len()],
        remainders: FxHashMap::default(),
    };
    let layout = allocator.allocate(&problem.universe, &tops, &ints, &strings)?;
    Ok((problem, layout))
}

fn exactly(atoms: impl IntoIterator<Item = Atom>) -> SigBounds {
    let set = TupleSet::of_atoms(atoms);
    SigBounds {
        lower: set.clone(),
        upper: set,
    }
}

/// Hands out atoms.
struct Builder<'m> {
    model: &'m Model,
    scopes: FxHashMap<SigId, &'m ir::SigScope>,
    universe: Universe,
    bounds: Vec<SigBounds>,
}

impl<'m> Builder<'m> {
    fn top_sigs(&self) -> impl Iterator<Item = SigId> + use<'m> {
        self.model
            .sigs
            .iter()
            .filter(|(_, sig)| sig.kind == SigKind::Top)
            .map(|(id, _)| id)
    }

    fn scope(&self, sig: SigId) -> (usize, bool) {
        self.scopes
            .get(&sig)
            .map_or((0, false), |it| (it.atoms as usize, it.is_exact))
    }

    /// From the leaves up: what the sig must hold, and a first idea of what it may.
    fn claim_atoms(&mut self, id: SigId) -> TupleSet {
        let model = self.model;
        let sig = &model.sigs[id];
        let mut lower = TupleSet::empty(1);
        for &child in &sig.children {
            let claimed = self.claim_atoms(child);
            lower = lower.union(&claimed);
        }
        let mut upper = lower.clone();
        let (n_atoms, is_exact) = self.scope(id);
        if is_exact || sig.kind == SigKind::Top {
            let n_fresh = n_atoms.saturating_sub(upper.len());
            let fresh = (0..n_fresh).map(|i| self.universe.add(format!("{}${i}", sig.name)));
            let fresh = TupleSet::of_atoms(fresh.collect::<Vec<_>>());
            if is_exact {
                lower = lower.union(&fresh);
            }
            upper = upper.union(&fresh);
        }
        self.bounds[id.index()] = SigBounds {
            lower: lower.clone(),
            upper,
        };
        lower
    }

    /// From the top down: a child that may have more atoms may have any that no child owns.
    fn share_atoms(&mut self, id: SigId) {
        let model = self.model;
        let children = &model.sigs[id].children;
        let mut free = self.bounds[id.index()].upper.clone();
        for child in children {
            free = free.difference(&self.bounds[child.index()].lower);
        }
        for &child in children {
            let (n_atoms, _) = self.scope(child);
            let bounds = &mut self.bounds[child.index()];
            if n_atoms > bounds.lower.len() {
                bounds.upper = bounds.upper.union(&free);
            }
            self.share_atoms(child);
        }
    }

    fn add_ints(&mut self, scope: &ir::Scope) -> Vec<(i64, Atom)> {
        let ints: Vec<(i64, Atom)> = match scope.bitwidth.min(30) {
            0 => vec![],
            width => {
                let half = 1i64 << (width - 1);
                (-half..half)
                    .map(|value| (value, self.universe.add_int(value)))
                    .collect()
            }
        };
        self.bounds[builtin::int().index()] = exactly(ints.iter().map(|&(_, atom)| atom));
        let indices = ints
            .iter()
            .filter(|(value, _)| (0..i64::from(scope.max_seq)).contains(value));
        self.bounds[builtin::seq_int().index()] = exactly(indices.map(|&(_, atom)| atom));
        ints
    }
}

/// Makes relations for sigs and fields.
struct Allocator<'m, 'p> {
    model: &'m Model,
    logic: &'p mut Logic,
    bounds: Vec<SigBounds>,
    sigs: Vec<Option<ExprId>>,
    remainders: FxHashMap<SigId, ExprId>,
}

impl Allocator<'_, '_> {
    fn allocate(
        &mut self,
        universe: &Universe,
        tops: &[SigId],
        ints: &[(i64, Atom)],
        strings: &[(Symbol, Atom)],
    ) -> Result<Layout, Refusal> {
        let int = self.logic.all_ints();
        self.sigs[builtin::int().index()] = Some(int);
        let seq_int = self.constant("seq/Int", self.bounds[builtin::seq_int().index()].upper.clone());
        self.sigs[builtin::seq_int().index()] = Some(seq_int);
        let string = self.constant("String", self.bounds[builtin::string().index()].upper.clone());
        self.sigs[builtin::string().index()] = Some(string);
        let mut univ = self.logic.union(int, string);
        for &sig in tops {
            let expr = self.prim_sig(sig);
            univ = self.logic.union(univ, expr);
        }
        self.sigs[builtin::univ().index()] = Some(univ);
        let none = self.logic.none(1);
        self.sigs[builtin::none().index()] = Some(none);
        for (id, _) in self.model.sigs.iter() {
            self.subset_sig(id);
        }
        let fields = self.fields(universe)?;
        let steps = ints
            .windows(2)
            .map(|pair| universe.encode(&[pair[0].1, pair[1].1]));
        let int_next = self.constant("Int/next", TupleSet::from_indices(2, steps.collect()));
        let strings = strings.iter().map(|&(text, atom)| {
            let name = format!("\"{text}\"");
            (text, self.constant(&name, TupleSet::of_atoms([atom])))
        });
        let strings = strings.collect();
        let iden = self.logic.iden();
        let everything = self.logic.univ();
        let square = self.logic.product(univ, everything);
        let iden = self.logic.intersection(iden, square);
        Ok(Layout {
            sigs: self.sigs.iter().map(|it| it.unwrap_or(none)).collect(),
            fields,
            remainders: std::mem::take(&mut self.remainders),
            bounds: std::mem::take(&mut self.bounds),
            univ,
            iden,
            int_next,
            strings,
        })
    }

    fn add(&mut self, name: &str, lower: TupleSet, upper: TupleSet, is_var: bool) -> RelId {
        let name = name.to_owned();
        self.logic.add_relation(Relation {
            name,
            lower,
            upper,
            is_var,
        })
    }

    fn constant(&mut self, name: &str, value: TupleSet) -> ExprId {
        let relation = self.add(name, value.clone(), value, false);
        self.logic.relation(relation)
    }

    fn prim_sig(&mut self, id: SigId) -> ExprId {
        let model = self.model;
        let sig = &model.sigs[id];
        let SigBounds { mut lower, upper } = self.bounds[id.index()].clone();
        if sig.is_var {
            // What varies in time must be there in no particular state.
            lower = TupleSet::empty(1);
        }
        let whole = if sig.children.is_empty() {
            let relation = self.add(sig.label.as_str(), lower.clone(), upper.clone(), sig.is_var);
            self.bounds[id.index()] = SigBounds { lower, upper };
            self.logic.relation(relation)
        } else {
            self.parent_sig(id, lower, upper)
        };
        self.sigs[id.index()] = Some(whole);
        whole
    }

    /// A sig with children: their union, and a remainder if it is not abstract.
    fn parent_sig(&mut self, id: SigId, mut lower: TupleSet, mut upper: TupleSet) -> ExprId {
        let model = self.model;
        let sig = &model.sigs[id];
        let mut whole = self.logic.none(1);
        let mut children = SigBounds {
            lower: TupleSet::empty(1),
            upper: TupleSet::empty(1),
        };
        let mut varies = false;
        for &child in &sig.children {
            varies |= model.sigs[child].is_var;
            let part = self.prim_sig(child);
            whole = self.logic.union(whole, part);
            let bounds = &self.bounds[child.index()];
            children.lower = children.lower.union(&bounds.lower);
            children.upper = children.upper.union(&bounds.upper);
        }
        let mut own = children.clone();
        if !sig.is_abstract {
            (lower, upper) = (
                lower.difference(&children.lower),
                upper.difference(&children.lower),
            );
            if varies {
                lower = lower.difference(&children.upper);
            }
            own.lower = own.lower.union(&lower);
            own.upper = own.upper.union(&upper);
            // The remainder may overlap the children where it is certain: the sig is the union of all anyway.
            let remainder = self.add(&format!("{} remainder", sig.label), lower, upper, sig.is_var);
            let remainder = self.logic.relation(remainder);
            self.remainders.insert(id, remainder);
            whole = self.logic.union(whole, remainder);
        }
        self.bounds[id.index()] = own;
        whole
    }

    fn subset_sig(&mut self, id: SigId) {
        let model = self.model;
        let sig = &model.sigs[id];
        let SigKind::Subset { parents, exact } = &sig.kind else {
            return;
        };
        if self.sigs[id.index()].is_some() {
            return;
        }
        let mut upper = TupleSet::empty(1);
        let mut lower = TupleSet::empty(1);
        let mut whole = self.logic.none(1);
        for &parent in parents {
            self.subset_sig(parent);
            let part = self.sigs[parent.index()].expect("parents are not below their children");
            whole = self.logic.union(whole, part);
            upper = upper.union(&self.bounds[parent.index()].upper);
            lower = lower.union(&self.bounds[parent.index()].lower);
        }
        if !exact {
            let relation = self.add(sig.label.as_str(), TupleSet::empty(1), upper.clone(), sig.is_var);
            whole = self.logic.relation(relation);
            lower = TupleSet::empty(1);
        }
        self.bounds[id.index()] = SigBounds { lower, upper };
        self.sigs[id.index()] = Some(whole);
    }

    fn fields(&mut self, universe: &Universe) -> Result<Vec<ExprId>, Refusal> {
        let model = self.model;
        let mut exprs = vec![];
        for (_, field) in model.fields.iter() {
            let sig = &model.sigs[field.sig];
            // The element of a `one` sig is known: its column says nothing.
            let skip = usize::from(sig.mult == ir::Mult::One && !sig.is_var);
            let arity = field.arity as usize - skip;
            let mut upper = TupleSet::empty(arity);
            for product in &field.ty.products {
                let product = self.product_bound(universe, &product[skip..]);
                let product = product.ok_or(Refusal::TooManyTuples {
                    field: field.name,
                    span: field.span,
                })?;
                upper = upper.union(&product);
            }
            let name = format!("{}.{}", sig.label, field.name);
            let relation = self.add(&name, TupleSet::empty(arity), upper, field.is_var);
            let mut expr = self.logic.relation(relation);
            if skip == 1 {
                let one = self.sigs[field.sig.index()].expect("sigs come before fields");
                expr = self.logic.product(one, expr);
            }
            debug_assert!(matches!(field.bound.kind, BoundKind::Exactly) || !field.is_defined);
            exprs.push(expr);
        }
        Ok(exprs)
    }

    fn product_bound(&self, universe: &Universe, columns: &[SigId]) -> Option<TupleSet> {
        let mut product: Option<TupleSet> = None;
        for column in columns {
            let column = if *column == builtin::univ() {
                TupleSet::of_atoms(universe.atoms())
            } else {
                self.bounds[column.index()].upper.clone()
            };
            product = Some(match product {
                None => column,
                Some(product) => product.product(&column, universe, TUPLES_MAX)?,
            });
        }
        product
    }
}
