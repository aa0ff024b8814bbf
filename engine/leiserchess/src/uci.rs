//! The UCI protocol, and the commands of the course's player.
//!
//! Commands are read on one thread and searches run on another, so `stop`, `quit` and `isready`
//! are answered at any time. A bad command is reported in an `info string` line and has no effect.

use std::io::BufRead;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::eval::Beams;
use crate::game::{Game, OPENING};
use crate::options::{self, Change, DEFAULT_HASH};
use crate::output::print;
use crate::params::{Params, SPECS, Spec, spsa_lines};
use crate::perft::{Counting, perft};
use crate::search::history::History;
use crate::search::iterate::{Job, run};
use crate::search::settings::Settings;
use crate::search::worker::Signals;
use crate::tt::Table;
use crate::{bench, book, endgame, fen, go, moves};

/// Perft beyond this depth takes years.
const MAX_PERFT: u32 = 12;
/// The course's player has this position for tests of endgames.
const ENDGAME: &str = "ss7/8/8/8/8/8/8/7NN W";
/// The commands that may be given on the command line.
const WORDS: [&str; 7] = [
    "bench", "perft", "eval", "generate", "display", "spsa", "uci",
];

const HELP: &str = "\
position startpos|endgame|fen BOARD SIDE [moves ...]   set the position
move MOVE                     play a move and show the board
go [depth N] [nodes N] [movetime MS] [time MS inc MS] [wtime ...] [infinite]
generate                      the legal moves
eval [MOVE]                   the terms of the evaluation, after a move if one is given
perft DEPTH [FEN] [--strict]  count move sequences; --strict: with Ko, nothing after a king's zap
bench [DEPTH]                 search the positions of the bench
spsa                          the parameters as OpenBench takes them
display                       show the board
help [PARAMETER]              this, or what a parameter means
uci, isready, ucinewgame, setoption name N value V, stop, ponderhit, quit";

/// What a search leaves to the next one.
struct Memory {
    table: Arc<Table>,
    histories: Vec<History>,
}

pub(crate) struct Engine {
    memory: Arc<Mutex<Memory>>,
    signals: Arc<Signals>,
    search: Option<JoinHandle<()>>,
    /// Whether the running search has no limit of its own.
    is_endless: bool,
    settings: Settings,
    game: Game,
}

/// Whether to read further commands; or why a command was rejected.
type CommandResult = Result<bool, String>;

impl Engine {
    /// # Errors
    /// None; the opening is a position.
    pub(crate) fn new() -> Result<Self, String> {
        Ok(Self {
            memory: Arc::new(Mutex::new(Memory {
                table: Arc::new(Table::new(DEFAULT_HASH)),
                histories: Vec::new(),
            })),
            signals: Arc::new(Signals::default()),
            search: None,
            is_endless: false,
            settings: Settings::default(),
            game: Game::from_fen(OPENING)?,
        })
    }

    /// Runs commands until `quit` or the end of input; either stops a running search.
    pub(crate) fn run_input(&mut self, input: &mut dyn BufRead) {
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            match self.command(&String::from_utf8_lossy(&line)) {
                Ok(true) => {}
                Ok(false) => break,
                Err(problem) => print(&format!("info string {problem}")),
            }
        }
        self.halt();
    }

    /// Runs the command on the command line. Returns `false` if it was rejected.
    pub(crate) fn run_words(&mut self, words: &[String]) -> bool {
        let line = words.join(" ");
        let is_known = line
            .split_whitespace()
            .next()
            .is_some_and(|it| WORDS.contains(&it));
        let result = if is_known {
            self.command(&line)
        } else {
            Err(format!(
                "unknown command '{line}'; expected {}",
                WORDS.join(", ")
            ))
        };
        match result {
            Ok(_) => true,
            Err(problem) => {
                print(&format!("info string {problem}"));
                false
            }
        }
    }

    fn command(&mut self, line: &str) -> CommandResult {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&name, rest)) = words.split_first() else {
            return Ok(true);
        };
        match name {
            "quit" => return Ok(false),
            "isready" => {
                endgame::prepare();
                print("readyok");
            }
            "stop" => self.signals.stop.store(true, Relaxed),
            "ponderhit" => self.signals.ponder.store(false, Relaxed),
            "help" => print(&help(rest)),
            "uci" => identify(),
            _ => {
                if self.is_endless {
                    self.halt();
                } else {
                    self.wait();
                }
                self.idle_command(name, rest)?;
            }
        }
        Ok(true)
    }

    /// Runs a command that must wait until no search is running.
    fn idle_command(&mut self, name: &str, rest: &[&str]) -> Result<(), String> {
        match name {
            "ucinewgame" => {
                let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
                memory.table.clear();
                memory.histories.clear();
            }
            "setoption" => self.set_option(rest)?,
            "position" => self.position(rest)?,
            "move" => {
                self.game.play(rest.first().copied().unwrap_or_default())?;
                self.display();
            }
            "go" => self.go(rest),
            "generate" => print(&self.game.legal_moves().join(" ")),
            "eval" => self.eval(rest)?,
            "perft" => self.perft(rest)?,
            "display" => self.display(),
            "spsa" => print(&spsa_lines(&self.settings.params).join("\n")),
            "bench" => {
                let depth = match rest.first() {
                    None => bench::DEPTH,
                    Some(text) => text
                        .parse()
                        .ok()
                        .filter(|depth| (1..=64).contains(depth))
                        .ok_or_else(|| format!("bench: expected a depth, got '{text}'"))?,
                };
                bench::run_all(&self.settings, depth, print);
            }
            _ => return Err(format!("unknown command '{name}'; see help")),
        }
        Ok(())
    }

    /// Waits until the search ends.
    fn wait(&mut self) {
        if let Some(search) = self.search.take() {
            // A search that panicked has reported it on stderr.
            let _ = search.join();
        }
    }

    /// Stops the search and waits until it ends.
    fn halt(&mut self) {
        self.signals.stop.store(true, Relaxed);
        self.signals.ponder.store(false, Relaxed);
        self.wait();
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let ["name", rest @ ..] = words else {
            return Err("setoption: expected name NAME [value VALUE]".to_owned());
        };
        let split = rest.iter().position(|&word| word == "value");
        let (name, value) = match split {
            Some(at) => (rest[..at].join(" "), rest[at + 1..].join(" ")),
            None => (rest.join(" "), String::new()),
        };
        let change = options::set(&mut self.settings, &name, &value)?;
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        match change {
            Change::Settings => {}
            Change::Hash(megabytes) => {
                // Both tables at once may be more than there is.
                let old = memory.table.megabytes();
                memory.table = Arc::new(Table::new(0));
                let table = Table::try_new(megabytes);
                let is_refused = table.is_err();
                memory.table = Arc::new(table.unwrap_or_else(|_| Table::new(old)));
                if is_refused {
                    return Err(format!(
                        "Hash: cannot allocate {megabytes} MiB; unchanged, but empty"
                    ));
                }
            }
            Change::ClearHash => {
                memory.table.clear();
                memory.histories.clear();
            }
        }
        Ok(())
    }

    fn position(&mut self, words: &[&str]) -> Result<(), String> {
        let (text, rest) = match words {
            ["startpos", rest @ ..] => (OPENING.to_owned(), rest),
            ["endgame", rest @ ..] => (ENDGAME.to_owned(), rest),
            ["fen", board, side, rest @ ..] => (format!("{board} {side}"), rest),
            _ => {
                return Err(format!(
                    "position: expected startpos, endgame or fen BOARD SIDE, got '{}'",
                    words.join(" ")
                ));
            }
        };
        let list = match rest {
            [] => rest,
            ["moves", list @ ..] => list,
            _ => {
                let got = rest.join(" ");
                return Err(format!("position: expected moves, got '{got}'"));
            }
        };
        let describe = |error: String| format!("position: {error}; the position is unchanged");
        let mut game = Game::from_fen(&text).map_err(describe)?;
        for text in list {
            game.play(text).map_err(describe)?;
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self, words: &[&str]) {
        if let ["perft", rest @ ..] = words {
            if let Err(problem) = self.perft(rest) {
                print(&format!("info string {problem}"));
            }
            return;
        }
        let start = Instant::now();
        if self.game.loser().is_some() {
            print("info string the game is over");
            print("bestmove (none)");
            return;
        }
        let (limits, problems) = go::parse(words, &self.game.board);
        let is_free = !limits.infinite && !limits.ponder && limits.search_moves.is_empty();
        if self.settings.own_book
            && is_free
            && let Some(mv) = book::find(&self.game)
        {
            print("info string book");
            print(&format!("bestmove {mv}"));
            return;
        }
        for problem in problems {
            print(&format!("info string {problem}"));
        }
        self.signals.stop.store(false, Relaxed);
        self.signals.ponder.store(limits.ponder, Relaxed);
        self.is_endless = limits.infinite || limits.ponder;
        let must_wait = self.is_endless;
        let job = Job {
            board: self.game.board.clone(),
            keys: self.game.keys.clone(),
            limits,
            settings: self.settings.clone(),
            start,
        };
        let (memory, signals) = (Arc::clone(&self.memory), Arc::clone(&self.signals));
        self.search = Some(thread::spawn(move || {
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            let table = Arc::clone(&memory.table);
            let found = search(&job, &table, &mut memory.histories, &signals);
            // UCI allows no answer before `stop` or `ponderhit`, even if nothing is left to search.
            while must_wait
                && !signals.stop.load(Relaxed)
                && (job.limits.infinite || signals.ponder.load(Relaxed))
            {
                thread::sleep(Duration::from_millis(1));
            }
            print(&found);
        }));
    }

    fn eval(&self, words: &[&str]) -> Result<(), String> {
        let mut board = self.game.board.clone();
        if let Some(text) = words.first() {
            let mv = moves::parse(&board, text)
                .ok_or_else(|| format!("eval: move {text} is illegal"))?;
            if board.make(mv).lost().is_some() {
                return Err(format!("eval: {text} ends the game"));
            }
        }
        let evaluation = &self.settings.evaluation;
        let beams = Beams::of(&board);
        for (name, value) in evaluation.terms(&board, &beams) {
            print(&format!("info {name} {value}"));
        }
        let score = evaluation.score(&board, &beams);
        print(&format!("info score cp {score}"));
        Ok(())
    }

    fn perft(&self, words: &[&str]) -> Result<(), String> {
        let usage = "perft: expected DEPTH [FEN] [--strict]";
        let (flags, words): (Vec<&str>, Vec<&str>) =
            words.iter().partition(|word| word.starts_with('-'));
        let counting = match flags[..] {
            [] => Counting::Staff,
            ["--strict"] => Counting::Strict,
            _ => return Err(format!("{usage}, got '{}'", flags.join(" "))),
        };
        let (depth, rest) = words
            .split_first()
            .map_or(("4", &[][..]), |(it, rest)| (*it, rest));
        let depth = depth
            .parse()
            .ok()
            .filter(|depth| (1..=MAX_PERFT).contains(depth))
            .ok_or_else(|| format!("{usage}, DEPTH from 1 to {MAX_PERFT}, got '{depth}'"))?;
        let mut board = match rest {
            [] => self.game.board.clone(),
            ["startpos"] => fen::parse(OPENING)?,
            _ => fen::parse(&rest.join(" ")).map_err(|error| format!("perft: {error}"))?,
        };
        for depth in 1..=depth {
            let start = Instant::now();
            let nodes = perft(&mut board, depth, counting);
            let seconds = start.elapsed().as_secs_f64().max(1e-9);
            let speed = (nodes as f64 / seconds) as u64;
            print(&format!("perft {depth:2} {nodes} {speed} nps"));
        }
        Ok(())
    }

    fn display(&self) {
        for rank in (0..8).rev() {
            let row = (0..8).map(|file| {
                let piece = self.game.board.at(rank * 8 + file);
                if piece.is_some() {
                    fen::letters(piece)
                } else {
                    "--".to_owned()
                }
            });
            let row: Vec<String> = row.collect();
            print(&format!("info {rank} {}", row.join(" ")));
        }
        print("info   a  b  c  d  e  f  g  h");
        print(&format!("info fen {}", self.game.fen()));
    }
}

/// Runs a search and returns the `bestmove` line.
fn search(
    job: &Job,
    table: &Arc<Table>,
    histories: &mut Vec<History>,
    signals: &Signals,
) -> String {
    let found = run(job, table, histories, signals, &print);
    match found.line[..] {
        [] => "bestmove (none)".to_owned(),
        [mv] => format!("bestmove {mv}"),
        [mv, answer, ..] => format!("bestmove {mv} ponder {answer}"),
    }
}

/// The list of commands, or the meaning of a parameter.
fn help(words: &[&str]) -> String {
    let Some(name) = words.first() else {
        return HELP.to_owned();
    };
    match Params::index(name).map(|index| &SPECS[index]) {
        Some(Spec {
            name,
            default,
            min,
            max,
            doc,
            ..
        }) => {
            format!("{name}: {doc}; {min} to {max}, default {default}")
        }
        None => format!("unknown parameter '{name}'"),
    }
}

fn identify() {
    print(&format!(
        "id name Leiserchess {}",
        env!("CARGO_PKG_VERSION")
    ));
    print("id author the Whetstone authors");
    print(&options::declarations().join("\n"));
    print("uciok");
}
