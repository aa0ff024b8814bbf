//! What the process that plays a run is doing, and how fast it plays: a file in the run's folder
//! for whoever looks at the run.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use foundation::{files, run_folder};
use serde::{Deserialize, Serialize};

use referee::arena::SchedulerState;

/// The name of the file in the run folder.
const FILE: &str = "activity.json";

/// Times are seconds since 1970.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Activity {
    #[serde(rename = "pace")]
    pub state: SchedulerState,
    /// When the first process began to play; unknown for runs of earlier releases.
    begun: Option<f64>,
    /// Games that were played before this process began, and how long that took.
    games_before: u64,
    seconds_before: f64,
    started: f64,
    paused_since: Option<f64>,
    /// Length of the pauses that are over.
    paused: f64,
    ended: Option<f64>,
}

impl Activity {
    /// The activity of a process that begins now; `earlier` is that of the last process that played
    /// this run.
    pub fn begin(earlier: Option<&Self>, games: u64, slots: usize, now: f64) -> Self {
        Self {
            state: SchedulerState {
                slots,
                ..SchedulerState::default()
            },
            begun: earlier.map_or(Some(now), |earlier| earlier.begun),
            games_before: games,
            seconds_before: earlier.map_or(0.0, |earlier| earlier.seconds(now)),
            started: now,
            ..Self::default()
        }
    }

    /// The activity of a process that begins to play the run in this folder now, and holds it.
    pub fn begin_in(run: &Path, games: u64, slots: usize) -> Self {
        let earlier = Self::last(run).map(|earlier| earlier.over(run));
        Self::begin(earlier.as_ref(), games, slots, now())
    }

    /// The process ends now.
    pub fn end(&mut self, now: f64) {
        self.ended = Some(now);
    }

    /// Writes the file, for readers of the run.
    pub fn write(&self, run: &Path) {
        if let Ok(text) = serde_json::to_string(self) {
            // A view that misses it shows less; that is no reason to end a match.
            let _ = files::replace(&run.join(FILE), text);
        }
    }

    /// A pause begins when the last pair that was under way is over.
    pub fn change(&mut self, state: SchedulerState, now: f64) {
        let stands_still = state.is_paused && state.playing == 0;
        match (stands_still, self.paused_since) {
            (true, None) => self.paused_since = Some(now),
            (false, Some(since)) => {
                self.paused += now - since;
                self.paused_since = None;
            }
            _ => {}
        }
        self.state = state;
    }

    /// How long this process has played, without its pauses.
    fn own_seconds(&self, now: f64) -> f64 {
        let end = self.ended.unwrap_or(now);
        let pause = self.paused_since.map_or(0.0, |since| end - since);
        (end - self.started - self.paused - pause).max(0.0)
    }

    /// How long the run has been played, by all processes.
    pub fn seconds(&self, now: f64) -> f64 {
        self.seconds_before + self.own_seconds(now)
    }

    /// `games`: those that are played by now. While the run is being played, only the speed of its
    /// present process counts.
    pub fn games_per_second(&self, games: u64, now: f64) -> Option<f64> {
        let (games, seconds) = match self.ended {
            Some(_) => (games, self.seconds(now)),
            None => (
                games.saturating_sub(self.games_before),
                self.own_seconds(now),
            ),
        };
        (games > 0 && seconds > 0.0).then(|| games as f64 / seconds)
    }

    /// What a run's process does, or did last; `None` in runs of earlier releases.
    pub fn read(run: &Path) -> Option<Self> {
        let activity = Self::last(run)?;
        Some(if run_folder::is_being_played(run) {
            activity
        } else {
            activity.over(run)
        })
    }

    /// Writes down when the last process ended, before something else writes to a journal of the run.
    pub fn settle(run: &Path) {
        if let Some(activity) = Self::last(run).filter(|it| it.ended.is_none()) {
            activity.over(run).write(run);
        }
    }

    fn last(run: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(run.join(FILE)).ok()?).ok()
    }

    /// The activity of a process that is gone: one that was killed ended, at the earliest, when it
    /// wrote the last line of its journal.
    fn over(mut self, run: &Path) -> Self {
        let written = || last_written(run).map_or(self.started, seconds_of);
        self.ended = Some(self.ended.unwrap_or_else(|| written().max(self.started)));
        self
    }
}

/// When a run was begun, as `2026-11-21T20:15:00Z`: when its first process began, or, of a run that
/// does not say, when its plan was written.
pub fn begun(run: &Path) -> Option<String> {
    let time = if let Some(seconds) = Activity::last(run).and_then(|activity| activity.begun) {
        jiff::Timestamp::from_second(seconds as i64).ok()?
    } else {
        let planned = fs::metadata(run.join("plan.json")).and_then(|plan| plan.modified());
        jiff::Timestamp::try_from(planned.ok()?).ok()?
    };
    Some(format!("{time:.0}"))
}

/// When a line was last written to a journal of the run.
fn last_written(run: &Path) -> Option<SystemTime> {
    let files = fs::read_dir(run).ok()?.flatten();
    let journals = files.filter(|file| file.path().extension().is_some_and(|it| it == "jsonl"));
    let written = journals.filter_map(|file| file.metadata().ok()?.modified().ok());
    written.max()
}

/// The time of day.
pub fn now() -> f64 {
    seconds_of(SystemTime::now())
}

fn seconds_of(time: SystemTime) -> f64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0.0, |time| time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use foundation::journal::Journal;

    use super::*;

    #[test]
    fn a_run_whose_plan_was_copied_was_begun_when_it_was_copied() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path();
        assert_eq!(begun(run), None);
        fs::write(run.join("plan.json"), "{}").expect("a file");
        let copied = begun(run).expect("the time of the file");
        let write = |activity: &Activity| {
            let text = serde_json::to_string(activity).expect("JSON");
            fs::write(run.join(FILE), text).expect("a file");
        };
        let first = Activity::begin(None, 0, 2, 1_000_000_000.5);
        write(&first);
        assert_eq!(begun(run).as_deref(), Some("2001-09-09T01:46:40Z"));
        write(&Activity::begin(Some(&first), 0, 2, 1_500_000_000.0));
        assert_eq!(begun(run).as_deref(), Some("2001-09-09T01:46:40Z"));
        // A run of an earlier release does not say.
        write(&Activity::begin(Some(&Activity::default()), 0, 2, 1e9));
        assert_eq!(begun(run), Some(copied));
    }

    #[test]
    fn the_time_since_a_process_was_killed_does_not_count_as_play() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path();
        fs::write(run.join("pairs.jsonl"), "{\"pair\"").expect("a file");
        let killed = Activity::begin(None, 0, 2, now() - 100.0);
        killed.write(run);
        let journal = fs::File::options()
            .append(true)
            .open(run.join("pairs.jsonl"));
        let written = SystemTime::now() - std::time::Duration::from_secs(90);
        journal
            .and_then(|journal| journal.set_modified(written))
            .expect("a time");
        // The process that resumes it cuts off what was not written to its end.
        drop(Journal::open(&run.join("pairs.jsonl"), 0).expect("a journal"));
        let resumed = Activity::begin_in(run, 0, 2);
        assert!((9.0..20.0).contains(&resumed.seconds(now())), "{resumed:?}");
    }

    #[test]
    fn what_a_repair_writes_is_no_play() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path();
        let journal = fs::File::create(run.join("pairs.jsonl")).expect("a file");
        Activity::begin(None, 0, 2, now() - 100.0).write(run);
        let written = SystemTime::now() - std::time::Duration::from_secs(90);
        journal.set_modified(written).expect("a time");
        Activity::settle(run);
        journal.set_modified(SystemTime::now()).expect("a time");
        Activity::settle(run);
        let resumed = Activity::begin_in(run, 0, 2);
        assert!((9.0..20.0).contains(&resumed.seconds(now())), "{resumed:?}");
    }

    #[test]
    fn pairs_that_are_played_to_the_end_in_a_pause_count_with_their_time() {
        let paused = |playing| SchedulerState {
            is_paused: true,
            playing,
            slots: 2,
        };
        let mut activity = Activity::begin(None, 0, 2, 1000.0);
        activity.change(paused(2), 1010.0);
        assert_eq!(activity.games_per_second(20, 1010.0), Some(2.0));
        activity.change(paused(1), 1020.0);
        activity.change(paused(0), 1030.0);
        assert_eq!(activity.games_per_second(60, 1090.0), Some(2.0));
        activity.change(SchedulerState::default(), 1100.0);
        assert_eq!(activity.seconds(1110.0), 40.0);
    }

    #[test]
    fn pauses_do_not_count_as_play() {
        let state = |is_paused| SchedulerState {
            is_paused,
            ..SchedulerState::default()
        };
        let mut first = Activity::begin(None, 0, 2, 1000.0);
        assert_eq!(first.games_per_second(0, 1010.0), None);
        assert_eq!(first.games_per_second(20, 1010.0), Some(2.0));
        first.change(state(true), 1010.0);
        first.change(state(true), 1030.0);
        assert_eq!(first.games_per_second(20, 1060.0), Some(2.0));
        first.change(state(false), 1060.0);
        assert_eq!(first.games_per_second(40, 1070.0), Some(2.0));
        first.ended = Some(1070.0);
        let mut second = Activity::begin(Some(&first), 40, 2, 5000.0);
        assert_eq!(second.seconds(5005.0), 25.0);
        assert_eq!(second.games_per_second(45, 5005.0), Some(1.0));
        // Time and speed of a finished run are of the same games.
        second.ended = Some(5005.0);
        assert_eq!(second.games_per_second(45, 6000.0), Some(45.0 / 25.0));
    }
}
