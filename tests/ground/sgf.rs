//! Files of Go: what is read and written again, and what is refused.

use game::Game;
use games::go::{Go, SGF};
use games::{Document, Entry, GameTree};

fn document(text: &str) -> Document {
    Document::from_bytes("a.sgf", text.as_bytes().to_vec()).expect("a game")
}

fn only(text: &str) -> Entry {
    document(text).entry(0).expect("a game")
}

fn refused(bytes: &[u8]) -> String {
    let read = Document::from_bytes("a.sgf", bytes.to_vec());
    read.map(|read| read.len())
        .expect_err("a fault")
        .to_string()
}

fn go(entry: &Entry, ply: u32) -> Go {
    let subject = entry.subject_at(ply);
    let go: Option<&Go> = subject.position.downcast_ref();
    go.expect("a position of Go").clone()
}

fn written(game: &GameTree) -> String {
    let write = SGF.write.expect("it can be written");
    write(game).expect("a game of Go")
}

/// What a game says: its moves with their depths, comments, marks and properties.
fn told(game: &GameTree) -> Vec<String> {
    let nodes = game.nodes.iter();
    nodes
        .map(|n| {
            format!(
                "{} {:?} {} {:?} {:?} {:?} {:?}",
                n.ply, n.parent, n.san, n.comments, n.nags, n.marks, n.properties
            )
        })
        .collect()
}

const GAME: &str = "(;GM[1]FF[4]SZ[9]KM[5.5]PB[Ann]PW[Bob]RE[B+2.5]HA[0]AP[some:1]
;B[ee]C[the middle]LB[cc:A][gg:B]TR[ee]
;W[ce](;B[cd]BM[1];W[dd])(;B[cf]TE[2]C[a \\] and a \\\\, on\\
one line];W[df](;B[])(;B[tt]N[the same])))";

#[test]
fn variations_comments_and_marks_are_kept() {
    let entry = only(GAME);
    assert!(entry.problems.is_empty() && entry.warnings.is_empty());
    let game = entry.game().expect("a game");
    assert_eq!(game.header("Black"), Some("Ann"));
    assert_eq!(game.outcome.as_deref(), Some("B+2.5"));
    let line = game.main_line();
    assert_eq!(game.names_of(&line), ["1.E5", "2.C5", "3.C6", "4.D6"]);
    assert_eq!(game.nodes[1].comments, ["the middle"]);
    assert_eq!(
        game.nodes[1].marks,
        [((2, 2), 'A'), ((6, 6), 'B'), ((4, 4), '△')]
    );
    let other = game.nodes[2].children[1];
    assert_eq!(
        (game.nodes[other].san.as_str(), &game.nodes[other].nags[..]),
        ("C4", &[3][..])
    );
    assert_eq!(game.nodes[other].comments, ["a ] and a \\, onone line"]);
    let passes = &game.nodes[game.nodes[other].children[0]].children;
    assert_eq!(passes.len(), 2);
    assert!(passes.iter().all(|n| game.nodes[*n].san == "pass"));
    // Written and read again, it says the same.
    let again = only(&written(game));
    assert_eq!(told(again.game().expect("a game")), told(game));
    assert_eq!(again.game().expect("a game").headers, game.headers);
    let twice = written(again.game().expect("a game"));
    assert_eq!(twice, written(game));
}

#[test]
fn a_title_names_black_first() {
    let title = |text: &str| document(text).title(0).to_owned();
    assert_eq!(
        title("(;SZ[9]PB[Ann]PW[Bob]RE[B+3]DT[2020-01-01])"),
        "Ann – Bob, B+3, 2020"
    );
    assert_eq!(title("(;SZ[9]PW[Bob])"), "? – Bob");
    assert_eq!(title("(;SZ[9]PW[Bob]GN[Final])"), "Final");
}

#[test]
fn stones_that_are_set_up_are_the_start() {
    let entry = only("(;SZ[5]KM[0.5]HA[2]AB[aa:ab][ee];AW[cc]AE[ee];W[bb])");
    assert!(entry.problems.is_empty(), "{:?}", entry.problems);
    let start = go(&entry, 0);
    assert_eq!(start.stones().count(), 3);
    assert_eq!(
        start.notated().as_deref(),
        Some("(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[0.5]AB[aa][ab]AW[cc]PL[W])")
    );
    assert_eq!(go(&entry, 1).stones().count(), 4);
    let again = only(&written(entry.game().expect("a game")));
    assert_eq!(go(&again, 1).key(), go(&entry, 1).key());
    // After handicap stones White begins, and else whoever has the first move, or is said to.
    for (text, side) in [
        ("(;SZ[9]HA[2]AB[cc][gg])", "White"),
        ("(;SZ[9]HA[2]AB[cc][gg];B[ee])", "Black"),
        ("(;SZ[9]HA[ 1 ]AB[cc])", "White"),
        ("(;SZ[9]HA[0]AB[cc][gg]AW[cg][gc])", "Black"),
        ("(;SZ[9]HA[]AB[cc][gg])", "Black"),
        ("(;SZ[9]HA[none]AB[cc][gg])", "Black"),
        ("(;SZ[9]HA[2]AW[cc][gg])", "Black"),
        ("(;SZ[9]HA[2])", "Black"),
        ("(;SZ[9]AB[cc][gg])", "Black"),
        ("(;SZ[9]PL[W])", "White"),
        ("(;SZ[9];W[ee])", "White"),
        ("(;SZ[9])", "Black"),
    ] {
        let start = go(&only(text), 0);
        assert_eq!(start.side_name(start.turn()), side, "{text}");
    }
}

#[test]
fn a_position_is_written_as_a_file_that_holds_it() {
    let entry = only(GAME);
    for ply in 0..=entry.plies() {
        let position = go(&entry, ply);
        let text = position.notated().expect("a text");
        let again = go(&only(&text), 0);
        assert_eq!(again.board(), position.board());
        assert_eq!(again.turn(), position.turn());
        // With its moves it is the same also for superko.
        let (text, moves) = position.written().expect("a text");
        let mut replayed = go(&only(&text), 0);
        for code in moves {
            let m = replayed.decode(code).expect("a legal move");
            replayed.play(m);
        }
        assert_eq!(replayed.key(), position.key());
    }
}

/// A line ends at a move that can't be made, with the place, and everything else is kept.
#[test]
fn what_breaks_the_rules_ends_its_line() {
    for (moves, says) in [
        (
            ";B[ee];W[ee];B[aa]",
            "a.sgf:1:19: found White E5, expected an empty point",
        ),
        (";B[zz];W[aa]", "expected a point of a board of 9×9"),
        (";B[ab];W[ii];B[ba];W[aa]", "suicide"),
        (
            ";B[bg];W[cg];B[ah];W[dh];B[bi];W[ci];B[ch];W[bh];B[ch]",
            "superko",
        ),
    ] {
        let text = format!("(;SZ[9]KM[0]{moves}(;C[x])(;C[y]))");
        let entry = only(&text);
        assert_eq!(entry.problems.len(), 1, "{moves}: {:?}", entry.problems);
        let told = entry.problems[0].to_string();
        assert!(told.contains(says), "{moves}: {told}");
    }
    let text = "(;SZ[9];B[ee](;W[ee];B[aa])(;W[cc];B[gg]))";
    let entry = only(text);
    let game = entry.game().expect("a game");
    assert_eq!(entry.problems.len(), 1);
    assert_eq!(game.names_of(&game.main_line()), ["1.E5", "2.C7", "3.G3"]);
}

/// No moves lead to stones that are set up after a move: a game of its own begins with them.
#[test]
fn stones_set_up_later_begin_a_game() {
    let text = "(;GM[1]SZ[9]KM[6.5]PB[A];B[ee](;W[cc]
;AB[aa][bb]AE[ee]C[set up];PL[W];AB[ab];W[gg]
(;B[gc])
(;C[once];AW[hh];B[cg];W[df]))(;W[gg];B[ff]))";
    let document = document(text);
    assert_eq!(document.len(), 3);
    let entries: Vec<Entry> = (0..3).map(|i| document.entry(i).expect("a game")).collect();
    let games: Vec<&GameTree> = entries.iter().filter_map(Entry::game).collect();
    let lines = games.iter().map(|game| game.names_of(&game.main_line()));
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [["1.E5", "2.C7"], ["1.G3", "2.G7"], ["1.C3", "2.D4"]]
    );
    assert_eq!(games[0].nodes.len(), 5, "and the other line");
    assert!(games.iter().all(|game| game.header("Black") == Some("A")));
    assert_eq!(entries[1].line, 2);
    assert_eq!(games[1].nodes[0].comments, ["set up"]);
    assert!(games.iter().all(|game| game.problems.is_empty()));
    let warned: Vec<&str> = entries
        .iter()
        .flat_map(|entry| &entry.warnings)
        .map(String::as_str)
        .collect();
    assert_eq!(
        warned,
        [
            "a.sgf:2:1: found stones that are set up after the first move, expected moves; a game of its own begins there",
            "a.sgf:4:10: found stones that are set up after the first move, expected moves; a game of its own begins there",
        ]
    );
    // The stones before it are there as well, and those of the nodes up to the first move.
    let stones = |i: usize| go(&entries[i], 0).board();
    assert_eq!(
        (
            go(&entries[1], 0).stones().count(),
            go(&entries[2], 0).stones().count()
        ),
        (4, 6)
    );
    let side = |i: usize| {
        let start = go(&entries[i], 0);
        start.side_name(start.turn())
    };
    assert_eq!((side(1), side(2)), ("White", "Black"));
    // All of it is written and read again.
    let whole: String = games.iter().map(|game| written(game)).collect();
    let again = self::document(&whole);
    assert_eq!(again.len(), 3);
    for (i, game) in games.iter().enumerate() {
        let entry = again.entry(i).expect("a game");
        assert_eq!(go(&entry, 0).board(), stones(i));
        let read = entry.game().expect("a game");
        assert_eq!(told(read)[1..], told(game)[1..]);
        assert_eq!(read.nodes[0].comments, game.nodes[0].comments);
        assert_eq!(read.headers, game.headers);
    }
}

/// A third pass, or stones after two, are in many files.
#[test]
fn a_game_may_go_on_after_two_passes() {
    let entry = only("(;SZ[9]KM[0.5];B[ee];W[];B[];W[])");
    assert!(entry.problems.is_empty() && entry.warnings.is_empty());
    assert_eq!(entry.plies(), 4);
    assert!(go(&entry, 4).legal_moves().is_empty());
    let resumed = only("(;SZ[9]KM[0.5];B[ee];W[];B[];W[cc];B[gg])");
    assert!(resumed.problems.is_empty());
    let end = go(&resumed, 5);
    assert_eq!((end.stones().count(), end.has_moves()), (3, true));
}

#[test]
fn a_side_that_moves_twice_lets_the_other_pass() {
    let entry = only("(;SZ[9];B[ee];B[cc];W[gg])");
    assert!(entry.problems.is_empty());
    assert_eq!(entry.warnings.len(), 1);
    assert!(
        entry.warnings[0].contains("second move of Black"),
        "{}",
        entry.warnings[0]
    );
    let game = entry.game().expect("a game");
    assert_eq!(
        game.names_of(&game.main_line()),
        ["1.E5", "2.pass", "3.C7", "4.G3"]
    );
}

/// What an entry begins with: its stones and who is to move, then the moves.
fn begun(entry: &Entry) -> (u32, &'static str, String) {
    let start = go(entry, 0);
    let game = entry.game().expect("a game");
    let names = game.names_of(&game.main_line()).join(" ");
    (start.stones().count(), start.side_name(start.turn()), names)
}

/// Who is to move may be said anywhere, without stones.
#[test]
fn who_is_to_move_is_as_the_file_says() {
    for (text, games) in [
        // Before the first move it belongs to the start.
        (
            "(;SZ[9]AB[cc][gg]AW[cg][gc];PL[W])",
            &[(4, "White", "")][..],
        ),
        ("(;SZ[9];PL[W]C[a problem];W[cc])", &[(0, "White", "1.C7")]),
        // After it a game of its own begins there, and nobody has to pass.
        (
            "(;SZ[9];B[ee];W[cc];PL[W]C[What should White play?])",
            &[(0, "Black", "1.E5 2.C7"), (2, "White", "")],
        ),
        (
            "(;SZ[9];B[ee];PL[B];B[dd])",
            &[(0, "Black", "1.E5"), (1, "Black", "1.D6")],
        ),
        // Where it only says what is so, nothing begins.
        ("(;SZ[9];B[ee];PL[W];W[dd])", &[(0, "Black", "1.E5 2.D6")]),
        ("(;SZ[9];B[ee];PL[];W[dd])", &[(0, "Black", "1.E5 2.D6")]),
        // A move says itself who makes it.
        ("(;SZ[9]PL[W]B[cc])", &[(0, "Black", "1.C7")]),
        (
            "(;SZ[9];B[ee]PL[W];W[dd]PL[W])",
            &[(0, "Black", "1.E5 2.D6")],
        ),
        // One variation says nothing of another, nor are its stones there.
        ("(;SZ[9](;PL[W];W[cc])(;B[dd]))", &[(0, "White", "1.C7")]),
        (
            "(;SZ[9](;AB[aa:bb]PL[W];W[cc])(;AB[ff];B[dd]))",
            &[(4, "White", "1.C7"), (1, "Black", "1.D6")],
        ),
        (
            "(;SZ[9]AB[aa](;AB[bb];W[cc])(;AB[ff];W[dd]))",
            &[(1, "White", ""), (2, "White", "1.C7"), (2, "White", "1.D6")],
        ),
    ] {
        let document = document(text);
        let found: Vec<_> = (0..document.len())
            .map(|i| begun(&document.entry(i).expect("a game")))
            .collect();
        let found: Vec<_> = found
            .iter()
            .map(|(n, side, names)| (*n, *side, &names[..]))
            .collect();
        assert_eq!(found, games, "{text}");
    }
    let warned = &only("(;SZ[9];B[ee];PL[B];B[dd])").warnings;
    assert_eq!(
        warned[..],
        [
            "a.sgf:1:14: found Black to move, where it is White's turn, expected moves; a game of its own begins there"
        ]
    );
}

/// Where the root has a move, which some old programs write, what is said of the game stays in the root, and what is said of the
/// move goes with it.
#[test]
fn a_move_in_the_root_leaves_the_header_there() {
    let text = "(;GM[1]SZ[9]KM[0]PB[Ann]PW[Bob]RE[B+3]GN[Final]XY[own]C[hello]TE[1]TR[ee]B[ee];W[dd];B[cc])";
    let entry = only(text);
    let game = entry.game().expect("a game");
    assert_eq!(game.header("Black"), Some("Ann"));
    assert_eq!(game.nodes[1].comments, ["hello"]);
    assert_eq!(
        (&game.nodes[1].nags[..], game.nodes[1].marks.len()),
        (&[1][..], 1)
    );
    let file = written(game);
    let mut lines = file.lines();
    let root = lines.next().expect("a root");
    for header in [
        "GM[1]",
        "SZ[9]",
        "PB[Ann]",
        "PW[Bob]",
        "RE[B+3]",
        "GN[Final]",
        "XY[own]",
    ] {
        assert_eq!(file.matches(header).count(), 1, "{file}");
        assert!(root.contains(header), "{file}");
    }
    assert_eq!(lines.next(), Some(";B[ee]C[hello]TE[1]TR[ee]"));
    let again = only(&file);
    let read = again.game().expect("a game");
    assert_eq!(
        (&read.headers, told(read)[1..].to_vec()),
        (&game.headers, told(game)[1..].to_vec())
    );
    assert_eq!(written(read), file);
}

/// A node has one move, but some programs write two into it.
#[test]
fn several_moves_in_a_node_are_read_one_after_the_other() {
    for (text, names, warnings) in [
        (
            "(;SZ[9]B[ee]W[dd]C[both];B[cc])",
            &["1.E5", "2.D6", "3.C7"][..],
            &["1:13: found several moves in a node, expected one"][..],
        ),
        (
            "(;SZ[9];W[ee]B[dd];W[cc])",
            &["1.E5", "2.D6", "3.C7"],
            &["several moves"],
        ),
        (
            "(;SZ[9];B[ee]W[dd]B[cc]W[])",
            &["1.E5", "2.D6", "3.C7", "4.pass"],
            &["several moves"],
        ),
        (
            "(;SZ[9];B[ee][dd])",
            &["1.E5", "2.pass", "3.D6"],
            &["several moves", "second move of Black"],
        ),
    ] {
        let entry = only(text);
        let game = entry.game().expect("a game");
        assert_eq!(game.names_of(&game.main_line()), names, "{text}");
        assert_eq!(entry.warnings.len(), warnings.len(), "{text}");
        for (warned, says) in entry.warnings.iter().zip(warnings) {
            assert!(warned.contains(says), "{warned}");
        }
        assert!(entry.problems.is_empty());
        let again = only(&written(game));
        assert!(again.warnings.iter().all(|told| !told.contains("several")));
        let read = again.game().expect("a game");
        assert_eq!(told(read)[1..], told(game)[1..], "{text}");
    }
    // The line ends before the one that can't be made.
    let entry = only("(;SZ[9];B[ee]W[ee]C[kept])");
    assert_eq!((entry.plies(), entry.problems.len()), (1, 1));
    let game = entry.game().expect("a game");
    assert_eq!(game.nodes[1].comments, ["kept"]);
}

#[test]
fn other_games_and_other_boards_are_refused() {
    for (text, says) in [
        (
            "(;GM[2]SZ[8])",
            "a.sgf:1:3: found \"GM[2]\", expected GM[1]",
        ),
        (
            "(;GM[1]SZ[19];B[pd])",
            "SZ[19], expected a square board of 2 to 13 lines",
        ),
        ("(;SZ[14])", "SZ[14]"),
        ("(;SZ[1])", "SZ[1]"),
        ("(;SZ[9:13])", "SZ[9:13]"),
        ("(;SZ[])", "SZ[]"),
        ("(;SZ[99999999999999999999])", "SZ[9999"),
        ("(;B[pd])", "no SZ, which means a board of 19×19"),
        (
            "(;SZ[9]KM[7.3])",
            "KM[7.3], expected a number of half points",
        ),
        ("(;SZ[9]KM[NaN])", "KM[NaN]"),
        ("(;SZ[9]KM[1e30])", "KM[1e30]"),
        (
            "(;SZ[5]AB[ff])",
            "AB[ff], expected points of a board of 5×5",
        ),
        ("(;SZ[5]AB[aa:])", "AB[aa:]"),
        (
            "(;SZ[2]AB[aa][ab][ba][bb])",
            "a stone without liberties on A2",
        ),
        (
            "(;SZ[9];B[ee]",
            "found the end of the file, expected a closing parenthesis",
        ),
        ("(;SZ[9];B[ee", "a value without an end"),
        ("(;SZ[9];B[ee]C[no end)", "1:15"),
        ("(;SZ[9](;B[ee])", "closing parenthesis"),
        ("(;)", "no SZ"),
        ("nothing of the kind", "expected a game such as"),
        ("", "expected a game such as"),
    ] {
        let read = Document::from_bytes("a.sgf", text.as_bytes().to_vec());
        let told = match &read {
            Err(error) => error.to_string(),
            Ok(document) => document
                .problems
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; "),
        };
        assert!(
            told.replace('"', "").contains(&says.replace('"', "")),
            "{text}: {told}"
        );
    }
}

/// What is no property is ignored with a warning, and the rest of the game is read.
#[test]
fn a_syntax_error_ends_nothing() {
    for (text, nodes, warned) in [
        (
            "(;GM[1]SZ[9];B[ee]%(;W[dd];B[cc])(;W[cc]))",
            &["E5", "D6", "C7", "C7"][..],
            "1:19: found \"%\", expected a property, or one of ; ( ); it is ignored",
        ),
        (
            "(;SZ[9];B[ee]\n;foo[bar];W[dd])",
            &["E5", "D6"],
            "2:2: found \"foo\", expected a property in capitals, such as B[dd]; it is ignored",
        ),
        (
            "(;SZ[9];f3[bar]B[ee];W[dd])",
            &["E5", "D6"],
            "1:9: found \"f3\", expected a property in capitals",
        ),
        (
            "(;SZ[9];B;W[dd])",
            &["D6"],
            "1:9: found \"B\", expected a property with a value, such as B[dd]; it is ignored",
        ),
        (
            "(;SZ[9];[ee]B[cc];W[dd])",
            &["C7", "D6"],
            "1:9: found \"[\", expected the name of a property before it; it is ignored",
        ),
        // An unescaped bracket in a text.
        (
            "(;SZ[9];B[ee]C[see [1] and (2)] !;W[dd])",
            &["E5", "D6"],
            "1:24: found \"and\", expected a property in capitals, such as B[dd]; it is ignored",
        ),
        ("(;SZ[9];B[ee]%%%&)", &["E5"], "1:14: found \"%\""),
    ] {
        let document = document(text);
        assert_eq!(document.len(), 1, "{text}");
        assert!(document.problems.is_empty(), "{:?}", document.problems);
        let entry = document.entry(0).expect("a game");
        let game = entry.game().expect("a game");
        let names = game.nodes[1..].iter().map(|node| node.san.as_str());
        assert_eq!(names.collect::<Vec<_>>(), nodes, "{text}");
        let [told] = &entry.warnings[..] else {
            panic!("{text}: {:?}", entry.warnings);
        };
        assert!(told.contains(warned), "{text}: {told}");
        assert!(entry.problems.is_empty());
    }
    let many = "(;SZ[9]".to_owned() + &";%".repeat(1_000) + ";B[ee])";
    let entry = only(&many);
    assert_eq!((entry.warnings.len(), entry.plies()), (100, 1));
}

/// Old files write the names of properties out, of which the capitals count.
#[test]
fn names_may_be_written_out() {
    let entry = only(
        "(;GaMe[1]SiZe[9]KoMi[5.5]PlayerBlack[Ann]AddBlack[ee]PLayer[White];White[dd]Comment[x])",
    );
    assert!(entry.warnings.is_empty() && entry.problems.is_empty());
    let game = entry.game().expect("a game");
    assert_eq!(game.header("Black"), Some("Ann"));
    assert_eq!(begun(&entry), (1, "White", "1.D6".to_owned()));
    assert_eq!(game.nodes[1].comments, ["x"]);
}

/// Of a file with several games those that can be read are.
#[test]
fn a_collection_keeps_what_can_be_read() {
    let text =
        "words\n(;SZ[9];B[ee])\n(;SZ[19];B[ee])\n\n(;GN[third]SZ[5];B[cc];W[bb])(;SZ[9];B[ee]";
    let document = document(text);
    assert_eq!(document.len(), 3);
    assert_eq!(document.title(1), "third");
    assert_eq!(document.line(1), Some(5));
    let problems: Vec<String> = document.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn the_encoding_is_the_one_that_the_file_names() {
    for (label, bytes, name) in [
        (
            "GB18030",
            &[0xce, 0xe2, 0xc7, 0xe5, 0xd4, 0xb4][..],
            "吴清源",
        ),
        ("Shift_JIS", &[0x93, 0x8c], "東"),
        // The second byte of this one is a backslash, of which SGF makes an escape unless it is decoded first.
        ("Shift_JIS", &[0x94, 0x5c], "能"),
        ("Big5", &[0xa5, 0x5c], "功"),
        ("EUC-KR", &[0xc0, 0xcc], "이"),
        ("ISO-8859-1", &[0xe9], "é"),
        ("UTF-8", "źdźbło".as_bytes(), "źdźbło"),
    ] {
        let mut file = format!("(;GM[1]CA[{label}]SZ[9]PB[").into_bytes();
        file.extend_from_slice(bytes);
        file.extend_from_slice(b"];B[ee])");
        let read = Document::from_bytes("a.sgf", file).expect("a game");
        let entry = read.entry(0).expect("a game");
        let game = entry.game().expect("a game");
        assert_eq!(game.header("Black"), Some(name), "{label}");
        assert!(written(game).contains(name));
    }
    // A name that nobody knows, or an encoding in which nothing beyond ASCII is written, is read as any text.
    let told = "found CA[UTF-8] in a file that is not in it, expected the encoding of the file, which is read as Latin-1";
    for (file, warned) in [
        (&b"(;CA[nonsense]SZ[9]PB[\xe9])"[..], vec![]),
        (
            b"(;CA[UTF-8]SZ[9]PB[\xe9])",
            vec![format!("a.sgf:1:3: {told}")],
        ),
        ("(;CA[UTF-16]SZ[9]PB[é])".as_bytes(), vec![]),
    ] {
        let read = Document::from_bytes("a.sgf", file.to_vec()).expect("a game");
        let entry = read.entry(0).expect("a game");
        assert_eq!(entry.game().expect("a game").header("Black"), Some("é"));
        assert_eq!(entry.warnings, warned);
    }
    assert!(refused(b"\xff\xfe(\0;\0").contains("expected"));
}

/// An encoding is what a property names, not what a text mentions.
#[test]
fn a_text_names_no_encoding() {
    let text = "(;CA[UTF-8]SZ[9](;B[ee]C[źdźbło](;W[dd]TE[CA[Big5]C[źdźbło])(;W[cc]C[x CA[Big5] źdźbło])))";
    let entry = only(text);
    let game = entry.game().expect("a game");
    let said = |word| {
        game.nodes
            .iter()
            .filter(|n| n.comments.concat().contains(word))
            .count()
    };
    assert_eq!(said("źdźbło"), 2, "{:?}", told(game));
    assert!(
        game.nodes
            .iter()
            .all(|n| !n.comments.concat().contains('�'))
    );
    let entry = only("(;CA[UTF-8]SZ[9];B[ee]C[as in (;CA[Big5];W[dd]C[źdźbło])");
    let game = entry.game().expect("a game");
    assert_eq!(game.nodes[1].comments, ["as in (;CA[Big5"]);
    assert_eq!(game.nodes[2].comments, ["źdźbło"]);
}

/// What is not in a game's encoding is replaced, with a warning, and everything else is read; each game has its own encoding.
#[test]
fn a_bad_byte_spoils_no_game() {
    let chinese = [0xce, 0xe2, 0xc7, 0xe5, 0xd4, 0xb4];
    let mut file = b"(;CA[GB18030]SZ[9]PB[".to_vec();
    file.extend_from_slice(&chinese);
    file.extend_from_slice(b"]\n;B[ee]C[bad \xff\xff byte])\n(;GM[1]CA[UTF-8]SZ[9]PB[");
    file.extend_from_slice("吴清源".as_bytes());
    file.extend_from_slice(b"]C[(;CA[none\\]])(\n;SZ[9]PB[");
    file.extend_from_slice(&chinese);
    file.extend_from_slice(b"]C[a (b) c]CA[GB18030]RU[");
    file.extend_from_slice(b"]W[ee])(;SZ[9]PB[");
    file.extend_from_slice(&chinese);
    file.extend_from_slice(b"])");
    let read = Document::from_bytes("a.sgf", file).expect("games");
    assert_eq!(read.len(), 4);
    for i in 0..4 {
        let entry = read.entry(i).expect("a game");
        let game = entry.game().expect("a game");
        assert_eq!(game.header("Black"), Some("吴清源"), "game {i}");
        match i {
            0 => {
                let comment = &game.nodes[1].comments[0];
                assert!(
                    comment.starts_with("bad �") && comment.ends_with(" byte"),
                    "{comment}"
                );
                let told = "a.sgf:2:13: found bytes that are not GB18030, expected the encoding that CA names; � stands for them";
                assert_eq!(entry.warnings, [told]);
            }
            _ => assert!(entry.warnings.is_empty(), "{:?}", entry.warnings),
        }
    }
}

/// An escape that separates nothing, and a line break in any form, are written as they were.
#[test]
fn escapes_are_kept() {
    let text = "(;SZ[9]AP[My\\:App:3]PB[a\\:b\\]]GC[soft\\\n\rhard\n\rend];B[ee]LB[aa:\\]x][bb:a\\:b]C[a\\:b \\\\ \\] soft\\\n\rline])";
    let entry = only(text);
    let game = entry.game().expect("a game");
    assert_eq!(game.header("Black"), Some("a:b]"));
    assert_eq!(game.nodes[1].comments, ["a:b \\ ] softline"]);
    assert_eq!(game.nodes[1].marks[0], ((0, 0), ']'));
    let file = written(game);
    for kept in [
        "AP[My\\:App:3]",
        "PB[a\\:b\\]]",
        "GC[soft\\\n\rhard\n\rend]",
        "LB[aa:\\]x][bb:a\\:b]",
        "C[a:b \\\\ \\] softline]",
    ] {
        assert!(file.contains(kept), "{kept}: {file}");
    }
    let again = only(&file);
    assert_eq!(told(again.game().expect("a game"))[1..], told(game)[1..]);
}

/// Lines end with a line feed, with a carriage return before it, or with that alone.
#[test]
fn lines_are_counted_whatever_ends_them() {
    for end in ["\n", "\r\n", "\r", "\n\r"] {
        let text = format!("(;SZ[9]{end};B[ee]{end}{end};W[ee])");
        let told = only(&text).problems[0].to_string();
        assert!(told.starts_with("a.sgf:4:"), "{end:?}: {told}");
    }
}

/// Comments of several nodes may meet in one place: a property comes once, and nothing is lost.
#[test]
fn a_property_is_written_once() {
    let one = |text: &str| written(only(text).game().expect("a game"));
    let file =
        one("(;SZ[9]C[one]TR[aa];AB[ee]C[two]TR[bb][aa]N[x];C[];W[dd]C[three];C[four];B[cc])");
    let mut lines = file.lines();
    let root = [lines.next(), lines.next(), lines.next()].map(Option::unwrap_or_default);
    let root = root.join("\n");
    assert!(root.contains("C[one\n\ntwo]TR[aa][bb]N[x]"), "{file}");
    assert!(file.contains(";W[dd]C[three\n\nfour]\n"), "{file}");
    assert_eq!(file.matches("C[").count(), 2, "{file}");
    assert_eq!(one(&file), file);
    let file = one("(;SZ[9];B[ee]C[x0](;C[x1];W[bb])(;C[x2];W[cc]C[a][b]))");
    assert!(file.contains(";B[ee]C[x0\n\nx1\n\nx2]\n"), "{file}");
    assert!(file.contains(";W[cc]C[a\n\nb]\n"), "{file}");
    // What is added later comes after them.
    let mut game = only("(;SZ[9];B[ee]C[x];C[y])")
        .game()
        .expect("a game")
        .clone();
    game.nodes[1].comments.push("z".to_owned());
    assert!(written(&game).contains(";B[ee]C[x\n\ny\n\nz]\n"));
}

/// Neither depth nor length of a file exhausts the stack.
#[test]
fn deep_and_long_files_are_read() {
    let deep = "(;SZ[9]".to_owned() + &"(;C[x]".repeat(100_000) + &")".repeat(100_001);
    assert_eq!(only(&deep).plies(), 0);
    let open = "(;SZ[9]".to_owned() + &"(;C[x]".repeat(100_000);
    let told = document(&open).problems[0].to_string();
    assert!(told.contains("100001 closing parentheses"), "{told}");
    // Each has a second child, so that its position is needed again.
    let deep = "(;SZ[9]".to_owned()
        + &"(;B[](;W[]".repeat(1_500)
        + &"(;B[aa]))(;W[aa]))".repeat(1_500)
        + ")";
    let told = only(&deep).problems[0].to_string();
    assert!(
        told.contains("more than 1000 variations in one another"),
        "{told}"
    );
    assert!(only(&deep).plies() >= 1_000);
    let parts = "(;SZ[9];B[aa]".to_owned() + &";AB[bb]AE[cc];W[cc]".repeat(3_000) + ")";
    let document = document(&parts);
    assert_eq!(document.len(), 1_000);
    let told = document.entry(999).expect("a game").problems[0].to_string();
    assert!(told.contains("in so many parts of one game"), "{told}");
    let long = "(;SZ[2]".to_owned() + &";B[aa];W[bb];B[ba];W[ab]".repeat(20_000) + ")";
    assert_eq!(only(&long).problems.len(), 1);
}
