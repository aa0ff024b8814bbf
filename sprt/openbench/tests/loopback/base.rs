//! The base side: another engine of this repository, or another repository.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use openbench::session::Session;
use openbench::settings::Settings;
use openbench_command::flags::{BaseArgs, SubmitFlags};

use crate::clone::{Clone, fields, test, test_of};
use crate::server::Fake;

/// The form of a test against a base whose bench has to be given.
async fn needs_its_bench(
    fake: &Fake,
    session: &mut Session,
    here: &Path,
    base: BaseArgs,
    flags: SubmitFlags,
) -> HashMap<String, String> {
    let settings = Settings::default().with(&fields()).with(&base);
    let refused = test_of(session, here, &settings, flags.clone()).await;
    let failure = refused.expect_err("no bench").to_string();
    assert!(failure.contains("give --base-bench"), "{failure}");
    let bench = BaseArgs {
        base_bench: Some("302399".into()),
        ..BaseArgs::default()
    };
    let sent = test_of(session, here, &settings.with(&bench), flags).await;
    sent.expect("submitted");
    let form = fake.bench().workloads.last().expect("there").form.clone();
    assert_eq!(form["base_bench"], "302399");
    form
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
    let flags = SubmitFlags::default();
    test(&mut session, &second, fields(), flags.clone())
        .await
        .expect("submitted");
    let form = fake.bench().workloads[0].form.clone();
    assert_eq!((&*form["dev_bench"], &*form["base_bench"]), ("8", "7"));
    // The base is the main engine, which is not the one of the folder.
    let base = BaseArgs {
        base_engine: Some("Other".into()),
        base_repo: Some("https://github.com/localdev/tinyrust".into()),
        base: Some("main".into()),
        ..BaseArgs::default()
    };
    let form = needs_its_bench(&fake, &mut session, &second, base, flags).await;
    assert_eq!(form["dev_bench"], "8");
}

#[tokio::test]
async fn a_branch_of_another_repository_is_not_looked_for_in_this_one() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    let flags = SubmitFlags {
        assume_pushed: true,
        ..SubmitFlags::default()
    };
    let base = BaseArgs {
        base_repo: Some("https://github.com/other/tinyrust".into()),
        base: Some("main".into()),
        ..BaseArgs::default()
    };
    needs_its_bench(&fake, &mut session, &clone.here(), base, flags).await;
}
