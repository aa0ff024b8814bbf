//! Who has White in the games of an opening.

use clap::ValueEnum;
use engine_client::Color;
use serde::{Deserialize, Serialize};

/// The colours in the games of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colors {
    /// Both colours, NEW has White first
    #[default]
    NewFirst,
    /// Both colours, BASE has White first
    BaseFirst,
    /// NEW has White in every game
    NewWhite,
    /// BASE has White in every game
    BaseWhite,
}

impl Colors {
    /// The colours of NEW in both games of a pair.
    pub(super) fn of_new(self) -> [Color; 2] {
        match self {
            Self::NewFirst => [Color::White, Color::Black],
            Self::BaseFirst => [Color::Black, Color::White],
            Self::NewWhite => [Color::White; 2],
            Self::BaseWhite => [Color::Black; 2],
        }
    }

    /// Whether each engine has both colours.
    pub(super) fn swap(self) -> bool {
        let [first, second] = self.of_new();
        first != second
    }
}
