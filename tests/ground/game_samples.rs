//! Every sample opens, and its claims are true as far as they can be checked here.

use game::toy::ToyTree;
use game::{ChessKnowledge as _, ChessPosition, Game, Side};
use games::{FORMATS, Format, samples};

#[test]
fn every_sample_opens_cleanly_with_title_and_hint() {
    let all = samples::all();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-positions");
    let entries = std::fs::read_dir(folder).expect("the samples");
    let is_file =
        |e: &std::io::Result<std::fs::DirEntry>| e.as_ref().is_ok_and(|e| e.path().is_file());
    let files = entries.filter(is_file).count();
    assert_eq!(all.len(), files, "a sample does not open");
    assert!(files >= 14);
    for sample in &all {
        assert!(
            !sample.title.is_empty() && sample.title != "A game",
            "{}",
            sample.name
        );
        assert!(sample.hint.len() > 30, "{} needs a hint", sample.name);
        for (name, bytes) in [(sample.name, &b""[..]), ("", sample.bytes())] {
            let format = Format::of(FORMATS, name, bytes).expect(sample.name);
            assert_eq!(sample.format.name, format.name, "{}", sample.name);
        }
        let document = sample.open().expect(sample.name);
        assert_eq!(document.problems, [], "{}", sample.name);
        for entry in document.entries() {
            let entry = entry.expect(sample.name);
            assert_eq!(entry.warnings, [] as [String; 0], "{}", sample.name);
            assert!(entry.hint.is_some(), "{}: {}", sample.name, entry.title);
            assert_eq!(entry.subjects().count() as u32, entry.plies() + 1);
        }
    }
    assert_eq!(
        samples::find("figure1").map(|s| s.name),
        Some("figure1.tree")
    );
    assert!(samples::find("nothing").is_none());
}

/// A hint that says who is to move says so of the position shown.
#[test]
fn hints_name_the_side_to_move() {
    let mut told = 0;
    for sample in samples::all() {
        let document = sample.open().expect(sample.name);
        for entry in document.entries() {
            let entry = entry.expect(sample.name);
            let hint = entry.hint.as_deref().unwrap_or_default();
            let Some((before, _)) = hint.split_once(" to move") else {
                continue;
            };
            let subject = entry.subject_at(u32::MAX);
            let position = &subject.position;
            let sides = [Side::White, Side::Black].map(|side| position.side_name(side));
            let words = before.rsplit(|c: char| !c.is_alphanumeric());
            let side = words.into_iter().find(|word| *word != "is");
            let Some(side) = side.filter(|side| sides.contains(side)) else {
                continue;
            };
            let turn = position.side_name(position.turn());
            assert_eq!(side, turn, "{}: {hint}", sample.name);
            told += 1;
        }
    }
    assert!(told >= 4, "{told}");
}

fn tree(name: &str) -> ToyTree {
    let sample = samples::find(name).expect(name);
    let text = String::from_utf8_lossy(sample.bytes()).into_owned();
    game::load::toy_tree::parse(&text).expect(name).tree
}

fn minimax(tree: &ToyTree, node: u32, side: Side) -> f32 {
    let children = &tree.nodes[node as usize].children;
    let (other, better): (Side, fn(f32, f32) -> f32) = match side {
        Side::White => (Side::Black, f32::max),
        Side::Black => (Side::White, f32::min),
    };
    children
        .iter()
        .map(|&child| minimax(tree, child, other))
        .reduce(better)
        .or(tree.nodes[node as usize].value)
        .expect("a leaf has a value")
}

#[test]
fn the_toy_trees_have_their_published_values() {
    for (name, value) in [
        ("figure1", 1.2),
        ("figure1-exact", 1.2),
        ("textbook", 3.0),
        ("sixteen-leaves", 35.0),
        ("conspiracy", 3.0),
        ("wide-and-narrow", 1.0),
    ] {
        let tree = tree(name);
        assert_eq!(minimax(&tree, 0, tree.root_side), value, "{name}");
    }
    let figure = tree("figure1");
    let named = |name: &str| figure.nodes.iter().position(|n| n.name == name);
    for (name, value, side) in [
        ("A", 1.2, Side::White),
        ("B", 1.1, Side::White),
        ("C", 1.2, Side::Black),
        ("D", 1.1, Side::Black),
    ] {
        let node = named(name).expect(name) as u32;
        assert_eq!(minimax(&figure, node, side), value, "{name}");
    }
}

/// Returns the plies to the mate that the side to move can force within `plies`, by exhaustive search.
fn mate_within(position: &ChessPosition, plies: u32) -> Option<u32> {
    (1..=plies).step_by(2).find(|&n| forces_mate(position, n))
}

fn forces_mate(position: &ChessPosition, plies: u32) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let mut child = position.clone();
        child.play(m);
        let replies = child.legal_moves();
        if replies.is_empty() {
            return child.is_check();
        }
        plies > 1
            && replies.into_iter().all(|reply| {
                let mut next = child.clone();
                next.play(reply);
                forces_mate(&next, plies - 2)
            })
    })
}

#[test]
fn mates_take_as_long_as_they_say_and_best_moves_are_legal() {
    let mut checked = 0;
    for sample in samples::all() {
        for entry in sample.open().expect(sample.name).entries().flatten() {
            let Some(epd) = entry.epd() else {
                continue;
            };
            let moves = epd.get("bm").map_or(0, |op| op.operands.len());
            assert_eq!(epd.best_moves().len(), moves, "{}", sample.name);
            let Some(mate) = epd.mate_in() else { continue };
            let plies = 2 * mate as u32 - 1;
            assert_eq!(
                mate_within(&epd.position, plies),
                Some(plies),
                "{}",
                entry.title
            );
            for m in epd.position.legal_moves() {
                let mut child = epd.position.clone();
                child.play(m);
                let holds = child.legal_moves().into_iter().all(|reply| {
                    let mut next = child.clone();
                    next.play(reply);
                    forces_mate(&next, plies - 2)
                });
                assert_eq!(holds, epd.best_moves().contains(&m), "{m:?}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 2);
}

#[test]
fn the_repetition_sample_is_one_move_from_a_draw() {
    let document = samples::find("repetition").expect("it").open().expect("it");
    let entry = document.entry(0).expect("a game");
    let situation = entry.subject_at(entry.plies()).chess();
    let mut situation = situation.expect("chess");
    for word in ["Qh5+", "Kg8"] {
        let repeated = situation.history.repetitions(
            situation.position.key(),
            situation.position.reversible_plies(),
        );
        assert_eq!(repeated.times, 1, "before {word}");
        let m = game::notation::parse_move(&situation.position, word).expect(word);
        situation.play(m);
    }
    let repeated = situation.history.repetitions(
        situation.position.key(),
        situation.position.reversible_plies(),
    );
    assert_eq!(repeated.times, 2, "the third time");
}

#[test]
fn the_opera_game_ends_in_mate() {
    let document = samples::find("opera-game").expect("it").open().expect("it");
    let entry = document.entry(0).expect("a game");
    let end = entry.subject_at(u32::MAX).chess().expect("chess");
    assert_eq!(entry.plies(), 33);
    assert!(end.position.is_check() && end.position.legal_moves().is_empty());
    assert_eq!(end.history.len(), 33);
}
