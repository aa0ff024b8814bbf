//! The secret that allows changes: it is in the address that `sprt serve` prints.
//!
//! It is kept in a file of the state folder that only its owner can read, so that pages that are
//! open stay good when the server is started again.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use foundation::{Failure, failure::OrUnable, files};

const FILE: &str = "serve-token";
const DIGITS: usize = 32;

/// The token that is kept in this folder; a new one where there is none, or others could have read
/// it.
pub(crate) fn kept(folder: &Path) -> Result<String, Failure> {
    let path = folder.join(FILE);
    if let Some(token) = read(&path) {
        return Ok(token);
    }
    let token = random()?;
    fs::create_dir_all(folder)
        .and_then(|()| files::replace_with_mode(&path, &token, 0o600))
        .or_unable(format_args!("write `{}`", path.display()))?;
    Ok(token)
}

fn read(path: &Path) -> Option<String> {
    let is_secret = fs::metadata(path).ok()?.permissions().mode() & 0o777 == 0o600;
    let token = fs::read_to_string(path).ok()?;
    let is_whole = token.len() == DIGITS && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_secret && is_whole).then_some(token)
}

/// 128 bits from the system, in hexadecimal digits.
pub(crate) fn random() -> Result<String, Failure> {
    let mut bytes = [0; DIGITS / 2];
    fs::File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .or_unable("read random numbers from `/dev/urandom`")?;
    Ok(format!("{:0DIGITS$x}", u128::from_ne_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_outlives_the_server() {
        let folder = tempfile::tempdir().expect("a folder");
        let token = kept(folder.path()).expect("a token");
        assert_eq!(token.len(), DIGITS);
        assert_eq!(kept(folder.path()).expect("a token"), token);
    }

    #[test]
    fn a_token_that_others_could_read_or_that_is_damaged_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        let first = kept(folder.path()).expect("a token");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("its owner may");
        let second = kept(folder.path()).expect("a token");
        assert_ne!(first, second);
        fs::write(&path, "short").expect("its owner may");
        assert_ne!(kept(folder.path()).expect("a token"), "short");
    }
}
