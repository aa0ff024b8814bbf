use std::sync::Arc;

use foundation::Failure;
use openbench::address::Server;
use openbench::http::Unanswered;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::server::Fake;

/// A server with a certificate that nobody has signed, which answers everything with an empty page.
/// A client that sends a request to it has not verified the certificate.
async fn start() -> (u16, Arc<std::sync::atomic::AtomicBool>) {
    let made =
        rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("a certificate");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let reached = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = Arc::clone(&reached);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, seen) = (acceptor.clone(), Arc::clone(&seen));
            tokio::spawn(async move {
                if let Ok(mut stream) = acceptor.accept(stream).await
                    && stream
                        .read(&mut [0; 512])
                        .await
                        .is_ok_and(|length| length > 0)
                {
                    seen.store(true, std::sync::atomic::Ordering::SeqCst);
                    let _ = stream
                        .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                        .await;
                }
            });
        }
    });
    (port, reached)
}

#[tokio::test]
async fn a_certificate_that_nobody_signed_is_refused_for_good() {
    let (port, reached) = start().await;
    let fake = Fake::start().await;
    let (mut session, _file) = fake.alice();
    session.client.server =
        Server::parse(&format!("https://127.0.0.1:{port}"), false).expect("an address");
    let unanswered = session.log_in().await.expect_err("refused");
    assert!(matches!(unanswered, Unanswered::Never(_)), "{unanswered:?}");
    let failure = Failure::from(unanswered);
    assert!(failure.to_string().contains("certificate"), "{failure}");
    assert!(
        !reached.load(std::sync::atomic::Ordering::SeqCst),
        "a request was sent"
    );
}
