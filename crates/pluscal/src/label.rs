//! Where labels must stand, and what an algorithm is once they do.
//!
//! Between two labels everything happens in one step, and a step can give each variable one new value. So a label is needed at the
//! start of each body, at each loop, before a second assignment to a variable, and wherever control may arrive from a label
//! inside of a statement or has gone elsewhere. A missing label is added, or told with the reason.

use diag::Diagnostic;
use source::Span;
use util::{FxHashSet, Symbol, deep};

use crate::ast::{self, AfterCall, Algorithm, Modifier, Name, Stmt, StmtKind, walk};
use crate::diagnostics as errors;
use crate::lexer::At;
use crate::options::{FairnessOption, Options};
use crate::steps::{self, Block, Kind, Marks, Program, ProgramBody, Step};

/// Why a statement needs a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// It is the first of a process, a procedure or the algorithm.
    First,
    /// It is a loop.
    Loop,
    /// Control went elsewhere in the statement before: `goto`, `call` or `return`.
    AfterJump(Span),
    /// The statement before has a label inside, so this one is reached in another step.
    AfterLabel(Span),
    /// A variable is assigned for the second time; there was the first.
    SecondAssignment(Symbol, Span),
    /// A call or return changes the stack, or variables of procedures, for the second time.
    SecondCall(Symbol, Span),
}

/// A label that nobody wrote.
#[derive(Clone, Debug)]
pub struct AddedLabel {
    pub name: Symbol,
    pub at: At,
    /// The statement that gets it.
    pub span: Span,
}

/// Labels an algorithm without macros, and cuts it into steps.
pub(crate) fn label(
    mut algorithm: Algorithm,
    facts: Facts,
    options: &Options,
) -> (Program, Vec<AddedLabel>, Vec<Diagnostic>) {
    let own = algorithm
        .procedures
        .iter()
        .flat_map(|it| it.params.iter().chain(&it.variables));
    let mut labeller = Labeller {
        root: options.label_root,
        taken: labels(&algorithm),
        next: 1,
        added: vec![],
        procedure: None,
        procedure_variables: own.map(|it| it.name.text).collect(),
        diagnostics: vec![],
    };
    // The order in which bodies are labelled decides the numbers of added labels.
    if let ast::Body::Processes(processes) = &mut algorithm.body {
        processes.iter_mut().for_each(|it| labeller.body(&mut it.body));
    }
    for procedure in &mut algorithm.procedures {
        labeller.procedure = Some(procedure.name.text);
        labeller.body(&mut procedure.body);
    }
    labeller.procedure = None;
    if let ast::Body::Sequential(stmts) = &mut algorithm.body {
        labeller.body(stmts);
    }
    let is_free = matches!(algorithm.body, ast::Body::Sequential(_)) && labeller.taken.is_empty();
    let mut diagnostics = labeller.diagnostics;
    if !options.label && !is_free {
        let missing = labeller.added.iter();
        diagnostics.extend(missing.map(|(it, why)| errors::missing_label(it.span, it.name, *why)));
    }
    let added = labeller.added.into_iter().map(|(it, _)| it).collect();
    (program(algorithm, facts, options), added, diagnostics)
}

/// What is known only before macros are expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Some statement, maybe in a macro that is never called, goes somewhere.
    has_goto: bool,
    has_goto_done: bool,
}

impl Facts {
    pub fn of(algorithm: &Algorithm) -> Facts {
        let mut facts = Facts {
            has_goto: false,
            has_goto_done: false,
        };
        let mut see = |stmt: &Stmt| {
            let to = match &stmt.kind {
                StmtKind::Goto(to) => to,
                StmtKind::Call {
                    then: AfterCall::Goto(to),
                    ..
                } => to,
                _ => return,
            };
            facts.has_goto = true;
            facts.has_goto_done |= to.text.as_str() == "Done";
        };
        for body in bodies(algorithm).chain(algorithm.macros.iter().map(|it| &it.body[..])) {
            walk(body, &mut see);
        }
        facts
    }
}

/// The bodies of procedures, processes, and the algorithm itself.
fn bodies(algorithm: &Algorithm) -> impl Iterator<Item = &[Stmt]> {
    let main = match &algorithm.body {
        ast::Body::Sequential(stmts) => Some(&stmts[..]),
        ast::Body::Processes(_) => None,
    };
    let procedures = algorithm.procedures.iter().map(|it| &it.body[..]);
    let processes = algorithm.body.processes().iter().map(|it| &it.body[..]);
    procedures.chain(processes).chain(main)
}

/// All labels that someone wrote.
fn labels(algorithm: &Algorithm) -> FxHashSet<Symbol> {
    let mut labels = FxHashSet::default();
    for body in bodies(algorithm) {
        walk(body, &mut |stmt| labels.extend(stmt.label.map(|it| it.name.text)));
    }
    labels
}

/// Variables, and where each got a value.
type Places = Vec<(Symbol, Span)>;

fn union(into: &mut Places, more: &Places) {
    for it in more {
        if !into.iter().any(|known| known.0 == it.0) {
            into.push(*it);
        }
    }
}

/// The first of `names` that has a value already, and where it got it.
fn common(assigned: &Places, names: &Places) -> Option<(Symbol, Span)> {
    let twice = |it: &&(Symbol, Span)| names.iter().any(|name| name.0 == it.0);
    assigned.iter().find(twice).copied()
}

/// Variables that have got a value in this step.
///
/// They are counted twice. `now` is what is so. `counted` is what `pcal.trans` believes, which loses sight of some variables around
/// `with`: it adds a label too much now and then, and translations are to have the same labels.
#[derive(Clone, Default)]
struct Assigned {
    now: Places,
    counted: Places,
}

impl Assigned {
    fn clear(&mut self) {
        self.now.clear();
        self.counted.clear();
    }

    fn merge(&mut self, other: &Assigned) {
        union(&mut self.now, &other.now);
        union(&mut self.counted, &other.counted);
    }

    fn add(&mut self, names: &Places) {
        union(&mut self.now, names);
        union(&mut self.counted, names);
    }

    fn twice(&self, names: &Places) -> Option<(Symbol, Span)> {
        common(&self.now, names).or(common(&self.counted, names))
    }
}

/// What is known behind a sequence of statements.
#[derive(Default)]
struct After {
    assigned: Assigned,
    /// What follows is reached in another step, because of this.
    needs_label: Option<Why>,
}

struct Labeller {
    root: Symbol,
    taken: FxHashSet<Symbol>,
    next: u32,
    added: Vec<(AddedLabel, Why)>,
    procedure: Option<Symbol>,
    procedure_variables: Vec<Symbol>,
    diagnostics: Vec<Diagnostic>,
}

/// The `with` that statements stand in, if they do.
type With = Option<Span>;

impl Labeller {
    fn body(&mut self, stmts: &mut [Stmt]) {
        self.sequence(stmts, Some(Why::First), None, &Assigned::default());
    }

    fn sequence(&mut self, stmts: &mut [Stmt], first: Option<Why>, with: With, entry: &Assigned) -> After {
        let mut assigned = entry.clone();
        let mut next = first;
        let mut has_label = None;
        for stmt in stmts {
            if let Some(label) = stmt.label {
                has_label = Some(Why::AfterLabel(label.name.span));
                assigned.clear();
                if let Some(with) = with {
                    self.diagnostics.push(errors::label_in_with(label.name, with));
                }
            }
            if let Some(why) = next.take() {
                match with {
                    Some(with) => self
                        .diagnostics
                        .push(errors::needs_label_in_with(stmt.span, with, why)),
                    None => self.need(stmt, why),
                }
                has_label = Some(label_place(stmt));
                assigned.clear();
            }
            let before = has_label.is_some();
            let after = deep(|| self.stmt(stmt, with, entry, &assigned));
            if !before && stmt.label.is_some() {
                has_label = Some(label_place(stmt));
            }
            assigned = after.assigned;
            next = after.needs_label;
        }
        After {
            assigned,
            needs_label: has_label.or(next),
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt, with: With, entry: &Assigned, assigned: &Assigned) -> After {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::If { then, els, .. } => {
                let mut after = self.sequence(then, None, with, assigned);
                let other = self.sequence(els, None, with, assigned);
                after.assigned.merge(&other.assigned);
                after.needs_label = after.needs_label.or(other.needs_label);
                after
            }
            StmtKind::Either(ors) => {
                let mut all = After::default();
                for clause in ors {
                    let after = self.sequence(clause, None, with, assigned);
                    all.assigned.merge(&after.assigned);
                    all.needs_label = all.needs_label.or(after.needs_label);
                }
                all
            }
            StmtKind::While { .. } => self.while_stmt(stmt, with),
            StmtKind::With { .. } => self.with(stmt, with, entry, assigned),
            StmtKind::Assign(all) => {
                let mut names = vec![];
                union(
                    &mut names,
                    &all.iter().map(|it| (it.variable.text, it.span)).collect(),
                );
                let why = |(name, first)| Why::SecondAssignment(name, first);
                self.assign(stmt, with, assigned, names, why, None)
            }
            StmtKind::Call { .. } | StmtKind::Return => {
                let names = self.changed_by_call(&stmt.kind, span);
                let why = |(name, first)| Why::SecondCall(name, first);
                self.assign(stmt, with, assigned, names, why, Some(Why::AfterJump(span)))
            }
            StmtKind::Goto(_) => After {
                assigned: assigned.clone(),
                needs_label: Some(Why::AfterJump(span)),
            },
            StmtKind::Await(_)
            | StmtKind::Print(_)
            | StmtKind::Assert(_)
            | StmtKind::Skip
            | StmtKind::Macro { .. } => After {
                assigned: assigned.clone(),
                needs_label: None,
            },
        }
    }

    fn while_stmt(&mut self, stmt: &mut Stmt, with: With) -> After {
        if let Some(with) = with {
            self.diagnostics.push(errors::while_in_with(stmt.span, with));
        } else {
            self.need(stmt, Why::Loop);
        }
        if let StmtKind::While { body, .. } = &mut stmt.kind {
            self.sequence(body, None, None, &Assigned::default());
        }
        // Behind the loop only its condition was evaluated in this step.
        After::default()
    }

    fn with(&mut self, stmt: &mut Stmt, with: With, entry: &Assigned, assigned: &Assigned) -> After {
        let span = stmt.span;
        let StmtKind::With { body, .. } = &mut stmt.kind else {
            unreachable!("called for `with` only");
        };
        // What was counted before is forgotten, but for what an enclosing `with` began with.
        let mut inner = Assigned::default();
        if with.is_some() {
            inner.now.clone_from(&assigned.now);
            inner.counted.clone_from(&entry.counted);
        }
        let inside = self.sequence(body, None, with.or(Some(span)), &inner);
        let mut all = Assigned {
            now: assigned.now.clone(),
            counted: inside.assigned.counted.clone(),
        };
        // Labels cannot stand inside, so all of it must fit into the step.
        let twice = common(&assigned.now, &inside.assigned.now)
            .or(common(&entry.counted, &inside.assigned.counted))
            .filter(|_| with.is_none());
        if let Some((name, first)) = twice {
            self.need(stmt, Why::SecondAssignment(name, first));
            all.clear();
        }
        union(&mut all.now, &inside.assigned.now);
        After {
            assigned: all,
            needs_label: inside.needs_label,
        }
    }

    /// A statement that gives values to `names`.
    fn assign(
        &mut self,
        stmt: &mut Stmt,
        with: With,
        assigned: &Assigned,
        names: Places,
        why: impl Fn((Symbol, Span)) -> Why,
        needs_label: Option<Why>,
    ) -> After {
        let mut all = assigned.clone();
        if let Some(twice) = assigned.twice(&names) {
            match with {
                Some(with) => self
                    .diagnostics
                    .push(errors::needs_label_in_with(stmt.span, with, why(twice))),
                None => self.need(stmt, why(twice)),
            }
            all.clear();
        }
        all.add(&names);
        After {
            assigned: all,
            needs_label,
        }
    }

    /// A call changes the stack; a return, or a call of the procedure that runs, also variables of procedures.
    fn changed_by_call(&self, kind: &StmtKind, span: Span) -> Places {
        let sets_variables = match kind {
            StmtKind::Call { procedure, then, .. } => {
                Some(procedure.text) == self.procedure || *then == AfterCall::Return
            }
            _ => true,
        };
        let mut names = vec![(Symbol::new("stack"), span)];
        if sets_variables {
            names.extend(self.procedure_variables.iter().map(|&it| (it, span)));
        }
        names
    }

    fn need(&mut self, stmt: &mut Stmt, why: Why) {
        if stmt.label.is_some() {
            return;
        }
        let name = loop {
            let name = Symbol::new(&format!("{}{}", self.root, self.next));
            self.next += 1;
            if !self.taken.contains(&name) {
                break name;
            }
        };
        let place = stmt.call.map_or(stmt.span, |it| it.span);
        stmt.label = Some(ast::Label {
            name: Name {
                text: name,
                // An added label has no text of its own.
                span: place.before(),
                at: stmt.at,
            },
            modifier: None,
        });
        let added = AddedLabel {
            name,
            at: stmt.at,
            span: place,
        };
        self.added.push((added, why));
    }
}

fn label_place(stmt: &Stmt) -> Why {
    Why::AfterLabel(stmt.label.map_or(stmt.span, |it| it.name.span))
}

/// The labelled algorithm as steps.
fn program(algorithm: Algorithm, facts: Facts, options: &Options) -> Program {
    let is_new = options.version >= 1500;
    let all = algorithm
        .procedures
        .iter()
        .flat_map(|it| it.params.iter().chain(&it.variables))
        .chain(algorithm.body.processes().iter().flat_map(|it| &it.variables))
        .chain(&algorithm.variables);
    let has_default_value = all.into_iter().any(|it| it.value.is_empty());
    let has_modifier = bodies(&algorithm).any(|body| {
        let mut found = false;
        walk(body, &mut |stmt| {
            found |= stmt.label.is_some_and(|it| it.modifier.is_some())
        });
        found
    });
    let asked = match options.effective_fairness() {
        Some(FairnessOption::Weak) => Some(ast::Fairness::Weak),
        Some(FairnessOption::Strong) => Some(ast::Fairness::Strong),
        Some(FairnessOption::None | FairnessOption::WeakNext) | None => None,
    };
    let is_fair = asked.is_some() || algorithm.body.processes().iter().any(|it| it.fairness.is_some());
    let main = match &algorithm.body {
        ast::Body::Sequential(stmts) => marks(stmts, false),
        ast::Body::Processes(_) => Marks::default(),
    };
    let mut program = Program {
        name: algorithm.name.text,
        fair: algorithm.fair,
        fair_body: algorithm.fair_body,
        variables: algorithm.variables,
        definitions: algorithm.definitions,
        omits_pc: is_new && algorithm.procedures.is_empty() && !has_modifier && !facts.has_goto,
        procedures: algorithm
            .procedures
            .into_iter()
            .map(|it| procedure(it, is_fair))
            .collect(),
        body: match algorithm.body {
            ast::Body::Sequential(stmts) => ProgramBody::Sequential(cut(stmts, None)),
            ast::Body::Processes(all) => {
                ProgramBody::Processes(all.into_iter().map(|it| process(it, asked, is_fair)).collect())
            }
        },
        has_default_value,
        never_ends: false,
    };
    // Nobody asks for the marks of an algorithm without processes, but checksums count them to the last procedure.
    if let Some(last) = program.procedures.last_mut() {
        last.marks.minus.extend(main.minus);
        last.marks.plus.extend(main.plus);
        let new = main.calls.into_iter().filter(|it| !last.marks.calls.contains(it));
        last.marks.calls.extend(new.collect::<Vec<_>>());
    }
    let forms: Vec<Form> = match &program.body {
        ProgramBody::Sequential(steps) => vec![form(steps)],
        ProgramBody::Processes(all) => all.iter().map(|it| form(&it.body)).collect(),
    };
    program.omits_pc &= forms.iter().all(|it| *it == Form::Loop);
    let never = |it: &Form| *it != Form::Ends;
    program.never_ends =
        (is_new || program.is_multiprocess()) && !facts.has_goto_done && forms.iter().any(never);
    program
}

/// What a body does in the long run.
#[derive(PartialEq, Eq)]
enum Form {
    /// `while TRUE`, without labels inside.
    Loop,
    /// `while TRUE`, with labels inside.
    LabelledLoop,
    Ends,
}

fn form(steps: &[Step]) -> Form {
    let [step] = steps else { return Form::Ends };
    let [stmt] = &step.stmts[..] else {
        return Form::Ends;
    };
    match &stmt.kind {
        Kind::While { test, body } if test.single().is_some() && test.is_true() => match body.has_label() {
            true => Form::LabelledLoop,
            false => Form::Loop,
        },
        _ => Form::Ends,
    }
}

/// `in_macros` counts the calls that come out of macros: they matter only where someone is fair, and a checksum of the algorithm
/// without them is the one that is found in files.
fn marks(body: &[Stmt], in_macros: bool) -> Marks {
    let mut marks = Marks::default();
    walk(body, &mut |stmt| {
        match stmt.label.map(|it| (it.modifier, it.name.text)) {
            Some((Some(Modifier::Plus), name)) => marks.plus.push(name),
            Some((Some(Modifier::Minus), name)) => marks.minus.push(name),
            _ => {}
        }
        if let StmtKind::Call { procedure, .. } = &stmt.kind
            && (in_macros || stmt.call.is_none())
            && !marks.calls.contains(&procedure.text)
        {
            marks.calls.push(procedure.text);
        }
    });
    marks
}

fn procedure(it: ast::Procedure, is_fair: bool) -> steps::Procedure {
    steps::Procedure {
        marks: marks(&it.body, is_fair),
        body: cut(it.body, Some(it.name.text)),
        name: it.name,
        params: it.params,
        variables: it.variables,
        at: it.at,
        span: it.span,
    }
}

fn process(it: ast::Process, asked: Option<ast::Fairness>, is_fair: bool) -> steps::Process {
    steps::Process {
        marks: marks(&it.body, is_fair),
        body: cut(it.body, None),
        name: it.name,
        fairness: it.fairness.or(asked),
        relation: it.relation,
        id: it.id,
        variables: it.variables,
        at: it.at,
        span: it.span,
    }
}

/// A body, which starts with a label, as steps.
fn cut(stmts: Vec<Stmt>, procedure: Option<Symbol>) -> Vec<Step> {
    block(stmts, procedure).steps
}

fn block(stmts: Vec<Stmt>, procedure: Option<Symbol>) -> Block {
    let mut block = Block::default();
    for it in stmts {
        let label = it.label;
        // A step lies where its statements are called, not in the macros that they come from.
        let span = it.call.map_or(it.span, |it| it.span);
        let stmt = deep(|| stmt(it, procedure));
        match (label, block.steps.last_mut()) {
            (Some(label), _) => {
                let written = !label.name.span.is_empty();
                block.steps.push(Step {
                    label: label.name.text,
                    label_span: written.then_some(label.name.span),
                    at: stmt.at,
                    span: if written { label.name.span.to(span) } else { span },
                    stmts: vec![stmt],
                });
            }
            (None, Some(step)) => {
                step.span = step.span.to(span);
                step.stmts.push(stmt);
            }
            (None, None) => block.stmts.push(stmt),
        }
    }
    block
}

fn stmt(it: Stmt, procedure: Option<Symbol>) -> steps::Stmt {
    let from = procedure.unwrap_or(Symbol::new(""));
    let block = |stmts| block(stmts, procedure);
    let kind = match it.kind {
        StmtKind::Assign(all) => Kind::Assign(all),
        StmtKind::If { test, then, els } => Kind::If {
            test,
            then: block(then),
            els: block(els),
        },
        StmtKind::Either(ors) => Kind::Either(ors.into_iter().map(block).collect()),
        StmtKind::While { test, body } => Kind::While {
            test,
            body: block(body),
        },
        StmtKind::With {
            name,
            relation,
            expr,
            body,
        } => Kind::With {
            name,
            relation,
            expr,
            body: block(body).stmts,
        },
        StmtKind::Await(it) => Kind::Await(it),
        StmtKind::Print(it) => Kind::Print(it),
        StmtKind::Assert(it) => Kind::Assert(it),
        StmtKind::Skip | StmtKind::Macro { .. } => Kind::Skip,
        StmtKind::Goto(to) => Kind::Goto(to),
        StmtKind::Call {
            procedure,
            args,
            then,
        } => Kind::Call {
            procedure,
            args,
            then: match then {
                AfterCall::Continue => steps::AfterCall::Continue,
                AfterCall::Return => steps::AfterCall::Return(from),
                AfterCall::Goto(to) => steps::AfterCall::Goto(to),
            },
        },
        StmtKind::Return => Kind::Return(from),
    };
    steps::Stmt {
        kind,
        span: it.span,
        at: it.at,
        call: it.call,
    }
}
