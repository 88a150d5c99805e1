//! Finding nodes of a kind in the whole tree: by fate, rule, proof or changed value.

use std::collections::HashSet;
use std::sync::Arc;

use crate::context::{Context, Level};
use crate::overlays::chooser::{Choice, Chooser, Item};
use crate::panes::tree::hunt::{Hunt, Look};
use crate::panes::tree::view::changed::Changed;
use crate::panes::tree::{Filter, RowKey};
use crate::views::bar::key_of_command;
use crate::views::facts::{Facts, Numbers, Withheld};
use session::Wanted;
use session::seek::Place;

impl Context {
    /// Asks what kind of node to find.
    pub fn ask_kind(&mut self) {
        let choices = Filter::findable();
        let at = self.explore.tree.sought.as_ref();
        let at = at.and_then(|sought| choices.iter().position(|f| f == sought));
        let items = choices
            .iter()
            .map(|f| Item::new(f.name(), f.summary()))
            .collect();
        let mut chooser = Chooser::new("find in the whole tree", items, at.unwrap_or(0));
        chooser.lead = "on ".to_owned();
        self.choose_while(chooser, move |app, chooser, choice| {
            match choice {
                Choice::Moved => chooser.pin(Filter::named(&choices, &chooser.query)),
                Choice::Taken(kind) => app.cx.find_kind(choices[kind].clone(), 1),
                _ => {}
            }
            choice == Choice::Moved
        });
    }

    /// Goes to the next row of a kind in the whole tree, or to the previous one if `by` is negative. The keys that find
    /// again go on with it.
    pub fn find_kind(&mut self, what: Filter, by: isize) {
        self.explore.tree.sought = Some(what.clone());
        let wanted = match &what {
            Filter::Changed => self.changed(),
            Filter::SamePosition => self.selected_position(),
            other => other.wanted(),
        };
        let Some(wanted) = wanted else {
            let what = match what {
                Filter::SamePosition => {
                    "no position is known here: select a move that was made, and that the rules have"
                }
                _ => "nothing has changed yet: step (s) or run to a breakpoint (r) first",
            };
            self.say(Level::Info, what);
            return;
        };
        if matches!(wanted, Wanted::Among(_)) {
            let what =
                "the tree is too large to remember all its values: only open rows are compared";
            self.say(Level::Info, what);
        }
        let Some(row) = self.explore.tree.selected_row() else {
            return;
        };
        let start = Place {
            parent: row.parent,
            node: row.node,
            code: row.code,
        };
        let Some(source) = &self.session else {
            return;
        };
        let sort = self.explore.tree.order();
        match Hunt::start(source, (what.clone(), wanted), sort, start, by) {
            Ok(hunt) => self.looked(hunt.wait_briefly(), what),
            Err(e) => self.say(Level::Error, format!("no thread to look with: {e}")),
        }
    }

    /// Takes what came of a look for a kind, and goes there.
    fn looked(&mut self, look: Look, what: Filter) {
        match look {
            Look::Waits(hunt) => self.explore.hunt = Some(hunt),
            Look::Done(None) => {
                self.explore.hunt = None;
                let so_far = match self.is_live() {
                    true => " so far",
                    false => "",
                };
                self.say(
                    Level::Info,
                    format!("nothing in the whole tree is \"{}\"{so_far}", what.name()),
                );
            }
            Look::Done(Some(place)) if what == Filter::SamePosition && self.is_selected(place) => {
                self.explore.hunt = None;
                let so_far = if self.is_live() { " so far" } else { "" };
                self.say(
                    Level::Info,
                    format!("this position is at no other place of the tree{so_far}"),
                );
            }
            Look::Done(Some(place)) => {
                self.explore.hunt = None;
                self.go_to_place(place);
                let (next, before) = (
                    key_of_command(self, "find-next"),
                    key_of_command(self, "find-previous"),
                );
                self.say(
                    Level::Info,
                    format!(
                        "{} · {next} the next one · {before} the one before",
                        what.name()
                    ),
                );
            }
        }
    }

    /// Opens the way to a row and selects it; a filter that hides it is taken away.
    fn go_to_place(&mut self, place: Place) {
        let key = RowKey {
            parent: place.parent,
            code: place.code,
        };
        self.with_tree(|explorer, reader| {
            explorer.reveal_row(reader, key);
            if explorer.selected_row().map(|row| row.key()) != Some(key) {
                explorer.set_filter(Filter::All);
                explorer.reveal_row(reader, key);
            }
        });
        self.explore.inspector_top = 0;
        self.explore.board_node = None;
    }

    /// Looks whether what is looked for has been found, once per turn of the main loop.
    pub(crate) fn tend_hunt(&mut self) {
        let Some(hunt) = self.explore.hunt.take() else {
            return;
        };
        self.dirty = true;
        let here = self
            .session
            .as_ref()
            .map(|s| hunt.is_about(s.reader().tree));
        // A tree that was replaced meanwhile has other places.
        if here != Some(true) {
            return;
        }
        let what = hunt.what.clone();
        self.looked(hunt.look(), what);
    }

    /// Gives up looking; returns whether anything was looked for.
    pub(crate) fn cancel_hunt(&mut self) -> bool {
        let Some(hunt) = self.explore.hunt.take() else {
            return false;
        };
        self.say(
            Level::Info,
            format!("no longer looking for \"{}\"", hunt.what.name()),
        );
        true
    }

    fn is_selected(&self, place: Place) -> bool {
        let row = self.explore.tree.selected_row();
        row.is_some_and(|row| (row.parent, row.code) == (place.parent, place.code))
    }

    /// Returns the position that is selected; `None` for a move without a node.
    fn selected_position(&self) -> Option<Wanted> {
        let (row, reader) = self.selected()?;
        let key = (!row.node.is_none()).then(|| reader.key(row.node))??;
        Some(Wanted::Position(key))
    }

    /// Returns what is not worth what it was when the search last stopped: in the whole tree, or of a very large one among
    /// the open rows. `None` if nothing can have changed.
    fn changed(&self) -> Option<Wanted> {
        self.explore.debug.stop.as_ref()?;
        match self.explore.debug.marks.whole() {
            Some(before) => Some(Wanted::Changed(before)),
            None => self.changed_rows(),
        }
    }

    /// Returns the open rows whose value changed; `None` if there are none.
    fn changed_rows(&self) -> Option<Wanted> {
        let reader = self.session.as_ref()?.reader();
        let numbers = Numbers::new(self, reader.scale(), self.looks.glyphs);
        let mut withheld = Withheld::default();
        let changed = |row: &&crate::panes::tree::Row| {
            let facts = Facts::of(reader, row, &mut withheld);
            facts.is_some_and(|facts| {
                let scores = self.lens.of_moves(&reader, row.parent);
                let changed = Changed::of(self, &numbers, row, &facts, &scores);
                changed.value.is_some() || changed.new
            })
        };
        let rows = self.explore.tree.rows().iter().filter(changed);
        let moves: HashSet<_> = rows.map(|row| (row.parent, row.code)).collect();
        (!moves.is_empty()).then(|| Wanted::Among(Arc::new(moves)))
    }

    /// After a filter was set: says so if no open row fits, and how to look in the whole tree.
    pub(crate) fn tell_if_nothing_fits(&mut self) {
        let filter = self.explore.tree.filter.clone();
        if filter == Filter::All || self.is_drawn() {
            return;
        }
        let rows = self.with_tree(|explorer, reader| {
            explorer.rebuild(reader);
            explorer.rows().len()
        });
        if rows.is_none_or(|rows| rows > 1) {
            return;
        }
        let key = key_of_command(self, "find-next");
        let what = match filter.wanted() {
            Some(_) => {
                self.explore.tree.sought = Some(filter.clone());
                format!(
                    "no open row is \"{}\": {key} looks in the whole tree",
                    filter.name()
                )
            }
            None => format!(
                "no open row has {} in its name: f shows others",
                filter.name()
            ),
        };
        self.say(Level::Info, what);
    }
}
