//! The tunes of one parameter file, as a page and as a table.

use std::fmt::Write;

use plot::{Chart, Level, Line, escape};

use super::class::class;
use crate::evidence::Verdict;
use crate::parameter::Parameter;
use crate::run::history::{Outcome, PastTune, Tried};
use crate::run::printed::{self, interval, shown};

/// A row for each tune.
pub(crate) fn table(tunes: &[PastTune]) -> String {
    let heads = [
        "begun (UTC)",
        "engine",
        "limit",
        "pairs",
        "Elo (95%)",
        "moved",
        "evident",
        "kept",
    ];
    let rows = tunes.iter().map(|tune| {
        let moved = count(tune, |tried| tried.outcome != Outcome::Unmoved);
        [
            tune.begun.clone(),
            tune.engine.clone(),
            tune.limit.clone(),
            pairs(tune),
            interval(tune.elo, tune.elo_sd, 1),
            format!("{moved} of {}", tune.parameters.len()),
            count(tune, |tried| tried.verdict == Verdict::Evident).to_string(),
            format!("{} of {moved}", count(tune, is_kept)),
        ]
    });
    printed::table(heads, rows)
}

fn is_kept(tried: &Tried) -> bool {
    tried.outcome == Outcome::Kept
}

fn count(tune: &PastTune, counts: impl Fn(&Tried) -> bool) -> usize {
    tune.parameters
        .iter()
        .filter(|&tried| counts(tried))
        .count()
}

fn pairs(tune: &PastTune) -> String {
    format!("{} of {}", tune.pairs, tune.planned_pairs)
}

/// A page that loads nothing: the tunes, and the way of each parameter through them.
pub(crate) fn html(title: &str, tunes: &[PastTune], present: &[Parameter]) -> String {
    let mut page = String::new();
    overview(&mut page, tunes);
    page.push_str("<section><h2>Each parameter over all tunes</h2><div class=\"grid-of-charts\">");
    for name in names(tunes) {
        let now = present.iter().find(|parameter| parameter.name == name);
        page.push_str(&way(name, tunes, now).svg());
    }
    page.push_str("</div></section>\n");
    for (number, tune) in (1..).zip(tunes) {
        values(&mut page, number, tune);
    }
    plot::page(title, &page)
}

fn overview(page: &mut String, tunes: &[PastTune]) {
    page.push_str(
        "<section><h2>What was tried</h2><div class=\"scroll\"><table><thead><tr><th>tune<th>begun, UTC<th>engine\
         <th>limit<th>pairs<th>Elo expected<th>moved<th>with evidence<th>kept</tr></thead><tbody>",
    );
    for (number, tune) in (1..).zip(tunes) {
        let _ = write!(
            page,
            "<tr><th>{number}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
            escape(&tune.begun),
            escape(&tune.engine),
            escape(&tune.limit),
            pairs(tune),
            interval(tune.elo, tune.elo_sd, 1),
            count(tune, |tried| tried.outcome != Outcome::Unmoved),
            count(tune, |tried| tried.verdict == Verdict::Evident),
            count(tune, is_kept),
        );
    }
    page.push_str(
        "</tbody></table></div><p class=\"note\">Elo is what each tune expected of its values over its own start, \
         with a 95% interval; these figures do not add up, and only matches prove them. A value is kept if the next \
         tune of its parameter started from it, or if the file has it now.</p></section>\n",
    );
}

/// Every name once, in the order of the tunes.
fn names(tunes: &[PastTune]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for tried in tunes.iter().flat_map(|tune| &tune.parameters) {
        if !names.contains(&tried.name.as_str()) {
            names.push(&tried.name);
        }
    }
    names
}

/// Start and end of a parameter in each of its tunes, and what it is now.
fn way(name: &str, tunes: &[PastTune], now: Option<&Parameter>) -> Chart {
    let tried = |tune: &'_ PastTune| tune.parameters.iter().find(|it| it.name == name).cloned();
    // Tunes may have had other choices, or these in another order.
    let mut texts = now.map_or_else(Vec::new, |now| now.choices.clone());
    let mut height = |choices: &[String], value: f64| match choices.get(value as usize) {
        None => value,
        Some(text) => {
            let known = texts.iter().position(|own| own == text);
            let index = known.unwrap_or_else(|| {
                texts.push(text.clone());
                texts.len() - 1
            });
            index as f64
        }
    };
    let lines = (0..)
        .map(f64::from)
        .zip(tunes)
        .filter_map(|(at, tune)| Some((at, tried(tune)?)))
        .map(|(at, it)| Line {
            label: it.outcome.words().into(),
            class: class(it.verdict).into(),
            points: vec![
                (at, height(&it.choices, it.start)),
                (at + 1.0, height(&it.choices, it.value)),
            ],
        });
    Chart {
        title: match now {
            Some(now) => format!("{name}: now {}", shown(&now.choices, now.value)),
            None => name.to_owned(),
        },
        width: 310.0,
        height: 130.0,
        lines: lines.collect(),
        bands: Vec::new(),
        levels: now
            .map(|now| Level {
                y: now.value,
                class: "start",
                title: "now".into(),
                is_named: false,
            })
            .into_iter()
            .collect(),
        end: tunes.len() as f64,
        x_name: "tunes",
    }
}

fn values(page: &mut String, number: usize, tune: &PastTune) {
    let _ = write!(
        page,
        "<section><h2>Tune {number}: {}</h2><p class=\"note\">Run {}</p><div class=\"scroll\"><table><thead><tr>\
         <th>parameter<th>start<th>value<th class=\"words\">evidence<th class=\"words\">value after it</tr></thead><tbody>",
        escape(&tune.begun),
        escape(&tune.run.display().to_string())
    );
    for tried in &tune.parameters {
        let _ = write!(
            page,
            "<tr><th>{}<td>{}<td><b>{}</b><td class=\"words {}\">{}<td class=\"words\">{}</tr>",
            escape(&tried.name),
            escape(&shown(&tried.choices, tried.start)),
            escape(&shown(&tried.choices, tried.value)),
            class(tried.verdict),
            tried.verdict.words(tried.value != tried.start),
            tried.outcome.words()
        );
    }
    page.push_str("</tbody></table></div></section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::history::tests::tune_of;

    #[test]
    fn a_text_has_one_height_in_all_tunes() {
        let texts = |list: [&str; 2]| list.map(str::to_owned).to_vec();
        let tune = |choices: [&str; 2], start, value| {
            tune_of(Tried {
                name: "Style".into(),
                choices: texts(choices),
                start,
                value,
                verdict: Verdict::Undecided,
                outcome: Outcome::Kept,
            })
        };
        let tunes = [
            tune(["calm", "bold"], 0.0, 1.0),
            tune(["bold", "mad"], 0.0, 1.0),
        ];
        let now = Parameter::choice("Style".into(), texts(["bold", "calm"]), 0);
        let lines = way("Style", &tunes, Some(&now)).lines;
        let heights: Vec<f64> = lines
            .iter()
            .flat_map(|line| &line.points)
            .map(|(_, y)| *y)
            .collect();
        assert_eq!(heights, [1.0, 0.0, 0.0, 2.0]);
    }
}
