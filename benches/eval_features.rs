//! Writes the counts of the evaluation on labelled positions, for `fit_eval.py`.
//!
//! ```text
//! zstd -dc TRAINING | cargo run --release --features examples --example eval_features -- train
//! ```
//!
//! Input: tab-separated lines of FEN, `cp` or `mate`, value (side to move), ..., with the kind in the eighth field.
//! Each position is replaced by the quiet one at the end of its quiescence search; those that end in mate are left out.
//! Output, little-endian, White's view: `PREFIX.head` (f32, one row per position, see [`Row`]), `PREFIX.start` (u32:
//! where a row's counts begin), `PREFIX.index` (u16) and `PREFIX.count` (i16): the non-zero counts, squares first
//! (role, square), then the rows of the terms. `PREFIX.json` names them.

#[path = "../tests/eval_support/mod.rs"]
mod eval_support;

use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};

use eval::terms::{Danger, Term};
use eval::{Breakdown, Evaluator, HandCrafted};
use eval_support::quiescence;
use game::{ChessKnowledge as _, ChessPosition, Scale, Score};
use shakmaty::{CastlingMode, Color, Position, Role, Square, fen::Fen};

/// What is kept of a position in addition to its counts.
struct Row {
    /// The expected score of the verdict.
    verdict: f32,
    /// The quiet position's value under the current evaluation, in centipawns.
    value: f32,
    /// The share of the middlegame in 24ths.
    phase: f32,
    /// The rows of the endgame scale if White is ahead and if Black is.
    scales: [f32; 2],
    /// 1 if the labelled position comes from a game.
    from_game: f32,
    /// 1 if the labelled position is in check.
    check: f32,
    /// Phase and advanced pawns of the labelled position, for the width of its belief.
    own: [f32; 2],
    dangers: [[i32; Danger::COUNT]; 2],
}

impl Row {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [white, black] = self.scales;
        let head = [
            self.verdict,
            self.value,
            self.phase,
            white,
            black,
            self.from_game,
            self.check,
            self.own[0],
            self.own[1],
        ];
        let dangers = self.dangers.iter().flatten().map(|&n| n as f32);
        for x in head.into_iter().chain(dangers) {
            out.write_all(&x.to_le_bytes())?;
        }
        Ok(())
    }
}

fn parse(line: &str) -> Option<(ChessPosition, f32, bool)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let fen: Fen = fields.first()?.parse().ok()?;
    let chess = fen.into_position(CastlingMode::Standard).ok()?;
    let value: i32 = fields.get(2)?.parse().ok()?;
    let verdict = if *fields.get(1)? == "mate" {
        value.signum() as f32
    } else {
        Scale::Logistic.expected(Score::new(value))
    };
    let position = ChessPosition::new(chess, CastlingMode::Standard);
    Some((position, verdict, *fields.get(7)? == "g"))
}

/// 1 if White moves, otherwise -1.
fn whites(position: &ChessPosition) -> f32 {
    position.chess().turn().fold_wb(1.0, -1.0)
}

/// Returns the non-zero counts, squares first.
fn counts(breakdown: &Breakdown) -> Vec<(u16, i16)> {
    let squares = Role::ALL
        .into_iter()
        .flat_map(|role| Square::ALL.map(|square| breakdown.on_square(role, square)));
    let [white, black] = &breakdown.counts;
    let terms = Term::ALL.iter().flat_map(|&term| {
        let pairs = white.term(term).iter().zip(black.term(term));
        pairs.map(|(w, b)| w - b).collect::<Vec<i32>>()
    });
    squares
        .chain(terms)
        .zip(0u16..)
        .filter(|&(n, _)| n != 0)
        .map(|(n, i)| (i, n as i16))
        .collect()
}

fn names(breakdown: &Breakdown) -> String {
    let terms: Vec<String> = Term::ALL
        .iter()
        .map(|&t| format!("[\"{}\", {}]", t.name(), breakdown.counts[0].term(t).len()))
        .collect();
    let dangers: Vec<String> = Danger::ALL
        .iter()
        .map(|d| format!("\"{}\"", d.name()))
        .collect();
    format!(
        "{{\"terms\": [{}], \"dangers\": [{}]}}\n",
        terms.join(", "),
        dangers.join(", ")
    )
}

fn main() -> io::Result<()> {
    let prefix = std::env::args().nth(1).ok_or_else(|| {
        io::Error::other("expected a prefix for the files to write, as in: eval_features train")
    })?;
    let create =
        |suffix| Ok::<_, io::Error>(BufWriter::new(File::create(format!("{prefix}.{suffix}"))?));
    let (mut head, mut start) = (create("head")?, create("start")?);
    let (mut index, mut count) = (create("index")?, create("count")?);
    let eval = HandCrafted::default();
    let mut at = 0u32;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some((position, verdict, from_game)) = parse(&line) else {
            return Err(io::Error::other(format!("not a labelled position: {line}")));
        };
        let state = eval.start(&position);
        let quiet = quiescence(&eval, &position, state, Score::MIN, Score::MAX, 20);
        if quiet.score.is_decided() {
            continue;
        }
        let labelled = Breakdown::new(&position);
        let breakdown = Breakdown::new(&quiet.position);
        let row = Row {
            verdict: verdict * whites(&position),
            value: f32::from(quiet.score.raw()) * whites(&position),
            phase: breakdown.phase() as f32,
            scales: Color::ALL.map(|c| breakdown.scale_for(c).0.index() as f32),
            from_game: f32::from(from_game),
            check: f32::from(position.is_check()),
            own: [labelled.phase() as f32, labelled.advanced_pawns() as f32],
            dangers: [0, 1].map(|side| *breakdown.counts[side].dangers()),
        };
        row.write(&mut head)?;
        start.write_all(&at.to_le_bytes())?;
        for (i, n) in counts(&breakdown) {
            index.write_all(&i.to_le_bytes())?;
            count.write_all(&n.to_le_bytes())?;
            at += 1;
        }
    }
    start.write_all(&at.to_le_bytes())?;
    let empty = Breakdown::new(&ChessPosition::default());
    create("json")?.write_all(names(&empty).as_bytes())?;
    [&mut head, &mut start, &mut index, &mut count]
        .into_iter()
        .try_for_each(Write::flush)
}
