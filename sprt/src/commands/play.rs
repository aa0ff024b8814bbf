//! `sprt play`: a page on which a person plays against an engine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use engine_client::{Limit, LogTarget, Timeouts};
use foundation::command_line::count;
use foundation::{Exit, Failure, Printer, failure::OrUnable};
use referee::game;
use tokio::net::TcpListener;

use crate::play::{Player, SharedTable, Table, play_engines, router};
use crate::serve::{Site, token, until_interrupted};
use runs::plan::{Contender, EngineFlags, EngineSettings, Trial};
use runs::signals::Signals;

/// Play against an engine, on a page in the browser
///
/// A person has White and the engine Black at first; on the page each side can be given to a person
/// or to any engine that is named here. The page shows what the engine thinks, can take back moves,
/// and saves the game as PGN. Engines are those of this command line: a page cannot start programs.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The engines: programs, git revisions, or folders with a Makefile (`.`); without one, two
    /// persons play
    pub engines: Vec<String>,
    /// The game
    #[arg(long, value_name = "NAME", default_value = game::variants::USUAL)]
    pub variant: String,
    /// Clock of both sides: base+increment in seconds; persons lose on time, too
    #[arg(long, value_name = "LIMIT")]
    pub tc: Option<String>,
    /// Nodes of an engine's move
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub nodes: Option<u64>,
    /// Depth of an engine's move
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u32>,
    /// Milliseconds of an engine's move [default: 1000, unless another limit is given]
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Option of all engines; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// Position, or game so far, to begin with: FEN, moves, or `startpos moves ...`
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub position: String,
    /// Port to listen on; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// Do not open a browser
    #[arg(long)]
    pub no_browser: bool,
}

const USUAL_MS: u64 = 1000;
const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(10),
    answer: Duration::from_mins(2),
};

/// Serves the page until a signal comes.
pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let variant = game::find(&args.variant)?;
    let has_limit = args.tc.is_some() || args.nodes.is_some() || args.depth.is_some();
    let flags = EngineFlags {
        option: args.option.clone(),
        tc: args.tc.clone(),
        nodes: args.nodes,
        depth: args.depth,
        movetime: args.movetime.or((!has_limit).then_some(USUAL_MS)),
        ..EngineFlags::default()
    };
    let (mut players, mut engines, mut common) = (Vec::new(), Vec::new(), Limit::default());
    for source in &args.engines {
        let entry = flags.entry(source, &EngineSettings::default())?;
        let limit = entry.settings.limit.clone().unwrap_or_default();
        let trial = Trial {
            variant,
            timeouts: TIMEOUTS,
            limit: Some(limit.clone()),
        };
        let engine = Contender::resolve(&entry, &trial, printer).await?;
        players.push(Player::new(
            &engine.name,
            &engine.engine_name,
            &engine.engine_author,
            limit.clone(),
        ));
        let mut launch = engine.launch(variant);
        launch.log = LogTarget::new(None, printer);
        common.clone_from(&limit);
        engines.push((launch, limit));
    }
    if args.engines.is_empty() {
        let entry = flags.entry("", &EngineSettings::default())?;
        common = entry.settings.limit.unwrap_or_default();
    }
    let mut table = Table::new(variant, players, common)?;
    if !args.position.is_empty() {
        table.begin_with(&args.position)?;
    }
    let shared = SharedTable::new(table);
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), args.port);
    let listener = TcpListener::bind(address)
        .await
        .or_unable(format_args!("listen on {address}"))
        .map_err(|failure| failure.hint("--port 0 takes any port that is free"))?;
    let address = listener.local_addr().or_unable("find out the port")?;
    let site = Site::new(&[], address, token::random()?, false);
    let url = format!("http://{address}/?token={}", site.token());
    printer.result(&url);
    printer.note("open this address in a browser; Ctrl-C ends the game and its engines");
    if !args.no_browser {
        foundation::platform::open_page(&url);
    }
    let router = router(site, shared.clone());
    tokio::select! {
        () = until_interrupted(listener, router, &signals) => {}
        () = play_engines(shared, engines, TIMEOUTS) => {}
    }
    Ok(Exit::Yes)
}
