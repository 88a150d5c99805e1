//! Each node has one value, from one view: what sentences, rows and beliefs say of it agrees.

use algorithms::Algorithm;
use common::settle;
use game::load::fen;
use game::{Sided as _, Situation};
use report::lens::{self, Lens};
use search::{Limits, Viewpoint};
use session::{Config, NodeBelief, Reader, Session, Source, Subject};
use tree::{Bound, Fate, NodeId, Tree};

/// Black to move, so that White's view is that of the other side.
const BLACK: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 0 9";

fn searched(subject: Subject, algorithm: Algorithm, nodes: u64) -> Session {
    let config = Config {
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        memory: 64 << 20,
        ..Config::new(algorithm)
    };
    let mut session = Session::start(subject, config);
    session.wait(|| false);
    session
}

fn black(algorithm: Algorithm) -> Session {
    let position = fen::parse(BLACK).expect("a position").position;
    searched(Subject::from(Situation::new(position)), algorithm, 2_000)
}

fn sample(name: &str, algorithm: Algorithm) -> Session {
    searched(Subject::of(common::sample_tree(name)), algorithm, 100)
}

fn white(unit: lens::Unit) -> Lens {
    Lens {
        unit,
        ..Lens::default()
    }
}

/// The explanation of the root in one text, its numbers in pawns from White's view.
fn explained(session: &Session) -> String {
    let reader = session.reader();
    let scores = white(lens::Unit::Pawns).at(&reader, Tree::ROOT);
    let found = reader.explain(Tree::ROOT, scores.viewpoint(), None);
    let facts = found.facts.iter().map(|fact| (fact.name, &fact.value));
    let sentences = found.sentences.iter().map(|sentence| ("", sentence));
    let lines = facts.chain(sentences).map(|(name, phrase)| {
        let text = report::explanation::text(&reader, Tree::ROOT, phrase, &scores.as_shown());
        format!("{name} {text}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn why(session: &Session) -> String {
    white(lens::Unit::Pawns).why_node(&session.reader(), Tree::ROOT)
}

/// The posterior of Bayesian MCTS at the root of the figure is 1.568, with 1.19 for its best move.
#[test]
fn a_belief_of_all_moves_is_told_with_what_it_adds_to_one() {
    let session = sample("figure1", Algorithm::BayesMcts);
    let reader = session.reader();
    let own = reader.backed_up().expect("a belief");
    let (mean, _) = reader.moments(Tree::ROOT).expect("moments");
    assert_eq!(own.mean, mean);
    let said = why(&session);
    let expected = "+1.57: the best single move's mean is +1.19; that there are several adds 0.38";
    assert!(said.contains(expected), "{said}");
    // BPIP's root believes what its best move does.
    let session = sample("figure1", Algorithm::Bpip);
    assert_eq!(session.reader().backed_up(), None);
    assert!(!why(&session).contains("single"));
    for algorithm in [Algorithm::Distress, Algorithm::ProbBStar] {
        let session = black(algorithm);
        let reader = session.reader();
        let grid = reader.tree.grid();
        let means = reader.tree.children(Tree::ROOT).filter_map(|child| {
            let belief = reader.tree.belief(child)?;
            Some(-belief.mean(grid))
        });
        let best = means.reduce(f32::max).expect("moves");
        assert_eq!(reader.best_single_mean(), Some(best));
        let shown = white(lens::Unit::Pawns).at(&reader, Tree::ROOT).mean(best);
        let said = why(&session);
        assert!(
            said.contains(&format!("single move's mean is {shown};")),
            "{said}"
        );
    }
}

/// The root is worth what its best move is; the mean of its visits is another number, and called so.
#[test]
fn the_mean_of_the_visits_is_not_the_value_of_the_best_move() {
    let session = black(Algorithm::Mcts);
    let reader = session.reader();
    let shown = |e| white(lens::Unit::Pawns).at(&reader, Tree::ROOT).mean(e);
    let value = reader.view(Tree::ROOT).expected.expect("a value");
    let mean = reader.tree.view(Tree::ROOT).expected.expect("a mean");
    assert_ne!(shown(value), shown(mean));
    let said = why(&session);
    let visits = reader.view(Tree::ROOT).visits;
    for part in [
        format!("Expanded: value {}, best ", shown(value)),
        format!("; the mean of {visits} visits is {}", shown(mean)),
    ] {
        assert!(said.contains(&part), "{part}: {said}");
    }
    // The spread beside the best move's value is that move's.
    let best = reader.best_move(Tree::ROOT).expect("a best move");
    let child = reader
        .tree
        .child_by_move(Tree::ROOT, best)
        .expect("its node");
    let about = reader.belief_about_best().map(|belief| belief.sd);
    assert_eq!(about, reader.belief(child).map(|belief| belief.sd));
}

/// Only where a value is the mean of its visits do visits say anything about how sure it is.
#[test]
fn no_spread_is_made_up_for_a_value_by_minimax() {
    for algorithm in [
        Algorithm::BestFirstMinimax,
        Algorithm::Pn,
        Algorithm::Conspiracy,
        Algorithm::BStar,
    ] {
        let session = black(algorithm);
        let reader = session.reader();
        for id in (0..reader.tree.len())
            .map(NodeId)
            .filter(|id| reader.tree.contains(*id))
        {
            let belief: Option<NodeBelief> = reader.belief(id);
            let source = belief.map(|belief| belief.source);
            let expected = [None, Some(Source::Point), Some(Source::Interval)];
            assert!(
                expected.contains(&source),
                "{algorithm}, {id:?}: {source:?}"
            );
        }
    }
    let session = black(Algorithm::Mcts);
    let belief = session.reader().belief(Tree::ROOT);
    assert_eq!(belief.map(|belief| belief.source), Some(Source::Visits));
}

/// "At least", "more" and "raise" turn with the numbers.
#[test]
fn what_compares_scores_is_seen_from_the_view_of_the_scores() {
    let said = explained(&black(Algorithm::BStar));
    assert!(said.contains(" is worth at most +"), "{said}");
    assert!(
        said.contains(" at least −") || said.contains(" at least +"),
        "{said}"
    );
    let session = black(Algorithm::Conspiracy);
    let said = explained(&session);
    let range = said
        .lines()
        .find(|line| line.starts_with("likely range"))
        .expect("a range");
    assert!(
        !range.contains("to lost") && !range.contains("range won"),
        "{range}"
    );
    let raises = said.contains("could raise it");
    let own = session.reader().explain(Tree::ROOT, Viewpoint::Own, None);
    let own: Vec<_> = own.sentences.into_iter().flatten().collect();
    let lowers = format!("{own:?}").contains("could lower it");
    assert_eq!(raises, lowers, "{said}\n{own:?}");
    let said = explained(&black(Algorithm::BestFirstMinimax));
    assert!(said.contains("worth less than"), "{said}");
}

/// Below the root, too, the best move of MCTS is the one that was visited most.
#[test]
fn the_best_move_by_visits_is_the_most_visited_one_at_every_node() {
    let session = black(Algorithm::Mcts);
    let reader: Reader = session.reader();
    let mut checked = 0;
    for id in (0..reader.tree.len())
        .map(NodeId)
        .filter(|id| reader.tree.contains(*id))
    {
        let view = reader.view(id);
        let Fate::Expanded {
            best,
            searched: 1..,
            ..
        } = view.fate
        else {
            continue;
        };
        let visits = |child| reader.tree.node(child).visits();
        let most = reader.tree.children(id).map(visits).max();
        let of_best = reader.tree.child_by_move(id, best).map(visits);
        assert_eq!(of_best, most, "{id:?}");
        checked += 1;
    }
    assert!(checked > 300, "{checked}");
}

/// What came from a move that was taken out is no value any more, and no other move gets it.
#[test]
fn a_best_move_that_is_taken_out_takes_its_value_along() {
    let mut session = sample("textbook", Algorithm::AlphaBeta);
    let a = session.reader().best_move(Tree::ROOT).expect("a best move");
    let child = |session: &Session, name: &str| {
        let reader = session.reader();
        let named =
            |id: &NodeId| reader.label(Tree::ROOT, reader.tree.node(*id).move_code()) == name;
        reader
            .tree
            .children(Tree::ROOT)
            .find(named)
            .expect("a move")
    };
    let c = child(&session, "C");
    let before = session.reader().view(c);
    assert_eq!(before.window.map(|w| w.bound.turned()), Some(Bound::Upper));
    session
        .set_excluded(Tree::ROOT, &[a])
        .expect("it can be taken out");
    settle(&mut session);
    let reader = session.reader();
    assert_eq!(reader.view(Tree::ROOT).expected, None);
    assert_eq!(reader.view(c).expected, before.expected);
    let answer = reader.answer(Tree::ROOT, a).expect("an answer");
    let told = report::answer::verdict(&reader, &answer, &|_| "+3".to_owned());
    assert!(
        told.starts_with("A is taken out of the search; before, it was worth +3."),
        "{told}"
    );
}
