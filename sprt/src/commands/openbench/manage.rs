//! `sprt openbench stop|restart|delete|restore|approve`.

use foundation::{Exit, Failure, Printer};
use openbench::address::WorkloadName;
use openbench::manage::{self, Action};
use openbench::settings::ServerArgs;

use super::session::session;

/// A workload to do something to.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Its number, or the address of its page
    #[arg(value_name = "ID|URL")]
    workload: WorkloadName,
    #[command(flatten)]
    server: ServerArgs,
}

pub async fn run(args: &Args, action: Action, printer: Printer) -> Result<Exit, Failure> {
    let mut session = session(&args.server, Some(&args.workload), printer)?;
    printer.result(&manage::act(&mut session, args.workload.id, action).await?);
    Ok(Exit::Yes)
}
