//! Builds of a tiny engine made by shell, in a cache of its own.

use std::{cell::RefCell, fs, path::Path};

use super::*;
use crate::repository::tests::git;
use std::time::Duration;

/// Makes an engine that is a script; `make` leaves a mark in `built` beside the repository.
fn makefile(recipe: &str) -> String {
    format!("EXE ?= engine\nall:\n\t@{recipe}\n\t@chmod +x $(EXE)\n")
}

const GOOD: &str = r#"printf '#!/bin/sh\necho "12 nodes 1000 nps"\n' > $(EXE)"#;

struct Scene {
    folder: tempfile::TempDir,
    repository: Repository,
    settings: BuildSettings,
}

impl Scene {
    fn new(recipe: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("source");
        fs::create_dir(&source).expect("a folder");
        git(&source, &["init", "-q", "-b", "main"]);
        let settings = BuildSettings {
            cache: Some(folder.path().join("cache")),
            ..BuildSettings::default()
        };
        fs::write(source.join("Makefile"), makefile(recipe)).expect("a Makefile");
        git(&source, &["add", "-A"]);
        git(&source, &["commit", "-qm", "first\n\nBench: 12"]);
        let repository = Repository::discover(&source).expect("opens");
        Self {
            folder,
            repository,
            settings,
        }
    }

    fn build(&self, text: &str) -> Result<Built, Failure> {
        let revision = self.repository.resolve(text)?;
        build(&self.repository, &revision, &self.settings, &|_| {})
    }

    fn files(&self, part: &str) -> usize {
        fs::read_dir(self.folder.path().join("cache").join(part)).map_or(0, Iterator::count)
    }
}

#[test]
fn a_commit_and_an_unchanged_working_tree_share_one_build() {
    let scene = Scene::new(GOOD);
    let first = scene.build("HEAD").expect("builds");
    assert_eq!((first.bench.nodes, first.message_bench), (12, Some(12)));
    assert!(!first.reused && first.binary.is_file());
    let progress = RefCell::new(Vec::new());
    let revision = scene.repository.resolve(".").expect("a snapshot");
    let second = build(&scene.repository, &revision, &scene.settings, &|text| {
        progress.borrow_mut().push(text.to_owned());
    })
    .expect("builds");
    assert!(second.reused && second.commit.is_none());
    assert_eq!((second.binary, second.sha256), (first.binary, first.sha256));
    assert!(
        progress.borrow().is_empty(),
        "nothing is built or benched: {progress:?}"
    );
    assert_eq!((scene.files("building"), scene.files("builds")), (0, 1));
}

#[test]
fn a_failed_build_quotes_the_end_of_its_log_and_leaves_nothing() {
    let scene = Scene::new("echo compiling; echo 'error: no such piece' >&2; exit 7");
    let failure = scene.build("HEAD").expect_err("fails");
    assert_eq!(failure.exit(), foundation::Exit::Unable);
    assert!(
        failure.message().contains("error: no such piece"),
        "{failure}"
    );
    assert_eq!(
        (
            scene.files("building"),
            scene.files("builds"),
            scene.files("logs")
        ),
        (0, 0, 1)
    );
}

#[test]
fn a_binary_made_elsewhere_is_reported_with_its_place() {
    let scene = Scene::new("mkdir bin && touch bin/$(EXE) $(EXE) && rm $(EXE); true");
    fs::write(
        scene.repository.root().join("Makefile"),
        "all:\n\t@mkdir bin && touch bin/$(EXE)\n",
    )
    .expect("a Makefile");
    let failure = scene.build(".").expect_err("fails");
    assert!(failure.message().contains("without making"), "{failure}");
    assert!(
        failure
            .next_step()
            .is_some_and(|hint| hint.contains("it left `bin/engine-"))
    );
}

#[test]
fn a_build_over_its_time_is_killed() {
    let mut scene = Scene::new("sleep 1000");
    scene.settings.time_limit = Duration::from_millis(300);
    let failure = scene.build("HEAD").expect_err("fails");
    assert!(
        failure.message().contains("did not end within 0.3 s"),
        "{failure}"
    );
    assert_eq!(scene.files("building"), 0);
}

#[test]
fn builders_at_once_make_one_build() {
    let scene = Scene::new(&format!("sleep 0.2; {GOOD}"));
    let results: Vec<bool> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| scene.build("HEAD").expect("builds").reused))
            .collect();
        handles
            .into_iter()
            .map(|handle| handle.join().expect("ends"))
            .collect()
    });
    assert_eq!(scene.files("builds"), 1);
    assert!(results.iter().filter(|reused| !**reused).count() >= 1);
}

#[test]
fn what_a_killed_builder_left_is_removed() {
    let scene = Scene::new(GOOD);
    let left = Path::new("cache/building/0123456789abcdef/source");
    fs::create_dir_all(scene.folder.path().join(left)).expect("folders");
    scene.build("HEAD").expect("builds");
    assert_eq!(scene.files("building"), 0);
}

#[test]
fn a_crash_of_the_bench_is_the_engines_fault() {
    let scene = Scene::new(r"printf '#!/bin/sh\nkill -SEGV $$$$\n' > $(EXE)");
    let failure = scene.build("HEAD").expect_err("fails");
    assert!(failure.is_engine_fault(), "{failure}");
    assert!(failure.message().contains("signal: 11"), "{failure}");
}

#[test]
fn a_flood_of_output_and_a_wait_for_input_do_no_harm() {
    let scene = Scene::new(&format!("yes warning | head -c 50000000; cat; {GOOD}"));
    let built = scene.build("HEAD").expect("builds");
    let log = built.binary.with_file_name("build.log");
    assert!(fs::metadata(log).expect("a log").len() < 2 << 20);
}

#[test]
fn a_build_that_fills_the_disk_is_stopped() {
    let mut scene = Scene::new("head -c 40000000 /dev/zero > filler; sleep 1000");
    scene.settings.size_limit = 20 << 20;
    let failure = scene.build("HEAD").expect_err("stopped");
    assert!(
        failure.message().contains("more than the limit"),
        "{failure}"
    );
    assert_eq!(scene.files("building"), 0);
}

#[test]
fn submodules_are_named_when_a_build_fails_without_them() {
    let scene = Scene::new("cc lib/lib.c");
    fs::write(
        scene.repository.root().join(".gitmodules"),
        "[submodule \"lib\"]\n",
    )
    .expect("a file");
    let failure = scene.build(".").expect_err("fails");
    assert!(
        failure
            .next_step()
            .is_some_and(|hint| hint.contains("submodules")),
        "{failure}"
    );
}
