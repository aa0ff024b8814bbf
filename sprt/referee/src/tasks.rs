//! Tasks that wait for engines, several at a time: judging openings, screening and examining
//! parameters. CPU-bound work goes to [`foundation::pool`].

use foundation::{Failure, failure::OrUnable};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// The results of the tasks that ended before `stop`, `jobs` at a time and in the tasks' order.
/// `each` gets every result as it comes, with how many there are by then. What is under way at
/// `stop` is dropped, and its engines end with it.
pub async fn run_all<T, R>(
    tasks: impl Iterator<Item = T>,
    jobs: usize,
    stop: &CancellationToken,
    mut each: impl FnMut(usize, &R),
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
        let Some(Some(next)) = stop.run_until_cancelled(running.join_next()).await else {
            break;
        };
        let (index, result) = next.or_unable("wait for a task")?;
        let result = result?;
        each(ended.len() + 1, &result);
        ended.push((index, result));
    }
    ended.sort_by_key(|(index, _)| *index);
    Ok(ended.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_has_ended_by_the_stop_is_kept() {
        let stop = CancellationToken::new();
        let tasks = (0..4_u64).map(|number| async move {
            if number == 2 {
                std::future::pending::<()>().await;
            }
            Ok(number)
        });
        let ending = stop.clone();
        let seen = run_all(tasks, 2, &stop, |done, _| {
            if done == 3 {
                ending.cancel();
            }
        });
        assert_eq!(seen.await.expect("results"), [0, 1, 3]);
    }
}
