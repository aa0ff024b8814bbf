//! `tuner extend`: changes the length of a run and continues it.

use clap::Args;
use foundation::{Exit, Failure, Printer, counted};

use crate::commands::resume::{ResumeArgs, go_on};
use crate::run::journal::Journal;
use crate::run::lines::Line;

/// A run to lengthen or shorten.
#[derive(Args, Clone, Debug)]
pub(crate) struct ExtendArgs {
    #[command(flatten)]
    pub resume: ResumeArgs,
    /// Iterations of the whole run, those played included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub iterations: u64,
}

pub(crate) async fn run(args: ExtendArgs, printer: Printer) -> Result<Exit, Failure> {
    let (mut journal, mut replayed) = Journal::open(&args.resume.run)?;
    if let Some(loss) = replayed.loss() {
        printer.warn(&loss);
    }
    let before = replayed.session.tune().schedule;
    let sent = replayed.session.sent_out();
    let wanted = args.iterations.saturating_mul(before.pairs_per_iteration);
    if wanted < sent {
        return Err(Failure::unable(format!(
            "--iterations {}: {} played or under way, more than the {wanted} asked for",
            args.iterations,
            counted(sent, "pair")
        )));
    }
    // Nothing is changed for a run that cannot be continued.
    replayed.plan.engine.verify()?;
    if args.iterations == before.iterations {
        printer.note(&format!(
            "the run has {} already",
            counted(args.iterations, "iteration")
        ));
        return go_on(args.resume, journal, replayed, printer).await;
    }
    journal.append(&Line::Extend {
        iterations: args.iterations,
        discounted: true,
    })?;
    journal.sync()?;
    replayed.session.discount_anchors();
    replayed.session.extend(args.iterations);
    printer.note(&format!(
        "horizon changed from {} to {}; c and r of the pairs to come follow the new one",
        before.iterations,
        counted(args.iterations, "iteration")
    ));
    go_on(args.resume, journal, replayed, printer).await
}
