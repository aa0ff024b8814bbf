//! The server's tables of machines, users and events, and the page of one machine.

use scraper::{ElementRef, Html};
use serde::Serialize;

use super::html::{all, links, rows, selector, text};
use openbench_command::workload::workload_of_path;

/// A machine that has registered, taken a workload or reported within the last two minutes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Machine {
    pub id: u64,
    pub user: String,
    pub name: String,
    pub system: String,
    /// Its instruction set, in the words of the worker.
    pub isa: String,
    /// What it plays, if anything.
    pub workload: Option<u64>,
    pub branch: String,
    pub threads: u32,
    /// Millions of nodes per second, dev and base.
    pub speed: String,
}

/// A user with games, tests, or the right to approve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct User {
    pub name: String,
    pub games: u64,
    pub tests: u64,
    pub engine: String,
    /// Seconds since 1970.
    pub created: i64,
}

/// What a person did to a workload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Seconds since 1970.
    pub created: i64,
    pub user: String,
    pub id: u64,
    pub branch: String,
    pub time_control: String,
    pub summary: String,
}

fn workload(cell: ElementRef) -> Option<u64> {
    links(cell).find_map(|href| workload_of_path(&href).map(|(_, id)| id))
}

/// `1,234,567`
fn number(cell: ElementRef) -> u64 {
    text(cell).replace(',', "").parse().unwrap_or_default()
}

/// The page of all machines.
pub fn machines(html: &str) -> Option<Vec<Machine>> {
    rows(html, 8, |cells| {
        let [id, user, name, system, isa, played, threads, speed] = cells else {
            return None;
        };
        Some(Machine {
            id: text(*id).parse().ok()?,
            user: text(*user),
            name: text(*name),
            system: text(*system),
            isa: text(*isa),
            workload: workload(*played),
            branch: text(*played),
            threads: text(*threads).parse().unwrap_or_default(),
            speed: text(*speed),
        })
    })
}

/// The labels and values on the page of one machine.
pub fn machine(html: &str) -> Option<Vec<(String, String)>> {
    let page = Html::parse_document(html);
    let described = all(page.root_element(), selector!("tr")).filter_map(|line| {
        let label = all(line, selector!("td.td-label")).next()?;
        let value = text(all(line, selector!("td")).nth(1)?);
        Some((text(label), value))
    });
    let mut described: Vec<_> = described.collect();
    // Each machine has a user; rows without a value are gaps.
    described.first()?;
    described.retain(|(_, value)| !value.is_empty());
    Some(described)
}

pub fn users(html: &str) -> Option<Vec<User>> {
    rows(html, 5, |cells| {
        let [name, games, tests, engine, created] = cells else {
            return None;
        };
        // The page changes the case of names; their addresses do not.
        let name = links(*name).find_map(|href| {
            let name = href.trim_matches('/').strip_prefix("user/")?;
            Some(name.to_owned())
        })?;
        Some(User {
            name,
            games: number(*games),
            tests: number(*tests),
            engine: text(*engine),
            created: text(*created).parse().unwrap_or_default(),
        })
    })
}

/// A page of what people did, the newest first.
pub fn events(html: &str) -> Option<Vec<Event>> {
    rows(html, 5, |cells| {
        let [created, user, played, time_control, summary] = cells else {
            return None;
        };
        Some(Event {
            created: text(*created).parse().unwrap_or_default(),
            user: text(*user),
            id: workload(*played)?,
            branch: text(*played),
            time_control: text(*time_control),
            summary: text(*summary),
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn machines_say_what_they_play_and_with_how_many_threads() {
        let html = "<table class=hoverable><tr class=table-header><th>#<th>User<th>Name<th>System<th>ISA<th>Workload<th>Threads<th>NPS</tr>\
            <tr><td class=numeric><a href=/machines/3/>3</a></td><td>Alice</td><td>box</td><td>Linux</td><td>AVX2</td>\
            <td> <a href=/tune/7/> rfp </a> </td><td class=numeric>4</td><td>1.20M / 1.19M</td></tr>\
            <tr><td><a href=/machines/4/>4</a></td><td>Bob</td><td>None</td><td>Linux</td><td>AVX2</td>\
            <td>None</td><td>1</td><td>0.00M / 0.00M</td></tr></table>";
        let found = machines(html).expect("machines");
        let seen: Vec<_> = found
            .iter()
            .map(|machine| (machine.id, machine.threads, machine.workload))
            .collect();
        assert_eq!(seen, [(3, 4, Some(7)), (4, 1, None)]);
        assert_eq!(
            (found[0].isa.as_str(), found[0].branch.as_str()),
            ("AVX2", "rfp")
        );
    }

    #[test]
    fn a_machine_is_described_by_labels() {
        let html = "<table><tr><td class=td-label>User</td><td>alice</td></tr>\
            <tr><td class=td-label></td><td><br></td></tr>\
            <tr><td class=td-label>Fastchess Version</td><td>1.8.2</td></tr></table>";
        let expected = [("User", "alice"), ("Fastchess Version", "1.8.2")];
        assert_eq!(
            machine(html).expect("a machine"),
            expected.map(|(label, value)| (label.to_owned(), value.to_owned()))
        );
    }

    #[test]
    fn users_have_their_own_names() {
        let html = "<table><tr><th>Username<th>Games<th>Tests<th>Engine<th>Created</tr><tr><td><a href=/user/deWolf>DeWolf</a></td>\
            <td style='text-align: right'>1,234,567</td><td>12</td><td>Whetstone</td><td class=timestamp>1795266135</td></tr></table>";
        let expected = User {
            name: "deWolf".to_owned(),
            games: 1_234_567,
            tests: 12,
            engine: "Whetstone".to_owned(),
            created: 1_795_266_135,
        };
        assert_eq!(users(html), Some(vec![expected]));
    }

    #[test]
    fn events_name_their_workload() {
        let html = "<table><tr><th>Date<th>User<th>Test<th>TC<th>Summary</tr><tr><td>1795266135</td><td>Alice</td><td><a href='/test/21/'>rfp</a></td><td>8.0+0.08</td>\
            <td>APPROVE P=0 TP=1000</td></tr></table>";
        let found = events(html).expect("events");
        assert_eq!(
            (found[0].id, found[0].summary.as_str()),
            (21, "APPROVE P=0 TP=1000")
        );
    }

    #[test]
    fn a_page_of_somebody_else_is_no_empty_table() {
        let notice =
            "<h1>Maintenance</h1><table><tr><th>Since</th></tr><tr><td>noon</td></tr></table>";
        assert_eq!(machines(notice), None);
        assert_eq!(machine(notice), None);
        assert_eq!(users(notice), None);
        assert_eq!(events(notice), None);
    }

    proptest! {
        #[test]
        fn no_page_is_a_panic(html in "(<(tr|td|/td|a href=./(test|user)/[0-9a-z]{1,30}/.)>|[0-9/, ]{0,4}|\\PC{0,8}){0,40}") {
            let _ = (machines(&html), machine(&html), users(&html), events(&html));
        }
    }
}
