//! The client where no server is needed: what is refused before anything is sent, and what is
//! never printed.

use assert_cmd::Command;

/// The client's message for these arguments in a folder with this project file; the client must
/// fail.
fn refusal(project: &str, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("whetstone.toml"), project).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_sprt-openbench"))
        .current_dir(folder.path())
        .env_remove("OPENBENCH_SERVER")
        .env_remove("OPENBENCH_USERNAME")
        .env_remove("OPENBENCH_PASSWORD")
        .env_remove("OPENBENCH_PASSWORD_FILE")
        .envs(environment.iter().copied())
        .args(arguments)
        .output()
        .expect("started");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn without_a_server_the_way_to_name_one_is_told() {
    let text = refusal("", &["watch", "5"], &[]);
    assert!(
        text.contains("no server is given") && text.contains("OPENBENCH_SERVER"),
        "{text}"
    );
}

#[test]
fn no_password_is_taken_where_others_could_read_it_and_none_is_printed() {
    let secret = "opensesame";
    for (project, arguments) in [
        ("[openbench]\npassword = 'opensesame'\n", vec!["list"]),
        (
            "",
            vec![
                "list",
                "--server",
                "https://alice:opensesame@bench.example.org",
            ],
        ),
        (
            "[openbench]\nserver = 'http://bench.example.org'\n",
            vec!["list"],
        ),
    ] {
        let text = refusal(project, &arguments, &[("OPENBENCH_PASSWORD", secret)]);
        assert!(!text.contains(secret), "{text}");
        assert!(text.contains("hint:"), "{text}");
    }
    // There is no flag for it.
    let text = refusal("", &["list", "--password", secret], &[]);
    assert!(text.contains("unexpected argument"), "{text}");
}

#[test]
fn a_parameter_file_is_sent_to_the_tuner() {
    let text = refusal(
        "",
        &[
            "submit",
            "tune",
            "params.toml",
            "--server",
            "http://127.0.0.1:1",
        ],
        &[],
    );
    assert!(
        text.contains("tuner openbench submit params.toml"),
        "{text}"
    );
}

#[test]
fn an_instance_that_cannot_be_written_is_refused_before_the_engine_is_built() {
    let init = ["init", ".", "--server"];
    for (server, more, said) in [
        (
            "https://bench.example.org",
            &[][..],
            "is not an empty folder",
        ),
        ("http://10.0.0.2", &[], "is not encrypted"),
        (
            "http://10.0.0.2",
            &["--allow-http"],
            "is not an empty folder",
        ),
    ] {
        let text = refusal("", &[&init[..], &[server], more].concat(), &[]);
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn an_unknown_key_of_the_project_file_is_named() {
    let text = refusal("[openbench]\nserfer = 'x'\n", &["list"], &[]);
    assert!(text.contains("`serfer`"), "{text}");
}

#[test]
fn the_program_names_itself_with_its_version() {
    let output = Command::new(env!("CARGO_BIN_EXE_sprt-openbench"))
        .arg("--version")
        .output()
        .expect("started");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        told,
        concat!("sprt-openbench ", env!("CARGO_PKG_VERSION"), "\n")
    );
}
