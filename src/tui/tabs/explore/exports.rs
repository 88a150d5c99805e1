//! What Explore can write to a file: the tree below the selected node.

use crate::context::Context;
use crate::exporting::{Offer, Work};
use crate::source::Source;
use games::go::Go;
use report::text::Style;
use report::tree::{Export, Extent, Format};
use tree::Tree;

const GRAPH: Offer = Offer {
    label: "graph",
    detail: "the tree below the selected node for Graphviz (DOT)",
    extension: "dot",
    make: |app| document(&app.cx, Format::Dot),
};
const DRAWING: Offer = Offer {
    label: "drawing",
    detail: "the tree below the selected node, drawn with beliefs and fates (SVG)",
    extension: "svg",
    make: |app| document(&app.cx, Format::Svg),
};
const PAGE: Offer = Offer {
    label: "page",
    detail: "a page whose tree opens and closes, with boards and sentences, without scripts (HTML)",
    extension: "html",
    make: |app| document(&app.cx, Format::Html),
};
const GAME: Offer = Offer {
    label: "variations",
    detail: "a game whose variations are the tree's lines (PGN)",
    extension: "pgn",
    make: |app| document(&app.cx, Format::Pgn),
};
const GO_GAME: Offer = Offer {
    label: "game",
    detail: "a game whose variations are the tree's lines (SGF)",
    extension: "sgf",
    make: |app| document(&app.cx, Format::Sgf),
};
const FIGURES: Offer = Offer {
    label: "tree",
    detail: "all figures of the tree below the selected node (JSON)",
    extension: "json",
    make: |app| document(&app.cx, Format::Json),
};
const LINES: Offer = Offer {
    label: "lines",
    detail: "the tree below the selected node as indented lines (text)",
    extension: "txt",
    make: |app| document(&app.cx, Format::Text),
};

/// Returns what can be written of the tree on the screen.
pub(super) fn offers(cx: &Context) -> Vec<Offer> {
    if cx.session.as_ref().and_then(Source::live).is_none() {
        return Vec::new();
    }
    let position = &cx.subject.position;
    let game = match position.downcast_ref::<Go>() {
        Some(_) => Some(GO_GAME),
        None => position.as_chess().map(|_| GAME),
    };
    let offers = [PAGE, DRAWING, GRAPH].into_iter();
    offers.chain(game).chain([FIGURES, LINES]).collect()
}

fn document(cx: &Context, format: Format) -> Result<Work, String> {
    /// What a page or a drawing can hold and still be read.
    const EXTENT: Extent = Extent {
        max_nodes: 500,
        max_ply: 64,
    };
    let session = cx.session.as_ref().and_then(Source::live);
    let session = session.ok_or("there is no search")?;
    let selected = cx.explore.tree.selected_row().map(|row| row.node);
    let from = selected
        .filter(|node| !node.is_none())
        .unwrap_or(Tree::ROOT);
    let title = cx.current.title.clone();
    let after = match from {
        Tree::ROOT => String::new(),
        _ => cx.selected_moves(),
    };
    let file = cx.document.path.as_ref().map(|path| path.to_string_lossy());
    let export = Export {
        session,
        title: Some(title.as_str()).filter(|title| !title.is_empty()),
        file: file.as_deref(),
        from,
        after: &after,
        extent: EXTENT,
        style: Style {
            ascii: cx.looks.glyphs.ascii,
        },
        lens: cx.lens,
        beliefs: false,
    };
    let document = export.document(format).map_err(|e| e.to_string())?;
    document
        .map(Work::Done)
        .ok_or_else(|| format.other_game().to_owned())
}
