//! Makes a started process a ready engine: its introduction, its options, and the lines that are
//! sent to it before it plays.

use std::time::Duration;

use foundation::Failure;
use tokio::time::Instant;

use super::{Broken, Engine, Introduction, LONGEST_NAME, REPORT_TIMEOUT, UciOption, within};
use crate::cut;

/// Set if the engine has these options; it is no error if they are missing.
const OPTIONAL: [&str; 2] = ["Threads", "Hash"];
/// How long to wait for the answer of an engine that speaks another protocol.
const OTHER_PROTOCOL_TIMEOUT: Duration = Duration::from_millis(500);

impl Engine {
    pub(super) async fn shake_hands(&mut self) -> Result<(), Failure> {
        let timeout = self.timeouts.startup;
        let hello = self.dialect.hello().trim_end();
        let answer = within(Instant::now() + timeout, self.introduction()).await;
        let said = self.process.last_line(self.dialect.welcome());
        let what = match answer {
            Ok(true) => return Ok(()),
            Err(Broken::Closed) => {
                let report = self
                    .process
                    .exit_report(Instant::now() + REPORT_TIMEOUT)
                    .await;
                match self.process.start_failure() {
                    Some(failure) => return Err(failure),
                    None => report,
                }
            }
            Ok(false) | Err(Broken::Late) => {
                if let Some(protocol) = self.other_protocol().await {
                    return Err(Failure::engine(format!(
                        "`{}` is an {protocol} engine: it does not answer `{hello}` as a {} engine must",
                        self.launch_name,
                        self.dialect.name()
                    ))
                    .hint(format!(
                        "use a build of it that speaks {}, or an adapter",
                        self.dialect.name()
                    )));
                }
                let missing = format!("no `{}` within {timeout:?}", self.dialect.welcome());
                match said {
                    Some(said) => format!("{missing}; {said}"),
                    None => missing,
                }
            }
        };
        Err(Failure::engine(format!(
            "`{}` did not answer `{hello}` as a {} engine must: {what}",
            self.launch_name,
            self.dialect.name(),
        ))
        .hint(format!(
            "start it by hand, type `{hello}`, and see what it prints; slow starters need --startup-timeout"
        )))
    }

    /// What the engine speaks instead, if that is known.
    async fn other_protocol(&mut self) -> Option<&'static str> {
        let other = self.dialect.other_protocol()?;
        let answer = async {
            self.process.send(other.question).await?;
            loop {
                let line = self.process.line().await?;
                if self.process.text(line).starts_with(other.answer.as_bytes()) {
                    return Ok(other.name);
                }
            }
        };
        within(Instant::now() + OTHER_PROTOCOL_TIMEOUT, answer)
            .await
            .ok()
    }

    /// Whether the engine introduced itself. It did not if it rejected the question, as engines for
    /// other protocols do.
    async fn introduction(&mut self) -> Result<bool, Broken> {
        self.process.send(self.dialect.hello()).await?;
        loop {
            let line = self.process.line().await?;
            let text = String::from_utf8_lossy(self.process.text(line));
            match self.dialect.introduction(&text) {
                Introduction::Done => return Ok(true),
                Introduction::Refused => return Ok(false),
                Introduction::Name(name) => self.name = cut(&name, LONGEST_NAME),
                Introduction::Author(author) => self.author = cut(&author, LONGEST_NAME),
                Introduction::Option(option) => self.options.push(option),
                Introduction::Other => {}
            }
        }
    }

    /// Sets options; each is checked against what the engine advertises.
    pub async fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        let mut lines = String::new();
        for (name, value) in options {
            let Some(option) = self.option(name) else {
                if OPTIONAL.contains(&name.as_str()) {
                    continue;
                }
                return Err(self.unknown_option(name));
            };
            let least = option.least_hash(value).map(|least| least.to_string());
            let value = least.as_deref().unwrap_or(value);
            option
                .accepts(value)
                .map_err(|failure| failure.context(&self.launch_name))?;
            self.dialect
                .set_option(option, option.spelled(value), &mut lines);
        }
        self.ping(&lines).await.map_err(|fault| {
            Failure::engine(format!(
                "`{}` failed after its options were set: {fault}",
                self.launch_name
            ))
            .hint("start it by hand and set the same options")
        })
    }

    pub(super) fn option(&self, name: &str) -> Option<&UciOption> {
        self.options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn unknown_option(&self, name: &str) -> Failure {
        let failure = Failure::unable(format!(
            "engine `{}` has no option `{name}`",
            self.launch_name
        ));
        let name = name.to_lowercase();
        let likeness = |option: &str| strsim::jaro_winkler(&option.to_lowercase(), &name);
        let near = self
            .options
            .iter()
            .map(|option| (likeness(&option.name), &option.name));
        match near.max_by(|(a, _), (b, _)| a.total_cmp(b)) {
            Some((likeness, near)) if likeness > 0.8 => {
                failure.hint(format!("did you mean `{near}`?"))
            }
            _ if self.options.is_empty() => failure.hint("it advertises no options at all"),
            _ => failure.hint("start it by hand and type `uci` to see its options"),
        }
    }

    /// Sends lines as they stand, and waits until the engine is done with them.
    pub(super) async fn send_lines(&mut self, lines: &[String]) -> Result<(), Failure> {
        let Some(last) = lines.last() else {
            return Ok(());
        };
        let text = lines.join("\n") + "\n";
        self.ping(&text).await.map_err(|fault| {
            Failure::engine(format!(
                "`{}` failed after it was sent `{last}`: {fault}",
                self.launch_name
            ))
            .hint("start it by hand and send it the same lines")
        })
    }
}
