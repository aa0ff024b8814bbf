//! A workload at one moment: its progress, how it ended, and both as a line and as JSON.

use foundation::Exit;
use serde_json::{Value, json};
use stats::openbench_elo;

use crate::read::api::{Info, MachineResult};
use crate::read::page::ErrorEvent;
use openbench_command::digest::Tuned;
use openbench_command::history::Progress;
use openbench_command::workload::Kind;

/// A workload at one moment.
#[derive(Clone, Debug, Default)]
pub struct View {
    pub info: Info,
    pub machines: Vec<MachineResult>,
    /// Of a tune.
    pub tuned: Vec<Tuned>,
    pub progress: Option<Progress>,
    /// Of this workload, the newest first.
    pub errors: Vec<ErrorEvent>,
    /// When a person last restarted it, seconds since 1970; looked up where it decides how it ended.
    pub restarted: i64,
    pub games_per_minute: Option<f64>,
}

/// How a workload ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
    /// All games of a tune, or of data generation, are played.
    Complete,
    /// By a person.
    Stopped,
    Deleted,
    /// By an error for which workers stop a workload, in the words of the server's page.
    Error(String),
}

impl Outcome {
    pub fn exit(&self) -> Exit {
        match self {
            Self::Passed | Self::Complete => Exit::Yes,
            Self::Failed => Exit::No,
            Self::Stopped | Self::Deleted => Exit::Undecided,
            Self::Error(_) => Exit::EngineFault,
        }
    }

    /// The server's reason for the end.
    pub fn error(&self) -> Option<&str> {
        match self {
            Self::Error(text) => Some(text),
            _ => None,
        }
    }

    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Complete => "complete",
            Self::Stopped => "stopped",
            Self::Deleted => "deleted",
            Self::Error(_) => "error",
        }
    }
}

impl View {
    /// `None` while it is running.
    pub fn outcome(&self) -> Option<Outcome> {
        let info = &self.info;
        let all_played = match info.kind() {
            Kind::Tune => self
                .progress
                .is_some_and(|progress| progress.games >= progress.games_planned),
            Kind::Datagen => info.passed,
            Kind::Test => false,
        };
        if info.deleted {
            Some(Outcome::Deleted)
        } else if !info.finished {
            None
        } else if all_played {
            Some(Outcome::Complete)
        } else if info.passed {
            Some(Outcome::Passed)
        } else if info.failed {
            Some(Outcome::Failed)
        } else if let Some(event) = self
            .errors
            .iter()
            .find(|event| event.is_bench_error() && event.created > self.restarted)
        {
            Some(Outcome::Error(event.summary.clone()))
        } else {
            Some(Outcome::Stopped)
        }
    }

    pub fn state(&self) -> &'static str {
        match self.outcome() {
            Some(outcome) => outcome.word(),
            None if self.info.approved => "active",
            None => "pending",
        }
    }

    pub fn active_machines(&self) -> usize {
        self.machines
            .iter()
            .filter(|machine| machine.active)
            .count()
    }

    fn sum(&self, figure: fn(&MachineResult) -> u64) -> u64 {
        self.machines.iter().map(figure).sum()
    }

    /// Half the error bar of OpenBench's Elo is on each side.
    fn elo(&self) -> stats::Interval {
        if self.info.use_penta {
            openbench_elo(&self.info.penta)
        } else {
            openbench_elo(&self.info.tri)
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let info = &self.info;
        let [losses, draws, wins] = info.tri;
        let mut parts = Vec::new();
        if info.test_mode == "SPRT" {
            parts.push(format!(
                "LLR {:.2} ({:.2}, {:.2}) [{:.2}, {:.2}]",
                info.currentllr, info.lowerllr, info.upperllr, info.elolower, info.eloupper
            ));
        }
        if info.kind() == Kind::Tune {
            if let Some(progress) = self.progress {
                parts.push(format!(
                    "iteration {} of {}",
                    progress.iteration, progress.iterations
                ));
                parts.push(format!(
                    "{} of {} games",
                    progress.games, progress.games_planned
                ));
            } else {
                parts.push(format!("{} games", info.games));
            }
            let furthest = self
                .tuned
                .iter()
                .max_by(|a, b| a.moved().abs().total_cmp(&b.moved().abs()));
            if let Some(tuned) = furthest.filter(|tuned| tuned.moved() != 0.0) {
                parts.push(format!(
                    "{} moved furthest, {} to {} ({:+.2} c)",
                    tuned.name,
                    tuned.start,
                    tuned.shown(),
                    tuned.moved()
                ));
            }
        } else {
            let elo = self.elo();
            if info.games > 0 {
                parts.push(format!("Elo {:.2} +- {:.2}", elo.value, elo.larger_side()));
            }
            let of = if info.max_games > 0 {
                format!(" of {}", info.max_games)
            } else {
                String::new()
            };
            parts.push(format!(
                "{}{of} games: {wins} W {losses} L {draws} D",
                info.games
            ));
            if info.use_penta {
                parts.push(format!(
                    "penta {}",
                    info.penta.map(|count| count.to_string()).join(", ")
                ));
            }
        }
        let machines = self.active_machines();
        parts.push(format!(
            "{machines} {}",
            if machines == 1 { "worker" } else { "workers" }
        ));
        if let Some(speed) = self.games_per_minute {
            parts.push(format!("{speed:.1} games/min"));
        }
        let (crashes, losses) = (
            self.sum(|machine| machine.crashes),
            self.sum(|machine| machine.timeloss),
        );
        if crashes + losses > 0 {
            parts.push(format!("{crashes} crashes, {losses} time losses"));
        }
        format!(
            "{} {}: {}",
            info.kind().word(),
            info.id,
            [self.state().to_owned()]
                .into_iter()
                .chain(parts)
                .collect::<Vec<_>>()
                .join(" | ")
        )
    }

    /// The parameters of a tune, and the errors that workers report; a line each.
    pub fn details(&self) -> Vec<String> {
        let errors = self.errors.iter().take(10).map(|event| {
            format!(
                "machine {} of {}: {}",
                event.machine, event.user, event.summary
            )
        });
        self.tuned.iter().map(Tuned::line).chain(errors).collect()
    }

    /// One object for programs; figures that do not exist are null.
    pub fn json(&self) -> Value {
        let info = &self.info;
        let [losses, draws, wins] = info.tri;
        let elo = self.elo();
        let of_test = |value: f64| (info.test_mode == "SPRT").then_some(value);
        let parameters: Vec<Value> = self
            .tuned
            .iter()
            .map(|tuned| json!({"name": tuned.name, "start": tuned.start, "value": tuned.value, "change": tuned.value - tuned.start, "c": tuned.c, "r": tuned.r}))
            .collect();
        json!({
            "schema": "openbench-workload",
            "version": 1,
            "id": info.id,
            "kind": info.kind().word(),
            "state": self.state(),
            "error": match self.outcome() { Some(Outcome::Error(text)) => Some(text), _ => None },
            "llr": of_test(info.currentllr),
            "lower": of_test(info.lowerllr),
            "upper": of_test(info.upperllr),
            "elo0": of_test(info.elolower),
            "elo1": of_test(info.eloupper),
            "games": info.games,
            "wins": wins,
            "losses": losses,
            "draws": draws,
            "pentanomial": info.use_penta.then_some(info.penta),
            "elo": (info.games > 1).then_some(json!({"low": elo.low, "value": elo.value, "high": elo.high})),
            "workers": self.active_machines(),
            "games_per_minute": self.games_per_minute,
            "crashes": self.sum(|machine| machine.crashes),
            "time_losses": self.sum(|machine| machine.timeloss),
            "progress": self.progress,
            "parameters": parameters,
            "errors": self.errors,
        })
    }

    /// The parts of a view that must differ for it to be reported.
    pub(super) fn essence(&self) -> impl PartialEq + use<> {
        (
            self.info.games,
            self.state(),
            self.active_machines(),
            self.errors.len(),
            self.info.priority,
            self.info.throughput,
            self.sum(|m| m.crashes),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded() -> View {
        let value: Value =
            serde_json::from_str(include_str!("../../tests/data/info.json")).expect("JSON");
        View {
            info: serde_json::from_value(value["info"].clone()).expect("a workload"),
            ..View::default()
        }
    }

    fn event(summary: &str) -> ErrorEvent {
        ErrorEvent {
            created: 7,
            machine: 1,
            user: "Bob".into(),
            id: 21,
            branch: "x".into(),
            summary: summary.into(),
            event: None,
        }
    }

    #[test]
    fn each_end_has_its_exit_code() {
        let passed = recorded();
        let stopped = View {
            info: Info {
                passed: false,
                ..passed.info.clone()
            },
            ..View::default()
        };
        let with = |errors: Vec<ErrorEvent>, error: bool| View {
            info: Info {
                error,
                ..stopped.info.clone()
            },
            errors,
            ..View::default()
        };
        let failed = View {
            info: Info {
                passed: false,
                failed: true,
                ..passed.info.clone()
            },
            ..View::default()
        };
        let tune = |games: u64| View {
            info: Info {
                test_mode: "SPSA".into(),
                ..stopped.info.clone()
            },
            progress: Some(Progress {
                iteration: 10,
                iterations: 10,
                games,
                games_planned: 80,
            }),
            ..View::default()
        };
        let active = View {
            info: Info {
                finished: false,
                ..stopped.info.clone()
            },
            ..View::default()
        };
        assert_eq!(active.outcome(), None);
        for (view, outcome, exit) in [
            (passed, Outcome::Passed, Exit::Yes),
            (failed, Outcome::Failed, Exit::No),
            (with(vec![], false), Outcome::Stopped, Exit::Undecided),
            (
                with(vec![event("[Whetstone] x build failed")], false),
                Outcome::Stopped,
                Exit::Undecided,
            ),
            (
                with(vec![event("[W-1] Wrong Bench: 5")], false),
                Outcome::Error("[W-1] Wrong Bench: 5".into()),
                Exit::EngineFault,
            ),
            (
                View {
                    restarted: 7,
                    ..with(vec![event("[W-1] Wrong Bench: 5")], false)
                },
                Outcome::Stopped,
                Exit::Undecided,
            ),
            // The server sets the flag for each crash, and plays on.
            (
                with(vec![event("Disconnect")], true),
                Outcome::Stopped,
                Exit::Undecided,
            ),
            (tune(80), Outcome::Complete, Exit::Yes),
            (tune(79), Outcome::Stopped, Exit::Undecided),
        ] {
            assert_eq!(view.outcome(), Some(outcome.clone()), "{}", view.line());
            assert_eq!(outcome.exit(), exit);
        }
    }

    #[test]
    fn a_view_is_a_line_and_an_object() {
        let view = recorded();
        assert_eq!(
            view.line(),
            "test 21: passed | LLR 17.90 (-2.94, 2.94) [-5.00, 0.00] | Elo 333.75 +- 12.81 | 2016 games: 1504 W 3 L 509 D \
             | penta 0, 2, 3, 503, 500 | 0 workers"
        );
        let json = view.json();
        assert_eq!(
            (
                json["schema"].as_str(),
                json["state"].as_str(),
                json["games"].as_u64()
            ),
            (Some("openbench-workload"), Some("passed"), Some(2016))
        );
        assert!(json["progress"].is_null() && json["games_per_minute"].is_null());
    }
}
