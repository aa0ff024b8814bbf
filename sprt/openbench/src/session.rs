//! A session on a server: reads without logging in where that is allowed, logs in when the server
//! asks for it, and reads the server's messages.

use foundation::{Failure, Printer};
use secrecy::ExposeSecret;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::address::Server;
use crate::credentials::{Credentials, Source};
use crate::http::{Answer, Client, Download, Limits, Unanswered};
use crate::read::api::{self, Config, EngineConfig, Info, MachineResult, Networks};
use crate::read::page::{self, Messages};
use openbench_command::history::Progress;
use openbench_command::workload::Kind;

/// More redirections than OpenBench has.
const HOPS: usize = 5;

const LOGIN: &str = "/login/";

pub struct Session {
    pub client: Client,
    source: Source,
    credentials: Option<Credentials>,
    logged_in: bool,
}

impl Session {
    pub fn new(
        server: Server,
        source: Source,
        limits: Limits,
        printer: Printer,
    ) -> Result<Self, Failure> {
        Ok(Self {
            client: Client::new(server, limits, printer)?,
            source,
            credentials: None,
            logged_in: false,
        })
    }

    pub fn server(&self) -> &Server {
        &self.client.server
    }

    /// The user who is or will be logged in, if that is known without asking the server.
    pub fn username(&self) -> Option<&str> {
        self.source.username.as_deref()
    }

    /// Logs in, unless already logged in. The password goes to `/login/` and nowhere else.
    pub async fn log_in(&mut self) -> Result<(), Unanswered> {
        if self.logged_in {
            return Ok(());
        }
        let credentials = match self.credentials.take() {
            Some(credentials) => credentials,
            None => self.source.obtain(self.server())?,
        };
        let done = self.log_in_as(&credentials).await;
        self.logged_in = done.is_ok();
        self.credentials = Some(credentials);
        done
    }

    /// The answer to a request. Where the server wants a login, because it has forgotten the session
    /// or shows nothing to strangers, it has done nothing: the request is sent again after a login.
    pub(crate) async fn asked<T: WantsLogin>(
        &mut self,
        mut request: impl AsyncFnMut(&Self) -> Result<T, Unanswered>,
    ) -> Result<T, Unanswered> {
        let answer = request(self).await?;
        if !answer.wants_login() {
            return Ok(answer);
        }
        self.logged_in = false;
        self.log_in().await.map_err(not_arrived)?;
        let answer = request(self).await?;
        if answer.wants_login() {
            return Err(Failure::unable(format!(
                "{} asks for a login again and again",
                self.server()
            ))
            .hint("is a proxy taking cookies away, and may this account do that?")
            .into());
        }
        Ok(answer)
    }

    async fn log_in_as(&self, credentials: &Credentials) -> Result<(), Unanswered> {
        // The page sets the token that the form has to send back. No other page gets the password.
        let form = self.client.get(LOGIN, &[]).await?;
        if !page::is_login(&form.text()) {
            return Err(self.foreign(LOGIN, &form));
        }
        let form = [
            ("username", credentials.username.as_str()),
            ("password", credentials.password.expose_secret()),
        ];
        let answer = self.client.post(LOGIN, &form).await?;
        let refused = answer.location.as_ref().is_none_or(|to| to.path() == LOGIN);
        let messages = self.follow(answer).await?;
        let who = format!("{} on {}", credentials.username, self.server());
        match messages.error {
            Some(error) if refused => {
                Err(Failure::unable(format!("login of {who} refused: {error}"))
                    .hint(format!("check the user name and {}", credentials.origin))
                    .into())
            }
            Some(error)
                if error.contains("not been enabled")
                    || error.contains("not a real OpenBench User") =>
            {
                Err(
                    Failure::unable(format!("the account {who} cannot be used: {error}"))
                        .hint("an administrator of the server enables accounts")
                        .into(),
                )
            }
            _ if refused || self.client.cookie("sessionid").is_none() => Err(Failure::unable(
                format!("login of {who} failed: the server opened no session"),
            )
            .into()),
            _ => Ok(()),
        }
    }

    /// Follows an answer's redirection, and reads the messages that are shown there once.
    pub async fn follow(&self, answer: Answer) -> Result<Messages, Unanswered> {
        let path = answer.url.path().to_owned();
        let page = self.last(answer).await?;
        page::messages(&page.text()).ok_or_else(|| self.foreign(&path, &page))
    }

    /// What came is not the page that OpenBench has there, as of a proxy before a server that is down.
    fn foreign(&self, path: &str, answer: &Answer) -> Unanswered {
        let title = page::title(&answer.text());
        let title = title.map_or(String::new(), |title| format!(": `{title}`"));
        Unanswered::later(
            Failure::unable(format!(
                "{} answers {path} with something else than OpenBench's page{title}",
                self.server()
            ))
            .hint("try again later; is this an OpenBench server, and is it up to date?"),
        )
    }

    async fn last(&self, mut answer: Answer) -> Result<Answer, Unanswered> {
        for _ in 0..HOPS {
            let Some(location) = &answer.location else {
                return Ok(answer);
            };
            let query: Vec<(String, String)> = location.query_pairs().into_owned().collect();
            let query: Vec<(&str, &str)> = query
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect();
            let path = location.path().to_owned();
            answer = self.client.get(&path, &query).await?;
        }
        Err(Failure::unable(format!("{} redirects in circles", self.server())).into())
    }

    /// What `read` finds on a page; logs in if the server does not show it otherwise. A page on which
    /// it finds nothing is not the one that was asked for.
    pub async fn page<T>(
        &mut self,
        path: &str,
        query: &[(&str, &str)],
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Unanswered> {
        let answer = self
            .asked(async |session| session.last(session.client.get(path, query).await?).await)
            .await?;
        let text = answer.text();
        // Some pages lead to another with a message, such as that there is no such workload.
        let has_moved = answer.url.path() != self.server().url(path).path();
        match page::messages(&text).and_then(|messages| messages.error) {
            Some(error) if has_moved => Err(self.refusal(path, &error).into()),
            _ => read(&text).ok_or_else(|| self.foreign(path, &answer)),
        }
    }

    /// How far a tune is; only its page tells, if anything.
    pub async fn progress(&mut self, id: u64) -> Result<Option<Progress>, Unanswered> {
        let read = |html: &str| page::messages(html).map(|_| page::progress(html));
        self.page(&Kind::Tune.path(id), &[], read).await
    }

    /// The whole JSON of an address below `/api/`.
    pub async fn json(&mut self, path: &str) -> Result<Value, Unanswered> {
        self.get(path).await?.json()
    }

    async fn get(&mut self, path: &str) -> Result<Answer, Unanswered> {
        self.asked(async |session| session.client.get(path, &[]).await)
            .await
    }

    /// A text below `/api/`; errors come as JSON there too.
    pub async fn text(&mut self, path: &str) -> Result<String, Unanswered> {
        let answer = self.get(path).await?;
        if answer.content_type.starts_with("text/html") {
            return Err(self.foreign(path, &answer));
        }
        if answer.content_type.starts_with("application/json") {
            answer.json()?;
        }
        Ok(answer.text())
    }

    async fn part<T: DeserializeOwned>(
        &mut self,
        path: &str,
        key: Option<&str>,
    ) -> Result<T, Unanswered> {
        Ok(api::part(self.json(path).await?, key)?)
    }

    pub async fn config(&mut self) -> Result<Config, Unanswered> {
        self.part("/api/config/", None).await
    }

    pub async fn engine(&mut self, name: &str) -> Result<EngineConfig, Unanswered> {
        self.part(&format!("/api/config/{name}/"), None).await
    }

    pub async fn networks(&mut self, engine: &str) -> Result<Networks, Unanswered> {
        self.part(&format!("/api/networks/{engine}/"), None).await
    }

    pub async fn info(&mut self, id: u64) -> Result<Info, Unanswered> {
        self.part(&format!("/api/workload/{id}/info/"), Some("info"))
            .await
    }

    pub async fn results(&mut self, id: u64) -> Result<Vec<MachineResult>, Unanswered> {
        self.part(&format!("/api/workload/{id}/results/"), Some("results"))
            .await
    }

    /// The answer with the results by user, processor and instruction set; none where the server does not
    /// have it, as before version 49.
    pub async fn summary(&mut self, id: u64) -> Result<Option<Value>, Unanswered> {
        match self.json(&format!("/api/workload/{id}/summary/")).await {
            Ok(summary) => Ok(Some(summary)),
            Err(Unanswered::Never(failure)) => {
                self.client.printer.warn(failure.message());
                Ok(None)
            }
            Err(later) => Err(later),
        }
    }

    /// Follows a link that changes a workload, such as `STOP`; returns the server's message.
    pub async fn act(&mut self, kind: Kind, id: u64, action: &str) -> Result<String, Unanswered> {
        self.log_in().await?;
        let path = format!("{}{action}/", kind.path(id));
        // Each of these sets a state, so sending it twice does no harm.
        let answer = self.get(&path).await?;
        let messages = self.follow(answer).await?;
        match messages {
            Messages {
                error: Some(error), ..
            } => Err(self.refusal(&path, &error).into()),
            Messages {
                status: Some(status),
                ..
            } => Ok(status),
            _ => Err(
                Failure::unable(format!("{} said nothing of {path}", self.server()))
                    .hint("look at the workload's page whether it was done")
                    .into(),
            ),
        }
    }

    /// Sends a form as a logged-in user; the server takes it once. Returns the redirection, and the
    /// messages shown there.
    pub async fn submit(
        &mut self,
        path: &str,
        form: &[(&str, &str)],
    ) -> Result<(String, Messages), Unanswered> {
        self.change(async |client| client.post(path, form).await)
            .await
    }

    /// A request that changes something, as a logged-in user.
    pub(crate) async fn change(
        &mut self,
        request: impl AsyncFn(&Client) -> Result<Answer, Unanswered>,
    ) -> Result<(String, Messages), Unanswered> {
        self.log_in().await.map_err(not_arrived)?;
        let answer = self
            .asked(async |session| request(&session.client).await)
            .await?;
        let to = answer
            .location
            .as_ref()
            .map_or_else(String::new, |to| to.path().to_owned());
        let messages = self.follow(answer).await?;
        Ok((to, messages))
    }

    /// The server's message about what it refused.
    pub fn refusal(&self, path: &str, error: &str) -> Failure {
        let lines = error.replace('\n', "\n  ");
        let failure = Failure::unable(format!("{} refuses {path}: {lines}", self.server()));
        if error.contains("another user") || error.contains("cannot approve") {
            failure.hint("only its author and approvers may do this; approving takes an approver")
        } else {
            failure
        }
    }
}

/// An answer that may be that the server wants a login.
pub(crate) trait WantsLogin {
    fn wants_login(&self) -> bool;
}

impl WantsLogin for Answer {
    fn wants_login(&self) -> bool {
        let url = self.location.as_ref().unwrap_or(&self.url);
        url.path() == LOGIN
            || matches!(self.json(), Err(Unanswered::Never(failure))
                if failure.message().contains(api::WANTS_LOGIN))
    }
}

impl WantsLogin for Download {
    fn wants_login(&self) -> bool {
        matches!(self, Self::Page(answer) if answer.wants_login())
    }
}

/// A failure before a form is sent means that nothing has arrived.
fn not_arrived(unanswered: Unanswered) -> Unanswered {
    match unanswered {
        Unanswered::Later { failure, .. } => Unanswered::Later {
            failure,
            arrived: false,
        },
        never @ Unanswered::Never(_) => never,
    }
}
