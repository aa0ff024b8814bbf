//! Fits a match to its engines, which may have settings of their own.

use foundation::printer::When;
use foundation::{Failure, pool};

use super::match_flags::MatchFlags;
use super::{EngineSettings, PlayPlan, cores};
use engine_client::Limit;
use referee::arena::ProcessorList;

impl MatchFlags {
    /// Fits `play` to its engines, which may have settings of their own: how many games are played
    /// at a time, and whether each has processors of its own, unless that was asked for.
    ///
    /// # Errors
    /// An engine would ponder where no clock runs.
    pub fn fit_to(&self, play: &mut PlayPlan, engines: &[&EngineSettings]) -> Result<(), Failure> {
        for engine in engines.iter().filter(|engine| engine.ponder) {
            let limit = engine.limit.as_ref().unwrap_or(&play.limit);
            if limit.clock.is_none() {
                return Err(Failure::unable(format!(
                    "an engine that ponders needs a clock, its limit is {}",
                    limit.openbench()
                ))
                .hint("give it a time control (--tc), or leave out ponder"));
            }
        }
        let is_fit = |engine: &&EngineSettings| {
            engine.threads() == 1 && engine.limit.as_ref().is_none_or(Limit::has_no_clock)
        };
        play.own_processors = match self.affinity.unwrap_or_default() {
            When::Auto if self.processors.is_some() => true,
            When::Auto => play.own_processors && engines.iter().all(is_fit),
            When::Always => true,
            When::Never => false,
        };
        if self.concurrency.is_none() {
            let listed = play.processors.as_ref().map(ProcessorList::len);
            let cores = listed.unwrap_or_else(pool::cores);
            play.concurrency = (cores / cores::of_a_game(engines)).max(1);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foundation::platform::affinity;

    fn engine(threads: usize, ponder: bool) -> EngineSettings {
        EngineSettings {
            options: vec![("Threads".to_owned(), threads.to_string())],
            ponder,
            ..EngineSettings::default()
        }
    }

    #[test]
    fn games_at_a_time_leave_room_for_pondering() {
        let flags = MatchFlags::default();
        let mut play = flags.resolve().expect("the usual match");
        let (plain, ponder) = (engine(1, false), engine(1, true));
        flags.fit_to(&mut play, &[&plain, &plain]).expect("a fit");
        assert_eq!(play.concurrency, pool::cores());
        flags.fit_to(&mut play, &[&plain, &ponder]).expect("a fit");
        assert_eq!(play.concurrency, (pool::cores() / 2).max(1));
        assert!(!play.own_processors, "a clock runs");
        let asked = MatchFlags {
            concurrency: Some(7),
            affinity: Some(When::Always),
            ..MatchFlags::default()
        };
        let mut play = asked.resolve().expect("a match");
        asked.fit_to(&mut play, &[&plain, &ponder]).expect("a fit");
        assert_eq!(play.concurrency, 7);
        assert_eq!(play.placement(&[&plain, &ponder]).own, 2);
    }

    #[test]
    fn listed_processors_make_as_many_games_each_with_its_own() {
        let allowed = affinity::allowed();
        let flags = MatchFlags {
            processors: allowed.first().and_then(|it| it.to_string().parse().ok()),
            ..MatchFlags::default()
        };
        let mut play = flags.resolve().expect("the usual match");
        let plain = engine(1, false);
        flags.fit_to(&mut play, &[&plain, &plain]).expect("a fit");
        assert_eq!((play.concurrency, play.own_processors), (1, true));
        let shared = MatchFlags {
            affinity: Some(When::Never),
            ..flags
        };
        shared.fit_to(&mut play, &[&plain]).expect("a fit");
        assert!(!play.own_processors && play.placement(&[&plain]).among.is_some());
    }

    #[test]
    fn nobody_ponders_without_a_clock() {
        let flags = MatchFlags {
            nodes: Some(5),
            ..MatchFlags::default()
        };
        let mut play = flags.resolve().expect("a match");
        let ponder = engine(1, true);
        let failure = flags.fit_to(&mut play, &[&ponder]).expect_err("no clock");
        assert!(failure.message().contains("N=5"), "{failure}");
        let timed = EngineSettings {
            limit: MatchFlags::default().resolve().ok().map(|play| play.limit),
            ..engine(1, true)
        };
        flags.fit_to(&mut play, &[&timed]).expect("its own clock");
    }
}
