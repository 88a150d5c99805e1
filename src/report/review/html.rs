//! The review of games as one page that needs neither scripts nor a network.

use std::fmt::Write as _;

use super::{GameReview, chart, disagreement, mark, text};
use crate::compare::budget;
use crate::html::{self, escaped};
use crate::number;
use crate::sheet::letter;
use ::chart::plot::colour;
use game::load::pgn::annotation::Evaluation;
use game::{Scale, Score};
use games::GameTree;
use studies::review::{ACCURACY, Found, Mark, MarkKind, Measure, PHASES, Part, Wanted};
use tree::Bound;

/// The number of disagreements listed for each game.
const LISTED: usize = 5;

/// Returns the beginning of the page.
pub fn head(title: &str) -> String {
    html::head(title, STYLE)
}

const STYLE: &str = "\
body { font: 15px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; color: #222; background: #fff; }
details { border-top: 1px solid #ccc; padding: .4rem 0; }
summary { cursor: pointer; font-weight: 600; }
svg { width: 100%; height: auto; fill: #222; }
table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .1rem .6rem; text-align: right; }
th { border-bottom: 1px solid #ccc; font-weight: 600; }
td.move, td.name, th.name { text-align: left; white-space: nowrap; }
tr.better td { text-align: left; padding-bottom: .4rem; color: #444; }
.inaccuracy { color: #805500; } .mistake { color: #b04a00; } .blunder { color: #b00020; font-weight: 600; }
.problem { color: #b00020; } .note { color: #555; font-size: .9em; }
";

/// Returns the end of the page, which explains its figures: those of games with these measures.
pub fn foot(measures: &[Measure]) -> String {
    let least: Vec<String> = MarkKind::ALL
        .iter()
        .map(|kind| format!("{} {} from {:.1}", kind.sign(), kind.name(), kind.least()))
        .collect();
    let values = measures.iter().map(|measure| match measure {
        Measure::Lichess => format!(
            "Values are pawns from White's view; the chart shows the expected score e = tanh(cp / 360). Losses are of {}; {PHASES}. ",
            measure.words(),
        ),
        Measure::Expected => {
            "Values and losses are of the expected score from -1 to 1, from the view of the side that the chart names. ".to_owned()
        }
    });
    let values: String = values.collect();
    let words = format!("{values}Marks: {}. Accuracy: {ACCURACY}.", least.join(", "));
    format!("<p class=\"note\">{}</p>\n{}", escaped(&words), html::FOOT)
}

/// Returns one game; an `open` one shows its moves at once.
pub fn game(game: &GameReview, open: bool) -> String {
    let open = if open { " open" } else { "" };
    let title = escaped(game.title);
    let mut out = format!(
        "<details{open}>\n<summary>{}. {title}</summary>\n",
        game.number
    );
    let opening = game.tree.and_then(GameTree::opening);
    let opening = opening.map_or_else(String::new, |o| format!("{o} · "));
    let place = match game.line {
        Some(line) => format!("{}, line {line}", game.file),
        None => game.file.to_owned(),
    };
    let _ = writeln!(
        out,
        "<p class=\"note\">{}{} · {} each · seed {}</p>",
        escaped(&opening),
        escaped(&place),
        escaped(&budget(game.review.budget())),
        game.seed
    );
    for problem in game.warnings.iter().chain(game.problems) {
        let _ = writeln!(out, "<p class=\"problem\">{}</p>", escaped(problem));
    }
    if game.review.len() > 1 {
        out.push_str(&chart::svg(game.review, game.judge, game.names));
        summary(&mut out, game);
        disagreements(&mut out, game);
        moves(&mut out, game);
    } else if game.tree.is_some() {
        out.push_str("<p>No moves.</p>\n");
    }
    out.push_str("</details>\n");
    out
}

fn name(column: usize, name: &str) -> String {
    format!(
        "<span style=\"color:{}\">{}</span> {}",
        colour(column),
        letter(column),
        escaped(name)
    )
}

fn summary(out: &mut String, game: &GameReview) {
    let signs: String = MarkKind::ALL
        .iter()
        .map(|kind| format!("<th>{}</th>", kind.sign()))
        .collect();
    out.push_str("<table>\n<tr><th class=\"name\"></th>");
    for side in game.review.side_names() {
        let _ = write!(out, "<th>{side} loses</th><th>accuracy</th>{signs}");
    }
    out.push_str("</tr>\n");
    for (column, column_name) in game.names.iter().enumerate() {
        let summary = game.review.summary(column);
        summary_row(out, &name(column, column_name), summary.whole);
        let phases: Vec<_> = summary.played().collect();
        for phase in phases.iter().filter(|_| phases.len() > 1) {
            let sides = summary.phases.map(|side| side[*phase as usize]);
            summary_row(out, &format!("&emsp;{}", phase.name()), sides);
        }
        if let Some(trouble) = game.review.trouble(column) {
            let what = escaped(&::text::sanitise(&trouble.message));
            let _ = writeln!(
                out,
                "<tr><td class=\"name problem\" colspan=\"11\">{what}</td></tr>"
            );
        }
    }
    out.push_str("</table>\n");
}

fn summary_row(out: &mut String, name: &str, sides: [Part; 2]) {
    let _ = write!(out, "<tr><td class=\"name\">{name}</td>");
    for cell in sides.iter().flat_map(text::cells) {
        let _ = write!(out, "<td>{cell}</td>");
    }
    out.push_str("</tr>\n");
}

fn disagreements(out: &mut String, game: &GameReview) {
    let listed = game.review.disagreements(LISTED);
    if listed.is_empty() {
        return;
    }
    out.push_str("<p>Largest disagreements:</p>\n<ul>\n");
    for at in &listed {
        let _ = writeln!(out, "<li>{}</li>", escaped(&disagreement(game.review, at)));
    }
    out.push_str("</ul>\n");
}

fn moves(out: &mut String, game: &GameReview) {
    let review = game.review;
    out.push_str("<table>\n<tr><th class=\"name\">move</th>");
    for (column, column_name) in game.names.iter().enumerate() {
        let _ = write!(out, "<th>{}</th>", name(column, column_name));
    }
    out.push_str("</tr>\n");
    let marks = review.marks(game.judge);
    for (ply, found) in marks.iter().enumerate() {
        let played = match (review.position(ply), review.played(ply)) {
            (Some(before), Some(played)) => before
                .numbered_move(played.code)
                .unwrap_or_else(|| played.san.clone()),
            _ => "--".to_owned(),
        };
        let played = escaped(&played);
        let shown = match found {
            Some(Mark { kind, .. }) => format!(
                "<span class=\"{}\">{played}{}</span>",
                kind.name(),
                kind.sign()
            ),
            None => played,
        };
        let _ = write!(out, "<tr><td class=\"move\">{shown}</td>");
        for column in 0..review.columns().len() {
            let value = review.result(column, ply + 1).map(|found| value(&found));
            let _ = write!(out, "<td>{}</td>", value.unwrap_or_else(|| "·".to_owned()));
        }
        out.push_str("</tr>\n");
        if let (Some(found), Some(before)) = (found, review.position(ply)) {
            let best = review.result(game.judge, ply);
            let most = Wanted::default().line;
            let codes: Vec<_> = best
                .iter()
                .flat_map(|f| f.pv.iter().map(|m| m.code))
                .collect();
            let _ = writeln!(
                out,
                "<tr class=\"better\"><td colspan=\"{}\">{}<br>Better: {}</td></tr>",
                game.names.len() + 1,
                escaped(&mark(before, found)),
                escaped(&before.line_of(&codes[..codes.len().min(most)]))
            );
        }
    }
    out.push_str("</table>\n");
}

/// Returns a value in pawns from White's view, with the sign of a bound.
fn value(found: &Found) -> String {
    let value = match found.evaluation() {
        Some(Evaluation::Centipawns(cp)) => number::score(Scale::Logistic, Score::new(cp)),
        Some(mate @ Evaluation::Mate(_)) => number::minus(&mate.to_string()),
        Some(Evaluation::Expected(e)) => number::expected(e),
        None if found.is_over() && found.scale == Scale::Logistic => "mate".to_owned(),
        None if found.is_over() => "won".to_owned(),
        None => "·".to_owned(),
    };
    let sign = match found.white_bound() {
        Some(Bound::Lower) => "≥",
        Some(Bound::Upper) => "≤",
        _ => "",
    };
    format!("{sign}{value}")
}
