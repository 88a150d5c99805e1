//! Connect Four, a game that plyscope does not know, with all that a new game has to implement: everything that works with
//! chess and toy trees also works with it, its files and its board too, and what the algorithms find near the end of a game
//! is true.

use ::tree::Tree;
use algorithms::{ALGORITHMS, Algorithm};
use belief::{Cdf, Density, Grid};
use common::{claims::config, settle};
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use eval::{Evaluated, Evaluator, LeafShape};
use game::load::LoadError;
use game::{Board, ChessKnowledge, Ending, Game, MoveCode, Moves, Piece};
use game::{Scale, Score, Side, Situation};
use games::{Document, Entries, Entry, FORMATS, Format, GameTree, Reading};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use report::event::json::EventJson;
use report::event::sentence;
use report::lens::Lens;
use report::text::Style;
use report::tree::{self, About, Extent, Selection};
use report::why::why_node;
use screen::theme::{Depth, ThemeStore};
use search::{AnyPosition, Event};
use session::breakpoint::Breakpoint;
use session::debug::Step;
use session::trace;
use session::{Reader, Session, Subject, TraceRequest};
use std::{ops::ControlFlow, sync::LazyLock};
use tui::app::{App, Setup};
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

    fn side_name(&self, side: Side) -> &'static str {
        ["Yellow", "Red"][side as usize]
    }

    /// The rows from the top, as in `four ......./......./......./......./...o.../..xx...`.
    fn notated(&self) -> Option<String> {
        let row = |cells: Vec<Option<Piece>>| -> String {
            let cells = cells.into_iter();
            cells.map(|p| p.map_or('.', |piece| piece.sign)).collect()
        };
        let rows: Vec<String> = self.board()?.cells.into_iter().map(row).collect();
        Some(format!("four {}", rows.join("/")))
    }

    fn board(&self) -> Option<Board> {
        let piece = |column: usize, row: usize| {
            let has = |side: usize| self.0[side] >> (7 * column + 5 - row) & 1 == 1;
            let stone = |(side, sign)| has(side as usize).then_some(Piece { sign, side });
            [(Side::White, 'x'), (Side::Black, 'o')]
                .into_iter()
                .find_map(stone)
        };
        let lands = |m: u8| {
            let height = (self.stones() & column(m)).count_ones() as usize;
            (self.encode(m), (usize::from(m), 5 - height))
        };
        Some(Board {
            cells: (0..6)
                .map(|row| (0..7).map(|column| piece(column, row)).collect())
                .collect(),
            columns: (1..=7).map(|n| n.to_string()).collect(),
            rows: Vec::new(),
            moves: self.legal_moves().into_iter().map(lands).collect(),
        })
    }
}

/// Files with one game per line: `four`, the position where it begins unless the board is empty, moves, and comments in
/// braces. A `#` line above a game is its title.
const FOUR: Format = Format {
    name: "Connect Four",
    one: "a game of Connect Four",
    extension: "four",
    detect: |line| line.starts_with("four"),
    reading: Reading::Whole(|_, text| {
        let mut read = Entries::default();
        let mut title = String::from("A game");
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(comment) = line.strip_prefix('#') {
                title = comment.trim().to_owned();
                continue;
            }
            match read_game(line) {
                Ok(game) => read.entries.push(Entry {
                    title: std::mem::replace(&mut title, "A game".to_owned()),
                    line: number,
                    ..Entry::of_game(game)
                }),
                Err(error) => read.problems.push(error.at_line(number)),
            }
        }
        Ok(read)
    }),
    write: None,
    boards: &[],
};

fn read_game(line: &str) -> Result<GameTree, LoadError> {
    let expected = || LoadError::new(format!("{line:?}"), "a line that begins with four");
    let mut rest = line.strip_prefix("four").ok_or_else(expected)?.trim_start();
    let mut start = ConnectFour::default();
    if let Some((rows, moves)) = rest.split_once(' ').or(Some((rest, "")))
        && rows.contains('/')
    {
        for (row, cells) in rows.split('/').enumerate() {
            for (column, cell) in cells.chars().enumerate() {
                let at = 1 << (7 * column + 5 - row);
                start.0[0] |= u64::from(cell == 'x') * at;
                start.0[1] |= u64::from(cell == 'o') * at;
            }
        }
        rest = moves;
    }
    let mut game = game::load::GameTree::new(start);
    let (mut at, mut node) = (Situation::new(start), 0);
    for (i, part) in rest.split(['{', '}']).enumerate() {
        if i % 2 == 1 {
            game.nodes[node].comments.push(part.to_owned());
            continue;
        }
        for word in part.split_whitespace() {
            let (next, moves) = ConnectFour::read_moves(&at, word, false)?;
            node = game.add(node, moves.first().copied(), word.to_owned());
            at = next;
        }
    }
    Ok(game.map(AnyPosition::of))
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

const GAMES: &str = "\
# Three in a row
four {Red must not look away.} 4 1 5 2
four 4 8
four ......./......./......./......./ooo..../xxx...x
";

fn open(name: &str) -> Document {
    let formats = [FORMATS, &[&FOUR]].concat();
    Document::in_formats(&formats, name, GAMES.into()).expect("games")
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
    for position in late_positions().take(18) {
        let truth = position.minimax();
        let moves = position.legal_moves().into_iter();
        let kept = moves.filter(|&m| -position.then(m).minimax() == truth);
        let kept: Vec<u8> = kept.collect();
        let of_its_kind = &mut seen[(truth + 1) as usize];
        *of_its_kind += 1;
        if *of_its_kind > 4 {
            continue;
        }
        for row in &ALGORITHMS {
            let subject = Subject::of(Situation::new(position));
            let mut session = Session::start(subject, config(row.algorithm, 100_000, 1));
            session.join();
            let score = session.summary().score;
            let what = format!("{} {position:?}: {score:?}", row.name);
            let found = score.score.expect("a score").raw().signum();
            assert_eq!(i32::from(found), truth, "{what}");
            let best = session.best_to_play().expect("a move").0 as u8;
            assert!(kept.contains(&best), "{what}");
            assert!(truth == 0 || score.proof.is_certain(), "{what}");
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

#[test]
fn every_face_of_a_search_shows_the_game() {
    let start = Subject::of(Situation::new(ConnectFour::default()));
    for row in &ALGORITHMS {
        let config = config(row.algorithm, 1_000, 1);
        let mut session = Session::start_paused(start.clone(), config.clone());
        let breakpoint = Breakpoint::parse("on enter under \"4 4\"", &start).expect("a breakpoint");
        session.set_breakpoints([(1, breakpoint)]);
        session.step(Step::ToBreak, 1);
        settle(&mut session);
        let at = session.standing().expect("at the breakpoint").number;
        session.step_back(1);
        settle(&mut session);
        assert_eq!(session.event_position().now, at - 1);
        // Without breakpoints the search runs to its end.
        session.set_breakpoints([]);
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
        let text = tree::text(&reader, &shown, Lens::default(), Style::default());
        assert!(text.lines().count() >= 8, "{text}");
        let json = serde_json::to_string(&tree::json(&reader, &shown, false)).expect("JSON");
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

#[test]
fn its_files_are_documents() {
    for name in ["games.four", "pasted text"] {
        let document = open(name);
        assert_eq!((document.format.name, document.len()), ("Connect Four", 2));
        let refused = document.problems[0].to_string();
        assert!(
            refused.starts_with(&format!("{name}:3: column 1: ")) || refused.contains(":3:"),
            "{refused}"
        );
        assert_eq!(
            (document.title(0), document.line(1)),
            ("Three in a row".into(), Some(4))
        );
        let entry = document.entry(0).expect("a game");
        assert_eq!(entry.hint.as_deref(), Some("Red must not look away."));
        assert_eq!(
            entry.names_of(&entry.line_through(0)),
            ["1. 4", "1", "2. 5", "2"]
        );
        let end = entry.subject_at(99);
        let board = end.position.board().expect("a board");
        assert_eq!(board.text().lines().last(), Some("o o · x x · · "));
        let written = end.position.fen().expect("a line of text");
        let formats = [FORMATS, &[&FOUR]].concat();
        let again = Document::in_formats(&formats, "", written.into()).expect("the same");
        let again = again.entry(0).expect("the same").subject();
        assert_eq!(again.position.key(), end.position.key());
    }
    // The other formats are still known by their content.
    let formats = [FORMATS, &[&FOUR]].concat();
    let chess = Document::in_formats(&formats, "", b"1. e4 *".to_vec());
    assert_eq!(chess.expect("a game").format.name, "PGN");
}

#[test]
fn its_files_are_searched_and_shown() {
    let document = open("games.four");
    let subject = document.entry(1).expect("a position").subject();
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts] {
        let mut session = Session::start(subject.clone(), config(algorithm, 20_000, 1));
        session.join();
        assert_eq!(
            session.summary().best.expect("a move").san,
            "4",
            "{algorithm:?}"
        );
        let reader = session.reader();
        let extent = Extent {
            max_nodes: 50,
            max_ply: 4,
        };
        let shown = Selection::new(&reader, Tree::ROOT, extent);
        let text = tree::text(&reader, &shown, Lens::default(), Style::default());
        assert!(text.contains("4"), "{text}");
        let items = tree::items(&reader, &shown, Lens::default());
        let about = About {
            title: "Connect Four",
            position: None,
            command: "plyscope tree games.four",
            lens: Lens::default(),
        };
        let page = tree::page(&reader, &items, &about);
        assert!(
            page.contains("class=\"board\"") && page.matches(">o</text>").count() > 2,
            "{page}"
        );
    }
}

#[test]
fn the_workbench_draws_its_board_and_takes_clicks_on_it() {
    let document = open("games.four");
    let mut app = App::new(Setup {
        entry: (0, document.entry(0).expect("a game")),
        document,
        config: config(Algorithm::AlphaBeta, 2_000, 1),
        theme: "dark".to_owned(),
        themes: ThemeStore::default(),
        depth: Depth::True,
        ascii: false,
    });
    app.cx.go_to_node(4);
    let shown = screen(&mut app).join("\n");
    assert!(shown.replace(' ', "").contains("oo·xx"), "{shown}");
    assert!(shown.contains("Yellow to move"), "{shown}");
    // The lowest cell of the last column.
    let labels = "1   2   3   4   5   6   7";
    let rows = screen(&mut app);
    let mut found = (0..)
        .zip(&rows)
        .filter_map(|(y, row)| Some((y, row.split_once(labels)?.0)));
    let (y, before) = found.next().expect("the columns");
    let x = before.chars().count() + labels.len() - 1;
    app.mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: x as u16,
        row: y - 1,
        modifiers: KeyModifiers::NONE,
    });
    let shown = screen(&mut app).join("\n");
    assert!(shown.contains("Red to move"), "{shown}");
}

/// The rows of the screen.
fn screen(app: &mut App) -> Vec<String> {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 36));
    tui::views::frame(app, &mut buffer);
    let row = |y| (0..120).map(|x| buffer[(x, y)].symbol()).collect();
    (0..36).map(row).collect()
}
