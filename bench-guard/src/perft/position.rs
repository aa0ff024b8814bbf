//! Positions with the number of leaves at each depth, one a line:
//! `4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;id castling`.

/// A position of which the counts are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PerftPosition {
    pub(crate) fen: String,
    /// What it tests; empty if the file does not say.
    pub(crate) id: String,
    /// Depths with their leaves, in the order of depths.
    pub(crate) counts: Vec<(u32, u64)>,
}

impl PerftPosition {
    /// Whether it can be set up only in Chess960.
    pub(crate) fn is_chess960(&self) -> bool {
        self.id.starts_with("Chess960")
    }
}

/// The positions of a file; empty lines and lines that begin with `#` are left out.
///
/// # Errors
/// The first line that is not a position.
pub(crate) fn parse(text: &str) -> Result<Vec<PerftPosition>, String> {
    let lines = text.lines().map(str::trim).zip(1..);
    lines
        .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, number)| {
            position(line).map_err(|why| format!("line {number}: {why}: `{line}`"))
        })
        .collect()
}

fn position(line: &str) -> Result<PerftPosition, String> {
    let mut parts = line.split(';').map(str::trim);
    let fen = fen(parts.next().unwrap_or_default()).ok_or("no position")?;
    let mut position = PerftPosition {
        fen,
        id: String::new(),
        counts: Vec::new(),
    };
    for part in parts.filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        let value = value.trim();
        match name.strip_prefix('D').map(str::parse::<u32>) {
            Some(Ok(depth)) if depth > 0 => {
                let leaves = value
                    .parse()
                    .map_err(|_| format!("`{part}`, expected a count like `D3 8902`"))?;
                position.counts.push((depth, leaves));
            }
            _ if name == "id" => value.trim_matches('"').clone_into(&mut position.id),
            // Operations of EPD that say nothing about counts.
            _ => {}
        }
    }
    position.counts.sort_unstable();
    if position.counts.is_empty() {
        return Err("no count, expected one like `;D3 8902`".to_owned());
    }
    Ok(position)
}

/// Six fields; EPD, which has four, gets clocks of 0 and 1.
fn fen(text: &str) -> Option<String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [board, side, rest @ ..] = fields.as_slice() else {
        return None;
    };
    let is_whole = board.matches('/').count() == 7 && matches!(*side, "w" | "b");
    match (is_whole, rest.len()) {
        (true, 4) => Some(fields.join(" ")),
        (true, 2) => Some(format!("{} 0 1", fields.join(" "))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_ids_are_read_from_both_forms() {
        let text = "# ours\n\n8/8/8/8/8/8/8/Kk6 w - - ;D2 9; D1 3 ;id \"two kings\" ; bm a1a2\n";
        let position = &parse(text).expect("valid")[0];
        assert_eq!(position.fen, "8/8/8/8/8/8/8/Kk6 w - - 0 1");
        assert_eq!(position.counts, [(1, 3), (2, 9)]);
        assert_eq!(position.id, "two kings");
    }

    #[test]
    fn a_broken_line_is_named() {
        for (line, word) in [
            ("rubbish ;D1 20", "no position"),
            ("8/8/8/8/8/8/8/Kk6 w - - ;D1 many", "expected a count"),
            ("8/8/8/8/8/8/8/Kk6 w - - ;id nothing", "no count"),
            ("8/8/8/8/8/8/8/Kk6 w - ;D1 1", "no position"),
        ] {
            let why = parse(&format!("\n{line}")).expect_err(line);
            assert!(why.starts_with("line 2") && why.contains(word), "{why}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_is_too_odd(line in "([0-9a-zA-Z/;]|D1 | |\\PC){0,60}") {
            let _ = parse(&line);
        }
    }
}
