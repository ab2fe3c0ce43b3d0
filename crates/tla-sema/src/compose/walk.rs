//! The leaves of a conjunction, and the rules that they belong to.

use util::{FxHashMap, FxHashSet, Symbol, deep};

use super::{Inclusion, Rule};
use crate::ir::*;
use crate::level::Levels;
use crate::mentions::mentions_local;

/// What stands around a leaf and binds names in it.
#[derive(Clone, Debug)]
pub(super) enum Around {
    /// The body of a definition with parameters.
    Call {
        def: DefId,
        args: Box<[ExprId]>,
    },
    Let(Box<[DefId]>),
    Forall(Box<[Bound]>),
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
}

/// More than this is not a specification that somebody wrote.
const LEAVES_MAX: usize = 10_000;

pub(super) fn leaves(spec: &Spec, formulas: &[ExprId], instead: &FxHashMap<DefId, DefId>) -> Found {
    let mut walk = Walk {
        spec,
        instead,
        levels: Levels::new(spec),
        leaves: vec![],
        homes: vec![Home::default()],
        seen: FxHashSet::default(),
        sites: vec![],
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
    /// Definitions that are being walked through, against recursion.
    open: Vec<DefId>,
    /// Under `[]`.
    always: bool,
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
}

impl Walk<'_> {
    fn formula(&mut self, id: ExprId, place: &Place) {
        deep(|| self.formula_here(id, place));
    }

    fn formula_here(&mut self, id: ExprId, place: &Place) {
        let spec = self.spec;
        if self.leaves.len() > LEAVES_MAX {
            return;
        }
        if let ExprKind::Local(local) = spec.exprs[id].kind
            && let Some((arg, outer)) = argument(spec, local, place)
        {
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
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } => {
                let def = self.instead.get(def).copied().unwrap_or(*def);
                self.called(def, args, id, place);
            }
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

    /// `[]F`, which goes inwards through conjunctions; `[][]F` is `[]F`.
    fn always(&mut self, inner: ExprId, id: ExprId, place: &Place) {
        if self.goes_inwards(inner, place) {
            let place = Place {
                always: true,
                ..place.clone()
            };
            return self.formula(inner, &place);
        }
        self.leaf(Shape::Other, id, place);
    }

    /// Whether a formula under `[]` is a conjunction of such that are understood there, all of them.
    fn goes_inwards(&mut self, id: ExprId, place: &Place) -> bool {
        deep(|| {
            let spec = self.spec;
            if let ExprKind::Local(local) = spec.exprs[id].kind
                && let Some((arg, outer)) = argument(spec, local, place)
            {
                return self.goes_inwards(arg, &outer);
            }
            if !self.is_temporal(id, place) {
                return true;
            }
            match &spec.exprs[id].kind {
                ExprKind::BoxAction { .. } | ExprKind::Fairness { .. } => true,
                ExprKind::Builtin {
                    op: Builtin::Always | Builtin::And,
                    args,
                } => args.iter().all(|&it| self.goes_inwards(it, place)),
                ExprKind::Label { body, .. } => self.goes_inwards(*body, place),
                ExprKind::Call {
                    op: Operator::Def(def),
                    args,
                } if args.is_empty() && !place.open.contains(def) => {
                    let def = self.instead.get(def).copied().unwrap_or(*def);
                    let mut inner = place.clone();
                    inner.open.push(def);
                    !spec.defs[def].recursive && self.goes_inwards(spec.defs[def].body, &inner)
                }
                _ => false,
            }
        })
    }

    fn called(&mut self, def: DefId, args: &[ExprId], id: ExprId, place: &Place) {
        let spec = self.spec;
        let definition = &spec.defs[def];
        // A part of an operator of a `LET` would have to be an operator of that `LET`.
        let is_local = |it: &Around| matches!(it, Around::Let(defs) if defs.contains(&def));
        if definition.recursive
            || place.open.contains(&def)
            || definition.params.len() != args.len()
            || !args.is_empty() && place.around.iter().any(is_local)
        {
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
            let args = args.into();
            inner.around.push(Around::Call { def, args });
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
            ExprKind::Local(local) => match argument(spec, *local, place) {
                Some((arg, outer)) => return self.argument_text(arg, &outer),
                None => spec.locals[*local].name.to_string(),
            },
            _ => return None,
        })
    }

    /// Whether an expression is more than a predicate of states, with what its names stand for.
    fn is_temporal(&mut self, id: ExprId, place: &Place) -> bool {
        if self.levels.of(id) > Level::State {
            return true;
        }
        let spec = self.spec;
        for (i, around) in place.around.iter().enumerate() {
            let Around::Call { def, args } = around else {
                continue;
            };
            for (&param, &arg) in spec.defs[*def].params.iter().zip(args) {
                let outer = Place {
                    around: place.around[..i].to_vec(),
                    ..Place::default()
                };
                if self.is_temporal(arg, &outer) && mentions_local(spec, id, |it| it == param) {
                    return true;
                }
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
        if matches!(shape, Shape::Step { .. }) {
            let mut home = Some(place.home);
            while let Some(at) = home {
                self.homes[at].steps += 1;
                home = self.homes[at].outer;
            }
        }
        self.leaves.push(Leaf {
            shape,
            expr,
            around: place.around.clone(),
            path: place.path.clone(),
            names,
            rule: None,
            home: place.home,
        });
    }

    /// Says which leaves make a rule.
    fn rules(mut self) -> Found {
        let spec = self.spec;
        let mut rules: Vec<Rule> = vec![];
        // By home, for those that are rules as a whole.
        let mut whole: FxHashMap<usize, usize> = FxHashMap::default();
        let mut leaves = std::mem::take(&mut self.leaves);
        for leaf in &mut leaves {
            let Shape::Step { action, .. } = leaf.shape else {
                continue;
            };
            let home = &self.homes[leaf.home];
            let is_whole = home.def.filter(|_| home.steps == 1);
            let (name, span, path) = match is_whole {
                Some(def) => {
                    let path = &leaf.path[..leaf.path.len().saturating_sub(1)];
                    (home.name.clone(), spec.defs[def].span, path.to_vec())
                }
                None => {
                    let name =
                        called_name(spec, action).map_or_else(|| "[][A]_v".to_string(), |it| it.to_string());
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
                name: unused(name, &rules),
                span,
                variables: vec![],
                path,
                included,
                on: true,
            });
        }
        for leaf in leaves.iter_mut().filter(|it| it.rule.is_none()) {
            leaf.rule = whole.get(&leaf.home).copied();
        }
        Found { leaves, rules }
    }
}

/// A name that no rule has yet.
fn unused(name: String, rules: &[Rule]) -> String {
    let is_used = |name: &str| rules.iter().any(|it| it.name == name);
    if !is_used(&name) {
        return name;
    }
    let numbered = (2..).map(|n| format!("{name}#{n}"));
    let mut free = numbered.filter(|it| !is_used(it));
    free.next().unwrap_or(name)
}

/// The definition that an expression consists of.
fn called_name(spec: &Spec, expr: ExprId) -> Option<Symbol> {
    match spec.exprs[expr].kind {
        ExprKind::Call {
            op: Operator::Def(def),
            ..
        } => Some(spec.defs[def].name),
        _ => None,
    }
}

/// What a parameter stands for, and where that stands.
fn argument(spec: &Spec, local: LocalId, place: &Place) -> Option<(ExprId, Place)> {
    for (i, around) in place.around.iter().enumerate().rev() {
        let Around::Call { def, args } = around else {
            continue;
        };
        let params = spec.defs[*def].params.iter();
        if let Some((_, &arg)) = params.zip(args).find(|it| *it.0 == local) {
            let outer = Place {
                around: place.around[..i].to_vec(),
                ..place.clone()
            };
            return Some((arg, outer));
        }
    }
    None
}
