//! Whether the machine was fair to both engines: where their slots ran, and how exact their clocks were.

use std::fmt::Write as _;

use plot::escape;

use crate::analysis::Analysis;
use crate::plan::PlayPlan;

pub(super) fn machine(page: &mut String, analysis: &Analysis) {
    let (plan, tally) = (&analysis.plan, analysis.standing.tally());
    let _ = write!(
        page,
        "<section><h2>The machine</h2><p>{}</p><div class=\"scroll\" tabindex=\"0\"><table class=\"figures\">\
         <thead><tr><th>engine<th>time losses<th>grace, ms<th>moves with a reported time<th>took longer, ms, mean\
         <th>most</tr></thead><tbody>",
        escape(&slots(&plan.play))
    );
    let sides = [
        (&plan.new, tally.new_faults, tally.diagnostics.new),
        (&plan.base, tally.base_faults, tally.diagnostics.base),
    ];
    for (engine, faults, diagnostics) in sides {
        let grace = engine.settings.time_margin_ms;
        let latency = diagnostics.latency_ms();
        let [mean, most] = match latency {
            Some(both) => both.map(|ms| format!("{ms:.1}")),
            None => ["", ""].map(str::to_owned),
        };
        let _ = write!(
            page,
            "<tr><th>{}<td>{}<td>{}<td>{}<td>{mean}<td>{most}</tr>",
            escape(&engine.name),
            faults.time_losses,
            grace.unwrap_or(plan.play.time_margin_ms),
            diagnostics.timed_moves,
        );
    }
    page.push_str(
        "</tbody></table></div><p class=\"legend\">A flag falls when a move comes later than the clock and the \
         grace (<code>--time-margin</code>) allow. Moves took longer than the engine said by the time that its \
         answer needed to reach the runner: where that is much, or more for one engine, the machine was busy.</p>\
         </section>\n",
    );
}

/// Where games were played.
fn slots(play: &PlayPlan) -> String {
    let games = match play.concurrency {
        1 => "One game at a time".to_owned(),
        several => format!("{several} games at a time"),
    };
    let among = play.processors.as_ref();
    let among = among.map(|list| format!(", among processors {list}"));
    let place = if play.own_processors {
        "each on processors of its own"
    } else {
        "placed by the system"
    };
    format!("{games}, {place}{}.", among.unwrap_or_default())
}
