//! OpenBench's statistics block, the one that authors paste into commit messages: byte for byte as
//! its page copies it.

use std::fmt;

use crate::{Interval, Model, Pentanomial, Test, Wdl, openbench_elo};

/// A finished match in OpenBench's words.
///
/// ```text
/// Elo   | 6.27 +- 4.15 (95%)
/// SPRT  | 8.0+0.08s Threads=1 Hash=32MB
/// LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]
/// Games | N: 7482 W: 1780 L: 1645 D: 4057
/// Penta | [28, 858, 1839, 983, 33]
/// ```
///
/// A match of fixed length has no test: its second line is labelled `Conf`, and there is no `LLR`
/// line. If each opening was played once, there is no `Penta` line either. A Bayesian test is one
/// of single games: it has no `Penta` line, and its Elo is that of the games. If all results are
/// the same, there is no interval: OpenBench then prints `-0.00 +- 0.00`, this function `n/a`.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Of the new engine.
    pub pairs: &'a Pentanomial,
    pub games: &'a Wdl,
    pub test: Option<&'a Test>,
    /// The time control in OpenBench's words: `8.0+0.08s`, `N=5000`.
    pub limit: &'a str,
    pub threads: u32,
    /// Megabytes.
    pub hash: u32,
    /// Games that base and new spoiled. OpenBench's own blocks do not have this line, so it is
    /// left out if there were none.
    pub faults: [u64; 2],
}

impl Block<'_> {
    fn counts_pairs(&self) -> bool {
        let has_single_games = self.pairs.pairs() == 0 && self.games.games() > 0;
        !has_single_games && self.test.is_none_or(|test| test.model != Model::Bayesian)
    }

    /// `None` if all results are the same, since their spread is then unknown.
    fn elo(&self) -> Option<Interval> {
        if self.counts_pairs() {
            varied(&self.pairs.0).map(openbench_elo)
        } else {
            varied(&self.games.worst_to_best()).map(openbench_elo)
        }
    }
}

/// The counts, unless all results are the same.
fn varied<const K: usize>(counts: &[u64; K]) -> Option<&[u64; K]> {
    (counts.iter().filter(|&&count| count > 0).count() > 1).then_some(counts)
}

impl fmt::Display for Block<'_> {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.elo() {
            Some(elo) => writeln!(
                text,
                "Elo   | {:.2} +- {:.2} (95%)",
                elo.value,
                elo.larger_side()
            )?,
            None => writeln!(text, "Elo   | n/a")?,
        }
        let label = if self.test.is_some() { "SPRT" } else { "Conf" };
        let Self {
            limit,
            threads,
            hash,
            ..
        } = self;
        writeln!(text, "{label}  | {limit} Threads={threads} Hash={hash}MB")?;
        if let Some(test) = self.test {
            writeln!(
                text,
                "LLR   | {:.2} ({:.2}, {:.2}) [{:.2}, {:.2}]",
                test.llr(self.pairs, self.games),
                test.lower(),
                test.upper(),
                test.elo0,
                test.elo1
            )?;
        }
        let Wdl {
            wins,
            losses,
            draws,
        } = self.games;
        write!(
            text,
            "Games | N: {} W: {wins} L: {losses} D: {draws}",
            self.games.games()
        )?;
        if self.counts_pairs() {
            write!(text, "\nPenta | {:?}", self.pairs.0)?;
        }
        let [base, new] = self.faults;
        if base + new > 0 {
            write!(text, "\nFault | base: {base} new: {new}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: Pentanomial = Pentanomial([28, 858, 1839, 983, 33]);
    const GAMES: Wdl = Wdl {
        wins: 1780,
        losses: 1645,
        draws: 4057,
    };

    fn test(elo0: f64, elo1: f64, beta: f64, model: Model) -> Test {
        Test::new(elo0, elo1, 0.05, beta, model).unwrap()
    }

    /// The conditions of the games.
    fn block<'a>(pairs: &'a Pentanomial, games: &'a Wdl, test: Option<&'a Test>) -> Block<'a> {
        Block {
            pairs,
            games,
            test,
            limit: "8.0+0.08s",
            threads: 1,
            hash: 32,
            faults: [0; 2],
        }
    }

    #[test]
    fn a_published_block_byte_for_byte() {
        let test = test(0.0, 5.0, 0.1, Model::Normalized);
        assert_eq!(
            block(&PAIRS, &GAMES, Some(&test)).to_string(),
            "Elo   | 6.27 +- 4.15 (95%)\n\
             SPRT  | 8.0+0.08s Threads=1 Hash=32MB\n\
             LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]\n\
             Games | N: 7482 W: 1780 L: 1645 D: 4057\n\
             Penta | [28, 858, 1839, 983, 33]"
        );
    }

    #[test]
    fn a_published_simplification_byte_for_byte() {
        let test = test(-5.0, 0.0, 0.05, Model::Normalized);
        let pairs = Pentanomial([0, 2, 3, 503, 500]);
        let games = Wdl {
            wins: 1504,
            losses: 3,
            draws: 509,
        };
        let block = Block {
            limit: "1.0+0.01s",
            hash: 16,
            ..block(&pairs, &games, Some(&test))
        };
        assert_eq!(
            block.to_string(),
            "Elo   | 333.75 +- 12.81 (95%)\n\
             SPRT  | 1.0+0.01s Threads=1 Hash=16MB\n\
             LLR   | 17.90 (-2.94, 2.94) [-5.00, 0.00]\n\
             Games | N: 2016 W: 1504 L: 3 D: 509\n\
             Penta | [0, 2, 3, 503, 500]"
        );
    }

    #[test]
    fn games_that_an_engine_spoiled_are_counted_in_the_block() {
        let block = Block {
            faults: [0, 3],
            ..block(&PAIRS, &GAMES, None)
        };
        assert!(block.to_string().ends_with("33]\nFault | base: 0 new: 3"));
    }

    #[test]
    fn a_match_of_fixed_length_has_no_ratio() {
        let (pairs, games) = (Pentanomial::default(), Wdl::default());
        let block = Block {
            limit: "N=5000",
            threads: 2,
            hash: 8,
            ..block(&pairs, &games, None)
        };
        assert_eq!(
            block.to_string(),
            "Elo   | n/a\n\
             Conf  | N=5000 Threads=2 Hash=8MB\n\
             Games | N: 0 W: 0 L: 0 D: 0\n\
             Penta | [0, 0, 0, 0, 0]"
        );
    }

    #[test]
    fn a_bayesian_test_counts_single_games() {
        let test = test(0.0, 5.0, 0.05, Model::Bayesian);
        let text = block(&PAIRS, &GAMES, Some(&test)).to_string();
        assert!(
            text.ends_with("\nGames | N: 7482 W: 1780 L: 1645 D: 4057"),
            "{text}"
        );
    }
}
