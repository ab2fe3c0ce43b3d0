//! Wrong and doubtful models, each with the message it gets. See `wrong/*.md`.

mod literate;

use literate::{Files, messages, read};

#[test]
fn each_wrong_model_gets_its_message() {
    literate::check_folder("wrong", |model: &str, files: &Files| {
        let (resolved, sources) = read(model, files);
        let messages = messages(&resolved, &sources);
        assert!(!messages.is_empty(), "nothing is said of\n{model}");
        messages.join("\n\n")
    });
}
