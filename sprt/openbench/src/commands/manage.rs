//! `sprt openbench stop|restart|delete|restore|approve`.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Manage;

use crate::manage::{self, Action};
use crate::settings::Settings;

pub async fn run(args: &Manage, action: Action, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, Some(&args.workload), printer)?;
    printer.result(&manage::act(&mut session, args.workload.id, action).await?);
    Ok(Exit::Yes)
}
