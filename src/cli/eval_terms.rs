//! `plyscope eval --terms`: what each term of the evaluation contributes.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use eval::terms::{Danger, Term};
use eval::{Breakdown, TermLine};

/// The hand-written evaluation term by term, in centipawns from White's view.
#[derive(Serialize, JsonSchema)]
pub(super) struct TermsJson {
    /// The value; `score` gives it from the side to move's view.
    white: i32,
    /// 24 with all pieces on the board, 0 without any.
    #[schemars(range(min = 0, max = 24))]
    phase: i32,
    /// The factor of the endgame sum.
    #[schemars(range(min = 0))]
    endgame_scale: f32,
    /// Every term.
    terms: Vec<TermJson>,
    /// What presses on the kings.
    king_danger: Vec<DangerJson>,
}

/// One term.
#[derive(Serialize, JsonSchema)]
struct TermJson {
    /// Its name.
    name: &'static str,
    /// What it is about, in a few words.
    about: &'static str,
    /// Its part of the middlegame sum.
    middlegame: i32,
    /// Its part of the endgame sum.
    endgame: i32,
    /// What it contributes to the value.
    tapered: i32,
    /// White's and Black's counts, one for each row of the term; not for material and piece squares.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<[Vec<i32>; 2]>,
}

/// One part of the pressure on a king.
#[derive(Serialize, JsonSchema)]
struct DangerJson {
    /// Its name.
    name: &'static str,
    /// What it is about, in a few words.
    about: &'static str,
    /// White's count, against Black's king, then Black's.
    counts: [i32; 2],
}

pub(super) fn as_json(breakdown: &Breakdown) -> TermsJson {
    let [white, black] = &breakdown.counts;
    let counted = |line: &TermLine| {
        let term = Term::ALL.iter().find(|t| t.name() == line.name)?;
        Some([white.term(*term).to_vec(), black.term(*term).to_vec()])
    };
    TermsJson {
        white: breakdown.value(),
        phase: breakdown.phase(),
        endgame_scale: breakdown.scale().1 as f32 / 64.0,
        terms: breakdown
            .lines()
            .iter()
            .map(|line| TermJson {
                name: line.name,
                about: line.about,
                middlegame: line.middlegame,
                endgame: line.endgame,
                tapered: line.tapered,
                counts: counted(line),
            })
            .collect(),
        king_danger: Danger::ALL
            .iter()
            .map(|&danger| DangerJson {
                name: danger.name(),
                about: danger.about(),
                counts: [white, black].map(|counts| counts.dangers()[danger as usize]),
            })
            .collect(),
    }
}

/// Writes a table: the terms that occur on the board, then their sum.
pub(super) fn as_text(breakdown: &Breakdown) -> String {
    let mut out = String::from("  White's view       middlegame  endgame  tapered\n");
    let lines = breakdown.lines();
    for line in lines.iter().filter(|l| l.present.0 || l.present.1) {
        let _ = writeln!(
            out,
            "  {:<20} {:>+8} {:>+8} {:>+8}  {}",
            line.name, line.middlegame, line.endgame, line.tapered, line.about
        );
    }
    let sum = |of: fn(&TermLine) -> i32| lines.iter().map(of).sum::<i32>();
    let (phase, (_, scale)) = (breakdown.phase(), breakdown.scale());
    let _ = write!(
        out,
        "  {:<20} {:>+8} {:>+8} {:>+8}  middlegame {phase}/24, endgame {}/24 × {:.2}",
        "value",
        sum(|l| l.middlegame),
        sum(|l| l.endgame),
        breakdown.value(),
        24 - phase,
        scale as f32 / 64.0,
    );
    out
}
