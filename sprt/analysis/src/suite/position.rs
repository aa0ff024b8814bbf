//! A position of a suite: where the pieces stand, what solves it, what it is about.

use referee::game::chess::ChessVariant;
use referee::game::{Game, Picture, Variant};

use super::epd::Line;
use super::goal::Goal;

/// A position with a solution.
#[derive(Clone, Debug)]
pub struct Position {
    /// The line that it was read from.
    pub line: String,
    pub fen: String,
    pub id: Option<String>,
    /// What its `id` has before the number, or else the name of its file.
    pub theme: String,
    pub(super) goal: Goal,
    variant: &'static dyn Variant,
}

impl Position {
    /// # Errors
    /// Why the line cannot be used.
    pub(super) fn parse(
        line: &str,
        file: &str,
        variant: &'static dyn Variant,
    ) -> Result<Self, String> {
        let parts = Line::parse(line, variant.position_fields());
        let board = board(&parts, variant)?;
        if !board.can_move() {
            return Err("the side to move has no legal move".to_owned());
        }
        let id = parts.operands("id").filter(|id| !id.is_empty());
        let theme = id.map(theme).filter(|theme| !theme.is_empty());
        Ok(Self {
            goal: Goal::of(&parts, &*board)?,
            line: line.trim().to_owned(),
            fen: board.current(),
            theme: theme.unwrap_or(file).to_owned(),
            id: id.map(str::to_owned),
            variant,
        })
    }

    /// What reports call it.
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.fen)
    }

    /// Whether it has moves that earn points.
    pub fn has_points(&self) -> bool {
        self.goal.most_points() > 0
    }

    /// The board for pages, which draw that of chess by themselves.
    pub(super) fn picture(&self) -> Option<Picture> {
        let is_chess = ChessVariant::castling_mode(self.variant.name()).is_some();
        self.board().filter(|_| !is_chess)?.picture()
    }

    /// The moves or the mate that solve it.
    pub fn solution(&self) -> String {
        let goal = &self.goal;
        match (goal.best.as_slice(), goal.mate) {
            ([], Some(moves)) => format!("#{moves}"),
            ([], None) => format!("not {}", goal.avoid.join(" ")),
            (best, _) => best.join(" "),
        }
    }

    /// A legal move as an engine says it, in one notation.
    pub(super) fn legal(&self, text: &str) -> Option<String> {
        let mut board = self.board()?;
        let found = board.find(text).ok()?;
        // An engine's notation is narrower than a person's.
        board.play(text).ok().map(|()| found)
    }

    /// Whether a line of moves ends in the mate that is claimed with it.
    pub(super) fn proves(&self, line: &[String], mate: i32) -> bool {
        let fault = |board: Box<dyn Game>| board.line_fault(&line.join(" "), 0, Some(mate));
        self.board().is_some_and(|board| fault(board).is_none())
    }

    fn board(&self) -> Option<Box<dyn Game>> {
        self.variant.study(&self.fen).ok()
    }
}

fn board(line: &Line<'_>, variant: &dyn Variant) -> Result<Box<dyn Game>, String> {
    let words = variant.position_fields();
    if line.fields.len() < words {
        return Err(format!(
            "got {} fields, expected {words} and operations",
            line.fields.len()
        ));
    }
    let mut text = line.fields.join(" ");
    let counters = [("hmvc", "0"), ("fmvn", "1")].map(|(name, usual)| (line.operands(name), usual));
    if line.fields.len() == words && counters.iter().any(|(told, _)| told.is_some()) {
        for (told, usual) in counters {
            text = format!("{text} {}", told.unwrap_or(usual));
        }
    }
    let study = variant.study(&text);
    study.map_err(|failure| format!("no position: {}", failure.message()))
}

/// `STS(v1.0) Undermine.001`: what stands before the number, without the dot.
fn theme(id: &str) -> &str {
    let words = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    words.trim_end_matches([' ', '.', '-', '_', '#', ':'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use referee::game;

    use super::super::goal::MateRule;
    use super::*;

    const STS: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - ";

    fn read(line: &str) -> Result<Position, String> {
        Position::parse(line, "file", game::variant("standard").expect("chess"))
    }

    #[test]
    fn all_versions_of_scored_moves_are_read() {
        let points = [("f4f5", 10), ("d4e5", 2), ("d4f2", 3)];
        for operations in [
            "bm f5; id \"STS(v1.0) Undermine.001\"; c0 \"f5=10, Be5+=2, Bf2=3\";",
            "id \"STS(v1.0) Undermine.001\"; c7 \"f5 Be5+ Bf2\"; c8 \"10 2 3\"; c9 \"f4f5 d4e5 d4f2\";",
            "bm f5; id \"STS(v1.0) Undermine.001\"; c0 \"by hand\"; c7 \"10 2 3\"; c8 \"f5 Be5+ Bf2\"",
        ] {
            let position = read(&format!("{STS}{operations}")).expect(operations);
            let expected = points.map(|(text, points)| (text.to_owned(), points));
            assert_eq!(position.goal.points, expected, "{operations}");
            assert_eq!(position.goal.best, ["f4f5"]);
            assert_eq!(position.theme, "STS(v1.0) Undermine");
            assert_eq!(
                (
                    position.goal.points_of("d4f2"),
                    position.goal.points_of("e2e3")
                ),
                (3, 0)
            );
        }
    }

    #[test]
    fn best_moves_decide_where_there_are_moves_to_avoid_too() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
        let both = read(&format!("{start}bm e4 d4; am a4;"))
            .expect("a position")
            .goal;
        let avoid = read(&format!("{start}am a4;")).expect("a position").goal;
        let solved = |goal: &Goal, text: &str| goal.is_solved_by(text, None, MateRule::Any);
        assert!(solved(&both, "e2e4") && solved(&both, "d2d4") && !solved(&both, "g1f3"));
        assert!(solved(&avoid, "g1f3") && !solved(&avoid, "a2a4"));
    }

    #[test]
    fn mates_are_wanted_any_or_the_shortest() {
        let goal = read("7k/8/5K2/8/8/8/8/6R1 w - - bm #3;")
            .expect("a position")
            .goal;
        let solved = |mate, rule| goal.is_solved_by("g1g2", mate, rule);
        assert!(solved(Some(5), MateRule::Any) && !solved(Some(5), MateRule::Best));
        assert!(solved(Some(3), MateRule::Best) && !solved(None, MateRule::Any));
        assert!(!solved(Some(-2), MateRule::Any));
        let direct = read("7k/8/5K2/8/8/8/8/6R1 w - - dm 3;")
            .expect("a position")
            .goal;
        assert_eq!(direct, goal);
    }

    #[test]
    fn a_mate_is_proved_by_its_line() {
        let position = read("7k/8/6K1/8/8/8/8/R7 w - - bm #1;").expect("a position");
        let line = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(position.proves(&line("a1a8"), 1));
        for (text, mate) in [("a1b1", 1), ("a1a8", 2), ("a1z9", 1), ("a1a7 h8g8 a7a8", 1)] {
            assert!(!position.proves(&line(text), mate), "{text}");
        }
    }

    #[test]
    fn broken_lines_say_what_is_wrong() {
        for (line, words) in [
            ("8/8/8 w - - bm a1;", "no position"),
            ("k7/8/K7 w", "got 2 fields"),
            ("7k/5KQ1/8/8/8/8/8/8 b - - bm Kh7;", "no legal move"),
            ("k7/8/K7/8/8/8/8/R6R w - - bm Re1;", "`Re1` is ambiguous"),
            ("k7/8/K7/8/8/8/8/R6R w - - bm Rc3;", "`Rc3` is illegal"),
            ("k7/8/K7/8/8/8/8/R6R w - - bm Zz;", "`Zz` is no move"),
            ("k7/8/K7/8/8/8/8/R6R w - - bm #x;", "`bm #x` is no number"),
            ("k7/8/K7/8/8/8/8/R6R w - - id \"x\";", "no solution"),
            (
                "k7/8/K7/8/8/8/8/R6R w - - c7 \"Kb6\"; c8 \"1 2\";",
                "1 moves with 2 points",
            ),
        ] {
            let why = read(line).expect_err(line);
            assert!(why.contains(words), "{line}: {why}");
        }
    }

    #[test]
    fn answers_are_in_the_notation_of_engines() {
        let position = read("4k3/8/8/8/8/8/8/R3K1N1 w Q - bm Nf3;").expect("a position");
        assert_eq!(position.legal("g1f3").as_deref(), Some("g1f3"));
        for word in ["Nf3", "O-O-O", "g1f4"] {
            assert_eq!(position.legal(word), None, "{word}");
        }
    }

    #[test]
    fn positions_that_a_rule_has_drawn_are_read() {
        read("8/8/8/4k3/8/8/4K1N1/8 w - - bm Ne3;").expect("too little material");
        read("4k3/8/8/8/8/8/4P3/4K3 w - - 100 80 bm e4;").expect("fifty moves");
    }

    #[test]
    fn composed_positions_are_read() {
        read("7n/BBP2P1P/8/P1PpK3/P5RR/5k2/Pn2NPN1/3Q2b1 w - d6 bm #1;").expect("matetrack's");
        read("6Qk/PP1PP1np/1N1BN2P/7R/4B3/2Q5/P3KP2/6R1 b - - bm #-1;").expect("many queens to be");
    }

    #[test]
    fn positions_of_other_games_are_read_by_their_rules() {
        let variant = game::variant("leiserchess").expect("the second game");
        let kings = "ss6NN/8/8/8/8/8/8/8 W bm ";
        let read = |moves: &str| Position::parse(&format!("{kings}{moves};"), "file", variant);
        let position = read("h7L; id \"zap.001\"").expect("a position");
        assert_eq!((&*position.fen, &*position.theme), (&kings[..21], "zap"));
        assert!(position.proves(&["h7L".to_owned()], 1));
        let why = read("h7h5").expect_err("two steps");
        assert!(why.contains("the solution `h7h5` is illegal"), "{why}");
    }

    proptest! {
        #[test]
        fn no_line_panics(operations in "\\PC{0,60}|(bm|am|dm|c0|c7|c8|id) [a-h1-8#=N\" ]{0,20};") {
            let _ = read(&format!("{STS}{operations}"));
        }
    }
}
