//! The same submission again, and what may hide that it was made.

use openbench_command::flags::SubmitFlags;

use crate::server::{Fake, Fault};
use crate::submit::{Clone, fields, id, test};

#[tokio::test]
async fn a_page_of_somebody_else_does_not_hide_what_was_submitted() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    let here = clone.here();
    // A proxy takes the form, and the server never sees it.
    fake.fault("/test/new/", &[Fault::Noise]);
    let failure = test(&mut session, &here, fields(), SubmitFlags::default())
        .await
        .expect_err("not taken");
    let said = "nothing like it is on the server";
    assert!(failure.message().contains(said), "{failure}");
    // It arrives, and then a proxy answers for the server.
    let mut faults = vec![Fault::Noise; 5];
    faults[0] = Fault::Well;
    fake.fault("/test/new/", &[Fault::LostAnswer]);
    fake.fault("/search/", &faults);
    let failure = test(&mut session, &here, fields(), SubmitFlags::default())
        .await
        .expect_err("nobody knows");
    assert!(
        failure
            .message()
            .contains("does not tell whether it arrived"),
        "{failure}"
    );
    fake.fault("/search/", &[Fault::Noise]);
    test(&mut session, &here, fields(), SubmitFlags::default())
        .await
        .expect_err("nobody knows whether it is there");
    let found = test(&mut session, &here, fields(), SubmitFlags::default()).await;
    assert_eq!(id(&found.expect("found")), (1, true));
    assert_eq!(fake.bench().workloads.len(), 1);
}
