//! What an engine does: the figures of a search that was read from its trace, for those who write the engine.

use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{VERSION, Version};
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
const FIGURES: [(&str, Read); 18] = [
    ("events", |a| Some(count(a.events))),
    ("nodes entered", |a| Some(count(a.nodes))),
    ("nodes by its own count", |a| a.claimed.map(count)),
    ("nodes not sent", |a| {
        Some(a.left_out).filter(|n| *n > 0).map(count)
    }),
    ("value by its own word", |a| {
        a.claimed_value
            .map(|value| Cell::number(number::told(value)))
    }),
    ("at depth 0 or less", |a| {
        percent_of(a.by_depth[0], a.by_depth.iter().sum())
    }),
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
    ("nodes visited", |a| some(a.visited)),
    ("figures told", |a| some(a.updates)),
];

/// What follows from the stream and is checked.
const CHECKS: [(&str, Read); 21] = [
    ("values that must follow from the moves", |a| {
        some(a.checks.values)
    }),
    ("unexplained", |a| {
        wrong(a.checks.unexplained, a.checks.values)
    }),
    ("left without a move or a reason", |a| some(a.checks.untold)),
    ("wins before their own ply", |a| {
        wrong(a.checks.early, a.nodes).filter(|_| a.checks.early > 0)
    }),
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
    ("values of its iterations and its end", |a| {
        some(a.checks.results)
    }),
    ("that are not the root's", |a| {
        wrong(a.checks.wrong_results, a.checks.results)
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
    reasons.sort_by_key(|(_, reasons)| std::cmp::Reverse(reasons.total));
    let used = |depth: &usize| reasons.iter().any(|(_, r)| r.by_depth[*depth] > 0);
    let depths: Vec<usize> = (0..=DEPTHS).filter(used).collect();
    let table = Table::of(&reasons)
        .column("reason", |(name, _)| (*name).replace('-', " "))
        .column("of", |(_, reasons)| of(reasons.class))
        .column("all", |(_, reasons)| count(reasons.total))
        .columns(
            depths,
            |depth| match depth {
                0 => "d≤0".to_owned(),
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

/// Counts of an engine's search: what `audit --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AuditJson<'a> {
    version: Version,
    /// The searches of all files, and plyscope's own beside them.
    searches: Vec<SearchJson<'a>>,
}

/// A search.
#[derive(Debug, Serialize, JsonSchema)]
struct SearchJson<'a> {
    /// What was counted.
    figures: Figures<'a>,
    /// What follows, and whether the program says the same.
    checks: ChecksJson,
    /// What the rules of chess contradict; null in other games.
    rules: Option<RulesJson<'a>>,
    /// The reasons that were given.
    reasons: Vec<ReasonJson<'a>>,
    /// The iterations that were finished.
    iterations: Vec<IterationJson>,
}

/// What was counted.
#[derive(Debug, Serialize, JsonSchema)]
struct Figures<'a> {
    /// The program's name, and which of its searches it is if there are several.
    name: &'a str,
    /// The events of the stream.
    events: u64,
    /// The nodes entered, the root and each visit counted; in a best-first search the root and the children that nodes got.
    nodes: u64,
    /// The nodes by the program's own count, null where it does not say.
    claimed: Option<u64>,
    /// The value at the end by the program's own word, in its unit and from its view; null where it does not say.
    claimed_value: Option<f64>,
    /// The nodes that a filter left out.
    not_sent: u64,
    /// The nodes by the plies left, 0 and less first, 16 and more last; only those whose depth was told.
    nodes_by_depth: &'a [u64],
    /// The beta cutoffs by the number of the move that made them: by the first move first, by the twelfth or later last.
    cutoffs_by_move: &'a [u64],
    /// Moves that were searched a second time in the same visit.
    searched_again: u64,
    /// Moves searched with fewer plies.
    reductions: u64,
    /// The reduced moves that were searched again.
    reductions_searched_again: u64,
    /// Moves searched with more plies.
    extensions: u64,
    /// The simulations of a best-first search: its visits, or those of the root by the program's figures.
    simulations: u64,
    /// The nodes that got children.
    expansions: u64,
    /// The nodes of a best-first search that have visits.
    visited: u64,
    /// By which factor an iteration took more nodes than the one before; null with fewer than two iterations.
    growth: Option<f64>,
    /// The moves searched at a node at which any was; null where none was.
    branching: Option<f64>,
}

/// What follows from the stream, and whether the program says the same.
#[derive(Debug, Serialize, JsonSchema)]
struct ChecksJson {
    /// The values that must follow from the moves.
    values: u64,
    /// Those of them that do not.
    unexplained: u64,
    /// The nodes left without a move or a reason.
    without_reason: u64,
    /// The wins and losses that come before their own node by their distance from the root: entries of a table that were
    /// taken as they are.
    early_wins: u64,
    /// The values outside of their windows.
    outside_window: u64,
    /// The bounds that the program told.
    bounds: u64,
    /// Those of them that the window contradicts.
    wrong_bounds: u64,
    /// The figures told of nodes whose visits were told too.
    figures: u64,
    /// Those of them that the visits contradict.
    wrong_figures: u64,
    /// The values told of iterations and of the whole search.
    results: u64,
    /// Those of them that are not the root's.
    wrong_results: u64,
    /// Whether the best move told is the best of the moves; null where that is not known.
    best_agrees: Option<bool>,
}

/// How often a reason was given.
#[derive(Debug, Serialize, JsonSchema)]
struct ReasonJson<'a> {
    /// Its name.
    name: &'a str,
    /// What it is a reason for: known, node, cutoff, move, try or note.
    of: &'a str,
    /// How often it was given.
    count: u64,
    /// The same by the plies left at the node, 0 and less first, 16 and more last; only where the depth was told.
    by_depth: &'a [u64],
}

/// An iteration that was finished.
#[derive(Debug, Serialize, JsonSchema)]
struct IterationJson {
    /// Its depth.
    depth: i16,
    /// The nodes up to its end.
    nodes: u64,
}

/// What was found where a program and the rules of chess say different things.
#[derive(Debug, Serialize, JsonSchema)]
struct RulesJson<'a> {
    /// Illegal moves made.
    illegal: FoundJson<'a>,
    /// The lists of moves that were compared.
    lists: u64,
    /// Illegal moves in them.
    illegal_listed: FoundJson<'a>,
    /// Legal moves that they do not have.
    not_listed: FoundJson<'a>,
    /// The counts of moves that were compared.
    counts: u64,
    /// Those of them that are wrong.
    wrong_counts: FoundJson<'a>,
    /// The keys that were compared.
    keys: u64,
    /// Positions with two keys.
    two_keys: FoundJson<'a>,
    /// The same where the positions differ by an en passant square that no pawn can use.
    two_keys_by_square: FoundJson<'a>,
    /// Keys of two positions.
    shared_keys: FoundJson<'a>,
}

/// How often something was found, and where first.
#[derive(Debug, Serialize, JsonSchema)]
struct FoundJson<'a> {
    /// How often.
    count: u64,
    /// The first place; null where nothing was found.
    first: Option<FirstJson<'a>>,
}

/// A place in a search.
#[derive(Debug, Serialize, JsonSchema)]
struct FirstJson<'a> {
    /// The number of the last event.
    event: u64,
    /// The moves from the root.
    line: &'a str,
    /// What it is about: a move, two counts, two keys.
    what: &'a str,
}

impl<'a> AuditJson<'a> {
    /// Returns the counts of searches for a program.
    pub fn new(searches: &'a [Audited]) -> Self {
        AuditJson {
            version: VERSION,
            searches: searches.iter().map(SearchJson::new).collect(),
        }
    }
}

impl<'a> SearchJson<'a> {
    fn new(search: &'a Audited) -> Self {
        let a = &search.audit;
        SearchJson {
            figures: Figures {
                name: &search.name,
                events: a.events,
                nodes: a.nodes,
                claimed: a.claimed,
                claimed_value: a.claimed_value,
                not_sent: a.left_out,
                nodes_by_depth: &a.by_depth,
                cutoffs_by_move: &a.cutoffs,
                searched_again: a.again,
                reductions: a.reductions,
                reductions_searched_again: a.reduced_again,
                extensions: a.extensions,
                simulations: a.visits,
                expansions: a.expansions,
                visited: a.visited,
                growth: a.growth(),
                branching: a.branching(),
            },
            checks: ChecksJson {
                values: a.checks.values,
                unexplained: a.checks.unexplained,
                without_reason: a.checks.untold,
                early_wins: a.checks.early,
                outside_window: a.checks.outside,
                bounds: a.checks.bounds,
                wrong_bounds: a.checks.wrong_bounds,
                figures: a.checks.figures,
                wrong_figures: a.checks.wrong_figures,
                results: a.checks.results,
                wrong_results: a.checks.wrong_results,
                best_agrees: a.checks.best_agrees,
            },
            rules: a.rules.as_ref().map(RulesJson::new),
            reasons: { a.reasons.iter() }
                .map(|(name, reason)| ReasonJson {
                    name,
                    of: of(reason.class),
                    count: reason.total,
                    by_depth: &reason.by_depth,
                })
                .collect(),
            iterations: { a.iterations.iter() }
                .map(|&(depth, nodes)| IterationJson { depth, nodes })
                .collect(),
        }
    }
}

impl<'a> RulesJson<'a> {
    fn new(rules: &'a ByRules) -> Self {
        let found = |found: &'a Found| FoundJson {
            count: found.count,
            first: found.first.as_ref().map(|first| FirstJson {
                event: first.event,
                line: &first.line,
                what: &first.what,
            }),
        };
        RulesJson {
            illegal: found(&rules.illegal),
            lists: rules.lists,
            illegal_listed: found(&rules.listed),
            not_listed: found(&rules.missing),
            counts: rules.counts,
            wrong_counts: found(&rules.miscounted),
            keys: rules.keys,
            two_keys: found(&rules.two_keys),
            two_keys_by_square: found(&rules.by_square),
            shared_keys: found(&rules.shared_key),
        }
    }
}

/// Says in a sentence or two what is most worth knowing.
pub fn verdict(search: &Audited) -> String {
    let rules = search
        .audit
        .rules
        .as_ref()
        .map_or_else(String::new, against_rules);
    follows(search) + &by_its_word(&search.audit) + &rules
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

/// Says where the program's own results are not those of its root.
fn by_its_word(audit: &Audit) -> String {
    let checks = &audit.checks;
    let mut said = String::new();
    if checks.wrong_results > 0 {
        let of = [checks.wrong_results, checks.results].map(number::count);
        let [wrong, all] = of;
        said += &format!(
            " Values told of iterations and of the end that are not the root's: {wrong} of {all}."
        );
    }
    if checks.early > 0 {
        said += &format!(
            " Wins that come before their own ply: {}, usually from a table without the distance.",
            number::count(checks.early)
        );
    }
    if checks.best_agrees == Some(false) {
        said += " The best move told is not the best of the moves.";
    }
    said
}

/// Says whether what the program says follows from what it did.
fn follows(search: &Audited) -> String {
    let (name, checks) = (&search.name, &search.audit.checks);
    let said = match (checks.values, checks.unexplained, search.audit.visits) {
        (0, _, 0) => number::counted(search.audit.nodes, "node"),
        (0, _, visits) => number::counted(visits, "simulation"),
        (1, 0, _) => "the one value that must follow from the moves does".to_owned(),
        (1, _, _) => "the one value that must follow from the moves does not: usually a reason that is not told".to_owned(),
        (values, 0, _) => format!("all {} values follow from the moves", number::count(values)),
        (values, bad, _) => format!(
            "{} of {} values do not follow from the moves: usually a reason that is not told",
            number::count(bad),
            number::count(values)
        ),
    };
    format!("{name}: {said}.")
}
