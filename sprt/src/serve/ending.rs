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
    let (interrupt, late) = (signals.interrupt.clone(), signals.interrupt.clone());
    let served = axum::serve(listener, router)
        .with_graceful_shutdown(async move { interrupt.cancelled().await });
    tokio::select! {
        served = async { served.await } => served.or_unable("serve pages"),
        () = async { late.cancelled().await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}
