//! Moves in long algebraic notation.

/// A move in long algebraic notation, from the short one and the engines': `Ng1-f3`, `e7xd8=Q+`.
pub(super) fn long(san: &str, uci: &str) -> String {
    let (Some(from), Some(to)) = (uci.get(..2), uci.get(2..4)) else {
        return san.to_owned();
    };
    if san.starts_with('O') || san.contains('@') {
        return san.to_owned();
    }
    let piece = san.chars().next().filter(char::is_ascii_uppercase);
    let capture = if san.contains('x') { 'x' } else { '-' };
    let end = san.find(['=', '+', '#']).map_or("", |place| &san[place..]);
    let piece = piece.map_or_else(String::new, String::from);
    format!("{piece}{from}{capture}{to}{end}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn long_notation_has_both_squares() {
        for (san, uci, expected) in [
            ("e4", "e2e4", "e2-e4"),
            ("Nbd7+", "b8d7", "Nb8-d7+"),
            ("exd8=Q#", "e7d8q", "e7xd8=Q#"),
            ("O-O-O+", "e1c1", "O-O-O+"),
            ("R1xa3", "a1a3", "Ra1xa3"),
        ] {
            assert_eq!(long(san, uci), expected);
        }
    }

    proptest! {
        #[test]
        fn no_texts_panic(san in "\\PC{0,8}", uci in "\\PC{0,6}") {
            let _ = long(&san, &uci);
        }
    }
}
