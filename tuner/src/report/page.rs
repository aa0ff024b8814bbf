//! The page: what was found first, then how the run went, then everything else.

use std::fmt::Write;
use std::time::Duration;

use foundation::counted;
use plot::escape;
use runs::report::html::parts;

use super::class::class;
use super::{claims, live, paste, slices, trajectories};
use crate::algorithm::forecast::Forecast;
use crate::elo::{TWO_SIDED_95, USUAL_VARIANCE};
use crate::evidence::{SEEN, Verdict};
use crate::parameter::Parameter;
use crate::run::journal::Replayed;
use crate::run::printed::{interval, shown};
use crate::run::result::RunResult;

/// What a page that is written while a run is played has besides.
pub(crate) struct Live {
    pub interval: Duration,
    /// In milliseconds since 1970.
    pub now: i64,
    pub is_being_played: bool,
}

pub(crate) fn html(replayed: &Replayed, result: &RunResult, live: Option<&Live>) -> String {
    // A finished run does not change any more.
    let live = live.filter(|_| !replayed.session.is_finished());
    let more = live.map_or(String::new(), |live| live::head(live.interval, live.now));
    let mut page = String::new();
    if let Some(live) = live {
        page.push_str(live::LOST);
        if !live.is_being_played {
            page.push_str(live::ABANDONED);
        }
    }
    cards(&mut page, replayed, result);
    let basis = escape(&result.basis_in_words());
    let _ = writeln!(page, "<p class=\"note\">{basis}.</p>");
    if let Some(kept) = result.kept_in_words() {
        let so_far = if replayed.session.is_finished() {
            ""
        } else {
            "so far "
        };
        let _ = writeln!(
            page,
            "<p class=\"note\">Of the values: {so_far}{}.</p>",
            escape(&kept)
        );
    }
    for warning in result.warnings() {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(&warning));
    }
    claims::section(&mut page, replayed.session.claims(), result.planned_pairs);
    trajectories::together(&mut page, replayed, result);
    evidence(&mut page, result);
    slices::section(&mut page, &replayed.session, result);
    trajectories::each(&mut page, replayed, result);
    let tuned: Vec<Parameter> = replayed
        .session
        .tune()
        .parameters
        .iter()
        .zip(&result.parameters)
        .map(|(parameter, found)| Parameter {
            value: found.value,
            ..parameter.clone()
        })
        .collect();
    paste::section(&mut page, &tuned, result.planned_pairs);
    plan(&mut page, replayed);
    screen(&mut page, replayed);
    faults(&mut page, replayed);
    let title = format!("Tune of {}", replayed.plan.engine.name);
    plot::page_with_head(&title, &more, &page)
}

fn cards(page: &mut String, replayed: &Replayed, result: &RunResult) {
    let counts = result.pentanomial;
    let evident = result
        .parameters
        .iter()
        .filter(|found| found.verdict == Verdict::Evident)
        .count();
    let cards = [
        (
            interval(result.elo, result.elo_sd, 1),
            "Elo expected over the start, 95% interval".to_owned(),
        ),
        (
            format!("{} / {}", result.pairs, result.planned_pairs),
            format!("pairs, {} given up", result.void_pairs),
        ),
        (
            format!("{evident} of {}", result.parameters.len()),
            "parameters with evidence".to_owned(),
        ),
        (
            format!("{:.2} c", result.noise_floor),
            "wandered by a dummy that no engine sees".to_owned(),
        ),
        (
            counts.map(|count| count.to_string()).join(" "),
            format!("pentanomial; variance {:.2} a pair", result.variance),
        ),
    ];
    parts::cards(page, "cards", &cards);
    if !replayed.session.is_finished() {
        page.push_str(
            "<p class=\"warning\">The run is not finished; these are its present figures.</p>\n",
        );
    }
}

fn evidence(page: &mut String, result: &RunResult) {
    page.push_str(
        "<section><h2>What is known</h2><div class=\"scroll\"><table><thead><tr><th>parameter<th>start<th>value\
         <th>moved / c<th>gradient, Elo / c<th>curvature<th>t<th>χ²<th class=\"words\">verdict</tr></thead><tbody>",
    );
    for found in &result.parameters {
        let _ = write!(
            page,
            "<tr><th>{}<td>{}<td><b>{}</b><td>{}<td>{}<td>{}<td>{}<td>{:.1}\
             <td class=\"{}\">{}</tr>",
            escape(&found.name),
            escape(&found.shown(found.start)),
            escape(&found.shown(found.value)),
            found.moved_in_words(),
            found
                .gradient
                .zip(found.gradient_sd)
                .map_or(String::new(), |own| bar(own, found.verdict)),
            found.curvature_in_words(),
            found.t_in_words(),
            found.chi2,
            class(found.verdict),
            found.verdict.words(found.has_moved())
        );
    }
    page.push_str("</tbody></table></div>");
    for found in &result.parameters {
        if let Some(words) = found.levels_in_words() {
            let name = escape(&found.name);
            let _ = write!(
                page,
                "<p>Levels of {name}, Elo over the start at {}: {}.</p>",
                escape(&found.shown(found.start)),
                escape(&words)
            );
        }
    }
    let _ = writeln!(
        page,
        "<p class=\"note\">Gradients are at the start; every ± is a 95% interval. \
         χ² is of the sign test, which needs no model: beyond {SEEN:.0} the parameter has an effect. \
         The Elo expected comes from a regression and from pairs against the start; only a match \
         with fresh openings proves it.</p></section>"
    );
}

/// The gradient with its 95% interval, on a common scale of 8 Elo to either side.
fn bar((gradient, sd): (f64, f64), verdict: Verdict) -> String {
    const REACH: f64 = 8.0;
    let x = |elo: f64| 60.0 + 58.0 * (elo / REACH).clamp(-1.0, 1.0);
    let (low, high) = (
        x(gradient - TWO_SIDED_95 * sd),
        x(gradient + TWO_SIDED_95 * sd),
    );
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 120 14\" role=\"img\" aria-label=\"{0:+.2} ± {1:.2}\">\
         <title>{0:+.2} ± {1:.2}</title><line class=\"start\" x1=\"60\" x2=\"60\" y1=\"0\" y2=\"14\"/>\
         <line class=\"span {2}\" x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"7\" y2=\"7\"/>\
         <circle class=\"{2}\" cx=\"{3:.1}\" cy=\"7\" r=\"3\"/></svg>",
        gradient,
        TWO_SIDED_95 * sd,
        class(verdict),
        x(gradient)
    )
}

fn plan(page: &mut String, replayed: &Replayed) {
    let (plan, tune) = (&replayed.plan, replayed.session.tune());
    let forecast = Forecast::new(
        tune.algorithm,
        tune.schedule,
        &tune.parameters,
        USUAL_VARIANCE,
        None,
    );
    let schedule = tune.schedule;
    let options: Vec<String> = plan
        .engine
        .settings
        .options
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let rows = [
        (
            "engine",
            format!(
                "{} ({})",
                plan.engine.engine_name,
                plan.engine.command.display()
            ),
        ),
        ("sha256", plan.engine.sha256.clone()),
        ("options", options.join(" ")),
        ("limit", plan.play.limit.to_string()),
        ("games at a time", plan.play.concurrency.to_string()),
        ("seed", tune.seed.to_string()),
        ("algorithm", tune.algorithm.to_string()),
        (
            "schedule",
            format!(
                "{} of {}, alpha {}, gamma {}, A {}",
                counted(schedule.iterations, "iteration"),
                counted(schedule.pairs_per_iteration, "pair"),
                schedule.alpha,
                schedule.gamma,
                schedule.a_ratio
            ),
        ),
        ("forecast", forecast.words()),
        ("parameters", plan.params.display().to_string()),
    ];
    page.push_str("<section><h2>Plan</h2><table class=\"plan\"><tbody>");
    for (name, value) in rows {
        let _ = write!(page, "<tr><th>{name}<td>{}</tr>", escape(&value));
    }
    page.push_str("</tbody></table></section>\n");
}

fn screen(page: &mut String, replayed: &Replayed) {
    if replayed.plan.screen.is_empty() {
        return;
    }
    page.push_str(
        "<section><h2>Screen before the run</h2><table><thead><tr><th>parameter<th>start-c\
         <th>start+c<th>min<th>max<th></tr></thead><tbody>",
    );
    for seen in &replayed.plan.screen {
        let _ = write!(page, "<tr><th>{}", escape(&seen.name));
        for share in seen.shares_in_words() {
            let _ = write!(page, "<td>{share}");
        }
        let _ = write!(
            page,
            "<td class=\"undecided\">{}</tr>",
            seen.verdict.words()
        );
    }
    page.push_str(
        "</tbody></table><p class=\"note\">Share of positions whose move or score changes.</p>\
         </section>\n",
    );
}

fn faults(page: &mut String, replayed: &Replayed) {
    if replayed.faults.is_empty() {
        return;
    }
    page.push_str("<section><h2>Faults</h2>");
    for suspect in replayed.attribution.suspects() {
        let _ = write!(
            page,
            "<p class=\"warning\">The engine fails with {}.</p>",
            escape(&suspect.words())
        );
    }
    page.push_str(
        "<table><thead><tr><th>pair<th>try<th>what\
         <th>values, plus | minus</tr></thead><tbody>",
    );
    for fault in &replayed.faults {
        let parameters = replayed.session.tune().parameters.iter();
        let values: Vec<String> = parameters
            .zip(fault.plus.iter().zip(&fault.minus))
            .map(|(own, sides)| {
                let [plus, minus] = [sides.0, sides.1].map(|value| shown(&own.choices, *value));
                format!("{} {plus} | {minus}", own.name)
            })
            .collect();
        let _ = write!(
            page,
            "<tr><td>{}<td>{}<td>{}<td>{}</tr>",
            fault.pair,
            fault.attempt.saturating_add(1),
            escape(&fault.words()),
            escape(&values.join(", "))
        );
    }
    page.push_str("</tbody></table></section>\n");
}
