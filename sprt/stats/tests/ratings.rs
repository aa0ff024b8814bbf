//! Ratings against what the real programs print: BayesElo 0057 (`elo`, `mm 1 1`, `covariance`,
//! `ratings`, `los 0 N 3`, `advantage`, `drawelo`) and Ordo 1.2.6 (`-W -D -a 0 -N 1`), each of them
//! given the games as PGN.

use proptest::prelude::*;
use stats::ratings::{CrossTable, bayes_elo, bayes_elo_exact, los_table, ordo, rating_table};
use stats::{GameResult, Wdl};

const NAMES: [&str; 6] = ["Ana", "Boris", "Carla", "Dmitri", "Eva", "Femi"];

/// First mover, second mover; the first's wins, draws and losses.
type Cell = ((usize, usize), [u64; 3]);

struct Vector {
    players: usize,
    games: &'static [Cell],
    ratings: &'static str,
    los: &'static str,
    advantage: f64,
    draw_elo: f64,
    /// Player, rating.
    ordo: &'static [(&'static str, &'static str)],
    ordo_advantage: f64,
    ordo_draw_rate: f64,
}

const VECTORS: &[Vector] = &[
    Vector {
        players: 2,
        games: &[((0, 1), [2, 6, 2]), ((1, 0), [5, 3, 2])],
        ratings: "Rank Name    Elo    +    - games score oppo. draws\n\
\x20  1 Boris    26   50   50    20   58%   -26   45%\n\
\x20  2 Ana     -26   50   50    20   43%    26   45%\n",
        los: "\x20      Bo An\n\
Boris     84\n\
Ana    15\n",
        advantage: 71.4913,
        draw_elo: 204.104,
        ordo: &[("Boris", "27.1"), ("Ana", "-27.1")],
        ordo_advantage: 54.25,
        ordo_draw_rate: 47.01,
    },
    Vector {
        players: 3,
        games: &[
            ((0, 1), [13, 4, 3]),
            ((1, 0), [2, 7, 11]),
            ((0, 2), [12, 5, 3]),
            ((2, 0), [2, 9, 9]),
            ((1, 2), [4, 5, 11]),
            ((2, 1), [13, 6, 1]),
        ],
        ratings: "Rank Name    Elo    +    - games score oppo. draws\n\
\x20  1 Ana     107   42   42    80   72%   -54   31%\n\
\x20  2 Carla    10   40   40    80   52%    -5   31%\n\
\x20  3 Boris  -117   42   42    80   26%    58   28%\n",
        los: "\x20      An Ca Bo\n\
Ana       99 99\n\
Carla   0    99\n\
Boris   0  0\n",
        advantage: 35.3344,
        draw_elo: 147.163,
        ordo: &[("Ana", "114.0"), ("Carla", "9.9"), ("Boris", "-123.9")],
        ordo_advantage: 28.82,
        ordo_draw_rate: 35.55,
    },
    Vector {
        players: 4,
        games: &[
            ((0, 1), [16, 18, 26]),
            ((1, 0), [30, 22, 8]),
            ((0, 2), [26, 19, 15]),
            ((2, 0), [19, 28, 13]),
            ((0, 3), [17, 23, 20]),
            ((3, 0), [24, 20, 16]),
            ((1, 2), [34, 17, 9]),
            ((2, 1), [16, 27, 17]),
            ((1, 3), [30, 20, 10]),
            ((3, 1), [11, 25, 24]),
            ((2, 3), [24, 22, 14]),
            ((3, 2), [25, 21, 14]),
        ],
        ratings: "Rank Name     Elo    +    - games score oppo. draws\n\
\x20  1 Boris     67   21   21   360   63%   -22   36%\n\
\x20  2 Dmitri   -15   21   21   360   47%     5   36%\n\
\x20  3 Carla    -24   21   21   360   46%     8   37%\n\
\x20  4 Ana      -28   21   21   360   45%     9   36%\n",
        los: "\x20       Bo Dm Ca An\n\
Boris      99 99 99\n\
Dmitri   0    70 75\n\
Carla    0 29    57\n\
Ana      0 24 42\n",
        advantage: 50.1595,
        draw_elo: 142.256,
        ordo: &[
            ("Boris", "69.0"),
            ("Dmitri", "-16.0"),
            ("Carla", "-24.2"),
            ("Ana", "-28.8"),
        ],
        ordo_advantage: 43.51,
        ordo_draw_rate: 37.83,
    },
    Vector {
        players: 6,
        games: &[
            ((0, 1), [1, 0, 4]),
            ((1, 0), [2, 1, 2]),
            ((0, 2), [2, 4, 3]),
            ((2, 0), [3, 4, 2]),
            ((0, 3), [1, 1, 3]),
            ((3, 0), [2, 1, 2]),
            ((0, 4), [2, 3, 2]),
            ((4, 0), [3, 2, 2]),
            ((1, 2), [4, 1, 1]),
            ((2, 1), [2, 3, 1]),
            ((1, 4), [8, 0, 0]),
            ((4, 1), [3, 1, 4]),
            ((1, 5), [8, 2, 1]),
            ((5, 1), [2, 5, 4]),
            ((2, 3), [2, 5, 2]),
            ((3, 2), [5, 2, 2]),
            ((2, 4), [4, 5, 3]),
            ((4, 2), [2, 7, 3]),
            ((2, 5), [4, 4, 2]),
            ((5, 2), [1, 4, 5]),
            ((3, 4), [2, 6, 2]),
            ((4, 3), [4, 3, 3]),
            ((4, 5), [1, 8, 1]),
            ((5, 4), [3, 6, 1]),
        ],
        ratings: "Rank Name     Elo    +    - games score oppo. draws\n\
\x20  1 Boris    115   61   61    60   69%   -32   22%\n\
\x20  2 Dmitri     6   65   65    48   54%   -23   38%\n\
\x20  3 Carla      5   44   44    92   53%   -12   42%\n\
\x20  4 Eva      -38   44   44    94   44%     6   44%\n\
\x20  5 Femi     -43   57   57    62   40%    30   47%\n\
\x20  6 Ana      -45   63   63    52   42%    15   31%\n",
        los: "\x20       Bo Dm Ca Ev Fe An\n\
Boris      97 99 99 99 99\n\
Dmitri   2    51 85 82 84\n\
Carla    0 48    89 88 88\n\
Eva      0 14 10    55 56\n\
Femi     0 17 11 44    51\n\
Ana      0 15 11 43 48\n",
        advantage: 34.4918,
        draw_elo: 159.549,
        ordo: &[
            ("Boris", "110.1"),
            ("Dmitri", "8.4"),
            ("Carla", "7.0"),
            ("Eva", "-36.7"),
            ("Ana", "-40.7"),
            ("Femi", "-48.1"),
        ],
        ordo_advantage: 29.08,
        ordo_draw_rate: 40.25,
    },
];

fn table(players: usize, cells: &[Cell]) -> CrossTable {
    let mut table = CrossTable::new(players);
    for &((first, second), [wins, draws, losses]) in cells {
        let results = [
            (wins, GameResult::Win),
            (draws, GameResult::Draw),
            (losses, GameResult::Loss),
        ];
        for (count, result) in results {
            for _ in 0..count {
                table.add(first, second, result);
            }
        }
    }
    table
}

/// BayesElo leaves blanks at the ends of its lines.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).collect()
}

#[test]
fn bayes_elo_prints_the_same() {
    for vector in VECTORS {
        let table = table(vector.players, vector.games);
        let names = &NAMES[..vector.players];
        let ratings = bayes_elo(&table).expect("ratings");
        let text = rating_table(names, &table, Some(&ratings));
        assert_eq!(lines(&text), lines(vector.ratings));
        assert_eq!(
            lines(&los_table(names, &table, &ratings)),
            lines(vector.los)
        );
        // It stops at a change of 1e-5 a step.
        for (ours, its) in [
            (ratings.advantage, vector.advantage),
            (ratings.draw_elo, vector.draw_elo),
        ] {
            assert!((ours - its).abs() < 0.02, "{ours} {its}");
        }
    }
}

/// The table that the lecture on Leiserchess prints (MIT 6.172, 2018), from results that give it with
/// the course's BayesElo: `drawelo 10`, `mm`, `exactdist`.
#[test]
fn the_table_of_the_lecture_is_the_same() {
    let table = table(
        3,
        &[
            ((2, 0), [9, 0, 0]),
            ((0, 2), [0, 0, 8]),
            ((2, 1), [6, 2, 0]),
            ((1, 2), [1, 0, 7]),
            ((1, 0), [9, 0, 0]),
            ((0, 1), [1, 0, 7]),
        ],
    );
    let ratings = bayes_elo_exact(&table, 32.8, 10.0).expect("ratings");
    let names = ["test4", "test5", "test6"];
    assert_eq!(
        lines(&rating_table(&names, &table, Some(&ratings))),
        lines(
            "Rank Name    Elo    +    - games score oppo. draws\n\
            \x20  1 test6   269  137  100    33   94%  -140    6%\n\
            \x20  2 test5    40   96   98    33   55%   -29    6%\n\
            \x20  3 test4  -309  113  185    34    3%   155    0%\n"
        )
    );
}

#[test]
fn ordo_prints_the_same() {
    for vector in VECTORS {
        let found = ordo(&table(vector.players, vector.games), 0.0).expect("ratings");
        for (name, rating) in vector.ordo {
            let player = NAMES
                .iter()
                .position(|known| known == name)
                .expect("a player");
            let ours = found.ratings[player].expect("it has played");
            assert_eq!(&format!("{ours:.1}"), rating, "{name}");
        }
        // It goes on with the advantage until that moves by less than 0.01.
        assert!((found.advantage - vector.ordo_advantage).abs() < 0.02);
        assert!((100.0 * found.draw_rate - vector.ordo_draw_rate).abs() < 0.02);
    }
}

#[test]
fn who_has_not_played_is_listed_without_figures() {
    let mut table = CrossTable::new(3);
    for result in [GameResult::Win, GameResult::Draw] {
        table.add(0, 2, result);
        table.add(2, 0, result);
    }
    let ratings = bayes_elo(&table).expect("two players");
    assert_eq!(ratings.ratings[1], None);
    let text = rating_table(&NAMES[..3], &table, Some(&ratings));
    assert_eq!(
        text.lines().last().map(str::trim_end),
        Some("   3 Boris                     0")
    );
}

/// Without fitted terms (`mm`), as BayesElo prints it.
#[test]
fn terms_that_the_results_do_not_determine_are_the_usual_ones() {
    let mut table = CrossTable::new(2);
    for _ in 0..5 {
        table.add(0, 1, GameResult::Win);
        table.add(1, 0, GameResult::Loss);
    }
    let ratings = bayes_elo(&table).expect("a prior");
    assert_eq!(
        (ratings.advantage.round(), ratings.draw_elo.round()),
        (33.0, 97.0)
    );
    let text = rating_table(&NAMES[..2], &table, Some(&ratings));
    assert_eq!(
        lines(&text)[1],
        "   1 Ana     181  121  121    10  100%  -181    0%"
    );
}

fn results() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    prop::collection::vec((0..5_usize, 0..5_usize, 0..3_usize), 1..60)
}

fn played(games: &[(usize, usize, usize)], turn: impl Fn(usize) -> usize) -> CrossTable {
    let mut table = CrossTable::new(5);
    for &(first, second, result) in games.iter().filter(|game| game.0 != game.1) {
        let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][result];
        table.add(turn(first), turn(second), result);
    }
    table
}

proptest! {
    #[test]
    fn ratings_are_finite_and_do_not_depend_on_the_order_of_players(games in results()) {
        let turn = |player: usize| (player + 2) % 5;
        let (table, turned) = (played(&games, |player| player), played(&games, turn));
        let (own, other) = (bayes_elo(&table), bayes_elo(&turned));
        prop_assert_eq!(own.is_some(), other.is_some());
        if let (Some(own), Some(other)) = (own, other) {
            for player in 0..5 {
                let pair = (own.ratings[player], other.ratings[turn(player)]);
                prop_assert_eq!(pair.0.is_some(), pair.1.is_some());
                if let (Some(a), Some(b)) = pair {
                    prop_assert!((a.elo - b.elo).abs() < 0.01, "{} {}", a.elo, b.elo);
                    prop_assert!(a.plus.is_finite() && a.minus > 0.0);
                }
            }
        }
    }

    #[test]
    fn ordo_expects_the_points_that_were_made(games in results()) {
        let table = played(&games, |player| player);
        if let Some(found) = ordo(&table, 2500.0) {
            let beta = (0.76_f64 / 0.24).ln() / 202.0;
            let unrated = (0..5).filter(|player| found.ratings[*player].is_none());
            let table = table.without(&unrated.collect::<Vec<_>>());
            for player in 0..5 {
                let Some(rating) = found.ratings[player] else { continue };
                let made = table.of(player);
                let mut expected = 0.0;
                for opponent in 0..5 {
                    let Some(other) = found.ratings[opponent] else { continue };
                    let score = |lead: f64| 1.0 / (1.0 + (-beta * lead).exp());
                    let first = table.moving_first(player, opponent).games() as f64;
                    let second = table.moving_first(opponent, player).games() as f64;
                    expected += first * score(rating + found.advantage - other)
                        + second * score(rating - found.advantage - other);
                }
                let Wdl { wins, draws, .. } = made;
                prop_assert!((expected - wins as f64 - draws as f64 / 2.0).abs() < 1e-6);
            }
        }
    }
}
