//! Commits with another message or other parents. Everything else is kept byte for byte: tree,
//! author, committer, dates, encoding. A signature cannot be kept, since it signs the message.

use super::Repository;
use foundation::Failure;

/// A commit object as git stores it.
pub(crate) struct RawCommit {
    headers: Vec<u8>,
    pub(crate) message: Vec<u8>,
}

impl RawCommit {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes
            .windows(2)
            .position(|pair| pair == b"\n\n")
            .unwrap_or(bytes.len());
        Self {
            headers: bytes[..end].to_owned(),
            message: bytes.get(end + 2..).unwrap_or_default().to_owned(),
        }
    }

    pub(crate) fn is_signed(&self) -> bool {
        self.header_lines().any(is_signature)
    }

    fn header_lines(&self) -> impl Iterator<Item = &[u8]> {
        self.headers.split(|byte| *byte == b'\n')
    }

    /// The object with these parents, without a signature.
    fn bytes(&self, parent: &dyn Fn(&str) -> String) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut signing = false;
        for line in self.header_lines() {
            // Lines that begin with a blank continue the one before.
            signing = is_signature(line) || (signing && line.starts_with(b" "));
            if signing {
                continue;
            }
            match line.strip_prefix(b"parent ") {
                Some(id) => {
                    bytes.extend(b"parent ");
                    bytes.extend(parent(&String::from_utf8_lossy(id)).into_bytes());
                }
                None => bytes.extend(line),
            }
            bytes.push(b'\n');
        }
        bytes.push(b'\n');
        bytes.extend(&self.message);
        bytes
    }
}

fn is_signature(line: &[u8]) -> bool {
    line.starts_with(b"gpgsig")
}

impl Repository {
    pub(crate) fn raw_commit(&self, id: &str) -> Result<RawCommit, Failure> {
        let bytes = self.git().bytes(&["cat-file", "commit", id])?;
        Ok(RawCommit::parse(&bytes))
    }

    /// Stores a commit whose parents are those that `parent` gives for the old ones; its id.
    pub(crate) fn write_commit(
        &self,
        commit: &RawCommit,
        parent: &dyn Fn(&str) -> String,
    ) -> Result<String, Failure> {
        self.git().text_from(
            &["hash-object", "-t", "commit", "-w", "--stdin"],
            &commit.bytes(parent),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::RawCommit;

    #[test]
    fn only_parents_and_the_signature_change() {
        let text = b"tree 1\nparent 2\nparent 3\nauthor A <a@b> 1 +0100\ncommitter B <b@c> 2 -0730\n\
            encoding ISO-8859-1\ngpgsig -----BEGIN\n abc\n -----END\nx-extra kept\n\nGr\xfc\xdfe\n\nBench: 5\n";
        let commit = RawCommit::parse(text);
        assert!(commit.is_signed());
        assert_eq!(commit.message, b"Gr\xfc\xdfe\n\nBench: 5\n");
        let bytes = commit.bytes(&|id| {
            if id == "3" {
                "4".to_owned()
            } else {
                id.to_owned()
            }
        });
        assert_eq!(
            bytes,
            b"tree 1\nparent 2\nparent 4\nauthor A <a@b> 1 +0100\ncommitter B <b@c> 2 -0730\n\
            encoding ISO-8859-1\nx-extra kept\n\nGr\xfc\xdfe\n\nBench: 5\n"
        );
    }
}
