//! The page of a tune that an OpenBench server plays.

use std::fmt::Write;

use plot::{Chart, Level, Line, escape, short};
use runs::report::html::parts;

use super::class::class;
use crate::run::server::{ServerParameter, ServerTune};

pub(crate) fn html(tune: &ServerTune, name: &str) -> String {
    let result = &tune.result;
    let mut page = String::new();
    let evident = result
        .parameters
        .iter()
        .filter(|found| class(found.verdict) == "evident")
        .count();
    let planned = result
        .planned_games
        .map_or("?".to_owned(), |planned| planned.to_string());
    let cards = [
        (
            format!("{} / {planned}", result.games),
            "games at the last fetch".to_owned(),
        ),
        (
            format!("{evident} of {}", result.parameters.len()),
            "parameters with evidence".to_owned(),
        ),
        (
            result.pentanomial.map(|count| count.to_string()).join(" "),
            format!(
                "pentanomial of the perturbed sides; variance {:.2} a pair",
                result.variance
            ),
        ),
    ];
    parts::cards(&mut page, "cards", &cards);
    for warning in result.warnings() {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(&warning));
    }
    table(&mut page, tune);
    charts(&mut page, tune);
    plot::page(&format!("Tune {name}"), &page)
}

fn table(page: &mut String, tune: &ServerTune) {
    page.push_str(
        "<section><h2>What is known</h2><div class=\"scroll\"><table><thead><tr><th>parameter<th>start\
         <th>value<th>moved / c<th>a dead one, ± c<th>gradient, Elo / c<th class=\"words\">verdict</tr></thead><tbody>",
    );
    for found in &tune.result.parameters {
        let wandered = found
            .wandered
            .map_or("unknown".to_owned(), |sd| format!("{:.2}", 1.96 * sd));
        let _ = write!(
            page,
            "<tr><th>{}<td>{}<td><b>{}</b><td>{:+.2}<td>{wandered}<td>{}<td class=\"{}\">{}</tr>",
            escape(&found.name),
            short(found.start),
            short(found.value),
            found.moved,
            found.gradient_in_words(),
            class(found.verdict),
            found.verdict.words(found.value != found.start)
        );
    }
    let _ = writeln!(
        page,
        "</tbody></table></div><p class=\"note\">{}. A dead parameter wanders that far in 95% of \
         tunes.</p></section>",
        escape(&tune.result.sentence())
    );
}

fn charts(page: &mut String, tune: &ServerTune) {
    page.push_str(
        "<section><h2>Each parameter, in its own unit</h2><div class=\"grid-of-charts\">",
    );
    for (index, found) in tune.result.parameters.iter().enumerate() {
        page.push_str(&chart(tune, index, found).svg());
    }
    page.push_str("</div><p class=\"note\">A point for each fetch.</p></section>\n");
}

fn chart(tune: &ServerTune, index: usize, found: &ServerParameter) -> Chart {
    let mut points = vec![(0.0, found.start)];
    for (games, values) in &tune.moments {
        points.extend(values.get(index).map(|own| (*games as f64, own.value)));
    }
    Chart {
        title: format!(
            "{}: {} → {}",
            found.name,
            short(found.start),
            short(found.value)
        ),
        width: 310.0,
        height: 130.0,
        lines: vec![Line {
            label: found.name.clone(),
            class: class(found.verdict).into(),
            points,
        }],
        bands: Vec::new(),
        levels: vec![Level {
            y: found.start,
            class: "start",
            title: "start".into(),
            is_named: false,
        }],
        end: tune
            .result
            .planned_games
            .unwrap_or(tune.result.games)
            .max(1) as f64,
        x_name: "games",
    }
}
