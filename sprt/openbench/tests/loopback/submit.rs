use std::fs;
use std::path::Path;
use std::process::Command;

use foundation::Failure;
use openbench::session::Session;
use openbench::settings::Settings;
use openbench::submit::{Report, submit};
use openbench_command::flags::{BaseArgs, DatagenArgs, FieldArgs, SubmitFlags, TestArgs, TuneArgs};
use openbench_command::workload::Kind;

use crate::server::{Fake, Fault, printer};

/// A clone of an engine whose bench stands in a file, and what it pushes to.
pub struct Clone {
    folder: tempfile::TempDir,
}

impl Clone {
    pub fn new() -> Self {
        let clone = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir_all(clone.here()).expect("a folder");
        clone.git(&["init", "-q", "-b", "main"]);
        clone.git(&["init", "-q", "--bare", "../github/tinyrust.git"]);
        clone.git(&[
            "remote",
            "add",
            "origin",
            "git@github.com:localdev/tinyrust.git",
        ]);
        let there = clone.folder.path().join("github/");
        clone.git(&[
            "config",
            &format!("url.{}/.insteadOf", there.display()),
            "git@github.com:localdev/",
        ]);
        fs::write(clone.here().join("Makefile"), "all:\n\t{ echo '#!/bin/sh'; echo \"echo $$(cat bench) nodes 1000 nps\"; } > $(EXE)\n\tchmod +x $(EXE)\n").expect("written");
        fs::write(
            clone.here().join("whetstone.toml"),
            "[bench-guard]\nbuild = 'make EXE={exe}'\n",
        )
        .expect("written");
        clone.commit(302_378, "Begin\n\nBench: 302378");
        clone.git(&["push", "-q", "origin", "main"]);
        clone.git(&["checkout", "-q", "-b", "better"]);
        clone.commit(302_398, "Widen the margin\n\nBench: 302398");
        clone.git(&["push", "-q", "origin", "better"]);
        clone
    }

    pub fn here(&self) -> std::path::PathBuf {
        self.folder.path().join("engine")
    }

    fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@b", "-C"])
            .arg(self.here())
            .args(arguments)
            .output()
            .expect("git");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    fn commit(&self, bench: u64, message: &str) {
        fs::write(self.here().join("bench"), bench.to_string()).expect("written");
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }
}

pub fn fields() -> FieldArgs {
    FieldArgs {
        engine: Some("TinyRust".into()),
        tc: Some("N=2000".into()),
        ..FieldArgs::default()
    }
}

pub async fn test(
    session: &mut Session,
    here: &Path,
    fields: FieldArgs,
    mut flags: SubmitFlags,
) -> Result<Report, Failure> {
    let settings = Settings::default()
        .with(&fields)
        .with(&BaseArgs::default())
        .with(&TestArgs::default());
    // Builds of the tests stay with the tests.
    flags.cache = Some(here.join("../cache"));
    submit(
        session,
        Kind::Test,
        &settings,
        here,
        None,
        &flags,
        printer(),
    )
    .await
}

pub fn id(report: &Report) -> (u64, bool) {
    let submitted = report.submitted().expect("submitted");
    (submitted.id, submitted.existed)
}

#[tokio::test]
async fn a_test_is_submitted_once_with_the_benches_measured_here() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    let first = test(
        &mut session,
        &clone.here(),
        fields(),
        SubmitFlags::default(),
    )
    .await
    .expect("submitted");
    assert_eq!(id(&first), (1, false));
    {
        let bench = fake.bench();
        let form = &bench.workloads[0].form;
        for (field, expected) in [
            ("dev_repo", "https://github.com/localdev/tinyrust"),
            ("dev_branch", "better"),
            ("dev_bench", "302398"),
            ("base_branch", "main"),
            ("base_bench", "302378"),
            ("dev_time_control", "N=2000"),
            ("test_bounds", "[0.00, 5.00]"),
        ] {
            assert_eq!(form[field], expected, "{field}");
        }
        assert!(
            form["info"].starts_with("Widen the margin\nwhetstone-"),
            "{}",
            form["info"]
        );
        assert!(
            bench
                .posted
                .iter()
                .all(|(path, body)| path == "/login/" || !body.contains("wonderland"))
        );
    }
    let second = test(
        &mut session,
        &clone.here(),
        fields(),
        SubmitFlags::default(),
    )
    .await
    .expect("found");
    assert_eq!(id(&second), (1, true));
    let again = SubmitFlags {
        again: true,
        ..SubmitFlags::default()
    };
    assert_eq!(
        id(&test(&mut session, &clone.here(), fields(), again)
            .await
            .expect("another")),
        (2, false)
    );
    assert!(
        second.text(true).contains("\"existed\":true"),
        "{}",
        second.text(true)
    );
}

#[tokio::test]
async fn a_lost_answer_to_a_creation_makes_one_workload() {
    for fault in [
        Fault::LostAnswer,
        Fault::Crash("OperationalError: database is locked"),
    ] {
        let (fake, clone) = (Fake::start().await, Clone::new());
        let (mut session, _file) = fake.alice();
        let arrives = matches!(fault, Fault::LostAnswer);
        fake.fault("/test/new/", &[fault]);
        let done = test(
            &mut session,
            &clone.here(),
            fields(),
            SubmitFlags::default(),
        )
        .await;
        if arrives {
            assert_eq!(id(&done.expect("it arrived")), (1, false));
        } else {
            let failure = done.expect_err("it did not arrive");
            assert!(
                failure.message().contains("lost")
                    && failure.to_string().contains("not made twice"),
                "{failure}"
            );
            assert_eq!(
                id(&test(
                    &mut session,
                    &clone.here(),
                    fields(),
                    SubmitFlags::default()
                )
                .await
                .expect("now")),
                (1, false)
            );
        }
        assert_eq!(fake.count("POST /test/new/"), if arrives { 1 } else { 2 });
        assert_eq!(fake.bench().workloads.len(), 1);
    }
}

#[tokio::test]
async fn a_dry_run_sends_nothing_and_shows_no_password() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    let flags = SubmitFlags {
        dry_run: true,
        cache: Some(clone.folder.path().join("cache")),
        ..SubmitFlags::default()
    };
    let settings = Settings::default().with(&fields());
    let datagen = DatagenArgs {
        games: Some("1000".into()),
        ..DatagenArgs::default()
    };
    let tune = TuneArgs {
        spsa_iterations: Some("50".into()),
        ..TuneArgs::default()
    };
    let games = TestArgs {
        max_games: Some("2000".into()),
        ..TestArgs::default()
    };
    // A preset or the page's default may set the length, and the learning rate depends on it.
    let lines = "RfpMargin, int, 75, 20, 200, 9\n";
    let [short, long] = [400, 200_000].map(|pairs| {
        let rate = stats::spsa::suggested_r_end(pairs, 1);
        format!("spsa_inputs             RfpMargin, int, 75, 20, 200, 9, {rate}\n")
    });
    assert_ne!(short, long);
    for (kind, settings, lines, expected) in [
        (
            Kind::Test,
            settings.clone(),
            None,
            "test_mode               SPRT",
        ),
        (
            Kind::Test,
            settings.clone().with(&games),
            None,
            "test_max_games          2000",
        ),
        (
            Kind::Tune,
            settings.clone().with(&tune),
            Some(lines),
            short.as_str(),
        ),
        (
            Kind::Tune,
            settings.clone().with(&TuneArgs::default()),
            Some(lines),
            &long,
        ),
        (
            Kind::Datagen,
            settings.with(&datagen),
            None,
            "datagen_max_games       1000",
        ),
    ] {
        let report = submit(
            &mut session,
            kind,
            &settings,
            &clone.here(),
            lines,
            &flags,
            printer(),
        )
        .await
        .expect("a form");
        let text = report.text(false);
        let aligned: String = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
            .collect();
        let expected: String = expected.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(aligned.contains(&expected), "{text}");
        assert!(!text.contains("wonderland") && !report.text(true).contains("wonderland"));
    }
    assert!(fake.bench().posted.is_empty());
}

#[tokio::test]
async fn a_wrong_bench_is_refused_here_and_sent_only_by_force() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    clone.commit(302_400, "Forget the bench\n\nBench: 5");
    clone.git(&["push", "-q", "origin", "better"]);
    let (mut session, _file) = fake.alice();
    let failure = test(
        &mut session,
        &clone.here(),
        fields(),
        SubmitFlags::default(),
    )
    .await
    .expect_err("wrong");
    assert!(
        failure
            .message()
            .contains("says 5, the binary counts 302400")
            && failure.message().contains("`Wrong Bench: 302400`"),
        "{failure}"
    );
    let force = SubmitFlags {
        force: true,
        ..SubmitFlags::default()
    };
    test(&mut session, &clone.here(), fields(), force)
        .await
        .expect("forced");
    assert_eq!(fake.bench().workloads[0].form["dev_bench"], "5");
}

#[tokio::test]
async fn a_tip_without_a_bench_is_sent_with_the_one_measured() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    clone.commit(302_400, "Tidy the tools");
    clone.git(&["push", "-q", "origin", "better"]);
    let (mut session, _file) = fake.alice();
    test(
        &mut session,
        &clone.here(),
        fields(),
        SubmitFlags::default(),
    )
    .await
    .expect("submitted");
    assert_eq!(fake.bench().workloads[0].form["dev_bench"], "302400");
}

#[tokio::test]
async fn what_is_wrong_is_found_before_anything_is_sent() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    let with = |change: &dyn Fn(&mut FieldArgs)| {
        let mut fields = fields();
        change(&mut fields);
        fields
    };
    for (fields, said) in [
        (
            with(&|fields| fields.engine = Some("Foo".into())),
            "knows no engine `Foo`",
        ),
        (with(&|fields| fields.engine = None), "no engine is given"),
        (
            with(&|fields| fields.book = Some("UHO.epd".into())),
            "`Book was not found in the configuration`",
        ),
        (
            with(&|fields| fields.options = Some("Hash=16".into())),
            "`\"Threads\" needs to be at least 1 for Dev Options`",
        ),
        (
            with(&|fields| fields.network = Some("DEADBEEF".into())),
            "no network `DEADBEEF`",
        ),
        (
            with(&|fields| fields.dev = Some("nosuch".into())),
            "`nosuch could not be found`",
        ),
        (
            with(&|fields| fields.repo = Some("https://gitlab.com/a/b".into())),
            "`Sources must be found on https://github.com/<User>/<Repo>`",
        ),
        (
            with(&|fields| fields.info = Some("x".repeat(2000))),
            "characters do not fit",
        ),
    ] {
        let failure = test(&mut session, &clone.here(), fields, SubmitFlags::default())
            .await
            .expect_err(said);
        assert!(failure.to_string().contains(said), "{said}: {failure}");
    }
    // Before an engine is built, which here fails.
    let engine = Clone::new();
    fs::write(engine.here().join("Makefile"), "all:\n\tfalse\n").expect("written");
    engine.commit(1, "Break the build");
    engine.git(&["push", "-q", "origin", "better"]);
    let no_games = TestArgs {
        max_games: Some("0".into()),
        ..TestArgs::default()
    };
    let turned = TestArgs {
        bounds: Some("5,0".into()),
        ..TestArgs::default()
    };
    for (question, said) in [
        (no_games, "test_max_games: `0`"),
        (turned, "test_bounds: `[5.00, 0.00]`"),
    ] {
        let settings = Settings::default().with(&fields()).with(&question);
        let (here, flags) = (engine.here(), SubmitFlags::default());
        let done = submit(
            &mut session,
            Kind::Test,
            &settings,
            &here,
            None,
            &flags,
            printer(),
        );
        let failure = done.await.expect_err(said);
        assert!(failure.message().contains(said), "{failure}");
    }
    clone.commit(302_400, "Not pushed\n\nBench: 302400");
    let failure = test(
        &mut session,
        &clone.here(),
        fields(),
        SubmitFlags::default(),
    )
    .await
    .expect_err("not pushed");
    assert!(failure.message().contains("on GitHub"), "{failure}");
    assert!(fake.bench().posted.is_empty());
}

#[tokio::test]
async fn a_refusal_is_reported_in_the_servers_words() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    fake.bench().refuse =
        Some("better could not be found\nServer does not have access tokens for this engine");
    let failure = test(
        &mut session,
        &clone.here(),
        fields(),
        SubmitFlags::default(),
    )
    .await
    .expect_err("refused");
    assert!(
        failure
            .message()
            .contains("Server does not have access tokens for this engine"),
        "{failure}"
    );
    assert_eq!(fake.bench().workloads.len(), 0);
}

#[tokio::test]
async fn who_is_no_approver_is_told_to_wait() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.visit("bob", "builder");
    let report = test(
        &mut session,
        &clone.here(),
        fields(),
        SubmitFlags::default(),
    )
    .await
    .expect("submitted");
    assert!(
        report.note().is_some_and(|note| note.contains("approve")),
        "{:?}",
        report.note()
    );
}

#[tokio::test]
async fn the_engine_of_the_folder_is_the_one_that_is_benched() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let second = clone.here().join("second");
    fs::create_dir(&second).expect("a folder");
    fs::copy(clone.here().join("Makefile"), second.join("Makefile")).expect("copied");
    fs::write(second.join("bench"), "7").expect("written");
    let section = "[bench-guard]\nbuild = 'make EXE={exe}'\n\
        [bench-guard.engine.second]\nfolder = 'second'\n";
    fs::write(clone.here().join("whetstone.toml"), section).expect("written");
    clone.git(&["checkout", "-q", "-B", "main"]);
    clone.commit(302_399, "Both\n\nBench: 302399\nBench-second: 7");
    clone.git(&["checkout", "-q", "-b", "next"]);
    fs::write(second.join("bench"), "8").expect("written");
    clone.commit(302_400, "Next\n\nBench: 302400\nBench-second: 8");
    clone.git(&["push", "-q", "-f", "origin", "main", "next"]);
    let (mut session, _file) = fake.alice();
    test(&mut session, &second, fields(), SubmitFlags::default())
        .await
        .expect("submitted");
    let form = fake.bench().workloads[0].form.clone();
    assert_eq!((&*form["dev_bench"], &*form["base_bench"]), ("8", "7"));
    // The base is the main engine, which is not the one of the folder.
    let mut base = BaseArgs {
        base_engine: Some("Other".into()),
        base_repo: Some("https://github.com/localdev/tinyrust".into()),
        base: Some("main".into()),
        ..BaseArgs::default()
    };
    let flags = SubmitFlags {
        cache: Some(clone.here().join("../cache")),
        ..SubmitFlags::default()
    };
    for bench in [None, Some("302399")] {
        base.base_bench = bench.map(str::to_owned);
        let settings = Settings::default().with(&fields()).with(&base);
        let kind = Kind::Test;
        let done = submit(
            &mut session,
            kind,
            &settings,
            &second,
            None,
            &flags,
            printer(),
        );
        let said = done.await.map_err(|failure| failure.to_string());
        match bench {
            None => assert!(said.is_err_and(|said| said.contains("give --base-bench"))),
            Some(_) => assert!(said.is_ok(), "{said:?}"),
        }
    }
    let form = fake.bench().workloads[1].form.clone();
    let benches = (&*form["dev_bench"], &*form["base_bench"]);
    assert_eq!(benches, ("8", "302399"));
}

#[tokio::test]
async fn a_branch_of_another_repository_is_not_looked_for_in_this_one() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    let flags = SubmitFlags {
        assume_pushed: true,
        cache: Some(clone.here().join("../cache")),
        ..SubmitFlags::default()
    };
    let mut base = BaseArgs {
        base_repo: Some("https://github.com/other/tinyrust".into()),
        base: Some("main".into()),
        ..BaseArgs::default()
    };
    for bench in [None, Some("5")] {
        base.base_bench = bench.map(str::to_owned);
        let settings = Settings::default().with(&fields()).with(&base);
        let here = clone.here();
        let done = submit(
            &mut session,
            Kind::Test,
            &settings,
            &here,
            None,
            &flags,
            printer(),
        );
        match (bench, done.await) {
            (None, Err(failure)) => {
                assert!(
                    failure.to_string().contains("give --base-bench"),
                    "{failure}"
                );
            }
            (Some(bench), Ok(_)) => {
                assert_eq!(fake.bench().workloads[0].form["base_bench"], bench);
            }
            (_, other) => panic!("{other:?}"),
        }
    }
}
