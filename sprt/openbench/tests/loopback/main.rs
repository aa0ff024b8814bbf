//! The client against a server on loopback that answers as OpenBench does, and as it does on bad
//! days.

mod bad_days;
mod base;
mod clone;
mod follow;
#[path = "../../src/git_of_tests.rs"]
mod git_of_tests;
mod login;
mod manage;
mod proof;
mod resubmit;
mod server;
mod submit;
mod tls;
