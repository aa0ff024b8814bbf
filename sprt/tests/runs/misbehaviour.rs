//! All misbehaviours of the table, each in a short match of its own.

// The benchmark has this file by its path.
#[path = "misbehaviour/table.rs"]
mod table;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub use table::{Expected, How, Misbehaviour, TABLE};

use crate::support::{Place, processes_in};

/// A match that takes longer hangs.
const LONGEST: Duration = Duration::from_mins(2);

/// Its outcome.
#[derive(Debug)]
pub struct Played {
    pub verdict: Expected,
    /// The message to the user.
    pub reason: String,
    /// From the last word to the engine until the slot went on with the next game, or until the
    /// program ended if there was none.
    pub seconds: f64,
    /// Processes that were left when the runner had ended.
    pub left: usize,
}

impl Misbehaviour {
    /// Plays two pairs, in which NEW misbehaves.
    pub fn play(&self) -> Played {
        let place = Place::new();
        let base = place.engine("base");
        let new = self.engine(&place);
        // On a busy machine an engine that does start or move may need long for it.
        let patience = |is_awaited: bool| if is_awaited { "20" } else { "1" };
        let startup = patience(self.expected != Expected::Refused(3));
        let patience = patience(!matches!(
            self.expected,
            Expected::Refused(_) | Expected::Stall
        ));
        let mut command = place.sprt(["run", &base, &new]);
        command
            .args(["--seed", "7", "--max-games", "4", "--concurrency", "1"])
            .args(["--startup-timeout", startup, "--move-timeout", patience])
            .args(["--out", "run", "--log", "logs", "-q"])
            .args(self.limit);
        if let How::Script(script) = self.how {
            command.args(["--new-option", &format!("Script={script}")]);
        }
        let started = Instant::now();
        let (code, said) = finish(&mut command);
        let seconds = started.elapsed().as_secs_f64();
        let left = processes_in(&place.path("")).len();
        let Some(code) = code else {
            return Played {
                verdict: Expected::Hangs,
                reason: said,
                seconds,
                left,
            };
        };
        if !place.path("run").exists() {
            return Played {
                verdict: Expected::Refused(code),
                // The folder has another name each time.
                reason: first_error(&said).replace(&place.path("").display().to_string(), "…/"),
                seconds,
                left,
            };
        }
        let (verdict, reason, game) = first_fault(&place.journal("run"));
        let seconds = until_next_game(&place.path("logs"), game).unwrap_or(seconds);
        Played {
            verdict,
            reason,
            seconds,
            left,
        }
    }

    fn engine(&self, place: &Place) -> String {
        match self.how {
            How::Script(_) => place.engine("new"),
            How::Name(name) => place.engine(name),
            How::Shell(commands) => {
                let commands = commands.replace("$ENGINE", &place.engine("inner"));
                place.script("new", &commands)
            }
            How::File(content, mode) => {
                let path = place.path("new");
                fs::write(&path, content).expect("written");
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
                path.display().to_string()
            }
        }
    }
}

/// Exit code and stderr; no code where it had to be killed.
fn finish(command: &mut Command) -> (Option<i32>, String) {
    let errors = tempfile::NamedTempFile::new().expect("a file");
    let mut child = command
        .stdout(Stdio::null())
        .stderr(errors.reopen().expect("the file"))
        .spawn()
        .expect("sprt runs");
    let code = wait(&mut child);
    let said = fs::read(errors.path()).expect("what it said");
    (code, String::from_utf8_lossy(&said).into_owned())
}

fn wait(child: &mut Child) -> Option<i32> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        if started.elapsed() > LONGEST {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn first_error(said: &str) -> String {
    let error = said.lines().find_map(|line| line.split_once("error: "));
    error.map_or_else(|| said.to_owned(), |(_, text)| text.to_owned())
}

/// The first spoiled game: what it was, its reason and its number from 1; the first game where none
/// was spoiled.
fn first_fault(journal: &str) -> (Expected, String, usize) {
    let games = journal.lines().flat_map(|line| {
        let pair: serde_json::Value = serde_json::from_str(line).expect("a line of the journal");
        pair["games"].as_array().cloned().unwrap_or_default()
    });
    for (index, game) in games.enumerate() {
        let verdict = match game["end"].as_str() {
            Some("crash") => Expected::Crash,
            Some("stall") => Expected::Stall,
            Some("time-loss") => Expected::TimeLoss,
            Some("illegal-move") => Expected::IllegalMove,
            _ => continue,
        };
        let words = |member: &str| game[member].as_str().unwrap_or("").to_owned();
        let reason = format!("{}: {}", words("text"), words("detail"));
        return (verdict, reason, index + 1);
    }
    (Expected::PlaysOn, String::new(), 1)
}

/// From the last word to NEW in this game until the first to BASE in the next.
fn until_next_game(logs: &Path, game: usize) -> Option<f64> {
    let log = |game: usize, name: &str| {
        let mut files = fs::read_dir(logs).ok()?.flatten();
        let start = format!("game-{game}-");
        let end = format!("{name}.log");
        let file = files.find(|file| {
            let file = file.file_name().to_string_lossy().into_owned();
            file.starts_with(&start) && file.ends_with(&end) == (name == "base")
        })?;
        fs::read(file.path()).ok()
    };
    let time = |line: &[u8]| -> Option<jiff::Timestamp> {
        let text = String::from_utf8_lossy(line);
        text.split_once(' ')?.0.parse().ok()
    };
    let mine = log(game, "new").or_else(|| log(game, ""))?;
    let lines = || mine.split(|&byte| byte == b'\n');
    let is_told = |line: &&[u8]| {
        let mut words = line.splitn(3, |&byte| byte == b' ');
        words.nth(1) == Some(b">") && !line.ends_with(b"> stop")
    };
    let told = lines().rev().find(is_told).and_then(time)?;
    let next = log(game + 1, "base")?;
    let next = next.split(|&byte| byte == b'\n').find_map(time)?;
    Some(next.duration_since(told).as_secs_f64())
}

/// The short form of `cargo bench -p sprt --bench misbehaviour`: all of them, a few at a time.
#[test]
fn every_misbehaviour_ends_as_the_table_says_and_leaves_no_process() {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let wrong = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(row) = TABLE.get(index) else {
                        return;
                    };
                    let played = row.play();
                    if played.verdict != row.expected || played.left > 0 {
                        let Played {
                            verdict,
                            reason,
                            seconds,
                            left,
                        } = played;
                        let text = format!(
                            "{}: {verdict:?} after {seconds:.1} s, {left} processes left: {reason}",
                            row.what
                        );
                        wrong.lock().expect("a list").push(text);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("a list");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
