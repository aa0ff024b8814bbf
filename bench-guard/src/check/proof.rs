//! Whether a message proves its gain: by an OpenBench block whose test passed, judged by the block's own counts.

use stats::{
    block::{PrintedBlock, find_blocks},
    normalized_llr,
};

/// What two decimals hide.
const ROUNDING: f64 = 0.005 + 1e-9;

/// Why the message proves nothing; `None` where each test in it passed, and there is one.
pub fn missing(message: &str) -> Option<String> {
    let blocks = match find_blocks(message) {
        Ok(blocks) => blocks,
        Err(failure) => return Some(failure.message().to_owned()),
    };
    let tests: Vec<&PrintedBlock> = blocks.iter().filter(|block| block.llr.is_some()).collect();
    if tests.is_empty() {
        return Some("the message has no OpenBench block of a sequential test".to_owned());
    }
    tests.into_iter().find_map(failure_of)
}

fn failure_of(block: &PrintedBlock) -> Option<String> {
    let line = block.line;
    let printed = block.llr.as_ref()?;
    let Some(counts) = block.penta else {
        return Some(format!(
            "the block in line {line} has no pentanomial to recompute its LLR from"
        ));
    };
    let (elo0, elo1) = (printed.elo0.value, printed.elo1.value);
    let llr = normalized_llr(&counts, elo0, elo1);
    if (llr - printed.value.value).abs() > ROUNDING {
        return Some(format!(
            "the block in line {line} says LLR {:.2}, its pentanomial gives {llr:.2}",
            printed.value.value
        ));
    }
    let upper = printed.upper.value;
    (llr < upper - ROUNDING || elo0 >= elo1 || upper <= 0.0).then(|| {
        format!(
            "the test in line {line} did not pass: LLR {llr:.2} ({:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]",
            printed.lower.value
        )
    })
}

#[cfg(test)]
mod tests {
    use super::missing;

    const PASSED: &str = "Tune\n\nElo   | 6.27 +- 4.15 (95%)\nSPRT  | 8.0+0.08s Threads=1 Hash=32MB\nLLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]\nGames | N: 7482 W: 1780 L: 1645 D: 4057\nPenta | [28, 858, 1839, 983, 33]\n\nBench: 5\n";

    #[test]
    fn a_passed_test_proves_the_gain() {
        assert_eq!(missing(PASSED), None);
    }

    #[test]
    fn a_block_that_its_own_counts_contradict_proves_nothing() {
        let moved = PASSED.replace("983, 33", "953, 33");
        assert!(missing(&moved).is_some_and(|why| why.contains("its pentanomial gives")));
        let bounds = PASSED.replace("(-2.25, 2.89)", "(-2.94, 2.94)");
        assert!(missing(&bounds).is_some_and(|why| why.contains("did not pass")));
        let without = PASSED.replace("Penta", "Pairs");
        assert!(missing(&without).is_some_and(|why| why.contains("no pentanomial")));
        assert!(missing("Tune\n\nBench: 5").is_some_and(|why| why.contains("no OpenBench block")));
    }
}
