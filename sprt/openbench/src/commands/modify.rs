//! `sprt openbench modify`.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Modify;

use super::table::object;
use crate::manage;
use crate::settings::Settings;

/// Exits with 1 where the server stored something other than what it was sent.
pub async fn run(args: &Modify, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, Some(&args.workload), printer)?;
    let changed = manage::modify(&mut session, args.workload.id, &args.changes).await?;
    if args.json {
        object("openbench-modified", "changes", &changed, printer);
    } else {
        for change in &changed {
            let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
            printer.result(&format!(
                "{}: {} -> {}",
                change.field,
                first(&change.before),
                first(&change.after)
            ));
        }
    }
    for change in changed.iter().filter(|change| !change.is_taken()) {
        printer.warn(&format!(
            "the server keeps {} {} instead of {}",
            change.field, change.after, change.asked
        ));
    }
    let all = changed.iter().all(manage::Changed::is_taken);
    Ok(if all { Exit::Yes } else { Exit::No })
}
