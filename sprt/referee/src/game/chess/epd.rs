//! Books of positions, one a line: FENs, and EPD with its operations.
//!
//! A line is a FEN whose two counters may be missing; with operations (`hmvc 3; id "x";`) the
//! counters come from `hmvc` and `fmvn`, all others are passed over. Lines that are blank or begin
//! with `#`, `%` or `;` hold nothing.

/// Where the lines that hold positions begin.
pub fn line_starts(text: &[u8]) -> Vec<u32> {
    let mut starts = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if holds_position(line) {
            starts.push(offset as u32);
        }
        offset += line.len();
    }
    starts
}

/// The position of a line as a FEN, its syntax not looked at beyond its operations.
pub fn parse_line(line: &str) -> String {
    let mut fields: Vec<&str> = Vec::new();
    let mut rest = line.trim();
    while fields.len() < 6 {
        let (field, after) = rest
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((rest, ""));
        // Counters are numbers; what else follows the fourth field is the first operation.
        if field.is_empty() || (fields.len() >= 4 && line.contains(';') && !is_number(field)) {
            break;
        }
        fields.push(field);
        rest = after.trim_start();
    }
    if !line.contains(';') {
        // Anything left over makes it no FEN, which the parser of positions reports.
        return format!("{} {rest}", fields.join(" ")).trim_end().to_owned();
    }
    if fields.len() == 4 {
        fields.push(operand(rest, "hmvc").unwrap_or("0"));
        fields.push(operand(rest, "fmvn").unwrap_or("1"));
    }
    fields.join(" ")
}

/// The operand of a numeric operation.
fn operand<'a>(operations: &'a str, name: &str) -> Option<&'a str> {
    let mut quoted = false;
    operations
        .split(|c| {
            quoted ^= c == '"';
            c == ';' && !quoted
        })
        .find_map(|operation| operation.trim().strip_prefix(name)?.strip_prefix(' '))
        .map(str::trim)
}

/// Whether a line holds a position, be it a broken one.
fn holds_position(line: &[u8]) -> bool {
    !matches!(
        line.trim_ascii_start().first(),
        None | Some(b'#' | b'%' | b';')
    )
}

fn is_number(field: &str) -> bool {
    field.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counters_come_from_the_fen_or_from_the_operations() {
        let four = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (tail, counters) in [
            ("", ""),
            (" 3 7", " 3 7"),
            (" 3", " 3"),
            (" ;", " 0 1"),
            (" hmvc 3; fmvn 7;", " 3 7"),
            (" bm e4; fmvn 7; hmvc 3;", " 3 7"),
            (" id \"a; hmvc 9;\"; hmvc 3;", " 3 1"),
            (" 3 7 ; id \"x\";", " 3 7"),
            ("\t c0 \"a\";\r", " 0 1"),
            (" bm e4", " bm e4"),
            (" 3 7 x", " 3 7 x"),
        ] {
            assert_eq!(
                parse_line(&format!("{four}{tail}")),
                format!("{four}{counters}"),
                "{tail}"
            );
        }
    }

    #[test]
    fn blank_lines_and_comments_hold_nothing() {
        for line in ["", "  \r", "# x", "% x", "; x"] {
            assert!(!holds_position(line.as_bytes()), "{line}");
        }
        assert!(holds_position(b" x"));
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC{0,60}|[a-z0-9 ;\"-]{0,60}") {
            let _ = parse_line(&line);
        }
    }
}
