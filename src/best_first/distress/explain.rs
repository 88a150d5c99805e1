//! What DISTRESS has to say of a node: what its belief was made of, and where the next visit goes.

mod allocation;

use super::allocate::FAINT;
use super::options::ByMost;
use super::sides::{SIDES, Sides};
use super::{Allocation, Urgency};
use belief::forms::FAR;
use belief::precursors::{Svfc, ThreePoint};
use belief::{BlendedBy, Density, Detail, Numbers, Precursor, Rule};
use eval::fitted::{Curved, Features};
use formula::Formula;
use search::explanation::{
    BackedUp, BestShare, Block, Explanation, Fact, Fitted, NamedNumbers, Phrase, Reading, Row,
    Term, Tone, Unit, Viewpoint, phrase,
};
use search::options::evaluation;
use search::{OptionSpec, Options};
use tree::{Fate, NodeId, NodeView, Tree};

/// The names that [`figure`] knows.
pub(super) const FIGURES: &[&str] = &[
    "r_opt",
    "r_pick",
    "r_opt_sd",
    "r_pick_sd",
    "blend",
    "entropy",
    "choices",
    "score",
    "bonus",
    "information",
    "part",
];

/// The number of a node by its name: of what its belief was made of, or of its term in its parent's allocation.
pub(super) fn figure(reading: &Reading, node: NodeId, name: &str) -> Option<f64> {
    let value = match name {
        "score" | "bonus" | "information" | "part" => {
            let parent = reading.tree.node(node).parent();
            let choice = super::choice(reading.tree, reading.options, parent)?;
            let term = choice.terms.iter().find(|t| t.child == node)?;
            match name {
                "score" => term.score,
                "bonus" => term.bonus?,
                "information" => term.value?,
                _ => term.share,
            }
        }
        _ => {
            let detail = backed_up(reading.tree, reading.options, node)?;
            let grid = reading.tree.grid();
            match name {
                "r_opt" => detail.r_opt.mean(grid),
                "r_pick" => detail.r_pick.mean(grid),
                "r_opt_sd" => detail.r_opt.sd(grid),
                "r_pick_sd" => detail.r_pick.sd(grid),
                "blend" => detail.blend?,
                "entropy" => detail.entropy,
                "choices" => detail.n_eff,
                _ => return None,
            }
        }
    };
    Some(value.into())
}

/// What a node's belief is made of, from its own view: r_opt, r_pick, their blend, the policy's entropy. `None` where no
/// child has a belief (yet).
pub fn backed_up(tree: &Tree, options: &Options, id: NodeId) -> Option<Detail> {
    let taken = taken(tree, id);
    let beliefs = taken.iter().map(|c| tree.belief(*c));
    // A child's belief from its parent's view.
    let beliefs: Option<Vec<_>> = beliefs.map(|b| b.map(|b| b.negated())).collect();
    let beliefs = beliefs.filter(|b| !b.is_empty())?;
    let mut sides = Sides::new(options, tree.grid());
    let back_up = sides.at(|| super::numbers::is_own(tree, id));
    let by_numbers = super::detail(tree, back_up, id, &taken);
    Some(by_numbers.unwrap_or_else(|| back_up.detail(&beliefs)))
}

/// The children that go into a node's back-up: not those taken out, nor those let in again and not looked at yet.
fn taken(tree: &Tree, id: NodeId) -> Vec<NodeId> {
    let goes_in = |child: &NodeId| !super::is_left_out(tree.node(*child));
    tree.children(id).filter(goes_in).collect()
}

/// The numbers of a back-up without distributions, with their names in JSON; a move's b, how far it is believed to be
/// optimal, is its mover's.
pub(super) fn kept(reading: &Reading, node: NodeId) -> Option<NamedNumbers> {
    let (own, optimal) = super::numbers(reading.tree, reading.options, node)?;
    let (numbers, optimal) = match reading.viewpoint {
        Viewpoint::Own => (own, None),
        Viewpoint::Mover => (own.negated(), optimal),
    };
    Some(match numbers {
        Numbers::Svfc(Svfc { s, v, f, c }) => {
            let b = optimal.map(|b| ("b", b));
            let all = [("s", s), ("v", v), ("f", f), ("c", c)];
            all.into_iter().chain(b).collect()
        }
        Numbers::ThreePoint(n) => vec![
            ("q5", n.middle - n.left),
            ("q50", n.middle),
            ("q95", n.middle + n.right),
        ],
    })
}

pub(super) fn urgency(options: &Options, view: &NodeView) -> Option<Term> {
    let urgency = Allocation::new(options).urgency_is();
    Some(Term {
        name: urgency.name(),
        value: view.urgency.filter(|u| *u > FAINT)?.into(),
        unit: match urgency {
            Urgency::WidestLeaf => Unit::Spread,
            Urgency::Criticality => Unit::Magnitude,
        },
    })
}

/// The place of the search's own belief with a width that was fitted to how far such searches are off ([`Curved`]), as long
/// as it was not switched off and the back-up is the one it was fitted to.
pub(super) fn fitted(reading: &Reading) -> Option<Fitted> {
    let at = reading.subject.position.as_chess()?;
    let (tree, options) = (reading.tree, reading.options);
    let root = tree.node(Tree::ROOT);
    let proof = root.proof();
    let open = proof.lower.is_loss() && proof.upper.is_win() && !proof.is_exact();
    if !open || root.belief() == 0 {
        return None;
    }
    let (mean, features) = (-root.favour(), Features::of(at));
    let defaults = super::default_options();
    let as_fitted = |side: &OptionSpec| options.word(side.key) == defaults.word(side.key);
    let applies = options.switch("calibrated") && SIDES.iter().all(as_fitted);
    let report = Curved::distress(evaluation(options));
    let belief = applies.then(|| report.belief(tree.grid(), mean, &features));
    Some(Fitted {
        basis: (mean, features),
        belief,
    })
}

pub(super) fn explain(reading: &Reading, node: NodeId) -> Explanation {
    let (tree, options) = (reading.tree, reading.options);
    let mut found = Explanation::default();
    let view = tree.view(node);
    if let Some(Term { name, value, unit }) = urgency(options, &view) {
        let value = phrase![(value, unit)];
        found.facts.push(Fact { name, value });
    }
    if super::is_waiting(tree.node(node)) {
        found.facts.push(Fact {
            name: "its search",
            value: phrase!["none yet: the belief is from its share of the evaluation's policy"],
        });
    }
    found.facts.extend(leaf_search(options, &view));
    if let Some(detail) = backed_up(tree, options, node) {
        let back_up = told(reading, node, &detail);
        let facts = back_up_facts(&back_up, reading, &detail);
        found.facts.extend(facts);
        found.back_up = Some(back_up);
        found.facts.push(Fact {
            name: "plays",
            value: phrase![ByMost::new(options).words()],
        });
        found.blocks.extend(replies(reading, node, &detail));
    }
    if let Some(choice) = super::choice(tree, options, node) {
        found.blocks.push(allocation::allocation(&choice));
    }
    found
}

/// What the searches of a leaf have cost so far; its fate tells the last question and the answer.
fn leaf_search(options: &Options, view: &NodeView) -> Option<Fact> {
    let asked = matches!(
        view.fate,
        Fate::Frontier | Fate::LeafFailsLow { .. } | Fate::LeafFailsHigh { .. }
    );
    (asked && options.word("leaf") == "search").then(|| Fact {
        name: "its search",
        value: phrase![
            (f64::from(view.leaf_depth), Unit::Count),
            " plies deep, ",
            (view.nodes as f64, Unit::Count),
            " nodes in ",
            (f64::from(view.visits), Unit::Count),
            if view.visits == 1 {
                " visit"
            } else {
                " visits"
            },
        ],
    })
}

/// The numbers of a back-up, for the inspector and for JSON.
fn told(reading: &Reading, node: NodeId, detail: &Detail) -> BackedUp {
    let grid = reading.tree.grid();
    let moments = |density: &Density| (reading.seen(density.mean(grid)), density.sd(grid));
    let shares = taken(reading.tree, node).into_iter();
    let shares = shares.zip(&detail.policy).zip(&detail.best);
    BackedUp {
        maximisers: detail.maximisers,
        entropy: detail.entropy,
        n_eff: detail.n_eff,
        // A single move's belief is its parent's.
        blend: detail.blend.filter(|_| detail.policy.len() > 1),
        r_opt: moments(&detail.r_opt),
        r_pick: moments(&detail.r_pick),
        shares: shares
            .map(|((child, &policy), &best)| BestShare {
                child,
                policy,
                best,
            })
            .collect(),
    }
}

/// r_opt, r_pick, how they were blended (or what the maximum is), and the policy's dispersion.
fn back_up_facts(back_up: &BackedUp, reading: &Reading, detail: &Detail) -> Vec<Fact> {
    let moments =
        |(mean, sd): (f32, f32)| phrase![(mean, Unit::Expected), " ±", (sd, Unit::Spread)];
    let fact = |name, value| Fact { name, value };
    let mut facts = vec![
        fact("r_opt", moments(back_up.r_opt)),
        fact("r_pick", moments(back_up.r_pick)),
    ];
    let n = back_up.shares.len();
    match &detail.precursor {
        Some(Precursor::Svfc { node, blend, .. }) => {
            facts.push(fact("s v f c", four(seen(reading, *node))));
            let blend = phrase![(*blend, Unit::Fraction), ", for f and c"];
            facts.push(fact("B", blend));
        }
        Some(Precursor::ThreePoint { node, .. }) => {
            let node = match reading.viewpoint {
                Viewpoint::Own => *node,
                Viewpoint::Mover => node.negated(),
            };
            facts.push(fact("3 points", three(node)));
        }
        None => facts.push(blend(back_up, detail)),
    }
    if let BlendedBy::RuleAfter(_) = &detail.by {
        let instead = format!("no finite value: {} instead", detail.rule);
        facts.push(fact("formula", phrase![instead]));
    }
    let entropy = phrase![
        "H ",
        (back_up.entropy.abs(), Unit::Fraction),
        " nats, N_eff ",
        (back_up.n_eff, Unit::Fixed(1)),
        format!(" of {n}"),
    ];
    facts.push(fact("entropy", entropy));
    facts
}

/// The rule's formula with its numbers.
fn blend(back_up: &BackedUp, detail: &Detail) -> Fact {
    let n = back_up.shares.len();
    let h = (back_up.entropy.abs(), Unit::Fraction);
    let n_eff = (back_up.n_eff, Unit::Fixed(2));
    let maximum = |value| Fact {
        name: "maximum",
        value,
    };
    if let BlendedBy::Formula(formula) = &detail.by {
        return by_formula(back_up, formula);
    }
    let formula = match detail.rule {
        Rule::Exponential(kappa) => {
            phrase!["1 − e^(−", (kappa, Unit::Fraction), " × ", h, ")"]
        }
        Rule::Entropy => phrase![h, format!(" / ln {n}")],
        Rule::InverseEffective => phrase!["1 − 1/", n_eff],
        Rule::EffectiveShare => phrase!["(", n_eff, format!(" − 1)/({n} − 1)")],
        Rule::Constant(_) => phrase!["constant"],
        Rule::Optimal => phrase!["r_opt alone"],
        Rule::Pick => phrase!["r_pick alone"],
        Rule::CuadrasAuge(a) => {
            let (least, rest) = ((a, Unit::Fraction), (1.0 - a, Unit::Fraction));
            return maximum(phrase!["(min q)^", least, " (∏ q)^", rest]);
        }
        Rule::Frechet(rho) => {
            let (least, rest) = ((rho, Unit::Fraction), (1.0 - rho, Unit::Fraction));
            return maximum(phrase![rest, " ∏ q + ", least, " min q"]);
        }
        Rule::Gumbel(theta) => {
            let theta = (theta, Unit::Fraction);
            return maximum(phrase!["exp(−[Σ(−ln q)^", theta, "]^(1/", theta, "))"]);
        }
        Rule::BestChild => return maximum(phrase!["the belief of the best move"]),
        Rule::Svfc(_) | Rule::ThreePoint => Phrase::new(),
    };
    let value = match back_up.blend {
        Some(b) => {
            let mut value = phrase!["b = "];
            value.extend(formula);
            value.extend(phrase![" = ", (b, Unit::Fraction)]);
            value
        }
        _ => phrase!["the only move's belief"],
    };
    Fact {
        name: "blend",
        value,
    }
}

/// The formula that somebody wrote, with its value.
fn by_formula(back_up: &BackedUp, formula: &Formula) -> Fact {
    let value = match back_up.blend {
        // The value first: a narrow inspector cuts long formulas.
        Some(b) => phrase!["b = ", (b, Unit::Fraction), format!(" = {formula}")],
        None => phrase!["the only move's belief"],
    };
    Fact {
        name: "blend",
        value,
    }
}

/// What a precursor had of each child, with its share of the policy.
fn replies(reading: &Reading, node: NodeId, detail: &Detail) -> Option<Block> {
    let (title, values): (_, Vec<Phrase>) = match detail.precursor.as_ref()? {
        Precursor::Svfc {
            children, optimal, ..
        } => {
            let five = |(child, b): (&Svfc, &f64)| {
                let mut five = four(seen(reading, *child));
                five.extend(phrase![" ", (*b, Unit::Fixed(3))]);
                five
            };
            let values = children.iter().zip(optimal).map(five).collect();
            ("s v f c b of the replies", values)
        }
        Precursor::ThreePoint { children, .. } => {
            let seen = |n: &ThreePoint| match reading.viewpoint {
                Viewpoint::Own => *n,
                Viewpoint::Mover => n.negated(),
            };
            let values = children.iter().map(|n| three(seen(n))).collect();
            ("5/50/95 % of the replies", values)
        }
    };
    let mut listed: Vec<(f32, Row)> = taken(reading.tree, node)
        .into_iter()
        .zip(&detail.policy)
        .zip(values)
        .map(|((child, &share), value)| {
            let cells = vec![
                (Tone::Policy, phrase![(share, Unit::Share)]),
                (Tone::Plain, value),
            ];
            (share, Row { child, cells })
        })
        .collect();
    listed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let words = format!(
        "f and c: chances to turn out more than {FAR:.0} standard deviations better or worse than s; b: how far a move is believed to be optimal"
    );
    let four = matches!(detail.precursor, Some(Precursor::Svfc { .. }));
    Some(Block {
        title,
        rows: listed.into_iter().map(|(_, row)| row).collect(),
        notes: four
            .then(|| (Tone::Quiet, phrase![words]))
            .into_iter()
            .collect(),
        ..Block::default()
    })
}

fn seen(reading: &Reading, n: Svfc) -> Svfc {
    match reading.viewpoint {
        Viewpoint::Own => n,
        Viewpoint::Mover => n.negated(),
    }
}

fn four(n: Svfc) -> Phrase {
    let three = Unit::Fixed(3);
    phrase![
        (n.s, Unit::Expected),
        " ",
        (n.v, three),
        " ",
        (n.f, three),
        " ",
        (n.c, three),
    ]
}

fn three(n: ThreePoint) -> Phrase {
    phrase![
        (n.middle - n.left, Unit::Expected),
        "  ",
        (n.middle, Unit::Expected),
        "  ",
        (n.middle + n.right, Unit::Expected),
    ]
}
