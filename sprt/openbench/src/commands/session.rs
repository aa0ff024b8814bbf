//! The session with which all commands of `sprt openbench` begin.

use foundation::{Failure, Printer};
use openbench_command::flags::ServerArgs;
use openbench_command::workload::WorkloadName;

use crate::session::Session;
use crate::settings::Settings;

/// A session on the server of a workload.
pub(super) fn session(
    server: &ServerArgs,
    name: Option<&WorkloadName>,
    printer: Printer,
) -> Result<Session, Failure> {
    Settings::find()?.session(server, name, printer)
}
