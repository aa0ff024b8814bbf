//! The Elo expected over the course of a run, and what the pairs against the start say by
//! themselves.

use std::fmt::Write;

use plot::{Band, Chart, Level, Line};

use crate::elo::TWO_SIDED_95;
use crate::run::session::Claim;

/// With fewer points no course is drawn.
const LEAST: usize = 2;

pub(super) fn section(page: &mut String, claims: &[Claim], planned: u64) {
    if claims.len() < LEAST {
        return;
    }
    let mut chart = Chart {
        title: "Elo expected over the start".into(),
        width: 960.0,
        height: 300.0,
        lines: Vec::new(),
        bands: Vec::new(),
        levels: vec![Level {
            y: 0.0,
            class: "start",
            title: "start".into(),
            is_named: false,
        }],
        end: planned as f64,
        x_name: "pairs",
    };
    let own: Vec<(u64, f64, f64)> = claims
        .iter()
        .map(|claim| (claim.pairs, claim.elo, claim.elo_sd))
        .collect();
    let anchors: Vec<(u64, f64, f64)> = claims
        .iter()
        .filter_map(|claim| claim.anchors.map(|own| (claim.pairs, own.elo, own.elo_sd)))
        .collect();
    add(&mut chart, "expected", "new", &own);
    if anchors.len() >= LEAST {
        add(&mut chart, "pairs against the start", "base", &anchors);
    }
    // Lines and named levels make a chart's range; that of the claims is to hold the intervals of the
    // second half.
    let late = own
        .iter()
        .chain(&anchors)
        .filter(|(pairs, ..)| 2 * pairs > planned);
    for &(_, elo, sd) in late {
        let half = TWO_SIDED_95 * sd;
        chart.levels.extend([elo - half, elo + half].map(|y| Level {
            y,
            class: "extent",
            title: String::new(),
            is_named: true,
        }));
    }
    page.push_str("<section><h2>What it gained</h2>");
    page.push_str(&chart.svg());
    page.push_str(
        "<p class=\"legend\"><span class=\"key new\">expected, of the values at that time</span>",
    );
    if anchors.len() >= LEAST {
        page.push_str(" <span class=\"key base\">by the pairs against the start alone</span>");
    }
    let _ = writeln!(
        page,
        "</p><p class=\"note\">Bands are 95% intervals. Early claims rest on the model alone.</p></section>"
    );
}

fn add(chart: &mut Chart, label: &str, class: &str, points: &[(u64, f64, f64)]) {
    chart.bands.push(Band {
        class: format!("band {class}"),
        points: points
            .iter()
            .map(|&(pairs, elo, sd)| {
                let half = TWO_SIDED_95 * sd;
                (pairs as f64, elo - half, elo + half)
            })
            .collect(),
    });
    chart.lines.push(Line {
        label: label.into(),
        class: class.into(),
        points: points
            .iter()
            .map(|&(pairs, elo, _)| (pairs as f64, elo))
            .collect(),
    });
}
