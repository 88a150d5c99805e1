//! A tree as a game: the best line, with every other row as a variation.

use super::item::Item;
use crate::proof::{number_move, tags, wrapped};
use game::{ChessPosition, Game, notation};
use games::GameTree;
use search::AnyPosition;

/// Returns the rows as PGN; each move has its figures and its fate as a comment. Moves that were not searched are left out.
/// The first comment says in which unit and from whose view the `values` are.
pub fn pgn(items: &[Item], position: &ChessPosition, annotator: &str, values: &str) -> String {
    let mut out = tags("plyscope tree", "*", annotator, position);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    for (i, item) in items.iter().enumerate() {
        if let Some(parent) = item.parent.filter(|_| item.node.is_some()) {
            children[parent].push(i);
        }
    }
    let mut writer = Writer {
        items,
        children: &children,
        words: vec![format!("{{ values: {values} }}")],
    };
    writer.below(0, position, true);
    writer.words.push("*".to_owned());
    out.push_str(&wrapped(&writer.words));
    out
}

/// Returns the rows as a game that begins in this position, with the figures and the fate of each move as a comment. Moves that were
/// not searched are left out.
pub fn recorded(items: &[Item], start: AnyPosition, annotator: &str, values: &str) -> GameTree {
    let mut game = GameTree::new(start.clone());
    let about = format!("{annotator}; values: {values}");
    game.nodes[0].comments.push(about);
    // The node of each row and the position there.
    let mut places: Vec<Option<(usize, AnyPosition)>> = Vec::new();
    for item in items {
        let parent = item.parent.and_then(|parent| places[parent].clone());
        let place = match (item.parent, parent) {
            (None, _) => Some((0, start.clone())),
            (Some(_), Some((node, mut at))) if item.node.is_some() => {
                let mut moves = at.legal_moves().into_iter();
                moves.find(|m| at.label(*m) == item.name).map(|m| {
                    let node = game.add(node, Some(m), item.name.clone());
                    let comment = format!("{} · {}", item.figures(), item.brief);
                    game.nodes[node].comments.push(comment);
                    at.play(m);
                    (node, at)
                })
            }
            _ => None,
        };
        places.push(place);
    }
    game
}

struct Writer<'a> {
    items: &'a [Item],
    children: &'a [Vec<usize>],
    words: Vec<String>,
}

impl Writer<'_> {
    /// Writes what follows a row: its best move, the others as variations, then what follows the best move.
    fn below(&mut self, at: usize, position: &ChessPosition, numbered: bool) {
        let mut moves = self.children[at].iter().copied();
        let Some(main) = moves.next() else { return };
        let Some(next) = self.write(main, position, numbered) else {
            return;
        };
        for other in moves {
            self.words.push("(".to_owned());
            if let Some(next) = self.write(other, position, true) {
                self.below(other, &next, true);
            }
            self.words.push(")".to_owned());
        }
        // After a comment or a variation Black's move is numbered, too.
        self.below(main, &next, true);
    }

    /// Writes a move with its comment, and returns the position after it.
    fn write(
        &mut self,
        at: usize,
        position: &ChessPosition,
        numbered: bool,
    ) -> Option<ChessPosition> {
        let item = &self.items[at];
        let m = notation::parse_move(position, &item.name)?;
        number_move(&mut self.words, position, numbered);
        self.words.push(item.name.clone());
        let comment = format!("{{ {} · {} }}", item.figures(), item.brief);
        let words = comment.split(' ').filter(|word| !word.is_empty());
        self.words.extend(words.map(|word| match word {
            "{" | "}" => word.to_owned(),
            // A comment can't hold braces.
            word => word.replace(['{', '}'], ""),
        }));
        let mut next = position.clone();
        next.play(m);
        Some(next)
    }
}
