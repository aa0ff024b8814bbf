//! Attempts to get past the gate, each with the verdict that it meets.

use std::collections::HashMap;

use crate::scene::{BLOCK, Finished, Scene};
use stats::{Model, Pentanomial, Test, Wdl, block::Block};

/// A block in which every figure is right, of a test that was never played.
fn consistent(counts: [u64; 5], bounds: [f64; 2], errors: [f64; 2], model: Model) -> String {
    let [ll, ld, middle, dw, ww] = counts;
    let test = Test::new(bounds[0], bounds[1], errors[0], errors[1], model).expect("a test");
    Block {
        pairs: &Pentanomial(counts),
        games: &Wdl {
            wins: dw + 2 * ww,
            losses: ld + 2 * ll,
            draws: ld + dw + 2 * middle,
        },
        test: Some(&test),
        limit: "8.0+0.08s",
        threads: 1,
        hash: 16,
        faults: [0; 2],
    }
    .to_string()
}

/// What a program finds, by subject.
fn verdicts(answer: &Finished) -> HashMap<String, (String, String)> {
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    let commits = report["commits"].as_array().expect("commits");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    commits
        .iter()
        .map(|commit| {
            (
                text(&commit["subject"]),
                (text(&commit["verdict"]), text(&commit["detail"])),
            )
        })
        .collect()
}

fn compare(attempts: &[(&str, &str)], found: &HashMap<String, (String, String)>) {
    let wrong: Vec<String> = attempts
        .iter()
        .filter(|(name, expected)| found[*name].0 != *expected)
        .map(|(name, expected)| format!("{name}: expected {expected}, found {:?}", found[*name]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn forged_proofs_are_refused() {
    let counts = [28, 858, 1839, 983, 33];
    let usual = [0.05, 0.05];
    let normal = Model::Normalized;
    let strong = [100, 2000, 4000, 3000, 300];
    let passed = consistent(strong, [0.0, 5.0], usual, normal);
    let simplification = consistent(strong, [-5.0, 0.0], usual, normal);
    let attempts: Vec<(&str, String, &str)> = vec![
        ("control: a published block", BLOCK.into(), "ok"),
        ("control: a gain", passed.clone(), "ok"),
        ("control: a simplification", simplification, "ok"),
        ("no block at all", "Great gain!".into(), "unproved"),
        ("the block of a match of fixed length", BLOCK.replace("SPRT", "Conf").replace("LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]\n", ""), "unproved"),
        ("twenty games and limits of 0.20", "Elo   | 0.00 +- 0.00 (95%)\nSPRT  | 8.0+0.08s Threads=1 Hash=16MB\nLLR   | 0.45 (-0.20, 0.20) [-30.00, 0.00]\nGames | N: 20 W: 5 L: 5 D: 10\nPenta | [0, 0, 10, 0, 0]".into(), "unproved"),
        ("bounds of -500 and -400", consistent(counts, [-500.0, -400.0], usual, normal), "unproved"),
        ("bounds of -30 and 0", consistent(counts, [-30.0, 0.0], usual, normal), "unproved"),
        ("bounds of -1 and 1", consistent(strong, [-1.0, 1.0], usual, normal), "unproved"),
        ("limits of alpha 0.2", consistent(counts, [0.0, 5.0], [0.2, 0.2], normal), "unproved"),
        ("limits of beta 0.2", consistent(strong, [0.0, 5.0], [0.05, 0.2], normal), "unproved"),
        ("20000 games beside ten pairs", "Elo   | 500.00 +- 1.00 (95%)\nSPRT  | 8.0+0.08s Threads=1 Hash=16MB\nLLR   | 9.00 (-2.94, 2.94) [0.00, 5.00]\nGames | N: 20000 W: 11000 L: 9 D: 0\nPenta | [0, 0, 0, 0, 10]".into(), "unproved"),
        ("an LLR that was raised", BLOCK.replace("2.91", "2.99"), "unproved"),
        ("an LLR without decimals, below its limit", BLOCK.replace("2.91 (-2.25, 2.89)", "3 (-3, 3)"), "unproved"),
        ("an LLR with one decimal, below its limit", BLOCK.replace("2.91 (-2.25, 2.89)", "2.9 (-2.9, 2.9)"), "unproved"),
        ("an Elo that was raised", BLOCK.replace("6.27", "7.27"), "unproved"),
        ("an error bar that was narrowed", BLOCK.replace("4.15", "2.15"), "unproved"),
        ("pairs that were added", BLOCK.replace("983, 33", "999, 33"), "unproved"),
        ("wins and losses that were swapped", BLOCK.replace("W: 1780 L: 1645", "W: 1645 L: 1780"), "unproved"),
        ("a game more", BLOCK.replace("N: 7482", "N: 7483"), "unproved"),
        ("limits that were narrowed", BLOCK.replace("(-2.25, 2.89)", "(-1.00, 1.00)"), "unproved"),
        ("an upper limit below zero", BLOCK.replace("(-2.25, 2.89)", "(-2.94, -2.94)"), "unproved"),
        ("bounds in the wrong order", BLOCK.replace("[0.00, 5.00]", "[5.00, 0.00]"), "unproved"),
        ("bounds that are equal", BLOCK.replace("[0.00, 5.00]", "[0.00, 0.00]"), "unproved"),
        ("a test that failed", consistent([33, 983, 1839, 858, 28], [0.0, 5.0], usual, normal), "unproved"),
        ("a test that is not over", consistent([3, 85, 183, 98, 3], [0.0, 5.0], usual, normal), "unproved"),
        ("too few games", consistent([0, 2, 20, 60, 18], [0.0, 5.0], usual, normal), "unproved"),
        ("no Penta line", BLOCK.replace("\nPenta | [28, 858, 1839, 983, 33]", ""), "unproved"),
        ("no Games line", BLOCK.replace("Games | N: 7482 W: 1780 L: 1645 D: 4057\n", ""), "unproved"),
        ("single games instead of pairs", consistent(strong, [0.0, 5.0], usual, Model::Bayesian), "unproved"),
        ("an LLR that is no number", BLOCK.replace("2.91", "nan"), "unproved"),
        ("an LLR without end", BLOCK.replace("2.91", "inf"), "unproved"),
        ("a count beyond 64 bits", BLOCK.replace("7482", "99999999999999999999999"), "unproved"),
        ("a negative count", BLOCK.replace("[28,", "[-28,"), "unproved"),
        ("digits of another script", BLOCK.replace("2.91", "٢.٩١"), "unproved"),
        ("a passed test before one that failed", format!("{passed}\n\n{}", consistent([33, 983, 1839, 858, 28], [0.0, 5.0], usual, normal)), "unproved"),
        ("behind quotation marks", format!("> {}", BLOCK.replace('\n', "\n> ")), "unproved"),
        ("in fenced code", format!("```\n{BLOCK}\n```"), "unproved"),
        ("in fenced code with no end", format!("~~~ text\n{BLOCK}"), "unproved"),
        ("control: beside a quoted block that failed", format!("{passed}\n\n> {}", BLOCK.replace("2.91", "2.99").replace('\n', "\n> ")), "ok"),
        ("ten nodes a move", BLOCK.replace("8.0+0.08s", "N=10"), "unproved"),
        ("a tenth of a second", BLOCK.replace("8.0+0.08s", "0.1+0.0s"), "unproved"),
        ("a clock that ten nodes stop", BLOCK.replace("8.0+0.08s", "8.0+0.08s N=10"), "unproved"),
        ("a fixed depth", BLOCK.replace("8.0+0.08s", "D=9"), "unproved"),
        ("control: nodes", BLOCK.replace("8.0+0.08s", "N=5000"), "ok"),
        ("an SPRT line of any text", BLOCK.replace("8.0+0.08s Threads=1 Hash=32MB", "trust me"), "unproved"),
        ("an empty SPRT line", BLOCK.replace("8.0+0.08s Threads=1 Hash=32MB", ""), "unproved"),
        ("no SPRT line", BLOCK.replace("SPRT  | 8.0+0.08s Threads=1 Hash=32MB\n", ""), "unproved"),
        ("an opponent that crashed", format!("{BLOCK}\nFault | base: 900 new: 0"), "unproved"),
        ("faults without number", format!("{BLOCK}\nFault | base: 18446744073709551615 new: 1"), "unproved"),
        ("faults told twice", format!("{BLOCK}\nFault | base: 0 new: 0\nFault | base: 900 new: 0"), "unproved"),
        ("faults above the test", format!("Fault | base: 900 new: 0\n{BLOCK}"), "unproved"),
        ("faults behind words", format!("{BLOCK}\nSome engines crashed:\nFault | base: 900 new: 0"), "unproved"),
        ("a second time control", BLOCK.replace("8.0+0.08s", "0.1+0.0s 8.0+0.08s"), "unproved"),
        ("a time a move beside a clock", BLOCK.replace("8.0+0.08s", "MT=1 8.0+0.08s"), "unproved"),
        ("a match of fixed length with an LLR", BLOCK.replace("SPRT  |", "Conf  |"), "unproved"),
        ("two SPRT lines", BLOCK.replace("SPRT  |", "SPRT  | N=10\nSPRT  |"), "unproved"),
        ("two LLR lines", BLOCK.replace("LLR   |", "LLR   | -2.91 (-2.25, 2.89) [0.00, 5.00]\nLLR   |"), "unproved"),
        ("two Penta lines", format!("{BLOCK}\nPenta | [33, 983, 1839, 858, 28]"), "unproved"),
        ("control: a few faults", format!("{BLOCK}\nFault | base: 3 new: 2"), "ok"),
        ("more games than anybody plays", consistent(strong.map(|count| count * 20_000_000), [0.0, 5.0], usual, normal), "unproved"),
        ("a failed test with a Cyrillic label", format!("{passed}\n\n{}", BLOCK.replace("LLR", "L\u{13b}R").replace("SPRT", "SPR\u{422}").replace("2.91", "-2.91")), "unproved"),
        ("a failed test behind a passed one", BLOCK.replace("5.00]", "5.00] LLR | -2.91 (-2.25, 2.89) [0.00, 5.00]"), "unproved"),
        ("a failed test in the line of Elo", BLOCK.replace("(95%)", "(95%) LLR | -2.91 (-2.25, 2.89) [0.00, 5.00]"), "unproved"),
        ("other counts behind the counts", BLOCK.replace("33]", "33] Penta | [33, 983, 1839, 858, 28]"), "unproved"),
        ("a failed test with other brackets", format!("{passed}\n\nLLR: -2.95 (-2.94,2.94) <0.00,2.00>"), "unproved"),
        ("a Penta of six", BLOCK.replace("33]", "33, 0]"), "unproved"),
    ];
    let scene = Scene::new();
    let mut found = HashMap::new();
    for (name, message, _) in &attempts {
        // Each has a history of its own, so that no test was shown before.
        scene.git(&[
            "checkout",
            "-q",
            "--orphan",
            &format!("attempt-{}", found.len()),
        ]);
        scene.write("search.sh", &format!("# {name}\n"));
        scene.commit(&format!("{name}\n\n{message}\n\nBench: 1"));
        let answer = scene.guard(&["check", "HEAD", "--no-build", "--require-sprt", "--json"]);
        found.extend(verdicts(&answer));
    }
    let expected: Vec<(&str, &str)> = attempts
        .iter()
        .map(|(name, _, verdict)| (*name, *verdict))
        .collect();
    compare(&expected, &found);
}

#[test]
fn wrong_benches_are_found_in_every_disguise() {
    // The engine of each commit prints 101, where no other source is given.
    let attempts: [(&str, &str, Option<&str>, &str); 37] = [
        ("control: right", "Bench: 101", None, "ok"),
        (
            "control: right, with line ends of Windows",
            "Bench: 101\r\n",
            None,
            "ok",
        ),
        ("another number", "Bench: 5", None, "mismatch"),
        (
            "the right one first, another last",
            "Bench: 101\n\nBench: 5",
            None,
            "mismatch",
        ),
        (
            "the right one, then a word that ends in bench",
            "Bench: 101\n\nSeen on the workbench 5",
            None,
            "mismatch",
        ),
        (
            "the right one, then nodes in prose",
            "Bench: 101\n\nThis lowers nodes 10% on average",
            None,
            "mismatch",
        ),
        (
            "the right one, then a trailer",
            "Bench: 101\nTested-nodes: 5",
            None,
            "mismatch",
        ),
        (
            "the right one, then a long s",
            "Bench: 101\n\nNODEſ 5",
            None,
            "mismatch",
        ),
        (
            "the right one, then other separators",
            "Bench: 101\n\nbench= : =5",
            None,
            "mismatch",
        ),
        (
            "the right one, then only commas",
            "Bench: 101\n\nbench ,",
            None,
            "missing",
        ),
        (
            "the right one, then zero",
            "Bench: 101\n\nbench 0",
            None,
            "missing",
        ),
        (
            "the right one cut off by a blank",
            "Bench: 10 1",
            None,
            "mismatch",
        ),
        (
            "the right one as an exponent",
            "Bench: 1e2",
            None,
            "mismatch",
        ),
        ("the right one with a sign", "Bench: +101", None, "missing"),
        ("a tab", "Bench:\t101", None, "missing"),
        ("a no-break space", "Bench:\u{a0}101", None, "missing"),
        ("wide digits", "Bench: １０１", None, "missing"),
        ("Arabic digits", "Bench: ١٠١", None, "missing"),
        ("on the next line", "Bench:\n101", None, "missing"),
        ("a dash", "Bench - 101", None, "missing"),
        ("another letter", "Ｂench: 101", None, "missing"),
        (
            "beyond 64 bits",
            "Bench: 99999999999999999999",
            None,
            "missing",
        ),
        ("nothing", "Why not.", None, "missing"),
        (
            "no functional change, with the parent's bench",
            "No functional change.\n\nBench: 100",
            None,
            "mismatch",
        ),
        (
            "no functional change, with a bench that moved",
            "No functional change.\n\nBench: 102",
            Some("echo '102 nodes 1 nps'"),
            "drift",
        ),
        (
            "a cleanup in passing",
            "Also a small non functional cleanup",
            None,
            "missing",
        ),
        ("Merge nothing at all", "", None, "missing"),
        (
            "Revert \"something\"",
            "This reverts bench 101",
            Some("echo '103 nodes 1 nps'"),
            "mismatch",
        ),
        (
            "another at each run",
            "Bench: 101",
            Some("echo \"$$ nodes 1 nps\""),
            "non-deterministic",
        ),
        (
            "no speed",
            "Bench: 101",
            Some("echo '101 nodes'"),
            "bench failed",
        ),
        (
            "a crash after the right line",
            "Bench: 101",
            Some("echo '101 nodes 1 nps'; kill -SEGV $$"),
            "bench failed",
        ),
        (
            "another line after the right one",
            "Bench: 101",
            Some("echo '101 nodes 1 nps'; echo '7 nodes'"),
            "mismatch",
        ),
        (
            "what the message says, from git",
            "Bench: 101",
            Some("git log -1 --format=%B | sed -n 's/Bench: /nodes /p'"),
            "bench failed",
        ),
        (
            "what the message says, from a variable",
            "Bench: 101",
            Some("echo \"${GITHUB_EVENT_PATH:-none} nodes\""),
            "bench failed",
        ),
        (
            "an engine that does not build",
            "Bench: 101",
            Some("if then"),
            "build failed",
        ),
        (
            "for another by stdin",
            "Bench: 101",
            Some("read n; echo \"$n nodes 1 nps\""),
            "mismatch",
        ),
        (
            "a binary that prints no UTF-8",
            "Bench: 101",
            Some("printf '\\377 101 nodes 1 nps\\n'"),
            "bench failed",
        ),
    ];
    let scene = Scene::new();
    scene.write(
        "whetstone.toml",
        "[bench-guard]\nruns = 3\ninsensitive-after = 0\n",
    );
    scene.engine(100, "start");
    let start = scene.commit("Start\n\nBench: 100");
    for (name, message, source, _) in &attempts {
        match source {
            Some(source) => scene.write("search.sh", &format!("# {name}\n{source}\n")),
            None => scene.engine(101, name),
        }
        scene.commit(&format!("{name}\n\n{message}"));
        // What is compared with the commit before is compared with this.
        scene.engine(100, &format!("before the one after {name}"));
        scene.commit("Back\n\nBench: 100");
    }
    let output = scene
        .command(env!("CARGO_BIN_EXE_bench-guard"))
        .args(["check", &format!("{start}..HEAD"), "--json"])
        .current_dir(scene.root())
        .env("GITHUB_EVENT_PATH", "101")
        .output()
        .expect("bench-guard starts");
    let answer = Finished::from(&output);
    let expected: Vec<(&str, &str)> = attempts
        .iter()
        .map(|(name, _, _, verdict)| (*name, *verdict))
        .collect();
    compare(&expected, &verdicts(&answer));
    assert_eq!(answer.code, Some(1));
}

/// A repository whose last commit is wrong.
fn wrong() -> Scene {
    let scene = Scene::new();
    scene.engine(100, "start");
    scene.commit("Start\n\nBench: 100");
    scene.engine(101, "one");
    scene.commit("One\n\nBench: 5");
    scene
}

#[test]
fn the_environment_hides_nothing() {
    let other = Scene::new();
    other.engine(5, "other");
    other.commit("Other\n\nBench: 5");
    let other_git = other.root().join(".git");
    let other_git = other_git.to_string_lossy();
    let other_make = other.root().join("Makefile");
    for (name, value) in [
        ("GIT_DIR", &*other_git),
        ("GIT_INDEX_FILE", "/dev/null"),
        ("MAKEFLAGS", "--dry-run"),
        ("MAKEFILES", &*other_make.to_string_lossy()),
        ("GNUMAKEFLAGS", "-n"),
        ("EXE", "/bin/true"),
        ("GIT_CONFIG_PARAMETERS", "'log.showSignature=true'"),
        ("GIT_REPLACE_REF_BASE", "refs/heads/"),
    ] {
        let scene = wrong();
        let output = scene
            .command(env!("CARGO_BIN_EXE_bench-guard"))
            .args(["check", "HEAD", "--json"])
            .current_dir(scene.root())
            .env(name, value)
            .output()
            .expect("bench-guard starts");
        let found = verdicts(&Finished::from(&output));
        assert_eq!(found["One"].0, "mismatch", "{name}={value}: {found:?}");
    }
}

#[test]
fn a_commit_that_git_shows_in_place_of_another_is_not_the_one_that_is_pushed() {
    let scene = wrong();
    let right = scene.git(&[
        "commit-tree",
        "HEAD^{tree}",
        "-p",
        "HEAD~1",
        "-m",
        "One\n\nBench: 101",
    ]);
    scene.git(&["replace", "HEAD", &right]);
    assert_eq!(
        verdicts(&scene.guard(&["check", "HEAD", "--json"]))["One"].0,
        "mismatch"
    );
}

#[test]
fn rules_that_a_change_brings_along_are_reported() {
    let scene = wrong();
    scene.write("whetstone.toml", "[bench-guard]\nignore = ['**']\n");
    scene.engine(7, "more");
    scene.commit("Loosen the rules");
    let answer = scene.guard(&["check", "HEAD~1..HEAD"]);
    assert_eq!(answer.code, Some(0), "by the new rules: {}", answer.stdout);
    answer.says("changes whetstone.toml");
    assert_eq!(
        scene.guard(&["check", "HEAD~1..HEAD", "--strict"]).code,
        Some(1)
    );
    for (rules, complaint) in [
        ("paths = []", "`paths`"),
        ("paths = ['src/[']", "src/["),
        ("paths = ['']", "empty"),
        ("path = ['x']", "unknown field `path`"),
        ("folder = '/tmp'", "`folder`"),
        ("folder = '../other'", "`folder`"),
        ("build = 'true'", "`build`"),
        ("bench = []", "`bench`"),
        ("merges = 'none'", "none"),
        ("proof.gains = [[-500, -400]]", "below zero"),
        ("proof.alpha = 0.9", "alpha"),
        ("insensitive_after = 0", "insensitive-after"),
    ] {
        scene.write("whetstone.toml", &format!("[bench-guard]\n{rules}\n"));
        let answer = scene.guard(&["check", "HEAD"]);
        assert_eq!(answer.code, Some(2), "{rules}");
        assert!(
            answer.stderr.contains(complaint),
            "{rules}: {}",
            answer.stderr
        );
    }
}

#[test]
fn hostile_names_are_names() {
    let scene = wrong();
    for name in [
        "$(touch pwned).sh",
        "a\nb.sh",
        "-rf.sh",
        "`touch pwned`.sh",
        "\u{202e}hs.sh",
    ] {
        scene.write(name, "true\n");
    }
    scene.commit("::error::$(touch pwned)\n\nBench: 5");
    for range in [
        "--output=pwned",
        "HEAD; touch pwned",
        "$(touch pwned)",
        "-",
        "",
    ] {
        let answer = scene.guard(&["check", "--", range]);
        assert_eq!(
            answer.code,
            Some(2),
            "{range:?}: {}{}",
            answer.stdout,
            answer.stderr
        );
    }
    let answer = scene.guard(&["check", "HEAD"]);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    assert!(!scene.root().join("pwned").exists());
}
