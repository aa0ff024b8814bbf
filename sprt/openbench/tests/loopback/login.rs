use crate::server::{Fake, Fault, printer};
use foundation::Failure;
use openbench::fetch::archive::{self, Wait};
use openbench::manage::{Action, act, modify};
use openbench::networks;
use openbench::read::{page, tables};
use openbench_command::command::NetworkChanges;
use openbench_command::flags::Changes;

async fn login(fake: &Fake, username: &str, password: &str) -> Result<(), Failure> {
    let (mut session, _file) = fake.visit(username, password);
    session.log_in().await.map_err(Failure::from)
}

#[tokio::test]
async fn an_enabled_account_is_let_in_once() {
    let fake = Fake::start().await;
    let (mut session, _file) = fake.alice();
    session.log_in().await.expect("let in");
    session.log_in().await.expect("still in");
    assert_eq!(fake.count("POST /login/"), 1);
    let bench = fake.bench();
    assert!(
        bench
            .posted
            .iter()
            .all(|(path, body)| path == "/login/" || !body.contains("wonderland"))
    );
}

#[tokio::test]
async fn wrong_and_disabled_accounts_are_distinguished_and_passwords_are_not_shown() {
    let fake = Fake::start().await;
    let wrong = login(&fake, "alice", "hatter")
        .await
        .expect_err("wrong password");
    assert!(
        wrong.message().contains("Unable to authenticate user"),
        "{wrong}"
    );
    let hint = wrong.next_step().expect("a hint");
    assert!(hint.contains("the password file `"), "{hint}");
    let disabled = login(&fake, "carol", "christmas")
        .await
        .expect_err("not enabled");
    assert!(
        disabled.message().contains("has not been enabled"),
        "{disabled}"
    );
    for failure in [wrong, disabled] {
        let text = failure.to_string();
        assert!(
            !text.contains("hatter") && !text.contains("christmas"),
            "{text}"
        );
    }
    // A wrong password is not tried again: servers lock accounts for that.
    assert_eq!(fake.count("POST /login/"), 2);
}

#[tokio::test]
async fn without_a_password_nothing_is_asked() {
    let fake = Fake::start().await;
    let (mut session, _file) = fake.visit("alice", "");
    let failure = Failure::from(session.log_in().await.expect_err("no password"));
    assert!(failure.message().contains("is empty"), "{failure}");
    assert!(fake.bench().requests.is_empty());
}

#[tokio::test]
async fn a_server_that_shows_nothing_to_strangers_is_logged_in_to() {
    let fake = Fake::start().await;
    fake.bench().require_login = true;
    let id = fake.add("test", |_| {});
    let (mut session, _file) = fake.alice();
    assert_eq!(session.info(id).await.expect("by /api/").id, id);
    let listed = session.page("/index/", &[], page::list).await;
    assert_eq!(listed.expect("a page")[0].id, id);
    assert_eq!(fake.count("POST /login/"), 1);
}

#[tokio::test]
async fn a_session_that_the_server_has_forgotten_is_opened_again() {
    let fake = Fake::start().await;
    fake.bench().require_login = true;
    let id = fake.add("test", |_| {});
    let (mut session, _file) = fake.alice();
    session.info(id).await.expect("logged in");
    fake.bench().forget_sessions();
    session.info(id).await.expect("logged in again");
    assert_eq!(fake.count("POST /login/"), 2);
}

#[tokio::test]
async fn every_request_opens_a_session_again_that_the_server_has_forgotten() {
    let fake = Fake::start().await;
    fake.bench().require_login = true;
    let id = fake.add("test", |info| info["finished"] = false.into());
    let place = tempfile::tempdir().expect("a folder");
    let (file, back) = (place.path().join("one"), place.path().join("back"));
    std::fs::write(&file, "weights").expect("written");
    let (mut session, _file) = fake.alice();
    let mut info = session.info(id).await.expect("logged in");
    // Each of these reads before it changes something: the request in between is the one meant.
    let forgotten = |request: &str| fake.bench().forget_before = Some(request.to_owned());
    let logins = || fake.count("POST /login/");

    forgotten(&format!("GET /test/{id}/STOP/"));
    let done = act(&mut session, id, Action::Stop).await;
    assert_eq!(done.as_deref(), Ok("Workload was Stopped!"));
    assert_eq!(logins(), 2);

    forgotten(&format!("POST /test/{id}/MODIFY/"));
    let changes = Changes {
        priority: Some(5),
        ..Changes::default()
    };
    let changed = modify(&mut session, id, &changes).await.expect("modified");
    assert_eq!(changed[0].after, "5");
    assert_eq!(logins(), 3);

    forgotten("POST /networks/TinyRust/UPLOAD/one/");
    let hash = networks::upload(&mut session, "TinyRust", &file, "one").await;
    let hash = hash.expect("uploaded");
    assert_eq!(logins(), 4);
    let network = networks::find(&mut session, "TinyRust", &hash).await;
    let network = network.expect("there");

    forgotten(&format!("POST /networks/TinyRust/EDIT/{hash}/"));
    let changes = NetworkChanges {
        default: Some(true),
        ..NetworkChanges::default()
    };
    let edited = networks::change::edit(&mut session, "TinyRust", &network, &changes).await;
    assert!(edited.expect("edited").is_some_and(|now| now.default));
    assert_eq!(logins(), 5);

    forgotten(&format!("GET /api/networks/TinyRust/{hash}/"));
    let size = networks::download(&mut session, "TinyRust", &network, &back).await;
    assert_eq!(size, Ok(7));
    assert_eq!(logins(), 6);

    forgotten(&format!("POST /api/networks/TinyRust/{hash}/delete/"));
    let deleted = networks::delete(&mut session, "TinyRust", &network).await;
    deleted.expect("deleted");
    assert_eq!(logins(), 7);

    info.finished = false;
    info.upload_pgns = "COMPACT".into();
    forgotten(&format!("GET /api/pgns/{id}/"));
    let wait = Wait::default();
    let games = archive::fetch(&mut session, &info, &back, wait, printer()).await;
    assert_eq!(games, Ok(None), "the server has none yet");
    assert_eq!(logins(), 8);
}

#[tokio::test]
async fn an_open_server_is_looked_at_without_a_name() {
    let fake = Fake::start().await;
    let id = fake.add("test", |_| {});
    let (mut session, _file) = fake.alice();
    session.info(id).await.expect("open");
    assert_eq!(fake.count("POST /login/"), 0);
}

#[tokio::test]
async fn a_machine_that_is_not_there_is_looked_for_after_the_login() {
    let fake = Fake::start().await;
    fake.bench().require_login = true;
    let (mut session, _file) = fake.alice();
    let found = session.page("/machines/77/", &[], tables::machine).await;
    let failure = Failure::from(found.expect_err("no such machine"));
    assert!(
        failure.message().contains("Machine does not exist"),
        "{failure}"
    );
    assert_eq!(fake.count("POST /login/"), 1);
}

#[tokio::test]
async fn a_page_that_is_no_login_gets_no_password() {
    let fake = Fake::start().await;
    fake.fault("/login/", &[Fault::Noise]);
    let failure = login(&fake, "alice", "wonderland")
        .await
        .expect_err("maintenance");
    assert!(failure.message().contains("Maintenance"), "{failure}");
    assert!(fake.bench().posted.is_empty());
}

#[tokio::test]
async fn another_server_gets_the_login_that_is_typed_and_no_other() {
    let fake = Fake::start().await;
    fake.bench().require_login = true;
    let id = fake.add("test", |_| {});
    let (_session, file) = fake.alice();
    let place = tempfile::tempdir().expect("a folder");
    let project = "[openbench]\nserver = 'b.example.org'\nusername = 'bob'\n";
    std::fs::write(place.path().join("whetstone.toml"), project).expect("written");
    let typed_file = format!("--password-file={}", file.path().display());
    for (typed, variable, words) in [
        (&[][..], "alice", "no user name is given"),
        (&["--username=alice"], "bob", "no password for alice"),
        (&["--username=alice", &typed_file], "bob", ""),
    ] {
        let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_sprt-openbench"))
            .args(["fetch", "--no-games"])
            .arg(format!("{}/test/{id}/", fake.url))
            .args(typed)
            .current_dir(place.path())
            .env("OPENBENCH_USERNAME", variable)
            .env("OPENBENCH_PASSWORD", "wonderland")
            .stdin(std::process::Stdio::null())
            .output()
            .await
            .expect("the client runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), words.is_empty(), "{said}");
        assert!(said.contains(words), "{said}");
        assert_eq!(fake.count("POST /login/"), usize::from(words.is_empty()));
    }
}
