//! Requests that nobody sends by mistake: each gets a clear error, and the server lives on.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Server;

/// Status and body of what the server answers to these bytes.
fn raw(server: &Server, head: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(server.authority()).expect("a connection");
    stream
        .set_read_timeout(Some(Duration::from_secs(120)))
        .expect("a limit");
    stream.write_all(head.as_bytes()).expect("a head");
    // The server may answer, and close, before all of it has arrived.
    for part in body.chunks(1 << 16) {
        if stream.write_all(part).is_err() {
            break;
        }
    }
    let mut answer = vec![];
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(n) => answer.extend(&part[..n]),
            Err(it) if it.kind() == ErrorKind::ConnectionReset && !answer.is_empty() => break,
            Err(it) => panic!("{it}"),
        }
    }
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok());
    (status.unwrap_or_else(|| panic!("no answer: {answer}")), answer)
}

fn get(server: &Server, path: &str) -> (u16, String) {
    let host = server.authority();
    raw(
        server,
        &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
        b"",
    )
}

fn post(server: &Server, path: &str, body: &str) -> (u16, String) {
    let (host, token, length) = (server.authority(), server.token(), body.len());
    let head = format!(
        "POST /{token}/{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    raw(server, &head, body.as_bytes())
}

fn lives(server: &Server) {
    let (status, page) = get(server, &format!("/{}/", server.token()));
    assert!(status == 200 && page.contains("Babbage"), "{status}");
    let session = open(MODEST);
    let (status, answer) = post(server, "api/sessions", &session.to_string());
    assert!(
        status == 200 && answer.contains("\"position\""),
        "{status} {answer}"
    );
}

const MODEST: &str =
    "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n====\n";
/// Evaluating the first state never ends.
const ENDLESS: &str = "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nRECURSIVE f(_)\nf(n) == IF n = 0 THEN 1 ELSE f(n - 1) + f(n - 1)\nInit == x = f(60)\nNext == x' = x\n====\n";
/// The first state is larger than any memory.
const HUGE: &str = "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = {s \\cup {0} : s \\in SUBSET (1..60)}\nNext == x' = x\n====\n";
/// Brackets deeper than any stack.
fn deep() -> String {
    let n = 100_000;
    format!(
        "---- MODULE M ----\nVARIABLE x\nInit == x = {}1{}\nNext == x' = x\n====\n",
        "(".repeat(n),
        ")".repeat(n)
    )
}

fn open(text: &str) -> Value {
    json!({ "do": "open", "source": { "main": "M.tla", "files": [{ "name": "M.tla", "text": text }], "config": null } })
}

#[test]
fn whoever_lacks_the_token_stays_out() {
    let server = Server::start(&["serve"]);
    for path in [
        "/",
        "/00000000000000000000000000000000/",
        "/api/gallery",
        "/../",
        "//",
    ] {
        let (status, answer) = get(&server, path);
        assert!(
            status == 403 && answer.contains("wrong-token"),
            "{path}: {answer}"
        );
    }
    let token = server.token();
    let (status, answer) = raw(
        &server,
        &format!("GET /{token}/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
        b"",
    );
    assert!(status == 403 && answer.contains("foreign-host"), "{answer}");
    let host = server.authority();
    let (status, answer) = raw(
        &server,
        &format!(
            "POST /{token}/api/jobs HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{{}}"
        ),
        b"",
    );
    assert!(status == 403 && answer.contains("foreign-origin"), "{answer}");
    lives(&server);
}

#[test]
fn no_path_leads_to_a_file() {
    let server = Server::start(&["serve"]);
    let token = server.token();
    for path in [
        "../../../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "page.js/../../Cargo.toml",
        "api/sessions/../../x",
        "\\..\\x",
    ] {
        let (status, answer) = get(&server, &format!("/{token}/{path}"));
        assert!(
            (400..500).contains(&status) && !answer.contains("root:"),
            "{path}: {answer}"
        );
    }
    // Nor does a specification read what it was not given.
    let spying = "---- MODULE M ----\nEXTENDS Passwd\nVARIABLE x\nInit == x = 0\nNext == x' = x\n====\n";
    let (status, answer) = post(&server, "api/sessions", &open(spying).to_string());
    assert!(status == 200 && answer.contains("Passwd"), "{answer}");
    let mut request = open(MODEST);
    for config in ["/etc/passwd", "../../../../etc/passwd"] {
        request["source"]["config"] = json!(config);
        let (status, answer) = post(&server, "api/sessions", &request.to_string());
        assert!(
            status == 200 && answer.contains("file-not-found") && !answer.contains("root:"),
            "{answer}"
        );
    }
    lives(&server);
}

#[test]
fn a_hundred_megabytes_are_refused() {
    let server = Server::start(&["serve"]);
    let (host, token) = (server.authority(), server.token());
    const BYTES: usize = 100 << 20;
    let declared = format!(
        "POST /{token}/api/jobs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {BYTES}\r\n\r\n"
    );
    let (status, answer) = raw(&server, &declared, &vec![b' '; 1 << 20]);
    assert!(status == 413 && answer.contains("too-large"), "{answer}");
    // Nor does it help not to say how much it will be.
    let chunked = format!(
        "POST /{token}/api/jobs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n{BYTES:x}\r\n"
    );
    let (status, answer) = raw(&server, &chunked, &vec![b' '; 4 << 20]);
    assert!(status == 413 && answer.contains("too-large"), "{answer}");
    for body in [
        "",
        "{",
        "[]",
        "{}",
        "{\"do\":\"fly\",\"source\":{\"main\":\"M.tla\",\"files\":[]}}",
        "null",
    ] {
        let (status, answer) = post(&server, "api/sessions", body);
        assert!(status == 400 && answer.contains("not-json"), "{body}: {answer}");
    }
    lives(&server);
}

#[test]
fn a_specification_that_never_ends_is_stopped() {
    let server = Server::start(&[
        "serve",
        "--step-time",
        "2s",
        "--job-time",
        "1s",
        "--session-memory",
        "256M",
    ]);
    let (status, answer) = post(&server, "api/sessions", &open(ENDLESS).to_string());
    assert!(
        matches!(status, 504 | 507) && answer.contains("was stopped"),
        "{answer}"
    );
    let (status, answer) = post(&server, "api/sessions", &open(HUGE).to_string());
    assert!(matches!(status, 200 | 504 | 507), "{status}: {answer}");
    assert!(status == 200 || answer.contains("was stopped"), "{answer}");
    let (status, answer) = post(&server, "api/sessions", &open(&deep()).to_string());
    assert!(status != 500, "{status}: {answer}");
    // A search without an end says what it found until its time was over.
    let mut check = open(&MODEST.replace("% 3", "% 100000000"));
    check["do"] = json!("check");
    let (status, answer) = post(&server, "api/jobs", &check.to_string());
    assert!(
        status == 200 && answer.contains("event: done") && answer.contains("\"unknown\""),
        "{answer}"
    );
    lives(&server);
}

#[test]
fn sessions_are_counted_and_expire() {
    let server = Server::start(&["serve", "--sessions", "2", "--idle", "1s"]);
    let request = open(MODEST).to_string();
    let name = |answer: &str| {
        let body = answer.split("\r\n\r\n").nth(1).unwrap_or("");
        let body = &body[body.find('{').unwrap_or(0)..=body.rfind('}').unwrap_or(0)];
        let value: Value = serde_json::from_str(body).expect("JSON");
        value["session"].as_str().expect("a session").to_string()
    };
    let (_, first) = post(&server, "api/sessions", &request);
    let first = name(&first);
    let (_, second) = post(&server, "api/sessions", &request);
    assert_ne!(first, name(&second));
    let (status, answer) = post(&server, "api/sessions", &request);
    assert!(status == 503 && answer.contains("too-many"), "{answer}");
    let take = json!({ "do": "take", "choice": 0 }).to_string();
    let (status, _) = post(&server, &format!("api/sessions/{first}"), &take);
    assert_eq!(status, 200);
    std::thread::sleep(Duration::from_millis(3500));
    let (status, answer) = post(&server, &format!("api/sessions/{first}"), &take);
    assert!(status == 410 && answer.contains("no-session"), "{answer}");
    lives(&server);
}
