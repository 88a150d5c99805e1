//! Words in a game: figurines are read, any other word that is not a move is reported with its place, and no corruption
//! of a word silently changes the game.

use game::load::GameTree;
use game::load::pgn::Games;
use games::Document;

fn game(text: &str) -> GameTree {
    Games::new(text.as_bytes().to_vec())
        .game(0)
        .expect("a game")
}

fn moves(game: &GameTree) -> Vec<String> {
    let line = game.main_line().into_iter().skip(1);
    line.map(|n| game.nodes[n].san.clone()).collect()
}

fn problems(text: &str) -> Vec<String> {
    let game = Games::new(text.as_bytes().to_vec()).game(0);
    let problems = game.map_or_else(|e| vec![e], |game| game.problems);
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn figurines_are_moves() {
    let letters = moves(&game(
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nge7 4. O-O d6 5. Qe2 Kd7 *",
    ));
    for text in [
        "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♞ge7 4. O-O d6 5. ♕e2 ♚d7 *",
        "1. e4 e5 2. ♘f3! ♘c6 3. ♗b5 ♘ge7 4. O-O d6 5. ♕e2 ♔d7 *",
        "1.♙e4 ♟e5 2.♘\u{fe0e}f3 ♞\u{fe0f}c6 3.♗b5 ♞g8-e7 4.O-O d6 5.♕e2 ♚xd7 *",
        "1.\u{a0}e4\u{2009}e5 2.\u{202f}♘f3 {x} ♞c6 3.♗b5 ♞ge7 4.O-O …d6 5.♕e2 5…♚d7 *",
    ] {
        let game = game(text);
        assert!(game.problems.is_empty(), "{text}: {:?}", game.problems);
        assert_eq!(moves(&game), letters, "{text}");
    }
    let promoted = game("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=♕ ♚g6 2. ♛b8 *");
    assert_eq!(moves(&promoted), ["a8=Q", "Kg6", "Qb8"]);
}

#[test]
fn other_languages_are_named_and_not_guessed() {
    for (text, word, hint) in [
        (
            "1. e4 e5 2. Sf3 Sc6 3. Lb5 *",
            "Sf3",
            "looks like German: S is the knight",
        ),
        (
            "1. e4 e5 2. Springer f3",
            "Springer",
            "looks like German: Springer is the knight",
        ),
        (
            "1. e4 e5 2. Cf3 Cc6 3. Fb5 *",
            "Cf3",
            "looks like French: C is the knight",
        ),
        (
            "1. e4 e5 2. Cf3 Cc6 3. Ab5 *",
            "Cf3",
            "looks like Spanish or Italian: C is the knight",
        ),
        (
            "1. e4 e5 2. Pf3 Pc6 3. Lb5 *",
            "Pf3",
            "looks like Dutch: P is the knight",
        ),
        // A rook could move there.
        (
            "1. h4 Cc6 2. Rh3 *",
            "Cc6",
            "looks like French, Spanish or Italian: C is the knight",
        ),
        (
            "1. h4 h5 2. Rh3 Fg7 *",
            "Rh3",
            "looks like French: R is the king",
        ),
    ] {
        let problems = problems(text);
        assert_eq!(problems.len(), 1, "{text}: {problems:?}");
        let said = format!("found \"{word}\" at move ");
        assert!(problems[0].contains(&said), "{}", problems[0]);
        assert!(problems[0].contains(hint), "{}", problems[0]);
        assert!(problems[0].ends_with("the line ends before it"));
    }
}

#[test]
fn what_stands_behind_a_move_is_passed_over_and_what_takes_its_place_is_not() {
    let plain = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *";
    for text in [
        "1. e4 e5 2. Nf3 Nc6 N 3. Bb5 a6 += *",
        "1. e4 $1 e5!? 2. Nf3 {x} 2... Nc6 ± 3. Bb5 ep a6 D 1/2 *",
        "1. e4 (0:05) e5 (0:03) 2. Nf3 (0:01) Nc6 (0:02) 3. Bb5 (0:01) a6 (0:00) *",
        "e4 e5 Nf3 Nc6 Bb5 a6",
        // A file that numbers plies.
        "1. e4 2. e5 3. Nf3 4. Nc6 5. Bb5 6. a6 *",
    ] {
        let game = game(text);
        assert!(game.problems.is_empty(), "{text}: {:?}", game.problems);
        assert_eq!(moves(&game), moves(&self::game(plain)), "{text}");
    }
    for (text, place) in [
        ("1. e4 N 2. Nf3 Nc6", "column 7"),
        ("1. e4 e5 2. N Nc6 3. Bb5", "column 13"),
        ("1. e4 e5 2. $5 Nc6 3. Bb5", "column 13"),
        ("1. e4 e5 2. Nf3 $5 3. Bb5", "column 17"),
        ("1. e4 e5 2. Nf3 3. Bb5", "column 17"),
        ("1. e4 e5 2. 5f3 Nc6", "column 13"),
        ("1. e4 e5 2. Nf3 * 3. Bb5", "column 17"),
        ("1. e4 e5 2. 1-0 Nc6 3. Bb5", "column 13"),
        ("1. e4 e5 2. Nf3 ) 3. Bb5", "column 17"),
        ("1. e4 e5 2. Nf3 ( 3. Bb5", "column 17"),
        ("1. e4 e5 2. Nf3 5 *", "column 17"),
        ("1. e4 e5 2. Nf3 00 3. Bb5", "column 17"),
    ] {
        let problems = problems(text);
        assert!(
            problems.first().is_some_and(|p| p.contains(place)),
            "{text}: {problems:?}"
        );
    }
}

/// Corruptions of a word that are not a legal spelling of another move and not a comment.
fn corruptions(word: &str) -> Vec<String> {
    let shift = |c: char| match c {
        'N' => 'S',
        'B' => 'L',
        'Q' => 'D',
        'R' => 'T',
        'K' => 'X',
        'O' => 'C',
        'a'..='h' => (c as u8 - b'a' + b'm') as char,
        '1'..='8' => '9',
        c => c,
    };
    let shifted: String = word.chars().map(shift).collect();
    let upper = word.to_uppercase();
    let mut all: Vec<String> = [
        "?¿", "xyz", "Sf3", "Springer", "Ñf3", "棋", "0", "00", "7", "99.", "1/2", "½", "+-", "N",
        "ep", "$7", "$777", "*", "1-0", "0-1", ")", "(", "}", "[x]", "<a>", "-", "1-5", "½-", "Z",
        "♘", "e9", "i4", "O", "o-o-o-o", "\u{fe0f}", "0:05", "\\",
    ]
    .map(str::to_owned)
    .to_vec();
    all.extend([
        shifted,
        upper,
        format!("{word}{word}"),
        format!("x{word}y"),
        format!("{word}9"),
        word.chars().rev().collect(),
    ]);
    all.retain(|c| c != word);
    all
}

/// Replaces each word of the main lines by each corruption. The moves must stay the same, or end at the word or after
/// it with a problem.
fn go_through(headers: &str, text: &str) -> (usize, usize) {
    let whole = moves(&game(&format!("{headers}{text}")));
    let words: Vec<&str> = text.split(' ').collect();
    let (mut same, mut reported) = (0, 0);
    for (i, word) in words.iter().enumerate() {
        let is_move = word.contains(|c: char| c.is_ascii_alphabetic());
        let before = words[..i]
            .iter()
            .filter(|w| w.contains(|c: char| c.is_ascii_alphabetic()))
            .count();
        // A sign in place of the last move is read as a sign after the previous move.
        let last = is_move && before + 1 == whole.len();
        for corruption in corruptions(word) {
            let signs = [
                "1/2", "½", "+-", "N", "ep", "$7", "$777", "*", "1-0", "0-1", "0:05",
            ];
            if last && signs.contains(&corruption.as_str()) {
                continue;
            }
            let mut corrupt = words.clone();
            corrupt[i] = &corruption;
            let line = format!("{headers}{}", corrupt.join(" "));
            let read = Games::new(line.clone().into_bytes()).game(0);
            let (found, problems) = match read {
                Ok(game) => (moves(&game), game.problems),
                Err(error) => (Vec::new(), vec![error]),
            };
            if problems.is_empty() {
                assert_eq!(found, whole, "in silence: {line}");
                same += 1;
                continue;
            }
            reported += 1;
            assert!(whole.starts_with(&found), "{found:?}: {line}");
            assert!(
                found.len() <= before + 1 || found == whole,
                "{found:?}: {line}"
            );
            // At the word, or at something after it that cannot be right then.
            let first = 1 + headers.matches('\n').count() as u32;
            let words_before = words[..i].iter();
            let place = words_before
                .map(|w| w.chars().count() as u32 + 1)
                .sum::<u32>()
                + 1;
            let near = place..=place + corruption.chars().count() as u32 + 12;
            let at_word = problems.iter().any(|problem| {
                problem.line == Some(first) && problem.column.is_some_and(|c| near.contains(&c))
            });
            assert!(at_word, "{problems:?}: {line}");
        }
    }
    (same, reported)
}

#[test]
fn no_corruption_of_a_word_is_dropped_in_silence() {
    let (mut same, mut reported) = (0, 0);
    for (headers, text) in [
        (
            "",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 7. Nxd4 c5 8. Nb3 Qxd1 9. Rxd1 Bg4 1-0",
        ),
        (
            "[Event \"?\"]\n\n",
            "1.d4 d5 2.c4 c6 3.Nf3 Nf6 4.Nc3 e6 5.e3 Nbd7 6.Bd3 dxc4 7.Bxc4 b5 8.Bd3 Bb7 *",
        ),
        (
            "[FEN \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 17\"]\n\n",
            "17... O-O-O 18. O-O bxc3 19. Bxc3 Bxe2 20. Qxe2 Nxe4 21. dxe6 Nxc3 1/2-1/2",
        ),
    ] {
        let (s, r) = go_through(headers, text);
        same += s;
        reported += r;
    }
    println!("{same} read the same, {reported} reported");
    assert!(same > 100 && reported > 2_000, "{same}, {reported}");
}

#[test]
fn a_glyph_that_is_none_is_told() {
    for text in ["1. Nf3 $e7e5 *", "1. g1f3$e7e5  *", "1. Nf3 $1x e5 *"] {
        let games = Games::new(text.into());
        let game = games.game(0).expect("a game");
        assert_eq!(game.problems.len(), 1, "{text}: {:?}", game.problems);
    }
    for text in ["1. Nf3 $300 e5 *", "1. Nf3 $ e5 *", "1. Nf3 $1$14 e5 *"] {
        let games = Games::new(text.into());
        let game = games.game(0).expect("a game");
        assert_eq!((game.problems.len(), game.plies()), (0, 2), "{text}");
    }
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let bytes = |unit: u16| {
        if big {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(bytes)
        .collect()
}

#[test]
fn utf16_is_read_as_any_file() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for big in [false, true] {
        for (name, text, plies) in [
            (
                "a.pgn",
                "[White \"Müller\"]\n\n1. e4 e5 2. ♘f3 *\n".to_owned(),
                3,
            ),
            ("a.epd", format!("{start} bm ♘f3; id \"ü\";\n"), 0),
            ("a.fen", format!("{start} 0 1\n"), 0),
            ("standard input", "1. e4 e5 2. Nf3 *\r\n".to_owned(), 3),
        ] {
            let document = Document::from_bytes(name, utf16(&text, big)).expect("readable");
            assert_eq!(document.len(), 1);
            let entry = document.entry(0).expect("an entry");
            assert_eq!(entry.plies(), plies, "{name}");
            assert!(
                entry.problems.is_empty() && entry.warnings.is_empty(),
                "{entry:?}"
            );
        }
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("utf16.pgn");
    std::fs::write(&path, utf16("1. e4 e5 2. Sf3 *\n", false)).expect("a file");
    let document = Document::open(&path).expect("a game");
    let problem = document.entry(0).expect("a game").problems[0].to_string();
    assert!(problem.contains("looks like German"), "{problem}");
    let broken = Document::from_bytes("a.pgn", b"\xff\xfe1\0.\0 ".to_vec());
    let message = broken.expect_err("cut off").to_string();
    assert!(
        message.contains("a.pgn: found UTF-16 text that is broken at byte 7"),
        "{message}"
    );
}

#[test]
fn a_problem_names_its_game() {
    let text = "[Event \"1\"]\n\n1. e4 e5 *\n\n[Event \"2\"]\n\n1. d4 d5\n2. Sf3 *\n";
    let document = Document::from_bytes("games.pgn", text.as_bytes().to_vec()).expect("games");
    assert!(document.games().expect("games").wait_complete().is_ok());
    let entry = document.entry(1).expect("the second");
    assert_eq!(entry.plies(), 2);
    assert_eq!(
        entry.problems[0].to_string(),
        "games.pgn:8:4: game 2: found \"Sf3\" at move 2 (looks like German or Polish: S is the knight), \
         expected a move in English letters or figurines; the line ends before it"
    );
    let end = entry.subject_at(u32::MAX);
    let fen = end.position.fen().expect("chess");
    assert!(fen.starts_with("rnbqkbnr/ppp1pppp/8/3p4/3P4/"));
}
