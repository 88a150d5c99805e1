//! What ended a search before its limits.

use super::Session;
use crate::game::text::thousands;
use crate::game::{MoveCode, Subject};
use crate::search::Decision;

/// `only Kh1 is legal`, `Nf3 has 5,120 visits more than the next move; about 4,000 are left`. Never begins with a move of
/// UCI's.
fn words(decision: Decision, root: &Subject) -> String {
    let name = |code: MoveCode| match root {
        Subject::Chess(s) => name_of(&s.position, code),
        Subject::Toy(s) => name_of(&s.position, code),
    };
    match decision {
        Decision::OnlyMove(m) => format!("only {} may be played", name(m)),
        Decision::OutOfReach { best, lead, left } => format!(
            "{} has {} visits more than the next move; about {} are left",
            name(best),
            thousands(lead.into()),
            thousands(left)
        ),
    }
}

fn name_of<G: crate::game::Game>(position: &G, code: MoveCode) -> String {
    let m = position.decode(code);
    m.map_or_else(|| String::from("the move"), |m| position.label(m))
}

impl Session {
    /// Why the move stood before the limits were reached, where that ended the search.
    #[must_use]
    pub fn decision(&self) -> Option<String> {
        let decision = self.run.control.decision()?;
        Some(words(decision, &self.subject))
    }

    /// The same once, as news.
    pub fn new_decision(&mut self) -> Option<String> {
        let news = self.decision().filter(|_| !self.decision_told)?;
        self.decision_told = true;
        Some(news)
    }
}
