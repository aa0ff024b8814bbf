use std::fs;

use openbench::settings::Settings;
use openbench::submit::submit;
use openbench_command::flags::{DatagenArgs, FieldArgs, SubmitFlags, TestArgs, TuneArgs};
use openbench_command::workload::Kind;

use crate::clone::{Clone, fields, id, test, test_of};
use crate::server::{Fake, Fault, printer};

#[tokio::test]
async fn a_test_is_submitted_once_with_the_benches_measured_here() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    let first = clone.test(&mut session).await.expect("submitted");
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
    let second = clone.test(&mut session).await.expect("found");
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
        let done = clone.test(&mut session).await;
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
                id(&clone.test(&mut session).await.expect("now")),
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
        cache: Some(clone.here().join("../cache")),
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
        (Kind::Tune, settings.clone(), Some(lines), &long),
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
    let failure = clone.test(&mut session).await.expect_err("wrong");
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
async fn a_bench_that_is_given_serves_where_the_engine_does_not_build() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    fs::write(clone.here().join("Makefile"), "all:\n\tfalse\n").expect("written");
    clone.commit(302_400, "Break it here\n\nBench: 302400");
    clone.git(&["push", "-q", "origin", "better"]);
    let (mut session, _file) = fake.alice();
    let failure = clone.test(&mut session).await.expect_err("not built");
    assert!(failure.message().contains("no bench of"), "{failure}");
    let given = FieldArgs {
        dev_bench: Some("302400".into()),
        ..fields()
    };
    test(&mut session, &clone.here(), given, SubmitFlags::default())
        .await
        .expect("submitted");
    assert_eq!(fake.bench().workloads[0].form["dev_bench"], "302400");
}

#[tokio::test]
async fn a_tip_without_a_bench_is_sent_with_the_one_measured() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    clone.commit(302_400, "Tidy the tools");
    clone.git(&["push", "-q", "origin", "better"]);
    let (mut session, _file) = fake.alice();
    clone.test(&mut session).await.expect("submitted");
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
        let done = test_of(&mut session, &here, &settings, flags).await;
        let failure = done.expect_err(said);
        assert!(failure.message().contains(said), "{failure}");
    }
    clone.commit(302_400, "Not pushed\n\nBench: 302400");
    let failure = clone.test(&mut session).await.expect_err("not pushed");
    assert!(failure.message().contains("on GitHub"), "{failure}");
    assert!(fake.bench().posted.is_empty());
}

#[tokio::test]
async fn a_refusal_is_reported_in_the_servers_words() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    fake.bench().refuse =
        Some("better could not be found\nServer does not have access tokens for this engine");
    let failure = clone.test(&mut session).await.expect_err("refused");
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
    let report = clone.test(&mut session).await.expect("submitted");
    assert!(
        report.note().is_some_and(|note| note.contains("approve")),
        "{:?}",
        report.note()
    );
}
