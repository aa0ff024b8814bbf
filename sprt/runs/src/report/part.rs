//! What a line of progress consists of, and how much of it a terminal has room for.

/// An Elo with a wider margin says nothing yet.
pub(super) const WIDEST_MARGIN: f64 = 200.0;

/// Something to say, shorter where there is little room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub(super) short: String,
    pub(super) long: String,
}

impl Part {
    pub fn of(text: String) -> Self {
        Self {
            long: text.clone(),
            short: text,
        }
    }
}

/// As many of the parts as there is room for, and of these as many at length.
pub fn fitting(parts: &[Part], columns: usize) -> String {
    const BETWEEN: &str = " | ";
    let mut chosen: Vec<&str> = Vec::new();
    let mut length = 0;
    for part in parts {
        let between = if chosen.is_empty() { 0 } else { BETWEEN.len() };
        let longer = length + between + part.short.chars().count();
        if longer > columns {
            break;
        }
        length = longer;
        chosen.push(&part.short);
    }
    for (words, part) in chosen.iter_mut().zip(parts) {
        let longer = length + part.long.chars().count() - part.short.chars().count();
        if longer <= columns {
            length = longer;
            *words = &part.long;
        }
    }
    chosen.join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_shows_games_before_bounds() {
        let part = |short: &str, long: &str| Part {
            short: short.to_owned(),
            long: long.to_owned(),
        };
        let parts = [
            part("LLR 2.44", "LLR 2.44 (-2.94, 2.94)"),
            part("142/400 games", "142/400 games"),
            part("~3 min to go", "~3 min to go, 5 min at most"),
            part("Elo 24.9 +- 32.3", "Elo 24.9 +- 32.3"),
        ];
        assert_eq!(fitting(&parts, 29), "LLR 2.44 | 142/400 games");
        assert_eq!(
            fitting(&parts, 38),
            "LLR 2.44 (-2.94, 2.94) | 142/400 games"
        );
        assert_eq!(
            fitting(&parts, 55),
            "LLR 2.44 (-2.94, 2.94) | 142/400 games | ~3 min to go"
        );
        assert_eq!(fitting(&parts, 7), "");
        let all = fitting(&parts, usize::MAX);
        assert_eq!(all.matches(" | ").count(), 3);
        assert!(all.contains("5 min at most"));
    }
}
