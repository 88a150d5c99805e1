//! Several trees from real searches read as one: rows, jumps between differences, the outline.

use std::collections::HashSet;
use std::sync::OnceLock;

use algorithms::{ALGORITHMS, Algorithm};
use game::load::fen;
use game::{Game, MoveCode, Situation};
use games::samples;
use proptest::prelude::*;
use report::difference::{SHORT, sentence, short};
use report::why::why;
use session::{Config, GrownBy, Reader, Session, Subject};
use studies::compare::{
    Difference, Filter, Found, Jump, Kind, KindSet, Listed, Merged, Order, Outline, Path,
    differences, sort,
};

const COLUMNS: [Algorithm; 3] = [Algorithm::AlphaBeta, Algorithm::Distress, Algorithm::Mcts];

fn search(sample: &str, algorithm: Algorithm, nodes: u64) -> Session {
    let document = samples::find(sample).expect("a sample").open();
    let entry = document.expect("it opens").entry(0);
    let subject = entry.expect("it is readable").subject();
    let limits = common::nodes(nodes);
    let mut config = Config {
        limits,
        memory: 64 << 20,
        options: algorithm.default_options(),
        ..Config::new(algorithm)
    };
    // What these tests need of the trees was chosen with this evaluation.
    config.options.set("eval", "hand").expect("an option");
    let mut session = Session::start(subject, config);
    session.join();
    session
}

fn sessions(sample: &str, nodes: u64) -> Vec<Session> {
    let search = |algorithm| search(sample, algorithm, nodes);
    COLUMNS.into_iter().map(search).collect()
}

/// Searches a position with a number of threads and a seed.
fn search_fen(text: &str, algorithm: Algorithm, nodes: u64, threads: usize, seed: u64) -> Session {
    let position = fen::parse(text).expect("a FEN").position;
    let config = Config {
        limits: common::nodes(nodes),
        memory: 64 << 20,
        threads,
        seed,
        ..Config::new(algorithm)
    };
    let mut session = Session::start(Subject::from(Situation::new(position)), config);
    session.join();
    session
}

fn tactics() -> &'static [Session] {
    static SESSIONS: OnceLock<Vec<Session>> = OnceLock::new();
    SESSIONS.get_or_init(|| sessions("tactics.epd", 6_000))
}

fn toy() -> &'static [Session] {
    static SESSIONS: OnceLock<Vec<Session>> = OnceLock::new();
    SESSIONS.get_or_init(|| sessions("figure1.tree", 400))
}

fn merged(sessions: &[Session]) -> Merged<'_> {
    let readers = sessions.iter().map(|s| Some(s.reader())).collect();
    Merged::new(sessions[0].subject(), readers)
}

fn legal_moves(position: &Subject) -> Vec<MoveCode> {
    position.position.legal_moves().into_iter().collect()
}

/// All rows that jumps with a filter may lead to.
fn all_differences(merged: &Merged, filter: Filter) -> Vec<Path> {
    fn below(merged: &Merged, path: &Path, filter: Filter, found: &mut Vec<Path>) {
        for row in merged.rows(path) {
            let mut path = path.clone();
            path.push(row.name.code);
            let counts = |d: &Found| match filter {
                Filter::Flagged(kinds) => d.flagged && kinds.has(d.kind()),
                _ => true,
            };
            if row.differences.iter().any(counts) {
                found.push(path.clone());
            }
            let grown = (0..merged.columns()).filter(|&column| {
                let node = merged.reader(column).zip(merged.node(column, &path));
                node.is_some_and(|(reader, id)| reader.tree.node(id).child_count() > 0)
                    && merged.importance(column, &path) > 0.0
            });
            if grown.count() >= 2 {
                below(merged, &path, filter, found);
            }
        }
    }
    let mut found = Vec::new();
    below(merged, &Path::new(), filter, &mut found);
    found
}

fn jumps(outline: &mut Outline, merged: &Merged, back: bool) -> Vec<Path> {
    let mut found = Vec::new();
    loop {
        match outline.jump(merged, back) {
            Jump::Found { .. } => found.push(outline.selected_path().to_vec()),
            Jump::Further => {}
            Jump::End => return found,
        }
    }
}

#[test]
fn jumps_visit_every_difference_once_in_order_and_back() {
    let worst = KindSet::from_iter([Kind::PrunedHereBestThere, Kind::Value, Kind::BestReply]);
    for (sessions, filter, kinds) in [
        (toy(), Filter::Noted, KindSet::ALL),
        (tactics(), Filter::Flagged(worst), worst),
    ] {
        let merged = merged(sessions);
        let all = all_differences(&merged, filter);
        assert!(all.len() > 1, "{}", all.len());
        let mut outline = Outline::default();
        outline.set_filter(filter);
        let forward = jumps(&mut outline, &merged, false);
        // Those that matter most, in the order of the list.
        let mut expected: Vec<Path> = Vec::new();
        for listed in differences(&merged, kinds, 200, usize::MAX).listed {
            let counts = listed.found.flagged || filter == Filter::Noted;
            if counts && !expected.contains(&listed.path) {
                expected.push(listed.path);
            }
        }
        assert!(expected.iter().all(|path| all.contains(path)));
        assert!(expected.len() == all.len() || expected.len() > 100);
        assert_eq!(forward, expected);
        let mut back = jumps(&mut outline, &merged, true);
        // From the last one on.
        back.insert(0, forward[forward.len() - 1].clone());
        back.reverse();
        assert_eq!(back, expected);
        // The target of the jump is visible and selected.
        let at = outline.selected();
        let shown = outline.rows(&merged, at..at + 1);
        assert_eq!(shown[0].path, expected[0]);
        assert!(shown[0].row.is_flagged() || filter == Filter::Noted);
    }
}

#[test]
fn the_list_has_the_heaviest_differences_of_the_trees() {
    let merged = merged(tactics());
    let all = differences(&merged, KindSet::ALL, usize::MAX, usize::MAX);
    let few = differences(&merged, KindSet::ALL, 12, usize::MAX);
    assert!(all.complete && few.complete);
    assert!(!differences(&merged, KindSet::ALL, 12, 1).complete);
    let (all, few) = (all.listed, few.listed);
    assert_eq!(few, all[..12]);
    let rank = |l: &Listed| (!l.found.flagged, -(l.stake.size() * 1e4).round());
    assert!(all.is_sorted_by(|a, b| rank(a) <= rank(b)));
    assert!(all[0].found.flagged && all[0].stake.size() > 0.0);
    assert!(all.iter().any(|l| !l.found.flagged));
    let names: Vec<String> = COLUMNS.iter().map(|a| a.name().to_owned()).collect();
    let mut kinds = HashSet::new();
    for listed in &all {
        let row = merged.row(&listed.path).expect("a legal line");
        let found = &listed.found;
        assert!(row.differences.contains(found));
        let text = sentence(&merged, &listed.path, found, &names);
        assert!(text.ends_with('.') && !text.contains('\u{1b}'), "{text}");
        let brief = short(&merged, &listed.path, &found.difference);
        assert!(brief.starts_with(found.kind().letter()));
        assert!(brief.chars().count() <= SHORT, "{brief}");
        kinds.insert(found.kind());
        // What is flagged is further apart than both columns' uncertainty.
        let beyond = found.apart.is_some_and(|a| a.by > a.joint);
        assert_eq!(found.flagged, beyond || found.kind() == Kind::Contradiction);
        assert_eq!(listed.stake, merged.stake(&listed.path, &found.difference));
    }
    for kind in [Kind::PrunedHereBestThere, Kind::Value, Kind::BestReply] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    assert!(
        differences(&merged, KindSet::NONE, 10, 100)
            .listed
            .is_empty()
    );
    assert!(differences(&merged, KindSet::ALL, 0, 100).listed.is_empty());
}

/// The control: what differs only by chance is hardly ever flagged. A search by two threads visits other nodes each time, so
/// several pairs of searches are counted together; in a single pair of `distress` up to 6 of 51 rows are flagged.
#[test]
fn two_searches_of_one_algorithm_hardly_differ() {
    const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 9";
    for info in &ALGORITHMS {
        let (mut flagged, mut all) = (0, 0);
        for seed in 2..8 {
            let pair = [(1, 1), (2, seed)]
                .map(|(threads, seed)| search_fen(QUIET, info.algorithm, 4_000, threads, seed));
            let rows = merged(&pair).rows(&[]);
            flagged += rows.iter().filter(|row| row.is_flagged()).count();
            all += rows.len();
        }
        assert!(flagged * 10 <= all, "{}: {flagged} of {all}", info.name);
    }
}

/// Win at Chess 28: alpha-beta sees the point of Qe1+, and mcts with as many nodes does not.
#[test]
fn a_real_disagreement_is_flagged_and_comes_first() {
    const WAC_28: &str = "1r1r2k1/4pp1p/2p1b1p1/p3R3/RqBP4/4P3/1PQ2PPP/6K1 b - - 0 1";
    let pair = [Algorithm::AlphaBeta, Algorithm::Mcts]
        .map(|algorithm| search_fen(WAC_28, algorithm, 8_000, 1, 1));
    let merged = merged(&pair);
    let best = |column| merged.label(&[], merged.best_line(column, &[])[0]);
    assert_eq!((best(0), best(1)), ("Qe1+".into(), "Qxb2".into()));
    let ranked = differences(&merged, KindSet::ALL, 100, 1_000).listed;
    let first = &ranked[0];
    assert_eq!(merged.line(&first.path), "1...Qe1+");
    assert!(
        first.found.flagged && first.found.kind() == Kind::Value,
        "{first:?}"
    );
    assert!(
        first.found.apart.is_some_and(|a| a.sigmas() > 3.0),
        "{first:?}"
    );
    assert!(
        first.stake.size() > 0.3 && first.stake.instead.is_some(),
        "{first:?}"
    );
    // Of the root's moves little else is flagged.
    let flagged = merged
        .rows(&[])
        .iter()
        .filter(|row| row.is_flagged())
        .count();
    assert!((1..=4).contains(&flagged), "{flagged}");
    let mut outline = Outline::default();
    assert!(matches!(
        outline.jump(&merged, false),
        Jump::Found { rank: 1, .. }
    ));
    assert_eq!(outline.selected_path(), first.path);
}

/// Moves that alpha-beta skipped are shown with the fate in its tree.
#[test]
fn pruned_moves_carry_the_fate_of_their_tree() {
    let merged = merged(tactics());
    let pruned = KindSet::from_iter([Kind::PrunedHereBestThere]);
    let found = differences(&merged, pruned, 40, 4_000).listed;
    assert!(!found.is_empty());
    for listed in found {
        let Difference::PrunedHereBestThere { here, there, fate } = listed.found.difference else {
            panic!("{:?}", listed.found);
        };
        let row = merged.row(&listed.path).expect("a legal line");
        let cell = |column: usize| row.cells[column].as_ref().expect("it has the node");
        assert_eq!(cell(here).view.fate, fate);
        assert!(fate.is_skip() && cell(there).is_best);
        assert_eq!(cell(here).expected(), None);
    }
}

/// Best first by the figure that the order names; moves without it come last.
#[test]
fn orders_go_by_the_column_they_name() {
    let merged = merged(tactics());
    let mut rows = merged.rows(&[]);
    let orders = Order::all(merged.columns());
    assert_eq!(orders.len(), 4 + 4 * COLUMNS.len());
    for order in orders {
        sort(&mut rows, order);
        let Some(column) = order.column() else {
            continue;
        };
        let figures = rows.iter().map(|row| {
            let cell = row.cells[column].as_ref().expect("the root");
            let figure = match order {
                Order::Rank(_) => cell.rank.map(|rank| -(rank as f32)),
                Order::Expected(_) => cell.expected(),
                Order::Spread(_) => cell.sd(),
                _ => cell.share,
            };
            figure.unwrap_or(f32::NEG_INFINITY)
        });
        assert!(figures.is_sorted_by(|a, b| a >= b), "{order:?}");
    }
    let spreads = rows.iter().filter_map(|r| r.cells[1].as_ref()?.sd());
    assert!(spreads.count() > 10);
}

/// Each part of a merged row equals the row of the column's own tree.
#[test]
fn a_columns_part_is_its_own_row() {
    let merged = merged(tactics());
    let path = merged.best_line(0, &[])[..2].to_vec();
    for row in merged.rows(&path) {
        for column in 0..merged.columns() {
            let (reader, node) = (merged.reader(column), merged.node(column, &path));
            let (Some(reader), Some(node)) = (reader, node) else {
                continue;
            };
            let own = reader.rows(node);
            let own = own.iter().find(|r| r.move_code == row.name.code);
            let (own, part) = (own.expect("legal"), row.of(column).expect("a cell"));
            assert_eq!(
                (own.id, &own.label, &own.uci),
                (part.id, &part.label, &part.uci)
            );
            assert_eq!(own.belief, part.belief);
            assert_eq!(why(reader, own), why(reader, &part));
        }
    }
}

#[test]
fn an_outline_opens_follows_and_keeps_its_place() {
    let merged = merged(tactics());
    let mut outline = Outline::default();
    assert!(outline.refresh(&merged, false) && !outline.refresh(&merged, false));
    assert_eq!(outline.len(), merged.rows(&[]).len());
    assert_eq!(outline.selected(), 0);
    assert!(outline.follow_best(&merged, 1));
    let line = merged.best_line(1, &[]);
    assert_eq!(outline.selected_path(), line);
    outline.close_or_leave(&merged);
    assert_eq!(outline.selected_path(), &line[..line.len() - 1]);
    // After sorting differently the same row is selected.
    outline.set_order(Order::Move);
    outline.refresh(&merged, false);
    let at = outline.selected();
    let shown = outline.rows(&merged, at..at + 1);
    assert_eq!(shown[0].path, &line[..line.len() - 1]);
    assert!(shown[0].open && shown[0].has_children);
    let before = outline.len();
    outline.toggle(&merged);
    assert!(outline.len() < before);
    outline.open_or_enter(&merged);
    assert_eq!(outline.len(), before);
    outline.open_or_enter(&merged);
    assert_eq!(outline.selected_path().len(), line.len());
    outline.close_all(&merged);
    assert_eq!(outline.selected_path(), &line[..1]);
    assert_eq!(outline.len(), merged.rows(&[]).len());
    outline.walk(-1_000);
    assert_eq!(outline.selected(), 0);
    outline.select(usize::MAX);
    assert_eq!(outline.selected() + 1, outline.len());
    assert!(
        !outline.reveal(&merged, &[line[0], line[0]]),
        "no legal line"
    );
}

#[test]
fn a_filter_hides_rows_without_a_difference() {
    let merged = merged(tactics());
    let mut outline = Outline::default();
    outline.open_line(&merged, &merged.best_line(0, &[]));
    outline.refresh(&merged, false);
    let all = outline.len();
    outline.set_filter(Filter::Disagreement(0.2));
    outline.refresh(&merged, false);
    let rows = outline.rows(&merged, 0..outline.len());
    assert_eq!(rows.len() + outline.hidden(), all);
    assert!(rows.len() < all && !rows.is_empty());
    for (i, row) in rows.iter().enumerate() {
        let above_another = rows.get(i + 1).is_some_and(|next| next.depth > row.depth);
        assert!(row.row.disagreement >= 0.2 || above_another);
    }
    outline.set_filter(Filter::Flagged(KindSet::NONE));
    outline.refresh(&merged, false);
    assert!(outline.is_empty());
    assert_eq!(outline.rows(&merged, 0..10).len(), 0);
    assert!(jumps(&mut outline, &merged, false).is_empty());
}

/// Sessions behind masks: some columns have no tree, and one is treated as an external engine.
fn masked(sessions: &[Session], mask: u8) -> Merged<'_> {
    let readers = sessions.iter().enumerate().map(|(i, session)| {
        let reader = session.reader();
        (mask >> i & 1 == 1).then_some(Reader {
            searcher: if mask >> 4 & 1 == 1 {
                GrownBy::External
            } else {
                reader.searcher
            },
            ..reader
        })
    });
    Merged::new(sessions[0].subject(), readers.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rows_are_the_legal_moves_whatever_the_columns(
        chess in any::<bool>(),
        mask in 0u8..32,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let sessions = if chess { tactics() } else { toy() };
        let merged = masked(sessions, mask);
        let mut path = Path::new();
        for choice in choices {
            let rows = merged.rows(&path);
            let position = merged.situation(&path).expect("legal so far");
            let moves: Vec<MoveCode> = rows.iter().map(|r| r.name.code).collect();
            prop_assert_eq!(&moves, &legal_moves(&position));
            for row in &rows {
                prop_assert!(!row.name.san.is_empty() && !row.name.uci.is_empty());
                prop_assert_eq!(row.cells.len(), sessions.len());
                prop_assert!((0.0..=2.0).contains(&row.disagreement));
                let severities = row.differences.iter().map(|f| (f.flagged, f.difference.severity()));
                prop_assert!(severities.is_sorted_by(|a, b| a >= b));
                for (column, cell) in row.cells.iter().enumerate() {
                    prop_assert_eq!(cell.is_some(), merged.node(column, &path).is_some());
                }
            }
            for column in 0..sessions.len() {
                let ranks = rows.iter().filter_map(|r| r.cells[column].as_ref()?.rank);
                let mut ranks: Vec<usize> = ranks.collect();
                ranks.sort_unstable();
                ranks.dedup();
                let known = rows.iter().filter_map(|r| r.cells[column].as_ref()?.expected());
                prop_assert_eq!(ranks.len(), known.count());
            }
            if moves.is_empty() {
                break;
            }
            path.push(*choice.get(&moves));
        }
    }

    #[test]
    fn an_outline_never_shows_a_row_twice(
        acts in prop::collection::vec((0u8..7, any::<prop::sample::Index>()), 1..30),
        mask in 1u8..8,
    ) {
        let merged = masked(tactics(), mask);
        let mut outline = Outline::default();
        outline.refresh(&merged, false);
        for (act, index) in acts {
            match act {
                0 => outline.toggle(&merged),
                1 => outline.close_or_leave(&merged),
                2 => outline.open_or_enter(&merged),
                3 => { outline.follow_best(&merged, index.index(3)); }
                4 => { outline.jump(&merged, index.index(2) == 0); }
                5 => outline.set_filter(if index.index(2) == 0 { Filter::All } else { Filter::Disagreement(0.3) }),
                _ => outline.walk(index.index(9) as isize - 4),
            }
            outline.refresh(&merged, false);
            let rows = outline.rows(&merged, 0..outline.len());
            prop_assert_eq!(rows.len(), outline.len());
            let paths: HashSet<&Path> = rows.iter().map(|r| &r.path).collect();
            prop_assert_eq!(paths.len(), rows.len());
            prop_assert!(outline.selected() < outline.len().max(1));
            for row in &rows {
                prop_assert_eq!(usize::from(row.depth) + 1, row.path.len());
                let parent = &row.path[..row.path.len() - 1];
                prop_assert!(outline.is_open(parent));
            }
        }
    }
}
