//! What is to be checked: a specification with its constants given and its properties named, as plain data.
//!
//! [`configure`] reads a TLC configuration against a resolved specification; [`default_model`] takes well-known names
//! and the theorems of the module. Names are resolved here once and for all; whoever checks sees only ids.
//!
//! The rules are TLC's (its `SpecProcessor`), where it has any: a constant or definition can be replaced by a value or by
//! a definition of the root module, the replacing definition must not be replaced itself, and a value for a name that
//! does not exist has no effect.

mod constant;
mod default;
mod role;

use diag::Diagnostic;
use source::Span;
use tla_syntax::config::Config;
use util::{FxHashMap, Symbol};

use crate::compose::Composition;
use crate::diagnostics as errors;
use crate::instance::Instances;
use crate::ir::*;
use crate::level::Levels;
use role::Role;

pub use default::{default_model, default_model_of};

/// A specification, ready to be checked.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub behaviour: Behaviour,
    /// What each constant of the root module is, in the order of declaration.
    pub constants: Vec<(DeclId, Given)>,
    /// Definitions that mean something else in this model, in the order of the configuration.
    pub overrides: Vec<(DefId, Given)>,
    pub invariants: Vec<Formula>,
    pub properties: Vec<Formula>,
    /// The properties as they were asked for, where whoever checks takes them apart.
    pub whole_properties: Vec<Formula>,
    pub constraints: Vec<Formula>,
    pub action_constraints: Vec<Formula>,
    /// Checked when all states have been seen.
    pub postconditions: Vec<Formula>,
    /// Some state or step must satisfy each of these.
    pub possible: Vec<Formula>,
    pub symmetry: Option<Formula>,
    pub view: Option<Formula>,
    /// A record that is shown instead of the variables.
    pub alias: Option<Formula>,
    /// Evaluated now and then during the search.
    pub periodic: Option<Formula>,
    /// Guides simulation.
    pub reward: Option<Formula>,
    /// Absent when nothing was said: whoever checks has a default.
    pub check_deadlock: Option<bool>,
    /// The behaviour taken apart, with the rules that are in force; whoever checks takes it apart when it is absent.
    pub composition: Option<Composition>,
}

/// Which behaviours are meant.
#[derive(Clone, Debug, Default)]
pub enum Behaviour {
    /// Nothing was said: only assumptions can be checked.
    #[default]
    None,
    InitNext {
        init: Formula,
        next: Option<Formula>,
    },
    Specification(Formula),
}

impl Model {
    /// Where the behaviour is asked for.
    pub fn behaviour_span(&self) -> Option<Span> {
        match &self.behaviour {
            Behaviour::None => None,
            Behaviour::Specification(it) | Behaviour::InitNext { init: it, .. } => Some(it.span),
        }
    }

    /// What the behaviour is called: `Spec`, or `Init` and `Next`.
    pub fn behaviour_name(&self) -> String {
        match &self.behaviour {
            Behaviour::None => String::new(),
            Behaviour::Specification(it) => it.name.to_string(),
            Behaviour::InitNext { init, next } => match next {
                Some(next) => format!("{} and {}", init.name, next.name),
                None => init.name.to_string(),
            },
        }
    }
}

/// A formula with the name that people know it by.
#[derive(Clone, Debug)]
pub struct Formula {
    pub name: Symbol,
    pub expr: ExprId,
    /// Where it was asked for.
    pub span: Span,
}

/// What stands for a constant or a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    Value(Value),
    /// Another definition, or another constant.
    Operator(Operator),
    /// An operator by its values: `F(1, a) = b`.
    Table(Vec<(Vec<Value>, Value)>),
}

/// A value that a configuration can write.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Bool(bool),
    /// Decimal digits, after a `-` if negative.
    Int(Symbol),
    Str(Symbol),
    /// Equal to itself and to nothing else.
    Model(Symbol),
    Set(Vec<Value>),
}

/// Reads a configuration against a specification that has no errors. `whole` is the span of the configuration file,
/// for what is missing in it.
///
/// The specification grows by the members of instances that the configuration names.
pub fn configure(spec: &mut Spec, config: &Config, whole: Span) -> (Model, Vec<Diagnostic>) {
    let instances = Instances::of(spec);
    let mut builder = Builder {
        spec,
        instances,
        model: Model::default(),
        levels: FxHashMap::default(),
        diagnostics: vec![],
    };
    builder.constants(config, whole);
    builder.behaviour(config, whole);
    builder.formulas(config);
    (builder.model, builder.diagnostics)
}

struct Builder<'a> {
    spec: &'a mut Spec,
    instances: Instances,
    model: Model,
    levels: FxHashMap<DefId, Level>,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn level(&mut self, def: DefId) -> Level {
        let spec = &*self.spec;
        *self
            .levels
            .entry(def)
            .or_insert_with(|| Levels::new(spec).of_def(def))
    }

    /// Names of the root module, sorted, for "did you mean".
    fn spellings(&self, wanted: impl Fn(Entity) -> bool) -> Vec<&'static str> {
        let Some(root) = self.spec.root() else {
            return vec![];
        };
        let mut names: Vec<&str> = root
            .scope
            .iter()
            .filter(|(_, it)| wanted(it.entity))
            .map(|(name, _)| name.as_str())
            .collect();
        names.sort_unstable();
        names
    }

    fn entity_span(&self, entity: Entity) -> Span {
        match entity {
            Entity::Decl(it) => self.spec.decls[it].span,
            Entity::Def(it) => self.spec.defs[it].span,
            Entity::Local(it) => self.spec.locals[it].span,
            Entity::Instance(it) => self.spec.instances[it].span,
            Entity::Module(it) => self.spec.modules[it].name_span,
        }
    }

    fn behaviour(&mut self, config: &Config, whole: Span) {
        if let Some(name) = config.specification {
            if let Some(formula) = self.formula(name, Role::Specification) {
                self.model.behaviour = Behaviour::Specification(formula);
            }
            return;
        }
        let checks_something = !config.invariants.is_empty() || !config.properties.is_empty();
        let has_variables = self.spec.variables().next().is_some();
        match (config.init, config.next) {
            (None, None) if !checks_something && !has_variables => {}
            (None, _) => self.report(errors::config_missing_init(whole)),
            (Some(init), None) if checks_something => self.report(errors::config_missing_next(init.span)),
            (Some(init), next) => {
                let init = self.formula(init, Role::Init);
                // No NEXT is fine here; one that is wrong is not.
                let next = next.map_or(Some(None), |it| self.formula(it, Role::Next).map(Some));
                if let (Some(init), Some(next)) = (init, next) {
                    self.model.behaviour = Behaviour::InitNext { init, next };
                }
            }
        }
    }

    fn formulas(&mut self, config: &Config) {
        self.model.invariants = self.all(&config.invariants, Role::Invariant);
        self.model.properties = self.all(&config.properties, Role::Property);
        self.model.constraints = self.all(&config.constraints, Role::Constraint);
        self.model.action_constraints = self.all(&config.action_constraints, Role::ActionConstraint);
        self.model.postconditions = self.all(&config.postconditions, Role::Postcondition);
        self.model.possible = self.all(&config.possible, Role::Possible);
        self.model.symmetry = config.symmetry.and_then(|it| self.formula(it, Role::Symmetry));
        self.model.view = config.view.and_then(|it| self.formula(it, Role::View));
        self.model.alias = config.alias.and_then(|it| self.formula(it, Role::Alias));
        self.model.periodic = config.periodic.and_then(|it| self.formula(it, Role::Periodic));
        self.model.reward = config.reward.and_then(|it| self.formula(it, Role::Reward));
        self.model.check_deadlock = config.check_deadlock.map(|it| it.check);
    }
}
