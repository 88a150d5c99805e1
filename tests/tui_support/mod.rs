//! Trees built by hand, so that snapshots of the screen do not change with the algorithms.
#![allow(
    dead_code,
    unused_imports,
    reason = "each test file uses a part of this"
)]

pub mod game;
mod styled;
pub mod toy;

pub use styled::{read, styled, text};

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ::game::load::fen;
use ::game::{ChessPosition, Game, MoveCode, Score, Situation};
use algorithms::Algorithm;
use belief::Density;
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use games::Document;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use screen::theme::{Depth, ThemeStore};
use search::{StopReason, Totals};
use session::{Config, State, Status, Subject};
use tree::{Bound, Family, Fate, NodeId, Proof, Recorder, Tree, Window};
use tui::app::{App, Setup};
use tui::source::Still;

/// The folder of the repository.
pub fn root() -> PathBuf {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = above.find(|folder| folder.join("sample-positions").is_dir());
    root.expect("the repository").to_owned()
}

/// A folder for files, which is removed with it.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("plyscope-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    /// The file for a saved session.
    pub fn file(&self) -> PathBuf {
        self.0.join("saved.plyscope")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A quiet middlegame with White to move at move nine.
pub const FEN: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";

pub fn position() -> ChessPosition {
    fen::parse(FEN).expect("a legal position").position
}

/// A document with that position.
pub fn sketch() -> Document {
    Document::position("the sketch", position())
}

/// A workbench on that position without a tree.
pub fn app_with(theme: &str, depth: Depth, ascii: bool) -> App {
    let config = Config::new(Algorithm::Distress);
    workbench_with(sketch(), config, theme, depth, ascii)
}

pub fn app() -> App {
    app_with("dark", Depth::True, false)
}

/// A workbench on the first entry of a document.
pub fn workbench(document: Document, config: Config, ascii: bool) -> App {
    workbench_with(document, config, "dark", Depth::True, ascii)
}

pub fn workbench_with(
    document: Document,
    config: Config,
    theme: &str,
    depth: Depth,
    ascii: bool,
) -> App {
    let entry = document.first_entry().expect("an entry");
    let mut app = App::new(Setup {
        document,
        entry,
        config,
        theme: theme.to_owned(),
        themes: ThemeStore::default(),
        depth,
        ascii,
    });
    app.cx.timeless = true;
    app
}

/// The screen at a given size.
pub fn screen(app: &mut App, width: u16, height: u16) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    tui::views::frame(app, &mut buffer);
    buffer
}

/// The text of the screen at a given size.
pub fn text_at(app: &mut App, width: u16, height: u16) -> String {
    text(&screen(app, width, height))
}

/// The text of a screen of the usual size.
pub fn look(app: &mut App) -> String {
    text_at(app, 120, 36)
}

/// Returns the position of a text in the first line that contains it.
pub fn find(shown: &str, what: &str) -> (u16, u16) {
    let found = shown.lines().enumerate().find_map(|(y, line)| {
        let at = line.find(what)?;
        Some((line[..at].chars().count() as u16, y as u16))
    });
    found.unwrap_or_else(|| panic!("{what} is not shown\n{shown}"))
}

pub fn mouse(app: &mut App, kind: MouseEventKind, column: u16, row: u16) {
    app.mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    });
}

pub fn click(app: &mut App, column: u16, row: u16) {
    mouse(app, MouseEventKind::Down(MouseButton::Left), column, row);
}

/// Presses keys, written as in the table of commands and separated by spaces.
pub fn press(app: &mut App, keys: &str) {
    for key in keys.split(' ') {
        app.key(screen::keys::Key::parse(key).expect("a key"));
    }
}

fn still(algorithm: Algorithm, tree: Tree) -> Still {
    let status = Status {
        state: State::Finished(StopReason::Nodes),
        totals: Totals {
            nodes: 1_210_000,
            depth: if tree.family() == Family::DepthFirst {
                7
            } else {
                0
            },
            selective_depth: 19,
            ..Totals::default()
        },
        elapsed: Duration::from_secs(1),
        cpu: Duration::from_secs(1),
        tree_nodes: tree.len(),
        tree_bytes: tree.bytes(),
        tree_full: false,
        threads: 2,
        audit: None,
    };
    Still {
        record: None,
        subject: Subject::from(Situation::new(position())),
        config: Config {
            threads: 2,
            ..Config::new(algorithm)
        },
        tree: Arc::new(tree),
        status,
    }
}

fn new_tree(algorithm: Algorithm) -> Tree {
    let scale = position().scale();
    Tree::new(algorithm.tree_spec(scale, 64 << 20, u16::MAX))
}

/// Numbers that look random and are always the same.
fn noise(i: u32, salt: u32) -> f32 {
    let mut x = i.wrapping_mul(0x9e37_79b9) ^ salt.wrapping_mul(0x85eb_ca6b);
    x ^= x >> 15;
    x = x.wrapping_mul(0x2c1b_3c6d);
    x ^= x >> 12;
    (x % 2001) as f32 / 1000.0 - 1.0
}

/// A best-first tree with beliefs: the root, all its moves, the replies to the three best, and the moves after those.
pub fn distress() -> Still {
    let tree = new_tree(Algorithm::Distress);
    let place = tree.allocate_beliefs(1).expect("room");
    believe(&tree, Tree::ROOT, place, 0.15, 0.42);
    tree.node(Tree::ROOT).set_visits(1_200_000);
    tree.node(Tree::ROOT).set_nodes(1_210_000);
    grow(&tree, Tree::ROOT, &position(), 1_200_000, 3);
    let first = tree.children(Tree::ROOT).next().expect("moves");
    let win = tree.children(first).last().expect("replies");
    // A reply that loses by force, and a move that draws.
    tree.node(win).set_proof(Proof::exact(Score::win_in(5)));
    tree.node(win).set_fate(Fate::Proven {
        by: MoveCode::NONE,
        children: 3,
    });
    let draw = tree.children(Tree::ROOT).last().expect("moves");
    tree.node(draw).set_proof(Proof::exact(Score::DRAW));
    tree.node(draw).set_fate(Fate::Repetition {
        times: 1,
        plies_back: 4,
    });
    still(Algorithm::Distress, tree)
}

fn believe(tree: &Tree, node: NodeId, place: u32, logit: f32, width: f32) {
    let density = Density::logistic(tree.grid(), logit, width);
    let n = tree.node(node);
    // Slots hold values from the view of the side that moved to the node.
    tree.belief_slot(place).initialise(&density.negated().cdf());
    n.set_belief(place);
    n.set_expected(density.mean(tree.grid()));
}

fn grow(tree: &Tree, parent: NodeId, position: &ChessPosition, visits: u32, plies: u32) {
    let moves = position.legal_moves();
    let codes: Vec<MoveCode> = moves.iter().map(|&m| position.encode(m)).collect();
    let first = tree
        .allocate_children(parent, codes.iter().copied())
        .expect("room");
    let places = tree.allocate_beliefs(codes.len() as u32).expect("room");
    let mut left = visits;
    for (i, &m) in moves.iter().enumerate() {
        let id = NodeId(first.0 + i as u32);
        let node = tree.node(id);
        let own = left / 3;
        left -= own;
        let logit = -0.3 + 0.05 * i as f32 + 0.1 * noise(id.0, plies);
        believe(
            tree,
            id,
            places + i as u32,
            logit,
            0.2 + 0.1 * noise(id.0, 7).abs(),
        );
        node.set_visits(own.max(1));
        node.set_nodes(u64::from(own.max(1)) * 2);
        node.set_policy(own as f32 / visits as f32);
        node.set_urgency(0.1 + 0.1 * noise(id.0, 7).abs());
        node.set_fate(Fate::Frontier);
        if plies > 1 && i < 3 {
            let mut after = position.clone();
            after.play(m);
            grow(tree, id, &after, own.max(2), plies - 1);
        }
    }
    tree.attach(parent, first, codes.len() as u16);
    tree.node(parent).set_fate(Fate::Expanded {
        best: codes[0],
        searched: codes.len() as u8,
        skipped: 0,
        moves: codes.len() as u8,
        margin: 0,
    });
}

/// A depth-first tree: a principal variation, cutoffs, futility and the horizon.
pub fn alpha_beta() -> Still {
    let tree = new_tree(Algorithm::AlphaBeta);
    {
        let mut recorder = Recorder::new(&tree);
        let position = position();
        window(
            &tree,
            Tree::ROOT,
            -32_001,
            32_001,
            7,
            35,
            Bound::Exact,
            1_210_000,
        );
        let mut last = NodeId::NONE;
        let moves = position.legal_moves();
        for (i, &m) in moves.iter().take(12).enumerate() {
            let code = position.encode(m);
            last = recorder.child(Tree::ROOT, last, code, 1);
            let value = -35 + 6 * i as i32;
            let bound = if i == 0 { Bound::Exact } else { Bound::Lower };
            window(&tree, last, -36, -35, 6, value, bound, 400_000 >> i);
            replies(&tree, &mut recorder, (last, value), &position, m);
        }
        tree.node(Tree::ROOT).set_fate(Fate::Expanded {
            best: position.encode(moves[0]),
            searched: 12,
            skipped: 0,
            moves: moves.len() as u8,
            margin: 0,
        });
    }
    still(Algorithm::AlphaBeta, tree)
}

fn replies(
    tree: &Tree,
    recorder: &mut Recorder,
    (parent, value): (NodeId, i32),
    position: &ChessPosition,
    m: <ChessPosition as Game>::Move,
) {
    let mut after = position.clone();
    after.play(m);
    let moves = after.legal_moves();
    let codes: Vec<MoveCode> = moves.iter().take(4).map(|&m| after.encode(m)).collect();
    let searched = recorder.child(parent, NodeId::NONE, codes[0], 2);
    window(tree, searched, 35, 36, 5, -value, Bound::Upper, 90_000);
    tree.node(searched).set_fate(Fate::Horizon {
        static_value: Score::new(-value),
    });
    let futile = recorder.child(parent, searched, codes[1], 2);
    tree.node(futile).set_fate(Fate::Futility {
        static_value: Score::new(-310),
        margin: 142,
        alpha: Score::new(-95),
        depth: 2,
    });
    let stopped = recorder.child(parent, futile, codes[2], 2);
    tree.node(stopped).set_fate(Fate::LosingCaptures);
    tree.node(parent).set_fate(Fate::BetaCutoff {
        by: codes[0],
        value: Score::new(value),
        beta: Score::new(-35),
        searched: 1,
    });
}

#[expect(clippy::too_many_arguments, reason = "the fields of one node")]
fn window(
    tree: &Tree,
    id: NodeId,
    alpha: i16,
    beta: i16,
    depth: i8,
    value: i32,
    bound: Bound,
    nodes: u64,
) {
    let node = tree.node(id);
    node.set_visits(7);
    node.set_nodes(nodes);
    node.set_static_and_iteration(Some(Score::new(value - 12)), 7, false);
    node.set_window(Window {
        alpha: Score::from_raw(alpha),
        beta: Score::from_raw(beta),
        depth,
        value: Score::new(value),
        bound,
    });
}

/// A best-first tree with at least `nodes` nodes below the start position, wide and deep, without real positions beyond
/// a few plies; used by the bench of frames.
pub fn huge(nodes: u32, beliefs: bool) -> Still {
    let algorithm = if beliefs {
        Algorithm::Distress
    } else {
        Algorithm::Mcts
    };
    let scale = position().scale();
    let tree = Tree::new(algorithm.tree_spec(scale, 4 << 30, u16::MAX));
    let mut level = vec![(Tree::ROOT, position())];
    tree.node(Tree::ROOT).set_visits(nodes);
    'growing: loop {
        let mut next = Vec::new();
        for (parent, position) in level {
            let moves = position.legal_moves();
            if moves.is_empty() {
                continue;
            }
            let codes: Vec<MoveCode> = moves.iter().map(|&m| position.encode(m)).collect();
            let Some(first) = tree.allocate_children(parent, codes.iter().copied()) else {
                break 'growing;
            };
            let places = if beliefs {
                tree.allocate_beliefs(codes.len() as u32)
            } else {
                None
            };
            for (i, &m) in moves.iter().enumerate() {
                let id = NodeId(first.0 + i as u32);
                let node = tree.node(id);
                node.set_visits(1 + (100_000.0 * noise(id.0, 1).abs()) as u32);
                node.set_nodes(u64::from(node.visits()) * 2);
                node.set_policy(1.0 / codes.len() as f32);
                node.set_fate(Fate::Frontier);
                match places {
                    Some(p) => believe(&tree, id, p + i as u32, noise(id.0, 2), 0.3),
                    None => node.set_expected(0.5 * noise(id.0, 2)),
                }
                let mut after = position.clone();
                after.play(m);
                next.push((id, after));
            }
            tree.attach(parent, first, codes.len() as u16);
            tree.node(parent).set_fate(Fate::Expanded {
                best: codes[0],
                searched: codes.len() as u8,
                skipped: 0,
                moves: codes.len() as u8,
                margin: 0,
            });
            if tree.len() >= nodes {
                break 'growing;
            }
        }
        // Five levels would be far too many positions to keep, so only some of them are extended.
        next.truncate(400_000);
        level = next;
    }
    still(algorithm, tree)
}
