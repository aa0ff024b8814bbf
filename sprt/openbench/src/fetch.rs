//! Fetches a workload: everything that the server knows about it, into a folder, in the forms that
//! the other commands read.
//!
//! | file | what |
//! |---|---|
//! | `info.json`, `results.json`, `summary.json` | the server's own answers |
//! | `block.txt` | OpenBench's block with the address of the workload, of a test or of data generation; `sprt verify` reads it |
//! | `proof.txt` | of a test that passed and not by copies, in a clone with its commits: the trailer that binds it to its commit |
//! | `digest.csv`, `inputs.txt`, `outputs.txt` | of a tune; `tuner apply` reads `digest.csv` |
//! | `history.jsonl` | of a tune: its values at each fetch, for `tuner report` |
//! | `games.pgn` | the games, where they are kept |

pub mod archive;
mod home;
mod missing;
mod proof;

use std::path::{Path, PathBuf};

use foundation::{Failure, Printer};
use serde::Serialize;
use serde_json::Value;

use crate::block::{block, test_of};
use crate::form::copies;
use crate::read::api::{self, Info, MachineResult};
use crate::session::Session;
use archive::{Unpacked, Wait};
use home::{Home, PROOF};
pub use missing::Missing;
use openbench_command::digest::{self, Tuned};
use openbench_command::history::{self, Moment};
use openbench_command::repetition::Repetition;
use openbench_command::workload::Kind;
use stats::Test;

/// What was fetched.
#[derive(Clone, Debug, Serialize)]
pub struct Fetched {
    pub id: u64,
    pub kind: &'static str,
    pub folder: PathBuf,
    pub files: Vec<&'static str>,
    pub games: Option<Unpacked>,
    /// The games that the server counted and the archive lacks.
    pub missing: Option<Missing>,
    /// Which of the games are copies; `None` for a tune, whose values differ from game to game.
    pub repetition: Option<Repetition>,
    /// What the copies do to the result.
    pub evidence: Option<String>,
    pub block: Option<String>,
    pub url: String,
    /// The trailer that binds a passed test to its commit, for the message.
    pub proof: Option<String>,
    /// Why a test that passed has no such trailer.
    pub no_proof: Option<String>,
    pub tuned: Vec<Tuned>,
}

/// Fetches into `folder`, which may exist from an earlier fetch; each file is replaced as a whole.
pub async fn fetch(
    session: &mut Session,
    id: u64,
    folder: &Path,
    wait: Option<Wait>,
    printer: Printer,
) -> Result<Fetched, Failure> {
    let raw = session.json(&format!("/api/workload/{id}/info/")).await?;
    let info: Info = api::part(raw.clone(), Some("info"))?;
    let mut home = Home::open(folder, &info)?;
    home.write("info.json", &pretty(&raw))?;
    let results = session
        .json(&format!("/api/workload/{id}/results/"))
        .await?;
    home.write("results.json", &pretty(&results))?;
    let machines: Vec<MachineResult> = api::part(results, Some("results"))?;
    if let Some(summary) = session.summary(id).await? {
        home.write("summary.json", &pretty(&summary))?;
    }
    let url = session.server().url(&info.kind().path(id)).to_string();
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
                let progress = session.progress(id).await?;
                let finished = info.finished;
                let moment = Moment::new(info.games, info.penta, finished, progress, &text);
                history::add(folder, moment)?;
                home.files.push(history::FILE);
            }
        }
    } else {
        let text = format!("{}\n{url}", block(&info)?);
        home.write("block.txt", &format!("{text}\n"))?;
        printed = Some(text);
    }
    let games = match wait {
        Some(wait) => {
            archive::fetch(session, &info, &folder.join("games.pgn"), wait, printer).await?
        }
        None => None,
    };
    let mut missing = None;
    let mut repetition = None;
    if let Some(unpacked) = &games {
        home.files.push("games.pgn");
        missing = Missing::of(&machines, &unpacked.by_result);
        if info.kind() != Kind::Tune {
            repetition = Some(Repetition::read(&folder.join("games.pgn"))?);
        }
    }
    let test = test_of(&info)?;
    let counted = test.as_ref().map(|test| (test, info.currentllr));
    let evidence = repetition.as_ref().map(|found| found.sentence(counted));
    // Last, when the games have been looked at: whoever finds the file takes it for established.
    let mut bound = None;
    let mut no_proof = None;
    if info.kind() == Kind::Test && info.passed {
        let counted = repetition.as_ref().filter(|_| missing.is_none());
        let proof = match doubt(&info, counted, test.as_ref(), wait.is_some()) {
            Some(doubt) => Err(doubt),
            None => proof::proof(&raw, &url, Path::new("."))?,
        };
        match proof {
            Ok(proof) => {
                home.write(PROOF, &format!("{proof}\n"))?;
                bound = Some(proof.to_string());
            }
            Err(why) => no_proof = Some(why),
        }
    }
    Ok(Fetched {
        id,
        kind: info.kind().word(),
        folder: folder.to_owned(),
        files: home.files,
        games,
        missing,
        repetition,
        evidence,
        block: printed,
        url,
        proof: bound,
        no_proof,
        tuned,
    })
}

/// Why a test that passed proves nothing although its sources are known; `games` are all that were
/// counted, if they are here, but some of them may be unreadable.
fn doubt(
    info: &Info,
    games: Option<&Repetition>,
    test: Option<&Test>,
    is_wanted: bool,
) -> Option<String> {
    if let Some(games) = games {
        if test.is_some_and(|test| games.is_deciding(test, info.currentllr)) {
            return Some("copies of games decide the test".to_owned());
        }
        if games.left_out == 0 {
            return None;
        }
    }
    if !copies::are_likely(&info.dev_time_control, &info.dev_options) {
        return None;
    }
    let what = if info.upload_pgns == "FALSE" {
        "the server does not keep its games; submit another with `--upload-pgns COMPACT`"
    } else if is_wanted {
        "the archive does not have all of them; fetch it again later, or submit another"
    } else {
        "fetch it without `--no-games`"
    };
    Some(format!(
        "copies of games may decide a test at fixed nodes or depth, and only its games tell: {what}"
    ))
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs that the new engine wins, the first of them so often, and then a torn game if there is one.
    fn games(copies: usize, is_torn: bool) -> Repetition {
        let game = |pair: usize, round: usize| {
            let opening = if pair < copies { 0 } else { pair };
            let (white, black, result) = [("dev", "base", "1-0"), ("base", "dev", "0-1")][round];
            format!(
                "[White \"TinyRust-{white}\"]\n[Black \"TinyRust-{black}\"]\n[Result \"{result}\"]\n\
                 [FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 {}\"]\n\n1. Kd2 Kd7 {result}\n\n",
                opening + 1
            )
        };
        let pairs = (0..400).flat_map(|pair| [game(pair, 0), game(pair, 1)]);
        let mut text: String = pairs.collect();
        if is_torn {
            text.push_str("[Event \"a\"]\n[Result \"1-0\"]\n\n1. Kd2 {torn");
        }
        Repetition::of(text.as_bytes()).expect("games")
    }

    #[test]
    fn copies_decide_a_test_also_where_a_game_is_torn() {
        let recorded = include_str!("../tests/data/info.json");
        let recorded: Value = serde_json::from_str(recorded).expect("JSON");
        let said = |limit: &str, games: &Repetition| {
            let mut info = recorded.clone();
            for side in ["dev", "base"] {
                info["info"][format!("{side}_time_control")] = limit.into();
            }
            let mut info: Info = api::part(info, Some("info")).expect("a test");
            info.currentllr = 2.96;
            let test = test_of(&info).expect("a test");
            doubt(&info, Some(games), test.as_ref(), true)
        };
        for is_torn in [false, true] {
            let games = games(400, is_torn);
            assert_eq!(games.left_out, u64::from(is_torn));
            let told = said("8.0+0.08", &games).expect("a doubt");
            assert!(told.contains("copies of games decide"), "{told}");
        }
        assert_eq!(said("8.0+0.08", &games(1, true)), None);
        assert_eq!(said("N=2000", &games(1, false)), None);
        assert!(said("N=2000", &games(1, true)).is_some_and(|told| told.contains("all of them")));
    }
}
