//! `sprt openbench stop|restart|delete|restore|approve`.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Manage;

use super::session::session;
use crate::manage::{self, Action};

pub async fn run(args: &Manage, action: Action, printer: Printer) -> Result<Exit, Failure> {
    let mut session = session(&args.server, Some(&args.workload), printer)?;
    printer.result(&manage::act(&mut session, args.workload.id, action).await?);
    Ok(Exit::Yes)
}
