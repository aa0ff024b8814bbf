//! The games of a workload: the server's tar of compressed files, made one PGN file.

use std::collections::BTreeMap;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::Duration;

use bzip2::read::MultiBzDecoder;
use foundation::{Failure, Printer, failure::OrUnable};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use tokio::time::Instant;

use crate::http::{self, Download, Unanswered};
use crate::read::api::Info;
use crate::session::Session;

/// How long, and how often, to ask a server for an archive that it is still making.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    pub longest: Duration,
    pub interval: Duration,
}

impl Default for Wait {
    fn default() -> Self {
        Self {
            longest: Duration::from_mins(15),
            interval: Duration::from_secs(15),
        }
    }
}

/// What was unpacked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unpacked {
    pub files: u64,
    pub games: u64,
    /// Games by the server's number for what one machine played of the workload.
    pub by_result: BTreeMap<u64, u64>,
}

/// `21.7.65.pgn.bz2` is workload 21, result 7, from opening 65 of the book.
fn result_of(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.split('.').nth(1)?.parse().ok()
}

/// Downloads the games of a workload and unpacks them to `to`. `None` if there are none: none are
/// kept, or the workload is still being played.
pub async fn fetch(
    session: &mut Session,
    info: &Info,
    to: &Path,
    wait: Wait,
    printer: Printer,
) -> Result<Option<Unpacked>, Failure> {
    if info.upload_pgns == "FALSE" || info.games == 0 {
        return Ok(None);
    }
    let folder = to.parent().unwrap_or(Path::new("."));
    let path = format!("/api/pgns/{}/", info.id);
    let started = Instant::now();
    let mut said = String::new();
    loop {
        let mut packed =
            http::unfinished(folder).or_unable(format_args!("write to `{}`", folder.display()))?;
        let download =
            async |session: &Session| session.client.download(&path, &mut packed, to).await;
        let failure = match session.asked(download).await {
            Ok(Download::File(_)) => {
                let file = packed.reopen().or_unable("read the archive again")?;
                return unpack(BufReader::new(file), to).map(Some);
            }
            Ok(Download::Page(answer)) => match answer.json() {
                Err(Unanswered::Never(failure)) => {
                    let text = failure.message();
                    // While a workload is played there is no archive; just after its end, the first
                    // files may not be packed yet.
                    let is_absent = text.contains("Unable to find PGN");
                    if is_absent && info.finished && !has_just_changed(info) {
                        printer.note(
                            "the server does not have its games, and ended it too long ago to be packing them",
                        );
                        return Ok(None);
                    }
                    if text.contains("while the Workload is active")
                        || (is_absent && !info.finished)
                    {
                        return Ok(None);
                    }
                    if !is_absent && !text.contains("Try again shortly") {
                        return Err(failure);
                    }
                    failure
                }
                Err(Unanswered::Later { failure, .. }) => failure,
                Ok(_) => Failure::unable(format!("{path} holds no archive")),
            },
            Err(Unanswered::Later { failure, .. }) => failure,
            Err(Unanswered::Never(failure)) => return Err(failure),
        };
        if started.elapsed() + wait.interval > wait.longest {
            return Err(failure
                .context("the games cannot be had yet")
                .hint("run the same command again later"));
        }
        if said != failure.message() {
            failure.message().clone_into(&mut said);
            printer.note(&format!("waiting for the games: {said}"));
        }
        tokio::time::sleep(wait.interval).await;
    }
}

/// Whether the server may still be packing the first games of a workload that has ended.
fn has_just_changed(info: &Info) -> bool {
    const PACKING: SignedDuration = SignedDuration::from_mins(30);
    let updated: Option<Timestamp> = info.updated.parse().ok();
    // In doubt they are waited for.
    updated.is_none_or(|updated| Timestamp::now().duration_since(updated) < PACKING)
}

/// Writes the games of all files in an archive one after another.
fn unpack(packed: impl Read, to: &Path) -> Result<Unpacked, Failure> {
    let damaged = |error: std::io::Error| {
        Failure::unable(format!("the archive of games is damaged: {error}")).hint("fetch it again")
    };
    let folder = to.parent().unwrap_or(Path::new("."));
    let what = format!("write `{}`", to.display());
    let file = http::unfinished(folder).or_unable(&what)?;
    let mut writer = BufWriter::new(file);
    let mut unpacked = Unpacked::default();
    let mut archive = tar::Archive::new(packed);
    for entry in archive.entries().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        let path = entry.path().map_err(damaged)?.into_owned();
        if !entry.header().entry_type().is_file() || !path.to_string_lossy().ends_with(".pgn.bz2") {
            continue;
        }
        let mut games = MultiBzDecoder::new(entry);
        let mut counter = Counter {
            writer: &mut writer,
            games: 0,
            line_start: true,
            line: Vec::new(),
            has_failed: false,
        };
        let copied = std::io::copy(&mut games, &mut counter);
        if counter.has_failed {
            copied.or_unable(&what)?;
        } else {
            copied.map_err(damaged)?;
        }
        unpacked.games += counter.games;
        if let Some(result) = result_of(&path) {
            *unpacked.by_result.entry(result).or_default() += counter.games;
        }
        unpacked.files += 1;
        // An empty line separates one file's last game from the next one's first.
        writer.write_all(b"\n").or_unable(&what)?;
    }
    let file = writer
        .into_inner()
        .map_err(std::io::IntoInnerError::into_error)
        .or_unable(&what)?;
    file.persist(to)
        .map_err(|error| error.error)
        .or_unable(&what)?;
    Ok(unpacked)
}

/// Counts the games that pass through, by the tag that each begins with.
struct Counter<'a, W> {
    writer: &'a mut W,
    games: u64,
    line_start: bool,
    line: Vec<u8>,
    /// Whether the writer failed.
    has_failed: bool,
}

const FIRST_TAG: &[u8] = b"[Event ";

impl<W: Write> Write for Counter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                self.line_start = true;
                self.line.clear();
            } else if self.line_start {
                self.line.push(byte);
                if self.line.len() == FIRST_TAG.len() {
                    self.games += u64::from(self.line == FIRST_TAG);
                    self.line_start = false;
                }
            }
        }
        let written = self.writer.write_all(bytes);
        self.has_failed = written.is_err();
        written.map(|()| bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use bzip2::Compression;
    use bzip2::write::BzEncoder;

    use super::*;

    /// An archive as a server makes it.
    pub(crate) fn packed(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, text) in files {
            let mut encoder = BzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(text.as_bytes()).expect("compressed");
            let content = encoder.finish().expect("compressed");
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            archive
                .append_data(&mut header, name, content.as_slice())
                .expect("packed");
        }
        archive.into_inner().expect("packed")
    }

    const GAME: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {+0.1/3 0.1s} 1-0\n\n";

    #[test]
    fn the_files_of_an_archive_become_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("games.pgn");
        let archive = packed(&[
            ("21.1.1.pgn.bz2", GAME),
            ("21.2.9.pgn.bz2", &GAME.repeat(2)),
            ("notes.txt", "no games"),
        ]);
        assert_eq!(
            unpack(archive.as_slice(), &to),
            Ok(Unpacked {
                files: 2,
                games: 3,
                by_result: BTreeMap::from([(1, 1), (2, 2)]),
            })
        );
        let text = std::fs::read_to_string(&to).expect("games");
        assert_eq!(text.matches("1. e4").count(), 3);
        let mode = |path: &Path| {
            std::fs::metadata(path)
                .expect("a file")
                .permissions()
                .mode()
                & 0o777
        };
        let other = folder.path().join("other");
        std::fs::write(&other, "").expect("written");
        assert_eq!(mode(&to), mode(&other), "as open to others as any new file");
    }

    #[test]
    fn what_could_not_be_written_is_no_damage_of_the_archive() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let mut counter = Counter {
            writer: &mut Full,
            games: 0,
            line_start: true,
            line: Vec::new(),
            has_failed: false,
        };
        assert!(counter.write(b"[Event").is_err() && counter.has_failed);
    }

    #[test]
    fn a_torn_archive_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("games.pgn");
        let archive = packed(&[("21.1.1.pgn.bz2", &GAME.repeat(50))]);
        let failure = unpack(&archive[..600], &to).expect_err("torn");
        assert!(failure.message().contains("damaged"), "{failure}");
        assert!(!to.exists());
    }
}
