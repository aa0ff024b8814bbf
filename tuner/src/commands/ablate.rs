//! `tuner ablate`: what each technique of an engine is worth.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use analysis::suite::Position;
use analysis::suite::plan::SuiteFile;
use clap::Args;
use engine_client::{Limit, UciOption};
use foundation::{Exit, Failure, Printer, failure::OrUnable, files, run_folder};
use runs::plan::{Contender, EngineSettings, Entry, PlayPlan, Trial, with_last_values};
use runs::signals::Signals;
use runs::state_folder::new_run_path;

use crate::ablation::cuts;
use crate::ablation::figures::{self, Ablated, SuiteResult};
use crate::ablation::report::Report;
use crate::ablation::setting::{BASELINE, Setting, made, switches};
use crate::ablation::stages;
use crate::checks::options;
use crate::commands::probing::Probing;
use crate::commands::settings::{EngineArgs, ProbeFlags, Settings};
use crate::run::printed::to_json;
use crate::words;

/// The arguments of `tuner ablate`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = "\
Exit codes:
  0    all was measured
  2    error: usage, environment or network
  3    the engine or the judge failed
  130  interrupted by Ctrl-C; continue with the same command and --out
  143  terminated; continue with the same command and --out")]
pub(crate) struct AblateArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub probe: ProbeFlags,
    /// Toggle the switches of these options only, separated by commas [default: every option of
    /// type check or combo, and numbers from 0 to 1]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Settings"
    )]
    pub switch: Vec<String>,
    /// A value that disables a technique which has no switch; may be repeated
    #[arg(long, value_name = "OPTION=VALUE", help_heading = "Settings")]
    pub off: Vec<String>,
    /// A setting of several options: 'mine: RfpMargin=110, NmpEnable=0', or the name of one in
    /// [settings] of whetstone.toml; may be repeated. One that is called `conservative` or `disabled`
    /// replaces the one that is made
    #[arg(
        long,
        value_name = "NAME[: OPTION=VALUE, ...]",
        help_heading = "Settings"
    )]
    pub setting: Vec<String>,
    /// Games of each setting against the baseline, an even number; 0 plays none
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Stages")]
    pub games: u64,
    /// Positions with solutions, as EPD; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Stages")]
    pub suite: Vec<PathBuf>,
    /// Nodes of a search of the suite [default: the limit of the games, where it is no clock]
    #[arg(long, value_name = "N", help_heading = "Stages")]
    pub suite_nodes: Option<u64>,
    /// Engine that judges the moves of the games
    #[arg(long, value_name = "ENGINE", help_heading = "Stages")]
    pub judge: Option<String>,
    /// Nodes of a judgement
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Stages")]
    pub judge_nodes: u64,
    /// Folder of games, answers and judgements; one that holds some of this ablation is continued
    /// [default: a new one under the state folder]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Draw the table as an HTML page
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub page: Option<PathBuf>,
    /// Print the settings as JSON and measure nothing
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

pub(crate) async fn run(args: AblateArgs, printer: Printer) -> Result<Exit, Failure> {
    if !args.games.is_multiple_of(2) {
        return Err(Failure::unable(format!(
            "--games {}: expected an even number",
            args.games
        )));
    }
    if args.judge.is_some() && args.games == 0 {
        return Err(
            Failure::unable("--judge without games").hint("leave it out, or give --games a number")
        );
    }
    args.page
        .as_deref()
        .map_or(Ok(()), run_folder::refuse_record)?;
    let mut settings = args.engine.resolve_fixed(printer).await?;
    let suite = stages::positions(&args.suite, &settings.play, printer)?;
    options::require(&options::lint(&settings.file.parameters, &settings.options))?;
    let chosen = args.settings(&settings)?;
    if args.dry_run {
        let rows: Vec<Ablated> = chosen.iter().map(Ablated::from).collect();
        printer.result(&to_json(&rows)?);
        return Ok(Exit::Yes);
    }
    let signals = Signals::listen()?;
    let out = match &args.out {
        Some(out) => out.clone(),
        None => new_run_path(&format!("ablate-{}", settings.engine.name))?,
    };
    std::fs::create_dir_all(&out).or_unable(format_args!("make the folder `{}`", out.display()))?;
    if !settings.has_seed
        && let Some(seed) = stages::seed(&out)?
    {
        settings.play.book.reading.seed = seed;
    }
    let measured = args.measure(&settings, &chosen, suite, &out, &signals, printer);
    let measured = Box::pin(measured).await.inspect_err(|_| {
        // Only where it is empty.
        let _ = std::fs::remove_dir(&out);
    });
    let Some(report) = measured? else {
        printer.note(&format!(
            "interrupted; continue with {}",
            words::same_command(&out)
        ));
        return Ok(signals.exit());
    };
    files::replace(&out.join("result.json"), report.json()?)?;
    printer.result(&if args.json {
        report.json()?
    } else {
        report.table()
    });
    if let Some(page) = &args.page {
        run_folder::write_output(page, report.page())?;
    }
    printer.note(&format!("what was measured is in `{}`", out.display()));
    Ok(Exit::Yes)
}

impl AblateArgs {
    /// The baseline, and the settings that are compared with it.
    fn settings(&self, settings: &Settings) -> Result<Vec<Setting>, Failure> {
        let engine = &settings.options;
        let mut turned = switches(engine, &settings.engine.settings.options);
        for name in &self.switch {
            check_switch(name, &turned, engine)?;
        }
        let is_chosen = |it: &Setting| {
            let mut own = it.options.iter();
            self.switch.is_empty()
                || own.any(|(name, _)| {
                    self.switch
                        .iter()
                        .any(|it| it.trim().eq_ignore_ascii_case(name))
                })
        };
        let named = self.setting.iter().map(|text| Setting::parse(text));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        let off = self.off.iter().map(|text| Setting::parse_one(text));
        let off = off.collect::<Result<Vec<_>, _>>()?;
        let mut made = made(&settings.file.parameters, &turned);
        // Engines of a tournament whose names differ only in case get other ones.
        let is_same =
            |one: &Setting, other: &Setting| one.name.to_lowercase() == other.name.to_lowercase();
        made.retain(|it| named.iter().all(|other| !is_same(other, it)));
        if !self.switch.is_empty() {
            made.clear();
        }
        turned.retain(is_chosen);
        let mut all = vec![Setting::baseline()];
        all.extend(turned.into_iter().chain(off).chain(made).chain(named));
        for (place, setting) in all.iter().enumerate() {
            setting.verify(engine)?;
            if let Some(other) = all[..place].iter().find(|it| is_same(it, setting)) {
                return Err(Failure::unable(format!(
                    "two settings are called `{}` and `{}`",
                    other.name, setting.name
                ))
                .hint("give each a name of its own, not only in upper and lower case"));
            }
        }
        if all.len() == 1 {
            return Err(Failure::unable("there is nothing to switch: the engine has no option of type check or combo")
                .hint("--off OPTION=VALUE names values that disable, --setting NAME: OPTION=VALUE several at once"));
        }
        Ok(all)
    }

    /// One stage after the other; `None` if the user interrupted it.
    async fn measure(
        &self,
        settings: &Settings,
        chosen: &[Setting],
        suite: Suite,
        out: &Path,
        signals: &Signals,
        printer: Printer,
    ) -> Result<Option<Report>, Failure> {
        let play = &settings.play;
        let engine = |setting: &Setting| with(&settings.engine, setting);
        let mut engines: Vec<Contender> = chosen.iter().map(engine).collect();
        let mut probing = Probing::new(printer);
        let asked = |contender: &Contender| self.probe.questions_to(contender, &self.engine, play);
        let positions = asked(&engines[0])?.positions().len();
        let count = engines.len();
        let on_progress = |done| probing.at(done, count, "settings searched");
        let Some(traces) =
            stages::searches(&engines, asked, play.concurrency, signals, on_progress).await?
        else {
            return Ok(None);
        };
        let row = |(setting, trace)| Ablated::from(setting).of_searches(&traces[0], trace);
        let mut rows: Vec<Ablated> = chosen.iter().zip(&traces).map(row).collect();
        let mut places = 0..;
        let is_idle = |place: usize| place > 0 && rows[place].changes_nothing;
        engines.retain(|_| places.next().is_some_and(|place| !is_idle(place)));

        let pruning = match counting(&engines[0], &settings.options) {
            Some(counting) => {
                let asked = asked(&counting)?;
                let counted = stages::cuts(&asked);
                let Some(pruning) = signals.unless_interrupted(counted).await? else {
                    return Ok(None);
                };
                pruning
            }
            None => BTreeMap::new(),
        };
        let suite_limit = self.suite_limit(play);
        if !suite.1.is_empty() {
            let searches = suite.1.len() * engines.len();
            let limit = suite_limit.clone();
            let on_progress = |done| probing.at(done, searches, "positions of the suite searched");
            let Some(found) =
                stages::suite(out, &engines, suite, limit, play, signals, on_progress).await?
            else {
                return Ok(None);
            };
            for (engine, found) in engines.iter().zip(found) {
                row_of(&mut rows, &engine.name)?.suite = Some(SuiteResult {
                    solved: found.solved,
                    searches: found.searches,
                    points: found.points,
                    most_points: found.most_points,
                });
            }
        }
        probing.finish();
        let pairs = if engines.len() > 1 { self.games / 2 } else { 0 };
        if pairs > 0 {
            let played = stages::games(out, &engines, pairs, play, signals, printer);
            let Some(lines) = Box::pin(played).await? else {
                return Ok(None);
            };
            for (name, games) in figures::games(&lines, BASELINE) {
                row_of(&mut rows, &name)?.games = Some(games);
            }
        }
        if let Some(source) = self.judge.as_ref().filter(|_| pairs > 0) {
            let limit = Limit::nodes(self.judge_nodes);
            let judge = judge(source, &limit, play, printer).await?;
            let mut probing = Probing::new(printer);
            let on_progress = |done| probing.at(done, 0, "positions of the games judged");
            let judged = stages::blunders(out, judge, limit, play, signals, on_progress).await?;
            probing.finish();
            let Some(rates) = judged else {
                return Ok(None);
            };
            for (name, rate) in rates {
                row_of(&mut rows, &name)?.blunders = Some(rate);
            }
        }
        Ok(Some(Report {
            schema: "tuner-ablation",
            version: 1,
            engine: settings.engine.engine_name.clone(),
            depth: self.probe.probe_depth,
            positions,
            limit: play.limit.to_string(),
            suite_limit: (!self.suite.is_empty()).then(|| suite_limit.to_string()),
            judge: self.judge.clone(),
            settings: rows,
            pruning,
        }))
    }

    /// The limit of the games, unless that is a clock.
    fn suite_limit(&self, play: &PlayPlan) -> Limit {
        let usual = &play.limit;
        match self.suite_nodes {
            Some(nodes) => Limit::nodes(nodes),
            None if usual.nodes.is_some() || usual.depth.is_some() || usual.movetime.is_some() => {
                usual.clone()
            }
            None => Limit::nodes(100_000),
        }
    }
}

/// Files and positions of a suite.
type Suite = (Vec<SuiteFile>, Vec<Position>);

impl From<&Setting> for Ablated {
    fn from(setting: &Setting) -> Self {
        Self {
            name: setting.name.clone(),
            options: setting.options.iter().cloned().collect(),
            ..Self::default()
        }
    }
}

/// The engine with a setting, by whose name it is known.
fn with(engine: &Contender, setting: &Setting) -> Contender {
    let options = engine.settings.options.iter().chain(&setting.options);
    let settings = EngineSettings {
        options: with_last_values(options.cloned()),
        ..engine.settings.clone()
    };
    Contender {
        name: setting.name.clone(),
        files: settings.files(),
        settings,
        ..engine.clone()
    }
}

/// The baseline with the counts of its cuts switched on, where it has them.
fn counting(baseline: &Contender, options: &[UciOption]) -> Option<Contender> {
    let has = |name: &str| options.iter().any(|it| it.name.eq_ignore_ascii_case(name));
    let set = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut own = vec![set((cuts::SWITCH, "true"))];
    own.extend(has(cuts::SAMPLE.0).then(|| set(cuts::SAMPLE)));
    let setting = Setting {
        name: BASELINE.to_owned(),
        options: own,
    };
    has(cuts::SWITCH).then(|| with(baseline, &setting))
}

/// The engines of suites and games are called by their settings.
fn row_of<'a>(rows: &'a mut [Ablated], name: &str) -> Result<&'a mut Ablated, Failure> {
    let row = rows.iter_mut().find(|row| row.name == name);
    row.ok_or_else(|| {
        Failure::unable(format!(
            "`{name}` was measured, which is no setting of this ablation"
        ))
    })
}

/// Fails where no switch of the engine has this name.
fn check_switch(name: &str, switches: &[Setting], engine: &[UciOption]) -> Result<(), Failure> {
    let name = name.trim();
    let mut all = switches.iter().flat_map(|it| &it.options);
    if all.any(|(own, _)| own.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let is_there = engine.iter().any(|it| it.name.eq_ignore_ascii_case(name));
    Err(if is_there {
        Failure::unable(format!("--switch {name}: the option is no switch"))
            .hint(format!("--off {name}=VALUE names the value that disables"))
    } else {
        Failure::unable(format!("--switch {name}: the engine has no such option"))
    })
}

async fn judge(
    source: &str,
    limit: &Limit,
    play: &PlayPlan,
    printer: Printer,
) -> Result<Contender, Failure> {
    let entry = Entry {
        source: source.to_owned(),
        ..Entry::default()
    };
    let trial = Trial {
        limit: Some(limit.clone()),
        ..play.trial()?
    };
    Contender::resolve(&entry, &trial, printer).await
}
