//! `tuner prove`: a run's values as a commit with its proof: built, benched, played against the
//! commit that they were made on, and committed on a branch of their own if the test accepts them.

use std::path::{Path, PathBuf};

use clap::Args;
use foundation::{Exit, Failure, Printer, files};
use runs::plan::contender::Contender;
use runs::plan::{Entry, MatchFlags, Plan, TestFlags};
use runs::report::block::message;
use runs::report::{MatchState, Output};
use runs::run_folder::{MatchFolder, read_plan};
use runs::signals::Signals;
use runs::standing::Standing;
use runs::state_folder::new_run_path;

use crate::commands::apply::ApplyArgs;
use crate::commands::proposal::Proposal;
use crate::commands::validate::{Pairing, ValidateArgs};
use crate::run::server::digest_in;
use crate::words;

/// The arguments of `tuner prove`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProveArgs {
    /// The tune's folder; of a tune on an OpenBench server, the folder that was fetched
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The parameter file, or source, in the engine's repository; the build reads it
    #[arg(value_name = "PARAMS")]
    pub params: PathBuf,
    #[command(flatten)]
    pub commit: CommitArgs,
    /// Write no value that ended at a bound, or that moved without evidence, less than noise or to
    /// another level
    #[arg(long, help_heading = "Commit")]
    pub only_evident: bool,
    #[command(flatten)]
    pub test: TestFlags,
    #[command(flatten)]
    pub play: MatchFlags,
    /// Folder of the match; one that holds a match of these values is continued [default: a new one
    /// under the state folder]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
}

/// The commit that is made of the values.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Commit")]
pub(crate) struct CommitArgs {
    /// Branch to make [default: `tune-` and the name of the run]
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// First line of the commit message [default: the names of the parameters]
    #[arg(long, value_name = "TEXT")]
    pub subject: Option<String>,
    /// Go on although the tune is not finished or began at other values, or a value that is written
    /// ended at a bound or moved without evidence
    #[arg(long)]
    pub force: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl CommitArgs {
    /// The values of a run as a proposal.
    ///
    /// # Errors
    /// A person has to look at them first.
    pub(crate) fn proposal(
        &self,
        run: &Path,
        params: &Path,
        only_evident: bool,
        printer: Printer,
    ) -> Result<Proposal, Failure> {
        let apply = ApplyArgs {
            run: run.to_owned(),
            params: params.to_owned(),
            only_evident,
            only: Vec::new(),
            except: Vec::new(),
            dry_run: true,
        };
        let change = apply.change()?;
        if let [first, rest @ ..] = change.doubts.as_slice() {
            if !self.force {
                let ways = if only_evident || digest_in(run).is_some() {
                    "look at `tuner report`; --force goes on all the same"
                } else {
                    "look at `tuner report`; --only-evident leaves out values without evidence or at a \
                     bound, --force goes on all the same"
                };
                let hint: Vec<&str> = rest.iter().map(String::as_str).chain([ways]).collect();
                let hint = hint.join("; ");
                return Err(Failure::unable(first.clone()).hint(hint));
            }
            for doubt in &change.doubts {
                printer.warn(doubt);
            }
        }
        if let Some(left_out) = &change.left_out {
            printer.note(left_out);
        }
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        let own = || format!("tune-{}", name.trim_start_matches("openbench-"));
        Proposal::new(change, self.branch.clone().unwrap_or_else(own))
    }
}

pub(crate) async fn run(args: ProveArgs, printer: Printer) -> Result<Exit, Failure> {
    let proposal = args
        .commit
        .proposal(&args.run, &args.params, args.only_evident, printer)?;
    if args.commit.dry_run {
        printer.result(&steps(&proposal));
        return Ok(Exit::Yes);
    }
    let signals = Signals::listen()?;
    let built = Box::pin(async {
        // What cannot be played is not built.
        let pairing = args.pairing(printer)?;
        let bench = proposal.bench(printer)?;
        // With its bench, so that the match finds the message and the binary agree.
        let candidate = proposal.commit(&proposal.message(None, "not proved yet", bench))?;
        // Of the repository and the engine that the file belongs to.
        let place = files::folder(&args.params).display();
        let find = |commit: &str| Contender::find(&format!("{commit}:{place}"), printer);
        let sides = Sides {
            base: find(&proposal.base)?,
            new: find(&candidate)?,
        };
        Ok((sides.plan(pairing, &proposal, printer).await?, bench))
    });
    let Some((plan, bench)) = signals.unless_interrupted(built).await? else {
        return Ok(signals.exit());
    };
    // Not before there is something to put in it.
    let out = match args.out.clone() {
        Some(out) => out,
        None => new_run_path("prove")?,
    };
    let output = Output {
        out: Some(out.clone()),
        resume: Some(words::same_command(&out)),
        ..Output::default()
    };
    let exit = if out.join("plan.json").exists() {
        verify(&out, &plan)?;
        runs::session::resume(&out, |_: &mut Plan| Ok(()), &output, &signals, printer).await?
    } else {
        runs::session::start(plan, &output, &signals, printer).await?
    };
    if exit != Exit::Yes {
        printer.note(&format!(
            "no commit: the match in `{}` has not accepted the values",
            out.display()
        ));
        return Ok(exit);
    }
    let (plan, recorded) = MatchFolder::read_recorded(&out)?;
    let standing = Standing::after(&plan, &recorded.lines);
    let state = MatchState {
        plan: &plan,
        run: &out,
        standing: &standing,
    };
    let text = proposal.message(args.commit.subject.as_deref(), &message(&state)?, bench);
    let commit = proposal.commit(&text)?;
    proposal.publish(&commit)?;
    printer.note(&format!(
        "branch `{}` is at {}; next: git push origin {}",
        proposal.branch,
        commit.get(..8).unwrap_or(&commit),
        proposal.branch
    ));
    Ok(exit)
}

/// The two commits, built.
struct Sides {
    base: Contender,
    new: Contender,
}

/// # Errors
/// The folder holds another match than the one that is planned. The commits may be others if what
/// they hold is the same.
fn verify(run: &Path, planned: &Plan) -> Result<(), Failure> {
    let recorded: Plan = read_plan(run)?;
    let inputs = |plan: &Plan| [plan.base.inputs.clone(), plan.new.inputs.clone()];
    if inputs(&recorded) != inputs(planned) {
        return Err(Failure::unable(format!(
            "`{}` holds a match of {} against {}, and not of these values",
            run.display(),
            recorded.new.name,
            recorded.base.name
        ))
        .hint("give another folder with --out, or check out the commit that it was begun on"));
    }
    let (began, now) = (conditions(&recorded), conditions(planned));
    if began == now {
        return Ok(());
    }
    Err(Failure::unable(format!(
        "`{}` holds a match that began with {began}, not with {now}",
        run.display()
    ))
    .hint("give the flags that it began with, or another folder with --out"))
}

/// The limit and the test, as flags.
fn conditions(plan: &Plan) -> String {
    let flags = plan.play.limit.flags().into_iter().chain(plan.test_flags());
    let flags = flags.map(|(name, value)| format!("--{name}={value}"));
    flags.collect::<Vec<_>>().join(" ")
}

impl ProveArgs {
    /// The match of the tuned values against the start values, with openings that the tune has not
    /// seen.
    fn pairing(&self, printer: Printer) -> Result<Pairing, Failure> {
        let validate = ValidateArgs {
            run: self.run.clone(),
            params: Some(self.params.clone()),
            test: self.test.clone(),
            play: self.play.clone(),
            transfer: false,
            out: None,
            dry_run: false,
            json: false,
        };
        validate.pairing(printer)
    }
}

impl Sides {
    /// The same match of the two commits: neither is given values by options.
    async fn plan(
        &self,
        pairing: Pairing,
        proposal: &Proposal,
        printer: Printer,
    ) -> Result<Plan, Failure> {
        let (new, mut settings) = (&pairing.new.settings, pairing.base.settings);
        settings
            .options
            .retain(|option| new.options.contains(option) && !proposal.is_parameter(&option.0));
        let trial = pairing.play.trial()?;
        let side = |contender: &Contender| Entry {
            source: contender.source.clone(),
            settings: settings.clone(),
            ..Entry::default()
        };
        let base = Contender::resolve(&side(&self.base), &trial, printer).await?;
        let new = Contender::resolve(&side(&self.new), &trial, printer).await?;
        Ok(Plan::new(base, new, pairing.question, pairing.play))
    }
}

fn steps(proposal: &Proposal) -> String {
    let base = proposal.base.get(..8).unwrap_or(&proposal.base);
    format!(
        "{}\n\
         1. make a commit of these values on {base}, and build and bench it\n\
         2. play it against {base}, with openings that the tune has not seen\n\
         3. if the test accepts it: commit it with the block and the bench on the branch `{}`",
        proposal.moves().join("\n"),
        proposal.branch
    )
}
