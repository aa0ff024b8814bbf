//! A run as one HTML page that loads nothing: to be looked at, sent to somebody, kept.
//!
//! Every figure comes from an [`Analysis`]; names of engines and runs are text, whatever they
//! contain.

use std::fmt::{Display, Write as _};

use plot::{Band, Bar, Bars, Chart, Group, Level, Line, STYLE, escape, short};
use stats::{Summary, Verdict};

use super::{RunState, block::block, verdict::sentence};
use crate::analysis::{Analysis, LENGTH_STEP, Phase};
use crate::contender::Contender;

/// Charts stand two in a row on a wide screen, and are readable on a phone.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 220.0;

/// The whole page.
pub fn page(analysis: &Analysis) -> String {
    let title = title(analysis);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body><main>\n<h1>{title}</h1>\n{}\
         </main></body></html>\n",
        content(analysis)
    )
}

pub fn title(analysis: &Analysis) -> String {
    let plan = &analysis.plan;
    format!(
        "{} against {}",
        escape(&plan.new.name),
        escape(&plan.base.name)
    )
}

/// What stands below the title, also on the live page.
pub fn content(analysis: &Analysis) -> String {
    let mut page = String::new();
    verdict(&mut page, analysis);
    cards(&mut page, analysis);
    if analysis.standing.tally().pairs_played() > 0 {
        test_charts(&mut page, analysis);
        games(&mut page, analysis);
        openings(&mut page, analysis);
        phases(&mut page, analysis);
    }
    faults(&mut page, analysis);
    plan(&mut page, analysis);
    page
}

fn state(analysis: &Analysis) -> RunState<'_> {
    RunState {
        plan: &analysis.plan,
        run: &analysis.run,
        standing: &analysis.standing,
    }
}

fn verdict(page: &mut String, analysis: &Analysis) {
    let words = sentence(&state(analysis));
    let status = match (
        analysis.is_being_played,
        analysis.standing.is_over(&analysis.plan),
    ) {
        (true, _) => "being played",
        (false, true) => "finished",
        (false, false) => "not finished, and nobody plays it",
    };
    let mut lines = words.lines();
    let _ = writeln!(
        page,
        "<p class=\"verdict\"><b>{}</b> <span class=\"note\">({status})</span></p>",
        escape(lines.next().unwrap_or_default())
    );
    for warning in lines {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(warning));
    }
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
    let mut cards: Vec<(String, String)> = ratio.into_iter().collect();
    cards.extend([
        (elo(summary), "Elo with its 95% interval".to_owned()),
        (
            format!(
                "{} ± {}",
                number(summary.nelo, 1),
                number(summary.nelo_margin, 1)
            ),
            "normalized Elo".to_owned(),
        ),
        (
            tally.wdl.games().to_string(),
            format!(
                "games: {} won, {} lost, {} drawn",
                tally.wdl.wins, tally.wdl.losses, tally.wdl.draws
            ),
        ),
        (
            summary
                .los
                .map_or_else(|| "n/a".to_owned(), |los| format!("{:.1}%", 100.0 * los)),
            "likelihood of superiority".to_owned(),
        ),
    ]);
    if summary.verdict == Verdict::Undecided {
        let chance = summary.chance_of_h1.map_or_else(String::new, |chance| {
            format!("; H1 will be accepted with {:.0}%", 100.0 * chance)
        });
        cards.push((
            format!("~{}", number(summary.expected_pairs_left, 0)),
            format!("pairs to the decision{chance}"),
        ));
    }
    page.push_str("<section class=\"cards\">");
    for (figure, words) in cards {
        let _ = write!(
            page,
            "<div><b>{}</b><span>{}</span></div>",
            escape(&figure),
            escape(&words)
        );
    }
    page.push_str("</section>\n");
}

fn elo(summary: &Summary) -> String {
    let elo = &summary.elo;
    match (elo.low, elo.value, elo.high) {
        (Some(low), Some(value), Some(high)) => {
            format!("{value:+.1} ± {:.1}", (high - value).max(value - low))
        }
        (_, value, _) => number(value, 1),
    }
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.decimals$}"))
}

fn level(y: f64, class: &'static str, title: impl Display, is_named: bool) -> Level {
    Level {
        y,
        class,
        title: title.to_string(),
        is_named,
    }
}

fn line(label: &str, class: &str, points: Vec<(f64, f64)>) -> Line {
    Line {
        label: label.to_owned(),
        class: class.to_owned(),
        points,
    }
}

fn test_charts(page: &mut String, analysis: &Analysis) {
    let course = &analysis.course;
    let end = course.last().map_or(0.0, |point| point.pairs as f64);
    let (lower, upper) = analysis.standing.bounds();
    let mut ratio = vec![(0.0, 0.0)];
    ratio.extend(course.iter().map(|point| (point.pairs as f64, point.llr)));
    let llr = Chart {
        title: "Log-likelihood ratio".into(),
        width: WIDTH,
        height: HEIGHT,
        lines: vec![line("LLR", "new", ratio)],
        bands: vec![],
        levels: vec![
            level(
                upper,
                "bound",
                format!("H1 accepted above {upper:.2}"),
                true,
            ),
            level(0.0, "start", "0", false),
            level(
                lower,
                "bound",
                format!("H0 accepted below {lower:.2}"),
                true,
            ),
        ],
        end,
        x_name: "pairs",
    };
    // The first pairs say nothing, in an interval that hides all others.
    let known: Vec<_> = course
        .iter()
        .filter(|point| point.pairs as f64 >= 0.02 * end && point.pairs >= 8)
        .collect();
    let widest = known
        .first()
        .map_or(0.0, |point| point.elo[2] - point.elo[0]);
    let elo = Chart {
        title: "Elo with its 95% interval".into(),
        width: WIDTH,
        height: HEIGHT,
        lines: vec![line(
            "Elo",
            "new",
            known
                .iter()
                .map(|point| (point.pairs as f64, point.elo[1]))
                .collect(),
        )],
        bands: vec![Band {
            class: "elo".into(),
            points: known
                .iter()
                .map(|point| (point.pairs as f64, point.elo[0], point.elo[2]))
                .collect(),
        }],
        levels: vec![
            level(0.0, "start", "equal", true),
            level(widest / 2.0, "hidden", "", true),
            level(-widest / 2.0, "hidden", "", true),
        ],
        end,
        x_name: "pairs",
    };
    let _ = writeln!(
        page,
        "<section><h2>The test</h2><div class=\"charts\">{}{}{}</div></section>",
        analysis
            .standing
            .test()
            .map_or_else(String::new, |_| llr.svg()),
        elo.svg(),
        pentanomial(analysis)
    );
}

fn pentanomial(analysis: &Analysis) -> String {
    let counts = analysis.standing.tally().pentanomial.0;
    let names = ["0", "½", "1", "1½", "2"];
    let groups = names.iter().enumerate().map(|(index, name)| {
        let mut bars = vec![];
        let mut bar = |class, value: f64, whose: &str| {
            bars.push(Bar {
                class,
                value,
                title: format!("{name} points: {} pairs {whose}", short(value.round())),
            });
        };
        if let Some([h0, h1]) = analysis.expected {
            bar("h0", h0[index], "expected under H0");
            bar("new", counts[index] as f64, "played");
            bar("seen", h1[index], "expected under H1");
        } else {
            bar("new", counts[index] as f64, "played");
        }
        Group {
            label: (*name).to_owned(),
            bars,
        }
    });
    let chart = Bars {
        title: "Pairs by the new engine's points".into(),
        width: WIDTH,
        height: HEIGHT,
        groups: groups.collect(),
        label_every: 1,
    };
    format!(
        "<div>{}<p class=\"legend\"><span class=\"key h0\">expected under H0</span>\
         <span class=\"key new\">played</span><span class=\"key seen\">expected under H1</span></p></div>",
        chart.svg()
    )
}

fn games(page: &mut String, analysis: &Analysis) {
    let every = (analysis.lengths.len() / 8).max(1);
    let groups = analysis.lengths.iter().enumerate().map(|(step, results)| {
        let from = step * LENGTH_STEP;
        let names = ["won", "drawn", "lost"];
        let bars = results.iter().zip(names).zip(["new", "draw", "base"]);
        Group {
            label: from.to_string(),
            bars: bars
                .map(|((count, name), class)| Bar {
                    class,
                    value: *count as f64,
                    title: format!("{from} to {} plies: {count} {name}", from + LENGTH_STEP - 1),
                })
                .collect(),
        }
    });
    let lengths = Bars {
        title: "Games by length in plies".into(),
        width: WIDTH,
        height: HEIGHT,
        groups: groups.collect(),
        label_every: every,
    };
    let _ = write!(
        page,
        "<section><h2>The games</h2><div class=\"charts\"><div>{}<p class=\"legend\">\
         <span class=\"key new\">won by the new engine</span><span class=\"key draw\">drawn</span>\
         <span class=\"key base\">lost</span></p></div><div class=\"scroll\"><table class=\"figures\"><thead><tr><th>ending\
         <th>won<th>drawn<th>lost</tr></thead><tbody>",
        lengths.svg()
    );
    for ending in &analysis.endings {
        let [won, drawn, lost] = ending.results;
        let class = if ending.is_fault {
            " class=\"fault\""
        } else {
            ""
        };
        let _ = write!(
            page,
            "<tr{class}><th>{}<td>{won}<td>{drawn}<td>{lost}</tr>",
            escape(&ending.text)
        );
    }
    page.push_str("</tbody></table></div></div></section>\n");
}

fn openings(page: &mut String, analysis: &Analysis) {
    let openings = &analysis.openings;
    let pairs = analysis.standing.tally().pairs_played() as f64;
    let rows = [
        ("the new engine won both games", openings.new_won_both),
        ("the new engine won one, drew one", openings.new_ahead),
        ("both games were drawn", openings.drawn_twice),
        (
            "White won both: the opening decided",
            openings.white_won_both,
        ),
        (
            "Black won both: the opening decided",
            openings.black_won_both,
        ),
        ("the base engine won one, drew one", openings.base_ahead),
        ("the base engine won both games", openings.base_won_both),
    ];
    page.push_str(
        "<section><h2>The openings</h2><div class=\"charts\"><div class=\"scroll\"><table class=\"figures\"><thead><tr>\
         <th>of the two games from one opening<th>pairs<th>share</tr></thead><tbody>",
    );
    for (words, count) in rows {
        let share = 100.0 * count as f64 / pairs;
        let _ = write!(page, "<tr><th>{words}<td>{count}<td>{share:.1}%</tr>");
    }
    page.push_str("</tbody></table></div><div class=\"scroll\">");
    if !analysis.decided.is_empty() {
        page.push_str(
            "<table class=\"decided\"><thead><tr><th>latest pairs won twice<th>by<th>opening</tr></thead><tbody>",
        );
        for pair in &analysis.decided {
            let by = if pair.new_won {
                &analysis.plan.new.name
            } else {
                &analysis.plan.base.name
            };
            let _ = write!(
                page,
                "<tr><th>{}<td>{}<td><code>{}</code></tr>",
                pair.pair + 1,
                escape(by),
                escape(&pair.opening)
            );
        }
        page.push_str("</tbody></table>");
    }
    page.push_str("</div></div></section>\n");
}

fn phases(page: &mut String, analysis: &Analysis) {
    let phases = &analysis.phases;
    if phases.moves.is_empty() {
        return;
    }
    let chart = |title: &str, figure: &dyn Fn(&Phase) -> Option<f64>| {
        let points = |side: usize| -> Vec<(f64, f64)> {
            let moves = phases.moves.iter().enumerate();
            moves
                .filter_map(|(index, both)| {
                    Some((index as f64 + 1.0, figure(both[side].as_ref()?)?))
                })
                .collect()
        };
        let (base, new) = (points(0), points(1));
        if base.is_empty() && new.is_empty() {
            return String::new();
        }
        Chart {
            title: title.to_owned(),
            width: WIDTH,
            height: HEIGHT,
            lines: vec![
                line(&analysis.plan.base.name, "base", base),
                line(&analysis.plan.new.name, "new", new),
            ],
            bands: vec![],
            levels: vec![level(0.0, "start", "", true)],
            end: phases.moves.len() as f64,
            x_name: "moves",
        }
        .svg()
    };
    let _ = writeln!(
        page,
        "<section><h2>The moves</h2><div class=\"charts\">{}{}{}</div><p class=\"legend\">\
         <span class=\"key base\">{}</span><span class=\"key new\">{}</span> \
         averages over {} games that are spread over the run, by the number of the move</p></section>",
        chart("Depth", &|phase| Some(phase.depth)),
        chart("Milliseconds a move", &|phase| Some(1000.0 * phase.seconds)),
        chart("Thousand nodes a second", &|phase| phase
            .nodes_per_second
            .map(|speed| speed / 1000.0)),
        escape(&analysis.plan.base.name),
        escape(&analysis.plan.new.name),
        phases.games
    );
}

fn faults(page: &mut String, analysis: &Analysis) {
    let tally = analysis.standing.tally();
    let both = [
        (&analysis.plan.base, &tally.base_faults),
        (&analysis.plan.new, &tally.new_faults),
    ];
    page.push_str("<section><h2>Faults</h2>");
    for (engine, faults) in both {
        let words = faults.words();
        let words = if words.is_empty() { "none" } else { &words };
        let _ = write!(page, "<p>{}: {words}</p>", escape(&engine.name));
    }
    page.push_str("</section>\n");
}

fn plan(page: &mut String, analysis: &Analysis) {
    let plan = &analysis.plan;
    let (test, play) = (&plan.test, &plan.play);
    let engine = |contender: &Contender| {
        let options = contender
            .settings
            .options
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        [
            contender.source.clone(),
            contender.engine_name.clone(),
            contender.commit.clone().unwrap_or_default(),
            contender
                .bench
                .map_or_else(String::new, |bench| format!("bench {bench}")),
            options.collect::<Vec<_>>().join(" "),
            format!("sha256 {}", contender.sha256),
        ]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
    };
    let corrected = if test.overshoot_correction {
        ", bounds corrected for overshoot"
    } else {
        ""
    };
    let book = play.book.file.as_ref().map_or_else(
        || "the embedded one".to_owned(),
        |file| file.display().to_string(),
    );
    let rows = [
        ("base", engine(&plan.base)),
        ("new", engine(&plan.new)),
        (
            "test",
            if plan.no_test {
                "none".to_owned()
            } else {
                format!(
                    "[{}, {}] {}, alpha {}, beta {}{corrected}",
                    test.elo0,
                    test.elo1,
                    test.model.name(),
                    test.alpha,
                    test.beta
                )
            },
        ),
        ("limit", plan.limit_in_prose()),
        ("variant", play.variant.clone()),
        (
            "book",
            format!(
                "{book}, {} openings, seed {}",
                play.book.openings, play.book.reading.seed
            ),
        ),
        ("games at a time", play.concurrency.to_string()),
        ("folder", analysis.run.display().to_string()),
        ("command", command(analysis)),
    ];
    page.push_str("<section><h2>The plan</h2><table class=\"plan\"><tbody>");
    for (name, value) in rows {
        let _ = write!(page, "<tr><th>{name}<td>{}</tr>", escape(&value));
    }
    let _ = writeln!(
        page,
        "</tbody></table><h2>For a commit message</h2><pre>{}</pre></section>",
        escape(&block(plan, &analysis.standing))
    );
}

/// A command that plays the same.
fn command(analysis: &Analysis) -> String {
    let plan = &analysis.plan;
    let test = &plan.test;
    let mut words = vec![
        "sprt".to_owned(),
        plan.base.source.clone(),
        plan.new.source.clone(),
    ];
    let mut flag = |name: &str, value: String| words.extend([name.to_owned(), value]);
    for (name, value) in plan.play.limit.flags() {
        flag(&format!("--{name}"), value);
    }
    if let Some(openings) = plan.max_pairs.filter(|_| plan.no_test) {
        flag("--games", (openings * plan.games_per_opening).to_string());
        flag("--games-per-opening", plan.games_per_opening.to_string());
    } else {
        flag("--bounds", format!("{},{}", test.elo0, test.elo1));
        flag("--alpha", test.alpha.to_string());
        flag("--beta", test.beta.to_string());
        flag("--model", test.model.name().to_owned());
    }
    for (side, engine) in [("base", &plan.base), ("new", &plan.new)] {
        for (name, value) in engine.settings.flags() {
            flag(&format!("--{side}-{name}"), value);
        }
    }
    if let Some(file) = &plan.play.book.file {
        flag("--book", file.display().to_string());
    }
    flag("--seed", plan.play.book.reading.seed.to_string());
    if test.overshoot_correction {
        words.push("--correct-overshoot".to_owned());
    }
    words
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.,/+=:".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("--tc"), "--tc");
        assert_eq!(quoted("Move Overhead=5"), "'Move Overhead=5'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
