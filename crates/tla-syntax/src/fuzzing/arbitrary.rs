//! Any tree that some text has, grown from bytes: each byte decides one question, and when they run out every question
//! has its simplest answer. So a shorter input is a simpler tree, and shrinking needs no code of its own.
//!
//! Parentheses are not grown: the printer finds where they are needed.

use source::{FileId, Span};
use util::Symbol;

use crate::ast::*;
use crate::op::Op;

pub(super) fn tree(data: &[u8]) -> Tree {
    let mut grower = Grower {
        data,
        tree: Tree::default(),
        depth: 0,
        level: None,
    };
    let module = grower.module();
    grower.tree.module = Some(module);
    grower.tree
}

struct Grower<'a> {
    data: &'a [u8],
    tree: Tree,
    depth: u32,
    /// The level of the proof being grown.
    level: Option<u32>,
}

/// Beyond this only leaves grow.
const DEPTH_MAX: u32 = 40;

const NAMES: &[&str] = &["x", "y", "Foo", "WF", "_a", "2PC", "a_1", "S", "Nat", "ASSUMEd"];
const FIELDS: &[&str] = &["a", "b", "THEN", "UNION", "MODULE", "1st"];
const NUMBERS: &[&str] = &["0", "12", "\\b01", "\\o17", "\\h1F", "007"];
const DECIMALS: &[&str] = &["1.5", "0.001", ".5"];
const STRINGS: &[&str] = &["", "a", "a\"b\\c", "\t\n", "∈ x", "\\*", "(*"];

fn nowhere() -> Span {
    Span::new(FileId(0), 0, 0)
}

impl Grower<'_> {
    /// A number below `n`; 0 when the bytes have run out.
    fn below(&mut self, n: usize) -> usize {
        match self.data.split_first() {
            Some((&first, rest)) => {
                self.data = rest;
                first as usize % n
            }
            None => 0,
        }
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// `least` or a few more.
    fn many<T>(&mut self, least: usize, mut item: impl FnMut(&mut Self) -> T) -> Box<[T]> {
        let n = least + self.below(3);
        (0..n).map(|_| item(self)).collect()
    }

    fn alloc(&mut self, kind: ExprKind) -> ExprId {
        self.tree.exprs.alloc(Expr {
            kind,
            span: nowhere(),
        })
    }

    fn ident_from(&mut self, from: &[&str]) -> Ident {
        let name = Symbol::new(self.pick(from));
        Ident {
            name,
            span: nowhere(),
        }
    }

    fn ident(&mut self) -> Ident {
        self.ident_from(NAMES)
    }

    fn op(&mut self, fixity: Fixity) -> Op {
        let ops: Vec<Op> = Op::all().filter(|op| op.info().fixity == fixity).collect();
        self.pick(&ops)
    }

    fn op_ident(&mut self, fixity: Fixity) -> Ident {
        let name = self.op(fixity).symbol();
        Ident {
            name,
            span: nowhere(),
        }
    }

    // Modules and units

    fn module(&mut self) -> Module {
        self.depth += 1;
        let module = Module {
            name: self.ident(),
            extends: self.many(0, Self::ident),
            units: self.many(0, Self::unit),
            span: nowhere(),
        };
        self.depth -= 1;
        module
    }

    fn unit(&mut self) -> Unit {
        let kind = match self.below(12) {
            0 => UnitKind::Separator,
            1 => UnitKind::Constants(self.many(1, Self::op_decl)),
            2 => UnitKind::Variables(self.many(1, Self::ident)),
            3 => UnitKind::Instance(self.instance(false)),
            4 => UnitKind::Assumption(Assumption {
                keyword: Symbol::new(self.pick(&["ASSUME", "ASSUMPTION", "AXIOM"])),
                name: self.chance().then(|| self.ident()),
                body: self.expr(),
            }),
            5 => UnitKind::Theorem(Theorem {
                keyword: Symbol::new(self.pick(&["THEOREM", "LEMMA", "PROPOSITION", "COROLLARY"])),
                name: self.chance().then(|| self.ident()),
                body: self.statement(),
                proof: self.opt_proof(),
            }),
            6 => UnitKind::Use(self.use_or_hide()),
            7 if self.depth < 4 => UnitKind::Module(self.module()),
            _ => {
                let local = self.chance();
                self.definition(local)
            }
        };
        Unit {
            kind,
            span: nowhere(),
        }
    }

    fn definition(&mut self, local: bool) -> UnitKind {
        match self.below(4) {
            0 => UnitKind::Function(FunctionDefinition {
                local,
                name: self.ident(),
                bounds: self.many(1, Self::bound),
                body: self.expr(),
            }),
            1 => {
                let mut instance = self.instance(true);
                instance.local = local;
                UnitKind::Instance(instance)
            }
            _ => {
                let (name, fixity, params) = self.head();
                UnitKind::Definition(Definition {
                    local,
                    name,
                    fixity,
                    params,
                    body: self.expr(),
                })
            }
        }
    }

    fn let_unit(&mut self) -> Unit {
        let kind = match self.below(5) {
            0 => UnitKind::Recursive(self.many(1, Self::op_decl)),
            _ => self.definition(false),
        };
        Unit {
            kind,
            span: nowhere(),
        }
    }

    fn define_unit(&mut self) -> Unit {
        let kind = self.definition(false);
        Unit {
            kind,
            span: nowhere(),
        }
    }

    fn head(&mut self) -> (Ident, Fixity, Box<[OpDecl]>) {
        match self.below(6) {
            0 => {
                // A `[]` after the body of the definition before could be an arm of its CASE.
                let mut name = self.op_ident(Fixity::Prefix);
                if name.name == Op::ALWAYS.symbol() {
                    name.name = Op::NOT.symbol();
                }
                (name, Fixity::Prefix, Box::new([self.param()]))
            }
            1 => {
                let params = Box::new([self.param(), self.param()]);
                (self.op_ident(Fixity::Infix), Fixity::Infix, params)
            }
            2 => (
                self.op_ident(Fixity::Postfix),
                Fixity::Postfix,
                Box::new([self.param()]),
            ),
            _ => (self.ident(), Fixity::Nonfix, self.many(0, Self::op_decl)),
        }
    }

    fn param(&mut self) -> OpDecl {
        OpDecl {
            name: self.ident(),
            fixity: Fixity::Nonfix,
            arity: 0,
            span: nowhere(),
        }
    }

    fn op_decl(&mut self) -> OpDecl {
        let (name, fixity, arity) = match self.below(6) {
            0 => (self.op_ident(Fixity::Prefix), Fixity::Prefix, 1),
            1 => (self.op_ident(Fixity::Infix), Fixity::Infix, 2),
            2 => (self.op_ident(Fixity::Postfix), Fixity::Postfix, 1),
            n => (self.ident(), Fixity::Nonfix, n as u32 - 3),
        };
        OpDecl {
            name,
            fixity,
            arity,
            span: nowhere(),
        }
    }

    fn instance(&mut self, named: bool) -> Instance {
        let name = named.then(|| {
            let (name, fixity, params) = self.head();
            InstanceName { name, fixity, params }
        });
        Instance {
            local: !named && self.level.is_none() && self.chance(),
            name,
            module: self.ident(),
            substitutions: self.many(0, |it| Substitution {
                name: if it.chance() {
                    it.op_ident(Fixity::Infix)
                } else {
                    it.ident()
                },
                value: it.named_operator_or(Self::expr),
            }),
        }
    }

    // Expressions

    fn expr(&mut self) -> ExprId {
        if self.depth >= DEPTH_MAX {
            return self.leaf();
        }
        self.depth += 1;
        let expr = match self.below(4) {
            0 => self.leaf(),
            1 | 2 => self.operation(),
            _ => {
                let kind = self.construct();
                self.alloc(kind)
            }
        };
        self.depth -= 1;
        expr
    }

    fn leaf(&mut self) -> ExprId {
        let kind = match self.below(8) {
            0..=2 => ExprKind::Ident(self.ident().name),
            3 => ExprKind::Number(Symbol::new(self.pick(NUMBERS))),
            4 => ExprKind::Decimal(Symbol::new(self.pick(DECIMALS))),
            5 => ExprKind::Str(Symbol::new(self.pick(STRINGS))),
            6 => ExprKind::At,
            _ => ExprKind::SetEnum(Box::new([])),
        };
        self.alloc(kind)
    }

    fn operation(&mut self) -> ExprId {
        let op_span = nowhere();
        let kind = match self.below(8) {
            0 => ExprKind::Prefix {
                op: self.op(Fixity::Prefix),
                op_span,
                arg: self.expr(),
            },
            1 => ExprKind::Postfix {
                op: self.op(Fixity::Postfix),
                op_span,
                arg: self.expr(),
            },
            2 => ExprKind::Times(self.many(2, Self::expr)),
            3 => ExprKind::Junction {
                kind: if self.chance() {
                    Junction::And
                } else {
                    Junction::Or
                },
                items: self.many(1, Self::expr),
            },
            4 => ExprKind::FnApply {
                function: self.expr(),
                args: self.many(1, Self::expr),
            },
            5 => ExprKind::Select {
                record: self.expr(),
                field: self.ident_from(FIELDS),
            },
            _ => {
                let mut op = self.op(Fixity::Infix);
                if op == Op::TIMES {
                    op = Op::AND;
                }
                ExprKind::Infix {
                    op,
                    op_span,
                    lhs: self.expr(),
                    rhs: self.expr(),
                }
            }
        };
        self.alloc(kind)
    }

    fn construct(&mut self) -> ExprKind {
        match self.below(22) {
            0 => ExprKind::If {
                test: self.expr(),
                then: self.expr(),
                other: self.expr(),
            },
            1 => ExprKind::Case {
                arms: self.many(1, |it| CaseArm {
                    guard: it.expr(),
                    body: it.expr(),
                }),
                other: self.chance().then(|| self.expr()),
            },
            2 => ExprKind::Let {
                units: self.many(1, Self::let_unit),
                body: self.expr(),
            },
            3 => ExprKind::Quant {
                kind: self.pick(&[Quant::Forall, Quant::Exists]),
                bounds: self.many(1, Self::bound),
                body: self.expr(),
            },
            4 => ExprKind::UnboundedQuant {
                kind: self.pick(&[
                    Quant::Forall,
                    Quant::Exists,
                    Quant::TemporalForall,
                    Quant::TemporalExists,
                ]),
                names: self.many(1, Self::ident),
                body: self.expr(),
            },
            5 => {
                let bound = self.single_bound();
                ExprKind::Choose {
                    pattern: bound.pattern,
                    set: self.chance().then_some(bound.set),
                    body: self.expr(),
                }
            }
            6 => ExprKind::SetEnum(self.many(0, Self::expr)),
            7 => ExprKind::SetFilter {
                bound: Box::new(self.single_bound()),
                body: self.expr(),
            },
            8 => ExprKind::SetMap {
                body: self.expr(),
                bounds: self.many(1, Self::bound),
            },
            9 => ExprKind::FnLiteral {
                bounds: self.many(1, Self::bound),
                body: self.expr(),
            },
            10 => ExprKind::FnSet {
                domain: self.expr(),
                range: self.expr(),
            },
            11 => ExprKind::Record(self.many(1, Self::field)),
            12 => ExprKind::RecordSet(self.many(1, Self::field)),
            13 => ExprKind::Except {
                function: self.expr(),
                updates: self.many(1, Self::update),
            },
            14 => ExprKind::Tuple(self.many(0, Self::expr)),
            15 => ExprKind::BoxAction {
                action: self.expr(),
                subscript: self.expr(),
            },
            16 => ExprKind::AngleAction {
                action: self.expr(),
                subscript: self.expr(),
            },
            17 => ExprKind::Fairness {
                kind: self.pick(&[Fairness::Weak, Fairness::Strong]),
                subscript: self.expr(),
                action: self.expr(),
            },
            18 => ExprKind::Label {
                name: self.ident(),
                params: self.many(0, Self::ident),
                body: self.expr(),
            },
            19 => ExprKind::Path(self.path()),
            20 => ExprKind::Apply {
                name: self.ident(),
                args: self.many(1, Self::arg),
            },
            _ => self.operator_applied(),
        }
    }

    /// `+(a, b)`. The parser looks ahead to tell `-(a, b)` from `-(a)`; it need not see through every argument.
    fn operator_applied(&mut self) -> ExprKind {
        let name = self.op_ident(Fixity::Infix);
        let is_ambiguous = [Op::MINUS, Op::AND, Op::OR]
            .iter()
            .any(|op| op.symbol() == name.name);
        let args = if is_ambiguous {
            self.many(2, Self::leaf)
        } else {
            self.many(2, Self::arg)
        };
        ExprKind::Apply { name, args }
    }

    /// An argument: also an operator on its own, or a `LAMBDA`.
    fn arg(&mut self) -> ExprId {
        let kind = match self.below(6) {
            0 => {
                let fixity = self.pick(&[Fixity::Prefix, Fixity::Infix, Fixity::Postfix]);
                ExprKind::OpRef(self.op(fixity).symbol())
            }
            1 => ExprKind::Lambda {
                params: self.many(1, Self::ident),
                body: self.expr(),
            },
            _ => return self.expr(),
        };
        self.alloc(kind)
    }

    /// An operator that starts no expression, or something else.
    fn named_operator_or(&mut self, other: fn(&mut Self) -> ExprId) -> ExprId {
        let op = self.op(Fixity::Infix);
        if self.chance() && ![Op::MINUS, Op::AND, Op::OR].contains(&op) {
            return self.alloc(ExprKind::OpRef(op.symbol()));
        }
        other(self)
    }

    fn path(&mut self) -> Box<[PathPart]> {
        let mut parts: Vec<PathPart> = self.many(2, Self::path_part).into();
        let name = if self.chance() {
            self.op_ident(Fixity::Infix)
        } else {
            self.ident()
        };
        parts[0] = PathPart {
            selector: Selector::Name(name.name),
            args: Box::new([]),
            span: nowhere(),
        };
        parts.into()
    }

    fn path_part(&mut self) -> PathPart {
        let selector = match self.below(8) {
            0 => Selector::Index(self.below(200) as u32),
            1 => Selector::First,
            2 => Selector::Second,
            3 => Selector::Body,
            4 => Selector::At,
            5 => Selector::Args,
            6 => Selector::Name(self.op_ident(Fixity::Infix).name),
            _ => Selector::Name(self.ident().name),
        };
        let args = match selector {
            Selector::Args => self.many(1, Self::arg),
            Selector::Name(_) => self.many(0, Self::arg),
            _ => Box::new([]),
        };
        PathPart {
            selector,
            args,
            span: nowhere(),
        }
    }

    fn bound(&mut self) -> Bound {
        let names = self.many(1, Self::ident);
        Bound {
            pattern: if self.chance() {
                Pattern::Tuple(names)
            } else {
                Pattern::Names(names)
            },
            set: self.expr(),
        }
    }

    fn single_bound(&mut self) -> Bound {
        let mut bound = self.bound();
        if let Pattern::Names(names) = &bound.pattern {
            bound.pattern = Pattern::Names(Box::new([names[0]]));
        }
        bound
    }

    fn field(&mut self) -> Field {
        Field {
            name: self.ident_from(FIELDS),
            value: self.expr(),
        }
    }

    fn update(&mut self) -> Update {
        Update {
            path: self.many(1, |it| match it.chance() {
                true => PathStep::Index(it.many(1, Self::expr)),
                false => PathStep::Field(it.ident_from(FIELDS)),
            }),
            value: self.expr(),
            span: nowhere(),
        }
    }

    // Proofs

    fn statement(&mut self) -> ExprId {
        if self.depth >= DEPTH_MAX || !self.chance() {
            return self.expr();
        }
        self.depth += 1;
        let node = AssumeProve {
            boxed: self.chance(),
            assumptions: self.many(1, Self::assumption),
            prove: self.expr(),
        };
        self.depth -= 1;
        self.alloc(ExprKind::AssumeProve(Box::new(node)))
    }

    fn assumption(&mut self) -> AssumeItem {
        match self.below(3) {
            0 => AssumeItem::Fact(self.statement()),
            1 => AssumeItem::New {
                level: NewLevel::Constant,
                decl: self.param(),
                set: self.chance().then(|| self.expr()),
            },
            _ => AssumeItem::New {
                level: self.pick(&[
                    NewLevel::Constant,
                    NewLevel::Variable,
                    NewLevel::State,
                    NewLevel::Action,
                    NewLevel::Temporal,
                ]),
                decl: self.op_decl(),
                set: None,
            },
        }
    }

    fn opt_proof(&mut self) -> Option<Proof> {
        let kind = match self.below(5) {
            0 => return None,
            1 => ProofKind::Obvious,
            2 => ProofKind::Omitted,
            3 => ProofKind::By(self.by()),
            _ if self.depth >= DEPTH_MAX => return None,
            _ => self.steps(),
        };
        Some(Proof {
            kind,
            span: nowhere(),
        })
    }

    fn steps(&mut self) -> ProofKind {
        let outer = self.level;
        let level = outer.map_or(self.below(3) as u32, |it| it + 1 + self.below(2) as u32);
        self.level = Some(level);
        self.depth += 1;
        let mut steps: Vec<Step> = self.many(0, Self::step).into();
        let mut last = self.step();
        last.kind = StepKind::Qed;
        steps.push(last);
        self.depth -= 1;
        self.level = outer;
        ProofKind::Steps(steps.into())
    }

    fn step(&mut self) -> Step {
        let level = self.level.expect("a step is in a proof");
        let label = self.pick(&["", "1", "2a", "3_x"]);
        let dots = self.pick(&["", ".", ".."]);
        let ident = |text: String| Ident {
            name: Symbol::new(&text),
            span: nowhere(),
        };
        let kind = match self.below(12) {
            0 => StepKind::Suffices(self.statement()),
            1 => StepKind::Case(self.expr()),
            2 => StepKind::Have(self.expr()),
            3 => StepKind::Take(self.binding()),
            4 => StepKind::Witness(self.many(1, Self::expr)),
            5 => StepKind::Pick {
                binding: self.binding(),
                body: self.expr(),
            },
            6 => StepKind::Use(self.use_or_hide()),
            7 => StepKind::Define(self.many(1, Self::define_unit)),
            8 => StepKind::Instance(self.instance(false)),
            _ => StepKind::Assert(self.statement()),
        };
        let has_proof = matches!(
            kind,
            StepKind::Suffices(_) | StepKind::Case(_) | StepKind::Pick { .. } | StepKind::Assert(_)
        );
        Step {
            level,
            token: ident(format!("<{level}>{label}{dots}")),
            name: (!label.is_empty()).then(|| ident(format!("<{level}>{label}"))),
            kind,
            proof: if has_proof { self.opt_proof() } else { None },
            span: nowhere(),
        }
    }

    fn binding(&mut self) -> Binding {
        match self.chance() {
            true => Binding::Bounded(self.many(1, Self::bound)),
            false => Binding::Unbounded(self.many(1, Self::ident)),
        }
    }

    fn use_or_hide(&mut self) -> Use {
        Use {
            hide: self.chance(),
            by: self.by(),
        }
    }

    fn by(&mut self) -> By {
        By {
            only: self.chance(),
            facts: self.many(1, |it| match it.below(4) {
                0 => Fact::Module(it.ident()),
                1 if it.level.is_some() => Fact::Expr(it.citation()),
                _ => Fact::Expr(it.expr()),
            }),
            defs: self.many(0, |it| Fact::Expr(it.named_operator_or(Self::leaf))),
        }
    }

    fn citation(&mut self) -> ExprId {
        let level = self.level.expect("a citation is in a proof");
        let label = self.pick(&["1", "2a"]);
        self.alloc(ExprKind::Ident(Symbol::new(&format!("<{level}>{label}"))))
    }
}
