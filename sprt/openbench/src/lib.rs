//! Speaks to an OpenBench server as a person with a browser would: submits tests, tunes and data
//! generation, follows them, and fetches their results.
//!
//! Data flows one way:
//!
//! ```text
//! flags, whetstone.toml ─ settings ──┐
//! server's presets ─ form::preset ───┼─▶ form ─ form::check ─▶ submit ─▶ session ─▶ http ─▶ server
//! git, bench ─ submit::revision ─────┘                                                        │
//!                                          watch, fetch, manage, networks ◀─ read ◀───────────┘
//! ```
//! [`http`] knows requests, limits and repetition, [`session`] logs in and reads the messages of
//! the server's pages; all that is read is a pure function on text ([`read`]). The password goes to
//! the login page of the server and nowhere else; cookies live in memory.

#![warn(unreachable_pub)]

pub mod address;
pub mod block;
pub mod commands;
pub mod credentials;
pub mod doctor;
pub mod fetch;
pub mod form;
#[cfg(test)]
mod git_of_tests;
pub mod http;
pub mod idle;
pub mod instance;
pub mod manage;
pub mod markdown;
pub mod networks;
pub mod read;
pub mod session;
pub mod settings;
pub mod submit;
pub mod watch;
