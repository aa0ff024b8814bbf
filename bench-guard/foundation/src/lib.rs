//! What every tool stands on, and none of it is about chess: [`Failure`] for what went wrong,
//! [`Exit`] for what the process returns, [`Printer`] for what is written where; folders and
//! settings of the tools; files that are whole at every instant, the folders of runs and their
//! journals; and child processes that never outlive them.

#![warn(unreachable_pub)]

pub mod command_line;
pub mod config;
pub mod digest;
pub mod exit;
pub mod failure;
pub mod files;
pub mod folders;
pub mod format;
pub mod journal;
pub mod pool;
pub mod printer;
pub mod process;
pub mod reference;
pub mod run_folder;
pub mod signals;
pub mod variables;

pub use exit::Exit;
pub use failure::Failure;
pub use printer::Printer;

/// Whether serialisation may leave a member out, because it is read back as the default.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
