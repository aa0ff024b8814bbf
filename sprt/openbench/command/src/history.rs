//! A tune's values at each fetch: the server keeps only the last ones.
//!
//! `history.jsonl` has a line for each fetch that found more games than the one before, with the
//! digest as the server printed it.

use std::io::ErrorKind;
use std::path::Path;

use foundation::{Failure, failure::OrUnable, files};
use serde::{Deserialize, Serialize};

use crate::digest::{self, Tuned};

/// The file's name in the folder of a fetched tune.
pub const FILE: &str = "history.jsonl";

/// The progress of a tune, which the server shows only on its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    pub iteration: u64,
    pub iterations: u64,
    pub games: u64,
    pub games_planned: u64,
}

/// One fetch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    pub games: u64,
    /// Losses, draws and so on of the pairs so far, of the perturbed sides against each other.
    pub penta: [u64; 5],
    pub finished: bool,
    /// From the tune's page; none if it could not be read.
    pub iterations: Option<u64>,
    pub games_planned: Option<u64>,
    digest: String,
}

impl Moment {
    pub fn new(
        games: u64,
        penta: [u64; 5],
        finished: bool,
        progress: Option<Progress>,
        digest: &str,
    ) -> Self {
        Self {
            games,
            penta,
            finished,
            iterations: progress.map(|progress| progress.iterations),
            games_planned: progress.map(|progress| progress.games_planned),
            digest: digest.trim_end().to_owned(),
        }
    }

    pub fn tuned(&self) -> Result<Vec<Tuned>, Failure> {
        digest::parse(&self.digest)
    }
}

/// The fetches so far, oldest first; none where there is no such file.
pub fn read(folder: &Path) -> Result<Vec<Moment>, Failure> {
    let path = folder.join(FILE);
    let shown = path.display();
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.or_unable(format_args!("read `{shown}`"))?,
    };
    let lines = text.lines().enumerate();
    lines
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| {
                Failure::unable(format!("`{shown}`, line {}: {error}", index + 1))
                    .hint("delete the line, or fetch into another folder")
            })
        })
        .collect()
}

/// Adds a fetch; one that found nothing new takes the place of the last.
pub fn add(folder: &Path, moment: Moment) -> Result<(), Failure> {
    let mut moments = read(folder)?;
    if moments
        .last()
        .is_some_and(|last| last.games == moment.games)
    {
        moments.pop();
    }
    moments.push(moment);
    let lines = moments
        .iter()
        .map(|moment| serde_json::to_string(moment).or_unable("write JSON"))
        .collect::<Result<Vec<_>, _>>()?;
    files::replace(&folder.join(FILE), format!("{}\n", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\n\
        RfpMargin,84.5000,75,20,200,15.3690,9.5000,0.0028,0.0020\n";

    #[test]
    fn each_fetch_with_more_games_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read(folder.path()).expect("none"), []);
        for games in [16, 32, 32, 64] {
            let moment = Moment::new(games, [0, 1, 2, 3, 4], false, None, DIGEST);
            add(folder.path(), moment).expect("added");
        }
        let moments = read(folder.path()).expect("a history");
        let games: Vec<u64> = moments.iter().map(|moment| moment.games).collect();
        assert_eq!(games, [16, 32, 64]);
        assert_eq!(moments[0].tuned().expect("values")[0].value, 84.5);
        std::fs::write(folder.path().join(FILE), "{}\n").expect("written");
        let failure = read(folder.path()).expect_err("no history");
        assert!(failure.message().contains("line 1"), "{failure}");
    }
}
