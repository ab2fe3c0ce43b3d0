//! The pages about diagnostics, run.

mod support;

use std::path::Path;

use diag::Diagnostic;
use source::Sources;
use workbench::play::{PlayOptions, play};
use workbench::{
    AlloyOptions, Host, Stop, Unreadable, Workspace, effects, open, parse_tla, with_alloy_instance,
};

/// A file system with one file of each bad kind.
struct Bad;

impl Host for Bad {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        match path {
            "specs" => Err(Unreadable::Directory),
            "huge.tla" => Err(Unreadable::TooLarge {
                bytes: 5_000_000_000,
                bytes_max: 268_435_456,
            }),
            "secret.tla" => Err(Unreadable::Other("permission denied".to_string())),
            "latin1.tla" => Ok(b"---- MODULE latin1 ----\n\\* f\xfcr alle\n====\n".to_vec()),
            "notes.md" => Ok(b"# Notes\n\nNo code here.\n".to_vec()),
            _ => Err(Unreadable::Missing),
        }
    }
}

fn run(spec: &str) -> (Sources, Vec<Diagnostic>) {
    match open(spec, &Bad) {
        Err(refused) => refused,
        Ok(opened) if !opened.language.has_steps() => (
            opened.sources,
            vec![workbench::diagnostics::unsupported_language(spec)],
        ),
        Ok(opened) => (opened.sources, vec![]),
    }
}

/// One Alloy model, in a file system of its own.
struct Model<'t>(&'t str);

impl Host for Model<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        match path {
            "model.als" => Ok(self.0.as_bytes().to_vec()),
            _ => Err(Unreadable::Missing),
        }
    }
}

/// What is said to someone who wants to ask an instance of a model.
fn ask_alloy(text: &str, options: &str) -> (Sources, Vec<Diagnostic>) {
    let host = Model(text);
    let value = |name: &str| options.strip_prefix(name).map(str::to_owned);
    let overrides = AlloyOptions {
        command: value("--command="),
        solver: value("--solver="),
        ..AlloyOptions::default()
    };
    let stop = Stop::default();
    if options == "stopped at once" {
        stop.ask();
    }
    match with_alloy_instance(&Workspace::new(&host), "model.als", &overrides, &stop, |_| ()) {
        Err(refused) => refused,
        Ok(()) => (Sources::new(), vec![]),
    }
}

fn words_around<'c>(command: &'c str, start: &str, option: &str) -> Option<(&'c str, &'c str)> {
    command.strip_prefix(start)?.split_once(option)
}

fn watch(spec: &str, expr: &str) -> (Sources, Vec<Diagnostic>) {
    let (options, effects) = (PlayOptions::default(), effects::NoEffects::default());
    let played = play(
        &Workspace::new(Bad),
        spec,
        &options,
        &effects,
        &Stop::default(),
        |session| session.watch(expr).err().unwrap_or_default(),
    );
    played.unwrap_or_else(|refused| refused)
}

fn view(spec: &str, name: &str) -> (Sources, Vec<Diagnostic>) {
    let Ok(opened) = open(spec, &Bad) else {
        panic!("{spec} is in the gallery")
    };
    let mut file = parse_tla(opened, &Bad, false);
    let config = file.default_config().expect("the gallery has configurations");
    file.configure(&config, &Bad);
    file.show_definition(name);
    (file.sources, file.diagnostics)
}

/// What is said about files of a search; `cli/tests/storage.rs` makes such files.
fn stored(command: &str) -> Option<Diagnostic> {
    use workbench::storage as said;
    Some(match command {
        "babbage resume empty" => said::checkpoint_missing("empty"),
        "babbage resume damaged" => said::checkpoint_damaged("`level-3` is shorter than it was"),
        "babbage resume changed" => {
            said::checkpoint_foreign("changed", "`Board.tla` is not what it was when the check began")
        }
        "babbage resume busy" => said::checkpoint_in_use("busy"),
        "babbage resume registers" => said::registers_begin_anew(),
        "babbage check klotski --checkpoint used" => said::checkpoint_exists("used"),
        "babbage check klotski --checkpoint here --coverage" => said::checkpoint_refused("`--coverage`"),
        "babbage translate Counter.tla" => workbench::diagnostics::no_algorithm("Counter.tla"),
        "babbage check full" => said::disk_full("7 MiB are free, too little to go on"),
        "babbage check failing" => said::disk_failed("`spill/run-3`: input/output error"),
        _ => return None,
    })
}

/// Lets no evaluation take its time.
#[derive(Default)]
struct Impatient(effects::NoEffects);

impl effects::Effects for Impatient {
    fn print(&self, _: &str) {}

    fn registers(&self) -> &effects::Registers {
        self.0.registers()
    }

    fn random(&self) -> u64 {
        self.0.random()
    }

    fn now(&self) -> i64 {
        self.0.now()
    }

    fn interrupted(&self) -> bool {
        true
    }
}

/// The pages of `tla-eval` are run here, where there is a checker to run them with.
#[test]
fn every_error_of_evaluation_has_a_page_that_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tla-eval");
    testkit::check_pages_of(&root, |example| {
        let files = support::Files::of(&example.text);
        let (file, report) = match example.options.as_str() {
            "stopped at once" => files.check_with_effects(&Impatient::default()),
            _ => files.check(),
        };
        (file.sources, report.diagnostics)
    });
}

#[test]
fn every_diagnostic_has_a_page_that_is_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnostics");
    let constructors = [
        include_str!("../src/alloy.rs"),
        include_str!("../src/alloy_prompt.rs"),
        include_str!("../src/diagnostics.rs"),
        include_str!("../src/check/diagnostics.rs"),
        include_str!("../src/check/storage.rs"),
        include_str!("../src/solve/diagnostics.rs"),
        include_str!("../src/rules/errors.rs"),
    ];
    testkit::check_pages(&folder, &constructors, |example| {
        if example.language == "alloy" {
            return ask_alloy(&example.text, &example.options);
        }
        if !example.options.is_empty() {
            return support::Files::of(&example.text).choose(&example.options);
        }
        if example.language == "tla" {
            let files = support::Files::of(&example.text);
            if let Some(answered) = files.ask(&example.text) {
                return answered;
            }
            let (file, report) = files.check();
            return (file.sources, report.diagnostics);
        }
        let command = example.text.trim();
        if let Some((spec, expr)) = words_around(command, "babbage play ", " --watch ") {
            return watch(spec, expr.trim_matches('\''));
        }
        if let Some((spec, name)) = words_around(command, "babbage check ", " --view ") {
            return view(spec, name);
        }
        if let Some(diagnostic) = stored(command) {
            return (Sources::new(), vec![diagnostic]);
        }
        if command.starts_with("babbage solve tictactoe-alloy") {
            let (sources, _) = run("notes.md");
            return (sources, vec![workbench::no_steps_in_alloy()]);
        }
        run(command
            .strip_prefix("babbage parse ")
            .expect("examples are calls of parse"))
    });
}
