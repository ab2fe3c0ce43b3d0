//! A request, taken apart.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use workbench::{Overrides, RuleChoice, Workspace};

use super::texts::Texts;

/// The request is not one; the page never sends such.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong(pub String);

pub struct Ask {
    request: Value,
    pub texts: Texts,
    /// What was made of the texts so far.
    pub workspace: Workspace<'static>,
    /// The name of the specification's text.
    pub main: String,
    pub config: Option<String>,
    /// Rules that are switched off.
    pub without: Vec<String>,
    pub you: Option<String>,
    pub memory: u64,
    pub time: Option<Duration>,
}

impl Ask {
    pub fn read(line: &str, folder: Option<PathBuf>, memory: u64) -> Result<Ask, Wrong> {
        let request: Value = serde_json::from_str(line).map_err(|it| Wrong(it.to_string()))?;
        let source = &request["source"];
        let mut texts = Texts::new(folder);
        for file in list(&source["files"]) {
            let (Some(name), Some(text)) = (file["name"].as_str(), file["text"].as_str()) else {
                return Err(Wrong("a file has a `name` and a `text`".into()));
            };
            texts.add(name, text);
        }
        let some = |it: &Value| it.as_str().filter(|it| !it.is_empty()).map(str::to_string);
        let main = some(&source["main"]).ok_or_else(|| Wrong("`source.main` is missing".into()))?;
        let config = some(&source["config"]);
        if config.is_none() {
            let stem = main.rsplit_once('.').map_or(&*main, |it| it.0);
            texts.hide(format!("{stem}.cfg"));
        }
        let seconds = request["seconds"]
            .as_f64()
            .filter(|it| it.is_finite() && *it > 0.0);
        Ok(Ask {
            main,
            config,
            without: strings(&source["without"]),
            you: some(&source["you"]),
            workspace: Workspace::new(texts.clone()),
            texts,
            memory,
            time: seconds.map(Duration::from_secs_f64),
            request,
        })
    }

    pub fn text(&self, field: &str) -> Result<&str, Wrong> {
        text(&self.request, field)
    }

    pub fn strings(&self, field: &str) -> Vec<String> {
        strings(&self.request[field])
    }

    pub fn number(&self, field: &str) -> Option<usize> {
        self.request[field]
            .as_u64()
            .and_then(|it| usize::try_from(it).ok())
    }

    /// Which choice to take at each state.
    pub fn path(&self) -> Vec<usize> {
        path(&self.request)
    }

    /// What is asked beside the configuration.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            rules: RuleChoice {
                without: self.without.clone(),
                ..RuleChoice::default()
            },
            ..Overrides::default()
        }
    }

    /// The other configurations among the texts.
    pub fn other_configs(&self) -> Vec<String> {
        let files = list(&self.request["source"]["files"]).iter();
        let names = files.filter_map(|it| it["name"].as_str());
        let is_other = |it: &&str| it.ends_with(".cfg") && Some(*it) != self.config.as_deref();
        names.filter(is_other).map(str::to_string).collect()
    }
}

pub fn text<'v>(request: &'v Value, field: &str) -> Result<&'v str, Wrong> {
    request[field]
        .as_str()
        .ok_or_else(|| Wrong(format!("`{field}` is missing")))
}

/// A number that a request must have.
pub fn number(request: &Value, field: &str) -> Result<usize, Wrong> {
    let number = request[field].as_u64().and_then(|it| usize::try_from(it).ok());
    number.ok_or_else(|| Wrong(format!("`{field}` must be a number")))
}

pub fn path(request: &Value) -> Vec<usize> {
    let numbers = list(&request["path"]).iter();
    numbers
        .filter_map(|it| usize::try_from(it.as_u64()?).ok())
        .collect()
}

fn strings(value: &Value) -> Vec<String> {
    let texts = list(value).iter();
    texts.filter_map(|it| it.as_str().map(str::to_string)).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], |it| it)
}
