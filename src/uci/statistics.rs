//! The statistics of the root's moves in the form of lc0, which programs for analysis read.
//!
//! A number that a search does not have is written with dashes: such programs take that for missing.

use super::report::is_best_first;
use super::wdl::Shares;
use game::Sided as _;
use game::{MoveCode, Scale, Score};
use session::{NodeBelief, Row, Session};
use tree::{NodeView, Tree};

/// One line of statistics.
#[derive(Debug, Default)]
struct Line {
    name: String,
    number: usize,
    /// Visits, or nodes of a depth-first search.
    visits: u64,
    /// The prior, in percent.
    prior: Option<f64>,
    /// The expected score.
    expected: Option<f64>,
    draws: Option<f64>,
    /// Moves to the mate.
    mate: Option<f64>,
    /// The standard deviation of the belief.
    spread: Option<f64>,
    /// The static value, as an expected score.
    own: Option<f64>,
}

/// Returns a line for each legal move, the best last, and one for the root itself.
pub(super) fn lines(session: &Session) -> Vec<String> {
    let reader = session.reader();
    let by_visits = is_best_first(session);
    let rows = reader.rows_best_first(Tree::ROOT);
    let moves = rows.iter().rev().map(|row| of_row(session, row, by_visits));
    let mut lines: Vec<String> = moves.map(|line| line.text()).collect();
    let root = reader.view(Tree::ROOT);
    let belief = reader.reported();
    lines.push(
        Line {
            name: "node".to_owned(),
            number: rows.len(),
            visits: work(&root, by_visits),
            prior: Some(100.0),
            expected: root.expected.map(f64::from),
            draws: shares(session, belief.as_ref()).map(Shares::draw),
            mate: mate(&root),
            spread: spread(&root, belief.as_ref()),
            own: own(&root),
        }
        .text(),
    );
    lines
}

/// The shares of won, drawn and lost after a move of the root.
pub(super) fn shares_of_move(session: &Session, code: MoveCode) -> Option<Shares> {
    let reader = session.reader();
    if reader.best_move(Tree::ROOT) == Some(code) {
        return shares(session, reader.reported().as_ref());
    }
    let child = session.tree().child_by_move(Tree::ROOT, code)?;
    shares(session, reader.belief(child).turned().as_ref())
}

fn of_row(session: &Session, row: &Row, by_visits: bool) -> Line {
    let Row { view, belief, .. } = row;
    let code = row.move_code;
    Line {
        name: row.uci.clone(),
        number: usize::from(code.0),
        visits: work(view, by_visits),
        prior: view.policy.map(|p| 100.0 * f64::from(p)),
        expected: view.expected.map(f64::from),
        draws: shares(session, belief.as_ref()).map(Shares::draw),
        mate: mate(view),
        spread: spread(view, belief.as_ref()),
        own: own(view).turned(),
    }
}

fn work(view: &NodeView, by_visits: bool) -> u64 {
    match by_visits {
        true => view.visits.into(),
        false => view.nodes,
    }
}

fn shares(session: &Session, belief: Option<&NodeBelief>) -> Option<Shares> {
    Shares::of_belief(belief?, session.tree().grid())
}

fn mate(view: &NodeView) -> Option<f64> {
    let score = view.score.filter(|_| view.proof.is_exact())?;
    score.mate_moves().map(f64::from)
}

/// A proven value is certain; a single value says nothing about its spread.
fn spread(view: &NodeView, belief: Option<&NodeBelief>) -> Option<f64> {
    if view.proof.is_exact() {
        return Some(0.0);
    }
    belief.filter(|b| b.is_distribution()).map(|b| b.sd.into())
}

/// The static value from the view of the side to move at the node.
fn own(view: &NodeView) -> Option<f64> {
    let score: Score = view.static_value?;
    Some(Scale::Logistic.expected(score).into())
}

impl Line {
    fn text(&self) -> String {
        let number = |value: Option<f64>, digits: usize, width: usize| match value {
            Some(value) => format!("{value:>width$.digits$}"),
            None => format!("{:>width$}", format!("-.{}", "-".repeat(digits))),
        };
        let both = self.expected.zip(self.spread).map(|(q, u)| q + u);
        format!(
            "info string {:<5} ({:<4}) N: {:>7} (+ 0) (P: {}%) (WL: {}) (D: {}) (M: {}) (Q: {}) (U: {}) (S: {}) (V: {})",
            self.name,
            self.number,
            self.visits,
            number(self.prior, 2, 5),
            number(self.expected, 5, 8),
            number(self.draws, 3, 5),
            number(self.mate, 1, 4),
            number(self.expected, 5, 8),
            number(self.spread, 5, 7),
            number(both, 5, 8),
            number(self.own, 4, 7),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_dashed() {
        let line = Line {
            name: "e2e4".into(),
            number: 322,
            visits: 1212,
            prior: Some(12.34),
            expected: Some(0.0123),
            spread: Some(0.2),
            ..Line::default()
        };
        assert_eq!(
            line.text(),
            "info string e2e4  (322 ) N:    1212 (+ 0) (P: 12.34%) (WL:  0.01230) (D: -.---) (M:  -.-) (Q:  0.01230) (U: 0.20000) (S:  0.21230) (V:  -.----)"
        );
    }
}
