//! Each command by the real program, in real repositories with an engine that is a shell script.

mod action;
mod attempts;
mod check;
mod compare;
mod engines;
mod evasion;
mod exempt;
mod fix;
mod hooks;
mod init;
mod inputs;
mod merges;
mod message;
mod own_build;
mod perft;
mod pre_push;
mod readme;
mod repro;
mod reuse;
mod scene;
mod speed;
mod squash;
mod variants;
