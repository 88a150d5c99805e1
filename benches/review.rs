//! The review of a game of 79 moves by three algorithms with 20,000 nodes per position on two cores: how long it takes,
//! and how late a screen that wakes every 16 ms gets its turn meanwhile.
//!
//! `cargo bench --bench review`; `REVIEW_NODES=2000` makes the searches smaller, `-- alpha-beta` runs one column (any
//! that `--algorithm` accepts), and `REVIEW_CORES=1` uses one core.

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use games::Document;
use session::Budget;
use session::{Config, Subject};
use studies::compare::ColumnSpec;
use studies::review::Review;

/// Spassky – Petrosian, fifth game of the World Championship match, Moscow 1966.
const GAME: &str = "1. e4 c6 2. d4 d5 3. exd5 cxd5 4. c4 Nf6 5. Nc3 g6 6. Qb3 Bg7 7. cxd5 O-O
8. g3 Na6 9. Bg2 Qb6 10. Qxb6 axb6 11. Nge2 Nb4 12. O-O Rd8 13. d6 Rxd6 14. Bf4 Rd7 15. Rfd1 Nbd5 16. Be5 Bh6
17. a3 e6 18. Nxd5 Nxd5 19. Rd3 Bg5 20. Bxd5 exd5 21. h4 Bd8 22. Rc1 Re7 23. Nf4 Be6 24. Rdc3 Bd7 25. Nxd5 Re6
26. Bc7 Kg7 27. Bxd8 Rxd8 28. Ne3 b5 29. d5 Rb6 30. Nc2 h6 31. Nb4 g5 32. hxg5 hxg5 33. Kg2 Rf6 34. Re3 Rh8
35. Nd3 Rd6 36. Ne5 Bh3+ 37. Kf3 Rxd5 38. Rc7 Be6 39. Rxb7 Rc5 40. Ra7 Bd5+ 41. Kg4 Rc2 42. Kxg5 Rxf2 43. Nd3 Rf3
44. Rae7 Rxe3 45. Rxe3 f6+ 46. Kf4 Kf7 47. Nb4 Bc4 48. Rc3 Rh2 49. b3 Be6 50. Nd3 Ra2 51. Rc7+ Kg6 52. Nc5 Bf7
53. Rb7 Rxa3 54. Rxb5 Ra1 55. Ne4 Rf1+ 56. Ke3 Re1+ 57. Kf3 Rf1+ 58. Ke2 Rb1 59. Nd2 Rg1 60. Kf2 Rc1 61. b4 Rc2
62. Ke3 Rc3+ 63. Kf4 Rd3 64. Nf3 Bd5 65. Nh4+ Kf7 66. Rb8 Rd4+ 67. Ke3 Re4+ 68. Kf2 Ke7 69. Ng6+ Kd7 70. Nf4 Bc6
71. Nd3 Kc7 72. Rf8 Bb5 73. Nf4 Kd7 74. Rf7+ Ke8 75. Rb7 Rxb4 76. Nd5 Rb2+ 77. Ke3 Rb3+ 78. Kf4 Bc4 79. Nxf6+ Kf8
1/2-1/2";

fn main() {
    let number = |name: &str, default: u64| {
        let set = std::env::var(name).ok();
        set.and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    let base = Config::new(Algorithm::AlphaBeta);
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let names = match asked.is_empty() {
        true => ["alpha-beta", "mcts", "distress"]
            .map(String::from)
            .to_vec(),
        false => asked,
    };
    let columns: Vec<ColumnSpec> = names
        .iter()
        .map(|name| ColumnSpec::parse(name, &base).expect("a column"))
        .collect();
    let document = Document::from_bytes("game.pgn", GAME.into()).expect("a game");
    let positions: Vec<Subject> = document.entry(0).expect("a game").subjects().collect();
    let nodes = number("REVIEW_NODES", 20_000);
    let cores = number("REVIEW_CORES", 2) as usize;
    println!(
        "{} positions, {} at {nodes} nodes, {cores} cores",
        positions.len(),
        names.join(" ")
    );
    for _ in 0..number("REVIEW_RUNS", 3) {
        review(
            positions.clone(),
            columns.clone(),
            Budget::Nodes(nodes),
            cores,
        );
    }
}

/// One review, with a screen that does a frame's work every 16 ms: it reads everything there is and spends 2 ms
/// drawing.
fn review(positions: Vec<Subject>, columns: Vec<ColumnSpec>, budget: Budget, cores: usize) {
    const FRAME: Duration = Duration::from_millis(16);
    const DRAWING: Duration = Duration::from_millis(2);
    let begin = Instant::now();
    let review = Review::start(positions, columns, budget, cores);
    let started = begin.elapsed();
    let mut frames = Vec::new();
    let (mut reading, mut seen) = (Duration::ZERO, u64::MAX);
    let mut next = Instant::now() + FRAME;
    while !review.is_complete() {
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        let read = Instant::now();
        if seen != review.generation() {
            seen = review.generation();
            for column in 0..review.columns().len() {
                std::hint::black_box((review.marks(column), review.tally(column)));
            }
            std::hint::black_box(review.disagreements(10));
        }
        reading = reading.max(read.elapsed());
        let drawing = Instant::now();
        while drawing.elapsed() < DRAWING {
            std::hint::spin_loop();
        }
        frames.push(next.elapsed());
        next = (next + FRAME).max(Instant::now());
    }
    let total = begin.elapsed();
    frames.sort_unstable();
    let at = |share: f64| frames[((frames.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let all = (0..review.columns().len())
        .flat_map(|column| (0..review.len()).map(move |ply| (column, ply)));
    let found = all.filter_map(|(column, ply)| review.result(column, ply));
    let (mut nodes, mut cpu) = (0, Duration::ZERO);
    for found in found {
        nodes += found.nodes;
        cpu += found.cpu;
    }
    println!(
        "  {:.2} s (started in {:.2} ms), {:.2} M nodes, CPU of the searches {:.2} s; a frame done after its time: \
         median {:.1} ms, 99 % {:.1} ms, worst {:.1} ms, longest reading {:.2} ms; marks {}, tally {:?}",
        total.as_secs_f64(),
        started.as_secs_f64() * 1e3,
        nodes as f64 / 1e6,
        cpu.as_secs_f64(),
        at(0.5),
        at(0.99),
        at(1.0),
        reading.as_secs_f64() * 1e3,
        review.marks(0).iter().flatten().count(),
        review.tally(0),
    );
}
