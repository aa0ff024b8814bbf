//! How a server ends: requests that are under way are answered first, as far as they are whole.

use std::time::Duration;

use axum::Router;
use foundation::{Failure, failure::OrUnable};
use runs::signals::Signals;
use tokio::net::TcpListener;

/// A request that was not sent to its end keeps its connection open as long as its sender likes.
const GRACE: Duration = Duration::from_secs(2);

/// Serves until a signal comes, and then for a moment at most.
pub(crate) async fn until_interrupted(
    listener: TcpListener,
    router: Router,
    signals: &Signals,
) -> Result<(), Failure> {
    let interrupt = &signals.interrupt;
    let served =
        axum::serve(listener, router).with_graceful_shutdown(interrupt.clone().cancelled_owned());
    tokio::select! {
        served = served.into_future() => served.or_unable("serve pages"),
        () = async { interrupt.cancelled().await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}
