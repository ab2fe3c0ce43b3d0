//! Declarations, `ProcSet` and `Init`.

use source::Span;
use util::Symbol;

use crate::ast::{Relation, Variable};
use crate::explode::value_or_default;
use crate::expr::Expr;
use crate::lexer::Kind;
use crate::map::Origin;
use crate::steps::{Process, ProgramBody};

use super::parens::needs_parens;
use super::writer::{blanks, width};
use super::{Generator, bracketed, self_expr};

const INIT: &str = "Init == ";

/// A variable of the translation, and where it is declared in the algorithm.
type Declared = (Symbol, Option<Span>);

impl Generator<'_> {
    pub(super) fn declarations(&mut self) {
        let program = self.program;
        let (globals, locals) = self.collect_variables();
        if program.has_default_value {
            self.out.put_line("CONSTANT defaultInitValue");
        }
        let all = [&globals[..], &locals].concat();
        if program.definitions.is_empty() {
            self.variable_list(&all);
        } else {
            self.variable_list(&globals);
            self.out.put_line("");
            self.out.put_line("(* define statement *)");
            let from = self.out.spot();
            self.out.put_expr(&program.definitions);
            self.out.region(from, program.definitions.span.map(Origin::from));
            self.out.put_line("");
            self.variable_list(&locals);
        }
        self.out.put_line("");
        self.vars(&all);
        self.out.put_line("");
    }

    /// The variables of the algorithm at large, and those of procedures and processes.
    fn collect_variables(&mut self) -> (Vec<Declared>, Vec<Declared>) {
        let program = self.program;
        let declared = |it: &Variable| (it.name.text, Some(it.span));
        let mut globals: Vec<Declared> = vec![];
        if !program.omits_pc {
            globals.push((Symbol::new("pc"), None));
        }
        globals.extend(program.variables.iter().map(declared));
        if !program.procedures.is_empty() {
            globals.push((Symbol::new("stack"), None));
        }
        let mut locals: Vec<Declared> = vec![];
        for it in &program.procedures {
            locals.extend(it.params.iter().chain(&it.variables).map(declared));
        }
        if program.is_multiprocess() {
            self.by_self.extend(locals.iter().map(|it| it.0));
        }
        for it in program.processes() {
            locals.extend(it.variables.iter().map(declared));
            if it.relation == Relation::In {
                self.by_self.extend(it.variables.iter().map(|it| it.name.text));
            }
        }
        self.variables = globals.iter().chain(&locals).map(|it| it.0).collect();
        (globals, locals)
    }

    fn variable_list(&mut self, all: &[Declared]) {
        let word = match all.len() {
            0 => return,
            1 => "VARIABLE ",
            _ => "VARIABLES ",
        };
        self.out.put(word);
        self.names(all, width(word));
        self.out.end_line();
    }

    fn vars(&mut self, all: &[Declared]) {
        self.out.put("vars == << ");
        self.names(all, self.out.column());
        if self.out.column() + " >>".len() + 1 > self.options.line_width {
            self.out.end_line();
            self.out.put(&blanks("vars ==".len()));
        }
        self.out.put(" >>");
    }

    fn names(&mut self, all: &[Declared], indent: usize) {
        for (i, (name, span)) in all.iter().enumerate() {
            if i > 0 {
                self.out.put(", ");
            }
            if self.out.column() + width(name.as_str()) + 1 > self.options.line_width {
                self.out.end_line();
                self.out.put(&blanks(indent));
            }
            match span {
                Some(span) => self.out.put_from(name.as_str(), *span),
                None => self.out.put(name.as_str()),
            }
        }
    }

    pub(super) fn process_set(&mut self) {
        self.out.put("ProcSet == ");
        for (i, it) in self.program.processes().iter().enumerate() {
            if i > 0 {
                self.out.put(" \\cup ");
            }
            let (open, close) = match it.relation {
                Relation::Equals => ("{", "}"),
                Relation::In => ("(", ")"),
            };
            self.out.put(open);
            self.out.put_expr(&it.id);
            self.out.put(close);
        }
        self.out.end_line();
        self.out.put_line("");
    }

    pub(super) fn init(&mut self) {
        let program = self.program;
        let mut prefix = INIT.to_string();
        if !program.variables.is_empty() {
            self.section(&mut prefix, "(* Global variables *)");
            for it in &program.variables {
                self.global(it, &prefix);
            }
        }
        for it in &program.procedures {
            if it.saved().next().is_none() {
                continue;
            }
            self.section(&mut prefix, &format!("(* Procedure {} *)", it.name.text));
            for variable in it.params.iter().chain(&it.variables) {
                match program.is_multiprocess() {
                    true => self.procedure_variable(variable, &prefix),
                    false => self.global(variable, &prefix),
                }
            }
        }
        for it in program.processes() {
            if it.variables.is_empty() {
                continue;
            }
            self.section(&mut prefix, &format!("(* Process {} *)", it.name.text));
            for variable in &it.variables {
                self.process_variable(it, variable, &prefix);
            }
        }
        if !program.procedures.is_empty() {
            let stack = match program.is_multiprocess() {
                true => "/\\ stack = [self \\in ProcSet |-> << >>]",
                false => "/\\ stack = << >>",
            };
            self.out.put_line(&format!("{prefix}{stack}"));
            prefix = blanks(INIT.len());
        }
        if !program.omits_pc {
            self.first_labels(&prefix);
        }
        self.out.put_line("");
    }

    /// A comment on a line of its own. The first line of `Init` starts with its name.
    fn section(&mut self, prefix: &mut String, comment: &str) {
        self.out.put_line(&format!("{prefix}{comment}"));
        *prefix = blanks(INIT.len());
    }

    fn global(&mut self, it: &Variable, prefix: &str) {
        self.out.put(&format!("{prefix}/\\ "));
        let from = self.out.spot();
        self.out
            .put(&format!("{}{}", it.name.text, relation(it.relation)));
        let value = value_or_default(&it.value);
        let parens = needs_parens(&value.text());
        self.out.put(if parens { "(" } else { "" });
        self.out.put_expr(&value);
        self.out.put(if parens { ")" } else { "" });
        self.out.region(from, Some(it.span.into()));
        self.out.end_line();
    }

    fn procedure_variable(&mut self, it: &Variable, prefix: &str) {
        self.out.put(&format!("{prefix}/\\ "));
        let from = self.out.spot();
        self.out
            .put(&format!("{} = [ self \\in ProcSet |-> ", it.name.text));
        let value = self.in_state(&value_or_default(&it.value), Some(&bracketed(&self_expr())), None);
        self.out.put_expr(&value);
        self.out.put("]");
        self.out.region(from, Some(it.span.into()));
        self.out.end_line();
    }

    fn process_variable(&mut self, process: &Process, it: &Variable, prefix: &str) {
        self.out.put(&format!("{prefix}/\\ "));
        let from = self.out.spot();
        let value = value_or_default(&it.value);
        match (process.relation, it.relation) {
            (Relation::Equals, _) => {
                self.out
                    .put(&format!("{}{}", it.name.text, relation(it.relation)));
                self.out.put_expr(&value);
            }
            (Relation::In, Relation::Equals) => {
                self.out.put(&format!("{} = [self \\in ", it.name.text));
                self.out.put_expr(&process.id);
                self.out.put(" |-> ");
                let value = self.in_state(&value, Some(&bracketed(&self_expr())), None);
                self.out.put_expr(&value);
                self.out.put("]");
            }
            (Relation::In, Relation::In) => {
                self.out.put(&format!("{} \\in [", it.name.text));
                self.out.put_expr(&process.id);
                self.out.put(" -> ");
                // The set may mention a variable of the process only where it is the same for all of them.
                let value = self.in_state(&value, Some(&some_member(&process.id)), None);
                self.out.put_expr(&value);
                self.out.put("]");
            }
        }
        self.out.region(from, Some(it.span.into()));
        self.out.end_line();
    }

    /// Where everybody starts.
    fn first_labels(&mut self, prefix: &str) {
        let first = |steps: &[crate::steps::Step]| steps.first().map_or("", |it| it.label.as_str());
        let processes = match &self.program.body {
            ProgramBody::Sequential(steps) => {
                let line = format!("{prefix}/\\ pc = \"{}\"", first(steps));
                return self.out.put_line(&line);
            }
            ProgramBody::Processes(all) => all,
        };
        let start = format!("{prefix}/\\ pc = [self \\in ProcSet |-> ");
        if let [it] = &processes[..] {
            return self.out.put_line(&format!("{start}\"{}\"]", first(&it.body)));
        }
        let start = format!("{start}CASE ");
        let arm = format!("{}[] ", blanks(width(&start) - 3));
        for (i, it) in processes.iter().enumerate() {
            self.out.put(if i == 0 { &start } else { &arm });
            self.out.put(match it.relation {
                Relation::Equals => "self = ",
                Relation::In => "self \\in ",
            });
            self.out.put_expr(&it.id);
            let end = if i + 1 == processes.len() { "]" } else { "" };
            self.out.put(&format!(" -> \"{}\"{end}", first(&it.body)));
            self.out.end_line();
        }
    }
}

fn relation(it: Relation) -> &'static str {
    match it {
        Relation::Equals => " = ",
        Relation::In => " \\in ",
    }
}

/// `[CHOOSE self \in S : TRUE]`
fn some_member(set: &Expr) -> Expr {
    let start = [
        (Kind::Builtin, "[", 0),
        (Kind::Builtin, "CHOOSE", 1),
        (Kind::Ident, "self", 8),
        (Kind::Builtin, "\\in ", 13),
    ];
    let end = [
        (Kind::Builtin, ":", 0),
        (Kind::Builtin, "TRUE", 2),
        (Kind::Builtin, "]", 6),
    ];
    let line = |words: &[(Kind, &str, i32)]| {
        let toks = words
            .iter()
            .map(|&(kind, text, column)| crate::expr::Tok::new(kind, text, column));
        Expr::from_lines(vec![toks.collect()])
    };
    let mut set = set.normalized();
    set.prepend(&line(&start), 1);
    let mut all = line(&end);
    all.prepend(&set, 1);
    all
}
