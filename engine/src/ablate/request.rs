//! The arguments of `ablate`.

use crate::techniques::{SWITCHES, Switch};

/// What is asked for.
#[derive(Debug)]
pub(super) struct Request<'a> {
    /// Depth of the count of nodes.
    pub depth: i32,
    /// Nodes of each move of a match and of each position of a suite.
    pub nodes: u64,
    /// Games of each match; none without.
    pub games: u32,
    pub seed: u64,
    pub suite: Option<&'a str>,
    pub json: bool,
    /// Parameters of the techniques to switch; empty means all.
    params: Vec<&'a str>,
}

impl Request<'_> {
    pub fn wants(&self, switch: &Switch) -> bool {
        self.params.is_empty()
            || self
                .params
                .iter()
                .any(|param| param.eq_ignore_ascii_case(switch.param))
    }
}

pub(super) fn parse<'a>(words: &[&'a str]) -> Result<Request<'a>, String> {
    let mut request = Request {
        depth: 10,
        nodes: 2_000,
        games: 40,
        seed: 1,
        suite: None,
        json: false,
        params: Vec::new(),
    };
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        let mut number = |least: u64| {
            let text = rest.next().unwrap_or_default();
            text.parse::<u64>()
                .ok()
                .filter(|&number| number >= least)
                .ok_or_else(|| format!("{word}: expected a number from {least} on, got '{text}'"))
        };
        match word {
            "depth" => request.depth = number(1)?.min(120) as i32,
            "nodes" => request.nodes = number(1)?,
            "seed" => request.seed = number(0)?,
            "games" => {
                let games = number(0)?;
                request.games = u32::try_from(games)
                    .ok()
                    .filter(|games| games % 2 == 0)
                    .ok_or_else(|| format!("games: expected an even number, got {games}"))?;
            }
            "suite" => {
                request.suite = Some(rest.next().ok_or("suite: expected a file")?);
            }
            "json" => request.json = true,
            _ if SWITCHES
                .iter()
                .any(|switch| switch.param.eq_ignore_ascii_case(word)) =>
            {
                request.params.push(word);
            }
            _ => {
                return Err(format!(
                    "unknown argument '{word}'; expected depth, nodes, games, seed, suite, json or \
                     the parameter of a technique, as RfpEnable"
                ));
            }
        }
    }
    Ok(request)
}
