//! Making moves: typed, pasted, or by clicks on the board.

use shakmaty::{Position as _, Role as Piece, Square};

use super::scene::{self, squares_of};
use crate::component::Handled;
use crate::context::{Context, Level, line_from};
use crate::overlays::chooser::{Chooser, Item};
use crate::overlays::prompt::{Prompt, Typed};
use crate::panes::Pane;
use crate::panes::tree::{Filter, RowKey};
use crate::views::bar::key_of_command;
use game::{Cell, Game, MoveCode};
use search::AnyPosition;
use session::Subject;
use tree::{NodeId, Tree};

/// Where the position on the board is: the last node on the way to it, and the moves from there that have no node.
struct Place {
    /// `None` if the tree on the screen is of another position.
    node: Option<NodeId>,
    beyond: Vec<MoveCode>,
    subject: Subject,
}

impl Context {
    /// Returns the position on the board.
    pub(crate) fn subject_on_board(&self) -> Subject {
        self.place_on_board().subject
    }

    fn place_on_board(&self) -> Place {
        let root = || {
            let source = self.session.as_ref();
            let here = source.filter(|s| s.reader().subject.is_same(&self.subject));
            Place {
                node: here.map(|_| Tree::ROOT),
                beyond: Vec::new(),
                subject: self.subject.clone(),
            }
        };
        let Some((row, reader)) = self.selected().filter(|_| self.in_explore()) else {
            return root();
        };
        let (from, moves) = match self.shown_line() {
            Some(line) => (line.from, &line.moves[..line.played]),
            None if row.parent.is_none() => (Tree::ROOT, &[][..]),
            None => {
                let held = self.explore.board_node.map(|on| on.node);
                (held.unwrap_or(row.parent), &[][..])
            }
        };
        let Some(mut subject) = reader.situation(from) else {
            return root();
        };
        let (mut node, mut beyond) = (from, Vec::new());
        for &code in moves {
            if !subject.follow(code) {
                return root();
            }
            match reader.tree.child_by_move(node, code) {
                Some(child) if beyond.is_empty() => node = child,
                _ => beyond.push(code),
            }
        }
        Place {
            node: Some(node),
            beyond,
            subject,
        }
    }

    /// Asks for a move to make on the board.
    pub fn ask_move(&mut self) {
        let position = &self.subject.position;
        let expected = match position.height() {
            None if position.as_chess().is_some() => "Nf3, e2e4 or several: e4 e5 Nf3",
            None => "the name of a move, or several of them",
            Some(_) => "the name of a child, or a line of them",
        };
        let prompt = Prompt::new("move", expected);
        self.ask_while(
            prompt,
            |app, prompt, typed| {
                if typed == Typed::Changed {
                    prompt.note = app.cx.remark_on_moves(prompt.text());
                }
            },
            |app, text| app.cx.make_typed(text),
        );
    }

    /// Makes the moves that a text says, in SAN or UCI, from the position on the board; if they are not legal there, from
    /// the searched position.
    ///
    /// # Errors
    /// The first word that is not a move in the position on the board.
    pub(crate) fn make_typed(&mut self, text: &str) -> Result<(), String> {
        if text.trim().is_empty() {
            return Err("type a move first".to_owned());
        }
        let place = self.place_on_board();
        match AnyPosition::read_moves(&place.subject, text, false) {
            Ok((_, moves)) => self.make_moves(place, &moves),
            Err(here) => {
                let source = self.session.as_ref().filter(|_| self.in_explore());
                let searched = source.map(|s| s.reader().subject.clone());
                let root = Place {
                    node: searched.as_ref().map(|_| Tree::ROOT),
                    beyond: Vec::new(),
                    subject: searched.unwrap_or_else(|| self.subject.clone()),
                };
                let read = AnyPosition::read_moves(&root.subject, text, false);
                let (_, moves) = read.map_err(|_| here.to_string())?;
                self.make_moves(root, &moves);
            }
        }
        Ok(())
    }

    /// Whether [`Context::make_typed`] would make moves.
    pub(crate) fn can_make(&self, text: &str) -> bool {
        let read = |subject: &Subject| AnyPosition::read_moves(subject, text, false);
        let found = read(&self.place_on_board().subject).or_else(|_| read(&self.subject));
        found.is_ok_and(|(_, moves)| !moves.is_empty())
    }

    /// Says what is wrong with the moves typed so far, for the prompt; nothing while the last word is being typed.
    pub(crate) fn remark_on_moves(&self, text: &str) -> String {
        let place = self.place_on_board();
        let whole = match text.rsplit_once(' ') {
            Some((whole, _)) => whole,
            None => return String::new(),
        };
        match AnyPosition::read_moves(&place.subject, whole, false) {
            Ok(_) => String::new(),
            Err(what) => what.to_string(),
        }
    }

    /// Makes moves from a place: they are selected in the tree if they are there; otherwise the position after them is
    /// explored.
    fn make_moves(&mut self, place: Place, moves: &[MoveCode]) {
        let Place {
            node,
            beyond,
            subject,
        } = place;
        self.explore.board.picked = None;
        let (Some(mut node), Some(source)) = (node, &self.session) else {
            let line = line_from(&subject, moves);
            return self.explore_after(subject, moves, line);
        };
        let reader = source.reader();
        let mut rest = beyond;
        let mut key = None;
        for &code in moves {
            match reader.tree.child_by_move(node, code) {
                Some(child) if rest.is_empty() => {
                    key = Some(RowKey { parent: node, code });
                    node = child;
                }
                _ => rest.push(code),
            }
        }
        // A row lists a legal move that has no node, if its position is in the tree.
        let lists = node == Tree::ROOT || reader.tree.node(node).child_count() > 0;
        if rest.is_empty()
            && let Some(key) = key
        {
            self.select_made(key);
        } else if let [code] = rest[..]
            && lists
        {
            self.select_made(RowKey { parent: node, code });
            if self.shown_line().is_some() {
                let searches = key_of_command(self, "search-here");
                let what = format!(
                    "this move has no node here · {searches} searches the position after it"
                );
                self.say(Level::Info, what);
            }
        } else {
            let mut codes = reader.tree.moves_to(node);
            codes.extend(rest);
            let line = line_from(reader.subject, &codes);
            self.explore_after(subject, moves, line);
        }
    }

    /// Selects a row, also among closed and hidden ones, and shows the position after its move.
    fn select_made(&mut self, key: RowKey) {
        self.show_explore();
        self.explore.board_node = None;
        self.with_tree(|explorer, reader| explorer.reveal_row(reader, key));
        if self.explore.tree.selected_row().map(|row| row.key()) != Some(key) {
            // The filter hides it.
            self.explore.tree.set_filter(Filter::All);
            self.with_tree(|explorer, reader| explorer.reveal_row(reader, key));
        }
        self.explore.inspector_top = 0;
        self.show_line("", key.parent, vec![key.code], 1);
    }

    /// Explores the position after moves that are not in the tree; `line` is how the tree's position led there.
    fn explore_after(&mut self, from: Subject, moves: &[MoveCode], line: String) {
        if self.reading.is_open() {
            return self.say(Level::Info, "this move is not in the lesson's tree");
        }
        let mut subject = from;
        for &code in moves {
            if !subject.follow(code) {
                return;
            }
        }
        let before = self.detour.as_ref().map(|(_, name)| format!("{name} "));
        let name = before.unwrap_or_default() + &line;
        let back = key_of_command(self, "go-back");
        self.explore_from(subject, name);
        let what = format!("{line} is not in that tree: explored from here · {back} goes back");
        self.say(Level::Info, what);
    }

    /// Acts on a click on a square: the first picks a piece up, the second makes its move.
    pub(super) fn click_square(&mut self, square: Square) -> Handled {
        let scene = scene::of_explore(self);
        if !scene.plays {
            return Handled::No;
        }
        let from = scene.picked.as_ref().map(|(from, _)| *from);
        match from {
            Some(from) if from == square => self.explore.board.picked = None,
            Some(from) if self.move_piece(from, square) => {}
            _ => {
                self.explore.board.picked = Some(square);
                if scene::of_explore(self).picked.is_none() {
                    self.explore.board.picked = None;
                    if from.is_none() {
                        self.explore.focus = Pane::Board;
                    }
                }
            }
        }
        Handled::Yes
    }

    /// Moves the piece of a square to another; asks what a pawn becomes. Returns false if that is no legal move.
    pub(super) fn move_piece(&mut self, from: Square, to: Square) -> bool {
        let place = self.place_on_board();
        let Some(position) = place.subject.position.as_chess() else {
            return false;
        };
        let legal = position.chess().legal_moves();
        let fits = |m: &&shakmaty::Move| {
            let [start, end] = squares_of(**m);
            // Castling is the king's move, or that of the king to its rook.
            start == from && (end == to || m.is_castle() && m.to() == to)
        };
        let found: Vec<shakmaty::Move> = legal.iter().filter(fits).copied().collect();
        let codes: Vec<(Option<Piece>, MoveCode)> = found
            .iter()
            .map(|m| (m.promotion(), position.encode(*m)))
            .collect();
        match codes.as_slice() {
            [] => return false,
            [(_, code)] => {
                let code = *code;
                self.make_moves(place, &[code]);
            }
            several => {
                let items = several
                    .iter()
                    .map(|(piece, _)| Item::new(piece.map_or("", name_of), ""));
                let chooser = Chooser::new("the pawn becomes", items.collect(), 0);
                let codes: Vec<MoveCode> = several.iter().map(|(_, code)| *code).collect();
                self.explore.board.picked = None;
                self.choose(chooser, move |app, taken| {
                    let place = app.cx.place_on_board();
                    app.cx.make_moves(place, &[codes[taken]]);
                });
            }
        }
        true
    }

    /// Makes the move of a cell. Returns false if it has none.
    pub(super) fn click_cell(&mut self, cell: Cell) -> bool {
        let board = self.subject_on_board().position.board();
        let moves = board.map(|board| board.moves).unwrap_or_default();
        let found = moves.iter().find(|(_, at)| *at == cell);
        if let Some((code, _)) = found {
            let place = self.place_on_board();
            self.make_moves(place, &[*code]);
        }
        found.is_some()
    }
}

fn name_of(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}
