//! What an evaluation was worth, and how fast both engines were in the course of the run, from a
//! sample of games.

use super::moves::side_of;
use super::sample::Sampled;
use crate::plan::Plan;

/// Evaluations are taken together in steps of so many pawns, up to the last.
const STEP: f64 = 0.5;
const STEPS: usize = 16;
/// A step with fewer moves is left out.
const FEWEST_MOVES: u64 = 20;
/// Points of a line over the run.
const POINTS: usize = 60;
/// Seconds of a move on average. Records are in whole milliseconds, often cut: of shorter moves most
/// of the time is missing.
const SHORTEST: f64 = 0.01;

/// Lines of base and new.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trends {
    /// Pawns by which an engine saw itself ahead, and the percentage of points that it made.
    pub worth: [Vec<(f64, f64)>; 2],
    /// Number of the pair, and thousand nodes a second.
    pub speed: [Vec<(f64, f64)>; 2],
}

/// How a step of evaluations ended.
#[derive(Clone, Copy, Default)]
struct Step {
    moves: u64,
    half_points: u64,
}

/// What was searched in a part of the run.
#[derive(Clone, Copy, Default)]
struct Work {
    moves: u64,
    nodes: u64,
    seconds: f64,
}

impl Trends {
    pub(super) fn of(plan: &Plan, games: &[Sampled]) -> Self {
        let mut steps = [[Step::default(); STEPS]; 2];
        let last = games.last().map_or(0, |sampled| sampled.pair);
        let width = (last + 1).div_ceil(POINTS as u64);
        let mut work = vec![[Work::default(); 2]; POINTS];
        for Sampled { pair, game } in games {
            let white_half_points = match game.tag("Result") {
                Some("1-0") => 2,
                Some("0-1") => 0,
                _ => 1,
            };
            for (ply, played) in game.moves.iter().enumerate() {
                if played.is_book {
                    continue;
                }
                let (side, is_white) = side_of(plan, game, ply);
                let part = &mut work[(pair / width) as usize][side];
                if let (Some(nodes), Some(seconds)) = (played.nodes, played.seconds) {
                    part.moves += 1;
                    part.nodes += nodes;
                    part.seconds += seconds;
                }
                let Some(step) = played.score.as_deref().and_then(step_of) else {
                    continue;
                };
                let step = &mut steps[side][step];
                step.moves += 1;
                step.half_points += if is_white {
                    white_half_points
                } else {
                    2 - white_half_points
                };
            }
        }
        Self {
            worth: steps.map(|steps| {
                let points = steps.iter().enumerate();
                let known = points.filter(|(_, step)| step.moves >= FEWEST_MOVES);
                let point = |(index, step): (usize, &Step)| {
                    let share = step.half_points as f64 / (2 * step.moves) as f64;
                    ((index as f64 + 0.5) * STEP, 100.0 * share)
                };
                known.map(point).collect()
            }),
            speed: [0, 1].map(|side| {
                let parts = work.iter().enumerate();
                let known = parts.filter(|(_, part)| {
                    let Work {
                        moves,
                        nodes,
                        seconds,
                    } = part[side];
                    nodes > 0 && seconds >= SHORTEST * moves as f64
                });
                let point = |(index, part): (usize, &[Work; 2])| {
                    let Work { nodes, seconds, .. } = part[side];
                    let middle = (index as f64 + 0.5) * width as f64;
                    (
                        middle.min(last as f64 + 1.0),
                        nodes as f64 / seconds / 1000.0,
                    )
                };
                known.map(point).collect()
            }),
        }
    }
}

/// The step of an evaluation that is good for the mover; no mates, which are certain.
fn step_of(score: &str) -> Option<usize> {
    let pawns: f64 = score.parse().ok()?;
    let step = (pawns / STEP) as usize;
    (pawns >= 0.0 && step < STEPS).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::record;
    use crate::plan::tests::plan;

    /// New has White and wins; it sees itself ahead by 1.20, base by nothing.
    fn games(count: u64) -> Vec<Sampled> {
        games_of(count, "0.100s", "0.200s")
    }

    fn games_of(count: u64, new: &str, base: &str) -> Vec<Sampled> {
        let text = "[White \"new\"]\n[Black \"base\"]\n[Result \"1-0\"]\n\n\
            1. e4 {book} e5 {book} 2. Nf3 {+1.20/9 NEW, n=200000} Nc6 {0.00/7 BASE, n=100000} 1-0\n\n";
        let text = text.replace("NEW", new).replace("BASE", base);
        let game = record::parse(&text).remove(0);
        (0..count)
            .map(|pair| Sampled {
                pair,
                game: game.clone(),
            })
            .collect()
    }

    #[test]
    fn an_evaluation_is_worth_the_points_that_were_made_with_it() {
        let trends = Trends::of(&plan(), &games(30));
        assert_eq!(trends.worth, [vec![(0.25, 0.0)], vec![(1.25, 100.0)]]);
        let few = Trends::of(&plan(), &games(10));
        assert_eq!(few.worth, [vec![], vec![]], "too few to say");
    }

    #[test]
    fn speed_is_nodes_by_time_in_each_part_of_the_run() {
        let trends = Trends::of(&plan(), &games(120));
        for (line, speed) in trends.speed.iter().zip([500.0, 2000.0]) {
            assert_eq!(line.len(), POINTS);
            assert!(
                line.iter().all(|(_, knps)| (knps - speed).abs() < 1e-6),
                "{line:?}"
            );
            assert!(line.windows(2).all(|two| two[0].0 < two[1].0));
        }
        assert_eq!(Trends::of(&plan(), &[]), Trends::default());
    }

    #[test]
    fn moves_shorter_than_records_can_say_have_no_speed() {
        let mut games = games_of(300, "0.000s", "0.100s");
        games[7] = games_of(1, "0.040s", "0.100s").remove(0);
        let [base, new] = Trends::of(&plan(), &games).speed;
        assert_eq!((base.len(), new), (POINTS, vec![]));
    }

    #[test]
    fn mates_and_evaluations_beyond_the_steps_are_left_out() {
        assert_eq!(step_of("+0.00"), Some(0));
        assert_eq!(step_of("+0.50"), Some(1));
        assert_eq!(step_of("+7.99"), Some(15));
        for score in ["-0.10", "+8.00", "+M3", "-M3", "nan", ""] {
            assert_eq!(step_of(score), None, "{score}");
        }
    }
}
