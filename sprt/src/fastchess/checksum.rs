//! The line with the checksum of the file of games, as fastchess prints it whenever it has written.

use std::io::Write;
use std::path::Path;

use foundation::file_crc32::FileCrc32;
use foundation::{Failure, failure::OrUnable};
use runs::report::{Event, Reporter};

/// Writes the lines.
pub(crate) struct Checksum<W> {
    out: W,
    name: String,
    file: FileCrc32,
}

impl<W> Checksum<W> {
    pub(crate) fn open(out: W, path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let file = FileCrc32::open(path).or_unable(format_args!("read `{name}`"))?;
        Ok(Self { out, name, file })
    }
}

impl<W: Write> Reporter for Checksum<W> {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        if let Event::PairFinished(_) = event {
            let checksum = self.file.checksum();
            let checksum = checksum.or_unable(format_args!("read `{}`", self.name))?;
            let line = format!("File {} has CRC32: {checksum:#x}\n", self.name);
            self.out
                .write_all(line.as_bytes())
                .and_then(|()| self.out.flush())
                .or_unable("write to stdout")?;
        }
        Ok(())
    }
}
