//! What `init` writes for the other tools: enough that their shortest commands work, and that it is
//! clear where to change them.

use toml_edit::{DocumentMut, Item, Table, value};

use super::openbench::{self, Engine};

/// Adds the sections `sprt` and `tuner` where there are none.
pub(super) fn add_sections(document: &mut DocumentMut, engine: Option<&Engine>) {
    if !document.contains_key("sprt") {
        let mut section = engine.map_or_else(usual_match, presets);
        section.decor_mut().set_prefix(
            "\n# How `sprt BASE NEW` plays; every flag of `sprt run --help` can stand here.\n",
        );
        document.insert("sprt", Item::Table(section));
    }
    if !document.contains_key("tuner") {
        let mut section = Table::new();
        section.insert("engine", value("."));
        section
            .decor_mut()
            .set_prefix("\n# What `tuner spsa PARAMS` tunes: the engine of this repository.\n");
        document.insert("tuner", Item::Table(section));
    }
}

/// The defaults of `sprt`, written out.
fn usual_match() -> Table {
    let mut section = Table::new();
    section.insert("tc", value("8+0.08"));
    section.insert("bounds", value("0,5"));
    section
}

/// The presets of a test as defaults of `sprt`.
fn presets(engine: &Engine) -> Table {
    let mut section = Table::new();
    if let Some(tc) = engine.preset("both_time_control") {
        section.insert("tc", value(tc));
    }
    if let Some([elo0, elo1]) = engine.preset("test_bounds").and_then(openbench::pair) {
        section.insert("bounds", value(format!("{elo0},{elo1}")));
    }
    if let Some([alpha, beta]) = engine.confidence() {
        section.insert("alpha", value(alpha));
        section.insert("beta", value(beta));
    }
    let options = engine.preset("both_options").unwrap_or_default();
    for option in options.split_whitespace() {
        if let Some((name, number)) = option.split_once('=')
            && let Ok(number) = number.parse::<i64>()
            && matches!(name, "Hash" | "Threads")
        {
            section.insert(&name.to_lowercase(), value(number));
        }
    }
    for (theirs, ours) in [("win_adj", "resign-adj"), ("draw_adj", "draw-adj")] {
        if let Some(rule) = engine.preset(theirs).filter(|rule| *rule != "None") {
            let rule: Vec<_> = rule.split_whitespace().collect();
            section.insert(ours, value(rule.join(",")));
        }
    }
    section
}
