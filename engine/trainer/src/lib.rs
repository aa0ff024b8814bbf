//! Trains the engine's evaluation network on positions from its own games.
//!
//! ```text
//! folders of packed positions (engine datagen)
//!    └─▶ data: chunks in random order ─▶ runs, shuffled ─▶ filter ─▶ batches
//!                                                                        └─▶ gradient ─▶ Adam ─▶ model
//! model ─▶ quantise ─▶ network file (engine, EvalFile)
//! ```
//!
//! The arithmetic is in `f32`, on the CPU. The result depends only on data, settings and seed, not
//! on the number of threads: a batch is cut into a fixed number of shards, whose gradients are
//! summed in order.

mod adam;
mod checkpoint;
pub mod cli;
mod commands;
mod data;
mod filter;
mod gradient;
mod hidden;
mod inputs;
mod model;
mod objective;
mod quantise;
mod teachers;
mod training;
