//! Why no machine plays a workload, as far as the server's list of machines shows.

use std::collections::BTreeSet;

use crate::http::Unanswered;
use crate::read::api::Info;
use crate::read::tables::{self, Machine};
use crate::session::Session;
use foundation::counted;
use openbench_command::workload::Kind;

/// What the server's list of machines leaves out. It goes by when a machine last registered, took a
/// workload or reported; an answer without a workload does not count.
pub const UNLISTED: &str = "a worker is listed for two minutes after it starts, takes a workload or reports; an idle one is not";

/// Threads that a machine must offer. A tune plays both games of a pair at a time, so it needs
/// twice those of a test.
pub fn threads_needed(info: &Info) -> u32 {
    let threads = [&info.dev_options, &info.base_options].map(|options| {
        let word = options
            .split_whitespace()
            .find_map(|word| word.strip_prefix("Threads="));
        word.and_then(|value| value.trim_matches(['"', '\'']).parse().ok())
            .unwrap_or(1)
    });
    let at_a_time = if info.kind() == Kind::Tune { 2 } else { 1 };
    let most: u32 = threads[0].max(threads[1]);
    most.saturating_mul(at_a_time)
}

/// Fetches the list of machines, and says why none of them plays the workload.
pub async fn explain(session: &mut Session, info: &Info) -> Result<String, Unanswered> {
    let machines = session.page("/machines/", &[], tables::machines).await?;
    Ok(reason(info, &machines))
}

/// What keeps every machine that is online from a workload, if something does.
pub async fn unable(session: &mut Session, info: &Info) -> Result<Option<String>, Unanswered> {
    let machines = session.page("/machines/", &[], tables::machines).await?;
    let needed = threads_needed(info);
    let able = machines.iter().any(|machine| machine.threads >= needed);
    Ok((!able).then(|| reason(info, &machines)))
}

fn reason(info: &Info, machines: &[Machine]) -> String {
    let (kind, id, needed) = (info.kind().word(), info.id, threads_needed(info));
    let because = if info.kind() == Kind::Tune {
        " (a tune plays both games of a pair at a time)"
    } else {
        ""
    };
    let needs = format!(
        "{kind} {id} needs a worker with {}{because}",
        counted(needed, "thread")
    );
    if machines.is_empty() {
        return format!("{needs}; the server lists none: {UNLISTED}");
    }
    let count = machines.len() as u32;
    let online = format!("{} online", counted(count, "worker"));
    let able = machines.iter().filter(|machine| machine.threads >= needed);
    let workloads: Vec<Option<u64>> = able.map(|machine| machine.workload).collect();
    if workloads.is_empty() {
        let most = machines.iter().map(|machine| machine.threads).max();
        let most = most.unwrap_or_default();
        return format!("{needs}; of the {online} none has more than {most}");
    }
    if workloads.contains(&Some(id)) {
        return format!(
            "a worker has {kind} {id}: it builds and benches the engines, or has reported no games \
             within two minutes"
        );
    }
    if let Some(others) = workloads.into_iter().collect::<Option<BTreeSet<u64>>>() {
        let others: Vec<String> = others.iter().map(|other| format!("#{other}")).collect();
        return format!(
            "the {online} {} {}; a higher --priority of `modify` puts {kind} {id} before them",
            if count == 1 { "plays" } else { "play" },
            others.join(", ")
        );
    }
    format!(
        "of the {online} some have the threads; they lack a compiler, a CPU flag, a token or the \
         tablebases that {kind} {id} asks for, or could not build it (see `errors {id}`)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(mode: &str, dev: &str, base: &str) -> Info {
        Info {
            id: 7,
            test_mode: mode.to_owned(),
            dev_options: dev.to_owned(),
            base_options: base.to_owned(),
            ..Info::default()
        }
    }

    fn machine(threads: u32, workload: Option<u64>) -> Machine {
        Machine {
            workload,
            threads,
            ..Machine::default()
        }
    }

    #[test]
    fn a_tune_needs_twice_the_threads_of_a_test() {
        let needed = |mode, base| threads_needed(&info(mode, "Threads=1 Hash=16", base));
        assert_eq!(needed("SPRT", "Threads=1 Hash=16"), 1);
        assert_eq!(needed("SPSA", "Threads=1 Hash=16"), 2);
        assert_eq!(needed("SPSA", "Threads=4 Hash=16"), 8);
        assert_eq!(needed("SPRT", "Hash=16"), 1);
    }

    #[test]
    fn what_keeps_workers_away_is_named() {
        let tune = info("SPSA", "Threads=1", "Threads=1");
        for (machines, said) in [
            (
                vec![],
                "the server lists none: a worker is listed for two minutes",
            ),
            (
                vec![machine(1, None), machine(1, Some(3))],
                "needs a worker with 2 threads (a tune plays both games of a pair at a time); of \
                 the 2 workers online none has more than 1",
            ),
            (
                vec![machine(4, Some(3))],
                "the 1 worker online plays #3; a higher --priority",
            ),
            (vec![machine(4, Some(7))], "a worker has tune 7"),
            (vec![machine(4, None)], "lack a compiler"),
        ] {
            let text = reason(&tune, &machines);
            assert!(text.contains(said), "{text}");
        }
    }
}
