//! The script of the GitHub action, with what GitHub gives it for each event.

mod ranges;

use std::{fs, path::Path, process::Command};

use crate::scene::{Finished, Scene, script};
use ranges::NO_COMMIT;

pub(crate) fn action(scene: &Scene, environment: &[(&str, &str)]) -> (Finished, String) {
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/actions/bench-guard/check.sh");
    let outputs = scene.beside("outputs");
    let _ = fs::remove_file(&outputs);
    let output = scene
        .command("bash")
        .arg(script)
        .current_dir(scene.root())
        .env("INPUT_PROGRAM", env!("CARGO_BIN_EXE_bench-guard"))
        .env("GITHUB_OUTPUT", &outputs)
        .envs(environment.iter().copied())
        .output()
        .expect("bash starts");
    (
        Finished::from(&output),
        fs::read_to_string(outputs).unwrap_or_default(),
    )
}

/// A base and two commits on top, of which the second is wrong.
fn scene() -> (Scene, [String; 3]) {
    let scene = Scene::new();
    scene.engine(100, "start");
    let base = scene.commit("Start");
    scene.engine(101, "one");
    let right = scene.commit("One\n\nBench: 101");
    scene.engine(102, "two");
    let wrong = scene.commit("::error::$(touch pwned) `touch pwned`\n\nBench: 5");
    (scene, [base, right, wrong])
}

#[test]
fn a_pull_request_is_checked_from_base_to_head() {
    let (scene, [base, right, wrong]) = scene();
    // GitHub checks out a merge commit, which carries no bench.
    scene.git(&["checkout", "-q", "--detach"]);
    scene.commit("Merge into main");
    let (answer, outputs) = action(&scene, &[("EVENT_BASE", &base), ("EVENT_HEAD", &right)]);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    assert_eq!(
        outputs,
        "verdict=ok\nchecked=1\nwrong=0\ndoubtful=0\nbench=101\n"
    );
    let (answer, outputs) = action(&scene, &[("EVENT_BASE", &base), ("EVENT_HEAD", &wrong)]);
    assert_eq!(answer.code, Some(1));
    assert_eq!(
        outputs,
        "verdict=failed\nchecked=2\nwrong=1\ndoubtful=0\nbench=102\n"
    );
    let errors: Vec<&str> = answer
        .stdout
        .lines()
        .take_while(|line| !line.contains("stop-commands"))
        .collect();
    assert_eq!(
        errors.len(),
        1,
        "a subject begins no command: {}",
        answer.stdout
    );
    assert!(!scene.root().join("pwned").exists());
}

#[test]
fn a_program_that_does_not_exist_is_no_answer() {
    let (scene, [base, right, _]) = scene();
    let event = [("EVENT_BASE", &*base), ("EVENT_HEAD", &*right)];
    let missing = [&event[..], &[("INPUT_PROGRAM", "./bench-gurad")]].concat();
    let (answer, _) = action(&scene, &missing);
    assert_eq!(answer.code, Some(2), "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains("names no program: ./bench-gurad"));
}

#[test]
fn a_released_program_is_used_if_it_is_the_one_that_was_meant() {
    let (scene, [base, right, _]) = scene();
    let release = scene.beside("release");
    fs::create_dir_all(release.join("bin")).expect("a folder");
    fs::copy(
        env!("CARGO_BIN_EXE_bench-guard"),
        release.join("bin/bench-guard"),
    )
    .expect("copied");
    let archive = scene.beside("release.tar.gz");
    let pack = || {
        let packed = Command::new("tar")
            .args(["-czf", &archive.to_string_lossy(), "-C"])
            .arg(release.parent().expect("a folder"))
            .arg("release")
            .status();
        assert!(packed.expect("tar starts").success());
        let digest = Command::new("sha256sum").arg(&archive).output();
        let digest = digest.expect("sha256sum starts").stdout;
        String::from_utf8_lossy(&digest)[..64].to_owned()
    };
    let digest = pack();
    let address = format!("file://{}", archive.display());
    let check = |sha256: &str| {
        let inputs = [
            ("INPUT_PROGRAM", ""),
            ("INPUT_ARCHIVE", &*address),
            ("INPUT_SHA256", sha256),
            ("EVENT_BASE", &base),
            ("EVENT_HEAD", &right),
        ];
        action(&scene, &inputs)
    };
    let (answer, outputs) = check(&digest);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    assert!(outputs.contains("verdict=ok\nchecked=1\n"), "{outputs}");
    for (wrong, said) in [
        (
            digest.replace(char::is_alphabetic, "0"),
            "another than the one",
        ),
        (String::new(), "needs its SHA-256"),
        ("abc".to_owned(), "needs its SHA-256"),
    ] {
        let (answer, outputs) = check(&wrong);
        assert_eq!((answer.code, &*outputs), (Some(2), ""), "{wrong}");
        assert!(answer.stdout.contains(said), "{}", answer.stdout);
    }
    let nowhere = format!("{address}.missing");
    for (address, sha256, said) in [
        ("", &*digest, "no 'archive'"),
        (&*nowhere, &*digest, "could not be fetched"),
        ("http://localhost/archive", &*digest, "could not be fetched"),
    ] {
        let inputs = [
            ("INPUT_PROGRAM", ""),
            ("INPUT_ARCHIVE", address),
            ("INPUT_SHA256", sha256),
        ];
        let (answer, _) = action(&scene, &inputs);
        assert_eq!(answer.code, Some(2), "{address}: {}", answer.stdout);
        assert!(answer.stdout.contains(said), "{}", answer.stdout);
        let is_other_protocol = answer.stderr.contains("rotocol");
        assert_eq!(
            is_other_protocol,
            address.starts_with("http:"),
            "{}",
            answer.stderr
        );
    }
    fs::remove_dir_all(release.join("bin")).expect("removed");
    let (answer, _) = check(&pack());
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    assert!(answer.stdout.contains("holds no bin"), "{}", answer.stdout);
    // A program that is there is used, whatever archive is named.
    let (answer, _) = action(
        &scene,
        &[("EVENT_HEAD", &right), ("INPUT_ARCHIVE", &address)],
    );
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
}

#[test]
fn without_a_program_the_sources_of_the_action_are_built() {
    let (scene, [_, right, _]) = scene();
    let program = env!("CARGO_BIN_EXE_bench-guard");
    fs::create_dir_all(scene.beside("bin")).expect("a folder");
    script(
        &scene.beside("bin/cargo"),
        &format!(
            "#!/bin/sh\npwd\nwhile [ \"$1\" != --target-dir ]; do shift; done\nmkdir -p \"$2/debug\"\nln -s '{program}' \"$2/debug\"\n"
        ),
    );
    let bin = scene.beside("bin").to_string_lossy().into_owned();
    let path = format!("{bin}:{}", std::env::var("PATH").expect("a path"));
    fs::create_dir_all(scene.beside("sources/.github/actions/bench-guard")).expect("folders");
    let action_path = scene.beside("sources/.github/actions/bench-guard");
    let action_path = action_path.to_string_lossy();
    let temporary = scene.beside("temporary").to_string_lossy().into_owned();
    let inputs = [
        ("INPUT_PROGRAM", ""),
        ("EVENT_HEAD", &*right),
        ("PATH", &*path),
        ("GITHUB_ACTION_PATH", &*action_path),
        ("RUNNER_TEMP", &*temporary),
    ];
    let (answer, _) = action(&scene, &inputs);
    assert_eq!(answer.code, Some(0), "{}{}", answer.stdout, answer.stderr);
    let built = answer.stdout.lines().next().unwrap_or_default();
    assert!(Path::new(built).ends_with("sources"), "{}", answer.stdout);
    script(&scene.beside("bin/cargo"), "#!/bin/sh\nexit 101\n");
    let (answer, _) = action(&scene, &inputs);
    assert_eq!(answer.code, Some(2), "{}{}", answer.stdout, answer.stderr);
}

#[test]
fn an_input_that_is_neither_true_nor_false_is_refused() {
    let (scene, [_, _, wrong]) = scene();
    for (name, value) in [
        ("INPUT_STRICT", "yes"),
        ("INPUT_REQUIRE_SPRT", "1"),
        ("INPUT_BUILD", "on"),
        ("INPUT_STRICT", "true\n::set-output name=verdict::ok"),
    ] {
        let (answer, _) = action(&scene, &[("INPUT_RANGE", &wrong), (name, value)]);
        assert_eq!(answer.code, Some(2), "{name}={value}: {}", answer.stdout);
        assert!(
            answer.stdout.contains("must be 'true' or 'false'"),
            "{}",
            answer.stdout
        );
        assert_eq!(answer.stdout.lines().count(), 1, "{}", answer.stdout);
    }
    // GitHub makes characters of these again.
    let (answer, _) = action(&scene, &[("INPUT_STRICT", "%0A\r\n")]);
    assert!(
        answer.stdout.contains("not '%250A%0D%0A'"),
        "{}",
        answer.stdout
    );
    let demanded = [
        ("INPUT_RANGE", wrong.as_str()),
        ("INPUT_REQUIRE_SPRT", "True"),
        ("INPUT_BUILD", "False"),
    ];
    let (answer, _) = action(&scene, &demanded);
    assert_eq!(answer.code, Some(1), "{}", answer.stdout);
    assert!(answer.stdout.contains("unproved"), "{}", answer.stdout);
}

#[test]
fn variants_and_searches_again_are_asked_for_by_name() {
    let (scene, _) = scene();
    scene.write(
        "whetstone.toml",
        "[[bench-guard.variant]]\nname = 'other'\nrunner = ['env', 'A=1']\n",
    );
    let head = scene.commit("Settings");
    let range = ("INPUT_RANGE", head.as_str());
    let (answer, _) = action(&scene, &[range, ("INPUT_VARIANT", "other * none")]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    answer.says("called `*`");
    let (answer, _) = action(&scene, &[range, ("INPUT_VARIANT", "other\nnone\n")]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    answer.says("called `none`");
    let (answer, _) = action(&scene, &[range, ("INPUT_VARIANT", "other")]);
    assert_ne!(answer.code, Some(2), "{}", answer.stderr);
    let (answer, _) = action(&scene, &[range, ("INPUT_REPRO", "yes")]);
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
}

#[test]
fn switches_reach_the_check() {
    let (scene, [_, right, _]) = scene();
    let range = ("INPUT_RANGE", right.as_str());
    let code_with = |input: (&str, &str)| action(&scene, &[range, input]).0.code;
    let builds_with = |input: (&str, &str)| {
        let before = scene.builds();
        assert_eq!(code_with(input), Some(0), "{input:?}");
        scene.builds() - before
    };
    assert_eq!(builds_with(("INPUT_FRESH", "false")), 1);
    assert_eq!(builds_with(("INPUT_FRESH", "false")), 0);
    assert_eq!(builds_with(("INPUT_FRESH", "")), 1);
    assert_eq!(builds_with(("INPUT_FRESH", "true")), 1);
    // The engine prints a bench whatever it is asked for, and speaks no UCI.
    assert_ne!(code_with(("INPUT_REPRO", "true")), Some(0));
    scene.write(
        "whetstone.toml",
        "[bench-guard]\npaths = ['*.sh', '*.none']\n",
    );
    assert_eq!(code_with(("INPUT_STRICT", "false")), Some(0));
    assert_eq!(code_with(("INPUT_STRICT", "true")), Some(1));
}

#[test]
fn events_of_people_with_write_access_build() {
    let (scene, [_, right, _]) = scene();
    for name in [
        "push",
        "create",
        "release",
        "schedule",
        "workflow_dispatch",
        "repository_dispatch",
        "merge_group",
        "pull_request",
        "pull_request_review",
        "pull_request_review_comment",
    ] {
        let event = [
            ("EVENT_NAME", name),
            ("INPUT_RANGE", right.as_str()),
            ("INPUT_RULES_FROM", right.as_str()),
            ("INPUT_FRESH", "false"),
        ];
        let (answer, _) = action(&scene, &event);
        assert_eq!(answer.code, Some(0), "{name}: {}", answer.stdout);
        assert!(answer.stdout.contains("1 ok"), "{}", answer.stdout);
    }
    assert_eq!(scene.builds(), 1);
}

#[test]
fn a_makefile_sees_neither_the_outputs_nor_the_token() {
    let (scene, _) = scene();
    scene.write(
        "Makefile",
        "all:\n\t@echo 'verdict=ok' >> \"$$GITHUB_OUTPUT\" || true\n\t@env; exit 1\n",
    );
    let head = scene.commit("Attack\n\nBench: 5");
    let token = [
        ("INPUT_RANGE", head.as_str()),
        ("GITHUB_TOKEN", "ghs_secret"),
        ("NPM_TOKEN", "npm_secret"),
    ];
    let (answer, outputs) = action(&scene, &token);
    assert_eq!(answer.code, Some(1));
    assert!(outputs.starts_with("verdict=failed\n"), "{outputs}");
    assert!(!answer.stdout.contains("secret"), "{}", answer.stdout);
    assert!(!answer.stdout.contains("GITHUB_"), "{}", answer.stdout);
}

#[test]
fn inputs_reach_the_command_as_data() {
    let (scene, [_, _, wrong]) = scene();
    for range in ["HEAD; touch pwned $(touch pwned)", "--strict"] {
        let (answer, _) = action(&scene, &[("INPUT_RANGE", range)]);
        assert_eq!(answer.code, Some(2), "{range}: {}", answer.stdout);
    }
    assert!(!scene.root().join("pwned").exists());
    let (answer, _) = action(&scene, &[("INPUT_RANGE", &wrong), ("INPUT_BUILD", "false")]);
    assert_eq!(
        answer.code,
        Some(0),
        "messages alone are right: {}",
        answer.stdout
    );
}

#[test]
fn what_stops_the_action_is_reported_in_an_annotation() {
    let (scene, [_, right, _]) = scene();
    // A new branch, and a default branch that cannot be asked for.
    let (answer, _) = action(
        &scene,
        &[
            ("EVENT_BASE", NO_COMMIT),
            ("EVENT_HEAD", &right),
            ("EVENT_DEFAULT", "trunk"),
            ("EVENT_REF", "refs/heads/side"),
        ],
    );
    assert_eq!(answer.code, Some(2));
    assert!(
        answer.stdout.contains("::error title=bench-guard::") && answer.stdout.contains("'trunk'"),
        "{}{}",
        answer.stdout,
        answer.stderr
    );
}

#[test]
fn events_with_secrets_build_nothing() {
    let (scene, [base, right, _]) = scene();
    for name in [
        "pull_request_target",
        "workflow_run",
        "issue_comment",
        "issues",
        "discussion",
        "discussion_comment",
        "check_run",
        "check_suite",
        "deployment_status",
        "status",
        "fork",
        "PULL_REQUEST_TARGET",
        "an_event_of_later_years",
    ] {
        let event = [
            ("EVENT_NAME", name),
            ("EVENT_BASE", base.as_str()),
            ("EVENT_HEAD", right.as_str()),
        ];
        let (answer, _) = action(&scene, &event);
        assert_eq!(answer.code, Some(2), "{}", answer.stdout);
        assert!(answer.stdout.contains(name), "{}", answer.stdout);
        assert_eq!(scene.builds(), 0);
        let (answer, _) = action(&scene, &[&event[..], &[("INPUT_BUILD", "false")]].concat());
        assert_eq!(answer.code, Some(0), "{name}: {}", answer.stdout);
        assert_eq!(scene.builds(), 0);
    }
}

#[test]
fn a_change_is_checked_by_the_rules_of_its_target() {
    let (scene, [_, right, _]) = scene();
    scene.git(&["checkout", "-q", "--detach", &right]);
    scene.write("whetstone.toml", "[bench-guard]\nignore = ['**']\n");
    scene.engine(666, "rewritten");
    let head = scene.commit("Loosen the rules");
    for name in [
        "pull_request",
        "pull_request_review",
        "pull_request_target",
        "merge_group",
    ] {
        let event = [
            ("EVENT_NAME", name),
            ("EVENT_BASE", right.as_str()),
            ("EVENT_HEAD", head.as_str()),
            ("INPUT_BUILD", "false"),
        ];
        let (answer, _) = action(&scene, &event);
        assert_eq!(answer.code, Some(1), "{name}: {}", answer.stdout);
        assert!(answer.stdout.contains("missing"), "{}", answer.stdout);
        let chosen = [&event[..], &[("INPUT_RULES_FROM", "HEAD")]].concat();
        let (answer, _) = action(&scene, &chosen);
        assert_eq!(answer.code, Some(0), "{name}: {}", answer.stdout);
        // A missing target is no reason to use the rules of the change.
        let mut lost = [&event[..], &[("INPUT_RANGE", "HEAD")]].concat();
        lost[1].1 = "1111111111111111111111111111111111111111";
        let (answer, _) = action(&scene, &lost);
        assert_eq!(answer.code, Some(2), "{name}: {}", answer.stdout);
        assert!(answer.stdout.contains("rules-from"), "{}", answer.stdout);
    }
}

#[test]
fn the_required_proof_is_named_or_refused() {
    let (scene, [_, right, _]) = scene();
    let range = [("INPUT_RANGE", right.as_str()), ("INPUT_BUILD", "false")];
    for (kind, code, words) in [
        ("block", Some(1), "no OpenBench block"),
        ("run", Some(1), "no OpenBench block"),
        ("openbench", Some(1), "no OpenBench block"),
        ("", Some(0), "ok"),
        ("sprt", Some(2), "'block', 'run' or 'openbench'"),
    ] {
        let (answer, _) = action(&scene, &[&range[..], &[("INPUT_REQUIRE", kind)]].concat());
        assert_eq!(answer.code, code, "{kind}: {}", answer.stdout);
        assert!(answer.stdout.contains(words), "{kind}: {}", answer.stdout);
    }
    let journals = [
        ("INPUT_REQUIRE", "run"),
        ("INPUT_JOURNALS", "no-such-folder"),
    ];
    let (answer, _) = action(&scene, &[&range[..], &journals].concat());
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    let (answer, _) = action(&scene, &[&range[..], &journals[1..]].concat());
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("'require: run'"),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_repository_that_git_does_not_open_is_not_called_empty() {
    let (scene, [base, right, _]) = scene();
    let elsewhere = scene.beside("elsewhere");
    fs::create_dir_all(&elsewhere).expect("a folder");
    let git = "#!/bin/sh\necho \"fatal: detected dubious ownership in repository at '/x'\" >&2\nexit 128\n";
    let refusing = scene.beside("bin");
    fs::create_dir_all(&refusing).expect("a folder");
    script(&refusing.join("git"), git);
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", refusing.display());
    let event = [("EVENT_BASE", &*base), ("EVENT_HEAD", &*right)];
    let (answer, _) = action(&scene, &[&event[..], &[("PATH", &*path)]].concat());
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    for said in ["dubious ownership", "safe.directory", "another user"] {
        assert!(answer.stdout.contains(said), "{}", answer.stdout);
    }
    let place = elsewhere.to_string_lossy();
    let (answer, _) = action(
        &scene,
        &[&event[..], &[("INPUT_DIRECTORY", &*place)]].concat(),
    );
    assert_eq!(answer.code, Some(2), "{}", answer.stdout);
    assert!(
        answer.stdout.contains("not a git repository"),
        "{}",
        answer.stdout
    );
}
