//! The settings of one engine of a match: how it is started, what it is sent, how long it may
//! think.
//!
//! [`EngineFlags`] are the flags, with the same names on the command line and in files;
//! [`EngineSettings`] are the resolved settings in the plan. An engine's own settings are added to
//! those of all engines of a match ([`super::flags::MatchFlags`]).

use std::path::{Path, PathBuf};

use foundation::{Failure, failure::OrUnable, is_default};
use serde::{Deserialize, Serialize};

use super::limit_flags::LimitFlags;
use super::option_files::option_files;
use super::option_list::{parse_option, with_last_values};
use super::range::time_margin;
use super::value_name::value_name;
use engine_client::{Limit, Restart};

/// The settings of one engine, resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineSettings {
    /// Set in this order, each checked against what the engine advertises.
    pub options: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The working folder, where it is not that of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Lines that are sent as they stand, after the options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub init: Vec<String>,
    /// `None` is the limit of the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// Milliseconds that a move may exceed its time; `None` is the margin of the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_margin_ms: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    pub restart: Restart,
    /// Whether it thinks on its opponent's time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
}

/// The settings of one engine as they are given: `--base-dir`, or `dir` in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct EngineFlags {
    pub name: Option<String>,
    pub dir: Option<PathBuf>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arg: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub init: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub option: Vec<String>,
    pub tc: Option<String>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub movetime: Option<u64>,
    pub time_margin: Option<u64>,
    pub restart: Option<Restart>,
    pub ponder: Option<bool>,
}

/// An engine that is to play: what the user calls it, and its settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// A program, a git revision, or a folder with a Makefile.
    pub source: String,
    /// `None` is the name of the program or of the commit.
    pub name: Option<String>,
    pub settings: EngineSettings,
}

impl EngineFlags {
    /// The entry of the engine `source`, where `common` holds for all engines of the match. Its own
    /// arguments and lines come after the common ones, its own options win over them.
    ///
    /// # Errors
    /// A value cannot be used.
    pub fn entry(&self, source: &str, common: &EngineSettings) -> Result<Entry, Failure> {
        let own = self
            .option
            .iter()
            .map(|text| parse_option(text))
            .collect::<Result<Vec<_>, _>>()?;
        let limit = LimitFlags {
            tc: self.tc.as_deref(),
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime,
        };
        let settings = EngineSettings {
            options: with_last_values(common.options.iter().cloned().chain(own)),
            arguments: [&common.arguments[..], &self.arg].concat(),
            folder: match &self.dir {
                Some(folder) => Some(working_folder(folder)?),
                None => common.folder.clone(),
            },
            init: [common.init.clone(), init_lines(&self.init)?].concat(),
            limit: limit.resolve()?.or_else(|| common.limit.clone()),
            time_margin_ms: match self.time_margin {
                Some(ms) => Some(time_margin(ms)?),
                None => common.time_margin_ms,
            },
            restart: self.restart.unwrap_or(common.restart),
            ponder: self.ponder.unwrap_or(common.ponder),
        };
        let name = match self.name.as_deref().map(str::trim) {
            Some("") => return Err(Failure::unable("an engine's name is empty")),
            name => name.map(str::to_owned),
        };
        Ok(Entry {
            source: source.to_owned(),
            name,
            settings,
        })
    }
}

impl EngineSettings {
    /// The flags that give these settings, without dashes and side.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        let mut flags: Vec<(&'static str, String)> = Vec::new();
        for (name, value) in &self.options {
            flags.push(("option", format!("{name}={value}")));
        }
        for argument in &self.arguments {
            flags.push(("arg", argument.clone()));
        }
        if let Some(folder) = &self.folder {
            flags.push(("dir", folder.display().to_string()));
        }
        for line in &self.init {
            flags.push(("init", line.clone()));
        }
        flags.extend(self.limit.iter().flat_map(Limit::flags));
        if let Some(ms) = self.time_margin_ms {
            flags.push(("time-margin", ms.to_string()));
        }
        if !is_default(&self.restart) {
            flags.push(("restart", value_name(&self.restart)));
        }
        if self.ponder {
            flags.push(("ponder", true.to_string()));
        }
        flags
    }

    /// The threads it searches with.
    pub fn threads(&self) -> usize {
        threads(&self.options)
    }

    /// Its options that name files, each with the SHA-256 of its file.
    pub fn files(&self) -> Vec<(String, String)> {
        option_files(&self.options, self.folder.as_deref())
    }

    /// Checks that the engine's working folder exists.
    pub(super) fn verify(&self) -> Result<(), Failure> {
        match &self.folder {
            Some(folder) => working_folder(folder).map(drop),
            None => Ok(()),
        }
    }
}

/// An existing folder, by a name that is valid wherever the run is resumed.
pub(super) fn working_folder(folder: &Path) -> Result<PathBuf, Failure> {
    if !folder.is_dir() {
        return Err(Failure::unable(format!(
            "no such folder: `{}`, in which an engine is to be started",
            folder.display()
        )));
    }
    std::path::absolute(folder).or_unable(format_args!("find out where `{}` is", folder.display()))
}

/// Lines that are sent as they stand; each is one.
pub(super) fn init_lines(lines: &[String]) -> Result<Vec<String>, Failure> {
    match lines.iter().find(|line| line.contains(['\n', '\r'])) {
        Some(line) => Err(Failure::unable(format!(
            "expected one line to send to an engine, got {}",
            line.escape_debug()
        ))
        .hint("give each line on its own; what may be given once may be given again")),
        None => Ok(lines.to_vec()),
    }
}

/// Flags of one engine of two: the keys of [`EngineFlags`] with a prefix.
macro_rules! side_flags {
    ($(#[$about:meta])* $flags:ident, $side:literal, $engine:literal) => {
        $(#[$about])*
        #[derive(clap::Args, Clone, Debug, Default)]
        #[command(next_help_heading = concat!("Only for ", $engine))]
        pub struct $flags {
            #[arg(id = concat!($side, "-name"), long = concat!($side, "-name"), value_name = "NAME",
                help = concat!("Name of ", $engine, " in records and messages"))]
            name: Option<String>,
            #[arg(id = concat!($side, "-option"), long = concat!($side, "-option"), value_name = "NAME=VALUE",
                help = concat!("Option for ", $engine, "; may be repeated"))]
            option: Vec<String>,
            #[arg(id = concat!($side, "-arg"), long = concat!($side, "-arg"), value_name = "ARG", allow_hyphen_values = true,
                help = concat!("Command-line argument for ", $engine, "; may be repeated"))]
            arg: Vec<String>,
            #[arg(id = concat!($side, "-dir"), long = concat!($side, "-dir"), value_name = "DIR",
                help = concat!("Working folder of ", $engine))]
            dir: Option<std::path::PathBuf>,
            #[arg(id = concat!($side, "-init"), long = concat!($side, "-init"), value_name = "LINE",
                help = concat!("Line to send to ", $engine, " after its options; may be repeated"))]
            init: Vec<String>,
            #[arg(id = concat!($side, "-tc"), long = concat!($side, "-tc"), value_name = "TC",
                help = concat!("Time control of ", $engine, ", in place of the limit of the match; its nodes or depth may stand beside it"))]
            tc: Option<String>,
            #[arg(id = concat!($side, "-nodes"), long = concat!($side, "-nodes"), value_name = "N",
                help = concat!("Nodes a move of ", $engine, ", in place of the limit of the match"))]
            nodes: Option<u64>,
            #[arg(id = concat!($side, "-depth"), long = concat!($side, "-depth"), value_name = "N",
                help = concat!("Plies a move of ", $engine, ", in place of the limit of the match"))]
            depth: Option<u32>,
            #[arg(id = concat!($side, "-movetime"), long = concat!($side, "-movetime"), value_name = "MS",
                help = concat!("Milliseconds a move of ", $engine, ", in place of the limit of the match"))]
            movetime: Option<u64>,
            #[arg(id = concat!($side, "-time-margin"), long = concat!($side, "-time-margin"), value_name = "MS",
                help = concat!("Milliseconds that a move of ", $engine, " may exceed its time"))]
            time_margin: Option<u64>,
            #[arg(id = concat!($side, "-restart"), long = concat!($side, "-restart"), value_enum, value_name = "WHEN",
                help = concat!("When the process of ", $engine, " is started anew"))]
            restart: Option<Restart>,
            #[arg(id = concat!($side, "-ponder"), long = concat!($side, "-ponder"), value_name = "BOOL",
                num_args = 0..=1, require_equals = true, default_missing_value = "true",
                help = concat!("Let ", $engine, " think on its opponent's time"))]
            ponder: Option<bool>,
        }

        impl From<$flags> for EngineFlags {
            fn from(flags: $flags) -> Self {
                let $flags { name, option, arg, dir, init, tc, nodes, depth, movetime, time_margin, restart, ponder } = flags;
                Self { name, dir, arg, init, option, tc, nodes, depth, movetime, time_margin, restart, ponder }
            }
        }
    };
}

side_flags!(
    /// The flags of BASE alone.
    BaseFlags, "base", "BASE"
);
side_flags!(
    /// The flags of NEW alone.
    NewFlags, "new", "NEW"
);

/// The threads that an engine with these options searches with.
pub(super) fn threads(options: &[(String, String)]) -> usize {
    let is_threads = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("Threads");
    let threads = options.iter().find(is_threads);
    let threads = threads.and_then(|(_, threads)| threads.parse().ok());
    threads.unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common() -> EngineSettings {
        EngineSettings {
            options: vec![
                ("Hash".into(), "16".into()),
                ("Style".into(), "Solid".into()),
            ],
            arguments: vec!["--uci".into()],
            init: vec!["debug on".into()],
            limit: Some(Limit::nodes(5)),
            ..EngineSettings::default()
        }
    }

    #[test]
    fn what_is_said_of_one_engine_comes_after_what_is_said_of_all() {
        let own = EngineFlags {
            name: Some("mine".into()),
            dir: Some(".".into()),
            arg: vec!["--fast".into()],
            init: vec!["debug off".into()],
            option: vec!["hash=64".into(), "Contempt=3".into()],
            tc: Some("4+0.04".into()),
            time_margin: Some(50),
            restart: Some(Restart::Game),
            ..EngineFlags::default()
        };
        let entry = own.entry("./engine", &common()).expect("an entry");
        assert_eq!(
            (entry.source.as_str(), entry.name.as_deref()),
            ("./engine", Some("mine"))
        );
        let settings = entry.settings;
        let options: Vec<_> = settings
            .options
            .iter()
            .map(|(n, v)| format!("{n}={v}"))
            .collect();
        assert_eq!(options, ["Hash=64", "Style=Solid", "Contempt=3"]);
        assert_eq!(settings.arguments, ["--uci", "--fast"]);
        assert_eq!(settings.init, ["debug on", "debug off"]);
        assert_eq!(
            settings.limit.as_ref().map(Limit::openbench).as_deref(),
            Some("4.0+0.04s")
        );
        assert!(
            settings
                .folder
                .as_ref()
                .is_some_and(|folder| folder.is_absolute())
        );
        let flags: Vec<String> = settings
            .flags()
            .iter()
            .map(|(n, v)| format!("{n} {v}"))
            .collect();
        assert!(flags.contains(&"tc 4+0.04".to_owned()), "{flags:?}");
        assert!(flags.contains(&"restart game".to_owned()), "{flags:?}");
        let nothing = EngineFlags::default()
            .entry("a", &common())
            .expect("an entry");
        assert_eq!(nothing.settings, common());
    }

    #[test]
    fn what_cannot_be_used_is_refused_before_anything_starts() {
        let refused = |flags: EngineFlags| {
            let failure = flags
                .entry("a", &EngineSettings::default())
                .expect_err("refused");
            failure.message().to_owned()
        };
        let empty = EngineFlags {
            name: Some(" ".into()),
            ..EngineFlags::default()
        };
        assert!(refused(empty).contains("name is empty"));
        let lines = EngineFlags {
            init: vec!["a\nb".into()],
            ..EngineFlags::default()
        };
        assert!(refused(lines).contains("a\\nb"));
        let folder = EngineFlags {
            dir: Some("no/such".into()),
            ..EngineFlags::default()
        };
        assert!(refused(folder).contains("`no/such`"));
        let limit = EngineFlags {
            nodes: Some(0),
            ..EngineFlags::default()
        };
        assert!(refused(limit).contains("--nodes 0"));
    }

    #[test]
    fn settings_of_an_earlier_release_are_read() {
        let read: EngineSettings =
            serde_json::from_str(r#"{"options": [["Hash", "8"]]}"#).expect("settings");
        assert_eq!(read.options, [("Hash".to_owned(), "8".to_owned())]);
        assert_eq!((read.limit, read.restart), (None, Restart::Never));
    }
}
