//! A run as one HTML page that loads nothing: to be looked at, sent to somebody, kept.
//!
//! Every figure comes from an [`Analysis`]; names of engines and runs are text, whatever they
//! contain.

mod charts;
mod plan;
mod size;
mod summary;
mod tables;

use plot::{STYLE, escape};

use crate::analysis::Analysis;

pub use summary::summary;

/// The whole page.
pub fn page(analysis: &Analysis) -> String {
    let title = escape(&title(analysis));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body><main class=\"wide\">\n\
         <h1>{title}</h1>\n{}{}{}</main></body></html>\n",
        as_of(),
        summary(analysis),
        details(analysis)
    )
}

/// When a page was made that does not change any more, though its run may go on.
pub(crate) fn as_of() -> String {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%SZ");
    format!("<p class=\"note\">As of {now}.</p>\n")
}

/// As text.
pub fn title(analysis: &Analysis) -> String {
    let plan = &analysis.plan;
    format!("{} against {}", plan.new.name, plan.base.name)
}

/// What stands below the summary, also on the live page.
pub fn details(analysis: &Analysis) -> String {
    let mut page = String::new();
    if analysis.standing.tally().pairs_played() > 0 {
        charts::test(&mut page, analysis);
        tables::games(&mut page, analysis);
        tables::openings(&mut page, analysis);
        charts::phases(&mut page, analysis);
    }
    tables::faults(&mut page, analysis);
    plan::plan(&mut page, analysis);
    page
}
