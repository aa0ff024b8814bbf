//! A small OpenBench: accounts, sessions, tokens against forged requests, forms, workloads and
//! their pages, in the shapes that were recorded from a real one; and faults on demand.

mod serve;

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use foundation::Printer;
use foundation::printer::OutputArgs;
use openbench::address::Server as Address;
use openbench::credentials::Source;
use openbench::http::Limits;
use openbench::session::Session;
use openbench_command::workload::Kind;
use serde_json::{Value, json};

/// What is wrong with the next answers to a path.
#[derive(Clone, Debug)]
pub enum Fault {
    /// None: the request is served.
    Well,
    /// 500, with a page of Django's.
    Crash(&'static str),
    /// 404, from a proxy whose server is away.
    Away,
    /// 200, with a page where JSON belongs.
    Noise,
    /// No answer at all.
    Silence,
    /// The request is served, its answer never comes.
    LostAnswer,
    /// The body breaks off.
    Cut,
    /// A body without an end.
    Huge,
    /// To another host.
    Elsewhere,
}

#[derive(Clone, Debug)]
pub struct Workload {
    pub kind: &'static str,
    pub author: String,
    pub form: HashMap<String, String>,
    pub info: Value,
}

#[derive(Default)]
pub struct Bench {
    pub workloads: Vec<Workload>,
    pub faults: HashMap<String, Vec<Fault>>,
    /// Method and path of every request, in order.
    pub requests: Vec<String>,
    /// Everything that was posted, to find passwords in.
    pub posted: Vec<(String, String)>,
    pub require_login: bool,
    /// Refuses the next creation with these words.
    pub refuse: Option<&'static str>,
    pub errors: String,
    /// Rows of the page of what people did.
    pub events: String,
    pub machines: String,
    /// Whether the one machine is playing each workload.
    pub machines_active: bool,
    pub digest: String,
    pub networks: Vec<(String, Vec<u8>)>,
    pub default_network: Option<String>,
    /// Hashes of the networks that were a default.
    pub past_defaults: BTreeSet<String>,
    /// One answer a request; the last one stays.
    pub archives: Vec<Result<Vec<u8>, &'static str>>,
    /// Forgets all sessions when this request comes.
    pub forget_before: Option<String>,
    sessions: HashMap<String, String>,
    messages: HashMap<String, (&'static str, String)>,
    token: u64,
}

#[derive(Clone)]
pub struct Fake {
    pub url: String,
    state: Arc<Mutex<Bench>>,
}

/// Name, password, whether enabled, whether approver.
const ACCOUNTS: [(&str, &str, bool, bool); 3] = [
    ("alice", "wonderland", true, true),
    ("bob", "builder", true, false),
    ("carol", "christmas", false, false),
];

impl Fake {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let fake = Self {
            url,
            state: Arc::new(Mutex::new(Bench {
                machines_active: true,
                ..Bench::default()
            })),
        };
        let app = axum::Router::new()
            .fallback(answer)
            .with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        fake
    }

    pub fn bench(&self) -> MutexGuard<'_, Bench> {
        self.state.lock().expect("not poisoned")
    }

    pub fn fault(&self, path: &str, faults: &[Fault]) {
        self.bench().faults.insert(path.to_owned(), faults.to_vec());
    }

    /// How often a path was asked for.
    pub fn count(&self, request: &str) -> usize {
        self.bench()
            .requests
            .iter()
            .filter(|known| *known == request)
            .count()
    }

    /// A session whose password lies in a file; timeouts are small, so that no test waits long.
    pub fn visit(&self, username: &str, password: &str) -> (Session, tempfile::NamedTempFile) {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), password).expect("written");
        let source = Source {
            username: Some(username.into()),
            password_file: Some(file.path().into()),
            ..Source::default()
        };
        let limits = Limits {
            answer: Duration::from_secs(4),
            silence: Duration::from_secs(4),
            page: 1 << 20,
            tries: 3,
            pause: Duration::from_millis(5),
            ..Limits::default()
        };
        let address = Address::parse(&self.url, false).expect("loopback");
        (
            Session::new(address, source, limits, printer()).expect("a session"),
            file,
        )
    }

    pub fn alice(&self) -> (Session, tempfile::NamedTempFile) {
        self.visit("alice", "wonderland")
    }

    /// Adds a workload as if it had been created; gives its id.
    pub fn add(&self, kind: &'static str, change: impl FnOnce(&mut Value)) -> u64 {
        let mut bench = self.bench();
        let id = bench.workloads.len() as u64 + 1;
        let mut info = recorded_info();
        info["id"] = json!(id);
        info["test_mode"] = json!(match kind {
            "tune" => "SPSA",
            "datagen" => "DATAGEN",
            _ => "SPRT",
        });
        change(&mut info);
        bench.workloads.push(Workload {
            kind,
            author: "alice".into(),
            form: HashMap::new(),
            info,
        });
        id
    }

    pub fn change(&self, id: u64, field: &str, value: Value) {
        self.bench().workloads[id as usize - 1].info[field] = value;
    }
}

pub fn printer() -> Printer {
    Printer::new(OutputArgs {
        quiet: true,
        ..OutputArgs::default()
    })
}

fn recorded_info() -> Value {
    let value: Value = serde_json::from_str(include_str!("../data/info.json")).expect("JSON");
    value["info"].clone()
}

fn page(body: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>OpenBench</title></head><body><div id=\"content\"><h2><a class=\"site-title\" href=\"/\">OpenBench</a></h2>{body}</div></body></html>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('\'', "&#x27;")
}

struct Reply {
    status: StatusCode,
    location: Option<String>,
    cookies: Vec<String>,
    kind: &'static str,
    body: Vec<u8>,
}

impl Reply {
    fn html(body: &str) -> Self {
        Self {
            status: StatusCode::OK,
            location: None,
            cookies: Vec::new(),
            kind: "text/html; charset=utf-8",
            body: page(body).into_bytes(),
        }
    }

    fn json(value: &Value) -> Self {
        Self {
            kind: "application/json",
            body: value.to_string().into_bytes(),
            ..Self::html("")
        }
    }

    fn error(text: &str) -> Self {
        Self::json(&json!({"error": text}))
    }

    fn to(location: &str) -> Self {
        Self {
            status: StatusCode::FOUND,
            location: Some(location.into()),
            ..Self::html("")
        }
    }

    fn crash(title: &str) -> Self {
        let body = format!(
            "<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
        );
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            body: body.into_bytes(),
            ..Self::html("")
        }
    }

    fn response(self) -> Response {
        let mut response = Response::builder()
            .status(self.status)
            .header(header::CONTENT_TYPE, self.kind);
        if let Some(location) = self.location {
            response = response.header(header::LOCATION, location);
        }
        for cookie in self.cookies {
            response = response.header(
                header::SET_COOKIE,
                format!("{cookie}; Path=/; HttpOnly; SameSite=Lax"),
            );
        }
        response.body(Body::from(self.body)).expect("a response")
    }
}

async fn answer(State(fake): State<Fake>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let body = axum::body::to_bytes(body, 1 << 24)
        .await
        .unwrap_or_default();
    let fault = {
        let mut bench = fake.bench();
        let request = format!("{} {path}", parts.method);
        if bench.forget_before.take_if(|it| *it == request).is_some() {
            bench.forget_sessions();
        }
        bench.requests.push(request);
        let waiting = bench
            .faults
            .get_mut(&path)
            .filter(|faults| !faults.is_empty());
        waiting.map(|faults| faults.remove(0))
    };
    match fault {
        Some(Fault::Silence) => std::future::pending().await,
        Some(Fault::LostAnswer) => {
            serve::serve(&fake, &parts.method, &path, &query, &parts.headers, &body);
            std::future::pending().await
        }
        Some(Fault::Crash(title)) => Reply::crash(title).response(),
        Some(Fault::Away) => Reply {
            status: StatusCode::NOT_FOUND,
            ..Reply::html("404 page not found")
        }
        .response(),
        Some(Fault::Noise) => Reply {
            body: "<title>Maintenance</title><h1>Bad Gateway, says a proxy</h1>".into(),
            ..Reply::html("")
        }
        .response(),
        Some(Fault::Elsewhere) => Reply::to("https://evil.example.org/login/").response(),
        Some(Fault::Cut) => {
            let response = Response::builder()
                .header(header::CONTENT_LENGTH, "1000")
                .header(header::CONTENT_TYPE, "application/json");
            let parts = [
                Ok(Bytes::from_static(b"{\"info\": {")),
                Err(std::io::Error::other("cut")),
            ];
            response
                .body(Body::from_stream(Parts(parts.into())))
                .expect("a response")
        }
        Some(Fault::Huge) => {
            let parts = (0..64).map(|_| Ok(Bytes::from(vec![b' '; 1 << 16])));
            Response::builder()
                .body(Body::from_stream(Parts(parts.collect())))
                .expect("a response")
        }
        Some(Fault::Well) | None => {
            serve::serve(&fake, &parts.method, &path, &query, &parts.headers, &body).response()
        }
    }
}

/// A body in parts.
struct Parts(std::collections::VecDeque<Result<Bytes, std::io::Error>>);

impl futures_core::Stream for Parts {
    type Item = Result<Bytes, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Ready(self.0.pop_front())
    }
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let header = headers.get(header::COOKIE)?.to_str().ok()?;
    let found = header
        .split("; ")
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    found.map(str::to_owned)
}

fn decoded(text: &str) -> String {
    let text = text.replace('+', " ");
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap_or(b'0'), rest.next().unwrap_or(b'0')];
            let digits = std::str::from_utf8(&digits).unwrap_or("00");
            bytes.push(u8::from_str_radix(digits, 16).unwrap_or_default());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn form(body: &str) -> HashMap<String, String> {
    let pairs = body.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

/// The row that heads a table of so many columns.
fn head(columns: usize) -> String {
    format!(
        "<table><tr class=\"table-header\">{}</tr></table>",
        "<th></th>".repeat(columns)
    )
}

fn message(kind: &str, text: &str) -> String {
    format!(
        "<div class=\"{kind}-message\"><pre>{}</pre></div>",
        escaped(text)
    )
}

fn short(content: &[u8]) -> String {
    foundation::digest::of_bytes(content)[..8].to_uppercase()
}
