//! What a game needs of the machine.

use referee::arena::Placement;

use super::{EngineSettings, PlayPlan};

/// Cores that a game keeps busy. Engines take turns, but one that ponders works while its opponent
/// does.
pub(crate) fn of_a_game(engines: &[&EngineSettings]) -> usize {
    let mut threads: Vec<usize> = engines.iter().map(|engine| engine.threads()).collect();
    threads.sort_unstable_by(|one, other| other.cmp(one));
    let is_pondered = engines.iter().any(|engine| engine.ponder);
    let at_once = if is_pondered { 2 } else { 1 };
    threads.iter().take(at_once).sum::<usize>().max(1)
}

impl PlayPlan {
    /// On which processors games of these engines are played.
    pub fn placement(&self, engines: &[&EngineSettings]) -> Placement {
        Placement {
            own: if self.own_processors {
                of_a_game(engines)
            } else {
                0
            },
            among: self.processors.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(threads: usize, ponder: bool) -> EngineSettings {
        EngineSettings {
            options: vec![("Threads".to_owned(), threads.to_string())],
            ponder,
            ..EngineSettings::default()
        }
    }

    #[test]
    fn an_engine_that_ponders_works_beside_its_opponent() {
        let cores = |engines: &[EngineSettings]| of_a_game(&engines.iter().collect::<Vec<_>>());
        assert_eq!(cores(&[engine(1, false), engine(1, false)]), 1);
        assert_eq!(cores(&[engine(1, false), engine(4, false)]), 4);
        assert_eq!(cores(&[engine(1, true), engine(1, false)]), 2);
        assert_eq!(cores(&[engine(2, true), engine(4, true)]), 6);
        // Two of a tournament's engines meet at a time.
        assert_eq!(
            cores(&[engine(1, true), engine(1, true), engine(2, true)]),
            3
        );
        assert_eq!(cores(&[]), 1);
    }
}
