//! A small OpenBench: accounts, sessions, tokens against forged requests, forms, workloads and their pages, in the shapes
//! that were recorded from a real one; and faults on demand.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use foundation::Printer;
use foundation::printer::OutputArgs;
use openbench::address::{Kind, Server as Address};
use openbench::credentials::Source;
use openbench::http::Limits;
use openbench::session::Session;
use serde_json::{Value, json};

/// What is wrong with the next answers to a path.
#[derive(Clone, Debug)]
pub enum Fault {
    /// 500, with a page of Django's.
    Crash(&'static str),
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
    pub digest: String,
    pub networks: Vec<(String, Vec<u8>)>,
    /// One answer a request; the last one stays.
    pub archives: Vec<Result<Vec<u8>, &'static str>>,
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
            state: Arc::default(),
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

    /// A visit of somebody whose password lies in a file; limits are small, so that nothing is waited for long.
    pub fn visit(&self, username: &str, password: &str) -> (Session, tempfile::NamedTempFile) {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), password).expect("written");
        let source = Source {
            username: Some(username.into()),
            password_file: Some(file.path().into()),
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
        "<!DOCTYPE html><html><head><title>OpenBench</title></head><body><div id=\"content\">{body}</div></body></html>"
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
        bench.requests.push(format!("{} {path}", parts.method));
        let waiting = bench
            .faults
            .get_mut(&path)
            .filter(|faults| !faults.is_empty());
        waiting.map(|faults| faults.remove(0))
    };
    match fault {
        Some(Fault::Silence) => std::future::pending().await,
        Some(Fault::LostAnswer) => {
            serve(&fake, &parts.method, &path, &query, &parts.headers, &body);
            std::future::pending().await
        }
        Some(Fault::Crash(title)) => Reply::crash(title).response(),
        Some(Fault::Noise) => Reply::html("<h1>Bad Gateway, says a proxy</h1>").response(),
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
        None => serve(&fake, &parts.method, &path, &query, &parts.headers, &body).response(),
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

fn serve(
    fake: &Fake,
    method: &Method,
    path: &str,
    query: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Reply {
    let mut bench = fake.bench();
    let body = String::from_utf8_lossy(body).into_owned();
    if *method == Method::POST {
        bench.posted.push((path.to_owned(), body.clone()));
    }
    let session = cookie(headers, "sessionid");
    let user = session
        .as_ref()
        .and_then(|session| bench.sessions.get(session).cloned());
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let is_api = parts.first() == Some(&"api");
    if bench.require_login && user.is_none() && path != "/login/" {
        return if is_api {
            Reply::error("API requires authentication for this server")
        } else {
            Reply::to("/login/")
        };
    }
    let forged = || {
        let token = cookie(headers, "csrftoken");
        token.is_none()
            || headers
                .get("x-csrftoken")
                .and_then(|value| value.to_str().ok())
                != token.as_deref()
    };
    if *method == Method::POST && !is_api && forged() {
        return Reply {
            status: StatusCode::FORBIDDEN,
            ..Reply::html("<h1>Forbidden (403)</h1><p>CSRF verification failed.</p>")
        };
    }
    let session = session.unwrap_or_default();
    let mut reply = match (parts.as_slice(), method) {
        (["login"], &Method::POST) => bench.log_in(&session, &form(&body)),
        (["login"], _) => {
            bench.token += 1;
            let shown = bench.shown(&session);
            Reply {
                cookies: vec![format!("csrftoken=token{}", bench.token)],
                ..Reply::html(&format!("{shown}<form></form>"))
            }
        }
        (
            ["index"] | ["test" | "tune" | "datagen", "new"] | ["user", ..] | ["index", _],
            &Method::GET,
        ) => {
            let shown = bench.shown(&session);
            let disabled = ACCOUNTS
                .iter()
                .any(|account| Some(account.0) == user.as_deref() && !account.2);
            let disabled = if disabled {
                message(
                    "error",
                    "Account has not been enabled. Contact an Administrator",
                )
            } else {
                String::new()
            };
            let rows = bench.rows("");
            Reply::html(&format!("{disabled}{shown}{rows}"))
        }
        (["search"], _) => {
            let words = form(query).remove("info-contains").unwrap_or_default();
            match bench.rows(&words) {
                rows if rows.contains("href=\"/t") || rows.contains("href=\"/d") => {
                    Reply::html(&rows)
                }
                rows => Reply::html(&format!(
                    "{}{rows}",
                    message("error", "No matching tests found")
                )),
            }
        }
        (["errors"], _) => Reply::html(&bench.errors.clone()),
        (["errors" | "networks", _], _) => Reply::html(""),
        ([kind @ ("test" | "tune" | "datagen"), "new"], &Method::POST) => {
            let kind = Kind::ALL
                .iter()
                .map(|known| known.word())
                .find(|known| known == kind);
            bench.create(kind.unwrap_or_default(), user, &session, form(&body))
        }
        ([_, id, action], _) if matches!(parts[0], "test" | "tune" | "datagen") => {
            bench.act(id, action, user, &session, &form(&body))
        }
        (["tune", _], _) => Reply::html(include_str!("../data/tune.html")),
        (["api", "config"], _) => Reply::json(
            &json!({"engines": ["TinyRust", "Other"], "books": {"tiny.epd": {"sha": "", "source": ""}}}),
        ),
        (["api", "config", "TinyRust" | "Other"], _) => Reply {
            body: include_str!("../data/engine.json").into(),
            ..Reply::json(&json!({}))
        },
        (["api", "networks", "TinyRust" | "Other"], _) => Reply::json(&bench.network_list()),
        (["api", "networks", _, hash], _) => match bench
            .networks
            .iter()
            .find(|(_, content)| short(content) == **hash)
        {
            Some((_, content)) => Reply {
                kind: "application/octet-stream",
                body: content.clone(),
                ..Reply::html("")
            },
            None => Reply::error("Engine not found. Check /api/config/ for a full list"),
        },
        (["api", "networks", engine, hash, "delete"], _) => {
            let known = bench.networks.len();
            bench
                .networks
                .retain(|(_, content)| short(content) != **hash);
            if bench.networks.len() < known {
                Reply::json(&json!({"success": format!("Deleted {hash} for {engine}")}))
            } else {
                Reply::error(&format!("Network {hash} for Engine {engine} not found"))
            }
        }
        (["networks", engine, "UPLOAD", name], _) => {
            if user.as_deref() == Some("alice") {
                let start = body.find("\r\n\r\n").map_or(0, |place| place + 4);
                let end = body.rfind("\r\n--").unwrap_or(body.len());
                let content = body.as_bytes()[start..end].to_owned();
                bench.networks.push(((*name).to_owned(), content));
                Reply::to(&format!("/networks/{engine}/"))
            } else {
                Reply::to("/index/")
            }
        }
        (["api", "pgns", _], _) => {
            let next = if bench.archives.len() > 1 {
                bench.archives.remove(0)
            } else {
                bench
                    .archives
                    .first()
                    .cloned()
                    .unwrap_or(Err("Unable to find PGN for Workload #1"))
            };
            match next {
                Ok(archive) => Reply {
                    kind: "application/octet-stream",
                    body: archive,
                    ..Reply::html("")
                },
                Err(words) => Reply::error(words),
            }
        }
        (["api", "spsa", _, "digest" | "inputs" | "outputs"], _) => Reply {
            kind: "text/plain",
            body: bench.digest.clone().into_bytes(),
            ..Reply::html("")
        },
        (["api", "workload", id, query], _) => match bench.workload(id) {
            None => Reply::error("Requested Workload Id does not exist"),
            Some(workload) => match *query {
                "info" => Reply::json(&json!({"info": workload.info})),
                "results" => Reply::json(
                    &json!({"results": [{"machine__id": 1, "machine__user__username": "alice", "games": 16, "LL": 0, "LD": 2, "DD": 3, "DW": 3, "WW": 0, "timeloss": 1, "crashes": 0, "active": true}]}),
                ),
                _ => Reply::json(&json!({"summary": {"user": [], "cpu_name": [], "isa_name": []}})),
            },
        },
        _ => Reply {
            status: StatusCode::NOT_FOUND,
            ..Reply::html("Not Found")
        },
    };
    if session.is_empty() {
        bench.token += 1;
        let fresh = format!("guest{}", bench.token);
        if !reply
            .cookies
            .iter()
            .any(|cookie| cookie.starts_with("sessionid"))
        {
            reply.cookies.push(format!("sessionid={fresh}"));
        }
    }
    reply
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

impl Bench {
    fn tell(&mut self, session: &str, kind: &'static str, text: &str, to: &str) -> Reply {
        self.messages
            .insert(session.to_owned(), (kind, text.to_owned()));
        Reply::to(to)
    }

    fn shown(&mut self, session: &str) -> String {
        self.messages
            .remove(session)
            .map_or_else(String::new, |(kind, text)| message(kind, &text))
    }

    fn log_in(&mut self, session: &str, form: &HashMap<String, String>) -> Reply {
        let given = (
            form.get("username").map(String::as_str),
            form.get("password").map(String::as_str),
        );
        let account = ACCOUNTS
            .iter()
            .find(|(name, password, ..)| given == (Some(name), Some(password)));
        let Some((name, ..)) = account else {
            return self.tell(session, "error", "Unable to authenticate user", "/login/");
        };
        self.token += 1;
        let session = format!("session{}", self.token);
        self.sessions.insert(session.clone(), (*name).to_owned());
        // A login changes the token, as Django's does.
        Reply {
            cookies: vec![
                format!("sessionid={session}"),
                format!("csrftoken=fresh{}", self.token),
            ],
            ..Reply::to("/index/")
        }
    }

    fn workload(&mut self, id: &str) -> Option<&mut Workload> {
        let id: usize = id.parse().ok()?;
        self.workloads.get_mut(id.checked_sub(1)?)
    }

    fn rows(&self, words: &str) -> String {
        let mut rows = String::from(
            "<table class=\"test-list\"><tr class=\"table-header\"><th colspan=7>Active : 0 Machines</th></tr>",
        );
        for (index, workload) in self.workloads.iter().enumerate().rev() {
            let info = workload.info["info"].as_str().unwrap_or_default();
            if !info.to_lowercase().contains(&words.to_lowercase())
                || workload.info["deleted"] == json!(true)
            {
                continue;
            }
            let _ = write!(
                rows,
                "<tr><td class=\"datestamp\">1795283044</td><td><a href=\"/user/{}\">Xx</a></td><td>TinyRust</td><td><a href=\"/{}/{}/\">branch</a></td><td><a href=\"https://github.com/x/compare\">diff</a></td><td>N=1</td><td><strong>a<br/>b</strong></td><td><div>{}</div></td></tr>",
                workload.author,
                workload.kind,
                index + 1,
                escaped(info)
            );
        }
        rows + "</table>"
    }

    fn create(
        &mut self,
        kind: &'static str,
        user: Option<String>,
        session: &str,
        form: HashMap<String, String>,
    ) -> Reply {
        let Some(user) = user.filter(|user| user != "carol") else {
            return self.tell(
                session,
                "error",
                "Only enabled users can create tests",
                "/login/",
            );
        };
        if form
            .get("dev_engine")
            .is_none_or(|engine| engine != "TinyRust")
            || !form.contains_key("info")
        {
            return Reply::crash(&format!("KeyError at /{kind}/new/"));
        }
        if let Some(words) = self.refuse.take() {
            return self.tell(session, "error", words, &format!("/{kind}/new/"));
        }
        let mut info = recorded_info();
        info["id"] = json!(self.workloads.len() + 1);
        info["info"] = json!(form["info"]);
        info["author"] = json!(user);
        for side in ["dev", "base"] {
            info[side]["sha"] = json!("");
        }
        info["test_mode"] = json!(match kind {
            "tune" => "SPSA",
            "datagen" => "DATAGEN",
            _ => "SPRT",
        });
        for flag in ["passed", "failed", "finished", "deleted"] {
            info[flag] = json!(false);
        }
        info["approved"] = json!(user == "alice");
        self.workloads.push(Workload {
            kind,
            author: user,
            form,
            info,
        });
        Reply::to("/index/")
    }

    fn act(
        &mut self,
        id: &str,
        action: &str,
        user: Option<String>,
        session: &str,
        form: &HashMap<String, String>,
    ) -> Reply {
        let Some(user) = user else {
            return self.tell(
                session,
                "error",
                "Only users may modify Workloads",
                "/login/",
            );
        };
        let words = match (self.workload(id), action) {
            (None, _) => Err("No such Workload exists"),
            (Some(workload), _) if user != "alice" && workload.author != user => {
                Err("You cannot interact with another user's Workload")
            }
            (Some(_), "APPROVE") if user != "alice" => Err("You cannot approve this Workload"),
            (Some(workload), _) => {
                let set = |field: &str, value: bool, words: &'static str, info: &mut Value| {
                    info[field] = json!(value);
                    Ok(words)
                };
                let info = &mut workload.info;
                match action {
                    "STOP" => set("finished", true, "Workload was Stopped!", info),
                    "RESTART" => set("finished", false, "Workload was Restarted!", info),
                    "DELETE" => set("deleted", true, "Workload was Deleted!", info),
                    "RESTORE" => set("deleted", false, "Workload was Restored!", info),
                    "APPROVE" => set("approved", true, "Workload was Approved!", info),
                    "MODIFY" => {
                        // As the server does: what it does not like is left as it was, in silence.
                        let number = |field: &str| {
                            form.get(field).and_then(|value| value.parse::<i64>().ok())
                        };
                        if let Some(priority) = number("priority") {
                            info["priority"] = json!(priority);
                        }
                        if let Some(throughput) = number("throughput") {
                            info["throughput"] = json!(throughput.max(1));
                        }
                        if let Some(size) =
                            number("workload_size").filter(|_| info["test_mode"] != "SPSA")
                        {
                            info["workload_size"] = json!(size.max(1));
                        }
                        if let Some(text) = form.get("info") {
                            info["info"] = json!(text);
                        }
                        Ok("Workload was Modified!")
                    }
                    _ => Err("Unknown Workload action"),
                }
            }
        };
        match words {
            Ok(words) => self.tell(session, "status", words, "/index/"),
            Err(words) => self.tell(session, "error", words, "/index/"),
        }
    }

    fn network_list(&self) -> Value {
        let network = |(name, content): &(String, Vec<u8>)| json!({"default": false, "was_default": false, "sha256": short(content), "name": name, "engine": "TinyRust", "author": "alice", "created": "2026-11-20"});
        json!({"default": null, "networks": self.networks.iter().map(network).collect::<Vec<_>>()})
    }
}
