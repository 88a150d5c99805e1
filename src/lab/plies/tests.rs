//! Tests of the experiment on real trees.

use super::fit::{Aim, Family, Halves};
use super::*;
use crate::statistics::Resamples;
use algorithms::Algorithm;
use game::{ChessPosition, Situation};
use session::Subject;
use session::jobs::JobState;
use studies::compare::ColumnSpec;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/5k2/5R2/3Np3/4P3/8/4K3/1r6 b - - 9 63";

fn position(fen: Option<&str>) -> Position {
    let chess = fen.map_or_else(ChessPosition::default, |f| {
        game::load::fen::parse(f).expect("a FEN").position
    });
    let subject = Subject::from(Situation::new(chess));
    Position::new(String::from("x"), subject).expect("legal moves")
}

fn plan(truth: Truth, backup: &str, at_a_time: usize) -> Plan {
    let mut config = Config {
        memory: 64 << 20,
        ..Config::new(Algorithm::Distress)
    };
    config.options.set("backup", backup).expect("a rule");
    // Trees with few nodes are deeper if leaves are expanded early.
    config.options.set("leaf-expand", "1").expect("a depth");
    Plan {
        positions: [None, Some(KIWIPETE), Some(ENDGAME)].map(position).into(),
        config,
        nodes: 5_000,
        draws: Draws {
            plies: 4,
            per_ply: 3,
        },
        truth,
        seed: 1,
        at_a_time,
    }
}

fn searched() -> Truth {
    let column = ColumnSpec::parse("alpha-beta", &Config::new(Algorithm::AlphaBeta));
    Truth::Search {
        column: Box::new(column.expect("a column")),
        length: Length {
            times: 0,
            least: 300,
        },
    }
}

fn grown(plan: Plan) -> Vec<Arc<Labelled>> {
    let mut run = start(plan, Kept::default()).expect("a plan");
    run.join();
    assert_eq!(run.progress().0, JobState::Done);
    run.read(Trees::done)
}

/// The back-ups differ in nothing but the rule: with the search's own rule every belief is the search's own, to the last
/// bit.
#[test]
fn the_search_s_own_rule_gives_the_search_s_own_beliefs() {
    for backup in ["gumbel:2", "r-opt", "r-pick", "exp:1.5", "cuadras-auge:.5"] {
        for labelled in grown(plan(Truth::Nothing, backup, 2)) {
            let tree = &labelled.tree;
            let candidate: Candidate = backup.parse().expect("a candidate");
            let again = tree.backed_up(candidate, &Correlation::default());
            let inner = tree.nodes().iter().filter(|n| n.is_inner).count();
            assert!(inner > 8, "{inner} inner nodes");
            let off = (0..again.len()).filter(|&i| again[i].negated() != tree.own(i));
            assert_eq!(off.count(), 0, "{backup}: of {inner}");
        }
    }
}

/// A blend without dispersion or correlation is the constant one, and the control keeps the mean.
#[test]
fn candidates_are_what_they_say() {
    let trees = grown(plan(Truth::Nothing, "gumbel:2", 2));
    let candidates = [
        "gumbel:2",
        "constant:.5",
        "blend:0,0,0",
        "width:.3",
        "r-opt",
        "r-pick",
    ];
    let candidates = candidates.map(|c| c.parse().expect("a candidate"));
    let verdicts = Verdicts::new(&trees, &candidates, &Correlation::default(), 4);
    let inner = verdicts
        .lines
        .iter()
        .filter(|line| trees[line.tree].specimens[line.specimen].kind == Kind::Inner);
    for line in inner {
        let [own, constant, blend, width, ..] = line.beliefs.as_slice() else {
            panic!("six candidates")
        };
        // The blend is rounded to the steps of a stored belief once more at every ply.
        assert!(
            (constant.mean - blend.mean).abs() < 1e-3,
            "{constant:?} {blend:?}"
        );
        assert!(
            (constant.sd - blend.sd).abs() < 1e-3,
            "{constant:?} {blend:?}"
        );
        assert!((own.mean - width.mean).abs() < 0.03, "{own:?} {width:?}");
        assert!(own.judged.is_none());
    }
    let resamples = Resamples::new(trees.len(), 50, 1);
    let sd = |candidate: usize| {
        verdicts.figures(candidate, Band::Ply, &resamples)[1]
            .sd
            .value
    };
    assert!(sd(4) < sd(5), "r_opt is narrower than r_pick");
    // Without labels there is nothing to judge.
    assert_eq!(verdicts.whole(0, &resamples), None);
    assert_eq!(Halves::of(&trees).fit(Family::Gumbel, Aim::Spread, 4), None);
}

#[test]
fn the_same_seed_gives_the_same_draws() {
    let one = grown(plan(searched(), "gumbel:2", 1));
    let other = grown(plan(searched(), "gumbel:2", 2));
    assert_eq!(one.len(), 3);
    for (a, b) in one.iter().zip(&other) {
        assert_eq!((&a.specimens, &a.labels), (&b.specimens, &b.labels));
        assert!(a.specimens.iter().all(|s| s.truth.is_some()));
        assert!(a.specimens.iter().all(|s| s.ply <= 4));
        assert_eq!(a.specimens[0].ply, 0);
    }
    let another = grown(Plan {
        seed: 2,
        ..plan(Truth::Nothing, "gumbel:2", 2)
    });
    assert_ne!(
        one[1].specimens.iter().map(|s| s.place).collect::<Vec<_>>(),
        another[1]
            .specimens
            .iter()
            .map(|s| s.place)
            .collect::<Vec<_>>()
    );
}

/// Labels written to a file and read again give the same figures up to half a centipawn, and a fit does not lose against
/// its own start.
#[test]
fn families_are_fitted_on_one_half() {
    let trees = grown(plan(searched(), "gumbel:2", 2));
    let halves = Halves::of(&trees);
    assert_eq!((halves.fitted.len(), halves.judged.len()), (2, 1));
    let start = Verdicts::new(
        &halves.fitted,
        &["gumbel:2".parse().expect("a candidate")],
        &halves.correlation,
        4,
    );
    for aim in Aim::ALL {
        let fitted = halves.fit(Family::Gumbel, aim, 4).expect("a fit");
        assert!(
            fitted.loss <= start.loss(0, aim).expect("a loss"),
            "{fitted:?}"
        );
    }
    let resamples = Resamples::new(2, 50, 1);
    let whole = start.whole(0, &resamples).expect("plies");
    assert!((whole.pit.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(whole.miss.value >= 0.0 && whole.range.value >= 1.0);
}

#[test]
fn what_can_not_be_grown_is_refused() {
    let refused = |plan: Plan| {
        start(plan, Kept::default())
            .expect_err("refused")
            .to_string()
    };
    let nowhere = Plan {
        positions: Vec::new(),
        ..plan(Truth::Nothing, "r-opt", 1)
    };
    assert!(refused(nowhere).contains("no chess position"));
    let other = Plan {
        config: Config::new(Algorithm::Mcts),
        ..plan(Truth::Nothing, "r-opt", 1)
    };
    assert!(refused(other).contains("found mcts, expected distress"));
}
