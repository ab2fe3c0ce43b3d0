//! The leaves of a conjunction, and the rules that they belong to.
//!
//! Whatever stands around a leaf and binds names in it is a stack, outermost first: an operator that is applied, a `LET`, a
//! quantifier. The body of an operator that was passed, a `LAMBDA` or an operator of a `LET`, sees the names of the place where it was
//! written; these are further down in the same stack, so that the stack of the place where it is applied serves it too.

use util::{FxHashMap, FxHashSet, Symbol, deep};

use super::{Inclusion, Rule};
use crate::free_variables::is_free_local;
use crate::ir::*;
use crate::level::Levels;

/// What stands around a leaf and binds names in it.
#[derive(Clone, Debug)]
pub(super) enum Around {
    /// The body of an operator with parameters.
    Call {
        op: Applied,
        params: Box<[LocalId]>,
        args: Box<[ExprId]>,
        /// Where it was called.
        from: CalledFrom,
    },
    Let(Box<[DefId]>),
    Forall(Box<[Bound]>),
}

/// The operator of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Applied {
    /// Its body has no names but its own.
    Def(DefId),
    /// One whose body, or what is passed to it, mentions names around it: of a `LET`, or with operators for parameters.
    Inner(DefId),
    Lambda,
}

/// What an argument sees that its parameter does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct CalledFrom {
    /// How many definitions were open.
    depth: usize,
    home: usize,
}

/// A conjunct as it stands.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub shape: Shape,
    pub expr: ExprId,
    /// Outermost first.
    pub around: Vec<Around>,
    pub path: Vec<Symbol>,
    pub names: Vec<Symbol>,
    pub rule: Option<usize>,
    /// The definition, as it was called, that it stands in directly.
    home: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Initial,
    Step { action: ExprId, subscript: ExprId },
    Always(ExprId),
    Fairness,
    Other,
}

#[derive(Default)]
pub(super) struct Found {
    pub leaves: Vec<Leaf>,
    pub rules: Vec<Rule>,
    /// There is more than was looked at.
    pub is_cut: bool,
    /// Something was an argument of an operator.
    pub has_arguments: bool,
    /// Definitions that are conjuncts, themselves or in others.
    pub taken_in: Vec<DefId>,
}

/// A rule that is no definition and whose action is none.
const UNNAMED: &str = "[][A]_v";

/// More than this is not a specification that somebody wrote.
const LEAVES_MAX: usize = 4_000;
/// Nor are more looks at names than this.
const LOOKS_MAX: usize = 100_000;
/// Nor operators that are applied inside each other: a configuration can put a definition in its own place.
const DEPTH_MAX: usize = 200;

pub(super) fn leaves(spec: &Spec, formulas: &[ExprId], instead: &FxHashMap<DefId, DefId>) -> Found {
    let mut walk = Walk {
        spec,
        instead,
        levels: Levels::new(spec),
        leaves: vec![],
        homes: vec![Home::default()],
        seen: FxHashSet::default(),
        sites: vec![],
        n_looks: 0,
        is_cut: false,
        has_arguments: false,
    };
    for &formula in formulas {
        let place = Place::default();
        walk.formula(formula, &place);
    }
    walk.rules()
}

/// Where the walk is.
#[derive(Clone, Default)]
struct Place {
    around: Vec<Around>,
    path: Vec<Symbol>,
    home: usize,
    /// Definitions that are being walked through.
    open: Vec<DefId>,
    /// Under `[]`.
    always: bool,
}

/// An operator that is known.
#[derive(Clone)]
enum Operation {
    Def(DefId),
    Builtin(Builtin),
    Lambda(Box<[LocalId]>, ExprId),
}

/// A definition as it was called.
#[derive(Default)]
struct Home {
    def: Option<DefId>,
    /// The name, with its arguments.
    name: String,
    /// Steps that it has in it, directly or not.
    steps: usize,
    site: Option<Inclusion>,
    outer: Option<usize>,
}

struct Walk<'a> {
    spec: &'a Spec,
    instead: &'a FxHashMap<DefId, DefId>,
    levels: Levels<'a>,
    leaves: Vec<Leaf>,
    homes: Vec<Home>,
    /// Definitions without parameters and closed leaves that were met: a second time they say nothing new.
    seen: FxHashSet<(DefId, bool)>,
    /// Further places where a definition is taken in.
    sites: Vec<(DefId, Inclusion)>,
    n_looks: usize,
    is_cut: bool,
    has_arguments: bool,
}

impl Place {
    fn called_from(&self) -> CalledFrom {
        CalledFrom {
            depth: self.open.len(),
            home: self.home,
        }
    }
}

impl Walk<'_> {
    fn formula(&mut self, id: ExprId, place: &Place) {
        deep(|| self.formula_here(id, place));
    }

    fn formula_here(&mut self, id: ExprId, place: &Place) {
        let spec = self.spec;
        self.is_cut |= self.leaves.len() > LEAVES_MAX || self.n_looks > LOOKS_MAX;
        if self.is_cut {
            return;
        }
        if let ExprKind::Local(local) = spec.exprs[id].kind
            && let Some((arg, outer)) = argument(local, place)
        {
            self.has_arguments = true;
            return self.formula(arg, &outer);
        }
        if !self.is_temporal(id, place) {
            return self.leaf(
                if place.always {
                    Shape::Always(id)
                } else {
                    Shape::Initial
                },
                id,
                place,
            );
        }
        match &spec.exprs[id].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => args.iter().for_each(|&it| self.formula(it, place)),
            ExprKind::Label { body, .. } => self.formula(*body, place),
            ExprKind::Let { defs, body } => {
                let mut inner = place.clone();
                inner.around.push(Around::Let(defs.clone()));
                self.formula(*body, &inner);
            }
            ExprKind::Quant {
                kind: Quant::Forall,
                bounds,
                body,
            } if bounds.iter().all(|it| self.levels.of(it.set) == Level::Constant) => {
                let mut inner = place.clone();
                inner.around.push(Around::Forall(bounds.clone()));
                self.formula(*body, &inner);
            }
            ExprKind::Call { op, args } => match self.operation(*op, &place.around) {
                Some(operation) => self.applied(operation, args, id, place),
                None => self.leaf(Shape::Other, id, place),
            },
            ExprKind::Builtin {
                op: Builtin::Always,
                args,
            } => self.always(args[0], id, place),
            ExprKind::BoxAction { action, subscript } if place.always => {
                let (action, subscript) = (*action, *subscript);
                self.leaf(Shape::Step { action, subscript }, id, place);
            }
            // `[]WF` and `WF` are the same.
            ExprKind::Fairness { .. } => self.leaf(Shape::Fairness, id, place),
            _ => self.leaf(Shape::Other, id, place),
        }
    }

    /// `[]F`, which goes inwards through conjunctions, if all of them are understood there; `[][]F` is `[]F`.
    fn always(&mut self, inner: ExprId, id: ExprId, place: &Place) {
        let before = (self.leaves.len(), self.homes.len(), self.sites.len());
        let seen = self.seen.clone();
        let inside = Place {
            always: true,
            ..place.clone()
        };
        self.formula(inner, &inside);
        let is_other = |it: &Leaf| matches!(it.shape, Shape::Other);
        if !self.leaves[before.0..].iter().any(is_other) {
            return;
        }
        for leaf in self.leaves.split_off(before.0) {
            self.count_steps(&leaf, -1);
        }
        self.homes.truncate(before.1);
        self.sites.truncate(before.2);
        self.seen = seen;
        self.leaf(Shape::Other, id, place);
    }

    /// What an operator is, where a parameter or the model says so.
    fn operation(&self, op: Operator, around: &[Around]) -> Option<Operation> {
        match op {
            Operator::Def(def) => Some(Operation::Def(self.instead.get(&def).copied().unwrap_or(def))),
            Operator::Decl(_) => None,
            Operator::Local(local) => {
                let (arg, i) = argument_around(local, around)?;
                match &self.spec.exprs[arg].kind {
                    ExprKind::OpRef(op) => self.operation(*op, &around[..i]),
                    ExprKind::BuiltinRef(op) => Some(Operation::Builtin(*op)),
                    ExprKind::Lambda { params, body } => Some(Operation::Lambda(params.clone(), *body)),
                    _ => None,
                }
            }
        }
    }

    fn applied(&mut self, operation: Operation, args: &[ExprId], id: ExprId, place: &Place) {
        match operation {
            _ if place.around.len() > DEPTH_MAX => self.leaf(Shape::Other, id, place),
            Operation::Def(def) => self.called(def, args, id, place),
            Operation::Builtin(Builtin::And) => args.iter().for_each(|&it| self.formula(it, place)),
            Operation::Builtin(_) => self.leaf(Shape::Other, id, place),
            Operation::Lambda(params, body) => {
                let mut inner = place.clone();
                inner.around.push(Around::Call {
                    op: Applied::Lambda,
                    params,
                    args: args.into(),
                    from: place.called_from(),
                });
                self.formula(body, &inner);
            }
        }
    }

    fn called(&mut self, def: DefId, args: &[ExprId], id: ExprId, place: &Place) {
        let spec = self.spec;
        let definition = &spec.defs[def];
        let is_endless = place.open.iter().filter(|&&it| it == def).count() > DEPTH_MAX;
        if definition.recursive || is_endless || definition.params.len() != args.len() {
            return self.leaf(Shape::Other, id, place);
        }
        let site = Inclusion {
            by: place.path.last().copied(),
            span: spec.exprs[id].span,
        };
        // A `LET` definition sees bound names that are not its own.
        let is_closed = args.is_empty() && place.around.is_empty();
        if is_closed && !self.seen.insert((def, place.always)) {
            return self.sites.push((def, site));
        }
        let mut inner = place.clone();
        if !args.is_empty() {
            let is_local = |it: &Around| matches!(it, Around::Let(defs) if defs.contains(&def));
            let takes_operators = definition.params.iter().any(|&it| spec.locals[it].arity > 0);
            let op = match takes_operators || place.around.iter().any(is_local) {
                true => Applied::Inner(def),
                false => Applied::Def(def),
            };
            inner.around.push(Around::Call {
                op,
                params: definition.params.clone(),
                args: args.into(),
                from: place.called_from(),
            });
        }
        inner.path.push(definition.name);
        inner.open.push(def);
        inner.home = self.homes.len();
        self.homes.push(Home {
            def: Some(def),
            name: self.shown(def, args, place),
            site: Some(site),
            outer: Some(place.home),
            ..Home::default()
        });
        self.formula(definition.body, &inner);
    }

    /// `Rule(1)`; without the arguments where these are not short.
    fn shown(&self, def: DefId, args: &[ExprId], place: &Place) -> String {
        let name = self.spec.defs[def].name;
        if args.is_empty() {
            return name.to_string();
        }
        let text = |&it: &ExprId| self.argument_text(it, place);
        match args.iter().map(text).collect::<Option<Vec<String>>>() {
            Some(args) => format!("{name}({})", args.join(", ")),
            None => name.to_string(),
        }
    }

    fn argument_text(&self, arg: ExprId, place: &Place) -> Option<String> {
        let spec = self.spec;
        Some(match &spec.exprs[arg].kind {
            ExprKind::Int(it) => it.to_string(),
            ExprKind::Bool(it) => it.to_string().to_uppercase(),
            ExprKind::Str(it) => format!("{:?}", it.as_str()),
            ExprKind::Decl(it) => spec.decls[*it].name.to_string(),
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if args.is_empty() => spec.defs[*def].name.to_string(),
            ExprKind::Local(local) => match argument(*local, place) {
                Some((arg, outer)) => return self.argument_text(arg, &outer),
                None => spec.locals[*local].name.to_string(),
            },
            _ => return None,
        })
    }

    /// Whether an expression is more than a predicate of states, with what its names stand for.
    fn is_temporal(&mut self, id: ExprId, place: &Place) -> bool {
        self.is_temporal_in(id, &place.around)
    }

    fn is_temporal_in(&mut self, id: ExprId, around: &[Around]) -> bool {
        self.n_looks += 1;
        if self.levels.of(id) > Level::State {
            return true;
        }
        let spec = self.spec;
        // A name has its innermost meaning: an operator can be applied inside of its own argument.
        let mut known: Vec<LocalId> = vec![];
        for (i, it) in around.iter().enumerate().rev() {
            let Around::Call { params, args, .. } = it else {
                continue;
            };
            for (&param, &arg) in params.iter().zip(args) {
                if self.n_looks <= LOOKS_MAX
                    && !known.contains(&param)
                    && is_free_local(spec, id, |it| it == param)
                    && self.is_temporal_in(arg, &around[..i])
                {
                    return true;
                }
                known.push(param);
            }
        }
        false
    }

    fn leaf(&mut self, shape: Shape, expr: ExprId, place: &Place) {
        let mut names = place.path.clone();
        let consists_of = match shape {
            Shape::Step { action, .. } => action,
            Shape::Always(it) => it,
            _ => expr,
        };
        names.extend(called_name(self.spec, consists_of));
        let leaf = Leaf {
            shape,
            expr,
            around: place.around.clone(),
            path: place.path.clone(),
            names,
            rule: None,
            home: place.home,
        };
        self.count_steps(&leaf, 1);
        self.leaves.push(leaf);
    }

    /// Counts a step for the definitions that it is in.
    fn count_steps(&mut self, leaf: &Leaf, by: isize) {
        let mut home = match leaf.shape {
            Shape::Step { .. } => Some(leaf.home),
            _ => None,
        };
        while let Some(at) = home {
            self.homes[at].steps = self.homes[at].steps.saturating_add_signed(by);
            home = self.homes[at].outer;
        }
    }

    /// Says which leaves make a rule.
    fn rules(mut self) -> Found {
        let spec = self.spec;
        let (mut rules, mut names): (Vec<Rule>, Names) = (vec![], Names::default());
        // By home, for those that are rules as a whole.
        let mut whole: FxHashMap<usize, usize> = FxHashMap::default();
        let mut leaves = std::mem::take(&mut self.leaves);
        for leaf in &mut leaves {
            let Shape::Step { action, .. } = leaf.shape else {
                continue;
            };
            let home = &self.homes[leaf.home];
            let is_whole = home.def.filter(|_| home.steps == 1);
            let action_name = called_name(spec, action);
            let (name, span, path) = match is_whole {
                Some(def) => {
                    let path = &leaf.path[..leaf.path.len().saturating_sub(1)];
                    (home.name.clone(), spec.defs[def].span, path.to_vec())
                }
                None => {
                    let name = action_name.map_or(UNNAMED.to_string(), |it| it.to_string());
                    (name, spec.exprs[leaf.expr].span, leaf.path.clone())
                }
            };
            let mut included: Vec<Inclusion> = match is_whole {
                Some(_) => home.site.into_iter().collect(),
                None => vec![Inclusion {
                    by: leaf.path.last().copied(),
                    span: spec.exprs[leaf.expr].span,
                }],
            };
            if let Some(def) = is_whole {
                let again = self.sites.iter().filter(|it| it.0 == def).map(|it| it.1);
                included.extend(again);
                whole.insert(leaf.home, rules.len());
            }
            leaf.rule = Some(rules.len());
            rules.push(Rule {
                name: names.unused(name),
                span,
                variables: vec![],
                path,
                included,
                is_named: is_whole.is_some() || action_name.is_some(),
                on: true,
            });
        }
        for leaf in leaves.iter_mut().filter(|it| it.rule.is_none()) {
            leaf.rule = whole.get(&leaf.home).copied();
        }
        let (is_cut, has_arguments) = (self.is_cut, self.has_arguments);
        let mut taken_in: Vec<DefId> = self.homes.iter().filter_map(|it| it.def).collect();
        taken_in.sort_unstable();
        taken_in.dedup();
        Found {
            leaves,
            rules,
            is_cut,
            has_arguments,
            taken_in,
        }
    }
}

/// Names for rules: the second one of a name gets a number.
#[derive(Default)]
pub struct Names(FxHashMap<String, usize>);

impl Names {
    /// The name itself, or one with a number that no rule has yet.
    pub fn unused(&mut self, name: String) -> String {
        let n = self.0.entry(name.clone()).or_default();
        *n += 1;
        match *n {
            1 => name,
            n => format!("{name}#{n}"),
        }
    }
}

/// The definition that an expression consists of.
fn called_name(spec: &Spec, expr: ExprId) -> Option<Symbol> {
    match spec.exprs[expr].kind {
        ExprKind::Call {
            op: Operator::Def(def),
            ..
        } => Some(spec.defs[def].name).filter(|it| is_word(it.as_str())),
        _ => None,
    }
}

/// Whether a definition is called by a name, and not by a sign such as `<`.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// What a parameter stands for, and where that stands.
fn argument(local: LocalId, place: &Place) -> Option<(ExprId, Place)> {
    let (arg, i) = argument_around(local, &place.around)?;
    let Around::Call { from, .. } = &place.around[i] else {
        return None;
    };
    let outer = Place {
        around: place.around[..i].to_vec(),
        // Both grow with each definition.
        path: place.path[..from.depth].to_vec(),
        open: place.open[..from.depth].to_vec(),
        home: from.home,
        always: place.always,
    };
    Some((arg, outer))
}

/// What a parameter stands for, and the place of the call.
pub(super) fn argument_around(local: LocalId, around: &[Around]) -> Option<(ExprId, usize)> {
    for (i, it) in around.iter().enumerate().rev() {
        let Around::Call { params, args, .. } = it else {
            continue;
        };
        if let Some((_, &arg)) = params.iter().zip(args).find(|it| *it.0 == local) {
            return Some((arg, i));
        }
    }
    None
}
