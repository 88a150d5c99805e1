//! The start screen: at the left what one can do, by groups, at the right a preview of what is selected.

mod preview;
mod sketch;
mod view;

use std::path::PathBuf;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::chooser::{Chooser, Choosing};
use super::{KeyHint, Overlay};
use crate::component::Event;
use crate::context::{Ask, Context};
use crate::reach::{Reach, Sight};
use games::Opening;
use preview::Preview;
use screen::pen::Pen;

/// Where an item of the list leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The session that was kept when the program ended last.
    GoOn(PathBuf),
    Learn,
    Explore,
    Review,
    Compare,
    /// A program that sends its search.
    Attach,
    /// A program that speaks UCI.
    Engine,
    /// A file that was open before.
    Recent(PathBuf),
    /// The beginning of a game other than chess.
    Begin(&'static Opening),
    /// A sample, by its index.
    Sample(usize),
    /// What was typed: a FEN, moves, or the name of a file.
    Typed,
}

/// The list of the ways, with a preview of the selected one.
pub struct Start {
    choosing: Choosing,
    ways: Vec<Way>,
    /// The preview, and what it was made for.
    seen: Option<((Way, String), Preview)>,
}

impl Start {
    fn chooser(&self) -> &Chooser {
        &self.choosing.chooser
    }
}

impl Overlay for Start {
    fn keys(&self) -> Vec<KeyHint> {
        let mut keys = self.choosing.keys();
        keys.insert(2, ("Ctrl-o", "files"));
        keys
    }

    fn handle(&mut self, reach: &mut Reach, event: &Event) -> bool {
        if let Event::Key(key, _) = event
            && key.ctrl
            && key.code == KeyCode::Char('o')
        {
            reach.cx().asks.push(Ask::Run("open-file"));
            return false;
        }
        self.choosing.handle(reach, event)
    }

    fn paste(&mut self, reach: &mut Reach, text: &str) -> bool {
        self.choosing.paste(reach, text)
    }

    fn update(&mut self, cx: &Context, area: Rect) {
        let parts = view::Parts::of(area);
        let count = self.chooser().shown().len();
        let height = usize::from(parts.list.height);
        self.choosing.chooser.list.fit(height, count);
        let way = self.chooser().selected().map(|i| self.ways[i].clone());
        let Some(way) = way else {
            self.seen = None;
            return;
        };
        // Only what is typed depends on the query.
        let query = match way {
            Way::Typed => self.chooser().query.clone(),
            _ => String::new(),
        };
        let key = (way, query);
        if self.seen.as_ref().is_none_or(|(seen, _)| *seen != key) {
            let preview = Preview::of(cx, &key.0, &key.1);
            self.seen = Some((key, preview));
        }
    }

    fn draw(&self, sight: Sight, pen: &mut Pen, area: Rect) {
        let preview = self.seen.as_ref().map(|(_, preview)| preview);
        view::draw(sight.cx(), pen, area, self.chooser(), preview);
    }
}

/// The game to try the review on.
pub(crate) const GAME: &str = "opera-game";

impl Context {
    /// Opens the start screen with these ways to go on, among which one chooses.
    pub(crate) fn open_start(&mut self, ways: Vec<Way>, choosing: Choosing) {
        self.open(Start {
            choosing,
            ways,
            seen: None,
        });
    }
}
