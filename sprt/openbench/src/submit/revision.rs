//! A commit that the server will find, and its bench, measured here on a clean export as a worker
//! would build it.
//!
//! The server asks GitHub for a branch, otherwise for a tag or commit of that name, and uses its
//! tip. So what counts is what is pushed, not what is here: the two are compared before anything is
//! built.

use std::collections::BTreeMap;
use std::path::Path;

use bench_guard::build;
use bench_guard::repository::{Repository, Revision};
use bench_guard::settings::{self, Settings};
use foundation::{Failure, Printer};

use crate::form::github;

/// Branches and tags of a repository on GitHub, with the commits they point to.
#[derive(Clone, Debug, Default)]
pub struct Published {
    /// The address of the repository.
    address: String,
    heads: BTreeMap<String, String>,
    tags: BTreeMap<String, String>,
}

impl Published {
    /// Asks the remote of `repository` with this `address`, with git's own credentials, otherwise
    /// the address itself.
    pub fn read(repository: &Repository, address: &str) -> Result<Self, Failure> {
        let remotes = remotes(repository)?;
        let is_it = |urls: &Urls| urls.on_github().as_deref() == Some(address);
        let fetched = remotes.iter().find(|(_, remote)| is_it(&remote.fetch));
        let pushed = || remotes.values().find(|remote| is_it(&remote.push));
        let source = match fetched {
            Some((name, _)) => name.as_str(),
            None => pushed().map_or(address, |remote| remote.push.configured.as_str()),
        };
        let listed = repository
            .git()
            .text(&["ls-remote", "--heads", "--tags", "--", source])
            .map_err(|failure| {
                failure
                    .context(format_args!("failed to see what is pushed to {address}"))
                    .hint("check the network and git's access to it, or give --assume-pushed")
            })?;
        Ok(Self::parse(address, &listed))
    }

    fn parse(address: &str, listed: &str) -> Self {
        let mut published = Self {
            address: address.to_owned(),
            ..Self::default()
        };
        for (sha, name) in listed.lines().filter_map(|line| line.split_once('\t')) {
            if let Some(branch) = name.strip_prefix("refs/heads/") {
                published.heads.insert(branch.to_owned(), sha.to_owned());
            } else if let Some(tag) = name.strip_prefix("refs/tags/") {
                // The peeled line of an annotated tag comes after its own, and is what GitHub
                // resolves to.
                let tag = tag.strip_suffix("^{}").unwrap_or(tag);
                published.tags.insert(tag.to_owned(), sha.to_owned());
            }
        }
        published
    }

    /// The server looks for a branch first.
    fn find(&self, name: &str) -> Option<&str> {
        self.heads
            .get(name)
            .or_else(|| self.tags.get(name))
            .map(String::as_str)
    }

    fn tips(&self) -> impl Iterator<Item = &str> {
        self.heads
            .values()
            .chain(self.tags.values())
            .map(String::as_str)
    }
}

struct Remote {
    fetch: Urls,
    push: Urls,
}

/// An address as it is configured, and as git uses it: `insteadOf` may be what leads to GitHub, or what
/// leads from there to a mirror.
struct Urls {
    configured: String,
    used: String,
}

impl Urls {
    fn on_github(&self) -> Option<String> {
        github::normal(&self.configured).or_else(|| github::normal(&self.used))
    }
}

fn remotes(repository: &Repository) -> Result<BTreeMap<String, Remote>, Failure> {
    let git = repository.git();
    let names = git.text(&["remote"])?;
    // A remote may have no address.
    let remotes = names.lines().filter_map(|name| {
        let configured =
            |key: &str| git.text(&["config", "--get", &format!("remote.{name}.{key}")]);
        let url = configured("url").ok()?;
        let fetch = Urls {
            configured: url.clone(),
            used: git.text(&["remote", "get-url", "--", name]).ok()?,
        };
        let push = Urls {
            configured: configured("pushurl").unwrap_or(url),
            used: git
                .text(&["remote", "get-url", "--push", "--", name])
                .ok()?,
        };
        Some((name.to_owned(), Remote { fetch, push }))
    });
    Ok(remotes.collect())
}

/// The repository on GitHub that a clone pushes to: the remote to which git pushes the current branch,
/// otherwise `origin`, otherwise the only one.
pub(crate) fn own_address(repository: &Repository) -> Option<String> {
    let remotes = remotes(repository).ok()?;
    let configured = |key: &str| repository.git().text(&["config", "--get", key]).ok();
    let of_branch = |key: &str| {
        let branch = current_branch(repository)?;
        configured(&format!("branch.{branch}.{key}"))
    };
    let only = (remotes.len() == 1)
        .then(|| remotes.keys().next().cloned())
        .flatten();
    let names = [
        of_branch("pushRemote"),
        configured("remote.pushDefault"),
        of_branch("remote"),
        Some("origin".to_owned()),
        only,
    ];
    let mut addresses = names
        .into_iter()
        .flatten()
        .filter_map(|name| remotes.get(&name)?.push.on_github());
    addresses.next()
}

fn current_branch(repository: &Repository) -> Option<String> {
    repository
        .git()
        .text(&["symbolic-ref", "--quiet", "--short", "HEAD"])
        .ok()
}

/// A commit, and a name that the server resolves to it.
#[derive(Clone, Debug)]
pub struct Located {
    /// A branch or tag on GitHub, or the full id.
    pub name: String,
    pub sha: String,
    pub revision: Revision,
}

/// Finds what `text` means on the server's side. `published` is `None` if GitHub is not asked;
/// `is_dev` decides which state counts when the two differ: for the dev side, the local one.
pub fn locate(
    repository: &Repository,
    text: &str,
    published: Option<&Published>,
    is_dev: bool,
) -> Result<Located, Failure> {
    let head = current_branch(repository);
    let name = match (text, &head) {
        ("HEAD", Some(branch)) => branch.clone(),
        _ => text.to_owned(),
    };
    if name == "." {
        return Err(
            Failure::unable("the working tree cannot be sent to a server")
                .hint("commit it and push the branch"),
        );
    }
    let here = repository.resolve(&name);
    let Some(published) = published else {
        let revision = here?;
        let sha = revision.commit().unwrap_or_default().to_owned();
        let name = if name == "HEAD" { sha.clone() } else { name };
        return Ok(Located {
            name,
            sha,
            revision,
        });
    };
    let not_found = format!("(server: `{name} could not be found`)");
    let Some(there) = published.find(&name) else {
        let revision = here.map_err(|failure| {
            let neither = Failure::unable(format!(
                "`{name}` is neither on GitHub nor here {not_found}"
            ));
            match failure.next_step() {
                Some(hint) => neither.hint(hint),
                None => neither,
            }
        })?;
        let sha = revision.commit().unwrap_or_default().to_owned();
        if !published.tips().any(|tip| contains(repository, tip, &sha)) {
            let is_unknown = |tip: &str| repository.resolve(tip).is_err();
            let fetch = if published.tips().any(is_unknown) {
                "run `git fetch` if others have pushed since; otherwise "
            } else {
                ""
            };
            return Err(Failure::unable(format!(
                "`{name}` ({}) is not pushed to {} {not_found}",
                short(&sha),
                published.address
            ))
            .hint(format!(
                "{fetch}push it there, or give --repo if it is in another repository"
            )));
        }
        return Ok(Located {
            name: sha.clone(),
            sha,
            revision,
        });
    };
    match here {
        Ok(revision) if revision.commit() == Some(there) => Ok(Located {
            name,
            sha: there.to_owned(),
            revision,
        }),
        Ok(revision) if is_dev => Err(Failure::unable(format!(
            "`{name}` is at {} here and at {} on GitHub, which is what the server would play",
            short(revision.commit().unwrap_or_default()),
            short(there)
        ))
        .hint(format!(
            "run `git push` or `git pull`, or `git fetch` and give --dev {}",
            short(there)
        ))),
        // For the base, and for what is not checked out here, only the state on GitHub matters.
        _ => match repository.resolve(there) {
            Ok(revision) => Ok(Located {
                name,
                sha: there.to_owned(),
                revision,
            }),
            Err(_) => Err(Failure::unable(format!(
                "`{name}` is at {} on GitHub, which is not here",
                short(there)
            ))
            .hint("run `git fetch`, so that its bench can be measured")),
        },
    }
}

fn contains(repository: &Repository, tip: &str, sha: &str) -> bool {
    tip == sha
        || repository
            .git()
            .output(&["merge-base", "--is-ancestor", sha, tip])
            .is_ok_and(|output| output.status.success())
}

pub fn short(sha: &str) -> &str {
    sha.get(..8).unwrap_or(sha)
}

/// The bench of a commit of `engine`, whose settings were found in `folder`, with `network` as a
/// worker would give it to `make`.
pub fn bench(
    repository: &Repository,
    engine: &Settings,
    folder: &Path,
    located: &Located,
    network: Option<&Path>,
    cache: Option<&Path>,
    printer: Printer,
) -> Result<u64, Failure> {
    let own = engine.as_of_in(folder, repository, &located.revision)?;
    let mut settings = own.build_settings(settings::cores());
    settings.cache = cache.map(Path::to_owned);
    if let Some(network) = network {
        let path = network.to_string_lossy().into_owned();
        settings = settings.with_variables(&[("EVALFILE".to_owned(), path)]);
    }
    let built = build::build(repository, &located.revision, &settings, &|line| {
        printer.note(line);
    })
    .map_err(|failure| failure.context(format_args!("no bench of `{}`", located.name)))?;
    Ok(built.bench.nodes)
}

/// The description that the server makes of a commit message if none is given: the message without
/// its bench.
pub fn description(message: &str) -> String {
    let mut lines: Vec<String> = message.trim().lines().map(str::to_owned).collect();
    if let Some(line) = lines.iter_mut().rev().find(|line| {
        let lower = line.trim_start().to_lowercase();
        lower.starts_with("bench") && bench_guard::message::server_bench(line).is_some()
    }) {
        line.clear();
    }
    let words = |line: &String| {
        line.split([' ', '\t'])
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    };
    lines
        .iter()
        .map(words)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::git_of_tests::git;

    #[test]
    fn a_listing_of_a_remote_is_read_with_peeled_tags() {
        let published = Published::parse(
            "",
            "1111\trefs/heads/main\n2222\trefs/tags/v1\n3333\trefs/tags/v1^{}\n4444\trefs/tags/main\n",
        );
        assert_eq!(
            (
                published.find("v1"),
                published.find("main"),
                published.find("x")
            ),
            (Some("3333"), Some("1111"), None)
        );
    }

    #[test]
    fn a_description_has_no_bench_and_no_empty_lines() {
        assert_eq!(
            description("Widen  the margin\n\nIt helps.\n\nBench: 3195422\n"),
            "Widen the margin\nIt helps."
        );
        assert_eq!(
            description("The benchmark of 2020 is back"),
            "The benchmark of 2020 is back"
        );
    }

    struct Scene {
        folder: tempfile::TempDir,
    }

    impl Scene {
        fn new() -> Self {
            let scene = Self {
                folder: tempfile::tempdir().expect("a folder"),
            };
            scene.git(&["init", "-q", "-b", "main"]);
            scene.git(&[
                "remote",
                "add",
                "origin",
                "git@github.com:example/whetstone.git",
            ]);
            scene.commit("one");
            scene
        }

        fn git(&self, arguments: &[&str]) -> String {
            git(self.folder.path(), arguments)
        }

        fn commit(&self, text: &str) -> String {
            fs::write(self.folder.path().join("file"), text).expect("written");
            self.git(&["add", "-A"]);
            self.git(&["commit", "-q", "-m", text]);
            self.git(&["rev-parse", "HEAD"])
        }

        fn repository(&self) -> Repository {
            Repository::discover(self.folder.path()).expect("a repository")
        }
    }

    #[test]
    fn what_is_pushed_counts() {
        let scene = Scene::new();
        let pushed = scene.git(&["rev-parse", "HEAD"]);
        let listed = format!(
            "{pushed}\trefs/heads/main\n{}\trefs/heads/far\n",
            "f".repeat(40)
        );
        let published = Published::parse("https://github.com/example/whetstone", &listed);
        let find = |text: &str, is_dev| locate(&scene.repository(), text, Some(&published), is_dev);
        let found = find("HEAD", true).expect("pushed");
        assert_eq!((found.name.as_str(), &found.sha), ("main", &pushed));
        assert_eq!(find(&pushed[..8], true).expect("by id").name, pushed);

        let ahead = scene.commit("two");
        let failure = find("main", true).expect_err("not pushed");
        assert!(
            failure.message().contains(short(&ahead)) && failure.message().contains(short(&pushed)),
            "{failure}"
        );
        assert_eq!(
            find("main", false)
                .expect("the base is what is on GitHub")
                .sha,
            pushed
        );
        let failure = find(&ahead, true).expect_err("not pushed").to_string();
        assert!(
            failure.contains("is not pushed to https://github.com/example/whetstone")
                && failure.contains("git fetch"),
            "{failure}"
        );
        assert!(
            find("nosuch", true)
                .expect_err("unknown")
                .message()
                .contains("`nosuch could not be found`")
        );
        assert!(
            find("far", false)
                .expect_err("not fetched")
                .to_string()
                .contains("git fetch")
        );
        assert!(find(".", true).is_err());
    }

    #[test]
    fn the_address_is_that_of_the_remote() {
        let scene = Scene::new();
        assert_eq!(
            own_address(&scene.repository()).as_deref(),
            Some("https://github.com/example/whetstone")
        );
        scene.git(&["remote", "add", "fork", "gh:fork/whetstone"]);
        scene.git(&["config", "url.git@github.com:.insteadOf", "gh:"]);
        scene.git(&["config", "branch.main.remote", "origin"]);
        scene.git(&["config", "remote.pushDefault", "fork"]);
        assert_eq!(
            own_address(&scene.repository()).as_deref(),
            Some("https://github.com/fork/whetstone")
        );
        scene.git(&["remote", "remove", "fork"]);
        scene.git(&["remote", "set-url", "origin", "/srv/git/whetstone"]);
        assert_eq!(own_address(&scene.repository()), None);
    }
}
