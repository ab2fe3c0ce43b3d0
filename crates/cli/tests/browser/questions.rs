//! Questions: solve, check, switch a rule, mistype.

use crate::support::{Browser, Server};

#[test]
fn klotski_is_solved_and_reaches_its_goal() {
    let server = Server::start(&["serve"]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    browser.open(&server, "#spec=klotski");
    browser.until("document.querySelector('#start-solve')");
    browser.type_into("#goal", "KlotskiGoal");
    browser.click("#start-solve");
    browser.until("document.querySelector('#solve .outcome')");
    assert!(
        browser.text("#solve .headline").contains("116 steps"),
        "{}",
        browser.text("#solve")
    );
    // The playback has begun by itself; half-way it still goes on.
    browser.until("Number(document.querySelector('#scrub').value) >= 58");
    browser.picture("klotski");
    browser.until("Number(document.querySelector('#scrub').value) === 116");
    browser.until("document.querySelector('#banner.good')");
    let big = "[3, 4].every((row) => [1, 2].every((column) => document.querySelector(`.cell[data-row='${row}'][data-column='${column}']`).dataset.text === 'B'))";
    assert_eq!(
        browser.value(big),
        true,
        "the big piece is in the middle of the bottom"
    );
    // A piece can be moved by a click here too.
    browser.until("document.querySelector('.cell.open')");
    // The link leads others to the same state, on their phones too.
    browser.script("const it = document.querySelector('#scrub'); it.value = 58; it.dispatchEvent(new Event('input', { bubbles: true }))");
    browser.until("location.hash.includes('at=58')");
    let link = browser.value("location.hash");
    browser.end();
    let Some(phone) = Browser::start(390, 844) else {
        return;
    };
    phone.open(&server, link.as_str().expect("a link"));
    phone.until("document.querySelectorAll('.moment').length === 117 && document.querySelector('#scrub').value === '58'");
    phone.picture("klotski-phone");
    phone.end();
}

#[test]
fn a_piece_is_dragged() {
    let server = Server::start(&["serve"]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    browser.open(&server, "#spec=klotski");
    browser.until("document.querySelector('.cell.open')");
    // The single square above the hole goes down, by a drag of half a square.
    let dragged = browser
        .script(
            "const cell = document.querySelector(`.cell[data-row='3'][data-column='1']`);
             const box = cell.getBoundingClientRect();
             const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
             const send = (type, x, y) => cell.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId: 1, clientX: x, clientY: y }));
             cell.setPointerCapture = () => {};
             send('pointerdown', x, y);
             return [x, y, box.height];",
        )
        ;
    let at = |i: usize| dragged[i].as_f64().expect("a number");
    let (x, y, height) = (at(0), at(1), at(2));
    let send = |kind: &str, y: f64| {
        format!(
            "document.querySelector(`.cell[data-row='3'][data-column='1']`).dispatchEvent(new PointerEvent('{kind}', {{ bubbles: true, button: 0, pointerId: 1, clientX: {x}, clientY: {y} }}))"
        )
    };
    browser.value(&send("pointermove", y + height * 0.6));
    browser.until("document.querySelector('.piece-box.dragged')");
    browser.value(&send("pointerup", y + height * 0.6));
    browser.until("document.querySelector(`.cell[data-row='4'][data-column='1']`).dataset.text === 'G'");
    assert!(browser.text("#place").starts_with('2'));
    browser.end();
}

#[test]
fn a_counterexample_is_loaded_into_the_timeline() {
    let server = Server::start(&["serve"]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    browser.open(&server, "#spec=tictactoe-strategy&config=XHasNotWon.cfg");
    browser.until("document.querySelector('#start-check:not(:disabled)')");
    browser.click("#start-check");
    browser.until("document.querySelector('#outcome-violated')");
    assert!(
        browser
            .text("#check .headline")
            .contains("XHasNotWon is violated after 5 steps")
    );
    browser.until("document.querySelector('#place').innerText.replace(/\\s/g, '') === '6/6'");
    browser.until("document.querySelector('[data-property=XHasNotWon][data-truth=false]')");
    assert_eq!(
        browser.value("document.querySelectorAll('.moment.bad').length"),
        1
    );
    // What holds is said to hold.
    browser.open(&server, "#spec=tictactoe-strategy");
    browser.until("document.querySelector('#start-check:not(:disabled)')");
    browser.click("#start-check");
    browser.until("document.querySelector('#outcome-holds')");
    assert!(
        browser.text("#check").contains("871 states"),
        "{}",
        browser.text("#check")
    );
    browser.end();
}

#[test]
fn without_rule_5_always_draw_is_false() {
    let server = Server::start(&["serve"]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    browser.open(&server, "#spec=tictactoe-rules");
    browser.until("document.querySelectorAll('[data-rule]').length === 7");
    let verdict =
        |is: &str| format!("document.querySelector('#rules [data-property=AlwaysDraw][data-verdict={is}]')");
    browser.until(&verdict("holds"));
    browser.click("label:has([data-rule=BlockOpponentFromWinning]) .slider");
    browser.until(&verdict("violated"));
    browser.until("!document.querySelector('[data-rule=BlockOpponentFromWinning]').checked");
    assert!(
        browser.text("#rules").contains("false after 5 steps"),
        "{}",
        browser.text("#rules")
    );
    browser.picture("rules");
    // And on again.
    browser.click("label:has([data-rule=BlockOpponentFromWinning]) .slider");
    browser.until(&verdict("holds"));
    browser.end();
}

#[test]
fn a_mistake_is_told_as_one_types() {
    let server = Server::start(&["serve"]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    browser.open(&server, "#spec=tictactoe-strategy&view=spec");
    browser.until("document.querySelector('#problems .good')");
    let end_of_line = "const { editor } = document.querySelector('#editor');
         const at = editor.state.doc.toString().indexOf('nextTurn = \"X\"') + 'nextTurn'.length;
         editor.dispatch({ selection: { anchor: at } });
         editor.focus();";
    browser.script(end_of_line);
    browser.type_into(".cm-content", "s");
    browser.until("document.querySelector('#problems [data-code=unbound-name]')");
    let told = browser.text("#problems");
    assert!(
        told.contains("`nextTurns` is not declared") && told.contains("nextTurn"),
        "{told}"
    );
    browser.until("document.querySelector('.cm-lintRange-error, .cm-lint-marker-error')");
    browser.picture("editor");
    // The text without the mistake can be played again.
    browser.type_into(".cm-content", "\u{e003}");
    browser.until("document.querySelector('#problems .good')");
    browser.click("#use-text");
    browser.click("#view-board");
    browser.until("document.querySelector('.cell.open')");
    browser.end();
}

#[test]
fn an_expression_is_watched_and_the_graph_drawn() {
    let server = Server::start(&["serve"]);
    let Some(browser) = Browser::start(1280, 1040) else {
        return;
    };
    browser.open(&server, "#spec=tictactoe-rules");
    browser.until("document.querySelector('#watch')");
    browser.type_into("#watch", "turn + 40\u{e007}");
    browser.until("document.querySelector('.watch-value')?.innerText === '40'");
    browser.script("document.querySelector('.step').click()");
    browser.until("document.querySelector('.watch-value')?.innerText === '41'");
    browser.click("#view-graph");
    browser.until("document.querySelectorAll('.node').length === 62");
    browser.end();
}
