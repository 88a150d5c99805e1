//! Sentences about positions, nodes and searches: plain text, each complete in itself, in the order in which one wants to hear it.

use std::collections::BTreeMap;

use crate::describe::{self, NewsReport, Spot};
use crate::search::{Reason, Search, Stop};
use ::search::StopReason;
use ::text::thousands;
use ::tree::{Fate, NodeId, Tree};
use game::{Board, Game as _, Side};
use report::answer as answers;
use report::lens::{Lens, Unit, Viewpoint};
use report::number;
use report::text;
use report::why;
use session::debug::News;
use session::{MoveName, NodeBelief, NodeValue, Reader, Row, Session, Subject};

/// What values are written in, and from whose view.
const LENS: Lens = Lens {
    unit: Unit::Pawns,
    viewpoint: Viewpoint::White,
};

/// The moves of a line that are said.
const LINE: usize = 12;

/// Makes a sentence of a message: a capital letter, unless it begins with a name or a move, and a full stop.
pub fn sentence(message: impl Into<String>) -> String {
    let mut text: String = message.into();
    let is_word = |word: &str| word.chars().all(|c| c.is_ascii_lowercase());
    if text.split(' ').next().is_some_and(is_word)
        && let Some(first) = text.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    ended(text)
}

/// Puts a full stop where a text has none.
fn ended(mut text: String) -> String {
    if !text.ends_with(['.', '?', '!', ':']) {
        text.push('.');
    }
    text
}

/// Returns a text as a voice reads it: signs as words, and no character outside ASCII. A proven win is a mate in chess.
pub fn spoken(text: &str, is_chess: bool) -> String {
    let (win, loss) = match is_chess {
        true => ("mate in ", "mated in "),
        false => ("win in ", "loss in "),
    };
    let mut out = String::with_capacity(text.len());
    let mut left = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = left.next() {
        let next = left.peek().copied();
        let is_in_number = before.is_ascii_digit() && next.is_some_and(|c| c.is_ascii_digit());
        match c {
            '−' if next == Some('#') => {
                left.next();
                out.push_str(loss);
            }
            '#' if next.is_some_and(|c| c.is_ascii_digit()) => out.push_str(win),
            'e' if before.is_ascii_digit() && next == Some('−') => {
                left.next();
                out.push_str(" times ten to the minus ");
            }
            '−' if next.is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | '∞')) => {
                out.push_str("minus ");
            }
            '±' => {
                left.next_if_eq(&' ');
                out.push_str("plus or minus ");
            }
            '≤' => out.push_str("at most"),
            '≥' => out.push_str("at least"),
            '+' if next == Some('∞') => out.push_str("plus "),
            '∞' => out.push_str("infinity"),
            '×' if is_in_number => out.push_str(" by "),
            '×' | '·' => out.push_str("times"),
            '…' => out.push_str("and so on"),
            other => out.push_str(&number::ascii(other.encode_utf8(&mut [0; 4]))),
        }
        before = c;
    }
    out
}

/// What was opened, and who is to move.
pub fn position(search: &Search) -> Vec<String> {
    let mut said: Vec<String> = search.title.iter().map(sentence).collect();
    said.push(to_move(&search.subject));
    if search.recorded.is_some() {
        said.push("It has the search of another program, which search reads.".to_owned());
    }
    said
}

fn to_move(at: &Subject) -> String {
    let position = &at.position;
    let side = position.side_name(position.turn());
    match position.legal_moves().len() {
        0 if !position.has_rules() => format!("{side} to move."),
        0 => "The game is over.".to_owned(),
        1 => format!("{side} to move, 1 legal move."),
        n => format!("{side} to move, {n} legal moves."),
    }
}

/// What is on the board, a sentence a side, and who is to move.
pub fn board(at: &Subject) -> Vec<String> {
    let position = &at.position;
    let mut said = match position.board() {
        Some(board) => [Side::White, Side::Black]
            .map(|side| format!("{}: {}.", position.side_name(side), pieces(&board, side)))
            .to_vec(),
        None => vec!["This game has no board.".to_owned()],
    };
    said.push(to_move(at));
    said
}

/// The pieces of a side with their squares: `king e1, rooks a1 h1`.
fn pieces(board: &Board, side: Side) -> String {
    let mut found: BTreeMap<(usize, &str), Vec<String>> = BTreeMap::new();
    let height = board.cells.len();
    for (y, row) in board.cells.iter().enumerate().rev() {
        for (x, piece) in row.iter().enumerate() {
            let Some(piece) = piece.filter(|piece| piece.side == side) else {
                continue;
            };
            let column = board.columns.get(x).cloned();
            let row = board.rows.get(y).cloned();
            let square = match (column, row) {
                (Some(column), Some(row)) => column + &row,
                (column, row) => format!(
                    "column {} row {}",
                    column.unwrap_or_else(|| (x + 1).to_string()),
                    row.unwrap_or_else(|| (height - y).to_string())
                ),
            };
            found.entry(name(piece.sign)).or_default().push(square);
        }
    }
    if found.is_empty() {
        return "nothing".to_owned();
    }
    let kind = |((_, name), squares): (&(usize, &str), &Vec<String>)| {
        let many = if squares.len() > 1 && !name.is_empty() {
            "s"
        } else {
            ""
        };
        let between = if squares[0].contains(' ') { ", " } else { " " };
        format!("{name}{many} {}", squares.join(between))
            .trim()
            .to_owned()
    };
    found.iter().map(kind).collect::<Vec<_>>().join(", ")
}

/// The name of a chess piece by its sign, with its place among the others; nothing for stones.
fn name(sign: char) -> (usize, &'static str) {
    const NAMES: [(&str, [char; 2]); 6] = [
        ("king", ['♔', '♚']),
        ("queen", ['♕', '♛']),
        ("rook", ['♖', '♜']),
        ("bishop", ['♗', '♝']),
        ("knight", ['♘', '♞']),
        ("pawn", ['♙', '♟']),
    ];
    let place = NAMES.iter().position(|(_, signs)| signs.contains(&sign));
    place.map_or((NAMES.len(), ""), |i| (i, NAMES[i].0))
}

/// How far a search is, and what it would play.
pub fn result(session: &Session) -> Vec<String> {
    let (summary, reader) = (session.summary(), session.reader());
    let status = &summary.status;
    let mut first = format!(
        "{} by {}",
        counted(status.totals.nodes, "node"),
        session.config().name(),
    );
    if status.totals.depth > 0 {
        first.push_str(&format!(", to depth {}", status.totals.depth));
    }
    if let Some(reason) = summary.stopped_by() {
        first.push_str(&match &summary.decision {
            Some(why) => format!(", ended early: {why}"),
            None => format!(", {}", ended_by(reason)),
        });
    }
    let mut said = vec![first + "."];
    match &summary.best {
        Some(best) => {
            let scores = LENS.at(&reader, Tree::ROOT);
            let value = text::best_value(&summary, &scores);
            let spread = match summary.backed_up {
                Some(_) => String::new(),
                None => scores.spread_of(summary.belief.as_ref()),
            };
            let words = LENS.words_at(&reader);
            said.push(format!(
                "It would play {}: {value}{spread} ({words}).",
                best.san
            ));
            said.extend(line_of(&summary.pv));
        }
        None => match summary.fate {
            Fate::Ended(ending) => said.push(sentence(format!(
                "The game is over: {}",
                why::ended_at_root(&reader, ending)
            ))),
            _ => said.push("No move is found yet.".to_owned()),
        },
    }
    said
}

/// `1 node`, `12,345 nodes`.
fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(n), if n == 1 { "" } else { "s" })
}

fn ended_by(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Nodes => "ended by its limit of nodes",
        StopReason::Time => "ended by its limit of time",
        StopReason::Depth => "ended by its limit of depth",
        StopReason::Memory => "ended because memory is full",
        StopReason::Solved => "ended because it is solved",
        StopReason::User => "stopped",
        StopReason::Playouts => "ended by its limit of playouts",
        StopReason::Decided => "ended early",
        StopReason::Fault => "broken off by a fault of plyscope's",
        StopReason::Exhausted => "ended because nothing is left to search",
        StopReason::Settled => "ended because it is settled",
        StopReason::Told => "read to its end",
    }
}

fn line_of(moves: &[MoveName]) -> Option<String> {
    (!moves.is_empty()).then(|| format!("Line: {}.", text::line(moves, LINE)))
}

/// The best line from a node.
pub fn line(session: &Session, at: NodeId) -> Vec<String> {
    let said = line_of(&session.reader().best_names(at));
    vec![said.unwrap_or_else(|| "No line is known from here.".to_owned())]
}

/// The moves at a node, best first, a sentence each.
pub fn moves(session: &Session, at: NodeId, most: usize) -> Vec<String> {
    let reader = session.reader();
    let rows = reader.rows_best_first(at);
    if rows.is_empty() {
        return vec!["There is no move here.".to_owned()];
    }
    let work: u64 = rows.iter().map(|row| reader.work(&row.view)).sum();
    let shown = rows.iter().take(most).enumerate();
    let mut said: Vec<String> = shown
        .map(|(i, row)| format!("{}: {}", i + 1, of_row(&reader, row, work)))
        .collect();
    match rows.len().saturating_sub(most) {
        0 => {}
        1 => said.push("1 more move; moves all says it.".to_owned()),
        left => said.push(format!("{left} more moves; moves all says them.")),
    }
    said
}

/// One move: its value, its part of the work, and what became of it.
fn of_row(reader: &Reader, row: &Row, work: u64) -> String {
    let seen = LENS.row(reader, &row.view, row.belief.as_ref());
    let mut parts = vec![row.label.clone()];
    if row.view.expected.is_some() || row.view.score.is_some() {
        parts.push(seen.value() + &seen.spread());
    }
    let own = reader.work(&row.view);
    if work > 0 && own > 0 {
        let what = if reader.is_best_first() {
            "visits"
        } else {
            "nodes"
        };
        let share = number::percent(own as f32 / work as f32);
        parts.push(format!("{share} of the {what}"));
    }
    // That it has moves of its own is no news.
    let brief = seen.brief();
    if !brief.is_empty() && !matches!(row.view.fate, Fate::Expanded { .. }) {
        parts.push(brief);
    }
    parts.join(", ") + "."
}

/// Why there is nothing below a move.
pub fn no_node(session: &Session, row: &Row) -> String {
    format!(
        "{} has no node. {}",
        row.label,
        LENS.why(&session.reader(), row)
    )
}

/// A node: where it is, its value, and the reason for it.
pub fn node(session: &Session, at: NodeId) -> Vec<String> {
    let reader = session.reader();
    let way = reader.names(Tree::ROOT, &reader.tree.moves_to(at));
    let mut said = vec![match way.is_empty() {
        true => "The root.".to_owned(),
        false => format!("After {}.", text::line(&way, usize::MAX)),
    }];
    let view = reader.view(at);
    let mut figures = Vec::new();
    if let Some(value) = value(&reader, at) {
        figures.push(format!("Value {value} ({})", LENS.words_at(&reader)));
    }
    figures.push(counted(view.nodes, "node"));
    if reader.is_best_first() {
        figures.push(counted(view.visits.into(), "visit"));
    }
    said.push(figures.join(", ") + ".");
    said.push(LENS.why_node(&reader, at));
    if let Some(next) = reader.situation(at) {
        said.push(to_move(&next));
    }
    said
}

/// The value of a node with the spread of its belief, if it has one.
fn value(reader: &Reader, at: NodeId) -> Option<String> {
    let (scores, view) = (LENS.at(reader, at), reader.view(at));
    let belief: Option<NodeBelief> = reader.belief(at);
    let value = NodeValue::of(&view, reader.scale());
    let belief = belief.as_ref().filter(|b| b.is_distribution());
    let text = scores.value(&value, belief);
    (!text.is_empty()).then(|| text + &scores.spread_of(belief))
}

/// How the search comes to the value of a node: its reason, then what its algorithm has to say.
pub fn explanation(session: &Session, at: NodeId) -> Vec<String> {
    let Some(found) = describe::explain(session, Spot::Node(at), LENS) else {
        return Vec::new();
    };
    let mut said = vec![found.why];
    said.extend(found.sentences.into_iter().map(ended));
    let facts = found.facts.into_iter();
    said.extend(facts.map(|fact| format!("{}: {}.", fact.name, fact.value.text)));
    for block in found.blocks {
        let formula = block
            .formula
            .map_or_else(String::new, |text| format!(": {text}"));
        said.push(format!("{}{formula}.", block.title));
        for row in block.rows {
            let cells = block.columns.iter().zip(&row.cells);
            let cells = cells.filter(|(_, cell)| !cell.text.is_empty());
            let cells: Vec<String> = cells
                .map(|(column, cell)| format!("{column} {}", cell.text))
                .collect();
            said.push(format!("{}: {}.", row.name, cells.join(", ")));
        }
        said.extend(block.notes.into_iter().map(ended));
    }
    said
}

/// Why a move was chosen, or not, and what became of it.
pub fn answer(session: &Session, at: NodeId, row: &Row) -> Vec<String> {
    let reader = session.reader();
    let scores = LENS.of_moves(&reader, at);
    let value = |view: &::tree::NodeView| scores.value(&NodeValue::of(view, reader.scale()), None);
    let Some(found) = reader.answer(at, row.move_code) else {
        return vec![LENS.why(&reader, row)];
    };
    let mut said = vec![answers::verdict(&reader, &found, &value)];
    said.push(LENS.why(&reader, row));
    said.extend(answers::effort(&reader, &found));
    said.extend(answers::assumption(&found).map(str::to_owned));
    said
}

/// Where a search has stopped.
pub fn stop(search: &Search, stop: &Stop, news: Vec<News>) -> Vec<String> {
    let mut said: Vec<String> = news
        .into_iter()
        .filter(|news| !matches!(news, News::TreeReplaced))
        .map(|news| sentence(NewsReport::from(news).text))
        .collect();
    let Some(session) = search.session() else {
        return said;
    };
    match (stop.reason, &stop.standing) {
        (Reason::Ended, None) => said.extend(result(session)),
        (_, None) if session.status().totals.nodes == 0 => {
            said.push("Before the first event.".to_owned());
        }
        (Reason::Pause, _) => {
            said.push("Stopped.".to_owned());
            said.extend(result(session));
        }
        (reason, standing) => {
            let why = match reason {
                Reason::Breakpoint(number) => format!("Breakpoint {number}, event"),
                _ => "Event".to_owned(),
            };
            said.push(match standing {
                Some(at) => {
                    let told = LENS.event(&session.reader(), &at.event);
                    format!("{why} {}: {told}", at.number)
                }
                None => format!("{why} {}.", stop.at),
            });
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn signs_are_spoken() {
        for (text, chess, other) in [
            (
                "#2 or −#3",
                "mate in 2 or mated in 3",
                "win in 2 or loss in 3",
            ),
            ("9×9, 3 × 3", "9 by 9, 3 times 3", "9 by 9, 3 times 3"),
            (
                "9.9e−5",
                "9.9 times ten to the minus 5",
                "9.9 times ten to the minus 5",
            ),
            (
                "−0.5 ± ∞",
                "minus 0.5 plus or minus infinity",
                "minus 0.5 plus or minus infinity",
            ),
        ] {
            assert_eq!(spoken(text, true), chess);
            assert_eq!(spoken(text, false), other);
        }
    }
}
