//! OpenBench's block of a workload, as the server's page copies it.

use foundation::Failure;
use stats::block::Block;
use stats::{Model, Pentanomial, Test, Wdl};

use crate::read::api::Info;

/// The test of a workload; `None` for a match of fixed length and for data generation.
pub fn test_of(info: &Info) -> Result<Option<Test>, Failure> {
    if info.test_mode != "SPRT" {
        return Ok(None);
    }
    let model = if info.use_penta {
        Model::Normalized
    } else {
        Model::Bayesian
    };
    let (elo0, elo1) = (info.elolower, info.eloupper);
    Test::new(elo0, elo1, info.alpha, info.beta, model).map(Some)
}

/// The block without the address below it. Where openings were not played with both colours, the
/// server counts games: so does the block.
pub fn block(info: &Info) -> Result<String, Failure> {
    let [losses, draws, wins] = info.tri;
    let games = Wdl {
        wins,
        losses,
        draws,
    };
    let pairs = if info.use_penta {
        Pentanomial(info.penta)
    } else {
        Pentanomial::default()
    };
    let test = test_of(info)?;
    let option = |name: &str| {
        let word = info
            .dev_options
            .split_whitespace()
            .find_map(|word| word.strip_prefix(name));
        word.and_then(|value| value.parse().ok()).unwrap_or(1)
    };
    let control = &info.dev_time_control;
    let limit = if control.contains('=') {
        control.clone()
    } else {
        format!("{control}s")
    };
    let block = Block {
        pairs: &pairs,
        games: &games,
        test: test.as_ref(),
        limit: &limit,
        threads: option("Threads="),
        hash: option("Hash="),
        // The server's counts do not include faults.
        faults: [0; 2],
    };
    Ok(block.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn recorded() -> Info {
        let value: Value =
            serde_json::from_str(include_str!("../tests/data/info.json")).expect("JSON");
        serde_json::from_value(value["info"].clone()).expect("a workload")
    }

    #[test]
    fn a_recorded_test_gives_the_block_of_its_page() {
        assert_eq!(
            block(&recorded()).expect("a block"),
            "Elo   | 333.75 +- 12.81 (95%)\n\
             SPRT  | 1.0+0.01s Threads=1 Hash=16MB\n\
             LLR   | 17.90 (-2.94, 2.94) [-5.00, 0.00]\n\
             Games | N: 2016 W: 1504 L: 3 D: 509\n\
             Penta | [0, 2, 3, 503, 500]"
        );
    }

    /// The server fills the pentanomial of such workloads too, from neighbouring games.
    #[test]
    fn data_generation_without_reversed_games_is_counted_in_games() {
        let info = Info {
            test_mode: "DATAGEN".to_owned(),
            use_tri: true,
            use_penta: false,
            games: 32,
            tri: [7, 14, 11],
            penta: [2, 3, 5, 4, 2],
            dev_time_control: "N=2000".to_owned(),
            ..recorded()
        };
        let elo = stats::openbench_elo(&info.tri);
        assert_eq!(
            block(&info).expect("a block"),
            format!(
                "Elo   | {:.2} +- {:.2} (95%)\n\
                 Conf  | N=2000 Threads=1 Hash=16MB\n\
                 Games | N: 32 W: 11 L: 7 D: 14",
                elo.value,
                elo.larger_side()
            )
        );
    }
}
