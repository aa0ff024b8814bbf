//! What `apply` looks for in source.

/// How a switch is written.
pub(super) const SWITCH: [&str; 2] = ["false", "true"];

/// What is looked for: a number, or the value of a switch, which may be written as 0 or 1 too.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub name: &'a str,
    pub is_switch: bool,
    /// Where the tune began, what it came to, and between which bounds; of a switch 0 or 1.
    pub start: f64,
    pub value: f64,
    pub bounds: [f64; 2],
}

impl Wanted<'_> {
    pub(super) fn may_be(self, value: &str) -> bool {
        let is_word = SWITCH.contains(&value);
        if self.is_switch {
            is_word || ["0", "1"].contains(&value)
        } else {
            !is_word
        }
    }

    pub(super) fn words(self) -> &'static str {
        if self.is_switch {
            "true or false"
        } else {
            "a number"
        }
    }
}
