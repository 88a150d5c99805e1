//! Compares the hand-crafted evaluation with held-out verdicts: its error, its calibration and the width of its
//! beliefs.

use crate::eval_support;

use belief::{BINS, Cdf, Grid};
use eval::{Evaluator, HandCrafted, LeafShape, Width};
use eval_support::quiescence;
use game::{ChessPosition, Scale, Score};
use shakmaty::{CastlingMode, fen::Fen};

/// A labelled position: the verdict's expected score and the quiescence value.
struct Case {
    verdict: f32,
    quiet: Score,
    belief: Cdf,
    from_game: bool,
}

fn cases() -> Vec<Case> {
    let eval = HandCrafted::default();
    let shape = LeafShape {
        width: Width::Fitted,
        bias: 0.0,
    };
    let case = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let fen: Fen = fields[0].parse().expect("a FEN");
        let chess = fen
            .into_position(CastlingMode::Standard)
            .expect("a legal position");
        let position = ChessPosition::new(chess, CastlingMode::Standard);
        let value: i32 = fields[2].parse().expect("a number");
        let verdict = if fields[1] == "mate" {
            value.signum() as f32
        } else {
            Scale::Logistic.expected(Score::new(value))
        };
        let state = eval.start(&position);
        let quiet = quiescence(&eval, &position, state, Score::MIN, Score::MAX, 20).score;
        Case {
            verdict,
            quiet,
            belief: eval.belief(&state, &position, quiet, &shape),
            from_game: fields[7] == "g",
        }
    };
    include_str!("../../sample-positions/labels/sample.tsv")
        .lines()
        .map(case)
        .collect()
}

fn rmse<'a>(cases: impl Iterator<Item = &'a Case>) -> f64 {
    let squares: Vec<f64> = cases
        .map(|c| f64::from(Scale::Logistic.expected(c.quiet) - c.verdict).powi(2))
        .collect();
    (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
}

/// The whole held-out file gives about .18 and .19; the noise of this sample is about .01.
#[test]
fn quiescence_is_near_the_verdict() {
    let cases = cases();
    let game = rmse(cases.iter().filter(|c| c.from_game));
    let off = rmse(cases.iter().filter(|c| !c.from_game));
    assert!(game < 0.225 && off < 0.245, "{game} {off}");
}

/// Where the evaluation says e, the verdicts average about e, for either side to move.
#[test]
fn expected_scores_are_calibrated() {
    let cases = cases();
    for (low, high) in [
        (-1.0, -0.6),
        (-0.6, -0.1),
        (-0.1, 0.1),
        (0.1, 0.6),
        (0.6, 1.01),
    ] {
        let within: Vec<(f32, f32)> = cases
            .iter()
            .map(|c| (Scale::Logistic.expected(c.quiet), c.verdict))
            .filter(|(e, _)| (low..high).contains(e))
            .collect();
        let n = within.len() as f32;
        let said = within.iter().map(|w| w.0).sum::<f32>() / n;
        let came = within.iter().map(|w| w.1).sum::<f32>() / n;
        // Three standard errors at a standard deviation of .35.
        let noise = 3.0 * 0.35 / n.sqrt();
        assert!((said - came).abs() < noise + 0.05, "{said} {came} of {n}");
    }
}

/// The fitted width: the verdict lies within the central 50, 80 and 90 % of the belief about that often.
#[test]
fn fitted_beliefs_cover_what_they_claim() {
    let cases = cases();
    let grid = Grid::sinh();
    for claimed in [0.5f32, 0.8, 0.9] {
        let tail = (1.0 - claimed) / 2.0;
        let covered = cases.iter().filter(|c| {
            let (low, high) = (
                c.belief.quantile(tail, &grid),
                c.belief.quantile(1.0 - tail, &grid),
            );
            // The belief is clamped to the scale, so a verdict beyond it counts as being in the last bin.
            (low.min(0.999)..=high.max(-0.999)).contains(&c.verdict.clamp(-0.999, 0.999))
        });
        let share = covered.count() as f32 / cases.len() as f32;
        assert!((share - claimed).abs() < 0.08, "{claimed}: {share}");
    }
}

#[test]
fn only_proofs_reach_the_end_bins() {
    let eval = HandCrafted::default();
    let position = ChessPosition::default();
    let state = eval.start(&position);
    for width in [Width::Fitted, Width::Fixed(0.3), Width::Fixed(2.0)] {
        let shape = LeafShape { width, bias: 0.27 };
        let belief = |score| eval.belief(&state, &position, score, &shape);
        assert_eq!(belief(Score::win_in(3)).is_atom(), Some(BINS - 1));
        assert_eq!(belief(Score::loss_in(4)).is_atom(), Some(0));
        for value in [-30_000, -400, 0, 700, 30_000] {
            let b = belief(Score::new(value));
            assert_eq!(b.p_at_least(BINS - 1), 0.0);
            assert_eq!(b.p_at_least(1), 1.0);
        }
    }
}

/// The bias raises the side to move's mean; the width does not move it.
#[test]
fn bias_moves_the_location_and_width_does_not() {
    let eval = HandCrafted::default();
    let grid = Grid::sinh();
    let position = ChessPosition::default();
    let state = eval.start(&position);
    let mean = |width, bias| {
        let shape = LeafShape { width, bias };
        eval.belief(&state, &position, Score::DRAW, &shape)
            .mean(&grid)
    };
    assert!(mean(Width::Fixed(0.15), 0.0).abs() < 1e-4);
    assert!(mean(Width::Fitted, 0.0).abs() < 1e-4);
    // A bias of .27 is 48.6 centipawns: e = tanh(.135) where the belief is narrow.
    assert!((mean(Width::Fixed(0.1), 0.27) - 0.135f32.tanh()).abs() < 5e-3);
}
