//! The table of fates: whoever adds one adds a row here, its sentence in `report/why/fates.rs`, and the place in a search
//! that gives it.
//!
//! The order is that of the counters in JSON. A fate that a rule gives has the rule's name.

use super::declare::fates;
use super::number::{Number, Numbers, Packed, Packer, Unit, Unpacker, Value};
use super::{Bound, Class, FateInfo, FateRole as Role, Field, ReasonId};
use game::{Ending, KnownDraw, MoveCode, Score, TableHit};

fates! {
    /// In the tree, but nothing looked at it yet.
    #[default]
    Unvisited = {
        name: "unvisited", group: "not yet", letter: '.', scored: false,
        summary: "in the tree, not looked at yet",
    }

    /// Evaluated, not expanded yet (best-first).
    Frontier = {
        name: "frontier", letter: 'o', glyph: '○', role: Role::Searched,
        summary: "evaluated, not expanded yet",
    }

    /// Its moves were searched; `best` is the one its value comes from (`MoveCode::NONE` if not one move).
    ///
    /// `skipped` moves have no node of their own: in a null window that failed low every skip rests on the same
    /// numbers, which this node has (static value, alpha, depth, and `margin`), so their rows are made when
    /// somebody looks.
    Expanded {
        best: MoveCode [Move],
        searched: u8 [Count],
        skipped: u8 [Count],
        moves: u8 [Count],
        margin: i16 [Margin],
    } = {
        name: "expanded", letter: 'E', glyph: '●', role: Role::Searched,
        summary: "its moves were searched",
    }

    /// Where the depth ended: quiescence found nothing to change the static value, or there is none.
    Horizon {
        static_value: Score [Score] as "static",
    } = {
        name: "horizon", letter: 'H', glyph: '◌', role: Role::Searched,
        summary: "the depth ended here",
    }

    /// Quiescence: the static value alone reaches beta.
    StandPat {
        static_value: Score [Score] as "static",
        beta: Score [Score],
    } = {
        name: "stand-pat", letter: 'S', glyph: '◒', role: Role::Cut, class: Class::Known,
        summary: "quiescence: the static value alone reaches beta",
    }

    /// The game ends here.
    Ended(ending: Ending [Ending]) = {
        name: "ended", group: "ended", letter: '#', glyph: '■', role: Role::Ended, class: Class::Known, scored: false,
        summary: "the game ends here",
    }

    /// The position stood before, `plies_back` plies ago; `times` counts the earlier occurrences.
    Repetition {
        /// How often the position stood before.
        times: u8 [Count],
        /// How many plies ago the last time was.
        plies_back: u16 [Plies],
    } = {
        name: "repetition", group: "repetition", letter: 'R', glyph: '↻', role: Role::Ended, class: Class::Known, scored: false,
        summary: "the position stood before",
    }

    /// The move `by`, the `searched`-th of `moves`, reached beta: the remaining moves can't matter.
    BetaCutoff {
        /// The move that reached beta.
        by: MoveCode [Move],
        /// What it scored.
        value: Score [Score],
        beta: Score [Score],
        searched: u8 [Count],
    } = {
        name: "beta-cutoff", group: "cut", letter: 'X', glyph: '╳', role: Role::Cut, class: Class::Cutoff,
        summary: "cut off: one move reached beta",
    }

    /// P(max >= beta) reached the confidence level after `searched` moves.
    ProbabilisticCutoff {
        /// P(max ≥ beta).
        probability: u16 [Probability],
        /// The confidence level.
        confidence: u16 [Probability],
        /// Beta, in expected score.
        beta_bin: u8 [Bin] as "beta",
        searched: u8 [Count],
    } = {
        name: "probabilistic-cutoff", group: "cut", letter: 'P', glyph: '╳', role: Role::Cut, class: Class::Cutoff,
        summary: "cut off: P(max >= beta) reached the confidence level",
    }

    /// Skipped: static value + margin <= alpha with `depth` plies left (parent's view).
    Futility {
        static_value: Score [Score] as "static",
        margin: i16 [Margin],
        alpha: Score [Score],
        depth: u8 [Plies],
    } = {
        name: "futility", group: "futile", letter: 'F', glyph: '⊘', role: Role::Skipped, class: Class::Skip,
        by_rule: true, implied: true,
        missed: FateInfo::SHORTFALL,
        summary: "skipped: static value + margin is not above alpha",
    }

    /// Quiescence skipped the capture: static value + gain of the capture and margin <= alpha (parent's view).
    DeltaPruning {
        static_value: Score [Score] as "static",
        /// The margin, with what the capture takes.
        margin: i16 [Margin],
        alpha: Score [Score],
    } = {
        name: "delta-pruning", group: "delta", letter: 'D', glyph: '⊘', role: Role::Skipped, class: Class::Skip,
        by_rule: true, implied: true,
        null: Some("depth"),
        missed: FateInfo::SHORTFALL,
        summary: "skipped capture: static value + gain is not above alpha",
    }

    /// Quiescence skipped the capture: the exchange on its square loses material.
    LosingCaptures = {
        name: "losing-captures", group: "losing exchange", letter: 'L', glyph: '⊘', role: Role::Skipped, class: Class::Skip, scored: false,
        by_rule: true, implied: true,
        summary: "skipped capture: it loses material",
    }

    /// Not searched: the transposition table knew enough.
    TableHit {
        /// The value in the table.
        value: Score [Score],
        /// The depth of the entry.
        depth: u8 [Plies],
        /// How that value relates to the true one.
        bound: Bound [Bound],
    } = {
        name: "table-hit", group: "table", letter: 'T', glyph: '◆', role: Role::Searched, class: Class::Known,
        summary: "taken from the transposition table",
    }

    /// Proven by its children: `by` is the one that proves a win, or holds out longest.
    Proven {
        by: MoveCode [Move],
        children: u8 [Count],
    } = {
        name: "proven", group: "proven", letter: '!', glyph: '✓', role: Role::Proven,
        summary: "proven by its children",
    }

    /// Not searched: an earlier sibling (`by`) had already refuted the parent (parent's view). Not stored in
    /// the tree; the rows of such moves are made from the parent's [`Fate::BetaCutoff`].
    SiblingCutoff {
        by: MoveCode [Move],
        value: Score [Score],
        beta: Score [Score],
    } = {
        name: "sibling-cutoff", group: "not needed", letter: 'x', glyph: '┄', role: Role::Skipped, class: Class::SiblingCut,
        summary: "not searched: an earlier move refuted the parent",
    }

    /// Not searched: the parent was cut off at the confidence level. Made from the parent's fate like the above.
    SiblingProbabilisticCutoff {
        probability: u16 [Probability],
        confidence: u16 [Probability],
    } = {
        name: "sibling-probabilistic-cutoff", group: "not needed", letter: 'p', glyph: '┄', role: Role::Skipped, class: Class::SiblingCut,
        scored: false,
        summary: "not searched: the parent was cut off at the confidence level",
    }

    /// Searched, but below what the tree's budget of memory could record.
    Unrecorded = {
        name: "unrecorded", group: "not recorded", letter: 'U', glyph: '?', scored: false,
        summary: "searched, but the tree's memory was used up",
    }

    /// The search was stopped in the middle of this node.
    Interrupted = {
        name: "interrupted", group: "interrupted", letter: 'I', glyph: '~', scored: false,
        summary: "the search was stopped in the middle of it",
    }

    /// Not searched: a person took the move out.
    Excluded = {
        name: "excluded", group: "taken out", letter: 'N', glyph: '⊖', role: Role::Skipped, class: Class::Skip, scored: false,
        summary: "not searched: taken out by hand",
    }

    /// Cut before its moves: static value - margin >= beta with `depth` plies left (reverse futility).
    ReverseFutility {
        static_value: Score [Score] as "static",
        margin: i16 [Margin],
        beta: Score [Score],
        depth: u8 [Plies],
    } = {
        name: "reverse-futility", group: "reverse futility", letter: 'V', glyph: '╱', role: Role::Cut, class: Class::CutBeforeMoves,
        by_rule: true,
        missed: FateInfo::EXCESS,
        summary: "cut off: static value - margin reaches beta",
    }

    /// Cut before its moves: static value + margin <= alpha, and quiescence (`value`) could not lift it above alpha.
    Razoring {
        static_value: Score [Score] as "static",
        margin: i16 [Margin],
        /// The value of quiescence.
        value: Score [Score],
        depth: u8 [Plies],
    } = {
        name: "razoring", group: "razored", letter: 'Z', glyph: '╱', role: Role::Cut, class: Class::CutBeforeMoves,
        by_rule: true, fails_low: true,
        summary: "cut off: static value + margin is not above alpha, nor is quiescence",
    }

    /// Cut before its moves: even after passing the value, `reduction` plies shallower, reaches beta. `verified`: so
    /// it does with a move, searched without null moves.
    NullMove {
        /// The value after passing.
        value: Score [Score],
        beta: Score [Score],
        /// By how many plies the search was shallower.
        reduction: u8 [Plies],
        /// Whether a search with moves reached beta too.
        verified: bool [Flag],
    } = {
        name: "null-move", group: "null move", letter: 'M', glyph: '╱', role: Role::Cut, class: Class::CutBeforeMoves,
        by_rule: true,
        summary: "cut off: even passing reaches beta",
    }

    /// Cut before its moves: the capture `by` reaches `raised` (beta + margin) in a search of `depth` plies. By percentile
    /// there is no move: the node itself, searched `depth` plies, reaches `raised` (then it is thought to reach beta) or
    /// stays below (then it is thought not to beat alpha).
    ProbCut {
        /// The capture that reached `raised`; null if the node itself was searched.
        by: MoveCode [Move],
        /// The shallow value.
        value: Score [Score],
        /// The bound that it was compared with.
        raised: Score [Score],
        /// The plies of the shallow search.
        depth: u8 [Plies],
    } = {
        name: "prob-cut", group: "prob-cut", letter: 'C', glyph: '╱', role: Role::Cut, class: Class::CutBeforeMoves,
        by_rule: true,
        summary: "cut off: a capture is far above beta in a shallow search",
    }

    /// Cut before its moves: without the table's move, and shallower, `value` reaches beta too: more than one move does
    /// (multi-cut, from the singular test).
    MultiCut {
        /// The value without the table's move.
        value: Score [Score],
        beta: Score [Score],
        /// The plies of that search.
        depth: u8 [Plies],
    } = {
        name: "multi-cut", group: "multi-cut", letter: 'K', glyph: '╱', role: Role::Cut, class: Class::CutBeforeMoves,
        by_rule: true,
        summary: "cut off: several moves reach beta in a shallow search",
    }

    /// Skipped: `searched` moves, the limit for `depth` plies left, came before it.
    LateMovePruning {
        /// How many moves are searched at this depth.
        searched: u8 [Count] as "limit",
        depth: u8 [Plies],
    } = {
        name: "late-move-pruning", group: "late", letter: 'Q', glyph: '⊘', role: Role::Skipped, class: Class::Skip, scored: false,
        by_rule: true, implied: true,
        summary: "skipped: so many moves came before it in vain",
    }

    /// Skipped: by static exchange it loses more than `threshold` centipawns (negative) with `depth` plies left.
    LosingMoves {
        /// The most that the exchange may lose (negative).
        threshold: i16 [Margin],
        depth: u8 [Plies],
    } = {
        name: "losing-moves", group: "losing exchange", letter: 'G', glyph: '⊘', role: Role::Skipped, class: Class::Skip, scored: false,
        by_rule: true,
        summary: "skipped: by static exchange it loses too much",
    }

    /// An endgame table knows the result: nothing is searched below. From the side to move's view; where nobody visited the
    /// node, it stands below a root in the tables, whose side to move does not play this: it throws the result away.
    Tablebase(hit: TableHit [Table]) = {
        name: "tablebase", group: "proven", letter: 'Y', glyph: '▣', role: Role::Proven, class: Class::Known,
        summary: "an endgame table (Syzygy) knows the result",
    }

    /// A leaf whose own search of `depth` plies was asked whether it is worth more than `limit` and said no: it is worth at
    /// most `value` (best-first).
    LeafFailsLow {
        value: Score [Score],
        limit: Score [Score],
        depth: u8 [Plies],
    } = {
        name: "leaf-fails-low", letter: 'l', glyph: '◔', role: Role::Searched,
        summary: "a leaf: its search was asked whether it beats a limit, and said no",
    }

    /// A leaf whose own search of `depth` plies was asked whether it is worth at least `limit` and said yes: it is worth at
    /// least `value` (best-first).
    LeafFailsHigh {
        value: Score [Score],
        limit: Score [Score],
        depth: u8 [Plies],
    } = {
        name: "leaf-fails-high", letter: 'h', glyph: '◕', role: Role::Searched,
        summary: "a leaf: its search was asked whether it reaches a limit, and said yes",
    }

    /// A draw that is known without a table: nothing is searched below.
    KnownDraw {
        /// What the draw rests on.
        draw: KnownDraw [Known],
    } = {
        name: "known-draw", group: "proven", letter: '=', glyph: '⊜', role: Role::Proven, class: Class::Known, scored: false,
        summary: "a draw that is known without a table, such as king and pawn against king",
    }

    /// A reason that another program declared, with the place of its numbers in the tree. What is asked of the fate is
    /// answered by the declaration.
    Told {
        reason: ReasonId [Reason],
        numbers: u32 [Place],
    } = {
        name: "told", group: "searched", letter: 'w', glyph: '◇', role: Role::Searched, class: Class::Open,
        summary: "a reason that another program gave",
    }
}
