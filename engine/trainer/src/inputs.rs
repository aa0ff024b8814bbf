//! The inputs of positions, as changes from each to the next.
//!
//! Positions of a game that follow each other have most inputs in common.

use std::mem;
use std::ops::Range;

use cozy_chess::{Color, Piece, Square};
use engine::network::{KingBuckets, View, output_index};
use engine::packed::PackedPosition;

type Placed = (Color, Piece, Square);

/// How the view of one side changes, from the position before to this one.
#[derive(Clone, Debug)]
pub struct Step {
    /// Nothing of what was before is left.
    pub is_fresh: bool,
    /// The place of the view's sums: those of all positions, for the side to move and for the other
    /// side.
    pub place: usize,
    removed: Range<usize>,
    added: Range<usize>,
}

/// The steps of White's view and Black's view in turn, for each position and for the end, where all
/// inputs are removed.
#[derive(Clone, Default)]
pub struct Inputs {
    pub steps: Vec<Step>,
    /// The output that is used, for each position.
    pub outputs: Vec<usize>,
    rows: Vec<u16>,
}

/// The pieces of a position, by square, and the views of White and Black.
#[derive(Default)]
struct Placement {
    pieces: Vec<Placed>,
    views: [Option<View>; 2],
}

impl Inputs {
    /// Of positions in the order in which they are given.
    pub fn set(&mut self, positions: &[PackedPosition], buckets: &KingBuckets) {
        self.steps.clear();
        self.outputs.clear();
        self.rows.clear();
        let (mut before, mut now) = (Placement::default(), Placement::default());
        let mut changes = [Vec::new(), Vec::new()];
        for (index, position) in positions.iter().enumerate() {
            now.pieces.clear();
            now.pieces.extend(position.placement().take(32));
            now.views = Color::ALL.map(|side| Some(view(side, &now.pieces, buckets)));
            self.outputs.push(output_index(now.pieces.len()));
            self.step(&before, &now, 2 * index, position.side(), &mut changes);
            mem::swap(&mut before, &mut now);
        }
        let place = 2 * positions.len();
        self.step(
            &before,
            &Placement::default(),
            place,
            Color::White,
            &mut changes,
        );
    }

    fn step(
        &mut self,
        before: &Placement,
        now: &Placement,
        place: usize,
        side: Color,
        changes: &mut [Vec<Placed>; 2],
    ) {
        let [removed, added] = changes;
        difference(&before.pieces, &now.pieces, removed);
        difference(&now.pieces, &before.pieces, added);
        let are_few = removed.len() + added.len() < now.pieces.len();
        for color in Color::ALL {
            let [old, new] = [before, now].map(|placement| placement.views[color as usize]);
            let is_fresh = old != new || !are_few;
            let [removed, added] = if is_fresh {
                [&before.pieces, &now.pieces]
            } else {
                [&*removed, &*added]
            };
            let removed = self.add(old, removed);
            let added = self.add(new, added);
            self.steps.push(Step {
                is_fresh,
                place: place + usize::from(color != side),
                removed,
                added,
            });
        }
    }

    fn add(&mut self, view: Option<View>, pieces: &[Placed]) -> Range<usize> {
        let start = self.rows.len();
        let pieces = view.into_iter().flat_map(|view| {
            (pieces.iter()).map(move |&(color, piece, square)| view.input(color, piece, square))
        });
        self.rows.extend(pieces);
        start..self.rows.len()
    }

    pub fn removed(&self, step: &Step) -> &[u16] {
        &self.rows[step.removed.clone()]
    }

    pub fn added(&self, step: &Step) -> &[u16] {
        &self.rows[step.added.clone()]
    }
}

fn view(side: Color, pieces: &[Placed], buckets: &KingBuckets) -> View {
    let king = pieces
        .iter()
        .find(|&&(color, piece, _)| color == side && piece == Piece::King);
    View::new(
        side,
        king.map_or(Square::A1, |&(.., square)| square),
        buckets,
    )
}

/// Lists the pieces that are among the first ones only. Both are sorted by square.
fn difference(pieces: &[Placed], others: &[Placed], found: &mut Vec<Placed>) {
    found.clear();
    let mut others = others.iter().peekable();
    for piece in pieces {
        while others
            .next_if(|other| (other.2 as u8) < piece.2 as u8)
            .is_some()
        {}
        if others.peek() != Some(&piece) {
            found.push(*piece);
        }
    }
}
