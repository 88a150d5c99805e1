//! Playouts: playing a position out with random moves, and scoring the result.
//!
//! The score can include the point differential: r = (1 - w) outcome + w P(win | difference), where the difference is
//! the material or evaluation at the end of the playout and the weight w depends on the position in which the playout
//! began (Brian Sheppard, *MCTS and Point Differential*, Computer-go mailing list, July 2011). Everything is from the
//! view of the side to move where the playout began; r, outcome and P are in [0, 1].

use std::fmt;

use arrayvec::ArrayVec;

use super::Evaluator;
use game::{Ending, Game, History, MAX_MOVES, Score};

/// What the difference at the end of a playout is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The material balance; in games without pieces, the evaluation.
    Material,
    Evaluation,
}

/// How much the difference at the end counts compared with the outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Differential {
    None,
    /// The same weight everywhere (Fuego used .02, Pachi .04).
    Constant(f64),
    /// Declines linearly from one weight with all pieces on the board to another with none, by the phase of the
    /// position in which the playout begins (Pebbles used .08 to 0).
    Declining {
        from: f64,
        to: f64,
    },
}

impl Differential {
    /// Returns the weight w of a playout that begins at this phase (1 with all pieces on the board, 0 with none).
    pub fn weight(self, phase: f64) -> f64 {
        match self {
            Differential::None => 0.0,
            Differential::Constant(weight) => weight,
            Differential::Declining { from, to } => to + (from - to) * phase,
        }
    }
}

/// Returns P(win | difference) = 1 / (1 + exp(-d / k)), with `difference` and `scale` k in centipawns.
pub fn winning_chance(difference: i32, scale: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(difference) / scale).exp())
}

/// r = (1 - w) outcome + w P.
pub fn blended(outcome: f64, chance: f64, weight: f64) -> f64 {
    (1.0 - weight) * outcome + weight * chance
}

/// How playouts are played and scored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutRules {
    /// The maximum length in plies. In a finite tree playouts always run to a leaf.
    pub length: u16,
    /// How many times likelier than any other move a capture or promotion is that loses nothing by exchange.
    pub capture: u32,
    /// How many times likelier than any other move a check is.
    pub check: u32,
    /// In centipawns: a side that is ahead by this much for `patience` plies in a row, or at the maximum length, has
    /// won. With 0 only the rules of the game decide.
    pub margin: i32,
    pub patience: u16,
    pub measure: Measure,
    pub differential: Differential,
    /// The scale k of [`winning_chance`], in centipawns.
    pub scale: f64,
}

/// Why a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The game ended by its rules, or the playout reached a leaf of a toy tree.
    Ended(Ending),
    /// A position occurred for the third time within the playout.
    Repetition,
    /// One side was far ahead for long enough.
    Adjudicated,
    /// The playout reached its maximum length.
    Length,
    /// The game has a way of its own to play positions out, and the points were counted.
    Counted,
    /// The playout reached a toy leaf with a spread, whose value is all that is known.
    Value,
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Finish::Ended(Ending::Checkmate) => "checkmate",
            Finish::Ended(Ending::Stalemate) => "stalemate",
            Finish::Ended(Ending::InsufficientMaterial) => "too little material",
            Finish::Ended(Ending::FiftyMoves) => "fifty moves",
            Finish::Ended(Ending::Lost | Ending::Won) => "a loss",
            Finish::Ended(Ending::Drawn) => "a draw",
            Finish::Ended(Ending::Leaf) | Finish::Value => "a leaf",
            Finish::Repetition => "threefold repetition",
            Finish::Adjudicated => "adjudication",
            Finish::Length => "its length",
            Finish::Counted => "counting",
        })
    }
}

/// The result of one playout, from the view of the side to move where it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playout {
    /// The number of moves played.
    pub plies: u16,
    pub finish: Finish,
    /// 1 for a win, .5 for a draw, 0 for a loss; anything in between at a toy leaf.
    pub outcome: f64,
    /// The difference at the end in centipawns, or in a toy tree's integer unit.
    pub difference: i32,
    /// P(win | difference).
    pub chance: f64,
    /// The weight w of the difference.
    pub weight: f64,
}

impl Playout {
    /// The score r in [0, 1].
    pub fn result(&self) -> f64 {
        blended(self.outcome, self.chance, self.weight)
    }

    /// The expected score, 2 r - 1.
    pub fn expected(&self) -> f64 {
        2.0 * self.result() - 1.0
    }
}

/// Returns the seed of a node's playout `number` (from 0) in a search that has a seed of its own. SplitMix64 mixes the
/// three, so that neighbouring playouts are unrelated and any playout can be repeated.
pub fn playout_seed(search: u64, node: u32, number: u32) -> u64 {
    let mixed = |x: u64| {
        let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    mixed(mixed(search) ^ (u64::from(node) << 32 | u64::from(number)))
}

/// Plays playouts, reusing its memory from one to the next.
#[derive(Clone, Debug)]
pub struct Player {
    rules: PlayoutRules,
    /// The positions since the start of the playout.
    history: History,
}

/// Which side is ahead, and for how many plies.
#[derive(Clone, Copy, Default)]
struct Lead {
    first: bool,
    plies: u16,
}

impl Lead {
    /// Records the difference at the next ply and returns whether the lead has lasted long enough.
    fn lasts(&mut self, difference: i32, rules: &PlayoutRules) -> bool {
        if rules.margin == 0 || difference.abs() < rules.margin {
            self.plies = 0;
            return false;
        }
        let first = difference > 0;
        self.plies = if first == self.first {
            self.plies + 1
        } else {
            1
        };
        self.first = first;
        self.plies >= rules.patience
    }
}

impl Player {
    pub fn new(rules: PlayoutRules) -> Self {
        Player {
            rules,
            history: History::default(),
        }
    }

    /// Plays `position` out. `start` is its evaluator's state; `count` is called before every move.
    ///
    /// # Errors
    /// Returns the error of `count`, which ends the playout.
    pub fn play<G: Game, E: Evaluator<G>, I>(
        &mut self,
        evaluator: &E,
        position: &G,
        start: &E::State,
        seed: u64,
        mut count: impl FnMut() -> Result<(), I>,
    ) -> Result<Playout, I> {
        let rules = self.rules;
        let finite = position.height().is_some();
        let weight = rules.differential.weight(evaluator.phase(start));
        let mut random = fastrand::Rng::with_seed(seed);
        let mut ended = Ok(());
        let own = evaluator.play_out(position, &mut random, &mut || {
            ended = count();
            ended.is_ok()
        });
        ended?;
        if let Some(own) = own {
            return Ok(Playout {
                plies: own.plies,
                finish: Finish::Counted,
                outcome: own.outcome,
                difference: own.difference,
                chance: winning_chance(own.difference, rules.scale),
                weight,
            });
        }
        let mut here = position.clone();
        let mut lead = Lead::default();
        let mut state = start.clone();
        let mut plies = 0;
        self.history.truncate(0);
        let (finish, outcome, difference) = loop {
            // Whether the side to move here is the one that moved where the playout began.
            let ours = here.turn() == position.turn();
            let moves = here.legal_moves();
            let own = difference(evaluator, &state, &here, rules.measure);
            let difference = if ours { own } else { -own };
            if let Some((finish, score)) = over(evaluator, &state, &here, !moves.is_empty()) {
                let outcome = (1.0 + f64::from(here.scale().expected(score))) / 2.0;
                break (
                    finish,
                    if ours { outcome } else { 1.0 - outcome },
                    difference,
                );
            }
            if !finite && let Some(finish) = self.stopped(&here, plies, difference, &mut lead) {
                break (finish, judged(finish, difference, &rules), difference);
            }
            count()?;
            let m = choose(&here, &moves, &rules, &mut random);
            state = evaluator.after(&state, &here, m);
            self.history.push(here.key());
            here.play(m);
            plies += 1;
        };
        Ok(Playout {
            plies,
            finish,
            outcome,
            difference,
            chance: winning_chance(difference, rules.scale),
            weight,
        })
    }

    /// Returns why a playout ends here although it could go on, if it does.
    fn stopped<G: Game>(
        &self,
        here: &G,
        plies: u16,
        difference: i32,
        lead: &mut Lead,
    ) -> Option<Finish> {
        let again = self
            .history
            .repetitions(here.key(), here.reversible_plies());
        if again.times >= 2 {
            Some(Finish::Repetition)
        } else if lead.lasts(difference, &self.rules) {
            Some(Finish::Adjudicated)
        } else {
            (plies >= self.rules.length).then_some(Finish::Length)
        }
    }
}

/// Returns how the game ended, and its score for the side to move.
fn over<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    state: &E::State,
    here: &G,
    has_moves: bool,
) -> Option<(Finish, Score)> {
    if let Some(ending) = here.ending(has_moves) {
        return Some((Finish::Ended(ending), here.ending_score(ending)));
    }
    (!has_moves).then(|| (Finish::Value, evaluator.value(state, here)))
}

/// Returns the outcome of a playout that was stopped, by the difference in the same view.
fn judged(finish: Finish, difference: i32, rules: &PlayoutRules) -> f64 {
    let decides = rules.margin > 0 && difference.abs() >= rules.margin;
    match finish {
        Finish::Repetition => 0.5,
        _ if !decides => 0.5,
        _ if difference > 0 => 1.0,
        _ => 0.0,
    }
}

/// The difference from the side to move's view.
fn difference<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    state: &E::State,
    here: &G,
    measure: Measure,
) -> i32 {
    let material = match measure {
        Measure::Material => here.material(),
        Measure::Evaluation => None,
    };
    material.unwrap_or_else(|| i32::from(evaluator.value(state, here).raw()))
}

/// Picks one of the moves at random, by their weights.
fn choose<G: Game>(
    here: &G,
    moves: &[G::Move],
    rules: &PlayoutRules,
    random: &mut fastrand::Rng,
) -> G::Move {
    if rules.capture == 1 && rules.check == 1 {
        return moves[random.usize(..moves.len())];
    }
    let checks = here.checks();
    let mut sum = 0;
    let sums: ArrayVec<u32, MAX_MOVES> = moves
        .iter()
        .map(|&m| {
            let sound = rules.capture > 1 && here.is_noisy(m) && here.see_ge(m, 0);
            let capture = if sound { rules.capture } else { 1 };
            let check = if rules.check > 1 && here.gives_check_by(&checks, m) {
                rules.check
            } else {
                1
            };
            sum += capture * check;
            sum
        })
        .collect();
    let drawn = random.u32(..sum);
    moves[sums.partition_point(|&s| s <= drawn)]
}
