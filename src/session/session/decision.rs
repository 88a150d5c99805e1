//! Why a search ended before its limits.

use super::Session;
use crate::Subject;
use game::{Game as _, MoveCode};
use search::Decision;
use text::thousands;

/// Returns texts such as `only Kh1 may be played` or `Nf3 has 5,120 visits more than the next move; about 4,000 are
/// left`. They never begin with a move in UCI notation.
fn words(decision: Decision, root: &Subject) -> String {
    let position = &root.position;
    let name = |code: MoveCode| match position.decode(code) {
        Some(m) => position.label(m),
        None => String::from("the move"),
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

impl Session {
    /// Returns why the move was settled before the limits were reached, if that ended the search.
    pub fn decision(&self) -> Option<String> {
        let decision = self.run.control.decision()?;
        Some(words(decision, &self.subject))
    }

    /// Returns [`Session::decision`] once, as news.
    pub fn new_decision(&mut self) -> Option<String> {
        let news = self.decision().filter(|_| !self.decision_told)?;
        self.decision_told = true;
        Some(news)
    }
}
