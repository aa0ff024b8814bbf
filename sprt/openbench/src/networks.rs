//! Networks of engines: listed, uploaded, downloaded, and identified by the first eight digits of
//! their SHA-256.

pub mod change;

use std::path::{Path, PathBuf};

use foundation::{Failure, digest, failure::OrUnable, files, folders};
use reqwest::multipart::{Form as Multipart, Part};

use crate::http::{self, Download, Unanswered};
use crate::read::api::{self, Network};
use crate::session::Session;

/// By name or by hash.
pub async fn find(session: &mut Session, engine: &str, text: &str) -> Result<Network, Failure> {
    let networks = session.networks(engine).await?.networks;
    let found = networks
        .iter()
        .find(|network| network.name == text || network.sha256.eq_ignore_ascii_case(text));
    found.cloned().ok_or_else(|| {
        let known: Vec<&str> = networks
            .iter()
            .map(|network| network.name.as_str())
            .collect();
        Failure::unable(format!(
            "{engine} has no network `{text}` on {}",
            session.server()
        ))
        .hint(match known.as_slice() {
            [] => "it has none at all".to_owned(),
            known => format!("it has {}", known.join(", ")),
        })
    })
}

/// The hash by which the server identifies a file's content.
pub(crate) fn short_hash(sha256: &str) -> String {
    sha256.get(..8).unwrap_or(sha256).to_uppercase()
}

/// Uploads a file; an approver must be logged in. Other users get no message from the server.
pub async fn upload(
    session: &mut Session,
    engine: &str,
    file: &Path,
    name: &str,
) -> Result<String, Failure> {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    if name.is_empty() || !name.chars().all(allowed) {
        return Err(Failure::unable(format!("`{name}` cannot be the name of a network (server: `Valid characters are [a-zA-Z0-9_.-]`)"))
            .hint("give another with --name"));
    }
    if !session
        .config()
        .await?
        .engines
        .iter()
        .any(|known| known == engine)
    {
        return Err(Failure::unable(format!(
            "{} knows no engine `{engine}` (server: `No Engine found with matching name`)",
            session.server()
        )));
    }
    let content = std::fs::read(file).or_unable(format_args!("read `{}`", file.display()))?;
    if content.is_empty() {
        return Err(Failure::unable(format!(
            "`{}` is empty, and no network",
            file.display()
        )));
    }
    let hash = short_hash(&digest::of_bytes(&content));
    for known in session.networks(engine).await?.networks {
        if known.sha256 == hash {
            return Err(Failure::unable(format!(
                "this network exists already, as {} (server: `Network with that hash already exists for that engine`)",
                known.name
            )));
        }
        if known.name == name {
            return Err(Failure::unable(format!(
                "another network is called {name}, {} (server: `Network with that name already exists for that engine`)",
                known.sha256
            ))
            .hint("give another name with --name"));
        }
    }
    let bytes = content.len();
    // The server ignores the file's own name.
    let parts = || {
        let part = Part::bytes(content.clone()).file_name(name.to_owned());
        Multipart::new().part("netfile", part)
    };
    let path = format!("/networks/{engine}/UPLOAD/{name}/");
    let sent = session
        .change(async |client| client.upload(&path, parts(), bytes).await)
        .await;
    let (to, messages) = match sent {
        Ok(done) => done,
        // The answer may be lost although the network has arrived: its hash shows it.
        Err(Unanswered::Later { failure, .. }) => {
            let there = session
                .networks(engine)
                .await?
                .networks
                .iter()
                .any(|known| known.sha256 == hash);
            return if there { Ok(hash) } else { Err(failure) };
        }
        Err(Unanswered::Never(failure)) => return Err(failure),
    };
    match messages.error {
        Some(error) => Err(session.refusal(&path, &error)),
        None if to.starts_with("/networks/") => Ok(hash),
        None => Err(Failure::unable(format!(
            "{} does not take the network, and does not say why",
            session.server()
        ))
        .hint("only approvers may upload networks")),
    }
}

/// Downloads a network to a file; its content must have the hash that the server lists.
pub async fn download(
    session: &mut Session,
    engine: &str,
    network: &Network,
    to: &Path,
) -> Result<u64, Failure> {
    session.log_in().await?;
    let folder = files::folder(to);
    std::fs::create_dir_all(folder).or_unable(format_args!("create `{}`", folder.display()))?;
    let mut file =
        http::unfinished(folder).or_unable(format_args!("write to `{}`", folder.display()))?;
    let path = format!("/api/networks/{engine}/{}/", network.sha256);
    let download = async |session: &Session| session.client.download(&path, &mut file, to).await;
    let size = match session.asked(download).await? {
        Download::File(size) => size,
        Download::Page(answer) => {
            // A network that is not a file should be answered by an error in JSON.
            answer.json()?;
            return Err(Failure::unable(format!(
                "{} sends something else than the network {}",
                session.server(),
                network.name
            )));
        }
    };
    let (sha256, _) =
        digest::of_file(file.path()).or_unable(format_args!("read `{}`", file.path().display()))?;
    if short_hash(&sha256) != network.sha256.to_uppercase() {
        return Err(Failure::unable(format!(
            "the network {} arrived damaged: its hash is {}, expected {}",
            network.name,
            short_hash(&sha256),
            network.sha256
        ))
        .hint("try again"));
    }
    file.persist(to)
        .map_err(|error| error.error)
        .or_unable(format_args!("write `{}`", to.display()))?;
    Ok(size)
}

pub async fn delete(
    session: &mut Session,
    engine: &str,
    network: &Network,
) -> Result<String, Failure> {
    session.log_in().await?;
    let path = format!("/api/networks/{engine}/{}/delete/", network.sha256);
    let delete = async |session: &Session| session.client.post(&path, &[]).await;
    let value = session.asked(delete).await?.json()?;
    api::part(value, Some("success"))
}

/// The file that `make` gets as EVALFILE, in the cache under its hash, or none if no network is
/// used.
pub(crate) async fn for_build(
    session: &mut Session,
    engine: &str,
    hash: &str,
) -> Result<Option<PathBuf>, Failure> {
    if hash.is_empty() {
        return Ok(None);
    }
    let path = folders::cache()?.join("networks").join(hash);
    if let Ok((sha256, _)) = digest::of_file(&path)
        && short_hash(&sha256) == hash
    {
        return Ok(Some(path));
    }
    let network = find(session, engine, hash).await?;
    download(session, engine, &network, &path).await?;
    Ok(Some(path))
}
