//! `Next`, `Spec` and `Termination`.

use source::Span;
use util::Symbol;

use crate::action::Action;
use crate::ast::{Fairness, Relation};
use crate::options::FairnessOption;
use crate::steps::{Marks, Process};

use super::Generator;
use super::writer::{blanks, width};

impl Generator<'_> {
    fn stutters_when_done(&self) -> bool {
        !self.options.no_done_disjunct && !self.program.never_ends
    }

    /// `main` are the actions of an algorithm without processes.
    pub(super) fn next(&mut self, main: &[Action]) {
        let program = self.program;
        let is_multiprocess = program.is_multiprocess();
        if program.omits_pc && !is_multiprocess {
            // The one action is called `Next` already.
            return;
        }
        if self.stutters_when_done() {
            self.terminating();
        }
        let disjuncts = self.plain_disjuncts(main);
        let called = self.called_disjuncts();
        let sets = self.set_disjuncts();
        let mut line = "Next == ".to_string();
        let column = line.len() + 2;
        let or = format!("{} \\/ ", blanks(column));
        for it in &disjuncts {
            self.out.put_line(&format!("{line}{it}"));
            line.clone_from(&or);
        }
        if !called.is_empty() {
            line += "(\\E self \\in ProcSet: ";
            let inner = format!("{} \\/ ", blanks(width(&line)));
            line += if called.len() > 1 { " \\/ " } else { "" };
            for it in &called {
                self.out.put_line(&format!("{line}{it}"));
                line.clone_from(&inner);
            }
            line.clone_from(&or);
        }
        for (i, lines) in sets.iter().enumerate() {
            let is_first = disjuncts.is_empty() && called.is_empty() && i == 0;
            let (header, lines) = lines;
            let mut from = (self.out.n_lines(), line.len());
            for it in lines {
                self.out.put_line(&format!("{line}{it}"));
                from = from.min((self.out.n_lines() - 1, line.len()));
                line = blanks(if is_first { column - 2 } else { column + 4 });
            }
            self.out.region_of_lines(from, *header);
            line.clone_from(&or);
        }
        if self.stutters_when_done() {
            self.out.put_line(&format!("{line}Terminating"));
        }
        self.out.put_line("");
    }

    fn terminating(&mut self) {
        self.out
            .put_line("(* Allow infinite stuttering to prevent deadlock on termination. *)");
        let head = "Terminating == ";
        if self.program.is_multiprocess() {
            self.out
                .put_line(&format!("{head}/\\ \\A self \\in ProcSet: pc[self] = \"Done\""));
            self.out
                .put_line(&format!("{}/\\ UNCHANGED vars", blanks(head.len())));
        } else {
            self.out
                .put_line(&format!("{head}pc = \"Done\" /\\ UNCHANGED vars"));
        }
        self.out.put_line("");
    }

    /// Actions that take no argument, in lines.
    fn plain_disjuncts(&self, main: &[Action]) -> Vec<String> {
        let program = self.program;
        let names: Vec<Symbol> = match program.is_multiprocess() {
            true => {
                let single = program
                    .processes()
                    .iter()
                    .filter(|it| it.relation == Relation::Equals);
                single.map(|it| it.name.text).collect()
            }
            false => {
                let procedures = program.procedures.iter().map(|it| it.name.text);
                procedures.chain(main.iter().map(|it| it.label)).collect()
            }
        };
        let max = self.options.line_width - "Next == \\/ ".len();
        let names = names.iter().map(|it| it.to_string());
        disjuncts(names, max)
    }

    /// The procedures, which any process may be in.
    fn called_disjuncts(&self) -> Vec<String> {
        let program = self.program;
        if !program.is_multiprocess() {
            return vec![];
        }
        let max = self.options.line_width - "Next == \\/ (\\E self \\in ProcSet: \\/ ".len();
        let names = program
            .procedures
            .iter()
            .map(|it| format!("{}(self)", it.name.text));
        let mut lines = disjuncts(names, max);
        if let Some(last) = lines.last_mut() {
            last.push(')');
        }
        lines
    }

    /// A quantifier for each set of processes, each as lines.
    fn set_disjuncts(&self) -> Vec<(Span, Vec<String>)> {
        let sets = self
            .program
            .processes()
            .iter()
            .filter(|it| it.relation == Relation::In);
        sets.map(|it| {
            let start = "(\\E self \\in ";
            let mut lines = it.id.text();
            for (i, line) in lines.iter_mut().enumerate() {
                let indent = if i == 0 {
                    start.to_string()
                } else {
                    blanks(start.len())
                };
                line.insert_str(0, &indent);
            }
            if let Some(last) = lines.last_mut() {
                *last += &format!(": {}(self))", it.name.text);
            }
            (it.header(), lines)
        })
        .collect()
    }

    pub(super) fn spec(&mut self) {
        let program = self.program;
        let is_multiprocess = program.is_multiprocess();
        let asked = match is_multiprocess {
            false if program.fair || program.fair_body => Some(FairnessOption::Weak),
            _ => self.options.effective_fairness(),
        };
        let of_next = match asked {
            Some(FairnessOption::None) => false,
            Some(FairnessOption::WeakNext) => true,
            Some(FairnessOption::Weak | FairnessOption::Strong) => program.fair || !is_multiprocess,
            None => program.fair,
        };
        let processes = program
            .processes()
            .iter()
            .filter(|_| asked != Some(FairnessOption::None));
        let of_processes: Vec<(Span, ProcessFairness)> = processes
            .filter_map(|it| Some((it.header(), self.process_fairness(it)?)))
            .collect();
        let safety = "Init /\\ [][Next]_vars";
        if !of_next && of_processes.is_empty() {
            self.out.put_line(&format!("Spec == {safety}"));
            return self.out.put_line("");
        }
        self.out.put_line(&format!("Spec == /\\ {safety}"));
        let bullet = "        /\\ ";
        if of_next {
            self.out.put_line(&format!("{bullet}WF_vars(Next)"));
        }
        for (header, it) in of_processes {
            let text = format!("{bullet}{}", it.format(bullet.len(), self.options.line_width));
            let from = (self.out.n_lines(), bullet.len());
            text.trim_end_matches('\n')
                .split('\n')
                .for_each(|it| self.out.put_line(it));
            self.out.region_of_lines(from, header);
        }
        self.out.put_line("");
    }

    fn process_fairness(&self, it: &Process) -> Option<ProcessFairness> {
        let fairness = it.fairness?;
        let id = it.id.text();
        let is_set = it.relation == Relation::In;
        // An identifier of several lines is named first.
        let is_long = !is_set && id.len() > 1;
        let own = match is_set || is_long {
            true => "self".to_string(),
            false => id[0].clone(),
        };
        let mut prefix = vec![];
        if is_set || is_long {
            let start = if is_set { "\\A self \\in " } else { "LET self == " };
            for (i, line) in id.iter().enumerate() {
                let indent = if i == 0 {
                    start.to_string()
                } else {
                    blanks(start.len())
                };
                prefix.push(format!("{indent}{line}"));
            }
            match prefix.last_mut() {
                Some(last) if is_set => *last += " : ",
                _ => prefix.push("IN ".into()),
            }
        }
        let argument = if is_set {
            "(self)".to_string()
        } else {
            String::new()
        };
        let body = formula(fairness, it.name.text, &it.marks, &own, &argument);
        let called = it.marks.calls.iter().filter_map(|name| {
            let mut procedures = self.program.procedures.iter();
            let procedure = procedures.find(|it| it.name.text == *name)?;
            let argument = format!("({own})");
            Some(formula(
                fairness,
                procedure.name.text,
                &procedure.marks,
                &own,
                &argument,
            ))
        });
        Some(ProcessFairness {
            prefix,
            body,
            called: called.collect(),
        })
    }

    pub(super) fn termination(&mut self) {
        if self.program.omits_pc || self.program.never_ends {
            return;
        }
        let pc = match self.program.is_multiprocess() {
            true => "\\A self \\in ProcSet: pc[self]",
            false => "pc",
        };
        self.out.put_line(&format!("Termination == <>({pc} = \"Done\")"));
        self.out.put_line("");
    }
}

/// Names with `\/` between, a new line where one would get wider than `max`.
fn disjuncts(names: impl Iterator<Item = String>, max: usize) -> Vec<String> {
    let mut lines = vec![];
    let mut line = String::new();
    for name in names {
        if width(&name) + " \\/ ".len() + width(&line) > max {
            // The first line is told even when it is empty: a name that fits nowhere gets a line of its own.
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line += " \\/ ";
        }
        line += &name;
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Fairness of one process or procedure: of all of it, and strong fairness of the labels with a plus.
struct Formula {
    whole: String,
    plus: Option<String>,
}

fn formula(fairness: Fairness, name: Symbol, marks: &Marks, own: &str, argument: &str) -> Formula {
    let kind = match fairness {
        Fairness::Weak => "WF",
        Fairness::Strong => "SF",
    };
    let quoted: Vec<String> = marks.minus.iter().map(|it| format!("\"{it}\"")).collect();
    let elsewhere = match &quoted[..] {
        [] => String::new(),
        [label] => format!("(pc[{own}] # {label}) /\\ "),
        labels => format!("(pc[{own}] \\notin {{{}}}) /\\ ", labels.join(", ")),
    };
    let strong = marks.plus.iter().map(|it| format!("SF_vars({it}{argument})"));
    let strong: Vec<String> = strong.collect();
    Formula {
        whole: format!("{kind}_vars({elsewhere}{name}{argument})"),
        plus: (fairness == Fairness::Weak && !strong.is_empty()).then(|| strong.join(" /\\ ")),
    }
}

impl Formula {
    fn line(&self) -> String {
        match &self.plus {
            Some(plus) => format!("{} /\\ {plus}", self.whole),
            None => self.whole.clone(),
        }
    }

    fn lines(&self, column: usize) -> String {
        match &self.plus {
            Some(plus) => format!("/\\ {}\n{}/\\ {plus}", self.whole, blanks(column)),
            None => format!("/\\ {}", self.whole),
        }
    }

    fn fitting(&self, column: usize, max: usize) -> String {
        let line = self.line();
        match column + width(&line) + 3 <= max {
            true => format!("/\\ {line}"),
            false => self.lines(column),
        }
    }
}

struct ProcessFairness {
    /// What binds `self`, line by line.
    prefix: Vec<String>,
    body: Formula,
    called: Vec<Formula>,
}

impl ProcessFairness {
    fn format(&self, column: usize, max: usize) -> String {
        let mut text = self.prefix.join(&format!("\n{}", blanks(column)));
        let is_simple = self.body.plus.is_none() && self.called.is_empty();
        if is_simple || column + self.line_width() <= max {
            text += &self.body.line();
            for it in &self.called {
                text += &format!(" /\\ {}", it.line());
            }
            return text;
        }
        let column = column + self.prefix.last().map_or(0, |it| width(it));
        text += &self.body.fitting(column, max);
        for (i, it) in self.called.iter().enumerate() {
            if i == 0 {
                text.push('\n');
            }
            text += &blanks(column);
            let fits = column + width(&it.line()) + 3 <= max;
            text += &it.fitting(column, max);
            // Those that fit into a line end it; the next one starts in the column where the others do.
            text += if fits { "\n" } else { "" };
        }
        text
    }

    /// How wide it would be on one line. The conjunction signs are not counted, and a prefix of one line neither.
    fn line_width(&self) -> usize {
        let (last, before) = match self.prefix.split_last() {
            Some((last, before)) if !before.is_empty() => (width(last), before),
            _ => (0, &[][..]),
        };
        let widest = before.iter().map(|it| width(it)).max().unwrap_or(0);
        let plus = self.body.plus.as_ref().map_or(0, |it| width(it));
        let called: usize = self.called.iter().map(|it| width(&it.line())).sum();
        widest.max(last + width(&self.body.whole) + plus + called)
    }
}
