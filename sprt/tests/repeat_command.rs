//! The command that plays a run again repeats all flags of the command line.

use clap::Args as _;

use runs::plan::{Contender, EngineFlags, Entry, Plan};
use runs::report::command::again;
use sprt::cli::{Cli, Command};
use sprt::commands::run::Args;

/// Flags that do not change what is played: where things are written, and what is printed.
const OUTPUT: [&str; 9] = [
    "out",
    "pgn",
    "pgn-crc32",
    "epd",
    "log",
    "log-gzip",
    "events",
    "dry-run",
    "json",
];

/// A test, with all flags for single engines.
const TEST: &str = "--tc 40/9+0.5 --nodes 100 --depth 9 --book BOOK --book-order sequential \
    --book-plies 3 --book-start 2 --seed 5 --concurrency 4001 --affinity never --processors PROCESSOR \
    --draw-adj movenumber=30,movecount=7,score=9 --resign-adj movecount=4,score=600,twosided=true \
    --syzygy TABLES --syzygy-pieces 3 --syzygy-ignore-50 --syzygy-adjudicate wins --max-moves 200 --variant chess960 --time-margin 30 --wait 20 \
    --startup-timeout 8 --move-timeout 9 --bounds=-3,1 --alpha 0.1 --beta 0.2 --model logistic \
    --on-fault void --colors base-first --correct-overshoot --max-games 400 \
    --event Cup --site Here --pgn-notation uci --pgn-min --pgn-fields nps,pv --pgn-lines ^a.*b --pgn-lines=-c \
    --base-name A --base-option Hash=8 --base-arg=-x --base-dir .. --base-init=-i --base-tc 5+1 \
    --base-nodes 7 --base-depth 8 --base-time-margin 40 --base-restart game --base-ponder \
    --new-name B --new-option Hash=4 --new-arg=-y --new-dir .. --new-init bye --new-tc 6+1 \
    --new-nodes 9 --new-depth 7 --new-time-margin 50 --new-restart pair --new-ponder=true";

/// The flags for both engines.
const BOTH: &str = "--hash 32 --threads 2 --option Style=Solid --arg=--uci --dir . --init hello \
    --restart pair --ponder --seed 5 --concurrency 4001";

/// A match of fixed length, with flags that cannot be combined with those above.
const FIXED: &str = "--games 12 --games-per-opening 4 --movetime 50 --base-movetime 60 \
    --new-movetime 70 --seed 5 --concurrency 4001 --pgn-comments autotester";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let book = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/3P4/4K3 w - - 0 1\n";
        std::fs::write(folder.path().join("book.epd"), book).expect("written");
        // As long as a table may be; nothing is looked up.
        std::fs::write(folder.path().join("KQvK.rtbw"), [0; 80]).expect("written");
        Self { folder }
    }

    /// The flags of a line, each with its value where it has one.
    fn flags(&self, line: &str) -> Vec<Vec<String>> {
        let folder = self.folder.path().display().to_string();
        let allowed = foundation::platform::affinity::allowed();
        let processor = allowed.first().expect("a processor");
        let line = line
            .replace("BOOK", &format!("{folder}/book.epd"))
            .replace("TABLES", &folder)
            .replace("PROCESSOR", &processor.to_string());
        let mut flags: Vec<Vec<String>> = Vec::new();
        for word in line.split_whitespace() {
            match flags.last_mut() {
                Some(flag) if !word.starts_with("--") => flag.push(word.to_owned()),
                _ => flags.push(vec![word.to_owned()]),
            }
        }
        flags
    }
}

/// What a command line plays, with engines that are not started.
fn plan_of(words: &[String]) -> Plan {
    let Command::Run(args) = Cli::read(words.iter().map(Into::into)).command else {
        panic!("{words:?}");
    };
    let args = *args;
    let common = args.play.settings().expect("settings");
    let base = EngineFlags::from(args.base_only).entry(&args.base, &common);
    let new = EngineFlags::from(args.new_only).entry(&args.new, &common);
    let (base, new) = (base.expect("BASE"), new.expect("NEW"));
    let mut play = args.play.resolve().expect("a match");
    let fitted = args
        .play
        .fit_to(&mut play, &[&base.settings, &new.settings]);
    fitted.expect("a match of these engines");
    let contender = |entry: Entry| Contender {
        name: entry.name.unwrap_or(entry.source.clone()),
        command: entry.source.clone().into(),
        source: entry.source,
        settings: entry.settings,
        ..Contender::default()
    };
    let question = args.test.resolve().expect("a test");
    let mut plan = Plan::new(contender(base), contender(new), question, play);
    plan.pgn = args.output.records.resolve().expect("records");
    // Options that a variant demands come last on one line and first on the other.
    for engine in [&mut plan.base, &mut plan.new] {
        engine.settings.options.sort();
    }
    plan
}

fn words(flags: &[Vec<String>]) -> Vec<String> {
    let engines = ["sprt", "a", "b"].map(str::to_owned);
    engines
        .into_iter()
        .chain(flags.iter().flatten().cloned())
        .collect()
}

fn name(flag: &[String]) -> String {
    let name = flag[0].trim_start_matches("--");
    name.split('=').next().unwrap_or(name).to_owned()
}

#[test]
fn every_flag_that_changes_a_match_is_in_the_command_that_plays_it_again() {
    let place = Place::new();
    let lines = [TEST, BOTH, FIXED].map(|line| place.flags(line));
    let known = Args::augment_args(clap::Command::new("run"));
    for flag in known.get_arguments().filter_map(clap::Arg::get_long) {
        let mut given = lines.iter().flatten().map(|flag| name(flag));
        assert!(
            OUTPUT.contains(&flag) || given.any(|given| given == flag),
            "--{flag} is new: add it to a line above, with a value that is not its default"
        );
    }
    for line in lines {
        let plan = plan_of(&words(&line));
        let again = shlex::split(&again(&plan)).expect("a command");
        assert_eq!(plan_of(&again), plan, "{again:?}");
    }
}

#[test]
fn the_command_names_no_clock_that_no_engine_has() {
    let line = "sprt a b --base-nodes 100 --new-nodes 200 --seed 5 --concurrency 4001";
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let plan = plan_of(&words);
    let command = again(&plan);
    assert!(!command.contains("--tc"), "{command}");
    assert!(command.contains("--new-nodes 200"), "{command}");
    let again = shlex::split(&command).expect("a command");
    assert_eq!(plan_of(&again), plan);
}

#[test]
fn each_flag_of_these_lines_changes_the_match() {
    let place = Place::new();
    // Without these the others could not stand.
    let needed = ["base-tc", "new-tc", "games"];
    for line in [TEST, BOTH, FIXED].map(|line| place.flags(line)) {
        let plan = plan_of(&words(&line));
        for number in 0..line.len() {
            let mut less = line.clone();
            let flag = less.remove(number);
            let is_needed = needed.contains(&name(&flag).as_str());
            assert!(
                is_needed || plan_of(&words(&less)) != plan,
                "{flag:?} is the default"
            );
        }
    }
}
