//! Makes a Syzygy table for tests, so that none has to be downloaded.

use std::fs;
use std::path::Path;

/// Writes `KQvK.rtbw` to `folder`. With White to move every position is won and with Black to move
/// lost, but for captures, which a table does not hold, and for stalemates, which the rules end
/// before anybody looks: the format has a form for tables of a single value.
pub fn write_queen_against_king(folder: &Path) {
    const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
    /// Different values for the two sides to move.
    const SPLIT: u8 = 1;
    /// All three pieces are encoded together.
    const ORDER: u8 = 0;
    /// White's king and queen and Black's king; Black's colour is bit 3. The upper half is for
    /// Black to move.
    const PIECES: [u8; 3] = [0x66, 0x55, 0xee];
    const SINGLE_VALUE: u8 = 0x80;
    const WIN: u8 = 4;
    const LOSS: u8 = 0;
    /// A table's length divided by 64 leaves this remainder.
    const LENGTH: usize = 64 + 16;
    let mut table = MAGIC.to_vec();
    table.extend([SPLIT, ORDER]);
    table.extend(PIECES);
    // The values begin at an even place.
    table.push(0);
    table.extend([SINGLE_VALUE, WIN, SINGLE_VALUE, LOSS]);
    table.resize(LENGTH, 0);
    fs::write(folder.join("KQvK.rtbw"), table).expect("a table");
}
