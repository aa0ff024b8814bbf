//! Each pruning technique in a node that it prunes, and in nodes that it must not prune.

use super::stats::Stats;
use super::test_searcher::with_searcher;
use crate::params::Params;
use crate::position::Position;
use crate::score::{self, Score, mate_in};
use crate::techniques::PruningMode;

/// A pruning technique on its own.
struct Form {
    name: &'static str,
    params: &'static [(&'static str, i32)],
    depth: i32,
    /// Alpha of the null window, above the evaluation or below it.
    alpha: Score,
    /// Moves that give check are searched.
    spares_checks: bool,
}

const fn form(name: &'static str, params: &'static [(&'static str, i32)], depth: i32) -> Form {
    Form {
        name,
        params,
        depth,
        alpha: 900,
        spares_checks: true,
    }
}

const FORMS: [Form; 11] = [
    form("frontier futility", &[("FrontierEnable", 1)], 1),
    form("extended futility", &[("ExtendedEnable", 1)], 2),
    // One quiet move that is no check makes it skip them all.
    Form {
        spares_checks: false,
        ..form("futility", &[("FpEnable", 1)], 2)
    },
    form("capture futility", &[("FpCaptureEnable", 1)], 1),
    Form {
        spares_checks: false,
        ..form("late move pruning", &[("LmpEnable", 1)], 1)
    },
    Form {
        spares_checks: false,
        ..form("SEE pruning", &[("SeeEnable", 1)], 2)
    },
    Form {
        spares_checks: false,
        ..form("history pruning", &[("HpEnable", 1), ("HpOffset", 4000)], 1)
    },
    Form {
        spares_checks: false,
        ..form("razoring", &[("RazorEnable", 1)], 1)
    },
    Form {
        spares_checks: false,
        ..form("deep futility", &[("DfpEnable", 1)], 2)
    },
    Form {
        alpha: -2000,
        ..form("reverse futility", &[("RfpEnable", 1)], 3)
    },
    Form {
        alpha: -2000,
        ..form("null move", &[("NmpEnable", 1)], 4)
    },
];

/// Black is a queen and a bishop behind, has captures that lose material, and is not in check.
const BEHIND: &str = "r3k2r/ppp2ppp/2n2n2/3p4/3P4/2N2N2/PPP2PPP/R2QKB1R b KQkq - 0 1";
const IN_CHECK: &str = "r3k2r/ppp2ppp/2n2n2/1B1p4/3P4/2N2N2/PPP1QPPP/R3K2R b KQkq - 0 1";
/// Black's only legal move is a quiet one of the knight.
const ONE_MOVE: &str = "k7/8/1K6/8/8/8/5p1B/5N1n b - - 0 1";
/// White is far behind and mates with a quiet move of the rook.
const MATE: &str = "6k1/5ppp/8/8/8/8/qr3PPP/3R2K1 w - - 0 1";

/// Searches a node below the root in a null window with nothing else that prunes.
fn search(form: &Form, fen: &str, alpha: Score) -> (Score, Stats) {
    let params = PruningMode::Disabled
        .apply(&Params::default())
        .with(form.params);
    let position = Position::from_fen(fen).unwrap();
    with_searcher(&params, &position, &[], |mut searcher| {
        searcher.iteration = 10;
        let score = searcher.alpha_beta::<false>(&position, 1, form.depth, alpha, alpha + 1, false);
        (score, searcher.stats)
    })
}

fn cuts(form: &Form, fen: &str, alpha: Score) -> u64 {
    let tally = search(form, fen, alpha).1.of(form.name).unwrap();
    assert!(tally.cut == 0 || tally.tried > 0, "{}", form.name);
    tally.cut
}

#[test]
fn each_form_prunes() {
    for form in &FORMS {
        assert!(cuts(form, BEHIND, form.alpha) > 0, "{}", form.name);
    }
}

#[test]
fn nothing_is_pruned_in_check() {
    // Deeper nodes are not in check, so only a depth of one shows it.
    for form in &FORMS {
        let form = Form { depth: 1, ..*form };
        assert_eq!(cuts(&form, IN_CHECK, form.alpha), 0, "{}", form.name);
    }
}

#[test]
fn nothing_is_pruned_when_a_mate_is_to_be_beaten() {
    for form in &FORMS {
        let form = Form { depth: 1, ..*form };
        assert_eq!(cuts(&form, BEHIND, mate_in(30)), 0, "{}", form.name);
    }
}

#[test]
fn the_last_legal_move_is_searched() {
    for form in FORMS.iter().filter(|form| form.alpha > 0) {
        let (found, _) = search(form, ONE_MOVE, form.alpha);
        assert!(!score::is_mate(found), "{}: {found}", form.name);
    }
}

#[test]
fn a_quiet_check_that_mates_is_found_however_far_behind() {
    for form in FORMS
        .iter()
        .filter(|form| form.spares_checks && form.alpha > 0)
    {
        let (found, _) = search(form, MATE, form.alpha);
        assert_eq!(found, mate_in(2), "{}", form.name);
    }
}

#[test]
fn limited_razoring_takes_a_ply_off_at_its_depth_and_nowhere_else() {
    const ON: &[(&str, i32)] = &[("LimitedRazorEnable", 1)];
    let nodes = |params, depth, alpha| {
        let form = Form {
            params,
            ..form("", &[], depth)
        };
        let (_, stats) = search(&form, BEHIND, alpha);
        stats.lines()[0].clone()
    };
    assert_ne!(nodes(ON, 3, 900), nodes(&[], 3, 900));
    // The gap is less than a queen's value, and the other depths are outside its range.
    assert_eq!(nodes(ON, 3, -600), nodes(&[], 3, -600));
    assert_eq!(nodes(ON, 2, 900), nodes(&[], 2, 900));
    assert_eq!(nodes(ON, 3, mate_in(30)), nodes(&[], 3, mate_in(30)));
}
