//! The list of parameters that an engine prints itself, as many do for OpenBench.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use crate::formats::Format;
use crate::formats::location::Source;
use crate::parameter::Parameter;

/// The `spsa` command of an engine has so long to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The answer to the command line `ENGINE spsa`, where it is a list of parameters.
pub(crate) async fn read(engine: &Path) -> Option<Vec<Parameter>> {
    let mut command = Command::new(engine);
    command
        .arg("spsa")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let output = timeout(TIMEOUT, command.output()).await.ok()?.ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.split(',').count() == 7)
        .collect();
    let text = lines.join("\n");
    let source = Source {
        name: "spsa",
        text: &text,
    };
    let read = Format::Openbench.read(source, 1).ok()?;
    Some(read.content.parameters)
}
