//! Writing a file so that it is old or new at every instant, never in between.
//!
//! The new content goes to a temporary file in the same folder, is synced, and takes the old file's
//! place by a rename. The mode of a file that is replaced is kept, and a symbolic link stays one:
//! what it points to is replaced. A FIFO or a device is no file to replace, and is written to.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::{Failure, failure::OrUnable};

/// A new file gets what the user's mask leaves of this, as any other file does.
const NEW_FILE: u32 = 0o666;

/// Gives the file at `path` this content, or writes it to what is no file: a FIFO or a device.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    let content = content.as_ref();
    let written = match stream(path) {
        Some(stream) => stream.and_then(|mut stream| stream.write_all(content)),
        None => replaced(path, content, None),
    };
    written.or_unable(format_args!("write `{}`", path.display()))
}

/// What is at `path`, opened, where it is neither a file nor a folder.
fn stream(path: &Path) -> Option<io::Result<File>> {
    // Also where it is a file, to which the shell may append.
    if path == Path::new("/dev/stdout") {
        return Some(io::stdout().as_fd().try_clone_to_owned().map(File::from));
    }
    let found = fs::metadata(path).ok()?;
    let is_stream = !found.is_file() && !found.is_dir();
    is_stream.then(|| File::options().write(true).open(path))
}

/// Fails where `path` is a pipe, a socket or a device, which holds nothing that can be read again
/// and may have no end. What is missing is left to whoever opens it.
pub fn refuse_stream(path: &Path) -> Result<(), Failure> {
    let kind = match fs::metadata(path).map(|found| found.file_type()) {
        Ok(found) if found.is_fifo() => "a pipe",
        Ok(found) if found.is_socket() => "a socket",
        Ok(found) if found.is_char_device() || found.is_block_device() => "a device",
        _ => return Ok(()),
    };
    Err(Failure::unable(format!(
        "`{}` is {kind}, expected a file",
        path.display()
    )))
}

/// The same for a file that is to have this mode, whatever it had before.
pub fn replace_with_mode(path: &Path, content: impl AsRef<[u8]>, mode: u32) -> io::Result<()> {
    replaced(path, content.as_ref(), Some(mode))
}

fn replaced(path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
    let target = target(path)?;
    let kept = fs::metadata(&target).ok().map(|found| found.permissions());
    let mut file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(NEW_FILE))
        .tempfile_in(folder(&target))?;
    file.write_all(content)?;
    // Not left to the builder, because the user's mask must not change a mode that was requested or
    // kept.
    if let Some(permissions) = mode.map(Permissions::from_mode).or(kept) {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_data()?;
    file.persist(&target)?;
    Ok(())
}

/// The file that is meant, at the end of any symbolic links.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(target) => Ok(target),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        // The file does not exist yet, unless this is a link to one that is still to be created.
        Err(_) => match fs::read_link(path) {
            Ok(link) => target(&folder(path).join(link)),
            Err(_) => Ok(path.to_owned()),
        },
    }
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("a file").permissions().mode() & 0o777
    }

    #[test]
    fn a_replaced_file_keeps_its_mode_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.toml");
        fs::write(&path, "old").expect("a file");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("a mode");
        replace(&path, "new").expect("replaced");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "new");
        assert_eq!(mode(&path), 0o600);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        replace_with_mode(&path, "run me", 0o755).expect("replaced");
        assert_eq!(mode(&path), 0o755);
    }

    #[test]
    fn a_symbolic_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        symlink("file", &link).expect("a link");
        for content in ["made through the link", "changed through the link"] {
            replace(&link, content).expect("replaced");
            assert!(link.is_symlink());
            assert_eq!(fs::read_to_string(&file).expect("a file"), content);
        }
    }

    #[test]
    fn a_fifo_is_written_to_and_stays_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let [fifo, link] = ["fifo", "link"].map(|name| folder.path().join(name));
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
        symlink("fifo", &link).expect("a link");
        for path in [&fifo, &link] {
            // Opened for both, so that neither side waits for the other.
            let both = File::options().read(true).write(true).open(&fifo);
            let mut both = both.expect("a FIFO");
            replace(path, "text").expect("written");
            assert!(!fs::metadata(&fifo).expect("a FIFO").is_file());
            let mut read = [0; 4];
            io::Read::read_exact(&mut both, &mut read).expect("read");
            assert_eq!(&read, b"text");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    #[test]
    fn a_circle_of_links_and_a_missing_folder_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link");
        symlink("link", &link).expect("a link");
        assert!(replace(&link, "text").is_err());
        let failure = replace(&folder.path().join("no/such"), "text").expect_err("no folder");
        assert!(failure.message().contains("no/such"), "{failure}");
    }
}
