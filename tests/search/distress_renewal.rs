//! DISTRESS makes the beliefs of bounds anew as tails grow with the search.

use algorithms::Algorithm;
use belief::{Answer, BINS, Cdf, SearchedLeaf};
use common::{KIWIPETE, chess, settle};
use eval::HandCrafted;
use search::{Event, Options};
use session::{Config, Session, Subject};
use tree::{Fate, NodeId, Tree};

const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";

fn options(pairs: &[&str]) -> Options {
    let mut options = Algorithm::Distress.default_options();
    for pair in pairs {
        options.set_pair(pair).expect(pair);
    }
    options
}

fn grown(pairs: &[&str], nodes: u64) -> common::Run {
    let evaluator = HandCrafted::default();
    let (situation, limits) = (chess(QUIET), common::nodes(nodes));
    common::run(
        Algorithm::Distress,
        &situation,
        &evaluator,
        &options(pairs),
        limits,
        64 << 20,
    )
}

/// The belief from the parent's view of every leaf that is worth at most or at least something, with what its search said.
fn bounds(tree: &Tree) -> Vec<(Cdf, f32, Answer, u8)> {
    let leaf = |id: NodeId| {
        let (value, answer, depth) = match tree.node(id).fate() {
            Fate::LeafFailsLow { value, depth, .. } => (value, Answer::AtLeast, depth),
            Fate::LeafFailsHigh { value, depth, .. } => (value, Answer::AtMost, depth),
            _ => return None,
        };
        let belief = tree.belief_slot(tree.node(id).belief()).read();
        (!value.is_decided()).then(|| (belief, -value.logit(), answer, depth))
    };
    common::legs::walk(tree)
        .into_iter()
        .filter_map(leaf)
        .collect()
}

/// After 60,000 nodes tails have been renewed at 45,255, the last of the powers of √2: no bound has lighter ones than a search
/// of so many nodes gives, .01 · (45,255 / 20,000)^1.43 = .0321, and none has heavier ones than .0481, those of 60,000. The
/// control is the search without renewals: there bounds with .01 are left.
#[test]
fn no_bound_keeps_the_tails_of_a_small_search() {
    let lightest = |pairs: &[&str]| {
        let run = grown(pairs, 60_000);
        let leaf = SearchedLeaf::new(run.tree.grid(), None);
        let bounds = bounds(&run.tree);
        assert!(bounds.len() > 500, "{}", bounds.len());
        let weight = |(belief, location, answer, depth): &(Cdf, f32, Answer, u8)| {
            let (none, all) = [0.0, 1.0]
                .map(|t| leaf.get(*location, *answer, *depth, 1.0, t))
                .into();
            // A belief is the same part of the way from one without tails to nothing but tails in every bin.
            let bin = |cdf: &Cdf, i: usize| f32::from(cdf.0[i]);
            let span = |i: usize| (bin(&all, i) - bin(&none, i), bin(belief, i) - bin(&none, i));
            let (whole, part) = (0..BINS)
                .map(span)
                .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
            Some(part / whole)
        };
        let weights: Vec<f32> = bounds.iter().filter_map(weight).collect();
        let most = weights.iter().copied().fold(f32::MIN, f32::max);
        assert!(most < 0.049, "{most}");
        weights.into_iter().fold(f32::MAX, f32::min)
    };
    let renewed = lightest(&[]);
    assert!((0.0315..0.049).contains(&renewed), "{renewed}");
    let kept = lightest(&["renew=off"]);
    assert!((0.0095..0.0105).contains(&kept), "{kept}");
}

#[test]
fn tails_that_do_not_grow_renew_nothing() {
    for tails in ["tails=0.01", "tails=on", "tails=0.02 + 0*nodes"] {
        let (on, off) = (
            grown(&[tails], 40_000),
            grown(&[tails, "renew=off"], 40_000),
        );
        assert_eq!(on.tree.copy().difference(&off.tree), None, "{tails}");
        assert_eq!(on.events.len(), off.events.len());
    }
    let small = grown(&[], 20_000).tree.copy();
    assert_eq!(small.difference(&grown(&["renew=off"], 20_000).tree), None);
}

/// Every node above a renewed leaf is backed up again: its value is the mean of its belief.
#[test]
fn what_is_renewed_is_backed_up() {
    let run = grown(&[], 24_000);
    let renewed = run
        .events
        .iter()
        .filter(|e| matches!(e, Event::BackUp { child, .. } if child.is_none()));
    assert!(renewed.count() > 100);
    let off = grown(&["renew=off"], 24_000);
    let none = off
        .events
        .iter()
        .filter(|e| matches!(e, Event::BackUp { child, .. } if child.is_none()));
    let with_control = none.count();
    assert!(with_control < 100, "{with_control}");
    common::legs::check_best_first(&run.tree, Algorithm::Distress);
}

/// Going back into the middle of a renewal, and forward again, ends in the same tree.
#[test]
fn a_search_is_rewound_through_renewals() {
    let config = || Config {
        limits: common::nodes(50_000),
        memory: 64 << 20,
        ..Config::new(Algorithm::Distress)
    };
    let mut session = Session::start(Subject::from(chess(KIWIPETE)), config());
    session.join();
    settle(&mut session);
    let whole = session.reader().tree.copy();
    let events = session.event_position().now;
    for back in [events - 1, events / 2, events / 3] {
        session.go_to(back);
        settle(&mut session);
        assert_eq!(session.event_position().now, back);
    }
    session.go_to(events);
    settle(&mut session);
    assert_eq!(whole.difference(session.reader().tree), None);
}

/// Several threads renew leaves that others are searching.
#[test]
fn several_threads_renew_together() {
    let situation = chess(QUIET);
    let evaluator = HandCrafted::default();
    for _ in 0..3 {
        let stage = common::legs::Stage::new(Algorithm::Distress, &situation, &evaluator);
        stage.threads(search::Start::default(), 60_000, 4);
        assert!(common::legs::walk(&stage.tree).len() > 1_000);
        common::legs::check_best_first(&stage.tree, Algorithm::Distress);
        let leaf = SearchedLeaf::new(stage.tree.grid(), None);
        let light = bounds(&stage.tree)
            .into_iter()
            .filter(|(belief, location, answer, depth)| {
                *belief == leaf.get(*location, *answer, *depth, 1.0, 0.01)
            });
        assert_eq!(light.count(), 0);
    }
}
