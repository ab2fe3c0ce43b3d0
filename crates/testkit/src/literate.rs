//! Markdown as a test: prose, an example in a fence, and what comes of it in the ```` ```text ```` fence after it.
//!
//! What comes of the examples is written anew with `UPDATE_EXPECT=1`, and read in the diff.

use std::path::Path;

/// A fence that is not a result.
#[derive(Clone, Debug)]
pub struct Example {
    /// The word after the backticks: `tla`, `cfg`, …
    pub language: String,
    /// What follows that word, for examples that need special treatment.
    pub options: String,
    pub text: String,
}

impl Example {
    /// The text of an example that is too long to be shown. With the options `300 times: 2 3`, each run of the lines 2 and 3 stands there
    /// 300 times, with `#` replaced by a number.
    pub fn written_out(&self) -> String {
        let Some((times, lines)) = self.options.split_once(" times: ") else {
            return self.text.clone();
        };
        let (Ok(times), repeated) = (times.parse::<usize>(), lines.split(' ')) else {
            return self.text.clone();
        };
        let repeated: Vec<usize> = repeated.filter_map(|it| it.parse().ok()).collect();
        let lines = self.text.split_inclusive('\n').enumerate();
        let written = lines.map(|(i, line)| match repeated.contains(&(i + 1)) {
            true => (1..=times).map(|n| line.replace('#', &n.to_string())).collect(),
            false => line.to_owned(),
        });
        written.collect()
    }
}

/// Runs every example of a Markdown file and compares its result with the one in the file. Returns the examples.
pub fn check_literate(path: &Path, mut run: impl FnMut(&Example) -> String) -> Vec<Example> {
    let document =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut examples = vec![];
    let renewed = renew(&document, |example| {
        examples.push(example.clone());
        run(example)
    });
    expect_test::expect_file![path].assert_eq(&renewed);
    examples
}

/// The document with the result of each example after it. Text between an example and its result stays.
fn renew(document: &str, mut run: impl FnMut(&Example) -> String) -> String {
    let mut renewed = String::with_capacity(document.len());
    // The result of the last example, and where it goes when the document has no place for it yet.
    let mut result: Option<(usize, String)> = None;
    let mut lines = document.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            renewed.push_str(line);
            continue;
        };
        let body: String = lines.by_ref().take_while(|it| it.trim_end() != "```").collect();
        let (language, options) = info.trim().split_once(' ').unwrap_or((info.trim(), ""));
        if language == "text" {
            let (_, result) = result.take().unwrap_or_default();
            renewed.push_str(&fence("```text\n", &result));
            continue;
        }
        insert(&mut renewed, result.take());
        renewed.push_str(&fence(line, &body));
        let example = Example {
            language: language.into(),
            options: options.into(),
            text: body,
        };
        result = Some((renewed.len(), run(&example)));
    }
    insert(&mut renewed, result);
    renewed
}

fn insert(renewed: &mut String, result: Option<(usize, String)>) {
    if let Some((at, result)) = result {
        renewed.insert_str(at, &format!("\n{}", fence("```text\n", &result)));
    }
}

fn fence(open: &str, body: &str) -> String {
    let body: String = body.lines().map(|it| format!("{}\n", it.trim_end())).collect();
    format!("{open}{body}```\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_examples_are_written_out() {
        let example = Example {
            language: "alloy".into(),
            options: "2 times: 2".into(),
            text: "fact {\n  a#\n}\n".into(),
        };
        assert_eq!(example.written_out(), "fact {\n  a1\n  a2\n}\n");
    }

    #[test]
    fn results_take_their_places() {
        let document =
            "# x\n\n```tla a b\nA == 1\n```\n\nMore.\n\n```text\nold\n```\nEnd.\n\n```cfg\nINIT I\n```\n";
        let renewed = renew(document, |example| {
            format!("{} {:?} {:?}", example.language, example.options, example.text)
        });
        assert_eq!(
            renewed,
            "# x\n\n```tla a b\nA == 1\n```\n\nMore.\n\n```text\ntla \"a b\" \"A == 1\\n\"\n```\nEnd.\n\n\
             ```cfg\nINIT I\n```\n\n```text\ncfg \"\" \"INIT I\\n\"\n```\n"
        );
        assert_eq!(
            renew(&renewed, |it| format!(
                "{} {:?} {:?}",
                it.language, it.options, it.text
            )),
            renewed
        );
    }
}
