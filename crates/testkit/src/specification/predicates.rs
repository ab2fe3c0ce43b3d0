//! Truth values: comparisons, quantifiers with and without patterns, `ENABLED`.

use super::{Generator, Readable, Type};

/// `x \in S, <<y, z>> \in T`, and what each name stands for.
pub(crate) struct Bounds {
    pub text: String,
    pub names: Vec<(String, Type)>,
}

impl Generator {
    pub fn predicate(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.chance(50) {
                true => self.leaf(&Type::Bool),
                false => self.comparison(0),
            };
        }
        if self.wrong() {
            return self.wrong_predicate(depth - 1);
        }
        let depth = depth - 1;
        match self.below(14) {
            0..3 => self.comparison(depth),
            3 | 4 => {
                let (a, b) = (self.predicate(depth), self.predicate(depth));
                let op = self.one(&["/\\", "\\/", "/\\", "\\/", "=>", "<=>", "#"]);
                format!("({a} {op} {b})")
            }
            5 => format!("(~{})", self.predicate(depth)),
            6..9 => self.quantified(depth),
            9 => {
                let (test, a, b) = (
                    self.predicate(depth),
                    self.predicate(depth),
                    self.predicate(depth),
                );
                format!("(IF {test} THEN {a} ELSE {b})")
            }
            10 if self.has.enabled && self.n_enabled < 2 => self.enabled(depth),
            11 if self.has.lets => self.defined(depth, &mut |it, depth| it.predicate(depth)),
            12 if self.has.recursion => format!("Even({})", self.wide(depth)),
            13 if self.has.primes && !self.readable.next.is_empty() => {
                self.primed(&mut |it| it.predicate(depth.min(2)))
            }
            _ => self.membership(depth),
        }
    }

    /// A set of numbers, or of what is made of them, that most likely has no end.
    fn endless(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.one(&["Nat", "Int", "Nat"]).to_owned();
        }
        let base = self.endless(depth - 1);
        match self.below(10) {
            0 => format!("Seq({base})"),
            1 => format!("(SUBSET {base})"),
            2 => format!("({base} \\X {})", self.endless(depth - 1)),
            3 => format!("[{} -> {base}]", self.set(&Type::Str, depth.min(1))),
            4 => format!("({base} \\cap {})", self.endless(depth - 1)),
            5 => format!("({base} \\ {})", self.endless(depth - 1)),
            6 => format!("({base} \\cup {})", self.set(&Type::Int, depth.min(1))),
            7 => format!("({base} \\ {})", self.set(&Type::Int, depth.min(1))),
            8 => format!("({base} \\cap {})", self.set(&Type::Int, depth.min(1))),
            _ => base,
        }
    }

    fn comparison(&mut self, depth: u32) -> String {
        if self.chance(4) {
            let (a, b) = (self.endless(depth.min(2)), self.endless(depth.min(2)));
            let op = self.one(&["=", "#", "\\subseteq"]);
            return format!("({a} {op} {b})");
        }
        if self.chance(40) {
            let (a, b) = (self.wide(depth), self.wide(depth));
            let op = self.one(&["<", "<=", ">", ">=", "=", "#"]);
            return format!("({a} {op} {b})");
        }
        let of = self.near_type();
        let (a, b) = (self.leaf(&of), self.expression(&of, depth));
        let op = self.one(&["=", "#"]);
        format!("({a} {op} {b})")
    }

    fn membership(&mut self, depth: u32) -> String {
        let of = self.near_type();
        let this = Type::Set(Box::new(of.clone()));
        if self.chance(25) {
            let (a, b) = (self.expression(&this, depth), self.expression(&this, depth));
            return format!("({a} \\subseteq {b})");
        }
        let (item, set) = (self.expression(&of, depth), self.expression(&this, depth));
        let op = self.one(&["\\in", "\\in", "\\notin"]);
        format!("({item} {op} {set})")
    }

    /// The type of something that can be read here, or of a part of it.
    pub fn near_type(&mut self) -> Type {
        let near: Vec<Type> = self
            .scope
            .iter()
            .map(|it| it.of.clone())
            .chain(self.readable.now.iter().map(|&it| self.variables[it].of.clone()))
            .collect();
        if near.is_empty() || self.chance(15) {
            return self.a_type(20, 1);
        }
        let mut at = near[self.below(near.len())].clone();
        while self.chance(40) {
            at = match at {
                Type::Fun(_, to) | Type::Part(_, to) => *to,
                Type::Rec(fields) => fields[self.below(fields.len())].1.clone(),
                Type::Tup(items) => items[self.below(items.len())].clone(),
                Type::Set(it) | Type::Seq(it) | Type::Maybe(it) => *it,
                other => return other,
            };
        }
        at
    }

    /// Binders with the sets they range over.
    pub fn bounds(&mut self, depth: u32) -> Bounds {
        let mut bounds = Bounds {
            text: String::new(),
            names: vec![],
        };
        for i in 0..1 + usize::from(self.chance(20)) {
            if i > 0 {
                bounds.text += ", ";
            }
            match self.has.patterns && self.chance(35) {
                true => self.pattern(&mut bounds, depth),
                false => {
                    let of = self.element_type();
                    let set = self.range(&of, depth);
                    let name = self.fresh();
                    if self.chance(15) {
                        let other = self.fresh();
                        bounds.text += &format!("{name}, {other} \\in {set}");
                        bounds.names.push((other, of.clone()));
                    } else {
                        bounds.text += &format!("{name} \\in {set}");
                    }
                    bounds.names.push((name, of));
                }
            }
        }
        bounds
    }

    /// `<<a, b>> \in S`; sometimes not everything in S is a pair.
    pub fn pattern(&mut self, bounds: &mut Bounds, depth: u32) {
        let (a, b) = (self.element_type(), self.element_type());
        let set = match self.has.errors && self.chance(20) {
            true => self.no_pairs(&a, &b),
            false => {
                let pairs = Type::Tup(vec![a.clone(), b.clone()]);
                match self.chance(50) {
                    true => self.range(&pairs, depth),
                    false => {
                        let (a, b) = (self.range(&a, depth), self.range(&b, depth));
                        format!("({a} \\X {b})")
                    }
                }
            }
        };
        let (first, second) = (self.fresh(), self.fresh());
        bounds.text += &format!("<<{first}, {second}>> \\in {set}");
        bounds.names.push((first, a));
        bounds.names.push((second, b));
    }

    /// A set with elements that do not fit a pattern of two names.
    fn no_pairs(&mut self, a: &Type, b: &Type) -> String {
        let (a, b) = (self.leaf(a), self.leaf(b));
        match self.below(4) {
            0 => format!("{{<<{a}, {b}>>, <<{a}, {b}, {a}>>}}"),
            1 => format!("{{<<{a}>>}}"),
            2 => {
                let test = self.predicate(1);
                format!("(IF {test} THEN {{<<{a}, {b}>>}} ELSE {{<<{a}>>}})")
            }
            _ => format!("{{{a}}}"),
        }
    }

    /// What names range over: mostly scalars.
    fn element_type(&mut self) -> Type {
        match self.chance(75) {
            true => self.scalar(),
            false => self.a_type(8, 1),
        }
    }

    /// A set to range over: constant, or dependent on the state.
    pub fn range(&mut self, of: &Type, depth: u32) -> String {
        match self.chance(65) && of.size(self.n_model) <= 9 {
            true => of.universe(),
            false => self.set(of, depth.min(2)),
        }
    }

    pub fn bound_within<T>(&mut self, bounds: &Bounds, make: impl FnOnce(&mut Generator) -> T) -> T {
        self.scoped(&bounds.names, make)
    }

    fn quantified(&mut self, depth: u32) -> String {
        let bounds = self.bounds(depth);
        let body = self.bound_within(&bounds, |it| it.predicate(depth));
        let quantifier = self.one(&["\\A", "\\E"]);
        format!("({quantifier} {} : {body})", bounds.text)
    }

    /// `ENABLED A`, for an action made for it or for one that is defined.
    pub fn enabled(&mut self, depth: u32) -> String {
        if self.readable.now.len() < self.variables.len() || self.variables.is_empty() {
            return self.comparison(depth);
        }
        self.n_enabled += 1;
        let readable = Readable {
            now: self.readable.now.clone(),
            next: vec![],
        };
        let todo = match self.chance(80) {
            true => self.all_variables(),
            false => {
                let all = self.all_variables();
                self.some(&all)
            }
        };
        // What has primes means something else inside; that too is worth a look.
        let sees_primes = self.chance(10);
        let action = self.with_names(
            |it| sees_primes || !it.has_primes,
            |it| it.reading(readable, |it| it.action(&todo, depth.min(1))),
        );
        self.n_enabled -= 1;
        match self.chance(20) {
            true => {
                let some = self.some(&todo);
                let subscript = self.tuple_of(&some);
                format!("(ENABLED <<{action}>>_{subscript})")
            }
            false => format!("(ENABLED {action})"),
        }
    }

    /// No truth value, or a comparison that makes no sense.
    fn wrong_predicate(&mut self, depth: u32) -> String {
        match self.below(4) {
            0 => {
                let of = self.scalar();
                self.leaf(&of)
            }
            1 => {
                let (a, b) = (self.leaf(&Type::Str), self.leaf(&Type::Int));
                format!("({a} = {b})")
            }
            2 => {
                let of = self.a_type(20, 1);
                let (a, b) = (self.near_type(), self.expression(&of, depth));
                format!("({} = {b})", self.leaf(&a))
            }
            _ => {
                let (a, b) = (self.expression(&Type::Int, depth), self.leaf(&Type::Bool));
                format!("({a} \\in {b})")
            }
        }
    }
}
