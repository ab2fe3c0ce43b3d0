//! What every test here needs: a specification from text, with the library at hand.

use std::sync::Arc;

use source::Sources;
use tla_sema::{Found, ModuleText, Modules, Spec, resolve};

/// The built-in modules and nothing else.
pub struct Library;

impl Modules for Library {
    fn find(&self, name: &str) -> Found {
        match tla_library::module(name) {
            Some(text) => {
                let name = format!("{name} (built in)");
                Found::Text(ModuleText {
                    name,
                    text: Arc::from(text),
                    is_library: true,
                })
            }
            None => Found::Missing,
        }
    }

    fn names(&self) -> Vec<String> {
        tla_library::names().iter().map(|&it| it.to_owned()).collect()
    }
}

/// A specification without errors, or a panic that shows them.
pub fn load(name: &str, text: &str) -> (Spec, Sources) {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let (spec, diagnostics) = resolve(file, &mut sources, &Library);
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|it| it.is_error())
        .map(|it| diag::render(it, &sources, diag::Style::Plain))
        .collect();
    assert!(errors.is_empty(), "{name}:\n{text}\n{}", errors.join("\n"));
    (spec, sources)
}

/// A value as the plain evaluator has it; nothing for an infinite set.
#[allow(dead_code, reason = "not every test file asks for it")]
pub fn plain(value: value::Value<'_>) -> Option<tla_plain::Value> {
    value
        .to_owned_value()
        .ok()
        .map(|it| tla_plain::Value::from_owned(&it).expect("a value that is comparable"))
}
