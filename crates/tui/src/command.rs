//! What a player can say, typed on a line; keys say the same.

/// Something to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A step, by its number from 1.
    Take(usize),
    /// The step that changes a cell, by row and column.
    Cell(i64, i64),
    /// A step by its name.
    Named(String),
    Undo,
    Redo,
    /// A state of the trace, from 1.
    GoTo(usize),
    Restart,
    /// So many steps of the machine.
    Machine(usize),
    Hint(Option<String>),
    /// Lays the whole way out.
    Solve(Option<String>),
    /// Only steps with this text.
    Search(String),
    /// Watches an expression.
    Pin(String),
    Unpin(usize),
    Write(String),
    /// The state again.
    Show,
    Trace,
    NextInstance,
    Help,
    Quit,
}

pub const HELP: &str = "\
N            take step number N          c ROW COL   take the step that changes a cell
NAME         take the step called so     m [N]       let the machine move (N times)
u  r         undo, redo                  s [GOAL]    a hint: the first step of the shortest way to GOAL
g N          go to state N               S [GOAL]    lay the whole way out; r takes its steps
x            begin again                 p EXPR      pin an expression; unpin N
/TEXT        list steps with TEXT        w FILE      write the trace: .txt .md .json .itf.json .html .svg .dot
l  t         the state, the trace        n           Alloy: the next instance
?            this                        q           quit
";

impl Command {
    /// Reads a line; nothing for an empty one.
    pub fn parse(line: &str) -> Result<Option<Command>, String> {
        let line = line.trim();
        if let Some(text) = line.strip_prefix('/') {
            return Ok(Some(Command::Search(text.trim().to_owned())));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let number = |what: &str| -> Result<usize, String> {
            rest.parse()
                .map_err(|_| format!("`{word}` needs {what}, a number"))
        };
        let expr = || (!rest.is_empty()).then(|| rest.to_owned());
        Ok(Some(match word {
            "" => return Ok(None),
            "u" | "undo" => Command::Undo,
            "r" | "redo" => Command::Redo,
            "g" | "goto" => Command::GoTo(number("a state")?),
            "x" | "restart" => Command::Restart,
            "m" | "machine" if rest.is_empty() => Command::Machine(1),
            "m" | "machine" => Command::Machine(number("how many steps")?),
            "s" | "hint" => Command::Hint(expr()),
            "S" | "solve" => Command::Solve(expr()),
            "p" | "pin" => Command::Pin(expr().ok_or("`p` needs an expression")?),
            "unpin" => Command::Unpin(number("what to unpin")?),
            "w" | "write" => Command::Write(expr().ok_or("`w` needs the name of a file")?),
            "c" | "cell" => cell(rest)?,
            "l" | "show" => Command::Show,
            "t" | "trace" => Command::Trace,
            "n" | "next" => Command::NextInstance,
            "?" | "help" => Command::Help,
            "q" | "quit" | "exit" => Command::Quit,
            _ => match line.parse() {
                Ok(number) => Command::Take(number),
                Err(_) => Command::Named(line.to_owned()),
            },
        }))
    }
}

fn cell(text: &str) -> Result<Command, String> {
    let numbers: Result<Vec<i64>, _> = text
        .split([',', ' '])
        .filter(|it| !it.is_empty())
        .map(str::parse)
        .collect();
    match numbers.as_deref() {
        Ok([row, column]) => Ok(Command::Cell(*row, *column)),
        _ => Err("`c` needs a row and a column".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands() {
        let read = |line: &str| Command::parse(line);
        assert_eq!(read("  "), Ok(None));
        assert_eq!(read("12"), Ok(Some(Command::Take(12))));
        assert_eq!(read("c 1, 2"), Ok(Some(Command::Cell(1, 2))));
        assert_eq!(read("s x = 3"), Ok(Some(Command::Hint(Some("x = 3".to_owned())))));
        assert_eq!(
            read("MoveO(i = 1)"),
            Ok(Some(Command::Named("MoveO(i = 1)".to_owned())))
        );
        assert!(read("g").is_err() && read("c 1").is_err() && read("p").is_err());
    }
}
