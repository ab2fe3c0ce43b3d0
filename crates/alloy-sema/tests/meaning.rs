//! What models are taken to mean, written out. See `meaning/*.md`.

mod literate;

use literate::{Files, messages, read};

#[test]
fn each_model_means_what_it_says() {
    literate::check_folder("meaning", |model: &str, files: &Files| {
        let (resolved, sources) = read(model, files);
        let mut said = messages(&resolved, &sources);
        said.push(alloy_sema::print_model(&resolved.model));
        said.join("\n\n")
    });
}
