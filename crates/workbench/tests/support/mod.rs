//! Specifications in memory.

#![allow(dead_code, reason = "each test uses a part")]

use diag::Diagnostic;
use explore::Engine;
use source::Sources;
use workbench::{
    Aim, CheckOptions, CheckReport, Host, Overrides, Rows, RuleTable, Sets, SolveOptions, SolveQuestion,
    SolveReport, StrategyQuestion, StrategyReport, TableOptions, TlaFile, Unreadable, Workspace,
    check_reference, check_with, effects, goal_of, open, parse_tla, parse_tla_with, players_of, rule_table,
    solve, strategy,
};

/// Modules, each from its first line on, and after a line `\* M.cfg` a configuration.
pub struct Files(Vec<(String, String)>);

impl Files {
    pub fn of(text: &str) -> Files {
        let mut files: Vec<(String, String)> = vec![];
        for line in text.lines() {
            let module = line
                .strip_prefix("---- MODULE ")
                .and_then(|it| it.split_whitespace().next())
                .map(|it| format!("{it}.tla"));
            let config = line.strip_prefix("\\* ").filter(|it| it.ends_with(".cfg"));
            match (module, config) {
                (Some(name), _) => files.push((name, format!("{line}\n"))),
                (None, Some(name)) => files.push((name.to_owned(), String::new())),
                (None, None) => {
                    if let Some((_, text)) = files.last_mut() {
                        text.push_str(line);
                        text.push('\n');
                    }
                }
            }
        }
        Files(files)
    }

    /// The module that the configuration belongs to, with options such as `--without=A,B`.
    pub fn overrides(&self, overrides: &Overrides) -> TlaFile {
        let configs = || self.0.iter().filter(|(name, _)| name.ends_with(".cfg"));
        let config = configs().next().map(|it| it.0.clone());
        let root = match &config {
            Some(config) => config.replace(".cfg", ".tla"),
            None => self.0.last().expect("a module").0.clone(),
        };
        let Ok(opened) = open(&root, self) else {
            panic!("{root} is among the modules")
        };
        let mut file = parse_tla_with(opened, self, overrides);
        file.configure_with(config.as_deref(), self);
        file
    }

    /// What is wrong with a choice of rules.
    pub fn choose(&self, options: &str) -> (Sources, Vec<Diagnostic>) {
        let mut overrides = Overrides::default();
        for option in options.split_whitespace() {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let values = value.split(',').map(str::to_string);
            match name {
                "--without" => overrides.rules.without.extend(values),
                "--only" => overrides.rules.only.extend(values),
                "--with" => overrides.rules.with.push(value.to_string()),
                _ => {}
            }
        }
        let mut file = self.overrides(&overrides);
        if !options.starts_with("--with") {
            file.turn_to_rules();
        }
        if options.contains("--subsets") {
            let table = table(&mut file, Sets::Subsets);
            return (file.sources, table.diagnostics);
        }
        (file.sources, file.diagnostics)
    }

    /// Checks the module that the configuration belongs to.
    pub fn check(&self) -> (TlaFile, CheckReport) {
        self.check_with(&explore::Here)
    }

    pub fn check_with(&self, engine: &impl Engine) -> (TlaFile, CheckReport) {
        let (file, options) = (self.configured(), CheckOptions::default());
        let report = check_with(&file, &options, engine, &effects::NoEffects::default(), &());
        (file, report)
    }

    pub fn check_with_effects(&self, effects: &(dyn effects::Effects + Sync)) -> (TlaFile, CheckReport) {
        let (file, options) = (self.configured(), CheckOptions::default());
        let report = check_with(&file, &options, &explore::Here, effects, &());
        (file, report)
    }

    /// The same by the reference checker.
    pub fn check_reference(&self) -> CheckReport {
        let (options, effects) = (CheckOptions::default(), effects::NoEffects::default());
        check_reference(&self.configured(), &options, &effects, &())
    }

    fn configured(&self) -> TlaFile {
        let configs = || self.0.iter().filter(|(name, _)| name.ends_with(".cfg"));
        let (config, _) = configs().next().expect("a configuration");
        let root = config.replace(".cfg", ".tla");
        let Ok(opened) = open(&root, self) else {
            panic!("{root} is among the modules")
        };
        let mut file = parse_tla(opened, self, false);
        file.configure(config, self);
        file
    }
}

/// Solves a specification of `host` or of the gallery.
pub fn solved(
    spec: &str,
    host: &dyn Host,
    overrides: Overrides,
    question: &SolveQuestion,
    options: &SolveOptions,
    rows: Option<&mut dyn Rows>,
) -> (TlaFile, SolveReport) {
    let mut file = parsed(spec, host, &question.overrides(overrides));
    let report = solve(
        &mut file,
        question,
        options,
        &effects::NoEffects::default(),
        &(),
        rows,
    );
    (file, report)
}

/// Solves the game of a specification of `host` or of the gallery.
pub fn played(
    spec: &str,
    host: &dyn Host,
    overrides: Overrides,
    question: &StrategyQuestion,
    rows: Option<&mut dyn Rows>,
) -> (TlaFile, StrategyReport) {
    let mut file = parsed(spec, host, &question.overrides(overrides));
    let options = CheckOptions::default();
    let report = strategy(
        &mut file,
        question,
        &options,
        &effects::NoEffects::default(),
        &(),
        rows,
    );
    (file, report)
}

/// A specification with its questions, and its configuration where it has one.
pub fn parsed(spec: &str, host: &dyn Host, overrides: &Overrides) -> TlaFile {
    let Ok(opened) = open(spec, host) else {
        panic!("{spec} is among the modules")
    };
    let mut file = parse_tla_with(opened, host, overrides);
    let config = file.config_beside(host);
    file.configure_with(config.as_deref(), host);
    file
}

impl Files {
    /// Answers the question in the comments of an example: `\* solve` or `\* strategy`, then an option a line.
    pub fn ask(&self, text: &str) -> Option<(Sources, Vec<Diagnostic>)> {
        let lines: Vec<&str> = text.lines().filter_map(|it| it.strip_prefix("\\* ")).collect();
        let all = |option: &str| -> Vec<String> {
            let values = lines
                .iter()
                .filter_map(|it| it.strip_prefix(option)?.strip_prefix(' '));
            values.map(str::to_owned).collect()
        };
        let one = |option: &str| all(option).into_iter().next();
        let pairs = |option: &str| -> Vec<(String, String)> {
            let pair = |it: &String| {
                it.split_once('=')
                    .map(|(name, it)| (name.to_owned(), it.to_owned()))
            };
            all(option).iter().filter_map(pair).collect()
        };
        if lines.contains(&"solve") {
            let goal = match one("--goal") {
                Some(goal) => goal,
                None => match goal_of(&Workspace::new(self), "M.tla") {
                    Ok(goal) => goal,
                    Err(refused) => return Some(refused),
                },
            };
            let question = SolveQuestion {
                goal,
                cost: one("--cost"),
                cost_state: one("--cost-state"),
                heuristic: one("--heuristic"),
            };
            let options = SolveOptions::default();
            let (file, report) = solved("M.tla", self, Overrides::default(), &question, &options, None);
            return Some((file.sources, report.search.diagnostics));
        }
        lines.contains(&"strategy").then(|| {
            let players = match players_of(&Workspace::new(self), "M.tla") {
                _ if !pairs("--player").is_empty() => pairs("--player"),
                Ok(players) => players,
                Err(refused) => return refused,
            };
            let question = StrategyQuestion {
                players,
                aim: one("--goal").map_or(Aim::Outcomes(pairs("--outcome")), Aim::Goal),
                hero: one("--for"),
                follow: one("--follow"),
                definition: false,
            };
            let (file, report) = played("M.tla", self, Overrides::default(), &question, None);
            (file.sources, report.search.diagnostics)
        })
    }
}

impl Host for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        let found = self.0.iter().find(|(name, _)| path.ends_with(name.as_str()));
        found
            .map(|(_, text)| text.clone().into_bytes())
            .ok_or(Unreadable::Missing)
    }
}

/// What sets of rules give.
pub fn table(file: &mut TlaFile, sets: Sets) -> RuleTable {
    let options = TableOptions {
        sets,
        check: CheckOptions::default(),
    };
    rule_table(file, &options, &effects::NoEffects::default(), &(), &mut |_| {})
}
