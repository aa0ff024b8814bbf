//! From a revision to a binary that an OpenBench worker would have built, and its bench.
//!
//! The source tree is exported to a folder of its own under the cache, `make EXE=…` runs there, and
//! the finished binary moves to the cache in one step. The key is the id of the tree together with
//! everything that decides what is built from it, so a commit and an unchanged working tree share
//! one build, and nothing is built or benched twice.

mod cache;
mod machine;
mod make;
pub(crate) mod makefile;
mod settings;
mod toolchain;

pub(crate) use cache::{Binary, apart, remember};
pub(crate) use make::NotBuilt;
pub use settings::BuildSettings;
pub(crate) use settings::with_words;

use std::path::PathBuf;

use crate::{
    bench::{self, Bench, BenchSettings, Fault, Measured},
    repository::{Repository, Revision},
};
use foundation::Failure;

/// A revision, built and benched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    pub binary: PathBuf,
    pub commit: Option<String>,
    pub(crate) tree: String,
    pub subject: Option<String>,
    /// The bench this binary has.
    pub bench: Bench,
    /// The bench its commit message claims, as OpenBench reads it.
    pub message_bench: Option<u64>,
    /// Whether nothing was built or benched now, because both were in the cache.
    pub(crate) reused: bool,
    pub sha256: String,
}

/// Builds a revision and runs its bench once; either is taken from the cache if it is there.
/// `progress` is called with what is being waited for.
pub fn build(
    repository: &Repository,
    revision: &Revision,
    settings: &BuildSettings,
    progress: &dyn Fn(&str),
) -> Result<Built, Failure> {
    let name = revision.name();
    let binary = binary(repository, revision, settings, progress)
        .map_err(|not_built| Failure::from(not_built).context(format_args!("build of {name}")))?;
    let (measured, bench_reused) = benched(&binary, &settings.bench, 1, &|| {
        progress(&format!("running the bench of {name}"));
    })
    .map_err(|fault| Failure::from(fault).context(name))?;
    let bench = measured.agreed().ok_or_else(|| {
        // Only earlier runs, recorded by another command, can disagree here.
        Failure::engine(format!("the bench of {name} differs from run to run"))
            .hint("`bench-guard bench` shows the values")
    })?;
    Ok(Built {
        bench,
        commit: revision.commit().map(str::to_owned),
        subject: revision.subject().map(str::to_owned),
        message_bench: revision.message_bench_of(settings.engine.as_deref()),
        reused: binary.reused && bench_reused,
        binary: binary.path,
        tree: binary.tree,
        sha256: binary.sha256,
    })
}

/// The binary of a revision.
pub(crate) fn binary(
    repository: &Repository,
    revision: &Revision,
    settings: &BuildSettings,
    progress: &dyn Fn(&str),
) -> Result<Binary, NotBuilt> {
    let cache = cache::Cache::open(settings.cache.as_deref())?;
    let key = cache::Key::of(revision.tree(), settings);
    if let Some(binary) = cache.find(&key) {
        return Ok(binary);
    }
    let place = cache.lock(&key, progress)?;
    // Another process may have built it while this one waited for the lock.
    if let Some(binary) = cache.find(&key) {
        return Ok(binary);
    }
    cache.prune();
    progress(&format!("building {}", revision.name()));
    repository.export(revision, &place.source)?;
    make::make(&place, revision, settings)?;
    Ok(cache.publish(&key, &place)?)
}

/// The bench of a built binary, from `copies` runs at once, and whether it was known. `before_run`
/// is called if it was not.
pub(crate) fn benched(
    binary: &Binary,
    settings: &BenchSettings,
    copies: usize,
    before_run: &dyn Fn(),
) -> Result<(Measured, bool), Fault> {
    if let Some(measured) = cache::recall(binary, settings)
        && measured.runs.len() >= copies
    {
        return Ok((measured, true));
    }
    before_run();
    let measured = bench::measure(&binary.path, settings, copies)?;
    remember(binary, settings, &measured);
    Ok((measured, false))
}

/// The benches in the cache of a revision that is built already; nothing is built or run. One without a
/// speed is none: an OpenBench worker cannot use it.
pub(crate) fn known(revision: &Revision, settings: &BuildSettings) -> Option<Measured> {
    let cache = cache::Cache::open(settings.cache.as_deref()).ok()?;
    let binary = cache.find(&cache::Key::of(revision.tree(), settings))?;
    let measured = cache::recall(&binary, &settings.bench)?;
    let has_speed = |bench: &Bench| bench.nps.is_some_and(|nps| nps > 0);
    measured.runs.iter().all(has_speed).then_some(measured)
}

/// Why the last attempt to build and bench a revision failed; `None` if it succeeded or was never
/// made.
pub(crate) fn last_failure(revision: &Revision, settings: &BuildSettings) -> Option<String> {
    let cache = cache::Cache::open(settings.cache.as_deref()).ok()?;
    cache.last_failure(&cache::Key::of(revision.tree(), settings))
}

pub(crate) fn set_last_failure(
    revision: &Revision,
    settings: &BuildSettings,
    reason: Option<&str>,
) {
    if let Ok(cache) = cache::Cache::open(settings.cache.as_deref()) {
        cache.set_last_failure(&cache::Key::of(revision.tree(), settings), reason);
    }
}

#[cfg(test)]
mod tests;
