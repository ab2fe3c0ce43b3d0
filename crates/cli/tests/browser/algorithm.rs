//! An algorithm on the page: its text with its processes in it, steps by clicks on them, a race that is found.

use std::path::PathBuf;

use crate::support::{Browser, Server};

const RACE: &str = r#"---- MODULE Race ----
EXTENDS Integers
(*
--algorithm Race
variables count = 0; free = TRUE;
define
  Counted == (\A w \in 1..2 : pc[w] = "Done") => count = 2
end define;
process worker \in 1..2
variables seen = 0;
begin
  read:  seen := count;
  write: count := seen + 1;
end process;
process auditor = 3
begin
  look:  await count = 2;
end process;
end algorithm
*)
====
"#;

/// A folder with the algorithm, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("babbage-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        std::fs::write(path.join("Race.tla"), RACE).expect("a file");
        let config = "SPECIFICATION Spec\nINVARIANT Counted\nCHECK_DEADLOCK FALSE\n";
        std::fs::write(path.join("Race.cfg"), config).expect("a file");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_race_by_clicks_on_processes() {
    let folder = Folder::new("clicks");
    let path = folder.0.join("Race.tla");
    let server = Server::start(&["serve", path.to_str().expect("a UTF-8 path")]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    browser.open(&server, "");
    browser.until("document.querySelectorAll('.process-mark').length === 3");
    let line = |name: &str| {
        let mark = format!(".process-mark[data-process=\"{name}\"]");
        browser.value(&format!(
            "document.querySelector('{mark}')?.closest('li').dataset.line ?? null"
        ))
    };
    assert_eq!(line("worker(1)"), "12");
    assert_eq!(line("auditor"), "17");
    // Steps stand below the process whose steps they are, and one that cannot go on says why.
    let groups = "[...document.querySelectorAll('.step-group[data-process] .process-head b')].map((it) => it.innerText).join()";
    assert_eq!(browser.value(groups), "worker(1),worker(2),auditor");
    assert!(
        browser
            .text(".process-head.waits")
            .contains("`await count = 2` (line 17) is false")
    );
    for (process, n, next) in [
        ("worker(1)", 2, "13"),
        ("worker(2)", 3, "13"),
        ("worker(1)", 4, ""),
        ("worker(2)", 5, ""),
    ] {
        browser.until(&format!(
            "document.querySelector('.process-mark.open[data-process=\"{process}\"]')"
        ));
        browser.click(&format!(".process-mark.open[data-process=\"{process}\"]"));
        browser.until(&format!(
            "document.querySelector('#place').innerText.startsWith('{n}')"
        ));
        match next {
            "" => browser.until(&format!(
                "!document.querySelector('.process-mark[data-process=\"{process}\"]')"
            )),
            next => assert_eq!(line(process), next),
        }
        if n == 3 {
            browser.picture("race-desktop");
        }
    }
    // Both have counted, and one of the counts is lost.
    browser.until("document.querySelector('#banner.bad')");
    assert!(browser.text("#banner").contains("Counted"));
    // Nothing of the translation is to be seen.
    let seen = browser.text("main");
    assert!(seen.contains("worker(2): write -> Done"), "{seen}");
    for word in ["pc", "pc[", "self", "worker(self", "Terminating"] {
        let has_word = seen.split_whitespace().any(|it| it == word);
        assert!(!has_word, "{word} in {seen}");
    }
    // The processes are a table, each with its line.
    let table = browser.text("[data-variable=processes] table");
    assert!(
        table.contains("worker(1)") && table.contains("Done") && table.contains("17"),
        "{table}"
    );
    browser.end();
}

#[test]
fn a_check_finds_the_race() {
    let folder = Folder::new("check");
    let path = folder.0.join("Race.tla");
    let server = Server::start(&["serve", path.to_str().expect("a UTF-8 path")]);
    for (name, width, height) in [("desktop", 1280, 1040), ("phone", 390, 844)] {
        let Some(browser) = Browser::start(width, height) else {
            return;
        };
        browser.open(&server, "");
        browser.until("document.querySelector('#start-check:not(:disabled)') && document.querySelector('.process-mark')");
        browser.click("#start-check");
        browser.until("document.querySelector('#banner.bad')");
        browser.until("document.querySelectorAll('.moment').length === 5");
        assert!(browser.text(".timeline").contains("worker(1): read -> write"));
        let wider =
            browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(wider, 0, "an algorithm is too wide for a {name}");
        browser.value("document.querySelector('.stage')?.scrollIntoView()");
        browser.picture(&format!("race-found-{name}"));
        browser.end();
    }
}
