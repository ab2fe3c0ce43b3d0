//! The resolved specification: every name replaced by what it stands for.
//!
//! All modules that a root module opens share one set of arenas. Instances are gone: `M!Next` is a definition of its
//! own, whose body is the body of `Next` with the declared constants and variables of `M` replaced. So an evaluator
//! sees only literals, bound names, declared names, calls of definitions and built-in operators.
//!
//! Invariants:
//! - a [`Local`] is bound by exactly one binder and used only inside it;
//! - an operator argument ([`ExprKind::Lambda`], [`ExprKind::OpRef`]) stands only where a parameter of arity > 0 is;
//! - a call has as many arguments as the definition has parameters;
//! - operands stand in the order of the text, so that `!`-selectors can walk the tree.

use source::Span;
use util::{Arena, FxHashMap, Idx, Symbol};

pub use tla_syntax::ast::{Fairness, Quant};

pub type ExprId = Idx<Expr>;
pub type DefId = Idx<Def>;
pub type DeclId = Idx<Decl>;
pub type LocalId = Idx<Local>;
pub type ModuleId = Idx<Module>;
pub type InstanceId = Idx<Instance>;

/// A root module and everything that it opens.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    pub exprs: Arena<Expr>,
    pub defs: Arena<Def>,
    pub decls: Arena<Decl>,
    pub locals: Arena<Local>,
    pub modules: Arena<Module>,
    pub instances: Arena<Instance>,
    /// Variables of instantiated modules that `ENABLED` asks for a next value of: they have one there, and nowhere else.
    pub hidden: Vec<DeclId>,
    /// Absent when the root's text holds no module.
    pub root: Option<ModuleId>,
    /// Formulas from outside, each known by its text: see [`Appendix`](crate::Appendix). They are no names of the module.
    pub appended: FxHashMap<Symbol, DefId>,
}

impl Spec {
    pub fn root(&self) -> Option<&Module> {
        self.root.map(|it| &self.modules[it])
    }

    /// What `name` means at the end of the root module.
    pub fn lookup(&self, name: Symbol) -> Option<Entity> {
        self.root()?.scope.get(&name).map(|it| it.entity)
    }

    pub fn lookup_def(&self, name: &str) -> Option<DefId> {
        match self.lookup(Symbol::new(name))? {
            Entity::Def(def) => Some(def),
            _ => None,
        }
    }

    /// Whether a definition was made of a formula from outside.
    pub fn is_appended(&self, def: DefId) -> bool {
        self.appended.get(&self.defs[def].name) == Some(&def)
    }

    /// The constants of the root module and of the modules that it extends, in the order of declaration.
    pub fn constants(&self) -> impl Iterator<Item = DeclId> {
        self.declared(DeclKind::Constant)
    }

    /// The variables of the root module and of the modules that it extends, in the order of declaration.
    pub fn variables(&self) -> impl Iterator<Item = DeclId> {
        self.declared(DeclKind::Variable)
    }

    fn declared(&self, kind: DeclKind) -> impl Iterator<Item = DeclId> {
        let decls = self.root().map(|it| it.decls.as_slice()).unwrap_or_default();
        decls
            .iter()
            .copied()
            .filter(move |&it| self.decls[it].kind == kind)
    }
}

/// A module after resolution.
#[derive(Clone, Debug)]
pub struct Module {
    pub name: Symbol,
    pub name_span: Span,
    pub span: Span,
    /// Modules named in `EXTENDS`.
    pub extends: Vec<ModuleId>,
    /// Constants and variables, own and extended, in the order of declaration.
    pub decls: Vec<DeclId>,
    /// Own definitions, in the order of the text, without those of `LET`.
    pub defs: Vec<DefId>,
    /// Own and extended assumptions.
    pub assumptions: Vec<Statement>,
    /// Own theorems.
    pub theorems: Vec<Statement>,
    /// Every name that is known at the end of the module.
    pub scope: FxHashMap<Symbol, Binding>,
    /// Every nested module that is known at the end of the module.
    pub nested: FxHashMap<Symbol, Binding>,
    /// Comes with Babbage.
    pub is_library: bool,
}

impl Module {
    /// The assumptions that a model must satisfy. An `AXIOM` is believed, not checked, as in TLC: it may speak of all values there are.
    pub fn checked_assumptions(&self) -> impl Iterator<Item = (&Statement, ExprId)> {
        let checked = self
            .assumptions
            .iter()
            .filter(|it| it.keyword.as_str() != "AXIOM");
        checked.filter_map(|it| Some((it, it.body?)))
    }
}

/// A name in the scope of a module.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    pub entity: Entity,
    /// Not visible to modules that extend or instantiate this one.
    pub local: bool,
    /// Gives way to whatever else has this name: it comes from a library module that opens another one for its own sake.
    pub weak: bool,
}

/// What a name can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    Decl(DeclId),
    Def(DefId),
    Local(LocalId),
    /// A named instance.
    Instance(InstanceId),
    /// A nested module.
    Module(ModuleId),
}

/// `I(params) == INSTANCE module WITH substitution`.
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: Option<Symbol>,
    pub module: ModuleId,
    pub params: Box<[LocalId]>,
    /// What stands for each constant and variable of the module; complete unless an error was reported.
    /// Values mention `params` and the names of the module where the instance stands.
    pub substitution: FxHashMap<DeclId, ExprId>,
    pub span: Span,
}

/// An assumption or a theorem.
#[derive(Clone, Debug)]
pub struct Statement {
    /// `ASSUME`, `THEOREM`, `LEMMA` … as written.
    pub keyword: Symbol,
    pub name: Option<Symbol>,
    /// Absent for `ASSUME … PROVE`, which is a rule and not a formula.
    pub body: Option<ExprId>,
    pub has_proof: bool,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeclKind {
    Constant,
    Variable,
}

/// A declared constant (possibly an operator) or variable.
#[derive(Clone, Copy, Debug)]
pub struct Decl {
    pub name: Symbol,
    pub kind: DeclKind,
    pub arity: u32,
    pub span: Span,
    pub module: ModuleId,
}

/// A bound name: of a quantifier, a constructor, `CHOOSE`, `LAMBDA`, a parameter, `@`, `NEW`.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    pub name: Symbol,
    /// More than 0 for operator parameters.
    pub arity: u32,
    /// A constant, but for `\EE x` (a state function) and names such as that of `NEW ACTION A`.
    pub level: Level,
    pub span: Span,
}

/// A definition of a module or a `LET`, an instantiated one, or a named theorem or assumption.
#[derive(Clone, Debug)]
pub struct Def {
    /// As one would cite it in the root module or in the module where it stands: `Next`, `Abs!Next`.
    pub name: Symbol,
    pub kind: DefKind,
    pub params: Box<[LocalId]>,
    pub body: ExprId,
    /// Of the name in the text.
    pub span: Span,
    pub module: ModuleId,
    pub local: bool,
    /// Declared with `RECURSIVE`, or a function that applies itself.
    pub recursive: bool,
    /// The definition that this one instantiates, and the instance that it belongs to.
    pub origin: Option<(DefId, InstanceId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefKind {
    Operator,
    /// `f[x \in S] == e`: the body is a function literal.
    Function,
    /// A named theorem, assumption or proof step that is a formula.
    Statement,
    /// A named `ASSUME … PROVE`, or a step such as `HAVE x > 0`: it can be cited, but has no value. Its body is the tuple of its formulas, of
    /// which selectors pick one.
    Rule,
    /// Declared with `RECURSIVE` and not defined (an error was reported).
    Undefined,
}

/// Levels of *Specifying Systems*, section 17.2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub enum Level {
    #[default]
    Constant,
    State,
    Action,
    Temporal,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// The operator of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    Def(DefId),
    /// A constant operator.
    Decl(DeclId),
    /// An operator parameter.
    Local(LocalId),
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Something that could not be resolved; an error was reported.
    Error,
    Bool(bool),
    /// An integer that fits a machine word.
    Int(i64),
    /// A larger one: its digits in base 2, 8, 10 or 16.
    BigInt {
        digits: Symbol,
        radix: u32,
    },
    /// `12.34`, as written.
    Decimal(Symbol),
    Str(Symbol),
    Local(LocalId),
    Decl(DeclId),
    Call {
        op: Operator,
        args: Box<[ExprId]>,
    },
    /// An operator as an argument.
    OpRef(Operator),
    /// A built-in operator as an argument: `Fold(\cup, …)`.
    BuiltinRef(Builtin),
    Lambda {
        params: Box<[LocalId]>,
        body: ExprId,
    },
    /// And, or, equality and so on; `/\` and `\/` take any number of operands.
    Builtin {
        op: Builtin,
        args: Box<[ExprId]>,
    },
    If {
        test: ExprId,
        then: ExprId,
        other: ExprId,
    },
    Case {
        arms: Box<[(ExprId, ExprId)]>,
        other: Option<ExprId>,
    },
    Let {
        defs: Box<[DefId]>,
        body: ExprId,
    },
    Quant {
        kind: Quant,
        bounds: Box<[Bound]>,
        body: ExprId,
    },
    UnboundedQuant {
        kind: Quant,
        locals: Box<[LocalId]>,
        body: ExprId,
    },
    Choose {
        bound: Box<Bound>,
        body: ExprId,
    },
    UnboundedChoose {
        pattern: Pattern,
        body: ExprId,
    },
    SetEnum(Box<[ExprId]>),
    SetFilter {
        bound: Box<Bound>,
        body: ExprId,
    },
    SetMap {
        bounds: Box<[Bound]>,
        body: ExprId,
    },
    FnLiteral {
        bounds: Box<[Bound]>,
        body: ExprId,
    },
    /// Several arguments have become one tuple.
    FnApply {
        function: ExprId,
        arg: ExprId,
    },
    FnSet {
        domain: ExprId,
        range: ExprId,
    },
    Record(Box<[(Symbol, ExprId)]>),
    RecordSet(Box<[(Symbol, ExprId)]>),
    Select {
        record: ExprId,
        field: Symbol,
    },
    Except {
        function: ExprId,
        updates: Box<[Update]>,
    },
    Tuple(Box<[ExprId]>),
    /// `S \X T \X …`.
    Times(Box<[ExprId]>),
    BoxAction {
        action: ExprId,
        subscript: ExprId,
    },
    AngleAction {
        action: ExprId,
        subscript: ExprId,
    },
    Fairness {
        kind: Fairness,
        subscript: ExprId,
        action: ExprId,
    },
    /// Kept for selectors; means its body.
    Label {
        name: Symbol,
        params: Box<[LocalId]>,
        body: ExprId,
    },
}

/// `pattern \in set`. `x, y \in S` has become two bounds with one set.
#[derive(Clone, Debug)]
pub struct Bound {
    pub pattern: Pattern,
    pub set: ExprId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    One(LocalId),
    Tuple(Box<[LocalId]>),
}

impl Pattern {
    pub fn locals(&self) -> &[LocalId] {
        match self {
            Pattern::One(local) => std::slice::from_ref(local),
            Pattern::Tuple(locals) => locals,
        }
    }
}

/// `![i].f = value`, where `@` in the value is the local `at`.
#[derive(Clone, Debug)]
pub struct Update {
    pub path: Box<[ExprId]>,
    pub at: LocalId,
    pub value: ExprId,
}

/// Operators of the language itself, defined in no module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Builtin {
    And,
    Or,
    Not,
    Implies,
    Equiv,
    Eq,
    Neq,
    In,
    NotIn,
    SubsetEq,
    Cup,
    Cap,
    SetMinus,
    /// `SUBSET S`.
    PowerSet,
    /// `UNION S`.
    Union,
    Domain,
    /// `BOOLEAN`
    Boolean,
    /// `STRING`
    StringSet,
    Prime,
    Enabled,
    Unchanged,
    Always,
    Eventually,
    LeadsTo,
    /// `-+->`
    Guarantees,
    /// `\cdot`
    Compose,
    /// `\X` as an operator argument; written products are [`ExprKind::Times`].
    Product,
}
