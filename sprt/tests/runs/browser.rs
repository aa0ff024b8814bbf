//! Requests to the pages, and a browser that shows them, where there is one.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};

use super::support::Place;

/// A process that ends with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Status and body of an answer.
pub fn ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("somebody listens");
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .expect("a time");
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    let own = [("Host", address)];
    let has_host = headers.iter().any(|(name, _)| *name == "Host");
    let own = if has_host { &own[..0] } else { &own[..] };
    for (name, value) in own.iter().chain(headers) {
        let line = [name, ": ", value, "\r\n"].concat();
        request.push_str(&line);
    }
    write!(stream, "{request}\r\n{body}").expect("sent");
    // Not to its end: chromedriver keeps connections open, whatever it is asked.
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("an answer");
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .expect("a status");
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).expect("a header");
        let header = line.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    (status, String::from_utf8_lossy(&body).into_owned())
}

#[expect(clippy::print_stderr, reason = "a test that does nothing must say so")]
pub fn say(words: &str) {
    eprintln!("{words}");
}

/// Keys as `WebDriver` calls them: arrows to the left, up, to the right and down.
pub const ARROWS: [&str; 4] = ["\u{e012}", "\u{e013}", "\u{e014}", "\u{e015}"];
pub const ENTER: &str = "\u{e007}";
pub const ESCAPE: &str = "\u{e00c}";
pub const TAB: &str = "\u{e004}";

/// A browser, driven by `WebDriver`'s protocol.
pub struct Browser {
    _driver: Running,
    /// Open for as long as the driver may write to it.
    _stdout: BufReader<ChildStdout>,
    address: String,
    session: String,
}

impl Browser {
    /// `None`, said on stderr, where no browser is installed.
    pub fn start(place: &Place) -> Option<Self> {
        let find = |names: &[&str]| -> Option<PathBuf> {
            let path = std::env::var_os("PATH")?;
            std::env::split_paths(&path)
                .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
                .find(|program| program.is_file())
        };
        let (Some(driver), Some(chromium)) = (
            find(&["chromedriver"]),
            find(&["chromium", "chromium-browser", "google-chrome"]),
        ) else {
            say(
                "skipped: no chromium and chromedriver on the PATH (Debian: apt install chromium chromium-driver)",
            );
            return None;
        };
        let mut driver = Command::new(driver)
            .args(["--port=0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut stdout = BufReader::new(driver.stdout.take().expect("a pipe"));
        let port = stdout
            .by_ref()
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                line.rsplit_once("successfully on port ")
                    .map(|(_, port)| port.trim_end_matches('.').to_owned())
            })
            .expect("chromedriver says its port");
        let mut browser = Self {
            _driver: Running(driver),
            _stdout: stdout,
            address: format!("127.0.0.1:{port}"),
            session: String::new(),
        };
        let profile = place.path("profile");
        let options = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": {
            "binary": chromium,
            "args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", format!("--user-data-dir={}", profile.display())],
        }}}});
        let made = browser.command("POST", "/session", &options);
        made["sessionId"]
            .as_str()
            .expect("a session")
            .clone_into(&mut browser.session);
        Some(browser)
    }

    pub fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let headers = [("Content-Type", "application/json")];
        let (status, answer) = ask(&self.address, method, path, &headers, &body.to_string());
        assert_eq!(status, 200, "{path}: {answer}");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        answer["value"].clone()
    }

    pub fn open(&self, url: &str) {
        self.command(
            "POST",
            &format!("/session/{}/url", self.session),
            &json!({ "url": url }),
        );
    }

    pub fn run(&self, script: &str) -> Value {
        let path = format!("/session/{}/execute/sync", self.session);
        self.command("POST", &path, &json!({ "script": script, "args": [] }))
    }

    /// A command of the browser's own debugger.
    fn debug(&self, command: &str, params: &Value) {
        let path = format!("/session/{}/goog/cdp/execute", self.session);
        self.command("POST", &path, &json!({ "cmd": command, "params": params }));
    }

    /// As a screen of this width shows pages; a narrow one is that of a phone.
    pub fn resize(&self, width: u32) {
        let params =
            json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.debug("Emulation.setDeviceMetricsOverride", &params);
    }

    fn act(&self, actions: &Value) {
        let path = format!("/session/{}/actions", self.session);
        self.command("POST", &path, &json!({ "actions": [actions] }));
    }

    /// A pointer that goes down at one place of the window and up at another.
    pub fn drag(&self, from: (i64, i64), to: (i64, i64)) {
        let move_to =
            |(x, y): (i64, i64)| json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y });
        self.act(&json!({
            "type": "pointer", "id": "finger", "parameters": { "pointerType": "mouse" },
            "actions": [
                move_to(from), { "type": "pointerDown", "button": 0 },
                move_to(to), { "type": "pointerUp", "button": 0 },
            ],
        }));
    }

    pub fn tap(&self, place: (i64, i64)) {
        self.drag(place, place);
    }

    /// Types letters and keys.
    pub fn press(&self, keys: &str) {
        let strokes: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })))
            .collect();
        self.act(&json!({ "type": "key", "id": "keys", "actions": strokes }));
    }

    /// Waits for the promise that a script returns.
    pub fn wait_for(&self, script: &str) -> Value {
        let path = format!("/session/{}/execute/async", self.session);
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             (async () => {{ {script} }})().then(done, (error) => done('failed: ' + error));"
        );
        self.command("POST", &path, &json!({ "script": script, "args": [] }))
    }

    /// Shows pages as readers with dark screens see them, or with light ones.
    pub fn darken(&self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let features = [json!({ "name": "prefers-color-scheme", "value": value })];
        self.debug(
            "Emulation.setEmulatedMedia",
            &json!({ "features": features }),
        );
    }

    pub fn screenshot(&self, file: &std::path::Path) {
        let path = format!("/session/{}/goog/cdp/execute", self.session);
        let params = json!({ "format": "png", "captureBeyondViewport": true });
        let command = json!({ "cmd": "Page.captureScreenshot", "params": params });
        let made = self.command("POST", &path, &command);
        let text = made["data"].as_str().expect("a picture");
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(text)
            .expect("base64");
        std::fs::write(file, bytes).expect("written");
    }

    /// Whether nothing of the page lies beside the screen, whose width the browser itself enlarges for
    /// a page that does not fit a phone.
    pub fn fits(&self, width: u32) -> bool {
        self.holds(&format!("document.documentElement.scrollWidth <= {width}"))
    }

    pub fn holds(&self, condition: &str) -> bool {
        self.run(&format!("return !!({condition});")) == Value::Bool(true)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        if self.session.is_empty() {
            return;
        }
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            ask(&self.address, "DELETE", &path, &[], "")
        }));
    }
}
