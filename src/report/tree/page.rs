//! A tree as a page to send to somebody: one file that needs neither scripts nor a network. It opens row by row, and has what
//! the workbench shows: the value axis, the board, the sentence, the numbers, and the command that made it.

use std::fmt::Write as _;

use super::board;
use super::item::{Item, colour};
use crate::axis::{self, Reach, Rules};
use crate::html::{self, escaped};
use crate::lens::Lens;
use crate::number;
use ::chart::drawn::Frame;
use ::chart::svg;
use ::chart::value::Span;
use game::{Board, Game as _};
use session::Reader;
use tree::{FATES, FateRole, NodeId};

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--dim:#5c5c5c;--paper:#fff;--line:#d8d8d8;--mark:#0072b2;--best:#b35900;--bound:#8a5a9e}\
@media(prefers-color-scheme:dark){:root{--ink:#e2e2e2;--dim:#a2a2a2;--paper:#16181c;--line:#3a3d44;--mark:#63b3ed;--best:#f0a040;\
--bound:#c39bd8}.cut{color:#63b3ed!important}.skipped{color:#f0a050!important}.searched{color:#e2e2e2!important}\
.ended,.proven{color:#7bd8a5!important}.dim{color:#a2a2a2!important}}\
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:80em;margin:1.5em auto;padding:0 1em}\
h1{font-size:1.25em}code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}.about,.legend{color:var(--dim)}\
summary,.scale{display:grid;grid-template-columns:12em 2em 9em minmax(12em,1fr) 6em minmax(8em,18em);gap:.7em;align-items:center;\
padding:.1em 0;border-bottom:1px solid var(--line)}\
summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}\
.move{font-weight:600;overflow-wrap:anywhere}.move::before{content:\"▸\";display:inline-block;width:1.1em;color:var(--dim);\
font-weight:400}details[open]>summary .move::before{content:\"▾\"}\
.best .move{color:var(--best)}.value,.nodes{font-variant-numeric:tabular-nums;text-align:right}.sd,.brief,.scale{color:var(--dim)}\
.scale{font-size:.85em}.ends{position:relative;display:flex;justify-content:space-between}.at{position:absolute;\
transform:translateX(-50%)}.star{color:var(--best)}\
svg.axis{width:100%;height:18px;display:block;color:var(--mark)}.best svg.axis{color:var(--best)}\
.inside{margin:.6em 0 1em 1.1em;display:flex;gap:1.4em;flex-wrap:wrap}.inside>div{flex:1 1 24em;max-width:46em}\
.inside p{margin:0 0 .6em}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1em 1em;margin:0}dt{color:var(--dim)}\
dd{margin:0;font-variant-numeric:tabular-nums}\
svg.board{width:240px;height:auto;flex:none}svg.definitions{position:absolute}\
.board text,.definitions text{font-size:19px;text-anchor:middle}.name{font-size:10px!important;fill:var(--dim)}\
rect.light{fill:#f0d9b5}rect.dark{fill:#b58863}rect.moved{fill:#cdd26a;fill-opacity:.75}\
text.white{fill:#fff;stroke:#222;stroke-width:.7;paint-order:stroke}text.black{fill:#111}\
@media(max-width:56em){summary,.scale{grid-template-columns:8em 1.5em 7.5em minmax(7em,1fr)}\
.nodes,.brief,.at,.scale>span:nth-child(n+5){display:none}}\n";

/// What the page says of itself.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    pub title: &'a str,
    /// The position at the root, in a line of text, if the game has one.
    pub position: Option<&'a str>,
    /// The command that makes the page.
    pub command: &'a str,
    pub lens: Lens,
}

/// Returns the page: every row with its value, the value axis, its work and its fate; opened, it shows the board, the reason as
/// a sentence, the numbers, and the rows below on an axis of their own.
pub fn page(reader: &Reader, items: &[Item], about: &About) -> String {
    let mut out = html::head(about.title, STYLE);
    if let Some(position) = about.position {
        let _ = writeln!(out, "<p><code>{}</code></p>", escaped(position));
    }
    let _ = writeln!(
        out,
        "<p class=\"about\">plyscope {}, made by <code>{}</code></p>",
        env!("CARGO_PKG_VERSION"),
        escaped(about.command)
    );
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    for (i, item) in items.iter().enumerate() {
        if let Some(parent) = item.parent {
            children[parent].push(i);
        }
    }
    let mut page = Page {
        reader,
        items,
        children: &children,
        lens: about.lens,
        out,
    };
    if let Some(first) = items.first() {
        if let Some(board) = page.board(first) {
            let _ = writeln!(page.out, "{}", board::squares(&board));
        }
        // The root stands on the axis of its moves.
        let scale = page.scale(first.node);
        page.row(0, &scale, None);
    }
    let mut out = page.out;
    legend(items, &mut out);
    out.push_str(html::FOOT);
    out
}

/// The part of the axis that the moves of a node share, and the rules through them.
struct Scale {
    span: Span,
    rules: Rules,
}

struct Page<'a> {
    reader: &'a Reader<'a>,
    items: &'a [Item],
    children: &'a [Vec<usize>],
    lens: Lens,
    out: String,
}

impl Page<'_> {
    fn scale(&self, parent: Option<NodeId>) -> Scale {
        match parent {
            None => Scale {
                span: Span::WHOLE,
                rules: Rules::default(),
            },
            Some(id) => Scale {
                span: axis::span(self.reader, id, Reach::Leaders, self.lens),
                rules: axis::rules(self.reader, id, self.lens),
            },
        }
    }

    fn board(&self, item: &Item) -> Option<Board> {
        self.reader.situation(item.node?)?.position.board()
    }

    /// Writes a row with what it opens. `before` is the board before its move.
    fn row(&mut self, at: usize, scale: &Scale, before: Option<&Board>) {
        let (items, children) = (self.items, &self.children[at]);
        let item = &items[at];
        // The root is open at first, and its best move is marked.
        let open = if at == 0 { " open" } else { "" };
        let best = if item.is_best { " class=\"best\"" } else { "" };
        let name = match item.name.as_str() {
            "" => "root",
            name => name,
        };
        let _ = write!(
            self.out,
            "<details{open}><summary{best}><span class=\"move\" style=\"padding-left:{:.1}em\">{}{}</span>\
             <span class=\"{}\" style=\"color:{}\">{}</span><span class=\"value\">{}<span class=\"sd\">{}</span></span>",
            0.9 * item.ply as f64,
            escaped(name),
            if item.is_best { " ★" } else { "" },
            class(item.role),
            colour(item.role),
            escaped(&item.letter.to_string()),
            escaped(&item.value),
            escaped(&item.spread),
        );
        self.axis(item, scale);
        let _ = writeln!(
            self.out,
            "<span class=\"nodes\">{}</span><span class=\"brief\">{}</span></summary><div class=\"inside\">",
            number::count(item.nodes),
            escaped(&item.brief),
        );
        let board = self.board(item);
        if let Some(board) = &board {
            let _ = writeln!(self.out, "{}", board::drawn(board, before));
        }
        let _ = writeln!(self.out, "<div><p>{}</p><dl>", escaped(&item.why));
        for (name, value) in &item.numbers {
            let (name, value) = (escaped(name), escaped(value));
            let _ = writeln!(self.out, "<dt>{name}</dt><dd>{value}</dd>");
        }
        self.out.push_str("</dl></div></div>\n");
        if !children.is_empty() {
            let scale = self.scale(item.node);
            self.heads(item.ply + 1, &scale);
            for &child in children {
                self.row(child, &scale, board.as_ref());
            }
        }
        self.out.push_str("</details>\n");
    }

    /// Draws a row's mark, with the rules of its siblings.
    fn axis(&mut self, item: &Item, scale: &Scale) {
        const SIZE: svg::Pair = (384.0, 18.0);
        let frame = Frame {
            at: (0.0, 0.0),
            size: SIZE,
        };
        let mut drawing = svg::Element::new("svg")
            .with("class", "axis")
            .with("viewBox", svg::view_box(SIZE))
            .with("preserveAspectRatio", "none")
            .titled(&format!("{} {}{}", item.name, item.value, item.spread));
        for (value, ink) in [
            (scale.rules.alpha, "var(--bound)"),
            (scale.rules.beta, "var(--bound)"),
            (scale.rules.best, "var(--best)"),
        ] {
            let rule = value.and_then(|value| frame.rule(value, scale.span));
            if let Some(rule) = rule {
                drawing.add(rule.with("stroke", ink).with("stroke-opacity", 0.6));
            }
        }
        let (mark, from) = (&item.plotted.mark, item.plotted.from);
        drawing.add(frame.mark(mark, scale.span, from, self.reader.tree.grid()));
        let _ = write!(self.out, "{drawing}");
    }

    /// Writes the ends of the axis that the rows below share, and the values of its rules.
    fn heads(&mut self, ply: usize, scale: &Scale) {
        let root = self.lens.at(self.reader, tree::Tree::ROOT).as_shown();
        let value = |value: f32| escaped(&root.mean(value));
        let (low, high) = (value(scale.span.low), value(scale.span.high));
        // Each rule has its value at its place, if that is in sight and no other is written there.
        let mut written = vec![0.0, 1.0];
        let mut rules = String::new();
        for (name, class, at) in [
            ("★", "at star", scale.rules.best),
            ("alpha", "at", scale.rules.alpha),
            ("beta", "at", scale.rules.beta),
        ] {
            let Some(at) = at.filter(|at| scale.span.holds(*at)) else {
                continue;
            };
            let place = f64::from(scale.span.share(at));
            if written
                .iter()
                .all(|other: &f64| (other - place).abs() > 0.16)
            {
                written.push(place);
                let left = 100.0 * place;
                let _ = write!(
                    rules,
                    "<span class=\"{class}\" style=\"left:{left:.1}%\">{name} {}</span>",
                    value(at)
                );
            }
        }
        let _ = writeln!(
            self.out,
            "<div class=\"scale\"><span style=\"padding-left:{:.1}em\">move</span><span></span><span class=\"value\">value</span>\
             <span class=\"ends\"><span>{low}</span>{rules}<span>{high}</span></span><span class=\"nodes\">nodes</span><span></span></div>",
            0.9 * ply as f64 + 1.1,
        );
    }
}

/// The name of a role in the style.
fn class(role: FateRole) -> &'static str {
    match role {
        FateRole::Dim => "dim",
        FateRole::Searched => "searched",
        FateRole::Cut => "cut",
        FateRole::Skipped => "skipped",
        FateRole::Ended => "ended",
        FateRole::Proven => "proven",
    }
}

/// Explains the letters and the marks of the page.
fn legend(items: &[Item], out: &mut String) {
    out.push_str(
        "<p class=\"legend\">The axis: a bar whose end is blurred by doubt (at each place the chance that the move is worth at \
         least that much for the side that plays it); ● an exact value; a dashed half-line for at most or at least; ● with a line \
         for a mean and twice its standard error; a full bar for a proof; a thick line from the static value over a margin, with \
         dots for what is missing to alpha or beta. The upright lines are the best move (★), alpha and beta.</p>\n\
         <p class=\"legend\">",
    );
    let used = FATES
        .iter()
        .filter(|fate| items.iter().any(|item| item.letter == fate.letter));
    let letters: Vec<String> = used
        .map(|fate| {
            format!(
                "<b>{}</b> {}",
                escaped(&fate.letter.to_string()),
                escaped(fate.summary)
            )
        })
        .collect();
    let _ = writeln!(out, "{}</p>", letters.join(" · "));
}
