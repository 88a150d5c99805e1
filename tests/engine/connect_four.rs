//! Connect Four, a game that plyscope does not know, with all that a new game has to implement: everything that works with
//! chess and toy trees also works with it, and what the algorithms find near the end of a game is true.

use ::tree::Tree;
use algorithms::ALGORITHMS;
use belief::{Cdf, Density, Grid};
use common::{claims::config, settle};
use eval::{Evaluated, Evaluator, LeafShape};
use game::{ChessKnowledge, Ending, Game, MoveCode, Moves};
use game::{Scale, Score, Side, Situation};
use report::event::json::EventJson;
use report::event::sentence;
use report::text::Style;
use report::tree::{self, Extent, Selection};
use report::why::why_node;
use search::Event;
use session::breakpoint::Breakpoint;
use session::debug::Step;
use session::trace;
use session::{Reader, Session, Subject, TraceRequest};
use std::{ops::ControlFlow, sync::LazyLock};
use tui::panes::tree::Explorer;

/// White's and Black's stones: seven columns of seven bits each, of which six are used, the lowest cell first.
#[derive(Clone, Copy, Debug, Default)]
struct ConnectFour([u64; 2]);

fn column(m: u8) -> u64 {
    0b11_1111 << (7 * m)
}

/// Counts the fours up, right and along the diagonals.
fn fours(own: u64) -> i32 {
    let along = |s: u32| (own & own >> s & own >> (2 * s) & own >> (3 * s)).count_ones();
    (along(1) + along(6) + along(7) + along(8)) as i32
}

impl ConnectFour {
    fn stones(&self) -> u64 {
        self.0[0] | self.0[1]
    }

    fn is_lost(&self) -> bool {
        fours(self.0[self.turn().other() as usize]) > 0
    }

    fn then(mut self, m: u8) -> Self {
        self.play(m);
        self
    }

    /// Returns the result with best play, for the side to move: 1, 0 or -1.
    fn minimax(&self) -> i32 {
        let moves = self.legal_moves().into_iter();
        let results = moves.map(|m| -self.then(m).minimax());
        results.max().unwrap_or(-i32::from(self.is_lost()))
    }
}

impl ChessKnowledge<u8> for ConnectFour {}

impl Game for ConnectFour {
    /// The column, counted from the left.
    type Move = u8;

    fn turn(&self) -> Side {
        [Side::White, Side::Black][self.stones().count_ones() as usize % 2]
    }

    fn legal_moves(&self) -> Moves<u8> {
        let open = |&m: &u8| !self.is_lost() && column(m) & !self.stones() != 0;
        [3, 2, 4, 1, 5, 0, 6].into_iter().filter(open).collect()
    }

    fn play(&mut self, m: u8) {
        self.0[self.turn() as usize] |= (self.stones() & column(m)) + (1 << (7 * m));
    }

    fn key(&self) -> u64 {
        let mix = |x: u64| (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mix(mix(self.0[0] + 1) ^ self.0[1])
    }

    fn ending(&self, has_moves: bool) -> Option<Ending> {
        let drawn = (!has_moves).then_some(Ending::Drawn);
        self.is_lost().then_some(Ending::Lost).or(drawn)
    }

    fn encode(&self, m: u8) -> MoveCode {
        MoveCode(m.into())
    }

    fn label(&self, m: u8) -> String {
        (m + 1).to_string()
    }

    fn scale(&self) -> Scale {
        Scale::Logistic
    }
}

impl Evaluated for ConnectFour {
    type Evaluator = OpenFours;
}

/// Counts the fours that each side can still make.
#[derive(Clone, Default)]
struct OpenFours;
static GRID: LazyLock<Grid> = LazyLock::new(Grid::sinh);

impl Evaluator<ConnectFour> for OpenFours {
    type State = ();
    fn start(&self, _: &ConnectFour) {}
    fn after(&self, &(): &(), _: &ConnectFour, _: u8) {}

    fn value(&self, &(): &(), at: &ConnectFour) -> Score {
        let board: u64 = (0..7).map(column).sum();
        let open = |side: Side| fours(board & !at.0[side.other() as usize]);
        Score::new(10 * (open(at.turn()) - open(at.turn().other())))
    }

    /// The standard deviation of the logit.
    fn spread(&self, &(): &(), _: &ConnectFour, _: Score) -> f32 {
        0.8
    }

    fn belief(&self, &(): &(), at: &ConnectFour, value: Score, shape: &LeafShape) -> Cdf {
        if value.is_decided() {
            return Cdf::atom(GRID.bin_of(at.scale().expected(value)));
        }
        let logit = f32::from(value.raw()) / (Scale::CENTIPAWNS / 2.0);
        Density::normal_logit(&GRID, logit + shape.bias, 0.8).cdf()
    }
}

/// Positions with twelve empty cells, reached by random moves.
fn late_positions() -> impl Iterator<Item = ConnectFour> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut further = move |at: ConnectFour| random.choice(at.legal_moves()).map(|m| at.then(m));
    let game = move || (0..30).try_fold(ConnectFour::default(), |at, _| further(at));
    let games = std::iter::repeat_with(game).flatten();
    games.filter(|at| !at.is_lost())
}

#[test]
fn what_the_algorithms_find_near_the_end_is_true() {
    let mut seen = [0; 3];
    for position in late_positions().take(30) {
        let truth = position.minimax();
        seen[(truth + 1) as usize] += 1;
        for row in &ALGORITHMS {
            let subject = Subject::of(Situation::new(position));
            let mut session = Session::start(subject, config(row.algorithm, 100_000, 1));
            session.join();
            let score = session.summary().score;
            let what = format!("{} {position:?}: {score:?}", row.name);
            let found = score.score.expect("a score").raw().signum();
            assert_eq!(i32::from(found), truth, "{what}");
            let best = session.best_to_play().expect("a move").0 as u8;
            assert_eq!(-position.then(best).minimax(), truth, "{what}");
            assert!(truth == 0 || score.proof.is_certain(), "{what}");
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

#[test]
fn every_face_of_a_search_shows_the_game() {
    let start = Subject::of(Situation::new(ConnectFour::default()));
    for row in &ALGORITHMS {
        let config = config(row.algorithm, 3_000, 1);
        let mut session = Session::start_paused(start.clone(), config.clone());
        let breakpoint = Breakpoint::parse("on enter under \"4 4\"", &start).expect("a breakpoint");
        session.set_breakpoints([(1, breakpoint)]);
        session.step(Step::ToBreak, 1);
        settle(&mut session);
        let at = session.standing().expect("at the breakpoint").number;
        session.step_back(1);
        settle(&mut session);
        assert_eq!(session.event_position().now, at - 1);
        session.resume();
        session.join();
        let reader = session.reader();
        let rows = reader.rows_best_first(Tree::ROOT);
        let node = rows[0].id.node().expect("a node");
        assert_eq!(reader.numbered(node).as_ref(), Some(&rows[0].label));
        assert!(why_node(&reader, node).ends_with('.'));
        let mut explorer = Explorer::default();
        explorer.refresh(reader, false);
        assert_eq!((rows.len(), explorer.rows().len()), (7, 8));
        let (max_nodes, max_ply) = (50, 4);
        let shown = Selection::new(&reader, Tree::ROOT, Extent { max_nodes, max_ply });
        let text = tree::text(&reader, &shown, Style::default());
        assert!(text.lines().count() >= 8, "{text}");
        let json = serde_json::to_string(&tree::json(&reader, &shown)).expect("JSON");
        assert!(json.contains("\"4\""), "{json}");
        let (request, mut sentences) = (TraceRequest::default(), 0);
        let mut sink = |n: u64, event: &Event, reader: &Reader| {
            let json = EventJson::new(reader, n, event, Style::default());
            serde_json::to_value(json).expect("JSON");
            sentences += u64::from(!sentence(reader, event).is_empty());
            ControlFlow::Continue(())
        };
        let traced = trace(&start, &config, &request, || false, &mut sink);
        assert_eq!(traced.expect("a thread").written, sentences);
    }
}
