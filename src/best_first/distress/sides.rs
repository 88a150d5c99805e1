//! How children's beliefs become their parent's: by a rule or by somebody's formula, for both sides or for each its own.

use super::options::number_within;
use belief::numbers::{Form, Optimal, Played};
use belief::{BLEND, BackUp, Grid, Rule, Ties};
use formula::Formula;
use search::{FormulaRange, OptionSpec, Options, Range};

pub(super) const BACKUP: OptionSpec = OptionSpec {
    key: "backup",
    default: "gumbel:2",
    range: Range::Formula(&FormulaRange {
        is_word: |text| text.parse::<Rule>().is_ok(),
        words: "a back-up rule such as frechet:.8, gumbel:2, cuadras-auge:.5, exp:1.5, entropy, constant:.5, r-opt, r-pick, svfc, three-point",
        ..BLENDS
    }),
    summary: "how the children's beliefs become their parent's: by a rule, or as b r_opt + (1 - b) r_pick with a formula for b, cut to 0 to 1 (gumbel:2 where it has no finite value)",
};

pub(super) const BACKUP_US: OptionSpec = OptionSpec {
    key: "backup-us",
    default: AUTO,
    range: Range::Formula(&SIDE),
    summary: "how the children's beliefs become their parent's where the side to move at the root moves; auto: as backup says; where a formula has no finite value, by the rule of backup, or gumbel:2 (not with svfc and three-point)",
};

pub(super) const BACKUP_OPPONENT: OptionSpec = OptionSpec {
    key: "backup-opponent",
    default: AUTO,
    range: Range::Formula(&SIDE),
    summary: "how the children's beliefs become their parent's where the other side moves; see backup-us",
};

/// What the belief reported for the root was fitted with, if these are as by default.
pub(super) const SIDES: [OptionSpec; 3] = [BACKUP, BACKUP_US, BACKUP_OPPONENT];

const AUTO: &str = "auto";

const BLENDS: FormulaRange = FormulaRange {
    is_word: |_| false,
    words: "",
    scope: BLEND,
    is_condition: false,
    check: |_| Ok(()),
    written: |word| word.parse::<Rule>().ok()?.formula(),
};

const SIDE: FormulaRange = FormulaRange {
    is_word: |text| text == AUTO || text.parse::<Rule>().is_ok_and(|r| !r.is_precursor()),
    words: "auto, or a back-up rule without numbers of its own, such as gumbel:2, exp:1.5, r-opt",
    ..BLENDS
};

/// The back-ups of both sides.
#[derive(Clone, Debug)]
pub struct Sides {
    /// Where the root's side moves.
    us: BackUp,
    /// Where the other side moves, if by something else.
    opponent: Option<Box<BackUp>>,
}

impl Sides {
    /// What the options ask for, for beliefs on this grid.
    pub fn new(options: &Options, grid: &Grid) -> Sides {
        let both = back_up(options).on(grid);
        let [us, opponent] = [&BACKUP_US, &BACKUP_OPPONENT].map(|side| options.word(side.key));
        let of = |text: &str| match text {
            AUTO => both.clone(),
            _ => match text.parse() {
                Ok(rule) => BackUp::new(rule, both.ties()),
                Err(_) => both.clone().with_formula(parsed(text)),
            },
        };
        let differ = us != opponent && !both.rule().is_precursor();
        Sides {
            opponent: differ.then(|| Box::new(of(opponent))),
            us: if both.rule().is_precursor() {
                both
            } else {
                of(us)
            },
        }
    }

    /// The back-up of a node; `is_own` says whether the root's side is to move there.
    #[inline]
    pub fn at(&mut self, is_own: impl FnOnce() -> bool) -> &mut BackUp {
        match &mut self.opponent {
            Some(opponent) if !is_own() => opponent,
            _ => &mut self.us,
        }
    }

    /// The rule that keeps numbers of its own holds for both sides.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.us.rule()
    }

    /// Where the root's side moves.
    pub fn us(&self) -> &BackUp {
        &self.us
    }
}

/// The back-up that the options ask for, where the sides have none of their own.
fn back_up(options: &Options) -> BackUp {
    let text = options.word(BACKUP.key);
    let rule: Option<Rule> = text.parse().ok();
    let ties: Ties = options.word("ties").parse().unwrap_or_default();
    let form = Form {
        played: match options.word("svfc-played") {
            "tails" => Played::Tails,
            "optimal" => Played::Optimal,
            _ => Played::Normal,
        },
        optimal: match options.word("svfc-optimal") {
            "half" => Optimal::Half,
            "share" => Optimal::Share,
            "log-odds" => Optimal::LogOdds,
            _ => Optimal::Score,
        },
        opponent: number_within(options.word("svfc-opponent"), 0.0, 1.0),
    };
    let back_up = BackUp::new(rule.unwrap_or_default(), ties).with_form(form);
    match rule {
        Some(_) => back_up,
        None => back_up.with_formula(parsed(text)),
    }
}

fn parsed(text: &str) -> Formula {
    BLENDS.of(text)
}
