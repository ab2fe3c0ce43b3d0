//! A small story in each format.

use expect_test::expect;
use value::Owned;

use super::*;

fn story() -> Story {
    let row = |marks: &str| Owned::Tuple(marks.chars().map(|it| Owned::str(&it.to_string())).collect());
    let board = |rows: [&str; 2]| Owned::Tuple(rows.map(row).to_vec());
    let scene = |action: &str, rows: [&str; 2], turn: &str, seen: &[i64]| State {
        action: action.to_owned(),
        parameters: vec![],
        location: Some("Tiny.tla:7:1".to_owned()),
        values: vec![
            ("board".to_owned(), board(rows)),
            ("turn".to_owned(), Owned::str(turn)),
            (
                "seen".to_owned(),
                Owned::Set(seen.iter().map(|&it| Owned::Int(it)).collect()),
            ),
        ],
        ..State::default()
    };
    Story {
        title: "Tiny".to_owned(),
        behaviour: Behaviour::finite(vec![
            scene("Init", ["__", "__"], "X", &[]),
            scene("Mark", ["X_", "__"], "O", &[3, 4]),
        ]),
        ending: vec!["violated: invariant `Empty`, in 1 steps".to_owned()],
        ..Story::default()
    }
}

#[test]
fn as_text_and_table() {
    let story = story();
    expect![[r#"
        1: Init  (Tiny.tla:7:1)
           board = <<<<"_", "_">>, <<"_", "_">>>>
           turn = "X"
           seen = {}
        2: Mark  (Tiny.tla:7:1)
           board = <<<<"X", "_">>, <<"_", "_">>>>
           turn = "O"
           seen = {3, 4}
        violated: invariant `Empty`, in 1 steps
    "#]]
    .assert_eq(&story.write(TraceFormat::Text, Style::Plain, 80));
    expect![[r#"
        ┌──────┬─────┬────┬────┐
        │State │board│turn│seen│
        ├──────┼─┬─┬─┼────┼────┤
        │State⁰│1│1│_│X   │    │
        │      │ ├─┼─┼────┤    │
        │      │ │2│_│    │    │
        │      ├─┼─┼─┤    │    │
        │      │2│1│_│    │    │
        │      │ ├─┼─┤    │    │
        │      │ │2│_│    │    │
        ├──────┼─┼─┼─┼────┼────┤
        │State¹│1│1│X│O   │3   │
        │      │ ├─┼─┼────┼────┤
        │      │ │2│_│    │4   │
        │      ├─┼─┼─┤    ├────┤
        │      │2│1│_│    │    │
        │      │ ├─┼─┤    │    │
        │      │ │2│_│    │    │
        └──────┴─┴─┴─┴────┴────┘
        violated: invariant `Empty`, in 1 steps
    "#]]
    .assert_eq(&story.write(TraceFormat::Table, Style::Plain, 80));
}

#[test]
fn as_markdown() {
    expect![[r##"
        # Tiny

        violated: invariant `Empty`, in 1 steps

        ## 1. Init (Tiny.tla:7:1)

        - `board = <<<<"_", "_">>, <<"_", "_">>>>`
        - `turn = "X"`
        - `seen = {}`

        `board`:

        ```text
            1   2
          ┌───┬───┐
        1 │ _ │ _ │
          ├───┼───┤
        2 │ _ │ _ │
          └───┴───┘
        ```

        ## 2. Mark (Tiny.tla:7:1)

        - `board[1][1]: "_" → "X"`
        - `turn: "X" → "O"`
        - `seen: + 3`
        - `seen: + 4`

        `board`:

        ```text
            1   2
          ┌───┬───┐
        1 │[X]│ _ │
          ├───┼───┤
        2 │ _ │ _ │
          └───┴───┘
        ```
    "##]]
    .assert_eq(&story().write(TraceFormat::Markdown, Style::Plain, 80));
}

#[test]
fn as_itf() {
    let mut story = story();
    story.behaviour.states.remove(0);
    story.behaviour.states[0].values.extend([
        (
            "mixed".to_owned(),
            Owned::Tuple(vec![Owned::Int(1), Owned::str("a")]),
        ),
        (
            "map".to_owned(),
            Owned::Fun(vec![(Owned::Int(0), Owned::Bool(true))]),
        ),
    ]);
    expect![[r##"
        {
          "#meta": {
            "description": "Tiny: violated: invariant `Empty`, in 1 steps",
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html"
          },
          "states": [
            {
              "#meta": {
                "action": "Mark",
                "index": 0
              },
              "board": [
                [
                  "X",
                  "_"
                ],
                [
                  "_",
                  "_"
                ]
              ],
              "map": {
                "#map": [
                  [
                    {
                      "#bigint": "0"
                    },
                    true
                  ]
                ]
              },
              "mixed": {
                "#tup": [
                  {
                    "#bigint": "1"
                  },
                  "a"
                ]
              },
              "seen": {
                "#set": [
                  {
                    "#bigint": "3"
                  },
                  {
                    "#bigint": "4"
                  }
                ]
              },
              "turn": "O"
            }
          ],
          "vars": [
            "board",
            "turn",
            "seen",
            "mixed",
            "map"
          ]
        }
    "##]]
    .assert_eq(&story.write(TraceFormat::Itf, Style::Plain, 80));
}

#[test]
fn documents_are_whole() {
    let story = story();
    let page = story.write(TraceFormat::Html, Style::Plain, 80);
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert_eq!(page.matches("<section").count(), 2);
    let moving = story.write(TraceFormat::Animation, Style::Plain, 80);
    assert!(moving.starts_with("<svg") && moving.trim_end().ends_with("</svg>"));
    let json = story.write(TraceFormat::Json, Style::Plain, 80);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["states"][1]["values"]["seen"], serde_json::json!([3, 4]));
}

#[test]
fn as_comma_separated_values() {
    let mut story = story();
    story.behaviour.loop_to = Some(1);
    let text = story
        .write(TraceFormat::Csv, Style::Plain, 80)
        .replace("\r\n", "\n");
    expect![[r#"
        state,step,next,board,turn,seen
        1,Init,2,"<<<<""_"", ""_"">>, <<""_"", ""_"">>>>","""X""",{}
        2,Mark,2,"<<<<""X"", ""_"">>, <<""_"", ""_"">>>>","""O""","{3, 4}"
    "#]]
    .assert_eq(&text);
    assert_eq!(TraceFormat::of_file("trace.CSV"), Some(TraceFormat::Csv));
    assert_eq!(TraceFormat::of_file("trace.itf.json"), Some(TraceFormat::Itf));
}
