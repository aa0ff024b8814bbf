//! Whose command line is read.

/// A match runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Fastchess,
    Cutechess,
}

impl Tool {
    /// By the name of its program.
    pub(crate) fn of(program: &str) -> Option<Self> {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        match name {
            "fastchess" | "fastchess-ob" | "fast-chess" => Some(Self::Fastchess),
            "cutechess-cli" | "cutechess" | "cutechess-ob" => Some(Self::Cutechess),
            _ => None,
        }
    }
}
