//! The relational type system: a type is a union of products of sigs, an upper bound of an expression's value.
//!
//! It serves two ends: to choose among overloaded names (by the type that the context finds relevant) and to warn of
//! expressions that cannot contribute anything. It never rejects a join for being empty, only for its arity. The
//! rules follow Edwards, Jackson and Torlak, "A type system for object models" (2004), as the Analyzer reads them.

use std::fmt::Write;
use std::sync::Arc;

use crate::ir::{self, SigId, builtin};

/// One sig for each column.
pub(crate) type Product = Arc<[SigId]>;

/// Invariant: as for [`ir::Type`]; besides, `is_small` only with the single product `Int`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Type {
    /// A formula is among the possible values.
    pub is_bool: bool,
    /// The value is an integer rather than a set of `Int` atoms.
    pub is_small: bool,
    pub products: Vec<Product>,
}

/// Which sig extends which, for all sigs that are not subset sigs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    /// The parent of each sig: `univ` for top-level sigs, itself for `univ` and `none`.
    parents: Vec<SigId>,
    depths: Vec<u32>,
}

impl Hierarchy {
    /// Sigs are added in the order of their numbers; a subset sig gets `univ` and is never asked for.
    pub fn add(&mut self, sig: SigId, parent: SigId) {
        let depth = if sig == parent {
            0
        } else {
            self.depths[parent.index()] + 1
        };
        if self.parents.len() <= sig.index() {
            self.parents.resize(sig.index() + 1, builtin::univ());
            self.depths.resize(sig.index() + 1, 1);
        }
        self.parents[sig.index()] = parent;
        self.depths[sig.index()] = depth;
    }

    /// Is every atom of `a` one of `b`, by declaration?
    pub fn is_within(&self, a: SigId, b: SigId) -> bool {
        if a == b || a == builtin::none() || b == builtin::univ() {
            return true;
        }
        if b == builtin::none() || a == builtin::univ() {
            return false;
        }
        let mut it = a;
        while self.depths[it.index()] > self.depths[b.index()] {
            it = self.parents[it.index()];
        }
        it == b
    }

    pub fn intersect(&self, a: SigId, b: SigId) -> SigId {
        if self.is_within(a, b) {
            a
        } else if self.is_within(b, a) {
            b
        } else {
            builtin::none()
        }
    }

    pub fn meets(&self, a: SigId, b: SigId) -> bool {
        self.intersect(a, b) != builtin::none()
    }

    fn is_subtype(&self, a: &[SigId], b: &[SigId]) -> bool {
        a.iter().zip(b).all(|(&a, &b)| self.is_within(a, b))
    }

    /// Adds a product, keeping the products of one arity free of subtypes of each other.
    fn add_to(&self, products: &mut Vec<Product>, new: Product) {
        if new.is_empty() {
            return;
        }
        let same = |it: &Product| it.len() == new.len();
        if products.iter().any(|it| same(it) && self.is_subtype(&new, it)) {
            return;
        }
        products.retain(|it| !(same(it) && self.is_subtype(it, &new)));
        products.push(new);
    }

    fn collect(&self, products: impl IntoIterator<Item = Product>) -> Type {
        let mut list = vec![];
        for product in products {
            self.add_to(&mut list, product);
        }
        Type::of(list)
    }

    // ---- operations on products ----

    fn product2(&self, a: &[SigId], b: &[SigId]) -> Product {
        let n = a.len() + b.len();
        if is_empty_product(a) || is_empty_product(b) {
            return nothing(n);
        }
        a.iter().chain(b).copied().collect()
    }

    fn intersect2(&self, a: &[SigId], b: &[SigId]) -> Product {
        let columns: Product = a.iter().zip(b).map(|(&a, &b)| self.intersect(a, b)).collect();
        if columns.contains(&builtin::none()) {
            nothing(a.len())
        } else {
            columns
        }
    }

    pub fn join2(&self, a: &[SigId], b: &[SigId]) -> Product {
        let n = a.len() + b.len() - 2;
        let (Some((&last, a)), Some((&first, b))) = (a.split_last(), b.split_first()) else {
            return nothing(0);
        };
        if !self.meets(last, first) {
            return nothing(n);
        }
        a.iter().chain(b).copied().collect()
    }

    fn restrict_column(&self, product: &[SigId], by: SigId, column: usize) -> Product {
        if is_empty_product(product) {
            return product.into();
        }
        let met = self.intersect(product[column], by);
        if met == builtin::none() {
            return nothing(product.len());
        }
        let mut columns = product.to_vec();
        columns[column] = met;
        columns.into()
    }

    // ---- operations on types ----

    pub fn product(&self, a: &Type, b: &Type) -> Type {
        self.collect(pairs(a, b).map(|(a, b)| self.product2(a, b)))
    }

    pub fn intersect_types(&self, a: &Type, b: &Type) -> Type {
        let same = pairs(a, b).filter(|(a, b)| a.len() == b.len());
        self.collect(same.map(|(a, b)| self.intersect2(a, b)))
    }

    pub fn intersect_product(&self, a: &Type, b: &[SigId]) -> Type {
        let same = a.products.iter().filter(|it| it.len() == b.len());
        self.collect(same.map(|it| self.intersect2(it, b)))
    }

    /// Can they have a tuple in common?
    pub fn types_meet(&self, a: &Type, b: &Type) -> bool {
        pairs(a, b).any(|(a, b)| {
            a.len() == b.len()
                && !is_empty_product(a)
                && !is_empty_product(b)
                && a.iter().zip(b.iter()).all(|(&a, &b)| self.meets(a, b))
        })
    }

    /// Everything of both, formulas included.
    pub fn merge(&self, a: &Type, b: &Type) -> Type {
        if a.is_bool == b.is_bool && a.products.is_empty() {
            return b.clone();
        }
        if a.is_bool == b.is_bool && b.products.is_empty() {
            return a.clone();
        }
        let mut merged = self.collect(a.products.iter().chain(&b.products).cloned());
        merged.is_bool = a.is_bool || b.is_bool;
        merged
    }

    pub fn add_product(&self, a: &mut Type, product: Product) {
        self.add_to(&mut a.products, product);
        a.is_small = false;
    }

    /// The union, of the arities that both have.
    pub fn union_of_common_arity(&self, a: &Type, b: &Type) -> Type {
        let left = a.products.iter().filter(|it| b.has_arity(it.len()));
        let right = b.products.iter().filter(|it| a.has_arity(it.len()));
        self.collect(left.chain(right).cloned())
    }

    pub fn transpose(&self, a: &Type) -> Type {
        let binary = a.products.iter().filter(|it| it.len() == 2);
        self.collect(binary.map(|it| Product::from([it[1], it[0]])))
    }

    pub fn join(&self, a: &Type, b: &Type) -> Type {
        let joinable = pairs(a, b).filter(|(a, b)| a.len() > 1 || b.len() > 1);
        self.collect(joinable.map(|(a, b)| self.join2(a, b)))
    }

    /// `by <: a`
    pub fn domain(&self, by: &Type, a: &Type) -> Type {
        let unary = by.products.iter().filter(|it| it.len() == 1);
        let all = unary.flat_map(|by| a.products.iter().map(move |it| (by, it)));
        self.collect(all.map(|(by, it)| self.restrict_column(it, by[0], 0)))
    }

    /// `a :> by`
    pub fn range(&self, a: &Type, by: &Type) -> Type {
        let unary = by.products.iter().filter(|it| it.len() == 1);
        let all = unary.flat_map(|by| a.products.iter().map(move |it| (by, it)));
        self.collect(all.map(|(by, it)| self.restrict_column(it, by[0], it.len() - 1)))
    }

    pub fn closure(&self, a: &Type) -> Type {
        let step = a.of_arity(2);
        let mut all = step.clone();
        let mut reach = step.clone();
        loop {
            reach = self.join(&reach, &step);
            let grown = self.union_of_common_arity(&all, &reach);
            if grown.products.len() == all.products.len()
                && grown.products.iter().all(|it| all.products.contains(it))
            {
                return all;
            }
            all = grown;
        }
    }

    /// Is some product of `a` able to override one of `b`?
    pub fn can_override(&self, a: &Type, b: &Type) -> bool {
        pairs(a, b).any(|(a, b)| a.len() == b.len() && self.meets(a[0], b[0]))
    }

    pub fn first_columns_meet(&self, a: &Type, b: &Type) -> bool {
        pairs(a, b).any(|(a, b)| self.meets(a[0], b[0]))
    }

    /// The part of a closure's operand that matters when only `wanted` of the closure does.
    pub fn relevant_to_closure(&self, wanted: &Type, operand: &Type) -> Type {
        let mut graph = TypeGraph::new(self);
        for product in operand.products.iter().filter(|it| it.len() == 2) {
            graph.add_edge(product[0], product[1]);
        }
        graph.link_overlapping();
        for product in wanted.products.iter().filter(|it| it.len() == 2) {
            graph.add_outside(product[0]);
            graph.add_outside(product[1]);
        }
        let wanted: Vec<_> = wanted.products.iter().filter(|it| it.len() == 2).collect();
        let mut relevant = Type::default();
        for product in operand.products.iter().filter(|it| it.len() == 2) {
            let is_relevant = wanted
                .iter()
                .any(|w| graph.has_path(w[0], product[0]) && graph.has_path(product[1], w[1]));
            if is_relevant {
                self.add_to(&mut relevant.products, product.clone());
            }
        }
        relevant
    }
}

/// Sigs linked by a relation's columns and by overlap.
struct TypeGraph<'a> {
    hierarchy: &'a Hierarchy,
    nodes: Vec<SigId>,
    edges: Vec<(SigId, SigId)>,
}

impl<'a> TypeGraph<'a> {
    fn new(hierarchy: &'a Hierarchy) -> TypeGraph<'a> {
        TypeGraph {
            hierarchy,
            nodes: vec![],
            edges: vec![],
        }
    }

    fn add_node(&mut self, node: SigId) {
        if !self.nodes.contains(&node) {
            self.nodes.push(node);
        }
    }

    fn add_edge(&mut self, from: SigId, to: SigId) {
        self.add_node(from);
        self.add_node(to);
        self.edges.push((from, to));
    }

    fn link_overlapping(&mut self) {
        for &a in &self.nodes {
            for &b in &self.nodes {
                if a != b && self.hierarchy.meets(a, b) {
                    self.edges.push((a, b));
                }
            }
        }
    }

    fn add_outside(&mut self, node: SigId) {
        if self.nodes.contains(&node) {
            return;
        }
        for &other in &self.nodes {
            if self.hierarchy.meets(node, other) {
                self.edges.push((node, other));
                self.edges.push((other, node));
            }
        }
        self.nodes.push(node);
    }

    fn has_path(&self, from: SigId, to: SigId) -> bool {
        let mut seen = vec![from];
        let mut at = 0;
        while at < seen.len() {
            let node = seen[at];
            if node == to {
                return true;
            }
            for &(a, b) in &self.edges {
                if a == node && !seen.contains(&b) {
                    seen.push(b);
                }
            }
            at += 1;
        }
        false
    }
}

fn nothing(arity: usize) -> Product {
    vec![builtin::none(); arity].into()
}

pub(crate) fn is_empty_product(product: &[SigId]) -> bool {
    product.first().is_none_or(|&it| it == builtin::none())
}

fn pairs<'a>(a: &'a Type, b: &'a Type) -> impl Iterator<Item = (&'a Product, &'a Product)> {
    a.products
        .iter()
        .flat_map(|a| b.products.iter().map(move |b| (a, b)))
}

impl Type {
    pub fn of(products: Vec<Product>) -> Type {
        Type {
            is_bool: false,
            is_small: false,
            products,
        }
    }

    pub fn formula() -> Type {
        Type {
            is_bool: true,
            ..Type::default()
        }
    }

    pub fn sig(sig: SigId) -> Type {
        Type::of(vec![Product::from([sig])])
    }

    pub fn pair(sig: SigId) -> Type {
        Type::of(vec![Product::from([sig, sig])])
    }

    pub fn small_int() -> Type {
        Type {
            is_small: true,
            ..Type::sig(builtin::int())
        }
    }

    /// Neither formula nor relation: nothing is possible.
    pub fn is_impossible(&self) -> bool {
        !self.is_bool && self.products.is_empty()
    }

    pub fn is_relation(&self) -> bool {
        !self.products.is_empty()
    }

    /// `Int` itself is among the products: a number may be meant.
    pub fn is_int(&self) -> bool {
        self.products.iter().any(|it| **it == [builtin::int()])
    }

    pub fn is_small_int(&self) -> bool {
        self.is_small && self.is_int()
    }

    pub fn has_tuple(&self) -> bool {
        self.products.iter().any(|it| !is_empty_product(it))
    }

    pub fn has_arity(&self, arity: usize) -> bool {
        self.products.iter().any(|it| it.len() == arity)
    }

    /// The arity of all products; `None` when there are none or several.
    pub fn arity(&self) -> Option<usize> {
        let arity = self.products.first()?.len();
        self.products.iter().all(|it| it.len() == arity).then_some(arity)
    }

    pub fn has_common_arity(&self, other: &Type) -> bool {
        self.products.iter().any(|it| other.has_arity(it.len()))
    }

    /// Without formulas and integers.
    pub fn as_set(&self) -> Type {
        Type::of(self.products.clone())
    }

    pub fn of_arity(&self, arity: usize) -> Type {
        Type::of(
            self.products
                .iter()
                .filter(|it| it.len() == arity)
                .cloned()
                .collect(),
        )
    }

    pub fn of_common_arity(&self, other: &Type) -> Type {
        Type::of(
            self.products
                .iter()
                .filter(|it| other.has_arity(it.len()))
                .cloned()
                .collect(),
        )
    }

    pub fn to_ir(&self) -> ir::Type {
        ir::Type {
            products: self
                .products
                .iter()
                .map(|it| it.to_vec().into_boxed_slice())
                .collect(),
        }
    }

    /// For messages: `{A->B, C}`.
    pub fn show(&self, name: impl Fn(SigId) -> String) -> String {
        let mut text = String::from("{");
        if self.is_bool {
            text.push_str("formula");
        }
        for (i, product) in self.products.iter().enumerate() {
            if i > 0 || self.is_bool {
                text.push_str(", ");
            }
            for (j, &sig) in product.iter().enumerate() {
                let arrow = if j > 0 { "->" } else { "" };
                write!(text, "{arrow}{}", name(sig)).expect("writing to a string");
            }
        }
        text.push('}');
        text
    }
}
