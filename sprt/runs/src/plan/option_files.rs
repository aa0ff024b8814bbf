//! Files that options of an engine name, by their content: a network keeps its name when it is
//! exchanged.

use std::path::Path;

use foundation::digest;

/// The options whose values are files, each with the SHA-256 of its file. `folder` is where the
/// engine runs.
pub fn option_files(options: &[(String, String)], folder: Option<&Path>) -> Vec<(String, String)> {
    let folder = folder.unwrap_or(Path::new("."));
    let files = options.iter().filter_map(|(name, value)| {
        let path = folder.join(value);
        // A number is none, whatever lies in the folder.
        let is_file = value.parse::<f64>().is_err() && path.is_file();
        // Trouble with the file is for the engine to tell.
        let digest = is_file.then(|| digest::of_file_cached(&path).ok())?;
        Some((name.clone(), digest?))
    });
    files.collect()
}
