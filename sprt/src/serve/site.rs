//! Which runs there are, and who may change something.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use foundation::{Failure, run_folder};
use serde_json::Value;

use super::mistakes::mistakes;
use analysis::{Kind, suite::folder::ANSWERS};
use runs::games::{GamesReader, Mistakes};
use runs::pair_record::PairLine;
use runs::recorded::{PAIRS, Recorded};
use runs::state_folder;

/// What identifies a state of a run: length of its journal, when that was changed, and what is being
/// done with the run.
type Mark = (u64, Option<SystemTime>, String);

/// Of games, and of a suite.
const JOURNALS: [&str; 2] = [PAIRS, ANSWERS];

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum View {
    /// A line of the list of runs.
    Overview,
    /// A page.
    Page,
}

/// An answer that was given about a run.
struct Kept<T> {
    mark: Mark,
    answer: T,
    made: Instant,
    cost: Duration,
}

/// The pairs of a run as they were read.
struct KeptLines {
    run: PathBuf,
    lines: Kept<Arc<[PairLine]>>,
}

/// Length of the files whose pairs are kept, with the one that is asked for; two of a million games
/// fit.
const MOST_BYTES: u64 = 320 << 20;

/// How much of the time may go to answers about a run that changes: one part in so many. A page asks
/// every second, and reading a journal of a million games takes seconds.
const SHARE: u32 = 10;

impl<T> Kept<T> {
    fn new(mark: Mark, answer: T, begun: Instant) -> Self {
        let made = Instant::now();
        Self {
            mark,
            answer,
            made,
            cost: made - begun,
        }
    }

    /// Whether it still holds, or holds well enough.
    fn is_fresh(&self, mark: &Mark, now: Instant) -> bool {
        let (length, changed, doing) = mark;
        let (known_length, known_changed, known_doing) = &self.mark;
        let same = (length, changed) == (known_length, known_changed);
        doing == known_doing && (same || now < self.made + self.cost * SHARE)
    }
}

/// Shared by all requests.
#[derive(Clone)]
pub(crate) struct Site(Arc<Inner>);

struct Inner {
    /// Besides those in the state folder.
    more: Vec<PathBuf>,
    address: SocketAddr,
    token: String,
    /// The last answer about each run, for as long as nothing has changed.
    answers: Mutex<HashMap<(View, PathBuf), Kept<Value>>>,
    /// The journals of the runs that were asked for, the last one first.
    lines: Mutex<Vec<KeptLines>>,
    /// The judgements of the games of the run that was shown last, and when they were read.
    mistakes: Mutex<Option<(PathBuf, Instant, Mistakes)>>,
    /// Whether runs can be read without the token.
    is_open: bool,
}

/// How long judgements are cached: a count of mistakes may still be going on.
const MISTAKES_LAST: Duration = Duration::from_secs(20);

impl Site {
    pub(crate) fn new(more: &[PathBuf], address: SocketAddr, token: String, is_open: bool) -> Self {
        // `.` has no name.
        let whole = |run: &PathBuf| fs::canonicalize(run).unwrap_or_else(|_| run.clone());
        Self(Arc::new(Inner {
            more: more.iter().map(whole).collect(),
            address,
            token,
            answers: Mutex::default(),
            lines: Mutex::default(),
            mistakes: Mutex::default(),
            is_open,
        }))
    }

    pub(crate) fn token(&self) -> &str {
        &self.0.token
    }

    /// Compared in a time that does not depend on where the two differ.
    pub(crate) fn is_token(&self, given: &str) -> bool {
        let (token, given) = (self.0.token.as_bytes(), given.as_bytes());
        token.len() == given.len()
            && token.iter().zip(given).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
    }

    /// Whether a request with this token, or without one, may read.
    pub(crate) fn lets_read(&self, token: Option<&str>) -> bool {
        self.0.is_open || token.is_some_and(|token| self.is_token(token))
    }

    /// Whether a request names this server, by its address or as this machine.
    pub(crate) fn is_addressed(&self, host: &str) -> bool {
        let address = self.0.address;
        let port = address.port();
        // Browsers leave out the port that is the usual one.
        let is_named = |name: &str| host == name || name.strip_suffix(":80") == Some(host);
        is_named(&address.to_string())
            || (address.ip().is_loopback() && is_named(&format!("localhost:{port}")))
            // A server that listens on all addresses has names that it cannot know.
            || address.ip().is_unspecified()
    }

    /// All runs with the names by which pages call them: those that were asked for, then those of
    /// the state folder, the latest first.
    pub(crate) fn runs(&self) -> Result<Vec<(String, PathBuf)>, Failure> {
        let mut kept = state_folder::paths(&state_folder::runs()?)?;
        kept.reverse();
        // There may be ten thousand of them.
        let mut all = Vec::with_capacity(self.0.more.len() + kept.len());
        let (mut known, mut names) = (HashSet::new(), HashSet::new());
        for path in self.0.more.iter().cloned().chain(kept) {
            // Those that were asked for may lie in the state folder, too.
            let whole = if self.0.more.is_empty() {
                path.clone()
            } else {
                fs::canonicalize(&path).unwrap_or_else(|_| path.clone())
            };
            if !known.insert(whole) {
                continue;
            }
            let name = state_folder::name(&path);
            let is_free = |name: &String| !names.contains(name);
            let numbered = (2..).map(|number| format!("{name} ({number})"));
            let name = std::iter::once(name.clone()).chain(numbered).find(is_free);
            let name = name.unwrap_or_default();
            names.insert(name.clone());
            all.push((name, path));
        }
        Ok(all)
    }

    /// The name by which pages call a run.
    pub(crate) fn name(&self, run: &Path) -> Option<String> {
        let run = fs::canonicalize(run).ok()?;
        let mut runs = self.runs().ok()?.into_iter();
        let is_it =
            |path: &Path| path == run || fs::canonicalize(path).is_ok_and(|path| path == run);
        runs.find(|(_, path)| is_it(path)).map(|(name, _)| name)
    }

    /// The folder of a run by that name; no path can be smuggled in, for only names on the list are
    /// found.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let mut runs = self.runs().ok()?.into_iter();
        runs.find(|(known, _)| known == name).map(|(_, path)| path)
    }

    /// The same, or what to answer where there is none.
    pub(crate) fn run(&self, name: &str) -> Result<PathBuf, Failure> {
        self.find(name)
            .ok_or_else(|| Failure::unable(format!("no run `{name}`")))
    }

    /// The pairs of a run as they are now, read once for all requests about it.
    pub(crate) fn lines(&self, run: &Path) -> Result<Arc<[PairLine]>, Failure> {
        self.lines_that(run, |lines, mark| lines.mark == *mark)
    }

    fn lines_that(
        &self,
        run: &Path,
        hold: impl FnOnce(&Kept<Arc<[PairLine]>>, &Mark) -> bool,
    ) -> Result<Arc<[PairLine]>, Failure> {
        // Locked while they are read: requests that come meanwhile wait for them.
        let mut kept = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mark = mark(run, run_folder::is_being_played(run).to_string());
        let begun = Instant::now();
        let place = kept.iter().position(|it| it.run == run);
        let known = place.map(|place| kept.remove(place));
        let known = known.filter(|known| hold(&known.lines, &mark));
        // Before another is read: what goes makes room for it.
        let mut bytes = mark.0;
        kept.retain(|it| {
            bytes += it.lines.mark.0;
            bytes <= MOST_BYTES
        });
        let known = match known {
            Some(known) => known,
            None => KeptLines {
                run: run.to_owned(),
                lines: Kept::new(mark, Recorded::read(run)?.lines.into(), begun),
            },
        };
        let lines = known.lines.answer.clone();
        kept.insert(0, known);
        Ok(lines)
    }

    /// The games of a run; the last ones may be missing while it is played.
    pub(crate) fn games(&self, run: &Path) -> Result<GamesReader, Failure> {
        if let Some(kind) = Kind::of(run)? {
            let run = run.display();
            return Err(
                Failure::unable(format!("`{run}` is {kind}, which plays no games"))
                    .hint("ask for its page instead"),
            );
        }
        let lines = self.lines_that(run, |lines, mark| lines.is_fresh(mark, Instant::now()))?;
        GamesReader::after(run, lines)
    }

    /// The mistakes that judges found in the games of a run.
    pub(crate) fn mistakes(&self, run: &Path) -> Mistakes {
        let Ok(mut kept) = self.0.mistakes.lock() else {
            return Mistakes::new();
        };
        if let Some((of, read, mistakes)) = &*kept
            && of == run
            && read.elapsed() < MISTAKES_LAST
        {
            return mistakes.clone();
        }
        let runs = self.runs().unwrap_or_default();
        let found = mistakes(runs.into_iter().map(|(_, path)| path), run);
        *kept = Some((run.to_owned(), Instant::now(), found.clone()));
        found
    }

    /// The result of `make` for a run, cached for as long as the run does not change, and longer
    /// where it takes long to make.
    pub(crate) fn cached(
        &self,
        view: View,
        run: &Path,
        doing: String,
        make: impl FnOnce() -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        let mark = mark(run, doing);
        if let Ok(answers) = self.0.answers.lock()
            && let Some(kept) = answers.get(&(view, run.to_owned()))
            && kept.is_fresh(&mark, Instant::now())
        {
            return Ok(kept.answer.clone());
        }
        let begun = Instant::now();
        let answer = make()?;
        if let Ok(mut answers) = self.0.answers.lock() {
            let kept = Kept::new(mark, answer.clone(), begun);
            answers.insert((view, run.to_owned()), kept);
        }
        Ok(answer)
    }
}

fn mark(run: &Path, doing: String) -> Mark {
    let mut journals = JOURNALS.iter();
    let file = journals.find_map(|file| fs::metadata(run.join(file)).ok());
    (
        file.as_ref().map_or(0, fs::Metadata::len),
        file.and_then(|file| file.modified().ok()),
        doing,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(address: &str) -> Site {
        Site::new(
            &[],
            address.parse().expect("an address"),
            "f".repeat(32),
            false,
        )
    }

    #[test]
    fn only_requests_to_this_server_are_answered() {
        let usual = site("[::1]:80");
        assert!(usual.is_addressed("[::1]") && usual.is_addressed("localhost"));
        let site = site("127.0.0.1:8484");
        assert!(site.is_addressed("127.0.0.1:8484") && site.is_addressed("localhost:8484"));
        assert!(!site.is_addressed("evil.example:8484") && !site.is_addressed("localhost"));
    }

    #[test]
    fn runs_of_one_name_are_numbered() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = ["a/run", "b/run"].map(|name| folder.path().join(name));
        for path in &paths {
            fs::create_dir_all(path).expect("a folder");
        }
        let address = "127.0.0.1:8484".parse().expect("an address");
        let more = [&paths[..], &paths[..1]].concat();
        let site = Site::new(&more, address, String::new(), false);
        let [first, second] = paths.map(|path| fs::canonicalize(path).expect("it is there"));
        assert_eq!(site.find("run"), Some(first));
        assert_eq!(site.find("run (2)"), Some(second.clone()));
        assert_eq!(site.find("run (3)"), None);
        assert_eq!(site.name(&second).as_deref(), Some("run (2)"));
    }

    #[test]
    fn an_answer_that_took_long_is_given_for_longer() {
        let doing = "running".to_owned();
        let made = Instant::now();
        let kept = Kept {
            mark: (10, None, doing.clone()),
            answer: Value::Null,
            made,
            cost: Duration::from_secs(2),
        };
        let (soon, later) = (
            made + Duration::from_secs(19),
            made + Duration::from_secs(21),
        );
        assert!(
            kept.is_fresh(&(10, None, doing.clone()), later),
            "nothing has changed"
        );
        let longer = (11, None, doing);
        assert!(kept.is_fresh(&longer, soon) && !kept.is_fresh(&longer, later));
        assert!(!kept.is_fresh(&(10, None, "over".to_owned()), soon));
    }

    #[test]
    fn a_run_is_read_once_for_each_view() {
        let folder = tempfile::tempdir().expect("a folder");
        let site = site("127.0.0.1:1");
        let mut read = 0;
        for view in [View::Overview, View::Page, View::Overview, View::Page] {
            let made = site.cached(view, folder.path(), String::new(), || {
                read += 1;
                Ok(Value::Null)
            });
            assert_eq!(made, Ok(Value::Null));
        }
        assert_eq!(read, 2);
    }

    #[test]
    fn journals_of_two_runs_are_read_once_each() {
        let folder = tempfile::tempdir().expect("a folder");
        let site = site("127.0.0.1:1");
        let runs = ["a", "b"].map(|name| folder.path().join(name));
        for run in &runs {
            fs::create_dir(run).expect("a folder");
            for file in [PAIRS, "games.pgn"] {
                fs::write(run.join(file), "").expect("a file");
            }
        }
        let lines = || {
            runs.each_ref()
                .map(|run| site.lines(run).expect("a journal"))
        };
        let (first, second) = (lines(), lines());
        for (first, second) in first.iter().zip(&second) {
            assert!(Arc::ptr_eq(first, second));
        }
    }

    #[test]
    fn a_token_is_right_or_wrong() {
        let site = site("127.0.0.1:1");
        assert!(site.is_token(site.token()));
        assert!(!site.is_token("") && !site.is_token(&"0".repeat(32)));
    }

    #[test]
    fn runs_are_read_with_the_token_alone_unless_they_are_open_to_all() {
        let closed = site("127.0.0.1:1");
        assert!(closed.lets_read(Some(closed.token())));
        assert!(!closed.lets_read(None) && !closed.lets_read(Some("")));
        let address = "127.0.0.1:1".parse().expect("an address");
        let open = Site::new(&[], address, "f".repeat(32), true);
        assert!(open.lets_read(None));
    }
}
