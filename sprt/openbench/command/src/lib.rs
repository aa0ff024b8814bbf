//! What `sprt` and `tuner` know of OpenBench without speaking to a server: the command line of
//! `openbench`, the files of a fetched tune, and how the client is started.
//!
//! The client itself is the program `sprt-openbench`. It needs an HTTP client, TLS and an HTML
//! parser, which nobody who only plays matches should have to compile:
//!
//! ```text
//! sprt openbench …, tuner openbench … ─ command (checked here) ─▶ client ─▶ sprt-openbench
//! tuner report, tuner apply ◀─ history, digest ◀─ folder of a fetched tune ◀──────┤
//! sprt verify ◀──────────── block, repetition ◀─ folder of a fetched test ◀──────┘
//! ```

#![warn(unreachable_pub)]

pub mod client;
pub mod command;
pub mod digest;
pub mod flags;
pub mod history;
pub mod instance;
pub mod repetition;
pub mod workload;
