//! What the data in a folder were made with, in a text file beside them: a folder is continued with
//! the same network, options and book only. Seed and nodes are in each file of data.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
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

    /// Writes the file into a folder without data. Data are compared with their file; whether they
    /// have one.
    pub fn settle(&self, folder: &Path, has_data: bool) -> Result<bool, String> {
        let path = folder.join(FILE);
        let describe = |error: std::io::Error| format!("{}: {error}", path.display());
        if !has_data {
            let lines = self.0.iter().map(|(name, value)| format!("{name} {value}"));
            let text = lines.collect::<Vec<_>>().join("\n") + "\n";
            // Other processes with the same settings may do so at the same time.
            let unfinished = folder.join(format!("settings.{}", std::process::id()));
            fs::write(&unfinished, text)
                .and_then(|()| fs::rename(&unfinished, &path))
                .map_err(describe)?;
            return Ok(true);
        }
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(describe(error)),
        };
        let found: Vec<(&str, &str)> = text.lines().filter_map(|it| it.split_once(' ')).collect();
        for (name, value) in &self.0 {
            if let Some((_, other)) = found.iter().find(|it| it.0 == *name && it.1 != *value) {
                return Err(format!(
                    "{}: expected data made with {name} {value}, got {name} {other}; choose \
                     another folder, or the settings of before",
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

/// What a book is known by.
pub fn book(path: Option<&str>) -> Result<String, String> {
    let Some(path) = path else {
        return Ok("None".to_owned());
    };
    let describe = |error: std::io::Error| format!("{path}: {error}");
    let mut file = File::open(path).map_err(describe)?;
    if !file.metadata().map_err(describe)?.is_file() {
        return Err(format!("{path}: expected a file"));
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
