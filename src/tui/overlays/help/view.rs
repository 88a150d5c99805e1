//! Draws the help: all keys from the table of commands, the meaning of the signs, and the messages so far.

use chart::value::Sign;
use ratatui::layout::Rect;

use super::{Help, HelpTarget, PAGES};
use crate::app::App;
use crate::commands::groups;
use crate::context::{Context, Level};
use crate::reach::Sight;
use crate::views::facts::info_sign;
use crate::views::{popup, popup_area};
use screen::pen::{Line, Pen};
use screen::theme::Role;
use studies::compare::Kind;
use tree::FATES;

pub fn draw(sight: Sight, pen: &mut Pen, area: Rect, help: &Help) {
    let app = sight.app();
    let rect = popup_area(area, 100, area.height - 2);
    let inner = popup(pen, rect, "help");
    if inner.height < 4 {
        return;
    }
    let mut x = inner.x + 1;
    let wide = PAGES
        .iter()
        .map(|page| text::width(page) + 3)
        .sum::<usize>();
    let all = wide <= usize::from(inner.width);
    for (i, page) in PAGES
        .iter()
        .enumerate()
        .filter(|(i, _)| all || *i == help.page)
    {
        let role = if i == help.page {
            Role::TabActive
        } else {
            Role::Hint
        };
        let start = x;
        x = pen.put(x, inner.y, inner.right(), &format!(" {page} "), role);
        let spot = Rect {
            x: start,
            y: inner.y,
            width: x - start,
            height: 1,
        };
        pen.region(spot, HelpTarget::Page(i));
        x += 1;
    }
    let width = usize::from(inner.width - 2);
    let lines = match help.page {
        Help::HERE => super::here::lines(app, pen, width, usize::from(inner.height - 2)),
        Help::KEYS => keys(&app.cx, width),
        2 => signs(app, pen, width),
        3 => comparing(width),
        Help::GLOSSARY => crate::tabs::learn::view::glossary(&app.tabs.learn, &app.cx, width),
        _ => messages(&app.cx, width),
    };
    let height = usize::from(inner.height - 2);
    let top = pen.scrolled(HelpTarget::Text, help.top, lines.len(), height);
    let text = Rect {
        x: inner.x + 1,
        y: inner.y + 2,
        width: inner.width - 1,
        height: inner.height - 2,
    };
    pen.lines(text, lines.iter().skip(top));
    if lines.len() > height {
        let last = (top + height).min(lines.len());
        pen.frame_note(
            rect,
            rect.bottom() - 1,
            &format!("{last} of {} lines", lines.len()),
            Role::Dim,
        );
    }
}

fn keys(cx: &Context, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (group, commands) in groups() {
        if !lines.is_empty() {
            lines.push(Vec::new());
        }
        lines.push(vec![(group.title.to_owned(), Role::Heading)]);
        for (i, command) in commands.zip(group.commands) {
            let keys = cx.keymap.keys_of(i).join(" ");
            for (n, doc) in text::wrap(command.doc, width.saturating_sub(20))
                .into_iter()
                .enumerate()
            {
                let keys = if n == 0 { keys.as_str() } else { "" };
                lines.push(vec![
                    (format!("  {keys:<17} "), Role::Key),
                    (doc, Role::Hint),
                ]);
            }
        }
    }
    lines
}

fn signs(app: &App, pen: &Pen, width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let g = pen.glyphs;
    let heading = |t: &str| vec![(t.to_owned(), Role::Heading)];
    lines.push(heading("A row of the tree"));
    let words = [
        (
            "move",
            "the move; a star: the best one of its position; dim: it was not searched",
        ),
        (
            "score",
            "in pawns, as the expected score from -1, a certain loss, to +1, a certain win, or as games won, drawn and lost in a hundred (U), from White's view, the root's or the mover's (V); toy trees in their own unit, from Max's view",
        ),
        (
            "marks",
            "closed and open nodes; a hollow one was searched without being recorded, or was not sent by a program: opening it searches it again",
        ),
        (
            "best",
            "the chance to be the best move; visits, work: the part of the visits or of the nodes below its parent",
        ),
        ("sd", "the belief's standard deviation"),
        (
            "axis",
            "the value on one axis (z: how much of it, v: how beliefs are drawn). A bar is the chance of at least so much for the side that plays the move: longer is better, sharper is surer; White's grow from the left, Black's from the right",
        ),
        ("fate", "why the node is as it is, by letter and sign:"),
    ];
    for (name, what) in words {
        for (n, part) in text::wrap(what, width.saturating_sub(10))
            .into_iter()
            .enumerate()
        {
            let name = if n == 0 { name } else { "" };
            lines.push(vec![
                (format!("  {name:<7} "), Role::Key),
                (part, Role::Hint),
            ]);
        }
    }
    lines.push(Vec::new());
    for fate in &FATES {
        let (sign, role) = info_sign(fate, g);
        lines.push(vec![
            (format!("  {}{sign}  {:<29}", fate.letter, fate.name), role),
            (fate.summary.to_owned(), Role::Hint),
        ]);
    }
    lines.push(Vec::new());
    let pen_signs = [
        (
            format!("{}", g.failed),
            "behind the letter: an audit found that what was pruned was best after all; or another program made an illegal move",
        ),
        (
            g.text("d3 −2"),
            "before the reason: searched to depth 3, 2 plies less deeply than its siblings",
        ),
        (
            g.text("d5 −2+"),
            "at first 2 plies less deeply; it beat alpha at that depth and was then searched in full",
        ),
        (
            "d6 +1".to_owned(),
            "a ply more deeply: a check, or the only good move (singular)",
        ),
        (
            "--".to_owned(),
            "a null move: the search let the side to move pass, to see whether it is good enough",
        ),
    ];
    for (sign, what) in pen_signs {
        let sign = format!("  {sign:<7} ");
        for (n, part) in text::wrap(what, width.saturating_sub(10))
            .into_iter()
            .enumerate()
        {
            let sign = if n == 0 { sign.clone() } else { " ".repeat(10) };
            lines.push(vec![(sign, Role::Key), (part, Role::Hint)]);
        }
    }
    lines.push(Vec::new());
    lines.push(heading("Marks on the value axis"));
    for (sign, role, what) in axis_signs(pen) {
        for (n, part) in text::wrap(what, width.saturating_sub(16))
            .into_iter()
            .enumerate()
        {
            let sign = if n == 0 { sign.as_str() } else { "" };
            lines.push(vec![(format!("  {sign:<12} "), role), (part, Role::Hint)]);
        }
    }
    app.with_components(|component| {
        let legend = component.legend(pen, width);
        if !legend.is_empty() {
            lines.push(Vec::new());
            lines.extend(legend);
        }
        None::<()>
    });
    lines
}

/// Returns examples of marks on the value axis, with their colours and meanings.
fn axis_signs(pen: &Pen) -> [(String, Role, &'static str); 9] {
    let g = pen.glyphs;
    let sign = |signs: &[Sign]| signs.iter().map(|s| g.axis(*s)).collect::<String>();
    let levels = [8, 8, 8, 7, 6, 4, 2, 1].map(Sign::Level);
    let whisker = [
        Sign::Line,
        Sign::Heavy,
        Sign::Point,
        Sign::Heavy,
        Sign::Line,
    ];
    let margin = [
        Sign::Static,
        Sign::Heavy,
        Sign::Heavy,
        Sign::Carried,
        Sign::Gap,
        Sign::Gap,
        Sign::Bound,
    ];
    [
        (
            sign(&levels),
            Role::Density,
            "a belief: at each place the chance of at least so much for the side that plays the move; v draws 5, 25, 50, 75 and 95 % quantiles or the density instead",
        ),
        (
            sign(&whisker),
            Role::Density,
            "those quantiles; with a line alone, a mean of visits and twice its standard error",
        ),
        (sign(&[Sign::Point]), Role::Density, "an exact value"),
        (
            sign(&[Sign::Dashes, Sign::Dashes, Sign::Closes])
                + "  "
                + &sign(&[Sign::Opens, Sign::Dashes, Sign::Dashes]),
            Role::Children,
            "at most, at least",
        ),
        (
            sign(&[Sign::Level(8), Sign::Level(8), Sign::Hatch, Sign::Hatch]),
            Role::Proven,
            "a proof: full to what is proven, hatched to what is still possible",
        ),
        (
            sign(&margin),
            Role::FateSkipped,
            "pruned by a margin: the static value, the margin, and what is missing to the bound",
        ),
        (
            sign(&[Sign::FaintPoint]),
            Role::FateCut,
            "the value by which a null move or a shallow search decided",
        ),
        (
            sign(&[Sign::Below]) + "  " + &sign(&[Sign::Above]),
            Role::Axis,
            "the value is out of sight: z shows more of the axis",
        ),
        (
            format!("{}  {}", g.rule, g.window),
            Role::Window,
            "the value of the best move; alpha and beta, where the search had a window",
        ),
    ]
}

/// Explains what the Compare tab shows.
fn comparing(width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut part = |title: &str, words: &[(String, &str)]| {
        if !lines.is_empty() {
            lines.push(Vec::new());
        }
        lines.push(vec![(title.to_owned(), Role::Heading)]);
        for (name, what) in words {
            let what = text::wrap(what, width.saturating_sub(17));
            for (n, part) in what.into_iter().enumerate() {
                let name = if n == 0 { name.as_str() } else { "" };
                lines.push(vec![
                    (format!("  {name:<14} "), Role::Key),
                    (part, Role::Hint),
                ]);
            }
        }
    };
    let plain = |words: &[(&str, &'static str)]| -> Vec<(String, &'static str)> {
        words
            .iter()
            .map(|(name, what)| ((*name).to_owned(), *what))
            .collect()
    };
    part("A column", &plain(&HEADER));
    part("A row of the merged tree", &plain(&MERGED));
    let kinds =
        Kind::ALL.map(|kind| (format!("{} {}", kind.letter(), kind.name()), kind.summary()));
    part("Kinds of difference, worst first", &kinds);
    part("Below the rows", &plain(&BELOW));
    lines
}

const HEADER: [(&str, &str); 6] = [
    (
        "A to D",
        "its letter, in its colour; reversed: the column that keys for one column mean",
    ),
    (
        "state",
        "all columns search the same position with the same budget; where there are fewer cores than columns they take turns of some milliseconds of CPU time",
    ),
    (
        "score",
        "from the side to move; at most and at least with their signs",
    ),
    (
        "n, /s",
        "nodes, and nodes per second of CPU time and thread: waiting for a turn does not count",
    ),
    (
        "d, ply",
        "iteration and deepest ply of a depth-first search; deepest ply of a best-first one",
    ),
    (
        "CPU, tree",
        "CPU time of all its threads together, and the memory of its tree",
    ),
];

const MERGED: [(&str, &str); 6] = [
    (
        "#",
        "the move's rank in the column's own order; a star: the move it holds best",
    ),
    (
        "score, sd",
        "the score in the unit and from the view that the title names, and the belief's standard deviation",
    ),
    (
        "share",
        "the column's work on this move among its siblings: visits, or nodes",
    ),
    (
        "fate",
        "why the node is as it is, by letter and sign as in Explore",
    ),
    ("before a move", "the letter of the worst difference"),
    ("nothing", "the column's tree does not have the node"),
];

const BELOW: [(&str, &str); 4] = [
    (
        "sentences",
        "the differences of the selected row, then why each column has it as it is",
    ),
    (
        "beliefs",
        "what the columns believe of the selected move; a value without a distribution is a step, what another program tells of wins, draws and losses has three steps or bars",
    ),
    (
        "score by nodes",
        "how the root's score went, the best move's name where it changed",
    ),
    ("lines", "A solid, B dashed, C dotted, D dots and dashes"),
];

fn messages(cx: &Context, width: usize) -> Vec<Line> {
    if cx.messages.all.is_empty() {
        return vec![vec![("no messages so far".to_owned(), Role::Dim)]];
    }
    let mut lines = Vec::new();
    for message in cx.messages.all.iter().rev() {
        let (word, role) = match message.level {
            Level::Info => ("  ", Role::Info),
            Level::Warning => ("! ", Role::Warning),
            Level::Error => ("x ", Role::Error),
        };
        for (n, part) in text::wrap(&message.text, width.saturating_sub(2))
            .into_iter()
            .enumerate()
        {
            lines.push(vec![
                (if n == 0 { word } else { "  " }.to_owned(), role),
                (part, role),
            ]);
        }
    }
    lines
}
