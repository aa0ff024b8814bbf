//! The command line.

use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{Args as _, CommandFactory, Parser, Subcommand};
use foundation::command_line::{self, Artefact, Everyday};
use foundation::printer::OutputArgs;
use foundation::{Exit, Failure, Printer};

use crate::commands::{
    blunders, book, calc, check, convert, fastchess, list, plan, play, report, resume, run, serve,
    show, stats, suite, tournament, verify,
};

use openbench_command::{client, command::Command as Openbench};
use runs::{plan::contender, wait_for};

/// Play two chess engines against each other until a sequential probability ratio test decides
///
/// BASE and NEW are each a program, a git revision of the repository in this folder, or a folder
/// with a Makefile (`.`). Revisions and folders are built by `make EXE=...` in a tree of their own.
///
#[derive(Parser, Debug)]
#[command(
    name = "sprt",
    version,
    arg_required_else_help = true,
    override_usage = "sprt [run] [OPTIONS] <BASE> <NEW>\n       sprt <COMMAND>",
    after_help = "`sprt run -h` shows the usual options of a run, `sprt run --help` all.",
    after_long_help = "\
`sprt run -h` shows the usual options of a run, `sprt run --help` all.

Exit codes:
  0    H1 accepted
  1    H0 accepted
  2    error: usage, environment or network
  3    an engine's faults leave no verdict
  4    undecided after --max-games, or when all openings are played; of
       `sprt show`, undecided so far
  130  interrupted by Ctrl-C, or by Stop on its page; continue with `sprt resume`
  143  terminated; continue with `sprt resume`"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl Cli {
    /// The description from which shells complete: with the flags of `run`, a word that may be left
    /// out.
    pub fn for_completions() -> clap::Command {
        run::Args::augment_args(Self::command()).subcommand_required(false)
    }

    /// Reads the command line, on which `run` may be left out: what is no command and no flag is
    /// BASE.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let mut arguments: Vec<OsString> = arguments.into_iter().collect();
        let mut words = arguments.iter().enumerate().skip(1);
        let first_word = words.find(|(place, word)| {
            !word.to_string_lossy().starts_with('-') && arguments[place - 1] != "--color"
        });
        if let Some((_, word)) = first_word
            && Self::command()
                .get_subcommands()
                .all(|known| *known.get_name() != **word)
            && word != "help"
        {
            let look_up = |word: &str| contender::look_up(word).err();
            if let Some(meant) = misspelt(word, look_up) {
                let what = format!("no command `{}`", word.to_string_lossy());
                let text = format!("{what}, and no engine of that name; {meant}\n");
                Self::command()
                    .error(ErrorKind::InvalidSubcommand, text)
                    .exit();
            }
            arguments.insert(1, "run".into());
        }
        command_line::read(arguments, EVERYDAY)
    }

    /// A command line of fastchess, not one of `sprt run`.
    pub fn fastchess(args: fastchess::Args) -> Self {
        Self {
            command: Command::Fastchess(args),
            output: OutputArgs::default(),
        }
    }
}

/// What `-h` shows of commands with more flags than fit on a screen.
const EVERYDAY: &[Everyday] = &[
    (
        "run",
        &[
            "tc",
            "nodes",
            "bounds",
            "max-games",
            "games",
            "hash",
            "option",
            "new-option",
            "book",
            "concurrency",
            "out",
            "pgn",
            "json",
            "dry-run",
        ],
    ),
    (
        "tournament",
        &[
            "engine",
            "file",
            "kind",
            "rounds",
            "tc",
            "nodes",
            "hash",
            "option",
            "book",
            "concurrency",
            "out",
            "pgn",
            "json",
            "dry-run",
        ],
    ),
];

/// Words of other tools, and how the same is done here.
const OTHER_WORDS: [(&str, &str); 13] = [
    (
        "ablate",
        "techniques are left out, one at a time, by `tuner ablate`",
    ),
    (
        "ablation",
        "techniques are left out, one at a time, by `tuner ablate`",
    ),
    ("continue", "did you mean `resume`?"),
    (
        "kill",
        "Ctrl-C stops a run where it is played, Stop on its page (`sprt serve RUN`) elsewhere",
    ),
    ("ls", "did you mean `list`?"),
    ("match", "did you mean `run`?"),
    (
        "pause",
        "a run is paused on its page: `sprt serve RUN`; one that was stopped goes on with `sprt resume RUN`",
    ),
    ("runs", "did you mean `list`?"),
    ("start", "did you mean `run`?"),
    ("status", "did you mean `show`?"),
    (
        "stop",
        "Ctrl-C stops a run where it is played, Stop on its page (`sprt serve RUN`) elsewhere",
    ),
    ("tune", "parameters are tuned by `tuner`"),
    ("watch", "did you mean `serve`, or `show --follow`?"),
];

/// The likely meaning of a word that is neither a command nor an engine. `look_up` returns why it
/// is no engine, if it is none.
fn misspelt(word: &OsStr, look_up: impl FnOnce(&str) -> Option<Failure>) -> Option<String> {
    let word = word.to_str()?;
    // Two letters exchanged or one wrong are a large part of a short word, and yet the usual slip.
    let likeness = |name: &str| match strsim::osa_distance(name, word) {
        0 | 1 if word.len() > 2 => 1.0,
        _ => strsim::jaro_winkler(name, word),
    };
    let tool = Cli::command();
    let names = tool.get_subcommands().map(clap::Command::get_name);
    let near = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    let other = OTHER_WORDS.iter().find(|(other, _)| *other == word);
    let meant = match other {
        Some((_, meant)) => (*meant).to_owned(),
        None if likeness(near) < 0.85 => return None,
        None => format!("did you mean `{near}`?"),
    };
    let failure = look_up(word)?;
    // Git knows better what a misspelt revision means.
    let is_revision = other.is_none()
        && failure
            .next_step()
            .is_some_and(|hint| hint.starts_with("did you mean"));
    (!is_revision).then_some(meant)
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play BASE and NEW until the test decides (the word `run` may be left out)
    Run(Box<run::Args>),
    /// Play a tournament of any number of engines: round robin, gauntlet, knock-out, Swiss
    Tournament(Box<tournament::Args>),
    /// Continue an interrupted run
    ///
    /// --epd and --events get what happens from now on, --pgn gets all games.
    Resume(resume::Args),
    /// List the runs in the state folder
    List(list::Args),
    /// Show how a run stands, also while it is being played
    Show(show::Args),
    /// Draw a run as one HTML page
    Report(report::Args),
    /// Show runs and the games being played as pages in a browser
    Serve(serve::Args),
    /// Play against an engine, or watch two, on a page in a browser
    Play(play::Args),
    /// Forecast how long a test will take and how it will end
    Plan(plan::Args),
    /// Compute the statistics of a match from its counts
    Calc(calc::Args),
    /// Recompute every figure of a pasted OpenBench block
    Verify(verify::Args),
    /// Check that an engine speaks UCI the way match runners expect
    Check(check::Args),
    /// Play a match as fastchess does: the match runner of an OpenBench worker
    Fastchess(fastchess::Args),
    /// Print the `sprt` command that plays a command line of fastchess or cutechess-cli
    Convert(convert::Args),
    /// Run engines on test suites, and test whether one of two is worse
    Suite(Box<suite::Args>),
    /// Count how many mistakes players make, as an engine judges them
    Blunders(Box<blunders::Args>),
    /// Summarise the games of players: results, time, nodes, depth and speed per move
    Stats(stats::Args),
    /// Make and check books of openings
    #[command(subcommand)]
    Book(book::BookCommand),
    /// Submit workloads to an OpenBench server, follow them, fetch their results
    #[command(subcommand)]
    Openbench(Openbench),
    #[command(flatten)]
    Artefact(Artefact),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Those of the command.
    pub fn run(self, printer: Printer) -> Result<Exit, Failure> {
        match self {
            Self::Run(args) => wait_for(run::run(*args, printer)),
            Self::Tournament(args) => wait_for(tournament::run(*args, printer)),
            Self::Resume(args) => wait_for(resume::run(args, printer)),
            Self::List(args) => list::run(&args, printer),
            Self::Show(args) => show::run(&args, printer),
            Self::Report(args) => report::run(&args, printer),
            Self::Serve(args) => wait_for(serve::run(args, printer)),
            Self::Play(args) => wait_for(play::run(args, printer)),
            Self::Plan(args) => plan::run(&args, printer),
            Self::Calc(args) => calc::run(&args, printer),
            Self::Verify(args) => verify::run(&args, printer),
            Self::Check(args) => wait_for(check::run(args, printer)),
            Self::Blunders(args) => wait_for(blunders::run(*args, printer)),
            Self::Stats(args) => stats::run(&args, printer),
            Self::Suite(args) => wait_for(suite::run(*args, printer)),
            Self::Convert(args) => convert::run(&args, printer),
            Self::Fastchess(args) => wait_for(fastchess::run(args, printer)),
            Self::Book(command) => wait_for(command.run(printer)),
            Self::Openbench(_) => Err(client::hand_over(printer)),
            Self::Artefact(artefact @ Artefact::Completions { .. }) => artefact
                .write(Cli::for_completions(), printer)
                .map(|()| Exit::Yes),
            Self::Artefact(artefact) => artefact.write(Cli::command(), printer).map(|()| Exit::Yes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_completions_have_the_flags_of_the_short_form() {
        let mut script = Vec::new();
        let mut tool = Cli::for_completions();
        clap_complete::generate(clap_complete::Shell::Bash, &mut tool, "sprt", &mut script);
        let script = String::from_utf8(script).expect("a script is text");
        let top = script.split(";;").find(|part| part.contains("sprt)\n"));
        let top = top.expect("words of the tool itself");
        assert!(top.contains("--nodes") && top.contains(" verify "), "{top}");
    }

    #[test]
    fn a_word_of_another_tool_or_a_misspelt_command_is_no_engine() {
        for (word, meant) in [
            ("stop", Some("Ctrl-C")),
            ("statsu", Some("`stats`")),
            ("sf15", None),
            ("status", Some("`show`")),
            ("resmue", Some("`resume`")),
            ("rnu", Some("`run`")),
            ("lits", Some("`list`")),
        ] {
            let unknown = |_: &str| Some(Failure::unable("no such engine"));
            let told = misspelt(OsStr::new(word), unknown);
            match meant {
                Some(meant) => assert!(told.expect(word).contains(meant), "{word}"),
                None => assert_eq!(told, None, "{word}"),
            }
        }
        assert_eq!(misspelt(OsStr::new("resmue"), |_| None), None, "an engine");
    }

    #[test]
    fn a_word_near_a_branch_is_no_misspelt_command() {
        let near = |_: &str| Some(Failure::unable("").hint("did you mean `rescore`?"));
        assert_eq!(misspelt(OsStr::new("resmue"), near), None);
        // No revision is meant by a word of other tools.
        assert!(misspelt(OsStr::new("stop"), near).is_some());
    }

    fn read(line: &str) -> Command {
        Cli::read(line.split(' ').map(OsString::from)).command
    }

    #[test]
    fn the_word_run_may_be_left_out() {
        for line in [
            "sprt a b --nodes 5",
            "sprt run a b --nodes 5",
            "sprt --color never -q a b --nodes 5",
        ] {
            match read(line) {
                Command::Run(args) => {
                    assert_eq!(
                        (args.base.as_str(), args.new.as_str(), args.play.nodes),
                        ("a", "b", Some(5))
                    );
                }
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(matches!(read("sprt --color never list"), Command::List(_)));
    }
}
