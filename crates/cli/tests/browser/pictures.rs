//! Every screen, as a picture, when `BABBAGE_PICTURES` names a folder; in any case, that it fits a phone.

use crate::support::{Browser, Server};

/// Where each screen is found, and what must be there before it is one.
const SCREENS: [(&str, &str, &str); 5] = [
    (
        "gallery",
        "",
        "document.querySelectorAll('.card svg').length >= 5",
    ),
    (
        "tictactoe",
        "#spec=tictactoe-strategy&you=MoveO&path=0.0.4.0.1",
        "document.querySelectorAll('.moment').length >= 4",
    ),
    (
        "counterexample",
        "#spec=tictactoe-strategy&config=XHasNotWon.cfg",
        "document.querySelector('#start-check:not(:disabled)')",
    ),
    (
        "rules",
        "#spec=tictactoe-rules&without=BlockOpponentFromWinning",
        "document.querySelector('#rules [data-property=AlwaysDraw][data-verdict=violated]')",
    ),
    (
        "graph",
        "#spec=tictactoe-rules&view=graph",
        "document.querySelectorAll('.node').length === 62",
    ),
];

#[test]
fn every_screen_fits() {
    let server = Server::start(&["serve"]);
    for (name, width, height) in [("desktop", 1280, 1000), ("phone", 390, 844)] {
        let Some(browser) = Browser::start(width, height) else {
            return;
        };
        for (screen, hash, ready) in SCREENS {
            browser.open(&server, hash);
            browser.until(ready);
            if screen == "counterexample" {
                browser.click("#start-check");
                browser.until("document.querySelector('#banner.bad')");
            }
            let wider =
                browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(wider, 0, "{screen} is too wide for a {name}");
            let part = format!(
                "document.querySelector({:?})?.scrollIntoView()",
                if screen == "rules" && name == "phone" {
                    "#rules"
                } else {
                    ".stage"
                }
            );
            browser.value(&part);
            browser.picture(&format!("{screen}-{name}"));
        }
        browser.end();
    }
}
