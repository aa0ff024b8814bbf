//! Whether a workload will repeat openings, and whether those games will be copies.
//!
//! The server advances its place in the book by only half of what it gives to a worker, so that
//! nearly every opening is played in two rounds. A book is also finite: after its last opening
//! comes its first again.

use crate::form::Form;
use openbench_command::workload::Kind;
use stats::{Model, Test};

/// Openings of books that OpenBench's own configuration names, by the beginning of the SHA-256 that
/// servers list. The length of other books is not known here.
const BOOKS: [(&str, u64); 7] = [
    ("7bec98239836f219", 40_457),  // 2moves_v1.epd
    ("6bf81e1ada6a3306", 126_113), // 3moves_FRC.epd
    ("1f055af431656f09", 34_700),  // 8moves_v3.epd
    ("648c447ef40614a4", 921_600), // DFRC.epd
    ("71c7477ca8c8fb09", 157_846), // Endgames.epd
    ("b3e64e0dab84cf45", 223_081), // Pohl.epd
    ("36f2ec751ab78def", 242_201), // UHO_4060_v2.epd
];

/// How many openings a book has, by its SHA-256, if that is known.
pub fn openings(sha256: &str) -> Option<u64> {
    let sha256 = sha256.to_lowercase();
    let known = BOOKS.iter().find(|(start, _)| sha256.starts_with(start));
    known.map(|&(_, openings)| openings)
}

/// Whether a side plays an opening move by move as before.
pub(crate) fn are_likely(limit: &str, options: &str) -> bool {
    let has_one_thread = options.split_whitespace().any(|word| word == "Threads=1");
    (limit.starts_with("N=") || limit.starts_with("D=")) && has_one_thread
}

/// Warnings before the workload is sent; `openings` is the length of its book.
pub fn warnings(form: &Form, openings: Option<u64>) -> Vec<String> {
    // In a tune the values differ from one share to the next, and so do the games.
    if form.kind == Kind::Tune {
        return Vec::new();
    }
    let mut warnings = Vec::new();
    let plays_reverses = form.kind == Kind::Test || form.get("datagen_play_reverses") == "YES";
    let is_fixed = ["dev", "base"].iter().all(|side| {
        let limit = form.get(&format!("{side}_time_control"));
        are_likely(limit, form.get(&format!("{side}_options")))
    });
    if is_fixed && plays_reverses {
        let consequence = match form.kind {
            Kind::Test if form.get("test_mode") == "GAMES" => {
                "its error bar claims about twice as many games as it has (`fetch` counts copies)"
            }
            Kind::Test => "its LLR claims about twice what the games prove (`fetch` counts copies)",
            _ => "`--play-reverses no` plays every opening once",
        };
        warnings.push(format!(
            "about every second pair will be a copy of another: the server gives out most openings \
             twice, and nodes or depth are fixed; {consequence}"
        ));
    }
    if let (Kind::Test, Some(openings), Some(pairs)) = (form.kind, openings, pairs(form)) {
        // Each opening is in two rounds before the book begins again.
        if pairs > 2 * openings {
            warnings.push(format!(
                "{} has {openings} openings, which are played through after {} pairs; this test may \
                 play {pairs}, and the rest repeats them",
                form.get("book_name"),
                2 * openings
            ));
        }
    }
    warnings
}

/// The pairs of a match of fixed length, or those that a sequential test needs on average when it
/// takes longest.
fn pairs(form: &Form) -> Option<u64> {
    if form.get("test_mode") == "GAMES" {
        let games: u64 = form.get("test_max_games").parse().ok()?;
        return Some(games / 2);
    }
    let two = |field: &str| -> Option<(f64, f64)> {
        let (first, second) = form.get(field).trim_matches(['[', ']']).split_once(',')?;
        Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
    };
    let (elo0, elo1) = two("test_bounds")?;
    let (beta, alpha) = two("test_confidence")?;
    let test = Test::new(elo0, elo1, alpha, beta, Model::Normalized).ok()?;
    Some(test.most_pairs_on_average() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(limit: &str, bounds: &str) -> Form {
        let mut form = Form::new(Kind::Test);
        for side in ["dev", "base"] {
            form.set(&format!("{side}_time_control"), limit);
            form.set(&format!("{side}_options"), "Threads=1 Hash=16");
        }
        form.set("book_name", "8moves_v3.epd");
        form.set("test_mode", "SPRT");
        form.set("test_bounds", bounds);
        form.set("test_confidence", "[0.05, 0.05]");
        form
    }

    #[test]
    fn fixed_nodes_make_copies_and_clocks_do_not() {
        let text = warnings(&test("N=5000", "[0.00, 5.00]"), None).join("\n");
        assert!(
            text.contains("copy of another") && text.contains("its LLR"),
            "{text}"
        );
        let mut games = test("N=5000", "");
        games.set("test_mode", "GAMES");
        let text = warnings(&games, None).join("\n");
        assert!(
            text.contains("its error bar") && !text.contains("LLR"),
            "{text}"
        );
        assert_eq!(warnings(&test("8.0+0.08", "[0.00, 5.00]"), None), [""; 0]);
        let mut threads = test("N=5000", "[0.00, 5.00]");
        threads.set("base_options", "Threads=2 Hash=16");
        assert_eq!(warnings(&threads, None), [""; 0]);
        let mut datagen = test("N=5000", "");
        datagen.kind = Kind::Datagen;
        let mut with = Form::new(Kind::Datagen);
        for (name, value) in datagen.fields() {
            with.set(name, value);
        }
        with.set("datagen_play_reverses", "NO");
        assert_eq!(warnings(&with, None), [""; 0]);
        with.set("datagen_play_reverses", "YES");
        assert!(warnings(&with, None)[0].contains("--play-reverses no"));
    }

    #[test]
    fn a_book_that_is_too_short_for_the_test_is_named() {
        let openings = openings("1F055AF431656F09EE6A09D2448E0B876125F78BB7B404FCA2031C403A1541E5");
        assert_eq!(openings, Some(34_700));
        assert_eq!(super::openings("00"), None);
        assert_eq!(
            warnings(&test("8.0+0.08", "[0.00, 5.00]"), openings),
            [""; 0]
        );
        let text = warnings(&test("8.0+0.08", "[0.00, 2.00]"), openings).join("\n");
        assert!(
            text.contains("34700 openings, which are played through after 69400 pairs"),
            "{text}"
        );
        let mut games = test("8.0+0.08", "");
        games.set("test_mode", "GAMES");
        games.set("test_max_games", "138800");
        assert_eq!(warnings(&games, openings), [""; 0]);
        games.set("test_max_games", "138802");
        assert!(warnings(&games, openings)[0].contains("may play 69401"));
    }
}
