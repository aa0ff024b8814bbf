//! What the pages of a match and of a tournament have in common.

use std::fmt::Write as _;

use plot::{escape, page, page_with_games};

use crate::games::Packed;
use crate::plan::Contender;
use crate::status::Status;

/// A page that stands alone, with some of the run's games or none; it does not change any more,
/// though its run may continue.
pub(crate) fn whole(title: &str, run: &str, content: &str, games: Option<&Packed>) -> String {
    let body = [&as_of_now(), content].concat();
    match games.filter(|packed| packed.games > 0) {
        None => page(title, &body),
        Some(packed) => page_with_games(title, &body, &packed.text, run, &packed.words()),
    }
}

/// A line for a page that does not change any more.
pub fn as_of_now() -> String {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%SZ");
    format!("<p class=\"note\">As of {now}.</p>\n")
}

/// The result in words, warnings among them, and what is being done with the run.
pub fn verdict(page: &mut String, words: &str, status: Status) {
    let mut lines = words.lines();
    // Writing to a `String` cannot fail, here and below.
    let _ = writeln!(
        page,
        "<p class=\"verdict\"><b>{}</b> <span class=\"note\">({})</span></p>",
        escape(lines.next().unwrap_or_default()),
        status.words()
    );
    for warning in lines {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(warning));
    }
}

/// Figures, each with what it is.
pub fn cards(page: &mut String, class: &str, cards: &[(String, String)]) {
    let _ = write!(page, "<section class=\"{class}\">");
    for (figure, words) in cards {
        let _ = write!(
            page,
            "<div><b>{}</b><span>{}</span></div>",
            escape(figure),
            escape(words)
        );
    }
    page.push_str("</section>\n");
}

/// What a plan says of an engine, a line each.
pub fn engine(contender: &Contender) -> String {
    let options = contender.settings.options.iter();
    let options = options.map(|(name, value)| format!("{name}={value}"));
    let bench = contender.bench.map(|bench| format!("bench {bench}"));
    let lines = [
        contender.source.clone(),
        contender.engine_name.clone(),
        contender.commit.clone().unwrap_or_default(),
        bench.unwrap_or_default(),
        options.collect::<Vec<_>>().join(" "),
        format!("sha256 {}", contender.sha256),
    ];
    let lines = lines.into_iter().filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// What was planned, as names and values.
pub fn plan<'a>(page: &mut String, rows: impl IntoIterator<Item = (&'a str, String)>) {
    page.push_str("<section><h2>The plan</h2><table class=\"plan\"><tbody>");
    for (name, value) in rows {
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{}<td>{}</tr>",
            escape(name),
            escape(&value)
        );
    }
    page.push_str("</tbody></table></section>\n");
}

/// A figure of a table.
pub(crate) fn number(value: Option<f64>, decimals: usize) -> String {
    // What is rounded to zero has no sign.
    let unit = 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
    value.map_or_else(
        || "n/a".to_owned(),
        |value| format!("{:.decimals$}", (value * unit).round() / unit + 0.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rounded_to_zero_has_no_sign() {
        assert_eq!(number(Some(-0.4), 0), "0");
    }
}
