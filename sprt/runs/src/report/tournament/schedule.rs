//! Who meets whom: the bracket of a knock-out, and what is still to be played.

use foundation::counted;
use std::fmt::Write as _;

use plot::escape;

use crate::report::outlook::duration;
use crate::tournament::{StageFigures, TournamentPlan, TournamentStanding};

/// Pairings that are listed; of the others only the number is shown.
const LISTED: usize = 100;

/// The stages of a knock-out.
pub(super) fn bracket(page: &mut String, stages: &[StageFigures]) {
    if stages.is_empty() {
        return;
    }
    page.push_str("<section><h2>Bracket</h2><div class=\"charts\">");
    for stage in stages {
        let _ = write!(
            page,
            "<div class=\"scroll\" tabindex=\"0\"><table class=\"figures\"><thead><tr><th>{}<th>points<th>tie-breaks</tr></thead><tbody>",
            escape(&stage.name)
        );
        for played in &stage.matches {
            let Some(second) = &played.second else {
                let first = escape(&played.first);
                let _ = write!(
                    page,
                    "<tr><th><b>{first}</b> without an opponent<td><td></tr>"
                );
                continue;
            };
            let side = |name: &String| {
                if played.winner.as_ref() == Some(name) {
                    format!("<b>{}</b>", escape(name))
                } else {
                    escape(name)
                }
            };
            let _ = write!(
                page,
                "<tr><th>{} – {}<td>{} : {}<td>{}</tr>",
                side(&played.first),
                side(second),
                points(played.points[0]),
                points(played.points[1]),
                played.tie_breaks
            );
        }
        page.push_str("</tbody></table></div>");
    }
    page.push_str("</div></section>\n");
}

/// How long a tournament takes from now on, as a figure and its words; `None` where nothing is left
/// or nothing is known.
pub(super) fn to_go(
    standing: &TournamentStanding,
    games_per_second: Option<f64>,
) -> Option<(String, String)> {
    let pairs = standing.schedule().pairs_left();
    let speed = games_per_second.filter(|speed| *speed > 0.0)?;
    if pairs == 0 || standing.is_over() {
        return None;
    }
    let words = match standing.schedule().bracket() {
        Some(_) => "to go in this stage",
        None => "to go",
    };
    let time = duration(2.0 * pairs as f64 / speed);
    Some((format!("~{time}"), format!("{words}; {} games", 2 * pairs)))
}

/// The pairings that have games to play now, in their order.
pub(super) fn coming(page: &mut String, plan: &TournamentPlan, standing: &TournamentStanding) {
    if standing.is_over() {
        return;
    }
    let meetings = standing.schedule().meetings();
    let open: Vec<_> = meetings
        .filter(|(_, [played, pairs])| played < pairs)
        .collect();
    page.push_str(
        "<section><h2>Schedule</h2><div class=\"scroll\" tabindex=\"0\"><table class=\"figures\">\
         <thead><tr><th>pairing<th>games<th>of</tr></thead><tbody>",
    );
    for ([first, second], [played, pairs]) in open.iter().take(LISTED) {
        let _ = write!(
            page,
            "<tr><th>{} – {}<td>{}<td>{}</tr>",
            escape(plan.name(*first)),
            escape(plan.name(*second)),
            2 * played,
            2 * pairs
        );
    }
    page.push_str("</tbody></table></div>");
    if open.len() > LISTED {
        let more = open.len() - LISTED;
        let _ = write!(
            page,
            "<p class=\"note\">and {}</p>",
            counted(more, "more pairing")
        );
    }
    if let Some((turn, turns)) = standing.schedule().turns()
        && turn < turns
    {
        let _ = write!(
            page,
            "<p class=\"note\">turn {turn} of {turns}; who meets whom in the next one follows from \
             the results</p>"
        );
    }
    page.push_str("</section>\n");
}

/// `7` or `7½`.
pub(super) fn points(points: f64) -> String {
    let whole = points.trunc();
    let half = if points > whole { "½" } else { "" };
    if whole == 0.0 && !half.is_empty() {
        half.to_owned()
    } else {
        format!("{whole}{half}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::tests::game;
    use crate::tournament::plan::tests::plan;
    use crate::tournament::{Format, Kind};
    use engine_client::Color;
    use referee::arena::EndKind;

    fn after(pairs: usize, kind: Kind) -> (TournamentPlan, TournamentStanding) {
        let format = Format {
            kind,
            rounds: 2,
            ..Format::default()
        };
        let plan = plan(&["<a>", "b", "c", "d"], format).expect("a plan");
        let mut standing = TournamentStanding::new(&plan);
        for _ in 0..pairs {
            standing.add(&[Color::White, Color::Black].map(|new| game(new, None, EndKind::Rules)));
        }
        (plan, standing)
    }

    #[test]
    fn points_have_halves() {
        assert_eq!([0.0, 0.5, 7.0, 7.5].map(points), ["0", "½", "7", "7½"]);
    }

    #[test]
    fn the_schedule_lists_pairings_that_have_games_to_play() {
        let (plan, standing) = after(7, Kind::RoundRobin);
        let mut page = String::new();
        coming(&mut page, &plan, &standing);
        // Of six pairings with two pairs each, one has played both.
        assert_eq!(page.matches("<td>2<td>4").count(), 5, "{page}");
        assert!(!page.contains("<a>"), "{page}");
        let (plan, standing) = after(12, Kind::RoundRobin);
        let mut page = String::new();
        coming(&mut page, &plan, &standing);
        assert_eq!(page, "");
    }

    #[test]
    fn the_time_to_go_counts_all_turns_of_a_swiss_tournament() {
        let left = |pairs, kind| {
            let (_, standing) = after(pairs, kind);
            to_go(&standing, Some(0.02)).map(|(time, words)| [time, words].join(" "))
        };
        // Two turns of two pairings with two pairs each.
        let words = left(1, Kind::Swiss);
        assert_eq!(words.as_deref(), Some("~12 min to go; 14 games"));
        assert_eq!(left(8, Kind::Swiss), None);
        let words = left(1, Kind::KnockOut).unwrap_or_default();
        assert!(words.ends_with("to go in this stage; 6 games"), "{words}");
        let (_, standing) = after(1, Kind::Swiss);
        assert_eq!(to_go(&standing, None), None);
    }
}
