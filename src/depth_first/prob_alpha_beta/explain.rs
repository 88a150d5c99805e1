//! What probabilistic alpha-beta explains about a node: how its maximum came about, move by move, from the beliefs in
//! the tree.

use crate::prob_node::{Maximum, Refuted};
use crate::prob_value::ProbValue;
use crate::prob_window::Bins;
use eval::fitted::{Curve, Features};
use game::{MoveCode, Scale, Score};
use search::explanation::{
    Block, Explanation, Fitted, Part, Phrase, Reading, Row, Tone, Unit, Viewpoint, phrase,
};
use search::{Estimate, Options};
use tree::{Bound, Fate, NodeId, Tree};

/// The number of moves listed; the others contribute least.
const LISTED: usize = 12;
/// Contributions below this are not listed.
const LEAST: f32 = 0.005;

/// The running product Q at a node, from the view of the side to move there (Equation 1 of *Probabilistic Alpha-Beta
/// Search*, 2013).
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The score to reach for a cutoff; `None` if beta was open.
    pub beta: Option<Score>,
    /// The level at which the search cuts.
    pub confidence: f32,
    /// One step for each child with a belief that was searched in the node's latest visit, in the order in which they
    /// were first searched.
    pub steps: Vec<Step>,
    /// Whether these are all the children over which the maximum was taken: some may not have been recorded.
    pub is_complete: bool,
}

/// One more child in the product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub child: NodeId,
    pub code: MoveCode,
    /// P(max >= beta) with this child; 0 where beta is open. The tree keeps one belief of a child, not both its bounds,
    /// so before the cutoff this may be more than what the search counted.
    pub reaches: f32,
    /// The maximum with this child: mean and spread of its expected score.
    pub max: Estimate,
}

/// The running product of a node whose moves were searched; `None` elsewhere.
pub fn product(tree: &Tree, options: &Options, id: NodeId) -> Option<Product> {
    let view = tree.view(id);
    let window = view.window.filter(|w| w.depth > 0)?;
    let searched = match view.fate {
        Fate::Expanded { searched, .. } | Fate::ProbabilisticCutoff { searched, .. } => searched,
        _ => return None,
    };
    let bins = Bins::new(tree.grid(), tree.scale());
    let beta = (window.beta < Score::WIN).then_some(window.beta);
    let confidence = options.number("confidence") as f32;
    let mut max = Maximum::new(Refuted::from_options(options));
    let mut steps: Vec<Step> = Vec::new();
    for child in tree.children(id) {
        let of_this_visit = tree.view(child).iteration >= view.iteration;
        let Some(found) = found(tree, options, child, &bins).filter(|_| of_this_visit) else {
            continue;
        };
        let found = count_refuted(tree, child, found, confidence, &bins);
        let code = tree.node(child).move_code();
        let alpha = tree.view(child).window.map_or(Score::MIN, |w| w.beta);
        max.add(code, &found, alpha.one_ply_up(), &bins);
        steps.push(Step {
            child,
            code,
            reaches: beta.map_or(0.0, |beta| max.p_at_least(beta, &bins)),
            max: max.estimate(&bins),
        });
    }
    if let (Fate::ProbabilisticCutoff { probability, .. }, Some(last)) =
        (view.fate, steps.last_mut())
    {
        last.reaches = f32::from(probability) / f32::from(u16::MAX);
    }
    Some(Product {
        beta,
        confidence,
        is_complete: steps.len() == usize::from(searched),
        steps,
    })
}

/// Marks a child that was cut off, so that it counts as the option `refuted` says.
fn count_refuted(
    tree: &Tree,
    child: NodeId,
    found: ProbValue,
    confidence: f32,
    bins: &Bins,
) -> ProbValue {
    let view = tree.view(child);
    let cut = matches!(view.fate, Fate::ProbabilisticCutoff { .. });
    match view.window {
        _ if cut => ProbValue {
            refuted: true,
            bound: Bound::Lower,
            ..found
        },
        Some(window) if window.bound == Bound::Lower => ProbValue {
            bound: Bound::Lower,
            ..found
        }
        .against(window.beta, confidence, bins),
        _ => found,
    }
}

/// What the search found at a child, as far as the tree holds it: a point where the value is known to be exact.
fn found(tree: &Tree, options: &Options, child: NodeId, bins: &Bins) -> Option<ProbValue> {
    let view = tree.view(child);
    let (belief, window) = (tree.belief(child)?, view.window?);
    let value = window.value;
    let exact = options.word("width").parse() == Ok(0.0)
        || value.is_decided()
        || view.fate.is_end()
        || tree.scale() != Scale::Logistic;
    Some(if exact && belief.is_atom().is_some() {
        ProbValue::certain(value, window.bound, bins)
    } else {
        ProbValue::wide(&belief, belief.mean(bins.grid()), Bound::Exact, None)
    })
}

pub(super) fn explain(reading: &Reading, node: NodeId) -> Explanation {
    let product = product(reading.tree, reading.options, node);
    let block = product.and_then(|product| running_product(reading, &product));
    Explanation {
        blocks: block.into_iter().collect(),
        ..Explanation::default()
    }
}

/// What each move added to P(max >= beta), or to the maximum where beta is open, and what became of the move.
fn running_product(reading: &Reading, product: &Product) -> Option<Block> {
    let steps = &product.steps;
    let last = steps.last()?;
    let sign = match reading.viewpoint {
        Viewpoint::Own => 1.0,
        Viewpoint::Mover => -1.0,
    };
    let worth = |step: &Step| match product.beta {
        Some(_) => step.reaches,
        None => sign * step.max.mean,
    };
    let number = |value: f32| -> Part {
        match product.beta {
            Some(_) => (value, Unit::Probability).into(),
            None => (value, Unit::Expected).into(),
        }
    };
    let before = |i: usize| match (i.checked_sub(1), product.beta) {
        (Some(last), _) => Some(worth(&steps[last])),
        (None, Some(_)) => Some(0.0),
        (None, None) => None,
    };
    let added = |i: usize| before(i).map_or(f32::INFINITY, |b| (worth(&steps[i]) - b).abs());
    let mut listed: Vec<usize> = (0..steps.len()).filter(|&i| added(i) >= LEAST).collect();
    listed.sort_by(|a, b| added(*b).total_cmp(&added(*a)));
    listed.truncate(LISTED);
    listed.sort_unstable();
    let row = |&i: &usize| {
        let from = before(i).map_or_else(Phrase::new, |b| phrase![number(b), " → "]);
        Row {
            child: steps[i].child,
            cells: vec![
                (Tone::Quiet, from),
                (Tone::Belief, phrase![number(worth(&steps[i]))]),
            ],
        }
    };
    let mut notes = Vec::new();
    match steps.len() - listed.len() {
        0 => {}
        1 => notes.push((Tone::Quiet, phrase!["1 other adds less"])),
        more => notes.push((Tone::Quiet, phrase![format!("{more} others add less")])),
    }
    if let Some(beta) = product.beta {
        notes.push((
            Tone::Plain,
            verdict(reading, beta, product.confidence, last),
        ));
    }
    if !product.is_complete {
        let note = "not all that was searched is in the tree, or it was searched again since";
        notes.push((Tone::Quiet, phrase![note]));
    }
    Some(Block {
        title: match product.beta {
            Some(_) => "P(max ≥ β) as the replies came",
            None => "expected max as the replies came",
        },
        rows: listed.iter().map(row).collect(),
        notes,
        leads: true,
        ..Block::default()
    })
}

/// Says whether the last step reached beta with confidence.
fn verdict(reading: &Reading, beta: Score, confidence: f32, last: &Step) -> Phrase {
    // From the mover's view, the replier's beta corresponds to the mover's alpha.
    let score = |s: Score| Part::Number(s.raw().into(), Unit::Score);
    let mut words = match reading.viewpoint {
        Viewpoint::Own => phrase!["β ", score(beta)],
        Viewpoint::Mover => phrase!["the replier's β is α ", score(beta.one_ply_up())],
    };
    let (cut, comparison) = match last.reaches >= confidence {
        true => ("; cut: ", " is at least the confidence "),
        false => ("; no cut: ", " is below the confidence "),
    };
    words.extend(phrase![
        cut,
        (last.reaches, Unit::Probability),
        comparison,
        (confidence, Unit::Probability),
    ]);
    words
}

/// The root's value with a width fitted to how far such searches are off, unless that was switched off or the leaves do
/// not have the width it was fitted with. `None` without a value, and where the value is a mate.
pub(super) fn fitted(reading: &Reading) -> Option<Fitted> {
    let at = reading.subject.position.as_chess()?;
    let (tree, options) = (reading.tree, reading.options);
    let root = tree.view(Tree::ROOT);
    let open = root.proof.lower.is_loss() && root.proof.upper.is_win();
    let window = root.window.filter(|w| open && w.bound != Bound::None)?;
    if window.value.is_decided() {
        return None;
    }
    let logit = window.value.logit();
    let features = Features::of(at);
    let defaults = super::default_options();
    let applies = options.switch("calibrated") && options.word("width") == defaults.word("width");
    let belief = applies.then(|| Curve::PROB_ALPHA_BETA.belief(tree.grid(), logit, &features));
    Some(Fitted {
        basis: (logit, features),
        belief,
    })
}
