//! King buckets: which set of input weights a side uses, by the square of its king.

use std::fmt::{self, Write as _};
use std::str::FromStr;

/// Squares of a king on the files a to d.
const SQUARES: usize = 32;

/// The bucket of each square of the own king, rank by rank from the own side, files a to d: the
/// board is mirrored for a king on the other files. The buckets are numbered from 0 without gaps.
///
/// As text, eight ranks of four digits: `0011/2222/3333/3333/3333/3333/3333/3333`. Digits above 9
/// are letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingBuckets([u8; SQUARES]);

impl KingBuckets {
    /// One set of weights, wherever the king is.
    pub const ONE: Self = Self([0; SQUARES]);

    /// Refuses numbers with gaps.
    pub fn new(buckets: [u8; SQUARES]) -> Result<Self, String> {
        let layout = Self(buckets);
        match (0..layout.count()).find(|&bucket| !buckets.contains(&(bucket as u8))) {
            None => Ok(layout),
            Some(unused) => Err(format!(
                "king buckets: expected every bucket from 0 to {} to have a square, got none for \
                 {unused}",
                layout.count() - 1
            )),
        }
    }

    pub fn count(&self) -> usize {
        usize::from(self.0.iter().copied().max().unwrap_or(0)) + 1
    }

    /// The bucket of a king on this file and rank, from 0, on the files a to d.
    #[inline]
    pub fn at(&self, file: usize, rank: usize) -> usize {
        usize::from(self.0[rank % 8 * 4 + file % 4])
    }

    pub fn to_bytes(self) -> [u8; SQUARES] {
        self.0
    }
}

impl fmt::Display for KingBuckets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &bucket) in self.0.iter().enumerate() {
            if index > 0 && index % 4 == 0 {
                formatter.write_char('/')?;
            }
            formatter.write_char(char::from_digit(u32::from(bucket), 36).unwrap_or('?'))?;
        }
        Ok(())
    }
}

impl FromStr for KingBuckets {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected eight ranks of four digits, as in '{}'", Self::ONE);
        let mut buckets = [0; SQUARES];
        let mut ranks = text.split('/');
        for squares in buckets.as_chunks_mut::<4>().0 {
            let rank = ranks.next().ok_or_else(expected)?;
            let mut digits = rank.chars();
            for square in squares {
                let digit = digits.next().and_then(|digit| digit.to_digit(36));
                *square = digit.ok_or_else(expected)? as u8;
            }
            if digits.next().is_some() {
                return Err(expected());
            }
        }
        if ranks.next().is_some() {
            return Err(expected());
        }
        Self::new(buckets)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_layout_is_read_as_written(buckets in prop::array::uniform32(0_u8..6)) {
            if let Ok(layout) = KingBuckets::new(buckets) {
                prop_assert_eq!(layout.to_string().parse(), Ok(layout));
                prop_assert_eq!(layout.to_bytes(), buckets);
                let squares = (0..8).flat_map(|rank| (0..4).map(move |file| (file, rank)));
                let found: Vec<u8> = squares
                    .map(|(file, rank)| layout.at(file, rank) as u8)
                    .collect();
                prop_assert_eq!(found, buckets);
            }
        }

        #[test]
        fn any_text_is_a_layout_or_an_error(text in "[0-3a/]{0,44}") {
            if let Ok(layout) = text.parse::<KingBuckets>() {
                prop_assert_eq!(layout.to_string(), text);
            }
        }
    }

    #[test]
    fn squares_are_counted_from_the_own_side() {
        let layout: KingBuckets = "0012/3333/4444/4444/4444/4444/4444/555z"
            .replace('z', "6")
            .parse()
            .unwrap();
        assert_eq!(layout.count(), 7);
        assert_eq!((layout.at(0, 0), layout.at(3, 0)), (0, 2));
        assert_eq!((layout.at(1, 1), layout.at(3, 7)), (3, 6));
        assert_eq!(KingBuckets::ONE.count(), 1);
    }

    #[test]
    fn other_texts_are_refused_with_what_was_expected() {
        for text in [
            "",
            "0",
            "0000/0000/0000/0000/0000/0000/0000",
            "0000/0000/0000/0000/0000/0000/0000/0000/0000",
            "0000/0000/0000/0000/0000/0000/0000/00000",
            "0000/0000/0000/000/00000/0000/0000/0000",
            "0000/0000/0000/00-0/0000/0000/0000/0000",
        ] {
            let error = text.parse::<KingBuckets>().unwrap_err();
            assert!(
                error.contains("eight ranks of four digits"),
                "{text}: {error}"
            );
        }
        let error = "0000/2222/2222/2222/2222/2222/2222/2222"
            .parse::<KingBuckets>()
            .unwrap_err();
        assert!(
            error.contains("from 0 to 2") && error.contains("none for 1"),
            "{error}"
        );
    }
}
