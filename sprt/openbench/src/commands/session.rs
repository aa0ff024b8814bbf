//! What all commands of `sprt openbench` begin with.

use foundation::{Failure, Printer};
use openbench_command::flags::ServerArgs;
use openbench_command::workload::WorkloadName;

use crate::session::Session;
use crate::settings::Settings;

/// A visit to the server that a workload is on.
pub(super) fn session(
    server: &ServerArgs,
    name: Option<&WorkloadName>,
    printer: Printer,
) -> Result<Session, Failure> {
    Settings::find()?.session(server, name, printer)
}
