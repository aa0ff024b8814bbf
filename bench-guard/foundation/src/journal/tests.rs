//! Journals whole, torn and damaged.

use serde::Deserialize;

use super::*;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Line {
    pair: u64,
    text: String,
}

fn line(pair: u64) -> Line {
    let text = "a \"quoted\" text }".to_owned();
    Line { pair, text }
}

fn lines(path: &Path) -> Result<(Vec<Line>, Extent), Failure> {
    let mut lines = Vec::new();
    let extent = read(path, |line| {
        lines.push(line);
        Ok(())
    })?;
    Ok((lines, extent))
}

#[test]
fn a_torn_last_line_is_cut_off_wherever_it_is_torn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    std::fs::write(&path, "").expect("a file");
    let mut journal = Journal::open(&path, 0).expect("a journal");
    journal.append([line(0), line(1)]).expect("room");
    journal.sync().expect("room");
    let whole = std::fs::read(&path).expect("a file");
    let first = whole
        .iter()
        .position(|byte| *byte == b'\n')
        .expect("a line")
        + 1;
    for end in 0..=whole.len() {
        std::fs::write(&path, &whole[..end]).expect("a file");
        let (read, extent) = lines(&path).expect("whole lines");
        let expected = usize::from(end >= first) + usize::from(end == whole.len());
        assert_eq!(read.len(), expected, "{end} bytes");
        let lost = extent.lost.map_or(0, |lost| lost.bytes);
        assert_eq!(
            extent.length + lost,
            end as u64,
            "every byte is kept or told"
        );
        let mut journal = Journal::open(&path, extent.length).expect("a journal");
        journal.append([line(7)]).expect("room");
        let (read, _) = lines(&path).expect("whole lines");
        assert_eq!(read.last(), Some(&line(7)));
    }
}

/// Three lines of which some bytes are zeros, and where each line begins.
fn zeroed(from: usize, to: usize) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let whole = [line(0), line(1), line(2)].map(|line| encode(&line).expect("a line"));
    let each = whole[0].len();
    let mut bytes = whole.concat();
    bytes[from * each + 3..to * each - 2].fill(0);
    std::fs::write(&path, &bytes).expect("a file");
    (folder, path)
}

#[test]
fn zeros_at_the_end_are_left_out_and_reported() {
    let (_folder, path) = zeroed(1, 3);
    let (read, extent) = lines(&path).expect("the line before them");
    assert_eq!(read, vec![line(0)]);
    let lost = extent.lost.expect("a lost end");
    assert_eq!((lost.line, lost.bytes), (2, 2 * extent.length));
    assert!(lost.to_string().contains("line 2"), "{lost}");
}

#[test]
fn zeros_before_a_sound_line_are_refused_with_their_line() {
    let (_folder, path) = zeroed(1, 2);
    let failure = lines(&path).expect_err("damage in the middle");
    assert!(failure.message().contains("line 2"), "{failure}");
    // Also where the sound line does not follow on what came before.
    let mut next = 0;
    let failure = read(&path, |line: Line| {
        next += 1;
        (line.pair + 1 == next)
            .then_some(())
            .ok_or_else(String::new)
    });
    let failure = failure.expect_err("damage in the middle");
    assert!(failure.message().contains("line 2"), "{failure}");
}

#[test]
fn all_sound_lines_are_read_around_damage() {
    let (_folder, path) = zeroed(1, 2);
    let mut pairs = Vec::new();
    let scanned = scan(&path, |line: Line| {
        pairs.push(line.pair);
        Ok(())
    });
    let (_, damaged) = scanned.expect("a file");
    assert_eq!((pairs, damaged.len(), damaged[0].line), (vec![0, 2], 1, 2));
}

#[test]
fn lines_of_a_large_journal_are_read_in_order_and_numbered() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    std::fs::write(&path, "").expect("a file");
    let text = "x".repeat((BLOCK / 1000) as usize);
    let line = |pair| Line {
        pair,
        text: text.clone(),
    };
    let mut journal = Journal::open(&path, 0).expect("a journal");
    journal.append((0..1100).map(line)).expect("room");
    let (read, extent) = lines(&path).expect("whole lines");
    assert!(read.iter().map(|line| line.pair).eq(0..1100));
    let length = std::fs::metadata(&path).expect("a file").len();
    assert_eq!((extent.length, extent.lost), (length, None));

    let mut bytes = std::fs::read(&path).expect("a file");
    let place = bytes.len() * 1050 / 1100 - 100;
    bytes[place] ^= 1;
    std::fs::write(&path, &bytes).expect("a file");
    let failure = lines(&path).expect_err("a changed line").to_string();
    assert!(failure.contains("line 1050"), "{failure}");
}

#[test]
fn a_line_without_checksum_after_one_that_has_it_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let whole = [line(0), line(1)].map(|line| encode(&line).expect("a line"));
    let text = String::from_utf8(whole.concat()).expect("text");
    let at = text.rfind("crc32").expect("a checksum");
    let mut changed = text;
    changed.replace_range(at..=at, "b");
    std::fs::write(&path, changed).expect("a file");
    let failure = lines(&path).expect_err("a changed line");
    assert!(failure.message().contains("line 2"), "{failure}");
}

#[test]
fn any_changed_byte_of_a_member_is_found_and_a_line_without_checksum_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let written = encode(&line(12)).expect("a line");
    for place in 0..written.len() - CHECKSUM_END - CHECKSUM.len() - 1 {
        let mut changed = written.clone();
        changed[place] ^= 1;
        std::fs::write(&path, &changed).expect("a file");
        let failure = lines(&path).expect_err("a changed line");
        assert!(failure.message().contains("line 1"), "{failure}");
    }
    std::fs::write(&path, "{\"pair\":3,\"text\":\"\"}\n").expect("a file");
    assert_eq!(lines(&path).expect("an older line").0[0].pair, 3);
}

#[test]
fn a_line_that_does_not_belong_there_is_reported_with_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let text = [encode(&line(0)), encode(&line(9))].map(|line| line.expect("a line"));
    std::fs::write(&path, text.concat()).expect("a file");
    let failure = read(&path, |line: Line| match line.pair {
        0 => Ok(()),
        other => Err(format!("expected pair 1, got pair {other}")),
    });
    let failure = failure.expect_err("pair 9").to_string();
    assert!(
        failure.contains("line 2: expected pair 1, got pair 9"),
        "{failure}"
    );
}
