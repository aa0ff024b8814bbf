//! What most commands begin with: the repository of the current folder, the settings that apply to
//! it, and the commits or binaries that the arguments name.

use std::path::{Path, PathBuf};

use crate::{
    bench::BenchSettings,
    build::{self, Binary, BuildSettings},
    environment::Environment,
    programs::{is_program, on_path, taken_for},
    repository::{Range, Repository, Revision},
    settings::{Settings, cores},
};
use foundation::{Failure, Printer, failure::OrUnable};

/// A repository with its settings.
pub(crate) struct Project {
    pub(crate) repository: Repository,
    pub(crate) settings: Settings,
}

impl Project {
    /// The project that the current folder belongs to.
    pub(crate) fn open() -> Result<Self, Failure> {
        Self::with(Settings::find(&current_folder()?)?)
    }

    /// The repository of the current folder, by these settings.
    pub(crate) fn with(settings: Settings) -> Result<Self, Failure> {
        Ok(Self {
            repository: settings.repository(&current_folder()?)?,
            settings,
        })
    }

    /// Takes the engine of this name; without one, the engine that the current folder belongs to.
    pub(crate) fn set_engine(&mut self, name: Option<&str>) -> Result<(), Failure> {
        self.settings = match name {
            Some(name) => self.settings.engine_named(name)?,
            None => self
                .settings
                .engine_in(&self.repository.place_of(&current_folder()?)?),
        };
        self.repository = self.settings.repository(&current_folder()?)?;
        Ok(())
    }

    /// Takes the number of runs from the command line if it was given.
    pub(crate) fn set_runs(&mut self, runs: Option<usize>) -> Result<(), Failure> {
        match runs {
            Some(runs @ 1..=1024) => self.settings.runs = runs,
            Some(_) => return Err(Failure::unable("--runs must be between 1 and 1024")),
            None => {}
        }
        Ok(())
    }

    /// How to build a revision when nothing else is built at the same time.
    pub(crate) fn build_settings(&self, revision: &Revision) -> Result<BuildSettings, Failure> {
        let own = self.settings.as_of(&self.repository, revision)?;
        Ok(own.build_settings(cores()))
    }

    /// The binary of a revision, built unless it is in the cache.
    pub(crate) fn binary(&self, revision: &Revision, printer: Printer) -> Result<Binary, Failure> {
        let progress = |text: &str| printer.note(text);
        build::binary(
            &self.repository,
            revision,
            &self.build_settings(revision)?,
            &progress,
        )
        .map_err(|not_built| {
            Failure::from(not_built).context(format_args!("build of {}", revision.name()))
        })
    }

    /// The range that a command is given; without one, the commits that the upstream branch does
    /// not have, of a branch without one those that no remote branch has, or else HEAD.
    pub(crate) fn range(&self, text: Option<&str>) -> Result<Range, Failure> {
        match text {
            Some(text) => Range::parse(text),
            None => Ok(match self.repository.resolve_commit("@{upstream}") {
                Ok(from) => Range::Since {
                    from,
                    tip: "HEAD".to_owned(),
                },
                Err(_) if self.repository.knows_remotes()? => Range::Unpublished {
                    from: None,
                    tip: "HEAD".to_owned(),
                },
                Err(_) => Range::One("HEAD".to_owned()),
            }),
        }
    }
}

/// A program if there is a file of that name that can be started, else a revision, which is built, else
/// a program on the PATH.
/// Also the environment that it is to have.
pub(crate) fn engine_binary(
    text: &str,
    printer: Printer,
) -> Result<(PathBuf, Environment), Failure> {
    let (binary, bench) = engine_and_bench(text, printer)?;
    // A program needs no repository.
    let usual = || {
        Ok(Settings::find(&current_folder()?)?
            .build_settings(cores())
            .bench)
    };
    let bench = bench.map_or_else(usual, Ok::<_, Failure>)?;
    Ok((binary, bench.environment))
}

/// The same; of a revision also how its own settings start the bench.
pub(crate) fn engine_and_bench(
    text: &str,
    printer: Printer,
) -> Result<(PathBuf, Option<BenchSettings>), Failure> {
    let path = PathBuf::from(text);
    let is_path = path.is_absolute() || text.starts_with("./") || text.starts_with("../");
    if is_path {
        return if path.is_file() {
            Ok((path, None))
        } else {
            Err(Failure::unable(format!("there is no file `{text}`"))
                .hint("expected an engine's program, a git revision, or `.`"))
        };
    }
    let built = Project::open().and_then(|project| {
        let revision = project.repository.resolve(text)?;
        Ok((project, revision))
    });
    if is_program(&path) || built.is_err() && path.is_file() {
        if built.is_ok() {
            let this = "the program in this folder";
            printer.note(&taken_for(text, this, "a git revision"));
        }
        return Ok((path, None));
    }
    match (built, on_path(text)) {
        (Ok((project, revision)), program) => {
            if let Some(program) = program.filter(|_| text != "HEAD") {
                let other = format!("the program `{}`", program.display());
                printer.note(&taken_for(text, "the git revision", &other));
            }
            let bench = project.build_settings(&revision)?.bench;
            Ok((project.binary(&revision, printer)?.path, Some(bench)))
        }
        (Err(_), Some(program)) => Ok((program, None)),
        (Err(failure), None) => Err(failure.context(format_args!(
            "`{text}` is no file and no program on the PATH"
        ))),
    }
}

/// The folder that the command works in.
pub(crate) fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir().or_unable("find the current folder")
}

/// The bytes of a file, or of stdin where it is called `-`.
pub(crate) fn read_file_or_stdin(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).or_unable("read stdin")?;
        Ok(bytes)
    } else {
        std::fs::read(path).or_unable(format_args!("read `{}`", path.display()))
    }
}
