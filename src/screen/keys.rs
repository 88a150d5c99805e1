//! Keys in the usual notation (`Ctrl-d`, `g g`, `PgDn`), and the mapping from pressed keys to commands.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// One key with its modifiers. For a character, Shift is part of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
}

const NAMES: [(&str, KeyCode); 17] = [
    ("space", KeyCode::Char(' ')),
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("F1", KeyCode::F(1)),
    ("F2", KeyCode::F(2)),
    ("F5", KeyCode::F(5)),
];

impl Key {
    pub const ESC: Key = Key {
        code: KeyCode::Esc,
        ctrl: false,
        alt: false,
        shift: false,
    };

    /// Returns the key of an event; what terminals report differently is made equal.
    pub fn of(event: KeyEvent) -> Key {
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let (code, shift) = match event.code {
            KeyCode::BackTab => (KeyCode::Tab, true),
            KeyCode::Char(c) => (KeyCode::Char(c), false),
            other => (other, shift),
        };
        Key {
            code,
            ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
            alt: event.modifiers.contains(KeyModifiers::ALT),
            shift,
        }
    }

    /// Parses one key: `j`, `Ctrl-d`, `Shift-Tab`, `space`.
    pub fn parse(text: &str) -> Option<Key> {
        let mut key = Key::ESC;
        let mut rest = text;
        loop {
            if let Some(r) = rest.strip_prefix("Ctrl-") {
                (key.ctrl, rest) = (true, r);
            } else if let Some(r) = rest.strip_prefix("Alt-") {
                (key.alt, rest) = (true, r);
            } else if let Some(r) = rest.strip_prefix("Shift-") {
                (key.shift, rest) = (true, r);
            } else {
                break;
            }
        }
        key.code = match NAMES.iter().find(|(name, _)| *name == rest) {
            Some((_, code)) => *code,
            None => {
                let mut chars = rest.chars();
                let c = chars.next()?;
                if chars.next().is_some() {
                    return None;
                }
                KeyCode::Char(c)
            }
        };
        Some(key)
    }

    /// Returns the character that this key types, if any.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }

    /// Whether this is the key `code` without Ctrl or Alt.
    pub fn is(self, code: KeyCode) -> bool {
        self.code == code && !self.ctrl && !self.alt
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [
            (self.ctrl, "Ctrl-"),
            (self.alt, "Alt-"),
            (self.shift, "Shift-"),
        ] {
            if on {
                f.write_str(name)?;
            }
        }
        match NAMES.iter().find(|(_, code)| *code == self.code) {
            Some((name, _)) => f.write_str(name),
            None => match self.code {
                KeyCode::Char(c) => write!(f, "{c}"),
                other => write!(f, "{other}"),
            },
        }
    }
}

/// A sequence of keys that runs one command.
#[derive(Clone, Debug)]
struct Binding<S> {
    keys: Vec<Key>,
    /// The command's row in the table.
    command: usize,
    /// The one place where the binding applies; `None` for all.
    scope: Option<S>,
}

/// The keymap: sequences of keys and the rows of the table of commands, everywhere or in a place of type `S`.
#[derive(Clone, Debug)]
pub struct Keymap<S> {
    bindings: Vec<Binding<S>>,
}

impl<S> Default for Keymap<S> {
    fn default() -> Self {
        Keymap {
            bindings: Vec::new(),
        }
    }
}

/// The meaning of the keys pressed so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Command(usize),
    /// The beginning of a longer sequence.
    Prefix,
    Nothing,
}

impl<S: Copy + PartialEq> Keymap<S> {
    /// Binds keys written like `g g` in one place, or everywhere. Returns false if they cannot be
    /// parsed. The table of commands splits alternatives, which are separated by two spaces.
    pub fn bind(&mut self, keys: &str, command: usize, scope: Option<S>) -> bool {
        let parsed: Option<Vec<Key>> = keys.split(' ').map(Key::parse).collect();
        let Some(keys) = parsed.filter(|p| !p.is_empty()) else {
            return false;
        };
        self.bindings.retain(|b| b.keys != keys || b.scope != scope);
        self.bindings.push(Binding {
            keys,
            command,
            scope,
        });
        true
    }

    /// Removes all keys of a command.
    pub fn unbind(&mut self, command: usize) {
        self.bindings.retain(|b| b.command != command);
    }

    /// Returns what the pressed keys mean in places within each other, the narrowest first: its bindings come before
    /// those of the wider ones.
    pub fn meaning(&self, pressed: &[Key], places: &[Option<S>]) -> Meaning {
        for &scope in places {
            let here = self.bindings.iter().filter(|b| b.scope == scope);
            let mut prefix = false;
            for binding in here {
                if binding.keys == pressed {
                    return Meaning::Command(binding.command);
                }
                prefix |= binding.keys.starts_with(pressed);
            }
            if prefix {
                return Meaning::Prefix;
            }
        }
        Meaning::Nothing
    }

    /// Returns how the keys pressed so far can go on in these places, with the commands that this runs, in the order of
    /// the table. Where two places bind the same keys, the narrower one counts, as in [`Keymap::meaning`].
    pub fn continuations(&self, pressed: &[Key], places: &[Option<S>]) -> Vec<(String, usize)> {
        let mut found: Vec<(&[Key], usize)> = Vec::new();
        for &scope in places {
            for binding in self.bindings.iter().filter(|b| b.scope == scope) {
                let rest = binding.keys.strip_prefix(pressed);
                let Some(rest) = rest.filter(|rest| !rest.is_empty()) else {
                    continue;
                };
                if found.iter().all(|(keys, _)| *keys != rest) {
                    found.push((rest, binding.command));
                }
            }
        }
        found.sort_by_key(|(_, command)| *command);
        let written = found
            .into_iter()
            .map(|(keys, command)| (written(keys), command));
        written.collect()
    }

    /// Returns the keys bound to a command, for display.
    pub fn keys_of(&self, command: usize) -> Vec<String> {
        let of_command = self.bindings.iter().filter(|b| b.command == command);
        of_command.map(|b| written(&b.keys)).collect()
    }
}

/// Writes a sequence of keys for display.
fn written(keys: &[Key]) -> String {
    let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
    // `gg` is easier to read than `g g`; names of several letters need the space.
    let separator = if names.iter().all(|n| n.chars().count() == 1) {
        ""
    } else {
        " "
    };
    names.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &[Option<&str>] = &[Some("game"), None];

    #[test]
    fn continuations_are_those_that_run_something() {
        let mut map = Keymap::default();
        for (keys, command, scope) in [
            ("g g", 1, None),
            ("g e", 2, None),
            ("g g", 3, Some("game")),
            ("g x", 4, Some("lab")),
            ("G", 5, None),
        ] {
            assert!(map.bind(keys, command, scope));
        }
        let g = [Key::parse("g").expect("a key")];
        let pair = |keys: &str, command| (keys.to_owned(), command);
        assert_eq!(map.continuations(&g, &[None]), [pair("g", 1), pair("e", 2)]);
        assert_eq!(map.continuations(&g, GAME), [pair("e", 2), pair("g", 3)]);
        for (keys, command) in map.continuations(&g, GAME) {
            let pressed = [g[0], Key::parse(&keys).expect("a key")];
            assert_eq!(map.meaning(&pressed, GAME), Meaning::Command(command));
        }
        assert_eq!(map.continuations(&[], &[None]).len(), 3);
    }

    #[test]
    fn keys_are_written_as_they_are_read() {
        for text in [
            "j",
            "Ctrl-d",
            "Shift-Tab",
            "space",
            "PgDn",
            "<",
            "?",
            "Alt-x",
            "G",
        ] {
            assert_eq!(Key::parse(text).expect(text).to_string(), text);
        }
        assert_eq!(Key::parse("Ctrl-"), None);
        assert_eq!(Key::parse("PgDnn"), None);
    }

    #[test]
    fn sequences_wait_for_their_end() {
        let mut map = Keymap::<()>::default();
        assert!(map.bind("g g", 3, None) && map.bind("G", 4, None));
        let g = Key::parse("g").expect("a key");
        assert_eq!(map.meaning(&[g], &[None]), Meaning::Prefix);
        assert_eq!(map.meaning(&[g, g], &[None]), Meaning::Command(3));
        assert_eq!(
            map.meaning(&[g, Key::parse("x").expect("a key")], &[None]),
            Meaning::Nothing
        );
        assert_eq!(map.keys_of(3), ["gg"]);
        assert!(map.bind("G", 5, None));
        assert_eq!(map.keys_of(4), Vec::<String>::new());
    }

    #[test]
    fn shift_belongs_to_the_character() {
        let event = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(Some(Key::of(event)), Key::parse("G"));
        let tab = KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT);
        assert_eq!(Some(Key::of(tab)), Key::parse("Shift-Tab"));
    }
}
