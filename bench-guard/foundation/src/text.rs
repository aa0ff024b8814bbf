//! Files that should be lines of text.

use crate::Failure;

/// Bytes of a file that are enough to recognise text.
const SNIFFED: usize = 4096;

/// Refuses `what`, which begins so, where it is no text. `expected` is for the hint.
///
/// # Errors
/// It is binary, UTF-16, or its lines end as no program ends them today.
pub fn check(what: &str, head: &[u8], expected: &str) -> Result<(), Failure> {
    let head = &head[..head.len().min(SNIFFED)];
    let (is, hint) = match head {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => (
            "is UTF-16",
            "convert it with `iconv -f UTF-16 -t UTF-8`".to_owned(),
        ),
        _ if head.contains(&0) => ("holds binary data", format!("expected {expected}")),
        _ if head.contains(&b'\r') && !head.contains(&b'\n') => (
            "has lines that end in carriage returns alone",
            "convert it with `tr '\\r' '\\n'`".to_owned(),
        ),
        _ => return Ok(()),
    };
    Err(Failure::unable(format!("{what} {is}, expected lines of text")).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_refused_with_a_way_out() {
        for (head, why) in [
            (&b"\xff\xfe[\0E\0"[..], "x is UTF-16"),
            (b"\x7fELF\0\0", "x holds binary data"),
            (b"[Event \"E\"]\r\r1. e4", "carriage returns alone"),
        ] {
            let failure = check("x", head, "PGN").expect_err(why);
            assert!(failure.message().contains(why), "{failure}");
        }
        for head in [&b""[..], b"1. e4\r\n", b"\xef\xbb\xbf1. e4", b"M\xfcller"] {
            assert_eq!(check("x", head, "PGN"), Ok(()));
        }
    }
}
