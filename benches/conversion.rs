//! Does MCTS mate with king and queen, or king and rook, against a perfectly defending king?
//!
//! `cargo run --release --features examples --example conversion [-- POSITIONS [NODES…]]`: plays that many random won positions (fixed
//! seed, clock 0) of each endgame, White's moves by `mcts` with each number of nodes, Black's by a retrograde solver
//! (longest distance to mate), with and without the moves-left term, with and without tree reuse. Prints how many were
//! won, and how many more moves than necessary it took.

use common::conversion;
use common::endgame;

use algorithms::Algorithm;
use conversion::{Outcome, Winner, play_out, won};
use endgame::Endgame;
use shakmaty::Role;

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    let count = numbers.first().map_or(20, |&n| n as usize);
    let limits = numbers
        .get(1..)
        .filter(|l| !l.is_empty())
        .unwrap_or(&[3_000, 30_000]);
    println!("ending  nodes a move  tree    moves-left   won  moves (needed)  drawn by");
    for (name, piece) in [("KQK", Role::Queen), ("KRK", Role::Rook)] {
        let endgame = Endgame::solve(piece);
        let positions = won(&endgame, count, 1);
        for &nodes in limits {
            for reuses in [false, true] {
                for weight in ["1", "0"] {
                    let mut options = Algorithm::Mcts.default_options();
                    options.set("moves-left", weight).expect("a number");
                    let winner = Winner {
                        options,
                        nodes,
                        reuses,
                    };
                    let (mut mates, mut took, mut needed) = (0, 0, 0);
                    let mut draws = Vec::new();
                    for (position, least) in &positions {
                        match play_out(&endgame, position, &winner) {
                            Outcome::Mate(moves) => {
                                mates += 1;
                                took += moves;
                                needed += least;
                            }
                            Outcome::Drawn(why) => draws.push(why),
                        }
                    }
                    draws.sort_unstable();
                    let whys: Vec<String> = draws
                        .chunk_by(|a, b| a == b)
                        .map(|same| format!("{} {}", same.len(), same[0]))
                        .collect();
                    let mean = |sum: u32| f64::from(sum) / f64::from(mates.max(1));
                    println!(
                        "{name:<7}{nodes:>13}  {:<7} {weight:>10}  {mates:>2}/{count}  {:.1} ({:.1})      {}",
                        if reuses { "kept" } else { "fresh" },
                        mean(took),
                        mean(needed),
                        whys.join(", ")
                    );
                }
            }
        }
    }
}
