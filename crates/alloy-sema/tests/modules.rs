//! Where opened modules are looked for, and which instances there are.

use std::cell::RefCell;

use alloy_sema::{Loader, Options, Resolved, resolve};
use source::Sources;

/// Files in memory, and the paths that were asked for.
struct Memory {
    files: Vec<(&'static str, &'static str)>,
    asked: RefCell<Vec<String>>,
}

impl Loader for Memory {
    fn read(&self, path: &str) -> Option<String> {
        self.asked.borrow_mut().push(path.to_owned());
        self.files
            .iter()
            .find(|it| it.0 == path)
            .map(|it| it.1.to_owned())
    }
}

#[track_caller]
fn read(files: &[(&'static str, &'static str)]) -> (Resolved, Vec<String>) {
    let memory = Memory {
        files: files.to_vec(),
        asked: RefCell::default(),
    };
    let (path, text) = files[0];
    let mut sources = Sources::new();
    let resolved = resolve(path, text, &memory, &mut sources, Options::default());
    for diagnostic in &resolved.diagnostics {
        assert!(
            !diagnostic.is_error(),
            "{}",
            diag::render(diagnostic, &sources, diag::Style::Plain)
        );
    }
    (resolved, memory.asked.into_inner())
}

fn names(resolved: &Resolved) -> Vec<&str> {
    resolved
        .model
        .sigs
        .iter()
        .skip(5)
        .map(|it| it.1.label.as_str())
        .collect()
}

#[test]
fn beside_the_file_that_opens() {
    let (resolved, _) = read(&[
        ("dir/a.als", "open b open sub/c sig A {}"),
        ("dir/b.als", "sig B {}"),
        ("dir/sub/c.als", "sig C {}"),
    ]);
    assert_eq!(names(&resolved), ["this/A", "b/B", "c/C"]);
}

#[test]
fn from_the_root_that_the_module_name_tells() {
    let files = [
        ("dir/x/y/a.als", "module x/y/a open x/y/b open z/c"),
        ("dir/x/y/b.als", "module x/y/b open x/d sig B {}"),
        ("dir/z/c.als", "sig C {}"),
        ("dir/x/d.als", "sig D {}"),
    ];
    let (resolved, _) = read(&files);
    assert_eq!(names(&resolved), ["b/B", "c/C", "b/d/D"]);
}

#[test]
fn above_a_relative_path() {
    let (resolved, _) = read(&[("a.als", "module x/a open z/b"), ("../z/b.als", "sig B {}")]);
    assert_eq!(names(&resolved), ["b/B"]);
}

#[test]
fn markdown_is_opened_too() {
    let (resolved, _) = read(&[
        ("a.md", "# Title\n```alloy\nopen b\n```\n"),
        ("b.md", "text\n```alloy\nsig B {}\n```\n"),
    ]);
    assert_eq!(names(&resolved), ["b/B"]);
}

#[test]
fn own_files_come_before_utility_modules() {
    let (resolved, _) = read(&[
        ("a.als", "open util/ordering[A] sig A {}"),
        ("util/ordering.als", "module util/ordering[e] sig Own {}"),
    ]);
    assert_eq!(names(&resolved), ["this/A", "ordering/Own"]);
    // A file that is util/integer itself does not open itself.
    read(&[(
        "util/integer.als",
        "module util/integer fun one_more[n: Int]: Int { n fun/add 1 }",
    )]);
    read(&[
        ("a.als", "run { 1.one_more = 2 }"),
        ("util/integer.als", "fun one_more[n: Int]: Int { n fun/add 1 }"),
    ]);
}

#[test]
fn each_file_is_read_once() {
    let files = [
        ("a.als", "open b[A] as b1 open b[B] as b2 open c sig A, B {}"),
        ("b.als", "module b[X] open c sig D { f: set X }"),
        ("c.als", "sig C {}"),
    ];
    let (resolved, asked) = read(&files);
    assert_eq!(names(&resolved), ["this/A", "this/B", "c/C", "b1/D", "b2/D"]);
    for path in ["b.als", "c.als", "util/integer.als"] {
        let times = asked.iter().filter(|it| *it == path).count();
        assert!(times <= 3, "{path} was asked for {times} times");
    }
}

#[test]
fn parameters_of_the_root_are_signatures() {
    let (resolved, _) = read(&[("a.als", "module a[exactly X, Y] sig A { f: X -> Y } run {} for 4")]);
    assert_eq!(names(&resolved), ["this/A", "this/X", "this/Y"]);
    let scopes = &resolved.model.commands[0].scope.sigs;
    assert_eq!(
        scopes.iter().map(|it| it.is_exact).collect::<Vec<_>>(),
        [false, true, false]
    );
}
