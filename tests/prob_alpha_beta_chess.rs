//! Probabilistic alpha-beta in chess: alpha-beta on bins, node for node, when no belief has any width.

mod common;

use common::{KIWIPETE, chess, run};
use plyscope::belief::{BINS, Grid};
use plyscope::eval::{Evaluator, HandCrafted};
use plyscope::game::{ChessPosition, Game, MoveCode, Moves, Scale};
use plyscope::search::depth_first::context::Context;
use plyscope::search::depth_first::ordering::{Memory, Picker};
use plyscope::search::depth_first::prob_leaf::Leaves;
use plyscope::search::depth_first::quiescence::{CaptureRules, Quiescence};
use plyscope::search::depth_first::table::Tables;
use plyscope::search::{Algorithm, Choices, Control, Free, Job, Limits, Options, Start};
use plyscope::tree::{NodeId, Tree};
use shakmaty::Move;

const PAB: Algorithm = Algorithm::ProbAlphaBeta;

fn options(pairs: &[(&str, &str)]) -> Options {
    let mut options = PAB.default_options();
    for (key, value) in pairs {
        options.set(key, value).expect("an option");
    }
    options
}

/// Alpha-beta on bins in chess, written down once more: quiescence, ordering and root order as the search has them.
struct Plain<'a> {
    eval: HandCrafted,
    leaves: Leaves,
    grid: Grid,
    context: Context<'a, Free>,
    nodes: u64,
    order: Vec<(Move, i32)>,
}

impl Plain<'_> {
    fn search(
        &mut self,
        at: &ChessPosition,
        ply: u16,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let state = self.eval.start(at);
        if depth == 0 {
            let (low, high) = self.leaves.quiet_window(&self.eval, state, at, alpha, beta);
            let quiescence = Quiescence {
                evaluator: &self.eval,
                rules: CaptureRules::DEFAULT,
            };
            let value = quiescence
                .search(
                    &mut self.context,
                    NodeId::NONE,
                    at,
                    state,
                    low,
                    high,
                    ply,
                    0,
                )
                .expect("no limit");
            return self.grid.bin_of(Scale::Logistic.expected(value)).clamp(
                usize::from(!value.is_loss()),
                BINS - 1 - usize::from(!value.is_win()),
            ) as i32;
        }
        if ply > 0 && self.context.draw_on_the_way(at, ply).is_some() {
            return BINS as i32 / 2;
        }
        let moves = at.legal_moves();
        if let Some(ending) = at.ending(!moves.is_empty()) {
            let e = Scale::Logistic.expected(at.ending_score(ending));
            return self.grid.bin_of(e) as i32;
        }
        let mut best = -1;
        self.context.history.push(at.key());
        for m in self.ordered(at, ply, moves) {
            let mut next = at.clone();
            next.play(m);
            self.nodes += 1;
            let (low, high) = (BINS as i32 - 1 - beta, BINS as i32 - 1 - alpha);
            let value = BINS as i32 - 1 - self.search(&next, ply + 1, depth - 1, low, high);
            if ply == 0 {
                self.order.retain(|known| known.0 != m);
                // Refuted moves stand behind the others.
                let refuted = if value <= alpha { 100 } else { 0 };
                self.order.push((m, value - refuted));
            }
            best = best.max(value);
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        self.context.history.pop();
        best
    }

    fn ordered(&self, at: &ChessPosition, ply: u16, mut moves: Moves<Move>) -> Vec<Move> {
        if ply == 0 && !self.order.is_empty() {
            let worth = |m: &Move| self.order.iter().find(|known| known.0 == *m).map(|k| k.1);
            moves.sort_by_key(|m| std::cmp::Reverse(worth(m)));
            return moves.into_iter().collect();
        }
        let mut picker = Picker::new(moves);
        let none = MoveCode::NONE;
        picker.order(at, none);
        let quiet = Memory::new(false, false);
        std::iter::from_fn(|| picker.next(|m| quiet.quiet_score(at.turn(), ply, at.encode(m))))
            .collect()
    }
}

/// In chess too: node for node what alpha-beta on bins does, when no belief has any width.
#[test]
fn without_width_it_is_alpha_beta_in_chess() {
    let off = options(&[
        ("width", "0"),
        ("table", "off"),
        ("killers", "off"),
        ("history", "off"),
        ("aspiration", "off"),
    ]);
    let depth = 3;
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        KIWIPETE,
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 0 9",
    ] {
        let situation = chess(fen);
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let run = run(
            PAB,
            &situation,
            &HandCrafted::default(),
            &off,
            limits,
            256 << 20,
        );

        let control = Control::new(Limits::default(), 1);
        let tree = Tree::new(PAB.tree_spec(Scale::Logistic, 1 << 20, u16::MAX));
        let tables = Tables::new(1 << 10);
        let job = Job {
            algorithm: PAB,
            situation: &situation,
            evaluator: &HandCrafted::default(),
            tree: &tree,
            tables: &tables,
            options: &off,
            control: &control,
            start: Start::default(),
            choices: &Choices::default(),
            seed: 1,
        };
        let mut probe = Free;
        let mut plain = Plain {
            eval: HandCrafted::default(),
            leaves: Leaves::new(&Grid::sinh(), Scale::Logistic, &off),
            grid: Grid::sinh(),
            context: Context::new(&job, 0, &mut probe),
            nodes: 0,
            order: Vec::new(),
        };
        let mut bin = 0;
        for d in 1..=i32::from(depth) {
            bin = plain.search(&situation.position, 0, d, -1, BINS as i32);
        }
        assert_eq!(
            run.tree.belief(Tree::ROOT).expect("a belief").is_atom(),
            Some(bin as usize),
            "{fen}"
        );
        let nodes = plain.nodes + plain.context.worker.nodes();
        assert_eq!(run.totals.nodes, nodes, "{fen}");
    }
}
