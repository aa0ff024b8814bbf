//! Several engines examined at a time.

use foundation::{Failure, failure::OrUnable};
use tokio::task::JoinSet;

/// Waits for all tasks, `jobs` at a time; results come in the tasks' order. `progress` gets how many are done.
pub async fn all<T, R>(
    tasks: impl Iterator<Item = T>,
    jobs: usize,
    progress: impl Fn(usize),
) -> Result<Vec<R>, Failure>
where
    T: Future<Output = Result<R, Failure>> + Send + 'static,
    R: Send + 'static,
{
    let mut waiting = tasks.enumerate();
    let mut running = JoinSet::new();
    let mut ended = Vec::new();
    loop {
        while running.len() < jobs.max(1)
            && let Some((index, task)) = waiting.next()
        {
            running.spawn(async move { (index, task.await) });
        }
        let Some(next) = running.join_next().await else {
            break;
        };
        let (index, result) = next.or_unable("examine an engine")?;
        ended.push((index, result?));
        progress(ended.len());
    }
    ended.sort_by_key(|(index, _)| *index);
    Ok(ended.into_iter().map(|(_, result)| result).collect())
}
