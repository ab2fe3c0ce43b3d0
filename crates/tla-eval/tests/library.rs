//! Every assertion about the library holds under this evaluator.

mod support;

use testkit::files;
use tla_eval::compile::Compiler;
use tla_eval::effects::NoEffects;
use tla_eval::machine::Machine;
use tla_plain::{Error, Interpreter};
use util::Symbol;
use value::Arena;

/// What is wrong in one file: assumptions that are false or cannot be evaluated.
fn failures(path: &std::path::Path) -> Vec<String> {
    let name = path
        .file_name()
        .expect("a file has a name")
        .to_string_lossy()
        .into_owned();
    let text = std::fs::read_to_string(path).expect("a readable file");
    let (spec, sources) = support::load(&name, &text);
    let constants = Arena::new();
    let mut compiler = Compiler::new(&spec, &constants);
    let root = spec.root().expect("a module");
    let mut checks = vec![];
    for statement in &root.assumptions {
        let Some(body) = statement.body else { continue };
        if spec
            .modules
            .iter()
            .any(|(_, it)| it.is_library && it.span.file == statement.span.file)
        {
            continue;
        }
        checks.push((
            statement.span,
            body,
            compiler.expression(body, Symbol::new("ASSUME")),
        ));
    }
    assert!(!checks.is_empty(), "{name} asserts nothing");
    let program = constants.alloc(compiler.program);
    let effects = NoEffects::default();
    let mut wrong = vec![];
    let plain = Interpreter::new(&spec);
    for (span, body, proc) in checks {
        let arena = Arena::new();
        let mut machine = Machine::new(program, &arena, &constants, &effects);
        let result = machine.test(proc);
        let what = match result {
            Ok(true) => match plain.value(body, None, None).and_then(|it| it.boolean()) {
                Ok(true) | Err(Error::Effect(_) | Error::TooLong) => continue,
                // What is searched for among all integers, sequences or records has no plain value.
                Err(Error::Undefined(why)) if why.contains("infinite") || why.contains("no bound") => {
                    continue;
                }
                other => format!("is plainly {other:?}"),
            },
            Ok(false) => "is false".to_owned(),
            Err(_) => format!("{:?}", machine.error.take().map(|it| (it.kind, it.chain))),
        };
        let place = sources.location(span);
        wrong.push(format!("{place}: {} {what}", sources.text(span)));
    }
    wrong
}

#[test]
fn every_assertion_about_the_library_holds() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tla-library/tests/assertions");
    let all = files(&folder, "tla");
    assert!(all.len() > 20, "the assertions of the library");
    let wrong: Vec<String> = all.iter().flat_map(|it| failures(it)).collect();
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
