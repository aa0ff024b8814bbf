//! What every tool is built on, none of it about rules of chess: [`Failure`] for what went wrong,
//! [`Exit`] for what the process returns, [`Printer`] for all output; the tools' folders and
//! settings; files that are whole at every instant, the folders of runs and their journals; and
//! child processes that never outlive their tool.

#![warn(unreachable_pub)]

pub mod command_line;
pub mod config;
pub mod counted;
pub mod digest;
pub mod exit;
pub mod failure;
pub mod file_crc32;
pub mod files;
pub mod folders;
pub mod format;
pub mod game_texts;
pub mod journal;
pub mod move_words;
pub mod platform;
pub mod pool;
pub mod printer;
pub mod process;
pub mod reference;
pub mod run_folder;
pub mod signals;
pub mod text;
pub mod variables;

pub use counted::counted;
pub use exit::Exit;
pub use failure::Failure;
pub use printer::Printer;

/// Whether serialisation may leave a member out, because it is read back as the default.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
