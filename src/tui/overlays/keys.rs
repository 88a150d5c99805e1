//! The keys of the overlays, for the key bar: an overlay's keys are its own, not commands of the table.

use super::chooser::Chooser;
use super::help::Help;
use super::options::{Editor, Half};
use super::{Answer, Overlay};

/// A key, and what it does in two or three words.
pub type KeyHint = (&'static str, &'static str);

impl Overlay {
    /// Returns the keys that mean something while the overlay is open, the most useful first.
    pub fn keys(&self) -> Vec<KeyHint> {
        match self {
            Overlay::Choose(answer, chooser) => choose(answer, chooser),
            Overlay::Prompt(Answer::Find(_), _) => vec![
                ("Enter", "find"),
                ("Down", "next one"),
                ("Up", "previous one"),
                ("Esc", "close"),
            ],
            Overlay::Prompt(Answer::FindGame(_), _) => vec![
                ("Enter", "keep these"),
                ("Down", "next game"),
                ("Up", "previous game"),
                ("Esc", "undo"),
            ],
            Overlay::Prompt(..) => {
                vec![("Enter", "done"), ("Ctrl-u", "clear"), ("Esc", "close")]
            }
            Overlay::Options(editor) => options(editor),
            Overlay::Help(help) => {
                let mut keys = vec![
                    ("Tab", "next page"),
                    ("j", "down"),
                    ("k", "up"),
                    ("space", "page down"),
                    ("Esc", "close"),
                ];
                if help.page == Help::HERE {
                    keys.insert(0, ("?", "all keys"));
                }
                keys
            }
            Overlay::SetUp(_) => vec![
                ("Enter", "open"),
                ("Tab", "next field"),
                ("c", "clear"),
                ("s", "start position"),
                ("w", "side to move"),
                ("f", "flip"),
                ("Esc", "cancel"),
            ],
            Overlay::Breakpoints(_) => vec![
                ("a", "add"),
                ("space", "on or off"),
                ("Enter", "change"),
                ("d", "delete"),
                ("Esc", "close"),
            ],
            Overlay::Expression(_, expression) => {
                let mut keys = vec![("Enter", "done"), ("Esc", "close")];
                let refused = expression.refused.as_ref();
                if refused.is_some_and(|refused| refused.meant.is_some()) {
                    keys.insert(0, ("Tab", "take the word"));
                } else if !expression.completions.is_empty() {
                    keys.insert(0, ("Tab", "complete"));
                }
                if expression.text().is_empty() && !expression.completions.is_empty() {
                    keys[1].1 = "use it";
                    keys.insert(0, ("Down", "choose one"));
                }
                keys
            }
        }
    }
}

fn choose(answer: &Answer, chooser: &Chooser) -> Vec<KeyHint> {
    let take = match answer {
        Answer::Command(_) => "run",
        Answer::Start(_) => "open",
        _ => "choose",
    };
    let mut keys = vec![("Enter", take), ("Up Down", "select")];
    if !chooser.query.is_empty() {
        keys.push(("Ctrl-u", "clear"));
    }
    keys.push(("Esc", "close"));
    keys
}

fn options(editor: &Editor) -> Vec<KeyHint> {
    match (editor.editing.is_some(), editor.half) {
        (true, _) => vec![("Enter", "keep the value"), ("Esc", "close")],
        (_, Half::Algorithms) => vec![
            ("Enter", "search with it"),
            ("Tab", "options"),
            ("j", "down"),
            ("k", "up"),
            ("Esc", "close"),
        ],
        (_, Half::Options) => vec![
            ("Enter", "change"),
            ("space", "next value"),
            ("d", "default"),
            ("x", "search with it"),
            ("Tab", "algorithms"),
            ("Esc", "close"),
        ],
    }
}
