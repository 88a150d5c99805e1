//! The options of MCTS, and the settings that a thread reads from them.

use super::softmax::{self, Softmax};
use super::{gumbel, implicit_minimax, playouts, uncertainty, variance_scaled};
use crate::by_formula::{self, BackUp, MEAN, Select};
use crate::leaf_value::LEAF_OR_PLAYOUTS;
use crate::prior::{CHECK_GAIN, EVEN_PRIOR, PRIOR, Prior, TEMPERATURE};
use crate::reuse::TREE_REUSE;
use crate::solver::Solver;
use search::endgame::{KNOWN_DRAWS, TABLE_MEN};
use search::options::EVAL;
use search::{OptionSpec, Options, Range};

/// The key of the visit on which a leaf is expanded.
const EXPAND_AT: &str = "expand-at";

/// The word for PUCT as it is built in.
const PUCT: &str = "puct";

const SELECT: OptionSpec = OptionSpec {
    key: by_formula::SELECT_KEY,
    default: PUCT,
    range: Range::Formula(&by_formula::SELECT),
    summary: "the move with the highest score is visited next: PUCT with the options exploration and fpu, UCT (UCB1), in turn (uniform: a control), or a formula of the move's numbers (PUCT with 1.5 where it has no finite value; not together with options that replace PUCT)",
};

const BACK_UP: OptionSpec = OptionSpec {
    key: by_formula::BACK_UP_KEY,
    default: MEAN,
    range: Range::Formula(&by_formula::BACK_UP),
    summary: "what a node is worth: the mean of what its visits brought, the best move's value (minimax), or a formula in which sum, most and least take a number of each move (the mean where it has no finite value; not together with softmax-backup)",
};

/// The options of `mcts`.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "exploration",
        default: "1.5",
        range: Range::Number {
            min: 0.0,
            max: 10.0,
        },
        summary: "c of PUCT: Q + c P sqrt(N) / (1 + n)",
    },
    OptionSpec {
        key: "fpu",
        default: "0.4",
        range: Range::Number { min: 0.0, max: 2.0 },
        summary: "first-play urgency: an unvisited move counts as its parent's value minus this times the root of the visited prior",
    },
    SELECT,
    BACK_UP,
    PRIOR,
    TEMPERATURE,
    OptionSpec {
        key: EXPAND_AT,
        default: "3",
        range: Range::Integer { min: 1, max: 1000 },
        summary: "a leaf is expanded on this visit: later saves memory and time, earlier sees replies sooner",
    },
    EVEN_PRIOR,
    CHECK_GAIN,
    implicit_minimax::OPTION,
    variance_scaled::OPTION,
    uncertainty::OPTION,
    gumbel::MOVES,
    gumbel::NOISE,
    gumbel::SCALE,
    softmax::TEMPERATURE,
    softmax::EXPLORATION,
    softmax::SUM,
    LEAF_OR_PLAYOUTS,
    playouts::LENGTH,
    playouts::CAPTURES,
    playouts::CHECKS,
    playouts::MARGIN,
    playouts::PATIENCE,
    playouts::MEASURE,
    playouts::DIFFERENTIAL,
    playouts::CONSTANT,
    playouts::FROM,
    playouts::TO,
    playouts::SCALE,
    OptionSpec {
        key: "certainty",
        default: "on",
        range: Range::Switch,
        summary: "hand up what is proven: bounds and distances to mate (certainty propagation)",
    },
    OptionSpec {
        key: "look-ahead",
        default: "on",
        range: Range::Switch,
        summary: "look for ends of the game one ply ahead when a node is expanded",
    },
    OptionSpec {
        key: "single-reply",
        default: "on",
        range: Range::Switch,
        summary: "follow a single legal reply at once",
    },
    OptionSpec {
        key: "two-fold",
        default: "on",
        range: Range::Switch,
        summary: "a position that comes again within the tree counts as a draw, though not as a proven one",
    },
    OptionSpec {
        key: "visit-certain",
        default: "on",
        range: Range::Switch,
        summary: "inside the tree selection does not avoid proven losses, whose visits belong to the mean; off: it leaves alone whatever its bounds decide; the root avoids them either way (Videodr0me 2018)",
    },
    OptionSpec {
        key: "two-fold-draws",
        default: "off",
        range: Range::Switch,
        summary: "a position that stood before in the game counts as a draw too, and for choosing between such a two-fold and a certain draw the evaluation of the parent is used (Videodr0me 2018)",
    },
    OptionSpec {
        key: "root-open",
        default: "off",
        range: Range::Switch,
        summary: "the root is never made certain: when its result is proven the search goes on to its limits, for a line (Videodr0me 2018)",
    },
    OptionSpec {
        key: "moves-left",
        default: "1",
        range: Range::Number { min: 0.0, max: 4.0 },
        summary: "where the root's loser has nothing but its king a leaf is worth a/(a + this times m): a moves are allowed by the fifty-move rule, m are estimated to the mate (0: off; after the moves-left head of lc0, 2020)",
    },
    TREE_REUSE,
    OptionSpec {
        key: "smart-stopping",
        default: "timed",
        range: Range::Choice(&["off", "on", "timed"]),
        summary: "end the search when only one move is legal, or none can catch up in visits with what is left: by a clock (UCI), always or never",
    },
    OptionSpec {
        key: "hunt-share",
        default: "0.3",
        range: Range::Number { min: 0.0, max: 1.0 },
        summary: "share of the nodes, in a long search, for descents by proof numbers, which look for the shortest mate that is not excluded; all of them once a mate is certain (0: never)",
    },
    OptionSpec {
        key: "batch",
        default: "32",
        range: Range::Integer { min: 1, max: 1024 },
        summary: "with several threads: descents handed down together, at most 1/64 of a node's visits",
    },
    TABLE_MEN,
    KNOWN_DRAWS,
    EVAL,
];

/// The settings that the options describe.
pub(super) struct Settings {
    pub exploration: f32,
    pub fpu: f32,
    /// Chooses in place of PUCT.
    pub select: Option<Select>,
    /// Backs up in place of means.
    pub back_up: Option<BackUp>,
    /// Whether nodes keep the standard deviation of the belief about their position.
    pub keeps_spreads: bool,
    /// The share of implicit minimax values; 0 is off.
    pub implicit_minimax: f32,
    /// How far c follows the spread of values; 0 is off.
    pub variance_scaled: f32,
    /// Whether playouts are weighted by how sure their evaluation is.
    pub uncertainty_weighting: bool,
    /// `None`: values are means.
    pub softmax: Option<Softmax>,
    pub expand_at: u32,
    pub batch: u32,
    pub proof_number_share: f64,
    /// Whether selection inside the tree also goes to proven nodes.
    pub visit_certain: bool,
    /// The weight of the moves left until mate in a leaf's value.
    pub moves_left: f32,
    pub solver: Solver,
    pub prior: Prior,
    /// The option `smart-stopping`.
    pub smart_stopping: String,
}

impl Settings {
    /// What the options of `mcts` ask for, or of a search that is nothing but formulas.
    pub fn new(options: &Options) -> Self {
        if by_formula::is_asked_by(options) {
            return Settings::of_formulas(options);
        }
        let replaced = |key: &str, word: &str| options.word(key) != word;
        let settings = Settings {
            exploration: options.number("exploration") as f32,
            select: replaced(by_formula::SELECT_KEY, PUCT).then(|| Select::new(options)),
            back_up: replaced(by_formula::BACK_UP_KEY, MEAN).then(|| BackUp::new(options)),
            keeps_spreads: false,
            fpu: options.number("fpu") as f32,
            implicit_minimax: options.number(implicit_minimax::OPTION.key) as f32,
            variance_scaled: options.number(variance_scaled::OPTION.key) as f32,
            uncertainty_weighting: false,
            softmax: Softmax::new(options),
            expand_at: options.integer(EXPAND_AT) as u32,
            batch: options.integer("batch") as u32,
            proof_number_share: options.number("hunt-share"),
            visit_certain: options.switch("visit-certain"),
            moves_left: options.number("moves-left") as f32,
            solver: Solver {
                propagation: options.switch("certainty"),
                look_ahead: options.switch("look-ahead"),
                single_reply: options.switch("single-reply"),
                two_fold: options.switch("two-fold"),
                two_fold_draws: options.switch("two-fold-draws"),
                open_root: options.switch("root-open"),
            },
            prior: Prior::new(options),
            smart_stopping: options.word("smart-stopping").to_owned(),
        };
        let weighted = options.switch(uncertainty::OPTION.key);
        Settings {
            uncertainty_weighting: uncertainty::is_on(weighted, &settings),
            ..settings
        }
        .with_spreads()
    }

    /// MCTS in which formulas say everything, and that looks for no mates.
    fn of_formulas(options: &Options) -> Self {
        Settings {
            select: Some(Select::new(options)),
            back_up: Some(BackUp::new(options)),
            keeps_spreads: false,
            exploration: 0.0,
            fpu: options.number("fpu") as f32,
            implicit_minimax: 0.0,
            variance_scaled: 0.0,
            uncertainty_weighting: false,
            softmax: None,
            expand_at: 3,
            batch: 32,
            proof_number_share: 0.0,
            visit_certain: true,
            moves_left: 0.0,
            solver: Solver::ALL,
            prior: Prior::new(options),
            smart_stopping: "off".to_owned(),
        }
        .with_spreads()
    }

    /// Spreads are kept where a formula names them and the place in the node is free.
    fn with_spreads(self) -> Self {
        let named = [
            self.select.as_ref().map(Select::needs),
            self.back_up.as_ref().map(BackUp::needs),
        ];
        let is_free = self.implicit_minimax == 0.0
            && self.variance_scaled == 0.0
            && !self.uncertainty_weighting;
        Settings {
            keeps_spreads: is_free && named.iter().flatten().any(|needs| needs.spreads),
            ..self
        }
    }
}
