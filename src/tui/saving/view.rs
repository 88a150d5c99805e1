//! What the workbench keeps of itself beside its searches.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::panes::tree::{SavedSelection, Sort};
use crate::tabs::Tab;
use game::Game as _;
use game::MoveCode;
use game::load::LoadError;
use games::{Document, Entry};
use session::Subject;
use session::saved::SavedSearch;
use text::sanitise;

/// A line of moves, as codes.
pub(super) type Codes = Vec<u16>;

/// The workbench in a file of saved searches.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedView {
    /// The title of the tab.
    tab: String,
    document: SavedDocument,
    /// The moves from the beginning of the game to the place in it.
    moves: Vec<String>,
    /// The name of the searched position, if it is not in the game.
    pub detour: Option<String>,
    pub explore: SavedExplore,
    /// The texts of the breakpoints, and whether each is on.
    pub breakpoints: Vec<(String, bool)>,
    pub notes: Vec<super::notes::SavedNote>,
    pub compare: Option<SavedCompare>,
    pub node_limit: Option<u64>,
}

/// What a game or position is read from again.
#[derive(Debug, Serialize, Deserialize)]
struct SavedDocument {
    title: String,
    text: String,
}

/// What Explore shows.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SavedExplore {
    /// The index of its search in the file.
    pub search: Option<usize>,
    sort: String,
    open: Vec<Codes>,
    selected: Option<Codes>,
    /// The rows above the selected one on the screen.
    above: usize,
    pub debugger: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct SavedCompare {
    pub budget: String,
    pub columns: Vec<SavedColumn>,
    pub focus: usize,
    /// The column whose search Explore shows.
    pub lent: Option<usize>,
}

/// A column: a search of our own by its index in the file, or an external engine by its name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedColumn {
    Search(usize),
    Engine(String),
}

pub(super) fn codes(line: &[MoveCode]) -> Codes {
    line.iter().map(|code| code.0).collect()
}

pub(super) fn line(codes: &Codes) -> Vec<MoveCode> {
    codes.iter().map(|&code| MoveCode(code)).collect()
}

impl SavedView {
    /// Describes the workbench; its searches get their places in the file afterwards.
    pub(super) fn of(cx: &mut Context) -> SavedView {
        let tab = cx.tab.kind().title;
        let selection = cx.with_tree(|explorer, reader| explorer.place(reader));
        let (open, selected, above) = selection
            .map(SavedSelection::into_lines)
            .unwrap_or_default();
        let breakpoints = cx.explore.debug.breakpoints.iter();
        SavedView {
            tab: tab.into(),
            document: SavedDocument {
                title: cx.document.file_name().into(),
                text: text_of(&cx.document, cx.entry, &cx.current),
            },
            moves: cx.current.game().map_or_else(Vec::new, |game| {
                game.moves_to(cx.node).map(str::to_owned).collect()
            }),
            detour: cx.detour.as_ref().map(|(_, name)| name.clone()),
            explore: SavedExplore {
                search: None,
                sort: cx.explore.tree.sort.name().into(),
                open: open.iter().map(|line| codes(line)).collect(),
                selected: selected.as_deref().map(codes),
                above,
                debugger: cx.explore.debug.shown,
            },
            breakpoints: breakpoints.map(|b| (b.text.clone(), b.on)).collect(),
            notes: cx.explore.notes.saved(),
            compare: None,
            node_limit: cx.node_limit,
        }
    }

    /// Describes a workbench in which nothing but a search is shown.
    pub(super) fn bare(search: Option<&SavedSearch>) -> serde_json::Result<SavedView> {
        let subject = search.map(SavedSearch::subject);
        let text = subject.map(written);
        serde_json::from_value(serde_json::json!({
            "tab": "",
            "document": { "title": "saved search", "text": text },
            "moves": [],
            "explore": { "search": 0, "sort": "", "open": [], "selected": null, "above": 0, "debugger": false },
            "breakpoints": [],
            "notes": [],
        }))
    }

    /// Returns the document, its only entry, and the node of the game.
    ///
    /// # Errors
    /// If its text cannot be read.
    pub(super) fn document(&self) -> Result<(Document, Entry, usize), LoadError> {
        let mut document = Document::pasted(&self.document.text)?;
        document.name = sanitise(&self.document.title);
        let entry = document.entry(0)?;
        let node = entry.game().map_or(0, |game| {
            game.node_after(self.moves.iter().map(String::as_str))
        });
        Ok((document, entry, node))
    }

    pub(super) fn tab(&self) -> Tab {
        let named = Tab::ALL.iter().find(|tab| tab.kind().title == self.tab);
        named.copied().unwrap_or(Tab::Explore)
    }
}

impl SavedExplore {
    pub(super) fn sort(&self) -> Sort {
        let named = Sort::ALL.into_iter().find(|sort| sort.name() == self.sort);
        named.unwrap_or_default()
    }

    /// What was open and selected; `grows`: the tree is still to be grown.
    pub(super) fn selection(&self, grows: bool) -> SavedSelection {
        let open = self.open.iter().map(line).collect();
        SavedSelection::of_lines(open, self.selected.as_ref().map(line), self.above, grows)
    }
}

/// Returns the position as the text of a file.
fn written(subject: &Subject) -> String {
    let written = subject.position.written();
    written.map(|(text, _)| text).unwrap_or_default()
}

/// Returns the text of the open entry alone.
fn text_of(document: &Document, index: usize, entry: &Entry) -> String {
    if let Some(games) = document.games()
        && let Ok(text) = games.text_of(index)
    {
        return String::from_utf8_lossy(&text).into_owned();
    }
    written(&entry.start)
}
