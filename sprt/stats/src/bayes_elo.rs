//! The BayesElo model of single games, with the draw parameter taken from the data.

/// Losses, draws and wins: what each game adds to the log-likelihood ratio under BayesElo `elo1`
/// against `elo0`; `None` without a loss or without a win, when the draw parameter does not exist.
pub(crate) fn bayes_elo_increments(counts: &[u64; 3], elo0: f64, elo1: f64) -> Option<[f64; 3]> {
    let [losses, draws, wins] = counts.map(|count| count as f64);
    if losses == 0.0 || wins == 0.0 {
        return None;
    }
    let draw_elo = draw_elo(&[losses, draws, wins]);
    Some(std::array::from_fn(|outcome| {
        let [under_h0, under_h1] =
            [elo0, elo1].map(|elo| log_probabilities(elo, draw_elo)[outcome]);
        // Without draws, a draw has no probability; it must not count.
        if counts[outcome] == 0 {
            0.0
        } else {
            under_h1 - under_h0
        }
    }))
}

/// The draw parameter that gives these frequencies of losses, draws and wins.
pub(crate) fn draw_elo(&[losses, draws, wins]: &[f64; 3]) -> f64 {
    200.0 * (((draws + wins) / losses) * ((draws + losses) / wins)).log10()
}

/// The probabilities of loss, draw and win.
pub(crate) fn probabilities(elo: f64, draw_elo: f64) -> [f64; 3] {
    log_probabilities(elo, draw_elo).map(f64::exp)
}

/// Logarithms of the probabilities of loss, draw and win.
fn log_probabilities(elo: f64, draw_elo: f64) -> [f64; 3] {
    // Natural exponents of the two logistic terms; ln(1 / (1 + e^x)) and the draws' share, written
    // so that neither overflows: 1 - 1/(1+w) - 1/(1+l) = (w l - 1) / ((1+w) (1+l)), where w l =
    // e^(2 draw_elo).
    let scale = std::f64::consts::LN_10 / 400.0;
    let (win, loss) = ((draw_elo - elo) * scale, (draw_elo + elo) * scale);
    let log_win = -softplus(win);
    let log_loss = -softplus(loss);
    let log_draw = ln_exp_m1(2.0 * draw_elo * scale) + log_win + log_loss;
    [log_loss, log_draw, log_win]
}

/// ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// ln(e^x - 1) for x > 0.
fn ln_exp_m1(x: f64) -> f64 {
    x + (-(-x).exp()).ln_1p()
}

/// fishtest's `LLRlegacy`: the log-likelihood ratio of losses, draws and wins; `None` where it
/// raises an error.
pub fn bayes_elo_llr(counts: &[u64; 3], elo0: f64, elo1: f64) -> Option<f64> {
    let increments = bayes_elo_increments(counts, elo0, elo1)?;
    Some(
        (0..3)
            .map(|outcome| counts[outcome] as f64 * increments[outcome])
            .sum(),
    )
}

/// OpenBench's `TrinomialSPRT`: the same, and zero until every result has occurred.
pub fn openbench_trinomial_llr(counts: &[u64; 3], elo0: f64, elo1: f64) -> f64 {
    if counts.contains(&0) {
        return 0.0;
    }
    bayes_elo_llr(counts, elo0, elo1).unwrap_or(0.0)
}
