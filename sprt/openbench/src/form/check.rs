//! What the server would refuse, found before anything is sent, with the server's message beside
//! ours.
//!
//! Stricter than the server where it accepts something that breaks later: it crashes on a form that
//! it does not expect, truncates or crashes on texts longer than its columns, and never checks some
//! fields at all.

mod complaint;
mod words;

use super::{BASE, DEV, github, spsa, time_control};
use crate::form::Form;
use crate::read::api::{Config, Networks};
pub use complaint::{Complaint, failure};
use openbench_command::workload::Kind;
use words::{bracketed, is_rule, option_value};

/// The server's configuration, against which a form is checked.
pub struct Known<'a> {
    pub config: &'a Config,
    pub dev_networks: &'a Networks,
    pub base_networks: &'a Networks,
}

/// The largest number that the server's columns hold.
const LARGEST: i64 = i32::MAX as i64;

/// The server's likelihood has no maximum where a t-value is above 2 sqrt(2) / 3, the most that its
/// first step from the uniform distribution allows: an assertion fails at 1600 / (3 ln 10) = 231.6
/// normalized Elo.
const LARGEST_ELO: f64 = 231.0;

/// The widths of the server's columns.
const WIDTHS: [(&str, usize); 11] = [
    ("dev_branch", 128),
    ("base_branch", 128),
    ("dev_options", 256),
    ("base_options", 256),
    ("dev_time_control", 32),
    ("base_time_control", 32),
    ("book_name", 32),
    ("win_adj", 64),
    ("draw_adj", 64),
    ("datagen_custom_genfens", 256),
    ("info", 1024),
];

const TABLEBASES: [&str; 7] = [
    "OPTIONAL", "DISABLED", "3-MAN", "4-MAN", "5-MAN", "6-MAN", "7-MAN",
];

/// Everything that is wrong with a form; an empty list means that the server accepts it.
pub fn check(form: &Form, known: &Known) -> Vec<Complaint> {
    let mut complaints = Complaints {
        form,
        list: Vec::new(),
    };
    complaints.side("dev", known);
    if form.has("base_engine") {
        complaints.side("base", known);
    }
    complaints.general(known);
    match form.kind {
        Kind::Test => complaints.test(),
        Kind::Tune => complaints.tune(),
        Kind::Datagen => complaints.datagen(),
    }
    complaints.widths();
    complaints.list
}

struct Complaints<'a> {
    form: &'a Form,
    list: Vec<Complaint>,
}

impl Complaints<'_> {
    fn add(&mut self, field: &'static str, ours: impl Into<String>, server: impl Into<String>) {
        self.list.push(Complaint {
            field,
            ours: ours.into(),
            server: server.into(),
        });
    }

    fn one_of(&mut self, field: &'static str, known: &[&str], server: impl Into<String>) {
        let value = self.form.get(field);
        if !known.contains(&value) {
            self.add(
                field,
                format!("`{value}` is none of {}", known.join(", ")),
                server,
            );
        }
    }

    /// A whole number in a range that the server's database holds.
    fn number(&mut self, field: &'static str, least: i64, server: impl Into<String>) {
        let value = self.form.get(field);
        let number = value
            .parse::<i64>()
            .ok()
            .filter(|number| (least..=LARGEST).contains(number));
        if number.is_none() || value.starts_with('+') {
            let ours = format!("`{value}` is not a whole number from {least} to {LARGEST}");
            self.add(field, ours, server);
        }
    }

    fn side(&mut self, side: &'static str, known: &Known) {
        let form = self.form;
        let [engine, repo, branch, bench, network, options, time] =
            if side == "dev" { DEV } else { BASE };
        let title = match (form.kind, side) {
            (Kind::Tune, _) => "",
            (_, "dev") => "Dev ",
            _ => "Base ",
        };
        let name = form.get(engine);
        if !known.config.engines.iter().any(|known| known == name) {
            let engines = known.config.engines.join(", ");
            let ours = format!(
                "`{name}` is no engine of this server, which knows {engines}; it would crash"
            );
            self.add(
                engine,
                ours,
                format!("{title}Engine was not found in the configuration"),
            );
        }
        if github::normal(form.get(repo)).as_deref() != Some(form.get(repo)) {
            // The server's own check accepts a suffix; then GitHub knows no such repository.
            let suffix = form.get(repo).strip_suffix(".git");
            let knows = suffix.is_some_and(|rest| github::normal(rest).as_deref() == Some(rest));
            let words = if knows {
                format!("{} could not be found", form.get(branch))
            } else {
                github::SERVER_WORDS.to_owned()
            };
            self.add(
                repo,
                format!("`{}` is no repository on GitHub", form.get(repo)),
                words,
            );
        }
        if form.get(branch).trim().is_empty() {
            self.add(
                branch,
                "no branch, tag or commit is given",
                "Branch could not be found",
            );
        }
        let name = form.get(branch).to_owned();
        self.number(bench, 1, format!("Unable to parse a Bench for {name}"));
        let networks = if side == "dev" {
            known.dev_networks
        } else {
            known.base_networks
        };
        let hash = form.get(network);
        if !hash.is_empty() && !networks.networks.iter().any(|known| known.sha256 == hash) {
            let ours = format!("the engine has no network `{hash}` on this server");
            self.add(
                network,
                ours,
                format!("Unknown Network Provided for {title}Network"),
            );
        }
        for option in ["Threads", "Hash"] {
            let least =
                option_value(form.get(options), option).and_then(|value| value.parse::<u32>().ok());
            if least.is_none_or(|value| value < 1) {
                let ours = format!("`{}` does not set {option} to 1 or more", form.get(options));
                self.add(
                    options,
                    ours,
                    format!("\"{option}\" needs to be at least 1 for {title}Options"),
                );
            }
        }
        let control = form.get(time);
        if time_control::normal(control).as_deref() != Ok(control) {
            let ours = match control {
                "" => "no time control is given".to_owned(),
                control => format!("`{control}` is no time control"),
            };
            self.add(time, ours, format!("{title}Time Control is not parsable"));
        }
    }

    fn general(&mut self, known: &Known) {
        let form = self.form;
        let book = form.get("book_name");
        let is_known =
            known.config.books.contains_key(book) || (form.kind == Kind::Datagen && book == "NONE");
        if !is_known {
            let books: Vec<&str> = known.config.books.keys().map(String::as_str).collect();
            let server = if form.kind == Kind::Datagen {
                "Book was neither NONE nor found in the configuration"
            } else {
                "Book was not found in the configuration"
            };
            self.add(
                "book_name",
                format!(
                    "`{book}` is no book of this server, which has {}",
                    books.join(", ")
                ),
                server,
            );
        }
        // The server has messages for this, but accepts everything.
        self.one_of("upload_pgns", &["FALSE", "COMPACT", "VERBOSE"], "");
        self.number("priority", -LARGEST, "\"Priority\" is not an Integer");
        self.number("throughput", 1, "\"Throughput\" is not greater than 0");
        if form.has("workload_size") {
            self.number(
                "workload_size",
                1,
                "\"Workload Size\" is not greater than 0",
            );
        }
        self.number("scale_nps", 1, "\"Scale NPS\" is not greater than 0");
        let bases = TABLEBASES.join(", ");
        self.one_of(
            "syzygy_wdl",
            &TABLEBASES,
            format!("Syzygy WDL must be in {bases}"),
        );
        self.one_of(
            "syzygy_adj",
            &TABLEBASES,
            format!("Syzygy Adjudication must be in {bases}"),
        );
        self.one_of(
            "scale_method",
            &["DEV", "BASE", "BOTH"],
            "Unknown Scale Method. Expected one of {DEV, BASE, BOTH}.",
        );
        let rules: [(&'static str, &[&str], &str); 2] = [
            ("win_adj", &["movecount", "score"], "Win"),
            ("draw_adj", &["movenumber", "movecount", "score"], "Draw"),
        ];
        for (field, names, which) in rules {
            let value = form.get(field);
            if value != "None" && !is_rule(value, names) {
                let example: Vec<String> = names.iter().map(|name| format!("{name}=N")).collect();
                let ours = format!("`{value}` is neither None nor `{}`", example.join(" "));
                self.add(
                    field,
                    ours,
                    format!("Invalid {which} Adjudication Setting. Try \"None\"?"),
                );
            }
        }
    }

    fn test(&mut self) {
        let form = self.form;
        if form.get("test_mode") == "GAMES" {
            self.number(
                "test_max_games",
                1,
                "Fixed Games Tests must last at least one game",
            );
            return;
        }
        self.one_of("test_mode", &["SPRT", "GAMES"], "Unknown Test Mode");
        let bounds = form.get("test_bounds");
        if bracketed(bounds).is_none_or(|(elo0, elo1)| elo0 >= elo1) {
            let ours = format!("`{bounds}` is not two numbers, the lower one first");
            self.add(
                "test_bounds",
                ours,
                "SPRT Bounds must be formatted as [float1, float2]",
            );
        }
        if bracketed(bounds).is_some_and(|(elo0, elo1)| elo0.abs().max(elo1.abs()) > LARGEST_ELO) {
            // The server accepts the test, and crashes on each result.
            let ours =
                format!("`{bounds}`: the server cannot compute an LLR beyond {LARGEST_ELO} Elo");
            self.add("test_bounds", ours, "");
        }
        let confidence = form.get("test_confidence");
        let probability = |value: f64| value > 0.0 && value < 1.0;
        let pair = bracketed(confidence);
        if !pair.is_some_and(|(beta, alpha)| probability(beta) && probability(alpha)) {
            let server =
                "Confidence Bounds must be formatted as [float1, float2], within (0.00, 1.00)";
            self.add(
                "test_confidence",
                format!("`{confidence}` is not two probabilities, beta and alpha"),
                server,
            );
        } else if pair.is_some_and(|(beta, alpha)| alpha + beta >= 1.0) {
            // The bounds of the log-likelihood ratio would be in the wrong order.
            self.add(
                "test_confidence",
                format!("`{confidence}`: alpha and beta together must be less than 1"),
                "",
            );
        }
    }

    fn tune(&mut self) {
        self.one_of(
            "spsa_reporting_type",
            &["BULK", "BATCHED"],
            "Reporting Method must be in BULK, BATCHED",
        );
        self.one_of(
            "spsa_distribution_type",
            &["SINGLE", "MULTIPLE"],
            "Distribution Method must be in SINGLE, MULTIPLE",
        );
        for (field, name) in [
            ("spsa_alpha", "SPSA Alpha"),
            ("spsa_gamma", "SPSA Gamma"),
            ("spsa_A_ratio", ""),
        ] {
            let value = self.form.get(field);
            if !value
                .parse::<f64>()
                .is_ok_and(|number| number > 0.0 && number.is_finite())
            {
                // The server checks alpha twice in the place of the A-ratio, and crashes on that.
                let server = if name.is_empty() {
                    String::new()
                } else {
                    format!("\"{name}\" is not greater than 0.0")
                };
                self.add(field, format!("`{value}` is not a number above 0"), server);
            }
        }
        self.number(
            "spsa_iterations",
            1,
            "\"SPSA Iterations\" is not greater than 0",
        );
        self.number(
            "spsa_pairs_per",
            1,
            "\"SPSA Pairs-Per\" is not greater than 0",
        );
        for (ours, server) in spsa::complaints(self.form.get("spsa_inputs")) {
            self.add("spsa_inputs", ours, server);
        }
    }

    fn datagen(&mut self) {
        self.number(
            "datagen_max_games",
            1,
            "Data Generation must last for at least one game",
        );
        if self.form.get("datagen_custom_genfens").contains('"') {
            self.add(
                "datagen_custom_genfens",
                "a quote would end the engine's command",
                "Quotes are not allowed in genfens args",
            );
        }
        self.one_of(
            "datagen_play_reverses",
            &["YES", "NO"],
            "Play Reverses must either be YES or NO",
        );
    }

    fn widths(&mut self) {
        for (field, width) in WIDTHS {
            let length = self.form.get(field).chars().count();
            if length > width {
                self.add(
                    field,
                    format!("{length} characters do not fit the server's {width}"),
                    "",
                );
            }
        }
    }
}

#[cfg(test)]
mod tests;
