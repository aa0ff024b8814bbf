use foundation::Failure;
use openbench::manage::{Action, act, modify};
use openbench::networks;
use openbench_command::command::NetworkChanges;
use openbench_command::flags::Changes;
use serde_json::json;

use crate::server::Fake;

#[tokio::test]
async fn each_action_is_done_and_read_back() {
    let fake = Fake::start().await;
    let id = fake.add("test", |info| {
        info["passed"] = json!(false);
        info["finished"] = json!(false);
        info["approved"] = json!(false);
    });
    let (mut session, _file) = fake.alice();
    for (action, words) in [
        (Action::Approve, "Workload was Approved!"),
        (Action::Stop, "Workload was Stopped!"),
        (Action::Restart, "Workload was Restarted!"),
        (Action::Delete, "Workload was Deleted!"),
        (Action::Restore, "Workload was Restored!"),
    ] {
        assert_eq!(act(&mut session, id, action).await.as_deref(), Ok(words));
        let again = act(&mut session, id, action).await.expect("done already");
        assert!(again.contains("already"), "{again}");
    }
}

#[tokio::test]
async fn a_tune_whose_games_are_all_played_is_not_restarted() {
    let fake = Fake::start().await;
    let (mut session, _file) = fake.alice();
    let mut tune = |games: u64| {
        fake.add("tune", |info| {
            info["passed"] = json!(false);
            info["finished"] = json!(true);
            info["games"] = json!(games);
        })
    };
    let [part, whole] = [40, 80].map(&mut tune);
    let restarted = act(&mut session, part, Action::Restart).await;
    assert_eq!(restarted.as_deref(), Ok("Workload was Restarted!"));
    let failure = act(&mut session, whole, Action::Restart)
        .await
        .expect_err("it is complete");
    assert!(
        failure.message().contains("all games of tune 2"),
        "{failure}"
    );
}

#[tokio::test]
async fn who_may_not_is_told_in_the_servers_words() {
    let fake = Fake::start().await;
    let id = fake.add("test", |info| info["finished"] = json!(false));
    let (mut session, _file) = fake.visit("bob", "builder");
    let failure = act(&mut session, id, Action::Stop)
        .await
        .expect_err("not bob's");
    assert!(
        failure
            .message()
            .contains("You cannot interact with another user's Workload"),
        "{failure}"
    );
    let failure = act(&mut session, 77, Action::Stop)
        .await
        .expect_err("unknown");
    assert!(failure.message().contains("does not exist"), "{failure}");
}

#[tokio::test]
async fn what_the_server_changes_in_silence_is_read_back() {
    let fake = Fake::start().await;
    let id = fake.add("tune", |info| {
        info["info"] = json!("a tune\nwhetstone-0011223344556677");
    });
    let (mut session, _file) = fake.alice();
    let changes = Changes {
        priority: Some(-3),
        throughput: Some(250),
        workload_size: Some(64),
        info: Some("new words".into()),
    };
    let changed = modify(&mut session, id, &changes).await.expect("modified");
    let taken: Vec<(&str, bool)> = changed
        .iter()
        .map(|change| (change.field, change.is_taken()))
        .collect();
    // The size of a tune's workloads cannot be changed; the server says that it was.
    assert_eq!(
        taken,
        [
            ("priority", true),
            ("throughput", true),
            ("workload_size", false),
            ("info", true)
        ]
    );
    assert!(
        changed[3].after.ends_with("whetstone-0011223344556677"),
        "the mark stays: {}",
        changed[3].after
    );
}

#[tokio::test]
async fn a_network_goes_there_and_comes_back() {
    let fake = Fake::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let (file, back) = (
        folder.path().join("one.nnue"),
        folder.path().join("sub/back.nnue"),
    );
    std::fs::write(&file, "weights").expect("written");
    let (mut session, _file) = fake.alice();
    let hash = networks::upload(&mut session, "TinyRust", &file, "one.nnue")
        .await
        .expect("uploaded");
    let network = networks::find(&mut session, "TinyRust", &hash.to_lowercase())
        .await
        .expect("there");
    assert_eq!(network.name, "one.nnue");
    assert_eq!(
        networks::download(&mut session, "TinyRust", &network, &back).await,
        Ok(7)
    );
    assert_eq!(
        std::fs::read_to_string(&back).as_deref().ok(),
        Some("weights")
    );

    let twice = networks::upload(&mut session, "TinyRust", &file, "two.nnue")
        .await
        .expect_err("known");
    assert!(
        twice
            .message()
            .contains("Network with that hash already exists"),
        "{twice}"
    );
    let name = networks::upload(&mut session, "TinyRust", &file, "a b")
        .await
        .expect_err("a blank");
    assert!(name.message().contains("Valid characters"), "{name}");

    std::fs::write(&file, "").expect("written");
    let empty = networks::upload(&mut session, "TinyRust", &file, "empty.nnue")
        .await
        .expect_err("no network");
    assert!(empty.message().contains("is empty"), "{empty}");

    // What arrives must be what the server calls it.
    fake.bench().networks[0].1 = b"weights".to_vec();
    let mut wrong = network.clone();
    wrong.sha256 = "00000000".into();
    assert!(
        networks::download(&mut session, "TinyRust", &wrong, &back)
            .await
            .is_err()
    );
    networks::delete(&mut session, "TinyRust", &network)
        .await
        .expect("deleted");
    assert!(
        networks::find(&mut session, "TinyRust", &hash)
            .await
            .is_err()
    );
}

#[tokio::test]
async fn who_is_no_approver_cannot_upload() {
    let fake = Fake::start().await;
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "weights").expect("written");
    let (mut session, _file) = fake.visit("bob", "builder");
    let failure: Failure = networks::upload(&mut session, "TinyRust", file.path(), "one")
        .await
        .expect_err("bob");
    assert!(failure.to_string().contains("only approvers"), "{failure}");
}

#[tokio::test]
async fn a_network_is_made_the_default_and_renamed() {
    let fake = Fake::start().await;
    fake.bench().networks = vec![
        ("old".into(), b"old weights".to_vec()),
        ("new".into(), b"new weights".to_vec()),
    ];
    let (mut session, _file) = fake.alice();
    let network = networks::find(&mut session, "TinyRust", "new")
        .await
        .expect("there");
    let changes = NetworkChanges {
        default: Some(true),
        ..NetworkChanges::default()
    };
    let now = networks::change::edit(&mut session, "TinyRust", &network, &changes)
        .await
        .expect("an edit")
        .expect("changed");
    assert_eq!((now.name.as_str(), now.default), ("new", true));
    let again = networks::change::edit(&mut session, "TinyRust", &now, &changes).await;
    assert_eq!(again, Ok(None), "it is so already");
    let changes = NetworkChanges {
        name: Some("better".into()),
        default: Some(false),
        ..NetworkChanges::default()
    };
    let now = networks::change::edit(&mut session, "TinyRust", &network, &changes)
        .await
        .expect("an edit")
        .expect("changed");
    assert_eq!((now.name.as_str(), now.default), ("better", false));
    let (mut bob, _file) = fake.visit("bob", "builder");
    let changes = NetworkChanges {
        default: Some(true),
        ..NetworkChanges::default()
    };
    let failure = networks::change::edit(&mut bob, "TinyRust", &network, &changes)
        .await
        .expect_err("no approver");
    assert!(
        failure
            .to_string()
            .contains("only approvers may change networks"),
        "{failure}"
    );
}
