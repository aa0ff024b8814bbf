//! The formulas of all pruning techniques as functions of depth, evaluation and parameters.
//!
//! The caller checks common conditions: no pruning in check, near mate and tablebase scores,
//! without pieces, or before one move that does not lose. The constants are in `params.toml`.

use cozy_chess::{Board, Color, Piece};

use crate::params::Params;
use crate::score::{self, Score};
use crate::see;

/// Where a least depth, or a lag of depth, stands for never.
const NEVER: i32 = 40;

/// Whether a technique from some depth on is used at all.
pub fn is_on(depth: i32) -> bool {
    depth < NEVER
}

/// Reverse futility: the evaluation is so far above beta that a search of `depth` is not expected
/// to bring it below. Returns the score of the node.
pub fn reverse_futility(
    params: &Params,
    depth: i32,
    eval: Score,
    beta: Score,
    improving: bool,
) -> Option<Score> {
    if !params.rfp_enable() || depth > params.rfp_max_depth() {
        return None;
    }
    let margin = params.rfp_margin() * depth - params.rfp_improving() * i32::from(improving);
    (eval - margin.max(params.rfp_min_margin()) >= beta)
        .then(|| eval + (beta - eval) * params.rfp_blend() / 100)
}

/// Razoring: the evaluation is so far below alpha that only captures could help.
pub fn razors(params: &Params, depth: i32, eval: Score, alpha: Score) -> bool {
    params.razor_enable()
        && depth <= params.razor_max_depth()
        && eval + params.razor_base() + params.razor_depth_mul() * depth <= alpha
}

/// Deep futility (H. G. Muller): even winning the opponent's two most valuable pieces and twice a
/// positional margin would not bring the evaluation up to alpha. Returns the bound.
pub fn deep_futility(
    params: &Params,
    board: &Board,
    depth: i32,
    eval: Score,
    alpha: Score,
) -> Option<Score> {
    let depths = params.dfp_min_depth()..=params.dfp_max_depth();
    if !params.dfp_enable() || !depths.contains(&depth) {
        return None;
    }
    let victims = most_valuable_two(params, board, !board.side_to_move());
    let bound = eval + victims * params.dfp_piece_scale() / 100 + 2 * params.dfp_pos_margin();
    (bound <= alpha).then_some(bound)
}

fn most_valuable_two(params: &Params, board: &Board, color: Color) -> i32 {
    let mut sum = 0;
    let mut missing = 2;
    for piece in [
        Piece::Queen,
        Piece::Rook,
        Piece::Bishop,
        Piece::Knight,
        Piece::Pawn,
    ] {
        let taken = (board.colored_pieces(color, piece).len() as i32).min(missing);
        sum += taken * see::value(params, piece);
        missing -= taken;
    }
    sum
}

/// Whether to try a null move.
pub fn tries_null(params: &Params, depth: i32, eval: Score, beta: Score) -> bool {
    params.nmp_enable()
        && depth >= params.nmp_min_depth()
        && eval >= beta + params.nmp_eval_margin()
}

/// Reduction after a null move in plies, including the null move itself.
pub fn null_reduction(params: &Params, depth: i32, eval: Score, beta: Score) -> i32 {
    let surplus = ((eval - beta) / params.nmp_eval_div()).clamp(0, params.nmp_eval_max());
    ((params.nmp_base() + params.nmp_depth_mul() * depth) / 256 + surplus).max(1)
}

/// The raised beta of `ProbCut`.
pub fn probcut_beta(params: &Params, beta: Score, improving: bool) -> Score {
    beta + params.probcut_margin() - params.probcut_improving() * i32::from(improving)
}

/// The score of a node that fails high, moved towards beta: far above it, a score from a shallow
/// search is inaccurate.
pub fn blended_fail_high(params: &Params, depth: i32, score: Score, beta: Score) -> Score {
    if score <= beta || score::is_decisive(score) || score::is_decisive(beta) {
        return score;
    }
    beta + (score - beta) * depth * 100 / (depth * 100 + params.blend_search())
}

/// The same for a node of quiescence search that fails high without a move.
pub fn blended_stand_pat(params: &Params, score: Score, beta: Score) -> Score {
    blended(score, beta, params.blend_stand())
}

/// The score of a node of quiescence search after its moves, the same if one has failed high.
pub fn blended_capture(params: &Params, score: Score, beta: Score) -> Score {
    if score <= beta {
        return score;
    }
    blended(score, beta, params.blend_capture())
}

fn blended(score: Score, beta: Score, percent: i32) -> Score {
    if score::is_decisive(score) || score::is_decisive(beta) {
        return score;
    }
    score + (beta - score) * percent / 100
}

/// Late move pruning: the number of moves after which quiet moves are skipped.
pub fn move_limit(params: &Params, depth: i32, improving: bool) -> Option<i32> {
    if !params.lmp_enable() || depth > params.lmp_max_depth() {
        return None;
    }
    let (base, factor) = if improving {
        (
            params.lmp_base_improving(),
            params.lmp_depth_mul_improving(),
        )
    } else {
        (params.lmp_base(), params.lmp_depth_mul())
    };
    Some((base + factor * depth * depth) / 100)
}

/// Futility pruning of a quiet move at reduced `depth`: the upper bound of its value if below
/// alpha.
pub fn futility(
    params: &Params,
    depth: i32,
    eval: Score,
    alpha: Score,
    history: i32,
) -> Option<Score> {
    if !params.fp_enable() || depth > params.fp_max_depth() {
        return None;
    }
    let margin =
        params.fp_base() + params.fp_depth_mul() * depth + history / params.fp_history_div();
    (eval + margin <= alpha).then_some(eval + margin)
}

/// Futility pruning of a capture at reduced `depth`.
pub fn capture_futility(
    params: &Params,
    depth: i32,
    eval: Score,
    alpha: Score,
    victim: i32,
) -> bool {
    let margin = params.fp_capture_base() + params.fp_capture_depth_mul() * depth + victim;
    params.fp_capture_enable() && depth <= params.fp_max_depth() && eval + margin <= alpha
}

/// Futility pruning as it began, by nominal depth: at a frontier node (depth 1) a move that would not
/// bring the evaluation up to alpha even with a margin of a minor piece on top of what it captures,
/// at a pre-frontier node (depth 2; E. A. Heinz, "Extended futility pruning", 1998) the same with a
/// margin of a rook. Returns the upper bound of the move's value if below alpha.
pub fn frontier(
    params: &Params,
    depth: i32,
    eval: Score,
    alpha: Score,
    captured: i32,
) -> Option<Score> {
    let margin = match depth {
        1 if params.frontier_enable() => params.frontier_margin(),
        2 if params.extended_enable() => params.extended_margin(),
        _ => return None,
    };
    let bound = eval + captured + margin;
    (bound <= alpha).then_some(bound)
}

/// Limited razoring (Heinz): at depth 3 a node whose evaluation is a queen's value below alpha is
/// searched one ply less deep.
pub fn limited_razoring(params: &Params, depth: i32, eval: Score, alpha: Score) -> bool {
    params.limited_razor_enable() && depth == 3 && eval + params.limited_razor_margin() <= alpha
}

/// Plies by which the node behind a reduced move is deepened: one if the move has not worsened its
/// side's evaluation and was reduced much, minus one if it has lost many centipawns.
pub fn hindsight(params: &Params, depth: i32, reduction: i32, lost: Score) -> i32 {
    if !params.hindsight_enable() {
        0
    } else if reduction >= params.hindsight_plies() && lost <= 0 {
        1
    } else if depth >= 2 && lost > params.hindsight_margin() {
        -1
    } else {
        0
    }
}

/// History pruning: the move has failed too often.
pub fn history(params: &Params, depth: i32, history: i32) -> bool {
    params.hp_enable()
        && depth <= params.hp_max_depth()
        && history < params.hp_offset() - params.hp_margin() * depth
}

/// SEE pruning: the threshold in centipawns that a move must reach, never above zero.
pub fn exchange_threshold(params: &Params, depth: i32, history: i32, quiet: bool) -> Option<i32> {
    if !params.see_enable() || depth > params.see_max_depth() {
        return None;
    }
    let margin = if quiet {
        params.see_quiet_mul() * depth
    } else {
        params.see_noisy_mul() * depth * depth
    };
    Some((-margin - history / params.see_history_div()).min(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blended_scores_lie_between_beta_and_the_score() {
        let params = Params::default().with(&[
            ("BlendSearch", 100),
            ("BlendStand", 25),
            ("BlendCapture", 50),
        ]);
        assert_eq!(blended_fail_high(&params, 1, 120, 20), 70);
        assert_eq!(blended_fail_high(&params, 4, 120, 20), 100);
        assert_eq!(blended_fail_high(&params, 4, 20, 20), 20);
        assert_eq!(blended_stand_pat(&params, 120, 20), 95);
        assert_eq!(blended_capture(&params, 120, 20), 70);
        assert_eq!(blended_capture(&params, -120, 20), -120);
    }

    #[test]
    fn a_decisive_score_is_not_blended() {
        let params = Params::default().with(&[("BlendSearch", 100), ("BlendStand", 25)]);
        for win in [score::mate_in(5), score::of_table_result(1, 5)] {
            assert_eq!(blended_fail_high(&params, 4, win, 20), win);
            assert_eq!(blended_stand_pat(&params, win, 20), win);
        }
    }

    #[test]
    fn a_reduced_move_is_judged_by_what_it_has_lost() {
        assert_eq!(hindsight(&without("HindsightEnable"), 5, 4, -10), 0);
        let params = Params::default();
        let margin = params.hindsight_margin();
        assert_eq!(hindsight(&params, 5, params.hindsight_plies(), 0), 1);
        assert_eq!(hindsight(&params, 5, params.hindsight_plies() - 1, 0), 0);
        assert_eq!(hindsight(&params, 5, 1, margin), 0);
        assert_eq!(hindsight(&params, 5, 1, margin + 1), -1);
        assert_eq!(hindsight(&params, 1, 1, margin + 1), 0);
    }

    fn without(name: &str) -> Params {
        Params::default().with(&[(name, 0)])
    }

    #[test]
    fn each_switch_turns_its_technique_off() {
        let on = Params::default();
        assert!(reverse_futility(&on, 1, 2000, 0, false).is_some());
        assert!(reverse_futility(&without("RfpEnable"), 1, 2000, 0, false).is_none());
        assert!(razors(&on, 1, -2000, 0) && !razors(&without("RazorEnable"), 1, -2000, 0));
        assert!(tries_null(&on, 9, 500, 0) && !tries_null(&without("NmpEnable"), 9, 500, 0));
        assert!(move_limit(&on, 3, true).is_some());
        assert!(move_limit(&without("LmpEnable"), 3, true).is_none());
        assert!(futility(&on, 1, -900, 0, 0).is_some());
        assert!(futility(&without("FpEnable"), 1, -900, 0, 0).is_none());
        assert!(history(&on, 1, -16_000) && !history(&without("HpEnable"), 1, -16_000));
        assert!(exchange_threshold(&on, 2, 0, true).is_some());
        assert!(exchange_threshold(&without("SeeEnable"), 2, 0, true).is_none());
        assert!(capture_futility(&on, 1, -2000, 0, 100));
        assert!(!capture_futility(
            &without("FpCaptureEnable"),
            1,
            -2000,
            0,
            100
        ));
    }

    #[test]
    fn deep_futility_is_off_by_default_and_counts_the_two_best_pieces() {
        let board = Board::startpos();
        assert_eq!(deep_futility(&Params::default(), &board, 3, -5000, 0), None);
        let params = with("DfpEnable");
        let victims = params.see_queen() + params.see_rook() + 2 * params.dfp_pos_margin();
        assert_eq!(
            deep_futility(&params, &board, 3, -5000, 0),
            Some(-5000 + victims)
        );
        assert_eq!(deep_futility(&params, &board, 3, -victims + 1, 0), None);
        assert_eq!(deep_futility(&params, &board, 1, -5000, 0), None);
    }

    fn with(name: &str) -> Params {
        Params::default().with(&[(name, 1)])
    }

    #[test]
    fn historical_forms_act_at_their_depth_from_their_margin_on() {
        let off = Params::default();
        for (name, depth, margin) in [
            ("FrontierEnable", 1, off.frontier_margin()),
            ("ExtendedEnable", 2, off.extended_margin()),
        ] {
            let on = with(name);
            assert_eq!(
                frontier(&on, depth, -margin - 100, 0, 100),
                Some(0),
                "{name}"
            );
            assert_eq!(frontier(&on, depth, -margin - 99, 0, 100), None, "{name}");
            assert_eq!(frontier(&off, depth, -margin - 100, 0, 100), None, "{name}");
            assert_eq!(frontier(&on, depth % 2 + 1, -9000, 0, 0), None, "{name}");
            assert_eq!(frontier(&on, 3, -9000, 0, 0), None, "{name}");
        }
        let on = with("LimitedRazorEnable");
        let margin = on.limited_razor_margin();
        assert!(limited_razoring(&on, 3, -margin, 0));
        assert!(!limited_razoring(&on, 3, 1 - margin, 0));
        assert!(!limited_razoring(&on, 2, -9000, 0) && !limited_razoring(&on, 4, -9000, 0));
        assert!(!limited_razoring(&off, 3, -9000, 0));
    }

    #[test]
    fn margins_grow_with_depth() {
        let params = Params::default();
        for depth in 1..8 {
            assert!(move_limit(&params, depth, false) <= move_limit(&params, depth + 1, false));
            assert!(move_limit(&params, depth, false) <= move_limit(&params, depth, true));
            assert!(
                null_reduction(&params, depth, 0, 0) <= null_reduction(&params, depth + 1, 0, 0)
            );
        }
        assert!(exchange_threshold(&params, 5, 0, true) < exchange_threshold(&params, 1, 0, true));
    }
}
