//! What a generated specification is to be checked for: invariants, properties of steps, temporal properties, refinement.

use super::{Generator, Readable, Type};

impl Generator {
    fn all_now(&self) -> Readable {
        Readable {
            now: self.all_variables(),
            next: vec![],
        }
    }

    fn all_next(&self) -> Readable {
        Readable {
            now: self.all_variables(),
            next: self.all_variables(),
        }
    }

    /// A predicate on states that seldom is false, so that a search gets far.
    pub fn invariant(&mut self) -> String {
        let now = self.all_now();
        self.reading(now, |it| {
            let mut items: Vec<String> = (0..it.below(4)).map(|_| it.exception()).collect();
            items.push(it.predicate(3));
            let plain = it.variables.iter().filter(|it| !matches!(it.of, Type::Either(_)));
            let types: Vec<String> = plain
                .map(|it| format!("{} \\in {}", it.name, it.of.universe()))
                .collect();
            match !types.is_empty() && it.chance(30) {
                true => format!("({})", types.join(" /\\ ")),
                false => format!("({})", items.join(" \\/ ")),
            }
        })
    }

    /// Something that is true in most states.
    fn exception(&mut self) -> String {
        let variable = self.any(|it| &it.variables);
        let value = self.literal(&variable.of);
        format!("({} # {value})", variable.name)
    }

    pub fn constraint(&mut self) -> String {
        let now = self.all_now();
        self.reading(now, |it| match it.below(3) {
            0 => "(TLCGet(\"level\") < 6)".into(),
            _ => format!("({} \\/ {})", it.exception(), it.predicate(2)),
        })
    }

    pub fn action_constraint(&mut self) -> String {
        let next = self.all_next();
        self.reading(next, |it| format!("({} \\/ {})", it.exception(), it.predicate(2)))
    }

    pub fn view(&mut self) -> String {
        let now = self.all_now();
        self.reading(now, |it| {
            let all = it.all_variables();
            let some = it.some(&all);
            match it.chance(60) {
                true => it.tuple_of(&some),
                false => {
                    let of = it.near_type();
                    format!("<<{}, {}>>", it.tuple_of(&some), it.expression(&of, 2))
                }
            }
        })
    }

    /// What `[A]_v` leaves alone.
    pub fn subscript(&mut self) -> String {
        let now = self.all_now();
        self.reading(now, |it| match it.below(6) {
            0 | 1 => "vars".into(),
            2 => {
                let all = it.all_variables();
                let some = it.some(&all);
                it.tuple_of(&some)
            }
            3 => it.any(|it| &it.variables).name,
            4 => {
                let of = it.near_type();
                format!("<<{}>>", it.leaf(&of))
            }
            _ => {
                let of = it.near_type();
                format!("<<{}, {}>>", it.expression(&of, 2), it.leaf(&Type::Int))
            }
        })
    }

    /// `[][A]_v`.
    pub fn step_property(&mut self) -> String {
        let subscript = self.subscript();
        let next = self.all_next();
        let action = match self.chance(25) && !self.actions.is_empty() {
            true => {
                let it = self.any(|it| &it.actions);
                let now = self.all_now();
                let call = self.reading(now, |this| this.call_action(&it, 1));
                let other = self.reading(next, |it| it.predicate(2));
                format!("({call} \\/ {other})")
            }
            false => self.reading(next, |it| format!("({} \\/ {})", it.exception(), it.predicate(2))),
        };
        format!("[][{action}]_{subscript}")
    }

    /// A formula about infinite behaviours. None of them is about the level: a behaviour that comes back to a state is at another
    /// level then, and in the graph of states it is at the same one, so such a formula has no answer that is right.
    pub fn temporal(&mut self, depth: u32) -> String {
        self.without_level(|it| it.temporal_here(depth))
    }

    fn without_level<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.has.level, false);
        let made = make(self);
        self.has.level = outer;
        made
    }

    fn temporal_here(&mut self, depth: u32) -> String {
        let now = self.all_now();
        let p = self.reading(now.clone(), |it| it.predicate(2));
        let q = self.reading(now, |it| it.predicate(1));
        let (subscript, next) = (self.subscript(), self.all_next());
        match self.below(12) {
            0 => format!("<>({p})"),
            1 => format!("[]<>({p})"),
            2 => format!("<>[]({p})"),
            3 | 4 => format!("({p} ~> {q})"),
            5 => format!("[]({p} => <>{q})"),
            6 => {
                let action = self.reading(next, |it| it.predicate(2));
                format!("[]<><<{action}>>_{subscript}")
            }
            7 => {
                let action = self.reading(next, |it| it.predicate(2));
                format!("<>[][{action}]_{subscript}")
            }
            8 if depth > 0 => format!("({} => {})", self.temporal(depth - 1), self.temporal(depth - 1)),
            9 if depth > 0 => format!("({} \\/ {})", self.temporal(depth - 1), self.temporal(depth - 1)),
            10 => {
                let (name, of) = (self.fresh(), self.scalar());
                let set = of.universe();
                let inner = self.within(&name, &of, |it| it.temporal(0));
                format!("(\\A {name} \\in {set} : {inner})")
            }
            _ => format!("[]({p} \\/ <>({q}))"),
        }
    }

    /// Fairness of some of the actions.
    pub fn fairness(&mut self) -> String {
        self.without_level(Self::fairness_here)
    }

    fn fairness_here(&mut self) -> String {
        let subscript = match self.chance(60) {
            true => "vars".to_owned(),
            false => self.subscript(),
        };
        let kind = self.one(&["WF", "WF", "SF"]);
        if self.actions.is_empty() || self.chance(40) {
            return format!("{kind}_{subscript}(Next)");
        }
        let it = self.any(|it| &it.actions);
        let now = self.all_now();
        let mut bounds = vec![];
        let mut arguments = vec![];
        for of in &it.params {
            match self.chance(60) {
                true => {
                    let name = self.fresh();
                    bounds.push(format!("{name} \\in {}", of.universe()));
                    arguments.push(name);
                }
                false => arguments.push(self.reading(now.clone(), |it| it.literal(of))),
            }
        }
        let call = super::expressions::call(&it.name, &arguments);
        match &bounds[..] {
            [] => format!("{kind}_{subscript}({call})"),
            _ => format!("(\\A {} : {kind}_{subscript}({call}))", bounds.join(", ")),
        }
    }
}
