//! A tune on an OpenBench server, as far as its digests tell: the server keeps where the values are,
//! and nothing of single pairs.
//!
//! A dead parameter does a random walk whose steps are known: `r_k c_k` times the result of a pair,
//! up or down by a coin. So how far a value came, against how far such a walk goes, is a test that
//! needs no model; and the mean gradient along its way is what it came divided by what one Elo per c
//! would have moved it. Both take the schedule from the digest, with the form's alpha, gamma and A;
//! where the digest does not fit them, nothing is said. An Elo claim needs games that the server
//! does not keep: `tuner validate` plays them.

use std::path::{Path, PathBuf};

use foundation::{Failure, counted, failure::OrUnable};
use openbench_command::digest::{self, Tuned};
use openbench_command::history::{self, Moment};
use schemars::JsonSchema;
use serde::Serialize;

use crate::algorithm::schedule::Schedule;
use crate::elo::{POINTS_PER_ELO, USUAL_VARIANCE};
use crate::evidence::{SEEN, Verdict};
use crate::formats::location::Source;
use crate::formats::{ANY_LENGTH, Format};
use crate::parameter::{Kind, Parameter};
use crate::run::printed::{Printed, ended_at_bound, interval, is_at_bound, short, table, to_json};

/// What was fetched.
#[derive(Debug, Clone)]
pub(crate) struct ServerTune {
    /// The file that has its values.
    pub digest: PathBuf,
    /// The values at each fetch, oldest first.
    pub moments: Vec<(u64, Vec<Tuned>)>,
    pub result: ServerResult,
}

/// Where the tune stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ServerResult {
    pub games: u64,
    pub planned_games: Option<u64>,
    /// Of the perturbed sides against each other.
    pub pentanomial: [u64; 5],
    pub variance: f64,
    pub finished: bool,
    pub parameters: Vec<ServerParameter>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ServerParameter {
    pub name: String,
    pub start: f64,
    pub value: f64,
    /// From start to value, in c.
    pub moved: f64,
    /// How far a dead parameter would have wandered, one standard deviation in c; none where the
    /// schedule is not known.
    pub wandered: Option<f64>,
    /// Mean along the way, Elo per c.
    pub gradient: Option<f64>,
    pub gradient_sd: Option<f64>,
    pub verdict: Verdict,
    pub at_bound: bool,
}

/// The digest in a folder that was fetched, or a digest by itself; none where it is neither.
pub(crate) fn digest_in(path: &Path) -> Option<PathBuf> {
    let in_folder = path.join("digest.csv");
    if in_folder.is_file() {
        return Some(in_folder);
    }
    let is_csv = path.extension().is_some_and(|extension| extension == "csv");
    (is_csv && path.is_file()).then(|| path.to_owned())
}

/// The values of a digest, as exactly as the files beside it have them.
pub(crate) fn read_digest(path: &Path) -> Result<Vec<Tuned>, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path).or_unable(format_args!("read `{name}`"))?;
    let mut tuned =
        digest::parse(&text).map_err(|failure| failure.context(format_args!("`{name}`")))?;
    let beside = |file| std::fs::read_to_string(path.with_file_name(file)).unwrap_or_default();
    digest::refine(&mut tuned, &beside("inputs.txt"), &beside("outputs.txt"));
    Ok(tuned)
}

/// The parameters as they were submitted, with their ranges, from the lines beside a digest; those with
/// gains of 0 are not among them.
pub(crate) fn submitted(digest: &Path) -> Result<Vec<Parameter>, Failure> {
    let path = digest.with_file_name("inputs.txt");
    let name = path.display().to_string();
    let text = std::fs::read_to_string(&path)
        .or_unable(format_args!("read `{name}`"))
        .map_err(|failure| failure.hint("fetch the tune again"))?;
    let source = Source {
        name: &name,
        text: &text,
    };
    let read = Format::of(&text).read(source, ANY_LENGTH)?;
    Ok(read.content.parameters)
}

/// A value of a server, which rounds half to even, as an engine would be given it.
pub(crate) fn as_given(parameter: &Parameter, value: f64) -> f64 {
    parameter.clip(match parameter.kind {
        Kind::Int => value.round_ties_even(),
        Kind::Float => value,
    })
}

impl ServerTune {
    /// Reads a folder, or a digest by itself.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        let Some(digest) = digest_in(path) else {
            return Ok(None);
        };
        let now = read_digest(&digest)?;
        let history = history::read(digest.parent().unwrap_or(path))?;
        let moments = history
            .iter()
            .map(|moment| Ok((moment.games, moment.tuned()?)))
            .collect::<Result<_, Failure>>()?;
        Ok(Some(Self {
            result: ServerResult::new(&now, history.last()),
            moments,
            digest,
        }))
    }
}

impl ServerResult {
    fn new(now: &[Tuned], last: Option<&Moment>) -> Self {
        let penta = last.map_or([0; 5], |moment| moment.penta);
        let pairs: u64 = penta.iter().sum();
        let squares: f64 = (-2..)
            .zip(penta)
            .map(|(result, count)| f64::from(result * result) * count as f64)
            .sum();
        let variance = if pairs == 0 {
            USUAL_VARIANCE
        } else {
            squares / pairs as f64
        };
        let games = last.map_or(0, |moment| moment.games);
        let schedule = last.and_then(schedule);
        let parameters = now
            .iter()
            .map(|tuned| ServerParameter::new(tuned, schedule, games / 2, variance))
            .collect();
        Self {
            games,
            planned_games: last.and_then(|moment| moment.games_planned),
            pentanomial: penta,
            variance,
            finished: last.is_some_and(|moment| moment.finished),
            parameters,
        }
    }

    pub(crate) fn to_json(&self, run: &Path) -> Result<String, Failure> {
        to_json(&Printed::new("tuner-server-result", run, self))
    }

    pub(crate) fn table(&self) -> String {
        let heads = [
            "parameter",
            "start",
            "value",
            "moved / c",
            "gradient",
            "evidence",
        ];
        let rows = self.parameters.iter().map(|found| {
            [
                found.name.clone(),
                short(found.start),
                short(found.value),
                format!("{:+.2}", found.moved),
                found.gradient_in_words(),
                found.verdict.words(found.value != found.start).to_owned(),
            ]
        });
        format!("{}\n{}", table(heads, rows), self.sentence())
    }

    pub(crate) fn sentence(&self) -> String {
        let games = match self.planned_games {
            Some(planned) => format!("{} of {}", self.games, counted(planned, "game")),
            None => counted(self.games, "game"),
        };
        format!(
            "{games}; gradients are means along the way, ± is 95%; a server keeps no games that \
             could tell the Elo gained: tuner validate plays them"
        )
    }

    /// What a user should know before keeping the values.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let at_bound = self.parameters.iter().filter(|found| found.at_bound);
        let ended = ended_at_bound(at_bound.map(|found| found.name.as_str()));
        let mut warnings: Vec<String> = ended.into_iter().collect();
        let is_unknown = self.parameters.iter().all(|found| found.gradient.is_none());
        if self.games == 0 && self.planned_games.is_some() {
            warnings.push("the tune has no games yet".to_owned());
        } else if is_unknown {
            warnings.push(
                "the digest does not say how long the tune is, or has other alpha, gamma and A than the \
                 form's: no evidence can be computed"
                    .to_owned(),
            );
        }
        if !self.finished && self.games > 0 {
            warnings
                .push("the tune is not finished; these are the values of the last fetch".into());
        }
        warnings
    }
}

/// The schedule of a tune whose page says how long it is.
fn schedule(moment: &Moment) -> Option<Schedule> {
    let iterations = moment.iterations.filter(|&count| count > 0)?;
    let pairs_per_iteration = (moment.games_planned? / 2).checked_div(iterations)?;
    (pairs_per_iteration > 0).then(|| Schedule {
        iterations,
        pairs_per_iteration,
        ..Schedule::default()
    })
}

impl ServerParameter {
    fn new(tuned: &Tuned, schedule: Option<Schedule>, pairs: u64, variance: f64) -> Self {
        let moved = tuned.moved();
        let mut found = Self {
            name: tuned.name.clone(),
            start: tuned.start,
            value: tuned.value,
            moved,
            wandered: None,
            gradient: None,
            gradient_sd: None,
            verdict: Verdict::Undecided,
            at_bound: is_at_bound(
                tuned.value,
                tuned.start,
                [tuned.min, tuned.max],
                tuned.c_end,
            ),
        };
        let Some(walk) = schedule.and_then(|schedule| Walk::new(tuned, schedule, pairs)) else {
            return found;
        };
        let wandered = (walk.squares * variance).sqrt();
        found.wandered = Some(wandered);
        found.gradient = Some(moved / walk.per_elo);
        found.gradient_sd = Some(wandered / walk.per_elo);
        if (moved / wandered).powi(2) > SEEN {
            found.verdict = Verdict::Evident;
        }
        found
    }

    pub(crate) fn gradient_in_words(&self) -> String {
        match (self.gradient, self.gradient_sd) {
            (Some(gradient), Some(sd)) => interval(gradient, sd, 2),
            _ => "unknown".to_owned(),
        }
    }
}

/// The steps of a parameter over some pairs, in c.
struct Walk {
    /// Sum of their squares, for a pair whose result has variance 1.
    squares: f64,
    /// How far one Elo per c would have moved it.
    per_elo: f64,
}

impl Walk {
    /// None where no pair was played, or the digest's gains are not those of the schedule.
    fn new(tuned: &Tuned, schedule: Schedule, pairs: u64) -> Option<Self> {
        const TOLERANCE: f64 = 0.05;
        // The server does not say which parameters are integers, but floors their c at one half.
        let smallest = if tuned.c_end < 0.5 && tuned.c == 0.5 {
            0.5
        } else {
            0.0
        };
        let gain = |pairs| {
            let moment = schedule.at(schedule.iteration(pairs));
            moment.gain(tuned.c_end, tuned.r_end, smallest)
        };
        let now = gain(pairs);
        let fits = |ours: f64, theirs: f64| {
            (ours - theirs).abs() <= TOLERANCE * theirs.abs() + digest::PRECISION
        };
        if pairs == 0 || !fits(now.c, tuned.c) || !fits(now.r, tuned.r) {
            return None;
        }
        let mut walk = Self {
            squares: 0.0,
            per_elo: 0.0,
        };
        let each = schedule.pairs_per_iteration;
        for played in (0..pairs).step_by(each as usize) {
            let gain = gain(played);
            let count = each.min(pairs - played) as f64;
            let (step, distance) = (gain.r * gain.c / tuned.c_end, gain.c / tuned.c_end);
            walk.squares += count * step * step;
            walk.per_elo += count * step * 2.0 * distance * POINTS_PER_ELO;
        }
        (walk.squares > 0.0).then_some(walk)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;
    use crate::synthetic::PairOracle;

    const SCHEDULE: Schedule = Schedule {
        iterations: 2000,
        pairs_per_iteration: 8,
        alpha: 0.602,
        gamma: 0.101,
        a_ratio: 0.1,
    };

    /// A parameter of a server's tune with a constant slope, Elo per c.
    fn played(slope: f64, seed: u64, oracle: &PairOracle) -> Tuned {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let (mut value, c_end, r_end) = (0.0, 4.0, 0.004);
        for iteration in 0..SCHEDULE.iterations {
            let moment = SCHEDULE.at(SCHEDULE.iteration(8 * iteration));
            let gain = moment.gain(c_end, r_end, 0.0);
            let flip = if rand::Rng::next_u32(&mut generator) & 1 == 0 {
                1.0
            } else {
                -1.0
            };
            for _ in 0..8 {
                let difference = 2.0 * slope * flip * gain.c / c_end;
                let result = oracle.draw(difference, &mut generator) as f64 - 2.0;
                value += gain.r * gain.c * flip * result;
            }
        }
        let last = SCHEDULE
            .at(SCHEDULE.iteration(SCHEDULE.pairs()))
            .gain(c_end, r_end, 0.0);
        Tuned {
            name: "P".into(),
            value,
            start: 0.0,
            min: -1e6,
            max: 1e6,
            c: last.c,
            c_end,
            r: last.r,
            r_end,
        }
    }

    #[test]
    fn slopes_are_found_and_dead_parameters_are_not_taken_for_live_ones() {
        let (mut errors, oracle) = (0.0, PairOracle::default());
        for seed in 0..40 {
            for slope in [0.0, 5.0] {
                let tuned = played(slope, seed, &oracle);
                let found =
                    ServerParameter::new(&tuned, Some(SCHEDULE), SCHEDULE.pairs(), USUAL_VARIANCE);
                let gradient = found.gradient.expect("a gradient");
                let sd = found.gradient_sd.expect("an error");
                errors += ((gradient - slope) / sd).powi(2) / 80.0;
                if slope == 0.0 {
                    assert_eq!(found.verdict, Verdict::Undecided, "{found:?}");
                } else {
                    assert_eq!(found.verdict, Verdict::Evident, "{found:?}");
                }
            }
        }
        assert!((0.6..1.5).contains(&errors), "{errors}");
    }

    #[test]
    fn rates_are_known_by_what_four_decimals_show_of_them() {
        let tuned = Tuned {
            r: 0.0004,
            r_end: 0.00044,
            ..played(0.0, 1, &PairOracle::default())
        };
        assert!(Walk::new(&tuned, SCHEDULE, SCHEDULE.pairs()).is_some());
    }

    #[test]
    fn values_have_the_digits_of_the_files_beside_the_digest() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("digest.csv");
        let digest = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\n\
            Base,0.7658,0.7654,0.1000,1.5000,0.0850,0.0500,0.0006,0.0005\n";
        std::fs::write(&path, digest).expect("written");
        assert_eq!(read_digest(&path).expect("values")[0].value, 0.7658);
        std::fs::write(path.with_file_name("outputs.txt"), "Base, 0.76577\n").expect("written");
        assert_eq!(read_digest(&path).expect("values")[0].value, 0.76577);
    }

    #[test]
    fn a_digest_that_fits_no_schedule_tells_no_evidence() {
        let mut tuned = played(0.0, 1, &PairOracle::default());
        tuned.r *= 1.5;
        let found = ServerParameter::new(&tuned, Some(SCHEDULE), SCHEDULE.pairs(), USUAL_VARIANCE);
        assert_eq!((found.gradient, found.wandered), (None, None));
        let result = ServerResult::new(&[tuned], None);
        assert!(result.warnings()[0].contains("no evidence"));
        assert!(result.table().contains("unknown"));
    }
}
