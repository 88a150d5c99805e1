//! Names of columns, orders and filters.

use crate::overlays::chooser::Item;
use report::sheet::letter;
use screen::theme::Role;
use studies::compare::{ColumnSpec, Filter, Kind, KindSet, Order};

/// Returns a column's colour.
pub fn role(column: usize) -> Role {
    match column {
        0 => Role::ColumnA,
        1 => Role::ColumnB,
        2 => Role::ColumnC,
        _ => Role::ColumnD,
    }
}

/// Returns the name of the algorithm or the engine, without options.
pub fn short_name(spec: &ColumnSpec) -> String {
    match spec {
        ColumnSpec::Own(config) => text::sanitise(config.name()),
        ColumnSpec::External(engine) => text::sanitise(&engine.name),
    }
}

/// Returns the name of an order, with the letter of its column.
pub fn order_name(order: Order) -> String {
    match order.column() {
        Some(column) => format!("{} in {}", order.name(), letter(column)),
        None => order.name().to_owned(),
    }
}

/// Returns the orders to choose from.
pub fn order_choices(columns: usize) -> Vec<(Order, Item)> {
    let item = |order: Order| {
        let detail = match order {
            Order::AverageRank => "the columns' ranks, averaged",
            Order::BestRank => "what any column favours first",
            Order::Disagreement => "where the expected scores differ most first",
            Order::Move => "by the alphabet",
            Order::Rank(_) => "in the column's own order",
            Order::Expected(_) => "expected score, best first",
            Order::Share(_) => "most work first",
            Order::Spread(_) => "widest belief first",
        };
        let item = Item::new(order_name(order), detail);
        (order, item)
    };
    Order::all(columns).into_iter().map(item).collect()
}

/// Returns the filters to choose from.
pub fn filter_choices() -> Vec<(Filter, Item)> {
    let mut filters = vec![
        (Filter::All, "all moves".to_owned(), String::new()),
        (
            Filter::FLAGGED,
            "flagged differences".to_owned(),
            "larger than the joint uncertainty".to_owned(),
        ),
        (
            Filter::Noted,
            "all differences".to_owned(),
            "the small ones too".to_owned(),
        ),
    ];
    filters.extend(Kind::ALL.map(|kind| {
        let only = KindSet::from_iter([kind]);
        let label = format!("{}: {}", kind.letter(), kind.name());
        (Filter::Flagged(only), label, kind.summary().to_owned())
    }));
    filters.extend([0.05, 0.1, 0.2, 0.4].map(|least| {
        let detail = "the expected scores are at least this far apart".to_owned();
        (
            Filter::Disagreement(least),
            format!("by {least} or more"),
            detail,
        )
    }));
    let item = |(filter, label, detail)| (filter, Item::new(label, detail));
    filters.into_iter().map(item).collect()
}

/// Returns a short form of a filter for the title; `None` if all rows are shown.
pub fn filter_name(filter: Filter) -> Option<String> {
    match filter {
        Filter::All => None,
        Filter::FLAGGED => Some("flagged differences".to_owned()),
        Filter::Noted => Some("differences".to_owned()),
        Filter::Flagged(kinds) => {
            let names = Kind::ALL
                .into_iter()
                .filter(|k| kinds.has(*k))
                .map(Kind::name);
            Some(names.collect::<Vec<_>>().join(", "))
        }
        Filter::Disagreement(least) => Some(format!("differences of {least} or more")),
    }
}
