//! The state of a training between two epochs, in a file. Resumed from it, the training gives
//! exactly the result of an uninterrupted one.

use std::fs;
use std::path::{Path, PathBuf};

use foundation::failure::OrUnable as _;
use foundation::{Failure, files};

use engine::network::KingBuckets;

use crate::adam::Adam;
use crate::model::{Model, Shape};

const MAGIC: &[u8; 8] = b"WHETCHK3";

pub struct Checkpoint {
    /// The settings of the training.
    pub settings: String,
    pub epochs: u64,
    pub model: Model,
    pub adam: Adam,
}

/// The path of the checkpoint of a network.
pub fn path(network: &Path) -> PathBuf {
    let mut name = network.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

impl Checkpoint {
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let mut bytes = MAGIC.to_vec();
        for number in [
            self.settings.len() as u64,
            self.epochs,
            self.adam.steps,
            self.model.shape.hidden as u64,
            self.model.shape.second as u64,
        ] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.model.shape.king_buckets.to_bytes());
        bytes.extend_from_slice(self.settings.as_bytes());
        for values in [&self.model.parameters, &self.adam.first, &self.adam.second] {
            for value in values {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
        files::replace(path, bytes)
    }

    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = fs::read(path).or_unable(format_args!("read `{}`", path.display()))?;
        Self::parse(&bytes).ok_or_else(|| {
            Failure::unable(format!("`{}` is not a checkpoint", path.display()))
                .hint("start anew without --resume")
        })
    }

    /// `None` if the bytes are not a checkpoint.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (numbers, rest) = rest.split_at_checked(40)?;
        let mut numbers = numbers
            .as_chunks()
            .0
            .iter()
            .map(|&word| u64::from_le_bytes(word));
        let length = usize::try_from(numbers.next()?).ok()?;
        let (epochs, steps) = (numbers.next()?, numbers.next()?);
        let hidden = usize::try_from(numbers.next()?).ok()?;
        let second = usize::try_from(numbers.next()?).ok()?;
        let (layout, rest) = rest.split_first_chunk()?;
        let king_buckets = KingBuckets::new(*layout).ok()?;
        let (settings, rest) = rest.split_at_checked(length)?;
        let (values, tail) = rest.as_chunks();
        // Prevents an overflow of the sizes.
        if hidden > values.len() || second > values.len() / hidden.max(1) || !tail.is_empty() {
            return None;
        }
        let shape = Shape {
            hidden,
            king_buckets,
            second,
        };
        let (parameters, moments) = (shape.parameters(), Adam::size(&shape));
        if parameters + 2 * moments != values.len() {
            return None;
        }
        let mut values = values.iter().map(|&word| f32::from_le_bytes(word));
        let mut take = |count: usize| values.by_ref().take(count).collect();
        Some(Self {
            settings: String::from_utf8(settings.to_vec()).ok()?,
            epochs,
            model: Model {
                shape,
                parameters: take(parameters),
            },
            adam: Adam {
                first: take(moments),
                second: take(moments),
                steps,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha8Rng;

    use super::*;

    #[test]
    fn what_is_written_is_read_and_anything_else_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = path(&folder.path().join("net"));
        let layout = "0000/1111/1111/1111/1111/1111/1111/1111";
        let king_buckets = layout.parse().expect("a layout");
        let shape = Shape {
            hidden: 32,
            king_buckets,
            second: 2,
        };
        let model = Model::random(shape, &mut ChaCha8Rng::seed_from_u64(3));
        let mut adam = Adam::new(&shape);
        adam.first[7] = 0.5;
        adam.steps = 9;
        let checkpoint = Checkpoint {
            settings: "seed 3".to_owned(),
            epochs: 4,
            model: model.clone(),
            adam: adam.clone(),
        };
        checkpoint.write(&path).expect("written");
        let read = Checkpoint::read(&path).expect("a checkpoint");
        assert_eq!((read.epochs, read.settings.as_str()), (4, "seed 3"));
        assert_eq!((read.model, read.adam), (model, adam));
        let bytes = fs::read(&path).expect("a file");
        for length in [0, 8, 47, 53, 79, 83, bytes.len() - 4, bytes.len() - 1] {
            assert!(Checkpoint::parse(&bytes[..length]).is_none(), "{length}");
        }
        let mut huge = bytes;
        huge[8..16].fill(0xff);
        huge[32..48].fill(0xff);
        assert!(Checkpoint::parse(&huge).is_none());
    }
}
