//! What is measured: the gallery, the specifications of `bench/` with their sizes, or a list of models; and one run of ours.
//!
//! A list is JSON: rows with `module` and `config`, paths beside the list.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::options::Options;
use super::process::{Finished, fastest, finished};
use crate::tidy::root;

/// A specification of `bench/`, its invariants, and values of its constant N from small to large. The last one has 20 to 60
/// million distinct states.
struct Scalable {
    name: &'static str,
    invariants: &'static str,
    sizes: [u32; 4],
}

const SCALABLE: [Scalable; 9] = [
    scalable("Bakery", "TypeOK Exclusion", [3, 4, 5, 6]), // 33.2 million
    scalable("TwoPhase", "TypeOK Agreement", [6, 7, 8, 10]), // 61.5 million
    scalable("Consensus", "TypeOK Agreement", [2, 3, 4, 6]), // 30 million
    scalable("Philosophers", "TypeOK Exclusion", [8, 10, 11, 14]), // 49.2 million
    scalable("TokenRing", "SomeToken", [5, 6, 7, 8]),     // 43.0 million
    scalable("Sliding", "HoleIsEmpty", [4, 6, 7, 10]),    // 27.9 million
    scalable("Sorting", "Complete", [8, 9, 10, 11]),      // 39.9 million
    scalable("Queues", "InOrder", [8, 16, 24, 54]),       // 21.3 million
    scalable("Clocks", "InRange", [20, 34, 46, 75]),      // 33.4 million
];

const fn scalable(name: &'static str, invariants: &'static str, sizes: [u32; 4]) -> Scalable {
    Scalable {
        name,
        invariants,
        sizes,
    }
}

const GALLERY: [&str; 3] = ["klotski", "tictactoe-field", "tictactoe-strategy"];

pub struct Model {
    pub label: String,
    module: PathBuf,
    config: Option<PathBuf>,
}

/// Models from small to large, of which each is the one before with more of the same.
pub type Family = Vec<Model>;

pub fn gallery(name: &str) -> Model {
    Model {
        label: name.into(),
        module: name.into(),
        config: None,
    }
}

/// One specification of `bench/` at one size, with a configuration in `folder`.
pub fn sized(name: &str, size: u32, folder: &Path) -> Result<Model, String> {
    let it = SCALABLE.iter().find(|it| it.name == name);
    let it = it.ok_or_else(|| format!("{name} is none of bench/"))?;
    let text = format!(
        "SPECIFICATION Spec\nCONSTANT N = {size}\nINVARIANT {}\nCHECK_DEADLOCK FALSE\n",
        it.invariants
    );
    let file = format!("{name}.tla");
    let module = folder.join(&file);
    let config = folder.join(format!("{name}{size}.cfg"));
    std::fs::copy(root().join("bench").join(&file), &module)
        .and_then(|_| std::fs::write(&config, text))
        .map_err(|why| format!("{file}: {why}"))?;
    Ok(Model {
        label: format!("{name} {size}"),
        module,
        config: Some(config),
    })
}

/// What the options ask for. Configurations of our own models are written to `folder`.
pub fn families(options: &Options, folder: &Path) -> Result<Vec<Family>, String> {
    let mut families = match &options.models {
        Some(list) => listed(list).ok_or("the list of models cannot be read")?,
        None => own(options.large, folder)?,
    };
    for family in &mut families {
        family.retain(|it| options.wants(&it.label));
    }
    families.retain(|it| !it.is_empty());
    Ok(families)
}

fn own(large: bool, folder: &Path) -> Result<Vec<Family>, String> {
    let mut families: Vec<Family> = GALLERY.iter().map(|name| vec![gallery(name)]).collect();
    for it in &SCALABLE {
        let n_sizes = if large { 4 } else { 3 };
        let sizes = it.sizes[..n_sizes].iter();
        families.push(
            sizes
                .map(|&size| sized(it.name, size, folder))
                .collect::<Result<_, _>>()?,
        );
    }
    Ok(families)
}

fn listed(list: &Path) -> Option<Vec<Family>> {
    let folder = std::fs::canonicalize(list).ok()?.parent()?.to_path_buf();
    let text = std::fs::read_to_string(list).ok()?;
    let Value::Array(rows) = serde_json::from_str(&text).ok()? else {
        return None;
    };
    let model = |row: &Value| {
        let config = folder.join(row["config"].as_str()?);
        Some(Model {
            label: label(&config),
            module: folder.join(row["module"].as_str()?),
            config: Some(config),
        })
    };
    Some(rows.iter().filter_map(model).map(|it| vec![it]).collect())
}

/// The file with its folder: many models have a configuration of the same name.
fn label(config: &Path) -> String {
    let names: Vec<_> = config.iter().map(|it| it.to_string_lossy()).collect();
    names[names.len().saturating_sub(2)..].join("/")
}

/// How visited states are remembered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Store {
    Exact,
    Fingerprint,
}

impl Store {
    pub fn name(self) -> &'static str {
        match self {
            Store::Exact => "exact",
            Store::Fingerprint => "fingerprint",
        }
    }
}

/// What we said about a model.
pub struct Run {
    pub seconds: f64,
    pub cpu: f64,
    pub distinct: u64,
    pub generated: u64,
    /// Bytes that the search counts as its own at the end.
    pub memory: u64,
    /// Bytes of the process, at most.
    pub peak: u64,
    /// `holds`, another verdict, or the limit that was reached.
    pub answer: String,
}

impl Run {
    pub fn new(it: &Finished) -> Run {
        let report: Value = serde_json::from_str(&it.stdout).unwrap_or_default();
        let count = |name: &str| report["states"][name].as_u64().unwrap_or_default();
        let answer = match (report["limit"].as_str(), report["verdict"].as_str()) {
            (Some(limit), _) => format!("limit of {limit}"),
            (None, Some(verdict)) => verdict.to_string(),
            (None, None) => "no answer".to_string(),
        };
        Run {
            seconds: it.seconds,
            cpu: it.cpu,
            distinct: count("distinct"),
            generated: count("generated"),
            memory: report["memory"].as_u64().unwrap_or_default(),
            peak: it.peak,
            answer,
        }
    }

    pub fn holds(&self) -> bool {
        self.answer == "holds"
    }

    pub fn per_state(&self, bytes: u64) -> f64 {
        bytes as f64 / self.distinct.max(1) as f64
    }

    pub fn rate(&self) -> f64 {
        self.distinct as f64 / self.seconds
    }
}

impl Model {
    pub fn is_of_gallery(&self) -> bool {
        self.config.is_none()
    }

    /// The command that checks it, for a run of its own.
    pub fn command(&self, options: &Options, workers: u32, store: Store) -> Command {
        let mut command = Command::new(&options.bin);
        command.arg("check").arg(&self.module);
        command.args([
            "--format",
            "json",
            "--store",
            store.name(),
            "--memory",
            &options.memory,
        ]);
        command.args(["--workers", &workers.to_string()]);
        command.args(["--timeout", &options.seconds().to_string()]);
        if let Some(config) = &self.config {
            command.arg("--config").arg(config);
        }
        command
    }

    pub fn check(&self, options: &Options, workers: u32, store: Store) -> Run {
        Run::new(&finished(&mut self.command(options, workers, store)))
    }

    /// The best of several runs in exact mode.
    pub fn check_best(&self, options: &Options, workers: u32, runs: u32) -> Run {
        let mut command = self.command(options, workers, Store::Exact);
        Run::new(&fastest(runs, &mut command))
    }

    /// The command of another checker; none for models that only we know.
    pub fn placed(&self, template: &str) -> Option<String> {
        let config = self.config.as_ref()?.display().to_string();
        let module = self.module.display().to_string();
        Some(template.replace("{module}", &module).replace("{config}", &config))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Finished, Run, SCALABLE, label};

    #[test]
    fn a_run_is_read_from_what_is_printed() {
        let run = |text: &str| {
            Run::new(&Finished {
                seconds: 2.0,
                stdout: text.into(),
                ..Finished::default()
            })
        };
        let it =
            run(r#"{"verdict":"holds","limit":null,"memory":640,"states":{"distinct":40,"generated":90}}"#);
        assert!(it.holds());
        assert_eq!(
            (it.distinct, it.generated, it.rate(), it.per_state(it.memory)),
            (40, 90, 20.0, 16.0)
        );
        assert_eq!(
            run(r#"{"verdict":"unknown","limit":"time"}"#).answer,
            "limit of time"
        );
        assert_eq!(run("").answer, "no answer");
    }

    #[test]
    fn a_model_of_a_list_is_called_by_its_folder_too() {
        assert_eq!(label(Path::new("models/Paxos/MC.cfg")), "Paxos/MC.cfg");
        assert_eq!(label(Path::new("MC.cfg")), "MC.cfg");
    }

    #[test]
    fn sizes_grow() {
        for it in &SCALABLE {
            assert!(it.sizes.is_sorted_by(|a, b| a < b), "{}", it.name);
        }
    }
}
