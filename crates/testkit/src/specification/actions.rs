//! Actions: formulas that give each of some variables a next value, in every order and shape that TLA+ allows.

use super::expressions::call;
use super::{Action, Generator, Type};

impl Generator {
    /// An action that gives these variables next values, as one formula in parentheses.
    pub fn action(&mut self, todo: &[usize], depth: u32) -> String {
        let items = self.conjuncts(todo, depth);
        match &items[..] {
            [one] => one.clone(),
            _ => format!("({})", items.join(" /\\ ")),
        }
    }

    /// The same as a list of conjuncts. What a conjunct has given a next value, later ones may read.
    pub fn conjuncts(&mut self, todo: &[usize], depth: u32) -> Vec<String> {
        let known = self.readable.next.len();
        let mut items = vec![];
        if self.chance(35) {
            items.push(self.guard(depth));
        }
        let mut rest = todo.to_vec();
        while !rest.is_empty() {
            let some = self.next_part(&mut rest);
            let item = self.step(&some, depth);
            items.push(item);
            self.readable.next.extend(some);
            if self.chance(10) {
                items.push(self.guard(depth));
            }
        }
        self.readable.next.truncate(known);
        if items.is_empty() {
            items.push(self.guard(depth));
        }
        if self.has.extensions && items.len() > 1 && self.chance(30) {
            let at = self.below(items.len() - 1);
            items.swap(at, at + 1);
        }
        items
    }

    /// Takes some variables out of a list: mostly one.
    fn next_part(&mut self, rest: &mut Vec<usize>) -> Vec<usize> {
        let n = match self.below(4) {
            0 => 1 + self.below(rest.len()),
            _ => 1,
        };
        let mut some: Vec<usize> = (0..n).map(|_| rest.swap_remove(self.below(rest.len()))).collect();
        some.sort_unstable();
        some
    }

    fn guard(&mut self, depth: u32) -> String {
        if self.has.enabled && self.n_enabled < 2 && self.chance(12) {
            return self.enabled(depth);
        }
        if self.chance(30) && !self.readable.now.is_empty() {
            // True in most states.
            let at = self.any(|it| &it.readable.now);
            let it = self.variables[at].clone();
            return format!("({} # {})", it.name, self.literal(&it.of));
        }
        let one = self.predicate(depth.min(2));
        match self.chance(40) {
            true => format!("({one} \\/ {})", self.predicate(depth.min(1))),
            false => one,
        }
    }

    /// An action as most are in practice: a guard, a change of one variable, and the others stay.
    pub fn plain_conjuncts(&mut self) -> Vec<String> {
        let mut rest = self.all_variables();
        let at = rest.remove(self.below(self.variables.len()));
        let it = self.variables[at].clone();
        let mut items = vec![];
        if self.chance(30) {
            items.push(self.guard(1));
        }
        items.push(format!("{}' = {}", it.name, self.changed(&it.name, &it.of, 1)));
        if !rest.is_empty() {
            let place = self.below(items.len() + 1);
            items.insert(place, self.unchanged(&rest));
        }
        if self.chance(15) {
            self.readable.next = self.all_variables();
            items.push(self.guard(1));
            self.readable.next.clear();
        }
        items
    }

    /// One formula that gives these variables next values.
    fn step(&mut self, todo: &[usize], depth: u32) -> String {
        if depth == 0 || self.chance(50) {
            return self.assignments(todo, depth);
        }
        let depth = depth - 1;
        match self.below(13) {
            0 | 1 => {
                let (a, b) = (self.action(todo, depth), self.action(todo, depth));
                format!("({a} \\/ {b})")
            }
            2 | 3 => {
                let test = self.predicate(depth);
                let (a, b) = (self.action(todo, depth), self.action(todo, depth));
                format!("(IF {test} THEN {a} ELSE {b})")
            }
            4 => self.case(depth, &mut |it, depth| it.action(todo, depth)),
            5..8 => {
                let bounds = self.bounds(depth);
                let body = self.bound_within(&bounds, |it| it.action(todo, depth));
                format!("(\\E {} : {body})", bounds.text)
            }
            8 if self.has.lets => self.defined(depth, &mut |it, depth| it.action(todo, depth)),
            9 if self.has.lets => self.local_action(todo, depth),
            10 if self.has.higher_order => {
                let (a, b) = (self.action(todo, depth), self.action(todo, depth));
                let test = self.predicate(depth);
                match self.below(3) {
                    0 => format!("Pick({test}, {a}, {b})"),
                    1 => format!("Same({a})"),
                    _ => self.action_as_argument(todo, depth),
                }
            }
            11 | 12 => self.named_action(todo, depth),
            _ => self.assignments(todo, depth),
        }
    }

    /// `LET A(p) == … IN A(e)`.
    fn local_action(&mut self, todo: &[usize], depth: u32) -> String {
        let (name, param, of) = (self.fresh(), self.fresh(), self.scalar());
        let body = self.within_param(&param, &of, |it| it.action(todo, depth));
        let one = self.expression(&of, depth);
        match self.chance(50) {
            true => format!("(LET {name}({param}) == {body} IN {name}({one}))"),
            false => {
                let (bound, set) = (self.fresh(), self.range(&of, depth));
                format!("(LET {name}({param}) == {body} IN \\E {bound} \\in {set} : {name}({bound}))")
            }
        }
    }

    fn action_as_argument(&mut self, todo: &[usize], depth: u32) -> String {
        let (param, of) = (self.fresh(), self.scalar());
        let body = self.within_param(&param, &of, |it| it.action(todo, depth));
        match self.has.recursion && self.chance(40) && !self.is_symmetric {
            true => {
                let (name, rest, set) = (self.fresh(), self.fresh(), self.range(&of, depth));
                format!(
                    "(LET RECURSIVE {name}(_) {name}({rest}) == IF {rest} = {{}} THEN FALSE ELSE LET {param} == CHOOSE e_ \\in {rest} : TRUE IN {body} \\/ {name}({rest} \\ {{{param}}}) IN {name}({set}))"
                )
            }
            false => format!("Apply(LAMBDA {param} : {body}, {})", self.expression(&of, depth)),
        }
    }

    /// A call of a defined action, if there is one for these variables.
    fn named_action(&mut self, todo: &[usize], depth: u32) -> String {
        let fitting: Vec<usize> = (0..self.actions.len())
            .filter(|&it| self.actions[it].assigns == todo)
            .collect();
        // What is defined reads all variables, and their next values where it gives them.
        if fitting.is_empty() || self.readable.now.len() < self.variables.len() {
            return self.assignments(todo, depth);
        }
        let at = self.below(fitting.len());
        let it = self.actions[fitting[at]].clone();
        self.call_action(&it, depth)
    }

    /// A call with arguments, or with names that range over a set.
    pub fn call_action(&mut self, action: &Action, depth: u32) -> String {
        let mut arguments = vec![];
        let mut bounds = vec![];
        for of in &action.params {
            match self.chance(60) {
                true => {
                    let (name, set) = (self.fresh(), self.range(of, depth));
                    bounds.push(format!("{name} \\in {set}"));
                    arguments.push(name);
                }
                false => arguments.push(self.expression(of, depth.min(1))),
            }
        }
        let call = call(&action.name, &arguments);
        match &bounds[..] {
            [] => call,
            _ => format!("(\\E {} : {call})", bounds.join(", ")),
        }
    }

    fn assignments(&mut self, todo: &[usize], depth: u32) -> String {
        if todo.len() > 1 && self.chance(30) {
            return self.unchanged(todo);
        }
        let known = self.readable.next.len();
        let mut items = vec![];
        for &it in todo {
            items.push(self.assignment(it, depth));
            self.readable.next.push(it);
        }
        self.readable.next.truncate(known);
        match &items[..] {
            [one] => one.clone(),
            _ => format!("({})", items.join(" /\\ ")),
        }
    }

    fn unchanged(&mut self, todo: &[usize]) -> String {
        let tuple = self.tuple_of(todo);
        match self.below(6) {
            0 if todo.len() == self.variables.len() => "(UNCHANGED vars)".into(),
            1 if self.has.variable_parameters => format!("Keep({tuple})"),
            2 => {
                let (first, rest) = todo.split_at(1);
                let (first, rest) = (self.tuple_of(first), self.tuple_of(rest));
                format!("(UNCHANGED <<{first}, {rest}>>)")
            }
            3 if self.has.extensions => format!("({tuple}' = {tuple})"),
            _ => format!("(UNCHANGED {tuple})"),
        }
    }

    /// A next value for one variable.
    fn assignment(&mut self, variable: usize, depth: u32) -> String {
        let it = self.variables[variable].clone();
        let (name, of) = (&it.name, &it.of);
        let reads_itself = self.readable.now.contains(&variable);
        match self.below(16) {
            0 | 1 if reads_itself => match self.below(4) {
                0 => format!("({name}' = {name})"),
                1 if self.has.variable_parameters => format!("Keep({name})"),
                _ => format!("(UNCHANGED {name})"),
            },
            2 | 3 if reads_itself && has_parts(of) => {
                format!("({name}' = {})", self.updated_base(name, of, depth))
            }
            4 => {
                let set = match self.chance(50) && of.size(self.n_model) <= 4 {
                    true => of.universe(),
                    false => self.set(of, depth.min(2)),
                };
                format!("({name}' \\in {set})")
            }
            5 => {
                let bound = self.fresh();
                let set = self.set(of, depth.min(2));
                format!("(\\E {bound} \\in {set} : {name}' = {bound})")
            }
            6 if self.has.variable_parameters => {
                let value = self.expression(of, depth);
                format!("Assign({name}, {value})")
            }
            7..12 if reads_itself => format!("({name}' = {})", self.changed(name, of, depth)),
            _ => format!("({name}' = {})", self.expression(of, depth.clamp(1, 2))),
        }
    }

    /// A value that is most likely another one than `text`, and leads on to others.
    fn changed(&mut self, text: &str, of: &Type, depth: u32) -> String {
        match of {
            Type::Int => match self.below(3) {
                0 => format!("(({text} + {}) % 3)", self.leaf(&Type::Int)),
                1 => format!("(IF {text} = 2 THEN 0 ELSE {text} + 1)"),
                _ => format!("(({text} + 1) % 3)"),
            },
            Type::Bool => format!("(~{text})"),
            Type::Str => format!("(IF {text} = \"a\" THEN \"b\" ELSE \"a\")"),
            Type::Model => self.leaf(of),
            Type::Set(it) => {
                let item = self.expression(it, depth.min(1));
                match self.below(3) {
                    0 => format!("({text} \\cup {{{item}}})"),
                    1 => format!("({text} \\ {{{item}}})"),
                    _ => format!("(({text} \\ {{{item}}}) \\cup ({{{item}}} \\ {text}))"),
                }
            }
            Type::Fun(from, to) => {
                let key = self.expression(from, depth.min(1));
                let value = self.changed("@", to, depth);
                format!("[{text} EXCEPT ![{key}] = {value}]")
            }
            Type::Rec(fields) => {
                let (name, it) = fields[self.below(fields.len())].clone();
                let value = self.changed("@", &it, depth);
                format!("[{text} EXCEPT !.{name} = {value}]")
            }
            Type::Tup(items) => {
                let at = self.below(items.len());
                let value = self.changed("@", &items[at].clone(), depth);
                format!("[{text} EXCEPT ![{}] = {value}]", at + 1)
            }
            Type::Maybe(it) => {
                let value = self.expression(it, depth.min(1));
                format!("(IF {text} = NULL THEN {value} ELSE NULL)")
            }
            Type::Either(all) => {
                let at = self.below(all.len());
                self.expression(&all[at].clone(), depth.clamp(1, 2))
            }
            Type::Part(from, to) => self.partial(text, from, to, depth.min(1)),
            Type::Seq(it) => self.sequence(text, it, depth.min(1)),
            Type::Bag(it) => self.bag(text, it, depth.min(1)),
        }
    }

    /// An initial value for one variable.
    pub fn initial(&mut self, variable: usize) -> String {
        let it = self.variables[variable].clone();
        let size = it.of.size(self.n_model);
        match self.below(6) {
            0 if size <= 4 => format!("{} \\in {}", it.name, it.of.universe()),
            1 => format!("{} \\in {}", it.name, {
                let (a, b) = (self.literal(&it.of), self.expression(&it.of, 1));
                format!("{{{a}, {b}}}")
            }),
            2 => format!("{} = {}", it.name, self.expression(&it.of, 2)),
            _ => format!("{} = {}", it.name, self.literal(&it.of)),
        }
    }
}

/// Whether `EXCEPT` can replace a part.
fn has_parts(of: &Type) -> bool {
    matches!(of, Type::Fun(..) | Type::Rec(_) | Type::Tup(_))
}
