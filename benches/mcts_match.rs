//! A match between two settings of MCTS at equal nodes.
//!
//! `cargo run --release --features examples --example mcts_match -- 'visit-certain=on' ['visit-certain=off'] [GAMES [NODES]]`: the first
//! settings (comma-separated) play the second, each of the 200 openings of `benches/openings.tsv` twice, with both
//! colours, then again after a random legal reply. Games end by the rules, or as a draw after 400 plies. Every move is
//! searched afresh. Prints wins, draws and losses, and the score and the difference in Elo with their 95 % intervals,
//! from pairs of games.

use ::algorithms::Algorithm;
use eval::HandCrafted;
use game::{ChessPosition, Ending, Game, MoveCode, Scale, Side, Situation};
use search::common::table::Tables;
use search::{Choices, Control, Free, Job, Limits, Options, Start};
use tree::Tree;

const OPENINGS: &str = include_str!("openings.tsv");
const LONGEST: u32 = 400;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (numbers, sides): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|a| a.parse::<u64>().is_ok());
    let number =
        |i: usize, usual: u64| numbers.get(i).and_then(|n| n.parse().ok()).unwrap_or(usual);
    let (games, nodes) = (number(0, 400), number(1, 1_000));
    let options = |i: usize| {
        let mut options = Algorithm::Mcts.default_options();
        let pairs = sides.get(i).map_or("", |s| s.as_str());
        for pair in pairs.split(',').filter(|p| !p.is_empty()) {
            options.set_pair(pair).unwrap_or_else(|e| panic!("{e}"));
        }
        options
    };
    let players = Players {
        options: [options(0), options(1)],
        nodes,
        evaluator: HandCrafted::default(),
        tables: Tables::new(0),
    };
    let openings: Vec<Situation<ChessPosition>> = (0..).map_while(opening).collect();
    let (mut counts, mut pairs, mut same) = ([0u32; 3], Vec::new(), 0);
    for number in 0..(games / 2) as usize {
        let mut from = openings[number % openings.len()].clone();
        let again = number / openings.len();
        if again > 0 {
            let moves = from.position.legal_moves();
            let mut random = fastrand::Rng::with_seed(number as u64);
            from.play(moves[random.usize(0..moves.len())]);
        }
        let (as_white, first) = players.game(&from, Side::White);
        let (as_black, second) = players.game(&from, Side::Black);
        same += u32::from(first == second);
        for points in [as_white, as_black] {
            counts[points as usize] += 1;
        }
        pairs.push(f64::from(as_white + as_black) / 4.0);
    }
    let n = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / n;
    let variance = pairs.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let margin = 1.96 * (variance / n).sqrt();
    let elo = |s: f64| -400.0 * (1.0 / s.clamp(0.001, 0.999) - 1.0).log10();
    let [losses, draws, wins] = counts;
    println!(
        "{} against {}: {} games at {nodes} nodes, +{wins} ={draws} -{losses}, {:.1} % [{:.1}, {:.1}], Elo {:+.0} [{:+.0}, {:+.0}]; {same} pairs of identical games",
        sides.first().map_or("default", |s| s.as_str()),
        sides.get(1).map_or("default", |s| s.as_str()),
        wins + draws + losses,
        100.0 * mean,
        100.0 * (mean - margin),
        100.0 * (mean + margin),
        elo(mean),
        elo(mean - margin),
        elo(mean + margin),
    );
}

fn opening(number: usize) -> Option<Situation<ChessPosition>> {
    let lines = OPENINGS.lines().filter(|l| !l.starts_with('#'));
    let line = lines.skip(1).nth(number)?.split('\t').nth(2)?;
    let words: Vec<&str> = line
        .split_whitespace()
        .filter(|w| !w.ends_with('.'))
        .collect();
    let start = Situation::new(ChessPosition::default());
    Some(start.play_text(&words.join(" ")).expect(line))
}

struct Players {
    options: [Options; 2],
    nodes: u64,
    evaluator: HandCrafted,
    tables: Tables,
}

impl Players {
    /// The first player's points in halves, and the moves.
    fn game(&self, from: &Situation<ChessPosition>, side: Side) -> (u8, Vec<MoveCode>) {
        let mut game = from.clone();
        let mut moves = Vec::new();
        for _ in 0..LONGEST {
            let position = &game.position;
            match position.ending(!position.legal_moves().is_empty()) {
                Some(Ending::Checkmate) if position.turn() == side => return (0, moves),
                Some(Ending::Checkmate) => return (2, moves),
                Some(_) => return (1, moves),
                None => {}
            }
            let again = game
                .history
                .repetitions(position.key(), position.reversible_plies());
            if again.times >= 2 {
                return (1, moves);
            }
            let best = self.choose(&game, usize::from(position.turn() != side));
            assert!(game.follow(best), "a legal move");
            moves.push(best);
        }
        (1, moves)
    }

    fn choose(&self, game: &Situation<ChessPosition>, player: usize) -> MoveCode {
        let limits = Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        };
        let tree = Tree::new(Algorithm::Mcts.tree_spec(Scale::Logistic, 64 << 20, u16::MAX));
        let job = Job {
            recorded: None,
            situation: game,
            evaluator: &self.evaluator,
            tree: &tree,
            tables: &self.tables,
            options: &self.options[player],
            control: &Control::new(limits, 1),
            start: Start::default(),
            endgames: None,
            choices: &Choices::default(),
            seed: 1,
        };
        algorithms::run(Algorithm::Mcts, &job, 0, &mut Free).best
    }
}
