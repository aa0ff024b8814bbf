//! The commands that messages about run folders name.

use foundation::run_folder::Commands;

pub(crate) const COMMANDS: Commands = Commands {
    resume: "sprt resume",
    show: "sprt show",
    list: "sprt list",
};
