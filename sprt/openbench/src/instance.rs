//! The files of a private instance: server, database, proxy, backup, and an image for workers.

mod check;
pub mod engine;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use foundation::{Failure, failure::OrUnable, files};
use serde_json::json;

use crate::address::Server;
use engine::Entry;

/// The server whose addresses `docs/openbench.md` lists.
pub const COMMIT: &str = "9906bad18e044c4b455539317b8cf037393a7218";
const CLIENT_VERSION: u32 = 49;
const FASTCHESS_MIN_VERSION: &str = "1.8.1";
/// Those of the server's books that most engines are tested with.
const BOOKS: [&str; 5] = [
    "8moves_v3.epd",
    "UHO_4060_v2.epd",
    "UHO_Lichess_4852_v1.epd",
    "Pohl.epd",
    "DFRC.epd",
];

/// Path, content, mode.
const FILES: [(&str, &str, u32); 13] = [
    (
        "compose.yaml",
        include_str!("instance/files/compose.yaml"),
        0o644,
    ),
    ("Caddyfile", include_str!("instance/files/Caddyfile"), 0o644),
    (".env", include_str!("instance/files/env"), 0o600),
    (
        ".gitignore",
        include_str!("instance/files/gitignore"),
        0o644,
    ),
    ("backup", include_str!("instance/files/backup"), 0o755),
    ("restore", include_str!("instance/files/restore"), 0o755),
    (
        "server/Dockerfile",
        include_str!("instance/files/server/Dockerfile"),
        0o644,
    ),
    (
        "server/requirements.txt",
        include_str!("instance/files/server/requirements.txt"),
        0o644,
    ),
    (
        "server/start",
        include_str!("instance/files/server/start"),
        0o755,
    ),
    (
        "server/instance.py",
        include_str!("instance/files/server/instance.py"),
        0o644,
    ),
    (
        "server/account.py",
        include_str!("instance/files/server/account.py"),
        0o644,
    ),
    (
        "worker/Dockerfile",
        include_str!("instance/files/worker/Dockerfile"),
        0o644,
    ),
    (
        "worker/compose.yaml",
        include_str!("instance/files/worker/compose.yaml"),
        0o644,
    ),
];

/// Makes sure that `folder` is empty, or not there.
pub fn check_empty(folder: &Path) -> Result<(), Failure> {
    let taken = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if taken || folder.is_file() {
        return Err(
            Failure::unable(format!("{} is not an empty folder", folder.display()))
                .hint("give a new folder: keys and passwords of an instance are never overwritten"),
        );
    }
    Ok(())
}

/// Writes an instance at `server` that tests one engine. `folder` must be empty or not there.
pub fn write(folder: &Path, server: &Server, engine: &Entry) -> Result<(), Failure> {
    check_empty(folder)?;
    let (secret_key, password) = (secret()?, secret()?);
    let words = [
        ("@COMMIT@", COMMIT.to_owned()),
        ("@ORIGIN@", server.origin()),
        ("@PORTS@", ports(server)),
        ("@SECRET_KEY@", secret_key),
        ("@DATABASE_PASSWORD@", password),
    ];
    for (path, template, mode) in FILES {
        let content = words
            .iter()
            .fold(template.to_owned(), |text, (word, value)| {
                text.replace(word, value)
            });
        put(folder, path, &content, mode)?;
    }
    let entry = serde_json::to_string_pretty(&engine.json).or_unable("write the engine's JSON")?;
    put(
        folder,
        &format!("server/Engines/{}.json", engine.name),
        &entry,
        0o644,
    )?;
    let config =
        serde_json::to_string_pretty(&config(engine)).or_unable("write the configuration")?;
    put(folder, "server/Config/config.json", &config, 0o644)
}

fn put(folder: &Path, path: &str, content: &str, mode: u32) -> Result<(), Failure> {
    let path = folder.join(path);
    let parent = files::folder(&path);
    fs::create_dir_all(parent).or_unable(format_args!("create {}", parent.display()))?;
    files::replace_with_mode(&path, content, mode)
        .or_unable(format_args!("write {}", path.display()))
}

fn config(engine: &Entry) -> serde_json::Value {
    let named = engine
        .books()
        .into_iter()
        .filter(|book| !BOOKS.contains(book));
    let books: Vec<&str> = BOOKS.into_iter().chain(named).collect();
    json!({
        "client_version": CLIENT_VERSION,
        "client_repo_url": "https://github.com/AndyGrant/OpenBench",
        "client_repo_ref": COMMIT,
        "fastchess_min_version": FASTCHESS_MIN_VERSION,
        "fastchess_repo_url": "https://github.com/AndyGrant/fastchess",
        "fastchess_repo_ref": "master",
        "use_cross_approval": false,
        "require_login_to_view": true,
        "require_manual_registration": true,
        "balance_engine_throughputs": false,
        "books": books,
        "engines": [engine.name],
    })
}

/// Ports of the proxy; a certificate is asked for through port 80.
fn ports(server: &Server) -> String {
    match server.url("/").port() {
        Some(port) => format!("\"{port}:{port}\""),
        None => "\"80:80\", \"443:443\"".to_owned(),
    }
}

/// 256 random bits, in hexadecimal.
fn secret() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).or_unable("draw a secret key")?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests;
