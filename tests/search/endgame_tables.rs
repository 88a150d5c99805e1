//! Endgame tables: expected results, the fifty-move clock, searches that use them, and won games played out to mate.

use std::collections::BTreeMap;
use std::sync::Arc;

use algorithms::{ALGORITHMS, Algorithm};
use common::{chess, endgames, positions};
use game::{
    ChessKnowledge as _, ChessPosition, EndgameTables, Ending, Game, MoveCode, Situation,
    TableResult,
};
use session::{Config, Session, Subject};
use shakmaty::Position;
use tree::{Fate, Proof, Tree};

/// A position with its expected WDL (2 a win, 1 a cursed win, 0 a draw) and distance to zeroing.
struct Expectation {
    epd: String,
    wdl: i16,
    dtz: i16,
}

fn expectations() -> Vec<Expectation> {
    let number = |text: &str| text.trim().parse::<i16>().expect("a number");
    let csv = positions("syzygy/shakmaty-syzygy-tests-chess.csv");
    let of_csv = csv.iter().skip(1).map(|line| {
        let parts: Vec<&str> = line.split(',').collect();
        Expectation {
            epd: parts[0].to_owned(),
            wdl: number(parts[1]),
            dtz: number(parts[2]),
        }
    });
    let epd = positions("syzygy/python-chess-endgame.epd");
    let of_epd = epd.iter().map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let operation = |name: &str| {
            let (_, value) = line.split_once(&format!(" {name} ")).expect("an operation");
            number(value.split(';').next().unwrap_or_default())
        };
        Expectation {
            epd: fields[..4].join(" "),
            wdl: operation("wdl"),
            dtz: operation("dtz"),
        }
    });
    of_csv.chain(of_epd).collect()
}

fn at(epd: &str, clock: u32) -> ChessPosition {
    chess(&format!("{epd} {clock} 80")).position
}

fn result(wdl: i16) -> TableResult {
    match wdl {
        2 => TableResult::Win,
        1 => TableResult::CursedWin,
        0 => TableResult::Draw,
        -1 => TableResult::BlessedLoss,
        _ => TableResult::Loss,
    }
}

fn is_over(position: &ChessPosition) -> bool {
    position
        .ending(!position.legal_moves().is_empty())
        .is_some()
}

#[test]
fn every_expectation_agrees() {
    let Some(tables) = endgames() else { return };
    let (mut agree, mut ended, mut too_many) = (0, 0, 0);
    for Expectation { epd, wdl, dtz } in expectations() {
        let position = at(&epd, 0);
        if position.men() > tables.men() {
            too_many += 1;
            continue;
        }
        if is_over(&position) {
            // The rules decide, so nothing is looked up.
            assert_eq!(position.look_up(&tables, true), None, "{epd}");
            ended += 1;
            continue;
        }
        let hit = position.look_up(&tables, false).expect(&epd);
        assert_eq!((hit.result, hit.dtz), (result(wdl), None), "{epd}");
        let hit = at(&epd, 1).look_up(&tables, true).expect(&epd);
        assert_eq!(hit.dtz, Some(dtz), "{epd}");
        agree += 1;
    }
    println!("{agree} agree, {ended} ended by the rules, {too_many} with more men than the tables");
    assert!(agree >= 350 && too_many < 40, "{agree} {ended} {too_many}");
}

#[test]
fn a_running_clock_makes_draws_of_slow_wins() {
    let Some(tables) = endgames() else { return };
    let mut seen: BTreeMap<TableResult, u32> = BTreeMap::new();
    for Expectation { epd, wdl, dtz } in expectations() {
        let position = at(&epd, 0);
        if position.men() > tables.men() || is_over(&position) || wdl == 0 {
            continue;
        }
        for clock in [1u32, 20, 60, 90, 98] {
            let position = at(&epd, clock);
            assert_eq!(
                position.look_up(&tables, false),
                None,
                "only distances help here"
            );
            let hit = position.look_up(&tables, true).expect(&epd);
            assert_eq!((hit.dtz, u32::from(hit.clock)), (Some(dtz), clock));
            // The true distance may be one ply more.
            let expected = match u32::from(dtz.unsigned_abs()) + clock {
                ..=99 => &[TableResult::Win][..],
                100 => &[TableResult::Win, TableResult::MaybeWin],
                _ => &[TableResult::CursedWin],
            };
            let strong = if dtz > 0 { hit.result } else { -hit.result };
            assert!(expected.contains(&strong), "{epd} {clock}: {hit:?}");
            *seen.entry(strong).or_default() += 1;
            let proof = Proof::of_table(hit);
            assert_eq!(
                proof.is_win() || proof.is_loss(),
                strong == TableResult::Win
            );
        }
    }
    assert!(
        seen[&TableResult::Win] > 100 && seen[&TableResult::CursedWin] > 20,
        "{seen:?}"
    );
}

fn config(algorithm: Algorithm, nodes: u64, tables: &Arc<EndgameTables>) -> Config {
    Config {
        limits: common::nodes(nodes),
        memory: 64 << 20,
        table: 1 << 20,
        endgames: Some(tables.clone()),
        ..Config::new(algorithm)
    }
}

fn search(situation: &Situation<ChessPosition>, config: Config) -> Session {
    let mut session = Session::start(Subject::from(situation.clone()), config);
    session.join();
    session
}

/// A proof must not exclude what the tables say.
fn check_bounds(what: &str, proof: Proof, truth: TableResult) {
    let score = truth.score();
    let allowed = match truth {
        TableResult::Win => proof.upper.is_win(),
        TableResult::Loss => proof.lower.is_loss(),
        _ => proof.lower <= score && score <= proof.upper,
    };
    assert!(allowed, "{what}: {proof:?}, but {truth:?}");
}

#[test]
fn what_captures_lead_to_never_contradicts_larger_tables() {
    let Some(tables) = endgames().map(Arc::new) else {
        return;
    };
    let mut proven = [0; ALGORITHMS.len()];
    let mut hits = 0;
    for Expectation { epd, wdl, .. } in expectations().iter().step_by(3) {
        let situation = chess(&format!("{epd} 0 1"));
        let position = &situation.position;
        if position.men() != 4 || is_over(position) {
            continue;
        }
        for row in &ALGORITHMS {
            let mut config = config(row.algorithm, 3_000, &tables);
            config.options.set("table-men", "3").expect("an option");
            let session = search(&situation, config);
            let proof = session.tree().node(Tree::ROOT).proof();
            check_bounds(&format!("{} {epd}", row.name), proof, result(*wdl));
            proven[row.algorithm as usize] += u32::from(proof.is_certain());
            hits += session.status().totals.table_hits();
        }
    }
    println!("proven: {proven:?}, {hits} table hits");
    assert!(
        proven.iter().all(|n| *n > 5) && hits > 1_000,
        "{proven:?} {hits}"
    );
}

#[test]
fn moves_that_throw_the_result_away_are_in_the_tree_with_their_reason() {
    let Some(tables) = endgames().map(Arc::new) else {
        return;
    };
    // The rook hangs: moves that leave it there draw.
    let situation = chess("8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    for row in &ALGORITHMS {
        let session = search(&situation, config(row.algorithm, 2_000, &tables));
        let reader = session.reader();
        let rows = reader.rows(Tree::ROOT);
        let tree = session.tree();
        let thrown: Vec<&str> = rows
            .iter()
            .filter(|r| matches!(r.view.fate, Fate::Tablebase(_)))
            .map(|r| r.label.as_str())
            .collect();
        assert!(!thrown.is_empty(), "{}: {:?}", row.name, rows.len());
        for r in &rows {
            let after = situation.position.after(r.move_code).expect("legal");
            let keeps = after.chess().board().rooks().any()
                && !after.legal_moves().iter().any(|m| m.is_capture());
            assert_eq!(
                keeps,
                !thrown.contains(&r.label.as_str()),
                "{} {}",
                row.name,
                r.label
            );
            if !keeps {
                let why = report::why::why(&reader, r);
                assert!(why.contains("throws the win away"), "{why}");
            }
        }
        let root = tree.node(Tree::ROOT);
        assert!(root.proof().is_win(), "{}: {:?}", row.name, root.proof());
        assert!(session.status().totals.table_hits() > 0);
    }
}

/// The next random number of a game.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// The reply that delays the next irreversible move longest.
fn best_defence(situation: &Situation<ChessPosition>, tables: &EndgameTables) -> Option<MoveCode> {
    let mut moves = situation.position.look_up_moves(tables, situation)?;
    moves.sort_by_key(|(_, hit)| (-hit.result, hit.dtz));
    Some(moves.first()?.0)
}

/// Plays out a won position and returns the plies to mate.
fn play_out(
    algorithm: Algorithm,
    fen: &str,
    seed: Option<u64>,
    tables: &Arc<EndgameTables>,
) -> u32 {
    let mut situation = chess(fen);
    let strong = situation.position.turn();
    let mut state = seed.unwrap_or(1);
    for ply in 0.. {
        let position = &situation.position;
        let moves = position.legal_moves();
        match position.ending(!moves.is_empty()) {
            Some(Ending::Checkmate) => return ply,
            Some(other) => panic!("{algorithm} {fen}: {other:?} after {ply} plies"),
            None => {}
        }
        let code = if position.turn() == strong {
            let session = search(&situation, config(algorithm, 300, tables));
            session.best_to_play().expect("a move")
        } else if seed.is_some() {
            let m = moves[random(&mut state) as usize % moves.len()];
            position.encode(m)
        } else {
            best_defence(&situation, tables).expect("a move")
        };
        assert!(situation.follow(code));
    }
    unreachable!("the fifty-move rule ends every game")
}

#[test]
fn won_games_are_won_before_the_fifty_move_rule() {
    let Some(tables) = endgames().map(Arc::new) else {
        return;
    };
    for fen in [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KR6 b - - 0 1",
        "8/8/8/3k4/8/8/8/KBB5 w - - 0 1",
        "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
        "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1",
        "8/8/8/3k2r1/8/8/8/K1Q5 w - - 0 1",
    ] {
        let mut fen = fen.to_owned();
        if fen.contains(" b ") {
            // The side that is to move is the one that wins.
            fen = fen.replace(" b ", " w ");
        }
        for row in &ALGORITHMS {
            for seed in [None, Some(7)] {
                let plies = play_out(row.algorithm, &fen, seed, &tables);
                println!("{} {fen} {seed:?}: mate after {plies} plies", row.name);
            }
        }
    }
}
