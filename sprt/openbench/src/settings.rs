//! Settings of a server and a workload, from the command line and from `[openbench]` of
//! `whetstone.toml`, under the same names; the command line wins.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Args as _;
use foundation::config::Config;
use foundation::variables::{OPENBENCH_PASSWORD, OPENBENCH_PASSWORD_FILE, OPENBENCH_USERNAME};
use foundation::{Failure, Printer, failure::OrUnable};
use openbench_command::flags::{BaseArgs, DatagenArgs, FieldArgs, ServerArgs, TestArgs, TuneArgs};
use openbench_command::workload::WorkloadName;
use serde::Serialize;

use crate::address::Server;
use crate::credentials::Source;
use crate::http::Limits;
use crate::session::Session;

/// Settings by name, all as text, because the server's forms know nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    values: BTreeMap<String, String>,
    /// The settings of the command line, whose meaning presets must not change.
    typed: BTreeSet<String>,
}

const SERVER_KEYS: [&str; 4] = ["server", "username", "password-file", "allow-http"];

impl Settings {
    /// Reads `[openbench]` of the nearest project file.
    pub fn find() -> Result<Self, Failure> {
        let here = std::env::current_dir().or_unable("find out which folder this is")?;
        let config = Config::find(&here)?;
        let mut settings = Self::of_section(&config.section("openbench")?)?;
        if let Some(file) = settings.values.get_mut("password-file") {
            *file = config.folder().join(&*file).display().to_string();
        }
        Ok(settings)
    }

    pub(crate) fn of_section(section: &toml::Table) -> Result<Self, Failure> {
        let known = known_keys();
        let mut values = BTreeMap::new();
        for (key, value) in section {
            let wrong = |what: &str| {
                Failure::unable(format!("whetstone.toml, section [openbench]: {what}"))
            };
            if key == "password" {
                return Err(wrong("a password does not belong in a project file")
                    .hint("delete it, change it, and set OPENBENCH_PASSWORD or `password-file`"));
            }
            if !known.contains(key) {
                return Err(wrong(&format!("unknown key `{key}`"))
                    .hint("its keys are flags without the dashes; see `sprt openbench submit test --help`"));
            }
            let text = match value {
                toml::Value::String(text) => text.clone(),
                toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => {
                    value.to_string()
                }
                other => {
                    return Err(wrong(&format!(
                        "`{key}` is a {}, not a text or number",
                        other.type_str()
                    )));
                }
            };
            values.insert(key.clone(), text);
        }
        Ok(Self {
            values,
            typed: BTreeSet::new(),
        })
    }

    /// Settings from the command line override the rest.
    #[must_use]
    pub fn with(mut self, args: &impl Serialize) -> Self {
        // Each of these structs is a flat list of texts.
        if let Ok(toml::Value::Table(table)) = toml::Value::try_from(args) {
            for (key, value) in table {
                if let toml::Value::String(text) = value {
                    self.typed.insert(key.clone());
                    self.values.insert(key, text);
                }
            }
        }
        self
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    pub(crate) fn is_typed(&self, key: &str) -> bool {
        self.typed.contains(key)
    }

    /// A session on the server that is named by the flags, the project file or the address of a
    /// workload. A login that is configured for one server is not sent to another.
    pub fn session(
        &self,
        args: &ServerArgs,
        name: Option<&WorkloadName>,
        printer: Printer,
    ) -> Result<Session, Failure> {
        let allow_http = args.allow_http || self.get("allow-http") == Some("true");
        let parsed = |text: &str| Server::parse(text, allow_http);
        let typed = args.server.as_deref().map(parsed).transpose()?;
        let of_name = name.and_then(|name| name.server.as_deref());
        let of_name = of_name.map(parsed).transpose()?;
        if let (Some(typed), Some(other)) = (&typed, &of_name)
            && typed != other
        {
            return Err(Failure::unable(format!(
                "the workload is on {other}, and --server says {typed}"
            )));
        }
        let is_typed = typed.is_some();
        let of_file = self.get("server");
        let (server, other) = match (typed.or(of_name), of_file) {
            // Of a server that is not spoken to nothing is asked: it may have plain HTTP, or be
            // misspelled.
            (Some(server), Some(own)) => {
                let is_own = Server::parse(own, true).is_ok_and(|own| own == server);
                (server, (!is_own).then(|| own.trim().to_owned()))
            }
            (Some(server), None) => (server, None),
            (None, Some(own)) => {
                let server = parsed(own).map_err(|failure| {
                    failure.context("whetstone.toml, section [openbench], key `server`")
                })?;
                (server, None)
            }
            (None, None) => {
                return Err(Failure::unable("no server is given")
                    .hint("give --server URL, OPENBENCH_SERVER, or `server` in [openbench] of whetstone.toml"));
            }
        };
        let source = self.source(args, is_typed, other);
        Session::new(server, source, Limits::default(), printer)
    }

    /// Who logs in; `other` is the server of the project file where it is not this one, and
    /// `is_named` whether this one is named otherwise than by the address of a workload.
    fn source(&self, args: &ServerArgs, is_named: bool, other: Option<String>) -> Source {
        let ignores_variables = other.is_some() && !is_named;
        let of_file = |key: &str| self.get(key).filter(|_| other.is_none());
        // A flag that was not typed has the value of its variable.
        let is_meant = |value: &OsStr, variable: &str| {
            !ignores_variables || std::env::var_os(variable).as_deref() != Some(value)
        };
        let username = args.username.clone();
        let username = username.filter(|name| is_meant(name.as_ref(), OPENBENCH_USERNAME));
        let file = args.password_file.clone();
        let file = file.filter(|file| is_meant(file.as_ref(), OPENBENCH_PASSWORD_FILE));
        // A file of the command line goes before the variable, and that before the project file's.
        let has_variable = std::env::var_os(OPENBENCH_PASSWORD).is_some_and(|it| !it.is_empty());
        Source {
            username: username.or_else(|| of_file("username").map(str::to_owned)),
            password_file: file.or_else(|| {
                let file = of_file("password-file").filter(|_| !has_variable);
                file.map(PathBuf::from)
            }),
            ignores_variables,
            other,
        }
    }
}

fn known_keys() -> BTreeSet<String> {
    let mut command = clap::Command::new("flags");
    command = FieldArgs::augment_args(command);
    command = BaseArgs::augment_args(command);
    command = TestArgs::augment_args(command);
    command = TuneArgs::augment_args(command);
    command = DatagenArgs::augment_args(command);
    let flags = command.get_arguments().filter_map(clap::Arg::get_long);
    flags.chain(SERVER_KEYS).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(text: &str) -> Result<Settings, Failure> {
        Settings::of_section(&toml::from_str(text).expect("TOML"))
    }

    #[test]
    fn the_command_line_wins_over_the_project_file() {
        let settings =
            section("engine = 'Whetstone'\npriority = 5\ntc = '8+0.08'").expect("settings");
        let typed = FieldArgs {
            tc: Some("N=2000".into()),
            ..FieldArgs::default()
        };
        let settings = settings.with(&typed);
        assert_eq!(
            (
                settings.get("engine"),
                settings.get("priority"),
                settings.get("tc")
            ),
            (Some("Whetstone"), Some("5"), Some("N=2000"))
        );
        assert!(settings.is_typed("tc") && !settings.is_typed("engine"));
    }

    #[test]
    fn a_password_in_the_project_file_is_refused_and_not_repeated() {
        let failure = section("password = 'secret'").expect_err("refused");
        assert!(
            failure.message().contains("does not belong")
                && !failure.to_string().contains("secret")
        );
        assert!(
            section("pasword = 'x'")
                .expect_err("unknown")
                .message()
                .contains("`pasword`")
        );
        assert!(
            section("engine = ['a']")
                .expect_err("a list")
                .message()
                .contains("array")
        );
    }

    #[test]
    fn the_address_of_a_workload_names_its_server() {
        let name: WorkloadName = "https://a.example.org/test/1/".parse().expect("a workload");
        let printer = Printer::new(foundation::printer::OutputArgs::default());
        let args = |server: Option<&str>| ServerArgs {
            server: server.map(str::to_owned),
            ..ServerArgs::default()
        };
        let origin = |args: &ServerArgs, name: Option<&WorkloadName>, settings: &Settings| {
            settings
                .session(args, name, printer)
                .map(|session| session.server().origin())
        };
        let project = section("server = 'b.example.org'").expect("settings");
        assert_eq!(
            origin(&args(None), Some(&name), &project).as_deref(),
            Ok("https://a.example.org")
        );
        assert_eq!(
            origin(&args(None), None, &project).as_deref(),
            Ok("https://b.example.org")
        );
        assert!(origin(&args(Some("c.example.org")), Some(&name), &project).is_err());
        // Plain HTTP is refused only where it would be spoken.
        let plain = section("server = 'http://10.0.0.5:8000'").expect("settings");
        for (args, name) in [
            (args(Some("a.example.org")), None),
            (args(None), Some(&name)),
        ] {
            let found = origin(&args, name, &plain);
            assert_eq!(found.as_deref(), Ok("https://a.example.org"));
        }
        assert!(origin(&args(None), None, &plain).is_err());
        // So is what is no address at all.
        let wrong = section("server = 'b.example.org:port'").expect("settings");
        let found = origin(&args(Some("a.example.org")), None, &wrong);
        assert_eq!(found.as_deref(), Ok("https://a.example.org"));
        let failure = origin(&args(None), None, &wrong).expect_err("refused");
        assert!(failure.message().contains("whetstone.toml"), "{failure}");
        assert!(origin(&args(None), None, &Settings::default()).is_err());
    }

    #[test]
    fn a_login_of_the_project_file_is_sent_to_its_own_server_only() {
        let project =
            section("server = 'b.example.org'\nusername = 'alice'\npassword-file = 'secret'")
                .expect("settings");
        let args = ServerArgs {
            username: Some("bob".into()),
            password_file: Some("own".into()),
            ..ServerArgs::default()
        };
        let none = ServerArgs::default();
        let of = |args: &ServerArgs, is_typed, other: Option<&str>| {
            let source = project.source(args, is_typed, other.map(str::to_owned));
            let file = source.password_file;
            (source.username, file.map(|file| file.display().to_string()))
        };
        let both = |name: &str, file: &str| (Some(name.to_owned()), Some(file.to_owned()));
        let other = Some("b.example.org");
        assert_eq!(of(&none, false, None), both("alice", "secret"));
        assert_eq!(of(&args, false, None), both("bob", "own"));
        // The address of a workload on another server.
        assert_eq!(of(&none, false, other), (None, None));
        assert_eq!(of(&args, false, other), both("bob", "own"));
        assert_eq!(of(&none, true, other), (None, None));
        assert_eq!(of(&args, true, other), both("bob", "own"));
    }
}
