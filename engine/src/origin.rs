//! What the data in a folder were made with, in a text file beside them: a folder is continued with
//! the same network, options, book, seed and nodes only.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use crate::checksum;
use crate::params::SPECS;
use crate::search::job::Settings;
use crate::techniques::PruningMode;

const FILE: &str = "settings.txt";
const CHUNK: u64 = 1 << 20;

/// Names and values that decide what data a command makes.
pub struct Origin(Vec<(&'static str, String)>);

impl Origin {
    /// The options that change a search at fixed nodes.
    pub fn of(settings: &Settings) -> Self {
        let network = settings.network.as_ref();
        let network = network.map_or("<none>".to_owned(), |it| digest(it.checksum()));
        let tables = settings.tablebase.as_ref();
        let tables = tables.map_or("<empty>".to_owned(), |it| format!("{} pieces", it.pieces()));
        let mut options = Vec::new();
        if settings.multi_pv != 1 {
            options.push(format!("MultiPV={}", settings.multi_pv));
        }
        let mode = PruningMode::ALL.iter().find(|it| it.1 == settings.pruning);
        if let Some((name, _)) = mode.filter(|it| it.1 != PruningMode::default()) {
            options.push(format!("Pruning={name}"));
        }
        if settings.tablebase.is_some() {
            options.push(format!("SyzygyProbeDepth={}", settings.probe_depth));
        }
        for (index, spec) in SPECS.iter().enumerate() {
            let value = settings.params.get(index);
            if value != spec.default {
                options.push(format!("{}={value}", spec.name));
            }
        }
        if options.is_empty() {
            options.push("default".to_owned());
        }
        Self(vec![
            ("EvalFile", network),
            ("SyzygyPath", tables),
            ("options", options.join(" ")),
        ])
    }

    /// With one more value.
    pub fn with(mut self, name: &'static str, value: String) -> Self {
        self.0.push((name, value));
        self
    }

    /// Compares this with the file of a folder, which is made where there are no data yet. Whether
    /// the data have one.
    pub fn settle(&self, folder: &Path, has_data: bool) -> Result<bool, String> {
        let path = folder.join(FILE);
        let describe = |error: std::io::Error| format!("{}: {error}", path.display());
        let opened = OpenOptions::new()
            .read(true)
            .append(true)
            .create(!has_data)
            .open(&path);
        let mut file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound && has_data => return Ok(false),
            Err(error) => return Err(describe(error)),
        };
        // Others that begin at the same time wait here, and find the settings of the first.
        file.lock().map_err(describe)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(describe)?;
        if text.is_empty() {
            if has_data {
                return Ok(false);
            }
            let lines = self
                .0
                .iter()
                .map(|(name, value)| format!("{name} {value}\n"));
            file.write_all(lines.collect::<String>().as_bytes())
                .map_err(describe)?;
            return Ok(true);
        }
        let found: Vec<(&str, &str)> = text.lines().filter_map(|it| it.split_once(' ')).collect();
        for (name, value) in &self.0 {
            if let Some((_, other)) = found.iter().find(|it| it.0 == *name && it.1 != *value) {
                return Err(format!(
                    "{}: expected data made with {name} {value}, got {name} {other}; choose \
                     another folder or the settings of before, or remove this file if there are no \
                     data beside it",
                    path.display()
                ));
            }
        }
        Ok(true)
    }
}

/// The line that says that nothing is known of the data in a folder.
pub fn unknown(command: &str, folder: &Path) -> String {
    format!(
        "info string {command}: {} has no {FILE}, so that nobody checks whether its data were made \
         with the settings of this command",
        folder.display()
    )
}

/// What the data in a folder were made with, in short.
pub fn of_folder(folder: &Path) -> Result<String, String> {
    let path = folder.join(FILE);
    if path.exists() {
        digest_of(&path)
    } else {
        Ok("unknown".to_owned())
    }
}

/// What a book is known by.
pub fn book(path: Option<&str>) -> Result<String, String> {
    path.map_or(Ok("None".to_owned()), |path| digest_of(Path::new(path)))
}

fn digest_of(path: &Path) -> Result<String, String> {
    let describe = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut file = File::open(path).map_err(describe)?;
    if !file.metadata().map_err(describe)?.is_file() {
        return Err(format!("{}: expected a file", path.display()));
    }
    let mut sum = checksum::START;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        (&mut file)
            .take(CHUNK)
            .read_to_end(&mut bytes)
            .map_err(describe)?;
        if bytes.is_empty() {
            return Ok(digest(sum));
        }
        sum = checksum::mix_bytes(sum, &bytes);
    }
}

fn digest(sum: u64) -> String {
    format!("{sum:016x}")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Barrier;
    use std::thread;

    use super::*;
    use crate::datagen::tests::Folder;

    #[test]
    fn of_commands_that_begin_at_once_those_with_the_same_settings_go_on() {
        const COMMANDS: usize = 8;
        let folder = Folder::new("settle");
        fs::create_dir_all(folder.path()).unwrap();
        let barrier = Barrier::new(COMMANDS);
        let settle = |every: usize| {
            let origin = Origin(vec![
                ("EvalFile", "x".repeat(5_000)),
                ("every", every.to_string()),
            ]);
            barrier.wait();
            origin.settle(folder.path(), false)
        };
        let mut settled = Vec::new();
        thread::scope(|scope| {
            let settle = &settle;
            let commands = (0..COMMANDS).map(|number| scope.spawn(move || settle(number % 2)));
            for (number, command) in commands.collect::<Vec<_>>().into_iter().enumerate() {
                if command.join().unwrap().is_ok() {
                    settled.push(number % 2);
                }
            }
        });
        assert_eq!(settled, [settled[0]; COMMANDS / 2]);
        let text = fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(
            text.ends_with(&format!("\nevery {}\n", settled[0])),
            "{text}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
