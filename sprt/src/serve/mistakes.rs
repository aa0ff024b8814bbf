//! The mistakes that a judge found in the games of a run: from counts of `sprt blunders` of this
//! machine.

use std::fs;
use std::path::{Path, PathBuf};

use analysis::Kind;
use analysis::blunders::folder::BlundersRun;
use analysis::blunders::judgement::judged;
use analysis::blunders::plan::BlundersPlan;
use runs::games::Mistakes;
use runs::run_folder::{games_path, read_plan};

/// All mistakes that the counts among `runs` found in the games of `run`; where two judged a move,
/// the first one counts. A count that cannot be read marks nothing: the games are shown all the
/// same.
pub(crate) fn mistakes(runs: impl IntoIterator<Item = PathBuf>, run: &Path) -> Mistakes {
    let Ok(games) = fs::canonicalize(games_path(run)) else {
        return Mistakes::new();
    };
    let mut all = Mistakes::new();
    for count in runs {
        if Kind::of(&count).is_ok_and(|kind| kind == Some(Kind::Blunders))
            && is_about(&count, &games)
        {
            for (key, words) in mistakes_of(&count) {
                all.entry(key).or_insert(words);
            }
        }
    }
    all
}

/// Whether a count is about this file, and no other.
fn is_about(count: &Path, games: &Path) -> bool {
    let is_it = |path: &Path| fs::canonicalize(path).is_ok_and(|path| path == games);
    read_plan::<BlundersPlan>(count).is_ok_and(|plan| match &plan.games[..] {
        [file] => is_it(&file.path),
        _ => false,
    })
}

fn mistakes_of(count: &Path) -> Mistakes {
    let Ok(read) = BlundersRun::read(count) else {
        return Mistakes::new();
    };
    // Numbers of games are those of the file only where none of them was left out.
    if !read.broken.is_empty() {
        return Mistakes::new();
    }
    let thresholds = &read.plan.thresholds;
    let moves = judged(&read.games, &read.plan, &read.judgements, false).into_iter();
    moves
        .filter(|it| it.loss() >= thresholds.mistake)
        .map(|it| {
            let kind = if it.loss() >= thresholds.blunder {
                "blunder"
            } else {
                "mistake"
            };
            // Leiserchess has capitals.
            let mut fields = it.fen.split(' ');
            let is_white = fields.nth(1).is_some_and(|it| it.eq_ignore_ascii_case("w"));
            let words = format!(
                "{kind}: {:.0}% winning chances became {:.0}%; {} prefers {}",
                it.before, it.after, read.plan.judge.name, it.best
            );
            ((it.game as u64 + 1, it.number, is_white), words)
        })
        .collect()
}
