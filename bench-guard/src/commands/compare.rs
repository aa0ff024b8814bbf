//! `bench-guard compare A B`: where does one engine search more nodes than the other?

use std::{fmt::Write, fs, path::PathBuf, thread, time::Duration};

use serde::Serialize;

use super::Scene;
use crate::{
    arguments::CompareArguments,
    build,
    compare::{POSITIONS, Row, positions, sort},
    report,
    settings::cores,
    uci::Engine,
};
use foundation::{Exit, Failure, failure::OrUnable};

#[derive(Serialize)]
struct Comparison<'a> {
    schema: &'static str,
    version: u32,
    a: &'a str,
    b: &'a str,
    depth: u32,
    total_a: u64,
    total_b: u64,
    /// Largest difference first.
    positions: &'a [Row],
}

pub fn run(scene: &Scene, arguments: &CompareArguments) -> Result<Exit, Failure> {
    let text = match &arguments.positions {
        Some(file) => fs::read_to_string(scene.path(file))
            .or_unable(format_args!("read `{}`", file.display()))?,
        None => POSITIONS.to_owned(),
    };
    let fens = positions(&text)
        .map_err(|reason| Failure::unable(reason).hint("give one FEN or EPD a line"))?;
    if fens.is_empty() {
        return Err(Failure::unable("there is no position to compare"));
    }
    let binaries = [binary(scene, &arguments.a)?, binary(scene, &arguments.b)?];
    let names = [&arguments.a, &arguments.b];
    let counts: Vec<Result<Vec<u64>, Failure>> = thread::scope(|scope| {
        let handles: Vec<_> = (0..2)
            .map(|side| {
                let (binary, name, fens) = (&binaries[side], names[side], &fens);
                scope.spawn(move || {
                    let mut engine = Engine::start(binary, name, &arguments.options)?;
                    let limit = Duration::from_secs(arguments.limit);
                    fens.iter()
                        .map(|fen| engine.nodes(fen, arguments.depth, limit))
                        .collect()
                })
            })
            .collect();
        handles
            .into_iter()
            .map(|handle| {
                handle
                    .join()
                    .unwrap_or_else(|_| Err(Failure::unable("a thread panicked")))
            })
            .collect()
    });
    let mut counts = counts
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?
        .into_iter();
    let (a, b) = (
        counts.next().unwrap_or_default(),
        counts.next().unwrap_or_default(),
    );
    let mut rows: Vec<Row> = fens
        .iter()
        .zip(a.iter().zip(&b))
        .map(|(fen, (a, b))| Row::new(fen, *a, *b))
        .collect();
    sort(&mut rows);
    let (total_a, total_b) = (a.iter().sum(), b.iter().sum());
    if arguments.json {
        scene.printer.result(&report::print_json(&Comparison {
            schema: "bench-guard-compare",
            version: 1,
            a: &arguments.a,
            b: &arguments.b,
            depth: arguments.depth,
            total_a,
            total_b,
            positions: &rows,
        }));
    } else {
        let total = Row::new(
            &format!(
                "total of {} positions, depth {}",
                rows.len(),
                arguments.depth
            ),
            total_a,
            total_b,
        );
        scene.printer.result(&table(&rows, &total));
    }
    Ok(Exit::Yes)
}

fn table(rows: &[Row], total: &Row) -> String {
    let mut text = format!(
        "{:>12} {:>12} {:>8}  position\n",
        "nodes of A", "nodes of B", "B / A"
    );
    for row in rows.iter().chain([total]) {
        let change = match row.ratio {
            Some(ratio) => format!("{:+.1}%", 100.0 * (ratio - 1.0)),
            None => "-".to_owned(),
        };
        let _ = writeln!(text, "{:>12} {:>12} {change:>8}  {}", row.a, row.b, row.fen);
    }
    text.trim_end().to_owned()
}

/// A program where there is one of that name, else a revision, built.
fn binary(scene: &Scene, text: &str) -> Result<PathBuf, Failure> {
    let path = scene.path(text.as_ref());
    if path.is_file() {
        return Ok(path);
    }
    let repository = scene.repository()?;
    let revision = repository.resolve(text).map_err(|failure| {
        if text.contains('/') {
            failure.hint(format!("there is no file `{}` either", path.display()))
        } else {
            failure
        }
    })?;
    let settings = scene.settings(None)?.build_settings(cores());
    let built = build::binary(&repository, &revision, &settings, &|text| {
        scene.printer.note(text);
    })
    .map_err(|not_built| {
        Failure::from(not_built).context(format_args!("build of {}", revision.name()))
    })?;
    Ok(built.path)
}
