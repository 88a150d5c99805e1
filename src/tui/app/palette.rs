//! The palette: every command, the likely ones first.

use super::App;
use crate::commands::{ASKING, COMMANDS, groups, index_of};
use crate::overlays::chooser::{Choice, Chooser, Item};

impl App {
    pub fn ask_palette(&mut self) {
        let rows = self.likely_commands();
        let item = |&row: &usize| Item {
            label: COMMANDS[row].id.replace('-', " "),
            detail: COMMANDS[row].doc.to_owned(),
            note: self.cx.keymap.keys_of(row).join("  "),
            also: COMMANDS[row].also,
            ..Item::default()
        };
        let mut chooser = Chooser::new("commands", rows.iter().map(item).collect(), 0);
        chooser.describes = true;
        (chooser.least, chooser.quarters, chooser.verb) = (96, 3, "run");
        self.cx.choose_while(chooser, move |app, chooser, choice| {
            if let Choice::Taken(taken) = choice {
                app.run_from_palette(rows[taken]);
            }
            choice == Choice::Moved && !app.asks(&chooser.query)
        });
    }

    /// Opens the prompt of a command that asks for a text, once its name and a space were typed.
    fn asks(&mut self, query: &str) -> bool {
        let named = query.strip_suffix(' ').map(|name| name.replace(' ', "-"));
        let id = ASKING.iter().find(|id| Some(**id) == named.as_deref());
        if let Some(id) = id {
            self.run(id);
        }
        id.is_some() && self.cx.overlay.is_some()
    }

    /// Runs a command of the palette, which will begin with it next time.
    fn run_from_palette(&mut self, command: usize) {
        const KEPT: usize = 3;
        self.cx.used.retain(|other| *other != command);
        self.cx.used.insert(0, command);
        self.cx.used.truncate(KEPT);
        (COMMANDS[command].run)(self, None);
    }

    /// Returns all commands: those used last, those that the key bar hints at, the others of the tab, those of every tab,
    /// and last those of other tabs.
    fn likely_commands(&self) -> Vec<usize> {
        let here = self.scope();
        let hints = self.tab().hints(&self.cx);
        let hinted = hints.iter().filter_map(|id| index_of(id));
        let mut rows: Vec<usize> = self.cx.used.iter().copied().chain(hinted).collect();
        let distance = |group: &crate::commands::Group| match group.scope {
            Some(_) if here.places().contains(&group.scope) => 0,
            None => 1,
            Some(_) => 2,
        };
        let mut others: Vec<(u8, usize)> = groups()
            .flat_map(|(group, commands)| commands.map(move |row| (distance(group), row)))
            .collect();
        others.sort_unstable();
        rows.extend(others.into_iter().map(|(_, row)| row));
        let mut seen = vec![false; COMMANDS.len()];
        rows.retain(|row| !std::mem::replace(&mut seen[*row], true));
        rows
    }
}
