//! What a variable of a generated specification may hold: a type with few values, the set of them, and one of them.

use super::Generator;

#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// `0..2`.
    Int,
    Bool,
    /// `{"a", "b"}`.
    Str,
    /// An element of the constant `P`, a set of model values.
    Model,
    Set(Box<Type>),
    /// Defined for all values of a type.
    Fun(Box<Type>, Box<Type>),
    /// Defined for some of them: its domain grows and shrinks.
    Part(Box<Type>, Box<Type>),
    Rec(Vec<(&'static str, Type)>),
    Tup(Vec<Type>),
    /// Of at most two elements.
    Seq(Box<Type>),
    /// A bag in which nothing is more than twice.
    Bag(Box<Type>),
    /// Or the model value `NULL`.
    Maybe(Box<Type>),
    /// Values of several shapes, which can still be compared.
    Either(Vec<Type>),
}

/// What has more values is not used as an element of something larger.
const SIZE_MAX: u64 = 1 << 20;

impl Type {
    /// How many values there are, or about so many.
    pub fn size(&self, n_model: u64) -> u64 {
        let of = |it: &Type| it.size(n_model);
        let power = |base: u64, exponent: u64| {
            base.checked_pow(exponent.min(40) as u32)
                .map_or(SIZE_MAX, |it| it.min(SIZE_MAX))
        };
        let product = |all: &mut dyn Iterator<Item = u64>| all.fold(1, |a: u64, b| (a * b).min(SIZE_MAX));
        match self {
            Type::Int => 3,
            Type::Bool | Type::Str => 2,
            Type::Model => n_model,
            Type::Set(it) => power(2, of(it)),
            Type::Fun(from, to) => power(of(to), of(from)),
            Type::Part(from, to) => power(of(to) + 1, of(from)),
            Type::Rec(fields) => product(&mut fields.iter().map(|it| of(&it.1))),
            Type::Tup(items) => product(&mut items.iter().map(of)),
            Type::Seq(it) => 1 + of(it) + power(of(it), 2),
            Type::Bag(it) => power(3, of(it)),
            Type::Maybe(it) => of(it) + 1,
            Type::Either(all) => all.iter().map(of).sum::<u64>().min(SIZE_MAX),
        }
    }

    /// The set of all values, as TLA+.
    pub fn universe(&self) -> String {
        match self {
            Type::Int => "(0..2)".into(),
            Type::Bool => "BOOLEAN".into(),
            Type::Str => "{\"a\", \"b\"}".into(),
            Type::Model => "P".into(),
            Type::Set(it) => format!("(SUBSET {})", it.universe()),
            Type::Fun(from, to) => format!("[{} -> {}]", from.universe(), to.universe()),
            Type::Part(from, to) => format!("Partial({}, {})", from.universe(), to.universe()),
            Type::Rec(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, it)| format!("{name} : {}", it.universe()));
                format!("[{}]", fields.collect::<Vec<_>>().join(", "))
            }
            Type::Tup(items) => {
                let items: Vec<String> = items.iter().map(Type::universe).collect();
                format!("({})", items.join(" \\X "))
            }
            Type::Seq(it) => format!("Short({})", it.universe()),
            Type::Bag(it) => format!("Partial({}, 1..2)", it.universe()),
            Type::Maybe(it) => format!("({{NULL}} \\cup {})", it.universe()),
            Type::Either(all) => {
                let all: Vec<String> = all.iter().map(Type::universe).collect();
                format!("({})", all.join(" \\cup "))
            }
        }
    }

    /// Whether a symmetric specification would choose among model values with it.
    pub fn has_model(&self) -> bool {
        match self {
            Type::Int | Type::Bool | Type::Str => false,
            Type::Model => true,
            Type::Set(it) | Type::Seq(it) | Type::Bag(it) | Type::Maybe(it) => it.has_model(),
            Type::Fun(from, to) | Type::Part(from, to) => from.has_model() || to.has_model(),
            Type::Rec(fields) => fields.iter().any(|it| it.1.has_model()),
            Type::Tup(items) | Type::Either(items) => items.iter().any(Type::has_model),
        }
    }
}

/// The names of record fields.
pub const FIELDS: [&str; 3] = ["a", "b", "c"];

impl Generator {
    /// A type without parts.
    pub fn scalar(&mut self) -> Type {
        match self.below(4) {
            0 => Type::Int,
            1 => Type::Bool,
            2 => Type::Str,
            _ => Type::Model,
        }
    }

    /// What a function may be applied to.
    fn key(&mut self) -> Type {
        match self.below(3) {
            0 => Type::Int,
            1 => Type::Str,
            _ => Type::Model,
        }
    }

    /// A type with at most so many values.
    pub fn a_type(&mut self, size_max: u64, depth: u32) -> Type {
        for _ in 0..20 {
            let it = self.any_type(depth);
            if it.size(self.n_model) <= size_max {
                return it;
            }
        }
        if size_max > 2 { Type::Int } else { Type::Bool }
    }

    fn any_type(&mut self, depth: u32) -> Type {
        if depth == 0 {
            return self.scalar();
        }
        let part = |it: &mut Generator| Box::new(it.any_type(depth - 1));
        match self.below(13) {
            0..3 => self.scalar(),
            3 => Type::Set(part(self)),
            4 | 5 => Type::Fun(Box::new(self.key()), part(self)),
            6 => Type::Part(Box::new(self.key()), part(self)),
            7 => {
                let n = 1 + self.below(3);
                Type::Rec(
                    FIELDS[..n]
                        .iter()
                        .map(|&it| (it, self.any_type(depth - 1)))
                        .collect(),
                )
            }
            8 => Type::Tup((0..2 + self.below(2)).map(|_| self.any_type(depth - 1)).collect()),
            9 => Type::Seq(part(self)),
            10 => Type::Bag(Box::new(self.key())),
            11 => Type::Maybe(part(self)),
            _ => self.shapes(depth - 1),
        }
    }

    /// Several shapes: tuples of different lengths, records with other fields, functions with other domains.
    fn shapes(&mut self, depth: u32) -> Type {
        let (one, two) = (self.any_type(depth), self.any_type(depth));
        Type::Either(match self.below(4) {
            0 => vec![Type::Tup(vec![one.clone()]), Type::Tup(vec![one, two])],
            1 => vec![
                Type::Rec(vec![("a", one.clone())]),
                Type::Rec(vec![("a", one), ("b", two)]),
            ],
            2 => vec![
                Type::Fun(Box::new(Type::Str), Box::new(one.clone())),
                Type::Rec(vec![("a", one)]),
            ],
            // These cannot be compared: only where errors are welcome.
            _ if self.has.errors => vec![Type::Tup(vec![one.clone()]), Type::Set(Box::new(one))],
            _ => vec![
                Type::Tup(vec![one.clone(), one.clone()]),
                Type::Tup(vec![one.clone(), one.clone(), one]),
            ],
        })
    }

    /// A value of a type, without anything in it that depends on a state or on names in scope.
    pub fn literal(&mut self, of: &Type) -> String {
        match of {
            Type::Int => self.below(3).to_string(),
            Type::Bool => self.one(&["TRUE", "FALSE"]).into(),
            Type::Str => self.one(&["\"a\"", "\"b\""]).into(),
            Type::Model if self.is_symmetric => "SomeP".into(),
            Type::Model => self.one(&["M1", "M2", "SomeP"]).into(),
            Type::Set(it) => {
                let n = if self.chance(15) { 0 } else { 1 + self.below(2) };
                let items: Vec<String> = (0..n).map(|_| self.literal(it)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Type::Fun(from, to) => {
                let (name, from, to) = (self.fresh(), from.universe(), self.literal(to));
                format!("[{name} \\in {from} |-> {to}]")
            }
            Type::Part(from, to) => {
                let set = self.literal(&Type::Set(from.clone()));
                let (name, to) = (self.fresh(), self.literal(to));
                format!("[{name} \\in {set} |-> {to}]")
            }
            Type::Rec(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, it)| format!("{name} |-> {}", self.literal(it)))
                    .collect();
                format!("[{}]", fields.join(", "))
            }
            Type::Tup(items) => {
                let items: Vec<String> = items.iter().map(|it| self.literal(it)).collect();
                format!("<<{}>>", items.join(", "))
            }
            Type::Seq(it) => {
                let items: Vec<String> = (0..self.below(3)).map(|_| self.literal(it)).collect();
                format!("<<{}>>", items.join(", "))
            }
            Type::Bag(it) => match self.below(2) {
                0 => "EmptyBag".into(),
                _ => format!("SetToBag({})", self.literal(&Type::Set(it.clone()))),
            },
            Type::Maybe(it) => match self.below(2) {
                0 => "NULL".into(),
                _ => self.literal(it),
            },
            Type::Either(all) => {
                let it = self.below(all.len());
                self.literal(&all[it])
            }
        }
    }
}
