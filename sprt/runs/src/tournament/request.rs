//! The flags and the configuration of a tournament, and how they are resolved to a plan.

use std::ops::RangeInclusive;

use foundation::{Failure, Printer, failure::OrUnable};
use serde::{Deserialize, Serialize};

use super::openings::{BookPolicy, Openings};
use super::plan::{Entrant, Format, Kind, RatingMethod, TournamentPlan};
use crate::plan::MatchFlags;
use crate::plan::project_file::{overlay, side_under};
use crate::plan::settings::EngineFlags;
use crate::plan::{Contender, Entry, OnFault};

/// Pairs of games that each pairing plays where nothing else is said.
const USUAL_ROUNDS: u64 = 50;
const MOST_ROUNDS: u64 = 1_000_000;

/// Who plays whom, and how often.
#[derive(clap::Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[command(next_help_heading = "Tournament")]
pub struct TournamentFlags {
    /// Title in records and tables [default: tournament]
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// Who plays whom [default: round-robin]
    #[arg(long, value_enum, value_name = "KIND")]
    pub kind: Option<Kind>,
    /// Pairs of games that each pairing plays [default: 50]
    #[arg(long, value_name = "N")]
    pub rounds: Option<u64>,
    /// Games of all pairings together, as evenly as pairs of games allow, instead of --rounds
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub games: Option<u64>,
    /// Which pairings share openings [default: round]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub book_policy: Option<BookPolicy>,
    /// Games that a pairing plays from each opening, an even number [default: 2]
    #[arg(long, value_name = "N")]
    pub games_per_opening: Option<u64>,
    /// In a Swiss tournament, how often everybody is paired [default: as often as it takes to leave
    /// one engine without a loss]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub turns: Option<u64>,
    /// In a gauntlet, how many of the first engines play all others [default: 1]
    #[arg(long, value_name = "N")]
    pub seeds: Option<usize>,
    /// What happens to a pair in which an engine crashes, stalls, is late or makes an illegal move
    /// [default: forfeit]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub on_fault: Option<OnFault>,
    /// Commands that BayesElo is given before it prints its table [default: fitted]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub ratings: Option<RatingMethod>,
}

/// An engine that is to take part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineRequest {
    /// A program, a git revision, or a folder with a Makefile.
    pub source: String,
    pub family: Option<String>,
    pub flags: EngineFlags,
    /// Where it was named, for messages.
    pub place: String,
}

/// Everything that is known of a tournament before it is resolved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    pub tournament: TournamentFlags,
    pub play: MatchFlags,
    pub engines: Vec<EngineRequest>,
}

impl TournamentFlags {
    fn resolve(&self) -> Result<Format, Failure> {
        Ok(Format {
            title: self.title.clone().unwrap_or("tournament".to_owned()),
            kind: self.kind.unwrap_or_default(),
            seeds: self.seeds.unwrap_or(1),
            rounds: within(
                "rounds",
                self.rounds.unwrap_or(USUAL_ROUNDS),
                1..=MOST_ROUNDS,
            )?,
            turns: self.turns.unwrap_or_default(),
            most_pairs: match self.games {
                None => None,
                Some(games) => Some(within("games", games, 1..=2 * MOST_ROUNDS)?.div_ceil(2)),
            },
            openings: Openings {
                policy: self.book_policy.unwrap_or_default(),
                pairs_each: self.pairs_per_opening()?,
            },
            on_fault: self.on_fault.unwrap_or_default(),
            ratings: self.ratings.unwrap_or_default(),
        })
    }

    fn pairs_per_opening(&self) -> Result<u64, Failure> {
        let games = self.games_per_opening.unwrap_or(2);
        if games == 0 || games % 2 == 1 {
            return Err(Failure::unable(format!(
                "--games-per-opening {games}: expected an even number, for both colours"
            )));
        }
        Ok(games / 2)
    }
}

impl Request {
    /// Puts command-line arguments over what a configuration says.
    ///
    /// # Errors
    /// A number among them cannot be used.
    pub fn put_over(
        &mut self,
        tournament: &TournamentFlags,
        play: &MatchFlags,
    ) -> Result<(), Failure> {
        let table = |flags| toml::Table::try_from(flags).or_unable("use the configuration");
        self.play = overlay(play, &table(&self.play)?)?;
        for engine in &mut self.engines {
            let own = toml::Table::try_from(&engine.flags).or_unable("use the configuration")?;
            engine.flags = side_under(play, &own)?
                .try_into()
                .or_unable("use the configuration")?;
        }
        let TournamentFlags {
            title,
            kind,
            rounds,
            games,
            book_policy,
            games_per_opening,
            turns,
            seeds,
            on_fault,
            ratings,
        } = tournament.clone();
        let own = &mut self.tournament;
        own.title = title.or(own.title.take());
        own.kind = kind.or(own.kind);
        // One of the two replaces the other, wherever that was said.
        if rounds.is_some() || games.is_some() {
            (own.rounds, own.games) = (rounds, games);
        }
        own.book_policy = book_policy.or(own.book_policy);
        own.games_per_opening = games_per_opening.or(own.games_per_opening);
        own.turns = turns.or(own.turns);
        own.seeds = seeds.or(own.seeds);
        own.on_fault = on_fault.or(own.on_fault);
        own.ratings = ratings.or(own.ratings);
        Ok(())
    }

    /// Builds engines and opens the book.
    ///
    /// # Errors
    /// Something that was asked for cannot be had; nothing has been written then.
    pub async fn resolve(&self, printer: Printer) -> Result<TournamentPlan, Failure> {
        let format = self.tournament.resolve()?;
        let mut play = self.play.resolve()?;
        let common = self.play.settings()?;
        let entries = self
            .engines
            .iter()
            .map(|engine| {
                let entry = engine.flags.entry(&engine.source, &common);
                entry.map_err(|failure| failure.context(&engine.place))
            })
            .collect::<Result<Vec<Entry>, _>>()?;
        let settings: Vec<_> = entries.iter().map(|entry| &entry.settings).collect();
        self.play.fit_to(&mut play, &settings)?;
        let trial = play.trial()?;
        let mut engines = Vec::with_capacity(entries.len());
        for (entry, engine) in entries.iter().zip(&self.engines) {
            let contender = Contender::resolve(entry, &trial, printer).await;
            engines.push(Entrant {
                contender: contender.map_err(|failure| failure.context(&engine.place))?,
                family: engine.family.clone(),
            });
        }
        TournamentPlan::new(format, engines, play)
    }
}

impl EngineRequest {
    /// Reads `SOURCE [KEY=VALUE ...]`, with the keys of a configuration file and words as a shell
    /// has them.
    ///
    /// # Errors
    /// A key is not known or has a value of the wrong type.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = |what: String| {
            Failure::unable(format!("--engine '{text}': {what}")).hint(
                "expected an engine and its settings, such as --engine './mine name=Mine option=Hash=64 tc=4+0.04'",
            )
        };
        let words = shlex::split(text).ok_or_else(|| wrong("a quote is not closed".to_owned()))?;
        let mut words = words.into_iter();
        let source = words.next().filter(|source| !source.is_empty());
        let source = source.ok_or_else(|| wrong("no engine is named".to_owned()))?;
        let mut request = Self {
            source,
            place: format!("--engine '{text}'"),
            ..Self::default()
        };
        let mut table = toml::Table::new();
        for word in words {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| wrong(format!("`{word}` is not KEY=VALUE")))?;
            if key == "family" {
                request.family = Some(value.to_owned());
                continue;
            }
            match key {
                "option" | "arg" | "init" => {
                    let list = table
                        .entry(key)
                        .or_insert_with(|| toml::Value::Array(Vec::new()));
                    if let toml::Value::Array(list) = list {
                        list.push(value.into());
                    }
                }
                "nodes" | "depth" | "movetime" | "time-margin" => {
                    let number: i64 = value.parse().map_err(|_| {
                        wrong(format!("`{key}` expects a whole number, got `{value}`"))
                    })?;
                    table.insert(key.to_owned(), number.into());
                }
                "ponder" => {
                    let value: bool = value.parse().map_err(|_| {
                        wrong(format!("`{key}` expects true or false, got `{value}`"))
                    })?;
                    table.insert(key.to_owned(), value.into());
                }
                _ => {
                    table.insert(key.to_owned(), value.into());
                }
            }
        }
        request.flags = table.try_into().map_err(|error: toml::de::Error| {
            // The family is read above.
            wrong(
                error
                    .message()
                    .replace("expected one of", "expected one of `family`,"),
            )
        })?;
        Ok(request)
    }
}

fn within(flag: &str, value: u64, range: RangeInclusive<u64>) -> Result<u64, Failure> {
    if range.contains(&value) {
        return Ok(value);
    }
    let (least, most) = range.into_inner();
    Err(Failure::unable(format!(
        "--{flag} {value}: expected {least} to {most}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_engine_has_its_settings_beside_it() {
        let engine = EngineRequest::parse(
            "'./my engine' name=Mine option=Hash=64 'option=Book File=a b.bin' nodes=500 family=x",
        )
        .expect("an engine");
        assert_eq!(
            (engine.source.as_str(), engine.family.as_deref()),
            ("./my engine", Some("x"))
        );
        assert_eq!(engine.flags.name.as_deref(), Some("Mine"));
        assert_eq!(engine.flags.option, ["Hash=64", "Book File=a b.bin"]);
        assert_eq!(engine.flags.nodes, Some(500));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, what) in [
            ("a nodes=many", "`nodes` expects a whole number, got `many`"),
            ("a ponder=yes", "`ponder` expects true or false, got `yes`"),
            (
                "a nodez=5",
                "unknown field `nodez`, expected one of `family`, `name`",
            ),
            ("a 'b", "quote"),
            ("", "no engine"),
            ("a b", "`b` is not KEY=VALUE"),
        ] {
            let failure = EngineRequest::parse(text).expect_err("refused");
            assert!(failure.message().contains(what), "{failure}");
        }
    }

    #[test]
    fn an_opening_is_played_with_both_colours() {
        let flags = |games| TournamentFlags {
            games_per_opening: Some(games),
            ..TournamentFlags::default()
        };
        let format = flags(6).resolve().expect("three pairs each");
        assert_eq!(format.openings.pairs_each, 3);
        for odd in [0, 1, 3] {
            let failure = flags(odd).resolve().expect_err("no pairs");
            assert!(failure.message().contains("an even number"), "{failure}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[ a-z=0-9'\"\\\\.-]{0,40}") {
            let _ = EngineRequest::parse(&text);
        }
    }
}
