//! A list to filter by typing and to choose from: the palette, the themes, the samples, orders and filters.

mod view;

pub(crate) use view::{draw_query, draw_words};

use crossterm::event::KeyCode;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::layout::Rect;

use super::{KeyHint, Overlay, OverlayTarget};
use crate::app::App;
use crate::component::Event;
use crate::context::Context;
use crate::reach::{Reach, Sight};
use screen::keys::Key;
use screen::list::List;
use screen::pen::Pen;

/// One item to choose.
#[derive(Clone, Debug, Default)]
pub struct Item {
    pub label: String,
    pub detail: String,
    /// Text at the right edge, such as a key.
    pub note: String,
    /// Other words by which it is found.
    pub also: &'static str,
    /// What it belongs to.
    pub group: &'static str,
    /// Whether it is always shown, after the others, regardless of the query.
    pub fixed: bool,
}

impl Item {
    pub fn new(label: impl Into<String>, detail: impl Into<String>) -> Item {
        Item {
            label: label.into(),
            detail: detail.into(),
            ..Item::default()
        }
    }

    /// Returns where the words of a query are found beside the label, if they are.
    fn tier_of_words(&self, query: &str) -> Option<Tier> {
        let known = !self.also.is_empty();
        if known && begins_words(&format!("{} {}", self.label, self.also), query) {
            return Some(Tier::OtherWords);
        }
        begins_words(&self.detail, query).then_some(Tier::DescriptionWords)
    }
}

/// An item as shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its index in the items.
    pub item: usize,
    /// The characters of the label that the query matches.
    pub found: Vec<u32>,
}

/// A list with a query.
#[derive(Debug)]
pub struct Chooser {
    pub title: &'static str,
    /// Shown while nothing is typed.
    pub placeholder: &'static str,
    /// What Enter does, for the key bar.
    pub verb: &'static str,
    /// The least width of the popup.
    pub least: u16,
    /// At most this many quarters of the screen's height.
    pub quarters: u16,
    /// Whether the selected item's details are shown whole below the list.
    pub describes: bool,
    /// The item that pasted text is for as a whole; otherwise its first line filters.
    pub takes_pasted: Option<usize>,
    /// An item that is shown first whatever the query finds.
    pinned: Option<usize>,
    /// Words that may stand before what is looked for.
    pub lead: String,
    /// Whether Tab completes what is typed.
    pub completes: bool,
    pub query: String,
    items: Vec<Item>,
    shown: Vec<Shown>,
    pub list: List,
    matcher: Matcher,
}

/// What a key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The selection or the query changed.
    Moved,
    Taken(usize),
    /// Tab was pressed to complete what is typed by the selected item.
    Completed(usize),
    /// What is typed is taken as it is, since nothing matches.
    Typed,
    Cancelled,
    Nothing,
}

/// How a query matches an item, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// The label begins with the query.
    Beginning,
    /// Each word of the query begins a word of the label.
    Words,
    /// Each word of the query begins a word of the label or one of the other words for the item.
    OtherWords,
    /// Each word of the query begins a word of the description.
    DescriptionWords,
    /// The letters are somewhere in the label, in their order. (In the description they nearly always are.)
    Scattered,
    Last,
}

/// The place of an item in the list.
#[derive(Clone, Copy, Debug)]
struct Rank {
    tier: Tier,
    /// How close together the letters are.
    score: u32,
}

impl Rank {
    const LAST: Rank = Rank {
        tier: Tier::Last,
        score: 0,
    };

    /// Returns what to sort by. Items that begin alike keep their order, in which the likely ones are first.
    fn key(self) -> (Tier, std::cmp::Reverse<u32>) {
        let score = match self.tier {
            Tier::Scattered => self.score,
            _ => 0,
        };
        (self.tier, std::cmp::Reverse(score))
    }
}

fn label_tier(label: &str, query: &str) -> Tier {
    let starts = |text: &str| lowercase(text).starts_with(&lowercase(query.trim()));
    match () {
        () if starts(label) => Tier::Beginning,
        () if begins_words(label, query) => Tier::Words,
        () => Tier::Scattered,
    }
}

fn lowercase(text: &str) -> String {
    text.to_lowercase()
}

/// Whether each word of the query begins a word of the text.
fn begins_words(text: &str, query: &str) -> bool {
    let text = lowercase(text);
    let words = || text.split(|c: char| !c.is_alphanumeric());
    lowercase(query)
        .split_whitespace()
        .all(|part| words().any(|word| word.starts_with(part)))
}

impl Chooser {
    pub fn new(title: &'static str, items: Vec<Item>, selected: usize) -> Chooser {
        let mut chooser = Chooser {
            title,
            placeholder: "type to filter",
            verb: "choose",
            least: 64,
            quarters: 4,
            describes: false,
            takes_pasted: None,
            pinned: None,
            lead: String::new(),
            completes: false,
            query: String::new(),
            items,
            shown: Vec::new(),
            list: List::default(),
            matcher: Matcher::new(Config::DEFAULT),
        };
        chooser.search();
        chooser.list.select(selected, chooser.shown.len());
        chooser
    }

    pub fn item(&self, i: usize) -> &Item {
        &self.items[i]
    }

    pub fn item_mut(&mut self, i: usize) -> Option<&mut Item> {
        self.items.get_mut(i)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Replaces the items.
    pub fn set_items(&mut self, items: Vec<Item>) {
        self.items = items;
        self.search();
    }

    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }

    /// Returns the selected item's index in the items.
    pub fn selected(&self) -> Option<usize> {
        self.shown.get(self.list.selected).map(|s| s.item)
    }

    /// Applies the query; to be called after every change of it.
    pub fn search(&mut self) {
        let query = self.query.strip_prefix(&self.lead).unwrap_or(&self.query);
        let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
        let mut found: Vec<(Rank, Shown)> = Vec::new();
        let mut buffer = Vec::new();
        for (i, item) in self.items.iter().enumerate() {
            let mut indices = Vec::new();
            let label = Utf32Str::new(&item.label, &mut buffer);
            let by_label = pattern.indices(label, &mut self.matcher, &mut indices);
            let mut rank = by_label.map(|score| Rank {
                tier: label_tier(&item.label, query),
                score,
            });
            if rank.is_none_or(|rank| rank.tier == Tier::Scattered)
                && let Some(tier) = item.tier_of_words(query)
            {
                indices.clear();
                rank = Some(Rank { tier, score: 0 });
            }
            indices.sort_unstable();
            indices.dedup();
            let shown = Shown {
                item: i,
                found: indices,
            };
            if item.fixed {
                found.push((
                    Rank::LAST,
                    Shown {
                        found: Vec::new(),
                        ..shown
                    },
                ));
            } else if let Some(rank) = rank {
                found.push((rank, shown));
            }
        }
        if !self.query.is_empty() {
            found.sort_by_key(|(rank, shown)| (rank.key(), shown.item));
        }
        found.sort_by_key(|(_, shown)| Some(shown.item) != self.pinned);
        self.shown = found.into_iter().map(|(_, s)| s).collect();
        self.list = List::default();
    }

    /// Shows an item first, or none in particular.
    pub fn pin(&mut self, item: Option<usize>) {
        if self.pinned != item {
            self.pinned = item;
            self.search();
        }
    }

    /// Handles a key press while the list has the focus.
    pub fn key(&mut self, key: Key) -> Choice {
        let count = self.shown.len();
        match key.code {
            KeyCode::Esc => return Choice::Cancelled,
            KeyCode::Char('c') if key.ctrl => return Choice::Cancelled,
            KeyCode::Enter => {
                let none = match self.completes && !self.query.is_empty() {
                    true => Choice::Typed,
                    false => Choice::Nothing,
                };
                return self.selected().map_or(none, Choice::Taken);
            }
            _ if self.list.key(key, count) => {}
            KeyCode::Tab if self.completes => {
                return self.selected().map_or(Choice::Nothing, Choice::Completed);
            }
            KeyCode::Tab if key.shift => self.list.walk(-1, count),
            KeyCode::Tab => self.list.walk(1, count),
            KeyCode::Backspace => {
                self.query.pop();
                self.search();
            }
            KeyCode::Char('u') if key.ctrl => {
                self.query.clear();
                self.search();
            }
            _ => match key.typed() {
                Some(c) => {
                    self.query.push(c);
                    self.search();
                }
                None => return Choice::Nothing,
            },
        }
        Choice::Moved
    }

    /// Handles a click on one of the shown rows.
    pub fn click(&mut self, row: usize) -> Choice {
        if row >= self.shown.len() {
            return Choice::Nothing;
        }
        self.list.click(row);
        self.selected().map_or(Choice::Nothing, Choice::Taken)
    }
}

/// What is done with a choice; returns whether the list stays open.
type Act = Box<dyn FnMut(&mut App, &mut Chooser, Choice) -> bool>;

/// A list to choose from, and what is done with the choice.
pub struct Choosing {
    pub chooser: Chooser,
    act: Act,
}

impl Choosing {
    pub(crate) fn new(
        chooser: Chooser,
        act: impl FnMut(&mut App, &mut Chooser, Choice) -> bool + 'static,
    ) -> Choosing {
        let act = Box::new(act);
        Choosing { chooser, act }
    }

    fn act(&mut self, reach: &mut Reach, choice: Choice) -> bool {
        choice == Choice::Nothing || (self.act)(reach.app(), &mut self.chooser, choice)
    }
}

impl Overlay for Choosing {
    fn keys(&self) -> Vec<KeyHint> {
        let mut keys = vec![("Enter", self.chooser.verb), ("Up Down", "select")];
        if self.chooser.completes {
            keys.push(("Tab", "complete"));
        }
        if !self.chooser.query.is_empty() {
            keys.push(("Ctrl-u", "clear"));
        }
        keys.push(("Esc", "close"));
        keys
    }

    fn handle(&mut self, reach: &mut Reach, event: &Event) -> bool {
        let choice = match event.of() {
            Event::Key(key, _) => self.chooser.key(key),
            Event::Click(Some(OverlayTarget::Item(row)), _) => self.chooser.click(row),
            Event::Wheel(_, by) => {
                let count = self.chooser.shown.len();
                self.chooser.list.scroll(by, count);
                Choice::Moved
            }
            _ => Choice::Nothing,
        };
        self.act(reach, choice)
    }

    fn paste(&mut self, reach: &mut Reach, text: &str) -> bool {
        if let Some(item) = self.chooser.takes_pasted {
            let query = std::mem::replace(&mut self.chooser.query, text.to_owned());
            let stays = self.act(reach, Choice::Taken(item));
            self.chooser.query = query;
            return stays;
        }
        let line = text.lines().next().unwrap_or("");
        let typed = line.chars().filter(|c| !c.is_control());
        self.chooser.query.extend(typed);
        self.chooser.search();
        self.act(reach, Choice::Moved)
    }

    fn update(&mut self, _: &Context, area: Rect) {
        view::update(area, &mut self.chooser);
    }

    fn draw(&self, _: Sight, pen: &mut Pen, area: Rect) {
        view::draw(pen, area, &self.chooser);
    }
}

impl Context {
    /// Lets the user choose, and does something with the index of the item that is taken.
    pub(crate) fn choose(
        &mut self,
        chooser: Chooser,
        mut taken: impl FnMut(&mut App, usize) + 'static,
    ) {
        self.choose_while(chooser, move |app, _, choice| {
            if let Choice::Taken(item) = choice {
                taken(app, item);
            }
            choice == Choice::Moved
        });
    }

    /// Asks before something is lost; `yes` says what, and `act` does it.
    pub(crate) fn confirm(
        &mut self,
        title: &'static str,
        yes: Item,
        mut act: impl FnMut(&mut App) + 'static,
    ) {
        let chooser = Chooser::new(title, vec![yes, Item::new("keep it", "nothing changes")], 0);
        self.choose(chooser, move |app, taken| {
            if taken == 0 {
                act(app);
            }
        });
    }

    /// Lets the user choose, and does something at each change of the selection or the query as well. `act` returns whether
    /// the list stays open.
    pub(crate) fn choose_while(
        &mut self,
        chooser: Chooser,
        act: impl FnMut(&mut App, &mut Chooser, Choice) -> bool + 'static,
    ) {
        self.open(Choosing::new(chooser, act));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(labels: &[&str]) -> Vec<Item> {
        let item = |l: &&str| Item::new(*l, "");
        labels.iter().map(item).collect()
    }

    fn press(chooser: &mut Chooser, keys: &str) -> Choice {
        let mut last = Choice::Nothing;
        for k in keys.split(' ') {
            last = chooser.key(Key::parse(k).expect("a key"));
        }
        last
    }

    #[test]
    fn beginnings_of_words_come_before_scattered_letters() {
        let item = |label: &str, detail: &str| Item::new(label, detail);
        let mut c = Chooser::new(
            "",
            vec![
                item("cable steered", ""),
                item("worst", "not the best"),
                item("open best", ""),
                item("best", ""),
                item("BESTOW", ""),
                item("moves", "a pebble stone"),
                item("stand", "the best of them"),
            ],
            0,
        );
        assert_eq!(press(&mut c, "b e s t"), Choice::Moved);
        let labels: Vec<&str> = c
            .shown()
            .iter()
            .map(|s| c.item(s.item).label.as_str())
            .collect();
        // Letters that are scattered over a description are no match.
        assert_eq!(
            labels,
            [
                "best",
                "BESTOW",
                "open best",
                "worst",
                "stand",
                "cable steered"
            ]
        );
    }

    #[test]
    fn letters_narrow_and_rank() {
        let mut c = Chooser::new(
            "",
            items(&["close all", "flip", "copy FEN", "find next"]),
            0,
        );
        assert_eq!(press(&mut c, "f n"), Choice::Moved);
        let labels: Vec<&str> = c
            .shown()
            .iter()
            .map(|s| c.item(s.item).label.as_str())
            .collect();
        assert_eq!(labels, ["find next", "copy FEN"]);
        assert!(!c.shown()[0].found.is_empty());
        assert_eq!(press(&mut c, "Down Enter"), Choice::Taken(2));
        assert_eq!(press(&mut c, "Ctrl-u"), Choice::Moved);
        assert_eq!(c.shown().len(), 4);
        assert_eq!(press(&mut c, "z z Enter"), Choice::Nothing);
        assert_eq!(press(&mut c, "Esc"), Choice::Cancelled);
    }
}
