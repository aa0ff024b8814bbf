//! What the server's pages say: messages, lists of workloads, errors, the progress of a tune.
//! OpenBench has no other interface for these. Elements are found by their classes and links, never
//! by their place in the text, because the server shortens its pages and reorders attributes.
//! Each function gives `None` for a page that does not have what the page in question always has: a
//! proxy's notice of maintenance also comes with status 200, and must not pass for an empty list.

use scraper::{ElementRef, Html};
use serde::Serialize;

use super::html::{all, links, rows, selector, text};
use openbench_command::history::Progress;
use openbench_command::workload::workload_of_path;

/// The messages that the server shows once, on the first page after a form or an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    pub error: Option<String>,
    pub warning: Option<String>,
    pub status: Option<String>,
}

/// `None` if it is no page of OpenBench.
pub fn messages(html: &str) -> Option<Messages> {
    let page = Html::parse_document(html);
    all(page.root_element(), selector!("#content .site-title")).next()?;
    let message = |selector| {
        all(page.root_element(), selector)
            .map(text)
            .find(|text| !text.is_empty())
    };
    Some(Messages {
        error: message(selector!(".error-message")),
        warning: message(selector!(".warning-message")),
        status: message(selector!(".status-message")),
    })
}

/// Whether a page asks for a name and a password.
pub fn is_login(html: &str) -> bool {
    let page = Html::parse_document(html);
    let fields = selector!("form[action='/login/'] input[name=password]");
    all(page.root_element(), fields).next().is_some()
}

/// The title; of a crash, it names the exception.
pub fn title(html: &str) -> Option<String> {
    let page = Html::parse_document(html);
    let title = all(page.root_element(), selector!("title"))
        .map(text)
        .next()?;
    let title: String = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then(|| title.chars().take(200).collect())
}

/// A workload in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    pub id: u64,
    pub kind: &'static str,
    /// The heading it stands under: `Pending`, `Active`, `Finished`; none in a search.
    pub state: String,
    pub author: String,
    pub engine: String,
    pub branch: String,
    pub time_control: String,
    /// The short statistics block, a line each.
    pub statistics: Vec<String>,
    pub info: String,
}

/// The rows of the front page, a user's page or a search, in their order.
pub fn list(html: &str) -> Option<Vec<Listed>> {
    let page = Html::parse_document(html);
    all(page.root_element(), selector!("table.test-list")).next()?;
    let mut state = String::new();
    let mut rows = Vec::new();
    for row in all(page.root_element(), selector!("table.test-list tr")) {
        if row
            .value()
            .has_class("table-header", scraper::CaseSensitivity::CaseSensitive)
        {
            // The heading of the active ones also counts machines.
            text(row)
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .clone_into(&mut state);
            continue;
        }
        let cells: Vec<ElementRef> = all(row, selector!("td")).collect();
        // A search has a date before the rest.
        let [.., author, engine, name, _diff, time, statistics, info] = cells.as_slice() else {
            continue;
        };
        let found = links(*name).find_map(|href| workload_of_path(&href));
        let Some((kind, id)) = found else { continue };
        // The page cuts the names of its authors; their addresses do not.
        let user = links(*author).next().unwrap_or_default();
        rows.push(Listed {
            id,
            kind: kind.word(),
            state: state.clone(),
            author: user
                .rsplit('/')
                .find(|part| !part.is_empty())
                .unwrap_or_default()
                .to_owned(),
            engine: text(*engine),
            branch: all(*name, selector!("a"))
                .map(text)
                .next()
                .unwrap_or_default(),
            time_control: text(*time)
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned(),
            statistics: statistics
                .text()
                .map(|line| line.trim().to_owned())
                .filter(|line| !line.is_empty())
                .collect(),
            info: text(*info),
        });
    }
    Some(rows)
}

/// A row of the page of errors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorEvent {
    /// Seconds since 1970.
    pub created: i64,
    pub machine: u64,
    pub user: String,
    pub id: u64,
    pub branch: String,
    pub summary: String,
    /// The event whose log can be read.
    pub event: Option<u64>,
}

impl ErrorEvent {
    /// Whether a worker stopped the workload for all workers because of this error. Failed builds
    /// and lost games do not.
    pub(crate) fn is_bench_error(&self) -> bool {
        [
            "Wrong Bench",
            "Failed to Execute Benchmark",
            "Non-Deterministic Benches",
            "Bench Exceeded Max Duration",
        ]
        .iter()
        .any(|known| self.summary.contains(known))
    }
}

/// The latest errors, the newest first.
pub fn errors(html: &str) -> Option<Vec<ErrorEvent>> {
    rows(html, 6, |cells| {
        let [created, machine, user, test, summary, log] = cells else {
            return None;
        };
        let (_, id) = links(*test).find_map(|href| workload_of_path(&href))?;
        let event = links(*log)
            .find_map(|href| href.trim_matches('/').strip_prefix("event/")?.parse().ok());
        Some(ErrorEvent {
            created: text(*created).parse().unwrap_or_default(),
            machine: text(*machine).parse().unwrap_or_default(),
            user: text(*user),
            id,
            branch: text(*test),
            summary: text(*summary),
            event,
        })
    })
}

/// The log on the page of one event, which has nothing else.
pub fn log(html: &str) -> Option<String> {
    let page = Html::parse_document(html);
    let mut parts = all(page.root_element(), selector!("body > *"));
    let log = parts.next().filter(|part| part.value().name() == "pre")?;
    parts.next().is_none().then(|| text(log))
}

/// The progress of a tune, on its page.
pub fn progress(html: &str) -> Option<Progress> {
    let page = Html::parse_document(html);
    let block = all(page.root_element(), selector!("#long-statblock")).next()?;
    let words: Vec<String> = block
        .text()
        .flat_map(|line| {
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    let before = |label: &str| {
        let place = words.iter().position(|word| word == label)?;
        let (done, of) = words.get(place.checked_sub(1)?)?.split_once('/')?;
        Some((done.parse().ok()?, of.parse().ok()?))
    };
    let (iteration, iterations) = before("Iterations")?;
    let (games, games_planned) = before("Games")?;
    Some(Progress {
        iteration,
        iterations,
        games,
        games_planned,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn messages_are_unescaped_and_kept_apart() {
        let messages = |html: &str| messages(html).expect("a page");
        let html = include_str!("../../tests/data/refused.html");
        assert_eq!(
            messages(html).error.as_deref(),
            Some("Book was not found in the configuration\nnosuch could not be found")
        );
        let read = messages(
            "<div id=content><a class=site-title></a><div class='x status-message'> <pre>Workload was Stopped!</pre></div><div class=error-message><pre>You can't &lt;b&gt;</pre></div>",
        );
        assert_eq!(read.status.as_deref(), Some("Workload was Stopped!"));
        assert_eq!(read.error.as_deref(), Some("You can't <b>"));
        let none = "<div id=content><a class=site-title></a><p>error-message</p>";
        assert_eq!(messages(none), Messages::default());
    }

    #[test]
    fn the_front_page_is_a_list() {
        let rows = list(include_str!("../../tests/data/index.html")).expect("a list");
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!(
            (rows[0].id, rows[0].kind, rows[0].state.as_str()),
            (1, "test", "Active")
        );
        assert_eq!(
            (rows[0].author.as_str(), rows[0].branch.as_str()),
            ("alice", "main")
        );
        assert_eq!(rows[0].time_control, "N=2000");
        assert_eq!(
            rows[0].statistics[0],
            "LLR: 0.00 (-2.94, 2.94) [0.00, 5.00]"
        );
        assert_eq!(rows[0].info, "seed one <b>&amp;");
        assert_eq!(rows[0].kind, "test");
    }

    #[test]
    fn the_rows_of_a_search_begin_with_a_date() {
        let rows = list(include_str!("../../tests/data/search.html")).expect("a list");
        let found: Vec<(u64, &str, &str)> = rows
            .iter()
            .map(|row| (row.id, row.kind, row.info.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (7, "datagen", "whetstone-9bff311986734ce9"),
                (
                    4,
                    "test",
                    "Reverse futility: a smaller margin whetstone-8d94aca8771046b3"
                )
            ]
        );
        assert_eq!(
            (rows[0].author.as_str(), rows[0].state.as_str()),
            ("alice", "")
        );
    }

    #[test]
    fn errors_name_their_workload_and_log() {
        let html = "<table><tr><th>Date<th>#<th>User<th>Test<th>Summary<th>Logs</tr><tr><td class='timestamp'>1795266135</td><td><a href='/machines/3'>3</a></td>\
            <td>Alice</td><td><a href='/test/16/'>wrong</a></td><td>[Whetstone-AAAAAAAA] Wrong Bench: 3195422</td><td></td></tr>\
            <tr><td>1795266130</td><td>2</td><td>Bob</td><td><a href='/tune/15/'>rfp</a></td><td>[Whetstone] rfp build failed</td>\
            <td><a href='/event/51'>View</a></td></tr></table>";
        let events = errors(html).expect("errors");
        assert_eq!(events.len(), 2);
        assert_eq!(
            (events[0].id, events[0].event, events[0].is_bench_error()),
            (16, None, true)
        );
        assert_eq!(
            (events[1].id, events[1].event, events[1].is_bench_error()),
            (15, Some(51), false)
        );
    }

    #[test]
    fn a_tune_tells_its_progress_on_its_page() {
        let html = include_str!("../../tests/data/tune.html");
        assert_eq!(
            progress(html),
            Some(Progress {
                iteration: 0,
                iterations: 10,
                games: 0,
                games_planned: 80
            })
        );
        assert_eq!(
            progress("<pre id='long-statblock'>Elo | 3 Iterations</pre>"),
            None
        );
    }

    #[test]
    fn an_event_has_nothing_but_its_log() {
        assert_eq!(log("<pre>a\nb</pre>").as_deref(), Some("a\nb"));
        assert_eq!(log("<h1>Maintenance</h1><pre>a</pre>"), None);
        assert_eq!(log("<pre>a</pre><p>b"), None);
    }

    #[test]
    fn a_page_of_somebody_else_is_no_empty_list() {
        let notice = "<html><head><title>Maintenance</title></head><body><div id='content'><h1>We will \
            be back</h1><table><tr><th>Since</th></tr><tr><td>noon</td></tr></table></div></body></html>";
        assert_eq!(messages(notice), None);
        assert_eq!(list(notice), None);
        assert_eq!(errors(notice), None);
        assert_eq!(log(notice), None);
        assert!(!is_login(notice));
        let empty = "<table class=test-list></table>";
        assert_eq!(list(empty), Some(Vec::new()));
    }

    #[test]
    fn a_crash_has_a_title() {
        let html = "<html><head><title>KeyError\n          at /scripts/</title></head></html>";
        assert_eq!(title(html).as_deref(), Some("KeyError at /scripts/"));
        assert_eq!(title("nothing"), None);
    }

    proptest! {
        #[test]
        fn no_page_is_a_panic(html in "(<[a-z/]{1,8}( class=.test-list.| href=./tune/[0-9]{1,30}/.)?>|[0-9/ ]{0,4}|\\PC{0,8}){0,30}") {
            let _ = (messages(&html), title(&html), list(&html), errors(&html), log(&html), progress(&html));
        }
    }
}
