//! The drivers: how the root asks alpha-beta for its value.
//!
//! `pvs` and `negascout` ask once and differ in the window of a re-search. `mtdf`, `sss*` and `dual*` ask in passes,
//! each with a null window that raises the root's lower bound or lowers its upper one, until both meet (Plaat,
//! Schaeffer, Pijls and de Bruin 1996). They differ only in the first question. What a pass found is kept for the next
//! one in two tables, of lower and of upper bounds.

use game::{Scale, Score};
use search::{OptionSpec, Options, Range};

/// Which driver asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Driver {
    /// Principal variation search: a move that beats its null window is searched again from alpha to beta.
    Pvs,
    /// NegaScout: it is searched again from the value found to beta, and not at all if it is a leaf.
    NegaScout,
    /// Passes that begin with this question.
    Passes(First),
}

/// The first question of an iteration's passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// MTD(f): whether the root is worth at least a guess; `None`: the value of the iteration before, at first 0.
    Guess(Option<Score>),
    /// SSS*: whether it is worth infinitely much.
    Highest,
    /// Dual\*: whether it is worth more than infinitely little.
    Lowest,
}

const DRIVERS: &[&str] = &["pvs", "negascout", "mtdf", "sss*", "dual*"];

/// Where MTD(f) takes its first guess from.
const LAST: &str = "last";

/// The options of the drivers: how the root asks.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "driver",
        default: DRIVERS[0],
        range: Range::Choice(DRIVERS),
        summary: "how the root asks for its value: principal variation search, NegaScout (Reinefeld 1983), or passes of null windows (Plaat and others 1996)",
    },
    OptionSpec {
        key: "first-guess",
        default: LAST,
        range: Range::Word {
            check: |word| word == LAST || number(word).is_some(),
            expects: "last, or a value in pawns or in the tree's own unit",
        },
        summary: "mtdf: the value its first pass asks about; last: that of the iteration before, at first 0",
    },
    OptionSpec {
        key: "aspiration",
        default: "on",
        range: Range::Switch,
        summary: "search between bounds around the value of the iteration before",
    },
    OptionSpec {
        key: "aspiration-window",
        default: "12",
        range: Range::Integer { min: 1, max: 1000 },
        summary: "centipawns on either side, doubled where the value falls outside",
    },
];

/// How far the window of an iteration reaches on either side of the value before, in centipawns; `None` without
/// aspiration windows, also where the algorithm has no such option.
pub(super) fn aspiration(options: &Options) -> Option<i32> {
    let is_on = options.has("aspiration") && options.switch("aspiration");
    is_on.then(|| options.integer("aspiration-window") as i32)
}

fn number(word: &str) -> Option<f32> {
    word.parse().ok().filter(|n: &f32| n.abs() <= 1e4)
}

impl Driver {
    /// The driver that the options select; `pvs` where the algorithm has no such option.
    pub fn from_options(options: &Options, scale: Scale) -> Driver {
        let is = |word| options.is("driver", word);
        if is("negascout") {
            Driver::NegaScout
        } else if is("mtdf") {
            let guess = number(options.word("first-guess"));
            Driver::Passes(First::Guess(guess.map(|units| scale.score_of_units(units))))
        } else if is("sss*") {
            Driver::Passes(First::Highest)
        } else if is("dual*") {
            Driver::Passes(First::Lowest)
        } else {
            Driver::Pvs
        }
    }

    pub fn makes_passes(self) -> bool {
        matches!(self, Driver::Passes(_))
    }
}

/// What the passes of one iteration have found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The root is worth at least this (f−).
    pub low: Score,
    /// The root is worth at most this (f+).
    pub high: Score,
    /// The value that the last pass returned, or at first the guess.
    last: Score,
}

impl Bounds {
    pub fn new(first: Score) -> Bounds {
        Bounds {
            low: Score::MIN,
            high: Score::MAX,
            last: first,
        }
    }

    /// The null window of the next pass; `None` when the bounds have met.
    ///
    /// Every pass lowers the upper bound below its beta or raises the lower one to it, so there is a last pass even if
    /// the values of a search that prunes contradict one another.
    pub fn question(&self) -> Option<(Score, Score)> {
        if self.low >= self.high {
            return None;
        }
        let step = i16::from(self.last <= self.low);
        let beta = self.last.raw() + step;
        Some((Score::from_raw(beta - 1), Score::from_raw(beta)))
    }

    /// Takes in what a pass with that window returned. `exact`: it was a window of short mates, whose search looks no
    /// deeper than they are: only a mate that it found says more than the answer itself.
    pub fn learn(&mut self, (alpha, beta): (Score, Score), value: Score, exact: bool) {
        if value >= beta {
            self.low = if exact && !value.is_win() {
                beta
            } else {
                value
            };
            self.last = self.low;
        } else {
            self.high = if exact && !value.is_loss() {
                alpha
            } else {
                value
            };
            self.last = self.high;
        }
    }

    /// The value that the passes ended with.
    pub fn value(&self) -> Score {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that the passes over the sixteen leaves return, in the order of the published example.
    #[test]
    fn the_questions_follow_from_the_answers() {
        let s = |v: i32| Score::new(v);
        let mut bounds = Bounds::new(Score::MAX);
        let mut asked = Vec::new();
        for answer in [41, 36, 35, 35] {
            let window = bounds.question().expect("the bounds have not met");
            asked.push(window.1);
            bounds.learn(window, s(answer), false);
        }
        assert_eq!(asked, [Score::MAX, s(41), s(36), s(35)]);
        assert_eq!((bounds.question(), bounds.value()), (None, s(35)));

        let mut bounds = Bounds::new(Score::MIN);
        let mut asked = Vec::new();
        for answer in [5, 12, 34, 35, 35] {
            let window = bounds.question().expect("the bounds have not met");
            asked.push(window.1);
            bounds.learn(window, s(answer), false);
        }
        assert_eq!(asked, [Score::LOSS, s(6), s(13), s(35), s(36)]);
        assert_eq!((bounds.question(), bounds.value()), (None, s(35)));
    }

    #[test]
    fn a_shallow_search_for_short_mates_says_no_more_than_its_answer() {
        let mut bounds = Bounds::new(Score::win_in(5));
        let window = bounds.question().expect("a question");
        assert_eq!(window, (Score::win_in(6), Score::win_in(5)));
        bounds.learn(window, Score::new(120), true);
        assert_eq!(bounds.high, Score::win_in(6), "not 120");
        bounds.learn((Score::MIN, Score::win_in(9)), Score::win_in(7), true);
        assert_eq!(bounds.low, Score::win_in(7));
    }

    #[test]
    fn passes_end_even_if_their_values_contradict_one_another() {
        let mut bounds = Bounds::new(Score::new(10));
        bounds.learn((Score::new(9), Score::new(10)), Score::new(50), false);
        let window = bounds.question().expect("a question");
        assert_eq!(window.1, Score::new(51));
        bounds.learn(window, Score::new(40), false);
        assert_eq!((bounds.question(), bounds.value()), (None, Score::new(40)));
    }

    #[test]
    fn a_guess_is_a_number_in_the_displayed_unit() {
        let mut options = crate::alpha_beta::default_options();
        let of = |options: &Options| Driver::from_options(options, Scale::Logistic);
        assert_eq!(of(&options), Driver::Pvs);
        options.set("driver", "mtdf").expect("a driver");
        assert_eq!(of(&options), Driver::Passes(First::Guess(None)));
        options.set("first-guess", "-0.35").expect("a number");
        let guess = Some(Score::new(-35));
        assert_eq!(of(&options), Driver::Passes(First::Guess(guess)));
        assert!(options.set("first-guess", "high").is_err());
    }
}
