//! A server of ours, a Chromium, and what a person does with them.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::Driver;

/// What is said when the machine lacks something.
const MISSING: &str =
    "the tests of the page need Chromium and its driver, which `cargo xtask test` installs with apt as root";

/// Nothing on the page takes longer, on a slow machine with an unoptimised build.
pub const PATIENCE: Duration = Duration::from_secs(40);

/// `babbage serve` on a port of its own.
pub struct Server {
    pub child: Child,
    /// With the token and a slash at the end.
    pub address: String,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_babbage"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("babbage starts");
        let mut address = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout)
            .read_line(&mut address)
            .expect("an address");
        Server {
            child,
            address: address.trim().to_string(),
        }
    }

    /// `127.0.0.1:4114`
    pub fn authority(&self) -> &str {
        self.address.split('/').nth(2).expect("an address")
    }

    pub fn token(&self) -> &str {
        self.address.split('/').nth(3).expect("an address")
    }

    /// How many workers it has now; nothing where the system does not tell.
    pub fn n_workers(&self) -> Option<usize> {
        let id = self.child.id();
        let children = std::fs::read_dir("/proc").ok()?.flatten().filter(|it| {
            let stat = std::fs::read_to_string(it.path().join("stat")).unwrap_or_default();
            let rest = stat.rsplit(')').next().unwrap_or("");
            let mut fields = rest.split_whitespace();
            let is_alive = fields.next().is_some_and(|it| it != "Z");
            is_alive && fields.next().and_then(|it| it.parse().ok()) == Some(id)
        });
        Some(children.count())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Chromium behind its driver. One at a time: the tests measure.
pub struct Browser {
    process: Child,
    profile: PathBuf,
    pub driver: Driver,
    _alone: MutexGuard<'static, ()>,
}

/// Narrower windows are phones.
const WINDOW_WIDTH_MIN: u32 = 500;

static ALONE: Mutex<()> = Mutex::new(());

/// Only the loopback interface is ever used, and nothing is left behind.
const ARGUMENTS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
    "--disable-dev-shm-usage",
];

impl Browser {
    /// Nothing, and a line that says so, where there is no driver of Chromium. One that does not work is a failure.
    pub fn start(width: u32, height: u32) -> Option<Browser> {
        let alone = ALONE.lock().unwrap_or_else(|it| it.into_inner());
        let mut process = match Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
        {
            Ok(process) => process,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                testkit::not_run("the page in a browser, because there is no chromedriver");
                return None;
            }
            Err(error) => panic!("chromedriver cannot be started ({error}): {MISSING}"),
        };
        let port = driver_port(&mut process);
        let profile = fresh_folder();
        let mut arguments: Vec<String> = ARGUMENTS.iter().map(|it| it.to_string()).collect();
        arguments.push(format!("--user-data-dir={}", profile.display()));
        arguments.push(format!("--window-size={width},{height}"));
        let mut options = json!({ "args": arguments });
        if width < WINDOW_WIDTH_MIN {
            let metrics =
                json!({ "width": width, "height": height, "pixelRatio": 1.0, "mobile": true, "touch": true });
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        let driver = Driver::new(port, &json!({ "goog:chromeOptions": options }));
        let driver = driver.unwrap_or_else(|error| {
            let _ = process.kill();
            panic!("Chromium cannot be started ({error}): {MISSING}")
        });
        Some(Browser {
            process,
            profile,
            driver,
            _alone: alone,
        })
    }

    pub fn open(&self, server: &Server, hash: &str) {
        self.go(&format!("{}{hash}", server.address));
    }

    pub fn go(&self, address: &str) {
        // A change of the hash alone would not load the page again.
        self.driver.post("url", json!({ "url": "about:blank" }));
        self.driver.post("url", json!({ "url": address }));
    }

    /// The value of a script.
    pub fn script(&self, script: &str) -> Value {
        self.driver
            .post("execute/sync", json!({ "script": script, "args": [] }))
    }

    /// The value of an expression.
    pub fn value(&self, expr: &str) -> Value {
        self.script(&format!("return {expr}"))
    }

    pub fn text(&self, css: &str) -> String {
        let text = self.value(&format!("document.querySelector({css:?})?.innerText ?? ''"));
        text.as_str().unwrap_or_default().to_string()
    }

    /// Waits until an expression is true.
    pub fn until(&self, expr: &str) {
        let start = Instant::now();
        while !is_true(&self.value(&format!("!!({expr})"))) {
            if start.elapsed() > PATIENCE {
                let page = self.text("body");
                panic!("this never became true: {expr}\nthe page says:\n{page}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A click of the mouse on what a selector finds first.
    pub fn click(&self, css: &str) {
        let element = self.find(css);
        self.driver.post(&format!("element/{element}/click"), json!({}));
    }

    pub fn type_into(&self, css: &str, text: &str) {
        let element = self.find(css);
        self.driver
            .post(&format!("element/{element}/value"), json!({ "text": text }));
    }

    fn find(&self, css: &str) -> String {
        let found = self
            .driver
            .post("element", json!({ "using": "css selector", "value": css }));
        let name = found
            .as_object()
            .and_then(|it| it.values().next())
            .and_then(Value::as_str);
        name.unwrap_or_else(|| panic!("there is no {css}")).to_string()
    }

    /// Runs a script that ends with a value, whenever that is.
    pub fn wait_for(&self, script: &str) -> Value {
        let whole = format!(
            "const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done, (it) => done('failed: ' + it));"
        );
        self.driver
            .post("execute/async", json!({ "script": whole, "args": [] }))
    }

    /// The tab that is looked at.
    pub fn tab(&self) -> Value {
        self.driver.get("window")
    }

    pub fn new_tab(&self) -> Value {
        self.driver.post("window/new", json!({ "type": "tab" }))["handle"].clone()
    }

    pub fn switch_to(&self, tab: &Value) {
        self.driver.post("window", json!({ "handle": tab }));
    }

    pub fn close_tab(&self) {
        self.driver.delete("window");
    }

    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("BABBAGE_PICTURES") else {
            return;
        };
        let picture = self.driver.get("screenshot");
        let bytes = bytes_of(picture.as_str().unwrap_or_default());
        std::fs::write(PathBuf::from(folder).join(format!("{name}.png")), bytes).expect("a file");
    }

    pub fn end(self) {
        self.driver.delete("");
    }
}

impl Drop for Browser {
    /// After a panic too: the driver takes its Chromium with it.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.driver.quit();
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// The driver says which port it chose.
fn driver_port(driver: &mut Child) -> u16 {
    let mut lines = BufReader::new(driver.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while lines.read_line(&mut line).is_ok_and(|it| it > 0) {
        let port = line.trim_end().trim_end_matches('.').rsplit("on port ").next();
        if let Some(Ok(port)) = port.filter(|_| line.contains("successfully")).map(str::parse) {
            // Whatever else it says must not fill the pipe.
            std::thread::spawn(move || std::io::copy(&mut lines.take(u64::MAX), &mut std::io::sink()));
            return port;
        }
        line.clear();
    }
    panic!("chromedriver does not say where it listens: {MISSING}")
}

fn fresh_folder() -> PathBuf {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let n = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("babbage-browser-{}-{n}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

pub fn is_true(value: &Value) -> bool {
    value.as_bool() == Some(true)
}

/// Base64, as pictures come.
fn bytes_of(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut bits, mut n) = (vec![], 0u32, 0);
    for digit in text.bytes().filter_map(digit) {
        bits = bits << 6 | u32::from(digit);
        n += 6;
        if n >= 8 {
            n -= 8;
            bytes.push((bits >> n) as u8);
        }
    }
    bytes
}
