//! Specifications in memory.

#![allow(dead_code, reason = "each test uses a part")]

use workbench::{CheckOptions, CheckReport, Host, TlaFile, Unreadable, check, effects, open, parse_tla};

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

    /// Checks the module that the configuration belongs to.
    pub fn check(&self) -> (TlaFile, CheckReport) {
        let configs = || self.0.iter().filter(|(name, _)| name.ends_with(".cfg"));
        let (config, _) = configs().next().expect("a configuration");
        let root = config.replace(".cfg", ".tla");
        let Ok(opened) = open(&root, self) else {
            panic!("{root} is among the modules")
        };
        let mut file = parse_tla(opened, self, false);
        file.configure(config, self);
        let report = check(
            &file,
            &CheckOptions::default(),
            &effects::NoEffects::default(),
            &(),
        );
        (file, report)
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
