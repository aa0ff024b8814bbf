//! All games. A new one is a module and a line here.

use foundation::Failure;

#[cfg(feature = "nim")]
use super::nim;
use super::{Variant, chess, leiserchess};

/// The default variant.
pub const USUAL: &str = "standard";

/// All variants, the usual one first.
static VARIANTS: &[&dyn Variant] = &[
    &chess::STANDARD,
    &chess::CHESS960,
    &chess::DFRC,
    &leiserchess::LEISERCHESS,
    &leiserchess::LEISERCHESS_STAFF,
];

/// Those that exist in tests only.
static OF_TESTS: &[&dyn Variant] = &[
    #[cfg(feature = "nim")]
    &nim::NIM,
];

/// The names of all variants: `standard, chess960 or …`.
pub fn names() -> String {
    listed(|_| true)
}

/// The names of those for which openings can be drawn.
pub fn that_are_drawn() -> String {
    listed(|variant| variant.generator().is_some())
}

fn listed(is_listed: fn(&dyn Variant) -> bool) -> String {
    let listed = VARIANTS.iter().filter(|variant| is_listed(**variant));
    let names: Vec<&str> = listed.map(|variant| variant.name()).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// For plans, which leave out the usual variant.
pub fn usual() -> String {
    USUAL.to_owned()
}

pub fn is_usual(name: &str) -> bool {
    name == USUAL
}

/// The variant of a name.
pub fn variant(name: &str) -> Option<&'static dyn Variant> {
    VARIANTS
        .iter()
        .chain(OF_TESTS)
        .find(|variant| variant.name() == name || variant.other_names().contains(&name))
        .copied()
}

/// The first variant that PGN's `Variant` tag calls so.
pub fn named_in_pgn(name: &str) -> Option<&'static dyn Variant> {
    let mut all = VARIANTS.iter().chain(OF_TESTS);
    all.find(|variant| variant.is_named_in_pgn(name)).copied()
}

/// The variant that the command line or a plan names.
///
/// # Errors
/// There is none of that name.
pub fn find(name: &str) -> Result<&'static dyn Variant, Failure> {
    variant(name).ok_or_else(|| {
        Failure::unable(format!("unknown variant `{name}`")).hint(format!("expected {}", names()))
    })
}
