//! A chess tree as a game: the best line, with every other row as a variation.

use super::item::Item;
use crate::proof::{number_move, tags, wrapped};
use game::{ChessPosition, Game, notation};

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
