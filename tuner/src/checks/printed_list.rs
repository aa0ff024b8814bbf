//! The list of parameters that an engine prints itself, as many do for OpenBench.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use foundation::Failure;
use tokio::process::Command;
use tokio::time::timeout;

use crate::formats::Format;
use crate::formats::location::Source;
use crate::parameter::Parameter;

/// In each line of the list.
const FIELDS: usize = 7;

/// The `spsa` command of an engine has so long to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The answer to the command line `ENGINE spsa`, and warnings of what is not taken of it; none where
/// it is no list of parameters.
///
/// # Errors
/// It is one, and OpenBench would refuse it.
pub(crate) async fn read(engine: &Path) -> Result<Option<(Vec<Parameter>, Vec<String>)>, Failure> {
    let mut command = Command::new(engine);
    command
        .arg("spsa")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let Ok(Ok(output)) = timeout(TIMEOUT, command.output()).await else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let (lines, others): (Vec<&str>, Vec<&str>) = text
        .lines()
        .partition(|line| line.split(',').count() == FIELDS);
    let has_kind = |line: &&str| {
        let kind = line.split(',').nth(1).map(str::trim);
        kind.is_some_and(|kind| ["int", "float"].contains(&kind))
    };
    // Names in a greeting may stand between commas, too.
    if !lines.iter().any(has_kind) {
        return Ok(None);
    }
    let odd = others.into_iter().filter(has_kind);
    let mut warnings: Vec<String> = odd
        .map(|line| {
            format!("not taken of what `ENGINE spsa` prints, without {FIELDS} fields: {line}")
        })
        .collect();
    let text = lines.join("\n");
    let source = Source {
        name: "the list that `ENGINE spsa` prints",
        text: &text,
    };
    let read = Format::Openbench.read(source, 1)?;
    warnings.extend(read.warnings);
    Ok(Some((read.content.parameters, warnings)))
}
