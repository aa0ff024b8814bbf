//! `tuner plan --openbench`: what the form of an OpenBench server wants, with gains for the pairs
//! that will be played, and what can be expected of them.

use foundation::{Exit, Failure, Printer};

use super::lines;
use super::source;
use crate::algorithm::AlgorithmName;
use crate::algorithm::forecast::Forecast;
use crate::algorithm::schedule::Schedule;
use crate::commands::settings::{EngineArgs, GainFlags};
use crate::elo::{TWO_SIDED_95, USUAL_VARIANCE};
use crate::parameter::Parameter;
use crate::synthetic::openbench::{USUAL_RATE, gain, with_rate};
use crate::synthetic::{Family, PairOracle, Surface, usual_deficit};

/// Iterations and pairs that the form has before anybody changes it.
const FORM: (u64, u64) = (25_000, 8);

pub(crate) fn run(args: &EngineArgs, gains: &GainFlags, printer: Printer) -> Result<Exit, Failure> {
    let file = source::read(&args.params, &args.only, &args.except, printer)?;
    let mut spsa = file.spsa;
    spsa.iterations.get_or_insert(FORM.0);
    spsa.pairs_per_iteration.get_or_insert(FORM.1);
    let schedule = gains.over(spsa.schedule());
    let (text, warnings) = lines(&file.parameters, schedule.pairs());
    for warning in warnings {
        printer.detail(&warning);
    }
    printer.result(&text);
    printer.note(&format!(
        "form: Iterations {}, Pairs-Per {}, Alpha {}, Gamma {}, A-ratio {}; the lines above are its SPSA \
         inputs",
        schedule.iterations,
        schedule.pairs_per_iteration,
        schedule.alpha,
        schedule.gamma,
        schedule.a_ratio
    ));
    let classic = AlgorithmName::Classic;
    let forecast = Forecast::new(classic, schedule, &file.parameters, USUAL_VARIANCE, None);
    printer.note(&forecast.words());
    printer.note(&comparison(&file.parameters, schedule));
    Ok(Exit::Yes)
}

/// What the tune gains on synthetic surfaces, and with the usual rate instead.
fn comparison(parameters: &[Parameter], schedule: Schedule) -> String {
    const SURFACES: u64 = 6;
    const FAMILIES: [Family; 2] = [Family::Quadratic, Family::Kinked];
    let usual = with_rate(parameters, Some(USUAL_RATE));
    let ruled = with_rate(parameters, None);
    let deficit = usual_deficit(parameters.len());
    let oracle = PairOracle::default();
    let gains = |list: &[Parameter]| -> String {
        let mut gained = Vec::new();
        for family in FAMILIES {
            for seed in 0..SURFACES {
                let surface = Surface::random(parameters, family, deficit, seed);
                gained.push(gain(list, schedule, &surface, &oracle, seed));
            }
        }
        let count = gained.len() as f64;
        let mean = gained.iter().sum::<f64>() / count;
        let spread: f64 = gained.iter().map(|own| (own - mean).powi(2)).sum();
        let error = (spread / (count - 1.0) / count).sqrt();
        format!("{mean:.1} ± {:.1}", TWO_SIDED_95 * error)
    };
    let pinned = parameters.iter().filter(|own| own.r_end.is_some()).count();
    let as_written = if pinned > 0 {
        format!(
            "{} Elo with these lines, of which {pinned} have the file's own r_end; {} with the rule's",
            gains(parameters),
            gains(&ruled)
        )
    } else {
        format!("{} Elo with these lines", gains(parameters))
    };
    format!(
        "expected on synthetic surfaces whose start lacks {deficit:.1} Elo: {as_written}; {} with the \
         usual r_end of {USUAL_RATE} (± is 95%)",
        gains(&usual)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    #[test]
    fn the_comparison_says_what_a_pinned_rate_costs() {
        let schedule = Schedule {
            iterations: 200,
            ..Schedule::default()
        };
        let mut parameters = study::parameters(4, 1);
        let words = comparison(&parameters, schedule);
        assert!(!words.contains("the file's own"), "{words}");
        parameters[0].r_end = Some(0.001);
        let words = comparison(&parameters, schedule);
        assert!(
            words.contains("of which 1 have the file's own r_end"),
            "{words}"
        );
    }
}
