//! `tuner validate`: tuned values against start values, by `sprt`, with openings that the tune has not seen.
//!
//! The tune's own games cannot prove its values: they were chosen by those very games. The match takes the conditions of
//! the tune where nothing else is said, and its openings from what the tune has left over of the book.

use std::path::PathBuf;

use clap::Args;
use foundation::printer::When;
use foundation::{Exit, Failure, Printer};
use sprt::adjudication::Rules;
use sprt::flags::{MatchFlags, TestFlags};
use sprt::limit::Limit;
use sprt::openings::{Order, Used};
use sprt::plan::PlayPlan;
use sprt::resolve::RunArgs;

use crate::arena::options;
use crate::run::journal;
use crate::run::result::RunResult;

/// What `tuner validate` was told.
#[derive(Args, Clone, Debug)]
pub struct ValidateArgs {
    /// The tune's folder
    pub run: PathBuf,
    #[command(flatten)]
    pub test: TestFlags,
    #[command(flatten)]
    pub play: MatchFlags,
    /// Folder of the match [default: a new one under the state folder]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Print the plan as JSON and play nothing
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// Print the result as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

pub async fn validate(args: ValidateArgs, printer: Printer) -> Result<Exit, Failure> {
    let replayed = journal::replay(&args.run)?;
    let (plan, session) = (&replayed.plan, &replayed.session);
    if let Err(failure) = plan.engine.verify() {
        printer.warn(&format!(
            "{}; start and tuned values are set by options all the same",
            failure.message()
        ));
    }
    for warning in RunResult::new(session).warnings() {
        printer.warn(&warning);
    }
    let parameters = &session.tune().parameters;
    let starts: Vec<f64> = parameters
        .iter()
        .map(|parameter| parameter.kind.settle(parameter.value))
        .collect();
    let words = |values: &[f64]| -> Vec<String> {
        let set = options(parameters, values);
        set.into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    };
    let (base_option, new_option) = (words(&starts), words(&session.proposal()));
    if base_option == new_option {
        return Err(
            Failure::no("no value differs from its start: there is nothing to validate")
                .hint("`tuner extend` makes the run longer"),
        );
    }
    let play = conditions(
        args.play,
        &plan.play,
        &plan.engine.options,
        session.sent_out(),
    );
    let engine = plan.engine.command.display().to_string();
    let run = RunArgs {
        base: engine.clone(),
        new: engine,
        test: args.test,
        play,
        base_option,
        new_option,
        out: args.out,
        pgn: None,
        dry_run: args.dry_run,
        json: args.json,
    };
    sprt::run::start(run, printer).await
}

/// What was typed, and the tune's own conditions for all else.
fn conditions(
    typed: MatchFlags,
    plan: &PlayPlan,
    options: &[(String, String)],
    pairs: u64,
) -> MatchFlags {
    let mut flags = typed;
    let is_limit_typed = flags.tc.is_some()
        || flags.nodes.is_some()
        || flags.depth.is_some()
        || flags.movetime.is_some();
    if !is_limit_typed {
        match plan.limit {
            Limit::Clock(control) => flags.tc = Some(control.to_string()),
            Limit::Nodes(nodes) => flags.nodes = Some(nodes),
            Limit::Depth(depth) => flags.depth = Some(depth),
            Limit::Movetime(ms) => flags.movetime = Some(ms),
        }
    }
    let is_typed = |name: &str| match name.to_lowercase().as_str() {
        "hash" => flags.hash.is_some(),
        "threads" => flags.threads.is_some(),
        _ => false,
    };
    // What a variant demands of the engines is set by the variant that is played.
    let kept = options
        .iter()
        .filter(|(name, _)| !is_typed(name) && name != "UCI_Chess960");
    let mut option: Vec<String> = kept
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    option.append(&mut flags.option);
    flags.option = option;
    let (draw, resign) = adjudication(&plan.adjudication);
    flags.draw_adj = flags.draw_adj.or(Some(draw));
    flags.resign_adj = flags.resign_adj.or(Some(resign));
    flags.max_moves = flags.max_moves.or(plan.adjudication.max_moves);
    flags.variant = flags.variant.or(Some(plan.variant.clone()));
    flags.concurrency = flags.concurrency.or(Some(plan.concurrency));
    if !is_limit_typed && !plan.own_processors {
        flags.affinity = flags.affinity.or(Some(When::Never));
    }
    flags.time_margin = flags.time_margin.or(Some(plan.time_margin_ms));
    flags.startup_timeout = flags.startup_timeout.or(Some(plan.startup_timeout_s));
    flags.move_timeout = flags.move_timeout.or(Some(plan.move_timeout_s));
    if flags.book.is_none() {
        let reading = plan.book.reading;
        flags.book.clone_from(&plan.book.file);
        flags.book_order = flags.book_order.or(Some(reading.order));
        flags.book_plies = flags.book_plies.or(reading.plies);
        flags.seed = flags.seed.or(Some(reading.seed.wrapping_add(1)));
        let start = reading.start.saturating_sub(1);
        if reading.order == Order::Random {
            flags.book_used = Some(Used {
                seed: reading.seed,
                start,
                count: pairs,
            });
        } else {
            flags.book_start = flags.book_start.or(Some(start + pairs + 1));
        }
    }
    flags
}

/// The rules in the words of `--draw-adj` and `--resign-adj`.
fn adjudication(rules: &Rules) -> (String, String) {
    let draw = rules.draw.map_or("none".to_owned(), |rule| {
        let (number, count, score) = (rule.movenumber, rule.movecount, rule.score);
        format!("movenumber={number},movecount={count},score={score}")
    });
    let resign = rules.resign.map_or("none".to_owned(), |rule| {
        let (count, score, both) = (rule.movecount, rule.score, rule.twosided);
        format!("movecount={count},score={score},twosided={both}")
    });
    (draw, resign)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use sprt::adjudication::{DrawRule, ResignRule};
    use sprt::openings::Book;

    use super::*;

    #[test]
    fn rules_are_said_as_they_are_read() {
        let rules = Rules::default();
        let (draw, resign) = adjudication(&rules);
        assert_eq!(DrawRule::parse(&draw), Ok(rules.draw));
        assert_eq!(ResignRule::parse(&resign), Ok(rules.resign));
        let none = Rules {
            draw: None,
            resign: None,
            max_moves: None,
        };
        assert_eq!(adjudication(&none), ("none".to_owned(), "none".to_owned()));
    }

    #[test]
    fn the_match_takes_openings_that_the_tune_has_not_seen() {
        let tune = MatchFlags {
            nodes: Some(500),
            seed: Some(9),
            ..MatchFlags::default()
        };
        let plan = tune.resolve().expect("a plan");
        let options = [
            ("Hash".to_owned(), "8".to_owned()),
            ("Style".to_owned(), "a".to_owned()),
        ];
        let play = conditions(MatchFlags::default(), &plan, &options, 300);
        assert_eq!((play.nodes, play.seed), (Some(500), Some(10)));
        assert_eq!(
            play.book_used,
            Some(Used {
                seed: 9,
                start: 0,
                count: 300
            })
        );
        let fresh = play.resolve().expect("a plan").open_book().expect("a book");
        let before = plan.open_book().expect("a book");
        let openings = |book: &Book, count: u64| -> HashSet<Vec<String>> {
            let openings = (0..count).map(|pair| book.opening(pair).expect("an opening"));
            openings.map(|opening| opening.moves).collect()
        };
        assert!(openings(&before, 300).is_disjoint(&openings(&fresh, 2000)));
        assert_eq!(play.option, ["Hash=8", "Style=a"]);
        let worn = conditions(MatchFlags::default(), &plan, &options, u64::MAX);
        let worn = worn.resolve().expect("a plan").open_book();
        assert!(worn.expect("a book").opening(0).is_ok());
        let mut in_order = plan.clone();
        in_order.book.reading.order = Order::Sequential;
        let play = conditions(MatchFlags::default(), &in_order, &options, 300);
        assert_eq!((play.book_start, play.book_used), (Some(301), None));
        let typed = MatchFlags {
            tc: Some("8+0.08".into()),
            hash: Some(64),
            ..MatchFlags::default()
        };
        let play = conditions(typed, &plan, &options, 300);
        assert_eq!((play.nodes, play.tc.as_deref()), (None, Some("8+0.08")));
        assert_eq!(play.option, ["Style=a"]);
    }
}
