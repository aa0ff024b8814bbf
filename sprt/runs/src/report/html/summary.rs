//! How a run stands: verdict, figures, what is still to come.

use std::fmt::Write as _;

use plot::escape;
use stats::Summary;

use super::parts::{self, number};
use crate::activity::now;
use crate::analysis::Analysis;
use crate::report::MatchState;
use crate::report::outlook::{self, Outlook, speed};
use crate::report::verdict::sentence;
use crate::status::Status;

/// What the figures of a page mean.
const MEANINGS: [(&str, &str); 9] = [
    (
        "LLR",
        "log-likelihood ratio of H1 to H0: above its upper bound H1 is accepted, below its lower bound H0. Both are \
         strengths near the bounds of the test, so the ratio moves slowly even where Elo is far from both.",
    ),
    (
        "Elo ± (95%)",
        "of the new engine against the base, as in OpenBench's block. The interval takes the number of games as given \
         and is wide after few of them (Student's distribution).",
    ),
    (
        "allowing for the stopping rule",
        "a test that ends when the result looks good overstates it. This estimate corrects that. It takes a normal \
         distribution, so after few games its interval may be the narrower one.",
    ),
    (
        "H1 46%, H0 54%",
        "the chance of each end of the test, averaged over all strengths that the games so far allow.",
    ),
    (
        "normalized Elo",
        "the difference in units of the spread of results: what decides how many games a test takes, and the unit of \
         the bounds unless --model says otherwise.",
    ),
    (
        "likelihood that the new engine is the stronger one",
        "the chance that the new engine is the stronger one, judging by these games alone.",
    ),
    (
        "expected under H0, H1",
        "how many pairs would have brought so many points, had the new engine just the strength of H0 or of H1.",
    ),
    (
        "White won both: the opening decided",
        "of the two games from one opening each engine won one, with the same colour: the pair says nothing about \
         them. Where most pairs are such, a more balanced book would decide sooner.",
    ),
    (
        "depth, time, speed by move",
        "averages of what the engines themselves reported; numbers of moves that less than 5% of the games reached \
         are left out.",
    ),
];

/// Difference of the engines, verdict, and figures.
pub fn summary(analysis: &Analysis) -> String {
    let mut page = String::new();
    if let Some(difference) = analysis.plan.difference() {
        let _ = writeln!(
            page,
            "<p class=\"difference\">Settings, base → new: {}</p>",
            escape(&difference.replace(" -> ", " → "))
        );
    }
    parts::verdict(
        &mut page,
        &sentence(&state(analysis), analysis.status),
        analysis.status,
    );
    cards(&mut page, analysis);
    page
}

fn cards(page: &mut String, analysis: &Analysis) {
    let standing = &analysis.standing;
    let summary = standing
        .summary()
        .filter(|_| standing.tally().pairs_played() > 0);
    let Some(summary) = summary else {
        page.push_str("<p class=\"note\">No pair of games is finished yet.</p>\n");
        return;
    };
    let tally = standing.tally();
    let (lower, upper) = standing.bounds();
    let ratio = standing.test().map(|test| {
        (
            number(summary.llr, 2),
            format!(
                "LLR between {lower:.2} and {upper:.2}, for [{:.2}, {:.2}] {}",
                test.elo0,
                test.elo1,
                test.model.name()
            ),
        )
    });
    let games = tally.wdl.games();
    let mut cards: Vec<(String, String)> = ratio.into_iter().collect();
    cards.extend([
        (elo(summary), "Elo with its 95% interval".to_owned()),
        (
            summary.nelo.map_or_else(
                || "n/a".to_owned(),
                |nelo| format!("{nelo:.1} ± {}", number(summary.nelo_margin, 1)),
            ),
            "normalized Elo".to_owned(),
        ),
        (
            summary.los.map_or_else(|| "n/a".to_owned(), likelihood),
            "likelihood that the new engine is the stronger one".to_owned(),
        ),
        (
            standing
                .max_games()
                .map_or_else(|| games.to_string(), |most| format!("{games}/{most}")),
            format!(
                "games: {} won, {} lost, {} drawn",
                tally.wdl.wins, tally.wdl.losses, tally.wdl.draws
            ),
        ),
    ]);
    cards.extend(time(analysis));
    parts::cards(page, "cards six", &cards);
}

/// The time that is left, or the time that it took.
fn time(analysis: &Analysis) -> Option<(String, String)> {
    let standing = &analysis.standing;
    let games = standing.tally().wdl.games();
    let (activity, now) = (analysis.activity.as_ref(), now());
    let speed_now = activity.and_then(|activity| activity.games_per_second(games, now));
    let pace = speed_now.map(|games| format!("at {}", speed(games)));
    let taken = activity.map(|activity| outlook::taken(activity.seconds(now)));
    let goes_on = matches!(analysis.status, Status::Running | Status::Pausing(_));
    let outlook = Outlook::of(standing, speed_now).filter(|_| goes_on);
    let Some(outlook) = outlook else {
        return taken.map(|taken| {
            (
                taken,
                ["played".to_owned()]
                    .into_iter()
                    .chain(pace)
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        });
    };
    let words: Vec<String> = outlook
        .at_most()
        .into_iter()
        .chain(pace)
        .chain(outlook.chances())
        .chain(taken.map(|taken| format!("{taken} played")))
        .collect();
    Some((outlook.expected(), words.join("; ")))
}

/// Explains the figures, folded until the reader opens it.
pub(crate) fn meanings(page: &mut String) {
    page.push_str("<details class=\"beside\"><summary>What these figures mean</summary><dl>");
    for (name, meaning) in MEANINGS {
        let _ = write!(page, "<dt>{name}<dd>{meaning}");
    }
    page.push_str("</dl></details>");
}

/// Never 0% or 100%: no number of games makes it certain.
fn likelihood(share: f64) -> String {
    match 100.0 * share {
        percent if percent < 0.1 => "<0.1%".to_owned(),
        percent if percent > 99.9 => ">99.9%".to_owned(),
        percent => format!("{percent:.1}%"),
    }
}

fn elo(summary: &Summary) -> String {
    // Without an interval the value says nothing of the strength.
    summary.elo.with_larger_side().map_or_else(
        || "n/a".to_owned(),
        |(value, margin)| format!("{value:+.1} ± {margin:.1}"),
    )
}

fn state(analysis: &Analysis) -> MatchState<'_> {
    MatchState {
        plan: &analysis.plan,
        run: &analysis.run,
        standing: &analysis.standing,
    }
}
