//! A small Alloy model as a tree, and its text.

use std::fmt;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    pub sigs: Vec<Sig>,
    pub fields: Vec<Field>,
    pub facts: Vec<Formula>,
    /// What the command asks for.
    pub goal: Option<Formula>,
    /// `check` instead of `run`: an instance is a counterexample.
    pub is_check: bool,
    /// The sig that is put in order, if one is.
    pub ordered: Option<usize>,
    /// States of a trace at most; only where something varies.
    pub steps_max: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Sig {
    pub name: &'static str,
    pub multiplicity: Multiplicity,
    pub origin: Origin,
    pub is_abstract: bool,
    pub is_var: bool,
    /// For sigs at the top: how many atoms, and whether all of them.
    pub scope: usize,
    pub is_exact: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Origin {
    Top,
    Extends(usize),
    In(usize),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Multiplicity {
    Set,
    Some,
    Lone,
    One,
}

impl Multiplicity {
    pub fn allows(self, n: usize) -> bool {
        match self {
            Self::Set => true,
            Self::Some => n > 0,
            Self::Lone => n < 2,
            Self::One => n == 1,
        }
    }
}

/// `f : B`, or `f : B -> C`, in a sig.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    pub name: &'static str,
    pub owner: usize,
    pub columns: Vec<usize>,
    /// Of the last column, and of the one before it in a field of three columns.
    pub multiplicities: [Multiplicity; 2],
    pub is_var: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    None,
    Sig(usize),
    Field(usize),
    /// A bound name, by its number.
    Name(usize),
    Union(Box<[Expr; 2]>),
    Inter(Box<[Expr; 2]>),
    Diff(Box<[Expr; 2]>),
    Join(Box<[Expr; 2]>),
    Product(Box<[Expr; 2]>),
    Override(Box<[Expr; 2]>),
    /// A set and a relation: `s <: r`.
    Domain(Box<[Expr; 2]>),
    /// A relation and a set: `r :> s`.
    Range(Box<[Expr; 2]>),
    Transpose(Box<Expr>),
    Closure(Box<Expr>),
    /// `s.*r`: what is reached in any number of steps. `*r` alone would be about everything there is.
    Reached(Box<[Expr; 2]>),
    /// `s <: iden`.
    Identity(Box<Expr>),
    /// `{x : e | F}`.
    Comprehension(usize, Box<Expr>, Box<Formula>),
    If(Box<Formula>, Box<[Expr; 2]>),
    /// The value in the next state.
    Prime(Box<Expr>),
    /// `first`, `last`, and `next` as a relation, of the sig in order.
    First,
    Last,
    Next,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    True,
    In(Box<[Expr; 2]>),
    Equal(Box<[Expr; 2]>),
    /// `some e`, `lone e`, `one e`; `Set` is `no e`.
    Count(Multiplicity, Box<Expr>),
    Less(Box<[Int; 2]>),
    Same(Box<[Int; 2]>),
    Not(Box<Formula>),
    And(Box<[Formula; 2]>),
    Or(Box<[Formula; 2]>),
    Implies(Box<[Formula; 2]>),
    Iff(Box<[Formula; 2]>),
    Quantified(Quantifier, usize, Box<Expr>, Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    After(Box<Formula>),
    Until(Box<[Formula; 2]>),
    Releases(Box<[Formula; 2]>),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Quantifier {
    All,
    Some,
    No,
    Lone,
    One,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Int {
    Literal(i32),
    Count(Box<Expr>),
    /// `plus[a, b]`.
    Plus(Box<[Int; 2]>),
    /// `minus[a, b]`.
    Minus(Box<[Int; 2]>),
    If(Box<Formula>, Box<[Int; 2]>),
}

impl Model {
    pub fn is_temporal(&self) -> bool {
        self.sigs.iter().any(|it| it.is_var) || self.fields.iter().any(|it| it.is_var)
    }

    /// Whether the number of instances says something: atoms of sigs below others, and orders, are fixed by the analyser in
    /// ways of its own, and of traces there are shorter and longer ones.
    pub fn is_countable(&self) -> bool {
        !self.is_temporal()
            && self.ordered.is_none()
            && self
                .sigs
                .iter()
                .all(|it| it.origin == Origin::Top && it.multiplicity == Multiplicity::Set)
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(it) = self.ordered {
            text += &format!("open util/ordering[{}] as ord\n", self.sigs[it].name);
        }
        for (i, sig) in self.sigs.iter().enumerate() {
            text += &self.sig_text(i, sig);
        }
        for fact in &self.facts {
            text += &format!("fact {{ {} }}\n", self.formula(fact));
        }
        let goal = self.goal.as_ref().map_or(String::new(), |it| self.formula(it));
        text += &match self.is_check {
            true => format!("assert Goal {{ {goal} }}\ncheck Goal"),
            false => format!("run {{ {goal} }}"),
        };
        let scopes: Vec<String> = self
            .sigs
            .iter()
            .filter(|it| it.origin == Origin::Top && it.multiplicity != Multiplicity::One)
            .map(|it| {
                format!(
                    "{}{} {}",
                    if it.is_exact { "exactly " } else { "" },
                    it.scope,
                    it.name
                )
            })
            .collect();
        text += " for 4 but 4 Int";
        for scope in scopes {
            text += &format!(", {scope}");
        }
        if self.is_temporal() {
            text += &format!(", {} steps", self.steps_max);
        }
        text + "\n"
    }

    fn sig_text(&self, index: usize, sig: &Sig) -> String {
        let mut text = String::new();
        if sig.is_var {
            text += "var ";
        }
        if sig.is_abstract {
            text += "abstract ";
        }
        text += match sig.multiplicity {
            Multiplicity::Set => "",
            Multiplicity::Some => "some ",
            Multiplicity::Lone => "lone ",
            Multiplicity::One => "one ",
        };
        text += &format!("sig {}", sig.name);
        match sig.origin {
            Origin::Top => {}
            Origin::Extends(it) => text += &format!(" extends {}", self.sigs[it].name),
            Origin::In(it) => text += &format!(" in {}", self.sigs[it].name),
        }
        let fields: Vec<String> = self
            .fields
            .iter()
            .filter(|it| it.owner == index)
            .map(|it| self.field_text(it))
            .collect();
        format!("{text} {{ {} }}\n", fields.join(", "))
    }

    fn field_text(&self, field: &Field) -> String {
        let column = |i: usize| self.sigs[field.columns[i]].name;
        let [last, before] = field.multiplicities;
        let domain = match field.columns.len() {
            1 => format!("{last} {}", column(0)),
            _ => format!("{} {before} -> {last} {}", column(0), column(1)),
        };
        format!(
            "{}{} : {domain}",
            if field.is_var { "var " } else { "" },
            field.name
        )
    }

    fn two(&self, op: &str, two: &[Expr; 2]) -> String {
        format!("({} {op} {})", self.expr(&two[0]), self.expr(&two[1]))
    }

    pub fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::None => "none".into(),
            Expr::Sig(it) => self.sigs[*it].name.into(),
            Expr::Field(it) => self.fields[*it].name.into(),
            Expr::Name(it) => format!("x{it}"),
            Expr::Union(it) => self.two("+", it),
            Expr::Inter(it) => self.two("&", it),
            Expr::Diff(it) => self.two("-", it),
            Expr::Join(it) => self.two(".", it),
            Expr::Product(it) => self.two("->", it),
            Expr::Override(it) => self.two("++", it),
            Expr::Domain(it) => self.two("<:", it),
            Expr::Range(it) => self.two(":>", it),
            Expr::Transpose(it) => format!("(~{})", self.expr(it)),
            Expr::Closure(it) => format!("(^{})", self.expr(it)),
            Expr::Reached(it) => format!("({}.(*{}))", self.expr(&it[0]), self.expr(&it[1])),
            Expr::Identity(it) => format!("({} <: iden)", self.expr(it)),
            Expr::Comprehension(name, set, body) => {
                format!("{{ x{name} : {} | {} }}", self.expr(set), self.formula(body))
            }
            Expr::If(test, two) => {
                format!(
                    "({} => {} else {})",
                    self.formula(test),
                    self.expr(&two[0]),
                    self.expr(&two[1])
                )
            }
            Expr::Prime(it) => format!("({}')", self.expr(it)),
            Expr::First => "ord/first".into(),
            Expr::Last => "ord/last".into(),
            Expr::Next => "ord/next".into(),
        }
    }

    fn pair(&self, op: &str, two: &[Formula; 2]) -> String {
        format!("({} {op} {})", self.formula(&two[0]), self.formula(&two[1]))
    }

    pub fn formula(&self, formula: &Formula) -> String {
        match formula {
            Formula::True => "(no none)".into(),
            Formula::In(it) => self.two("in", it),
            Formula::Equal(it) => self.two("=", it),
            Formula::Count(Multiplicity::Set, it) => format!("(no {})", self.expr(it)),
            Formula::Count(how, it) => format!("({how} {})", self.expr(it)),
            Formula::Less(it) => format!("({} < {})", self.int(&it[0]), self.int(&it[1])),
            Formula::Same(it) => format!("({} = {})", self.int(&it[0]), self.int(&it[1])),
            Formula::Not(it) => format!("(not {})", self.formula(it)),
            Formula::And(it) => self.pair("and", it),
            Formula::Or(it) => self.pair("or", it),
            Formula::Implies(it) => self.pair("implies", it),
            Formula::Iff(it) => self.pair("iff", it),
            Formula::Quantified(how, name, set, body) => {
                let how = match how {
                    Quantifier::All => "all",
                    Quantifier::Some => "some",
                    Quantifier::No => "no",
                    Quantifier::Lone => "lone",
                    Quantifier::One => "one",
                };
                format!("({how} x{name} : {} | {})", self.expr(set), self.formula(body))
            }
            Formula::Always(it) => format!("(always {})", self.formula(it)),
            Formula::Eventually(it) => format!("(eventually {})", self.formula(it)),
            Formula::After(it) => format!("(after {})", self.formula(it)),
            Formula::Until(it) => self.pair("until", it),
            Formula::Releases(it) => self.pair("releases", it),
        }
    }

    fn int(&self, int: &Int) -> String {
        match int {
            Int::Literal(it) => it.to_string(),
            Int::Count(it) => format!("#{}", self.expr(it)),
            Int::Plus(it) => format!("plus[{}, {}]", self.int(&it[0]), self.int(&it[1])),
            Int::Minus(it) => format!("minus[{}, {}]", self.int(&it[0]), self.int(&it[1])),
            Int::If(test, it) => {
                format!(
                    "({} => {} else {})",
                    self.formula(test),
                    self.int(&it[0]),
                    self.int(&it[1])
                )
            }
        }
    }
}

impl fmt::Display for Multiplicity {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Multiplicity::Set => "set",
            Multiplicity::Some => "some",
            Multiplicity::Lone => "lone",
            Multiplicity::One => "one",
        })
    }
}
