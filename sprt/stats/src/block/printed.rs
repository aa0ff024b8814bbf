//! Finds and parses OpenBench's statistics blocks in any text: a commit message, an e-mail, a web
//! page.
//!
//! Both forms are read: the long one (`Elo | …` to `Penta | …`) and the short one of OpenBench's
//! index (`LLR: …`, `Games: …`, `Ptnml(0-2): …`). Other lines may surround them; white space,
//! quotation marks and list markers may precede them. A line with a label of the long form but
//! without its figures is an error: skipping it would verify less than the user expects.

use foundation::Failure;
use schemars::JsonSchema;
use serde::Serialize;

/// More decimals than any report prints and than a double holds.
const MAX_DECIMALS: usize = 9;

/// A figure as it was printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub value: f64,
    /// The number of decimals.
    pub decimals: usize,
}

/// The content of one block; a part that it does not print is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrintedBlock {
    /// The line in which it begins, from 1.
    pub line: usize,
    pub elo: Option<PrintedElo>,
    /// Whether it prints `n/a` for Elo, as ours do where all results are the same.
    pub has_no_elo: bool,
    pub llr: Option<PrintedLlr>,
    pub games: Option<PrintedGames>,
    pub penta: Option<[u64; 5]>,
    /// Games that an engine spoiled; only our own blocks have them.
    pub faults: Option<PrintedFaults>,
    /// Whether it is labelled as a sequential test or as a match of fixed length, if at all.
    pub sequential: Option<bool>,
    /// The conditions, from the line of `sequential`: `8.0+0.08s Threads=1 Hash=32MB`.
    pub settings: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PrintedElo {
    pub value: Figure,
    pub margin: Figure,
    /// In percent.
    pub confidence: Figure,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PrintedLlr {
    pub value: Figure,
    pub lower: Figure,
    pub upper: Figure,
    pub elo0: Figure,
    pub elo1: Figure,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedGames {
    pub number: u64,
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PrintedFaults {
    pub base: u64,
    pub new: u64,
}

/// Every block of the text, in order.
pub fn find_blocks(text: &str) -> Result<Vec<PrintedBlock>, Failure> {
    let mut blocks: Vec<PrintedBlock> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some(part) =
            Part::read(line).map_err(|failure| failure.context(format!("line {number}")))?
        else {
            continue;
        };
        match blocks.last_mut() {
            Some(block) if block.lacks(&part) => block.take(part),
            _ => {
                let mut block = PrintedBlock {
                    line: number,
                    ..PrintedBlock::default()
                };
                block.take(part);
                blocks.push(block);
            }
        }
    }
    Ok(blocks)
}

/// The content of one line of a block.
#[derive(Debug)]
enum Part {
    Elo(PrintedElo),
    NoElo,
    Settings { sequential: bool, text: String },
    Llr(PrintedLlr),
    Games(PrintedGames),
    Penta([u64; 5]),
    Faults(PrintedFaults),
}

impl PrintedBlock {
    /// Whether the part can continue this block. In both forms Elo stands first.
    fn lacks(&self, part: &Part) -> bool {
        match part {
            Part::Elo(_) | Part::NoElo => false,
            Part::Settings { .. } => {
                self.sequential.is_none() && self.llr.is_none() && self.games.is_none()
            }
            Part::Llr(_) => self.llr.is_none() && self.games.is_none() && self.penta.is_none(),
            Part::Games(_) => self.games.is_none() && self.penta.is_none(),
            Part::Penta(_) => self.penta.is_none() && self.faults.is_none(),
            Part::Faults(_) => self.faults.is_none() && self.games.is_some(),
        }
    }

    fn take(&mut self, part: Part) {
        match part {
            Part::Elo(elo) => self.elo = Some(elo),
            Part::NoElo => self.has_no_elo = true,
            Part::Settings { sequential, text } => {
                self.sequential = Some(sequential);
                self.settings = Some(text);
            }
            Part::Llr(llr) => self.llr = Some(llr),
            Part::Games(games) => self.games = Some(games),
            Part::Penta(counts) => self.penta = Some(counts),
            Part::Faults(faults) => self.faults = Some(faults),
        }
    }
}

impl Part {
    fn read(line: &str) -> Result<Option<Self>, Failure> {
        let line = line
            .trim_start_matches(|sign: char| sign.is_whitespace() || "\u{feff}>#*`-".contains(sign))
            .trim_end();
        if let Some((label, rest)) = line.split_once('|') {
            let mut rest = Cursor(rest);
            let (part, form) = match label.trim().to_ascii_lowercase().as_str() {
                "elo" if rest.0.trim() == "n/a" => return Ok(Some(Self::NoElo)),
                "elo" => (rest.elo().map(Self::Elo), "6.27 +- 4.15 (95%)"),
                label @ ("sprt" | "conf") => {
                    return Ok(Some(Self::Settings {
                        sequential: label == "sprt",
                        text: rest.0.trim().to_owned(),
                    }));
                }
                "llr" => (rest.llr().map(Self::Llr), "2.91 (-2.25, 2.89) [0.00, 5.00]"),
                "games" => (
                    rest.games().map(Self::Games),
                    "N: 7482 W: 1780 L: 1645 D: 4057",
                ),
                "penta" => (
                    rest.bracketed_counts().map(Self::Penta),
                    "[28, 858, 1839, 983, 33]",
                ),
                "fault" => (rest.faults().map(Self::Faults), "base: 0 new: 2"),
                _ => return Ok(None),
            };
            return part.map(Some).ok_or_else(|| unreadable(line, form));
        }
        let Some((label, rest)) = line.split_once(':') else {
            return Ok(None);
        };
        let mut rest = Cursor(rest);
        match label.trim().to_ascii_lowercase().as_str() {
            // Words that occur in commit messages outside of blocks, too.
            "elo" => Ok(rest.elo().map(Self::Elo)),
            "llr" => Ok(rest.llr().map(Self::Llr)),
            "games" => Ok(rest.short_games().map(Self::Games)),
            "ptnml(0-2)" => match rest.counts() {
                Some(counts) => Ok(Some(Self::Penta(counts))),
                None => Err(unreadable(line, "28, 858, 1839, 983, 33")),
            },
            _ => Ok(None),
        }
    }
}

fn unreadable(line: &str, form: &str) -> Failure {
    Failure::unable(format!(
        "cannot read `{line}`, expected figures like `{form}`"
    ))
    .hint("paste the block as OpenBench's page copies it, each part on a line of its own")
}

/// The unparsed rest of a line. Every parser skips white space, and returns `None` if what it
/// parses is not there.
struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn literal(&mut self, expected: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(expected)?;
        Some(())
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> Option<&'a str> {
        let text = self.0.trim_start();
        let end = text.find(|sign| !belongs(sign)).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }

    fn count(&mut self) -> Option<u64> {
        self.word(|sign| sign.is_ascii_digit())?.parse().ok()
    }

    fn figure(&mut self) -> Option<Figure> {
        let word = self.word(|sign| sign.is_ascii_digit() || "+-.".contains(sign))?;
        // Malformed numbers are left to the parser: it accepts no second sign or point.
        let value = word.parse().ok()?;
        let decimals = word
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        (decimals <= MAX_DECIMALS).then_some(Figure { value, decimals })
    }

    fn elo(&mut self) -> Option<PrintedElo> {
        let value = self.figure()?;
        ["+-", "+/-", "±"]
            .iter()
            .find_map(|sign| self.literal(sign))?;
        let margin = self.figure()?;
        self.literal("(")?;
        let confidence = self.figure()?;
        self.literal("%")?;
        self.literal(")")?;
        Some(PrintedElo {
            value,
            margin,
            confidence,
        })
    }

    fn llr(&mut self) -> Option<PrintedLlr> {
        let value = self.figure()?;
        self.literal("(")?;
        let lower = self.figure()?;
        self.literal(",")?;
        let upper = self.figure()?;
        self.literal(")")?;
        self.literal("[")?;
        let elo0 = self.figure()?;
        self.literal(",")?;
        let elo1 = self.figure()?;
        self.literal("]")?;
        Some(PrintedLlr {
            value,
            lower,
            upper,
            elo0,
            elo1,
        })
    }

    fn games(&mut self) -> Option<PrintedGames> {
        self.literal("N:")?;
        self.short_games()
    }

    fn short_games(&mut self) -> Option<PrintedGames> {
        let number = self.count()?;
        self.literal("W:")?;
        let wins = self.count()?;
        self.literal("L:")?;
        let losses = self.count()?;
        self.literal("D:")?;
        let draws = self.count()?;
        self.ends().map(|()| PrintedGames {
            number,
            wins,
            losses,
            draws,
        })
    }

    fn faults(&mut self) -> Option<PrintedFaults> {
        self.literal("base:")?;
        let base = self.count()?;
        self.literal("new:")?;
        let new = self.count()?;
        self.ends().map(|()| PrintedFaults { base, new })
    }

    fn counts(&mut self) -> Option<[u64; 5]> {
        let mut counts = [0; 5];
        for (index, count) in counts.iter_mut().enumerate() {
            if index > 0 {
                self.literal(",")?;
            }
            *count = self.count()?;
        }
        self.ends().map(|()| counts)
    }

    fn bracketed_counts(&mut self) -> Option<[u64; 5]> {
        self.literal("[")?;
        let end = self.0.find(']')?;
        Cursor(&self.0[..end]).counts()
    }

    /// A count must not go on in another notation: `1,234` or `1.5e3`.
    fn ends(&self) -> Option<()> {
        (!self.0.starts_with([',', '.', '\'']) && !self.0.starts_with(char::is_alphanumeric))
            .then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "Elo   | 6.27 +- 4.15 (95%)\n\
        SPRT  | 8.0+0.08s Threads=1 Hash=32MB\n\
        LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]\n\
        Games | N: 7482 W: 1780 L: 1645 D: 4057\n\
        Penta | [28, 858, 1839, 983, 33]";

    #[test]
    fn a_line_of_faults_belongs_to_the_block_before_it() {
        let text = format!("{LONG}\nFault | base: 0 new: 12\n\n{LONG}");
        let blocks = find_blocks(&text).unwrap();
        let faults: Vec<_> = blocks.iter().map(|block| block.faults).collect();
        assert_eq!(faults, [Some(PrintedFaults { base: 0, new: 12 }), None]);
        let failure = find_blocks(&format!("{LONG}\nFault | a few")).expect_err("no figures");
        assert!(failure.message().contains("base: 0 new: 2"), "{failure}");
    }

    #[test]
    fn every_figure_is_read_with_its_decimals() {
        let blocks = find_blocks(LONG).unwrap();
        let [block] = blocks.as_slice() else {
            panic!("{blocks:?}")
        };
        let elo = block.elo.as_ref().unwrap();
        assert_eq!(
            elo.value,
            Figure {
                value: 6.27,
                decimals: 2
            }
        );
        assert_eq!(
            elo.confidence,
            Figure {
                value: 95.0,
                decimals: 0
            }
        );
        assert_eq!(block.llr.as_ref().unwrap().lower.value, -2.25);
        assert_eq!(block.games.unwrap().draws, 4057);
        assert_eq!(block.penta, Some([28, 858, 1839, 983, 33]));
        assert_eq!(block.sequential, Some(true));
        let settings = block.settings.as_deref();
        assert_eq!(settings, Some("8.0+0.08s Threads=1 Hash=32MB"));
    }

    #[test]
    fn indentation_quotation_and_line_ends_do_not_matter() {
        let plain = find_blocks(LONG).unwrap();
        for prefix in ["    ", "\t", "> ", " * "] {
            let text = LONG.replace('\n', &format!("\r\n{prefix}"));
            assert_eq!(find_blocks(&format!("{prefix}{text}\r\n")).unwrap(), plain);
        }
        assert_eq!(
            find_blocks(&LONG.to_uppercase().replace(
                "8.0+0.08S THREADS=1 HASH=32MB",
                "8.0+0.08s Threads=1 Hash=32MB"
            ))
            .unwrap(),
            plain
        );
    }

    #[test]
    fn blocks_of_one_text_are_distinguished() {
        let text = format!(
            "Reduce less\n\nPassed STC:\n{LONG}\nhttps://example.org/test/1/\n\nPassed LTC:\n\n{LONG}\n\n\
             LLR: 2.91 (-2.25, 2.89) [0.00, 5.00]\nGames: 7482 W: 1780 L: 1645 D: 4057\n\
             Ptnml(0-2): 28, 858, 1839, 983, 33\n\nElo   | 1.00 +- 2.00 (95%)\n\
             Conf  | N=5000 Threads=1 Hash=8MB\nGames | N: 0 W: 0 L: 0 D: 0\n\nBench: 1234567\n"
        );
        let blocks = find_blocks(&text).unwrap();
        assert_eq!(
            blocks.iter().map(|block| block.line).collect::<Vec<_>>(),
            [4, 13, 19, 23]
        );
        assert_eq!(blocks[1].penta, blocks[2].penta);
        assert_eq!(blocks[2].elo, None);
        assert_eq!(blocks[3].sequential, Some(false));
    }

    #[test]
    fn words_of_a_message_are_no_figures() {
        let text = "Elo: about five\nLLR: see below\nGames: many | more\nNote: a | b\nBench: 123";
        assert_eq!(find_blocks(text).unwrap(), []);
    }

    #[test]
    fn a_spoilt_line_is_named() {
        for (good, spoilt) in [
            ("6.27 +-", "6.2.7 +-"),
            ("2.91 (", "nan ("),
            ("W: 1780", "W: 1,780"),
            ("D: 4057", "D: 4057.5"),
            ("1839", "x"),
            ("7482", "99999999999999999999999"),
        ] {
            let failure = find_blocks(&LONG.replace(good, spoilt)).unwrap_err();
            assert!(
                failure.message().contains("cannot read"),
                "{spoilt}: {failure}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_odd(text in "(Elo|LLR|Games|Penta|Ptnml\\(0-2\\)|[0-9.,:|\\[\\]()+-]|\\PC|\n){0,60}") {
            let _ = find_blocks(&text);
        }
    }
}
