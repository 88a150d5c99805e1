use super::*;
use game::Situation;
use game::load::fen;

fn position(text: &str) -> Position {
    let position = fen::parse(text).expect("a FEN").position;
    Position::new(String::new(), Subject::from(Situation::new(position))).expect("moves")
}

fn walked(plan: Plan) -> Walks {
    let mut job = start(plan, Kept::default()).expect("a thread");
    job.join();
    job.findings()
}

const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";

fn plan(tree: u16) -> Plan {
    Plan {
        positions: vec![position(QUIET), position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")],
        plies: 6,
        walks: 20,
        nodes: 500,
        tree,
        seed: 1,
        at_a_time: 1,
    }
}

/// Of the positions two plies on, as many as perft counts, less those in check.
#[test]
fn all_positions_are_looked_at() {
    let walks = walked(plan(2));
    let quiet = &walks.measured[0];
    let start = &plan(0).positions[0];
    let chess = start.subject.position.as_chess().expect("chess");
    let mut open = [0u64; 2];
    for m in chess.legal_moves() {
        let mut child = chess.clone();
        child.play(m);
        open[0] += u64::from(!child.is_check());
        for reply in child.legal_moves() {
            let mut after = child.clone();
            after.play(reply);
            open[1] += u64::from(!after.is_check());
        }
    }
    assert_eq!([quiet.levels[0].positions, quiet.levels[1].positions], open);
    assert_eq!(quiet.moves, chess.legal_moves().len());
    assert!(
        quiet
            .levels
            .iter()
            .all(|l| l.above.is_sorted_by(|a, b| a >= b))
    );
}

#[test]
fn walks_change_values_more_and_more() {
    let walks = walked(plan(0));
    let random = walks.by_ply(Kind::Random);
    assert_eq!(random.len(), 6);
    assert!(random[5].sd > random[0].sd, "{random:?}");
    let search = walks.by_ply(Kind::Search);
    assert!(search.iter().all(|at| at.n <= 2));
    assert_eq!(walked(plan(0)), walks, "the seed decides");
}

/// By hand: two independent coins, each lost with probability 1/2, are both won with 1/4.
#[test]
fn effective_bets_by_hand() {
    let found = effective(0.5, 0.75).expect("a number");
    assert!((found - 2.0).abs() < 1e-12);
    let found = effective(0.01, 1.0 - 0.99f64.powi(30)).expect("a number");
    assert!((found - 30.0).abs() < 1e-9);
    assert_eq!(
        (
            effective(0.5, 1.0),
            effective(0.0, 0.5),
            effective(0.5, 0.0)
        ),
        (None, None, None)
    );
}

/// By hand from Φ̄(√2) = .078650 and Φ̄(2) = .022750: (1 − .078650)^4 and (1 − .022750)^16 for α = 1 and A = 4. Near
/// α² = ln A the probability hardly changes with the plies; below it falls, above it rises.
#[test]
fn the_safest_slope_is_near_the_root_of_ln_a() {
    assert!((safe(1.0, 4.0, 1) - (1.0f64 - 0.078_650).powi(4)).abs() < 1e-5);
    assert!((safe(1.0, 4.0, 2) - (1.0f64 - 0.022_750).powi(16)).abs() < 1e-5);
    let flat = 30f64.ln().sqrt();
    let change = |alpha: f64| safe(alpha, 30.0, 8) - safe(alpha, 30.0, 2);
    assert!(
        change(0.9 * flat) < -0.2 && change(1.1 * flat) > 0.02,
        "{}",
        change(1.1 * flat)
    );
    assert!(change(flat).abs() < 0.12, "{}", change(flat));
}
