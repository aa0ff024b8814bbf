//! `sprt openbench list`.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::List;

use super::table::{object, table};
use crate::read::page;
use crate::settings::Settings;

pub async fn run(args: &List, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, None, printer)?;
    let filters = filters(args);
    let rows = if filters.is_empty() {
        let number = args.page;
        let path = match &args.user {
            Some(user) => format!("/user/{user}/{number}/"),
            None if args.greens => format!("/greens/{number}/"),
            None => format!("/index/{number}/"),
        };
        session.page(&path, &[], page::list).await?
    } else {
        let query: Vec<(&str, &str)> = filters
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        session.page("/search/", &query, page::list).await?
    };
    if args.json {
        object("openbench-list", "workloads", &rows, printer);
        return Ok(Exit::Yes);
    }
    let rows = rows.into_iter().map(|row| {
        [
            row.id.to_string(),
            row.kind.to_owned(),
            row.state,
            row.author,
            row.branch,
            row.time_control,
            row.statistics.join("\n"),
        ]
    });
    let heads = ["id", "kind", "state", "author", "branch", "limit", "result"];
    table(heads, rows, "no workloads", printer);
    Ok(Exit::Yes)
}

/// The fields of the server's search, in its own words; none where nothing is searched for.
fn filters(args: &List) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    if let Some(words) = &args.search {
        fields.push(("info-contains".to_owned(), words.clone()));
    }
    // The struct is a flat list of texts and switches.
    if let Ok(serde_json::Value::Object(filters)) = serde_json::to_value(&args.filters) {
        for (name, value) in filters {
            match value {
                serde_json::Value::String(text) => {
                    let is_choice = matches!(name.as_str(), "workload-type" | "tc-type");
                    let text = if is_choice { text.to_uppercase() } else { text };
                    fields.push((name, text));
                }
                serde_json::Value::Bool(true) => fields.push((name, "1".to_owned())),
                _ => {}
            }
        }
    }
    if let (Some(user), false) = (&args.user, fields.is_empty()) {
        fields.push(("authors".to_owned(), user.clone()));
    }
    fields
}

#[cfg(test)]
mod tests {
    use openbench_command::command::SearchFilters;
    use openbench_command::flags::ServerArgs;

    use super::*;

    fn list(search: Option<&str>, filters: SearchFilters) -> List {
        List {
            user: None,
            search: search.map(str::to_owned),
            filters,
            greens: false,
            page: 1,
            json: false,
            server: ServerArgs::default(),
        }
    }

    #[test]
    fn filters_have_the_names_and_words_of_the_servers_form() {
        assert!(filters(&list(None, SearchFilters::default())).is_empty());
        let chosen = SearchFilters {
            workload_type: Some("spsa".into()),
            tc_type: Some("fixed-nodes".into()),
            threads: Some("single".into()),
            dev_engine: Some("Tiny".into()),
            hide_greens: true,
            show_deleted: true,
            ..SearchFilters::default()
        };
        let mut found = filters(&list(Some("rfp"), chosen));
        found.sort();
        let expected = [
            ("dev-engine", "Tiny"),
            ("hide-greens", "1"),
            ("info-contains", "rfp"),
            ("show-deleted", "1"),
            ("tc-type", "FIXED-NODES"),
            ("threads", "single"),
            ("workload-type", "SPSA"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(found, expected);
    }
}
