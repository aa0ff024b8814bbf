//! Tunes the parameters of a chess engine by SPSA over game pairs, and says how sure it is.
//!
//! Data flows one way:
//!
//! ```text
//! params.toml ─ params_file ─▶ parameter ─┬─ options, screen, wiring (before a game) ─▶ init, lint, preflight
//!                                         ▼
//!        perturbation ◀─ schedule      session ◀──── journal (plan, finished pairs) ◀──┐
//!             ▲                        │     ▲                                         │
//!        spsa, bayes ──────────────────┘     └─ arena: pairs, played by sprt ─▶ tune ──┘
//!                                      │
//!                            evidence, blame ─▶ result ─▶ progress, report, apply, validate
//! ```
//! A [`session`] is a pure function of the tune it is given and of the results of its pairs; so is everything that is
//! reported. [`arena`] plays the pairs that it sends out, [`recorder`] keeps what came of them in the [`journal`], and [`tune`] ties
//! the two together. [`oracle`] stands in for engines where algorithms are measured ([`simulate`], `cargo bench`).

pub mod apply;
pub mod arena;
pub mod bayes;
pub mod blame;
pub mod cli;
pub mod complaint;
pub mod convert;
pub mod early_stop;
pub mod evidence;
pub mod forecast;
pub mod formats;
pub mod init;
pub mod journal;
pub mod linear;
pub mod lint;
pub mod options;
pub mod oracle;
pub mod parameter;
pub mod params_file;
pub mod perturbation;
pub mod position;
pub mod preflight;
pub mod prober;
pub mod progress;
pub mod recorder;
pub mod regression;
pub mod report;
pub mod result;
pub mod schedule;
pub mod screen;
pub mod session;
pub mod settings;
pub mod simulate;
pub mod spsa;
pub mod tune;
pub mod validate;
pub mod wiring;
