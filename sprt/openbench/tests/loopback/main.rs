//! The client against a server on loopback that answers as OpenBench does, and as it does on bad
//! days.

mod bad_days;
mod base;
mod clone;
mod follow;
mod login;
mod manage;
mod proof;
mod resubmit;
mod server;
mod submit;
mod tls;
