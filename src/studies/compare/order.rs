//! The order of the rows of a merged node.

use super::merge::{Columns, MergedCell, MergedRow, Want};

/// The available orders; columns are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// By the average of the columns' ranks. A column that knows no value for a move ranks it after all moves.
    #[default]
    AverageRank,
    /// By the best of the columns' ranks, and among equals by the average: whatever any column prefers comes first.
    BestRank,
    Rank(usize),
    /// By expected score, best first; a bound counts as the value it bounds.
    Expected(usize),
    /// By standard deviation, widest first.
    Spread(usize),
    /// By share of the work, largest first.
    Share(usize),
    /// By disagreement, largest first.
    Disagreement,
    /// By the move's name.
    Move,
}

impl Order {
    /// Returns all orders for this number of columns.
    pub fn all(columns: usize) -> Vec<Order> {
        let mut orders = vec![
            Order::AverageRank,
            Order::BestRank,
            Order::Disagreement,
            Order::Move,
        ];
        for column in 0..columns {
            orders.extend([
                Order::Rank(column),
                Order::Expected(column),
                Order::Spread(column),
                Order::Share(column),
            ]);
        }
        orders
    }

    pub fn name(self) -> &'static str {
        match self {
            Order::AverageRank => "average rank",
            Order::BestRank => "best rank",
            Order::Rank(_) => "rank",
            Order::Expected(_) => "score",
            Order::Spread(_) => "spread",
            Order::Share(_) => "share",
            Order::Disagreement => "disagreement",
            Order::Move => "move",
        }
    }

    /// Returns the column that determines the order.
    pub fn column(self) -> Option<usize> {
        match self {
            Order::Rank(column)
            | Order::Expected(column)
            | Order::Spread(column)
            | Order::Share(column) => Some(column),
            Order::AverageRank | Order::BestRank | Order::Disagreement | Order::Move => None,
        }
    }

    /// Returns what must be read of the rows to sort them.
    pub(super) fn needs(self) -> Want {
        Want {
            names: self == Order::Move,
            beliefs: match self {
                Order::Spread(column) => Columns::One(column),
                _ => Columns::None,
            },
            ..Want::FIGURES
        }
    }

    /// Returns the sort key: smaller comes first, and moves about which nothing is known come last.
    fn key(self, row: &MergedRow, count: usize) -> f32 {
        let of = |column: usize, figure: fn(&MergedCell) -> Option<f32>| {
            let cell = row.cells.get(column).and_then(Option::as_ref);
            cell.and_then(figure).map_or(f32::INFINITY, |x| 0.0 - x)
        };
        match self {
            Order::AverageRank => average_rank(row, count),
            Order::BestRank => {
                let ranks = row.cells.iter().flatten().filter_map(|cell| cell.rank);
                let best = ranks.min().unwrap_or(count + 1) as f32;
                best + average_rank(row, count).min(1e4) / 1e5
            }
            Order::Rank(column) => of(column, |c| c.rank.map(|r| -(r as f32))),
            Order::Expected(column) => of(column, MergedCell::expected),
            Order::Spread(column) => of(column, MergedCell::sd),
            Order::Share(column) => of(column, |c| c.share),
            Order::Disagreement => 0.0 - row.disagreement,
            Order::Move => 0.0,
        }
    }
}

/// Returns the average rank over the columns that have the node.
fn average_rank(row: &MergedRow, count: usize) -> f32 {
    let cells = row.cells.iter().flatten();
    let ranks = cells.map(|cell| cell.rank.unwrap_or(count + 1) as f32);
    let (sum, columns) = ranks.fold((0.0, 0), |(sum, n), rank| (sum + rank, n + 1));
    if columns == 0 {
        f32::INFINITY
    } else {
        sum / columns as f32
    }
}

/// Sorts all rows of one merged node; equal rows keep their order.
pub fn sort(rows: &mut [MergedRow], order: Order) {
    let count = rows.len();
    rows.sort_by(|a, b| match order {
        Order::Move => a.name.san.cmp(&b.name.san),
        _ => order.key(a, count).total_cmp(&order.key(b, count)),
    });
}
