//! An engine of the command line, as the page and the record know it.

use engine_client::Limit;

/// What the page knows of an engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Player {
    pub(super) name: String,
    pub(super) engine_name: String,
    pub(super) engine_author: String,
    pub(super) limit: Limit,
}

impl Player {
    pub(crate) fn new(name: &str, engine_name: &str, author: &str, limit: Limit) -> Self {
        Self {
            name: name.to_owned(),
            engine_name: engine_name.to_owned(),
            engine_author: author.to_owned(),
            limit,
        }
    }

    #[cfg(test)]
    pub(super) fn named(name: &str) -> Self {
        Self::new(name, "", "", Limit::default())
    }
}
