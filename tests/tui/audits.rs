//! What rules pruned, in the explorer: filters by fate, failed audits and how to get to them, null moves among the
//! rows.

use algorithms::Algorithm;
use game::load::fen;
use game::{MoveCode, Situation};
use session::{Config, Session, Subject};
use tree::{Fate, NodeId, Tree};
use tui::panes::tree::{Explorer, Filter, Sort};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A finished search of a lively position, with some of the pruned moves audited.
fn search(audit: &str) -> Session {
    let read = fen::parse(KIWIPETE).expect("a FEN");
    let subject = Subject::from(Situation::new(read.position));
    let mut config = Config {
        memory: 64 << 20,
        table: 1 << 20,
        limits: common::nodes(40_000),
        ..Config::new(Algorithm::AlphaBeta)
    };
    config.options.set("audit", audit).expect("an option");
    let mut session = Session::start(subject, config);
    session.join();
    session
}

fn explorer(session: &Session) -> Explorer {
    let mut explorer = Explorer::default();
    explorer.refresh(session.reader(), false);
    explorer
}

fn choice(name: &str) -> Filter {
    let all = Filter::choices();
    let found = all.into_iter().find(|f| f.name() == name);
    found.unwrap_or_else(|| panic!("no filter {name}"))
}

#[test]
fn failed_audits_are_gone_through_in_order_and_round() {
    let session = search("2");
    let reader = session.reader();
    let failed = reader.tree.failed_audits();
    assert!(failed.len() > 3, "{} audits failed", failed.len());
    let mut explorer = explorer(&session);
    let mut seen = Vec::new();
    for i in 0..=failed.len() {
        let place = explorer.next_failed_audit(reader, 1);
        assert_eq!(place, Some((i % failed.len() + 1, failed.len())));
        let row = explorer.selected_row().expect("a row");
        let view = reader.view(row.node);
        assert!(view.fate.is_auditable() && view.audit().is_some_and(|a| a.failed));
        seen.push(row.node);
    }
    assert_eq!(seen[..failed.len()], failed);
    assert_eq!(seen.first(), seen.last());
    let back = explorer.next_failed_audit(reader, -1);
    assert_eq!(back, Some((failed.len(), failed.len())));
    let back = explorer.next_failed_audit(reader, -2);
    assert_eq!(back, Some((failed.len() - 2, failed.len())));
}

#[test]
fn the_filter_opens_the_way_to_failed_audits() {
    let session = search("2");
    let reader = session.reader();
    let mut explorer = explorer(&session);
    explorer.set_filter(Filter::FailedAudit);
    let count = explorer.open_failed_audits(reader);
    explorer.refresh(reader, false);
    let shown: Vec<NodeId> = explorer.rows().iter().map(|r| r.node).collect();
    let failed = reader.tree.failed_audits();
    assert_eq!(count, failed.len());
    let fits = |id: &&NodeId| reader.tree.has_failed_audit(**id);
    assert_eq!(shown.iter().filter(fits).count(), count.min(200));
    // The other rows lead to one of them.
    for row in explorer.rows() {
        let leads = failed
            .iter()
            .any(|id| reader.tree.path(*id).contains(&row.node));
        assert!(leads, "{row:?}");
    }
}

#[test]
fn without_audits_there_is_nothing_to_go_to() {
    let session = search("0");
    let mut explorer = explorer(&session);
    assert_eq!(explorer.next_failed_audit(session.reader(), 1), None);
    assert_eq!(explorer.open_failed_audits(session.reader()), 0);
}

#[test]
fn rows_are_filtered_by_fate_and_family() {
    let session = search("0");
    let reader = session.reader();
    let mut explorer = explorer(&session);
    for id in reader.tree.ids().take(3_000) {
        explorer.open_node(reader, id);
    }
    let mut counted = [0; 3];
    for (name, count) in ["futility", "node-pruning", "late-move-pruning"]
        .into_iter()
        .zip(&mut counted)
    {
        explorer.set_filter(choice(name));
        explorer.refresh(reader, false);
        for row in explorer.rows() {
            let fates = reader.fates(row.parent);
            let fate = fates.iter().find(|(code, _)| *code == row.code);
            let Some((_, fate)) = fate else { continue };
            let fits = match name {
                "futility" => matches!(
                    fate,
                    Fate::Futility { .. }
                        | Fate::DeltaPruning { .. }
                        | Fate::ReverseFutility { .. }
                ),
                "node-pruning" => fate.is_cut_before_moves(),
                _ => matches!(fate, Fate::LateMovePruning { .. }),
            };
            // The others lead to one that matches.
            assert!(fits || explorer.is_open(row.node), "{name}: {fate:?}");
            *count += usize::from(fits);
        }
    }
    assert!(counted.iter().all(|&n| n > 10), "{counted:?}");
}

/// Returns the nodes at which a null move was tried.
fn passed(tree: &Tree) -> Vec<NodeId> {
    let is_pass = |id: &NodeId| tree.node(*id).move_code() == MoveCode::PASS;
    let parents = tree.ids().filter(is_pass).map(|id| tree.node(id).parent());
    parents.take(300).collect()
}

#[test]
fn null_moves_are_rows_and_never_the_best_line() {
    let session = search("0");
    let reader = session.reader();
    let parents = passed(reader.tree);
    assert!(parents.len() > 20);
    for parent in parents {
        assert_ne!(reader.best_move(parent), Some(MoveCode::PASS));
        let line = reader.best_line(parent);
        let below = line.iter().map(|id| reader.tree.node(*id).move_code());
        assert!(below.into_iter().all(|code| code != MoveCode::PASS));
        let rows = reader.rows_best_first(parent);
        assert_ne!(rows[0].move_code, MoveCode::PASS);
        let row = rows.iter().find(|r| r.move_code == MoveCode::PASS);
        let row = row.expect("the null move");
        assert_eq!((row.label.as_str(), row.uci.as_str()), ("--", "0000"));
        // The line through it can be written and found again.
        let node = row.id.node().expect("recorded");
        let moves = reader.tree.moves_to(node);
        let text = session.subject().line_of(&moves);
        let read = session.subject().read_line(&text).expect(&text);
        assert_eq!(read.moves, moves);
        let names: Vec<String> = reader
            .names(Tree::ROOT, &moves)
            .into_iter()
            .map(|n| n.san)
            .collect();
        assert_eq!(reader.follow(Tree::ROOT, &names.join(" ")), Ok(node));
        let (before, after) = (reader.situation(parent), reader.situation(node));
        let fen = |subject: Option<Subject>| subject.and_then(|s| s.position.fen());
        let (before, after) = (fen(before).expect("a FEN"), fen(after).expect("a FEN"));
        assert_eq!(before.split(' ').next(), after.split(' ').next());
        assert_ne!(before, after);
    }
    let mut explorer = explorer(&session);
    let parent = passed(reader.tree)[0];
    explorer.set_sort(Sort::Order);
    explorer.reveal(reader, parent);
    explorer.open_node(reader, parent);
    explorer.refresh(reader, false);
    let at = explorer
        .rows()
        .iter()
        .position(|r| r.code == MoveCode::PASS);
    let row = explorer.rows()[at.expect("a row of its own")];
    assert_eq!(
        explorer.names(row.parent).and_then(|n| n.get(row.code)),
        Some("--")
    );
    let text = report::why::why_node(&reader, row.node);
    assert!(!text.contains("ffff") && !text.contains("fffe"), "{text}");
}
