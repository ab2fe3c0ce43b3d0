//! The names that are known at one place of the text.
//!
//! One flat map with an undo log: entering a binder adds names, leaving it takes them back. TLA+ forbids shadowing, so
//! nearly every entry is simply removed again.

use util::{FxHashMap, Symbol};

use crate::ir::{Binding, Entity, Module};

#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: FxHashMap<Symbol, Binding>,
    /// Nested modules have a name space of their own.
    modules: FxHashMap<Symbol, Binding>,
    undo: Vec<(Symbol, Option<Binding>)>,
}

/// A place in the undo log.
#[derive(Clone, Copy)]
pub struct Mark(usize);

impl Scope {
    /// The names that are known where a module ends.
    pub fn at_end_of(module: &Module) -> Scope {
        Scope {
            names: module.scope.clone(),
            modules: module.nested.clone(),
            undo: vec![],
        }
    }

    pub fn get(&self, name: Symbol) -> Option<Entity> {
        self.names.get(&name).map(|it| it.entity)
    }

    pub fn module(&self, name: Symbol) -> Option<Entity> {
        self.modules.get(&name).map(|it| it.entity)
    }

    /// What a new name would be in conflict with.
    pub fn get_strong(&self, name: Symbol) -> Option<Entity> {
        self.names.get(&name).filter(|it| !it.weak).map(|it| it.entity)
    }

    /// Adds a name until the enclosing mark is released; a name that is there already is hidden.
    pub fn bind(&mut self, name: Symbol, entity: Entity, local: bool) {
        let weak = false;
        self.put_binding(name, Binding { entity, local, weak });
    }

    /// The same for a name that may be weak.
    pub fn put_binding(&mut self, name: Symbol, binding: Binding) {
        let hidden = self.names.insert(name, binding);
        self.undo.push((name, hidden));
    }

    pub fn bind_module(&mut self, name: Symbol, entity: Entity, local: bool) {
        let weak = false;
        self.modules.insert(name, Binding { entity, local, weak });
    }

    pub fn mark(&self) -> Mark {
        Mark(self.undo.len())
    }

    pub fn release(&mut self, mark: Mark) {
        for (name, hidden) in self.undo.drain(mark.0..).rev() {
            match hidden {
                Some(binding) => self.names.insert(name, binding),
                None => self.names.remove(&name),
            };
        }
    }

    /// Takes back the names since `mark`, to be bound again later with [`Scope::put`].
    pub fn take(&mut self, mark: Mark) -> Vec<(Symbol, Binding)> {
        let names: Vec<Symbol> = self.undo[mark.0..].iter().map(|&(name, _)| name).collect();
        let taken = names
            .into_iter()
            .filter_map(|name| Some((name, *self.names.get(&name)?)))
            .collect();
        self.release(mark);
        taken
    }

    pub fn put(&mut self, names: Vec<(Symbol, Binding)>) {
        for (name, binding) in names {
            self.put_binding(name, binding);
        }
    }

    /// All names, sorted, for "did you mean".
    pub fn spellings(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.names.keys().map(|it| it.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// The names and nested modules as they stand, for the finished module.
    pub fn finish(&self) -> (FxHashMap<Symbol, Binding>, FxHashMap<Symbol, Binding>) {
        (self.names.clone(), self.modules.clone())
    }
}
