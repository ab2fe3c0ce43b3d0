//! One name for each thing in the translation.
//!
//! Labels, procedures, processes and local variables become operators and variables of one module, so those that share a name get
//! new ones: an underscore, then as much of the name of their process or procedure as it takes. What labels, calls and
//! assignments refer to is checked on the way.

use diag::Diagnostic;
use util::{FxHashMap, FxHashSet, Symbol};

use crate::ast::{Assignment, Name, Variable};
use crate::diagnostics as errors;
use crate::expr::Expr;
use crate::lexer::{At, Kind};
use crate::steps::{self, AfterCall, Program, ProgramBody, Step, Stmt, Visit, visit_steps};

/// What a name stands for, in the order in which they may keep it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Sort {
    Global,
    Label,
    Procedure,
    Process,
    ProcessVariable,
    ProcedureVariable,
    Parameter,
}

impl Sort {
    const ALL: [Sort; 7] = [
        Sort::Global,
        Sort::Label,
        Sort::Procedure,
        Sort::Process,
        Sort::ProcessVariable,
        Sort::ProcedureVariable,
        Sort::Parameter,
    ];

    fn is_variable(self) -> bool {
        !matches!(self, Sort::Label | Sort::Procedure | Sort::Process)
    }

    /// As translations call it.
    fn title(self) -> &'static str {
        match self {
            Sort::Global => "Global variable",
            Sort::Label => "Label",
            Sort::Procedure => "Procedure",
            Sort::Process => "Process",
            Sort::ProcessVariable => "Process variable",
            Sort::ProcedureVariable => "Procedure variable",
            Sort::Parameter => "Parameter",
        }
    }
}

struct Entry {
    sort: Sort,
    name: Name,
    /// The process or procedure that it belongs to; empty at the top.
    context: Symbol,
    /// `process` or `procedure`.
    context_sort: &'static str,
    new: String,
}

/// Gives everything its name. Returns the comments that tell what was renamed.
pub(crate) fn resolve(program: &mut Program) -> (Vec<String>, Vec<Diagnostic>) {
    let mut table = Table::default();
    table.collect(program);
    let report = table.disambiguate();
    table.rename(program);
    (report, table.diagnostics)
}

#[derive(Default)]
struct Table {
    entries: Vec<Entry>,
    /// Entries by name and context.
    by_name: FxHashMap<(Symbol, Symbol), Vec<usize>>,
    diagnostics: Vec<Diagnostic>,
}

fn top() -> Symbol {
    Symbol::new("")
}

impl Table {
    fn insert(&mut self, sort: Sort, name: Name, context: Symbol, context_sort: &'static str) {
        let is_local = sort > Sort::Process;
        let mut here = self.by_name.get(&(name.text, context)).into_iter().flatten();
        let mut above = self.by_name.get(&(name.text, top())).into_iter().flatten();
        let same = |it: &&usize| is_local || self.entries[**it].sort == sort;
        let global = |it: &&usize| is_local && self.entries[**it].sort == Sort::Global;
        if let Some(&first) = here.find(same).or_else(|| above.find(global)) {
            let first = &self.entries[first];
            let wrong = errors::defined_twice(sort.title(), name, first.name, first.sort.title());
            self.diagnostics.push(wrong);
            return;
        }
        let at = self.by_name.entry((name.text, context)).or_default();
        at.push(self.entries.len());
        self.entries.push(Entry {
            sort,
            name,
            context,
            context_sort,
            new: name.text.to_string(),
        });
    }

    fn collect(&mut self, program: &mut Program) {
        let made_up = |text: &str| Name {
            text: Symbol::new(text),
            span: program_span(program),
            at: At::default(),
        };
        self.insert(Sort::Global, made_up("pc"), top(), "");
        if !program.procedures.is_empty() {
            self.insert(Sort::Global, made_up("stack"), top(), "");
        }
        for it in &program.variables {
            self.insert(Sort::Global, it.name, top(), "process");
        }
        for it in &mut program.procedures {
            let context = it.name.text;
            let name = Name { at: it.at, ..it.name };
            self.insert(Sort::Procedure, name, top(), "procedure");
            for variable in &it.variables {
                self.insert(Sort::ProcedureVariable, variable.name, context, "procedure");
            }
            for param in &it.params {
                self.insert(Sort::Parameter, param.name, context, "procedure");
            }
            self.labels(&mut it.body, context, "procedure");
        }
        match &mut program.body {
            ProgramBody::Sequential(steps) => self.labels(steps, top(), ""),
            ProgramBody::Processes(all) => {
                for it in all {
                    let context = it.name.text;
                    let name = Name { at: it.at, ..it.name };
                    self.insert(Sort::Process, name, top(), "process");
                    for variable in &it.variables {
                        self.insert(Sort::ProcessVariable, variable.name, context, "process");
                    }
                    self.labels(&mut it.body, context, "process");
                }
            }
        }
        if program.has_default_value {
            let used = self
                .entries
                .iter()
                .filter(|it| it.name.text.as_str() == "defaultInitValue");
            let wrong: Vec<_> = used.map(|it| errors::reserved_name(it.name)).collect();
            self.diagnostics.extend(wrong);
        }
    }

    fn labels(&mut self, steps: &mut [Step], context: Symbol, context_sort: &'static str) {
        struct Labels<'a>(&'a mut Table, Symbol, &'static str);
        impl Visit for Labels<'_> {
            fn step(&mut self, step: &mut Step) {
                let name = Name {
                    text: step.label,
                    span: step.label_span.unwrap_or(step.span),
                    at: step.at,
                };
                self.0.insert(Sort::Label, name, self.1, self.2);
            }
        }
        visit_steps(steps, &mut Labels(self, context, context_sort));
    }

    fn disambiguate(&mut self) -> Vec<String> {
        let mut count: FxHashMap<String, u32> = FxHashMap::default();
        for it in &self.entries {
            *count.entry(it.new.clone()).or_default() += 1;
        }
        let mut report = vec![];
        for sort in Sort::ALL {
            for it in self.entries.iter_mut().filter(|it| it.sort == sort) {
                let context = it.context.as_str();
                let mut suffix = std::iter::once('_')
                    .chain(context.chars())
                    .chain(std::iter::repeat(char::from(b'0' + sort as u8)));
                while sort != Sort::Global && count.get(&it.new).is_some_and(|&it| it > 1) {
                    *count.get_mut(&it.new).expect("counted") -= 1;
                    it.new.extend(suffix.next());
                    *count.entry(it.new.clone()).or_default() += 1;
                }
                if it.new != it.name.text.as_str() {
                    let of = match context {
                        "" => String::new(),
                        context => format!(" of {} {context}", it.context_sort),
                    };
                    let At { line, column } = it.name.at;
                    report.push(format!(
                        "\\* {} {}{of} at line {line} col {column} changed to {}",
                        sort.title(),
                        it.name.text,
                        it.new
                    ));
                }
            }
        }
        report
    }

    /// The new name of something.
    fn new_name(&self, wanted: impl Fn(Sort) -> bool, name: Symbol, context: Symbol) -> Option<Symbol> {
        let here = self.by_name.get(&(name, context))?;
        let found = here.iter().find(|&&it| wanted(self.entries[it].sort))?;
        Some(Symbol::new(&self.entries[*found].new))
    }

    fn variable(&self, name: Symbol, context: Symbol) -> Symbol {
        self.new_name(Sort::is_variable, name, context).unwrap_or(name)
    }

    fn label(&self, name: Symbol, context: Symbol) -> Symbol {
        let is_label = |it| it == Sort::Label;
        self.new_name(is_label, name, context).unwrap_or(name)
    }

    fn rename_variables(&self, all: &mut [Variable], context: Symbol) {
        for it in all {
            it.name.text = self.variable(it.name.text, context);
            self.rename_expr(&mut it.value, context);
        }
    }

    fn rename_expr(&self, expr: &mut Expr, context: Symbol) {
        let mut by: Vec<(Symbol, Expr)> = vec![];
        for tok in expr.tokens().filter(|it| it.kind == Kind::Ident) {
            let new = self.variable(tok.text, context);
            if new != tok.text && !by.iter().any(|it| it.0 == tok.text) {
                by.push((tok.text, Expr::from_words(&[(Kind::Ident, new.as_str())], 0)));
            }
        }
        expr.substitute(&by, false);
    }

    fn rename(&mut self, program: &mut Program) {
        let arities = program
            .procedures
            .iter()
            .map(|it| (it.name.text, (it.name, it.params.len())));
        let arities: FxHashMap<Symbol, (Name, usize)> = arities.collect();
        let variables = self.entries.iter().filter(|it| it.sort.is_variable());
        let variables: FxHashSet<Symbol> = variables.map(|it| Symbol::new(&it.new)).collect();
        let is_procedure = |it| it == Sort::Procedure;
        close_calls(program);
        for it in &mut program.procedures {
            self.rename_variables(&mut it.variables, it.name.text);
            self.rename_variables(&mut it.params, it.name.text);
            self.rename_body(
                &mut it.body,
                &mut it.marks,
                Some(it.name.text),
                (&arities, &variables),
            );
            it.name.text = self
                .new_name(is_procedure, it.name.text, top())
                .unwrap_or(it.name.text);
        }
        match &mut program.body {
            ProgramBody::Sequential(steps) => {
                let mut marks = steps::Marks::default();
                self.rename_body(steps, &mut marks, None, (&arities, &variables));
            }
            ProgramBody::Processes(all) => {
                for it in all {
                    let context = it.name.text;
                    self.rename_variables(&mut it.variables, context);
                    self.rename_body(&mut it.body, &mut it.marks, Some(context), (&arities, &variables));
                    let is_process = |it| it == Sort::Process;
                    it.name.text = self.new_name(is_process, context, top()).unwrap_or(context);
                }
            }
        }
    }

    fn rename_body(
        &mut self,
        steps: &mut [Step],
        marks: &mut steps::Marks,
        context: Option<Symbol>,
        (arities, variables): (&FxHashMap<Symbol, (Name, usize)>, &FxHashSet<Symbol>),
    ) {
        let context = context.unwrap_or(top());
        let mut renamer = Renamer {
            table: self,
            context,
            arities,
            variables,
            wrong: vec![],
        };
        visit_steps(steps, &mut renamer);
        let wrong = renamer.wrong;
        self.diagnostics.extend(wrong);
        for label in marks.plus.iter_mut().chain(&mut marks.minus) {
            *label = self.label(*label, context);
        }
        let is_procedure = |it| it == Sort::Procedure;
        for name in &mut marks.calls {
            *name = self.new_name(is_procedure, *name, top()).unwrap_or(*name);
        }
    }
}

/// Names in one body, each replaced by its new one where it is used.
struct Renamer<'a> {
    table: &'a Table,
    context: Symbol,
    arities: &'a FxHashMap<Symbol, (Name, usize)>,
    /// The variables of the translation, those of other processes too.
    variables: &'a FxHashSet<Symbol>,
    wrong: Vec<Diagnostic>,
}

impl Renamer<'_> {
    fn expr(&self, expr: &mut Expr) {
        self.table.rename_expr(expr, self.context);
    }

    fn goto(&mut self, to: &mut Name) {
        let is_label = |it| it == Sort::Label;
        match self.table.new_name(is_label, to.text, self.context) {
            Some(new) => to.text = new,
            None if to.text.as_str() == "Done" => {}
            None => {
                let entries = self.table.entries.iter();
                let here = entries.filter(|it| it.sort == Sort::Label && it.context == self.context);
                let known = here.map(|it| it.name.text.as_str()).collect();
                self.wrong.push(errors::unknown_label(*to, known));
            }
        }
    }

    fn call(&mut self, procedure: &mut Name, n_args: usize) {
        match self.arities.get(&procedure.text) {
            None => {
                let known = self.arities.keys().map(|it| it.as_str()).collect();
                self.wrong.push(errors::unknown_procedure(*procedure, known));
            }
            Some(&(definition, n)) if n != n_args => {
                self.wrong
                    .push(errors::procedure_arity(*procedure, definition, n, n_args));
            }
            Some(_) => {}
        }
        procedure.text = self.procedure(procedure.text);
    }

    fn procedure(&self, name: Symbol) -> Symbol {
        let is_procedure = |it| it == Sort::Procedure;
        self.table.new_name(is_procedure, name, top()).unwrap_or(name)
    }

    fn assignments(&mut self, all: &mut [Assignment]) {
        for (i, it) in all.iter().enumerate() {
            let name = it.variable;
            let new = self.table.variable(name.text, self.context);
            if !self.variables.contains(&new) {
                let known = self.variables.iter().map(|it| it.as_str()).collect();
                self.wrong.push(errors::not_a_variable(name, known));
            }
            let clashes = |other: &&Assignment| {
                other.variable.text == name.text && (other.subscript.is_empty() || it.subscript.is_empty())
            };
            if let Some(first) = all[..i].iter().find(clashes) {
                self.wrong.push(errors::assigned_twice(name, first.variable));
            }
        }
        for it in all {
            it.variable.text = self.table.variable(it.variable.text, self.context);
            self.expr(&mut it.subscript);
            self.expr(&mut it.value);
        }
    }
}

impl Visit for Renamer<'_> {
    fn step(&mut self, step: &mut Step) {
        step.label = self.table.label(step.label, self.context);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let (span, is_procedure) = (stmt.span, self.arities.contains_key(&self.context));
        match &mut stmt.kind {
            steps::Kind::Assign(all) => self.assignments(all),
            steps::Kind::If { test, .. } | steps::Kind::While { test, .. } => self.expr(test),
            steps::Kind::With { expr, .. } => self.expr(expr),
            steps::Kind::Await(it) | steps::Kind::Print(it) | steps::Kind::Assert(it) => self.expr(it),
            steps::Kind::Goto(to) => self.goto(to),
            steps::Kind::Call {
                procedure,
                args,
                then,
            } => {
                self.call(procedure, args.len());
                args.iter_mut().for_each(|it| self.expr(it));
                match then {
                    AfterCall::Continue => {}
                    AfterCall::Goto(to) => self.goto(to),
                    AfterCall::Return(_) if !is_procedure => self.wrong.push(errors::return_outside(span)),
                    AfterCall::Return(from) => *from = self.procedure(*from),
                }
            }
            steps::Kind::Return(_) if !is_procedure => self.wrong.push(errors::return_outside(span)),
            steps::Kind::Return(from) => *from = self.procedure(*from),
            steps::Kind::Either(_) | steps::Kind::Skip => {}
        }
    }
}

/// With each process and procedure that is called in turn: a fair process is fair in them too.
fn close_calls(program: &mut Program) {
    let ProgramBody::Processes(processes) = &mut program.body else {
        return;
    };
    let names: Vec<Symbol> = program.procedures.iter().map(|it| it.name.text).collect();
    let mut calls: Vec<Vec<bool>> = program
        .procedures
        .iter()
        .map(|it| names.iter().map(|name| it.marks.calls.contains(name)).collect())
        .collect();
    for via in 0..calls.len() {
        let further = calls[via].clone();
        for from in calls.iter_mut().filter(|it| it[via]) {
            from.iter_mut()
                .zip(&further)
                .for_each(|(it, further)| *it |= further);
        }
    }
    let called = |from: &[bool]| -> Vec<Symbol> {
        let all = names.iter().zip(from);
        all.filter(|it| *it.1).map(|it| *it.0).collect()
    };
    for (it, calls) in program.procedures.iter_mut().zip(&calls) {
        it.marks.calls = called(calls);
    }
    for it in processes {
        let mut i = 0;
        // Those found on the way are looked at too.
        while i < it.marks.calls.len() {
            if let Some(from) = names.iter().position(|name| *name == it.marks.calls[i]) {
                for callee in called(&calls[from]) {
                    if !it.marks.calls.contains(&callee) {
                        it.marks.calls.push(callee);
                    }
                }
            }
            i += 1;
        }
    }
}

/// A place for names that the translation brings along.
fn program_span(program: &Program) -> source::Span {
    match &program.body {
        ProgramBody::Sequential(steps) => steps.first().map(|it| it.span),
        ProgramBody::Processes(all) => all.first().map(|it| it.span),
    }
    .unwrap_or(source::Span::new(source::FileId(0), 0, 0))
    .before()
}
