//! The threat: what the other side would play if the side to move passed, found by a short search in the background.

use std::collections::HashMap;

use crate::context::{Context, Level};
use algorithms::Algorithm;
use game::{ChessKnowledge as _, Game, MoveCode};
use search::Limits;
use session::{Config, Session, State, Subject};

/// The nodes of the search: about a tenth of a second, and enough to see tactics.
const NODES: u64 = 60_000;
/// The bytes of its tree and of its table.
const BYTES: u64 = 8 << 20;
/// The number of positions whose threat is remembered.
const MOST: usize = 200;

/// The threats known so far, and the search for the next one.
#[derive(Debug, Default)]
pub struct Threats {
    pub shown: bool,
    /// The position whose threat is searched for, by its key.
    under_way: Option<(u64, Box<Session>)>,
    /// By the key of the position; `None` where the side to move cannot pass.
    known: HashMap<u64, Option<MoveCode>>,
}

impl Threats {
    /// Returns the threat in a position, if it is shown and known: the position after passing, and the move.
    pub(super) fn in_position(&self, subject: &Subject) -> Option<(Subject, MoveCode)> {
        if !self.shown {
            return None;
        }
        let code = self.known.get(&subject.position.key()).copied()??;
        Some((passed(subject)?, code))
    }

    /// Whether the search for a threat is under way.
    pub fn is_searching(&self) -> bool {
        self.under_way.is_some()
    }
}

/// Returns the position after passing: by a null move, or where passing is a move of the game, by that. `None` where the side to
/// move can't pass.
fn passed(subject: &Subject) -> Option<Subject> {
    let mut passed = subject.clone();
    if passed.follow(MoveCode::PASS) {
        return Some(passed);
    }
    let is_toy = subject.position.as_toy().is_some();
    subject.play_text("pass").ok().filter(|_| !is_toy)
}

impl Context {
    pub fn toggle_threat(&mut self) {
        let shown = !self.explore.board.threats.shown;
        self.explore.board.threats.shown = shown;
        if !shown {
            self.explore.board.threats.under_way = None;
            return self.say(Level::Info, "threat hidden");
        }
        let subject = self.subject_on_board();
        let side = subject.position.side_name(subject.position.turn());
        let what = match passed(&subject).is_some() {
            true => format!("the threat: what would be played if {side} passed"),
            false if subject.position.is_check() => {
                format!("{side} is in check and can't pass: no threat here")
            }
            false if subject.position.height().is_some() => "a toy tree has no threats".to_owned(),
            false => format!("{side} can't pass: no threat here"),
        };
        self.say(Level::Info, what);
    }

    /// Searches for the threat in the position on the board, and takes what was found.
    pub(crate) fn tend_threat(&mut self) {
        if !self.explore.board.threats.shown || !self.in_explore() {
            return;
        }
        let subject = self.subject_on_board();
        let key = subject.position.key();
        let threats = &mut self.explore.board.threats;
        if let Some((of, session)) = &threats.under_way {
            let ended = matches!(session.status().state, State::Finished(_));
            if ended {
                threats.known.insert(*of, session.best_to_play());
                self.dirty = true;
            }
            if ended || *of != key {
                threats.under_way = None;
            }
        }
        if threats.under_way.is_some() || threats.known.contains_key(&key) {
            return;
        }
        if threats.known.len() >= MOST {
            threats.known.clear();
        }
        let Some(passed) = passed(&subject) else {
            threats.known.insert(key, None);
            return;
        };
        let config = Config {
            limits: Limits {
                nodes: Some(NODES),
                ..Limits::default()
            },
            memory: BYTES,
            table: BYTES,
            record_plies: 1,
            ..Config::new(Algorithm::AlphaBeta)
        };
        threats.under_way = Some((key, Box::new(Session::start(passed, config))));
    }
}
