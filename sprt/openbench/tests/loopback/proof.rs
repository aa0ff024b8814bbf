//! From a test on the server to the verdict on its commit: what the client fetches is pasted into the
//! message, and `bench-guard check --require openbench` accepts it for these sources and no others.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::json;

use crate::git_of_tests::git;
use crate::server::Fake;

/// What bench-guard is to be started with, one argument a line.
const ARGUMENTS: &str = "WHETSTONE_TEST_GUARD";

/// The program bench-guard: this test, started again as one.
#[test]
fn bench_guard_as_a_program() {
    if let Ok(arguments) = std::env::var(ARGUMENTS) {
        #[expect(clippy::exit, reason = "it stands for the program")]
        std::process::exit(bench_guard::cli::Cli::answer(arguments.lines()) as i32);
    }
}

fn said(output: &Output) -> String {
    let texts = [&output.stdout, &output.stderr];
    texts.map(|text| String::from_utf8_lossy(text)).concat()
}

/// A clone of the repository whose engines the server tested.
struct Checkout {
    place: tempfile::TempDir,
}

impl Checkout {
    /// With a commit and the one that was tested against it.
    fn new() -> (Self, [String; 2]) {
        let place = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(place.path().join("engine")).expect("a folder");
        let clone = Self { place };
        clone.git(&["init", "-q", "-b", "main"]);
        let ids = ["base", "tested"].map(|text| {
            clone.write("search.c", text);
            clone.git(&["add", "."]);
            clone.git(&["commit", "-q", "-m", &format!("{text}\n\nBench: 1")]);
            clone.git(&["rev-parse", "HEAD"])
        });
        (clone, ids)
    }

    fn root(&self) -> PathBuf {
        self.place.path().join("engine")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.root().join(name), text).expect("written");
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(&self.root(), arguments)
    }

    /// `sprt openbench fetch` without games, as a user starts it in the clone; the text of a file
    /// that it wrote.
    async fn fetch(&self, fake: &Fake, id: u64, file: &str) -> Option<String> {
        let output = self.fetch_with(fake, id, &["--no-games"]).await;
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        self.fetched(file)
    }

    async fn fetch_with(&self, fake: &Fake, id: u64, more: &[&str]) -> Output {
        tokio::process::Command::new(env!("CARGO_BIN_EXE_sprt-openbench"))
            .args(["fetch", &id.to_string(), "--out"])
            .arg(self.place.path().join("fetched"))
            .args(["--server", &fake.url])
            .args(more)
            .current_dir(self.root())
            .output()
            .await
            .expect("the client runs")
    }

    fn fetched(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(self.place.path().join("fetched").join(file)).ok()
    }

    /// Accepted, or refused with these words.
    fn check(&self, kind: &str, words: Option<&str>) {
        let arguments = [
            "bench-guard",
            "check",
            "HEAD",
            "--no-build",
            "--require",
            kind,
        ];
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "proof::bench_guard_as_a_program", "--nocapture"])
            .current_dir(self.root())
            .env(ARGUMENTS, arguments.join("\n"))
            .output()
            .expect("bench-guard runs");
        let said = said(&output);
        assert_eq!(
            output.status.code(),
            Some(i32::from(words.is_some())),
            "{said}"
        );
        assert!(
            said.contains(words.unwrap_or_default()),
            "expected `{words:?}` in {said}"
        );
    }

    fn amend(&self, message: &str) {
        self.git(&["commit", "-q", "-a", "--amend", "-m", message]);
    }
}

#[tokio::test]
async fn a_test_of_the_server_proves_its_commit_and_no_other() {
    let fake = Fake::start().await;
    let (clone, [base, tested]) = Checkout::new();
    let id = fake.add("test", |info| {
        info["base"]["sha"] = json!(base);
        info["dev"]["sha"] = json!(tested);
    });
    let proof = clone.fetch(&fake, id, "proof.txt").await.expect("a proof");
    let block = clone.fetch(&fake, id, "block.txt").await.expect("a block");
    let message = format!("Tested\n\n{block}\n{proof}Bench: 1");
    clone.amend(&message);
    clone.check("openbench", None);
    clone.check("run", Some("another kind"));

    // A word of the trailer and a figure of the block, by hand.
    let url = format!("test%2F{id}%2F");
    clone.amend(&message.replace(&url, "test%2F99%2F"));
    clone.check("openbench", Some("some have been changed"));
    clone.amend(&message.replace("Hash/16", "Hash/17"));
    clone.check("openbench", Some("some have been changed"));
    clone.amend(&message.replace("503, 500]", "502, 501]"));
    clone.check("openbench", Some("recomputed"));
    clone.amend(&message.replace("Hash=16MB", "Hash=17MB"));
    clone.check("openbench", Some("was not played at"));
    clone.amend(&format!("Tested\n\n{block}\nBench: 1"));
    clone.check("openbench", Some("no trailer"));

    // One byte of the sources, and a base that was not the one tested against.
    clone.write("search.c", "Tested");
    clone.amend(&message);
    clone.check("openbench", Some("NEW was built from"));
    clone.write("search.c", "another base");
    clone.amend("Another base\n\nBench: 2");
    clone.write("search.c", "tested");
    clone.git(&["commit", "-q", "-a", "-m", &message]);
    clone.check("openbench", Some("BASE was built from"));
}

#[tokio::test]
async fn a_test_that_did_not_pass_gives_no_proof() {
    let fake = Fake::start().await;
    let (clone, [base, tested]) = Checkout::new();
    let id = fake.add("test", |info| {
        info["base"]["sha"] = json!(base);
        info["dev"]["sha"] = json!(tested);
        info["passed"] = json!(false);
    });
    assert_eq!(clone.fetch(&fake, id, "proof.txt").await, None);
    assert!(clone.fetch(&fake, id, "block.txt").await.is_some());
}

#[tokio::test]
async fn where_games_may_be_copies_only_the_games_give_a_proof() {
    let fake = Fake::start().await;
    let (clone, [base, tested]) = Checkout::new();
    let id = fake.add("test", |info| {
        info["base"]["sha"] = json!(base);
        info["dev"]["sha"] = json!(tested);
    });
    assert!(clone.fetch(&fake, id, "proof.txt").await.is_some());
    for side in ["dev", "base"] {
        fake.change(id, &format!("{side}_time_control"), json!("N=2000"));
    }
    let told = async |more: &[&str], code, words: &str| {
        let output = clone.fetch_with(&fake, id, more).await;
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert!(said(&output).contains(words), "{}", said(&output));
        // That of the earlier fetch is gone, too.
        assert_eq!(clone.fetched("proof.txt"), None);
        assert!(clone.fetched("block.txt").is_some());
    };
    told(&["--no-games"], 0, "fetch it without `--no-games`").await;
    // The server counted games that its archive lacks.
    let archive = crate::follow::packed("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n");
    fake.bench().archives = vec![Ok(archive)];
    told(&[], 2, "the archive does not have all of them").await;
    // The fetch ends before the games are there.
    fake.bench().archives = vec![Err("API requires authentication for this server")];
    told(&["--username=alice"], 2, "no password").await;
    fake.change(id, "upload_pgns", json!("FALSE"));
    told(&[], 0, "does not keep its games").await;
}
