//! Nothing that can be written makes the reader panic, hang or eat all memory.

use std::path::Path;
use std::time::{Duration, Instant};

use alloy_sema::{NoFiles, Options, Resolved, print_model, resolve};
use source::Sources;

fn read(text: &str) -> Resolved {
    let mut sources = Sources::new();
    let resolved = resolve("model.als", text, &NoFiles, &mut sources, Options::default());
    for diagnostic in &resolved.diagnostics {
        diag::render(diagnostic, &sources, diag::Style::Plain);
    }
    resolved
}

/// The codes of all messages, those of commands included.
fn codes(text: &str) -> Vec<&'static str> {
    let resolved = read(text);
    let of_commands = resolved.model.commands.iter().flat_map(|it| &it.errors);
    resolved
        .diagnostics
        .iter()
        .chain(of_commands)
        .map(|it| it.code)
        .collect()
}

/// All models of the Markdown tests and all utility modules.
fn models() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut models: Vec<String> = alloy_library::names()
        .filter_map(alloy_library::module)
        .map(str::to_owned)
        .collect();
    for folder in ["wrong", "meaning"].map(|it| folder.join(it)) {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|it| it.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(path).unwrap();
            let fences = text
                .split("```alloy")
                .skip(1)
                .filter_map(|it| it.split("```").next());
            models.extend(
                fences
                    .filter_map(|it| it.split_once('\n'))
                    .map(|it| it.1.to_owned()),
            );
        }
    }
    models
}

/// A small generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % below.max(1)
    }
}

fn words(text: &str) -> Vec<&str> {
    let mut words = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        words.push(&rest[..length]);
        rest = &rest[length..];
    }
    words
}

#[test]
fn mutilated_models_are_survived() {
    let models = models();
    let all: Vec<Vec<&str>> = models.iter().map(|it| words(it)).collect();
    let mut dice = Dice(1);
    let end = Instant::now() + Duration::from_millis(1_500);
    let mut n_read = 0;
    while Instant::now() < end || n_read < 50 {
        let mut text = all[dice.throw(all.len())].clone();
        for _ in 0..1 + dice.throw(4) {
            let at = dice.throw(text.len());
            let other = &all[dice.throw(all.len())];
            let word = other[dice.throw(other.len())];
            match dice.throw(4) {
                0 if !text.is_empty() => drop(text.remove(at)),
                1 => text.insert(at, word),
                2 if !text.is_empty() => text[at] = word,
                _ => text.truncate(at),
            }
        }
        let text = text.concat();
        let resolved = read(&text);
        if !resolved.has_errors() {
            print_model(&resolved.model);
        }
        n_read += 1;
    }
}

#[test]
fn nesting_ends_in_a_message() {
    let n = 50_000;
    let parens = format!("sig A {{}}\nfact {{ some {}A{} }}", "(".repeat(n), ")".repeat(n));
    let nots = format!("sig A {{}}\nfact {{ {}some A }}", "not ".repeat(n));
    let blocks = format!("sig A {{}}\nfact {}{}", "{".repeat(n), "}".repeat(n));
    let pluses = format!("sig A {{}}\nfact {{ some {} }}", vec!["A"; n].join(" + "));
    let arrows = format!("sig A {{ f: {} }}", vec!["A"; n].join(" -> "));
    for text in [parens, nots, blocks, pluses, arrows] {
        assert!(codes(&text).contains(&"nesting-too-deep"), "{}", &text[..60]);
    }
}

#[test]
fn what_nests_less_is_read() {
    let n = 5_000;
    let parens = format!("sig A {{}}\nfact {{ some {}A{} }}", "(".repeat(n), ")".repeat(n));
    let nots = format!("sig A {{}}\nfact {{ {}some A }}", "not ".repeat(n));
    let blocks = format!("sig A {{}}\nfact {{{} some A {}}}", "{".repeat(n), "}".repeat(n));
    let pluses = format!("sig A {{}}\nfact {{ some {} }}", vec!["A"; n].join(" + "));
    let implications = format!("sig A {{}}\nfact {{ {} }}", vec!["some A"; n].join(" => "));
    let quantifiers: String = (0..n / 3)
        .map(|i| format!("all x{i}: A | x{i} in A implies "))
        .collect();
    let quantifiers = format!("sig A {{}}\nfact {{ {quantifiers} some A }}");
    let sigs: String = (1..n)
        .map(|i| format!("sig S{i} extends S{} {{}}\n", i - 1))
        .collect();
    let sigs = format!("sig S0 {{ f: set S0 }}\n{sigs}fact {{ some S{}.f }}", n - 1);
    for text in [parens, nots, blocks, pluses, implications, quantifiers, sigs] {
        assert_eq!(codes(&text), [""; 0], "{}", &text[..60]);
    }
}

#[test]
fn macros_that_explode_end_in_a_message() {
    let bomb: String = (1..40)
        .map(|i| format!("let f{i}[x] = f{0}[f{0}[x]]\n", i - 1))
        .collect();
    let bomb = format!("sig A {{}}\nlet f0[x] = x + x\n{bomb}fact {{ some f39[A] }}");
    let own = "sig A {}\nlet f = f + f\nfact { some f }";
    for text in [&bomb, own] {
        assert_eq!(codes(text), ["macro-too-deep"]);
    }
}

#[test]
fn a_thousand_errors_are_not_a_thousand_messages() {
    let lines: String = (0..1_000).map(|i| format!("  some unknown{i}\n")).collect();
    let codes = codes(&format!("sig A {{}}\nfact {{\n{lines}}}"));
    assert_eq!(codes.len(), 201);
    assert!(codes.contains(&"too-many-errors"));
}

#[test]
fn modules_that_double_at_each_level_end_in_a_message() {
    struct Doubling;
    impl alloy_sema::Loader for Doubling {
        fn read(&self, path: &str) -> Option<String> {
            let level: u32 = path.strip_prefix('m')?.strip_suffix(".als")?.parse().ok()?;
            let next = level + 1;
            (level < 20).then(|| match level {
                19 => "module m19[X]".to_owned(),
                _ => {
                    let (a, b) = (format!("A{level}"), format!("B{level}"));
                    format!("module m{level}[X]\nopen m{next}[{a}] as a\nopen m{next}[{b}] as b\nsig {a}, {b} {{}}")
                }
            })
        }
    }
    let mut sources = Sources::new();
    let resolved = resolve(
        "root.als",
        "open m0[A]\nsig A {}",
        &Doubling,
        &mut sources,
        Options::default(),
    );
    assert!(
        resolved
            .diagnostics
            .iter()
            .any(|it| it.code == "too-many-modules")
    );
}

#[test]
fn overloads_do_not_multiply() {
    let sigs: String = (0..60).map(|i| format!("sig S{i} {{ f: set S{i} }}\n")).collect();
    let joins = ".f".repeat(40);
    assert_eq!(
        codes(&format!("{sigs}fact {{ all x: S7 | some x{joins} }}")),
        [""; 0]
    );
    let calls = format!("{}x{}", "max[".repeat(40), "]".repeat(40));
    let orders =
        "open util/ordering[A] as a\nopen util/ordering[B] as b\nopen util/ordering[C] as c\nsig A, B, C {}";
    assert_eq!(
        codes(&format!("{orders}\nfact {{ all x: A | some {calls} }}")),
        [""; 0]
    );
}
