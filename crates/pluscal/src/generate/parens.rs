//! Whether a value needs parentheses behind `x' = `.
//!
//! The question is asked of the text, roughly: an operator outside of all brackets that may bind no tighter than `=`. Only the first
//! line is looked at, once for each line there is; translations have been laid out by this answer for twenty years.

pub(super) fn needs_parens(lines: &[String]) -> bool {
    let Some(first) = lines.first() else {
        return false;
    };
    let line: Vec<char> = first.chars().collect();
    let mut depth = 0i32;
    (0..lines.len()).any(|_| scan(&line, &mut depth))
}

fn scan(line: &[char], depth: &mut i32) -> bool {
    let mut in_string = false;
    let mut i = 0;
    while i < line.len() {
        let next = line.get(i + 1).copied().unwrap_or(' ');
        if in_string {
            match line[i] {
                '"' => in_string = false,
                '\\' => i += 1,
                _ => {}
            }
            i += 1;
            continue;
        }
        let may_bind_loosely = match line[i] {
            '"' => {
                in_string = true;
                false
            }
            '=' | '#' => true,
            '<' if next == '<' => {
                i += 1;
                *depth += 1;
                false
            }
            '>' if next == '>' => {
                i += 1;
                if *depth == 0 {
                    return true;
                }
                *depth -= 1;
                false
            }
            '<' | '>' => true,
            '|' => next == '-' || i > 0 && line[i - 1] == '-',
            '\\' => !matches!(next, ' ' | 'o' | 'X'),
            '/' => next == '\\',
            '(' | '[' | '{' => {
                *depth += 1;
                false
            }
            ')' | ']' | '}' => {
                if *depth == 0 {
                    return true;
                }
                *depth -= 1;
                false
            }
            _ => false,
        };
        if may_bind_loosely && *depth == 0 {
            return true;
        }
        i += 1;
    }
    in_string
}
