//! What an engine told in the search of one position. Pure.

use engine_client::Info;

/// One search.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Course {
    /// The nodes told last.
    pub(crate) nodes: Option<u64>,
}

impl Course {
    pub(crate) fn hear(&mut self, line: &str) {
        let line = line.trim().as_bytes();
        if line.starts_with(b"info ") && !line.starts_with(b"info string") {
            self.nodes = Info::parse(line).nodes.or(self.nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_read_from_info_lines_only() {
        let nodes = |line: &str| {
            let mut course = Course::default();
            course.hear(line);
            course.nodes
        };
        assert_eq!(nodes("info depth 3 nodes 42 pv e2e4"), Some(42));
        assert_eq!(nodes("info string nodes 42"), None);
        assert_eq!(nodes("bestmove e2e4 nodes 42"), None);
        assert_eq!(nodes("info nodes"), None);
    }
}
