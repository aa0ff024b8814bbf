//! Pondering of the scripted engine: correct, or wrong as scripted.
//!
//! | `Ponders` | |
//! |---|---|
//! | `hit` | names the reply that another scripted engine will make |
//! | `miss` | names another one |
//! | `illegal` | names a move that is none |
//! | `early` | gives its move at once, as if its time ran; `early-miss` too |
//! | `early-crash` | the same, and crashes when it is asked whether it is ready to go on |
//! | `deaf-miss` | does not hear `stop` while it ponders |
//! | `crash` | crashes when it is to ponder |
//! | `slow-miss` | takes 300 ms to hear `stop` |

use std::process::exit;
use std::time::Duration;

use super::{Engine, hash};

impl Engine {
    pub fn ponder(&mut self, best: String) {
        match self.ponders.as_str() {
            "early" | "early-miss" | "early-crash" => self.give(&best),
            "crash" => {
                eprintln!("scripted: thought too far ahead");
                exit(7);
            }
            _ => self.pending = Some(best),
        }
    }

    /// Answers `isready`.
    pub fn be_ready(&self) {
        if self.ponders == "early-crash" && self.moves_made > 1 {
            exit(7);
        }
        self.send("readyok");
    }

    pub fn is_deaf_to_stop(&self) -> bool {
        if self.ponders == "slow-miss" {
            std::thread::sleep(Duration::from_millis(300));
        }
        self.ponders == "deaf-miss"
    }

    /// Says its move, and what it would ponder on.
    pub fn give(&mut self, best: &str) {
        let reply = if self.may_ponder {
            self.reply_to(best)
        } else {
            None
        };
        match reply {
            Some(reply) => self.send(&format!("bestmove {best} ponder {reply}")),
            None => self.send(&format!("bestmove {best}")),
        }
    }

    fn reply_to(&mut self, best: &str) -> Option<String> {
        let before = self.position.clone();
        let link = if before.contains(" moves ") {
            ""
        } else {
            " moves"
        };
        self.position = format!("{before}{link} {best}");
        let moves = self.legal_moves("");
        let choice = hash(&self.position);
        self.position = before;
        let expected = (choice % moves.len().max(1) as u64) as usize;
        let chosen = match self.ponders.as_str() {
            "illegal" => return Some("a1a1".to_owned()),
            ponders if ponders.ends_with("miss") => (expected + 1) % moves.len().max(1),
            _ => expected,
        };
        moves.get(chosen).cloned()
    }
}
