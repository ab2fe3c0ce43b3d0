//! The modules and the configuration, put together.

use std::fmt::Write as _;

use super::{Action, Generator, Operator, Readable, Specification, Type, Variable};

/// Definitions that others use; each is written only where its name occurs.
const PRELUDE: &[(&str, &str)] = &[
    ("Partial(", "Partial(A, B) == UNION {[d -> B] : d \\in SUBSET A}"),
    ("Short(", "Short(A) == UNION {[1..n -> A] : n \\in 0..2}"),
    ("SomeP", "SomeP == CHOOSE p \\in P : TRUE"),
    ("Lot", "Lot == RandomElement(0..2)"),
    ("Apply(", "Apply(F(_), a) == F(a)"),
    ("Select(", "Select(c, F(_), G(_), a) == IF c THEN F(a) ELSE G(a)"),
    ("Pick(", "Pick(c, A, B) == IF c THEN A ELSE B"),
    ("Same(", "Same(A) == A"),
    ("Keep(", "Keep(v) == UNCHANGED v"),
    ("Assign(", "Assign(v, e) == v' = e"),
    (
        "Sum(",
        "RECURSIVE Sum(_)\nSum(n) == IF n <= 0 THEN 0 ELSE n + Sum(n - 1)",
    ),
    (
        "Count(",
        "RECURSIVE Count(_)\nCount(S) == IF S = {} THEN 0 ELSE 1 + Count(S \\ {CHOOSE e \\in S : TRUE})",
    ),
    (
        "Down[",
        "Down[n \\in 0..2] == IF n = 0 THEN 0 ELSE 1 + Down[n - 1]",
    ),
    (
        "Even(",
        "RECURSIVE Even(_), Odd(_)\nEven(n) == IF n <= 0 THEN n = 0 ELSE Odd(n - 1)\nOdd(n) == IF n <= 0 THEN FALSE ELSE Even(n - 1)",
    ),
];

/// The product of the numbers of values of all variables, at most.
const STATES_MAX: u64 = 3000;

impl Generator {
    pub fn specification(mut self) -> Specification {
        self.declare();
        let mut body = String::new();
        self.define_operators(&mut body);
        self.define_actions(&mut body);
        self.define_init(&mut body);
        self.define_next(&mut body);
        let mut config = String::new();
        self.define_spec(&mut body, &mut config);
        self.define_checks(&mut body, &mut config);
        let mut modules = vec![];
        if self.has.refinement && !self.has.symmetry {
            modules.push(self.refinement(&mut body, &mut config));
        }
        self.constants(&mut config);
        modules.insert(0, ("M".to_owned(), self.root(&body)));
        Specification {
            modules,
            config,
            is_standard: !self.has.extensions,
        }
    }

    fn declare(&mut self) {
        let mut left = STATES_MAX;
        for name in ["x", "y", "z", "w"].iter().take(1 + self.below(4)) {
            let of = self.a_type(left.min(150), 2);
            left = (left / of.size(self.n_model)).max(2);
            self.variables.push(Variable {
                name: name.to_string(),
                of,
            });
        }
        if self.has.overrides {
            let constant = |name: &str, params: Vec<Type>, result: Type| Operator {
                name: name.to_owned(),
                params,
                result,
                is_state: false,
            };
            self.operators.push(constant("N", vec![], Type::Int));
            self.operators
                .push(constant("Few", vec![], Type::Set(Box::new(Type::Int))));
            self.operators.push(constant("Turn", vec![Type::Int], Type::Int));
        }
    }

    fn define_operators(&mut self, body: &mut String) {
        for i in 1..=self.below(4) {
            let is_state = self.chance(75);
            let result = self.near_type_of_variable();
            let params: Vec<(String, Type)> = (0..self.below(3))
                .map(|_| (self.fresh(), self.scalar()))
                .collect();
            let readable = Readable {
                now: if is_state { self.all_variables() } else { vec![] },
                next: vec![],
            };
            let value = self.scoped(&params, |it| it.reading(readable, |it| it.expression(&result, 2)));
            let name = format!("F{i}");
            let _ = writeln!(body, "{} == {value}", heading(&name, &params));
            self.operators.push(Operator {
                name,
                params: params.into_iter().map(|it| it.1).collect(),
                result,
                is_state,
            });
        }
    }

    fn near_type_of_variable(&mut self) -> Type {
        let readable = Readable {
            now: self.all_variables(),
            next: vec![],
        };
        self.reading(readable, Generator::near_type)
    }

    fn define_actions(&mut self, body: &mut String) {
        for i in 1..=1 + self.below(5) {
            let all = self.all_variables();
            let is_plain = self.chance(50);
            let assigns = if is_plain || self.chance(80) {
                all
            } else {
                self.some(&all)
            };
            let params: Vec<(String, Type)> = (0..self.below(3))
                .map(|_| (self.fresh(), self.scalar()))
                .collect();
            let readable = Readable {
                now: self.all_variables(),
                next: vec![],
            };
            let items = self.scoped(&params, |it| {
                it.reading(readable, |it| match is_plain {
                    true => it.plain_conjuncts(),
                    false => it.conjuncts(&assigns, 2),
                })
            });
            let name = format!("A{i}");
            let _ = writeln!(body, "{} ==", heading(&name, &params));
            for item in items {
                let _ = writeln!(body, "  /\\ {item}");
            }
            self.actions.push(Action {
                name,
                params: params.into_iter().map(|it| it.1).collect(),
                assigns,
            });
        }
    }

    fn define_init(&mut self, body: &mut String) {
        body.push_str("Init ==\n");
        for it in self.all_variables() {
            let readable = Readable {
                now: (0..it).collect(),
                next: vec![],
            };
            let value = self.reading(readable, |this| this.initial(it));
            let _ = writeln!(body, "  /\\ {value}");
        }
    }

    fn define_next(&mut self, body: &mut String) {
        let readable = Readable {
            now: self.all_variables(),
            next: vec![],
        };
        body.push_str("Next ==\n");
        for it in self.actions.clone() {
            let call = self.reading(readable.clone(), |this| this.call_action(&it, 2));
            let rest: Vec<usize> = self
                .all_variables()
                .into_iter()
                .filter(|at| !it.assigns.contains(at))
                .collect();
            let item = match rest.is_empty() {
                true => call,
                false => {
                    let readable = Readable {
                        next: it.assigns.clone(),
                        ..readable.clone()
                    };
                    let other = self.reading(readable, |this| this.action(&rest, 1));
                    format!("({call} /\\ {other})")
                }
            };
            let _ = writeln!(body, "  \\/ {item}");
        }
        if self.chance(40) {
            let all = self.all_variables();
            let item = self.reading(readable, |it| it.action(&all, 2));
            let _ = writeln!(body, "  \\/ {item}");
        }
    }

    fn define_spec(&mut self, body: &mut String, config: &mut String) {
        let fairness: String = match self.has.temporal {
            true => (0..self.below(3))
                .map(|_| format!(" /\\ {}", self.fairness()))
                .collect(),
            false => String::new(),
        };
        let subscript = match self.chance(85) {
            true => "vars".to_owned(),
            false => self.subscript(),
        };
        let spec = match self.below(30) {
            0..6 if fairness.is_empty() => {
                config.push_str("INIT Init\nNEXT Next\n");
                return;
            }
            6 => {
                let name = self.fresh();
                format!("(LET {name}(k) == [][k = 1 /\\ Next]_{subscript} IN Init /\\ {name}(1)){fairness}")
            }
            7 => format!("Same(Init /\\ [][Next]_{subscript}){fairness}"),
            8 => format!("LET id(a) == a IN id(Init /\\ [][Next]_{subscript}){fairness}"),
            9..16 if self.has.extensions && self.variables.len() > 1 && fairness.is_empty() => self.rules(),
            _ => format!("Init /\\ [][Next]_{subscript}{fairness}"),
        };
        let _ = writeln!(body, "Spec == {spec}");
        config.push_str("SPECIFICATION Spec\n");
    }

    /// A conjunction of rules, each about its own variables.
    fn rules(&mut self) -> String {
        let all = self.all_variables();
        let (one, two) = all.split_at(1 + self.below(all.len() - 1));
        let readable = Readable {
            now: all.clone(),
            next: vec![],
        };
        let mut rule = |some: &[usize]| {
            let action = self.reading(readable.clone(), |it| it.action(some, 2));
            format!("[][{action}]_{}", self.tuple_of(some))
        };
        format!("Init /\\ {} /\\ {}", rule(one), rule(two))
    }

    fn define_checks(&mut self, body: &mut String, config: &mut String) {
        let mut define = |body: &mut String, kind: &str, name: String, text: String| {
            let _ = writeln!(body, "{name} == {text}");
            let _ = writeln!(config, "{kind} {name}");
        };
        for i in 1..=self.below(3) {
            let text = self.invariant();
            define(body, "INVARIANT", format!("Inv{i}"), text);
        }
        if self.chance(40) {
            let text = self.step_property();
            define(body, "PROPERTY", "Step".into(), text);
        }
        if self.has.temporal {
            let text = self.temporal(1);
            define(body, "PROPERTY", "Live".into(), text);
        }
        if self.has.constraints {
            if self.chance(70) {
                let text = self.constraint();
                define(body, "CONSTRAINT", "Inside".into(), text);
            }
            if self.chance(50) {
                let text = self.action_constraint();
                define(body, "ACTION_CONSTRAINT", "Allowed".into(), text);
            }
        }
        if self.has.view {
            let text = self.view();
            define(body, "VIEW", "View".into(), text);
        }
        if self.has.symmetry {
            define(body, "SYMMETRY", "Perms".into(), "Permutations(P)".into());
        }
        if self.chance(75) {
            config.push_str("CHECK_DEADLOCK FALSE\n");
        }
    }

    /// A module that the specification is to refine, and the property that it does.
    fn refinement(&mut self, body: &mut String, config: &mut String) -> (String, String) {
        let of = self.near_type_of_variable();
        let readable = Readable {
            now: self.all_variables(),
            next: vec![],
        };
        let mapped = self.reading(readable, |it| it.expression(&of, 2));
        let _ = writeln!(body, "R == INSTANCE Abs WITH abs <- {mapped}");
        let _ = writeln!(body, "Refines == R!Spec");
        config.push_str("PROPERTY Refines\n");
        let variables = std::mem::replace(
            &mut self.variables,
            vec![Variable {
                name: "abs".into(),
                of: of.clone(),
            }],
        );
        let (operators, actions) = (
            std::mem::take(&mut self.operators),
            std::mem::take(&mut self.actions),
        );
        let readable = Readable {
            now: vec![0],
            next: vec![],
        };
        let mut text = String::new();
        let _ = writeln!(text, "vars == <<abs>>");
        let _ = writeln!(text, "Init == abs \\in {}", of.universe());
        text.push_str("Next ==\n");
        for _ in 0..1 + self.below(3) {
            let item = self.reading(readable.clone(), |it| it.action(&[0], 2));
            let _ = writeln!(text, "  \\/ {item}");
        }
        if self.chance(60) {
            let both = Readable {
                now: vec![0],
                next: vec![0],
            };
            let _ = writeln!(text, "  \\/ {}", self.reading(both, |it| it.predicate(2)));
        }
        let fairness = if self.has.temporal && self.chance(50) {
            " /\\ WF_abs(Next)"
        } else {
            ""
        };
        let _ = writeln!(text, "Spec == Init /\\ [][Next]_abs{fairness}");
        let text = self.module("Abs", "VARIABLE abs", &text);
        (self.variables, self.operators, self.actions) = (variables, operators, actions);
        ("Abs".into(), text)
    }

    fn root(&self, body: &str) -> String {
        let names: Vec<&str> = self.variables.iter().map(|it| it.name.as_str()).collect();
        let names = names.join(", ");
        let declared = format!("VARIABLES {names}\nvars == <<{names}>>");
        self.module("M", &declared, body)
    }

    fn module(&self, name: &str, declared: &str, body: &str) -> String {
        let mut constants = vec!["P", "NULL"];
        if !self.is_symmetric {
            constants.extend(["M1", "M2"]);
        }
        let mut overrides = "";
        if self.has.overrides {
            constants.push("N");
            overrides = "Few == {0, 1}\nFewer == {1, 2}\nTurn(n) == n\nTurned(n) == (n + 1) % 3\n";
        }
        let is_used = |it: &str| body.contains(it);
        let prelude: String = PRELUDE
            .iter()
            .filter(|it| is_used(it.0) || it.0 == "SomeP")
            .map(|it| format!("{}\n", it.1))
            .collect();
        format!(
            "---- MODULE {name} ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC\nCONSTANTS {}\n{declared}\n{prelude}{overrides}{body}====\n",
            constants.join(", ")
        )
    }

    fn constants(&mut self, config: &mut String) {
        let values = ["p1", "p2", "p3"];
        let values = &values[..self.n_model as usize];
        let _ = writeln!(config, "CONSTANT P = {{{}}}", values.join(", "));
        config.push_str("CONSTANT NULL = NULL\n");
        if !self.is_symmetric {
            config.push_str("CONSTANT M1 = p1\nCONSTANT M2 = p2\n");
        }
        if self.has.overrides {
            config.push_str("CONSTANT N = 2\n");
            if self.chance(60) {
                config.push_str("CONSTANT Few <- Fewer\n");
            }
            if self.chance(60) {
                config.push_str("CONSTANT Turn <- Turned\n");
            }
        }
    }
}

fn heading(name: &str, params: &[(String, Type)]) -> String {
    let names: Vec<String> = params.iter().map(|it| it.0.clone()).collect();
    super::expressions::call(name, &names)
}
