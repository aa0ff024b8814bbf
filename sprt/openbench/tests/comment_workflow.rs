//! The step of the example workflow that comments on pull requests, with programs in the place of
//! `gh` and `sprt-openbench`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use yaml_rust2::YamlLoader;

const WORKFLOW: &str = include_str!("../../../.github/examples/openbench-comment.yml");
/// Three pull requests, of which the second names a test, in a text that is not to be run.
const GH: &str = r#"#!/bin/sh
case "$1 $2 $3" in
"pr list "*) printf '1\n2\n3\n' ;;
"pr view 2") echo 'not https://elsewhere.example.org/test/8/, $(touch run), but https://bench.example.org/test/7' ;;
"pr view "*) echo 'no test, but https://elsewhere.example.org/test/8/' ;;
"api --method POST") echo "$*" >> posted ;;
esac
"#;
const CLIENT: &str = "#!/bin/sh\necho \"comment of $2\"\n";

fn program(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn a_pull_request_without_a_test_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    program(folder.path(), "gh", GH);
    program(folder.path(), "sprt-openbench", CLIENT);
    let workflow = &YamlLoader::load_from_str(WORKFLOW).expect("YAML")[0];
    let steps = workflow["jobs"]["comment"]["steps"]
        .as_vec()
        .expect("steps");
    let step = steps.last().expect("a step")["run"]
        .as_str()
        .expect("a script");
    let path = std::env::var("PATH").expect("a path");
    // As GitHub starts it.
    let output = Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step])
        .current_dir(folder.path())
        .env("PATH", format!("{}:{path}", folder.path().display()))
        .env("GH_REPO", "example/engine")
        .env("OPENBENCH_SERVER", "https://bench.example.org/")
        .output()
        .expect("bash");
    assert!(output.status.success(), "{output:?}");
    let posted = fs::read_to_string(folder.path().join("posted")).expect("posted");
    assert!(posted.contains("issues/2/comments"), "{posted}");
    assert!(
        posted.ends_with("<!-- openbench-comment -->\ncomment of 7 --silent\n"),
        "{posted}"
    );
    assert_eq!(posted.matches("comment of").count(), 1, "{posted}");
    assert!(!folder.path().join("run").exists());
}
