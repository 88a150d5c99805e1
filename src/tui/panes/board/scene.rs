//! What is on a board: a position, the move that led to it, arrows, and what the position is worth.

use shakmaty::{CastlingSide, Move, Position as _, Square};

use super::arrow::{Arrow, Meaning};
use super::told::Told;
use crate::context::Context;
use crate::tabs::Tab;
use crate::tabs::explore::HeldBy;
use game::{Cell, Game, MoveCode, Scale, Seen, Side};
use session::{Reader, Subject};
use tree::{Bound, NodeId, Tree};

/// How many moves of a line are arrows: more would hide each other.
const ARROWS: usize = 3;

/// What is on the board.
pub(super) struct Scene {
    pub subject: Subject,
    /// The move that led to the position: its squares and its name.
    pub last: Option<([Square; 2], String)>,
    /// The selected row's move from it.
    pub selected: Option<MoveCode>,
    /// The arrows with the names of their moves, the most important last.
    pub arrows: Vec<(Arrow, String)>,
    /// The cells of moves in a game that has those instead of arrows, the most important first; and that of the last move.
    pub marks: Vec<(Cell, Meaning)>,
    pub last_cell: Option<Cell>,
    /// The cells that the game's file marks here, each with a sign.
    pub noted: Vec<(Cell, char)>,
    /// What keeps it on the board whatever is selected, and whether the title says so.
    pub held: Option<HeldBy>,
    pub tells_held: bool,
    /// The line that is played out, and how far: `best line 2/5`.
    pub line: String,
    pub worth: Option<Worth>,
    /// The square of the piece that is about to be moved, and those that it can go to.
    pub picked: Option<(Square, Vec<Square>)>,
    /// Whether a click on a square makes a move.
    pub plays: bool,
    /// The position as another program draws it, in a game that plyscope does not know.
    pub told: Option<Told>,
}

/// What the selected node is worth.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Worth {
    /// White's share of the bar, from 0 to 1; a mate is full.
    pub share: f32,
    /// The number beside it, from the view of the lens.
    pub text: String,
}

impl Scene {
    /// Returns a position without anything else.
    pub fn of(subject: Subject) -> Scene {
        Scene {
            subject,
            last: None,
            selected: None,
            arrows: Vec::new(),
            marks: Vec::new(),
            last_cell: None,
            noted: Vec::new(),
            held: None,
            tells_held: true,
            line: String::new(),
            worth: None,
            picked: None,
            plays: false,
            told: None,
        }
    }

    /// Adds what led to the position.
    pub fn after(mut self, before: Option<(Subject, MoveCode)>) -> Scene {
        self.last = before.and_then(|(before, code)| {
            self.last_cell = cell(&before, code);
            let squares = move_squares(&before, code)?;
            Some((squares, before.position.label(code)))
        });
        self
    }

    /// Adds the arrows of moves that are played one after another.
    pub fn with_line(&mut self, moves: &[MoveCode], first: Meaning) {
        let mut subject = self.subject.clone();
        let mut added = Vec::new();
        for (i, &code) in moves.iter().take(ARROWS).enumerate() {
            let meaning = match i {
                0 => first,
                _ => Meaning::Later(i as u8 + 1),
            };
            let name = subject.position.label(code);
            match (move_squares(&subject, code), cell(&subject, code)) {
                (Some([from, to]), _) if !name.is_empty() => {
                    added.push((Arrow { from, to, meaning }, name));
                }
                (None, Some(cell)) => self.marks.push((cell, meaning)),
                _ => break,
            }
            if !subject.follow(code) {
                break;
            }
        }
        self.arrows.extend(added);
        self.sort_arrows();
    }

    /// Sorts the arrows so that the most important are drawn last, above the others.
    fn sort_arrows(&mut self) {
        self.arrows.sort_by_key(|(arrow, _)| arrow.meaning.height());
    }
}

/// Returns what Explore shows on the board.
pub(super) fn of_explore(cx: &Context) -> Scene {
    let mut scene = follow(cx).unwrap_or_else(|| of_game(cx));
    scene.plays = scene.subject.position.board().is_some();
    scene.picked = cx
        .explore
        .board
        .picked
        .and_then(|from| Some((from, targets(&scene.subject, from)?)));
    if let Some((passed, code)) = cx.explore.board.threats.in_position(&scene.subject)
        && let Some([from, to]) = move_squares(&passed, code)
    {
        let meaning = Meaning::Threat;
        let name = passed.position.label(code);
        scene.arrows.push((Arrow { from, to, meaning }, name));
        scene.sort_arrows();
    }
    scene
}

/// Returns the searched position, as its game shows it.
pub(super) fn of_game(cx: &Context) -> Scene {
    let mut scene = Scene::of(cx.subject.clone()).after(last_of_game(cx));
    scene.noted = noted(cx);
    scene
}

/// Returns what the game's file marks in the searched position.
fn noted(cx: &Context) -> Vec<(Cell, char)> {
    let game = cx.current.game().filter(|_| cx.detour.is_none());
    let node = game.and_then(|game| game.nodes.get(cx.node));
    node.map(|node| node.marks.clone()).unwrap_or_default()
}

/// Returns the squares that the piece of a square can go to; `None` if it cannot move.
fn targets(subject: &Subject, from: Square) -> Option<Vec<Square>> {
    let legal = subject.position.as_chess()?.chess().legal_moves();
    let squares = legal.iter().map(|m| squares_of(*m));
    let mut to: Vec<Square> = squares
        .filter(|[s, _]| *s == from)
        .map(|[_, to]| to)
        .collect();
    to.dedup();
    (!to.is_empty()).then_some(to)
}

/// Returns the position of the selection, of the node that is kept, or of the line that is played out.
fn follow(cx: &Context) -> Option<Scene> {
    let (row, reader) = cx.selected()?;
    if let Some(scene) = played_out(cx, reader) {
        return Some(scene);
    }
    let followed = match row.parent.is_none() {
        true => Tree::ROOT,
        false => row.parent,
    };
    let shown = cx.explore.board_node.map_or(followed, |on| on.node);
    let subject = reader.situation(shown)?;
    let mut scene = Scene::of(subject).after(move_to(cx, reader, shown));
    scene.held = cx.explore.board_node.map(|on| on.by);
    // A lesson says itself what its board is about.
    scene.tells_held = cx.tab != Tab::Learn || scene.held == Some(HeldBy::User);
    if shown == Tree::ROOT {
        scene.noted = noted(cx);
    }
    scene.told = Told::at(&reader, shown);
    // The moves from the shown position to the selected row, if they lead there.
    let mut way = Vec::new();
    if !row.parent.is_none() {
        way.push(row.code);
        let mut at = row.parent;
        while at != shown && at != Tree::ROOT {
            way.push(reader.tree.node(at).move_code());
            at = reader.tree.node(at).parent();
        }
        if at != shown {
            way.clear();
        }
        way.reverse();
    }
    scene.selected = way.first().copied();
    if cx.hides_best() {
        // Neither the best moves nor what the position is worth: an open question may ask for them.
        scene.with_line(&way, Meaning::Selected);
        return Some(scene);
    }
    let best = reader.best_move(shown);
    if way.is_empty() {
        scene.with_line(&reader.best_moves(shown), Meaning::Best);
    } else {
        if !row.node.is_none() {
            way.extend(reader.best_moves(row.node));
        }
        if let Some(best) = best.filter(|best| *best != way[0]) {
            scene.with_line(&[best], Meaning::Best);
        }
        let first = match best == Some(way[0]) {
            true => Meaning::Best,
            false => Meaning::Selected,
        };
        scene.with_line(&way, first);
    }
    let valued = match row.node.is_none() || scene.held.is_some() {
        true => shown,
        false => row.node,
    };
    scene.worth = worth(cx, reader, valued);
    Some(scene)
}

/// Returns the line that is played out on the board, if there is one.
fn played_out(cx: &Context, reader: Reader) -> Option<Scene> {
    let line = cx.shown_line().filter(|_| !cx.hides_best())?;
    let mut subject = reader.situation(line.from)?;
    let mut node = Some(line.from);
    let mut before = move_to(cx, reader, line.from);
    for &code in &line.moves[..line.played] {
        before = Some((subject.clone(), code));
        if !subject.follow(code) {
            return None;
        }
        node = node.and_then(|node| reader.tree.child_by_move(node, code));
    }
    let mut scene = Scene::of(subject).after(before);
    if !line.name.is_empty() {
        scene.line = format!("{} {}/{}", line.name, line.played, line.moves.len());
    }
    let rest = &line.moves[line.played..];
    let best = node.map(|node| reader.best_moves(node)).unwrap_or_default();
    match rest.first() {
        None => scene.with_line(&best, Meaning::Best),
        Some(next) if best.first() == Some(next) => scene.with_line(rest, Meaning::Best),
        Some(_) => {
            scene.with_line(best.get(..1).unwrap_or_default(), Meaning::Best);
            scene.with_line(rest, Meaning::Selected);
        }
    }
    scene.selected = rest.first().copied();
    scene.worth = node.and_then(|node| worth(cx, reader, node));
    Some(scene)
}

/// Returns the cell of a move, in a game that shows moves at cells.
fn cell(before: &Subject, code: MoveCode) -> Option<Cell> {
    before.position.board()?.cell(code)
}

/// Returns the position before a node, and the move to it.
fn move_to(cx: &Context, reader: Reader, node: NodeId) -> Option<(Subject, MoveCode)> {
    if node == Tree::ROOT {
        return last_of_game(cx);
    }
    let node = reader.tree.node(node);
    Some((reader.situation(node.parent())?, node.move_code()))
}

/// Returns the game's move that led to the searched position, with the position before it.
pub(super) fn last_of_game(cx: &Context) -> Option<(Subject, MoveCode)> {
    if cx.detour.is_some() {
        return None;
    }
    cx.current.move_to(cx.node)
}

/// Returns what a node is worth; `None` if it was not searched. The bar follows the board and therefore is White's; its
/// number is seen as all others on the screen.
fn worth(cx: &Context, reader: Reader, node: NodeId) -> Option<Worth> {
    if !reader.tree.contains(node) || reader.scale() != Scale::Logistic {
        return None;
    }
    let view = reader.view(node);
    let own = view.expected?;
    let belief = reader.belief(node).filter(|b| b.is_distribution());
    let expected = belief.map_or(own, |b| b.mean);
    let scores = cx.lens.at(&reader, node).tight();
    let decided = view.score.filter(|s| s.is_decided());
    let (own, text) = match decided {
        Some(score) => (reader.scale().expected(score), scores.score(score)),
        None => {
            let bound = view.window.map_or(Bound::Exact, |w| w.bound);
            let text = scores.sign(bound).to_owned() + &scores.mean(expected);
            (expected, text)
        }
    };
    let whites = Seen::new(reader.turn(node), own).seen_by(Side::White);
    Some(Worth {
        share: f32::midpoint(1.0, whites).clamp(0.0, 1.0),
        text: cx.looks.glyphs.text(&text),
    })
}

/// Returns the squares from which and to which a move goes; `None` if it is not a chess move there.
pub(super) fn move_squares(before: &Subject, code: MoveCode) -> Option<[Square; 2]> {
    let position = before.position.as_chess()?;
    position.decode(code).map(squares_of)
}

/// Returns the squares from which and to which a move goes; for castling, those of the king.
pub(crate) fn squares_of(m: Move) -> [Square; 2] {
    match m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            [king, Square::from_coords(side.king_to_file(), king.rank())]
        }
        _ => [m.from().unwrap_or(m.to()), m.to()],
    }
}

/// Returns who is to move, with the number of the move, the last move and the line if there is room.
pub(super) fn title(scene: &Scene, room: usize) -> String {
    let held = scene.held.filter(|_| scene.tells_held);
    let held = held.map(|by| format!(" ({})", by.words()));
    let here = held.unwrap_or_default();
    let position = &scene.subject.position;
    let side = position.side_name(position.turn());
    let Some(chess) = position.as_chess().map(game::ChessPosition::chess) else {
        let to_move = format!("{side} to move");
        let whole = format!("{to_move}{here}");
        return if text::width(&whole) <= room {
            whole
        } else {
            to_move
        };
    };
    let check = if chess.is_checkmate() {
        ", checkmate"
    } else if chess.is_stalemate() {
        ", stalemate"
    } else if chess.is_check() {
        ", in check"
    } else {
        " to move"
    };
    let plain = format!("{side}{check}{here}");
    let number = format!("{}. {plain}", chess.fullmoves());
    let last = scene.last.as_ref();
    let after = last.map(|(_, name)| format!("{number}, after {}", text::sanitise(name)));
    let line = (!scene.line.is_empty()).then(|| format!("{} · {plain}", scene.line));
    let wanted = [line, after, Some(number), Some(plain)];
    let mut fitting = wanted.into_iter().flatten();
    fitting
        .find(|title| text::width(title) <= room)
        .unwrap_or_else(|| format!("{side}{check}"))
}
