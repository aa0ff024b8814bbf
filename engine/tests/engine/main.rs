//! The engine from outside: its searches, its files, and the program as `make` builds it and UCI drives it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod command_line;
mod endgames;
mod harness;
mod ladder;
mod mates;
mod network_file;
mod openbench;
mod params;
mod params_grammar;
mod perft;
mod sampling;
mod search;
mod tablebase;
mod uci;
mod uci_fuzz;
