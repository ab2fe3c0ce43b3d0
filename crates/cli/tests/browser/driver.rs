//! The WebDriver protocol, as much of it as the tests speak: JSON over HTTP, a connection for each command.
//!
//! The crates that speak all of it bring fifty others, which would be built for nothing else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

pub struct Driver {
    port: u16,
    session: String,
}

impl Driver {
    /// A browser with these capabilities, or why there is none.
    pub fn new(port: u16, capabilities: &Value) -> Result<Driver, String> {
        let wanted = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let made = send(port, "POST", "/session", &wanted)?;
        let session = made["sessionId"].as_str().ok_or("no session")?.to_string();
        let driver = Driver { port, session };
        // Two hundred games take their time.
        driver.post("timeouts", json!({ "script": 300_000 }));
        Ok(driver)
    }

    pub fn post(&self, command: &str, body: Value) -> Value {
        self.command("POST", command, &body)
    }

    pub fn get(&self, command: &str) -> Value {
        self.command("GET", command, &Value::Null)
    }

    pub fn delete(&self, command: &str) -> Value {
        self.command("DELETE", command, &Value::Null)
    }

    /// Ends the browser, whether that works or not.
    pub fn quit(&self) {
        let _ = send(
            self.port,
            "DELETE",
            &format!("/session/{}", self.session),
            &Value::Null,
        );
    }

    fn command(&self, method: &str, command: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{command}", self.session);
        let answer = send(self.port, method, path.trim_end_matches('/'), body);
        answer.unwrap_or_else(|why| panic!("{command}: {why}\n{body}"))
    }
}

fn send(port: u16, method: &str, path: &str, body: &Value) -> Result<Value, String> {
    let told = |it: std::io::Error| it.to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).map_err(told)?;
    stream
        .set_read_timeout(Some(Duration::from_secs(320)))
        .map_err(told)?;
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(body.as_bytes()))
        .map_err(told)?;
    let (head, body) = read(&mut BufReader::new(stream)).map_err(told)?;
    let mut value: Value = serde_json::from_str(&body).map_err(|it| format!("{it}: {body}"))?;
    let value = value["value"].take();
    match head.split(' ').nth(1) {
        Some("200") => Ok(value),
        _ => Err(value["message"].as_str().unwrap_or(&body).to_string()),
    }
}

/// The first line of the head, and the body; the driver does not close the connection.
fn read(stream: &mut BufReader<TcpStream>) -> std::io::Result<(String, String)> {
    let mut head = String::new();
    stream.read_line(&mut head)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let (name, value) = line.trim_end().split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line.trim_end().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok((head, String::from_utf8_lossy(&body).into_owned()))
}
