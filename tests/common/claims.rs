//! Compares what searches claim to be certain with truths that share no code with them.
//!
//! A claim is a bound on the result of the root or a root move that is not trivial, a distance to mate, the move played
//! when a win is claimed, and the line when a mate is claimed to be exact.

use std::fmt;

use algorithms::Algorithm;
use game::chess::arbiter::Arbiter;
use game::{ChessKnowledge as _, ChessPosition, EndgameTables, Game, MoveCode, Score, Situation};
use search::Limits;
use session::{Config, NodeValue, Session, Subject};
use shakmaty::Chess;
use tree::{Proof, Tree};

use crate::clocked::Clocked;
use crate::minors::Minors;

/// The number of positions that the arbiter may look at for one question.
const BUDGET: u64 = 200_000;

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
    known: Option<&'a dyn Truth>,
}

impl<'a> Judge<'a> {
    /// `known` is a truth for endgames with few men, where no history matters.
    pub fn new(situation: Situation<ChessPosition>, known: Option<&'a dyn Truth>) -> Self {
        Judge {
            arbiter: Arbiter::new(&situation),
            situation,
            after: Vec::new(),
            known,
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
        let known = self.known?;
        let mut position = self.situation.position.clone();
        if let Some(code) = after {
            let m = position.decode(code)?;
            position.play(m);
        }
        known.truth(position.chess())
    }

    /// Whether the side to move there (`mover`) or the other side mates within this many plies.
    fn mates(&mut self, after: Option<MoveCode>, mover: bool, plies: u32) -> Option<bool> {
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

    /// Whether the side there does not lose; if that cannot be known, whether it is not mated soon.
    fn is_safe(&mut self, after: Option<MoveCode>, mover: bool) -> Option<bool> {
        if let Some(truth) = self.truth(after) {
            return Some(
                !(if mover {
                    truth.is_loss()
                } else {
                    truth.is_win()
                }),
            );
        }
        match self.mates(after, !mover, 4) {
            Some(true) => Some(false),
            _ => None,
        }
    }

    /// Runs the search and checks all its claims.
    pub fn ask(&mut self, config: Config) -> Tally {
        let told = format!(
            "{} {} nodes {:?} threads {} {:?}",
            config.algorithm,
            config.limits.nodes.unwrap_or(0),
            config.limits.depth,
            config.threads,
            self.situation.position.fen()
        );
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
        tally.check(&mut wrong, Some(root.lower <= root.upper), || {
            format!("bounds that cross: {root:?}")
        });
        tally.wrong = wrong.into_iter().map(|w| format!("{told}: {w}")).collect();
        tally
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
            let truth = self.truth(after);
            truth.map(|t| if mover { t.is_win() } else { t.is_loss() })
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
