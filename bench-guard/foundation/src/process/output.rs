//! The beginning and the end of what a program printed: bounded, however much it prints.

use std::{
    collections::VecDeque,
    io::{self, Read},
};

const HEAD: usize = 64 << 10;
const TAIL: usize = 1 << 20;

/// What was printed; the middle is dropped when it is too long.
#[derive(Debug, Default)]
pub struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Output {
    /// Reads once; the number of bytes, 0 at the end.
    pub(super) fn take(&mut self, reader: &mut impl Read) -> io::Result<usize> {
        let mut buffer = [0; 16 << 10];
        match reader.read(&mut buffer) {
            Ok(length) => {
                self.append(&buffer[..length]);
                Ok(length)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(1),
            Err(error) => Err(error),
        }
    }

    fn append(&mut self, bytes: &[u8]) {
        let to_head = bytes.len().min(HEAD - self.head.len());
        self.head.extend_from_slice(&bytes[..to_head]);
        self.tail.extend(&bytes[to_head..]);
        let excess = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }

    /// All that was kept, with a line in place of what was dropped. No character is cut in two.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        let mut rest = 0;
        if self.dropped > 0 {
            bytes.truncate(whole(&bytes));
            let is_inner = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
            rest = self.tail.iter().take(3).take_while(is_inner).count();
            let dropped = self.dropped + (self.head.len() - bytes.len() + rest) as u64;
            bytes.extend_from_slice(format!("\n[{dropped} bytes left out]\n").as_bytes());
        }
        bytes.extend(self.tail.iter().skip(rest));
        bytes
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    /// The last lines that are not blank, for a message; long lines cut.
    pub fn last_lines(&self, count: usize) -> String {
        let text = self.text();
        let mut lines: Vec<String> = text
            .lines()
            .rev()
            .filter(|line| !line.trim().is_empty())
            .take(count)
            .map(printable)
            .collect();
        lines.reverse();
        lines.join("\n")
    }
}

/// The length without a character of UTF-8 that has only begun.
fn whole(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

/// A line of foreign origin without escape sequences and of bearable length.
fn printable(line: &str) -> String {
    const LONGEST: usize = 300;
    let mut kept: String = line
        .trim_end()
        .chars()
        .filter(|c| !c.is_control() || *c == '\t')
        .take(LONGEST)
        .collect();
    if line.chars().count() > LONGEST {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_of_a_flood_are_kept() {
        let mut output = Output::default();
        output.append(b"first\n");
        for _ in 0..400 {
            output.append(&[b'x'; 16 << 10]);
        }
        output.append(b"\nlast\n");
        let text = output.text();
        assert!(text.starts_with("first\n") && text.ends_with("\nlast\n"));
        assert!(text.len() < HEAD + TAIL + 100);
        assert!(text.contains("bytes left out"));
        assert_eq!(output.last_lines(1), "last");
    }

    #[test]
    fn no_character_is_cut_where_the_middle_is_left_out() {
        for shift in 0..4 {
            let mut output = Output::default();
            output.append("x".repeat(shift).as_bytes());
            output.append("♞".repeat(1 << 19).as_bytes());
            output.append(b"y");
            let text = String::from_utf8(output.bytes()).expect("UTF-8");
            assert!(text.contains("bytes left out") && text.ends_with("♞y"));
        }
    }
}
