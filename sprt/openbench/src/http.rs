//! Requests and answers: limits of time and size, which requests are repeated, and redirections
//! only within the server.
//!
//! A request that reads is repeated after a pause that grows, a few times; one that changes
//! something is sent once, and the caller learns whether it may have arrived. OpenBench answers
//! nearly everything with status 200 or 302; a 5xx is a crash of one request (`database is locked`,
//! a restart behind a proxy) and worth another try later.

mod answer;
mod limits;
mod probe;

use std::error::Error as _;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use answer::Answer;
use foundation::{Failure, Printer, failure::OrUnable};
pub use limits::{Limits, Unanswered};
pub use probe::Probe;
use reqwest::cookie::{CookieStore, Jar};
use reqwest::header::{CONTENT_TYPE, LOCATION, ORIGIN, REFERER, RETRY_AFTER};
use reqwest::multipart::Form as Multipart;
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, RequestBuilder, Response, StatusCode, Url};

use crate::address::Server;

/// Sends requests to one server.
pub struct Client {
    http: reqwest::Client,
    /// Without a limit on silence: a server says nothing before it has the whole file.
    uploads: reqwest::Client,
    jar: Arc<Jar>,
    pub server: Server,
    pub limits: Limits,
    pub printer: Printer,
}

impl Client {
    pub fn new(server: Server, limits: Limits, printer: Printer) -> Result<Self, Failure> {
        // If a second client finds the provider of the first, that is no error.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let jar = Arc::new(Jar::default());
        let client = || {
            reqwest::Client::builder()
                .user_agent(concat!("whetstone/", env!("CARGO_PKG_VERSION")))
                .cookie_provider(Arc::clone(&jar))
                .redirect(Policy::none())
                .connect_timeout(limits.connect)
        };
        let built = |client: ClientBuilder| client.build().or_unable("prepare the connection");
        Ok(Self {
            http: built(client().read_timeout(limits.silence))?,
            uploads: built(client())?,
            jar,
            server,
            limits,
            printer,
        })
    }

    /// A cookie of this server.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let header = self.jar.cookies(&self.server.url("/"))?;
        let pairs = header.to_str().ok()?.split("; ");
        pairs
            .filter_map(|pair| pair.split_once('='))
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.to_owned())
    }

    /// Reads a page, trying again where that may help.
    pub async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Answer, Unanswered> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.get_once(path, query).await {
                Err(Unanswered::Later { failure, .. }) if tries < self.limits.tries => {
                    let pause = self.limits.pause_after(tries);
                    let seconds = pause.as_secs_f64();
                    self.printer.note(&format!(
                        "{}; trying again in {seconds:.0} s",
                        failure.message()
                    ));
                    tokio::time::sleep(pause).await;
                }
                other => return other,
            }
        }
    }

    /// Reads a page once, for callers that repeat requests themselves.
    pub(crate) async fn get_once(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<Answer, Unanswered> {
        let request = self.http.get(self.server.url(path));
        let request = if query.is_empty() {
            request
        } else {
            request.query(query)
        };
        self.send(request, path, self.limits.answer).await
    }

    /// Sends a form, once.
    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Result<Answer, Unanswered> {
        let request = self.http.post(self.server.url(path)).form(form);
        let request = self.signed(request, path);
        self.send(request, path, self.limits.answer).await
    }

    /// Sends files of so many bytes, once.
    pub async fn upload(
        &self,
        path: &str,
        parts: Multipart,
        bytes: usize,
    ) -> Result<Answer, Unanswered> {
        let request = self.uploads.post(self.server.url(path)).multipart(parts);
        let request = self.signed(request, path);
        self.send(request, path, self.limits.upload_of(bytes)).await
    }

    /// Adds what Django requires against cross-site request forgery: the token that it set as a
    /// cookie, and over TLS the page that the form came from.
    fn signed(&self, request: RequestBuilder, path: &str) -> RequestBuilder {
        let request = request
            .header(REFERER, self.server.url(path).as_str())
            .header(ORIGIN, self.server.origin());
        match self.cookie("csrftoken") {
            Some(token) => request.header("X-CSRFToken", token),
            None => request,
        }
    }

    async fn send(
        &self,
        request: RequestBuilder,
        path: &str,
        longest: Duration,
    ) -> Result<Answer, Unanswered> {
        self.printer.trace(&format!("-> {path}"));
        let sent = tokio::time::timeout(longest, async {
            let response = request
                .send()
                .await
                .map_err(|error| self.lost(path, &error))?;
            self.read(response, path).await
        });
        let answer = sent.await.unwrap_or_else(|_| {
            let seconds = longest.as_secs_f64();
            Err(Unanswered::later(Failure::unable(format!(
                "{} did not answer {path} within {seconds} s",
                self.server
            ))))
        })?;
        self.printer.trace(&format!(
            "<- {path}: {}, {} bytes",
            answer.status,
            answer.body.len()
        ));
        Ok(answer)
    }

    async fn read(&self, mut response: Response, path: &str) -> Result<Answer, Unanswered> {
        let (url, status, location) = match self.head(&response, path) {
            Err(failure) if self.limits.statuses_pass => return Err(Unanswered::later(failure)),
            head => head?,
        };
        let content_type = header(&response, CONTENT_TYPE.as_str());
        let mut body = Vec::new();
        while let Some(part) = response
            .chunk()
            .await
            .map_err(|error| self.lost(path, &error))?
        {
            if body.len() + part.len() > self.limits.page {
                return Err(Failure::unable(format!(
                    "the answer of {} to {path} is longer than {} MiB",
                    self.server,
                    self.limits.page >> 20
                ))
                .hint("is this an OpenBench server?")
                .into());
            }
            body.extend_from_slice(&part);
        }
        let answer = Answer {
            url,
            status,
            location,
            content_type,
            body,
        };
        match status {
            _ if status.is_success() || status.is_redirection() => Ok(answer),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => Err(Unanswered::later(
                Failure::unable(format!("{} asks to be left alone for a while ({status})", self.server)),
            )),
            _ if status.is_server_error() => {
                let title = crate::read::page::title(&answer.text());
                let title = title.map_or(String::new(), |title| format!(": {title}"));
                Err(Unanswered::later(Failure::unable(format!(
                    "{} failed at {path} with {status}{title}",
                    self.server
                ))))
            }
            _ if self.limits.statuses_pass => Err(Unanswered::later(Failure::unable(format!(
                "{} answers {path} with {status}",
                self.server
            )))),
            StatusCode::FORBIDDEN => Err(Failure::unable(format!("{} forbids {path} ({status})", self.server))
                .hint("OpenBench says so when its token against forged requests is missing; is a proxy taking cookies away?")
                .into()),
            _ => Err(Failure::unable(format!("{} answers {path} with {status}", self.server))
                .hint("is this an OpenBench server, and is it up to date?")
                .into()),
        }
    }

    fn head(
        &self,
        response: &Response,
        path: &str,
    ) -> Result<(Url, StatusCode, Option<Url>), Failure> {
        let (url, status) = (response.url().clone(), response.status());
        let location = match header(response, LOCATION.as_str()) {
            location if location.is_empty() => None,
            location => Some(self.server.redirected(&url, &location)?),
        };
        if status.is_redirection() && location.is_none() {
            return Err(Failure::unable(format!(
                "{} redirects {path} to nowhere",
                self.server
            )));
        }
        let wait = header(response, RETRY_AFTER.as_str());
        if !wait.is_empty() {
            self.printer
                .detail(&format!("{} says: try again after {wait}", self.server));
        }
        Ok((url, status, location))
    }

    /// Writes an answer of any size to a file; if the answer is a page and not a file, its start is
    /// returned instead.
    pub async fn download(
        &self,
        path: &str,
        to: &mut (impl std::io::Write + Send),
        file: &Path,
    ) -> Result<Download, Unanswered> {
        let request = self.http.get(self.server.url(path));
        let mut response = tokio::time::timeout(self.limits.answer, request.send())
            .await
            .map_err(|_| {
                Unanswered::later(Failure::unable(format!(
                    "{} does not answer {path}",
                    self.server
                )))
            })?
            .map_err(|error| self.lost(path, &error))?;
        let is_file = response.status().is_success()
            && header(&response, CONTENT_TYPE.as_str()) == "application/octet-stream";
        if !is_file {
            return Ok(Download::Page(Box::new(self.read(response, path).await?)));
        }
        let announced = response.content_length();
        let mut size = 0;
        while let Some(part) = response
            .chunk()
            .await
            .map_err(|error| self.lost(path, &error))?
        {
            to.write_all(&part)
                .or_unable(format_args!("write `{}`", file.display()))?;
            size += part.len() as u64;
        }
        match announced {
            Some(announced) if announced != size => Err(Unanswered::later(Failure::unable(
                format!("{} sent {size} of {announced} bytes of {path}", self.server),
            ))),
            _ => Ok(Download::File(size)),
        }
    }

    fn lost(&self, path: &str, error: &reqwest::Error) -> Unanswered {
        let failure = Failure::unable(format!(
            "no answer from {} to {path}: {}",
            self.server,
            explained(error)
        ));
        let failure = if error.is_connect() {
            failure.hint("is the address right, and is the server up?")
        } else {
            failure
        };
        // A certificate that TLS rejects now will still be rejected a minute later.
        if explained(error).contains("certificate") {
            return Unanswered::Never(
                failure.hint("the certificate is checked against those that this system trusts"),
            );
        }
        Unanswered::Later {
            failure,
            arrived: !error.is_connect(),
        }
    }
}

/// A file that is still being written, in the folder of its final name, and as accessible to others
/// as that file would be.
pub fn unfinished(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    // The user's mask removes from this what it removes from any new file.
    let mode = std::fs::Permissions::from_mode(0o666);
    tempfile::Builder::new()
        .permissions(mode)
        .tempfile_in(folder)
}

/// What was downloaded.
#[derive(Debug)]
pub enum Download {
    /// A file of this many bytes.
    File(u64),
    Page(Box<Answer>),
}

fn header(response: &Response, name: &str) -> String {
    let value = response.headers().get(name);
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned()
}

/// The error with its causes, because the outermost only says that something went wrong.
fn explained(error: &reqwest::Error) -> String {
    let mut text = if error.is_timeout() {
        "too slow".to_owned()
    } else {
        String::new()
    };
    let mut cause = error.source();
    while let Some(error) = cause {
        let separator = if text.is_empty() { "" } else { ": " };
        let _ = write!(text, "{separator}{error}");
        cause = error.source();
    }
    if text.is_empty() {
        "the connection broke".to_owned()
    } else {
        text
    }
}
