//! Literate specifications: the code of a Markdown file, at its own offsets.

/// Keeps what stands in fences of one of `languages` (```` ```tla ````, `~~~ alloy`) and turns every other
/// character into blanks, byte for byte; line breaks stay. Offsets, lines and (for blanked text) byte columns are
/// those of the Markdown file.
///
/// A fence with no closing line runs to the end of the file, as CommonMark says.
///
/// ```
/// let markdown = "# Notes\n~~~tla\nA == 1\n~~~\n";
/// let code = source::fenced(markdown, &["tla"]);
/// assert_eq!(code.trim(), "A == 1");
/// assert_eq!(code.find("A"), markdown.find("A =="));
/// ```
pub fn fenced(markdown: &str, languages: &[&str]) -> String {
    let mut code = String::with_capacity(markdown.len());
    let mut fence: Option<Fence> = None;
    for line in markdown.split_inclusive('\n') {
        match &fence {
            Some(open) if open.closed_by(line) => {
                fence = None;
                blank(line, &mut code);
            }
            Some(open) if open.kept => code.push_str(line),
            Some(_) => blank(line, &mut code),
            None => {
                fence = Fence::opened_by(line, languages);
                blank(line, &mut code);
            }
        }
    }
    debug_assert_eq!(code.len(), markdown.len());
    code
}

struct Fence {
    mark: char,
    length: usize,
    kept: bool,
}

impl Fence {
    fn opened_by(line: &str, languages: &[&str]) -> Option<Fence> {
        let line = line.trim_start();
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = line.chars().take_while(|&c| c == mark).count();
        if length < 3 {
            return None;
        }
        let info = line[length..].trim();
        if mark == '`' && info.contains('`') {
            return None; // inline code that happens to start a line
        }
        let language = info
            .split(|c: char| !(c.is_alphanumeric() || c == '+'))
            .find(|w| !w.is_empty())
            .unwrap_or("");
        let kept = languages.iter().any(|it| it.eq_ignore_ascii_case(language));
        Some(Fence { mark, length, kept })
    }

    fn closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|c| c == self.mark)
    }
}

fn blank(line: &str, code: &mut String) {
    code.extend(
        line.bytes()
            .map(|b| if b == b'\n' || b == b'\r' { b as char } else { ' ' }),
    );
}

#[cfg(test)]
mod tests {
    use super::fenced;

    #[test]
    fn keeps_fences_of_the_language_at_their_offsets() {
        let text = "# Título\n```tla\nx == 1\n```\n```sh\nls\n```\n~~~ TLA\ny == 2\n~~~\n";
        let code = fenced(text, &["tla", "tla+"]);
        assert_eq!(code.len(), text.len());
        assert_eq!(code.find("x == 1"), text.find("x == 1"));
        assert_eq!(
            code.split_whitespace().collect::<Vec<_>>(),
            ["x", "==", "1", "y", "==", "2"]
        );
    }

    #[test]
    fn an_open_fence_runs_to_the_end() {
        assert_eq!(fenced("```alloy\nsig A {}", &["alloy"]).trim(), "sig A {}");
    }

    #[test]
    fn an_indented_fence_counts() {
        assert_eq!(fenced("- item\n  ```tla\n  x\n  ```\n", &["tla"]).trim(), "x");
    }
}
