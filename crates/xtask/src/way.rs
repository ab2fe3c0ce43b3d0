//! The way of a check, as `ARCHITECTURE.md` tells it: each line of its chains names a file and a function, and both must be there.

use std::path::Path;

const SECTION: &str = "## The way of a check";

pub fn check(root: &Path) -> Vec<String> {
    let page = "ARCHITECTURE.md";
    let Ok(text) = std::fs::read_to_string(root.join(page)) else {
        return vec![format!("{page}: there is no such page")];
    };
    let steps = steps(&text);
    if steps.is_empty() {
        return vec![format!("{page}: `{SECTION}` has no steps")];
    }
    let is_missing = |(file, function): &(String, String)| {
        let code = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        !defines(&code, function)
    };
    let missing = steps.into_iter().filter(is_missing);
    missing
        .map(|(file, function)| format!("{page}: there is no function `{function}` in `{file}`"))
        .collect()
}

/// Lines such as `    crates/cli/src/main.rs   main   what it does`.
fn steps(text: &str) -> Vec<(String, String)> {
    let section = text.split(SECTION).nth(1).unwrap_or("");
    let section = section.split("\n## ").next().unwrap_or("");
    let step = |line: &str| {
        let mut words = line.split_whitespace();
        let file = words.next().filter(|it| it.starts_with("crates/"))?;
        Some((file.to_owned(), words.next()?.to_owned()))
    };
    let lines = section.lines().filter(|it| it.starts_with("    "));
    lines.filter_map(step).collect()
}

fn defines(code: &str, function: &str) -> bool {
    let name = format!("fn {function}");
    let follows = |rest: &str| rest.starts_with(['(', '<']);
    code.match_indices(&name)
        .any(|(at, _)| follows(&code[at + name.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_of_a_check_leads_through_functions_that_exist() {
        assert_eq!(check(&crate::tidy::root()), Vec::<String>::new());
    }

    #[test]
    fn a_step_names_a_file_and_a_function() {
        let text = format!(
            "{SECTION}\n\nprose\n\n    crates/a/src/b.rs  f  what\n    said\n\n## Next\n    crates/c.rs  g\n"
        );
        assert_eq!(steps(&text), [("crates/a/src/b.rs".to_owned(), "f".to_owned())]);
        assert!(defines("pub fn f<T>()", "f") && !defines("fn ff()", "f"));
    }
}
