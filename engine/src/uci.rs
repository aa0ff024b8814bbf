//! The UCI dialogue. Commands are read on one thread and searches run on another, so that `stop`, `quit` and
//! `isready` are heard at any time. Whatever cannot be understood is told on an `info string` line and has no effect.

use std::io::BufRead;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use crate::options::{self, Change, DEFAULT_HASH};
use crate::output::say;
use crate::params::spsa_lines;
use crate::position::Position;
use crate::search::threads::{Job, Settings, best_move, run};
use crate::search::{Signals, ThreadData};
use crate::tt::Table;
use crate::{bench, genfens, go, perft};

const COMMANDS: [&str; 13] = [
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
];
/// Perft beyond this depth takes years.
const MAX_PERFT: u32 = 12;

/// What the searching thread works with; whoever holds the lock is searching or may change it.
struct Tools {
    table: Table,
    threads: Vec<ThreadData>,
}

/// Shared by the reading and the searching thread.
struct Shared {
    tools: Mutex<Tools>,
    signals: Signals,
    /// A search is running or waits to run.
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
}

/// What became of a command.
#[derive(PartialEq, Eq)]
enum Answer {
    Done,
    Quit,
    /// The command made no sense.
    Refused,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A poisoned lock means that a search has panicked; what it left behind is still a valid state.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn complain(text: &str) -> Answer {
    say(&format!("info string {text}"));
    Answer::Refused
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    pub fn new() -> Self {
        let shared = Arc::new(Shared {
            tools: Mutex::new(Tools {
                table: Table::new(DEFAULT_HASH),
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
        }
    }

    /// Obeys commands until `quit` or the end of the input, which ends a running search too.
    pub fn listen(&mut self, input: &mut dyn BufRead) {
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            if self.command(&String::from_utf8_lossy(&line)) == Answer::Quit {
                break;
            }
        }
        self.stop();
    }

    /// Obeys command-line words. A word that begins with a command's name begins a command; others belong to the one
    /// before. Says whether all made sense.
    pub fn obey(&mut self, words: &[String]) -> bool {
        let mut commands: Vec<String> = Vec::new();
        for word in words {
            let begins = word
                .split_whitespace()
                .next()
                .is_some_and(|name| COMMANDS.contains(&name));
            match commands.last_mut() {
                Some(command) if !begins => *command = format!("{command} {word}"),
                _ => commands.push(word.clone()),
            }
        }
        let mut sensible = true;
        for command in commands {
            if command.split_whitespace().next() == Some("go")
                && ["infinite", "ponder"]
                    .iter()
                    .any(|word| command.contains(word))
            {
                complain("a search without end needs commands on stdin");
                sensible = false;
                continue;
            }
            let answer = self.command(&command);
            self.wait();
            match answer {
                Answer::Done => {}
                Answer::Refused => sensible = false,
                Answer::Quit => break,
            }
        }
        sensible
    }

    fn command(&mut self, line: &str) -> Answer {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else {
            return Answer::Done;
        };
        match first {
            "uci" => Self::introduce(),
            "isready" => say("readyok"),
            "ucinewgame" => self.new_game(),
            "position" => return self.set_position(rest),
            "go" => return self.go(rest),
            "stop" => self.shared.signals.stop.store(true, Relaxed),
            "ponderhit" => self.shared.signals.pondering.store(false, Relaxed),
            "setoption" => return self.set_option(rest),
            "quit" => return Answer::Quit,
            "bench" => return self.bench(rest),
            "perft" => return self.perft(rest),
            "spsa" => say(&spsa_lines(&self.settings.params).join("\n")),
            "genfens" => return self.genfens(rest),
            "debug" | "register" => {}
            _ => return complain(&format!("unknown command '{first}'")),
        }
        Answer::Done
    }

    fn introduce() {
        let mut lines = vec![
            format!("id name Whetstone {}", env!("CARGO_PKG_VERSION")),
            "id author the Whetstone authors".to_owned(),
        ];
        lines.extend(options::declarations());
        lines.push("uciok".to_owned());
        say(&lines.join("\n"));
    }

    /// Waits until no search runs.
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
        let mut tools = lock(&self.shared.tools);
        tools.table.clear();
        tools.threads.iter_mut().for_each(ThreadData::clear);
    }

    fn set_position(&mut self, words: &[&str]) -> Answer {
        let moves = words.iter().position(|&word| word == "moves");
        let (setup, moves) = words.split_at(moves.unwrap_or(words.len()));
        let mut position = match setup {
            ["startpos"] => start_position(),
            ["fen", fields @ ..] => match Position::from_fen(&fields.join(" ")) {
                Ok(position) => position,
                Err(error) => return complain(&format!("bad FEN: {error}")),
            },
            _ => return complain("position takes 'startpos' or 'fen', then 'moves'"),
        };
        let mut keys = Vec::with_capacity(moves.len());
        for text in moves.iter().skip(1) {
            let Some(mv) = position.parse_move(text, self.settings.chess960) else {
                return complain(&format!(
                    "'{text}' is no legal move there; position unchanged"
                ));
            };
            keys.push(position.key());
            position = position.play(mv);
        }
        self.position = position;
        self.earlier_keys = keys;
        Answer::Done
    }

    fn go(&mut self, words: &[&str]) -> Answer {
        let start = Instant::now();
        self.stop();
        if let ["perft", rest @ ..] = words {
            return self.perft(rest);
        }
        let (limits, complaints) = go::parse(words, &self.position, self.settings.chess960);
        for complaint in &complaints {
            complain(complaint);
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
            return complain("the searching thread has ended");
        }
        if complaints.is_empty() {
            Answer::Done
        } else {
            Answer::Refused
        }
    }

    fn set_option(&mut self, words: &[&str]) -> Answer {
        let ["name", words @ ..] = words else {
            return complain("setoption takes 'name' and most often 'value'");
        };
        let value = words
            .iter()
            .position(|&word| word == "value")
            .unwrap_or(words.len());
        let (name, value) = words.split_at(value);
        let value = value.get(1..).unwrap_or_default().join(" ");
        self.stop();
        let change = match options::set(&mut self.settings, &name.join(" "), &value) {
            Ok(change) => change,
            Err(reason) => return complain(&reason),
        };
        let mut tools = lock(&self.shared.tools);
        match change {
            Change::Settings => {}
            Change::Hash(megabytes) => match Table::try_new(megabytes) {
                Some(table) => tools.table = table,
                None => return complain(&format!("no memory for {megabytes} MiB; Hash unchanged")),
            },
            Change::ClearHash => tools.table.clear(),
            Change::Threads(threads) => tools.threads.resize_with(threads, ThreadData::default),
        }
        Answer::Done
    }

    fn bench(&mut self, words: &[&str]) -> Answer {
        self.stop();
        let depth = match words {
            [] => bench::DEPTH,
            [depth] if depth.parse::<i32>().is_ok_and(|depth| depth > 0) => {
                depth.parse().unwrap_or(bench::DEPTH)
            }
            _ => return complain("bench takes a depth above zero, or nothing"),
        };
        bench::run_all(&self.settings, depth, say);
        Answer::Done
    }

    fn perft(&mut self, words: &[&str]) -> Answer {
        let Some((depth, fen)) = words.split_first() else {
            return complain("perft takes a depth, then a FEN or nothing");
        };
        let Some(depth) = depth
            .parse::<u32>()
            .ok()
            .filter(|&depth| depth <= MAX_PERFT)
        else {
            return complain(&format!(
                "perft takes a depth from 0 to {MAX_PERFT}, got '{depth}'"
            ));
        };
        let position = if fen.is_empty() {
            self.position.clone()
        } else {
            match Position::from_fen(&fen.join(" ")) {
                Ok(position) => position,
                Err(error) => return complain(&format!("bad FEN: {error}")),
            }
        };
        say(&perft::perft(position.board(), depth).to_string());
        Answer::Done
    }

    fn genfens(&mut self, words: &[&str]) -> Answer {
        self.stop();
        match genfens::run(words, &self.settings, say) {
            Ok(()) => Answer::Done,
            Err(reason) => complain(&reason),
        }
    }
}

fn start_position() -> Position {
    Position::new(cozy_chess::Board::startpos())
}

/// Marks the search as ended when it is dropped, however it ended.
struct Running<'a>(&'a Shared);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *lock(&self.0.busy) = false;
        self.0.idle.notify_all();
    }
}

fn search(shared: &Shared, job: &Job) {
    let _running = Running(shared);
    let mut tools = lock(&shared.tools);
    let Tools { table, threads } = &mut *tools;
    let verdict = run(job, threads, table, &shared.signals);
    drop(tools);
    say(&best_move(job, &verdict));
}
