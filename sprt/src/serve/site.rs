//! Which runs there are, and who may change something.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use foundation::{Failure, failure::OrUnable};
use serde_json::Value;

use crate::commands::list;
use crate::run::runs;

/// What identifies a state of a run: length of its journal, whether it is being played, and when it
/// was changed.
type Mark = (u64, bool, Option<SystemTime>);

/// Shared by all requests.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    /// Besides those in the state folder.
    more: Vec<PathBuf>,
    address: SocketAddr,
    token: String,
    /// The last answer about each run, for as long as nothing has changed.
    answers: Mutex<HashMap<PathBuf, (Mark, Value)>>,
}

impl Site {
    pub fn new(more: Vec<PathBuf>, address: SocketAddr) -> Result<Self, Failure> {
        Ok(Self(Arc::new(Inner {
            more,
            address,
            token: random_token()?,
            answers: Mutex::default(),
        })))
    }

    pub fn token(&self) -> &str {
        &self.0.token
    }

    /// Compared in a time that does not depend on where the two differ.
    pub fn is_token(&self, given: &str) -> bool {
        let (token, given) = (self.0.token.as_bytes(), given.as_bytes());
        token.len() == given.len()
            && token.iter().zip(given).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
    }

    /// Whether a request names this server, by its address or as this machine.
    pub fn is_addressed(&self, host: &str) -> bool {
        let address = self.0.address;
        let port = address.port();
        host == address.to_string()
            || (address.ip().is_loopback() && host == format!("localhost:{port}"))
            // Whoever listens on all addresses is known under names that it does not know.
            || address.ip().is_unspecified()
    }

    /// Folders of all runs, the latest first.
    pub fn folders(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut paths = list::paths(&runs()?)?;
        paths.reverse();
        let mut all = self.0.more.clone();
        all.extend(paths);
        Ok(all)
    }

    /// The folder of a run by the name that the list has for it; no path can be smuggled in, for
    /// only names on the list are found.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        self.folders()
            .ok()?
            .into_iter()
            .find(|path| list::name(path) == name)
    }

    /// What `make` says about a run, or said when it stood as it does now.
    pub fn cached(
        &self,
        run: &Path,
        is_being_played: bool,
        make: impl FnOnce() -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        let file = fs::metadata(run.join("pairs.jsonl")).ok();
        let mark = (
            file.as_ref().map_or(0, fs::Metadata::len),
            is_being_played,
            file.and_then(|file| file.modified().ok()),
        );
        if let Ok(answers) = self.0.answers.lock()
            && let Some((known, answer)) = answers.get(run)
            && *known == mark
        {
            return Ok(answer.clone());
        }
        let answer = make()?;
        if let Ok(mut answers) = self.0.answers.lock() {
            answers.insert(run.to_owned(), (mark, answer.clone()));
        }
        Ok(answer)
    }
}

/// 128 bits from the system, in hexadecimal digits.
fn random_token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    fs::File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .or_unable("read random numbers from `/dev/urandom`")?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(address: &str) -> Site {
        Site::new(Vec::new(), address.parse().expect("an address")).expect("random numbers")
    }

    #[test]
    fn only_requests_to_this_server_are_answered() {
        let site = site("127.0.0.1:8484");
        assert!(site.is_addressed("127.0.0.1:8484") && site.is_addressed("localhost:8484"));
        assert!(!site.is_addressed("evil.example:8484") && !site.is_addressed("localhost"));
    }

    #[test]
    fn a_token_is_right_or_wrong() {
        let site = site("127.0.0.1:1");
        assert!(site.is_token(site.token()));
        assert!(!site.is_token("") && !site.is_token(&"0".repeat(32)));
    }
}
