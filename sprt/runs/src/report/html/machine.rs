//! The machine: where games were played, and how exact the engines' clocks were.

use std::fmt::Write as _;

use plot::escape;

use crate::analysis::Analysis;
use crate::plan::PlayPlan;

pub(super) fn machine(page: &mut String, analysis: &Analysis) {
    let (plan, tally) = (&analysis.plan, analysis.standing.tally());
    let _ = write!(
        page,
        "<section><h2>The machine</h2><p>{}</p><div class=\"scroll\" tabindex=\"0\"><table class=\"figures\">\
         <thead><tr><th>engine<th>time losses<th>margin, ms<th>least time left, s<th>moves with a reported time<th>delay, ms: mean\
         <th>largest</tr></thead><tbody>",
        escape(&slots(&plan.play))
    );
    let [base_left, new_left] = analysis.least_time_left;
    let sides = [
        (&plan.new, tally.new_faults, tally.diagnostics.new, new_left),
        (
            &plan.base,
            tally.base_faults,
            tally.diagnostics.base,
            base_left,
        ),
    ];
    for (engine, faults, diagnostics, left) in sides {
        let margin = engine.settings.time_margin_ms;
        let latency = diagnostics.latency_ms();
        let [mean, largest] = match latency {
            Some(both) => both.map(|ms| format!("{ms:.1}")),
            None => ["", ""].map(str::to_owned),
        };
        let _ = write!(
            page,
            "<tr><th>{}<td>{}<td>{}<td>{}<td>{}<td>{mean}<td>{largest}</tr>",
            escape(&engine.name),
            faults.time_losses,
            margin.unwrap_or(plan.play.time_margin_ms),
            left.map(|seconds| format!("{seconds:.3}"))
                .unwrap_or_default(),
            diagnostics.timed_moves,
        );
    }
    page.push_str(
        "</tbody></table></div><p class=\"legend\">A flag falls when a move comes later than the clock and the \
         margin (<code>--time-margin</code>) allow. The least time left is that of a sample of games. The delay is the time that a move took beyond what its engine \
         reported: where it is long, or longer for one engine, the machine was busy.</p>\
         </section>\n",
    );
}

/// Where games were played.
fn slots(play: &PlayPlan) -> String {
    let (games, each) = match play.concurrency {
        1 => ("One game at a time".to_owned(), ""),
        several => (format!("{several} games at a time"), "each "),
    };
    let among = play.processors.as_ref();
    let among = among.map(|list| format!(", among processors {list}"));
    let place = if play.own_processors {
        format!("{each}on processors of its own")
    } else {
        "placed by the system".to_owned()
    };
    format!("{games}, {place}{}.", among.unwrap_or_default())
}
