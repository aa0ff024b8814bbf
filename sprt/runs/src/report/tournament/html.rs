//! A tournament as one HTML page that loads nothing, and the part of it that the live page shows.
//!
//! Every figure comes from [`Figures`]; names are text, whatever they contain.

use std::fmt::Write as _;
use std::path::Path;

use foundation::{Failure, counted};
use plot::{Interval, Intervals, escape};

use super::schedule::{self, points};
use super::{progress_in_words, sentence};
use crate::activity::{Activity, now};
use crate::games::Packed;
use crate::pair_record::PairLine;
use crate::plan::Contender;
use crate::report::TournamentState;
use crate::report::html::parts::{self, number};
use crate::run_folder::read_plan;
use crate::state_folder;
use crate::status::Status;
use crate::tournament::{Against, Figures, Row, TournamentPlan, TournamentStanding};

/// About as wide as the chart of ratings is shown.
const WIDTH: f64 = 640.0;

/// A tournament that is to be drawn.
pub struct View {
    plan: TournamentPlan,
    standing: TournamentStanding,
    figures: Figures,
    run: std::path::PathBuf,
    status: Status,
    games_per_second: Option<f64>,
}

impl View {
    /// `lines`: the journal of the run.
    pub fn after(run: &Path, lines: &[PairLine]) -> Result<Self, Failure> {
        let plan: TournamentPlan = read_plan(run)?;
        let standing = TournamentStanding::after(&plan, lines)?;
        let activity = Activity::read(run);
        Ok(Self {
            games_per_second: activity
                .and_then(|activity| activity.games_per_second(2 * standing.pairs(), now())),
            figures: Figures::of(&plan, &standing),
            run: run.to_owned(),
            status: Status::of(run, standing.is_over()),
            plan,
            standing,
        })
    }

    pub fn title(&self) -> &str {
        &self.plan.format.title
    }

    pub fn state(&self) -> &'static str {
        self.status.word()
    }

    pub fn pairs(&self) -> u64 {
        self.figures.pairs
    }

    pub fn concurrency(&self) -> usize {
        self.plan.play.concurrency
    }

    /// The whole page, with or without games to replay.
    pub fn page(&self, games: Option<&Packed>) -> String {
        let content = [self.summary(), self.details()].concat();
        parts::whole(
            self.title(),
            &state_folder::name(&self.run),
            &content,
            games,
        )
    }

    /// What stands below the title, also on the live page.
    pub fn summary(&self) -> String {
        let mut page = String::new();
        self.result(&mut page);
        self.cards(&mut page);
        self.places(&mut page);
        self.ratings(&mut page);
        page
    }

    /// What stands below the summary, and below the boards of the live page.
    pub fn details(&self) -> String {
        let mut page = String::new();
        self.cross_table(&mut page);
        schedule::bracket(&mut page, &self.figures.stages);
        schedule::coming(&mut page, &self.plan, &self.standing);
        self.superiority(&mut page);
        self.plan(&mut page);
        page
    }

    fn result(&self, page: &mut String) {
        let words = sentence(&TournamentState {
            plan: &self.plan,
            run: &self.run,
            standing: &self.standing,
        });
        parts::verdict(page, &words, self.status);
    }

    fn cards(&self, page: &mut String) {
        let figures = &self.figures;
        let mut cards = vec![
            (
                figures.games.to_string(),
                format!("games; {}", progress_in_words(&self.standing)),
            ),
            (
                figures.engines.len().to_string(),
                format!("engines in a {}", self.plan.format.kind.words()),
            ),
        ];
        cards.extend(schedule::to_go(&self.standing, self.games_per_second));
        if let Some(first) = figures.decided() {
            cards.push((first.to_owned(), "is first".to_owned()));
        } else if let Some(leader) = figures.leader() {
            let leads = if figures.is_over { "is first" } else { "leads" };
            cards.push((leader.name.clone(), format!("{leads} with {}", elo(leader))));
        }
        if let (Some(advantage), Some(draw_elo)) = (figures.advantage, figures.draw_elo) {
            cards.push((
                format!("{advantage:+.0}"),
                format!("Elo for the first move; draw Elo {draw_elo:.0}"),
            ));
        }
        parts::cards(page, "cards", &cards);
    }

    /// The table of a Swiss tournament.
    fn places(&self, page: &mut String) {
        let places = &self.figures.places;
        if places.is_empty() {
            return;
        }
        page.push_str(
            "<section><h2>Places</h2><div class=\"scroll\" tabindex=\"0\"><table class=\"figures\"><thead><tr>\
             <th>engine<th>place<th>points<th>of opponents</tr></thead><tbody>",
        );
        for place in places {
            let _ = write!(
                page,
                "<tr><th>{}<td>{}<td>{:.1}<td>{:.1}</tr>",
                escape(&place.name),
                place.place,
                place.points,
                place.opponents
            );
        }
        page.push_str("</tbody></table></div></section>\n");
    }

    fn ratings(&self, page: &mut String) {
        page.push_str(
            "<section><h2>Ratings</h2><div class=\"scroll\" tabindex=\"0\"><table class=\"figures ranks\"><thead><tr>\
             <th>engine<th>Elo<th>±<th>games<th>score<th>oppo.<th>draws<th>Ordo<th>faults</tr></thead><tbody>",
        );
        for row in &self.figures.engines {
            let faults = row.faults.words();
            let class = if row.faults.sum() > 0 {
                " class=\"fault\""
            } else {
                ""
            };
            let _ = write!(
                page,
                "<tr{class}><th>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
                escape(&row.name),
                number(row.elo, 0),
                number(row.error, 0),
                row.games,
                percent(row.score),
                number(row.opposition, 0),
                percent(row.draw_share),
                number(row.ordo, 1),
                if faults.is_empty() { "none" } else { &faults }
            );
        }
        let rows = self.figures.engines.iter().filter_map(|row| {
            let value = row.elo?;
            Some(Interval {
                label: row.name.clone(),
                value,
                ends: row.error.map(|error| [value - error, value + error]),
            })
        });
        let chart = Intervals {
            title: "Elo with its 95% interval".to_owned(),
            width: WIDTH,
            rows: rows.collect(),
        };
        let _ = write!(
            page,
            "</tbody></table></div><div class=\"scroll ratings\" tabindex=\"0\">{}</div>",
            chart.svg()
        );
        let engines = self.figures.engines.iter();
        let unrated = engines.filter_map(|row| {
            let why = row.why_no_ordo()?;
            Some(format!("{} ({why})", escape(&row.name)))
        });
        let unrated: Vec<String> = unrated.collect();
        if !unrated.is_empty() {
            let names = unrated.join(", ");
            let _ = write!(page, "<p class=\"note\">Not rated by Ordo: {names}.</p>");
        }
        page.push_str(
            "<p class=\"note\">Elo and its 95% interval as BayesElo computes them; oppo.: \
             mean Elo of the opponents; Ordo: rating by maximum likelihood, as the program of that name computes \
             it, on its scale: 76% at 202 points, 0.9% wider than Elo's 400/ln 10.</p></section>\n",
        );
    }

    fn cross_table(&self, page: &mut String) {
        page.push_str("<section><h2>Cross table</h2><div class=\"scroll\" tabindex=\"0\"><table class=\"figures crosses\"><thead><tr><th>engine<th>points");
        self.heads(page);
        for (place, row) in self.figures.engines.iter().enumerate() {
            let _ = write!(
                page,
                "<tr><th>{} {}<td>{}",
                place + 1,
                escape(&row.name),
                points(row.points)
            );
            for (column, against) in row.against.iter().enumerate() {
                let names = [&row.name, &self.figures.engines[column].name];
                Self::cell(page, place == column, against.as_ref(), names);
            }
            page.push_str("</tr>");
        }
        page.push_str(
            "</tbody></table></div><p class=\"note\">points, and games won, drawn and lost by the \
             engine of the row</p></section>\n",
        );
    }

    /// On a page with games, the cell becomes a link to them.
    fn cell(page: &mut String, is_self: bool, against: Option<&Against>, names: [&String; 2]) {
        let _ = match against {
            Some(games) => write!(
                page,
                "<td data-players=\"{}\">{}<br><small>+{} ={} −{}</small>",
                escape(&serde_json::json!(names).to_string()),
                points(games.points),
                games.wins,
                games.draws,
                games.losses
            ),
            None if is_self => write!(page, "<td class=\"self\">"),
            None => write!(page, "<td>·"),
        };
    }

    /// The rest of a row of heads: the places of the engines.
    fn heads(&self, page: &mut String) {
        for (place, row) in self.figures.engines.iter().enumerate() {
            let _ = write!(
                page,
                "<th title=\"{0}\" aria-label=\"{0}\">{1}",
                escape(&row.name),
                place + 1
            );
        }
        page.push_str("</tr></thead><tbody>");
    }

    fn superiority(&self, page: &mut String) {
        let rows = &self.figures.engines;
        let known = |row: &Row| row.superiority.iter().any(Option::is_some);
        if !rows.iter().any(known) {
            return;
        }
        page.push_str("<section><h2>Likelihood of superiority</h2><div class=\"scroll\" tabindex=\"0\"><table class=\"figures crosses\"><thead><tr><th>engine");
        self.heads(page);
        for (place, row) in rows.iter().enumerate() {
            let _ = write!(page, "<tr><th>{} {}", place + 1, escape(&row.name));
            for (column, &los) in row.superiority.iter().enumerate() {
                let class = if place == column {
                    " class=\"self\""
                } else {
                    ""
                };
                let _ = write!(
                    page,
                    "<td{class}>{}",
                    if place == column {
                        String::new()
                    } else {
                        percent_in_tenths(los)
                    }
                );
            }
            page.push_str("</tr>");
        }
        page.push_str(
            "</tbody></table></div><p class=\"note\">the probability that the engine of the row is \
             stronger than that of the column</p></section>\n",
        );
    }

    fn plan(&self, page: &mut String) {
        let (format, play) = (&self.plan.format, &self.plan.play);
        let book = play.book.file.as_ref().map_or_else(
            || "the embedded one".to_owned(),
            |file| file.display().to_string(),
        );
        let mut rows = vec![
            (
                "format".to_owned(),
                format!(
                    "{}, {} of games a pairing",
                    format.kind.words(),
                    counted(format.rounds, "pair")
                ),
            ),
            ("limit".to_owned(), self.plan.limit_in_prose()),
            ("variant".to_owned(), play.variant.clone()),
            (
                "book".to_owned(),
                format!(
                    "{book}, {}, seed {}",
                    counted(play.book.openings, "opening"),
                    play.book.reading.seed
                ),
            ),
            ("games at a time".to_owned(), play.concurrency.to_string()),
            ("folder".to_owned(), self.run.display().to_string()),
        ];
        for entrant in &self.plan.engines {
            let contender = &entrant.contender;
            let family = entrant
                .family
                .as_ref()
                .map(|family| format!("\nfamily {family}"));
            rows.push((
                contender.name.clone(),
                engine(contender) + &family.unwrap_or_default(),
            ));
        }
        let rows = rows.iter();
        parts::plan(
            page,
            rows.map(|(name, value)| (name.as_str(), value.clone())),
        );
    }
}

fn engine(contender: &Contender) -> String {
    let settings = contender.settings.flags();
    let settings = settings
        .iter()
        .map(|(name, value)| format!("{name} {value}"));
    [
        contender.source.clone(),
        contender.engine_name.clone(),
        contender.commit.clone().unwrap_or_default(),
        settings.collect::<Vec<_>>().join(", "),
        format!("sha256 {}", contender.sha256),
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect::<Vec<_>>()
    .join("\n")
}

fn elo(row: &Row) -> String {
    format!("{} ± {} Elo", number(row.elo, 0), number(row.error, 0))
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(
        || "n/a".to_owned(),
        // As the text rounds: halves away from zero.
        |share| format!("{:.0}%", (100.0 * share).round()),
    )
}

fn percent_in_tenths(share: Option<f64>) -> String {
    share.map_or_else(|| "·".to_owned(), |share| format!("{:.1}%", 100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_folder::tests::game;
    use crate::tournament::plan::tests::plan;
    use crate::tournament::{Format, Kind};
    use engine_client::Color;
    use referee::arena::EndKind;

    fn view(names: &[&str], kind: Kind) -> View {
        let format = Format {
            title: "<i>cup</i>".to_owned(),
            kind,
            seeds: 1,
            rounds: 2,
            ..Format::default()
        };
        let plan = plan(names, format).expect("a plan");
        let mut standing = TournamentStanding::new(&plan);
        for _ in 0..5 {
            let game = |new, winner| game(new, winner, EndKind::Rules);
            standing.add(&[
                game(Color::White, Some(Color::White)),
                game(Color::Black, None),
            ]);
        }
        View {
            figures: Figures::of(&plan, &standing),
            run: "run".into(),
            status: Status::Over,
            games_per_second: Some(2.0),
            plan,
            standing,
        }
    }

    #[test]
    fn names_are_text_whatever_they_contain() {
        let page = view(
            &["<script>alert(1)</script>", "b\"c", "d"],
            Kind::RoundRobin,
        )
        .page(None);
        assert!(
            !page.contains("<script") && !page.contains("<i>cup") && !page.contains("\"b\"c\"")
        );
        assert!(page.contains("&lt;script&gt;"), "{page}");
        let cell = "data-players=\"[&quot;d&quot;,&quot;b\\&quot;c&quot;]\"";
        assert!(page.contains(cell), "{page}");
        assert_eq!(page.matches("<circle").count(), 3);
    }

    #[test]
    fn engines_that_did_not_meet_are_compared_as_in_the_text() {
        let view = view(&["a", "b", "c", "d"], Kind::Gauntlet);
        let page = view.page(None);
        let from = page.find("Likelihood of superiority").expect("a section");
        let section = page[from..].split("</section>").next().unwrap_or_default();
        assert!(
            !section.contains('·') && section.matches('%').count() == 12,
            "{section}"
        );
        assert_eq!(
            [0.125, 0.135].map(|share| percent(Some(share))),
            ["13%", "14%"]
        );
    }

    #[test]
    fn a_knock_out_has_its_bracket() {
        let page = view(&["a", "b", "c", "d"], Kind::KnockOut).page(None);
        assert!(
            page.contains("semi-finals") && page.contains("<b>a</b> – d"),
            "{page}"
        );
    }
}
