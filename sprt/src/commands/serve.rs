//! `sprt serve`: pages of the runs of this machine.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use foundation::{Exit, Failure, Printer, failure::OrUnable, folders};
use tokio::net::TcpListener;

use crate::serve::{Site, router, token, until_interrupted};
use analysis::Kind;
use runs::signals::Signals;
use runs::state_folder::find_run;

/// Where the pages are served.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Runs to show, by folder or by name as `sprt list` shows it, besides those of the state
    /// folder; the address leads to the run where it is one
    pub runs: Vec<PathBuf>,
    /// Port to listen on; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 8484)]
    pub port: u16,
    /// Address to listen on; any but a loopback address lets other machines see the runs
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// Let everybody who can reach the address read the runs; without this the token in the printed
    /// address is needed, and changes always need it
    #[arg(long)]
    pub open: bool,
}

/// Text as a part of an address.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            encoded.push(byte.into());
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// What to do where an address cannot be listened on.
fn next_step(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::AddrInUse => {
            "where that is another `sprt serve`, its page lists the runs of the state folder; --port \
             0 takes any port that is free"
        }
        ErrorKind::AddrNotAvailable => {
            "--listen takes an address of this machine, such as 127.0.0.1"
        }
        _ => "--port 0 takes any port that is free",
    }
}

/// Serves until a signal comes. Runs are played by their own processes and continue.
pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let runs = args
        .runs
        .iter()
        .map(|run| {
            let run = find_run(run)?;
            // A folder without a plan is no run.
            Kind::of(&run).map(|_| run)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let address = SocketAddr::new(args.listen, args.port);
    let bound = TcpListener::bind(address).await;
    let hint = bound.as_ref().map_or_else(next_step, |_| "");
    let listener = bound
        .or_unable(format_args!("listen on {address}"))
        .map_err(|failure| failure.hint(hint))?;
    let address = listener.local_addr().or_unable("find out the port")?;
    let site = Site::new(&runs, address, token::kept(&folders::state()?)?, args.open);
    if args.open {
        let who = if address.ip().is_loopback() {
            "all users of this machine"
        } else {
            "other machines"
        };
        printer.warn(&format!("{who} can read these runs"));
    }
    if !address.ip().is_loopback() {
        printer.warn(
            "the connection is not encrypted; the token in the address below can be overheard",
        );
    }
    // A user who names one run wants to see that one.
    let place = match &runs[..] {
        [run] => site
            .name(run)
            .map_or_else(String::new, |name| format!("#{}", encoded(&name))),
        _ => String::new(),
    };
    printer.result(&format!("http://{address}/?token={}{place}", site.token()));
    printer.note(
        "open this address in a browser; its token lets you read runs and stop them, so keep it to \
         yourself; Ctrl-C ends the pages, not the runs",
    );
    until_interrupted(listener, router(site), &signals).await;
    Ok(Exit::Yes)
}
