//! What is promised to programs is what they get: the fields of `crates/cli/JSON.md`, and the types of the page's `api.ts`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn babbage(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_babbage"));
    command.args(arguments).stdout(Stdio::piped());
    command
}

/// The section of a command in `JSON.md`.
fn section(page: &str, command: &str) -> String {
    let title = format!("## `babbage {command}`");
    let rest = page
        .split(&title)
        .nth(1)
        .unwrap_or_else(|| panic!("a section {title}"));
    rest.split("\n## ").next().unwrap_or(rest).to_owned()
}

/// Every name in quotes that is followed by a colon.
fn promised(section: &str) -> BTreeSet<String> {
    let parts: Vec<&str> = section.split('"').collect();
    let pairs = parts.iter().zip(parts.iter().skip(1));
    let names = pairs
        .enumerate()
        .filter(|(i, (_, after))| i % 2 == 1 && after.starts_with(':'));
    names.map(|(_, (name, _))| (*name).to_owned()).collect()
}

/// The fields that an answer has must be promised, and the other way round: what is promised must be there.
#[track_caller]
fn keeps(command: &str, arguments: &[&str]) {
    let page = read("crates/cli/JSON.md");
    let section = section(&page, command);
    let promised = promised(&section);
    let output = babbage(arguments)
        .args(["--format", "json"])
        .output()
        .expect("babbage runs");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let fields = answer.as_object().expect("an object");
    let missing: Vec<&String> = fields.keys().filter(|it| !promised.contains(*it)).collect();
    assert!(
        missing.is_empty(),
        "JSON.md says nothing of {missing:?} of `babbage {command}`"
    );
    // Those that begin a line, or follow another one, are fields of the answer itself.
    let own = section.lines().filter_map(|it| {
        let indent = it.len() - it.trim_start().len();
        (indent == 4 || indent == 6).then(|| it.trim_start().trim_start_matches('{').trim_start())
    });
    let own = own.filter_map(|it| it.strip_prefix('"')?.split_once("\":"));
    for (name, _) in own {
        assert!(
            fields.contains_key(name),
            "`babbage {command}` has no `{name}`, which JSON.md promises"
        );
    }
}

#[test]
fn the_fields_of_answers_are_those_of_the_page_about_them() {
    keeps("check", &["check", "tictactoe-field", "--max-states", "50"]);
    keeps(
        "solve",
        &["solve", "klotski", "--goal", "board = {}", "--max-states", "50"],
    );
    let game = ["strategy", "connect", "--goal", "Won(\"X\")", "--max-states", "5"];
    keeps("strategy", &game);
}

/// The types that `api.ts` declares.
struct Types {
    interfaces: BTreeMap<String, Vec<(String, String)>>,
    aliases: BTreeMap<String, String>,
}

impl Types {
    fn of(text: &str) -> Types {
        let mut types = Types {
            interfaces: BTreeMap::new(),
            aliases: BTreeMap::new(),
        };
        for part in text.split("export interface ").skip(1) {
            let (name, body) = part.split_once(" {\n").expect("a body");
            let body = body.split("\n}").next().expect("an end");
            let fields = body.lines().map(str::trim).filter(|it| !it.starts_with("/**"));
            let fields = fields.filter_map(|it| it.strip_suffix(';')?.split_once(": "));
            let fields = fields.map(|(name, of)| (name.to_owned(), of.to_owned()));
            types.interfaces.insert(name.to_owned(), fields.collect());
        }
        for part in text.split("export type ").skip(1) {
            let (name, of) = part.split_once(" = ").expect("a type");
            let of = of.split(";\n").next().expect("an end");
            types.aliases.insert(name.to_owned(), of.to_owned());
        }
        types
    }

    /// What is wrong with a value that is to be of a type.
    fn wrong(&self, value: &Value, of: &str, at: &str) -> Option<String> {
        let of = of.trim();
        let no = || Some(format!("{at} is no {of}: {value}"));
        let alternatives = parts(of, " | ");
        if alternatives.len() > 1 {
            let is_one = alternatives.iter().any(|it| self.wrong(value, it, at).is_none());
            return if is_one { None } else { no() };
        }
        if let Some(item) = of.strip_suffix("[]") {
            let Some(items) = value.as_array() else {
                return no();
            };
            let mut items = items.iter().enumerate();
            return items.find_map(|(i, it)| self.wrong(it, item, &format!("{at}[{i}]")));
        }
        if let Some(fields) = of.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            let fields = parts(fields, ";")
                .into_iter()
                .filter_map(|it| it.trim().split_once(": "));
            return self.fields(value, fields, at);
        }
        if let Some(items) = of.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            let n = parts(items, ", ").len();
            return if value.as_array().is_some_and(|it| it.len() == n) {
                None
            } else {
                no()
            };
        }
        let is_it = match of {
            "string" => value.is_string(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            text if text.starts_with('"') => *value == json!(text.trim_matches('"')),
            name => match (self.interfaces.get(name), self.aliases.get(name)) {
                (Some(fields), _) => {
                    let fields = fields.iter().map(|it| (it.0.as_str(), it.1.as_str()));
                    return self.fields(value, fields, at);
                }
                (None, Some(of)) => return self.wrong(value, of, at),
                (None, None) => panic!("api.ts declares no {name}"),
            },
        };
        if is_it { None } else { no() }
    }

    fn fields<'f>(
        &self,
        value: &Value,
        fields: impl Iterator<Item = (&'f str, &'f str)>,
        at: &str,
    ) -> Option<String> {
        let Some(object) = value.as_object() else {
            return Some(format!("{at} is no object: {value}"));
        };
        let mut fields =
            fields.map(
                |(name, of)| match (name.strip_suffix('?'), object.get(name.trim_end_matches('?'))) {
                    (Some(_), None | Some(Value::Null)) => None,
                    (_, Some(value)) => self.wrong(value, of, &format!("{at}.{name}")),
                    (None, None) => Some(format!("{at} has no field `{name}`")),
                },
            );
        fields.find_map(|it| it)
    }
}

/// The parts of a type between separators that stand outside of brackets.
fn parts<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut depth, mut start, mut all) = (0, 0, vec![]);
    for (i, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ if depth == 0 && i >= start && text[i..].starts_with(separator) => {
                all.push(&text[start..i]);
                start = i + separator.len();
            }
            _ => {}
        }
    }
    all.push(&text[start..]);
    all
}

/// What a worker answers to requests, each with the type that its answer is to be of.
fn answers(main: &str, folder: &str, config: Option<&str>, requests: &[(&str, Value)]) {
    let files: Vec<Value> =
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder))
            .expect("a folder of the gallery")
            .map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned())
            .map(|it| json!({ "name": it, "text": read(&format!("{folder}/{it}")) }))
            .collect();
    answers_about(main, &files, config, requests);
}

/// The same for texts that are in no file.
fn answers_about(main: &str, files: &[Value], config: Option<&str>, requests: &[(&str, Value)]) {
    let types = Types::of(&read("crates/web/page/src/api.ts"));
    let mut child = babbage(&["worker", "--memory", "4000000000"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("a worker");
    let mut stdin = child.stdin.take().expect("a pipe");
    for (_, request) in requests {
        let mut request = request.clone();
        request["source"] = json!({ "main": main, "files": files, "config": config });
        writeln!(stdin, "{request}").expect("the worker reads");
    }
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    let said = String::from_utf8(output.stdout).expect("text");
    let lines = said
        .lines()
        .map(|it| serde_json::from_str::<Value>(it).expect("JSON"));
    let (progress, done): (Vec<Value>, Vec<Value>) = lines.partition(|it| it.get("progress").is_some());
    for it in progress {
        assert_eq!(types.wrong(&it["progress"], "Progress", "progress"), None);
    }
    assert!(done.len() >= requests.len(), "{done:?}");
    for ((of, request), it) in requests.iter().zip(&done) {
        assert_eq!(types.wrong(&it["done"], of, "answer"), None, "{request}");
    }
}

#[test]
fn the_page_gets_what_its_types_say() {
    let requests = [
        ("CheckResult", json!({ "do": "check" })),
        ("CheckResult", json!({ "do": "solve", "goal": "1 = 2" })),
        ("GraphResult", json!({ "do": "graph" })),
    ];
    let folder = "specs/tictactoe-strategy";
    answers("TicTacToeStrategy.tla", folder, Some("XHasNotWon.cfg"), &requests);
    let requests = [
        ("Opened", json!({ "do": "open", "watches": ["1 +"] })),
        ("{ position: Position }", json!({ "do": "take", "choice": 0 })),
        (
            "{ position: Position }",
            json!({ "do": "watch", "expr": "ENABLED (1 = 1)" }),
        ),
        (
            "{ position: Position; entries: Entry[] }",
            json!({ "do": "restart" }),
        ),
    ];
    let folder = "specs/tictactoe-rules";
    answers("TicTacToeRules.tla", folder, Some("WithoutBlock.cfg"), &requests);
    let requests = [
        ("CheckResult", json!({ "do": "check" })),
        ("Opened", json!({ "do": "open" })),
        ("{ position: Position }", json!({ "do": "take", "choice": 0 })),
    ];
    answers("tictactoe.md", "specs/tictactoe-alloy", None, &requests);
    let algorithm = "---- MODULE Await ----\n(* --algorithm Await { variables n = 0; process (p \\in {1, 2}) {\n\
        a: n := n + 1;\n b: await n = 1; n := 7; } } *)\n====\n";
    let files =
        [json!({ "name": "Await.tla", "text": algorithm.replacen("----\n", "----\nEXTENDS Naturals\n", 1) })];
    let requests = [
        ("CheckResult", json!({ "do": "check" })),
        ("Opened", json!({ "do": "open" })),
        ("{ position: Position }", json!({ "do": "take", "choice": 0 })),
        ("{ position: Position }", json!({ "do": "take", "choice": 1 })),
    ];
    answers_about("Await.tla", &files, None, &requests);
    let wrong = Types::of(&read("crates/web/page/src/api.ts"));
    let piece = json!({ "text": "X", "piece": "1", "changed": true });
    assert!(wrong.wrong(&piece, "Cell", "cell").is_some());
}
