//! What all commands of `sprt openbench` begin with.

use foundation::{Failure, Printer};
use openbench::address::WorkloadName;
use openbench::session::Session;
use openbench::settings::{ServerArgs, Settings};

/// A visit to the server that a workload is on.
pub(super) fn session(
    server: &ServerArgs,
    name: Option<&WorkloadName>,
    printer: Printer,
) -> Result<Session, Failure> {
    Settings::find()?.session(server, name, printer)
}
