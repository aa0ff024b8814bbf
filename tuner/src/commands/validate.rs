//! `tuner validate`: tuned values against start values, by `sprt`, with openings that the tune has
//! not seen.
//!
//! The tune's own games cannot prove its values: they were chosen by those very games. The match
//! takes the conditions of the tune where nothing else is said, and its openings from what the tune
//! has left over of the book. `transfer` plays a second one at a longer limit.

use std::path::PathBuf;

use clap::Args;
use foundation::{Exit, Failure, Printer, counted};
use referee::openings::{Order, Used};
use runs::plan::contender::Contender;
use runs::plan::project_file::{match_section, overlay};
use runs::plan::{EngineSettings, Entry, Plan, PlayPlan, Question, RunPlan as _};
use runs::plan::{MatchFlags, TestFlags};
use runs::report::Output;
use runs::run_folder::read_plan;
use runs::signals::Signals;

use crate::commands::engine_folder;
use crate::commands::settings::{Conditions, check_unfixed, read_params};
use crate::commands::transfer::{LONG, Transfer};
use crate::formats::location::Source;
use crate::formats::params_file::ParamsFile;
use crate::formats::{self, encoding};
use crate::parameter::{options, start_options};
use crate::run::journal;
use crate::run::result::RunResult;
use crate::run::server::{self, ServerTune};

/// The arguments of `tuner validate`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ValidateArgs {
    /// The tune's folder; of a tune on an OpenBench server, the folder that was fetched
    pub run: PathBuf,
    /// For a tune that was fetched from an OpenBench server: the file it was submitted from, which
    /// names engine and match
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
    #[command(flatten)]
    pub test: TestFlags,
    #[command(flatten)]
    pub play: MatchFlags,
    /// Then play a second match with four times the nodes or the time and other openings, and say
    /// whether the gain is there, too
    #[arg(long, help_heading = "Test")]
    pub transfer: bool,
    /// Folder of the match [default: a new one under the state folder]; that of the second match is
    /// beside it, with `-longer` behind its name
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Print the plan as JSON and play nothing; with --transfer, a list of both plans
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// Print the result as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Both sides and how they play, before an engine is built or started.
pub(crate) struct Pairing {
    pub base: Entry,
    pub new: Entry,
    pub question: Question,
    pub play: PlayPlan,
}

pub(crate) async fn run(args: ValidateArgs, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let Some(plan) = signals
        .unless_interrupted(Box::pin(args.plan(printer)))
        .await?
    else {
        return Ok(signals.exit());
    };
    if args.transfer {
        let transfer = Transfer::new(plan)?;
        if args.dry_run {
            printer.result(&transfer.to_json()?);
            return Ok(Exit::Yes);
        }
        return transfer.play(args.out, args.json, &signals, printer).await;
    }
    if args.dry_run {
        printer.result(&plan.to_json()?);
        return Ok(Exit::Yes);
    }
    let output = Output {
        out: args.out,
        json: args.json,
        ..Output::default()
    };
    runs::session::start(plan, &output, &signals, printer).await
}

impl ValidateArgs {
    /// The tune's conditions where no others are given, with start values against tuned ones.
    async fn plan(&self, printer: Printer) -> Result<Plan, Failure> {
        let pairing = self.pairing(printer)?;
        let trial = pairing.play.trial()?;
        let base = Contender::resolve(&pairing.base, &trial, printer).await?;
        let new = Contender::resolve(&pairing.new, &trial, printer).await?;
        Ok(Plan::new(base, new, pairing.question, pairing.play))
    }

    /// What is to be played, as far as it is known without an engine.
    pub(crate) fn pairing(&self, printer: Printer) -> Result<Pairing, Failure> {
        if let Some(tune) = ServerTune::read(&self.run)? {
            return self.pairing_of_server(&tune, printer);
        }
        let replayed = journal::replay(&self.run)?;
        let (tune, session) = (&replayed.plan, &replayed.session);
        if let Err(failure) = tune.engine.verify() {
            printer.warn(&format!(
                "{}; start and tuned values are set by options all the same",
                failure.message()
            ));
        }
        if !session.is_finished() {
            printer.warn(&format!(
                "the run is at pair {} of {}; this validates its present values",
                session.taken_in(),
                session.pairs()
            ));
        }
        let result = RunResult::new(session);
        for warning in result.warnings() {
            printer.warn(&warning);
        }
        let parameters = &session.tune().parameters;
        check_unfixed(&self.play.option, parameters.iter().map(|own| &*own.name))?;
        let starts = start_options(parameters);
        // What is left at its start may have more digits than games play.
        let found = parameters.iter().zip(&result.parameters);
        let tuned: Vec<f64> = found.map(|(own, found)| own.settle(found.value)).collect();
        let tuned = options(parameters, &tuned);
        if starts == tuned {
            return Err(nothing_moved(result.kept_in_words().as_deref()).hint(
                if session.is_finished() {
                    "`tuner extend` makes the run longer"
                } else {
                    "`tuner resume` plays the rest of the run"
                },
            ));
        }
        let question = self.question()?;
        let common = common_settings(&self.play, &tune.play, &tune.engine.settings)?;
        let conditions = unseen(&tune.play, session.sent_out());
        let play = resolved(&self.play, &tune.play, &conditions, &common)?;
        let most = question.max_pairs;
        if let Some(warning) = seen_before(&play, &tune.play, session.sent_out(), most) {
            printer.warn(&warning);
        }
        let with = |own: Vec<(String, String)>| Entry {
            source: tune.engine.command.display().to_string(),
            settings: EngineSettings {
                options: [common.options.clone(), own].concat(),
                ..common.clone()
            },
            ..Entry::default()
        };
        Ok(Pairing {
            base: with(starts),
            new: with(tuned),
            question,
            play,
        })
    }

    fn question(&self) -> Result<Question, Failure> {
        let section = match_section("tuner validate --help")?;
        let test: TestFlags = overlay(&self.test, &section)?;
        test.resolve()
    }

    /// The values of a server's tune against those it started with, under the conditions of the
    /// parameter file, or of the project file where the parameters are source or values alone. Which
    /// openings the workers have played is not known here.
    fn pairing_of_server(&self, tune: &ServerTune, printer: Printer) -> Result<Pairing, Failure> {
        let params = self.params.as_ref().ok_or_else(|| {
            Failure::unable("a tune of a server does not say which engine it is for")
                .hint("add --params FILE, the file that it was submitted from")
        })?;
        let (text, _) = encoding::read(params)?;
        let has_ranges = formats::has_ranges(Source {
            name: &params.display().to_string(),
            text: &text,
        });
        let file = if has_ranges {
            read_params(params, &[], &[], printer)?
        } else {
            ParamsFile::from(server::submitted(&tune.digest)?)
        };
        for warning in tune.result.warnings() {
            printer.warn(&warning);
        }
        let mut values = [Vec::new(), Vec::new()];
        for found in &tune.result.parameters {
            let mut known = file.parameters.iter();
            let parameter = match known.find(|own| own.name == found.name) {
                Some(parameter) => parameter,
                // Its gains are 0, and it stayed what it is.
                None if !has_ranges || found.value == found.start => continue,
                None => {
                    return Err(Failure::unable(format!(
                        "{} has no parameter {}",
                        params.display(),
                        found.name
                    ))
                    .hint("give the file that the tune was submitted from"));
                }
            };
            for (side, value) in values.iter_mut().zip([found.start, found.value]) {
                let value = server::as_given(parameter, value);
                side.extend(options(std::slice::from_ref(parameter), &[value]));
            }
        }
        let [starts, tuned] = values;
        if starts == tuned {
            return Err(nothing_moved(None));
        }
        let mut found = Conditions::resolve(&self.play, &file.match_section)?;
        // The same command goes on with its matches.
        if self.transfer
            && !found.has_seed
            && let Some(out) = self
                .out
                .as_ref()
                .filter(|out| out.join("plan.json").exists())
        {
            found.play.book.reading.seed = read_plan::<Plan>(out)?.play.book.reading.seed;
        }
        let names = tune.result.parameters.iter().map(|own| &*own.name);
        check_unfixed(&found.given, names)?;
        let source = match found.engine {
            Some(source) => source,
            None => engine_folder::find(params, printer)?,
        };
        let with = |own: Vec<(String, String)>| Entry {
            source: source.clone(),
            settings: EngineSettings {
                options: [found.settings.options.clone(), own].concat(),
                ..found.settings.clone()
            },
            ..Entry::default()
        };
        Ok(Pairing {
            base: with(starts),
            new: with(tuned),
            question: self.question()?,
            play: found.play,
        })
    }
}

fn nothing_moved(why: Option<&str>) -> Failure {
    let why = why.map_or_else(String::new, |why| format!(" ({why})"));
    Failure::no(format!(
        "no value differs from its start{why}: there is nothing to validate"
    ))
}

/// The settings of both engines, besides the values that are compared.
fn common_settings(
    given: &MatchFlags,
    tune: &PlayPlan,
    engine: &EngineSettings,
) -> Result<EngineSettings, Failure> {
    // What the variant demands of the engines is set by the variant that is played.
    let demanded = tune.variant()?.engine_options();
    let mut kept = engine.clone();
    kept.options
        .retain(|(name, _)| demanded.iter().all(|(demanded, _)| demanded != name));
    let mut given = given.clone();
    given.variant.get_or_insert_with(|| tune.variant.clone());
    given.settings_over(&kept)
}

/// The conditions of the match. A book that is given is read from its beginning, but not where it is that
/// of the tune.
fn resolved(
    given: &MatchFlags,
    tune: &PlayPlan,
    unseen: &PlayPlan,
    common: &EngineSettings,
) -> Result<PlayPlan, Failure> {
    let play = given.resolve_over(unseen, &common.options)?;
    if given.book.is_none() || play.book.sha256 != tune.book.sha256 {
        return Ok(play);
    }
    let given = MatchFlags {
        book: None,
        ..given.clone()
    };
    // The same book may be in another place now.
    let mut unseen = unseen.clone();
    unseen.book.file.clone_from(&play.book.file);
    given.resolve_over(&unseen, &common.options)
}

/// The conditions of a tune that has played so many pairs, with openings that it has not seen.
fn unseen(tune: &PlayPlan, pairs: u64) -> PlayPlan {
    let mut play = tune.clone();
    let pairs = tune.book.taken(pairs);
    let before = tune.book.reading;
    let reading = &mut play.book.reading;
    let usable = tune.book.openings.saturating_sub(before.reserved);
    let begun = before.start.saturating_sub(1);
    // A tune that went through all of its share leaves what was reserved.
    let is_through = before.reserved > 0 && begun.saturating_add(pairs) > usable;
    reading.seed = before.seed.wrapping_add(1);
    reading.reserved = 0;
    if before.order == Order::Random {
        reading.start = 1;
        reading.used = Some(Used {
            seed: before.seed,
            start: if is_through { 0 } else { begun },
            count: if is_through { usable } else { pairs },
        });
    } else if is_through {
        reading.start = usable + 1;
    } else {
        reading.start = before.start.saturating_add(pairs);
    }
    play
}

/// What to know of a match of at most so many pairs that comes to openings which the tune has played,
/// or to its own once more; nothing where its book is another one.
fn seen_before(play: &PlayPlan, tune: &PlayPlan, pairs: u64, most: Option<u64>) -> Option<String> {
    let (reading, openings) = (play.book.reading, play.book.openings);
    if play.book.sha256 != tune.book.sha256 || openings == 0 {
        return None;
    }
    let fresh = match reading.used {
        Some(used) => used.fresh(openings),
        None => openings.saturating_sub(reading.start.saturating_sub(1)),
    };
    let fresh = play.book.kept_of(fresh);
    match fresh {
        0 => Some(format!(
            "the tune has played {}, and so every one of the {openings} openings of its \
             book: the match plays them again; --book FILE takes others",
            counted(pairs, "pair")
        )),
        _ if most.unwrap_or(LONG) <= fresh => None,
        _ if reading.order == Order::Sequential => Some(format!(
            "after {} the match comes to openings that the tune has played; --book FILE takes others",
            counted(fresh, "pair")
        )),
        _ => Some(format!(
            "the tune has left {} of its book: a match of more pairs plays them again; --book FILE \
             takes others",
            counted(fresh, "opening")
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use referee::openings::Book;

    use referee::adjudication::RuleFlags;

    use super::*;

    #[test]
    fn the_match_takes_openings_that_the_tune_has_not_seen() {
        let tune = MatchFlags {
            nodes: Some(500),
            seed: Some(9),
            ..MatchFlags::default()
        };
        let tune = tune.resolve().expect("a plan");
        let settings = EngineSettings {
            options: vec![
                ("Hash".to_owned(), "8".to_owned()),
                ("Style".to_owned(), "a".to_owned()),
            ],
            ..EngineSettings::default()
        };
        let conditions = |given: &MatchFlags, tune: &PlayPlan, pairs: u64| {
            let common = common_settings(given, tune, &settings).expect("settings");
            resolved(given, tune, &unseen(tune, pairs), &common)
        };
        let nothing = MatchFlags::default();
        let play = conditions(&nothing, &tune, 300).expect("a plan");
        let reading = play.book.reading;
        assert_eq!((&play.limit, reading.seed), (&tune.limit, 10));
        let used = Used {
            seed: 9,
            start: 0,
            count: 300,
        };
        assert_eq!(reading.used, Some(used));
        let fresh = play.open_book().expect("a book");
        let before = tune.open_book().expect("a book");
        let openings = |book: &Book, count: u64| -> HashSet<Vec<String>> {
            let openings = (0..count).map(|pair| book.opening(pair).expect("an opening"));
            openings.map(|opening| opening.moves).collect()
        };
        assert!(openings(&before, 300).is_disjoint(&openings(&fresh, 2000)));
        assert_eq!(seen_before(&play, &tune, 300, None), None);
        let worn = conditions(&nothing, &tune, u64::MAX).expect("a plan");
        assert!(worn.open_book().expect("a book").opening(0).is_ok());
        let told = seen_before(&worn, &tune, u64::MAX, None).expect("nothing is fresh");
        assert!(told.contains("plays them again"), "{told}");

        let mut frugal = tune.clone();
        frugal.book.reading.reserved = 4000;
        let long = frugal.book.openings + 300;
        let play = conditions(&nothing, &frugal, long).expect("a plan");
        assert_eq!(seen_before(&play, &frugal, long, Some(4000)), None);
        let told = seen_before(&play, &frugal, long, Some(4001)).expect("one more than there are");
        assert!(
            told.starts_with("the tune has left 4000 openings"),
            "{told}"
        );
        let fresh = play.open_book().expect("a book");
        let before = frugal.open_book().expect("a book");
        assert!(openings(&before, long).is_disjoint(&openings(&fresh, 6000)));

        // The book of the tune, named again.
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book.epd");
        let pawn = |at: usize| format!("4k3/8/8/8/8/{}P{}/8/4K3 w - - 0 1\n", at, 7 - at);
        let text: String = (1..7).map(pawn).collect();
        std::fs::write(&path, text).expect("a book");
        let named = MatchFlags {
            book: Some(path),
            ..MatchFlags::default()
        };
        let own = conditions(&named, &tune, 0).expect("a plan");
        let again = conditions(&named, &own, 2).expect("a plan");
        assert_eq!(again.book.reading.used.map(|used| used.count), Some(2));

        let mut in_order = tune.clone();
        in_order.book.reading.order = Order::Sequential;
        let play = conditions(&nothing, &in_order, 300).expect("a plan");
        assert_eq!(
            (play.book.reading.start, play.book.reading.used),
            (301, None)
        );
        let left = play.book.openings - 300;
        assert_eq!(seen_before(&play, &in_order, 300, Some(left)), None);
        let told = seen_before(&play, &in_order, 300, Some(left + 1)).expect("one more");
        assert!(told.starts_with("after "), "{told}");
    }

    #[test]
    fn a_match_flag_overrides_the_condition_of_the_tune() {
        let tune = MatchFlags {
            nodes: Some(500),
            rules: RuleFlags {
                resign_adj: Some("none".into()),
                ..RuleFlags::default()
            },
            variant: Some("chess960".into()),
            ..MatchFlags::default()
        };
        let settings = tune.settings().expect("settings");
        let tune = tune.resolve().expect("a plan");
        assert!(tune.own_processors);
        let given = MatchFlags {
            tc: Some("8+0.08".into()),
            hash: Some(64),
            variant: Some("standard".into()),
            ..MatchFlags::default()
        };
        let common = common_settings(&given, &tune, &settings)
            .expect("settings")
            .options;
        let [threads, hash] = [("Threads", "1"), ("Hash", "64")];
        let expected = [threads, hash].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(common, expected);
        let play = given.resolve_over(&tune, &common).expect("a plan");
        assert_eq!(play.limit.to_string(), "8 s + 0.08 s a move");
        assert_eq!(
            (play.adjudication.resign, play.own_processors),
            (None, false)
        );
    }
}
