//! Resolves an engine as a user names it (a path, a git revision, a folder, a name on the PATH) to
//! a program that can be started.

use std::path::{Path, PathBuf};

use bench_guard::build;
use bench_guard::programs::{is_program, on_path, taken_for};
use bench_guard::proof;
use bench_guard::repository::{Repository, Revision};
use bench_guard::settings::{self, Settings};
use foundation::{Failure, Printer, digest, failure::OrUnable};
use serde::{Deserialize, Serialize};

use super::option_list::{demanded, usual_options, with_last_values};
use super::settings::{EngineSettings, Entry};
use engine_client::{Engine, Launch, Limit, LogTarget, Timeouts, UciOption};
use referee::game::Variant;
use referee::trial;

/// One side of a match, resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contender {
    /// As on the command line.
    pub source: String,
    /// A short name without blanks, for records and messages.
    pub name: String,
    pub command: PathBuf,
    pub sha256: String,
    /// The commit it was built from.
    pub commit: Option<String>,
    pub subject: Option<String>,
    /// What its bench printed when it was built.
    pub bench: Option<u64>,
    /// Which engine of its repository it is, where that is not the main one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Digest of what it was built from; `None` for a program that was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<String>,
    /// Files that its options name, each under the name of its option with its SHA-256.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(String, String)>,
    #[serde(flatten)]
    pub settings: EngineSettings,
    /// What it calls itself, from `id name` and `id author`.
    pub engine_name: String,
    pub engine_author: String,
}

/// The settings with which an engine is tried before it plays.
#[derive(Clone, Debug)]
pub struct Trial {
    pub variant: &'static dyn Variant,
    pub timeouts: Timeouts,
    /// The limit of the match, with which it searches once unless it has its own; without one it
    /// does not search.
    pub limit: Option<Limit>,
}

impl Contender {
    /// Finds out what the source of an entry means, builds it where it has to be built, and sees
    /// that it starts, takes its options and keeps its limit.
    ///
    /// # Errors
    /// The source means nothing, cannot be built, or is no engine that could play.
    pub async fn resolve(entry: &Entry, trial: &Trial, printer: Printer) -> Result<Self, Failure> {
        let source = entry.source.as_str();
        entry.settings.verify()?;
        let mut contender = Self::find(source, printer)?;
        if let Some(name) = &entry.name {
            contender.name = word(name);
        }
        contender.settings = entry.settings.clone();
        let Trial {
            variant, timeouts, ..
        } = *trial;
        let options = contender.settings.options.into_iter();
        contender.settings.options = with_last_values(options.chain(demanded(variant)));
        let files = contender.settings.files();
        let mut launch = contender.launch(variant);
        launch.log = LogTarget::new(None, printer);
        let mut engine = Engine::start(&launch, timeouts).await?;
        contender.settle_options(&engine.options, printer);
        if let Some(usual) = &trial.limit {
            let limit = contender.limit(usual);
            let doubt = trial::search(&mut engine, &contender.name, variant, limit).await?;
            if let Some(doubt) = doubt {
                printer.warn(&doubt);
            }
        }
        contender.engine_name.clone_from(&engine.name);
        contender.engine_author.clone_from(&engine.author);
        engine.quit().await;
        // What has changed by now the engine writes itself, such as a log.
        contender.files = contender.settings.files();
        contender.files.retain(|file| files.contains(file));
        Ok(contender)
    }

    /// Puts the options that the engine plays with into the plan: Threads and Hash only where it has
    /// them, and no less hash than it takes. Others are refused if it does not have them.
    fn settle_options(&mut self, offered: &[UciOption], printer: Printer) {
        let (own, usual) = (&self.name, usual_options());
        self.settings.options.retain_mut(|given| {
            let option = offered.iter().find(|it| it.name.eq_ignore_ascii_case(&given.0));
            let (name, value) = given;
            let Some(option) = option else {
                let is_usual = usual.iter().any(|it| (&it.0, &it.1) == (&*name, &*value));
                if !is_usual {
                    printer.warn(&format!(
                        "`{own}` has no option {name}, and plays without {name}={value}"
                    ));
                }
                return is_usual;
            };
            if let Some(least) = option.least_hash(value) {
                printer.warn(&format!(
                    "`{own}` takes no less than {least} MiB of hash and plays with that; --hash {least} gives its opponent the same"
                ));
                *value = least.to_string();
            }
            true
        });
    }

    /// Finds out what `source` means and builds it where it has to be built; nothing is started.
    pub fn find(source: &str, printer: Printer) -> Result<Self, Failure> {
        let (kind, doubt) = Kind::of(source)?;
        if let Some(doubt) = doubt {
            printer.note(&doubt);
        }
        match kind {
            Kind::Program(command) => Self::program(source, &command),
            Kind::Folder(folder) => Self::built(source, &folder, ".", printer),
            Kind::Revision { revision, folder } => Self::built(source, &folder, &revision, printer),
        }
    }

    fn program(source: &str, command: &Path) -> Result<Self, Failure> {
        let command = std::path::absolute(command)
            .or_unable(format_args!("find out where `{}` is", command.display()))?;
        Ok(Self {
            source: source.to_owned(),
            name: word(&command.file_name().unwrap_or_default().to_string_lossy()),
            sha256: sha256(&command)?,
            command,
            ..Self::default()
        })
    }

    /// `revision` of the repository that holds `folder`, built by the Makefile that lies in that
    /// folder.
    fn built(
        source: &str,
        folder: &Path,
        revision: &str,
        printer: Printer,
    ) -> Result<Self, Failure> {
        let (settings, repository) = Settings::of_folder(folder)?;
        let revision = repository.resolve(revision)?;
        let own = settings.as_of_in(folder, &repository, &revision)?;
        let mut build_settings = own.build_settings(settings::cores());
        if let Some(own) = makefile_folder(repository.root(), folder) {
            build_settings.folder = own;
        }
        let built = build::build(&repository, &revision, &build_settings, &|line| {
            printer.note(line);
        })?;
        let inputs = proof::inputs(&repository, &revision, &own, &build_settings)?;
        let short = match &revision {
            Revision::Commit { id, .. } => id.get(..8).unwrap_or(id).to_owned(),
            Revision::WorkTree { .. } => "worktree".to_owned(),
        };
        if let Some(message) = built.message_bench
            && message != built.bench.nodes
        {
            return Err(Failure::unable(format!(
                "wrong bench of `{source}`: the commit message says {message}, the binary counts {}",
                built.bench.nodes
            ))
            .hint("a test on a server would be stopped for this; amend the message, or test the built binary by its path"));
        }
        Ok(Self {
            source: source.to_owned(),
            name: short,
            command: built.binary,
            sha256: built.sha256,
            commit: built.commit,
            subject: built.subject,
            bench: Some(built.bench.nodes),
            engine: settings.name().map(str::to_owned),
            inputs: Some(inputs),
            ..Self::default()
        })
    }

    /// Makes sure that the program and the files of its options are still what they were when the
    /// plan was made.
    pub fn verify(&self) -> Result<(), Failure> {
        let again = match self.commit.as_deref().filter(|_| self.inputs.is_some()) {
            Some(commit) => &format!(
                "`bench-guard bench {commit}` in its repository builds it again; or start a new run"
            ),
            None => "build or restore it, or start a new run",
        };
        self.verify_settings()
            .map_err(|failure| failure.hint("restore it, or start a new run"))?;
        let now = sha256(&self.command).map_err(|failure| failure.hint(again))?;
        if now == self.sha256 {
            Ok(())
        } else {
            Err(Failure::unable(format!(
                "`{}` has changed since the run began",
                self.command.display()
            ))
            .hint(again))
        }
    }

    fn verify_settings(&self) -> Result<(), Failure> {
        self.settings.verify()?;
        let now = self.settings.files();
        let Some((name, expected)) = self.files.iter().find(|file| !now.contains(file)) else {
            return Ok(());
        };
        let named = |(it, _): &&(String, String)| it == name;
        let file = self.settings.options.iter().find(named);
        let file = file.map_or("", |(_, value)| value);
        let got = now.iter().find(named);
        let got = got.map_or("it cannot be read".to_owned(), |(_, got)| {
            format!("its SHA-256 is {got}")
        });
        Err(Failure::unable(format!(
            "`{file}`, the {name} of `{}`, has changed since the run began: {got}, expected {expected}",
            self.name
        )))
    }

    /// Takes the program that `source` means, or else the one that is built from the commit of the
    /// plan: a plan written by hand can name any program beside the sources of another.
    ///
    /// # Errors
    /// It was not made from what the plan says.
    pub fn restore(&mut self, source: Option<&str>, printer: Printer) -> Result<(), Failure> {
        let commit = self.commit.as_deref().filter(|_| self.inputs.is_some());
        let Some(source) = source.or(commit) else {
            return self.verify();
        };
        self.verify_settings()?;
        let found = Self::find(source, printer)?;
        let (what, expected, got) = match &self.inputs {
            Some(own) => ("digest of sources", own, found.inputs.as_ref()),
            None => ("SHA-256", &self.sha256, Some(&found.sha256)),
        };
        if got != Some(expected) {
            let got = got.map_or("none", String::as_str);
            return Err(Failure::unable(format!(
                "`{source}` is not `{}` of the run: its {what} is {got}, expected {expected}",
                self.name
            ))
            .hint("name the revision that was played, of another engine of the repository as REV:FOLDER"));
        }
        (self.command, self.sha256) = (found.command, found.sha256);
        Ok(())
    }

    /// How long it may think about a move, where `usual` is the limit of the match.
    pub fn limit<'a>(&'a self, usual: &'a Limit) -> &'a Limit {
        self.settings.limit.as_ref().unwrap_or(usual)
    }

    /// How to start it for games of `variant`.
    pub fn launch(&self, variant: &dyn Variant) -> Launch {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Launch {
            arguments: self.settings.arguments.clone(),
            folder: self.settings.folder.clone(),
            options: self.settings.options.clone(),
            offered_options: variant.offered_options().iter().map(pair).collect(),
            init: self.settings.init.clone(),
            restart: self.settings.restart,
            ponder: self.settings.ponder,
            ..Launch::new(&self.name, &self.command, variant.dialect())
        }
    }
}

/// Makes sure that `source` means something, without building or starting it.
pub fn look_up(source: &str) -> Result<(), Failure> {
    Kind::of(source).map(drop)
}

const EXPECTED: &str =
    "expected an engine's program, a folder with its Makefile, or a git revision";

/// The kinds of names for an engine.
enum Kind {
    Program(PathBuf),
    /// A folder with a Makefile, in a working tree.
    Folder(PathBuf),
    /// A revision, and the folder of the engine that is meant.
    Revision {
        revision: String,
        folder: PathBuf,
    },
}

impl Kind {
    /// What a word means, and what else it could mean. A program or a folder with a Makefile comes
    /// before a revision, and that before a program on the PATH.
    fn of(source: &str) -> Result<(Self, Option<String>), Failure> {
        let path = Path::new(source);
        let is_path = is_path(source);
        let file = if path.is_dir() {
            Some((
                Self::Folder(path.to_owned()),
                has_makefile(path),
                "the folder",
            ))
        } else if path.is_file() {
            Some((
                Self::Program(path.to_owned()),
                is_program(path),
                "the program in this folder",
            ))
        } else {
            None
        };
        if is_path {
            return match file {
                Some((kind, ..)) => Ok((kind, None)),
                None => Err(Failure::unable(format!("no such file: `{source}`")).hint(EXPECTED)),
            };
        }
        let revision = revision_of(source);
        let is_revision = matches!(revision, Ok(Some(_)));
        match file {
            Some((kind, is_engine, what)) if is_engine || !is_revision => {
                let doubt = is_revision.then(|| taken_for(source, what, "a git revision"));
                return Ok((kind, doubt));
            }
            _ => {}
        }
        if is_revision {
            let program = on_path(source).filter(|_| source != "HEAD");
            let doubt = program.map(|program| {
                let other = format!("the program `{}`", program.display());
                taken_for(source, "the git revision", &other)
            });
            let (revision, folder) = (source.to_owned(), PathBuf::from("."));
            return Ok((Self::Revision { revision, folder }, doubt));
        }
        if let Some((revision, folder)) = source.split_once(':')
            && Path::new(folder).is_dir()
        {
            // An unknown revision is reported where it is resolved.
            let (revision, folder) = (revision.to_owned(), PathBuf::from(folder));
            return Ok((Self::Revision { revision, folder }, None));
        }
        if let Some(program) = on_path(source) {
            return Ok((Self::Program(program), None));
        }
        let neither = format!("`{source}` is no file and no program on the PATH");
        // Git's own message knows similar names.
        Err(match revision {
            Err(failure) => failure.context(neither),
            Ok(_) => Failure::unable(format!(
                "{neither}, and this folder is not inside a git repository"
            ))
            .hint(EXPECTED),
        })
    }
}

/// The revision of the repository around the current folder that a word names.
fn revision_of(word: &str) -> Result<Option<Revision>, Failure> {
    let found = Repository::find(Path::new("."))?;
    found.map(|found| found.resolve(word)).transpose()
}

/// Whether a word is a path whatever is there.
fn is_path(word: &str) -> bool {
    Path::new(word).is_absolute()
        || matches!(word, "." | "..")
        || word.starts_with("./")
        || word.starts_with("../")
}

/// Whether a word in a file means what is at `place`, as seen from there: it is a path, or an engine
/// lies there, or something that hides no git revision.
pub(crate) fn means_path(word: &str, place: &Path) -> bool {
    let is_revision = || matches!(revision_of(word), Ok(Some(_)));
    is_path(word) || is_program(place) || has_makefile(place) || place.exists() && !is_revision()
}

/// Whether `make` finds what to do in this folder.
#[must_use]
pub fn has_makefile(folder: &Path) -> bool {
    let names = ["GNUmakefile", "makefile", "Makefile"];
    names.iter().any(|name| folder.join(name).is_file())
}

/// The place of `folder` in its repository, if it is a folder below the root that has a Makefile of
/// its own.
fn makefile_folder(root: &Path, folder: &Path) -> Option<String> {
    let has_makefile = has_makefile(folder);
    let (root, folder) = (root.canonicalize().ok()?, folder.canonicalize().ok()?);
    let relative = folder.strip_prefix(root).ok()?.to_str()?;
    (has_makefile && !relative.is_empty()).then(|| relative.to_owned())
}

/// The digest of a program. Engines with their networks inside are large: one is read again only
/// when it has changed.
fn sha256(file: &Path) -> Result<String, Failure> {
    digest::of_file_cached(file).or_unable(format_args!("read `{}`", file.display()))
}

/// A name that can stand between blanks.
fn word(name: &str) -> String {
    name.chars()
        .map(|letter| {
            if letter.is_whitespace() || letter == ':' {
                '_'
            } else {
                letter
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_an_earlier_release_knows_no_files() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("engine"), "program").expect("written");
        let mut engine = Contender {
            command: folder.path().join("engine"),
            sha256: digest::of_bytes(b"program"),
            files: vec![("EvalFile".to_owned(), digest::of_bytes(b"one"))],
            ..Contender::default()
        };
        let failure = engine.verify().expect_err("the file is not there");
        assert!(failure.message().contains("the EvalFile of"), "{failure}");
        engine.files.clear();
        engine.verify().expect("what is not known is not checked");
    }

    #[test]
    fn a_path_that_is_not_there_is_no_revision() {
        let failure = Kind::of("./no-such-engine").err().expect("no such file");
        assert!(failure.message().contains("./no-such-engine"));
    }
}
