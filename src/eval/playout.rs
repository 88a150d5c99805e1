//! Playouts: a position played on at random, and what its end says of it.
//!
//! Point differential (the point-differential mail): r = (1 - w) outcome + w P(win | difference), where the difference is the playout's last
//! material or evaluation and w goes by the position in which the playout began. Everything is from the view of the side
//! to move there; r, outcome and P lie in [0, 1].

use std::fmt;

use arrayvec::ArrayVec;

use super::Evaluator;
use crate::game::{Ending, Game, History, MAX_MOVES, Score};

/// What the difference at a playout's end is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Pieces alone; the evaluation in games without pieces.
    Material,
    Evaluation,
}

/// How much the difference at the end counts beside the outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Differential {
    None,
    /// The same share everywhere (Fuego .02, Pachi .04).
    Constant(f64),
    /// From one share with all pieces on the board to another with none, by the phase where the playout begins (Pebbles
    /// .08 to 0).
    Declining {
        from: f64,
        to: f64,
    },
}

impl Differential {
    /// w for a playout that begins at this phase, 1 with all pieces on the board, 0 with none.
    #[must_use]
    pub fn weight(self, phase: f64) -> f64 {
        match self {
            Differential::None => 0.0,
            Differential::Constant(weight) => weight,
            Differential::Declining { from, to } => to + (from - to) * phase,
        }
    }
}

/// P(win | difference) = 1 / (1 + exp(-d / k)), with `difference` and `scale` k in centipawns.
#[must_use]
pub fn winning_chance(difference: i32, scale: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(difference) / scale).exp())
}

/// r = (1 - w) outcome + w P.
#[must_use]
pub fn blended(outcome: f64, chance: f64, weight: f64) -> f64 {
    (1.0 - weight) * outcome + weight * chance
}

/// How playouts are played and what they are worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutRules {
    /// Plies after which it ends; a finite tree is played to its leaf.
    pub length: u16,
    /// How many times likelier than any other move a capture or promotion is that loses nothing by exchange, and how many
    /// times one that gives check.
    pub capture: u32,
    pub check: u32,
    /// Centipawns: who is ahead by so much for `patience` plies in a row has won, and who is at the length's end. 0: only
    /// the rules of the game decide.
    pub margin: i32,
    pub patience: u16,
    pub measure: Measure,
    pub differential: Differential,
    /// k of [`winning_chance`], in centipawns.
    pub scale: f64,
}

/// Why a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By the rules, or at a toy tree's leaf.
    Ended(Ending),
    /// A position stood for the third time within the playout.
    Repetition,
    /// One side was far ahead for long enough.
    Adjudicated,
    /// After its greatest length.
    Length,
    /// A toy leaf with a spread: its value is all that is known.
    Value,
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Finish::Ended(Ending::Checkmate) => "checkmate",
            Finish::Ended(Ending::Stalemate) => "stalemate",
            Finish::Ended(Ending::InsufficientMaterial) => "too little material",
            Finish::Ended(Ending::FiftyMoves) => "fifty moves",
            Finish::Ended(Ending::Leaf) | Finish::Value => "a leaf",
            Finish::Repetition => "threefold repetition",
            Finish::Adjudicated => "adjudication",
            Finish::Length => "its length",
        })
    }
}

/// What one playout brought, from the view of the side to move where it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playout {
    /// Moves played.
    pub plies: u16,
    pub finish: Finish,
    /// 1 won, .5 drawn, 0 lost; anything between at a toy leaf.
    pub outcome: f64,
    /// Centipawns, or a toy tree's integer unit.
    pub difference: i32,
    /// P(win | difference).
    pub chance: f64,
    /// w.
    pub weight: f64,
}

impl Playout {
    /// r in [0, 1].
    #[must_use]
    pub fn result(&self) -> f64 {
        blended(self.outcome, self.chance, self.weight)
    }

    /// 2 r - 1.
    #[must_use]
    pub fn expected(&self) -> f64 {
        2.0 * self.result() - 1.0
    }
}

/// The seed of a node's playout `number` (from 0) in a search with a seed of its own: SplitMix64 over the three, so that
/// neighbours have nothing in common and any playout can be played again.
#[must_use]
pub fn playout_seed(search: u64, node: u32, number: u32) -> u64 {
    let mixed = |x: u64| {
        let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    mixed(mixed(search) ^ (u64::from(node) << 32 | u64::from(number)))
}

/// Plays playouts; keeps its memory from one to the next.
#[derive(Clone, Debug)]
pub struct Player {
    rules: PlayoutRules,
    /// The positions since the playout began.
    history: History,
}

/// Who is ahead, and for how many plies.
#[derive(Clone, Copy, Default)]
struct Lead {
    first: bool,
    plies: u16,
}

impl Lead {
    /// Takes the next ply's difference; whether that is enough.
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
    #[must_use]
    pub fn new(rules: PlayoutRules) -> Self {
        Player {
            rules,
            history: History::default(),
        }
    }

    /// Plays `position` on; `state` is its evaluator's, `count` is called before every move.
    ///
    /// # Errors
    /// That of `count`, which ends the playout.
    pub fn play<G: Game, E: Evaluator<G>, I>(
        &mut self,
        evaluator: &E,
        position: &G,
        mut state: E::State,
        seed: u64,
        mut count: impl FnMut() -> Result<(), I>,
    ) -> Result<Playout, I> {
        let rules = self.rules;
        let finite = position.height().is_some();
        let weight = rules.differential.weight(evaluator.phase(state));
        let mut random = fastrand::Rng::with_seed(seed);
        let mut here = position.clone();
        let mut lead = Lead::default();
        let mut plies = 0;
        self.history.truncate(0);
        let (finish, outcome, difference) = loop {
            // Which side is to move here, seen from where the playout began.
            let ours = here.turn() == position.turn();
            let moves = here.legal_moves();
            let own = difference(evaluator, state, &here, rules.measure);
            let difference = if ours { own } else { -own };
            if let Some((finish, score)) = over(evaluator, state, &here, !moves.is_empty()) {
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
            state = evaluator.after(state, &here, m);
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

    /// Whether a playout that could go on ends here all the same.
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

/// The end of the game, and its score for the side to move.
fn over<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    state: E::State,
    here: &G,
    has_moves: bool,
) -> Option<(Finish, Score)> {
    if let Some(ending) = here.ending(has_moves) {
        return Some((Finish::Ended(ending), here.ending_score(ending)));
    }
    (!has_moves).then(|| (Finish::Value, evaluator.value(state, here)))
}

/// The outcome of a playout that was stopped, by the difference in the same view.
fn judged(finish: Finish, difference: i32, rules: &PlayoutRules) -> f64 {
    let decides = rules.margin > 0 && difference.abs() >= rules.margin;
    match finish {
        Finish::Repetition => 0.5,
        _ if !decides => 0.5,
        _ if difference > 0 => 1.0,
        _ => 0.0,
    }
}

/// Side to move.
fn difference<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    state: E::State,
    here: &G,
    measure: Measure,
) -> i32 {
    let material = match measure {
        Measure::Material => here.material(),
        Measure::Evaluation => None,
    };
    material.unwrap_or_else(|| i32::from(evaluator.value(state, here).raw()))
}

/// One of the moves, at random by their weights.
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
