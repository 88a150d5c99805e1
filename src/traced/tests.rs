//! Whole streams, read into trees small enough for a hand.

mod audit;
mod best_first;

use std::sync::Arc;

use super::{Contents, InMemory, NoEvaluator, Recording, TracedGame, TracedPosition, Values};
use game::{Game as _, MoveCode, Score, Side, Situation};
use search::common::table::Tables;
use search::{Choices, Control, Event, Job, Limits, Options, Record, Recorded, Start};
use tree::{Bound, Fate, NodeId, NodeView, Tree, TreeSpec};

/// A search that was read: its tree, its events, and the position at its root.
struct Grown {
    tree: Tree,
    events: Vec<Event>,
    root: TracedPosition,
    start: Start,
    nodes: u64,
}

fn contents(stream: &str) -> Contents {
    let bytes = stream.as_bytes().to_vec();
    Contents::of(Arc::new(InMemory::new(bytes))).expect("a stream")
}

fn grow(stream: &str) -> Grown {
    let contents = contents(stream);
    grow_recording(&contents.recordings[0])
}

fn grow_recording(recording: &Recording) -> Grown {
    let values = Values::new(recording.header(), Side::White, TracedPosition::FIRST);
    let game = TracedGame::new(Arc::clone(recording.names()), values.scale(), "");
    let root = TracedPosition::root(Arc::new(game), Side::White);
    let family = match recording.header().order {
        open_trace::Order::DepthFirst => tree::Family::DepthFirst,
        open_trace::Order::BestFirst => tree::Family::BestFirst,
    };
    let tree = Tree::new(TreeSpec {
        family,
        scale: values.scale(),
        beliefs: false,
        budget: 1 << 20,
        record_plies: u16::MAX,
    });
    let control = Control::new(Limits::default(), 1);
    let situation = Situation::new(root.clone());
    let (tables, choices) = (Tables::new(0), Choices::default());
    let options = Options::defaults("trace", &[]);
    let mut record = Record::default();
    let start = {
        let job = Job {
            recorded: Some(recording),
            situation: &situation,
            evaluator: &NoEvaluator,
            tree: &tree,
            tables: &tables,
            endgames: None,
            options: &options,
            control: &control,
            start: Start::default(),
            choices: &choices,
            seed: 1,
        };
        match family {
            tree::Family::DepthFirst => super::depth_first::run(&job, recording, &mut record),
            tree::Family::BestFirst => super::best_first::run(&job, recording, &mut record),
        }
    };
    let nodes = control.totals().nodes;
    Grown {
        tree,
        events: record.0,
        root,
        start,
        nodes,
    }
}

impl Grown {
    /// The node that these moves lead to.
    fn node(&self, moves: &str) -> NodeId {
        let mut position = self.root.clone();
        let mut at = Tree::ROOT;
        for name in moves.split_whitespace() {
            let child = self.tree.children(at).find(|&child| {
                let code = self.tree.node(child).move_code();
                position.label(code) == name || self.name(code).as_deref() == Some(name)
            });
            at = child.unwrap_or_else(|| panic!("no {name} in {moves}"));
            let code = self.tree.node(at).move_code();
            position = position.after(code).expect("a position");
        }
        at
    }

    fn name(&self, code: MoveCode) -> Option<String> {
        self.tree.told_name(code).map(|name| name.to_string())
    }

    fn view(&self, moves: &str) -> NodeView {
        self.tree.view(self.node(moves))
    }

    /// A move as its parent sees it: value and bound.
    fn worth(&self, moves: &str) -> (i16, Bound) {
        use game::Sided as _;
        let view = self.view(moves).one_ply_up();
        let window = view.window.expect("it was searched");
        (window.value.raw(), window.bound)
    }

    fn unexplained(&self) -> Vec<(f64, Option<f64>)> {
        let all = self.tree.all_unexplained();
        let found = all.into_iter().filter_map(|id| self.tree.unexplained(id));
        found.map(|found| (found.left, found.gives)).collect()
    }
}

/// Lines of a depth-first search in points, after the header.
fn depth_first(more: &str, lines: &str) -> Grown {
    let header = format!(
        r#"{{"plyscope-trace":1,"game":"toy","value":{{"unit":"points","infinite":32001{more}}},"reasons":[{{"n":1,"name":"futility","class":"skip","numbers":[["static","value"],["margin","difference"],["alpha","value"],["depth","plies"]]}},{{"n":2,"name":"small","class":"known","numbers":[["limit","value"]],"text":"below {{limit}}"}},{{"n":3,"name":"null-move","class":"try","numbers":[]}}]}}"#
    );
    grow(&format!("{header}\n{lines}"))
}

/// The example of the documentation.
const EXAMPLE: &str = r#"{"kind":"search","root":"three moves","side":"first"}
{"kind":"iteration","depth":1}
{"kind":"enter","move":null,"alpha":null,"beta":null,"depth":1}
{"kind":"evaluate","value":0}
{"kind":"enter","move":"a","alpha":null,"beta":null,"depth":0}
{"kind":"leave","value":-3}
{"kind":"enter","move":"b","alpha":null,"beta":-3,"depth":0}
{"kind":"leave","value":-2}
{"kind":"prune","move":"c","why":"futility","static":0,"margin":2,"alpha":3,"depth":1}
{"kind":"leave","value":3}
{"kind":"iteration-done","best":"a","value":3}
{"kind":"end","nodes":3,"best":"a","value":3}
"#;

#[test]
fn the_example_gives_the_rows_that_it_promises() {
    let grown = depth_first("", EXAMPLE);
    assert_eq!(grown.worth("a"), (3, Bound::Exact));
    // Left with -2 by a window that ends at -3: b is worth at most 2.
    assert_eq!(grown.worth("b"), (2, Bound::Upper));
    let c = grown.view("c");
    assert_eq!(
        c.fate,
        Fate::Futility {
            static_value: Score::new(0),
            margin: 2,
            alpha: Score::new(3),
            depth: 1
        }
    );
    assert_eq!(c.visits, 0);
    let root = grown.view("");
    assert_eq!(root.score, Some(Score::new(3)));
    assert_eq!(
        root.fate.best(),
        Some(grown.tree.node(grown.node("a")).move_code())
    );
    assert_eq!(root.static_value, Some(Score::new(0)));
    assert_eq!(grown.start.depth, 1);
    assert_eq!(grown.nodes, 2);
    assert_eq!(grown.unexplained(), []);
    // One event for each record that is one.
    assert_eq!(grown.events.len(), 11);
}

#[test]
fn a_move_that_is_searched_again_is_the_same_row_and_its_last_search_counts() {
    let grown = depth_first(
        "",
        r#"{"kind":"enter","move":null,"alpha":-100,"beta":100,"depth":2}
{"kind":"enter","move":"a","alpha":-100,"beta":100,"depth":1}
{"kind":"leave","value":-10}
{"kind":"depth-change","plies":-1}
{"kind":"enter","move":"b","alpha":-11,"beta":-10,"depth":0}
{"kind":"leave","value":-40}
{"kind":"enter","move":"b","alpha":-100,"beta":-10,"depth":1}
{"kind":"leave","value":-5}
{"kind":"leave","value":10}
"#,
    );
    assert_eq!(grown.unexplained(), []);
    let b = grown.view("b");
    assert_eq!(b.visits, 2);
    assert_eq!(grown.worth("b"), (5, Bound::Upper));
    assert!(matches!(
        b.treatment.depth,
        tree::DepthChange::Reduced {
            plies: 1,
            again: true,
            number: 2
        }
    ));
    assert_eq!(grown.view("").children, 2);
}

#[test]
fn what_a_rule_searches_hangs_below_the_rule() {
    let grown = depth_first(
        "",
        r#"{"kind":"enter","move":null,"alpha":0,"beta":20,"depth":4}
{"kind":"try","why":"null-move"}
{"kind":"enter","move":"pass","alpha":-20,"beta":-19,"depth":1}
{"kind":"leave","value":-15}
{"kind":"tried","value":15}
{"kind":"enter","move":"a","alpha":-20,"beta":0,"depth":3}
{"kind":"leave","value":-7}
{"kind":"leave","value":7}
"#,
    );
    assert_eq!(grown.unexplained(), []);
    let rule = grown.node("null-move");
    assert!(grown.tree.is_same_side(rule));
    assert_eq!(grown.tree.view(rule).score, Some(Score::new(15)));
    assert_eq!(grown.worth("null-move pass"), (15, Bound::Upper));
    let root = grown.view("");
    assert_eq!(root.score, Some(Score::new(7)));
    assert_eq!(grown.tree.turns(grown.node("null-move pass")), 1);
}

#[test]
fn a_value_that_the_moves_do_not_give_is_unexplained() {
    let lines = r#"{"kind":"enter","move":null,"alpha":-100,"beta":100,"depth":1}
{"kind":"enter","move":"a","depth":0}
{"kind":"leave","value":-24}
{"kind":"leave","value":31}
"#;
    assert_eq!(depth_first("", lines).unexplained(), [(31.0, Some(24.0))]);
    // What a program says of a node explains it.
    let why = lines.replace(
        "{\"kind\":\"leave\",\"value\":31}",
        "{\"kind\":\"why\",\"why\":\"small\",\"limit\":31}\n{\"kind\":\"leave\",\"value\":31}",
    );
    assert_eq!(depth_first("", &why).unexplained(), []);
    let stand = lines.replace(
        "{\"kind\":\"enter\",\"move\":\"a\"",
        "{\"kind\":\"stand\",\"value\":31}\n{\"kind\":\"enter\",\"move\":\"a\"",
    );
    assert_eq!(depth_first("", &stand).unexplained(), []);
    let back_up = lines.replace(
        "{\"kind\":\"leave\",\"value\":31}",
        "{\"kind\":\"back-up\",\"move\":\"a\",\"worth\":31}\n{\"kind\":\"leave\",\"value\":31}",
    );
    assert_eq!(depth_first("", &back_up).unexplained(), []);
}

#[test]
fn a_fail_hard_search_returns_the_end_of_its_window() {
    let lines = r#"{"kind":"enter","move":null,"alpha":-10,"beta":10,"depth":1}
{"kind":"enter","move":"a","alpha":-10,"beta":10,"depth":0}
{"kind":"leave","value":-10}
{"kind":"leave","value":10}
"#;
    assert_eq!(depth_first("", lines).unexplained(), []);
    let beyond = lines.replace("\"value\":-10", "\"value\":-24");
    assert_eq!(depth_first("", &beyond).unexplained(), [(10.0, Some(24.0))]);
    assert_eq!(depth_first(r#","fail":"hard""#, &beyond).unexplained(), []);
}

#[test]
fn what_is_left_without_a_leave_is_interrupted() {
    let grown = depth_first(
        "",
        r#"{"kind":"iteration","depth":1}
{"kind":"enter","move":null,"depth":2}
{"kind":"enter","move":"a","depth":1}
{"kind":"leave","value":-4}
{"kind":"leave","value":4}
{"kind":"iteration-done","best":"a","value":4,"depth":1}
{"kind":"iteration","depth":2}
{"kind":"enter","move":null,"depth":3}
{"kind":"enter","move":"a","depth":2}
{"kind":"enter","move":"b","depth":1}
{"kind":"unwind","open":1}
{"kind":"end","best":"a","value":4}
"#,
    );
    assert_eq!(grown.view("a b").fate, Fate::Interrupted);
    assert_eq!(grown.tree.live_view(Tree::ROOT).fate, Fate::Interrupted);
    // The last finished iteration is what is shown of the root.
    let root = grown.view("");
    assert_eq!((root.score, root.iteration), (Some(Score::new(4)), 1));
    assert_eq!(grown.events.len(), 12);
}

#[test]
fn the_same_position_entered_again_is_no_move() {
    let grown = depth_first(
        "",
        r#"{"kind":"enter","move":null,"alpha":0,"beta":50,"depth":6}
{"kind":"enter","move":null,"alpha":0,"beta":50,"depth":2}
{"kind":"enter","move":"a","alpha":-50,"beta":0,"depth":1}
{"kind":"leave","value":-30}
{"kind":"leave","value":30}
{"kind":"enter","move":"a","alpha":-50,"beta":0,"depth":5}
{"kind":"leave","value":-20}
{"kind":"leave","value":20}
"#,
    );
    assert_eq!(grown.unexplained(), []);
    let again = grown
        .tree
        .child_by_move(Tree::ROOT, MoveCode::SAME)
        .expect("it");
    assert_eq!(grown.tree.view(again).score, Some(Score::new(30)));
    let a = grown.tree.children(again).next().expect("a move");
    assert_eq!(grown.tree.turns(a), 1);
    assert_eq!(grown.nodes, 2);
}

#[test]
fn a_beta_cutoff_and_a_standing_value_follow_from_the_window() {
    let grown = depth_first(
        "",
        r#"{"kind":"enter","move":null,"alpha":0,"beta":20,"depth":1}
{"kind":"moves","count":9}
{"kind":"enter","move":"a","alpha":-20,"beta":0,"depth":0}
{"kind":"stand","value":-5}
{"kind":"leave","value":-5}
{"kind":"enter","move":"b","alpha":-20,"beta":-5,"depth":0}
{"kind":"stand","value":-30}
{"kind":"enter","move":"c","alpha":5,"beta":20,"depth":-1}
{"kind":"leave","value":25}
{"kind":"leave","value":-25}
{"kind":"leave","value":25}
"#,
    );
    assert_eq!(grown.unexplained(), []);
    let root = grown.view("");
    let Fate::BetaCutoff {
        searched,
        value,
        beta,
        ..
    } = root.fate
    else {
        panic!("{:?}", root.fate);
    };
    assert_eq!((searched, value, beta), (2, Score::new(25), Score::new(20)));
    assert_eq!(root.window.map(|w| w.bound), Some(Bound::Lower));
    assert_eq!(
        grown.view("a").fate,
        Fate::Horizon {
            static_value: Score::new(-5)
        }
    );
    let stood = depth_first(
        "",
        r#"{"kind":"enter","move":null,"alpha":0,"beta":20,"depth":0}
{"kind":"stand","value":22}
{"kind":"leave","value":22}
"#,
    );
    assert!(matches!(
        stood.tree.live_view(Tree::ROOT).fate,
        Fate::StandPat { .. }
    ));
}

#[test]
fn values_are_seen_from_the_declared_view() {
    // The same tree as a minimax search tells it, which sees all values from the root.
    let grown = depth_first(
        r#","view":"root""#,
        r#"{"kind":"enter","move":null,"alpha":-50,"beta":50,"depth":2}
{"kind":"enter","move":"a","alpha":-50,"beta":50,"depth":1}
{"kind":"enter","move":"b","alpha":-50,"beta":50,"depth":0}
{"kind":"leave","value":7}
{"kind":"enter","move":"c","alpha":-50,"beta":7,"depth":0}
{"kind":"leave","value":3}
{"kind":"leave","value":3}
{"kind":"leave","value":3}
"#,
    );
    assert_eq!(grown.unexplained(), []);
    assert_eq!(grown.view("").score, Some(Score::new(3)));
    assert_eq!(grown.view("a").score, Some(Score::new(-3)));
    assert_eq!(grown.worth("a c"), (-3, Bound::Exact));
    let window = grown.view("a c").window.expect("a window");
    assert_eq!(
        (window.alpha, window.beta),
        (Score::new(-50), Score::new(7))
    );
}

#[test]
fn a_filter_leaves_a_number_of_nodes_and_no_judgement() {
    let grown = depth_first(
        "",
        r#"{"kind":"enter","move":null,"depth":3}
{"kind":"enter","move":"a","depth":2}
{"kind":"skip","events":40,"nodes":17}
{"kind":"leave","value":-5}
{"kind":"leave","value":5}
"#,
    );
    assert_eq!(grown.unexplained(), []);
    let a = grown.node("a");
    let left_out = grown.tree.left_out(a).expect("some");
    assert_eq!((left_out.events, left_out.nodes), (40, 17));
    assert_eq!(grown.tree.view(a).nodes, 18);
    assert_eq!(grown.view("").nodes, 18);
}

/// The ply of a node entered says which nodes were left without a word, as by `longjmp`.
#[test]
fn the_ply_says_what_is_still_open() {
    let enter = |m: &str, ply: u32| format!("{{\"kind\":\"enter\",\"move\":{m},\"ply\":{ply}}}\n");
    let leave = "{\"kind\":\"leave\",\"value\":1}\n";
    let lines = [
        enter("null", 0),
        enter("\"a\"", 1),
        enter("\"b\"", 2),
        enter("\"c\"", 3),
        enter("\"d\"", 2),
        leave.into(),
        // The same position again.
        enter("null", 1),
        leave.into(),
        enter("\"e\"", 1),
        leave.into(),
        leave.into(),
    ];
    let grown = depth_first("", &lines.concat());
    for (line, children) in [
        ("", "a e"),
        ("a", "b d ="),
        ("a b", "c"),
        ("a d", ""),
        ("e", ""),
    ] {
        let found = grown.tree.children(grown.node(line)).count();
        assert_eq!(found, children.split_whitespace().count(), "{line}");
    }
}

/// Nodes that are too deep are counted, and what comes after them is in its place.
#[test]
fn what_is_too_deep_is_counted_and_left_again() {
    let enter = "{\"kind\":\"enter\",\"move\":\"a\"}\n";
    let leave = "{\"kind\":\"leave\",\"value\":1}\n";
    let lines = [
        "{\"kind\":\"enter\",\"move\":null}\n",
        &enter.repeat(5_000),
        &leave.repeat(5_000),
        "{\"kind\":\"enter\",\"move\":\"b\"}\n",
        leave,
        leave,
    ];
    let grown = depth_first("", &lines.concat());
    assert_eq!(grown.nodes, 5_001);
    assert_eq!(grown.tree.children(Tree::ROOT).count(), 2);
    assert!(grown.tree.len() <= 1_030);
}

#[test]
fn what_a_rule_searches_can_be_rows_of_the_node() {
    let stream = |header: &str| {
        format!(
            r#"{{"plyscope-trace":1,"game":"toy",{header}"value":{{"unit":"points"}},"reasons":[{{"n":1,"name":"null-move search","class":"try","numbers":[["bound","value"],["depth","plies"]]}}]}}
{{"kind":"enter","move":null,"alpha":0,"beta":9,"depth":4}}
{{"kind":"try","why":"null-move search","bound":9,"depth":1}}
{{"kind":"enter","move":"a","alpha":-9,"beta":-8,"depth":1}}
{{"kind":"leave","value":-20}}
{{"kind":"tried","value":20}}
{{"kind":"enter","move":"a","alpha":-9,"beta":0,"depth":3}}
{{"kind":"leave","value":-5}}
{{"kind":"leave","value":5}}
"#
        )
    };
    let below = grow(&stream(""));
    assert_eq!(below.tree.children(Tree::ROOT).count(), 2);
    assert_eq!(below.view("a").visits, 1);
    let among = grow(&stream(r#""trials":"among","#));
    assert_eq!(among.tree.children(Tree::ROOT).count(), 1);
    let a = among.view("a");
    assert_eq!((a.visits, among.worth("a")), (2, (5, Bound::Exact)));
    for grown in [below, among] {
        // What the rule found is no value of a move.
        assert_eq!(grown.unexplained(), []);
        let asked = |event: &Event| match *event {
            Event::Try {
                rule, bound, depth, ..
            } => Some((rule, bound, depth)),
            _ => None,
        };
        let expected = (search::Rule::NullMove, Score::new(9), 1);
        assert_eq!(grown.events.iter().find_map(asked), Some(expected));
    }
}

#[test]
fn nodes_are_those_that_the_program_counts_where_it_says_so() {
    let grown = depth_first(
        "",
        r#"{"kind":"enter","move":null,"depth":2}
{"kind":"enter","move":"a","depth":1}
{"kind":"enter","move":"b","depth":0}
{"kind":"leave","value":1}
{"kind":"leave","value":-1,"nodes":7}
{"kind":"enter","move":"c","depth":1}
{"kind":"leave","value":0}
{"kind":"leave","value":1}
"#,
    );
    let nodes = |moves| grown.view(moves).nodes;
    assert_eq!((nodes("a"), nodes("a b"), nodes("c")), (7, 1, 1));
    assert_eq!(nodes(""), 8);
}

#[test]
fn a_depth_first_search_proves_its_innermost_node() {
    let grown = depth_first(
        r#","win":30000,"distance":"node""#,
        r#"{"kind":"enter","move":null,"depth":2}
{"kind":"enter","move":"a","depth":1}
{"kind":"prove","node":0,"lower":-29998,"upper":-29998}
{"kind":"leave","value":-29998}
{"kind":"enter","move":"b","depth":1}
{"kind":"prove","node":0,"upper":-29000}
{"kind":"leave","value":-29000}
{"kind":"leave","value":29997}
"#,
    );
    let [a, b] = ["a", "b"].map(|m| grown.view(m).proof);
    assert_eq!((a.lower, a.upper), (Score::loss_in(2), Score::loss_in(2)));
    // 1,000 plies are a number that nobody knows.
    assert_eq!(b.upper, Score::SOME_LOSS);
    assert_eq!(grown.view("").proof, tree::Proof::OPEN);
}

#[test]
fn a_reason_of_a_move_says_nothing_of_the_node() {
    let grown = depth_first(
        "",
        r#"{"kind":"enter","move":null,"depth":2}
{"kind":"enter","move":"a","depth":1}
{"kind":"leave","value":-3}
{"kind":"why","why":"futility","static":0,"margin":2,"alpha":3,"depth":1}
{"kind":"leave","value":3}
"#,
    );
    assert!(matches!(grown.view("").fate, Fate::Expanded { .. }));
    let told = |event: &&Event| matches!(event.fate(), Some(Fate::Futility { .. }));
    assert_eq!(grown.events.iter().filter(told).count(), 1);
    assert_eq!(grown.tree.children(Tree::ROOT).count(), 1);
}

#[test]
fn keys_are_kept_at_the_nodes_that_told_them() {
    let lines = audit::entered("a b", "{\"kind\":\"key\",\"key\":\"00000000000000ff\"}\n");
    let grown = depth_first(
        "",
        &("{\"kind\":\"enter\",\"move\":null}\n".to_owned() + &lines),
    );
    assert_eq!(grown.tree.told_key(grown.node("a b")), Some(255));
    assert_eq!(grown.tree.told_key(grown.node("a")), None);
}

/// A window whose beta is not above its alpha is taken as missing.
#[test]
fn an_empty_window_says_nothing() {
    let grown = grow(
        "{\"plyscope-trace\":1,\"value\":{\"unit\":\"cp\"}}\n{\"kind\":\"search\"}\n{\"kind\":\"enter\",\"move\":null}\n\
         {\"kind\":\"enter\",\"move\":\"a\",\"alpha\":40,\"beta\":40}\n{\"kind\":\"leave\",\"value\":70}\n{\"kind\":\"leave\",\"value\":-70}\n",
    );
    let window = grown.view("a").window.expect("it was searched");
    assert_eq!(
        (window.alpha.raw(), window.beta.raw(), window.bound),
        (Score::MIN.raw(), Score::MAX.raw(), Bound::Exact)
    );
}
