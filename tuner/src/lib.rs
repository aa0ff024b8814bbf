//! Tunes the parameters of a chess engine by SPSA over game pairs, and says how sure it is.
//!
//! Data flows one way:
//!
//! ```text
//! params.toml ─ formats ─▶ parameter ─┬─ checks (before a game) ─▶ init, lint, screen, plan
//!                                     ▼
//!      algorithm (what to play) ◀─▶ run::session ◀─── run::journal (plan, finished pairs)
//!                                     │    ▲                 ▲
//!                                     │    └── arena: pairs, played by sprt ─ run::recorder
//!                                     ▼
//!                           evidence ─▶ run::result ─▶ report, apply, validate
//! ```
//! A session is a pure function of its tune and of the results of its pairs; so is everything that
//! is reported. The arena plays the pairs that it sends out, the recorder writes the results to the
//! journal. Synthetic surfaces replace engines where algorithms are measured (`tuner simulate`,
//! `cargo bench`). Independently of tunes, [`ablation`] measures what each technique of an engine
//! is worth.

#![warn(unreachable_pub)]

mod ablation;
pub mod algorithm;
mod checks;
pub mod cli;
mod commands;
mod elo;
pub mod evidence;
mod formats;
pub mod parameter;
mod perturbation;
pub mod reference;
mod report;
pub mod run;
pub mod synthetic;
mod words;
