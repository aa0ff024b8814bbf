//! Whose rules apply: those of the working tree, or those in the `whetstone.toml` of a commit.

use super::super::project::current_folder;
use crate::{
    repository::{Commit, Range, Repository},
    settings::Settings,
};
use foundation::{
    Failure,
    config::{self, Config},
};

/// The settings for the current folder in this commit.
pub(super) fn settings_of(revision: &str) -> Result<Settings, Failure> {
    let repository = Repository::discover(&current_folder()?)?;
    let commit = repository.resolve_commit(revision)?;
    Settings::of(&config_of(&repository, &commit)?)
        .map_err(|failure| failure.context(format_args!("the rules of {revision}")))
}

/// Whether a commit has rules.
pub(super) fn are_in(repository: &Repository, revision: &str) -> Result<bool, Failure> {
    let commit = repository.resolve_commit(revision)?;
    Ok(config_of(repository, &commit)?.has(SECTION))
}

/// How the engine is built and benched by the first section, which the range brings; without the
/// rules that it may bring, too.
pub(super) fn first_section(repository: &Repository, range: &Range) -> Result<Settings, Failure> {
    let tip = repository.resolve_commit(range.tip())?;
    let settings = Settings::of(&config_of(repository, &tip)?)
        .map_err(|failure| failure.context(format_args!("the build of {}", range.tip())))?;
    Ok(settings.without_rules())
}

/// A change that brings its own rules is checked by nobody. A first section that says only how the
/// engine is built and benched brings no rules. `first` is the oldest commit of the range, `proof`
/// tells whether a proof is required.
pub(super) fn changed(
    repository: &Repository,
    range: &Range,
    first: Option<&Commit>,
    proof: bool,
) -> Result<Option<String>, Failure> {
    let Some(base) = base(repository, range, first)? else {
        return Ok(Some(format!(
            "whether whetstone.toml changes cannot be told in this shallow clone{HINT}"
        )));
    };
    let before = config_of(repository, &base)?;
    let now = Config::find(&current_folder()?)?;
    // A change that is not committed yet, as after `init`, is no change of the range.
    let tip = || config_of(repository, &repository.resolve_commit(range.tip())?);
    let is_same = before.agrees(&now, SECTION)
        || before.agrees(&tip()?, SECTION)
        || !before.has(SECTION) && Settings::of(&now)?.asks_as_usual(proof);
    Ok((!is_same).then(|| {
        format!("the range changes whetstone.toml, by whose new rules it is checked{HINT}")
    }))
}

const SECTION: &str = "bench-guard";

const HINT: &str = "; `--rules-from REV` takes those of another commit";

/// The commit before the range; if the range begins with the history, its first commit brings the
/// first rules. `None` if a shallow clone does not contain it.
fn base(
    repository: &Repository,
    range: &Range,
    first: Option<&Commit>,
) -> Result<Option<String>, Failure> {
    if let Range::Since { from, tip } = range {
        let from = repository.resolve_commit(from)?;
        let tip = repository.resolve_commit(tip)?;
        let base = repository.merge_base(&from, &tip)?;
        return Ok(Some(base.unwrap_or(from)));
    }
    let cut_off = repository.cut_off()?;
    let first = first.filter(|it| !cut_off.contains(&it.id));
    Ok(first.map(|first| first.parents.first().unwrap_or(&first.id).clone()))
}

/// The project file of a commit that applies to the current folder, found as in a working tree.
fn config_of(repository: &Repository, commit: &str) -> Result<Config, Failure> {
    for folder in repository.place_of(&current_folder()?)?.ancestors() {
        let path = folder.join(config::NAME);
        if let Some(text) = repository.content(commit, &path.to_string_lossy())? {
            return Config::of_text(&path, text);
        }
    }
    Ok(Config::default())
}
