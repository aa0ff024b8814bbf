//! The UCI protocol. Commands are read on one thread and searches run on another, so that `stop`,
//! `quit` and `isready` are answered at any time. A bad command is reported in an `info string`
//! line and has no effect.

use std::io::BufRead;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use crate::options::{self, Change, DEFAULT_HASH};
use crate::output::print;
use crate::params::spsa_lines;
use crate::position::Position;
use crate::search::job::{Job, Settings};
use crate::search::threads::run;
use crate::search::{Signals, ThreadData, best_move};
use crate::tt::Table;
use crate::{bench, datagen, genfens, go, perft, rescore};

const COMMANDS: [&str; 15] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "quit",
    "bench",
    "perft",
    "spsa",
    "genfens",
    "datagen",
    "rescore",
];
/// Perft beyond this depth takes years.
const MAX_PERFT: u32 = 12;

/// What a search uses and the next one reuses. It is locked while a search runs.
struct Resources {
    /// Allocated when first needed: `genfens` and `perft` on the command line do without it.
    table: Option<Table>,
    threads: Vec<ThreadData>,
}

impl Resources {
    fn clear(&mut self) {
        self.clear_table();
        self.threads.iter_mut().for_each(ThreadData::clear);
    }

    fn clear_table(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }
}

/// Shared by the command thread and the search thread.
struct Shared {
    resources: Mutex<Resources>,
    signals: Signals,
    /// A search is running or queued.
    busy: Mutex<bool>,
    idle: Condvar,
}

pub struct Engine {
    shared: Arc<Shared>,
    jobs: Sender<Job>,
    settings: Settings,
    position: Position,
    /// Keys of the positions before the current one.
    earlier_keys: Vec<u64>,
    /// Whether another command may arrive while one runs.
    reads_input: bool,
}

/// Result of a command.
#[derive(PartialEq, Eq)]
enum CommandStatus {
    Done,
    Quit,
    /// The command was rejected.
    Refused,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A poisoned lock means that a search has panicked. The data behind it has no invalid states.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn info_string(text: &str) -> CommandStatus {
    print(&format!("info string {text}"));
    CommandStatus::Refused
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    pub fn new() -> Self {
        let shared = Arc::new(Shared {
            resources: Mutex::new(Resources {
                table: None,
                threads: vec![ThreadData::default()],
            }),
            signals: Signals::default(),
            busy: Mutex::new(false),
            idle: Condvar::new(),
        });
        let (jobs, queue) = channel::<Job>();
        let worker = Arc::clone(&shared);
        thread::spawn(move || {
            for job in queue {
                search(&worker, &job);
            }
        });
        let position = start_position();
        Self {
            shared,
            jobs,
            settings: Settings::default(),
            position,
            earlier_keys: Vec::new(),
            reads_input: false,
        }
    }

    /// Runs commands until `quit` or end of input, either of which also stops a running search.
    pub fn run_input(&mut self, input: &mut dyn BufRead) {
        self.reads_input = true;
        // Now, so that it does not take time from the first move.
        lock(&self.shared.resources)
            .table
            .get_or_insert_with(|| Table::new(DEFAULT_HASH));
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            if self.command(&String::from_utf8_lossy(&line)) == CommandStatus::Quit {
                break;
            }
        }
        self.stop();
    }

    /// Runs command-line arguments. An argument that starts with the name of a command starts a new
    /// command; others continue the one before. Returns whether all were understood.
    pub fn run_commands(&mut self, words: &[String]) -> bool {
        let mut commands: Vec<String> = Vec::new();
        for word in words {
            let starts_command = word
                .split_whitespace()
                .next()
                .is_some_and(|name| COMMANDS.contains(&name));
            match commands.last_mut() {
                // `go perft 5` is one command.
                Some(command)
                    if !starts_command || command == "go" && word.starts_with("perft") =>
                {
                    *command = format!("{command} {word}");
                }
                _ => commands.push(word.clone()),
            }
        }
        let mut understood = true;
        for command in commands {
            let answer = self.command(&command);
            self.wait();
            match answer {
                CommandStatus::Done => {}
                CommandStatus::Refused => understood = false,
                CommandStatus::Quit => break,
            }
        }
        understood
    }

    fn command(&mut self, line: &str) -> CommandStatus {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else {
            return CommandStatus::Done;
        };
        match first {
            "uci" => Self::uci(),
            "isready" => print("readyok"),
            "ucinewgame" => self.new_game(),
            "position" => return self.set_position(rest),
            "go" => return self.go(rest),
            "stop" => self.shared.signals.stop.store(true, Relaxed),
            "ponderhit" => self.shared.signals.pondering.store(false, Relaxed),
            "setoption" => return self.set_option(rest),
            "quit" => return CommandStatus::Quit,
            "bench" => return self.bench(rest),
            "perft" => return self.perft(rest),
            "spsa" => print(&spsa_lines(&self.settings.params).join("\n")),
            "genfens" => return self.genfens(rest),
            "datagen" => return self.datagen(rest),
            "rescore" => return self.rescore(rest),
            "debug" | "register" => {}
            _ => return info_string(&format!("unknown command '{first}'")),
        }
        CommandStatus::Done
    }

    fn uci() {
        let mut lines = vec![
            format!("id name Whetstone {}", env!("CARGO_PKG_VERSION")),
            "id author the Whetstone authors".to_owned(),
        ];
        lines.extend(options::declarations());
        lines.push("uciok".to_owned());
        print(&lines.join("\n"));
    }

    /// Waits until no search is running.
    fn wait(&self) {
        let mut busy = lock(&self.shared.busy);
        while *busy {
            busy = self
                .shared
                .idle
                .wait(busy)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn stop(&self) {
        self.shared.signals.stop.store(true, Relaxed);
        self.wait();
    }

    fn new_game(&mut self) {
        self.stop();
        lock(&self.shared.resources).clear();
    }

    fn set_position(&mut self, words: &[&str]) -> CommandStatus {
        let moves = words.iter().position(|&word| word == "moves");
        let (setup, moves) = words.split_at(moves.unwrap_or(words.len()));
        let mut position = match setup {
            ["startpos"] => start_position(),
            ["fen", fields @ ..] => match Position::from_fen(&fields.join(" ")) {
                Ok(position) => position,
                Err(error) => return info_string(&format!("invalid FEN: {error}")),
            },
            _ => {
                return info_string(
                    "position: expected 'startpos' or 'fen FEN', then optionally 'moves ...'",
                );
            }
        };
        let mut keys = Vec::with_capacity(moves.len());
        for text in moves.iter().skip(1) {
            let Some(mv) = position.parse_move(text, self.settings.chess960) else {
                return info_string(&format!(
                    "position: '{text}' is not a legal move; position unchanged"
                ));
            };
            keys.push(position.key());
            position = position.play(mv);
        }
        self.position = position;
        self.earlier_keys = keys;
        CommandStatus::Done
    }

    fn go(&mut self, words: &[&str]) -> CommandStatus {
        let start = Instant::now();
        self.stop();
        if let ["perft", rest @ ..] = words {
            return self.perft(rest);
        }
        let (limits, problems) = go::parse(words, &self.position, self.settings.chess960);
        for problem in &problems {
            info_string(problem);
        }
        if limits.is_endless() && !self.reads_input {
            return info_string(&format!(
                "{}: expected a limit such as 'depth 12'; a search without end needs commands on \
                 stdin to stop it",
                [&["go"], words].concat().join(" ")
            ));
        }
        self.shared.signals.stop.store(false, Relaxed);
        self.shared.signals.pondering.store(limits.ponder, Relaxed);
        *lock(&self.shared.busy) = true;
        let job = Job {
            position: self.position.clone(),
            earlier_keys: self.earlier_keys.clone(),
            limits,
            settings: self.settings.clone(),
            start,
            verbose: true,
        };
        if self.jobs.send(job).is_err() {
            *lock(&self.shared.busy) = false;
            return info_string("the search thread has ended");
        }
        if problems.is_empty() {
            CommandStatus::Done
        } else {
            CommandStatus::Refused
        }
    }

    fn set_option(&mut self, words: &[&str]) -> CommandStatus {
        let ["name", words @ ..] = words else {
            return info_string(
                "setoption: expected 'name NAME' and, except for buttons, 'value VALUE'",
            );
        };
        let value = words
            .iter()
            .position(|&word| word == "value")
            .unwrap_or(words.len());
        let (name, value) = words.split_at(value);
        let value = value.get(1..).unwrap_or_default().join(" ");
        let mut settings = self.settings.clone();
        let change = match options::set(&mut settings, &name.join(" "), &value) {
            Ok(change) => change,
            Err(reason) => return info_string(&reason),
        };
        self.stop();
        self.settings = settings;
        let mut resources = lock(&self.shared.resources);
        match change {
            Change::Settings => {}
            Change::Hash(megabytes) => {
                // Both tables at once may be more than there is.
                let old = resources.table.take().map(|table| table.megabytes());
                resources.table = Table::try_new(megabytes);
                if resources.table.is_none() {
                    resources.table = old.and_then(Table::try_new);
                    return info_string(&format!(
                        "Hash: cannot allocate {megabytes} MiB; unchanged, but empty"
                    ));
                }
            }
            Change::ClearHash => resources.clear_table(),
            Change::Evaluation => resources.clear(),
            Change::Threads(threads) => resources.threads.resize_with(threads, ThreadData::default),
        }
        CommandStatus::Done
    }

    fn bench(&mut self, words: &[&str]) -> CommandStatus {
        let depth = match words {
            [] => bench::DEPTH,
            [depth] if depth.parse::<i32>().is_ok_and(|depth| depth > 0) => {
                depth.parse().unwrap_or(bench::DEPTH)
            }
            _ => return info_string("bench: expected a depth above 0, or no argument"),
        };
        self.stop();
        bench::run_all(&self.settings, depth, print);
        CommandStatus::Done
    }

    fn perft(&mut self, words: &[&str]) -> CommandStatus {
        let Some((depth, fen)) = words.split_first() else {
            return info_string("perft: expected a depth, then optionally a FEN");
        };
        let Some(depth) = depth
            .parse::<u32>()
            .ok()
            .filter(|&depth| depth <= MAX_PERFT)
        else {
            return info_string(&format!(
                "perft: expected a depth from 0 to {MAX_PERFT}, got '{depth}'"
            ));
        };
        let position = if fen.is_empty() {
            self.position.clone()
        } else {
            match Position::from_fen(&fen.join(" ")) {
                Ok(position) => position,
                Err(error) => return info_string(&format!("invalid FEN: {error}")),
            }
        };
        print(&perft::perft(position.board(), depth).to_string());
        CommandStatus::Done
    }

    fn genfens(&mut self, words: &[&str]) -> CommandStatus {
        self.stop();
        match genfens::run(words, &self.settings, print) {
            Ok(()) => CommandStatus::Done,
            Err(reason) => info_string(&reason),
        }
    }

    fn rescore(&mut self, words: &[&str]) -> CommandStatus {
        self.stop();
        match rescore::run(words, &self.settings, print) {
            Ok(()) => CommandStatus::Done,
            Err(reason) => info_string(&format!("rescore: {reason}")),
        }
    }

    fn datagen(&mut self, words: &[&str]) -> CommandStatus {
        self.stop();
        match datagen::run(words, &self.settings, print) {
            Ok(()) => CommandStatus::Done,
            Err(reason) => info_string(&format!("datagen: {reason}")),
        }
    }
}

fn start_position() -> Position {
    Position::new(cozy_chess::Board::startpos())
}

/// Marks the search as ended when dropped, also after a panic.
struct Running<'a>(&'a Shared);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *lock(&self.0.busy) = false;
        self.0.idle.notify_all();
    }
}

fn search(shared: &Shared, job: &Job) {
    let _running = Running(shared);
    let mut resources = lock(&shared.resources);
    let Resources { table, threads } = &mut *resources;
    let table = table.get_or_insert_with(|| Table::new(DEFAULT_HASH));
    let result = run(job, threads, table, &shared.signals);
    drop(resources);
    print(&best_move(job, &result));
}
