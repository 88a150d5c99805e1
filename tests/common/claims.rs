//! Compares what searches claim to be certain with truths that share no code with them.
//!
//! A claim is a bound on the result of the root or a root move that is not trivial, a distance to mate, the move played
//! when a win is claimed, and the line when a mate is claimed to be exact.

use std::collections::HashMap;
use std::fmt;

use algorithms::{ALGORITHMS, Algorithm};
use game::chess::arbiter::Arbiter;
use game::{
    ChessKnowledge as _, ChessPosition, EndgameTables, Game, MoveCode, Played, Score, Situation,
};
use search::Limits;
use session::{Config, NodeValue, Session, Subject};
use shakmaty::{Chess, Position};
use tree::{Proof, Tree};

use crate::clocked::Clocked;
use crate::made::{Kind, made};
use crate::minors::Minors;
use crate::outcome::Outcome;

/// The number of positions that the arbiter may look at for one question.
const BUDGET: u64 = 200_000;

/// The number of positions that may be looked at to see that a side is never mated.
const OUTCOME_BUDGET: u64 = 20_000;

/// The number of claims, and the false ones.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub searches: u64,
    /// Claims that could be checked.
    pub claims: u64,
    /// Claims whose check would have taken too long.
    pub unchecked: u64,
    /// Mates claimed to be exact.
    pub exact: u64,
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.searches += other.searches;
        self.claims += other.claims;
        self.unchecked += other.unchecked;
        self.exact += other.exact;
        self.wrong.extend(other.wrong);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>8} searches {:>9} claims {:>6} false {:>7} unchecked {:>7} exact mates",
            self.searches,
            self.claims,
            self.wrong.len(),
            self.unchecked,
            self.exact
        )
    }
}

/// What knows the exact results of some positions and shares no code with the searches.
pub trait Truth {
    /// The exact score for the side to move, if known; a win may be one of unknown length.
    fn truth(&self, position: &Chess) -> Option<Score>;
}

impl Truth for Clocked {
    fn truth(&self, position: &Chess) -> Option<Score> {
        Clocked::truth(self, position)
    }
}

/// Several endings.
impl Truth for Vec<Minors> {
    fn truth(&self, position: &Chess) -> Option<Score> {
        self.iter().find_map(|minors| minors.truth(position))
    }
}

/// Tables say nothing where the game is over.
impl Truth for EndgameTables {
    fn truth(&self, position: &Chess) -> Option<Score> {
        let mode = shakmaty::CastlingMode::Standard;
        let position = ChessPosition::new(position.clone(), mode);
        let hit = position.look_up(self, true)?;
        hit.result.is_certain().then(|| hit.result.score())
    }
}

/// A position with a truth against which claims are checked.
pub struct Judge<'a> {
    pub situation: Situation<ChessPosition>,
    arbiter: Arbiter,
    /// By move: what is known after it.
    after: Vec<(MoveCode, Arbiter)>,
    clocked: Option<&'a Clocked>,
    known: Option<&'a dyn Truth>,
    outcome: Outcome<'a>,
    /// The answers so far: searches of one position claim the same again and again.
    mates: HashMap<(Option<MoveCode>, bool, u32), Option<bool>>,
    safe: HashMap<(Option<MoveCode>, bool), Option<bool>>,
}

impl<'a> Judge<'a> {
    /// `clocked` is the truth for three-man endgames, where no history matters.
    pub fn new(situation: Situation<ChessPosition>, clocked: Option<&'a Clocked>) -> Self {
        let simple =
            situation.history.is_empty() && situation.position.chess().castles().is_empty();
        Judge {
            arbiter: Arbiter::new(&situation),
            outcome: Outcome::new(&situation, clocked),
            situation,
            after: Vec::new(),
            clocked: clocked.filter(|_| simple),
            known: None,
            mates: HashMap::new(),
            safe: HashMap::new(),
        }
    }

    /// The same, with a truth for endgames with few men, where no history matters.
    pub fn knowing(self, known: &'a dyn Truth) -> Self {
        Judge {
            known: Some(known),
            ..self
        }
    }

    fn arbiter(&mut self, after: Option<MoveCode>) -> &mut Arbiter {
        let Some(code) = after else {
            return &mut self.arbiter;
        };
        let at = self.after.iter().position(|(c, _)| *c == code);
        let at = at.unwrap_or_else(|| {
            let mut arbiter = Arbiter::new(&self.situation);
            assert!(arbiter.make(code), "{code:?} is not legal");
            self.after.push((code, arbiter));
            self.after.len() - 1
        });
        &mut self.after[at].1
    }

    /// Returns the exact score for the side to move there, if known.
    fn truth(&self, after: Option<MoveCode>) -> Option<Score> {
        if self.clocked.is_none() && self.known.is_none() {
            return None;
        }
        let mut position = self.situation.position.clone();
        if let Some(code) = after {
            let m = position.decode(code)?;
            position.play(m);
        }
        let at = position.chess();
        let clocked = self.clocked.and_then(|clocked| clocked.truth(at));
        clocked.or_else(|| self.known?.truth(at))
    }

    /// Whether the side to move there (`mover`) or the other side mates within this many plies.
    fn mates(&mut self, after: Option<MoveCode>, mover: bool, plies: u32) -> Option<bool> {
        let question = (after, mover, plies);
        if let Some(&known) = self.mates.get(&question) {
            return known;
        }
        let found = self.look_for_mate(after, mover, plies);
        self.mates.insert(question, found);
        found
    }

    fn look_for_mate(&mut self, after: Option<MoveCode>, mover: bool, plies: u32) -> Option<bool> {
        let known = self.truth(after);
        // That somebody wins in an unknown number of plies says nothing about a mate within these.
        if let Some(truth) = known.filter(|t| !(t.is_decided() && t.is_without_length())) {
            let distance = truth.mate_plies().map(|p| u32::from(p.unsigned_abs()));
            let wins = if mover {
                truth.is_win()
            } else {
                truth.is_loss()
            };
            return Some(wins && distance.is_some_and(|d| d <= plies));
        }
        let arbiter = self.arbiter(after);
        let turn = arbiter.turn();
        arbiter.mates_within(if mover { turn } else { !turn }, plies, &mut BUDGET.clone())
    }

    /// Whether the side there does not lose; `None` if that takes too long to find out.
    fn is_safe(&mut self, after: Option<MoveCode>, mover: bool) -> Option<bool> {
        let question = (after, mover);
        if let Some(&known) = self.safe.get(&question) {
            return known;
        }
        let found = self.look_for_safety(after, mover);
        self.safe.insert(question, found);
        found
    }

    fn look_for_safety(&mut self, after: Option<MoveCode>, mover: bool) -> Option<bool> {
        if let Some(truth) = self.truth(after) {
            return Some(
                !(if mover {
                    truth.is_loss()
                } else {
                    truth.is_win()
                }),
            );
        }
        if self.mates(after, !mover, 4) == Some(true) {
            return Some(false);
        }
        self.wins(after, !mover).map(|wins| !wins)
    }

    /// Whether the side to move there (`mover`) or the other side mates at all.
    fn wins(&mut self, after: Option<MoveCode>, mover: bool) -> Option<bool> {
        let position = &self.situation.position;
        let m = match after {
            Some(code) => Some(position.decode(code)?),
            None => None,
        };
        let turn = position.chess().turn();
        // After a move the other side is to move.
        let attacker = if mover == m.is_none() { turn } else { !turn };
        self.outcome.mates(m, attacker, OUTCOME_BUDGET)
    }

    /// Runs the search and checks all its claims.
    pub fn ask(&mut self, config: Config) -> Tally {
        let told = self.told(&config);
        let mut session = Session::start(Subject::from(self.situation.clone()), config);
        session.join();
        let summary = session.summary();
        let mut tally = Tally {
            searches: 1,
            ..Tally::default()
        };
        let mut wrong = Vec::new();
        self.bounds(&mut tally, &mut wrong, None, summary.score.proof);
        self.distance(&mut tally, &mut wrong, None, &summary.score);
        for m in &summary.moves {
            let code = m.row.move_code;
            // A move's figures are from its player's view; those of the position after it are from the other side's
            // view, one ply later.
            self.bounds_of_move(&mut tally, &mut wrong, code, m.score.proof);
            self.distance(&mut tally, &mut wrong, Some(code), &m.score);
        }
        let mate = summary.score.score.filter(|s| s.is_decided());
        let plies = mate.and_then(Score::mate_plies);
        if let (Some(best), Some(plies)) = (&summary.best, plies) {
            let rest = u32::from(plies.unsigned_abs()).saturating_sub(1);
            let keeps = self.mates(Some(best.code), plies < 0, rest);
            tally.check(&mut wrong, keeps, || {
                format!("{} does not keep the mate in {plies} plies", best.san)
            });
            let row = summary.moves.iter().find(|m| m.row.move_code == best.code);
            // The move's own distance may be known even if a shorter one by another move is not excluded.
            let root_exact = summary.score.mate_is_exact() == Some(true);
            let same = row.is_some_and(|m| {
                let exact = m.score.mate_is_exact() == Some(true);
                m.score.mate() == summary.score.mate() && (exact || !root_exact)
            });
            tally.check(&mut wrong, Some(same), || {
                let move_mate = row.map(|m| (m.score.mate(), m.score.mate_is_exact()));
                let root = (summary.score.mate(), summary.score.mate_is_exact());
                format!("{}: mate {move_mate:?}, the root {root:?}", best.san)
            });
        }
        if let (Some(true), Some(plies)) = (summary.score.mate_is_exact(), plies) {
            tally.exact += 1;
            let line: Vec<MoveCode> = summary.pv.iter().map(|m| m.code).collect();
            let whole = line.len() == usize::from(plies.unsigned_abs()) && self.ends_in_mate(&line);
            tally.check(&mut wrong, Some(whole), || {
                let sans: Vec<&str> = summary.pv.iter().map(|m| m.san.as_str()).collect();
                format!("the line of a mate in {plies} plies is {}", sans.join(" "))
            });
        }
        let root = session.tree().node(Tree::ROOT).proof();
        if root.lower > root.upper {
            wrong.push(format!("bounds that cross: {root:?}"));
        }
        tally.wrong = wrong.into_iter().map(|w| format!("{told}: {w}")).collect();
        tally
    }

    /// The search as a command, as far as it can be one: its memory is smaller than the command's.
    fn told(&self, config: &Config) -> String {
        let Played { start, moves } = self.situation.played();
        let mut at = start.clone();
        let mut line = Vec::new();
        for &code in moves {
            let Some(m) = at.decode(code) else { break };
            line.push(at.uci(m));
            at.play(m);
        }
        let moves = match line.is_empty() {
            true => String::new(),
            false => format!(" --moves '{}'", line.join(" ")),
        };
        let limits = &config.limits;
        let nodes = limits.nodes.map(|n| format!(" --nodes {n}"));
        let depth = limits.depth.map(|n| format!(" --depth {n}"));
        format!(
            "search --fen '{}'{moves} -a {}{}{} --threads {} --seed {}",
            start.fen(),
            config.algorithm,
            nodes.unwrap_or_default(),
            depth.unwrap_or_default(),
            config.threads,
            config.seed
        )
    }

    fn ends_in_mate(&self, line: &[MoveCode]) -> bool {
        let mut arbiter = Arbiter::new(&self.situation);
        line.iter().all(|&code| arbiter.make(code)) && arbiter.is_mate()
    }

    fn bounds_of_move(
        &mut self,
        tally: &mut Tally,
        wrong: &mut Vec<String>,
        code: MoveCode,
        proof: Proof,
    ) {
        let below = Proof {
            lower: down(proof.upper),
            upper: down(proof.lower),
        };
        self.bounds(tally, wrong, Some(code), below);
    }

    /// Checks proven bounds on the result for the side to move there.
    fn bounds(
        &mut self,
        tally: &mut Tally,
        wrong: &mut Vec<String>,
        after: Option<MoveCode>,
        proof: Proof,
    ) {
        let Proof { lower, upper } = proof;
        self.at_least(tally, wrong, after, true, lower);
        // An upper bound for the mover is a lower bound for the other side.
        let other = Score::from_raw(-upper.raw());
        self.at_least(tally, wrong, after, false, other);
    }

    /// Checks that the side to move there (`mover`), or the other side, gets at least this much.
    fn at_least(
        &mut self,
        tally: &mut Tally,
        wrong: &mut Vec<String>,
        after: Option<MoveCode>,
        mover: bool,
        score: Score,
    ) {
        let plies = u32::from(score.mate_plies().unwrap_or(0).unsigned_abs());
        let holds = if score.is_win() && score.is_without_length() {
            match self.truth(after) {
                Some(truth) if mover => Some(truth.is_win()),
                Some(truth) => Some(truth.is_loss()),
                None => self.wins(after, mover),
            }
        } else if score.is_win() {
            self.mates(after, mover, plies)
        } else if !score.is_loss() {
            self.is_safe(after, mover)
        } else if plies > 1 + u32::from(mover) {
            let mated = self.mates(after, !mover, plies - 1);
            mated.map(|mated| !mated)
        } else {
            // That nobody is mated before the next move is not a claim.
            return;
        };
        let (name, side) = (self.name(after), if mover { "mover" } else { "other" });
        tally.check(wrong, holds, || {
            format!("{name}: the {side} gets {score:?}")
        });
    }

    /// Checks a reported distance to mate: a win or a loss within it, and exactly it if it is claimed to be exact.
    fn distance(
        &mut self,
        tally: &mut Tally,
        wrong: &mut Vec<String>,
        after: Option<MoveCode>,
        verdict: &NodeValue,
    ) {
        let Some(score) = verdict
            .score
            .filter(|s| s.is_decided() && !s.is_without_length())
        else {
            return;
        };
        let Some(plies) = score.mate_plies() else {
            return;
        };
        // A move's distance includes the move itself.
        let below = u32::from(plies.unsigned_abs()).saturating_sub(u32::from(after.is_some()));
        let mover = (plies > 0) == after.is_none();
        let name = self.name(after);
        let within = self.mates(after, mover, below);
        tally.check(wrong, within, || format!("{name}: mate in {plies} plies"));
        if verdict.mate_is_exact() == Some(true) && below > 0 {
            let sooner = self.mates(after, mover, below - 1);
            tally.check(wrong, sooner.map(|s| !s), || {
                format!("{name}: mate in exactly {plies} plies, but it is shorter")
            });
        }
    }

    fn name(&self, after: Option<MoveCode>) -> String {
        let position = &self.situation.position;
        let m = after.and_then(|code| position.decode(code));
        m.map_or_else(|| "root".to_owned(), |m| position.label(m))
    }
}

impl Tally {
    fn check(
        &mut self,
        wrong: &mut Vec<String>,
        holds: Option<bool>,
        what: impl FnOnce() -> String,
    ) {
        match holds {
            None => self.unchecked += 1,
            Some(holds) => {
                self.claims += 1;
                if !holds {
                    wrong.push(what());
                }
            }
        }
    }
}

/// Converts a move's figure, from its player's view, to that of the position after it: the inverse of
/// [`Score::one_ply_up`].
fn down(score: Score) -> Score {
    score.one_ply_down()
}

/// A search of this many nodes with little memory.
pub fn config(algorithm: Algorithm, nodes: u64, threads: usize) -> Config {
    Config {
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        threads,
        memory: (64 << 20).min((1 << 20) + nodes * 1024),
        table: (16 << 20).min((1 << 18) + nodes * 64),
        ..Config::new(algorithm)
    }
}

/// The limits of nodes, of which each made position gets one: searches that end early and in the middle of things.
const LIMITS: [u64; 8] = [40, 70, 120, 200, 350, 600, 1_200, 2_500];

/// The numbers of threads with which each is searched.
pub const THREADS: [usize; 2] = [1, 2];

/// Searches a made position by every algorithm, and checks all claims; returns the tallies by algorithm and by
/// [`THREADS`].
pub fn ask_about(
    kind: Kind,
    seed: u64,
    number: u64,
    clocked: Option<&Clocked>,
) -> Vec<[Tally; THREADS.len()]> {
    let mut judge = Judge::new(made(kind, seed, number), clocked);
    let nodes = LIMITS[number as usize % LIMITS.len()];
    let rows = ALGORITHMS.iter().map(|row| {
        THREADS.map(|threads| {
            judge.ask(Config {
                seed,
                ..config(row.algorithm, nodes, threads)
            })
        })
    });
    rows.collect()
}

/// The side to move moves a piece back and forth, and so does the other side, which repeats the position `times` times,
/// as far as the moves can be undone. The moves are the first two of `line`.
pub fn shuffled(
    start: &Situation<ChessPosition>,
    line: &[MoveCode],
    times: usize,
) -> Option<Situation<ChessPosition>> {
    let mut situation = start.clone();
    let key = start.position.key();
    let back = |code: MoveCode| MoveCode((code.0 & 63) << 6 | code.0 >> 6 & 63);
    let (first, second) = (*line.first()?, *line.get(1)?);
    for _ in 0..times {
        for code in [first, second, back(first), back(second)] {
            let m = situation.position.decode(code)?;
            let role = m.role();
            if m.is_capture() || role == shakmaty::Role::Pawn || m.is_castle() {
                return None;
            }
            situation.play(m);
        }
        if situation.position.key() != key {
            return None;
        }
    }
    Some(situation)
}

/// Options that change what is claimed, in addition to the defaults.
pub const OPTIONS: [(Algorithm, &[&str]); 14] = [
    (Algorithm::AlphaBeta, &["quiescence-checks=off"]),
    (Algorithm::AlphaBeta, &["table=off"]),
    (Algorithm::AlphaBeta, &["null-move=off"]),
    (Algorithm::AlphaBeta, &["aspiration=off"]),
    (Algorithm::AlphaBeta, &["audit=8"]),
    (Algorithm::AlphaBeta, &["cutoffs=off"]),
    (Algorithm::ProbAlphaBeta, &["width=0"]),
    (Algorithm::ProbAlphaBeta, &["table=off"]),
    (Algorithm::Mcts, &["hunt-share=0"]),
    (Algorithm::Mcts, &["look-ahead=off"]),
    (Algorithm::Mcts, &["leaf=quiescence"]),
    (Algorithm::Distress, &["leaf=static"]),
    (Algorithm::Distress, &["leaf=quiescence"]),
    (Algorithm::Distress, &["leaf-depth=3", "leaf-deepest=5"]),
];
