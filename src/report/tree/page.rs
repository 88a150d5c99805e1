//! A tree as a page that opens and closes, without scripts and without a network.

use std::fmt::Write as _;

use super::item::{Item, colour};
use crate::html::{self, escaped};
use game::Game as _;
use session::Reader;

const STYLE: &str = "body{font:15px/1.45 sans-serif;color:#222;background:#fff;max-width:64em;margin:2em auto;padding:0 1em}\
details{margin-left:1.3em}details.root{margin-left:0}summary{cursor:pointer}summary.leaf{list-style:none}\
.move{font-weight:600}.figures{color:#555;margin:0 .6em}.fate{font-family:monospace}\
.inside{margin:.3em 0 .5em 1.3em;display:flex;gap:1.2em;flex-wrap:wrap}.inside p{margin:0;max-width:38em}\
pre.board{margin:0;font-size:17px;line-height:1.15}\n";

/// Returns the page: every row with its figures and its fate; opened, it shows the reason as a sentence, the board (in chess)
/// and the rows below.
pub fn page(reader: &Reader, items: &[Item], title: &str) -> String {
    let mut out = html::head(title, STYLE);
    out.push_str("<p>The letter is the node's fate; a click on a row opens it.</p>\n");
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    for (i, item) in items.iter().enumerate() {
        if let Some(parent) = item.parent {
            children[parent].push(i);
        }
    }
    if !items.is_empty() {
        add(reader, items, &children, 0, &mut out);
    }
    out.push_str(html::FOOT);
    out
}

fn add(reader: &Reader, items: &[Item], children: &[Vec<usize>], at: usize, out: &mut String) {
    let item = &items[at];
    // The root and its best move are open at first.
    let open = if at == 0 { " class=\"root\" open" } else { "" };
    let name = if item.name.is_empty() {
        "root"
    } else {
        &item.name
    };
    let _ = write!(
        out,
        "<details{open}><summary><span class=\"move\">{}</span><span class=\"figures\">{}</span>\
         <span class=\"fate\" style=\"color:{}\">{}</span> {}",
        escaped(name),
        escaped(&item.figures()),
        colour(item.role),
        escaped(&item.letter.to_string()),
        escaped(&item.brief),
    );
    let _ = writeln!(out, "</summary><div class=\"inside\">");
    if let Some(board) = board(reader, item) {
        let _ = writeln!(out, "<pre class=\"board\">{board}</pre>");
    }
    let window = item.window.as_ref();
    let window = window.map_or_else(String::new, |w| format!(" Window {}.", escaped(w)));
    let _ = writeln!(out, "<p>{}{window}</p></div>", escaped(&item.why));
    for &child in &children[at] {
        add(reader, items, children, child, out);
    }
    out.push_str("</details>\n");
}

/// The board, if the game has one.
fn board(reader: &Reader, item: &Item) -> Option<String> {
    let situation = reader.situation(item.node?)?;
    situation.position.board().map(|board| board.text())
}
