//! What an engine does: the figures of a search that was read from its trace, for those who write the engine.

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Kind, Sheet, Table, count, factor, fixed, percent};
use open_trace::Class;
use text::sanitise;
pub use traced::audit::Audit;
use traced::audit::{ByRules, DEPTHS, Found, NUMBERS, Reasons};

/// A search with its name.
#[derive(Clone, Debug)]
pub struct Audited {
    pub name: String,
    pub audit: Audit,
}

/// A figure of a search.
type Read = fn(&Audit) -> Option<Cell>;

/// The figures that are told of every search.
const FIGURES: [(&str, Read); 16] = [
    ("events", |a| Some(count(a.events))),
    ("nodes entered", |a| Some(count(a.nodes))),
    ("nodes by its own count", |a| a.claimed.map(count)),
    ("nodes not sent", |a| {
        Some(a.left_out).filter(|n| *n > 0).map(count)
    }),
    ("in quiescence", |a| percent_of(a.by_depth[0], a.nodes)),
    ("moves searched at a node", |a| {
        a.branching().map(|x| fixed(x, 2))
    }),
    ("growth by iteration", |a| a.growth().map(|x| factor(x, 2))),
    ("beta cutoffs", |a| some(a.cutoffs.iter().sum())),
    ("by the first move", |a| {
        percent_of(a.cutoffs[0], a.cutoffs.iter().sum())
    }),
    ("moves searched again", |a| some(a.again)),
    ("reductions", |a| some(a.reductions)),
    ("of them searched again", |a| {
        percent_of(a.reduced_again, a.reductions)
    }),
    ("extensions", |a| some(a.extensions)),
    ("simulations", |a| some(a.visits)),
    ("expansions", |a| some(a.expansions)),
    ("figures told", |a| some(a.updates)),
];

/// What follows from the stream and is checked.
const CHECKS: [(&str, Read); 18] = [
    ("values that must follow from the moves", |a| {
        some(a.checks.values)
    }),
    ("unexplained", |a| {
        wrong(a.checks.unexplained, a.checks.values)
    }),
    ("left without a move or a reason", |a| some(a.checks.untold)),
    ("values outside of the window", |a| {
        Some(count(a.checks.outside)).filter(|_| a.checks.values > 0)
    }),
    ("bounds that it told", |a| some(a.checks.bounds)),
    ("bounds that the window contradicts", |a| {
        wrong(a.checks.wrong_bounds, a.checks.bounds)
    }),
    ("figures that its visits contradict", |a| {
        wrong(a.checks.wrong_figures, a.checks.figures)
    }),
    ("its best move is the best of its moves", |a| {
        let agrees = a.checks.best_agrees?;
        let cell = Cell::number(if agrees { "yes" } else { "no" }.to_owned());
        Some(match agrees {
            true => cell,
            false => Cell {
                kind: Kind::Off,
                ..cell
            },
        })
    }),
    ("illegal moves made", |a| {
        by_rules(a, |r| (&r.illegal, a.nodes))
    }),
    ("lists of moves", |a| some(a.rules.as_ref()?.lists)),
    ("illegal moves listed", |a| {
        by_rules(a, |r| (&r.listed, r.lists))
    }),
    ("legal moves not listed", |a| {
        by_rules(a, |r| (&r.missing, r.lists))
    }),
    ("counts of moves", |a| some(a.rules.as_ref()?.counts)),
    ("counts that are wrong", |a| {
        by_rules(a, |r| (&r.miscounted, r.counts))
    }),
    ("keys", |a| some(a.rules.as_ref()?.keys)),
    ("positions with two keys", |a| {
        by_rules(a, |r| (&r.two_keys, r.keys))
    }),
    ("by an en passant square of no use", |a| {
        some(a.rules.as_ref()?.by_square.count)
    }),
    ("keys of two positions", |a| {
        by_rules(a, |r| (&r.shared_key, r.keys))
    }),
];

/// What differs from the rules, where anything was compared with them.
fn by_rules<'a>(
    audit: &'a Audit,
    of: impl FnOnce(&'a ByRules) -> (&'a Found, u64),
) -> Option<Cell> {
    let (found, compared) = of(audit.rules.as_ref()?);
    wrong(found.count, compared)
}

fn some(n: u64) -> Option<Cell> {
    (n > 0).then(|| count(n))
}

fn percent_of(part: u64, whole: u64) -> Option<Cell> {
    (whole > 0).then(|| percent(part as f64 / whole as f64))
}

/// How many are wrong of so many: 0 is worth telling too.
fn wrong(part: u64, whole: u64) -> Option<Cell> {
    let cell = (whole > 0).then(|| count(part))?;
    Some(match part {
        0 => cell,
        _ => Cell {
            kind: Kind::Off,
            ..cell
        },
    })
}

/// Returns the figures of searches side by side.
pub fn sheet(searches: &[Audited]) -> Sheet {
    let mut sheet = Sheet::new("What the engine does, counted from its trace.");
    let side_by_side = |figures: &[(&'static str, Read)]| {
        let told: Vec<(&str, Read)> = figures
            .iter()
            .copied()
            .filter(|(_, read)| searches.iter().any(|search| read(&search.audit).is_some()))
            .collect();
        let mut table = Table::of(&told).column("", |(name, _)| *name);
        for search in searches {
            table = table.column(search.name.clone(), |(_, read)| {
                Cell::from(read(&search.audit))
            });
        }
        Table::from(table)
    };
    sheet.table("The search", side_by_side(&FIGURES));
    sheet.table(
        "What follows, and whether it says the same",
        side_by_side(&CHECKS),
    );
    let numbers: Vec<usize> = (0..NUMBERS).collect();
    if searches
        .iter()
        .any(|search| search.audit.cutoffs.iter().any(|n| *n > 0))
    {
        let mut table = Table::of(&numbers).column("move", |number| match *number {
            last if last + 1 == NUMBERS => format!("{NUMBERS} or later"),
            number => (number + 1).to_string(),
        });
        for search in searches {
            let total = search.audit.cutoffs.iter().sum();
            table = table.column(search.name.clone(), move |number| {
                Cell::from(percent_of(search.audit.cutoffs[*number], total))
            });
        }
        sheet.table("Beta cutoffs by the number of the move", table);
    }
    for search in searches {
        places(&mut sheet, search, searches.len() > 1);
        reasons(&mut sheet, search, searches.len() > 1);
        iterations(&mut sheet, search, searches.len() > 1);
    }
    sheet
}

fn title(what: &str, search: &Audited, several: bool) -> String {
    match several {
        true => format!("{what}: {}", search.name),
        false => what.to_owned(),
    }
}

/// Adds where the first of each kind is that differs from the rules of chess.
fn places(sheet: &mut Sheet, search: &Audited, several: bool) {
    let found: Vec<(&str, &Found)> = (search.audit.rules.iter())
        .flat_map(ByRules::all)
        .filter(|(_, found)| found.count > 0)
        .collect();
    let places: Vec<_> = (found.iter())
        .filter_map(|(name, found)| Some((*name, found.first.as_ref()?)))
        .collect();
    if places.is_empty() {
        return;
    }
    let table = Table::of(&places)
        .column("the first of", |(name, _)| *name)
        .column("at event", |(_, first)| count(first.event))
        .column("what", |(_, first)| sanitise(&first.what))
        .column("after", |(_, first)| match &*first.line {
            "" => "the root".to_owned(),
            line => sanitise(line),
        });
    let what = "Where the rules of chess say something else";
    sheet.table(title(what, search, several), table);
}

/// Adds how often each reason was given at each depth.
fn reasons(sheet: &mut Sheet, search: &Audited, several: bool) {
    let mut reasons: Vec<(&str, &Reasons)> = { search.audit.reasons.iter() }
        .map(|(name, reasons)| (&**name, reasons))
        .collect();
    if reasons.is_empty() {
        return;
    }
    reasons.sort_by_key(|(_, reasons)| std::cmp::Reverse(reasons.total()));
    let used = |depth: &usize| reasons.iter().any(|(_, r)| r.by_depth[*depth] > 0);
    let depths: Vec<usize> = (0..=DEPTHS).filter(used).collect();
    let table = Table::of(&reasons)
        .column("reason", |(name, _)| (*name).replace('-', " "))
        .column("of", |(_, reasons)| of(reasons.class))
        .column("all", |(_, reasons)| count(reasons.total()))
        .columns(
            depths,
            |depth| match depth {
                0 => "quiet".to_owned(),
                DEPTHS => format!("d{DEPTHS}+"),
                depth => format!("d{depth}"),
            },
            |(_, reasons), depth| Cell::from(some(reasons.by_depth[depth])),
        );
    sheet.table(title("Reasons by depth", search, several), table);
}

fn of(class: Class) -> &'static str {
    match class {
        Class::Known => "known",
        Class::Cut => "node",
        Class::Cutoff => "cutoff",
        Class::Skip => "move",
        Class::Try => "try",
        Class::Info => "note",
    }
}

/// Adds what each iteration took.
fn iterations(sheet: &mut Sheet, search: &Audited, several: bool) {
    let all = &search.audit.iterations;
    if all.len() < 2 {
        return;
    }
    let rows: Vec<usize> = (0..all.len()).collect();
    let own = |row: usize| all[row].1 - row.checked_sub(1).map_or(0, |before| all[before].1);
    let table = Table::of(&rows)
        .column("depth", |row| i32::from(all[*row].0))
        .column("nodes", |row| count(own(*row)))
        .column("factor", |row| {
            let before = row.checked_sub(1).map(own).filter(|n| *n > 0);
            Cell::from(before.map(|before| factor(own(*row) as f64 / before as f64, 2)))
        });
    sheet.table(title("Iterations", search, several), table);
}

/// The figures as one object.
#[derive(Debug, Serialize)]
struct Figures<'a> {
    name: &'a str,
    events: u64,
    nodes: u64,
    claimed: Option<u64>,
    not_sent: u64,
    nodes_by_depth: &'a [u64],
    cutoffs_by_move: &'a [u64],
    searched_again: u64,
    reductions: u64,
    reductions_searched_again: u64,
    extensions: u64,
    simulations: u64,
    expansions: u64,
    growth: Option<f64>,
    branching: Option<f64>,
}

/// Returns the figures of searches for a program.
pub fn json(searches: &[Audited]) -> Json {
    let object = |search: &Audited| {
        let a = &search.audit;
        let figures = Figures {
            name: &search.name,
            events: a.events,
            nodes: a.nodes,
            claimed: a.claimed,
            not_sent: a.left_out,
            nodes_by_depth: &a.by_depth,
            cutoffs_by_move: &a.cutoffs,
            searched_again: a.again,
            reductions: a.reductions,
            reductions_searched_again: a.reduced_again,
            extensions: a.extensions,
            simulations: a.visits,
            expansions: a.expansions,
            growth: a.growth(),
            branching: a.branching(),
        };
        let checks = json!({
            "values": a.checks.values,
            "unexplained": a.checks.unexplained,
            "without_reason": a.checks.untold,
            "outside_window": a.checks.outside,
            "bounds": a.checks.bounds,
            "wrong_bounds": a.checks.wrong_bounds,
            "figures": a.checks.figures,
            "wrong_figures": a.checks.wrong_figures,
            "best_agrees": a.checks.best_agrees,
        });
        let reasons: Vec<Json> = { a.reasons.iter() }
            .map(|(name, r)| json!({"name": name, "of": of(r.class), "by_depth": r.by_depth}))
            .collect();
        let iterations: Vec<Json> = { a.iterations.iter() }
            .map(|(depth, nodes)| json!({"depth": depth, "nodes": nodes}))
            .collect();
        json!({
            "figures": figures,
            "checks": checks,
            "rules": a.rules.as_ref().map(rules_json),
            "reasons": reasons,
            "iterations": iterations,
        })
    };
    json!({"version": VERSION, "searches": searches.iter().map(object).collect::<Vec<_>>()})
}

fn rules_json(rules: &ByRules) -> Json {
    let found = |found: &Found| {
        let first = { found.first.as_ref() }
            .map(|first| json!({"event": first.event, "line": first.line, "what": first.what}));
        json!({"count": found.count, "first": first})
    };
    json!({
        "illegal": found(&rules.illegal),
        "lists": rules.lists,
        "illegal_listed": found(&rules.listed),
        "not_listed": found(&rules.missing),
        "counts": rules.counts,
        "wrong_counts": found(&rules.miscounted),
        "keys": rules.keys,
        "two_keys": found(&rules.two_keys),
        "two_keys_by_square": found(&rules.by_square),
        "shared_keys": found(&rules.shared_key),
    })
}

/// Says in a sentence or two what is most worth knowing.
pub fn verdict(search: &Audited) -> String {
    let rules = search
        .audit
        .rules
        .as_ref()
        .map_or_else(String::new, against_rules);
    follows(search) + &rules
}

/// Says what the rules of chess contradict.
fn against_rules(rules: &ByRules) -> String {
    let mut said = String::new();
    let mut say = |found: &Found, words: &str| {
        if let Some(first) = &found.first {
            let (n, event) = (number::count(found.count), number::count(first.event));
            said += &format!(" {words}: {n}, the first at event {event}.");
        }
    };
    say(&rules.illegal, "Illegal moves made");
    say(&rules.missing, "Legal moves that are not listed");
    say(&rules.two_keys, "Positions with two keys");
    say(&rules.shared_key, "Keys of two positions");
    said
}

/// Says whether what the program says follows from what it did.
fn follows(search: &Audited) -> String {
    let checks = &search.audit.checks;
    let all = |n: u64| number::count(n);
    match (checks.values, checks.unexplained) {
        (0, _) => format!("{}: {} simulations.", search.name, all(search.audit.visits)),
        (values, 0) => format!(
            "{}: all {} values follow from the moves.",
            search.name,
            all(values)
        ),
        (values, bad) => format!(
            "{}: {} of {} values do not follow from the moves: usually a reason that is not told.",
            search.name,
            all(bad),
            all(values)
        ),
    }
}
