//! Commands of the tree: moving through it, opening and closing, finding and filtering rows.

mod audits;
mod force;
mod kinds;

use ratatui::layout::Rect;

use super::{TreeTarget, view};
use crate::component::{Component, Event, Handled, Request};
use crate::context::{Ask, Context, Level, line_of};
use crate::overlays::chooser::{Choice, Chooser, Item};
use crate::overlays::prompt::{Prompt, Typed};
use crate::panes::Pane;
use crate::panes::tree::{Filter, Sort};
use crate::tabs::explore::{HeldBy, OnBoard};
use screen::pen::Pen;
use session::Subject;
use tree::Tree;

/// The tree pane: the tree as rows. It handles what no other component does.
#[derive(Debug)]
pub struct TreePane;

impl Component for TreePane {
    fn update(&mut self, cx: &mut Context, area: Rect) {
        let height = view::rows_in(cx, area);
        cx.explore
            .tree
            .with_list(|list, count| list.fit(height, count));
    }

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        view::draw(cx, pen, area);
    }

    fn handle(&mut self, cx: &mut Context, event: &Event) -> Handled {
        match event.of() {
            Event::Request(request) => return asked(cx, request),
            Event::Click(Some(TreeTarget::Frame), _) => cx.explore.focus = Pane::Tree,
            Event::Click(Some(TreeTarget::Row(row)), _) => {
                cx.explore.focus = Pane::Tree;
                // A second click opens the row.
                if cx.explore.tree.with_list(|list, _| list.click(row)) {
                    cx.asks.push(Ask::Request(Request::Toggle));
                }
            }
            Event::Click(Some(TreeTarget::Mark(row)), _) => {
                cx.explore.focus = Pane::Tree;
                cx.explore.tree.select(row);
                cx.asks.push(Ask::Request(Request::Toggle));
            }
            Event::Wheel(_, by) => cx
                .explore
                .tree
                .with_list(|list, count| list.scroll(by, count)),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, _: &Context) -> Vec<&'static str> {
        vec![
            "open",
            "close",
            "why",
            "next-pane",
            "find",
            "best",
            "filter",
            "open-best",
            "sort",
            "search-here",
            "board-here",
            "next-sibling",
            "copy-line",
        ]
    }
}

fn asked(cx: &mut Context, request: Request) -> Handled {
    match request {
        Request::Rows(_)
        | Request::Row(_)
        | Request::Pages(_)
        | Request::HalfPages(_)
        | Request::Centre => {
            let tree = &mut cx.explore.tree;
            tree.with_list(|list, count| request.moves(list, count));
            cx.explore.inspector_top = 0;
        }
        Request::Sibling(by) => cx.explore.tree.sibling(by),
        Request::Open(plies) => {
            let before = cx.explore.tree.selected_row();
            cx.with_tree(|e, r| e.open_or_enter(r, plies));
            if before == cx.explore.tree.selected_row() {
                cx.hint_at_leaf_search();
            }
        }
        Request::Close(plies) => {
            cx.with_tree(|e, r| e.close_or_leave(r, plies));
        }
        Request::Toggle => {
            cx.with_tree(|e, r| e.toggle(r));
        }
        Request::CloseAll => {
            cx.with_tree(|e, r| e.close_all(r));
        }
        Request::OpenBestLine => {
            cx.with_tree(|e, r| e.open_line(r, &r.best_line(Tree::ROOT)));
        }
        Request::FollowBest(moves) => cx.follow_best(moves),
        Request::Find => cx.ask_find(),
        Request::FindAgain(by) => {
            if let Some(Err(what)) = cx.find_next(by) {
                cx.say(Level::Info, what);
            }
        }
        Request::Filter => cx.ask_filter(),
        Request::ShowOnBoard => cx.show_on_board(),
        Request::FailedAudit(by) => cx.next_failed_audit(by),
        Request::Proof => cx.show_proof(),
        Request::Threads(by) => cx.change_threads(by),
        Request::Cancel => return Handled::No,
    }
    Handled::Yes
}

impl Context {
    /// Goes to the first move of the principal variation; from a node of the principal variation, `moves` further along
    /// it.
    fn follow_best(&mut self, moves: usize) {
        let found = self.with_tree(|e, r| {
            let line = r.best_line(Tree::ROOT);
            let here = e.selected_row().map(|row| row.node);
            let at = line.iter().position(|n| Some(*n) == here);
            let next = at.map_or(0, |i| i + 1) + moves.max(1) - 1;
            let node = line.get(next).or(line.last()).copied();
            if let Some(node) = node {
                e.reveal(r, node);
            }
            node.is_some()
        });
        if found == Some(false) {
            self.say(Level::Info, "no best move yet");
        }
    }

    /// Returns the position at the selected row.
    pub(crate) fn row_subject(&self) -> Option<Subject> {
        let (row, reader) = self.selected()?;
        if row.parent.is_none() {
            return reader.situation(Tree::ROOT);
        }
        let mut subject = reader.situation(row.parent)?;
        subject.follow(row.code).then_some(subject)
    }

    /// Returns the moves that lead to the selected row, in the usual notation.
    pub(crate) fn row_line(&self) -> String {
        let Some((row, reader)) = self.selected() else {
            return String::new();
        };
        let codes = self.explore.tree.moves_to(reader, &row);
        line_of(reader, &codes)
    }

    /// Keeps the selected node on the board; if it is kept already, the board follows the selection again. A move that
    /// the search turned down is asked about instead.
    fn show_on_board(&mut self) {
        if self.is_turned_down() {
            self.ask_why();
            return;
        }
        let Some(row) = self.explore.tree.selected_row() else {
            return;
        };
        let node = if row.node.is_none() {
            row.parent
        } else {
            row.node
        };
        let shown = self.explore.board_node.map(|on| on.node);
        let kept = shown == Some(node) || node.is_none();
        self.explore.board_node = (!kept).then_some(OnBoard::new(node, HeldBy::User));
    }

    /// Shows more or less of the value axis.
    pub fn next_reach(&mut self) {
        let axis = &mut self.explore.tree.axis;
        axis.cycle_reach();
        let name = axis.reach.name();
        self.say(Level::Info, format!("value axis: {name}"));
    }

    /// Draws beliefs on the value axis in another way.
    pub fn next_marks(&mut self) {
        let axis = &mut self.explore.tree.axis;
        axis.cycle_style();
        let name = axis.style_name();
        self.say(Level::Info, format!("beliefs: {name}"));
    }

    /// Freezes the order of the rows, or lets it follow the search again.
    pub fn toggle_freeze(&mut self) {
        let frozen = !self.explore.tree.is_frozen();
        self.explore.tree.freeze(frozen);
        let what = match frozen {
            true => "the rows keep their places; Z lets the order follow the search again",
            false => "the order of the rows follows the search",
        };
        self.say(Level::Info, what);
    }

    fn change_threads(&mut self, by: isize) {
        let most = std::thread::available_parallelism().map_or(1, usize::from) * 2;
        let threads = self.config.threads.saturating_add_signed(by).clamp(1, most);
        if threads == self.config.threads {
            self.say(
                Level::Info,
                format!(
                    "{threads} threads: no {}",
                    if by < 0 { "fewer" } else { "more" }
                ),
            );
            return;
        }
        self.config.threads = threads;
        self.start_search();
    }

    pub fn ask_sort(&mut self) {
        let at = Sort::ALL.iter().position(|s| *s == self.explore.tree.sort);
        let items = Sort::ALL
            .iter()
            .map(|s| Item::new(s.name(), s.summary()))
            .collect();
        let chooser = Chooser::new("order of the rows", items, at.unwrap_or(0));
        self.choose(chooser, |app, taken| {
            app.cx.explore.tree.set_sort(Sort::ALL[taken]);
        });
    }

    fn ask_filter(&mut self) {
        let choices = Filter::choices();
        let at = choices.iter().position(|f| *f == self.explore.tree.filter);
        let mut items: Vec<Item> = choices
            .iter()
            .map(|f| Item::new(f.name(), f.summary()))
            .collect();
        items.push(Item {
            label: "moves named …".to_owned(),
            detail: "type a part of a move's name".to_owned(),
            fixed: true,
            ..Item::default()
        });
        let at = at.unwrap_or(items.len() - 1);
        let mut chooser = Chooser::new("rows to show", items, at);
        chooser.lead = "on ".to_owned();
        self.choose_while(chooser, move |app, chooser, choice| {
            let query = chooser.query.clone();
            match choice {
                Choice::Moved => {
                    if let Some(named) = chooser.item_mut(choices.len()) {
                        named.label = match query.is_empty() {
                            true => "moves named …".to_owned(),
                            false => format!("moves named \"{query}\""),
                        };
                    }
                    chooser.pin(Filter::named(&choices, &query));
                    return true;
                }
                Choice::Taken(taken) => match choices.get(taken) {
                    Some(filter) => app.cx.show_only(filter.clone()),
                    None if query.is_empty() => {
                        let what = "type a part of a move's name first";
                        app.cx.say(Level::Info, what);
                        return true;
                    }
                    None => app.cx.show_only(Filter::Text(query)),
                },
                _ => {}
            }
            false
        });
    }

    fn ask_find(&mut self) {
        let from = self.explore.tree.selected();
        let mut prompt = Prompt::new(
            "find",
            "a move, a line from the root (e4 e5 Nf3), or a kind: on futility",
        );
        prompt.keys = &[
            ("Enter", "find"),
            ("Down", "next one"),
            ("Up", "previous one"),
            ("Esc", "close"),
        ];
        self.ask_while(
            prompt,
            move |app, prompt, typed| match typed {
                Typed::Changed => {
                    // Single moves are searched for while the user types; a line only when it is complete. In a drawing, Esc would
                    // not undo what finding a node has opened, so the search waits for Enter.
                    let query = prompt.text().trim();
                    let waits = query.contains(' ') || query.is_empty() || app.cx.is_drawn();
                    let found = match waits {
                        true => None,
                        false => app.cx.with_tree(|e, r| e.find(r, query, from)),
                    };
                    prompt.note = found.and_then(Result::err).unwrap_or_default();
                }
                Typed::Next(by) => {
                    if let Some(Err(what)) = app.cx.find_next(by) {
                        prompt.note = what;
                    }
                }
                // The row that was selected before.
                Typed::Cancelled => app.cx.explore.tree.select(from),
                _ => {}
            },
            move |app, text| app.cx.find(text, from).unwrap_or(Ok(())),
        );
    }
}
