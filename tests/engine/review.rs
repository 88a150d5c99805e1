//! The review of a game: real reviews of short games, by our own searches and by external engines.

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use common::chess;
use external::EngineSpec;
use game::load::pgn::annotation::Evaluation;
use game::load::pgn::{Existing, Games};
use game::{ChessPosition, Side};
use games::{Document, samples};

use session::Budget;
use session::{Config, Session, Subject};
use studies::compare::ColumnSpec;
use studies::review::{Found, MarkKind, Review, Wanted};
use tree::{Bound, Fate};

fn own(names: &[&str]) -> Vec<ColumnSpec> {
    let base = Config::new(Algorithm::AlphaBeta);
    let read = |name: &&str| ColumnSpec::parse(name, &base).expect("a column");
    names.iter().map(read).collect()
}

fn positions(document: &Document) -> Vec<Subject> {
    document.entry(0).expect("a game").subjects().collect()
}

fn opera() -> Vec<Subject> {
    let sample = samples::find("opera-game").expect("a sample");
    positions(&sample.open().expect("a game"))
}

fn game(pgn: &str) -> Vec<Subject> {
    positions(&Document::from_bytes("game.pgn", pgn.as_bytes().to_vec()).expect("a game"))
}

/// Waits for something of unknown duration; a minute counts as a failure.
fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{what} did not happen"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn complete(review: &Review) {
    until("the end", || review.is_complete());
    assert!(!review.is_running());
}

fn results(review: &Review) -> Vec<Found> {
    let all = (0..review.len()).flat_map(|ply| (0..review.columns().len()).map(move |c| (c, ply)));
    let found = all.map(|(column, ply)| review.result(column, ply).expect("a result"));
    found
        .map(|found| Found {
            cpu: Duration::ZERO,
            ..Found::clone(&found)
        })
        .collect()
}

/// If the nodes run out in the middle of an iteration, a position is worth what the last finished one says, as in a
/// search that ends with that iteration, unless a mate was found in the meantime.
#[test]
fn a_value_is_that_of_a_finished_iteration() {
    let (mut compared, mut longer) = (0, 0);
    for nodes in [300, 1_000, 4_000] {
        let positions = opera();
        let review = Review::start(
            positions.clone(),
            own(&["alpha-beta"]),
            Budget::Nodes(nodes),
            2,
        );
        complete(&review);
        for (ply, position) in positions.iter().enumerate() {
            let found = review.result(0, ply).expect("a result");
            // Where not even the first iteration ended there is nothing to hold.
            if found.is_over() || found.depth == 0 {
                continue;
            }
            let bound = found.score.bound.expect("a value");
            if found.nodes > nodes + 100 {
                longer += 1;
                continue;
            }
            assert_eq!(bound, Bound::Exact, "{nodes} {ply}");
            let mut config = Config::new(Algorithm::AlphaBeta);
            config.table = 1 << 20;
            config.limits.depth = Some(found.depth);
            let mut session = Session::start(position.clone(), config);
            session.join();
            let alone = session.summary();
            if found.score.mate().is_some() && alone.score.mate().is_none() {
                continue;
            }
            compared += 1;
            assert_eq!(found.score.score, alone.score.score, "{nodes} {ply}");
            assert_eq!(found.best, alone.best, "{nodes} {ply}");
        }
    }
    println!("{compared} compared, {longer} searched longer");
    assert!(compared >= 60 && longer <= 33, "{compared} {longer}");
}

/// A game between two amateurs (lichess, 2025) in which the move turns an even position into a mate in three.
#[test]
fn the_blunder_that_loses_the_game_is_marked() {
    let pgn = "[FEN \"r1q5/p1p2k1n/2p4r/4P2p/4Np2/BP3P1b/P1P5/R2Q1RK1 w - - 0 20\"]\n\n20. Re1 Qg8+ 21. Kh1 *";
    let columns = own(&["alpha-beta", "mcts"]);
    let review = Review::start(game(pgn), columns, Budget::Nodes(20_000), 2);
    complete(&review);
    for column in 0..2 {
        let marks = review.marks(column);
        let mark = marks[0].as_ref().expect("a mark");
        assert_eq!(mark.kind, MarkKind::Blunder, "{column}: {mark:?}");
        assert_eq!(review.tally(column).map(|side| side.unjudged), [0, 0]);
    }
}

#[test]
fn a_game_is_reviewed_by_three_algorithms_and_again_the_same() {
    let start = || {
        let columns = own(&["alpha-beta", "mcts", "distress"]);
        Review::start(opera(), columns, Budget::Nodes(2_000), 2)
    };
    let (review, again) = (start(), start());
    complete(&review);
    complete(&again);
    assert_eq!(review.progress(), (34 * 3, 34 * 3));
    let found = results(&review);
    assert_eq!(found, results(&again));
    for (i, found) in found.iter().enumerate() {
        let (ply, column) = (i / 3, i % 3);
        let white = found.white().expect("a value");
        assert!((-1.0..=1.0).contains(&white));
        assert_eq!(found.side, [Side::White, Side::Black][ply % 2]);
        if ply == 33 {
            assert!(found.is_over() && found.best.is_none() && found.nodes == 0);
            assert_eq!(found.white(), Some(1.0), "Black is mated");
            continue;
        }
        assert!(found.best.is_some() && found.pv.first() == found.best.as_ref());
        assert!(found.pv.len() <= Found::LONGEST);
        // Near the mate a search may end on its own.
        assert!(
            found.nodes >= 1_900 || white == 1.0,
            "{ply} {column}: {}",
            found.nodes
        );
        // Alpha-beta finishes an iteration that contradicts the previous one, using at most four budgets more.
        let most = if column == 0 { 10_100 } else { 2_100 };
        assert!(found.nodes <= most, "{ply} {column}: {}", found.nodes);
        assert_eq!(found.band.is_some(), found.sd.is_some());
        assert_eq!(found.depth > 0, column == 0);
        if let Some(band) = found.band {
            assert!(band.is_sorted(), "{band:?}");
            assert!(band[0] >= -1.0 && band[4] <= 1.0);
        }
    }
    // The chart is from White's view, so it is near 1 where Black is lost.
    let late = review.result(2, 31).expect("a result");
    assert!(late.side == Side::Black && late.white() > Some(0.9));
    for column in 0..3 {
        let marks = review.marks(column);
        assert_eq!(marks.len(), 33);
        let [white, black] = review.tally(column);
        // Moves that cannot be judged are counted.
        let judged = [white, black].map(|side| side.moves + side.unjudged);
        assert_eq!(judged, [17, 16]);
        assert!(white.unjudged + black.unjudged <= 1, "{white:?} {black:?}");
        let counted: u32 = white.marks.iter().chain(&black.marks).sum();
        assert_eq!(counted as usize, marks.iter().flatten().count());
        for (ply, mark) in marks.iter().enumerate() {
            let Some(mark) = mark else { continue };
            assert_eq!(Some(&mark.played), review.played(ply));
            assert_ne!(mark.best, mark.played);
            let position = review.position(ply).expect("a ply");
            let text = report::review::mark(position, mark);
            assert!(text.contains(&mark.played.san) && text.contains(&mark.best.san));
            assert!(text.contains(mark.kind.name()), "{text}");
        }
    }
    let ranked = review.disagreements(5);
    assert_eq!(ranked.len(), 5);
    assert!(ranked.is_sorted_by(|a, b| a.amount >= b.amount));
    let text = report::review::disagreement(&review, &ranked[0]);
    assert!(
        text.contains("alpha-beta") && text.ends_with("(White's view)."),
        "{text}"
    );
}

#[test]
fn a_blunder_is_marked_with_what_was_better() {
    let review = Review::start(
        game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"),
        own(&["alpha-beta", "distress"]),
        Budget::Nodes(5_000),
        1,
    );
    complete(&review);
    for column in 0..2 {
        let marks = review.marks(column);
        let mark = marks[5].as_ref().expect("3...Nf6 is mated");
        assert_eq!((mark.kind, mark.mover), (MarkKind::Blunder, Side::Black));
        assert_eq!(mark.loss.after, -1.0);
        assert_eq!(marks[6], None, "the mate");
        let text = report::review::mark(review.position(5).expect("a ply"), mark);
        assert!(
            text.starts_with("3...Nf6 loses ") && text.contains("(blunder): "),
            "{text}"
        );
        assert!(text.ends_with("−1 after 3...Nf6 (Black's view)."), "{text}");
    }
}

#[test]
fn a_game_of_no_moves_no_columns_and_no_positions() {
    let start = || vec![Subject::from(chess(common::KIWIPETE))];
    let review = Review::start(start(), own(&["mcts"]), Budget::Nodes(500), 2);
    complete(&review);
    assert!(review.result(0, 0).is_some() && review.result(0, 1).is_none());
    assert!(review.marks(0).is_empty() && review.disagreements(3).is_empty());
    assert_eq!(review.marks(7), []);
    let nothing = Review::start(Vec::new(), own(&["mcts"]), Budget::Nodes(500), 2);
    assert!(nothing.is_complete() && nothing.is_empty() && nothing.marks(0).is_empty());
    nothing.prefer(3);
    let no_columns = Review::start(start(), Vec::new(), Budget::Nodes(500), 2);
    assert!(no_columns.is_complete() && no_columns.result(0, 0).is_none());
}

#[test]
fn a_game_from_a_position_with_a_null_move() {
    let review = Review::start(
        game(
            "[SetUp \"1\"]\n[FEN \"1r5k/q4prp/p4NpQ/P1N1p3/8/3B1R2/1PP3PP/7K w - - 0 31\"]\n\n\
             31. Rh3 -- 32. Qxh7+ Rxh7 33. Rxh7# 1-0",
        ),
        own(&["alpha-beta"]),
        Budget::Nodes(2_000),
        2,
    );
    complete(&review);
    assert_eq!(review.len(), 6);
    assert_eq!(review.played(1), None);
    assert_eq!(review.marks(0)[1], None);
    assert_eq!(review.played(0).map(|m| m.san.as_str()), Some("Rh3"));
    assert!(review.result(0, 5).is_some_and(|f| f.is_over()));
}

#[test]
fn the_end_of_a_game_is_known_without_a_search() {
    let repeated = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let last = |pgn: &str| {
        let positions = game(pgn);
        let review = Review::start(positions, own(&["distress"]), Budget::Nodes(100), 1);
        complete(&review);
        review.result(0, review.len() - 1).expect("a result")
    };
    let drawn = last(&format!("{repeated} 1/2-1/2"));
    assert!(matches!(drawn.fate, Fate::Repetition { times: 2, .. }));
    assert_eq!((drawn.white(), drawn.nodes), (Some(0.0), 0));
    // Nobody claimed the draw: the game went on, and so does the search.
    let review = Review::start(
        game(&format!("{repeated} 5. e4 1/2-1/2")),
        own(&["distress"]),
        Budget::Nodes(100),
        1,
    );
    complete(&review);
    assert!(
        review
            .result(0, 8)
            .is_some_and(|f| !f.is_over() && f.nodes > 0)
    );
    let stalemate = "[SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1/2-1/2";
    assert_eq!(last(stalemate).white(), Some(0.0));
}

#[test]
fn stopped_paused_and_dropped_at_any_time() {
    let endless = || {
        let columns = own(&["alpha-beta", "mcts", "distress"]);
        Review::start(opera(), columns, Budget::Nodes(1 << 40), 2)
    };
    drop(endless());
    let review = endless();
    review.stop();
    assert!(!review.is_running() && !review.is_complete());
    let review = Review::start(opera(), own(&["distress"]), Budget::Nodes(20_000), 2);
    until("a result", || review.progress().0 >= 4);
    review.pause();
    assert!(review.is_paused() && !review.is_running());
    let before = (review.progress(), review.generation());
    std::thread::sleep(Duration::from_millis(60));
    // A node that was about to be entered may be.
    assert!(review.progress().0 <= before.0.0 + 2);
    review.resume();
    until("going on", || review.progress().0 > before.0.0 + 2);
    assert_ne!(review.generation(), before.1);
    review.stop();
    std::thread::sleep(Duration::from_millis(20));
    let ended = review.progress();
    std::thread::sleep(Duration::from_millis(60));
    assert_eq!(review.progress(), ended);
    assert!(review.result(0, 33).is_some(), "what was found stays");
}

#[test]
fn a_missing_program_is_a_trouble_while_the_others_finish() {
    let mut columns = own(&["alpha-beta"]);
    let missing = EngineSpec::parse("/no/such/program-at-all").expect("a command");
    columns.push(ColumnSpec::External(missing));
    let review = Review::start(opera(), columns, Budget::Nodes(500), 2);
    complete(&review);
    assert!((0..34).all(|ply| review.result(0, ply).is_some()));
    let trouble = review.trouble(1).expect("a trouble");
    assert!(
        trouble.message.contains("program-at-all"),
        "{}",
        trouble.message
    );
    assert_eq!(review.trouble(0), None);
    assert_eq!(
        review.progress(),
        (34 + 1, 34 + 1),
        "the mate needs no program"
    );
}

/// A column with an external engine: one of the scripts, or a command.
fn program(command: &str) -> ColumnSpec {
    ColumnSpec::External(EngineSpec::parse(command).expect("a command"))
}

fn script(name: &str) -> String {
    format!(
        "sh {}/tests/fixtures/engines/{name}",
        env!("CARGO_MANIFEST_DIR")
    )
}

#[test]
fn one_program_goes_through_the_whole_game() {
    let log = std::env::temp_dir().join(format!("plyscope-review-{}", std::process::id()));
    let start = Subject::from(chess(&ChessPosition::default().fen()));
    let columns = vec![program(&format!("{} {}", script("good.sh"), log.display()))];
    let review = Review::start(vec![start; 3], columns, Budget::Nodes(100), 2);
    complete(&review);
    for ply in 0..3 {
        let found = review.result(0, ply).expect("a result");
        assert_eq!(found.best.as_ref().map(|m| m.san.as_str()), Some("e4"));
        // 200 of 1,000 won and 100 lost.
        assert!((found.white().expect("a value") - 0.1).abs() < 1e-3);
        assert!(found.band.is_some_and(|band| band[0] < band[4]));
        assert_eq!((found.depth, found.nodes), (2, 100));
    }
    let told = std::fs::read_to_string(&log).expect("what it was told");
    let _ = std::fs::remove_file(&log);
    let count = |word: &str| told.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!((count("pid"), count("go nodes 100")), (1, 3), "{told}");
}

#[test]
fn a_program_that_dies_leaves_the_others_alone() {
    let mut columns = own(&["mcts"]);
    columns.push(program(&script("dies_in_search.sh")));
    let review = Review::start(opera(), columns, Budget::Nodes(500), 2);
    complete(&review);
    assert!((0..34).all(|ply| review.result(0, ply).is_some()));
    assert!(review.trouble(1).is_some_and(|t| !t.message.is_empty()));
    assert_eq!(
        review.disagreements(40).len(),
        0,
        "one column alone agrees with itself"
    );
}

#[test]
fn stockfish_reviews_a_game_beside_our_own() {
    let installed = ["/usr/games/stockfish", "/usr/bin/stockfish"];
    let Some(path) = installed
        .into_iter()
        .find(|p| std::path::Path::new(p).exists())
    else {
        eprintln!("stockfish is not installed: a review with it is not tested");
        return;
    };
    let mut columns = own(&["alpha-beta"]);
    columns.push(program(path));
    let review = Review::start(opera(), columns, Budget::Nodes(2_000), 2);
    complete(&review);
    assert_eq!((review.trouble(1), review.progress()), (None, (68, 68)));
    for ply in 0..33 {
        let found = review.result(1, ply).expect("a result");
        assert!(found.best.is_some() && found.white().is_some(), "{ply}");
    }
    let mate = review.result(1, 32).expect("a result");
    assert_eq!(mate.best.as_ref().map(|m| m.san.as_str()), Some("Rd8#"));
    assert_eq!(mate.white(), Some(1.0));
}

#[test]
fn a_review_is_written_into_its_game() {
    let pgn = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";
    let document = Document::from_bytes("game.pgn", pgn.into()).expect("a game");
    let entry = document.entry(0).expect("a game");
    let line = entry.game().expect("a game").main_line();
    let columns = own(&["alpha-beta", "mcts"]);
    let review = Review::start(entry.subjects().collect(), columns, Budget::Nodes(5_000), 1);
    complete(&review);
    let annotations = review.annotations(0, &line, Wanted::default());
    // All except the mate, which speaks for itself.
    assert_eq!(
        annotations.iter().map(|a| a.node).collect::<Vec<_>>(),
        line[1..7]
    );
    let all_deep = annotations
        .iter()
        .all(|a| matches!(a.evaluation, Some((_, Some(1..)))));
    assert!(all_deep, "{annotations:?}");
    let blunder = &annotations[5];
    assert_eq!(blunder.nag, Some(4));
    assert_eq!(blunder.evaluation.map(|e| e.0), Some(Evaluation::Mate(1)));
    assert!((1..=8).contains(&blunder.variation.len()));
    assert!(
        blunder
            .remark
            .as_ref()
            .is_some_and(|r| r.starts_with("alpha-beta, 5")),
        "{blunder:?}"
    );
    // MCTS has no depth; only marks; lines of two plies.
    let only_marks = Wanted {
        evaluations: false,
        marks: true,
        line: 2,
    };
    let marks = review.annotations(1, &line, only_marks);
    let blunder = marks
        .iter()
        .find(|a| a.nag == Some(4))
        .expect("the blunder");
    assert!(blunder.node == line[6] && blunder.evaluation.is_none());
    assert_eq!(blunder.variation.len(), 2);
    assert!(review.annotations(0, &[], Wanted::default()).is_empty());
    // And read back from the file.
    let games = Games::new(pgn.into());
    let written = games
        .annotated(0, &annotations, Existing::Keep)
        .expect("a text");
    let again = Games::new(written).game(0).expect("a game");
    let node = &again.nodes[again.main_line()[6]];
    assert_eq!(node.evaluation(), Some(Evaluation::Mate(1)));
    assert_eq!(node.nags, [4]);
    assert_eq!(
        again.nodes[node.parent.expect("a parent")].children.len(),
        2
    );
}
