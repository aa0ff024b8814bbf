//! The flags. Those of a workload are texts, like the fields of the server's form that they fill; a
//! flag that is not given is `None`.

use std::path::PathBuf;

use clap::Args;
use foundation::format::FormatArgs;
use foundation::variables;
use serde::Serialize;

/// Which server, and the user who logs in.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Server")]
pub struct ServerArgs {
    /// Address of the server, such as `https://bench.example.org`
    #[arg(long, value_name = "URL", env = variables::OPENBENCH_SERVER)]
    pub server: Option<String>,
    /// User name; the password comes from `OPENBENCH_PASSWORD`, a file or a prompt
    #[arg(long, value_name = "NAME", env = variables::OPENBENCH_USERNAME)]
    pub username: Option<String>,
    /// File that only you can read, with the password as its first line
    #[arg(long, value_name = "FILE", env = variables::OPENBENCH_PASSWORD_FILE)]
    pub password_file: Option<PathBuf>,
    /// Log in over plain HTTP, where everyone on the way can read the password
    #[arg(long)]
    pub allow_http: bool,
}

/// What every workload has.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Workload")]
pub struct FieldArgs {
    /// The engine's name on the server
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Branch, tag or commit to play, which must be pushed [default: that of the preset, else the current branch]
    #[arg(long, value_name = "REF")]
    pub dev: Option<String>,
    /// Its repository on GitHub [default: the remote of this one]
    #[arg(long, value_name = "URL")]
    pub repo: Option<String>,
    /// Its bench, where it cannot be measured here
    #[arg(long, value_name = "NODES")]
    pub dev_bench: Option<String>,
    /// Which of the engine's presets on the server to start from [default: STC, if there is one]
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Options of all engines, with Threads and Hash
    #[arg(long, value_name = "OPTIONS")]
    pub options: Option<String>,
    /// Options of dev alone
    #[arg(long, value_name = "OPTIONS")]
    pub dev_options: Option<String>,
    /// Time control of all engines: 8.0+0.08, 40/60+0.6, N=5000, D=8, MT=100
    #[arg(long, value_name = "TC")]
    pub tc: Option<String>,
    /// Time control of dev alone
    #[arg(long, value_name = "TC")]
    pub dev_tc: Option<String>,
    /// Network of all engines, by name or hash, or `none` [default: the engine's default]
    #[arg(long, value_name = "NET")]
    pub network: Option<String>,
    /// Network of dev alone
    #[arg(long, value_name = "NET")]
    pub dev_network: Option<String>,
    /// Opening book, by its name on the server
    #[arg(long, value_name = "BOOK")]
    pub book: Option<String>,
    /// Games to keep: false, compact or verbose
    #[arg(long, value_name = "HOW")]
    pub upload_pgns: Option<String>,
    /// Workloads of a higher priority are played first
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub priority: Option<String>,
    /// Share of the machines, against others of the same priority
    #[arg(long, value_name = "N")]
    pub throughput: Option<String>,
    /// Tablebases that engines may use: optional, disabled, 3-man to 7-man
    #[arg(long, value_name = "WHICH")]
    pub syzygy_wdl: Option<String>,
    /// Tablebases that end games: optional, disabled, 3-man to 7-man
    #[arg(long, value_name = "WHICH")]
    pub syzygy_adj: Option<String>,
    /// `movecount=3 score=400`, or none
    #[arg(long, value_name = "RULE")]
    pub win_adj: Option<String>,
    /// `movenumber=40 movecount=8 score=10`, or none
    #[arg(long, value_name = "RULE")]
    pub draw_adj: Option<String>,
    /// Whose speed scales the time: dev, base or both
    #[arg(long, value_name = "WHOSE")]
    pub scale_method: Option<String>,
    /// The speed that a time control is meant for
    #[arg(long, value_name = "NPS")]
    pub scale_nps: Option<String>,
    /// A description for people [default: the commit message]
    #[arg(long, value_name = "TEXT")]
    pub info: Option<String>,
}

/// The other side, of a test or of data generation.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Base")]
pub struct BaseArgs {
    /// Branch, tag or commit to play against [default: the preset's]
    #[arg(long, value_name = "REF")]
    pub base: Option<String>,
    /// Its engine's name on the server [default: that of dev]
    #[arg(long, value_name = "NAME")]
    pub base_engine: Option<String>,
    /// Its repository on GitHub [default: that of dev]
    #[arg(long, value_name = "URL")]
    pub base_repo: Option<String>,
    /// Its bench, where it cannot be measured here
    #[arg(long, value_name = "NODES")]
    pub base_bench: Option<String>,
    /// Options of base alone
    #[arg(long, value_name = "OPTIONS")]
    pub base_options: Option<String>,
    /// Time control of base alone
    #[arg(long, value_name = "TC")]
    pub base_tc: Option<String>,
    /// Network of base alone
    #[arg(long, value_name = "NET")]
    pub base_network: Option<String>,
    /// Games that a machine takes at once, per thread
    #[arg(long, value_name = "N")]
    pub workload_size: Option<String>,
}

/// The flags of a test.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Test")]
pub struct TestArgs {
    /// Elo of H0 and H1, normalized
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub bounds: Option<String>,
    /// Probability of accepting H1 although H0 is true
    #[arg(long, value_name = "P")]
    pub alpha: Option<String>,
    /// Probability of accepting H0 although H1 is true
    #[arg(long, value_name = "P")]
    pub beta: Option<String>,
    /// Play so many games instead of testing
    #[arg(long, value_name = "GAMES", conflicts_with_all = ["bounds", "alpha", "beta"])]
    pub max_games: Option<String>,
}

/// The flags of a tune.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Tune")]
pub struct TuneArgs {
    /// Length of the tune
    #[arg(long, value_name = "N")]
    pub spsa_iterations: Option<String>,
    /// Game pairs in an iteration
    #[arg(long, value_name = "N")]
    pub spsa_pairs_per: Option<String>,
    /// How the learning rate falls
    #[arg(long, value_name = "ALPHA")]
    pub spsa_alpha: Option<String>,
    /// How the perturbation falls
    #[arg(long, value_name = "GAMMA")]
    pub spsa_gamma: Option<String>,
    /// A, as a share of the iterations
    #[arg(long, value_name = "RATIO")]
    pub spsa_a_ratio: Option<String>,
    /// When machines report: batched or bulk
    #[arg(long, value_name = "HOW")]
    pub spsa_reporting: Option<String>,
    /// Whether a machine plays a single or multiple perturbations at once
    #[arg(long, value_name = "HOW")]
    pub spsa_distribution: Option<String>,
}

/// The flags of data generation.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Data generation")]
pub struct DatagenArgs {
    /// How many games
    #[arg(long, value_name = "N")]
    pub games: Option<String>,
    /// Words for the engine's `genfens`
    #[arg(long, value_name = "WORDS")]
    pub genfens: Option<String>,
    /// Whether each opening is played with both colours: yes or no
    #[arg(long, value_name = "WHETHER")]
    pub play_reverses: Option<String>,
}

/// The flags of a submission.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Submission")]
pub struct SubmitFlags {
    /// Print the form that would be sent, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Make another workload even if the same was submitted before
    #[arg(long)]
    pub again: bool,
    /// Send the bench that the message or `--dev-bench` claims although another was measured
    #[arg(long)]
    pub force: bool,
    /// Do not ask GitHub whether the commits are pushed
    #[arg(long)]
    pub assume_pushed: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub form: FormatArgs,
    /// Where engines are built, if not in the usual cache.
    #[arg(skip)]
    #[serde(skip)]
    pub cache: Option<PathBuf>,
}

/// What can be changed of a workload.
#[derive(Args, Clone, Debug, Default)]
#[group(required = true, multiple = true)]
pub struct Changes {
    /// Workloads of a higher priority are played first
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub priority: Option<i32>,
    /// Share of the machines, against others of the same priority
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..))]
    pub throughput: Option<i32>,
    /// Games that a machine takes at once, per thread; not of a tune
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..))]
    pub workload_size: Option<i32>,
    /// A description for people
    #[arg(long, value_name = "TEXT")]
    pub info: Option<String>,
}
