use foundation::Failure;
use openbench::http::Unanswered;
use openbench::read::{page, tables};

use crate::server::{Fake, Fault};

const INFO: &str = "/api/workload/1/info/";

#[tokio::test]
async fn what_only_reads_is_asked_again() {
    for faults in [
        vec![
            Fault::Crash("OperationalError at /api/: database is locked"),
            Fault::Cut,
        ],
        vec![Fault::Silence],
    ] {
        let fake = Fake::start().await;
        fake.add("test", |_| {});
        fake.fault(INFO, &faults);
        let (mut session, _file) = fake.alice();
        assert_eq!(
            session.info(1).await.expect("in the end").id,
            1,
            "{faults:?}"
        );
        assert_eq!(fake.count("GET /api/workload/1/info/"), faults.len() + 1);
    }
}

#[tokio::test]
async fn a_server_that_stays_ill_is_left_alone_after_a_few_tries() {
    let fake = Fake::start().await;
    fake.fault(INFO, &vec![Fault::Crash("database is locked"); 50]);
    let (mut session, _file) = fake.alice();
    let unanswered = session.info(1).await.expect_err("ill");
    assert!(matches!(unanswered, Unanswered::Later { .. }));
    let failure = Failure::from(unanswered);
    assert!(
        failure.message().contains("500") && failure.message().contains("database is locked"),
        "{failure}"
    );
    assert_eq!(fake.count("GET /api/workload/1/info/"), 3);
}

#[tokio::test]
async fn a_page_in_the_place_of_json_may_be_json_later() {
    let fake = Fake::start().await;
    fake.add("test", |_| {});
    fake.fault(INFO, &[Fault::Noise]);
    let (mut session, _file) = fake.alice();
    let unanswered = session.info(1).await.expect_err("noise");
    assert!(
        matches!(unanswered, Unanswered::Later { .. }),
        "{unanswered:?}"
    );
    assert!(
        Failure::from(unanswered)
            .message()
            .contains("something else than JSON")
    );
}

#[tokio::test]
async fn an_answer_without_an_end_is_cut_off() {
    let fake = Fake::start().await;
    fake.fault(INFO, &[Fault::Huge]);
    let (mut session, _file) = fake.alice();
    let unanswered = session.info(1).await.expect_err("huge");
    assert!(
        matches!(&unanswered, Unanswered::Never(failure) if failure.message().contains("longer than 1 MiB")),
        "{unanswered:?}"
    );
}

#[tokio::test]
async fn a_redirection_to_another_host_is_not_followed() {
    let fake = Fake::start().await;
    fake.fault("/login/", &[Fault::Elsewhere]);
    let (mut session, _file) = fake.alice();
    let failure = Failure::from(session.log_in().await.expect_err("elsewhere"));
    assert!(
        failure.message().contains("https://evil.example.org"),
        "{failure}"
    );
    assert!(fake.bench().posted.is_empty(), "no password was sent");
}

#[tokio::test]
async fn nobody_at_home_is_said_so() {
    let fake = Fake::start().await;
    let (mut session, _file) = fake.alice();
    // A port that is taken, and on which nobody listens.
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    socket.bind(any).expect("a port");
    let address = socket.local_addr().expect("an address");
    session.client.server =
        openbench::address::Server::parse(&format!("http://{address}"), false).expect("loopback");
    let failure = Failure::from(session.info(1).await.expect_err("nobody"));
    assert!(
        failure.to_string().contains("is the server up?"),
        "{failure}"
    );
}

#[tokio::test]
async fn an_error_in_the_servers_words_is_final() {
    let fake = Fake::start().await;
    let (mut session, _file) = fake.alice();
    let unanswered = session.info(77).await.expect_err("unknown");
    assert!(
        matches!(&unanswered, Unanswered::Never(failure) if failure.message().contains("Requested Workload Id does not exist")),
        "{unanswered:?}"
    );
    assert_eq!(fake.bench().requests.len(), 1);
}

#[tokio::test]
async fn a_page_of_somebody_else_is_no_empty_list() {
    let fake = Fake::start().await;
    for path in ["/index/", "/search/", "/errors/", "/machines/"] {
        fake.fault(path, &[Fault::Noise]);
    }
    let (mut session, _file) = fake.alice();
    let index = session.page("/index/", &[], page::list).await.map(drop);
    let search = session.page("/search/", &[], page::list).await.map(drop);
    let errors = session.page("/errors/", &[], page::errors).await.map(drop);
    let machines = session
        .page("/machines/", &[], tables::machines)
        .await
        .map(drop);
    for found in [index, search, errors, machines] {
        let unanswered = found.expect_err("maintenance");
        assert!(
            matches!(&unanswered, Unanswered::Later { failure, .. }
                if failure.message().contains("something else than OpenBench's page: `Maintenance`")),
            "{unanswered:?}"
        );
    }
}

#[tokio::test]
async fn who_waits_for_another_try_is_told_why() {
    let fake = Fake::start().await;
    fake.fault("/index/1/", &[Fault::Crash("database is locked")]);
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_sprt-openbench"))
        .args(["list", "--server", &fake.url])
        .output()
        .await
        .expect("the client runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("database is locked; trying again in 2 s"),
        "{told}"
    );
}
