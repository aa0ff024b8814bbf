//! The flags by which an engine is made a judge of positions.

use analysis::blunders::plan::{BlundersPlan, GamesFile};
use engine_client::{Limit, Timeouts};
use foundation::command_line::count;
use foundation::{Failure, Printer};
use referee::game::Variant;
use runs::plan::{Contender, EngineFlags, EngineSettings, Entry, MatchFlags, Trial, wait_seconds};

/// Who judges, and how long.
#[derive(clap::Args, Clone, Debug)]
pub struct JudgeFlags {
    /// Engine that judges: a program, a git revision, or a folder with a Makefile
    #[arg(long, value_name = "ENGINE")]
    pub judge: String,
    /// Nodes of a judgement [default: 100000, where no depth is given]
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub nodes: Option<u64>,
    /// Depth of a judgement
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Hash of the judge in MiB [default: 16]
    #[arg(long, value_name = "MIB")]
    pub hash: Option<u32>,
    /// Option of the judge; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// Positions judged at the same time [default: cores]
    #[arg(long, value_name = "N", env = "WHETSTONE_CONCURRENCY", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub concurrency: Option<u64>,
    /// Seconds to wait for the judge to start
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = wait_seconds())]
    pub startup_timeout: u64,
    /// Seconds to wait for a judgement where the limit does not say
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = wait_seconds())]
    pub move_timeout: u64,
}

impl JudgeFlags {
    pub(super) fn limit(&self) -> Result<Limit, Failure> {
        let limit = limit(self.nodes, self.depth)?;
        Ok(limit.unwrap_or_else(|| Limit::nodes(100_000)))
    }

    /// Another limit than the first, of the same kind.
    pub(super) fn again(&self, number: u64, first: &Limit) -> Result<Limit, Failure> {
        let again = match (self.depth, u32::try_from(number)) {
            (Some(_), Ok(depth)) => limit(None, Some(depth))?,
            (Some(_), Err(_)) => None,
            (None, _) => limit(Some(number), None)?,
        };
        again.filter(|again| again != first).ok_or_else(|| {
            Failure::unable(format!(
                "--again {number}: expected another limit than the first"
            ))
        })
    }

    /// Starts the judge and has it search once. `more` are options besides those of the flags.
    pub(super) async fn resolve(
        &self,
        variant: &'static dyn Variant,
        limit: &Limit,
        more: &[&str],
        printer: Printer,
    ) -> Result<Contender, Failure> {
        let options = self.option.iter().map(String::as_str);
        let common = MatchFlags {
            hash: self.hash,
            option: options
                .chain(more.iter().copied())
                .map(str::to_owned)
                .collect(),
            ..MatchFlags::default()
        };
        let entry = Entry {
            source: self.judge.clone(),
            name: None,
            settings: common.settings()?,
        };
        let trial = Trial {
            variant,
            timeouts: Timeouts::of_seconds(self.startup_timeout, self.move_timeout),
            limit: Some(limit.clone()),
        };
        Contender::resolve(&entry, &trial, printer).await
    }

    /// The plan to judge every move of `players` in `games`.
    pub(super) fn plan(
        &self,
        (games, variant): (Vec<GamesFile>, &'static dyn Variant),
        players: &[String],
        judge: Contender,
        limit: Limit,
    ) -> BlundersPlan {
        let cores = foundation::pool::cores();
        let mut plan = BlundersPlan::new(games, judge, limit);
        variant.name().clone_into(&mut plan.variant);
        plan.players = players.to_vec();
        plan.concurrency = self.concurrency.map_or(cores, |number| number as usize);
        plan.startup_timeout_s = self.startup_timeout;
        plan.move_timeout_s = self.move_timeout;
        plan
    }
}

fn limit(nodes: Option<u64>, depth: Option<u32>) -> Result<Option<Limit>, Failure> {
    let flags = EngineFlags {
        nodes,
        depth,
        ..EngineFlags::default()
    };
    Ok(flags.entry("", &EngineSettings::default())?.settings.limit)
}
