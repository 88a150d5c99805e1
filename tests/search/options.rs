//! Every option of every algorithm does something, there is a search that it changes; and its page says what.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::erased::{ENDING as PAWNS, Searched, searched};
use algorithms::{ALGORITHMS, Row};
use common::KIWIPETE;
use games::samples;
use search::{OptionSpec, Options, Range, Subject};

/// A rook ending, where passing, checks and exchanges matter less than with many pieces.
const ROOKS: &str = "8/5pk1/3r2p1/p1R4p/1p2P2P/1P3PP1/P4K2/8 w - - 0 1";
/// A draw of king and pawn against king.
const DRAWN_PAWN: &str = "8/8/8/3k4/8/8/4P3/4K3 b - - 0 1";
/// A lone king with one legal move.
const LONE: &str = "7k/6R1/8/8/8/8/1R6/K7 b - - 0 1";
/// A game near its third repetition, two mates, and a dead draw.
const SAMPLES: [&str; 4] = [
    "repetition.pgn",
    "smothered-mate.epd",
    "mate-in-three.epd",
    "draws.epd",
];
/// Nodes of each search: more only where fewer change nothing.
const NODES: [u64; 3] = [300, 3_000, 20_000];
/// What else has to be chosen so that options matter, where the algorithm has that too.
const NEEDS: &[(&[&str], &[&str])] = &[
    (&["first-guess"], &["driver=mtdf"]),
    (&["prob-cut-percentile"], &["prob-cut-by=percentile"]),
    (&["check-gain"], &["eval=hand"]),
    (&["gumbel-noise", "gumbel-scale"], &["gumbel-root=16"]),
    (
        &["softmax-exploration", "softmax-sum"],
        &["softmax-backup=0.1"],
    ),
    (
        &[
            "playout-length",
            "playout-captures",
            "playout-checks",
            "playout-margin",
            "playout-patience",
            "playout-measure",
            "differential",
        ],
        &["leaf=playouts"],
    ),
    (
        &["differential-weight", "differential-scale"],
        &["leaf=playouts", "differential=constant"],
    ),
    (
        &["differential-from", "differential-to"],
        &["leaf=playouts", "differential=declining"],
    ),
    (&["svfc-played", "svfc-opponent"], &["backup=svfc"]),
    (&["svfc-optimal"], &["backup=svfc", "svfc-played=optimal"]),
    (&["cost"], &["allocation=mgss"]),
    // Tails grow only in larger searches than these.
    (&["renew"], &["tails=min(1, nodes/10k)"]),
    (
        &["exploration", "exploration-by", "adjust"],
        &["allocation=puct"],
    ),
    (&["information"], &["backup=revealed"]),
    (&["prior", "results"], &["posterior=beta"]),
    // It matters in drawn endings, if they are searched.
    (&["fail-low"], &["known-draws=off"]),
    (&["audit-plies"], &["audit=1"]),
    (&["epsilon"], &["variant=df-pn"]),
    (&["end"], &["threshold=1"]),
];
/// What changes no search that one thread makes of a position by itself.
const LEFT_OUT: [&str; 3] = [
    // Where endgame tables are at hand.
    "table-men",
    // Where several threads search.
    "batch",
    // Where the game moves on.
    "tree-reuse",
];

/// Returns values of an option other than its default.
fn others(spec: &OptionSpec) -> Vec<String> {
    let values: Vec<String> = match spec.range {
        Range::Switch => vec!["on".into(), "off".into()],
        Range::Choice(words) => words.iter().map(|word| (*word).into()).collect(),
        Range::Integer { min, max } => {
            let now: i64 = spec.default.parse().expect("a number");
            between(min, max, [now * 2, now / 2, now + 1, now - 1])
        }
        Range::Number { min, max } => {
            let now: f64 = spec.default.parse().expect("a number");
            let near = [now * 2.0, now / 2.0, (now + min) / 2.0, (now + max) / 2.0];
            between(min, max, near)
        }
        Range::Formula(_) => {
            let texts = [
                "linear:400",
                "linear:0",
                "r-opt",
                "off",
                "500*depth",
                "0",
                "1",
                "5",
                "depth < 99",
                "depth > 99",
            ]
            .into_iter();
            let fits = texts.filter(|text| spec.parse(text).is_ok());
            fits.map(Into::into).collect()
        }
        Range::Word { check, .. } => {
            let words = ["linear:400", "linear:0", "100", "0", "0.5", "r-opt", "win"].into_iter();
            words.filter(|word| check(word)).map(Into::into).collect()
        }
    };
    let default = spec.parse(spec.default).ok();
    values
        .into_iter()
        .filter(|value| spec.parse(value).ok() != default)
        .collect()
}

/// Returns the ends of a range and what of four values is within it.
fn between<N: PartialOrd + Copy + ToString>(min: N, max: N, near: [N; 4]) -> Vec<String> {
    let within = near.into_iter().filter(|n| (min..=max).contains(n));
    let all = within.chain([min, max]);
    all.map(|n| n.to_string()).collect()
}

/// Returns the default options, with what this one needs.
fn with_needs(row: &Row, spec: &OptionSpec) -> Options {
    let mut options = row.default_options();
    let needs = NEEDS.iter().filter(|(keys, _)| keys.contains(&spec.key));
    for pair in needs.flat_map(|(_, pairs)| *pairs) {
        let (key, value) = pair.split_once('=').expect("KEY=VALUE");
        if options.has(key) {
            options.set(key, value).expect("a value");
        }
    }
    options
}

/// The searches of one algorithm with which those of a changed option are compared, by their options, position and nodes.
type Plain = BTreeMap<(String, usize, u64), Searched>;

/// Whether a search of one of the positions is changed by one of the option's values.
fn matters(row: &Row, spec: &OptionSpec, subjects: &[Subject], plain: &mut Plain) -> bool {
    let options = with_needs(row, spec);
    let places = NODES
        .into_iter()
        .flat_map(|nodes| subjects.iter().enumerate().map(move |at| (nodes, at)));
    for (nodes, (i, subject)) in places {
        let search = |options: &Options| searched(row.algorithm, subject, options, nodes, false);
        let plain = plain
            .entry((format!("{options:?}"), i, nodes))
            .or_insert_with(|| {
                let plain = search(&options);
                assert!(plain == search(&options), "{} is random", row.name);
                plain
            });
        let changes = others(spec).iter().any(|value| {
            let mut changed = options.clone();
            changed.set(spec.key, value).expect("a value");
            search(&changed) != *plain
        });
        if changes {
            return true;
        }
    }
    false
}

#[test]
fn every_option_changes_a_search() {
    let chess = |fen| Subject::from(common::chess(fen));
    let samples = SAMPLES.iter().map(|name| {
        let sample = samples::find(name).expect("a sample").open();
        let entry = sample.expect("a document").entry(0).expect("an entry");
        entry.subject_at(u32::MAX)
    });
    let toy = Subject::from(common::sample_tree("sixteen-leaves"));
    let before = [
        chess(KIWIPETE),
        toy,
        chess(PAWNS),
        chess(ROOKS),
        chess(LONE),
        chess(DRAWN_PAWN),
    ];
    let subjects: Vec<Subject> = before.into_iter().chain(samples).collect();
    let mut idle = Vec::new();
    for row in &ALGORITHMS {
        let mut plain = Plain::new();
        let options = row.options.iter();
        let asked = options.filter(|spec| !LEFT_OUT.contains(&spec.key));
        let without = asked.filter(|spec| !matters(row, spec, &subjects, &mut plain));
        idle.extend(without.map(|spec| format!("{} {}", row.name, spec.key)));
    }
    assert!(idle.is_empty(), "{idle:#?}");
}

/// Returns the words in code of a page. A table may give an option without the name of its rule, after a colon:
/// "`razoring`: `-depth` 3".
fn words_in_code(page: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut add = |code: &str, rule: &str| {
        for word in code.split_whitespace() {
            let key = word.split('=').next().unwrap_or(word);
            let key = key.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            let rule = if key.starts_with('-') { rule } else { "" };
            words.insert(format!("{rule}{key}"));
        }
    };
    let mut is_block = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            add(line, "");
        } else {
            let parts: Vec<&str> = line.split('`').collect();
            let mut rule = "";
            for code in parts[1..].chunks(2) {
                add(code[0], rule);
                if code.get(1).is_some_and(|text| text.starts_with(':')) {
                    rule = code[0];
                }
            }
        }
    }
    words
}

/// The pages of an algorithm are the overview and those that its row there links to.
#[test]
fn every_option_is_on_a_page_of_its_algorithm() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    let page = |name: &str| std::fs::read_to_string(book.join(name)).expect("a page");
    let overview = page("algorithms.md");
    let mut missing = Vec::new();
    for row in &ALGORITHMS {
        let begin = format!("| [`{}`](", row.name);
        let line = overview.lines().find(|line| line.starts_with(&begin));
        let links = line.expect("the algorithm's row").split("](").skip(1);
        let pages = links.filter_map(|link| link.split([')', '#']).next());
        let named: BTreeSet<String> = pages
            .map(page)
            .chain([overview.clone()])
            .flat_map(|page| words_in_code(&page))
            .collect();
        let options = row.options.iter().filter(|spec| !named.contains(spec.key));
        missing.extend(options.map(|spec| format!("{} {}", row.name, spec.key)));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
