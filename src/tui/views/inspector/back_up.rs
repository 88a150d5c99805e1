//! What a DISTRESS node's belief is made of, in numbers.

use super::super::facts::Numbers;
use super::Line;
use super::content::Content;
use crate::belief::forms::FAR;
use crate::belief::precursors::{Svfc, ThreePoint};
use crate::belief::{Density, Detail, Precursor, Rule};
use crate::tui::text;
use crate::tui::theme::Role;

/// r_opt, r_pick, how they were blended (or what the maximum is), and the policy's dispersion.
pub(super) fn rows(content: &Content, numbers: &Numbers) -> Vec<(&'static str, String)> {
    let Some(detail) = &content.back_up else {
        return Vec::new();
    };
    // The figures are the mover's, the back-up is the node's own.
    let own = if content.is_root { 1.0 } else { -1.0 };
    let mean = |d: &Density| numbers.expected(own * d.mean(&content.grid));
    let sd = |d: &Density| numbers.spread(d.sd(&content.grid));
    let (opt, pick) = (&detail.r_opt, &detail.r_pick);
    let mut rows = vec![
        ("r_opt", format!("{} ±{}", mean(opt), sd(opt))),
        ("r_pick", format!("{} ±{}", mean(pick), sd(pick))),
    ];
    let n = detail.policy.len();
    match &detail.precursor {
        Some(Precursor::Svfc { node, blend, .. }) => {
            let node = if content.is_root {
                *node
            } else {
                node.negated()
            };
            rows.push(("s v f c", four(node, numbers)));
            rows.push(("B", format!("{}, for f and c", plain(*blend))));
        }
        Some(Precursor::ThreePoint { node, .. }) => {
            let node = if content.is_root {
                *node
            } else {
                node.negated()
            };
            rows.push(("3 points", three(node, numbers)));
        }
        None => rows.push(blend_words(detail, n)),
    }
    let (h, n_eff) = (plain(detail.entropy), detail.n_eff);
    rows.push(("entropy", format!("H {h} nats, N_eff {n_eff:.1} of {n}")));
    rows
}

/// The rule's formula with its numbers.
fn blend_words(detail: &Detail, n: usize) -> (&'static str, String) {
    let h = plain(detail.entropy);
    let n_eff = format!("{:.2}", detail.n_eff);
    let formula = match detail.rule {
        Rule::Exponential(kappa) => format!("1 − e^(−{} × {h})", plain(kappa)),
        Rule::Entropy => format!("{h} / ln {n}"),
        Rule::InverseEffective => format!("1 − 1/{n_eff}"),
        Rule::EffectiveShare => format!("({n_eff} − 1)/({n} − 1)"),
        Rule::Constant(_) => "constant".to_owned(),
        Rule::Optimal => "r_opt alone".to_owned(),
        Rule::Pick => "r_pick alone".to_owned(),
        Rule::CuadrasAuge(a) => {
            let (least, rest) = (plain(a), plain(1.0 - a));
            return ("maximum", format!("(min q)^{least} (∏ q)^{rest}"));
        }
        Rule::Frechet(rho) => {
            let (least, rest) = (plain(rho), plain(1.0 - rho));
            return ("maximum", format!("{rest} ∏ q + {least} min q"));
        }
        Rule::Gumbel(theta) => {
            let theta = plain(theta);
            return ("maximum", format!("exp(−[Σ(−ln q)^{theta}]^(1/{theta}))"));
        }
        Rule::Svfc(_) | Rule::ThreePoint => String::new(),
    };
    match detail.blend {
        Some(b) if n > 1 => ("blend", format!("b = {formula} = {}", plain(b))),
        _ => ("blend", "the only move's belief".to_owned()),
    }
}

/// What the precursor had of each child, with its share of the policy.
pub(super) fn lines(content: &Content, numbers: &Numbers, room: usize) -> Vec<Line> {
    let Some(precursor) = content.back_up.as_ref().and_then(|d| d.precursor.as_ref()) else {
        return Vec::new();
    };
    let (heading, values): (_, Vec<String>) = match precursor {
        Precursor::Svfc {
            children, optimal, ..
        } => {
            let own = |c: &Svfc| if content.is_root { *c } else { c.negated() };
            let five = |(c, b): (&Svfc, &f64)| format!("{} {b:.3}", four(own(c), numbers));
            (
                "s v f c b of the replies",
                children.iter().zip(optimal).map(five).collect(),
            )
        }
        Precursor::ThreePoint { children, .. } => {
            let own = |c: &ThreePoint| if content.is_root { *c } else { c.negated() };
            let three = |c: &ThreePoint| three(own(c), numbers);
            (
                "5/50/95 % of the replies",
                children.iter().map(three).collect(),
            )
        }
    };
    let policy = content.back_up.iter().flat_map(|d| &d.policy);
    let mut listed: Vec<(f32, &String, &String)> = policy
        .zip(&content.backed_up)
        .zip(&values)
        .map(|((share, name), value)| (*share, name, value))
        .collect();
    listed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut lines = vec![vec![(heading.to_owned(), Role::Heading)]];
    for (share, name, value) in listed.into_iter().take(super::LISTED) {
        lines.push(vec![
            (format!("{name:<9}"), Role::Move),
            (format!("{:>5}  ", text::percent(share)), Role::Policy),
            (value.clone(), Role::Text),
        ]);
    }
    if matches!(precursor, Precursor::Svfc { .. }) {
        let words = format!(
            "f and c: chances to turn out more than {FAR:.0} standard deviations better or worse than s; b: how far a move is believed to be optimal"
        );
        let wrapped = text::wrap(&words, room).into_iter();
        lines.extend(wrapped.map(|l| vec![(l, Role::Dim)]));
    }
    lines
}

fn four(n: Svfc, numbers: &Numbers) -> String {
    let s = numbers.expected(n.s as f32);
    format!("{s} {:.3} {:.3} {:.3}", n.v, n.f, n.c)
}

fn three(n: ThreePoint, numbers: &Numbers) -> String {
    let at = |x: f64| numbers.expected(x as f32);
    format!(
        "{}  {}  {}",
        at(n.middle - n.left),
        at(n.middle),
        at(n.middle + n.right)
    )
}

/// A number from 0 up with two decimals: `.63`, `1.50`.
fn plain(x: f32) -> String {
    let text = format!("{x:.2}");
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}
