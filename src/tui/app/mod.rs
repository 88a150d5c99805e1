//! The owner of what is shared and of the tabs: it leads input to them, and does what they ask of each other.

mod act;
mod attach;
mod back;
mod keyboard;
mod lessons;
mod mouse;
mod opening;
mod palette;
mod run_again;
mod small;
pub(crate) mod start;
mod turn;

pub use crate::context::Setup;

use crate::commands::COMMANDS;
use crate::component::Component;
use crate::context::{Ask, Context, Level};
use crate::overlays::Overlay;
use crate::panes::panes;
use crate::reach::Reach;
use crate::tabs::compare::Compare;
use crate::tabs::explore::ExploreScreen;
use crate::tabs::game::GameTab;
use crate::tabs::lab::LabTab;
use crate::tabs::learn::LearnTab;
use crate::tabs::{Tab, TabScreen, Tabs};
pub(crate) use attach::Attached;
use games::Document;
use keyboard::Keyboard;
use screen::theme::ThemeStore;

/// The workbench: what is shared, the tabs, and what leads input to them.
#[derive(Debug)]
pub struct App {
    /// What the tabs and panes share.
    pub cx: Context,
    pub tabs: Tabs,
    pub(super) keyboard: Keyboard,
}

impl App {
    /// Creates a workbench in which nothing runs yet: see [`Context::start_search`].
    pub fn new(setup: Setup) -> App {
        let mut game = GameTab::new(&setup.config);
        game.begin(&setup.document);
        let cx = Context::new(setup);
        let tabs = Tabs {
            explore: ExploreScreen,
            compare: Compare::default(),
            game,
            lab: LabTab::default(),
            learn: LearnTab::default(),
        };
        let mut app = App {
            cx,
            tabs,
            keyboard: Keyboard::default(),
        };
        let name = app.cx.looks.name.clone();
        if !app.cx.set_theme(&name) {
            app.cx.set_theme(ThemeStore::DEFAULT);
        }
        app.cx.tell_about_document();
        app.cx.tell_about_entry();
        app
    }

    /// Returns the tab on the screen.
    pub(crate) fn tab(&self) -> &dyn TabScreen {
        self.tabs.get(self.cx.tab)
    }

    /// Returns all tabs and panes, for reading.
    pub(crate) fn with_components<R>(
        &self,
        mut f: impl FnMut(&dyn Component) -> Option<R>,
    ) -> Option<R> {
        let found = self.tabs.all().find_map(|tab| f(tab));
        found.or_else(|| panes().iter().find_map(|pane| f(&**pane)))
    }

    /// Does what the parts of the workbench have asked for.
    pub(crate) fn do_asked(&mut self) {
        while !self.cx.asks.is_empty() {
            for ask in std::mem::take(&mut self.cx.asks) {
                let tab = self.tabs.get_mut(self.cx.tab);
                match ask {
                    Ask::SearchBegan => tab.search_began(&mut self.cx),
                    Ask::PlaceChanged => tab.place_changed(&mut self.cx),
                    Ask::Show(tab) => self.show_tab(tab),
                    Ask::ReadAgain(what) => {
                        self.read_again();
                        self.cx.say(Level::Info, what);
                    }
                    Ask::Open(read) => {
                        self.show_tab(Tab::Explore);
                        self.cx.say(Level::Info, "the position that was set up");
                        let document = Document::of_fen("position set up", *read);
                        self.tabs.game.open_document(&mut self.cx, document);
                    }
                    Ask::Run(id) => self.run(id),
                    Ask::Do(act) => act(self),
                    Ask::Request(request) => self.request(request),
                }
            }
        }
    }

    /// Lets the open overlay do something that returns whether it stays open; returns whether there is one.
    pub(crate) fn with_overlay(
        &mut self,
        act: impl FnOnce(&mut dyn Overlay, &mut Reach) -> bool,
    ) -> bool {
        let Some(mut overlay) = self.cx.overlay.take() else {
            return false;
        };
        let stays = act(&mut *overlay, &mut Reach(self));
        if stays && self.cx.overlay.is_none() {
            self.cx.overlay = Some(overlay);
        }
        true
    }

    /// Passes pasted text to the field that is being edited; where nothing is asked, it is opened.
    pub fn paste(&mut self, text: &str) {
        self.cx.dirty = true;
        if !self.with_overlay(|overlay, reach| overlay.paste(reach, text))
            && let Err(what) = self.open_text(text)
        {
            self.cx.say(Level::Error, what);
        }
    }

    /// Runs a command by its id: for tests and clicks.
    pub fn run(&mut self, id: &str) {
        if let Some(i) = super::commands::index_of(id) {
            self.cx.dirty = true;
            (COMMANDS[i].run)(self, None);
            self.do_asked();
        }
    }
}
