//! A user name and a password: from the environment, a file that only its owner can read, or a
//! prompt without echo.
//!
//! No flag takes a password, because arguments can be seen by every user of a machine, and it is
//! never printed.

use std::fmt;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use foundation::variables::OPENBENCH_PASSWORD as PASSWORD;
use foundation::{Failure, failure::OrUnable};
use secrecy::SecretString;

use crate::address::Server;

/// Who logs in.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub username: String,
    pub password: SecretString,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Credentials({})", self.username)
    }
}

/// Where to look for them.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub username: Option<String>,
    pub password_file: Option<PathBuf>,
}

impl Source {
    pub(crate) fn obtain(&self, server: &Server) -> Result<Credentials, Failure> {
        let username = match &self.username {
            Some(username) => username.clone(),
            None => {
                return Err(Failure::unable(format!("{server} wants a login, and no user name is given"))
                    .hint("give --username, OPENBENCH_USERNAME, or `username` in [openbench] of whetstone.toml"));
            }
        };
        let password = match (std::env::var(PASSWORD), &self.password_file) {
            (Ok(password), _) if !password.is_empty() => password,
            (Err(std::env::VarError::NotUnicode(_)), _) => {
                return Err(Failure::unable(format!("{PASSWORD} is not UTF-8")));
            }
            (_, Some(file)) => read_file(file)?,
            (_, None) => ask_password(&username, server)?,
        };
        Ok(Credentials {
            username,
            password: password.into(),
        })
    }
}

/// The first line of a file that nobody else can read.
fn read_file(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let what = format!("read the password file `{name}`");
    // Opened first and checked then, so that the check is about the very file that is read.
    let mut file = File::open(path).or_unable(&what)?;
    let metadata = file.metadata().or_unable(&what)?;
    let mode = metadata.permissions().mode();
    if !metadata.is_file() {
        return Err(Failure::unable(format!("`{name}` is not a file")));
    }
    if mode & 0o077 != 0 {
        return Err(Failure::unable(format!(
            "others can read the password file `{name}` (mode {:03o})",
            mode & 0o777
        ))
        .hint(format!("run `chmod 600 '{name}'`")));
    }
    let mut text = String::new();
    file.by_ref()
        .take(4096)
        .read_to_string(&mut text)
        .or_unable(&what)?;
    let line = text.lines().next().unwrap_or_default();
    if line.is_empty() {
        return Err(
            Failure::unable(format!("the password file `{name}` is empty"))
                .hint("its first line is the password"),
        );
    }
    Ok(line.to_owned())
}

fn ask_password(username: &str, server: &Server) -> Result<String, Failure> {
    let missing = || {
        Failure::unable(format!("no password for {username} on {server}")).hint(format!(
            "set {PASSWORD}, or name a file that only you can read in OPENBENCH_PASSWORD_FILE"
        ))
    };
    if !std::io::stdin().is_terminal() {
        return Err(missing());
    }
    let password = rpassword::prompt_password(format!("password of {username} on {server}: "))
        .map_err(|_| missing())?;
    if password.is_empty() {
        Err(missing())
    } else {
        Ok(password)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};

    use super::*;

    fn file(text: &str, mode: u32) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), text).expect("written");
        fs::set_permissions(file.path(), Permissions::from_mode(mode)).expect("permissions");
        file
    }

    #[test]
    fn only_a_private_file_is_read() {
        assert_eq!(
            read_file(file("secret\n", 0o600).path()),
            Ok("secret".to_owned())
        );
        for (text, mode, said) in [
            ("secret\n", 0o640, "mode 640"),
            ("secret\n", 0o604, "mode 604"),
            ("\n", 0o600, "is empty"),
        ] {
            let failure = read_file(file(text, mode).path()).expect_err("refused");
            assert!(failure.message().contains(said), "{failure}");
            assert!(!failure.to_string().contains("secret"));
        }
    }

    #[test]
    fn what_is_printed_for_debugging_has_no_password() {
        let credentials = Credentials {
            username: "alice".into(),
            password: "secret".to_owned().into(),
        };
        assert_eq!(format!("{credentials:?}"), "Credentials(alice)");
    }
}
