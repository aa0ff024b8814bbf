//! A user name and a password: from the environment, a file that only its owner can read, a pipe, or a
//! prompt without echo.
//!
//! No flag takes a password, because arguments can be seen by every user of a machine, and it is
//! never printed.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use foundation::variables::OPENBENCH_PASSWORD as PASSWORD;
use foundation::{Failure, failure::OrUnable, process::command_on};
use nix::fcntl::OFlag;
use secrecy::SecretString;

use crate::address::Server;

/// Who logs in.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub username: String,
    pub password: SecretString,
    /// Where the password is from.
    pub origin: String,
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
    /// The server of the project file where it is another than this one, which does not get its login.
    pub other: Option<String>,
    /// Whether the variables of the environment are meant for that one, too.
    pub ignores_variables: bool,
}

impl Source {
    pub(crate) fn obtain(&self, server: &Server) -> Result<Credentials, Failure> {
        let Some(username) = self.username.clone() else {
            let missing =
                Failure::unable(format!("{server} wants a login, and no user name is given"));
            return Err(match &self.other {
                Some(other) => missing.hint(format!(
                    "your login on {other} is not sent to another server; to log in here, give --server {} \
                     --username NAME --password-file FILE",
                    server.origin()
                )),
                None => missing.hint(
                    "give --username, OPENBENCH_USERNAME, or `username` in [openbench] of whetstone.toml",
                ),
            });
        };
        let variable = if self.ignores_variables {
            Err(std::env::VarError::NotPresent)
        } else {
            std::env::var(PASSWORD)
        };
        let (password, origin) = match (&self.password_file, variable) {
            (Some(file), _) => (
                read_file(file)?,
                format!("the password file `{}`", file.display()),
            ),
            (None, Ok(password)) if !password.is_empty() => (password, PASSWORD.to_owned()),
            (None, Err(std::env::VarError::NotUnicode(_))) => {
                return Err(Failure::unable(format!("{PASSWORD} is not UTF-8")));
            }
            (None, _) => {
                let hint = if self.ignores_variables {
                    "give --password-file FILE, which only you can read".to_owned()
                } else {
                    format!(
                        "set {PASSWORD}, or name a file that only you can read in OPENBENCH_PASSWORD_FILE"
                    )
                };
                let password = ask_password(&username, server, &hint)?;
                (password, "the password".to_owned())
            }
        };
        Ok(Credentials {
            username,
            password: password.into(),
            origin,
        })
    }
}

/// The most that is read of a password file.
const LONGEST: usize = 4096;

/// The first line of a file that nobody else can read, or of a pipe, as a shell's `<(command)` is.
fn read_file(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let what = format!("read the password file `{name}`");
    // Opened first and checked then, so that the check is about the very file that is read.
    // Without waiting: a named pipe that nobody writes to would keep `open` for ever.
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(OFlag::O_NONBLOCK.bits())
        .open(path)
        .or_unable(&what)?;
    let metadata = file.metadata().or_unable(&what)?;
    let mode = metadata.permissions().mode();
    let is_pipe = metadata.file_type().is_fifo();
    if !metadata.is_file() && !is_pipe {
        return Err(Failure::unable(format!(
            "the password file `{name}` is neither a file nor a pipe"
        )));
    }
    // Some systems let the group read each pipe.
    let others = if is_pipe { 0o007 } else { 0o077 };
    if mode & others != 0 {
        return Err(Failure::unable(format!(
            "others can read the password file `{name}` (mode {:03o})",
            mode & 0o777
        ))
        .hint(format!("run `{}`", command_on("chmod 600", path))));
    }
    let text = start(file).or_unable(&what)?;
    let text = std::str::from_utf8(&text).or_unable(&what)?;
    let line = text.lines().next().unwrap_or_default();
    if line.is_empty() {
        let empty = Failure::unable(format!("the password file `{name}` is empty"));
        return Err(empty.hint(if is_pipe {
            "the first line that is written to it is the password; did its writer fail?"
        } else {
            "its first line is the password"
        }));
    }
    Ok(line.to_owned())
}

/// What can be read, up to the first line's end; a pipe is waited for while somebody can write to it.
fn start(mut file: File) -> std::io::Result<Vec<u8>> {
    let mut text = vec![0; LONGEST];
    let mut length = 0;
    while length < LONGEST && !text[..length].contains(&b'\n') {
        match file.read(&mut text[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    text.truncate(length);
    Ok(text)
}

fn ask_password(username: &str, server: &Server, hint: &str) -> Result<String, Failure> {
    let missing = || Failure::unable(format!("no password for {username} on {server}")).hint(hint);
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
    use std::io::Write as _;

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
    fn a_pipe_is_read_and_one_that_nobody_writes_to_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let failure = read_file(&path).expect_err("nobody writes");
        assert!(failure.message().contains("is empty"), "{failure}");
        // A writer that takes its time, and stays.
        let mut ends = OpenOptions::new();
        let mut writer = ends.read(true).write(true).open(&path).expect("a writer");
        let secret = std::thread::scope(|scope| {
            let reader = scope.spawn(|| read_file(&path));
            std::thread::sleep(Duration::from_millis(50));
            writer.write_all(b"sec").expect("written");
            writer.write_all(b"ret\n").expect("written");
            reader.join().expect("no panic")
        });
        assert_eq!(secret, Ok("secret".to_owned()));
        // A line without an end is bounded.
        writer.write_all(&[b'x'; LONGEST + 1]).expect("written");
        assert_eq!(read_file(&path).map(|line| line.len()), Ok(LONGEST));
        let failure = read_file(folder.path()).expect_err("a folder");
        assert!(failure.message().contains("neither a file"), "{failure}");
    }

    #[test]
    fn what_is_printed_for_debugging_has_no_password() {
        let credentials = Credentials {
            username: "alice".into(),
            password: "secret".to_owned().into(),
            origin: "the password".into(),
        };
        assert_eq!(format!("{credentials:?}"), "Credentials(alice)");
    }
}
