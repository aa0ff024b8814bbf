use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

use super::*;

fn instance(origin: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::parse(origin, false).expect("an address");
    let engine = Entry {
        name: "Own".to_owned(),
        json: json!({"test_presets": {"default": {"book_name": "mine.epd"}}}),
    };
    write(folder.path(), &server, &engine).expect("written");
    folder
}

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).expect("a file")
}

fn yaml(folder: &Path, path: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(&read(folder, path)).expect("YAML");
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

#[test]
fn no_word_of_a_template_is_left() {
    let folder = instance("https://bench.example.org");
    for (path, _, mode) in FILES {
        let text = read(folder.path(), path);
        let words = [
            "@COMMIT@",
            "@ORIGIN@",
            "@PORTS@",
            "@SECRET_KEY@",
            "@DATABASE_PASSWORD@",
        ];
        assert!(!words.iter().any(|word| text.contains(word)), "{path}");
        let found = fs::metadata(folder.path().join(path))
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(found & 0o777, mode, "{path}");
    }
    assert!(read(folder.path(), "server/Dockerfile").contains(COMMIT));
}

#[test]
fn each_instance_has_keys_of_its_own() {
    let key = |folder: &tempfile::TempDir| {
        let text = read(folder.path(), ".env");
        let line = text
            .lines()
            .find(|line| line.starts_with("OPENBENCH_SECRET_KEY="));
        line.expect("a key").to_owned()
    };
    let keys = [
        instance("https://a.example.org"),
        instance("https://a.example.org"),
    ]
    .map(|folder| key(&folder));
    assert_ne!(keys[0], keys[1]);
    assert!(keys[0].len() > 64, "{}", keys[0]);
}

#[test]
fn nothing_is_written_over() {
    let folder = instance("https://bench.example.org");
    let server = Server::parse("https://bench.example.org", false).expect("an address");
    let engine = Entry {
        name: "Own".to_owned(),
        json: json!({}),
    };
    let before = read(folder.path(), ".env");
    let failure = write(folder.path(), &server, &engine).expect_err("taken");
    assert!(
        failure.message().contains("is not an empty folder"),
        "{failure}"
    );
    assert_eq!(read(folder.path(), ".env"), before);
}

#[test]
fn the_database_is_not_reached_from_outside() {
    let folder = instance("https://bench.example.org");
    let services = &yaml(folder.path(), "compose.yaml")["services"];
    let ports = |service: &str| services[service]["ports"].as_vec().map(Vec::len);
    assert_eq!(
        (ports("db"), ports("server"), ports("proxy")),
        (None, None, Some(2))
    );
    // Each volume that a service names is declared.
    let declared = &yaml(folder.path(), "compose.yaml")["volumes"];
    for service in ["db", "server", "proxy"] {
        for volume in services[service]["volumes"].as_vec().expect("volumes") {
            let (name, _) = volume
                .as_str()
                .expect("a text")
                .split_once(':')
                .expect("a mount");
            let is_known = name.starts_with("./")
                || declared
                    .as_hash()
                    .expect("volumes")
                    .contains_key(&Yaml::String(name.into()));
            assert!(is_known, "{service}: {name}");
        }
    }
    assert!(
        yaml(folder.path(), "worker/compose.yaml")["services"]["worker"]["build"]
            .as_str()
            .is_some()
    );
    let trial = instance("http://127.0.0.1:8123");
    let ports = &yaml(trial.path(), "compose.yaml")["services"]["proxy"]["ports"];
    assert_eq!(ports[0].as_str(), Some("8123:8123"));
}

#[test]
fn the_servers_configuration_names_the_engine_and_its_books() {
    let folder = instance("https://bench.example.org");
    let config: Value =
        serde_json::from_str(&read(folder.path(), "server/Config/config.json")).expect("JSON");
    assert_eq!(config["engines"], json!(["Own"]));
    assert!(
        config["books"]
            .as_array()
            .expect("books")
            .contains(&json!("mine.epd"))
    );
    assert_eq!(config["require_manual_registration"], json!(true));
    assert!(folder.path().join("server/Engines/Own.json").is_file());
}

#[test]
fn scripts_are_fit_for_a_shell() {
    let folder = instance("https://bench.example.org");
    for script in ["backup", "restore", "server/start"] {
        let output = Command::new("sh")
            .arg("-n")
            .arg(folder.path().join(script))
            .output()
            .expect("a shell");
        assert!(output.status.success(), "{script}: {output:?}");
    }
}

/// Compose checks files without a daemon. It is Docker's plugin, or a program of its own.
#[test]
fn compose_accepts_its_files() {
    let programs: [&[&str]; 2] = [&["docker", "compose"], &["docker-compose"]];
    let run = |program: &[&str], arguments: &[&str], folder: &Path| {
        Command::new(program[0])
            .args(&program[1..])
            .args(arguments)
            .current_dir(folder)
            .env("OPENBENCH_USERNAME", "alice")
            .env("OPENBENCH_PASSWORD", "secret")
            .env("THREADS", "1")
            .output()
    };
    let folder = instance("https://bench.example.org");
    // Version 1 is no longer maintained and does not know `name`.
    let is_known = |program: &&[&str]| {
        run(program, &["version", "--short"], folder.path())
            .is_ok_and(|output| output.status.success() && !output.stdout.starts_with(b"1."))
    };
    let Some(program) = programs.into_iter().find(is_known) else {
        eprintln!("skipped: Docker Compose is not here");
        return;
    };
    for place in ["", "worker"] {
        let output = run(program, &["config", "--quiet"], &folder.path().join(place)).expect("run");
        assert!(output.status.success(), "`{place}`: {output:?}");
        assert_eq!(output.stderr, b"", "`{place}`: {output:?}");
    }
}
