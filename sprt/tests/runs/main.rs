//! Whole runs by the real program, against an engine that does what it is told, and what it should
//! not.

mod blunders;
mod check;
mod damage;
mod errors;
mod fastchess;
mod faults;
mod fixed_length;
mod leiserchess;
mod logs;
mod misbehaviour;
mod openings;
mod ponder;
mod records;
mod resume;
mod revisions;
mod second_game;
mod serve;
mod settings;
mod stats;
mod suite;
mod support;
mod syzygy;
mod tournament;
mod trouble;
mod views;
