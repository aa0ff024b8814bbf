//! Games that the server counted and the archive lacks.
//!
//! A worker reports results while it plays, and sends the games when it has finished its workload:
//! if it is killed in between, its results are counted and its games lost. The archive names a
//! machine's share by a number that no other page shows, so shares are told apart by their size: a
//! machine sends at least the games that were counted for it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::read::api::MachineResult;

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    pub counted: u64,
    pub archived: u64,
    /// Machines whose games are not all there.
    pub machines: Vec<Incomplete>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incomplete {
    pub machine: u64,
    pub user: String,
    pub counted: u64,
}

impl Missing {
    /// `None` where each machine's games are in the archive.
    pub(super) fn of(machines: &[MachineResult], archived: &BTreeMap<u64, u64>) -> Option<Self> {
        let mut shares: Vec<u64> = archived.values().copied().collect();
        shares.sort_unstable();
        let mut machines: Vec<&MachineResult> = machines.iter().collect();
        machines.sort_by_key(|machine| (std::cmp::Reverse(machine.games), machine.machine));
        let mut incomplete = Vec::new();
        for machine in machines.iter().filter(|machine| machine.games > 0) {
            let enough = shares.partition_point(|&share| share < machine.games);
            if enough < shares.len() {
                shares.remove(enough);
            } else {
                incomplete.push(Incomplete {
                    machine: machine.machine,
                    user: machine.user.clone(),
                    counted: machine.games,
                });
            }
        }
        (!incomplete.is_empty()).then(|| Self {
            counted: machines.iter().map(|machine| machine.games).sum(),
            archived: archived.values().sum(),
            machines: incomplete,
        })
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machines = self.machines.iter().map(|lacking| {
            let Incomplete {
                machine,
                user,
                counted,
            } = lacking;
            format!("machine {machine} of {user} ({counted} games counted)")
        });
        write!(
            text,
            "the archive holds {} games, the server counted {}; games are missing from {}",
            self.archived,
            self.counted,
            machines.collect::<Vec<_>>().join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machines(games: &[u64]) -> Vec<MachineResult> {
        let machine = |(number, &games)| MachineResult {
            machine: number,
            user: "alice".to_owned(),
            games,
            ..MachineResult::default()
        };
        (1..).zip(games).map(machine).collect()
    }

    #[test]
    fn what_a_killed_worker_did_not_send_is_missing() {
        let archive = |shares: &[u64]| (1..).zip(shares.iter().copied()).collect();
        assert_eq!(Missing::of(&machines(&[16, 32]), &archive(&[16, 32])), None);
        // Games that were played after the end of the test are sent, too.
        assert_eq!(Missing::of(&machines(&[16, 32]), &archive(&[48, 20])), None);
        let missing = Missing::of(&machines(&[16, 32]), &archive(&[32])).expect("16 games");
        assert_eq!(
            missing.to_string(),
            "the archive holds 32 games, the server counted 48; games are missing from \
             machine 1 of alice (16 games counted)"
        );
        // One machine's surplus does not hide the games that another lacks.
        let missing = Missing::of(&machines(&[40, 16]), &archive(&[32, 32])).expect("8 games");
        assert_eq!((missing.archived, missing.machines[0].machine), (64, 1));
        assert!(Missing::of(&machines(&[0]), &archive(&[])).is_none());
    }
}
