//! A run as one HTML page that loads nothing: to be viewed, shared and archived.
//!
//! Every figure comes from an [`Analysis`]; names of engines and runs are text, whatever they
//! contain.

mod charts;
mod machine;
pub mod parts;
mod plan;
mod size;
mod summary;
mod tables;
mod trends;

use crate::analysis::Analysis;
use crate::games::Packed;
use crate::state_folder;

pub use summary::summary;

/// The whole page, with or without games to replay.
pub fn page(analysis: &Analysis, games: Option<&Packed>) -> String {
    let content = [summary(analysis), details(analysis)].concat();
    let name = state_folder::name(&analysis.run);
    parts::whole(&title(analysis), &name, &content, games)
}

/// The title, as text.
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
        trends::trends(&mut page, analysis);
        machine::machine(&mut page, analysis);
    }
    tables::faults(&mut page, analysis);
    plan::plan(&mut page, analysis);
    page
}
