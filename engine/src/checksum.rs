//! A checksum of data that nobody forges.

pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Mixes one more word into the checksum.
pub fn mix(sum: u64, word: u64) -> u64 {
    let sum = (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    sum ^ (sum >> 32)
}

/// Mixes bytes into the checksum, as words of 8; zeros fill the last one.
pub fn mix_bytes(sum: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(sum, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(sum, u64::from_le_bytes(word))
    })
}
