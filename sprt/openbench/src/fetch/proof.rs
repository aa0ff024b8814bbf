//! The trailer by which a test that passed on the server is bound to its commit: the digests of what
//! both sides were built from, taken from this clone of their repository.

use std::path::Path;

use bench_guard::proof::{Proof, Source, inputs};
use bench_guard::settings::{Settings, cores};
use foundation::Failure;
use serde::Deserialize;
use serde_json::Value;
use stats::{Model, Test};

/// The fields of a test that a proof records.
#[derive(Deserialize)]
struct Tested {
    test_mode: String,
    passed: bool,
    use_penta: bool,
    dev: Side,
    base: Side,
    dev_options: String,
    base_options: String,
    dev_time_control: String,
    base_time_control: String,
    dev_network: String,
    base_network: String,
    elolower: f64,
    eloupper: f64,
    alpha: f64,
    beta: f64,
    penta: [u64; 5],
}

#[derive(Deserialize)]
struct Side {
    name: String,
    sha: String,
}

/// The proof of a test, from the server's answer to `/info/` and the test's address; `folder` is in
/// the clone. If there is none, the reason.
///
/// # Errors
/// The server's answer does not have the form of OpenBench's.
pub(super) fn proof(
    info: &Value,
    url: &str,
    folder: &Path,
) -> Result<Result<Proof, String>, Failure> {
    let tested: Tested = serde_json::from_value(info["info"].clone())
        .map_err(|error| Failure::unable(format!("the server's answer about the test: {error}")))?;
    Ok(of(&tested, url, folder))
}

fn of(tested: &Tested, url: &str, folder: &Path) -> Result<Proof, String> {
    if tested.test_mode != "SPRT" || !tested.passed {
        return Err("it is no test that has passed".to_owned());
    }
    if !tested.use_penta {
        return Err("the server counted games and not pairs".to_owned());
    }
    for (what, differ) in [
        ("options", tested.dev_options != tested.base_options),
        (
            "time controls",
            tested.dev_time_control != tested.base_time_control,
        ),
        ("networks", tested.dev_network != tested.base_network),
    ] {
        if differ {
            return Err(format!("the engines have different {what}"));
        }
    }
    let said = |failure: Failure| failure.message().to_owned();
    let (settings, repository) = Settings::of_folder(folder).map_err(said)?;
    let digest = |side: &Side| {
        let revision = repository.resolve(&side.sha).map_err(|_| {
            format!(
                "this clone has no commit {} of `{}`; fetch it, and run this again in the clone",
                side.sha, side.name
            )
        })?;
        let own = settings.as_of_in(folder, &repository, &revision);
        let own = own.map_err(said)?;
        inputs(&repository, &revision, &own, &own.build_settings(cores())).map_err(said)
    };
    let options = tested.dev_options.split_whitespace().map(|word| {
        let (name, value) = word.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    });
    let options: Option<Vec<_>> = options.collect();
    let control = &tested.dev_time_control;
    Ok(Proof {
        source: Source::OpenBench {
            test: url.to_owned(),
        },
        engine: settings.name().map(str::to_owned),
        new: digest(&tested.dev)?,
        base: digest(&tested.base)?,
        limit: if control.contains('=') {
            control.clone()
        } else {
            format!("{control}s")
        },
        options: options.ok_or_else(|| {
            format!(
                "the options are `{}`, expected words like `Hash=16`",
                tested.dev_options
            )
        })?,
        test: Test::new(
            tested.elolower,
            tested.eloupper,
            tested.alpha,
            tested.beta,
            Model::Normalized,
        )
        .map_err(said)?,
        penta: tested.penta,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git_of_tests::git;

    /// A clone with two commits, and their ids.
    fn clone() -> (tempfile::TempDir, [String; 2]) {
        let place = tempfile::tempdir().expect("a folder");
        let git = |arguments: &[&str]| git(place.path(), arguments);
        git(&["init", "-q"]);
        let commit = |text: &str| {
            std::fs::write(place.path().join("search.c"), text).expect("written");
            git(&["add", "."]);
            git(&["commit", "-q", "-m", text]);
            git(&["rev-parse", "HEAD"])
        };
        let ids = [commit("base"), commit("new")];
        (place, ids)
    }

    fn info([base, new]: &[String; 2]) -> Value {
        let mut value: Value =
            serde_json::from_str(include_str!("../../tests/data/info.json")).expect("JSON");
        value["info"]["base"]["sha"] = base.as_str().into();
        value["info"]["dev"]["sha"] = new.as_str().into();
        value
    }

    const URL: &str = "http://server.example/test/21/";

    #[test]
    fn a_test_that_passed_is_bound_to_the_sources_of_its_commits() {
        let (place, ids) = clone();
        let proof = proof(&info(&ids), URL, place.path());
        let proof = proof.expect("an answer").expect("a proof");
        assert_ne!(proof.new, proof.base);
        assert_eq!(proof.limit, "1.0+0.01s");
        assert_eq!(proof.penta, [0, 2, 3, 503, 500]);
        assert_eq!(proof.test.elo0, -5.0);
        let again = Proof::find(&proof.to_string()).remove(0).1;
        assert_eq!(again, Ok(proof));
    }

    #[test]
    fn what_shows_nothing_about_the_sources_gives_none() {
        let (place, ids) = clone();
        let why = |change: &dyn Fn(&mut Value)| {
            let mut info = info(&ids);
            change(&mut info["info"]);
            proof(&info, URL, place.path())
                .expect("an answer")
                .expect_err("no proof")
        };
        assert!(why(&|it| it["passed"] = false.into()).contains("passed"));
        assert!(why(&|it| it["use_penta"] = false.into()).contains("pairs"));
        assert!(why(&|it| it["base_options"] = "Hash=8".into()).contains("options"));
        assert!(why(&|it| it["dev_network"] = "ABCD".into()).contains("networks"));
        assert!(why(&|it| it["base_time_control"] = "9+1".into()).contains("time"));
        let unknown = "0123456789012345678901234567890123456789";
        assert!(why(&|it| it["dev"]["sha"] = unknown.into()).contains("no commit 0123"));
    }

    #[test]
    fn an_answer_of_another_form_is_an_error() {
        let (place, _) = clone();
        let answer = serde_json::json!({"info": {"test_mode": "SPRT"}});
        assert!(proof(&answer, URL, place.path()).is_err());
    }
}
