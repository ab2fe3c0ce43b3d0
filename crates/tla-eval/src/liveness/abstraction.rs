//! `ENABLED` in an instantiated module.
//!
//! `INSTANCE M WITH x <- e` puts `e` for `x`, but `ENABLED A` of M asks whether there is a next value of *x*, whatever `e` may
//! become (*Specifying Systems*, section 17.8). So fairness of M is evaluated in M as it was written: its
//! variables follow those of the specification in the state, with the values of what is put for them, and their
//! next values are free.

use tla_sema::ir::{DeclKind, InstanceId, LocalId};

use super::*;
use crate::code::VarId;
use crate::compile::Override;

/// The variables of the module that an action is instantiated from, with procs for what is put for them.
pub(crate) fn abstract_variables<'i>(
    compiler: &mut Compiler<'_, 'i>,
    spec: &Spec,
    action: ExprId,
) -> Vec<(Symbol, ProcId)> {
    let mut found: Option<InstanceId> = None;
    // A part of a definition with parameters is a definition of its own, with the part as its body.
    let inside = match &spec.exprs[action].kind {
        ExprKind::Call {
            op: IrOperator::Def(def),
            args,
        } if !args.is_empty() && spec.defs[*def].origin.is_none() => spec.defs[*def].body,
        _ => action,
    };
    tla_sema::walk(spec, inside, &mut |kind| {
        if let ExprKind::Call {
            op: IrOperator::Def(def),
            ..
        } = kind
        {
            found = found.or(spec.defs[*def].origin.map(|(_, instance)| instance));
        }
    });
    let Some(instance) = found.map(|it| &spec.instances[it]) else {
        return vec![];
    };
    // What depends on a parameter of the instance is left out.
    let is_closed = |expr: ExprId| {
        let mut mentions = false;
        tla_sema::walk(spec, expr, &mut |kind| {
            mentions |= matches!(kind, ExprKind::Local(it) if instance.params.contains(it));
        });
        !mentions
    };
    let decls = spec.modules[instance.module].decls.iter();
    decls
        .filter(|&&it| spec.decls[it].kind == DeclKind::Variable)
        .filter_map(|decl| {
            let expr = *instance.substitution.get(decl).filter(|it| is_closed(**it))?;
            let name = spec.decls[*decl].name;
            Some((name, compiler.closed(Open::Expr(expr), &Scope::default(), name)))
        })
        .collect()
}

/// What the declared names of modules mean.
type Meanings<'i> = Vec<(DeclId, Meaning<'i>)>;

/// Which fairness conditions and bound names of instantiated definitions stand for which of the original ones.
#[derive(Default)]
pub(super) struct Twins {
    fairness: FxHashMap<ExprId, (ExprId, InstanceId)>,
    /// From the original name to those that stand for it.
    locals: FxHashMap<LocalId, Vec<LocalId>>,
    noted: util::FxHashSet<DefId>,
}

impl Twins {
    /// Of all instantiated definitions in which fairness is asked for.
    pub(super) fn new(spec: &Spec) -> Twins {
        let mut twins = Twins::default();
        for (def, definition) in spec.defs.iter() {
            let mut has_fairness = false;
            if definition.origin.is_some() {
                tla_sema::walk(spec, definition.body, &mut |kind| {
                    has_fairness |= matches!(kind, ExprKind::Fairness { .. });
                });
            }
            if has_fairness {
                twins.note(spec, def);
            }
        }
        twins
    }

    /// Compares a definition with what it is an instance of, and that in turn.
    fn note(&mut self, spec: &Spec, def: DefId) {
        let mut at = def;
        while let Some((original, instance)) = spec.defs[at].origin {
            if !self.noted.insert(at) {
                return;
            }
            // Its first parameters are those of the instance.
            for (&original, &copy) in spec.instances[instance].params.iter().zip(&spec.defs[at].params) {
                self.locals.entry(original).or_default().push(copy);
            }
            let params = spec.defs[original].params.iter().rev();
            for (&original, &copy) in params.zip(spec.defs[at].params.iter().rev()) {
                self.locals.entry(original).or_default().push(copy);
            }
            self.compare(spec, spec.defs[at].body, spec.defs[original].body, instance);
            at = original;
        }
    }

    fn compare(&mut self, spec: &Spec, copy: ExprId, original: ExprId, instance: InstanceId) {
        let mut todo = vec![(copy, original)];
        while let Some((copy, original)) = todo.pop() {
            let (one, other) = (&spec.exprs[copy].kind, &spec.exprs[original].kind);
            // What was put for a name has parts that the name has not.
            if copy == original || std::mem::discriminant(one) != std::mem::discriminant(other) {
                continue;
            }
            match (one, other) {
                (ExprKind::Fairness { .. }, _) => {
                    self.fairness.insert(copy, (original, instance));
                }
                (ExprKind::Quant { bounds: one, .. }, ExprKind::Quant { bounds: other, .. }) => {
                    for (one, other) in one.iter().zip(other.iter()) {
                        for (&copy, &original) in one.pattern.locals().iter().zip(other.pattern.locals()) {
                            self.locals.entry(original).or_default().push(copy);
                        }
                    }
                }
                _ => {}
            }
            let (mut ones, mut others) = (vec![], vec![]);
            tla_sema::children(one, &mut |it| ones.push(it));
            tla_sema::children(other, &mut |it| others.push(it));
            todo.extend(ones.into_iter().zip(others));
        }
    }
}

impl<'i> Translator<'_, '_, 'i> {
    /// The label for `ENABLED <<A>>_v` of a fairness condition of an instantiated module, where something else than
    /// variables is put for its variables.
    pub(super) fn abstract_enabled(
        &mut self,
        fairness: ExprId,
        scope: &ScopeRef<'i>,
        taken: u32,
    ) -> Result<Option<u32>, Refusal> {
        let mut chain: Vec<InstanceId> = vec![];
        let mut at = fairness;
        while let Some(&(original, instance)) = self.twins.fairness.get(&at) {
            chain.push(instance);
            at = original;
        }
        let spec = self.spec;
        let ExprKind::Fairness {
            action, subscript, ..
        } = spec.exprs[at].kind
        else {
            return Ok(None);
        };
        let is_renaming = |it: &InstanceId| {
            let puts = |&(decl, expr): &(DeclId, ExprId)| {
                spec.decls[decl].kind == DeclKind::Variable && !self.is_variable(expr)
            };
            !self.substitution(*it).iter().any(puts)
        };
        if chain.iter().all(is_renaming) {
            return Ok(None);
        }
        let inner = self.original_names(scope);
        let (meanings, abstraction) = self.abstraction(&chain, &inner)?;
        let open = Open::Enabled { action, subscript };
        let proc = self.compiler.inside(&meanings, |compiler| {
            compiler.closed(open, &inner, Symbol::new("predicate"))
        });
        self.made.state_labels.push(StateLabel {
            proc,
            at: action,
            bindings: self.bindings(action, &inner),
            enables: Some(taken),
            abstraction,
            source: self.source(open, &inner, chain),
        });
        Ok(Some(self.made.state_labels.len() as u32 - 1))
    }

    /// What an instance puts for the names of its module, in the order of declaration.
    pub(super) fn substitution(&self, instance: InstanceId) -> Vec<(DeclId, ExprId)> {
        let instance = &self.spec.instances[instance];
        let decls = &self.spec.modules[instance.module].decls;
        let put = |&decl: &DeclId| instance.substitution.get(&decl).map(|&it| (decl, it));
        decls.iter().filter_map(put).collect()
    }

    fn is_variable(&self, expr: ExprId) -> bool {
        matches!(self.spec.exprs[self.behind(expr)].kind,
            ExprKind::Decl(decl) if self.spec.decls[decl].kind == DeclKind::Variable)
    }

    /// The meanings of all names of the modules in a chain of instances, outermost first, and the procs that give their
    /// variables' values.
    fn abstraction(
        &mut self,
        chain: &[InstanceId],
        scope: &ScopeRef<'i>,
    ) -> Result<(Meanings<'i>, Vec<ProcId>), Refusal> {
        let spec = self.spec;
        let mut meanings: Meanings<'i> = vec![];
        let mut procs = vec![];
        let first = self.compiler.program.variables.len();
        for &instance in chain {
            // Right sides belong to the module around: they do not see the names of this one.
            let mut own = vec![];
            for (decl, expr) in self.substitution(instance) {
                let meaning = match spec.decls[decl].kind {
                    DeclKind::Variable => {
                        let var = (first + procs.len()) as VarId;
                        let proc = self.compiler.inside(&meanings, |compiler| {
                            compiler.closed(Open::Expr(expr), scope, spec.decls[decl].name)
                        });
                        procs.push(proc);
                        Meaning::Variable(var)
                    }
                    DeclKind::Constant => match &spec.exprs[expr].kind {
                        ExprKind::OpRef(IrOperator::Def(def)) => Meaning::Constant(Override::Def(*def)),
                        ExprKind::OpRef(IrOperator::Decl(it)) => Meaning::Constant(Override::Decl(*it)),
                        ExprKind::Decl(it) if spec.decls[*it].kind == DeclKind::Constant => {
                            match meanings.iter().find(|(known, _)| known == it) {
                                Some((_, meaning)) => *meaning,
                                None if *it == decl => continue,
                                None => Meaning::Constant(Override::Decl(*it)),
                            }
                        }
                        // An operator without a name: whoever needs it will say that it has no definition.
                        ExprKind::Lambda { .. } | ExprKind::BuiltinRef(_) => continue,
                        _ => {
                            let value = self.value_inside(expr, scope, &meanings)?;
                            Meaning::Constant(Override::Value(value))
                        }
                    },
                };
                own.push((decl, meaning));
            }
            meanings.extend(own);
        }
        Ok((meanings, procs))
    }

    /// The names of the scope under those that they have in the original definitions.
    fn original_names(&self, scope: &ScopeRef<'i>) -> ScopeRef<'i> {
        let mut inner = scope.inside();
        let mut originals: Vec<LocalId> = self.twins.locals.keys().copied().collect();
        originals.sort_unstable();
        for original in originals {
            let copies = &self.twins.locals[&original];
            if let Some(given) = copies.iter().rev().find_map(|&it| scope.local(it)) {
                inner.bind_local(original, given.clone());
            }
        }
        Rc::new(inner)
    }
}
