//! The façade: what a front end can do with a specification, in plain data.
//!
//! A front end brings a [`Host`] (where files come from) and gets back sources, diagnostics and summaries. Everything
//! below this crate is free of IO; everything above it only shows what it gets.

mod algorithm;
mod alloy;
mod alloy_prompt;
mod check;
pub mod diagnostics;
mod evaluate;
mod gallery;
mod host;
mod language;
mod open;
mod overrides;
pub mod play;
mod pluscal_file;
mod predicates;
mod replay;
mod rules;
mod solve;
mod strategy;
mod summary;
mod theorems;
mod tla;
mod verdict;
mod workspace;

pub use algorithm::{Algorithm, Used};
pub use alloy::{AlloyOptions, AlloyReport, Answer, CommandReport, CoreFormula, Waiting, run_alloy};
pub use alloy_prompt::{AlloyPrompt, with_alloy_instance};
pub use check::{
    ActionSummary, Audit, AuditReport, CheckOptions, CheckReport, Checked, Counting, Decided,
    DefinitionSummary, Difference, Mismatch, SHRINK, Share, SimulateOptions, Storage, Verdict, Violated,
    WalkReport, check, check_each, check_reference, check_stored, check_with, simulate, storage,
};
pub use evaluate::{Evaluated, define, evaluate, is_definition, is_unfinished};
pub use gallery::{Entry, gallery};
pub use host::{Host, Unreadable};
pub use language::{Language, diagnose};
pub use open::{Opened, Origin, open};
pub use overrides::{ExtraExpr, Overrides, parse_tla_with};
pub use pluscal_file::{Translated, translate_file};
pub use predicates::state_predicates;
pub use replay::{Replay, replay_refuted};
pub use rules::{
    Cell as RuleCell, Column as RuleColumn, Made, RuleChoice, RuleSummary, RuleTable, RulesSummary, Sets,
    TableOptions, rule_table,
};
pub use solve::{
    Cell as TableCell, Column as TableColumn, Histogram, Rows, SolveOptions, SolveQuestion, SolveReport,
    SolveVerdict, goal_of, no_steps_in_alloy, solve,
};
pub use strategy::{
    Advice, Advisor, Aim, FollowReport, LapseReport, StrategyQuestion, StrategyReport, StrategyVerdict,
    advise, players_of, strategy,
};
pub use summary::{ModelSummary, ModuleSummary, summarise, summarise_model};
pub use theorems::{Theorem, TheoremReport, TheoremVerdict, check_theorems};
pub use tla::{TlaFile, parse_tla};
pub use verdict::{CheckedKind, Limit, Status, ViolationKind};
pub use workspace::{Refused, Workspace};

// What a front end implements or passes on.
pub use alloy_lower::Stop;
pub use explore::{
    Checkpoint, Checkpoints, Disk, DiskFailure, DiskFailureKind, Engine, Here, Observer, Progress,
};
pub use pluscal::options::FairnessOption;
pub use pluscal::{Freshness, Options as PlusCalOptions};
pub use tla_eval::audit::Spoilt;
pub use tla_eval::effects;
pub use trace::{
    AlgorithmState, Behaviour, Instance, ProcessState, Ran, RelationKind, SigOrigin, State as TraceState,
    Tuple,
};
pub use value::Owned;
