//! Makes the form of a submission, and finds here what the server, or a worker later, would refuse.

use std::path::Path;

use bench_guard::repository::{Repository, Revision};
use foundation::{Failure, Printer};
use serde_json::Value;

use super::revision::{self, Located, Published};
use super::submission::{Submission, mark};
use crate::form::check::{self, Known};
use crate::form::preset::{self, Engines};
use crate::form::{Form, copies, github, spsa};
use crate::networks;
use crate::read::api::{Config, EngineConfig};
use crate::session::Session;
use crate::settings::Settings;
use openbench_command::flags::SubmitFlags;
use openbench_command::workload::Kind;

/// Makes the form: presets from the server, commits and benches from the repository that holds
/// `folder`. Every check that can be made here has passed when it returns.
pub(super) async fn prepare(
    session: &mut Session,
    kind: Kind,
    settings: &Settings,
    folder: &Path,
    parameters: Option<&str>,
    flags: &SubmitFlags,
    printer: Printer,
) -> Result<Submission, Failure> {
    let config = session.config().await?;
    let engines = engines(session, &config, kind, settings).await?;
    let mut form = preset::fill(kind, settings, &engines)?;
    if let Some(parameters) = parameters {
        let (lines, filled) = spsa::with_rates(&spsa::trimmed(parameters), pairs(&form));
        if let Some(rate) = filled {
            printer.detail(&format!("r_end {rate} where the lines have none"));
        }
        form.set("spsa_inputs", lines);
    }
    let known = Known {
        config: &config,
        dev_networks: &engines.dev_networks,
        base_networks: &engines.base_networks,
    };
    // Before minutes of building; what the repository fills in is checked afterwards.
    refuse(&form, &known, |field| !OF_REPOSITORY.contains(&field))?;
    let (engine, repository) = bench_guard::settings::Settings::of_folder(folder)?;
    let here = Here {
        engine,
        repository: &repository,
        folder,
    };
    let mut shas = Vec::new();

    let address = dev_address(&repository, settings, &engines.dev)?;
    let published = published(&repository, &address, flags)?;
    let branch = match form.get("dev_branch") {
        "" => "HEAD",
        branch => branch,
    };
    let located = revision::locate(&repository, branch, published.as_ref(), true)?;
    let network = networks::for_build(session, &engines.dev_name, form.get("dev_network")).await?;
    let bench = here.bench(
        &located,
        settings.get("dev-bench"),
        network.as_deref(),
        flags,
        printer,
    )?;
    form.set("dev_repo", &*address);
    form.set("dev_branch", &*located.name);
    form.set("dev_bench", bench);
    form.set("info", description(settings, kind, &located));
    shas.push(located.sha.clone());

    if form.has("base_branch") {
        let base = Base {
            here: &here,
            dev_address: &address,
            published: published.as_ref(),
            dev: &located,
        };
        let sha = base
            .fill(&mut form, session, settings, &engines, flags, printer)
            .await?;
        shas.push(sha);
    }
    let mark = mark(&form, session.server().origin(), &shas, flags.again)?;
    let info = match form.get("info") {
        "" => mark.clone(),
        info => format!("{info}\n{mark}"),
    };
    form.set("info", info);
    refuse(&form, &known, |_| true)?;
    let book = config.books.get(form.get("book_name"));
    let sha256 = book
        .and_then(|book| book.get("sha"))
        .and_then(Value::as_str);
    for warning in copies::warnings(&form, sha256.and_then(copies::openings)) {
        printer.warn(&warning);
    }
    Ok(Submission { form, mark, shas })
}

/// Fields that are filled in from the repository.
const OF_REPOSITORY: [&str; 7] = [
    "dev_repo",
    "dev_branch",
    "dev_bench",
    "base_repo",
    "base_branch",
    "base_bench",
    "info",
];

fn refuse(form: &Form, known: &Known, is_meant: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let mut complaints = check::check(form, known);
    complaints.retain(|complaint| is_meant(complaint.field));
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(check::failure(&complaints))
    }
}

/// How many pairs a tune will play; 0 if its length is not a number, which the checks refuse.
fn pairs(form: &Form) -> u64 {
    let count = |field| form.get(field).trim().parse::<u64>().unwrap_or(0);
    count("spsa_iterations").saturating_mul(count("spsa_pairs_per"))
}

async fn engines(
    session: &mut Session,
    config: &Config,
    kind: Kind,
    settings: &Settings,
) -> Result<Engines, Failure> {
    let known = |name: &str| -> Result<String, Failure> {
        if config.engines.iter().any(|known| known == name) {
            return Ok(name.to_owned());
        }
        Err(Failure::unable(format!(
            "{} knows no engine `{name}` (the server would crash)",
            session.server()
        ))
        .hint(format!("it knows {}", config.engines.join(", "))))
    };
    let dev_name = match (settings.get("engine"), config.engines.as_slice()) {
        (Some(name), _) => known(name)?,
        (None, [only]) => only.clone(),
        (None, several) => {
            return Err(Failure::unable("no engine is given").hint(format!(
                "give --engine, or `engine` in [openbench] of whetstone.toml; this server knows {}",
                several.join(", ")
            )));
        }
    };
    let base_name = match settings.get("base-engine") {
        Some(name) if kind != Kind::Tune => known(name)?,
        _ => dev_name.clone(),
    };
    let dev = session.engine(&dev_name).await?;
    let dev_networks = session.networks(&dev_name).await?;
    let (base, base_networks) = if base_name == dev_name {
        (dev.clone(), dev_networks.clone())
    } else {
        (
            session.engine(&base_name).await?,
            session.networks(&base_name).await?,
        )
    };
    Ok(Engines {
        dev_name,
        dev,
        dev_networks,
        base_name,
        base,
        base_networks,
    })
}

fn address_of(text: &str, flag: &str) -> Result<String, Failure> {
    github::normal(text).ok_or_else(|| {
        Failure::unable(format!(
            "{flag} is `{text}`, no repository on GitHub (server: `{}`)",
            github::SERVER_WORDS
        ))
        .hint("expected something like https://github.com/user/engine")
    })
}

fn dev_address(
    repository: &Repository,
    settings: &Settings,
    engine: &EngineConfig,
) -> Result<String, Failure> {
    match settings.get("repo") {
        Some(text) => address_of(text, "--repo"),
        None => {
            match revision::own_address(repository) {
                Some(address) => Ok(address),
                None => address_of(&engine.source, "the engine's source on the server").map_err(
                    |failure| failure.hint("this repository has no remote on GitHub; give --repo"),
                ),
            }
        }
    }
}

fn published(
    repository: &Repository,
    address: &str,
    flags: &SubmitFlags,
) -> Result<Option<Published>, Failure> {
    if flags.assume_pushed {
        return Ok(None);
    }
    Published::read(repository, address).map(Some)
}

/// The base side, which may be of another repository or another engine.
struct Base<'a> {
    here: &'a Here<'a>,
    dev_address: &'a str,
    published: Option<&'a Published>,
    dev: &'a Located,
}

impl Base<'_> {
    /// Fills the fields of a side; returns its commit.
    async fn fill(
        &self,
        form: &mut Form,
        session: &mut Session,
        settings: &Settings,
        engines: &Engines,
        flags: &SubmitFlags,
        printer: Printer,
    ) -> Result<String, Failure> {
        let foreign = engines.base_name != engines.dev_name;
        let address = match settings.get("base-repo") {
            Some(text) => address_of(text, "--base-repo")?,
            None if foreign => address_of(
                &engines.base.source,
                "the base engine's source on the server",
            )?,
            None => self.dev_address.to_owned(),
        };
        let is_other = address != self.dev_address;
        let own = if is_other {
            published(self.here.repository, &address, flags)?
        } else {
            None
        };
        let branch = match form.get("base_branch") {
            "" if form.kind == Kind::Datagen => self.dev.name.clone(),
            "" => {
                return Err(Failure::unable("no base is given, and the preset has none")
                    .hint("give --base, such as --base main"));
            }
            branch => branch.to_owned(),
        };
        let published = own.as_ref().or(self.published);
        let found = if is_other && flags.assume_pushed {
            // A branch of ours with this name would be another one.
            Err(Failure::unable(format!(
                "`{branch}` is of {address}, which is not asked"
            )))
        } else {
            revision::locate(self.here.repository, &branch, published, false)
        };
        let given = settings.get("base-bench");
        let (name, sha, bench) = match (found, given) {
            // Another engine is not in this repository; GitHub was asked nevertheless, unless that
            // was switched off.
            (Err(_), Some(bench)) if foreign || is_other => {
                (branch.clone(), branch, bench.to_owned())
            }
            (Err(failure), None) if foreign || is_other => {
                return Err(failure.hint("its bench cannot be measured here; give --base-bench"));
            }
            (Err(failure), _) => return Err(failure),
            // Its name on the server does not tell which engine of the repository it is.
            (Ok(located), given) if foreign && !is_other && !self.here.engine.is_only() => {
                let bench = given.ok_or_else(|| {
                    Failure::unable(format!(
                        "`{}` is another engine of this repository, and the one of this folder is \
                         measured here",
                        engines.base_name
                    ))
                    .hint("give --base-bench; `bench-guard bench` in its folder measures it")
                })?;
                (located.name, located.sha, bench.to_owned())
            }
            (Ok(located), given) => {
                let network = form.get("base_network");
                let network = networks::for_build(session, &engines.base_name, network).await?;
                let bench = self
                    .here
                    .bench(&located, given, network.as_deref(), flags, printer)?;
                (located.name, located.sha, bench)
            }
        };
        form.set("base_repo", address);
        form.set("base_branch", name);
        form.set("base_bench", bench);
        Ok(sha)
    }
}

/// The engine of the folder that a submission is made in.
struct Here<'a> {
    repository: &'a Repository,
    folder: &'a Path,
    engine: bench_guard::settings::Settings,
}

impl Here<'_> {
    /// The bench to send, if the measured and the claimed one are the same.
    fn bench(
        &self,
        located: &Located,
        given: Option<&str>,
        network: Option<&Path>,
        flags: &SubmitFlags,
        printer: Printer,
    ) -> Result<String, Failure> {
        let given = given.map(|text| {
            text.parse::<u64>().map_err(|_| {
                Failure::unable(format!("`{text}` is no bench")).hint("expected a number of nodes")
            })
        });
        let given = given.transpose()?;
        let claimed = given.or_else(|| located.revision.message_bench_of(self.engine.name()));
        let measured = match revision::bench(
            self.repository,
            &self.engine,
            self.folder,
            located,
            network,
            flags.cache.as_deref(),
            printer,
        ) {
            Ok(measured) => measured,
            Err(failure) => match claimed.filter(|_| flags.force || given.is_some()) {
                Some(claimed) => {
                    printer.warn(&format!(
                        "{}; sending the claimed {claimed}",
                        failure.message()
                    ));
                    return Ok(claimed.to_string());
                }
                None => return Err(failure),
            },
        };
        match claimed {
            Some(claimed) if claimed != measured => {
                let who = if given.is_some() {
                    "the command line"
                } else {
                    "its commit message"
                };
                let text = format!(
                    "wrong bench of `{}`: {who} says {claimed}, the binary counts {measured}",
                    located.name
                );
                if flags.force {
                    printer.warn(&format!("{text}; sending {claimed} all the same"));
                    return Ok(claimed.to_string());
                }
                Err(Failure::unable(format!(
                    "{text} (a worker would stop the test for everyone: `Wrong Bench: {measured}`)"
                ))
                .hint("amend the message, and see `bench-guard check`"))
            }
            _ => Ok(measured.to_string()),
        }
    }
}

/// The description: the user's, otherwise what the server would make of the commit message.
fn description(settings: &Settings, kind: Kind, located: &Located) -> String {
    match (settings.get("info"), &located.revision) {
        (Some(info), _) => info.trim().to_owned(),
        (None, Revision::Commit { message, .. }) if kind == Kind::Test => {
            // The column of the server's database has 1024, and the mark needs some.
            revision::description(message).chars().take(900).collect()
        }
        _ => String::new(),
    }
}
