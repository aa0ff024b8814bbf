//! Recomputes every figure of a printed block from its counts.

use foundation::Failure;
use schemars::JsonSchema;
use serde::Serialize;

use super::counts::Counts;
use super::figure::{CheckedFigure, prints_as};
use crate::block::{PrintedBlock, PrintedElo, PrintedFaults, PrintedLlr};
use crate::counts::within_limit;
use crate::{
    Interval, MatchCounts, Model, Summary, Test, openbench_elo, openbench_elo_of_2023,
    openbench_elo_of_2024, wald_bounds,
};

/// Values of alpha and beta that are tried for the printed bounds.
const USUAL_ERRORS: [f64; 8] = [0.05, 0.1, 0.01, 0.02, 0.025, 0.2, 0.005, 0.001];

const HYPOTHESES: &str = "Elo bounds";
const LOWER_BOUND: &str = "LLR lower bound";
const UPPER_BOUND: &str = "LLR upper bound";

/// What the user specifies about the test.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    pub alpha: Option<f64>,
    pub beta: Option<f64>,
    pub model: Option<Model>,
    pub bounds: Option<(f64, f64)>,
    /// Whether error bars of older versions of OpenBench are accepted too.
    pub older: bool,
}

/// A block with its verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckedBlock {
    /// The line in which it begins, from 1.
    pub line: usize,
    /// Whether every figure agrees.
    pub verified: bool,
    pub figures: Vec<CheckedFigure>,
    /// Whether the error bar is that of an older OpenBench and not the current one.
    pub older_bar: bool,
    pub alpha: Option<f64>,
    pub beta: Option<f64>,
    /// Games that an engine spoiled, where the block has them.
    pub faults: Option<PrintedFaults>,
    /// The verdict of the counts; `None` for a match of fixed length.
    #[serde(flatten)]
    pub summary: Option<Summary>,
}

impl CheckedBlock {
    /// The flag that would confirm the figures of an unusual test.
    pub fn voucher(&self) -> Option<&'static str> {
        let wrong = |name| {
            self.figures
                .iter()
                .any(|figure| figure.name == name && !figure.agrees)
        };
        if wrong(LOWER_BOUND) && wrong(UPPER_BOUND) {
            Some("--alpha and --beta")
        } else if wrong(HYPOTHESES) && (self.summary.as_ref()).is_some_and(Summary::is_ascending) {
            Some("--bounds")
        } else if self.older_bar && !self.verified {
            Some("--older: the error bar is that of an OpenBench before November 2024")
        } else {
            None
        }
    }
}

pub fn check(block: &PrintedBlock, given: Given) -> Result<CheckedBlock, Failure> {
    check_block(block, given).map_err(|failure| failure.context(format!("line {}", block.line)))
}

fn check_block(block: &PrintedBlock, given: Given) -> Result<CheckedBlock, Failure> {
    if block.sequential == Some(true) && block.llr.is_none() {
        return Err(
            Failure::unable("the block of a sequential test has no `LLR` line")
                .hint("copy the whole block, from `Elo` to `Penta`"),
        );
    }
    if block.elo.is_none() && !block.has_no_elo && block.llr.is_none() {
        return Err(
            Failure::unable("the block has neither an `Elo` nor an `LLR` line")
                .hint("copy the whole block, from `Elo` to `Penta`"),
        );
    }
    let counts = Counts {
        games: block.games,
        penta: block.penta,
    };
    if let Some(games) = counts.games {
        within_limit(&[games.number, games.wins, games.losses, games.draws])?;
    }
    within_limit(counts.penta.as_slice().as_flattened())?;
    let (mut figures, counts) = counts.check();
    let elo = match (counts.pentanomial(), counts.wdl()) {
        (Some(pairs), _) => openbench_elo(&pairs.0),
        (None, Some(games)) => openbench_elo(&games.worst_to_best()),
        (None, None) => {
            return Err(
                Failure::unable("the block has neither a `Games` nor a `Penta` line")
                    .hint("copy the whole block, from `Elo` to `Penta`"),
            );
        }
    };
    if block.has_no_elo {
        let agrees = match (counts.pentanomial(), counts.wdl()) {
            (Some(pairs), _) => are_the_same(&pairs.0),
            (None, games) => are_the_same(&games.unwrap_or_default().worst_to_best()),
        };
        let none = "n/a".to_owned();
        figures.push(CheckedFigure {
            name: "Elo",
            found: none.clone(),
            recomputed: if agrees {
                none
            } else {
                format!("{:.2}", elo.value)
            },
            agrees,
        });
    }
    let mut older_bar = false;
    if let Some(PrintedElo {
        value,
        margin,
        confidence,
    }) = &block.elo
    {
        older_bar = !prints_as(elo.larger_side(), margin)
            && older_elos(&counts).any(|elo| prints_as(elo.larger_side(), margin));
        let mut bar = CheckedFigure::compare("Elo error bar", margin, elo.larger_side());
        bar.agrees |= older_bar && given.older;
        figures.push(CheckedFigure::compare("Elo", value, elo.value));
        figures.push(bar);
        figures.push(CheckedFigure::compare("Elo confidence", confidence, 95.0));
    }
    let test = match &block.llr {
        Some(printed) => Some(check_llr(printed, &counts, given, &mut figures)?),
        None => None,
    };
    let summary = match &test {
        Some(test) => Some(Summary::of(test, &score(&counts)?)),
        None => None,
    };
    Ok(CheckedBlock {
        faults: block.faults,
        line: block.line,
        verified: figures.iter().all(|figure| figure.agrees),
        figures,
        older_bar,
        alpha: test.map(|test| test.alpha),
        beta: test.map(|test| test.beta),
        summary,
    })
}

/// Whether all results are of one kind.
fn are_the_same(counts: &[u64]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() < 2
}

/// Elo as older versions of OpenBench computed it.
fn older_elos(counts: &Counts) -> impl Iterator<Item = Interval> {
    let of_pairs = counts.penta.map(|pairs| openbench_elo_of_2024(&pairs));
    let of_games = counts
        .wdl()
        .map(|games| openbench_elo_of_2023(&games.worst_to_best()));
    of_pairs.into_iter().chain(of_games)
}

/// The counts to compute with: the pairs take precedence over single games that contradict them.
fn score(counts: &Counts) -> Result<MatchCounts, Failure> {
    match (counts.pentanomial(), counts.wdl()) {
        (Some(pairs), Some(games)) if pairs.allows(&games) => MatchCounts::new(pairs, games),
        (Some(pairs), _) => MatchCounts::of_pairs(pairs),
        (None, games) => MatchCounts::of_games(games.unwrap_or_default()),
    }
}

fn check_llr(
    printed: &PrintedLlr,
    counts: &Counts,
    given: Given,
    figures: &mut Vec<CheckedFigure>,
) -> Result<Test, Failure> {
    // OpenBench's tests without pairs are the older, Bayesian ones.
    let by_form = if counts.penta.is_some() {
        Model::Normalized
    } else {
        Model::Bayesian
    };
    let model = given.model.unwrap_or(by_form);
    let (alpha, beta) = error_rates(printed, given);
    let (elo0, elo1) = given
        .bounds
        .unwrap_or((printed.elo0.value, printed.elo1.value));
    let test = Test::of_any_bounds(elo0, elo1, alpha, beta, model)?;
    let score = score(counts)?;
    let Some(llr) = Summary::of(&test, &score).llr else {
        return Err(Failure::unable(format!(
            "the {} model needs the numbers of wins, losses and draws, which the block does not print",
            model.name()
        ))
        .hint("leave --model out, or add the `Games` line"));
    };
    figures.push(CheckedFigure::compare("LLR", &printed.value, llr));
    figures.push(CheckedFigure::compare(
        LOWER_BOUND,
        &printed.lower,
        test.lower(),
    ));
    figures.push(CheckedFigure::compare(
        UPPER_BOUND,
        &printed.upper,
        test.upper(),
    ));
    figures.push(check_hypotheses(printed, given));
    Ok(test)
}

/// A hypothesis affects only the ratio, in which a change of its last digit may not show. So the
/// hypotheses must be usual ones, multiples of 0.25 Elo, or those that the user specifies.
fn check_hypotheses(printed: &PrintedLlr, given: Given) -> CheckedFigure {
    const STEP: f64 = 0.25;
    let (elo0, elo1) = (printed.elo0.value, printed.elo1.value);
    let usual = |elo: f64| (elo / STEP).round() * STEP;
    let (right0, right1) = given.bounds.unwrap_or((usual(elo0), usual(elo1)));
    CheckedFigure {
        name: HYPOTHESES,
        found: format!("[{elo0:.2}, {elo1:.2}]"),
        recomputed: if right0 < right1 {
            format!("[{right0:.2}, {right1:.2}]")
        } else {
            "the first less than the second".to_owned()
        },
        agrees: prints_as(right0, &printed.elo0)
            && prints_as(right1, &printed.elo1)
            && right0 < right1,
    }
}

/// Alpha and beta, each as specified or else a usual one: those that give both printed bounds, else
/// those that give one of them, so that the other is reported as wrong, else 0.05. If the bounds
/// belong to two different pairs, the pair for which the test has ended is taken: few others are
/// published.
fn error_rates(printed: &PrintedLlr, given: Given) -> (f64, f64) {
    let [alphas, betas] = [&given.alpha, &given.beta].map(|given| match given {
        Some(given) => std::slice::from_ref(given),
        None => &USUAL_ERRORS,
    });
    let pairs = || {
        alphas
            .iter()
            .flat_map(|&alpha| betas.iter().map(move |&beta| (alpha, beta)))
    };
    let lower = |&(alpha, beta): &(f64, f64)| wald_bounds(alpha, beta).0;
    let upper = |&(alpha, beta): &(f64, f64)| wald_bounds(alpha, beta).1;
    let prints_lower = |rates: &(f64, f64)| prints_as(lower(rates), &printed.lower);
    let prints_upper = |rates: &(f64, f64)| prints_as(upper(rates), &printed.upper);
    let ended = |rates: &(f64, f64)| {
        printed.value.value < lower(rates) || printed.value.value > upper(rates)
    };
    let halves = || {
        pairs()
            .find(prints_upper)
            .into_iter()
            .chain(pairs().find(prints_lower))
    };
    pairs()
        .find(|rates| prints_lower(rates) && prints_upper(rates))
        .or_else(|| halves().find(ended))
        .or_else(|| halves().next())
        .unwrap_or((alphas[0], betas[0]))
}

#[cfg(test)]
mod tests {
    use proptest::array::uniform5;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::block::Block;
    use crate::block::find_blocks;
    use crate::{Pentanomial, Wdl};

    /// Published blocks. For all but the first, only Elo, LLR and pairs are known here; the
    /// single games are one possibility that agrees with the pairs.
    const PUBLISHED: [&str; 4] = [
        "Elo   | 6.27 +- 4.15 (95%)\n\
         SPRT  | 8.0+0.08s Threads=1 Hash=32MB\n\
         LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]\n\
         Games | N: 7482 W: 1780 L: 1645 D: 4057\n\
         Penta | [28, 858, 1839, 983, 33]",
        "Elo   | 8.09 +- 5.07 (95%)\n\
         SPRT  | 8.0+0.08s Threads=1 Hash=32MB\n\
         LLR   | 2.90 (-2.25, 2.89) [0.00, 5.00]\n\
         Games | N: 6226 W: 1682 L: 1537 D: 3007\n\
         Penta | [78, 681, 1461, 804, 89]",
        "Elo   | 20.82 +- 8.48 (95%)\n\
         SPRT  | 8.0+0.08s Threads=1 Hash=32MB\n\
         LLR   | 2.94 (-2.25, 2.89) [0.00, 5.00]\n\
         Games | N: 2122 W: 560 L: 433 D: 1129\n\
         Penta | [18, 207, 494, 314, 28]",
        "Elo   | 3.08 +- 2.48 (95%)\n\
         SPRT  | 8.0+0.08s Threads=1 Hash=32MB\n\
         LLR   | 2.95 (-2.94, 2.94) [0.00, 5.00]\n\
         Games | N: 31396 W: 8708 L: 8430 D: 14258\n\
         Penta | [702, 3526, 7016, 3700, 754]",
    ];

    fn checked(text: &str) -> CheckedBlock {
        let blocks = find_blocks(text).unwrap();
        assert_eq!(blocks.len(), 1, "{text}");
        check(&blocks[0], Given::default()).unwrap()
    }

    fn wrong(text: &str) -> Vec<String> {
        let figures = checked(text).figures;
        let wrong = figures.iter().filter(|figure| !figure.agrees);
        wrong
            .map(|figure| format!("{} {} {}", figure.name, figure.found, figure.recomputed))
            .collect()
    }

    #[test]
    fn published_blocks_verify() {
        for text in PUBLISHED {
            assert_eq!(wrong(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_block_whose_results_are_all_the_same_verifies() {
        let pairs = Pentanomial([0, 0, 128, 0, 0]);
        let games = Wdl {
            draws: 256,
            ..Wdl::default()
        };
        let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        for test in [None, Some(&test)] {
            let block = Block {
                pairs: &pairs,
                games: &games,
                test,
                limit: "N=2000",
                threads: 1,
                hash: 16,
                faults: [0; 2],
            };
            let text = block.to_string();
            assert!(text.starts_with("Elo   | n/a\n"), "{text}");
            assert_eq!(wrong(&text), Vec::<String>::new(), "{text}");
            // As OpenBench prints it.
            let theirs = text.replace("n/a", "-0.00 +- 0.00 (95%)");
            assert_eq!(wrong(&theirs), Vec::<String>::new(), "{theirs}");
            let varied = text
                .replace("W: 0 L: 0 D: 256", "W: 2 L: 0 D: 254")
                .replace("128, 0, 0]", "126, 2, 0]");
            assert!(wrong(&varied)[0].starts_with("Elo n/a "), "{varied}");
        }
    }

    #[test]
    fn one_error_rate_alone_leaves_the_other_to_the_bounds() {
        let block = &find_blocks(PUBLISHED[0]).unwrap()[0];
        let verified = |alpha: Option<f64>, beta: Option<f64>| {
            let given = Given {
                alpha,
                beta,
                ..Given::default()
            };
            check(block, given).unwrap().verified
        };
        assert!(verified(Some(0.05), None) && verified(None, Some(0.1)));
        assert!(!verified(Some(0.1), None) && !verified(None, Some(0.05)));
        assert!(!verified(Some(0.05), Some(0.05)));
    }

    #[test]
    fn older_error_bars_are_accepted_on_request() {
        // Of the same match: with the normal quantile, and from its single games with the
        // approximate one.
        for bar in ["8.47", "10.12"] {
            let text = PUBLISHED[2].replace("8.48", bar);
            let block = checked(&text);
            assert!(!block.verified && block.older_bar, "{text}");
            let given = Given {
                older: true,
                ..Given::default()
            };
            assert!(
                check(&find_blocks(&text).unwrap()[0], given)
                    .unwrap()
                    .verified,
                "{text}"
            );
        }
    }

    /// The settings, which nothing recomputes, are left out.
    #[test]
    fn every_changed_digit_is_found() {
        let mut consistent = Vec::new();
        for text in PUBLISHED {
            for (index, digit) in text
                .char_indices()
                .filter(|(_, sign)| sign.is_ascii_digit())
            {
                let line = text[..index].rsplit('\n').next().unwrap_or_default();
                if line.starts_with("SPRT") {
                    continue;
                }
                for other in ('0'..='9').filter(|&other| other != digit) {
                    let mut changed = text.to_owned();
                    changed.replace_range(index..=index, &other.to_string());
                    if checked(&changed).verified {
                        consistent.push(changed.lines().nth(2).unwrap_or_default().to_owned());
                    }
                }
            }
        }
        assert_eq!(consistent, Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn what_the_block_writer_prints_verifies(
            counts in uniform5(0..2_000u64),
            decisive in 0..2_000u64,
            (alpha, beta) in (select(&USUAL_ERRORS[..]), select(&USUAL_ERRORS[..])),
            (quarters, width) in (-40..40i32, 1..40i32),
            model in select(&[Model::Normalized, Model::Bayesian][..]),
            sequential in any::<bool>(),
        ) {
            let [ll, ld, middle, dw, ww] = counts;
            let decisive = decisive.min(middle);
            let games = Wdl {
                wins: dw + 2 * ww + decisive,
                losses: ld + 2 * ll + decisive,
                draws: ld + dw + 2 * (middle - decisive),
            };
            let (elo0, elo1) = (f64::from(quarters) / 4.0, f64::from(quarters + width) / 4.0);
            let test = Test::new(elo0, elo1, alpha, beta, model).unwrap();
            let text = Block {
                pairs: &Pentanomial(counts),
                games: &games,
                test: sequential.then_some(&test),
                limit: "8.0+0.08s",
                threads: 1,
                hash: 16,
                faults: [0; 2],
            }
            .to_string();
            prop_assert_eq!(wrong(&text), Vec::<String>::new(), "{}", text);
        }
    }

    #[test]
    fn a_wrong_count_is_named_with_the_right_one() {
        for (right, changed, complaint) in [
            ("N: 7482", "N: 7483", "Games N 7483 7482"),
            ("W: 1780", "W: 1781", "Games W 1781 1780"),
            ("L: 1645", "L: 645", "Games L 645 1645"),
            ("D: 4057", "D: 4058", "Games D 4058 4057"),
            ("[28,", "[29,", "Penta LL 29 28"),
            (" 858,", " 859,", "Penta LD 859 858"),
            (" 1839,", " 1838,", "Penta DD+WL 1838 1839"),
            (" 983,", " 893,", "Penta WD 893 983"),
            (" 33]", " 34]", "Penta WW 34 33"),
            ("+- 4.15", "+- 4.16", "Elo error bar 4.16 4.15"),
            ("| 6.27", "| 6.26", "Elo 6.26 6.27"),
            ("95%", "99%", "Elo confidence 99 95"),
            ("| 2.91", "| 2.92", "LLR 2.92 2.91"),
            ("(-2.25", "(-2.94", "LLR lower bound -2.94 -2.25"),
            ("2.89)", "2.94)", "LLR upper bound 2.94 2.89"),
        ] {
            let text = PUBLISHED[0].replace(right, changed);
            assert_eq!(wrong(&text), [complaint]);
        }
    }
}
