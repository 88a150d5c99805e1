//! The summary of a reviewed game by side and phase, as lines of a table.

use report::number;
use screen::pen::Line;
use screen::theme::Role;
use studies::review::{MarkKind, Part, Phase, Summary};

/// The width of a phase's name.
const NAME: usize = 11;
/// The width of a mark's count.
const COUNT: usize = 3;

/// Returns a table: a heading with these names of the sides, the whole game, and the phases that were played if there were several.
pub fn table(summary: &Summary, sides: [&str; 2]) -> Vec<Line> {
    let phases: Vec<_> = summary.played().collect();
    let name = match phases[..] {
        [only] => only.name(),
        _ => "game",
    };
    let mut lines = vec![head(sides), row(name, summary.whole)];
    if phases.len() > 1 {
        for &phase in &phases {
            let parts = summary.phases.map(|side| side[phase as usize]);
            lines.push(row(phase.name(), parts));
        }
    }
    lines
}

/// Returns a line for each side, for a low pane: `White 82 %  5?! 2? 2??  opening 88 % · endgame 75 %`.
pub fn short(summary: &Summary, sides: [&str; 2], room: usize) -> Vec<Line> {
    let phases: Vec<_> = summary.played().collect();
    let widest = sides
        .iter()
        .map(|name| text::width(name))
        .max()
        .unwrap_or(0);
    let lines = sides.into_iter().enumerate().map(|(side, name)| {
        let whole = &summary.whole[side];
        let [inaccuracies, mistakes, blunders] = whole.marks;
        let head = format!(
            "{name:<widest$} {:>5}  {inaccuracies}?! {mistakes}? {blunders}??",
            told(whole)
        );
        let left = room.saturating_sub(text::width(&head) + 2);
        let by_phase = |name: fn(Phase) -> &'static str| {
            let part = |phase: &Phase| {
                let part = &summary.phases[side][*phase as usize];
                format!("{} {}", name(*phase), told(part))
            };
            phases.iter().map(part).collect::<Vec<_>>().join(" · ")
        };
        let forms = [by_phase(Phase::name), by_phase(brief)];
        let fits = forms.into_iter().find(|form| text::width(form) <= left);
        let mut line = vec![(head, Role::Text)];
        if let Some(form) = fits.filter(|_| phases.len() > 1) {
            line.push((format!("  {form}"), Role::Dim));
        }
        line
    });
    lines.collect()
}

fn brief(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => "op",
        Phase::Middlegame => "mid",
        Phase::Endgame => "end",
    }
}

/// Returns a part's accuracy.
fn told(part: &Part) -> String {
    let accuracy = part.accuracy().map(|a| number::percent(a / 100.0));
    accuracy.unwrap_or_else(|| "·".to_owned())
}

fn head(sides: [&str; 2]) -> Line {
    let mut text = " ".repeat(NAME);
    for side in sides {
        text.push_str(&format!("{side:>6}"));
        for kind in MarkKind::ALL {
            text.push_str(&format!("{:>COUNT$}", kind.sign()));
        }
        text.push_str("  ");
    }
    vec![(text.trim_end().to_owned(), Role::Heading)]
}

fn row(name: &str, parts: [Part; 2]) -> Line {
    let mut line = vec![(format!("{name:<NAME$}"), Role::Dim)];
    for part in parts {
        line.push((format!("{:>6}", told(&part)), Role::Text));
        for (count, kind) in part.marks.iter().zip(MarkKind::ALL) {
            let role = match (count, kind) {
                (0, _) => Role::Dim,
                (_, MarkKind::Blunder) => Role::Error,
                _ => Role::Warning,
            };
            line.push((format!("{count:>COUNT$}"), role));
        }
        line.push(("  ".to_owned(), Role::Text));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Side;
    use studies::review::Loss;

    fn printed(lines: Vec<Line>) -> Vec<String> {
        let text = |line: Line| line.into_iter().map(|(text, _)| text).collect::<String>();
        let lines = lines.into_iter().map(text);
        lines.map(|line| line.trim_end().to_owned()).collect()
    }

    #[test]
    fn phases_stand_below_the_game() {
        let loss = |drop| Loss {
            drop,
            at_least: false,
            before: 0.0,
            after: -drop,
        };
        let (good, bad) = (loss(0.0), loss(0.4));
        let moves = [
            (Side::White, Some(Phase::Opening), &good),
            (Side::Black, Some(Phase::Opening), &bad),
            (Side::White, Some(Phase::Middlegame), &good),
        ];
        let summary = Summary::of(moves);
        let sides = ["White", "Black"];
        assert_eq!(
            printed(table(&summary, sides)),
            [
                "            White ?!  ? ??   Black ?!  ? ??",
                "game        100 %  0  0  0    40 %  0  0  1",
                "opening     100 %  0  0  0    40 %  0  0  1",
                "middlegame  100 %  0  0  0       ·  0  0  0",
            ]
        );
        assert_eq!(
            printed(short(&summary, sides, 60)),
            [
                "White 100 %  0?! 0? 0??  opening 100 % · middlegame 100 %",
                "Black  40 %  0?! 0? 1??  opening 40 % · middlegame ·",
            ]
        );
        assert_eq!(
            printed(short(&summary, sides, 45))[0],
            "White 100 %  0?! 0? 0??  op 100 % · mid 100 %"
        );
        let opening = Summary::of(moves.into_iter().take(2));
        assert_eq!(
            printed(table(&opening, sides)).len(),
            2,
            "one phase is the game"
        );
        let moves = [(Side::White, None, &good), (Side::Black, None, &bad)];
        let sides = ["Yellow", "Red"];
        assert_eq!(
            printed(table(&Summary::of(moves), sides)),
            [
                "           Yellow ?!  ? ??     Red ?!  ? ??",
                "game        100 %  0  0  0    40 %  0  0  1",
            ]
        );
        assert_eq!(
            printed(short(&Summary::of(moves), sides, 60)),
            ["Yellow 100 %  0?! 0? 0??", "Red     40 %  0?! 0? 1??"]
        );
    }
}
