//! How long a server serves, and what a client may take of it. At its end requests that are under way
//! are answered first, as far as they are whole.

use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use runs::signals::Signals;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// A request that was not sent to its end keeps its connection open as long as its sender likes.
const GRACE: Duration = Duration::from_secs(2);
/// Before the next try where no connection could be accepted, as with too many open files.
const PAUSE: Duration = Duration::from_millis(200);

/// What clients may take.
#[derive(Clone, Copy)]
struct Bounds {
    /// The time until the header of the next request is there.
    header: Duration,
    /// The time that a connection is kept: a client that reads no answers would hold it for ever.
    whole: Duration,
    /// Connections at a time; further ones wait.
    connections: usize,
}

const BOUNDS: Bounds = Bounds {
    header: Duration::from_secs(10),
    whole: Duration::from_mins(10),
    connections: 256,
};

/// Serves until a signal comes, and then for a moment at most.
pub(crate) async fn until_interrupted(listener: TcpListener, router: Router, signals: &Signals) {
    serve(listener, router, BOUNDS, &signals.interrupt).await;
}

async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Bounds,
    interrupt: &CancellationToken,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.header);
    let service = TowerToHyperService::new(router);
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = interrupt.cancelled() => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept(), if connections.len() < bounds.connections => accepted,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let connection = http.serve_connection(TokioIo::new(stream), service.clone());
        let interrupt = interrupt.clone();
        connections.spawn(async move {
            let mut connection = pin!(connection);
            // What is wrong with a connection is the matter of its client.
            tokio::select! {
                _ = &mut connection => return,
                () = interrupt.cancelled() => {}
                () = tokio::time::sleep(bounds.whole) => {}
            }
            connection.as_mut().graceful_shutdown();
            let _ = tokio::time::timeout(GRACE, connection).await;
        });
    }
    let ended = async { while connections.join_next().await.is_some() {} };
    // What is still open then is closed.
    let _ = tokio::time::timeout(GRACE, ended).await;
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    use super::*;

    #[tokio::test]
    async fn a_client_that_sends_no_whole_header_makes_room_for_the_next() {
        let soon = Duration::from_millis(50);
        for bounds in [
            Bounds {
                header: soon,
                ..BOUNDS
            },
            Bounds {
                whole: soon,
                ..BOUNDS
            },
        ] {
            let connections = 1;
            make_room(Bounds {
                connections,
                ..bounds
            })
            .await;
        }
    }

    async fn make_room(bounds: Bounds) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = Router::new().route("/", get(async || "here"));
        let interrupt = CancellationToken::new();
        let ending = interrupt.clone();
        let served = tokio::spawn(async move { serve(listener, router, bounds, &ending).await });
        let exchange = async {
            let mut slow = TcpStream::connect(address).await.expect("connected");
            slow.write_all(b"GET / HT").await.expect("written");
            let mut next = TcpStream::connect(address).await.expect("connected");
            let request = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            next.write_all(request).await.expect("written");
            let mut answer = String::new();
            next.read_to_string(&mut answer).await.expect("answered");
            assert!(answer.ends_with("\r\n\r\nhere"), "{answer}");
            interrupt.cancel();
            served.await.expect("no panic");
        };
        // In place of a test without an end.
        let ended = tokio::time::timeout(Duration::from_mins(1), exchange).await;
        ended.expect("the slow client was let go");
    }
}
