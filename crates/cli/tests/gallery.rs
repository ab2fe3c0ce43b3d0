//! What programs read of the specifications of the gallery, field by field: `--format json` of each command, and the answers
//! that the page gets. Times, memory and how much was audited depend on the machine and are masked.
//!
//! `UPDATE_EXPECT=1` writes the recorded answers anew.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use expect_test::expect_file;
use serde_json::{Value, json};

/// Fields whose values depend on the machine; those in it stay, but not what they are.
const MASKED: &[&str] = &[
    "seconds",
    "translate",
    "solve",
    "memory",
    "expanded",
    "inspected",
    "marked",
    "undecided",
];

fn masked(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, it)| {
                let is_number = MASKED.contains(&name.as_str()) && it.is_number();
                (name.clone(), if is_number { json!("…") } else { masked(it) })
            });
            Value::Object(fields.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(masked).collect()),
        other => other.clone(),
    }
}

/// One line for each field, and for each field or item of large ones.
fn lines(value: &Value, depth: usize, text: &mut String) {
    /// What fits into a line is not taken apart.
    const WIDTH_MAX: usize = 100;
    /// Nor is what lies deeper.
    const DEPTH_MAX: usize = 5;
    let compact = value.to_string();
    let pad = "  ".repeat(depth + 1);
    match value {
        _ if compact.len() <= WIDTH_MAX || depth >= DEPTH_MAX => *text += &compact,
        Value::Object(fields) => {
            *text += "{\n";
            for (i, (name, it)) in fields.iter().enumerate() {
                *text += &format!("{pad}{}: ", json!(name));
                lines(it, depth + 1, text);
                *text += if i + 1 < fields.len() { ",\n" } else { "\n" };
            }
            *text += &format!("{}}}", "  ".repeat(depth));
        }
        Value::Array(items) => {
            *text += "[\n";
            for (i, it) in items.iter().enumerate() {
                *text += &pad;
                lines(it, depth + 1, text);
                *text += if i + 1 < items.len() { ",\n" } else { "\n" };
            }
            *text += &format!("{}]", "  ".repeat(depth));
        }
        _ => *text += &compact,
    }
}

fn written(name: &str, answers: &[(String, Value)]) {
    let mut text = String::new();
    for (question, answer) in answers {
        text += &format!("// {question}\n");
        lines(&masked(answer), 0, &mut text);
        text += "\n\n";
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/gallery/{name}.txt"));
    expect_file![file].assert_eq(&text);
}

/// What commands print, each given as one line of arguments, with their exit status.
fn recorded(name: &str, commands: &[&str]) {
    let answers = commands.iter().map(|line| {
        let mut arguments: Vec<String> = vec![];
        // Quotes are enough of a shell.
        for (i, part) in line.split('\'').enumerate() {
            match i % 2 {
                0 => arguments.extend(part.split_whitespace().map(str::to_owned)),
                _ => arguments.push(part.to_owned()),
            }
        }
        let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
            .args(&arguments)
            .args(["--format", "json"])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .output()
            .expect("babbage runs");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        let status = output.status.code().unwrap_or(-1);
        (format!("{line}  -> {status}"), answer)
    });
    written(name, &answers.collect::<Vec<_>>());
}

/// What a worker of the page answers to requests about a specification of the gallery.
fn asked(name: &str, main: &str, config: Option<&str>, requests: &[Value]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let folder = root.join(name);
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder of the gallery")
        .map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let files: Vec<Value> = names
        .iter()
        .map(|it| json!({ "name": it, "text": std::fs::read_to_string(folder.join(it)).expect("text") }))
        .collect();
    let source = json!({ "main": main, "files": files, "config": config });
    let mut child = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(["worker", "--memory", "4000000000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a worker");
    let mut stdin = child.stdin.take().expect("a pipe");
    for request in requests {
        let mut request = request.clone();
        // A session has its source already.
        if request["do"] == "open" || request["alone"] == true {
            request["source"] = source.clone();
        }
        writeln!(stdin, "{request}").expect("the worker reads");
    }
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    let said = String::from_utf8(output.stdout).expect("text");
    let lines = said
        .lines()
        .map(|it| serde_json::from_str::<Value>(it).expect("JSON"));
    // How often progress is told depends on the machine.
    let answers: Vec<Value> = lines.filter(|it| it.get("progress").is_none()).collect();
    assert!(answers.len() >= requests.len(), "{answers:?}");
    let asked = requests.iter().map(Value::to_string);
    let told: Vec<(String, Value)> = asked.zip(answers).collect();
    written(&format!("page-{name}"), &told);
}

#[test]
fn a_fixed_strategy() {
    recorded(
        "tictactoe-strategy",
        &[
            "check tictactoe-strategy --workers 1",
            "check tictactoe-strategy --workers 1 --config XHasNotWon.cfg",
            "check tictactoe-strategy --workers 1 --config NotStalemate.cfg --coverage",
            "check tictactoe-strategy --workers 1 --reference --config XHasNotWon.cfg",
            "simulate tictactoe-strategy --seed 3 --traces 2",
            "parse tictactoe-strategy",
        ],
    );
}

#[test]
fn seven_rules() {
    recorded(
        "tictactoe-rules",
        &[
            "check tictactoe-rules --workers 1",
            "check tictactoe-rules --workers 1 --config AsWritten.cfg",
            "check tictactoe-rules --workers 1 --config ByHand.cfg",
            "check tictactoe-rules --workers 1 --config WithoutBlock.cfg",
            "check tictactoe-rules --workers 1 --theorems",
            "rules tictactoe-rules",
            "check tictactoe-rules --workers 1 --without NoSuchRule",
            "parse tictactoe-rules",
        ],
    );
}

#[test]
fn a_board_of_marks() {
    recorded(
        "tictactoe-field",
        &[
            "check tictactoe-field --workers 1",
            "check tictactoe-field --workers 1 --config GameEnded.cfg",
            "check tictactoe-field --workers 1 --max-states 100",
            "solve tictactoe-field --workers 1 --goal '~ENABLED Next' --count",
            "parse tictactoe-field",
        ],
    );
}

#[test]
fn a_puzzle() {
    recorded(
        "klotski",
        &[
            "check klotski --workers 1 --config KlotskiUnsolved.cfg --max-states 3000",
            "solve klotski --workers 1 --goal '<<1, 0>> \\notin UNION board' --count --all 2",
            "check klotski --workers 1 --max-states 500 --invariant '<<1, 3>> \\in UNION board' --invariant TypeOK",
            "check klotski --workers 1 --invariant '{} \\in bord' --property '[]bord'",
            "check klotski --workers 1 --invariant 'board ='",
            "check klotski --workers 1 --spec 'Init /\\ [][FALSE]_board' --invariant '\\A p \\in board : p # {}'",
            "check klotski --workers 1 --property '<>(board = {})' --max-states 50",
            "eval '{1, 2} \\cup 2..4' --in klotski",
            "eval 'Cardinalty({1})' --in klotski",
            "eval 'board' --in klotski",
            "eval '1 + TRUE'",
            "eval 'Cardinality({1, 2})'",
            "parse klotski",
        ],
    );
}

#[test]
fn in_a_row() {
    recorded(
        "connect",
        &[
            "check connect --workers 1 --max-states 2000",
            "check connect --workers 1 --constant 'M = 2' --constant 'N = 1 + 1' --constant 'K = 2' --invariant Draw",
            "strategy connect --constant 'M = 3' --constant 'N = 2' --constant 'K = 2' --outcome 'X=Won(\"X\")' --outcome 'O=Won(\"O\")'",
            "parse connect",
        ],
    );
}

#[test]
fn boards_in_alloy() {
    recorded(
        "tictactoe-alloy",
        &[
            "check tictactoe-alloy",
            "check tictactoe-alloy --command nothing",
            "check tictactoe-alloy --reference",
            "eval '#Board' --in tictactoe-alloy",
            "eval '#Bored' --in tictactoe-alloy",
            "parse tictactoe-alloy",
            "solve tictactoe-alloy --goal x",
        ],
    );
}

#[test]
fn the_page_asks_for_a_fixed_strategy() {
    asked(
        "tictactoe-strategy",
        "TicTacToeStrategy.tla",
        Some("XHasNotWon.cfg"),
        &[
            json!({ "do": "diagnose", "alone": true }),
            json!({ "do": "check", "alone": true }),
            json!({ "do": "open", "path": [0, 0, 0], "at": 1, "watches": ["1 +", "board"] }),
            json!({ "do": "take", "choice": 0 }),
            json!({ "do": "take", "choice": 77 }),
            json!({ "do": "go", "index": 0 }),
            json!({ "do": "watch", "expr": "ENABLED Next" }),
            json!({ "do": "watch", "expr": "[]TRUE" }),
            json!({ "do": "follow", "path": [0, 0, 1, 0] }),
            json!({ "do": "restart" }),
        ],
    );
}

#[test]
fn the_page_asks_for_seven_rules() {
    asked(
        "tictactoe-rules",
        "TicTacToeRules.tla",
        Some("TicTacToeRules.cfg"),
        &[
            json!({ "do": "rules", "alone": true }),
            json!({ "do": "check", "alone": true }),
            json!({ "do": "graph", "alone": true }),
            json!({ "do": "open" }),
            json!({ "do": "take", "choice": 0 }),
        ],
    );
}

#[test]
fn the_page_asks_for_a_puzzle() {
    asked(
        "klotski",
        "Klotski.tla",
        Some("Klotski.cfg"),
        &[
            json!({ "do": "solve", "alone": true, "goal": "<<1, 0>> \\notin UNION board" }),
            json!({ "do": "open", "path": [0, 1] }),
            json!({ "do": "take", "choice": 1 }),
        ],
    );
}

#[test]
fn the_page_asks_for_boards_in_alloy() {
    asked(
        "tictactoe-alloy",
        "tictactoe.md",
        None,
        &[
            json!({ "do": "diagnose", "alone": true }),
            json!({ "do": "check", "alone": true }),
            json!({ "do": "open" }),
            json!({ "do": "take", "choice": 0 }),
        ],
    );
}
