//! Expressions of a type, and what takes values apart.

use super::{Generator, Readable, Type};

impl Generator {
    /// An expression of a type. Always in parentheses, or without need of any.
    pub fn expression(&mut self, of: &Type, depth: u32) -> String {
        if depth == 0 || self.chance(20) {
            return self.leaf(of);
        }
        if *of == Type::Bool {
            return self.predicate(depth);
        }
        if self.wrong() {
            return self.wrong_value(of, depth - 1);
        }
        match self.below(10) {
            0 | 1 => self.leaf(of),
            2..6 => self.constructed(of, depth - 1),
            _ => self.around(of, depth - 1),
        }
    }

    /// Something that is there: a name in scope, a variable, a part of one, a definition; else a literal.
    pub fn leaf(&mut self, of: &Type) -> String {
        match of {
            Type::Int if self.has.level && self.chance(12) => return self.level(),
            Type::Int if self.has.random && self.chance(10) => return "Lot".into(),
            _ if self.chance(12) => return self.literal(of),
            _ => {}
        }
        let found = self.reachable(of);
        match found.len() {
            0 => self.literal(of),
            // Names that are bound near by are wanted most; they are the last.
            n => {
                let at = self.below(n).max(self.below(n));
                found[at].clone()
            }
        }
    }

    fn level(&mut self) -> String {
        let is_primed = !self.readable.next.is_empty() && self.chance(40);
        format!("(TLCGet(\"level\"){} % 3)", if is_primed { "'" } else { "" })
    }

    /// All names of this type, and parts of names.
    fn reachable(&mut self, of: &Type) -> Vec<String> {
        let mut found = vec![];
        for (text, at) in self.bases() {
            if at == *of {
                found.push(text);
                continue;
            }
            // One walk to a part, which is another one next time.
            let Some((text, at)) = self.part(text, &at) else {
                continue;
            };
            if at == *of {
                found.push(text);
            } else if let Some((text, at)) = self.part(text, &at)
                && at == *of
            {
                found.push(text);
            }
        }
        found
    }

    fn bases(&mut self) -> Vec<(String, Type)> {
        let mut bases = vec![];
        let reads_all = self.readable.now.len() == self.variables.len();
        for it in self.operators.clone() {
            if it.params.len() < 2 && (reads_all || !it.is_state) {
                let arguments: Vec<String> = it.params.iter().map(|it| self.literal(it)).collect();
                bases.push((call(&it.name, &arguments), it.result));
            }
        }
        for &it in &self.readable.now {
            bases.push((self.variables[it].name.clone(), self.variables[it].of.clone()));
        }
        for &it in &self.readable.next {
            bases.push((
                format!("{}'", self.variables[it].name),
                self.variables[it].of.clone(),
            ));
        }
        bases.extend(self.scope.iter().map(|it| (it.text.clone(), it.of.clone())));
        bases
    }

    /// A part of a value that is sure to be there.
    fn part(&mut self, text: String, of: &Type) -> Option<(String, Type)> {
        Some(match of {
            Type::Fun(from, to) => {
                let key = match self.chance(50) {
                    true => self.literal(from),
                    false => self.in_scope(from).unwrap_or_else(|| self.literal(from)),
                };
                (format!("{text}[{key}]"), (**to).clone())
            }
            Type::Rec(fields) => {
                let (name, it) = fields[self.below(fields.len())].clone();
                match self.chance(80) {
                    true => (format!("{text}.{name}"), it),
                    false => (format!("{text}[\"{name}\"]"), it),
                }
            }
            Type::Tup(items) => {
                let at = self.below(items.len());
                (format!("{text}[{}]", at + 1), items[at].clone())
            }
            Type::Either(all) => match &all[..] {
                [Type::Tup(items), Type::Tup(_)] => (format!("{text}[1]"), items[0].clone()),
                [Type::Rec(fields), Type::Rec(_)] => (format!("{text}.a"), fields[0].1.clone()),
                [Type::Fun(_, to), Type::Rec(_)] => (format!("{text}[\"a\"]"), (**to).clone()),
                _ => return None,
            },
            Type::Set(it) => return self.element(text, it),
            Type::Part(from, _) => (format!("(DOMAIN {text})"), Type::Set(from.clone())),
            Type::Bag(it) => (format!("BagToSet({text})"), Type::Set(it.clone())),
            _ => return None,
        })
    }

    /// An element of a set, if it has one.
    fn element(&mut self, set: String, of: &Type) -> Option<(String, Type)> {
        if !self.has.choose || of.has_model() && self.is_symmetric || self.chance(60) {
            return None;
        }
        let (name, other) = (self.fresh(), self.literal(of));
        let text = format!("(IF {set} # {{}} THEN CHOOSE {name} \\in {set} : TRUE ELSE {other})");
        Some((text, of.clone()))
    }

    fn in_scope(&mut self, of: &Type) -> Option<String> {
        let fitting: Vec<String> = self
            .scope
            .iter()
            .filter(|it| it.of == *of)
            .map(|it| it.text.clone())
            .collect();
        (!fitting.is_empty()).then(|| fitting[self.below(fitting.len())].clone())
    }

    /// What has a value of any type: conditions, definitions, choices, calls.
    fn around(&mut self, of: &Type, depth: u32) -> String {
        match self.below(9) {
            0 | 1 => {
                let test = self.predicate(depth);
                let (a, b) = (self.expression(of, depth), self.expression(of, depth));
                format!("(IF {test} THEN {a} ELSE {b})")
            }
            2 => self.case(depth, &mut |it, depth| it.expression(of, depth)),
            3 | 4 if self.has.lets => self.defined(depth, &mut |it, depth| it.expression(of, depth)),
            5 if self.has.choose && !(of.has_model() && self.is_symmetric) => self.chosen(of, depth),
            6 if self.has.higher_order => self.applied(of, depth),
            7 => self.called(of, depth),
            8 if self.has.primes && !self.readable.next.is_empty() => {
                self.primed(&mut |it| it.expression(of, depth.min(2)))
            }
            _ => self.looked_up(of, depth),
        }
    }

    /// `(e)'`, where all that `e` reads has a next value.
    pub fn primed(&mut self, make: &mut dyn FnMut(&mut Generator) -> String) -> String {
        let readable = Readable {
            now: self.readable.next.clone(),
            next: vec![],
        };
        // A definition may read anything, so all of it must have a next value.
        let is_all = readable.now.len() == self.variables.len();
        let inner = self.with_names(
            |it| !it.has_primes && (is_all || !it.is_definition),
            |it| it.reading(readable, make),
        );
        format!("({inner})'")
    }

    /// `CASE` around expressions or actions.
    pub fn case(&mut self, depth: u32, make: &mut dyn FnMut(&mut Generator, u32) -> String) -> String {
        let (p, a) = (self.predicate(depth), make(self, depth));
        let (q, b) = (self.predicate(depth), make(self, depth));
        match self.wrong() {
            true => format!("(CASE {p} -> {a} [] {q} -> {b})"),
            false => {
                let other = make(self, depth);
                format!("(CASE {p} -> {a} [] {q} -> {b} [] OTHER -> {other})")
            }
        }
    }

    /// `LET` around expressions or actions: a value, an operator, a function.
    pub fn defined(&mut self, depth: u32, make: &mut dyn FnMut(&mut Generator, u32) -> String) -> String {
        let of = self.a_type(30, 1);
        let name = self.fresh();
        match self.below(5) {
            0..3 => {
                let value = self.expression(&of, depth);
                let body = self.within_let(&name, &of, |it| make(it, depth));
                format!("(LET {name} == {value} IN {body})")
            }
            3 => {
                let (param, from) = (self.fresh(), self.scalar());
                let value = self.within_param(&param, &from, |it| it.expression(&of, depth));
                let argument = self.expression(&from, depth.min(1));
                let call = format!("{name}({argument})");
                let body = self.within_let(&call, &of, |it| make(it, depth));
                format!("(LET {name}({param}) == {value} IN {body})")
            }
            _ => {
                let (param, from) = (self.fresh(), self.scalar());
                let value = self.within(&param, &from, |it| it.expression(&of, depth));
                let set = from.universe();
                let function = Type::Fun(Box::new(from), Box::new(of));
                let body = self.within_let(&name, &function, |it| make(it, depth));
                format!("(LET {name}[{param} \\in {set}] == {value} IN {body})")
            }
        }
    }

    fn chosen(&mut self, of: &Type, depth: u32) -> String {
        let set = self.expression(&Type::Set(Box::new(of.clone())), depth);
        if let Some((pattern, names)) = self.taken_apart(of) {
            let test = self.scoped(&names, |it| it.predicate(depth));
            let other = self.literal(of);
            return format!(
                "(IF {set} # {{}} THEN CHOOSE {pattern} \\in ({set} \\cup {{{other}}}) : {test} \\/ TRUE ELSE {other})"
            );
        }
        let name = self.fresh();
        let test = self.within(&name, of, |it| it.predicate(depth));
        if self.wrong() {
            return format!("(CHOOSE {name} \\in {set} : {test})");
        }
        let (again, other) = (self.fresh(), self.literal(of));
        let exists = renamed(&test, &name, &again);
        format!("(IF \\E {again} \\in {set} : {exists} THEN CHOOSE {name} \\in {set} : {test} ELSE {other})")
    }

    /// A pattern for values of a type, and its names; sometimes one that does not fit.
    fn taken_apart(&mut self, of: &Type) -> Option<(String, Vec<(String, Type)>)> {
        let Type::Tup(items) = of else { return None };
        if !self.has.patterns || self.chance(40) {
            return None;
        }
        let mut names: Vec<(String, Type)> = items.iter().map(|it| (self.fresh(), it.clone())).collect();
        if self.wrong() {
            names.truncate(1);
        }
        let listed: Vec<&str> = names.iter().map(|it| it.0.as_str()).collect();
        Some((format!("<<{}>>", listed.join(", ")), names))
    }

    /// An operator as an argument.
    fn applied(&mut self, of: &Type, depth: u32) -> String {
        let from = self.scalar();
        let param = self.fresh();
        let body = self.within_param(&param, &from, |it| it.expression(of, depth));
        let argument = self.expression(&from, depth);
        match self.below(3) {
            0 => format!("Apply(LAMBDA {param} : {body}, {argument})"),
            1 => {
                let name = self.fresh();
                format!("(LET {name}({param}) == {body} IN Apply({name}, {argument}))")
            }
            _ => {
                let (one, two) = (self.fresh(), self.expression(of, depth));
                let test = self.predicate(depth);
                format!("Select({test}, LAMBDA {param} : {body}, LAMBDA {one} : {two}, {argument})")
            }
        }
    }

    fn called(&mut self, of: &Type, depth: u32) -> String {
        let may_read = self.readable.now.len() == self.variables.len();
        let fitting: Vec<usize> = (0..self.operators.len())
            .filter(|&it| self.operators[it].result == *of && (may_read || !self.operators[it].is_state))
            .collect();
        if fitting.is_empty() {
            return self.constructed(of, depth);
        }
        let at = self.below(fitting.len());
        let it = self.operators[fitting[at]].clone();
        let arguments: Vec<String> = it.params.iter().map(|it| self.expression(it, depth)).collect();
        call(&it.name, &arguments)
    }

    /// A function or a record that is made to be looked into.
    fn looked_up(&mut self, of: &Type, depth: u32) -> String {
        match self.below(4) {
            3 if self.has.patterns => {
                let names = [(self.fresh(), self.scalar()), (self.fresh(), self.scalar())];
                let body = self.scoped(&names, |it| it.expression(of, depth));
                let [(a, from), (b, to)] = names;
                let (one, two) = (
                    self.expression(&from, depth.min(1)),
                    self.expression(&to, depth.min(1)),
                );
                let (from, to) = (from.universe(), to.universe());
                format!("([<<{a}, {b}>> \\in {from} \\X {to} |-> {body}][{one}, {two}])")
            }
            0 => {
                let (name, from) = (self.fresh(), self.scalar());
                let set = from.universe();
                let body = self.within(&name, &from, |it| it.expression(of, depth));
                let key = self.expression(&from, depth);
                format!("([{name} \\in {set} |-> {body}][{key}])")
            }
            1 => {
                let (a, b) = (self.expression(of, depth), self.leaf(&Type::Int));
                format!("([a |-> {a}, b |-> {b}].a)")
            }
            _ => {
                let (a, b) = (self.expression(of, depth), self.expression(of, depth));
                let at = self.one(&["1", "2"]);
                format!("(<<{a}, {b}>>[{at}])")
            }
        }
    }

    /// Something else than what is wanted, or nothing at all.
    fn wrong_value(&mut self, of: &Type, depth: u32) -> String {
        match self.below(7) {
            0 => "(1 \\div 0)".into(),
            1 => self.literal(&Type::Str),
            2 => self.literal(&Type::Int),
            3 => {
                let it = self.a_type(30, 1);
                self.expression(&it, depth)
            }
            4 => "Head(<<>>)".into(),
            5 => {
                let (a, b) = (self.expression(of, depth), self.leaf(&Type::Int));
                format!("(<<{a}, {a}>>[{b}])")
            }
            _ => {
                let name = self.fresh();
                let body = self.within(&name, &Type::Int, |it| it.expression(of, depth));
                let key = self.wide(depth);
                format!("([{name} \\in 0..1 |-> {body}][{key}])")
            }
        }
    }

    /// An expression whose value is made here.
    pub fn constructed(&mut self, of: &Type, depth: u32) -> String {
        match of {
            Type::Int => self.int(depth),
            Type::Bool => self.predicate(depth),
            Type::Str | Type::Model => self.leaf(of),
            Type::Set(it) => self.set(it, depth),
            Type::Fun(from, to) => match self.chance(50) {
                true => self.function(&from.universe(), from, to, depth),
                false => self.updated(of, depth),
            },
            Type::Part(from, to) => {
                let base = self.leaf(of);
                self.partial(&base, from, to, depth)
            }
            Type::Rec(fields) => match self.chance(50) {
                true => {
                    let fields: Vec<String> = fields
                        .iter()
                        .map(|(name, it)| format!("{name} |-> {}", self.expression(it, depth)))
                        .collect();
                    format!("[{}]", fields.join(", "))
                }
                false => self.updated(of, depth),
            },
            Type::Tup(items) => match self.chance(60) {
                true => {
                    let items: Vec<String> = items.iter().map(|it| self.expression(it, depth)).collect();
                    format!("<<{}>>", items.join(", "))
                }
                false => self.updated(of, depth),
            },
            Type::Seq(it) => {
                let base = self.leaf(of);
                self.sequence(&base, it, depth)
            }
            Type::Bag(it) => {
                let base = self.leaf(of);
                self.bag(&base, it, depth)
            }
            Type::Maybe(it) => match self.below(3) {
                0 => "NULL".into(),
                _ => self.expression(it, depth),
            },
            Type::Either(all) => {
                let it = self.below(all.len());
                self.expression(&all[it], depth)
            }
        }
    }

    /// An integer in `0..2`.
    fn int(&mut self, depth: u32) -> String {
        match self.below(5) {
            0 => {
                let it = self.wide(depth);
                format!("({it} % 3)")
            }
            1 => {
                let (name, it) = (self.fresh(), self.expression(&Type::Int, depth));
                let (limit, to) = (self.one(&["0", "1", "2"]), self.one(&["0", "1", "2"]));
                format!("(LET {name} == {it} IN IF {name} < {limit} THEN {name} + 1 ELSE {to})")
            }
            2 => {
                let it = self.expression(&Type::Int, depth);
                format!("(2 - {it})")
            }
            3 => {
                let it = self.set(&Type::Str, depth);
                format!("Cardinality({it})")
            }
            _ => self.literal(&Type::Int),
        }
    }

    /// Any small integer.
    pub fn wide(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(&Type::Int);
        }
        let depth = depth - 1;
        let a = self.expression(&Type::Int, depth);
        match self.below(9) {
            0 | 1 => format!("({a} + {})", self.wide(depth)),
            2 => format!("({a} * {})", self.wide(depth)),
            3 => format!("({a} - {} + 3)", self.expression(&Type::Int, depth)),
            4 => {
                let it = self.a_type(20, 1);
                format!("Cardinality({})", self.set(&it, depth))
            }
            5 => {
                let it = self.a_type(20, 1);
                format!("Len({})", self.expression(&Type::Seq(Box::new(it)), depth))
            }
            6 if self.has.recursion => {
                let which = self.one(&["Sum", "Count"]);
                match which {
                    "Sum" => format!("Sum({a})"),
                    _ => format!("Count({})", self.set(&Type::Int, depth)),
                }
            }
            7 if self.has.recursion => format!("Down[{a}]"),
            8 => format!(
                "({a} \\div {})",
                if self.wrong() { a.clone() } else { "2".into() }
            ),
            _ => a,
        }
    }

    pub fn set(&mut self, of: &Type, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(&Type::Set(Box::new(of.clone())));
        }
        let depth = depth - 1;
        let this = Type::Set(Box::new(of.clone()));
        let small = of.size(self.n_model) <= 9;
        match self.below(12) {
            0 if self.chance(30) => "{}".into(),
            0 | 1 => format!("{{{}}}", self.expression(of, depth)),
            2 => {
                let (a, b) = (self.expression(of, depth), self.expression(of, depth));
                format!("{{{a}, {b}}}")
            }
            3 if small => of.universe(),
            4 | 5 => {
                let (a, b) = (self.expression(&this, depth), self.expression(&this, depth));
                let op = self.one(&["\\cup", "\\cap", "\\"]);
                format!("({a} {op} {b})")
            }
            6 | 7 => {
                let base = self.expression(&this, depth);
                if let Some((pattern, names)) = self.taken_apart(of) {
                    let test = self.scoped(&names, |it| it.predicate(depth));
                    return format!("{{{pattern} \\in {base} : {test}}}");
                }
                let name = self.fresh();
                let test = self.within(&name, of, |it| it.predicate(depth));
                format!("{{{name} \\in {base} : {test}}}")
            }
            8 | 9 => self.image(of, depth),
            10 => {
                let (a, b) = (self.expression(&this, depth), self.expression(&this, depth));
                format!("(UNION {{{a}, {b}}})")
            }
            _ => match of {
                Type::Set(it) if it.size(self.n_model) <= 3 => format!("(SUBSET {})", self.set(it, depth)),
                Type::Tup(items) => {
                    let items: Vec<String> = items.iter().map(|it| self.set(it, depth)).collect();
                    format!("({})", items.join(" \\X "))
                }
                _ => self.leaf(&this),
            },
        }
    }

    /// `{e : x \in S}`, also with several names and with patterns.
    fn image(&mut self, of: &Type, depth: u32) -> String {
        let bounds = self.bounds(depth);
        let body = self.bound_within(&bounds, |it| it.expression(of, depth));
        format!("{{{body} : {}}}", bounds.text)
    }

    fn function(&mut self, domain: &str, from: &Type, to: &Type, depth: u32) -> String {
        let name = self.fresh();
        let body = self.within(&name, from, |it| it.expression(to, depth));
        format!("[{name} \\in {domain} |-> {body}]")
    }

    /// A partial function that is made of another one.
    pub fn partial(&mut self, base: &str, from: &Type, to: &Type, depth: u32) -> String {
        let (key, value) = (self.expression(from, depth), self.expression(to, depth));
        match self.below(6) {
            0 => format!("({base} @@ ({key} :> {value}))"),
            1 => format!("(({key} :> {value}) @@ {base})"),
            2 => {
                let name = self.fresh();
                format!(
                    "[{name} \\in (DOMAIN {base}) \\cup {{{key}}} |-> IF {name} \\in DOMAIN {base} THEN {base}[{name}] ELSE {value}]"
                )
            }
            3 => {
                let name = self.fresh();
                format!("[{name} \\in (DOMAIN {base}) \\ {{{key}}} |-> {base}[{name}]]")
            }
            4 => format!("[{base} EXCEPT ![{key}] = {value}]"),
            _ => {
                let set = self.set(from, depth);
                self.function(&set, from, to, depth)
            }
        }
    }

    /// A sequence that is made of another one.
    pub fn sequence(&mut self, base: &str, of: &Type, depth: u32) -> String {
        let item = self.expression(of, depth);
        match self.below(6) {
            0 => format!("<<{item}>>"),
            1 => format!("(IF Len({base}) < 2 THEN Append({base}, {item}) ELSE Tail({base}))"),
            2 => format!("(IF {base} # <<>> THEN Tail({base}) ELSE <<{item}>>)"),
            3 => format!("(IF Len({base}) < 2 THEN <<{item}>> \\o {base} ELSE <<>>)"),
            4 => {
                let name = self.fresh();
                let test = self.within(&name, of, |it| it.predicate(depth));
                format!("SelectSeq({base}, LAMBDA {name} : {test})")
            }
            _ => {
                let name = self.fresh();
                let body = self.within(&name, &Type::Int, |it| it.expression(of, depth));
                format!("[{name} \\in 1..Len({base}) |-> {body}]")
            }
        }
    }

    /// A bag that is made of another one.
    pub fn bag(&mut self, base: &str, of: &Type, depth: u32) -> String {
        let item = self.expression(of, depth);
        match self.below(3) {
            0 => format!("SetToBag({})", self.set(of, depth)),
            1 => format!("({base} (-) SetToBag({{{item}}}))"),
            _ => format!(
                "(IF CopiesIn({item}, {base}) < 2 THEN {base} (+) SetToBag({{{item}}}) ELSE {base} (-) SetToBag({{{item}}}))"
            ),
        }
    }

    /// `[f EXCEPT ![…] = …]` of something at hand.
    pub fn updated(&mut self, of: &Type, depth: u32) -> String {
        let base = self.leaf(of);
        self.updated_base(&base, of, depth)
    }

    pub fn updated_base(&mut self, base: &str, of: &Type, depth: u32) -> String {
        let updates: Vec<String> = (0..1 + usize::from(self.chance(25)))
            .map(|_| {
                let (path, at) = self.path(of, depth);
                // What stands in a primed place is of the next state already, and must not be primed again.
                let has_at = self.chance(60) && !base.contains('\'') && !path.contains('\'');
                // `@` of an outer EXCEPT is not to be seen in the new value.
                let value = self.with_names(
                    |it| it.text != "@",
                    |it| match has_at {
                        true => it.within("@", &at, |it| it.expression(&at, depth)),
                        false => it.expression(&at, depth),
                    },
                );
                format!("!{path} = {value}")
            })
            .collect();
        format!("[{base} EXCEPT {}]", updates.join(", "))
    }

    /// The way to a part that may be replaced.
    fn path(&mut self, of: &Type, depth: u32) -> (String, Type) {
        let (mut path, mut at) = (String::new(), of.clone());
        loop {
            let (step, next) = match &at {
                Type::Fun(from, to) => {
                    let key = self.expression(from, depth.min(1));
                    (format!("[{key}]"), (**to).clone())
                }
                Type::Rec(fields) => {
                    let (name, it) = fields[self.below(fields.len())].clone();
                    (format!(".{name}"), it)
                }
                Type::Tup(items) => {
                    let n = self.below(items.len());
                    (format!("[{}]", n + 1), items[n].clone())
                }
                _ => return (path, at),
            };
            path += &step;
            at = next;
            if self.chance(30) {
                return (path, at);
            }
        }
    }
}

/// The text with another name in the place of one.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let ends = rest[at + from.len()..]
            .chars()
            .next()
            .is_none_or(|it| !is_word(it));
        made += &rest[..at];
        made += if ends { to } else { from };
        rest = &rest[at + from.len()..];
    }
    made + rest
}

pub fn call(name: &str, arguments: &[String]) -> String {
    match arguments {
        [] => name.to_owned(),
        _ => format!("{name}({})", arguments.join(", ")),
    }
}
