//! Fetches a workload: everything that the server knows about it, into a folder, in the forms that
//! the other commands read.
//!
//! | file | what |
//! |---|---|
//! | `info.json`, `results.json`, `summary.json` | the server's own answers |
//! | `block.txt` | OpenBench's block, of a test or of data generation; `sprt verify` reads it |
//! | `digest.csv`, `inputs.txt`, `outputs.txt` | of a tune; `tuner apply` reads `digest.csv` |
//! | `history.jsonl` | of a tune: its values at each fetch, for `tuner report` |
//! | `games.pgn` | the games, where they are kept |

pub mod archive;

use std::path::{Path, PathBuf};

use foundation::{Failure, Printer, failure::OrUnable, files};
use serde::Serialize;
use serde_json::Value;
use stats::block::Block;
use stats::{Model, Pentanomial, Test, Wdl};

use crate::read::api::{self, Info};
use crate::read::page;
use crate::session::Session;
use archive::{Unpacked, Wait};
use openbench_command::digest::{self, Tuned};
use openbench_command::history::{self, Moment};
use openbench_command::workload::Kind;

/// What was fetched.
#[derive(Clone, Debug, Serialize)]
pub struct Fetched {
    pub id: u64,
    pub kind: &'static str,
    pub folder: PathBuf,
    pub files: Vec<&'static str>,
    pub games: Option<Unpacked>,
    pub block: Option<String>,
    pub tuned: Vec<Tuned>,
}

/// Fetches into `folder`, which may be there from an earlier time; each file is replaced as a
/// whole.
pub async fn fetch(
    session: &mut Session,
    id: u64,
    folder: &Path,
    wait: Option<Wait>,
    printer: Printer,
) -> Result<Fetched, Failure> {
    let raw = session.json(&format!("/api/workload/{id}/info/")).await?;
    let info: Info = api::part(raw.clone(), Some("info"))?;
    std::fs::create_dir_all(folder).or_unable(format_args!("create `{}`", folder.display()))?;
    let mut home = Home {
        folder,
        files: Vec::new(),
    };
    home.write("info.json", &pretty(&raw))?;
    for (name, query) in [("results.json", "results"), ("summary.json", "summary")] {
        let value = session
            .json(&format!("/api/workload/{id}/{query}/"))
            .await?;
        home.write(name, &pretty(&value))?;
    }
    let mut tuned = Vec::new();
    let mut printed = None;
    if info.kind() == Kind::Tune {
        for (name, query) in [
            ("digest.csv", "digest"),
            ("inputs.txt", "inputs"),
            ("outputs.txt", "outputs"),
        ] {
            let text = session.text(&format!("/api/spsa/{id}/{query}/")).await?;
            if query == "digest" {
                tuned = digest::parse(&text)?;
            }
            home.write(name, &format!("{}\n", text.trim_end()))?;
            if query == "digest" {
                let progress = page::progress(&session.page(&Kind::Tune.path(id), &[]).await?);
                let finished = info.finished;
                let moment = Moment::new(info.games, info.penta, finished, progress, &text);
                history::add(folder, moment)?;
                home.files.push(history::FILE);
            }
        }
    } else {
        let text = block(&info)?;
        home.write("block.txt", &format!("{text}\n"))?;
        printed = Some(text);
    }
    let games = match wait {
        Some(wait) => {
            archive::fetch(session, &info, &folder.join("games.pgn"), wait, printer).await?
        }
        None => None,
    };
    if games.is_some() {
        home.files.push("games.pgn");
    }
    Ok(Fetched {
        id,
        kind: info.kind().word(),
        folder: folder.to_owned(),
        files: home.files,
        games,
        block: printed,
        tuned,
    })
}

struct Home<'a> {
    folder: &'a Path,
    files: Vec<&'static str>,
}

impl Home<'_> {
    fn write(&mut self, name: &'static str, text: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        files::replace(&path, text)?;
        self.files.push(name);
        Ok(())
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// The block that the server's page copies.
pub fn block(info: &Info) -> Result<String, Failure> {
    let [losses, draws, wins] = info.tri;
    let (pairs, games) = (
        Pentanomial(info.penta),
        Wdl {
            wins,
            losses,
            draws,
        },
    );
    let test = match info.test_mode.as_str() {
        "SPRT" => {
            let model = if info.use_penta {
                Model::Normalized
            } else {
                Model::Bayesian
            };
            Some(Test::new(
                info.elolower,
                info.eloupper,
                info.alpha,
                info.beta,
                model,
            )?)
        }
        _ => None,
    };
    let option = |name: &str| {
        let word = info
            .dev_options
            .split_whitespace()
            .find_map(|word| word.strip_prefix(name));
        word.and_then(|value| value.parse().ok()).unwrap_or(1)
    };
    let control = &info.dev_time_control;
    let limit = if control.contains('=') {
        control.clone()
    } else {
        format!("{control}s")
    };
    let block = Block {
        pairs: &pairs,
        games: &games,
        test: test.as_ref(),
        limit: &limit,
        threads: option("Threads="),
        hash: option("Hash="),
        // The server's counts do not include faults.
        faults: [0; 2],
    };
    Ok(block.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_test_gives_the_block_of_its_page() {
        let value: Value =
            serde_json::from_str(include_str!("../tests/data/info.json")).expect("JSON");
        let info: Info = serde_json::from_value(value["info"].clone()).expect("a workload");
        assert_eq!(
            block(&info).expect("a block"),
            "Elo   | 333.75 +- 12.81 (95%)\n\
             SPRT  | 1.0+0.01s Threads=1 Hash=16MB\n\
             LLR   | 17.90 (-2.94, 2.94) [-5.00, 0.00]\n\
             Games | N: 2016 W: 1504 L: 3 D: 509\n\
             Penta | [0, 2, 3, 503, 500]"
        );
    }
}
