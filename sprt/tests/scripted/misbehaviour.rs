//! What the scripted engine does wrong.

use std::io::{self, Write};
use std::process::{Command, exit};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{Engine, hash, read_line};

/// Longer than any test waits.
const FOR_EVER: Duration = Duration::from_mins(10);
/// Children of an engine that starts many.
const MANY: usize = 20;

impl Engine {
    /// Does it once; `false` to quit.
    pub fn misbehave(&mut self, best: &str, limits: &str) -> bool {
        // Lines to say instead, in one go: `say:info string x|bestmove $best`.
        if let Some(lines) = self.misbehaviour.strip_prefix("say:") {
            let lines = lines
                .replace("$best", best)
                .replace("$BEST", &best.to_uppercase())
                .replace("$zeros", &"\0".repeat(100))
                .replace('|', self.line_end);
            self.send(&lines);
            return true;
        }
        // Thinks for so many milliseconds without a word.
        if let Some(ms) = self.misbehaviour.strip_prefix("sleep:") {
            std::thread::sleep(Duration::from_millis(ms.parse().unwrap_or(0)));
            self.send(&format!("bestmove {best}"));
            return true;
        }
        // Not without a word: it is late, and not silent, however late its move is.
        if let Some(ms) = self.misbehaviour.strip_prefix("slow:") {
            self.send("info string slow");
            std::thread::sleep(Duration::from_millis(ms.parse().unwrap_or(0)));
            self.send(&format!("bestmove {best}"));
            return true;
        }
        // Thinks without a word for a time up to it, drawn by the position.
        if let Some(ms) = self.misbehaviour.strip_prefix("think:") {
            let most = ms.parse::<u64>().unwrap_or(0).max(1);
            std::thread::sleep(Duration::from_millis(hash(&self.position) % most));
            self.send(&format!("info depth 1 score cp 0 nodes 1\nbestmove {best}"));
            return true;
        }
        match self.misbehaviour.as_str() {
            "abort" => std::process::abort(),
            "segfault" => raise(Signal::SIGSEGV),
            "kill" => raise(Signal::SIGKILL),
            "stop-itself" => raise(Signal::SIGSTOP),
            "kill-group" => {
                let _ = kill(Pid::from_raw(0), Signal::SIGTERM);
                std::thread::sleep(FOR_EVER);
            }
            "kill-parent" => {
                let _ = kill(nix::unistd::getppid(), Signal::SIGKILL);
                std::thread::sleep(FOR_EVER);
            }
            "close-stdout" => {
                let _ = nix::unistd::close(1);
                std::thread::sleep(FOR_EVER);
            }
            "close-stdin" => {
                let _ = nix::unistd::close(0);
                self.send(&format!("bestmove {best}"));
                std::thread::sleep(FOR_EVER);
            }
            "crash" => {
                eprintln!("scripted: out of luck");
                exit(7);
            }
            "exit" => exit(0),
            "move-then-exit" => {
                self.send(&format!("bestmove {best}"));
                exit(0);
            }
            "move-then-crash" => {
                self.send(&format!("bestmove {best}"));
                std::process::abort();
            }
            "illegal" => self.send("bestmove a1a1"),
            "no-move" => self.send("bestmove"),
            "none" => self.send("bestmove (none)"),
            // Hears `stop`, and answers only then.
            "wait-for-stop" => {
                self.send("info string waiting");
                while read_line().is_some_and(|line| line.trim() != "stop") {}
                self.send(&format!("bestmove {best}"));
            }
            "twice" => {
                self.send(&format!("bestmove {best}"));
                self.send(&format!("bestmove {best}"));
            }
            "twice-and-stall" => {
                self.send(&format!("bestmove {best}\nbestmove {best}"));
                std::thread::sleep(FOR_EVER);
            }
            // It says more about that search when it is asked whether it is ready for the next.
            "twice-and-more" => {
                self.send(&format!("info string x\nbestmove {best}\nbestmove {best}"));
                while let Some(line) = read_line() {
                    if line.trim() == "isready" {
                        self.send("info depth 30 score cp -900\nreadyok");
                        return true;
                    }
                    if !self.handle(line.trim()) {
                        return false;
                    }
                }
                return false;
            }
            "late-again" => {
                self.send(&format!("bestmove {best}"));
                std::thread::sleep(Duration::from_millis(100));
                self.send(&format!("bestmove {best}"));
            }
            "indented" => {
                self.send("bestmovement a1a1");
                self.send(&format!("  \tbestmove {best}"));
            }
            "endless-word" => self.send(&format!("bestmove {}", "x".repeat(100_000))),
            // What it started in a session of its own plays on without it, or beside it.
            "leave-child" => {
                linger();
                exit(7);
            }
            "keep-child" => {
                linger();
                self.send(&format!("bestmove {best}"));
            }
            "many-children" => {
                (0..MANY).for_each(|_| linger());
                exit(7);
            }
            "own-session" => {
                let _ = nix::unistd::setsid();
                std::thread::sleep(FOR_EVER);
            }
            "stall" => std::thread::sleep(FOR_EVER),
            "chatter" => loop {
                self.send("info depth 1 score cp 0 pv a1a1");
                std::thread::sleep(Duration::from_millis(20));
            },
            "flood" => loop {
                self.send("info depth 1 score cp 0 pv a1a1");
            },
            "flood-without-line-end" => loop {
                let _ = io::stdout().write_all(&[b'x'; 8192]);
            },
            "flood-stderr" => loop {
                let _ = io::stderr().write_all(&[b'x'; 8192]);
            },
            "flood-after-move" => {
                self.send(&format!("bestmove {best}"));
                loop {
                    self.send("info string it is not my turn");
                }
            }
            "megabyte-on-stderr" => {
                let _ = io::stderr().write_all(&vec![b'x'; 1 << 20]);
                self.send(&format!("bestmove {best}"));
            }
            "half-a-line" => {
                print!("bestmove {best}");
                let _ = io::stdout().flush();
                exit(0);
            }
            "half-a-line-and-stall" => {
                print!("bestmove {best}");
                let _ = io::stdout().flush();
                std::thread::sleep(FOR_EVER);
            }
            "letter-by-letter" => {
                for letter in format!("bestmove {best}\n").chars() {
                    print!("{letter}");
                    let _ = io::stdout().flush();
                }
            }
            "long-line" => {
                self.send(&format!("info string {}", "x".repeat(20_000_000)));
                self.send(&format!("bestmove {best}"));
            }
            "invalid-utf-8" => {
                let bytes = [b"info string ", &[0xff, 0xfe, 0xc3, 0x28][..], b"\n"].concat();
                let _ = io::stdout().write_all(&bytes);
                self.send(&format!("bestmove {best}"));
            }
            "noise" => {
                eprint!("{}", "noise ".repeat(100_000));
                let _ = io::stdout().write_all(&[b'i', b'n', b'f', b'o', b' ', 0xff, 0xfe, b'\n']);
                self.send(&format!("info string {}", "x".repeat(3_000_000)));
                self.send(&format!("info score cp nonsense depth -1 {limits}"));
                self.send(&format!("bestmove {best} ponder"));
            }
            "last-words" => {
                eprint!("\x1b[2J\x1b]0;owned\x07{}", "x".repeat(100_000));
                exit(7);
            }
            other => panic!("unknown script `{other}`"),
        }
        true
    }
}

fn raise(signal: Signal) {
    // The first SIGSEGV only ends the handler that Rust programs have for it.
    for _ in 0..2 {
        let _ = kill(Pid::this(), signal);
    }
    // After SIGCONT the stopped process continues.
    std::thread::sleep(FOR_EVER);
}

/// Starts a process that outlives this one unless it is killed.
fn linger() {
    let itself = std::env::current_exe().expect("a program");
    let _ = Command::new(itself).arg("linger").spawn();
}
