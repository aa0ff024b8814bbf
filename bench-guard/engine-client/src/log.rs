//! The dialogue with an engine, written down as it is spoken.
//!
//! In a folder, each engine has a file for each game (`game-12-new.log`), which begins with
//! everything that was said since the game before, including the handshake. With `-vv` the same
//! lines go to stderr. A line has a time stamp in universal time, `>` for what was sent, `<` for
//! what was read, `!` for a remark or `#` for the end, and the text:
//!
//! ```text
//! 2026-11-21T17:23:44.123456Z > go nodes 5000
//! 2026-11-21T17:23:44.130011Z < info depth 1 score cp 31 nodes 21 pv e2e4
//! ```
//! Compressed, the file of a game is whole when the next game begins; of one that was cut off all but
//! the last lines can be read.
//!
//! A log that cannot be written stops no match: the log ends, and that is reported once.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use foundation::Printer;
use foundation::printer::Verbosity;

/// The most bytes that are kept from before the first game.
const MOST_BEFORE_A_GAME: usize = 1 << 20;

/// Where dialogues go.
#[derive(Clone, Debug)]
pub struct LogTarget {
    /// One file an engine and game.
    pub folder: Option<PathBuf>,
    /// Whether files are compressed by gzip.
    pub gzip: bool,
    pub printer: Printer,
}

impl LogTarget {
    /// The target, if there is anything to write to: a folder, or a user who asked with `-vv`.
    pub fn new(folder: Option<PathBuf>, printer: Printer) -> Option<Self> {
        (folder.is_some() || printer.verbosity() >= Verbosity::Trace).then_some(Self {
            folder,
            gzip: false,
            printer,
        })
    }
}

/// A file of a dialogue. One that is compressed ends when it is dropped.
#[derive(Debug)]
enum LogFile {
    Plain(BufWriter<File>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
}

impl LogFile {
    fn new(file: BufWriter<File>, gzip: bool) -> Self {
        if gzip {
            Self::Gzip(Box::new(GzEncoder::new(file, Compression::default())))
        } else {
            Self::Plain(file)
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(file) => file,
            Self::Gzip(file) => file,
        }
    }
}

/// The log of one engine process.
#[derive(Debug)]
pub(crate) struct DialogueLog {
    target: LogTarget,
    name: String,
    game: Option<u64>,
    file: Option<LogFile>,
    /// What was said while no game was played.
    before: Vec<u8>,
}

impl DialogueLog {
    pub(crate) fn new(target: &LogTarget, name: &str) -> Self {
        Self {
            target: target.clone(),
            name: name.to_owned(),
            game: None,
            file: None,
            before: Vec::new(),
        }
    }

    /// From now on lines belong to the game of this number, from 1.
    pub(crate) fn begin_game(&mut self, game: u64) {
        self.game = Some(game);
        self.open(&format!("game-{game}"));
    }

    pub(crate) fn sent(&mut self, text: &str) {
        for line in text.lines() {
            self.write('>', line.as_bytes());
        }
        self.flush();
    }

    pub(crate) fn read(&mut self, line: &[u8]) {
        self.write('<', line);
    }

    /// What is wrong with what was read.
    pub(crate) fn remark(&mut self, text: &str) {
        self.write('!', text.as_bytes());
    }

    /// How the process ended.
    pub(crate) fn ended(&mut self, report: &str) {
        self.write('#', report.as_bytes());
        self.flush();
    }

    fn write(&mut self, direction: char, line: &[u8]) {
        let now = jiff::Timestamp::now();
        if self.target.printer.verbosity() >= Verbosity::Trace {
            let game = self
                .game
                .map_or(String::new(), |game| format!(" game {game}"));
            let text = super::printable(&String::from_utf8_lossy(line));
            let name = &self.name;
            let line = format!("{now:.6}{game} {name} {direction} {text}");
            self.target.printer.trace(&line);
        }
        if self.target.folder.is_none() {
            return;
        }
        let start = format!("{now:.6} {direction} ");
        let parts = [start.as_bytes(), line, b"\n"];
        match &mut self.file {
            None if self.before.len() < MOST_BEFORE_A_GAME => {
                for part in parts {
                    self.before.extend_from_slice(part);
                }
            }
            None => {}
            Some(file) => {
                let file = file.writer();
                let written = parts.iter().try_for_each(|part| file.write_all(part));
                self.give_up_on(written.err());
            }
        }
    }

    fn flush(&mut self) {
        if let Some(file) = &mut self.file {
            let flushed = file.writer().flush();
            self.give_up_on(flushed.err());
        }
    }

    /// Writes to the file of this part from now on, and first what was said before.
    fn open(&mut self, part: &str) {
        self.flush();
        self.file = None;
        let Some(folder) = &self.target.folder else {
            return;
        };
        let gzip = self.target.gzip;
        // Engines that were built from a branch may have its name.
        let engine = escaped(&self.name);
        let end = if gzip { ".gz" } else { "" };
        let name = format!("{part}-{engine}.log{end}");
        let file = fs::create_dir_all(folder).and_then(|()| File::create(folder.join(name)));
        match file {
            Ok(file) => {
                let mut file = LogFile::new(BufWriter::new(file), gzip);
                let before = std::mem::take(&mut self.before);
                let written = file.writer().write_all(&before);
                self.file = Some(file);
                self.give_up_on(written.err());
            }
            Err(error) => self.give_up_on(Some(error)),
        }
    }

    fn give_up_on(&mut self, error: Option<std::io::Error>) {
        let (Some(error), Some(folder)) = (error, &self.target.folder) else {
            return;
        };
        let folder = folder.display();
        self.target
            .printer
            .warn(&format!("no log of `{}` in `{folder}`: {error}", self.name));
        self.target.folder = None;
        self.file = None;
    }
}

/// A name as a part of a file's name, another one for each.
fn escaped(name: &str) -> String {
    name.replace('%', "%25")
        .replace('/', "%2F")
        .replace('\\', "%5C")
        .replace('\0', "%00")
}

impl Drop for DialogueLog {
    fn drop(&mut self) {
        // The output of an engine that never came to play is the most useful of all.
        if self.game.is_none() && !self.before.is_empty() {
            self.open("start");
        }
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_of_different_names_have_different_files() {
        assert_eq!(escaped("dev_x"), "dev_x");
        assert_eq!(escaped("dev/x\\\0"), "dev%2Fx%5C%00");
        assert_eq!(escaped("dev%2Fx"), "dev%252Fx");
    }
}
