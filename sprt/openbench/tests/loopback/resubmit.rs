//! The same submission again, and what may hide that it was made.

use openbench_command::flags::{FieldArgs, SubmitFlags};
use serde_json::json;

use crate::clone::{Clone, fields, id, test};
use crate::server::{Fake, Fault};

#[tokio::test]
async fn a_page_of_somebody_else_does_not_hide_what_was_submitted() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    // A proxy takes the form, and the server never sees it.
    fake.fault("/test/new/", &[Fault::Noise]);
    let failure = clone.test(&mut session).await.expect_err("not taken");
    let said = "nothing like it is on the server";
    assert!(failure.message().contains(said), "{failure}");
    // It arrives, and then a proxy answers for the server.
    let mut faults = vec![Fault::Noise; 5];
    faults[0] = Fault::Well;
    fake.fault("/test/new/", &[Fault::LostAnswer]);
    fake.fault("/search/", &faults);
    let failure = clone.test(&mut session).await.expect_err("nobody knows");
    assert!(
        failure
            .message()
            .contains("does not tell whether it arrived"),
        "{failure}"
    );
    fake.fault("/search/", &[Fault::Noise]);
    clone
        .test(&mut session)
        .await
        .expect_err("nobody knows whether it is there");
    let found = clone.test(&mut session).await;
    assert_eq!(id(&found.expect("found")), (1, true));
    assert_eq!(fake.bench().workloads.len(), 1);
}

#[tokio::test]
async fn another_description_of_the_same_test_is_not_dropped_in_silence() {
    let (fake, clone) = (Fake::start().await, Clone::new());
    let (mut session, _file) = fake.alice();
    let here = clone.here();
    let with = |info: &str| FieldArgs {
        info: Some(info.to_owned()),
        ..fields()
    };
    let first = test(
        &mut session,
        &here,
        with("one\ntwo"),
        SubmitFlags::default(),
    );
    let first = first.await.expect("submitted");
    assert!(!first.submitted().expect("sent").info_differs);
    // A browser's form sends other line ends.
    let info = fake.bench().workloads[0].info["info"].clone();
    let info = info.as_str().expect("text").replace('\n', "\r\n");
    fake.change(1, "info", json!(info));
    for (words, differs) in [("one\ntwo", false), ("three", true)] {
        let again = test(&mut session, &here, with(words), SubmitFlags::default());
        let again = again.await.expect("found");
        assert_eq!(again.submitted().expect("there").info_differs, differs);
        let told = again.note().expect("a note");
        let url = &again.submitted().expect("there").url;
        assert!(
            url.starts_with("http://")
                && told.ends_with(&format!("next: sprt openbench watch {url}")),
            "{told}"
        );
        let way = format!("`sprt openbench modify {url} --info TEXT`");
        assert_eq!(told.contains(&way), differs, "{told}");
    }
}
