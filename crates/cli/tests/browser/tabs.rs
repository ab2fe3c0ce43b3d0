//! Several tabs, and what is left when one is closed.

use std::time::{Duration, Instant};

use crate::support::{Browser, PATIENCE, Server};

#[test]
fn two_tabs_do_not_disturb_each_other() {
    let server = Server::start(&["serve"]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    let first = browser.tab();
    browser.open(&server, "#spec=tictactoe-field");
    browser.until("document.querySelector('.step')");
    let second = browser.new_tab();
    browser.switch_to(&second);
    browser.open(&server, "#spec=tictactoe-field");
    browser.until("document.querySelector('.step')");
    browser.click(".step");
    browser.until("document.querySelector('#place').innerText.startsWith('2')");
    browser.switch_to(&first);
    assert!(browser.text("#place").starts_with('1'));
    browser.click("li:last-child > .step");
    browser.until("document.querySelector('#place').innerText.startsWith('2')");
    let boards = "[...document.querySelectorAll('.cell')].map((it) => it.dataset.text).join()";
    let here = browser.value(boards);
    // A link shows to others what one sees oneself.
    let link = browser.value("location.href");
    browser.switch_to(&second);
    assert!(browser.text("#place").starts_with('2'));
    assert_ne!(browser.value(boards), here);
    browser.go(link.as_str().expect("a link"));
    browser.until("document.querySelector('#place')?.innerText.startsWith('2')");
    assert_eq!(browser.value(boards), here);
    browser.end();
}

/// Has no end that anybody would wait for.
const COUNTER: &str =
    "---- MODULE Lamp ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\n====\n";

#[test]
fn closing_the_page_ends_its_work() {
    let server = Server::start(&["serve"]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    let first = browser.tab();
    browser.open(&server, "");
    browser.until("document.querySelector('#write-own')");
    let second = browser.new_tab();
    browser.switch_to(&second);
    browser.open(&server, "");
    browser.until("document.querySelector('#write-own')");
    browser.click("#write-own");
    browser.until("document.querySelector('#editor')?.editor");
    browser.script(&format!(
        "const {{ editor }} = document.querySelector('#editor');
             editor.dispatch({{ changes: {{ from: 0, to: editor.state.doc.length, insert: {} }} }});",
        serde_json::json!(COUNTER)
    ));
    browser.click("#config");
    browser.script("const it = document.querySelector('#config'); it.value = ''; it.dispatchEvent(new Event('change', { bubbles: true }));");
    browser.until("document.querySelector('#start-check:not(:disabled)') && document.querySelector('.step')");
    browser.click("#start-check");
    browser.until("document.querySelector('#start-check-stop')");
    browser.until("document.querySelector('#check .busy').innerText.includes('states')");
    let working = server.n_workers();
    assert!(
        working.is_none_or(|it| it >= 2),
        "a session and a check: {working:?}"
    );
    // The button stops the check alone.
    browser.click("#start-check-stop");
    browser.until("document.querySelector('#check .problem')?.innerText === 'Stopped.'");
    browser.click("#start-check");
    browser.until("document.querySelector('#check .busy')?.innerText.includes('states')");
    browser.close_tab();
    browser.switch_to(&first);
    let start = Instant::now();
    while server.n_workers().is_some_and(|it| it > 0) {
        assert!(
            start.elapsed() < PATIENCE,
            "{:?} workers are left",
            server.n_workers()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    browser.end();
}
