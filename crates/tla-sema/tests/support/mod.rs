//! Small specifications in one text: several modules one after the other, then perhaps a configuration.

#![allow(dead_code, reason = "not every test looks at everything")]

pub mod show;

use std::collections::BTreeMap;

use diag::Diagnostic;
use source::{Sources, Span};
use tla_sema::ir::Operator;
use tla_sema::model::{Behaviour, Formula, Given, Value};
use tla_sema::{Found, Model, ModuleText, Modules, Spec};

/// The files of a text. A module goes into the file of its name, or into the one that `file:` after its header names.
/// What follows a line `\* M.cfg` is the configuration; `\* no M.cfg` asks for the model without one.
pub struct Files {
    /// File name without extension, text; the first is the root.
    modules: Vec<(String, String)>,
    config: Option<String>,
    default: bool,
}

impl Files {
    pub fn of(text: &str) -> Files {
        let mut files = Files {
            modules: vec![],
            config: None,
            default: false,
        };
        let mut depth = 0;
        for line in text.split_inclusive('\n') {
            if let Some(config) = &mut files.config {
                config.push_str(line);
                continue;
            }
            match line.trim_end() {
                "\\* M.cfg" => {
                    files.config = Some(String::new());
                    continue;
                }
                "\\* no M.cfg" => files.default = true,
                _ => {}
            }
            if line.starts_with("----") && line.contains("MODULE") {
                if depth == 0 {
                    files.modules.push((file_of(line), String::new()));
                }
                depth += 1;
            } else if line.starts_with("====") {
                depth -= 1;
            }
            let (_, module) = files.modules.last_mut().expect("a text starts with a module");
            module.push_str(line);
        }
        files
    }

    /// The files with their names; the configuration too.
    pub fn texts(&self) -> impl Iterator<Item = (String, &str)> {
        let modules = self
            .modules
            .iter()
            .map(|(name, text)| (format!("{name}.tla"), text.as_str()));
        modules.chain(self.config.iter().map(|it| ("M.cfg".to_string(), it.as_str())))
    }

    /// Resolves the first module, and reads the configuration if there is one and nothing else is wrong.
    pub fn resolve(&self) -> Resolved {
        let mut sources = Sources::new();
        let (name, text) = &self.modules[0];
        let file = sources.add(format!("{name}.tla"), text.as_str());
        let others = self.modules[1..].iter().cloned().collect();
        let (mut spec, mut diagnostics) = tla_sema::resolve(file, &mut sources, &Others(others));
        let mut model = None;
        if diagnostics.is_empty()
            && let Some(text) = &self.config
        {
            let file = sources.add("M.cfg", text.as_str());
            let (config, grammar) = tla_syntax::config::parse(text, file);
            let end = text.trim_end().len() as u32;
            let (configured, wrong) = tla_sema::configure(&mut spec, &config, Span::new(file, end, end));
            diagnostics.extend(grammar.into_iter().chain(wrong));
            model = Some(configured);
        } else if diagnostics.is_empty() && self.default {
            let (found, wrong) = tla_sema::default_model(&mut spec);
            diagnostics.extend(wrong);
            model = Some(found);
        }
        Resolved {
            sources,
            spec,
            model,
            diagnostics,
        }
    }
}

pub struct Resolved {
    pub sources: Sources,
    pub spec: Spec,
    pub model: Option<Model>,
    pub diagnostics: Vec<Diagnostic>,
}

fn file_of(header: &str) -> String {
    if let Some((_, file)) = header.split_once("file:") {
        return file.trim().trim_end_matches(".tla").to_string();
    }
    let (_, rest) = header.split_once("MODULE").expect("a header");
    rest.trim()
        .split([' ', '-'])
        .next()
        .unwrap_or_default()
        .to_string()
}

/// A module with this text in it cannot be read.
const UNREADABLE: &str = "permission denied";

struct Others(BTreeMap<String, String>);

impl Modules for Others {
    fn find(&self, name: &str) -> Found {
        let (text, is_library) = match (self.0.get(name), tla_library::module(name)) {
            (Some(text), _) if text.contains(UNREADABLE) => return Found::Unreadable(UNREADABLE.to_string()),
            (Some(text), _) => (text.as_str(), false),
            (None, Some(text)) => (text, true),
            (None, None) => return Found::Missing,
        };
        Found::Text(ModuleText {
            name: format!("{name}.tla"),
            text: text.into(),
            is_library,
        })
    }

    fn names(&self) -> Vec<String> {
        let own = self.0.keys().cloned();
        own.chain(tla_library::names().iter().map(|it| it.to_string()))
            .collect()
    }
}

/// Everything that a model says, a line each.
pub fn describe(spec: &Spec, model: &Model) -> Vec<String> {
    let mut lines = vec![];
    let mut formulas = |what: &str, of: &[Formula]| {
        lines.extend(
            of.iter()
                .map(|it| format!("{what} {} is {}", it.name, show::show(spec, it.expr))),
        );
    };
    match &model.behaviour {
        Behaviour::None => {}
        Behaviour::InitNext { init, next } => {
            formulas("init", std::slice::from_ref(init));
            formulas("next", next.as_slice());
        }
        Behaviour::Specification(it) => formulas("specification", std::slice::from_ref(it)),
    }
    formulas("invariant", &model.invariants);
    formulas("property", &model.properties);
    formulas("constraint", &model.constraints);
    formulas("action constraint", &model.action_constraints);
    formulas("postcondition", &model.postconditions);
    formulas("symmetry", model.symmetry.as_slice());
    formulas("view", model.view.as_slice());
    formulas("alias", model.alias.as_slice());
    for (decl, given) in &model.constants {
        lines.extend(assignments(spec, spec.decls[*decl].name.as_str(), given));
    }
    for (def, given) in &model.overrides {
        lines.extend(assignments(
            spec,
            &format!("definition {}", spec.defs[*def].name),
            given,
        ));
    }
    if let Some(check) = model.check_deadlock {
        lines.push(format!("check deadlock {check}"));
    }
    lines
}

fn assignments(spec: &Spec, name: &str, given: &Given) -> Vec<String> {
    match given {
        Given::Value(value) => vec![format!("{name} = {}", value_text(value))],
        Given::Operator(Operator::Def(def)) => vec![format!("{name} <- {}", spec.defs[*def].name)],
        Given::Operator(Operator::Decl(decl)) => {
            vec![format!("{name} <- constant {}", spec.decls[*decl].name)]
        }
        Given::Operator(Operator::Local(_)) => vec![],
        Given::Table(rows) => rows
            .iter()
            .map(|(args, value)| {
                let args = args.iter().map(value_text).collect::<Vec<_>>().join(", ");
                format!("{name}({args}) = {}", value_text(value))
            })
            .collect(),
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string().to_uppercase(),
        Value::Int(digits) => digits.to_string(),
        Value::Str(text) => format!("{:?}", text.as_str()),
        Value::Model(name) => format!("model value {name}"),
        Value::Set(items) => format!(
            "{{{}}}",
            items.iter().map(value_text).collect::<Vec<_>>().join(", ")
        ),
    }
}
