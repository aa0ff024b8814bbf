use std::io::Write as _;
use std::time::Duration;

use foundation::Exit;
use openbench::fetch::archive::Wait;
use openbench::fetch::fetch;
use openbench::watch::{Event, Outcome, watch};
use serde_json::json;

use crate::server::{Fake, Fault, printer};

const SOON: Duration = Duration::from_millis(10);

fn active(info: &mut serde_json::Value) {
    for flag in ["passed", "failed", "finished", "error"] {
        info[flag] = json!(false);
    }
}

#[tokio::test]
async fn a_test_is_followed_through_bad_days_to_its_end() {
    let fake = Fake::start().await;
    let id = fake.add("test", active);
    let (mut session, _file) = fake.alice();
    fake.fault(
        "/api/workload/1/info/",
        &[Fault::Noise, Fault::Crash("database is locked")],
    );
    let mut told = Vec::new();
    let later = fake.clone();
    let mut said = Vec::new();
    let mut report = |event: Event| match event {
        Event::Changed(view) => {
            told.push((view.state(), view.info.games, view.active_machines()));
            if told.len() == 1 {
                later.change(1, "games", json!(64));
                let faults = [Fault::Crash("a restart"), Fault::Away, Fault::Silence];
                later.fault("/api/workload/1/info/", &faults);
            } else {
                later.change(1, "finished", json!(true));
                later.change(1, "failed", json!(true));
            }
        }
        Event::Silent { why, .. } => said.push(why.message().to_owned()),
        Event::Back { .. } => said.push("back".to_owned()),
        Event::Idle(_) => said.push("idle".to_owned()),
    };
    let outcome = watch(&mut session, id, SOON, &mut report).await;
    assert_eq!(outcome, Ok(Outcome::Failed));
    assert_eq!(
        told,
        [("active", 2016, 1), ("active", 64, 1), ("failed", 64, 1)]
    );
    // Each try without an answer is reported at once, and so is the end of the silence.
    let said: Vec<bool> = said.iter().map(|text| text == "back").collect();
    assert_eq!(said, [false, false, true, false, false, false, true]);
}

/// A server with a test that has ended, and a wrong bench among its errors.
async fn with_a_wrong_bench() -> (Fake, u64) {
    let fake = Fake::start().await;
    let id = fake.add("test", |info| {
        active(info);
        info["finished"] = json!(true);
    });
    fake.bench().errors =
        "<table><tr><td>1795266135</td><td>3</td><td>Bob</td><td><a href='/test/1/'>x</a></td>\
        <td>[TinyRust-AAAAAAAA] Wrong Bench: 5</td><td></td></tr></table>"
            .into();
    (fake, id)
}

#[tokio::test]
async fn a_wrong_bench_is_reported_as_the_server_tells_it() {
    let (fake, id) = with_a_wrong_bench().await;
    let (mut session, _file) = fake.alice();
    let outcome = watch(&mut session, id, SOON, &mut |_| {})
        .await
        .expect("ended");
    assert_eq!(
        outcome,
        Outcome::Error("[TinyRust-AAAAAAAA] Wrong Bench: 5".into())
    );
    assert_eq!(outcome.exit(), Exit::EngineFault);
}

#[tokio::test]
async fn a_wrong_bench_before_a_restart_did_not_end_the_workload() {
    let (fake, id) = with_a_wrong_bench().await;
    fake.bench().events =
        "<table><tr><td>1795266200</td><td>Alice</td><td><a href='/test/1/'>x</a></td><td>N=1</td>\
        <td>RESTART P=0 TP=1000</td></tr></table>"
            .into();
    let (mut session, _file) = fake.alice();
    let outcome = watch(&mut session, id, SOON, &mut |_| {}).await;
    assert_eq!(outcome, Ok(Outcome::Stopped));
}

#[tokio::test]
async fn an_unknown_workload_is_not_waited_for() {
    let fake = Fake::start().await;
    let (mut session, _file) = fake.alice();
    assert!(watch(&mut session, 5, SOON, &mut |_| {}).await.is_err());
}

const DIGEST: &str = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\nMargin,84.5000,75,20,200,15.3690,9.5000,0.0028,0.0020";
const WAIT: Wait = Wait {
    longest: Duration::from_secs(20),
    interval: SOON,
};

#[tokio::test]
async fn a_tune_comes_home_with_its_values() {
    let fake = Fake::start().await;
    let id = fake.add("tune", |info| info["upload_pgns"] = json!("FALSE"));
    fake.bench().digest = DIGEST.into();
    // Before version 49.
    fake.fault("/api/workload/1/summary/", &[Fault::Away]);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut session, _file) = fake.alice();
    let fetched = fetch(&mut session, id, folder.path(), Some(WAIT), printer())
        .await
        .expect("fetched");
    assert_eq!(
        (fetched.kind, fetched.tuned[0].value, fetched.games),
        ("tune", 84.5, None)
    );
    let written = std::fs::read_to_string(folder.path().join("digest.csv")).expect("a digest");
    assert_eq!(written.trim_end(), DIGEST);
    assert!(!folder.path().join("summary.json").exists());
}

#[tokio::test]
async fn a_server_that_wants_a_login_again_and_again_is_asked_twice() {
    let fake = Fake::start().await;
    let id = fake.add("test", |_| {});
    fake.bench().archives = vec![Err("API requires authentication for this server")];
    let folder = tempfile::tempdir().expect("a folder");
    let (mut session, _file) = fake.alice();
    let failure = fetch(&mut session, id, folder.path(), Some(WAIT), printer())
        .await
        .expect_err("refused");
    let words = "asks for a login again and again";
    assert!(failure.message().contains(words), "{failure}");
    assert_eq!(fake.count("GET /api/pgns/1/"), 2);
}

#[tokio::test]
async fn games_are_waited_for_while_machines_are_on_them() {
    let fake = Fake::start().await;
    let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S.%6f+00:00");
    let id = fake.add("test", |info| info["updated"] = json!(now.to_string()));
    fake.bench().archives = vec![
        Err("Unable to find PGN for Workload #1"),
        Err("Some machines are still on this Workload. Try again shortly"),
        Err("Still processing individual PGNs into the archive. Try again shortly"),
        Ok(packed("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n")),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let (mut session, _file) = fake.alice();
    let fetched = fetch(&mut session, id, folder.path(), Some(WAIT), printer())
        .await
        .expect("fetched");
    assert_eq!(fetched.games.map(|games| games.games), Some(1));
    assert!(
        fetched
            .block
            .is_some_and(|block| block.contains("Penta | [0, 2, 3, 503, 500]"))
    );
    assert!(
        std::fs::read_to_string(folder.path().join("games.pgn"))
            .expect("games")
            .contains("1. e4")
    );
}

#[tokio::test]
async fn games_that_are_gone_are_not_waited_for() {
    let fake = Fake::start().await;
    let id = fake.add("test", |_| {});
    fake.bench().archives = vec![Err("Unable to find PGN for Workload #1")];
    let folder = tempfile::tempdir().expect("a folder");
    let (mut session, _file) = fake.alice();
    let fetched = fetch(&mut session, id, folder.path(), Some(WAIT), printer())
        .await
        .expect("fetched without games");
    assert_eq!(fetched.games, None);
    assert_eq!(fake.count("GET /api/pgns/1/"), 1);
}

fn game(round: u32, dev_is_white: bool, opening: u32, result: &str) -> String {
    let [white, black] = if dev_is_white {
        ["A-dev", "A-base"]
    } else {
        ["A-base", "A-dev"]
    };
    format!(
        "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
         [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {opening}\"]\n\n1. e4 {result}\n\n"
    )
}

#[tokio::test]
async fn games_that_the_archive_lacks_are_said_to_be_missing() {
    let fake = Fake::start().await;
    let id = fake.add("test", |_| {});
    // The server counted 16 games of the machine.
    fake.bench().archives = vec![Ok(packed(&game(1, true, 1, "1-0").repeat(8)))];
    let folder = tempfile::tempdir().expect("a folder");
    let (mut session, _file) = fake.alice();
    let fetched = fetch(&mut session, id, folder.path(), Some(WAIT), printer())
        .await
        .expect("fetched");
    let missing = fetched.missing.expect("8 games");
    assert_eq!((missing.counted, missing.archived), (16, 8));
    assert_eq!(missing.machines[0].user, "alice");
    assert!(folder.path().join("games.pgn").exists(), "what is there");
}

#[tokio::test]
async fn copies_of_games_are_counted_and_weighed() {
    let fake = Fake::start().await;
    let id = fake.add("test", |_| {});
    let games: String = (1..=8)
        .flat_map(|round: u32| {
            // Two rounds with each opening, as workers play them.
            let opening = round.div_ceil(2);
            let result = if opening.is_multiple_of(2) {
                "1-0"
            } else {
                "1/2-1/2"
            };
            [
                game(round, true, opening, result),
                game(round, false, opening, "1/2-1/2"),
            ]
        })
        .collect();
    fake.bench().archives = vec![Ok(packed(&games))];
    let folder = tempfile::tempdir().expect("a folder");
    let (mut session, _file) = fake.alice();
    let fetched = fetch(&mut session, id, folder.path(), Some(WAIT), printer())
        .await
        .expect("fetched");
    assert_eq!(fetched.missing, None);
    assert!(!folder.path().join("proof.txt").exists());
    let by_copies = Some("copies of games decide the test");
    assert_eq!(fetched.no_proof.as_deref(), by_copies);
    fake.change(id, "passed", json!(false));
    fake.bench().archives = vec![Ok(packed(&games))];
    let failed = fetch(&mut session, id, folder.path(), Some(WAIT), printer());
    assert_eq!(failed.await.expect("fetched").no_proof, None);
    let evidence = fetched.evidence.expect("evidence");
    assert!(
        evidence.starts_with(
            "8 pairs from 4 openings, 4 of them copies of others move by move: 4 effective pairs, \
             which give LLR"
        ) && evidence.contains("instead of 17.90: the test is decided by copies"),
        "{evidence}"
    );
    let block = std::fs::read_to_string(folder.path().join("block.txt")).expect("a block");
    assert!(
        block.ends_with(&format!("\n{}/test/1/\n", fake.url)),
        "{block}"
    );
}

#[tokio::test]
async fn a_tune_that_no_worker_can_play_says_so() {
    let fake = Fake::start().await;
    let id = fake.add("tune", |info| {
        active(info);
        info["games"] = json!(0);
    });
    fake.bench().digest = DIGEST.into();
    fake.bench().machines_active = false;
    fake.bench().machines =
        "<table><tr><td>3</td><td>Bob</td><td>box</td><td>Linux</td><td>AVX2</td><td>None</td><td>1</td><td>0</td></tr></table>"
            .into();
    let (mut session, _file) = fake.alice();
    let later = fake.clone();
    let mut why = String::new();
    let mut report = |event: Event| {
        if let Event::Idle(reason) = event {
            reason.clone_into(&mut why);
            later.change(1, "finished", json!(true));
        }
    };
    let outcome = watch(&mut session, id, SOON, &mut report).await;
    assert_eq!(outcome, Ok(Outcome::Stopped));
    assert!(
        why.contains("needs a worker with 2 threads") && why.contains("none has more than 1"),
        "{why}"
    );
}

#[tokio::test]
async fn a_workload_that_is_being_played_is_fetched_without_games() {
    let fake = Fake::start().await;
    let id = fake.add("test", active);
    fake.bench().archives = vec![Err(
        "PGNs cannot be downloaded while the Workload is active",
    )];
    let folder = tempfile::tempdir().expect("a folder");
    let (mut session, _file) = fake.alice();
    let fetched = fetch(&mut session, id, folder.path(), Some(WAIT), printer())
        .await
        .expect("fetched");
    assert_eq!(fetched.games, None);
    assert!(!folder.path().join("games.pgn").exists());
}

pub fn packed(games: &str) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(games.as_bytes()).expect("compressed");
    let content = encoder.finish().expect("compressed");
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    let mut archive = tar::Builder::new(Vec::new());
    archive
        .append_data(&mut header, "1.1.1.pgn.bz2", content.as_slice())
        .expect("packed");
    archive.into_inner().expect("packed")
}

#[tokio::test]
async fn a_folder_of_another_workload_is_left_alone() {
    let fake = Fake::start().await;
    let tune = fake.add("tune", |info| info["upload_pgns"] = json!("FALSE"));
    let id = fake.add("test", |_| {});
    fake.bench().digest = DIGEST.into();
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("openbench-1");
    let (mut session, _file) = fake.alice();
    for _ in 0..2 {
        fetch(&mut session, tune, &folder, None, printer())
            .await
            .expect("fetched");
    }
    let failure = fetch(&mut session, id, &folder, None, printer())
        .await
        .expect_err("another workload");
    assert!(
        failure
            .message()
            .contains("holds workload 1, not workload 2"),
        "{failure}"
    );
    assert!(!folder.join("block.txt").exists());
    let run = place.path().join("run");
    std::fs::create_dir(&run).expect("a folder");
    std::fs::write(run.join("plan.json"), "{}").expect("written");
    let failure = fetch(&mut session, id, &run, None, printer())
        .await
        .expect_err("a run");
    assert!(
        failure.message().contains("holds a run of this machine"),
        "{failure}"
    );
    assert!(!run.join("info.json").exists());
    fake.change(tune, "creation", json!("2020-01-01 00:00:00.000000+00:00"));
    let failure = fetch(&mut session, tune, &folder, None, printer())
        .await
        .expect_err("another server");
    assert!(
        failure.message().contains("workload 1 of another server"),
        "{failure}"
    );
}
