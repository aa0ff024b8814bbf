//! A test that is bound to its commit: the trailer that `sprt` writes, and what `bench-guard check`
//! makes of it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use bench_guard::proof::{Proof, Source};

use crate::support::{Place, text};

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

/// A repository with two commits, of which the second plays better.
struct Repository {
    place: Place,
}

impl Repository {
    fn new() -> Self {
        let repository = Self {
            place: Place::new(),
        };
        fs::create_dir(repository.place.path("repo")).expect("a folder");
        repository.git(&["init", "-q", "-b", "main"]);
        repository.write(
            "Makefile",
            "EXE ?= engine\nall:\n\tcp engine.sh $(EXE)\n\tchmod +x $(EXE)\n",
        );
        repository.write(
            "whetstone.toml",
            "[bench-guard.proof]\nmin-games = 2\nmin-nodes = 1\n",
        );
        repository.engine(60);
        repository.commit("first\n\nBench: 60");
        repository.engine(0);
        repository
    }

    /// An engine that gives up in so many percent of its games.
    fn engine(&self, losses: u32) {
        let engine = env!("CARGO_BIN_EXE_scripted-engine");
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = bench ]; then echo '{losses} nodes 1000 nps'; exit; fi\n\
             (echo 'setoption name Losses value {losses}'; cat) | exec {engine}\n"
        );
        self.write("engine.sh", &script);
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).expect("written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path("repo").join(name)
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.place.git(arguments)
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "."]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// The same commit with another message.
    fn amend(&self, message: &str) {
        self.git(&["commit", "-q", "--amend", "--allow-empty", "-m", message]);
    }

    /// What a run of the working tree against HEAD prints for its commit message.
    fn play(&self) -> String {
        let output = self
            .place
            .sprt([
                "HEAD", ".", "--nodes", "1000", "--seed", "7", "--bounds", "0,10",
            ])
            .args(["--out", "../runs/one", "--option", "Hash=8"])
            .current_dir(self.place.path("repo"))
            .output()
            .expect("sprt runs");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    }

    fn guard(&self, arguments: &[&str]) -> Output {
        let all = [&["bench-guard", "check", "--require", "run"], arguments].concat();
        Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "proof::bench_guard_as_a_program", "--nocapture"])
            .current_dir(self.place.path("repo"))
            .env("WHETSTONE_CACHE", self.place.path("cache"))
            .env(ARGUMENTS, all.join("\n"))
            .output()
            .expect("bench-guard runs")
    }

    /// Accepted, or refused with these words.
    fn expect(&self, arguments: &[&str], words: Option<&str>) {
        let output = self.guard(arguments);
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        match words {
            None => assert_eq!(output.status.code(), Some(0), "{said}"),
            Some(words) => {
                assert_eq!(output.status.code(), Some(1), "{said}");
                assert!(said.contains(words), "expected `{words}` in {said}");
            }
        }
    }
}

const ALONE: [&str; 2] = ["HEAD", "--no-build"];
const WITH_JOURNALS: [&str; 4] = ["HEAD", "--no-build", "--journals", "../runs"];

#[test]
fn a_proof_holds_for_what_was_played_and_for_nothing_else() {
    let repository = Repository::new();
    let printed = repository.play();
    let shown = repository.place.output(["show", "runs/one"]);
    assert_eq!(text(&shown.stdout), printed);
    let message = format!("second\n\n{printed}\nBench: 1");
    repository.commit(&message);
    repository.expect(&ALONE, None);
    repository.expect(&WITH_JOURNALS, None);

    // One byte of the tree.
    let engine = fs::read_to_string(repository.path("engine.sh")).expect("read");
    repository.write("engine.sh", &format!("{engine}#"));
    repository.git(&["commit", "-q", "-a", "--amend", "--no-edit"]);
    repository.expect(&ALONE, Some("NEW was built from"));
    repository.write("engine.sh", &engine);
    repository.git(&["commit", "-q", "-a", "--amend", "--no-edit"]);
    repository.expect(&ALONE, None);

    // A word of the trailer, by hand.
    repository.amend(&message.replace("Hash/8", "Hash/9"));
    repository.expect(&ALONE, Some("some have been changed"));
    // The block without its trailer, and the trailer without its block.
    let (block, trailer) = message.split_once("\n\nSPRT-Proof").expect("both");
    repository.amend(&format!("{block}\n\nBench: 1"));
    repository.expect(&ALONE, Some("no trailer"));
    let counts = block.lines().last().expect("a line");
    let other = format!("{}0]", counts.trim_end_matches(']'));
    repository.amend(&message.replace(counts, &other));
    repository.expect(&ALONE, Some("recomputed"));
    repository.amend(&format!("second\n\nSPRT-Proof{trailer}"));
    repository.expect(&ALONE, Some("no OpenBench block"));
}

#[test]
fn a_trailer_with_a_right_sum_is_held_against_the_journal() {
    let repository = Repository::new();
    let printed = repository.play();
    repository.commit(&format!("second\n\n{printed}\nBench: 1"));
    repository.expect(&WITH_JOURNALS, None);
    let (block, trailer) = printed.split_once("\n\n").expect("both");
    let proof = Proof::find(trailer).remove(0).1.expect("a proof");
    let changed = |change: &dyn Fn(&mut Proof)| {
        let mut other = proof.clone();
        change(&mut other);
        repository.amend(&format!("second\n\n{block}\n\n{other}\nBench: 1"));
    };
    let source =
        |proof: &mut Proof, change: &dyn Fn(&mut String, &mut u64, &mut String, &mut String)| {
            if let Source::Run {
                book,
                seed,
                journal,
                games,
            } = &mut proof.source
            {
                change(book, seed, journal, games);
            }
        };
    let zeros = "0".repeat(64);
    changed(&|it| it.options.push(("Clear".to_owned(), "1".to_owned())));
    repository.expect(&WITH_JOURNALS, Some("the options"));
    changed(&|it| source(it, &|book, _, _, _| book.clone_from(&zeros)));
    repository.expect(&WITH_JOURNALS, Some("the book"));
    changed(&|it| source(it, &|_, seed, _, _| *seed += 1));
    repository.expect(&WITH_JOURNALS, Some("the seed"));
    changed(&|it| source(it, &|_, _, journal, _| journal.clone_from(&zeros)));
    repository.expect(&WITH_JOURNALS, Some("no run in"));
    changed(&|it| source(it, &|_, _, _, games| games.clone_from(&zeros)));
    repository.expect(&WITH_JOURNALS, Some("the digest of the games"));
    // What the commit and the block say needs no journal.
    changed(&|it| it.new.clone_from(&zeros));
    repository.expect(&ALONE, Some("NEW was built from"));
    changed(&|it| it.base.clone_from(&zeros));
    repository.expect(&ALONE, Some("BASE was built from"));
    changed(&|it| it.penta[2] += 1);
    repository.expect(&ALONE, Some("no block of the message has its pairs"));
    changed(&|it| it.limit = "N=2000".to_owned());
    repository.expect(&ALONE, Some("was not played at `N=2000"));
    changed(&|it| it.test.elo1 = 5.0);
    repository.expect(&ALONE, Some("another test"));
    changed(&|it| it.options = vec![("Hash".to_owned(), "9".to_owned())]);
    repository.expect(&ALONE, Some("was not played at"));
    changed(&|_| ());
    repository.expect(&WITH_JOURNALS, None);

    // A journal with another result, whose digest is in the trailer.
    let path = repository.place.path("runs/one/pairs.jsonl");
    let pairs = fs::read_to_string(&path).expect("a journal");
    let (won, lost) = ("\"winner\":\"white\"", "\"winner\":\"black\"");
    fs::write(&path, pairs.replacen(won, lost, 1)).expect("written");
    repository.expect(&WITH_JOURNALS, Some("no run in"));
    let digest = foundation::digest::of_file(&path).expect("a digest").0;
    changed(&|it| source(it, &|_, _, journal, _| journal.clone_from(&digest)));
    repository.expect(&WITH_JOURNALS, Some("its games give the pairs"));
}

#[test]
fn a_proof_outlives_a_rebase_over_documents_and_silent_commits() {
    let repository = Repository::new();
    let printed = repository.play();
    repository.commit(&format!("second\n\n{printed}\nBench: 1"));
    repository.git(&["branch", "proved"]);
    repository.git(&["checkout", "-q", "-b", "other", "HEAD~1"]);
    repository.write("README.md", "about it");
    repository.commit("words");
    let pick = || {
        repository.git(&["checkout", "-q", "--detach", "other"]);
        repository.git(&["cherry-pick", "proved"]);
    };
    pick();
    repository.expect(&WITH_JOURNALS, None);
    // A source that nothing depends on yet: what was tested does not have it.
    repository.git(&["checkout", "-q", "other"]);
    repository.write("unused.c", "");
    repository.commit("prepare\n\nNo functional change.");
    pick();
    repository.expect(&ALONE, Some("NEW was built from"));
    // Tested with it, against the commit before it.
    repository.git(&["checkout", "-q", "other"]);
    repository.engine(0);
    let output = repository
        .place
        .sprt([
            "HEAD~1", ".", "--nodes", "1000", "--seed", "8", "--bounds", "0,10",
        ])
        .current_dir(repository.place.path("repo"))
        .output()
        .expect("sprt runs");
    repository.commit(&format!("second\n\n{}\nBench: 1", text(&output.stdout)));
    repository.expect(&ALONE, None);
}

#[test]
fn engines_with_different_settings_prove_nothing_about_their_sources() {
    let repository = Repository::new();
    let output = repository
        .place
        .sprt([
            "HEAD", ".", "--nodes", "1000", "--seed", "7", "--bounds", "0,10",
        ])
        .args(["--new-option", "Hash=8"])
        .current_dir(repository.place.path("repo"))
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(!text(&output.stdout).contains("SPRT-Proof"));
    let said = text(&output.stderr);
    assert!(
        said.contains("without a proof") && said.contains("different settings"),
        "{said}"
    );
}

/// `sprt verify … --replay`, in the repository.
fn replay(repository: &Repository, run: &str, more: &[&str]) -> (Option<i32>, String) {
    let output = repository
        .place
        .sprt(["verify", "--replay", run, "--pairs", "1000"])
        .args(more)
        .current_dir(repository.place.path("repo"))
        .output()
        .expect("sprt runs");
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    (output.status.code(), said)
}

#[test]
fn a_run_that_was_played_comes_out_again() {
    let repository = Repository::new();
    let printed = repository.play();
    repository.commit(&format!("second\n\n{printed}"));
    repository.write("message", &printed);
    let (code, said) = replay(&repository, "../runs/one", &["--new", "HEAD", "message"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("verified: "), "{said}");
    // A message with the proof of another run.
    repository.write("message", &printed.replacen("seed=7", "seed=8", 1));
    let (code, said) = replay(&repository, "../runs/one", &["message"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the proof in line"), "{said}");
    // Another revision than the one that played.
    let (code, said) = replay(&repository, "../runs/one", &["--new", "HEAD~1"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("`HEAD~1` is not"), "{said}");
}

#[test]
fn a_journal_that_fits_in_every_figure_and_was_not_played_is_refused() {
    let repository = Repository::new();
    // A run of an engine that is better, passed off as one of a commit that changes nothing.
    let better = repository.play();
    let first = fs::read_to_string(repository.path("engine.sh")).expect("read");
    repository.engine(60);
    let engine = fs::read_to_string(repository.path("engine.sh")).expect("read");
    repository.write("engine.sh", &format!("{engine}# better by far\n"));
    assert_ne!(first, engine);
    repository.commit("claim");
    let run = repository.place.path("runs/one");
    let plan = fs::read_to_string(run.join("plan.json")).expect("a plan");
    let (plan, _) = plan.split_once(",\n  \"plan_sha256\"").expect("a digest");
    let mut plan: serde_json::Value = serde_json::from_str(&format!("{plan}}}")).expect("JSON");
    let forged = repository
        .place
        .sprt(["HEAD~1", "HEAD", "--nodes", "1000", "--dry-run", "--json"])
        .current_dir(repository.place.path("repo"))
        .output()
        .expect("sprt runs");
    let own: serde_json::Value = serde_json::from_slice(&forged.stdout).expect("a plan");
    for member in ["inputs", "commit"] {
        plan["new"][member] = own["new"][member].clone();
    }
    fs::write(run.join("plan.json"), plan.to_string()).expect("written");
    let shown = repository.place.output(["show", "runs/one"]);
    let printed = text(&shown.stdout);
    assert_ne!(printed, better);
    repository.amend(&format!("claim\n\n{printed}\nBench: 60"));
    // Commit, block, trailer, plan, journal and games all fit each other.
    repository.expect(&WITH_JOURNALS, None);
    // The commit's id is another since its message is: its sources are what counts.
    let (code, said) = replay(&repository, "../runs/one", &["--new", "HEAD"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("refused: "), "{said}");
}

#[test]
fn a_run_that_no_second_time_gives_again_is_no_answer() {
    let place = Place::new();
    let output = place
        .run("clocked", &["--tc", "10+1", "--max-games", "2"])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let output = place.output(["verify", "--replay", "clocked"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("a clock decides its moves"), "{said}");
    // An engine that plays otherwise at each second start.
    let starts = place.path("starts");
    let engine = place.script(
        "unsteady",
        &format!(
            "starts={}\ntouch $starts\nlosses=$(( $(wc -l <$starts) % 2 * 100 ))\necho >>$starts\n\
             (echo \"setoption name Losses value $losses\"; cat) | exec {}",
            starts.display(),
            env!("CARGO_BIN_EXE_scripted-engine")
        ),
    );
    let output = place
        .sprt([&place.engine("engine-a"), &engine, "--nodes", "1000"])
        .args([
            "--max-games",
            "2",
            "--concurrency",
            "1",
            "--out",
            "unsteady-run",
        ])
        .output()
        .expect("sprt runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let output = place.output(["verify", "--replay", "unsteady-run"]);
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("otherwise the next time"), "{said}");
}
