//! Builds and benches many commits: several builds at once, or one bench, never more work than there
//! are cores.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use crate::{
    bench::Fault,
    build::{self, BuildSettings, NotBuilt},
    repository::{Repository, Revision},
    repro::Trial,
    settings::Settings,
};
use foundation::{Failure, pool};

/// What building and running a commit gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Measurement {
    NotRun,
    Bench(u64),
    /// Runs of one binary differ: all values, sorted.
    Differing(Vec<u64>),
    /// Its searches differ when they are repeated; how they differ.
    Unrepeatable {
        bench: u64,
        differences: Vec<String>,
    },
    BuildFailed {
        reason: String,
        log: String,
    },
    BenchFailed {
        reason: String,
        log: String,
    },
}

impl Measurement {
    pub(crate) fn bench(&self) -> Option<u64> {
        match self {
            Self::Bench(bench) | Self::Unrepeatable { bench, .. } => Some(*bench),
            _ => None,
        }
    }

    /// The end of the output of the build or bench that failed.
    pub(crate) fn log(&self) -> Option<String> {
        match self {
            Self::BuildFailed { log, .. } | Self::BenchFailed { log, .. } if !log.is_empty() => {
                Some(log.clone())
            }
            _ => None,
        }
    }
}

/// What is needed to measure.
pub(crate) struct Measurer<'a> {
    repository: &'a Repository,
    settings: &'a Settings,
    progress: &'a (dyn Fn(&str) + Sync),
    /// Whether nothing is taken from the cache, or left there: each tree is built in a place of its own, so
    /// that no build can find and forge another one.
    pub(super) fresh: bool,
    /// Whether searches are repeated.
    pub(super) repro: bool,
    /// Builds share it, and a bench has it alone: what runs beside it would disturb its time limit.
    quiet: RwLock<()>,
}

impl<'a> Measurer<'a> {
    pub(crate) fn new(
        repository: &'a Repository,
        settings: &'a Settings,
        progress: &'a (dyn Fn(&str) + Sync),
    ) -> Self {
        Self {
            repository,
            settings,
            progress,
            fresh: false,
            repro: false,
            quiet: RwLock::new(()),
        }
    }

    /// The outcome of each commit, by id. An environment that cannot build at all is a failure of
    /// the whole.
    pub(crate) fn all(&self, ids: &[String]) -> Result<HashMap<String, Measurement>, Failure> {
        let mut distinct: Vec<&String> = ids.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let workers = pool::cores().min(distinct.len()).max(1);
        let outcomes = pool::map(workers, &distinct, |id| {
            self.one(id, pool::cores() / workers)
        })?;
        Ok(distinct.into_iter().cloned().zip(outcomes).collect())
    }

    /// One revision by name.
    pub(crate) fn one(&self, text: &str, jobs: usize) -> Result<Measurement, Failure> {
        let revision = self.repository.resolve(text)?;
        self.revision(&revision, jobs)
    }

    pub(crate) fn revision(
        &self,
        revision: &Revision,
        jobs: usize,
    ) -> Result<Measurement, Failure> {
        let own = self.settings.as_of(self.repository, revision)?;
        let mut settings = own.build_settings(jobs.max(1));
        let apart = self.fresh.then(build::apart).transpose()?;
        settings.cache = apart.as_ref().map(|folder| folder.path().to_owned());
        let outcome = self.built_and_benched(revision, &settings)?;
        let failed = match &outcome {
            Measurement::BuildFailed { reason, .. } => Some(format!("its build failed: {reason}")),
            Measurement::BenchFailed { reason, .. } => Some(format!("its bench {reason}")),
            Measurement::Differing(values) => Some(format!("runs of its bench gave {values:?}")),
            // Its bench is known nevertheless.
            Measurement::NotRun | Measurement::Bench(_) | Measurement::Unrepeatable { .. } => None,
        };
        build::set_last_failure(revision, &settings, failed.as_deref());
        Ok(outcome)
    }

    fn built_and_benched(
        &self,
        revision: &Revision,
        settings: &BuildSettings,
    ) -> Result<Measurement, Failure> {
        let shared = self.quiet.read().unwrap_or_else(PoisonError::into_inner);
        let built = build::binary(self.repository, revision, settings, self.progress);
        drop(shared);
        let binary = match built {
            Ok(binary) => binary,
            Err(NotBuilt::System(failure)) => return Err(failure),
            Err(NotBuilt::Source {
                reason, log_end, ..
            }) => {
                return Ok(Measurement::BuildFailed {
                    reason,
                    log: log_end,
                });
            }
        };
        let _alone = self.quiet.write().unwrap_or_else(PoisonError::into_inner);
        let copies = self.settings.copies();
        let measured = build::benched(&binary, &settings.bench, copies, &|| {
            (self.progress)(&format!("running the bench of {}", revision.name()));
        });
        match measured {
            Ok((measured, _)) => Ok(match measured.agreed() {
                Some(bench) if bench.nps.is_none_or(|nps| nps == 0) => Measurement::BenchFailed {
                    reason: "printed no speed that an OpenBench worker can use".to_owned(),
                    log: String::new(),
                },
                Some(bench) if self.repro => {
                    (self.progress)(&format!("searching again with {}", revision.name()));
                    let trial = Trial {
                        binary: &binary.path,
                        bench: &settings.bench,
                        nodes: bench.nodes,
                        hash_sizes: &self.settings.hash_sizes,
                    };
                    match trial.differences() {
                        Ok(differences) if differences.is_empty() => {
                            Measurement::Bench(bench.nodes)
                        }
                        Ok(differences) => Measurement::Unrepeatable {
                            bench: bench.nodes,
                            differences,
                        },
                        Err(failure) if failure.is_engine_fault() => Measurement::BenchFailed {
                            reason: format!("is there, but {}", failure.message()),
                            log: String::new(),
                        },
                        Err(failure) => return Err(failure),
                    }
                }
                Some(bench) => Measurement::Bench(bench.nodes),
                None => {
                    let mut values: Vec<u64> =
                        measured.runs.iter().map(|bench| bench.nodes).collect();
                    values.sort_unstable();
                    Measurement::Differing(values)
                }
            }),
            Err(Fault::Engine { reason, output }) => Ok(Measurement::BenchFailed {
                reason,
                log: output,
            }),
            Err(fault @ Fault::System(_)) => Err(fault.into()),
        }
    }
}
