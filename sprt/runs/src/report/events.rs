//! All events of a run as JSON Lines, for programs that follow it.
//!
//! Each line is an object with `type`. The first has `schema` ("sprt-events") and `version`, and is
//! there as soon as the file is. Members are only ever added within a version; unknown types and
//! members are to be ignored.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use foundation::{Failure, failure::OrUnable};
use serde::Serialize;

use super::{Event, Reporter};

const SCHEMA: &str = "sprt-events";
const VERSION: u32 = 1;

/// Where the lines go.
pub struct Events {
    /// As on the command line.
    file: PathBuf,
    out: Box<dyn Write>,
}

/// The first line.
#[derive(Serialize)]
struct Header {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'static str,
    version: u32,
}

impl Events {
    /// Begins the file anew; `-` is standard output.
    pub fn create(file: &Path) -> Result<Self, Failure> {
        let out: Box<dyn Write> = if is_stdout(file) {
            Box::new(io::stdout())
        } else {
            let file = File::create(file)
                .or_unable(format_args!("write events to `{}`", file.display()))
                .map_err(|failure| {
                    failure.hint("name a file that you may write to with --events")
                })?;
            Box::new(BufWriter::new(file))
        };
        let mut events = Self {
            file: file.to_owned(),
            out,
        };
        events.write(&Header {
            kind: "header",
            schema: SCHEMA,
            version: VERSION,
        })?;
        Ok(events)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_string(line).or_unable("write an event as JSON")?;
        text.push('\n');
        // A line is there as soon as it happened.
        let written = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
        match written {
            // Whoever read the events has had enough; the run goes on.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.out = Box::new(io::sink());
                Ok(())
            }
            written => written.or_unable(format_args!("write events to `{}`", self.file.display())),
        }
    }
}

/// Whether events go where results go.
pub fn is_stdout(file: &Path) -> bool {
    file == Path::new("-")
}

impl Reporter for Events {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        self.write(event)
    }

    fn wants_live(&self) -> bool {
        true
    }
}
