//! The layout of a state: which slot of the vector holds which part of which variable.
//!
//! A variable that is a function with one domain in all states, such as `pc`, is not one number but one for each
//! element, and so on inside: a step that changes `pc[p]` changes one slot, a guard that reads it reads one, and the whole
//! function is never interned. States then are long vectors of few different numbers, which is what the store of the search
//! compresses best.
//!
//! A set with many possible elements is split too: each slot has those elements that their content, hashed, puts there. What
//! a set becomes by one more message is then a matter of one slot with few values.
//!
//! Which variables are split is [found](find) before the search, from some states. A value that does not fit later is put
//! into a [box](value::Interner::boxed) in the first slot of its part, with fillers in the others. A value that fits is
//! never boxed, so states are equal exactly when their vectors are.

pub(crate) mod find;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use values::State;
pub use values::Values;

use value::{Arena, FILLER, Interner, Mixer, Set, Slot, Text, Trouble, Value, is_box};

use crate::code::VarId;

/// A variable, or a part of one that is split or has a slot. The first ones are the variables.
pub type NodeId = u32;

pub struct Layout<'i> {
    n_variables: usize,
    n_slots: usize,
    nodes: Vec<Node<'i>>,
    n_classes: usize,
    /// Whether states are encoded wrong, see [`crate::audit::Spoilt`].
    pub is_spoilt: bool,
}

pub(crate) struct Node<'i> {
    kind: Kind<'i>,
    children: Vec<NodeId>,
    /// How far it is from the variable: the mark of its boxes, because parts within each other begin with the same slot.
    level: u32,
    /// In the order of the elements.
    slots: Vec<u32>,
    /// Whether each child is one slot.
    is_flat: bool,
    /// For one with a slot: parts of the same kind in the same variable, such as all `pc[p]`, are one class.
    class: u16,
}

/// What the values of a part have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'i> {
    /// Nothing: it is one slot.
    Leaf,
    Tuple(usize),
    Record(&'i [Text]),
    Function(&'i Set<'i>),
    /// Sets: in each of so many slots, some of the elements.
    Shares(usize),
}

impl<'i> Kind<'i> {
    /// The parts of a value of this kind; nothing for other values.
    #[inline]
    fn parts<'v>(self, value: Value<'v>) -> Option<&'v [Value<'v>]> {
        match (self, value) {
            (Kind::Tuple(n), Value::Tuple(it)) if it.items.len() == n => Some(it.items),
            (Kind::Record(names), Value::Record(it))
                if std::ptr::eq(names, it.names) || names == it.names =>
            {
                Some(it.values)
            }
            (Kind::Function(domain), Value::Fun(it)) => is_same(domain, it.domain).then_some(it.values),
            _ => None,
        }
    }

    /// The other way round.
    fn value<'t>(self, parts: &'t [Value<'t>], arena: &'t Arena) -> Value<'t>
    where
        'i: 't,
    {
        match self {
            Kind::Leaf => Value::FALSE,
            Kind::Shares(_) => {
                let mut all: bumpalo::collections::Vec<'t, Value<'t>> =
                    bumpalo::collections::Vec::new_in(arena);
                for &part in parts {
                    match part {
                        Value::Set(it) => all.extend_from_slice(it.items),
                        Value::Bits(it) => it.iter().for_each(|it| all.push(it)),
                        _ => {}
                    }
                }
                Value::set(all, arena).unwrap_or(Value::FALSE)
            }
            Kind::Tuple(_) => Value::tuple_in(parts, arena),
            Kind::Record(names) => Value::record_in(names, parts, arena),
            Kind::Function(domain) => Value::function(domain, parts, arena),
        }
    }

    /// Which element an argument stands for.
    fn index(self, key: Value<'_>) -> Option<usize> {
        match (self, key) {
            (Kind::Tuple(n), Value::Int(i)) => (1..=n as i64).contains(&i).then(|| i as usize - 1),
            (Kind::Record(names), Value::Str(name)) => names.iter().position(|&it| it == name),
            (Kind::Function(domain), _) => {
                let is_key = |&it: &Value<'_>| value::equal(it, key).unwrap_or(false);
                domain.items.iter().position(is_key)
            }
            _ => None,
        }
    }
}

/// Where an element belongs that is spelt out, of so many places.
fn share(element: Value<'_>, n: usize) -> usize {
    (element.hash64() >> 32) as usize % n
}

/// What each of so many places has of a set; nothing for what is no set, or too large a one.
fn shares<'v>(set: Value<'v>, n: usize, arena: &'v Arena) -> Option<Vec<Value<'v>>> {
    let items = match set {
        Value::Set(_) | Value::Bits(_) => value::enumerate(set, arena).ok()?.items,
        Value::Symbolic(_) if value::is_finite(set) == Ok(true) => value::enumerate(set, arena).ok()?.items,
        _ => return None,
    };
    let mut order: Vec<(usize, Value<'v>)> = vec![];
    for &item in items {
        // However an element was made, it has one place.
        let item = value::spell_out_all(item, arena).ok()?;
        order.push((share(item, n), item));
    }
    // Stable: each share is sorted as the set is.
    order.sort_by_key(|it| it.0);
    let sorted = arena.alloc_slice_fill_iter(order.iter().map(|it| it.1));
    let mut all = Vec::with_capacity(n);
    let mut rest = &*sorted;
    for place in 0..n {
        let len = order.iter().filter(|it| it.0 == place).count();
        let (own, others) = rest.split_at(len);
        all.push(Value::sorted_set(own, arena));
        rest = others;
    }
    Some(all)
}

/// Whether two composite values are one and the same in memory.
pub(crate) fn is_same_node(a: Value<'_>, b: Value<'_>) -> bool {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => std::ptr::addr_eq(a, b),
        (Value::Record(a), Value::Record(b)) => std::ptr::addr_eq(a, b),
        (Value::Fun(a), Value::Fun(b)) => std::ptr::addr_eq(a, b),
        (Value::Set(a), Value::Set(b)) => std::ptr::addr_eq(a, b),
        _ => false,
    }
}

/// Whether a set that is not interned has the elements of one that is, as far as numbers tell.
fn is_same_set(known: Value<'_>, set: Value<'_>, interner: &Interner<'_>) -> bool {
    let is_same = |(&a, &b): (&Value<'_>, &Value<'_>)| match interner.slot_of(a) {
        None => false,
        number => number == interner.slot_of(b),
    };
    match (known, set) {
        (Value::Set(a), Value::Set(b)) => {
            a.items.len() == b.items.len() && a.items.iter().zip(b.items).all(is_same)
        }
        _ => false,
    }
}

fn is_same(a: &Set<'_>, b: &Set<'_>) -> bool {
    std::ptr::addr_eq(a, b)
        || a.items.len() == b.items.len()
            && a.items
                .iter()
                .zip(b.items)
                .all(|(&a, &b)| value::equal(a, b).unwrap_or(false))
}

impl<'i> Layout<'i> {
    /// One slot for each variable.
    pub fn whole(n_variables: usize) -> Layout<'i> {
        Layout::new(vec![find::Shape::leaf(); n_variables])
    }

    pub(crate) fn new(shapes: Vec<find::Shape<'i>>) -> Layout<'i> {
        let mut layout = Layout {
            n_variables: shapes.len(),
            n_slots: 0,
            nodes: vec![],
            n_classes: 0,
            is_spoilt: false,
        };
        let leaf = |level| Node {
            kind: Kind::Leaf,
            children: vec![],
            level,
            slots: vec![],
            is_flat: false,
            class: 0,
        };
        layout.nodes.extend(shapes.iter().map(|_| leaf(0)));
        for (var, shape) in shapes.iter().enumerate() {
            layout.add(var as NodeId, shape, 0, &mut vec![], &mut vec![]);
        }
        layout.interleave();
        layout
    }

    /// Puts what belongs to one element together: `pc[1]`, `number[1]`, then `pc[2]`, `number[2]`. A step of a process then
    /// changes neighbours, and the parts of a state that the store shares are what processes have in common.
    fn interleave(&mut self) {
        let mut order: Vec<(usize, usize, usize, u32)> = vec![];
        for var in 0..self.n_variables {
            let node = &self.nodes[var];
            let is_alike = |other: &Node<'i>| match (node.kind, other.kind) {
                (Kind::Tuple(a), Kind::Tuple(b)) => a == b,
                (Kind::Function(a), Kind::Function(b)) => is_same(a, b),
                _ => false,
            };
            let first = self.nodes[..var].iter().position(is_alike).unwrap_or(var);
            match node.children.is_empty() {
                true => order.push((first, 0, var, node.slots[0])),
                false => {
                    for (i, &child) in node.children.iter().enumerate() {
                        let slots = self.nodes[child as usize].slots.iter();
                        order.extend(slots.map(|&it| (first, i, var, it)));
                    }
                }
            }
        }
        order.sort_unstable();
        let mut place = vec![0; self.n_slots];
        for (new, it) in order.iter().enumerate() {
            place[it.3 as usize] = new as u32;
        }
        for node in &mut self.nodes {
            node.slots.iter_mut().for_each(|it| *it = place[*it as usize]);
        }
    }

    /// Gives slots to a part. Elements at the same place of their functions' fields are of one class: `classes` are those of
    /// this variable, by the way to them without the arguments of functions.
    fn add(
        &mut self,
        node: NodeId,
        shape: &find::Shape<'i>,
        level: u32,
        way: &mut Vec<usize>,
        classes: &mut Vec<(Vec<usize>, u16)>,
    ) {
        let first = self.n_slots as u32;
        if let Kind::Leaf = shape.kind {
            self.n_slots += 1;
            let known = classes.iter().find(|it| it.0 == *way).map(|it| it.1);
            let class = known.unwrap_or_else(|| {
                self.n_classes += 1;
                classes.push((way.clone(), self.n_classes as u16 - 1));
                self.n_classes as u16 - 1
            });
            self.nodes[node as usize].class = class;
        }
        let mut children = vec![];
        for (i, inner) in shape.children.iter().enumerate() {
            let child = self.nodes.len() as NodeId;
            self.nodes.push(Node {
                kind: Kind::Leaf,
                children: vec![],
                level: level + 1,
                slots: vec![],
                is_flat: false,
                class: 0,
            });
            children.push(child);
            way.push(if matches!(shape.kind, Kind::Record(_)) {
                i
            } else {
                0
            });
            self.add(child, inner, level + 1, way, classes);
            way.pop();
        }
        let it = &mut self.nodes[node as usize];
        (it.kind, it.children) = (shape.kind, children);
        it.slots = (first..self.n_slots as u32).collect();
        it.is_flat = shape.children.iter().all(|it| matches!(it.kind, Kind::Leaf));
    }

    pub fn n_slots(&self) -> usize {
        self.n_slots
    }

    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// How many kinds of slots there are.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// For each slot its class.
    pub fn classes(&self) -> Vec<u16> {
        let mut classes = vec![0; self.n_slots];
        for node in self.nodes.iter().filter(|it| matches!(it.kind, Kind::Leaf)) {
            classes[node.slots[0] as usize] = node.class;
        }
        classes
    }

    /// The slots of a part.
    pub fn slots(&self, node: NodeId) -> &[u32] {
        &self.nodes[node as usize].slots
    }

    /// The slots of several variables.
    pub fn slots_of(&self, vars: &[VarId]) -> Vec<u32> {
        let slots = vars.iter().flat_map(|&it| self.slots(NodeId::from(it)));
        slots.copied().collect()
    }

    /// The one slot of a part that is not split.
    pub fn slot(&self, node: NodeId) -> Option<u32> {
        let node = &self.nodes[node as usize];
        matches!(node.kind, Kind::Leaf).then(|| node.slots[0])
    }

    /// The part of a set that has an element, if it has it; nothing for what is no set that is split.
    pub fn share(&self, node: NodeId, element: Value<'_>) -> Option<NodeId> {
        let node = &self.nodes[node as usize];
        match node.kind {
            Kind::Shares(n) => Some(node.children[share(element, n)]),
            _ => None,
        }
    }

    /// For a set that is split, the slots of its parts and what each has of another set.
    pub(crate) fn shares<'t>(
        &self,
        node: NodeId,
        set: Value<'t>,
        arena: &'t Arena,
    ) -> Option<Vec<(u32, Value<'t>)>> {
        let node = &self.nodes[node as usize];
        match node.kind {
            Kind::Shares(n) => Some(node.slots.iter().copied().zip(shares(set, n, arena)?).collect()),
            _ => None,
        }
    }

    /// The part that an argument leads to, where the value fits.
    pub fn child(&self, node: NodeId, key: Value<'_>) -> Option<NodeId> {
        let node = &self.nodes[node as usize];
        Some(node.children[node.kind.index(key)?])
    }

    /// How many elements a part has that is split.
    pub(crate) fn n_children(&self, node: NodeId) -> usize {
        self.nodes[node as usize].children.len()
    }

    /// Whether every value fits where it is.
    pub fn fits(&self, state: &[Slot]) -> bool {
        // Without parts there is nothing but variables.
        self.nodes.len() == self.n_variables || !state.iter().any(|&it| is_box(it))
    }

    /// Writes the value of a part into its slots.
    pub fn encode<'v>(
        &self,
        node: NodeId,
        value: Value<'v>,
        interner: &Interner<'i>,
        arenas: (&'i Arena, &'v Arena),
        state: &mut [Slot],
    ) -> Result<(), Trouble> {
        self.encode_after(node, value, None, interner, arenas, state)
    }

    /// As [`Layout::encode`], where the value before and the vector that it is made from are known: most of it is the same.
    pub(crate) fn encode_after<'v>(
        &self,
        node: NodeId,
        value: Value<'v>,
        before: Option<(Value<'v>, &[Slot])>,
        interner: &Interner<'i>,
        (arena, scratch): (&'i Arena, &'v Arena),
        state: &mut [Slot],
    ) -> Result<(), Trouble> {
        let Node {
            kind,
            children,
            level,
            slots,
            ..
        } = &self.nodes[node as usize];
        if let Some((old, from)) = before
            && is_same_node(old, value)
        {
            for &slot in slots {
                state[slot as usize] = from[slot as usize];
            }
            return Ok(());
        }
        if let Kind::Leaf = kind {
            state[slots[0] as usize] = interner.intern(value, arena)?;
            return Ok(());
        }
        if let Kind::Shares(n) = *kind
            && let Some(shares) = shares(value, n, scratch)
        {
            for (&slot, share) in slots.iter().zip(shares) {
                let known = before.map(|it| it.1[slot as usize]);
                state[slot as usize] =
                    match known.filter(|&it| is_same_set(interner.value(it), share, interner)) {
                        Some(known) => known,
                        None => interner.intern(share, arena)?,
                    };
            }
            return Ok(());
        }
        match kind.parts(value) {
            Some(parts) => {
                let old = before.and_then(|(old, from)| Some((kind.parts(old)?, from)));
                for (i, (&child, &part)) in children.iter().zip(parts).enumerate() {
                    // Most parts are of this kind.
                    if let Node {
                        kind: Kind::Leaf,
                        slots,
                        ..
                    } = &self.nodes[child as usize]
                        && let Value::Int(_) | Value::Bool(_) | Value::Str(_) | Value::Model(_) = part
                    {
                        state[slots[0] as usize] = interner.intern(part, arena)?;
                        continue;
                    }
                    let before = old.map(|(old, from)| (old[i], from));
                    self.encode_after(child, part, before, interner, (arena, scratch), state)?;
                }
                if let [first, .., last] = slots[..]
                    && self.is_spoilt
                {
                    state[last as usize] = state[first as usize];
                }
            }
            None => {
                for &slot in &slots[1..] {
                    state[slot as usize] = FILLER;
                }
                state[slots[0] as usize] = interner.boxed(value, *level, arena)?;
            }
        }
        Ok(())
    }

    /// The value of a part; what is split is made in `arena`.
    pub fn decode<'t>(
        &self,
        node: NodeId,
        state: &[Slot],
        interner: &Interner<'i>,
        arena: &'t Arena,
    ) -> Value<'t>
    where
        'i: 't,
    {
        let Node {
            kind,
            children,
            level,
            slots,
            is_flat,
            ..
        } = &self.nodes[node as usize];
        let first = state[slots[0] as usize];
        match kind {
            Kind::Leaf => interner.value(first),
            _ => {
                if let Some((value, mark)) = interner.unboxed(first)
                    && mark == *level
                {
                    return value;
                }
                let parts: &mut [Value<'t>] = match is_flat {
                    true => {
                        let slots = slots.iter().map(|&it| state[it as usize]);
                        arena.alloc_slice_fill_iter(slots.map(|it| interner.value(it)))
                    }
                    false => {
                        let parts = children.iter();
                        arena.alloc_slice_fill_iter(parts.map(|&it| self.decode(it, state, interner, arena)))
                    }
                };
                kind.value(parts, arena)
            }
        }
    }

    /// The values of all variables.
    pub fn values<'t>(
        &self,
        state: &[Slot],
        interner: &Interner<'i>,
        arena: &'t Arena,
    ) -> impl Iterator<Item = Value<'t>>
    where
        'i: 't,
    {
        // There may be no state at all.
        let n_variables = if state.is_empty() { 0 } else { self.n_variables };
        (0..n_variables as NodeId).map(move |var| self.decode(var, state, interner, arena))
    }

    /// A hash of what a state is, whatever the numbers of its values.
    pub fn hash(&self, state: &[Slot], interner: &Interner<'i>) -> u64 {
        let mut mixer = Mixer::new(state.len() as u64);
        for &slot in state {
            mixer.add(match slot >= FILLER {
                true => interner.value(slot).hash64().rotate_left(32),
                false => interner.value(slot).hash64(),
            });
        }
        mixer.finish()
    }

    /// What states of two runs must have in common.
    pub fn fingerprint(&self) -> u64 {
        let mut mixer = Mixer::new(self.nodes.len() as u64);
        for node in &self.nodes {
            mixer.add(node.slots.len() as u64);
            match node.kind {
                Kind::Leaf => mixer.add(0),
                Kind::Tuple(n) | Kind::Shares(n) => mixer.add(n as u64),
                Kind::Record(names) => names.iter().for_each(|it| mixer.add(it.hash64())),
                Kind::Function(domain) => domain.items.iter().for_each(|it| mixer.add(it.hash64())),
            }
        }
        mixer.finish()
    }
}
