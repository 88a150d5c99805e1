//! A proof as PGN: the line that would be played, with every other reply as a variation.

use std::fmt::Write as _;

use super::number;
use game::{ChessKnowledge as _, ChessPosition, Game, Side, Situation};
use session::{Claim, ProofSize, Reader};
use tree::{Fate, NodeId, Proof, Tree};

/// The maximum line width in columns.
const WIDTH: usize = 80;

/// Returns the proof of a node's result as a game, with at most `max_moves` moves besides the main line; `None` if the
/// tree contains no proof (see [`Reader::claim`]).
pub fn pgn(
    reader: &Reader,
    from: NodeId,
    situation: &Situation<ChessPosition>,
    max_moves: usize,
) -> Option<String> {
    let (claim, size) = (reader.claim(from)?, reader.proof_size(from, usize::MAX)?);
    let position = &situation.position;
    let proof = reader.tree.node(from).proof();
    let white = position.turn() == Side::White;
    let result = match (proof.is_win(), proof.is_loss()) {
        (false, false) => "1/2-1/2",
        (win, _) if win == white => "1-0",
        _ => "0-1",
    };
    let name = reader.searcher.name();
    let mut out = tags("plyscope proof", result, name, position);
    let mut writer = Writer {
        reader,
        words: vec![format!("{{ {} }}", verdict(proof, size, white))],
        left: max_moves,
    };
    writer.line(from, claim, position, true);
    writer.words.push(result.to_owned());
    out.push_str(&wrapped(&writer.words));
    Some(out)
}

/// Returns the tags of a game that a search wrote, and the empty line behind them.
pub fn tags(event: &str, result: &str, search: &str, position: &ChessPosition) -> String {
    tag_pairs(&[
        ("Event", event),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", result),
        ("Annotator", &format!("plyscope {search}")),
        ("SetUp", "1"),
        ("FEN", &position.fen()),
    ])
}

/// Returns the tags of a game, and the empty line behind them.
pub fn tag_pairs(pairs: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (tag, value) in pairs {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "[{tag} \"{value}\"]");
    }
    out.push('\n');
    out
}

/// Adds the number of the next move: White's always, Black's where something stands between it and the move before.
pub fn number_move(words: &mut Vec<String>, position: &ChessPosition, numbered: bool) {
    let number = position.move_number().unwrap_or(1);
    match position.turn() {
        Side::White => words.push(format!("{number}.")),
        Side::Black if numbered => words.push(format!("{number}...")),
        Side::Black => {}
    }
}

/// Returns what is proven, as a sentence.
fn verdict(proof: Proof, size: ProofSize, white: bool) -> String {
    let [mover, other] = if white {
        ["White", "Black"]
    } else {
        ["Black", "White"]
    };
    let mates = |who: &str, plies: Option<i16>| {
        let Some(plies) = plies else {
            return format!("{who} wins, by the endgame tables");
        };
        let moves = plies.unsigned_abs().div_ceil(2);
        let at_most = if proof.is_exact() { "" } else { "at most " };
        format!("{who} mates in {at_most}{moves}")
    };
    let what = if proof.is_win() {
        mates(mover, proof.lower.mate_plies())
    } else if proof.is_loss() {
        mates(other, proof.upper.mate_plies())
    } else {
        "a draw".to_owned()
    };
    let condition = if size.path_dependent {
        ", by repetitions or the fifty-move rule on this path"
    } else {
        ""
    };
    let nodes = number::count(size.nodes as u64);
    let plies = size.plies;
    format!("{what}, proven{condition}: {nodes} nodes, {plies} plies deep")
}

struct Writer<'a, 'r> {
    reader: &'a Reader<'r>,
    words: Vec<String>,
    /// The number of variation moves that may still be written.
    left: usize,
}

impl Writer<'_, '_> {
    /// Writes the moves from a node on. With `numbered`, the first move is numbered even if it is Black's.
    fn line(&mut self, id: NodeId, claim: Claim, position: &ChessPosition, numbered: bool) {
        let (mut id, mut claim, mut numbered) = (id, claim, numbered);
        let mut position = position.clone();
        loop {
            let mut shown = self.reader.proving(id, claim).into_iter();
            let Some((main, next_claim)) = shown.next() else {
                self.words.extend(self.table(id, &position));
                return;
            };
            let Some(next) = self.write(main, &position, numbered) else {
                return;
            };
            numbered = false;
            let mut left_out = 0;
            for (child, claim) in shown {
                if self.left == 0 {
                    left_out += 1;
                    continue;
                }
                self.left -= 1;
                self.words.push("(".into());
                if let Some(after) = self.write(child, &position, true) {
                    self.line(child, claim, &after, false);
                }
                self.words.push(")".into());
                numbered = true;
            }
            if left_out > 0 {
                self.words.push(format!("{{ {left_out} more }}"));
                numbered = true;
            }
            (id, claim, position) = (main, next_claim, next);
        }
    }

    /// Returns what shows the result if no moves do: the endgame table in which it was found, or what a known draw rests
    /// on.
    fn table(&self, id: NodeId, position: &ChessPosition) -> Option<String> {
        let hit = match self.reader.tree.node(id).fate() {
            Fate::Tablebase(hit) => hit,
            Fate::KnownDraw { draw } => {
                return Some(format!("{{ a known draw: {} }}", draw.words()));
            }
            _ => return None,
        };
        let name = position.table_name()?;
        let side = position.side_name(position.turn());
        Some(format!("{{ {name}: {} for {side} }}", hit.result.words()))
    }

    /// Writes one move and returns the position after it.
    fn write(
        &mut self,
        child: NodeId,
        position: &ChessPosition,
        numbered: bool,
    ) -> Option<ChessPosition> {
        debug_assert_ne!(child, Tree::ROOT);
        let m = position.decode(self.reader.tree.node(child).move_code())?;
        number_move(&mut self.words, position, numbered);
        self.words.push(position.label(m));
        let mut next = position.clone();
        next.play(m);
        Some(next)
    }
}

/// Wraps the text to lines of at most [`WIDTH`] columns; brackets stay with what they enclose.
pub fn wrapped(words: &[String]) -> String {
    let mut out = String::new();
    let mut column = 0;
    let mut glued = true;
    for word in words.iter().flat_map(|w| w.split(' ')) {
        let length = word.chars().count();
        if !(glued || word == ")") {
            if column + 1 + length > WIDTH {
                out.push('\n');
                column = 0;
            } else {
                out.push(' ');
                column += 1;
            }
        }
        out.push_str(word);
        column += length;
        glued = word == "(";
    }
    out.push('\n');
    out
}
