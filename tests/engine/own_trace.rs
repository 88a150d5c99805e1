//! plyscope's own searches as open traces: written, read back, and compared with the trees that they were.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use algorithms::{ALGORITHMS, Algorithm};
use game::{Game, MoveCode, Scale, Score, Situation};
use games::Document;
use open_trace::Form;
use search::AnyPosition;
use session::{Config, Session, Subject, TraceRequest, tell};
use tree::{Family, Fate, NodeId, NodeView, Proof, Tree, Value, Window};

/// How often a field differs, with the first place and both values.
type Differences = BTreeMap<&'static str, (u64, String)>;

/// A search and what was read of it.
struct Pair<'a> {
    own: &'a Tree,
    read: &'a Tree,
    differences: Differences,
    /// The places of nodes that differ in what is not lost.
    places: BTreeSet<Vec<String>>,
    nodes: u64,
}

/// A score by what it means: the two trees may count it in other steps.
fn meaning(scale: Scale, score: Score) -> String {
    match score {
        Score::MIN | Score::MAX => format!("{:?}", score.raw()),
        score if score.is_decided() => format!("{score:?}"),
        score => format!("{:.4}", scale.units(score)),
    }
}

fn of_window(scale: Scale, window: Window) -> String {
    let [alpha, beta, value] =
        [window.alpha, window.beta, window.value].map(|score| meaning(scale, score));
    format!("{value} {:?} in {alpha} … {beta}", window.bound)
}

fn of_proof(scale: Scale, proof: Proof) -> String {
    format!(
        "{} … {}",
        meaning(scale, proof.lower),
        meaning(scale, proof.upper)
    )
}

/// A fate with its numbers; moves by their names.
fn of_fate(scale: Scale, position: &AnyPosition, fate: Fate) -> String {
    let numbers = fate.numbers().into_iter().map(|number| {
        let value = match number.value {
            Value::Score(score) => meaning(scale, score),
            Value::Margin(margin) => format!("{:.4}", scale.units(Score::new(margin.into()))),
            Value::Move(MoveCode::NONE) => "none".into(),
            Value::Move(code) => position.uci(code),
            value => format!("{value:?}"),
        };
        format!(" {} {value}", number.name)
    });
    format!("{}{}", fate.info().name, numbers.collect::<String>())
}

impl Pair<'_> {
    fn note(&mut self, field: &'static str, place: &[String], own: String, read: String) {
        if own != read {
            let first = || (0, format!("{place:?}: {own}, read as {read}"));
            self.differences.entry(field).or_insert_with(first).0 += 1;
            if !LOST.contains(&field) {
                self.places.insert(place.to_vec());
            }
        }
    }

    fn compare(
        &mut self,
        ids: (NodeId, NodeId),
        at: (&AnyPosition, &AnyPosition),
        place: &mut Vec<String>,
    ) {
        self.nodes += 1;
        let views = (self.own.view(ids.0), self.read.view(ids.1));
        self.figures(&views.0, &views.1, at, place);
        let rows = |tree: &Tree, id, position: &AnyPosition| -> BTreeMap<String, NodeId> {
            let name = |child| match tree.node(child).move_code() {
                MoveCode::PASS => "pass".to_owned(),
                code => position.uci(code),
            };
            tree.children(id)
                .map(|child| (name(child), child))
                .collect()
        };
        let (ours, theirs) = (rows(self.own, ids.0, at.0), rows(self.read, ids.1, at.1));
        let names = |rows: &BTreeMap<String, NodeId>| {
            rows.keys()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(" ")
        };
        self.note("rows", place, names(&ours), names(&theirs));
        for (name, child) in ours {
            let Some(&other) = theirs.get(&name) else {
                continue;
            };
            let one = at.0.after(self.own.node(child).move_code());
            let two = at.1.after(self.read.node(other).move_code());
            let (one, two) = one.zip(two).expect("moves that can be played");
            place.push(name);
            self.compare((child, other), (&one, &two), place);
            place.pop();
        }
    }

    fn figures(
        &mut self,
        own: &NodeView,
        read: &NodeView,
        at: (&AnyPosition, &AnyPosition),
        place: &[String],
    ) {
        let scales = (self.own.scale(), self.read.scale());
        macro_rules! same {
            ($($field:literal: $of:expr;)+) => {$({
                let told = $of;
                let (own, read) = (told(own, scales.0, at.0), told(read, scales.1, at.1));
                self.note($field, place, own, read);
            })+};
        }
        type At<'a> = &'a AnyPosition;
        same! {
            "fate": |of: &NodeView, scale, at: At| of_fate(scale, at, of.fate);
            "proof": |of: &NodeView, scale, _: At| of_proof(scale, of.proof);
            "score": |of: &NodeView, scale, _: At| format!("{:?}", of.score.map(|s| meaning(scale, s)));
            "nodes": |of: &NodeView, _, _: At| of.nodes.to_string();
            "visits": |of: &NodeView, _, _: At| of.visits.to_string();
            "iteration": |of: &NodeView, _, _: At| of.iteration.to_string();
            "change of depth": |of: &NodeView, _, _: At| format!("{:?}", of.treatment.depth);
            "improving": |of: &NodeView, _, _: At| of.improving.to_string();
        }
        if let (Some(own), Some(read)) = (own.window, read.window) {
            let is_empty = own.alpha >= own.beta;
            let field = match place.len() {
                _ if is_empty => "empty window",
                1 if own.bound != read.bound => "bound of a move at the root",
                _ => "window",
            };
            self.note(
                field,
                place,
                of_window(scales.0, own),
                of_window(scales.1, read),
            );
            self.note(
                "depth",
                place,
                own.depth.to_string(),
                read.depth.to_string(),
            );
        }
        let values = (own.static_value, read.static_value);
        let (own_value, read_value) = (
            values.0.map(|value| meaning(scales.0, value)),
            values.1.map(|value| meaning(scales.1, value)),
        );
        let field = match own_value {
            None => "static value of an earlier visit",
            Some(_) => "static value",
        };
        self.note(
            field,
            place,
            format!("{own_value:?}"),
            format!("{read_value:?}"),
        );
        for (field, own, read, most) in [
            ("expected", own.expected, read.expected, 1e-5),
            ("policy", own.policy, read.policy, 2e-5),
        ] {
            let apart = match (own, read) {
                (Some(own), Some(read)) => (own - read).abs() > most,
                (own, read) => own.is_some() != read.is_some(),
            };
            if apart {
                self.note(field, place, format!("{own:?}"), format!("{read:?}"));
            }
        }
    }
}

fn read_back(bytes: Vec<u8>) -> Session {
    let document = Document::from_bytes("own.plytrace", bytes).expect("a stream");
    assert!(document.problems.is_empty(), "{:?}", document.problems);
    let entry = document.entry(0).expect("a search");
    assert!(entry.warnings.is_empty(), "{:?}", entry.warnings);
    let recorded = entry.recorded.clone().expect("a recorded search");
    let config = Config {
        memory: 128 << 20,
        ..Config::new(Algorithm::DEFAULT).reading(recorded)
    };
    let mut session = Session::start(entry.subject(), config);
    session.join();
    session
}

fn told(subject: &Subject, config: &Config, form: Form) -> Vec<u8> {
    let request = TraceRequest::default();
    tell(subject, config, &request, || false, Vec::new(), form).expect("it can be told")
}

/// Compares the tree of a search with that which is read of it.
fn differences(
    subject: &Subject,
    config: &Config,
    form: Form,
) -> (Differences, BTreeSet<Vec<String>>) {
    let mut own = Session::start(subject.clone(), config.clone());
    own.join();
    let read = read_back(told(subject, config, form));
    let mut pair = Pair {
        own: own.tree(),
        read: read.tree(),
        differences: Differences::new(),
        places: BTreeSet::new(),
        nodes: 0,
    };
    let root = &read.subject().position;
    pair.compare(
        (Tree::ROOT, Tree::ROOT),
        (&subject.position, root),
        &mut Vec::new(),
    );
    assert!(pair.nodes > 3, "{} nodes", pair.nodes);
    let best = |session: &Session| {
        let best = session
            .config()
            .algorithm
            .best_move(session.tree(), Tree::ROOT);
        format!(
            "{:?}",
            best.map(|code| session.subject().position.uci(code))
        )
    };
    pair.note("best", &[], best(&own), best(&read));
    (pair.differences, pair.places)
}

/// What a trace has no room for, as the page of the format says too.
const LOST: [&str; 5] = [
    "improving",
    "bound of a move at the root",
    "static value of an earlier visit",
    "empty window",
    "depth",
];

/// The Italian game.
const MIDDLEGAME: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

/// Go on a board on which four plies are soon searched.
const SMALL_GO: &str = "(;GM[1]SZ[3]KM[2.5];B[bb];W[ab];B[ba])";

fn sample(name: &str) -> Subject {
    if name == SMALL_GO {
        return games::position_of_text(name).expect(name);
    }
    if name == MIDDLEGAME {
        let position = game::load::fen::parse(name).expect(name).position;
        return Subject::from(Situation::new(position));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-positions");
    let document = Document::open(&folder.join(name)).expect(name);
    document.entry(0).expect(name).subject()
}

fn config_of(algorithm: Algorithm) -> Config {
    let mut config = Config {
        memory: 128 << 20,
        table: 1 << 20,
        ..Config::new(algorithm)
    };
    match algorithm.info().family {
        Family::DepthFirst => config.limits.depth = Some(4),
        Family::BestFirst => config.limits.nodes = Some(1_500),
    }
    config
}

fn every_algorithm_is_read_back(name: &str, form: Form) {
    let subject = sample(name);
    for row in &ALGORITHMS {
        let (mut found, _) = differences(&subject, &config_of(row.algorithm), form);
        found.retain(|field, _| !LOST.contains(field));
        assert!(found.is_empty(), "{name}, {}: {found:#?}", row.name);
    }
}

#[test]
fn a_middlegame_is_read_back_as_it_was() {
    every_algorithm_is_read_back(MIDDLEGAME, Form::Lines);
}

#[test]
fn mates_and_repetitions_are_read_back_as_they_were() {
    every_algorithm_is_read_back("mate-in-three.epd", Form::Binary);
    every_algorithm_is_read_back("repetition.pgn", Form::Lines);
}

#[test]
fn endgames_and_another_castling_are_read_back_as_they_were() {
    every_algorithm_is_read_back("pawn-endings.epd", Form::Lines);
    every_algorithm_is_read_back("saavedra.epd", Form::Binary);
    every_algorithm_is_read_back("chess960.fen", Form::Binary);
}

#[test]
fn where_a_search_was_stopped_its_open_nodes_alone_are_interrupted() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
        let mut config = config_of(algorithm);
        config.limits.depth = None;
        config.limits.nodes = Some(5_000);
        let (_, places) = differences(&sample("kiwipete.fen"), &config, Form::Lines);
        let deepest = places.iter().max_by_key(|place| place.len());
        let deepest = deepest.expect("a path on which it was stopped").clone();
        for place in places {
            assert!(deepest.starts_with(&place), "{algorithm:?}: {place:?}");
        }
    }
}

#[test]
fn other_games_are_read_back_as_they_were() {
    every_algorithm_is_read_back("tic-tac-toe.ttt", Form::Lines);
    every_algorithm_is_read_back("connect-four.c4", Form::Binary);
    every_algorithm_is_read_back(SMALL_GO, Form::Lines);
}

#[test]
fn a_game_whose_rules_are_known_is_read_with_them() {
    for (name, game) in [
        ("connect-four.c4", "connect4"),
        ("tic-tac-toe.ttt", "tictactoe"),
        (SMALL_GO, "go"),
        ("repetition.pgn", "chess"),
        ("textbook.tree", "tree"),
    ] {
        let subject = sample(name);
        let stream = told(&subject, &config_of(Algorithm::Mcts), Form::Lines);
        let read = read_back(stream);
        let position = &read.subject().position;
        assert_eq!(position.game_name(), game, "{name}");
        // A toy tree has no text that could stand in a stream.
        let has_rules = game != "tree";
        assert_eq!(position.has_moves(), has_rules, "{name}");
        assert_eq!(position.fen(), subject.position.fen().filter(|_| has_rules));
        assert_eq!(
            read.subject().history.len(),
            subject.history.len(),
            "{name}"
        );
    }
}

#[test]
fn toy_trees_are_read_back_as_they_were() {
    for name in [
        "textbook.tree",
        "wide-and-narrow.tree",
        "sixteen-leaves.tree",
        "figure1.tree",
    ] {
        every_algorithm_is_read_back(name, Form::Binary);
    }
    every_algorithm_is_read_back("conspiracy.tree", Form::Lines);
}
