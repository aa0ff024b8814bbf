//! Plays a run that has been planned or replayed, to its end or an interruption, and says how it
//! ended.

use std::collections::HashMap;
use std::path::Path;

use foundation::{Exit, Failure, Printer, process::command_on};
use runs::signals::Signals;

use crate::run::arena::{ATTEMPTS, Arena};
use crate::run::journal::{Journal, Replayed, replay_with_pairs};
use crate::run::recorder::Recorder;
use crate::run::result::RunResult;
use crate::run::session::Session;

pub(crate) async fn play(
    replayed: Replayed,
    journal: Journal,
    json: bool,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let Replayed {
        plan,
        mut session,
        attribution,
        ..
    } = replayed;
    let params = plan.params.clone();
    let arena = Arena::new(&plan.play, &plan.engine, &plan.tune.parameters)?;
    let attempts: HashMap<u64, u32> = journal.attempts.iter().copied().collect();
    let (path, place) = (journal.path().to_owned(), journal.place());
    let mut recorder = Recorder::new(plan, journal, attribution, &session, printer);
    let played = arena
        .run(
            &mut session,
            attempts,
            &signals.interrupt,
            |session, pair, event| recorder.receive(session, pair, event),
        )
        .await;
    let suspects = recorder.close()?;
    // Where the folder is not, nothing continues it.
    place.check()?;
    played.map_err(|failure| {
        let go_on = format!("then `{}`", command_on("tuner resume", &path));
        match failure.next_step() {
            Some(hint) => {
                let hint = format!("{hint}; {go_on}");
                failure.hint(hint)
            }
            None => failure.hint(go_on),
        }
    })?;
    for suspect in &suspects {
        printer.warn(&format!("the engine fails with {}", suspect.words()));
    }
    let session = replay_with_pairs(&path)?.session;
    conclude(&session, &params, &path, json, signals, printer)
}

/// Prints where the run stands, and says how it ended.
fn conclude(
    session: &Session,
    params: &Path,
    path: &Path,
    json: bool,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let on = |command: &str| command_on(command, path);
    let result = RunResult::new(session);
    if json {
        printer.result(&result.to_json(path)?);
    } else {
        printer.result(&result.table());
    }
    if session.is_finished() {
        for warning in result.warnings() {
            printer.warn(&warning);
        }
        // The plan has an absolute path, so that a run can be resumed from any folder.
        let here = std::env::current_dir().unwrap_or_default();
        let params = params.strip_prefix(&here).unwrap_or(params);
        printer.note(&format!(
            "look at it: {}\nprove it:   {}\nkeep it:    {}",
            on("tuner report"),
            on("tuner validate"),
            command_on(&on("tuner apply"), params)
        ));
        return Ok(Exit::Yes);
    }
    if signals.was_interrupted() {
        printer.note(&format!(
            "interrupted; continue with `{}`",
            on("tuner resume")
        ));
        return Ok(signals.exit());
    }
    Err(Failure::engine(format!(
        "{} pairs were given up after {ATTEMPTS} tries each",
        session.given_up()
    ))
    .hint(format!(
        "if the cause lies outside of the engine, `{}` goes on; `{}` lists the values: mend the \
         engine, or narrow min and max, and start a new run",
        on("tuner resume"),
        on("tuner report")
    )))
}
