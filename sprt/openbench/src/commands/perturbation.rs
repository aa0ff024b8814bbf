//! `sprt openbench perturbation`: values of a tune as the server would give them to a worker now.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Look;

use super::table::{object, table};
use crate::read::api::{self, Perturbed};
use crate::settings::Settings;

pub async fn run(args: &Look, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, Some(&args.workload), printer)?;
    let id = args.workload.id;
    // For anything but a tune this address returns null.
    let kind = session.info(id).await?.kind();
    if kind != openbench_command::workload::Kind::Tune {
        return Err(Failure::unable(format!(
            "workload {id} is a {}, not a tune",
            kind.word()
        )));
    }
    let value = session
        .json(&format!("/api/spsa/{id}/perturbation/"))
        .await?;
    if args.json {
        let value = value.get("perturbation").cloned().unwrap_or_default();
        object("openbench-perturbation", "perturbation", &value, printer);
        return Ok(Exit::Yes);
    }
    let perturbed: Perturbed = api::part(value, Some("perturbation"))?;
    let rows = perturbed.in_order().into_iter().map(|(name, values)| {
        let first = |list: &[f64]| list.first().map(ToString::to_string).unwrap_or_default();
        [
            name.to_owned(),
            first(&values.dev),
            first(&values.base),
            format!("{:.4}", values.c),
            format!("{:.6}", values.r),
        ]
    });
    let heads = ["parameter", "dev", "base", "c", "r"];
    table(heads, rows, "the tune has no parameters", printer);
    Ok(Exit::Yes)
}
