//! Sets of rules against properties: what each set gives.

use std::time::Duration;

use diag::Diagnostic;
use explore::Observer;
use tla_eval::effects::Effects;
use tla_sema::compose::{Composition, replaced_definitions};
use tla_sema::ir::Level;
use tla_sema::model::{Formula, Model};
use tla_sema::{FreeVariables, Levels};
use util::FxHashMap;

use super::lattice::{Answer, Lattice, Mask, RULES_MAX, decide};
use super::{RulesSummary, errors};
use crate::check::{
    AuditReport, CheckOptions, CheckReport, Ledger, Mismatch, Run, Verdict, check_one_of_many,
};
use crate::tla::TlaFile;
use crate::verdict::Limit;

/// Which sets of rules are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sets {
    /// The first rule, the first two, and so on.
    Prefixes,
    Subsets,
}

#[derive(Clone, Copy, Debug)]
pub struct TableOptions {
    pub sets: Sets,
    pub check: CheckOptions,
}

/// What a set of rules gives.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Holds {
        states: u64,
        /// There is no behaviour at all.
        is_empty: bool,
    },
    Fails {
        steps: usize,
        states: u64,
        /// The counterexample goes on for ever.
        is_lasso: bool,
    },
    /// A smaller set holds already, or a larger one fails.
    Follows {
        holds: bool,
    },
    /// The property speaks of variables that no rule of the set mentions.
    NotStated,
    NotCheckable(String),
    /// A limit was reached; none where the set was not looked at.
    Unknown(Option<Limit>),
}

/// How a column came to be.
#[derive(Clone, Debug)]
pub struct Column {
    pub property: String,
    /// Sets of rules, by their places, that give it and no longer do without any one of them; for prefixes, the first one that
    /// gives it.
    pub minimal: Vec<Vec<usize>>,
    /// For each of these, whether a smaller set could not be checked.
    pub is_open: Vec<bool>,
}

/// Sets of rules against properties.
#[derive(Clone, Debug, Default)]
pub struct RuleTable {
    pub rules: RulesSummary,
    pub columns: Vec<Column>,
    /// Sets of rules, by their places, with a cell for each column.
    pub rows: Vec<(Vec<usize>, Vec<Cell>)>,
    pub n_checks: usize,
    /// Sets that needed no check of their own, all columns together.
    pub n_pruned: usize,
    pub limit: Option<Limit>,
    /// How much of all searches was audited.
    pub audit: AuditReport,
    /// Where the engine was caught in a mistake. What the cells say was then found without its fast path.
    pub mismatch: Option<Mismatch>,
    pub diagnostics: Vec<Diagnostic>,
}

/// How far a table is: sets decided, of so many, and what is looked at now.
pub struct Made<'a> {
    pub done: usize,
    pub total: usize,
    pub property: &'a str,
}

/// Checks each property that the command line names, or else the model, against sets of the rules that are in force.
pub fn rule_table(
    file: &mut TlaFile,
    options: &TableOptions,
    effects: &(dyn Effects + Sync),
    observer: &dyn Observer,
    progress: &mut dyn FnMut(Made<'_>),
) -> RuleTable {
    let mut table = RuleTable {
        rules: file.rules(),
        diagnostics: file.diagnostics.clone(),
        ..RuleTable::default()
    };
    let Some(model) = file.model.clone().filter(|_| !file.has_errors()) else {
        return table;
    };
    let Some(composition) = model.composition.clone() else {
        table.diagnostics.push(errors::no_rules());
        return table;
    };
    let places: Vec<usize> = (0..composition.rules.len())
        .filter(|&it| composition.rules[it].on)
        .collect();
    if options.sets == Sets::Subsets && places.len() > RULES_MAX {
        table
            .diagnostics
            .push(errors::too_many_rules(places.len(), RULES_MAX));
        return table;
    }
    let properties = asked_properties(file, &model);
    let mut judge = Judge {
        file,
        model,
        composition,
        places,
        options,
        effects,
        observer,
        known: FxHashMap::default(),
        limit: None,
        ledger: Ledger::new(observer),
        audit: AuditReport::default(),
        mismatch: None,
        diagnostics: vec![],
    };
    for (i, property) in properties.iter().enumerate() {
        let name = property.name.to_string();
        let mut told = |done: usize, total: usize| {
            progress(Made {
                done: i * total + done,
                total: properties.len() * total,
                property: &name,
            });
        };
        let column = match options.sets {
            Sets::Prefixes => judge.prefixes(i, property, &mut told),
            Sets::Subsets => judge.subsets(i, property, &mut told),
        };
        table.columns.push(column);
    }
    table.n_checks = judge.known.len();
    judge.rows(&mut table);
    table.limit = judge.limit;
    (table.audit, table.mismatch) = (judge.audit, judge.mismatch.take());
    table.diagnostics.append(&mut judge.diagnostics);
    judge.restore();
    table
}

/// The properties of the command line; without any, those of the model.
fn asked_properties(file: &TlaFile, model: &Model) -> Vec<Formula> {
    let all = || model.invariants.iter().chain(&model.properties).cloned();
    let asked: Vec<Formula> = all().filter(|it| file.is_from_outside(it.span)).collect();
    match asked.is_empty() {
        true => all().collect(),
        false => asked,
    }
}

struct Judge<'a> {
    file: &'a mut TlaFile,
    model: Model,
    composition: Composition,
    /// Rules that are in force, which are what sets are made of.
    places: Vec<usize>,
    options: &'a TableOptions,
    effects: &'a (dyn Effects + Sync),
    observer: &'a dyn Observer,
    known: FxHashMap<(Mask, usize), Cell>,
    limit: Option<Limit>,
    ledger: Ledger,
    audit: AuditReport,
    mismatch: Option<Mismatch>,
    diagnostics: Vec<Diagnostic>,
}

impl Judge<'_> {
    fn prefixes(&mut self, column: usize, property: &Formula, told: &mut dyn FnMut(usize, usize)) -> Column {
        let n = self.places.len();
        let mut minimal = vec![];
        for i in 1..=n {
            if self.limit.is_some() {
                break;
            }
            told(i - 1, n);
            let set = ((1u64 << i) - 1) as Mask;
            let cell = self.cell(set, column, property);
            if matches!(cell, Cell::Holds { .. }) && minimal.is_empty() {
                minimal.push(self.listed(set));
            }
        }
        told(n, n);
        Column {
            property: property.name.to_string(),
            is_open: vec![false; minimal.len()],
            minimal,
        }
    }

    fn subsets(&mut self, column: usize, property: &Formula, told: &mut dyn FnMut(usize, usize)) -> Column {
        let n = self.places.len();
        let Lattice { minimal, answers, .. } = decide(n, &mut |set, n_decided| {
            told(n_decided, 1 << n);
            let cell = self.cell(set, column, property);
            match self.limit {
                Some(_) => None,
                None => Some(answer(&cell)),
            }
        });
        told(1 << n, 1 << n);
        // What follows from other sets is part of the table too.
        for (set, answer) in answers.iter().enumerate() {
            let holds = match answer {
                Some(Answer::Holds) => true,
                Some(Answer::Fails) => false,
                _ => continue,
            };
            let is_stated = self.is_stated(set as Mask, property);
            let cell = self.known.entry((set as Mask, column));
            let cell = cell.or_insert(if is_stated {
                Cell::Follows { holds }
            } else {
                Cell::NotStated
            });
            if let Cell::NotCheckable(_) = cell {
                *cell = Cell::Follows { holds };
            }
        }
        let is_open = |&set: &Mask| {
            let smaller = (0..n).filter(|it| set >> it & 1 == 1).map(|it| set & !(1 << it));
            let mut open =
                smaller.filter(|&it| matches!(self.known.get(&(it, column)), Some(Cell::NotCheckable(_))));
            open.next().is_some()
        };
        Column {
            property: property.name.to_string(),
            is_open: minimal.iter().map(is_open).collect(),
            minimal: minimal.iter().map(|&it| self.listed(it)).collect(),
        }
    }

    fn listed(&self, set: Mask) -> Vec<usize> {
        let chosen = self.places.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        chosen.map(|(_, &it)| it).collect()
    }

    fn chosen(&self, set: Mask) -> Composition {
        let mut composition = self.composition.clone();
        let wanted = self.listed(set);
        // What the command line has switched off stays off.
        let off: Vec<usize> = (0..composition.conjuncts.len())
            .filter(|&it| !composition.conjuncts[it].on || composition.conjuncts[it].fixes)
            .collect();
        composition.choose(|rule| wanted.contains(&rule));
        composition.switch(&off, false);
        composition
    }

    fn is_stated(&self, set: Mask, property: &Formula) -> bool {
        let instead = replaced_definitions(&self.model);
        let spoken = self.chosen(set).variables(&self.file.spec, &instead);
        let mut mentions = FreeVariables::new(&self.file.spec, &instead);
        mentions.of(property.expr).is_subset(&spoken)
    }

    fn cell(&mut self, set: Mask, column: usize, property: &Formula) -> Cell {
        if let Some(known) = self.known.get(&(set, column)) {
            return known.clone();
        }
        let cell = match self.is_stated(set, property) {
            false => Cell::NotStated,
            true => self.checked(set, property),
        };
        self.known.insert((set, column), cell.clone());
        cell
    }

    fn checked(&mut self, set: Mask, property: &Formula) -> Cell {
        let instead = replaced_definitions(&self.model);
        let mut composition = self.chosen(set);
        let mut others: Vec<tla_sema::ir::ExprId> = vec![property.expr];
        let limits = self
            .model
            .constraints
            .iter()
            .chain(&self.model.action_constraints);
        others.extend(limits.map(|it| it.expr));
        composition.fix_free(&mut self.file.spec, &others, &instead);
        let is_state = Levels::new(&self.file.spec).of(property.expr) <= Level::State;
        let (invariants, properties) = match is_state {
            true => (vec![property.clone()], vec![]),
            false => (vec![], vec![property.clone()]),
        };
        self.file.model = Some(Model {
            composition: Some(composition),
            invariants,
            properties,
            postconditions: vec![],
            possible: vec![],
            alias: None,
            view: None,
            ..self.model.clone()
        });
        let options = CheckOptions {
            deadlock: Some(false),
            // Rules that exclude each other give everything.
            allow_empty: true,
            ..self.options.check
        };
        let quiet = Quiet(self.observer);
        let how = Run::new(self.effects, &quiet, &self.ledger);
        let report = check_one_of_many(self.file, &options, how);
        self.audit = self.audit.and(report.audit);
        if let Some(mismatch) = &report.mismatch
            && self.mismatch.is_none()
        {
            let told = report.diagnostics.iter().find(|it| it.code == "audit-mismatch");
            self.diagnostics.extend(told.cloned());
            self.mismatch = Some(mismatch.clone());
        }
        let cell = told(&report);
        if let Cell::Unknown(Some(Limit::Time | Limit::Interrupted | Limit::Memory)) = cell {
            self.limit = report.limit;
        }
        cell
    }

    /// Rows for every set that was looked at, smaller ones first.
    fn rows(&self, table: &mut RuleTable) {
        let mut sets: Vec<Mask> = self.known.keys().map(|it| it.0).collect();
        sets.sort_by_key(|it| (it.count_ones(), it.reverse_bits().wrapping_neg()));
        sets.dedup();
        for set in sets {
            let cells: Vec<Cell> = (0..table.columns.len())
                .map(|it| self.known.get(&(set, it)).cloned().unwrap_or(Cell::Unknown(None)))
                .collect();
            let n_own = cells
                .iter()
                .filter(|it| !matches!(it, Cell::Follows { .. } | Cell::NotStated))
                .count();
            table.n_pruned += cells.len() - n_own;
            table.rows.push((self.listed(set), cells));
        }
        table.n_checks = self
            .known
            .values()
            .filter(|it| !matches!(it, Cell::Follows { .. } | Cell::NotStated))
            .count();
    }

    fn restore(self) {
        self.file.model = Some(self.model);
    }
}

fn answer(cell: &Cell) -> Answer {
    match cell {
        Cell::Holds { .. } | Cell::Follows { holds: true } => Answer::Holds,
        Cell::Fails { .. } | Cell::Follows { holds: false } => Answer::Fails,
        Cell::NotStated | Cell::NotCheckable(_) | Cell::Unknown(_) => Answer::Open,
    }
}

fn told(report: &CheckReport) -> Cell {
    let states = report.distinct;
    match report.verdict {
        Verdict::Holds => Cell::Holds {
            states,
            is_empty: report.generated == 0,
        },
        Verdict::Violated => Cell::Fails {
            steps: report.trace.len().saturating_sub(1),
            states,
            is_lasso: report.trace.loop_to.is_some(),
        },
        Verdict::Unknown => match report.limit {
            Some(Limit::TemporalProperties) | None => Cell::NotCheckable(reason(report)),
            limit => Cell::Unknown(limit),
        },
        Verdict::Error | Verdict::Internal => Cell::NotCheckable(reason(report)),
    }
}

/// Why something could not be checked, in a line.
pub(crate) fn reason(report: &CheckReport) -> String {
    let errors = report.diagnostics.iter().filter(|it| it.is_error());
    let warnings = report
        .diagnostics
        .iter()
        .filter(|it| it.code.starts_with("temporal-"));
    let first = errors.chain(warnings).next();
    first.map_or("it cannot be decided".to_string(), |it| it.title.clone())
}

/// One search of many tells nobody how far it is.
pub(crate) struct Quiet<'a>(pub &'a dyn Observer);

impl Observer for Quiet<'_> {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
